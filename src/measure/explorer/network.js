// Draws open-loop measurements: curves over the load, and the floor plan at one load.
//
//   data.networks -> curves of all networks over the offered load
//   network, slider -> choose(network, load) -> floor plan, flits of each node, figures of the load

const networks = data.networks;
let [chosenNetwork, chosenLoad] = [0, 0];
const converged = (load) => load.verdict === "converged" || load.verdict === "completed";

/** Curves over the offered load: of each network one or more, as numbers of a load. */
function curves() {
  const mean = (load) => load.latency?.mean ?? null;
  // Beyond four times the zero-load latency curves say only that the network is saturated.
  const most = 20 * Math.ceil(Math.max(...networks.map(({ zero_load }) => zero_load)) / 5);
  const classes = [...new Set(networks.flatMap(({ loads }) => loads.flatMap((load) => Object.keys(load.classes))))];
  const byClass = classes.map((name, at) => ({ name, dash: ["solid", "dashed", "dotted"][at % 3], of: (load) => load.classes[name] ?? null }));
  const all = [
    {
      id: "latency", title: "Packet latency", unit: "cycles", most, zero: true,
      measures: [{ name: "mean", dash: "solid", of: mean }, { name: "p99", dash: "dashed", of: (load) => load.latency?.p99 ?? null }],
    },
    { id: "accepted", title: "Throughput", unit: "flits per sender and cycle", ideal: true, measures: [{ name: "accepted", dash: "solid", of: (load) => load.accepted }] },
    { id: "classes", title: "Latency by message class, mean", unit: "cycles", most, measures: classes.length > 1 ? byClass : [] },
    {
      id: "power", title: `Power of the network at ${networks[0].technology_nm} nm`, unit: "W",
      measures: [{ name: "dynamic", dash: "solid", of: (load) => load.dynamic_w }, { name: "leakage", dash: "dotted", of: (load) => load.leakage_w }],
    },
  ];
  return all.filter(({ measures }) => measures.length > 0);
}

/** What the legend says of a measure of a network. */
function legendName(curve, network, measure) {
  if (networks.length === 1) return measure.name;
  return curve.measures.length === 1 ? network.name : `${network.name}, ${measure.name}`;
}

function drawnSeries(curve, colours) {
  return networks.flatMap((network, at) => curve.measures.map((measure, number) => {
    const color = colours.colours[(networks.length === 1 && curve.id === "classes" ? number : at) % colours.colours.length];
    const lines = [];
    if (number === 0 && curve.zero) lines.push({ yAxis: network.zero_load, label: { formatter: `zero load ${readable(network.zero_load)}`, position: "insideEndBottom", color: colours.soft } });
    if (number === 0 && network.saturation !== null) lines.push({ xAxis: network.saturation, label: { formatter: `saturation ${readable(network.saturation)}`, position: "insideEndTop", color: colours.soft } });
    const points = network.loads.map((load) => ({
      value: [load.offered, measure.of(load)],
      itemStyle: converged(load) ? undefined : { color: colours.page, borderColor: color, borderWidth: 1.5 },
    }));
    return {
      name: legendName(curve, network, measure), type: "line", symbol: "circle", symbolSize: 6, color, data: points,
      lineStyle: { width: 1.5, type: measure.dash },
      markLine: { silent: true, symbol: "none", animation: false, lineStyle: { color: colours.soft, type: "dotted" }, data: lines },
    };
  }));
}

function option(curve, colours) {
  const axis = axisOf(colours);
  const drawn = drawnSeries(curve, colours);
  const widest = Math.max(...networks.flatMap(({ loads }) => loads.map(({ offered }) => offered)));
  if (curve.ideal) drawn.push({ name: "offered", type: "line", symbol: "none", silent: true, color: colours.soft, lineStyle: { type: "dotted", width: 1 }, data: [[0, 0], [widest, widest]] });
  return {
    animation: false,
    backgroundColor: colours.page,
    textStyle: { fontFamily: "sans-serif", color: colours.text },
    aria: { enabled: true, label: { description: `${curve.title}, ${curve.unit}, over the offered load` } },
    grid: { left: 72, right: 28, top: 76, bottom: 44 },
    legend: { type: "scroll", top: 0, left: 0, itemGap: 8, itemWidth: 22, data: drawn.map(({ name }) => name), textStyle: { color: colours.text } },
    tooltip: { trigger: "item", confine: true, backgroundColor: colours.page, borderColor: colours.line, textStyle: { color: colours.text }, formatter: ({ seriesName, value }) => `${encoded(seriesName)}: ${readable(value[1])} at ${readable(value[0])}` },
    xAxis: { type: "value", name: "offered, flits per sender and cycle", nameLocation: "middle", nameGap: 26, min: 0, ...axis, splitLine: { show: false } },
    yAxis: { type: "value", min: 0, ...axis, name: curve.unit, nameLocation: "end", nameGap: 20, nameTextStyle: { color: colours.soft, align: "left", padding: [0, 0, 0, -64] }, max: ({ max }) => (curve.most ? Math.min(curve.most, max) : null) },
    series: drawn,
  };
}

/** Flits that each node sent and received, at the chosen load. */
function nodesOption(colours) {
  const load = networks[chosenNetwork].loads[chosenLoad];
  const axis = axisOf(colours);
  return {
    animation: false,
    backgroundColor: colours.page,
    textStyle: { fontFamily: "sans-serif", color: colours.text },
    aria: { enabled: true, label: { description: "flits per cycle by node" } },
    grid: { left: 72, right: 28, top: 42, bottom: 44 },
    tooltip: { trigger: "axis", confine: true, valueFormatter: readable, backgroundColor: colours.page, borderColor: colours.line, textStyle: { color: colours.text } },
    xAxis: { type: "category", name: "node that sends", nameLocation: "middle", nameGap: 26, data: load.accepted_per_node.map((_, node) => String(node)), ...axis, splitLine: { show: false } },
    yAxis: { type: "value", min: 0, ...axis, name: "flits a cycle", nameGap: 20 },
    series: [{ name: "accepted", type: "bar", color: colours.colours[0], data: load.accepted_per_node }],
  };
}

let charts = [];
let nodes = null;

function draw(printing) {
  const colours = theme(printing);
  charts.forEach(({ curve, chart }) => {
    chart.setOption(option(curve, colours), true);
    fitPaper(chart, printing);
  });
  nodes.setOption(nodesOption(colours), true);
  fitPaper(nodes, printing);
}

function makeCharts() {
  const made = curves().map((curve) => ({ curve, ...chartPlace(element("charts"), curve.title) }));
  const ofNodes = chartPlace(element("charts-of-load"), "Accepted flits of each node");
  charts = made.map(({ curve, button, place }) => {
    const chart = newChart(place);
    button.addEventListener("click", () => save(chart, curve.id));
    return { curve, chart };
  });
  nodes = newChart(ofNodes.place);
  ofNodes.button.addEventListener("click", () => save(nodes, "nodes"));
  let onPaper = false;
  addEventListener("resize", () => onPaper || [nodes, ...charts.map(({ chart }) => chart)].forEach((chart) => chart.resize()));
  scheme.addEventListener("change", () => draw(false));
  addEventListener("beforeprint", () => draw((onPaper = true)));
  addEventListener("afterprint", () => draw((onPaper = false)));
}

/** Shows one load of one network. */
function choose(network, load) {
  const { loads, plans, name } = networks[network];
  [chosenNetwork, chosenLoad] = [network, Math.max(0, Math.min(load, loads.length - 1))];
  const shown = loads[chosenLoad];
  Object.assign(element("load"), { max: String(loads.length - 1), value: String(chosenLoad) });
  element("load").setAttribute("aria-valuetext", `${shown.offered} flits per sender and cycle`);
  element("chosen").textContent = `${name}, load ${chosenLoad + 1} of ${loads.length}: ${readable(shown.offered)} flits per sender and cycle, ${shown.verdict}`;
  const drawing = plans.find(({ load: of }) => of === chosenLoad);
  element("drawing").replaceChildren();
  if (drawing) element("drawing").append(new DOMParser().parseFromString(drawing.svg, "image/svg+xml").documentElement);
  else add(element("drawing"), "p", "This page has no plan of this load: all plans together would be too large. `noc --rate LOAD --heatmap` draws it.");
  element("save-plan").disabled = !drawing;
  const body = document.querySelector("#figures-of-load tbody");
  body.replaceChildren();
  shown.figures.forEach((row) => addRow(body, row));
  nodes.setOption(nodesOption(theme(false)), true);
}

function connectControls() {
  networks.forEach(({ name }, at) => add(element("network"), "option", name, { value: String(at) }));
  element("network-label").hidden = networks.length < 2;
  element("network").addEventListener("change", () => choose(Number(element("network").value), chosenLoad));
  element("load").addEventListener("input", () => choose(chosenNetwork, Number(element("load").value)));
  element("lower").addEventListener("click", () => choose(chosenNetwork, chosenLoad - 1));
  element("higher").addEventListener("click", () => choose(chosenNetwork, chosenLoad + 1));
  element("save-plan").addEventListener("click", () => saveText(element("drawing").innerHTML, "floor-plan"));
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
}

function showReports() {
  networks.forEach(({ name, text, config, changes }) => {
    add(element("reports"), "pre", text);
    const details = add(element("configs"), "details");
    add(details, "summary", networks.length > 1 ? `${name}${changes && `: ${changes}`}` : "as a file");
    add(details, "pre", config);
  });
}

// For tests: moves the slider and says what the page shows then.

function selfTest() {
  const shown = () => ({
    said: element("chosen").textContent,
    plan: document.querySelector("#drawing svg text")?.textContent ?? null,
    links: [...document.querySelectorAll("#drawing svg title")].map(({ textContent }) => textContent),
    figures: [...document.querySelectorAll("#figures-of-load tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
    nodes: nodes.getModel().getSeries()[0].getData().mapArray("y", (value) => value),
  });
  const report = { errors: problems, charts: charts.map(({ curve }) => curve.id) };
  report.widths = [nodes, ...charts.map(({ chart }) => chart)].map((chart) => [chart.getWidth(), chart.getDom().clientWidth]);
  report.drawn = Object.fromEntries(charts.map(({ curve, chart }) => [
    curve.id, chart.getModel().getSeries().map((drawn) => [drawn.name, drawn.getData().mapArray(["x", "y"], (x, y) => [x, y])]),
  ]));
  report.svg = [nodes, ...charts.map(({ chart }) => chart)].map((chart) => chart.renderToSVGString()).map((text) => text.startsWith("<svg") && text.endsWith("</svg>"));
  report.reports = [...document.querySelectorAll("#reports pre")].map(({ textContent }) => textContent);
  report.tables = [...document.querySelectorAll("#overview tr")].map((row) => [...row.cells].map((cell) => cell.textContent));
  report.first = shown();
  element("load").value = "0";
  element("load").dispatchEvent(new Event("input"));
  report.lowest = shown();
  element("network").value = String(networks.length - 1);
  element("network").dispatchEvent(new Event("change"));
  report.last = shown();
  add(document.body, "pre", JSON.stringify(report), { id: "selftest" });
}

showOverview();
showReports();
makeCharts();
connectControls();
choose(0, Math.max(0, networks[0].loads.findLastIndex(converged)));
draw(false);
if (location.hash === "#selftest") selfTest();
