// Draws what the element `data` says: tables of figures, curves over time, and the window that both follow.
//
//   data -> tables of the report
//        -> measuring (curves.js) -> curves, the table of the window
//        -> plan.js: the network over time
//        -> parts.js: stages of reads, area and power
//   brush, fields, buttons -> setWindow(first, last) -> all charts, both tables

const series = data.series;
const { points, values, counts, cycles, curves, steps } = measuring(data);

/** Every statistic with the sums of a window. */
const totals = series.statistics.map((statistic) => ({
  ...statistic,
  sum: values([statistic]),
  count: statistic.counts && counts([statistic]),
}));

// Tables of figures.

function showFigures() {
  showOverview();
  element("config").textContent = data.config;
  if (data.launches) showLaunches(data.launches);
  const open = data.reports.length === 1;
  data.reports.forEach((report) => {
    const place = report.title ? add(element("reports"), "details", undefined, { open }) : element("reports");
    if (report.title) add(place, "summary", `${report.title}: ${report.headline}`);
    else add(place, "p", report.headline, { className: report.headline.includes("WRONG") ? "bad" : "" });
    report.remarks.forEach((remark) => add(place, "p", remark, { className: "bad" }));
    report.sections.forEach(({ title, rows }) => {
      add(place, "h3", title);
      const table = add(place, "table", undefined, { className: "figures" });
      const body = add(table, "tbody");
      rows.forEach((row) => addRow(body, row));
    });
    if (report.waiting.length > 0) {
      add(place, "h3", "Warps, and what they wait for");
      const table = add(place, "table", undefined, { className: "figures" });
      table.createTHead();
      addTitles(table, ["warps", "address", "PTX line", "instruction", "waits for"]);
      const body = add(table, "tbody");
      report.waiting.forEach(({ warps, pc, line, instruction, reason }) =>
        addRow(body, [grouped(warps), "0x" + pc.toString(16).padStart(4, "0"), line, instruction, reason]));
    }
    add(place, "p", `Behavioural, not hardware: ${report.behavioural.join("; ")}.`);
  });
  if (data.reports.length === 0) add(element("reports"), "p", "There is no report: an error has ended the run.");
  if (data.reports_left_out > 0) {
    add(element("reports"), "p", `Reports of ${grouped(data.reports_left_out)} more launches are in report.json of the record.`);
  }
}

function showLaunches({ titles, rows, left_out, remarks }) {
  const place = element("launches");
  add(place, "h3", "Launches");
  const table = add(add(place, "div", undefined, { className: "scroll", tabIndex: 0 }), "table", undefined, { className: "numbers" });
  table.createTHead();
  addTitles(table, titles);
  const body = add(table, "tbody");
  rows.forEach((row) => addRow(body, row));
  if (left_out > 0) add(place, "p", `${grouped(left_out)} more launches are in report.json of the record.`);
  remarks.forEach((remark) => add(place, "p", remark));
}

// Charts.

const launchStarts = series.launch
  .map((launch, at) => ({ launch, at, cycle: series.start[at] }))
  .filter(({ launch, at }) => at === 0 || series.launch[at - 1] !== launch);
/** More of them would hide the curves. */
const MARKS = 200;
const LABELS = 30;

function marks(curve, colours) {
  const launches = launchStarts.length > 1 && launchStarts.length <= MARKS ? launchStarts : [];
  const lines = launches.map(({ launch, cycle }) => ({
    xAxis: cycle, lineStyle: { color: colours.soft, type: "dotted" },
    label: { show: launches.length <= LABELS, formatter: String(launch), position: "end", distance: 2, color: colours.soft },
  }));
  if (curve.peak) {
    const label = { formatter: `peak ${readable(curve.peak)}`, position: "insideEndBottom", color: colours.soft };
    lines.push({ yAxis: curve.peak, lineStyle: { color: colours.soft, type: "dashed" }, label });
  }
  return { silent: true, symbol: "none", animation: false, data: lines };
}

function colour(curve, at, colours) {
  if (!curve.stacked) return colours.colours[at % colours.colours.length];
  const { name } = curve.measures[at];
  const own = { issued: 2, "no warp": 6, "data hazards": 0, "structural hazards": 1, barriers: 3, throttle: 5, fetch: 4 };
  return colours.colours[own[name] ?? 0];
}

function option(curve, colours) {
  const axis = axisOf(colours);
  const several = curve.measures.length > 1;
  return {
    animation: false,
    backgroundColor: colours.page,
    textStyle: { fontFamily: "sans-serif", color: colours.text },
    aria: { enabled: true, label: { description: `${curve.title}, ${curve.unit}, over cycles` } },
    grid: { left: 72, right: 28, top: several ? 76 : 42, bottom: 44 },
    legend: several ? { top: 0, left: 0, itemGap: 8, itemWidth: 14, selectedMode: !curve.stacked, data: curve.measures.map(({ name }) => name), textStyle: { color: colours.text } } : undefined,
    tooltip: {
      trigger: "axis", confine: true, valueFormatter: readable, backgroundColor: colours.page, borderColor: colours.line,
      textStyle: { color: colours.text }, axisPointer: { label: { precision: 0 } },
    },
    xAxis: { type: "value", name: "cycle", nameLocation: "middle", nameGap: 26, min: 0, max: series.end[points - 1], ...axis, splitLine: { show: false }, axisLabel: { ...axis.axisLabel, formatter: readable, hideOverlap: true, showMinLabel: true } },
    yAxis: { type: "value", ...axis, name: curve.unit, nameLocation: "end", nameGap: 20, nameTextStyle: { color: colours.soft, align: "left", padding: [0, 0, 0, -64] }, max: curve.most },
    dataZoom: [{ type: "inside", disabled: true, filterMode: "filter" }],
    series: drawnSeries(curve, colours),
  };
}

/** A series for each measure. The library does not stack along an axis of numbers: each area of a stack begins at zero and covers what
 *  is behind it, from the highest one on. */
function drawnSeries(curve, colours) {
  const drawn = curve.measures.map((measure, at) => ({
    name: measure.name, type: "line", step: "end", symbol: "none", dimensions: DIMENSIONS,
    encode: { x: 0, y: 1, tooltip: 2 },
    // Between two issue slots there may be a point without one.
    connectNulls: true,
    data: steps(measure, curve.stacked ? curve.measures.slice(0, at) : []),
    color: colour(curve, at, colours), lineStyle: { width: curve.stacked ? 0 : 1.5 },
    areaStyle: { opacity: curve.stacked ? 1 : curve.measures.length > 1 ? 0 : 0.12 },
  }));
  if (curve.stacked) drawn.reverse();
  drawn[drawn.length - 1].markLine = marks(curve, colours);
  return drawn;
}

/** The curve of the brush, as the shadow of its slider. */
function brushOption(curve, colours) {
  const hidden = { type: "value", show: false };
  return {
    animation: false,
    grid: { left: 8, right: 8, top: 0, height: 1 },
    xAxis: { ...hidden, min: 0, max: series.end[points - 1] },
    yAxis: hidden,
    dataZoom: [{
      type: "slider", filterMode: "none", left: 70, right: 70, top: 4, height: 44, brushSelect: true,
      labelFormatter: (value) => grouped(Math.round(value)), textStyle: { color: colours.soft },
      borderColor: colours.line, handleSize: "90%", showDataShadow: true,
      dataBackground: { lineStyle: { color: colours.colours[0] }, areaStyle: { color: colours.colours[0], opacity: 0.25 } },
    }],
    series: [{ type: "line", symbol: "none", silent: true, lineStyle: { opacity: 0 }, data: steps(curve.measures[0]) }],
  };
}

let [windowFirst, windowLast] = [0, points];
let [brush, charts] = [null, []];
const parts = partsOf(data);
const plan = planOf(data);
if (!plan) document.querySelector('nav a[href="#plan"]').hidden = true;

/** Charts are drawn for paper. */
let onPaper = false;

function draw(printing) {
  onPaper = printing;
  const colours = theme(printing);
  brush.setOption(brushOption(charts[0].curve, colours), true);
  charts.forEach(({ curve, chart }) => {
    chart.setOption(option(curve, colours), true);
    fitPaper(chart, printing);
  });
  drawParts(parts, printing);
  setWindow(windowFirst, windowLast);
}

function makeCharts() {
  brush = newChart(element("brush"));
  // All places first: a chart is as wide as its place is among the others.
  const made = curves().map((curve) => ({ curve, ...chartPlace(element("charts"), curve.title) }));
  charts = made.map(({ curve, button, place }) => {
    const chart = newChart(place);
    button.addEventListener("click", () => save(chart, curve.id));
    return { curve, chart };
  });
  brush.on("datazoom", () => {
    if (moving) return;
    const { startValue, endValue } = brush.getOption().dataZoom[0];
    setWindow(...pointsOf(startValue, endValue), true);
  });
  const resize = () => onPaper || [brush, ...charts.concat(parts).map(({ chart }) => chart)].forEach((chart) => chart.resize());
  addEventListener("resize", resize);
  scheme.addEventListener("change", () => draw(false));
  addEventListener("beforeprint", () => draw(true));
  addEventListener("afterprint", () => draw(false));
}

// The window.

/** The points that have cycles of such a window: at least one. */
function pointsOf(from, to) {
  const first = series.end.findIndex((end) => end > from);
  const start = first < 0 ? points - 1 : first;
  const after = series.start.findIndex((begin) => begin >= to);
  return [start, Math.max(start + 1, after < 0 ? points : after)];
}

/** Windows move the brush, which would move the window. */
let moving = false;

function setWindow(first, last, byBrush) {
  [windowFirst, windowLast] = [Math.max(0, Math.min(first, points - 1)), Math.min(points, Math.max(last, first + 1))];
  const [startValue, endValue] = [series.start[windowFirst], series.end[windowLast - 1]];
  const zoom = { type: "dataZoom", dataZoomIndex: 0, startValue, endValue };
  moving = true;
  charts.forEach(({ chart }) => chart.dispatchAction(zoom));
  if (!byBrush) brush.dispatchAction(zoom);
  moving = false;
  [element("from").value, element("to").value] = [startValue, endValue];
  const [firstLaunch, lastLaunch] = [series.launch[windowFirst], series.launch[windowLast - 1]];
  const launches = launchStarts.length < 2 ? "" : firstLaunch === lastLaunch ? `, launch ${firstLaunch}` : `, launches ${firstLaunch} to ${lastLaunch}`;
  const [length, whole] = [cycles(windowFirst, windowLast), cycles(0, points)];
  element("window").textContent = `${grouped(length)} of ${grouped(whole)} cycles${launches}`;
  showSums();
  plan?.setWindow(windowFirst, windowLast);
}

function showSums() {
  const body = document.querySelector("#in-window tbody");
  body.replaceChildren();
  addRow(body, ["cycles", grouped(cycles(windowFirst, windowLast)), grouped(cycles(0, points)), "cycles"]);
  charts.forEach(({ curve }) => curve.measures.forEach(({ name, of }) => {
    const unit = curve.of_point ?? curve.unit;
    const title = ["flits", "misses"].includes(curve.id) ? `${curve.title}, ${name}` : name;
    addRow(body, [title, readable(of(windowFirst, windowLast)), readable(of(0, points)), unit]);
  }));
  const wanted = element("filter").value.trim().toLowerCase();
  const length = cycles(windowFirst, windowLast);
  const rows = document.createDocumentFragment();
  totals.filter(({ name }) => name.toLowerCase().includes(wanted)).forEach(({ name, unit, places, sum, count }) => {
    const [inside, all] = [sum(windowFirst, windowLast), sum(0, points)];
    const mean = count ? readable(ratio(inside, count(windowFirst, windowLast))) : "";
    addRow(rows, [name, grouped(places), grouped(inside), readable(ratio(inside, length)), mean, grouped(all), unit]);
  });
  document.querySelector("#statistics tbody").replaceChildren(rows);
}

function connectControls() {
  const fields = () => setWindow(...pointsOf(Number(element("from").value), Number(element("to").value)));
  ["from", "to"].forEach((id) => element(id).addEventListener("change", fields));
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  const width = () => windowLast - windowFirst;
  const move = (by) => {
    const first = Math.max(0, Math.min(points - width(), windowFirst + by));
    setWindow(first, first + width());
  };
  const step = () => Math.max(1, Math.round(width() / 2));
  const quarter = () => Math.max(1, Math.floor(width() / 4));
  const actions = {
    earlier: () => move(-step()),
    later: () => move(step()),
    narrower: () => width() > 2 && setWindow(windowFirst + quarter(), windowLast - quarter()),
    wider: () => setWindow(windowFirst - step(), windowLast + step()),
    all: () => setWindow(0, points),
  };
  Object.entries(actions).forEach(([id, action]) => element(id).addEventListener("click", action));
  element("filter").addEventListener("input", showSums);
  const select = element("launch");
  element("launch-label").hidden = launchStarts.length < 2 || series.across_launches;
  if (element("launch-label").hidden) return;
  add(select, "option", "all", { value: "" });
  launchStarts.forEach(({ launch }, at) => add(select, "option", String(launch), { value: String(at) }));
  select.addEventListener("change", () => {
    if (select.value === "") return setWindow(0, points);
    const at = Number(select.value);
    setWindow(launchStarts[at].at, launchStarts[at + 1]?.at ?? points);
  });
}

function aboutPoints() {
  const { rows, rows_a_point, interval, across_launches } = series;
  const each = rows_a_point > 1 ? `, ${grouped(rows_a_point)} of which are added together for a point of a curve; none is left out` : "";
  const across = across_launches ? " Points reach over launches." : "";
  const behind = launchStarts.length > 1 ? " Launches stand one behind the other, marked by their numbers." : "";
  return `${grouped(rows)} intervals of ${grouped(interval)} ${interval === 1 ? "cycle" : "cycles"} of the cores${each}.${behind}${across} Drag over the bar to set the window of all curves and sums.`;
}

// For tests: moves the brush and says what the page shows then.

function selfTest() {
  const total = series.end[points - 1] ?? 0;
  const report = { points, errors: problems, charts: charts.map(({ curve }) => curve.id) };
  report.widths = charts.map(({ chart }) => [chart.getWidth(), chart.getDom().clientWidth]);
  const shown = () => ({
    window: [windowFirst, windowLast, series.start[windowFirst], series.end[windowLast - 1]],
    fields: [element("from").value, element("to").value],
    said: element("window").textContent,
    drawn: Object.fromEntries(charts.map(({ curve, chart }) => [
      curve.id,
      chart.getModel().getSeries().map((drawn) => [drawn.name, drawn.getData().mapArray("value", (value) => value)]),
    ])),
    sums: [...document.querySelectorAll("#statistics tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
    plan: plan?.shown(),
    measures: [...document.querySelectorAll("#in-window tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
  });
  const finish = () => {
    report.parts = shownParts(parts);
    const svg = charts.map(({ chart }) => chart.renderToSVGString());
    report.svg = svg.map((text) => text.startsWith("<svg") && text.includes("xmlns") && text.endsWith("</svg>"));
    report.tables = [...document.querySelectorAll("#report tr, #overview tr")].map((row) => [...row.cells].map((cell) => cell.textContent));
    add(document.body, "pre", JSON.stringify(report), { id: "selftest" });
  };
  if (points === 0) return finish();
  report.before = shown();
  if (plan) {
    element("frame").value = element("frame").max;
    element("frame").dispatchEvent(new Event("input"));
    report.last_frame = plan.shown();
    element("whole-window").click();
  }
  brush.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, startValue: total / 4, endValue: total / 2 });
  setTimeout(() => {
    report.after = shown();
    element("all").click();
    report.again = shown();
    finish();
  }, 200);
}

showFigures();
["in-window", "statistics"].forEach((id) => addTitles(element(id), id === "statistics"
  ? ["statistic", "blocks", "in the window", "a cycle", "mean", "in all", "unit"]
  : ["", "in the window", "in all", "unit"]));
makeParts(parts);
if (points > 0) {
  element("about-points").textContent = aboutPoints();
  makeCharts();
  connectControls();
  draw(false);
} else {
  element("about-points").textContent = "The record has no samples: the run ended before its first cycle.";
  element("controls").hidden = true;
  drawParts(parts, false);
  scheme.addEventListener("change", () => drawParts(parts, false));
}
if (location.hash === "#selftest") selfTest();
