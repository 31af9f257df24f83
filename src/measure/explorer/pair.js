// Draws two runs side by side: what differs in their configurations and figures, and curves of both in two colours.

const { names, figures, runs } = data;
const both = runs.map(measuring);

// Tables.

function addPairs(table, rows) {
  addTitles(table, ["", ...names]);
  rows.forEach(([name, ...values]) => {
    const row = addRow(table.tBodies[0], [name, ...values.map((value) => value ?? "-")]);
    if (name === "error") row.className = "bad";
  });
}

function showDifferences() {
  addPairs(document.querySelector("#overview table"), data.overview);
  element("keys").hidden = data.differences.length === 0;
  addPairs(element("keys"), data.differences);
  const equal = `${grouped(data.equal)} keys have equal values.`;
  element("about-differences").textContent = data.differences.length === 0 ? `Nothing: ${equal}` : `A dash: the key has no effect there. ${equal}`;
  names.forEach((name, at) => {
    const details = add(element("configs"), "details");
    add(details, "summary", `config.toml of ${name}`);
    add(details, "pre", data.configs[at]);
  });
}

const known = ({ values: [first, second] }) => first !== null && second !== null;
const difference = (figure) => (known(figure) ? figure.values[1] - figure.values[0] : null);
/** Of nothing something is infinitely more. */
function relative(figure) {
  const more = difference(figure);
  if (more === null) return null;
  return more === 0 ? 0 : figure.values[0] === 0 ? Infinity * more : more / Math.abs(figure.values[0]);
}
const size = (value) => (value === null ? -1 : Math.abs(value));
const orders = {
  relative: (a, b) => size(relative(b)) - size(relative(a)) || size(difference(b)) - size(difference(a)),
  absolute: (a, b) => size(difference(b)) - size(difference(a)),
  name: () => 0,
};

const signed = (value, text) => (value > 0 ? `+${text}` : text);
function relativeText(figure) {
  const value = relative(figure);
  if (value === null) return "-";
  if (!Number.isFinite(value)) return "from 0";
  return signed(value, `${readable(Number((100 * value).toPrecision(3)))} %`);
}

function showFigures() {
  const wanted = element("filter").value.trim().toLowerCase();
  const differs = (figure) => element("equal").checked || difference(figure) !== 0;
  const shown = figures.filter((figure) => differs(figure) && [figure.name, figure.about].some((text) => text.toLowerCase().includes(wanted)));
  const rows = document.createDocumentFragment();
  // Infinities are not subtracted.
  [...shown].sort((a, b) => orders[element("order").value](a, b) || 0).forEach((figure) => {
    const more = difference(figure);
    const cells = figure.values.map((value) => (value === null ? "-" : readable(value)));
    addRow(rows, [figure.name, ...cells, more === null ? "-" : signed(more, readable(more)), relativeText(figure), figure.about]);
  });
  document.querySelector("#numbers tbody").replaceChildren(rows);
  element("chosen").textContent = `${grouped(shown.length)} of ${grouped(figures.length)} figures`;
}

// Curves.

const DASHES = ["solid", "dashed", "dotted"];

/** Curves that at least one of both has, with the measures of each; of a stack only its first one. */
function curvesOfBoth() {
  const of = both.map(({ points, curves }) => (points > 0 ? curves() : []));
  const ids = [...new Set(of.flat().map(({ id }) => id))];
  return ids.map((id) => {
    const found = of.map((curves) => curves.find((curve) => curve.id === id));
    const measures = found.map((curve) => (curve ? (curve.stacked ? curve.measures.slice(0, 1) : curve.measures) : []));
    const { title, unit, most, stacked } = found.find((curve) => curve);
    return { id, title: stacked ? `${title}, ${(measures[0][0] ?? measures[1][0]).name}` : title, unit, most, measures };
  }).filter(({ id }) => id !== "thread-instructions");
}

function drawnSeries({ measures }, colours) {
  const several = measures.some((list) => list.length > 1);
  return measures.flatMap((list, run) => list.map((measure, at) => ({
    name: several ? `${names[run]}, ${measure.name}` : names[run], type: "line", step: "end", symbol: "none", dimensions: DIMENSIONS,
    encode: { x: 0, y: 1, tooltip: 2 }, connectNulls: true, data: both[run].steps(measure), color: colours.colours[run],
    lineStyle: { width: 1.5, type: DASHES[at % DASHES.length] },
  })));
}

function option(curve, colours) {
  const axis = axisOf(colours);
  const series = drawnSeries(curve, colours);
  return {
    animation: false, backgroundColor: colours.page, textStyle: { fontFamily: "sans-serif", color: colours.text },
    aria: { enabled: true, label: { description: `${curve.title}, ${curve.unit}, over cycles, of ${names.join(" and ")}` } },
    grid: { left: 72, right: 28, top: 76, bottom: 44 },
    legend: { type: "scroll", top: 0, left: 0, itemGap: 8, itemWidth: 22, data: series.map(({ name }) => name), textStyle: { color: colours.text } },
    tooltip: { trigger: "axis", confine: true, valueFormatter: readable, backgroundColor: colours.page, borderColor: colours.line, textStyle: { color: colours.text }, axisPointer: { label: { precision: 0 } } },
    xAxis: { type: "value", name: "cycle", nameLocation: "middle", nameGap: 26, min: 0, max: Math.max(...runs.map(({ series: { end } }) => end[end.length - 1] ?? 0)), ...axis, splitLine: { show: false }, axisLabel: { ...axis.axisLabel, formatter: readable, hideOverlap: true, showMinLabel: true, showMaxLabel: false } },
    yAxis: { type: "value", min: 0, max: curve.most, ...axis, name: curve.unit, nameLocation: "end", nameGap: 20, nameTextStyle: { color: colours.soft, align: "left", padding: [0, 0, 0, -64] } },
    series,
  };
}

let charts = [];

function draw(printing) {
  const colours = theme(printing);
  charts.forEach(({ curve, chart }) => {
    chart.setOption(option(curve, colours), true);
    fitPaper(chart, printing);
  });
}

function makeCharts() {
  const made = curvesOfBoth().map((curve) => ({ curve, ...chartPlace(element("charts"), curve.title) }));
  charts = made.map(({ curve, button, place }) => {
    const chart = newChart(place);
    button.addEventListener("click", () => save(chart, curve.id));
    return { curve, chart };
  });
  const lengths = both.map(({ points, cycles }) => grouped(cycles(0, points)));
  element("about-points").textContent = `All cycles, launches one behind the other: ${names.map((name, at) => `${lengths[at]} of ${name}`).join(", ")}.`;
  let onPaper = false;
  addEventListener("resize", () => onPaper || charts.forEach(({ chart }) => chart.resize()));
  scheme.addEventListener("change", () => draw(false));
  addEventListener("beforeprint", () => draw((onPaper = true)));
  addEventListener("afterprint", () => draw((onPaper = false)));
}

// For tests.

function selfTest() {
  const cells = (rows) => [...document.querySelectorAll(rows)].map((row) => [...row.cells].map((cell) => cell.textContent));
  const report = { errors: problems, charts: charts.map(({ curve }) => curve.id) };
  report.widths = charts.map(({ chart }) => [chart.getWidth(), chart.getDom().clientWidth]);
  report.svg = charts.map(({ chart }) => chart.renderToSVGString()).map((text) => text.startsWith("<svg") && text.endsWith("</svg>"));
  report.drawn = Object.fromEntries(charts.map(({ curve, chart }) => [
    curve.id, chart.getModel().getSeries().map((drawn) => [drawn.name, drawn.getData().mapArray(["cycle", "value"], (x, y) => [x, y])]),
  ]));
  report.overview = cells("#overview tbody tr");
  report.keys = cells("#keys tbody tr");
  report.figures = cells("#numbers tbody tr");
  element("equal").checked = true;
  element("equal").dispatchEvent(new Event("change"));
  report.all = cells("#numbers tbody tr");
  element("filter").value = "core_cycles";
  element("filter").dispatchEvent(new Event("input"));
  report.filtered = cells("#numbers tbody tr");
  add(document.body, "pre", JSON.stringify(report), { id: "selftest" });
}

showDifferences();
addTitles(element("numbers"), ["figure", ...names, "difference", "relative", "what it is"]);
["filter", "order", "equal"].forEach((id) => element(id).addEventListener(id === "filter" ? "input" : "change", showFigures));
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
showFigures();
makeCharts();
draw(false);
if (location.hash === "#selftest") selfTest();
