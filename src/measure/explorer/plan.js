// Draws the network over time: the floor plan with the use of its links in the window of the curves, or in a frame of it.
//
//   data.plan -> prefix sums -> show(first frame, before frame) -> shades of links, heights of bars, the busiest of each

function planOf({ plan, series }) {
  if (!plan) return null;
  const last = plan.frames.length - 1;
  const start = (frame) => series.start[plan.frames[frame]];
  const end = (frame) => series.end[(plan.frames[frame + 1] ?? series.end.length) - 1];
  const summed = (list) => {
    const sums = new Float64Array(list.length + 1);
    list.forEach((value, at) => (sums[at + 1] = sums[at] + value));
    return (from, to) => sums[to] - sums[from];
  };
  const placed = ({ name, values, counts }) => ({ name, sum: summed(values), count: counts && summed(counts) });
  const [links, routers, controllers] = [plan.links, plan.routers, plan.controllers].map((all) => all.map(placed));

  // Frames from one to before another: flits a cycle of the network, input ports, requests.
  const networkCycles = (from, to) => (end(to - 1) - start(from)) * plan.network_cycles;
  const rate = ({ sum }, from, to) => ratio(sum(from, to), networkCycles(from, to)) ?? 0;
  const mean = ({ sum, count }, from, to) => ratio(sum(from, to), count(from, to)) ?? 0;
  const mostOf = (all, of) => Math.max(0, ...all.flatMap((one) => plan.frames.map((_, frame) => of(one, frame, frame + 1))));
  const most = { router: mostOf(routers, rate), controller: mostOf(controllers, mean) };

  const shade = (use) => plan.shades[Math.round(Math.min(1, use / plan.most) * (plan.shades.length - 1))];
  const numbers = (text) => text.split(" ").map(Number);
  const drawing = new DOMParser().parseFromString(plan.svg, "image/svg+xml").documentElement;
  const groups = [...drawing.querySelectorAll("[data-links], [data-busiest]")].map((group) => {
    const [title, ...shapes] = group.children;
    const { links: all, busiest } = group.dataset;
    return { title, shapes, name: title.textContent.split(": ")[0], of: numbers(all ?? busiest), all: all !== undefined };
  });
  const bars = [...drawing.querySelectorAll("[data-router], [data-controller]")].map((bar) => {
    const { router, controller } = bar.dataset;
    const one = router === undefined ? controllers.find(({ name }) => name === controller) : routers.find(({ name }) => name === router);
    return { bar, one, router: router !== undefined };
  }).filter(({ one }) => one);

  let [from, to] = [0, last + 1];

  function drawGroup({ title, shapes, name, of, all }) {
    const uses = of.map((link) => rate(links[link], from, to));
    const use = all ? uses.reduce((sum, one) => sum + one, 0) / uses.length : Math.max(...uses);
    title.textContent = `${name}: ${uses.map((one) => one.toFixed(3)).join(", ")} flits a cycle`;
    shapes.forEach((shape) => shape.setAttribute(shape.hasAttribute("stroke") ? "stroke" : "fill", shade(use)));
  }

  function drawBar({ bar, one, router }) {
    const value = router ? rate(one, from, to) : mean(one, from, to);
    const whole = router ? most.router : most.controller;
    const height = whole > 0 ? Math.min(1, value / whole) * plan.bar : 0;
    bar.setAttribute("height", height.toFixed(1));
    bar.setAttribute("y", (Number(bar.dataset.bottom) - height).toFixed(1));
    const what = router ? "input ports with a flit that waits for credit" : "requests in the queue";
    bar.firstElementChild.textContent = `${router ? one.name : `node ${one.name}`}: ${value.toFixed(2)} ${what}, most in a frame ${whole.toFixed(2)}`;
  }

  /** The one with the greatest number, as a row of a table. */
  function row(title, all, of, unit) {
    const [name, value] = all.map((one) => [one.name, of(one, from, to)]).reduce((a, b) => (b[1] > a[1] ? b : a), ["-", 0]);
    return [title, readable(value), `${unit}, ${name}`];
  }

  function show(first, before, what) {
    [from, to] = [first, before];
    groups.forEach(drawGroup);
    bars.forEach(drawBar);
    const said = `${what}: cycles ${grouped(start(from))} to ${grouped(end(to - 1))}`;
    element("shown-frame").textContent = said;
    drawing.querySelector("[data-cycles]").textContent = said;
    const body = document.querySelector("#busiest tbody");
    body.replaceChildren();
    addRow(body, row("busiest link", links, rate, "flits a cycle"));
    addRow(body, row("most waits for credit", routers, rate, "input ports"));
    if (controllers.length > 0) addRow(body, row("longest queue", controllers.map((one) => ({ ...one, name: `node ${one.name}` })), mean, "requests"));
  }

  /** Frames that have points of the window. */
  let [windowFrom, windowTo] = [0, last + 1];
  let playing = null;
  function stop() {
    clearInterval(playing);
    playing = null;
    element("play").textContent = "play";
  }
  function showWindow() {
    element("frame").removeAttribute("aria-valuetext");
    show(windowFrom, windowTo, "window");
  }
  function setWindow(firstPoint, lastPoint) {
    const before = plan.frames.findIndex((point) => point >= lastPoint);
    windowFrom = Math.max(0, plan.frames.findLastIndex((point) => point <= firstPoint));
    windowTo = Math.max(windowFrom + 1, before < 0 ? last + 1 : before);
    Object.assign(element("frame"), { min: String(windowFrom), max: String(windowTo - 1), value: String(windowFrom) });
    stop();
    showWindow();
  }
  function showFrame(frame) {
    element("frame").value = String(frame);
    element("frame").setAttribute("aria-valuetext", `cycles ${start(frame)} to ${end(frame)}`);
    show(frame, frame + 1, `frame ${frame - windowFrom + 1} of ${windowTo - windowFrom}`);
  }
  function step() {
    const next = Number(element("frame").value) + 1;
    if (next < windowTo) showFrame(next);
    else stop();
  }

  element("plan").hidden = false;
  element("drawing").append(drawing);
  element("frame").addEventListener("input", () => {
    stop();
    showFrame(Number(element("frame").value));
  });
  element("play").addEventListener("click", () => {
    if (playing) return stop();
    const at = Number(element("frame").value);
    showFrame(at + 1 < windowTo ? at : windowFrom);
    element("play").textContent = "stop";
    playing = setInterval(step, 200);
  });
  element("whole-window").addEventListener("click", () => {
    stop();
    showWindow();
  });
  element("save-plan").addEventListener("click", () => saveText(element("drawing").innerHTML, "network"));

  /** For tests: what is drawn. */
  const shown = () => ({
    said: element("shown-frame").textContent,
    frames: [windowFrom, windowTo, start(from), end(to - 1)],
    links: groups.map(({ title, of, shapes: [shape] }) => [of.map((link) => links[link].name), title.textContent, shape.getAttribute("stroke") ?? shape.getAttribute("fill")]),
    bars: bars.map(({ bar }) => [bar.firstElementChild.textContent, Number(bar.getAttribute("height"))]),
    busiest: [...document.querySelectorAll("#busiest tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
  });
  return { setWindow, shown };
}
