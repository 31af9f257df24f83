// Asks for the state again and again, and shows it. The server answers when there is a newer one.
//
//   state.launch.samples: sums -> differences -> curves
//   state.waiting, state.components -> tables
//   buttons -> POST interrupt, POST waveform

const page = crypto.getRandomValues(new Uint32Array(1))[0];
/** Failures in a row after which the process has ended. */
const TRIES = 3;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Seconds as a person reads them. */
function time(seconds) {
  if (!Number.isFinite(seconds)) return "not known yet";
  if (seconds < 100) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${readable(Number((seconds / 3600).toPrecision(3)))} h` : `${readable(Number((seconds / 86400).toPrecision(3)))} days`;
}

// Curves.

/** The sums of a sample that say what issue slots were used for, with the place of their colour. */
const SLOTS = [
  ["issued", "instructions", 2], ["data hazards", "data_hazards", 0], ["structural hazards", "structural_hazards", 1],
  ["barriers", "barriers", 3], ["throttle", "throttle", 5], ["fetch", "fetch", 4],
];

/** What has been added from one sample to another. */
function between(first, last) {
  const added = Object.fromEntries(Object.keys(last).map((name) => [name, last[name] - first[name]]));
  const used = SLOTS.reduce((sum, [, name]) => sum + added[name], 0);
  return { ...added, without_warp: Math.max(0, added.slots - used) };
}

const of = (part, whole) => (whole > 0 ? part / whole : null);

function curves(launch) {
  const slots = [...SLOTS, ["no warp", "without_warp", 6]];
  const shares = slots.map(([name, key, colour]) => ({ name, colour, of: (added) => of(100 * added[key], added.slots) }));
  const all = [
    { id: "ipc", title: "IPC", unit: "thread instructions a cycle", measures: [{ name: "IPC", of: (added) => of(added.thread_instructions, added.cycle) }] },
    { id: "issue-slots", title: "Issue slots", unit: "% of all slots", stacked: true, most: 100, measures: shares },
    { id: "active-warps", title: "Active warps", unit: "warps a core, mean", measures: [{ name: "active warps", of: (added) => of(added.active_warps * launch.issue_slots, added.slots) }] },
    { id: "flits", title: "Flits sent", unit: "flits a cycle", measures: [{ name: "flits", of: (added) => of(added.flits, added.cycle) }] },
  ];
  if (launch.bus_cycles > 0) {
    const measures = [{ name: "DRAM utilisation", of: (added) => of(100 * added.bus_busy_cycles, added.cycle * launch.bus_cycles) }];
    all.push({ id: "dram-bus", title: "DRAM data bus", unit: "% of cycles occupied", most: 100, measures });
  }
  return all;
}

/** The value of each interval of a measure, as a step from its first cycle to its last one; of a stack, on those below. */
function steps(samples, measures, at) {
  const found = samples.slice(1).map((last, number) => {
    const added = between(samples[number], last);
    const value = measures[at].of(added);
    const below = measures.slice(0, at).reduce((sum, measure) => sum + (measure.of(added) ?? 0), 0);
    return [samples[number].cycle, value === null ? null : value + below, value];
  });
  if (found.length > 0) found.push([samples[samples.length - 1].cycle, ...found[found.length - 1].slice(1)]);
  return found;
}

function option(curve, samples, colours) {
  const axis = { nameTextStyle: { color: colours.soft }, axisLabel: { color: colours.soft }, axisLine: { lineStyle: { color: colours.line } }, splitLine: { lineStyle: { color: colours.line } } };
  const several = curve.measures.length > 1;
  const series = curve.measures.map((measure, at) => ({
    name: measure.name, type: "line", step: "end", symbol: "none", connectNulls: true,
    encode: { x: 0, y: 1, tooltip: 2 }, dimensions: ["cycle", "drawn", "value"],
    data: steps(samples, several ? curve.measures : [measure], several ? at : 0),
    color: colours.colours[measure.colour ?? 0], lineStyle: { width: curve.stacked ? 0 : 1.5 },
    areaStyle: { opacity: curve.stacked ? 1 : 0.12 },
  }));
  // The area of a stack that is highest is behind the others.
  if (curve.stacked) series.reverse();
  return {
    animation: false,
    backgroundColor: colours.page,
    textStyle: { fontFamily: "sans-serif", color: colours.text },
    aria: { enabled: true, label: { description: `${curve.title}, ${curve.unit}, over cycles` } },
    grid: { left: 72, right: 28, top: several ? 76 : 42, bottom: 44 },
    legend: several ? { top: 0, left: 0, itemGap: 8, itemWidth: 14, selectedMode: false, data: curve.measures.map(({ name }) => name), textStyle: { color: colours.text } } : undefined,
    tooltip: { trigger: "axis", confine: true, valueFormatter: readable, backgroundColor: colours.page, borderColor: colours.line, textStyle: { color: colours.text }, axisPointer: { label: { precision: 0 } } },
    xAxis: { type: "value", name: "cycle", nameLocation: "middle", nameGap: 26, min: samples[0].cycle, max: samples[samples.length - 1].cycle, ...axis, splitLine: { show: false }, axisLabel: { ...axis.axisLabel, formatter: readable, hideOverlap: true } },
    yAxis: { type: "value", ...axis, name: curve.unit, nameLocation: "end", nameGap: 20, nameTextStyle: { color: colours.soft, align: "left", padding: [0, 0, 0, -64] }, max: curve.most },
    series,
  };
}

let charts = [];

function makeCharts(launch) {
  // All places first: a chart is as wide as its place is among the others.
  const places = curves(launch).map((curve) => {
    const figure = add(element("charts"), "figure");
    add(figure, "figcaption", curve.title);
    return { curve, place: add(figure, "div", undefined, { className: "chart" }) };
  });
  charts = places.map(({ curve, place }) => ({ curve, chart: echarts.init(place, null, { renderer: "svg" }) }));
}

function draw() {
  const launch = current?.launch;
  if (!launch || launch.samples.length < 2) return;
  const colours = theme(false);
  charts.forEach(({ curve, chart }) => chart.setOption(option(curve, launch.samples, colours), true));
}

// Figures.

/** Fills a table. */
function fill(id, rows) {
  const body = document.querySelector(`#${id} tbody`);
  body.replaceChildren();
  rows.forEach((row) => addRow(body, row));
}

function showLaunch(launch) {
  element("kernel").hidden = false;
  element("title").textContent = `${launch.kernel} on ${launch.chip}`;
  if (charts.length === 0) makeCharts(launch);
  const [first, last] = [launch.samples[0], launch.samples[launch.samples.length - 1]];
  const added = between(first, last);
  const rate = launch.cycles_a_second;
  const real = launch.core_mhz * 1e6;
  const limit = launch.max_cycles === null ? "" : `; the run ends after ${grouped(launch.max_cycles)}`;
  const done = launch.blocks_done === null ? "" : `${grouped(launch.blocks_done)} of ${grouped(launch.blocks)} done, `;
  const left = launch.left_seconds === null ? "not known before a block is done" : `about ${time(launch.left_seconds)}, by the blocks that are left`;
  const facts = [
    ["cycles", `${grouped(launch.cycle)}${limit}`],
    ["blocks", `${done}${grouped(launch.blocks_given)} of ${grouped(launch.blocks)} given to cores`],
    ...(current.phase === "ended" ? [] : [["time left", left]]),
    ["speed of the simulation", `${grouped(Math.round(rate))} cycles a second`],
    ["speed of the chip", `${readable(launch.core_mhz)} MHz: ${readable(launch.cycle / launch.core_mhz)} µs so far` + (rate > 0 ? `, ${readable(Number((real / rate).toPrecision(2)))} times as fast as the simulation` : "")],
    ["IPC so far", `${readable(of(added.thread_instructions, added.cycle) ?? NaN)} of at most ${readable(launch.peak_ipc)}`],
    ["instructions", `${grouped(last.instructions)} of warps, ${grouped(last.thread_instructions)} of threads`],
  ];
  if (launch.number !== null) facts.unshift(["launch", grouped(launch.number)]);
  element("facts").replaceChildren();
  facts.forEach((fact) => addRow(element("facts"), fact));
  const slots = [...SLOTS, ["no warp", "without_warp"]].map(([name, key]) => [name, grouped(added[key]), `${(of(100 * added[key], added.slots) ?? 0).toFixed(1)} %`]);
  fill("slots", slots);
  fill("warps", launch.waiting.map(({ warps, pc, line, instruction, reason }) =>
    [grouped(warps), "0x" + pc.toString(16).padStart(4, "0"), line, instruction, reason]));
  const groups = launch.waiting.length === 0 ? "no warp runs a block"
    : launch.waiting_more > 0 ? `the largest groups; ${grouped(launch.waiting_more)} more are not shown` : "all groups";
  element("about-warps").textContent = launch.waiting_cycle === null ? "" : `At cycle ${grouped(launch.waiting_cycle)}: ${groups}. This takes longer to find out than the rest, and is done less often.`;
  fill("components", launch.components.map(({ name, cycles }) => [name, grouped(cycles)]));
  element("waveforms").replaceChildren();
  launch.waveforms.forEach(({ file, from, until, problem }) =>
    add(element("waveforms"), "li", problem === null ? `${file}: cycles ${grouped(from)} to ${grouped(until)}` : `${file}: ${problem}`, { className: problem === null ? "" : "bad" }));
  const silent = launch.silent && current.phase !== "ended";
  element("warning").hidden = !silent;
  element("warning").textContent = silent
    ? `No instruction has been issued for ${grouped(launch.silent_cycles)} cycles. After ${grouped(launch.watchdog)} in which nothing moves the run ends as deadlocked; below is what the warps wait for.`
    : "";
  draw();
}

function showState(state) {
  const words = { preparing: "preparing: the chip is built and compiled", running: "running", ended: "ended" };
  const asked = state.interrupt_asked && state.phase !== "ended" ? ", asked to end" : "";
  element("command").textContent = state.command;
  element("state").textContent = state.phase === "ended" ? state.verdict : `${words[state.phase]}${asked}, ${time(state.seconds)}`;
  element("state").className = /WRONG|DEADLOCK|STOPPED|error/.test(state.verdict ?? "") ? "bad" : "";
  element("line").textContent = state.line;
  const launch = state.launch;
  const share = state.phase === "ended" ? 1 : launch && launch.blocks_done !== null ? of(launch.blocks_done, launch.blocks) : state.share;
  if (share === null) element("share").removeAttribute("value");
  else element("share").value = share;
  element("interrupt").disabled = state.interrupt_asked || state.phase === "ended";
  element("waveform").disabled = state.phase === "ended";
  document.title = `${state.phase === "ended" ? state.verdict : words[state.phase].split(":")[0]} - warpmesh`;
  if (launch) showLaunch(launch);
  element("ended").hidden = state.report === null;
  element("report").textContent = state.report ?? "";
}

/** The process does not answer any more. */
function showEnd() {
  [element("interrupt").disabled, element("waveform").disabled] = [true, true];
  const ended = current?.phase === "ended";
  element("line").textContent = `The process${current ? ` ${current.process}` : ""} has ended${ended ? "" : " without a report for this page"}. This page stays as it is.`;
  if (!ended) [element("state").textContent, element("state").className] = ["ended", "bad"];
  element("share").value = 1;
}

let current = null;

async function follow() {
  for (let failures = 0; failures < TRIES; ) {
    try {
      const answer = await fetch(`state?page=${page}&seen=${current?.version ?? 0}`);
      if (!answer.ok) throw new Error(`${answer.status}`);
      current = await answer.json();
      failures = 0;
      showState(current);
    } catch {
      failures += 1;
    }
    if (current?.phase === "ended") break;
    if (failures > 0 || selfTest) await pause(300);
    selfTest?.(current);
  }
  showEnd();
  selfTest?.(current, true);
}

element("interrupt").addEventListener("click", () => {
  element("interrupt").disabled = true;
  // What becomes of it is in the next state.
  fetch("interrupt", { method: "POST" }).catch(() => {});
});
element("waveform").addEventListener("click", () => {
  const [cycles, paths] = ["waveform-cycles", "waveform-paths"].map((id) => encodeURIComponent(element(id).value.replaceAll(" ", "")));
  fetch(`waveform?cycles=${cycles}&paths=${paths}`, { method: "POST" })
    .then(async (answer) => { if (!answer.ok) add(element("waveforms"), "li", await answer.text(), { className: "bad" }); })
    .catch(() => {});
});
document.querySelectorAll("form").forEach((form) => form.addEventListener("submit", (event) => event.preventDefault()));
addEventListener("resize", () => charts.forEach(({ chart }) => chart.resize()));
scheme.addEventListener("change", draw);

["slots", "warps", "components"].forEach((id) => addTitles(element(id), {
  slots: ["issue slots", "so far", "share"],
  warps: ["warps", "address", "PTX line", "instruction", "waits for"],
  components: ["statistic", "cycles"],
}[id]));

// For tests: ends the command when a few states have come, and says what the page has shown.

const problems = [];
addEventListener("error", ({ message }) => problems.push(message));
addEventListener("unhandledrejection", ({ reason }) => problems.push(String(reason)));
addEventListener("securitypolicyviolation", ({ violatedDirective }) => problems.push(violatedDirective));

const seen = [];
const selfTest = location.hash !== "#selftest" ? null : (state, ended) => {
  if (state?.launch && state.launch.cycle !== seen[seen.length - 1]) seen.push(state.launch.cycle);
  if (seen.length === 2 && state.launch.waveforms.length === 0) {
    element("waveform-paths").value = "core0.front_end";
    element("waveform").click();
  }
  if (seen.length >= 4 && state.launch.waveforms.length > 0) element("interrupt").click();
  if (!ended) return;
  const text = (id) => element(id).textContent;
  const rows = (id) => [...document.querySelectorAll(`#${id} tr`)].map((row) => [...row.cells].map((cell) => cell.textContent));
  const drawn = ({ curve, chart }) => [curve.id, chart.getModel().getSeries().map((series) => [series.name, series.getData().count()])];
  add(document.body, "pre", JSON.stringify({
    errors: problems, seen, state: text("state"), line: text("line"), report: text("report"), warps: rows("warps"),
    facts: rows("facts"), charts: Object.fromEntries(charts.map(drawn)),
    waveforms: [...document.querySelectorAll("#waveforms li")].map((item) => item.textContent), disabled: element("interrupt").disabled,
  }), { id: "selftest" });
};

follow();
