// Draws a study: its claims, charts over its designs, and a table of all runs.
//
//   data.runs -> filters (text, axes, workloads) -> chosen runs -> bars, lines, map, fronts, table

const { axes, designs, workloads, figures, claims, groups } = data;
const runs = data.runs.map(([design, workload, value, ratio, verdict, ...numbers]) => ({
  design, workload, value, ratio, verdict,
  numbers: Object.fromEntries(figures.map(({ name }, at) => [name, numbers[at] ?? null])),
}));
const used = figures.filter(({ name }) => runs.some(({ numbers }) => numbers[name] !== null));
const varied = axes.map((axis, at) => ({ ...axis, at, name: axisName(axis) })).filter(({ points }) => points.length > 1);
const pointName = (axis, point) => axes[axis].points[point].join(", ");
const placeOf = (run, axis) => designs[run.design].at?.[axis] ?? null;
const unique = (list) => [...new Set(list)];

function axisName({ keys, units }) {
  return keys.map((key, at) => (units[at] ? `${key}, ${units[at]}` : key)).join("; ");
}

// More of them would not be told apart, or take long.
const [MOST_LINES, MOST_DESIGNS, MOST_ROWS] = [21, 40, 5000];

// Numbers.

const figureName = ({ title, unit }) => (unit ? `${title}, ${unit}` : title);
const isThroughput = (name) => ["ipc", "ipc_per_mm2", "accepted"].includes(name);

/** Of throughputs the harmonic mean, of other numbers the arithmetic one; nothing where one is missing. */
function meanOf(name, values) {
  if (values.length === 0 || values.some((value) => value === null)) return null;
  const sum = values.reduce((all, value) => all + (isThroughput(name) ? 1 / value : value), 0);
  const mean = isThroughput(name) ? values.length / sum : sum / values.length;
  return Number.isFinite(mean) ? mean : null;
}

function cellText({ decimals }, value) {
  if (value === null) return "-";
  return decimals === 0 ? grouped(Math.round(value)) : value.toFixed(decimals);
}

// Filters.

const chosen = { text: "", axes: new Map(), workload: null, group: null, base: null };
let shown = runs;

function passes(run) {
  const { name, of } = designs[run.design];
  const workload = workloads[run.workload];
  const at = [...chosen.axes].every(([axis, point]) => placeOf(run, axis) === point);
  const text = chosen.text === "" || [name, workload.name].some((text) => text.toLowerCase().includes(chosen.text));
  return at && text && [null, run.workload].includes(chosen.workload) && [null, workload.group].includes(chosen.group) && [null, of].includes(chosen.base);
}

/** A list to choose from; the first is all of them. */
function addSelect(label, names, choose) {
  const select = add(add(element("selects"), "label", `${label} `), "select");
  add(select, "option", "all", { value: "" });
  names.forEach((name, at) => add(select, "option", name, { value: String(at) }));
  select.dataset.of = label;
  select.addEventListener("change", () => {
    choose(select.value === "" ? null : Number(select.value));
    update();
  });
}

function connectFilters() {
  varied.forEach(({ short, points, at }) => addSelect(short.join(", "), points.map((point) => point.join(", ")), (point) => (point === null ? chosen.axes.delete(at) : chosen.axes.set(at, point))));
  const bases = unique(designs.map(({ of }) => of)).filter((of) => of !== null);
  if (bases.length > 1) addSelect("design", bases, (at) => (chosen.base = at === null ? null : bases[at]));
  if (workloads.length > 1) addSelect("workload", workloads.map(({ name }) => name), (at) => (chosen.workload = at));
  if (groups.length > 0) addSelect("group", groups, (at) => (chosen.group = at === null ? null : groups[at]));
  element("filter").addEventListener("input", () => {
    chosen.text = element("filter").value.trim().toLowerCase();
    update();
  });
  element("all").addEventListener("click", () => {
    element("filter").value = "";
    document.querySelectorAll("#selects select").forEach((select) => (select.value = ""));
    Object.assign(chosen, { text: "", axes: new Map(), workload: null, group: null, base: null });
    update();
  });
  document.querySelectorAll("form").forEach((form) => form.addEventListener("submit", (event) => event.preventDefault()));
}

// Charts: each says what it draws of the chosen runs, or why it draws nothing.

function frameOf(colours, description) {
  return {
    animation: false,
    backgroundColor: colours.page,
    textStyle: { fontFamily: "sans-serif", color: colours.text },
    aria: { enabled: true, label: { description } },
  };
}

const tipOf = (colours) => ({ confine: true, backgroundColor: colours.page, borderColor: colours.line, textStyle: { color: colours.text } });
const legendOf = (colours, names) => ({ type: "scroll", top: 0, left: 0, itemGap: 8, itemWidth: 22, data: names, textStyle: { color: colours.text }, pageTextStyle: { color: colours.text }, pageIconColor: colours.text, pageIconInactiveColor: colours.line });
const verticalName = (colours, name) => ({ name, nameLocation: "end", nameGap: 20, nameTextStyle: { color: colours.soft, align: "left", padding: [0, 0, 0, -64] } });
const SYMBOLS = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle", "emptyDiamond"];

const bars = {
  id: "bars", title: `${data.metric} relative to ${data.baseline}`, wide: true,
  has: () => designs.length > 1 && runs.some(({ ratio }) => ratio !== null),
  data() {
    const all = unique(shown.map(({ design }) => design));
    const kinds = unique(shown.map(({ workload }) => workload));
    const byRun = new Map(shown.map((run) => [`${run.design} ${run.workload}`, run.ratio]));
    // Means are those of the study: of all workloads.
    const means = kinds.length === workloads.length && workloads.length > 1 ? [...groups, "mean"] : [];
    const series = all.slice(0, MOST_DESIGNS).map((design) => ({
      name: designs[design].name,
      values: [...kinds.map((kind) => byRun.get(`${design} ${kind}`) ?? null), ...means.map((_, at) => designs[design].means[at])],
    }));
    const note = all.length > MOST_DESIGNS ? `The first ${MOST_DESIGNS} of ${all.length} designs: choose fewer to see others.` : "";
    return { series, note, names: [...kinds.map((kind) => workloads[kind].name), ...means] };
  },
  option(colours, { series, names }) {
    const axis = axisOf(colours);
    return {
      ...frameOf(colours, `${this.title}, by workload and design`),
      grid: { left: 72, right: 28, top: 56, bottom: 40 },
      legend: legendOf(colours, series.map(({ name }) => name)),
      tooltip: { trigger: "item", ...tipOf(colours), formatter: ({ seriesName, name, value }) => `${encoded(name)}, ${encoded(seriesName)}: ${readable(value)}` },
      xAxis: { type: "category", data: names, ...axis, splitLine: { show: false }, axisLabel: { ...axis.axisLabel, interval: 0, width: Math.max(60, 1000 / names.length), overflow: "break" } },
      yAxis: { type: "value", min: 0, ...axis },
      series: series.map(({ name, values }, at) => ({
        name, type: "bar", data: values, color: colours.colours[at % colours.colours.length],
        itemStyle: { decal: { symbol: "none" }, opacity: at < colours.colours.length ? 1 : 0.6 },
        markLine: at === 0 ? { silent: true, symbol: "none", animation: false, label: { show: false }, lineStyle: { color: colours.soft, type: "dotted" }, data: [{ yAxis: 1 }] } : undefined,
      })),
    };
  },
};

const LOAD = "offered";
const loadSeries = unique(workloads.filter(({ network }) => network).map(({ series }) => series));
const hasLoads = workloads.filter(({ network }) => network).length > loadSeries.length;
const alongChoices = [...(hasLoads ? [{ name: "offered load", at: -1 }] : []), ...varied];
const measured = used.filter(({ name }) => name !== LOAD);
/** What is drawn first: IPC of chips, latency of networks. */
const usualFigure = Math.max(0, measured.findIndex(({ name }) => name === (workloads.every(({ network }) => network) ? "latency_cycles" : "ipc")));

const lines = {
  id: "lines", title: "Along an axis", wide: true,
  has: () => alongChoices.length > 0 && measured.length > 0,
  choices: [
    { label: "figure", names: measured.map(figureName), at: usualFigure },
    { label: "along", names: alongChoices.map(({ name }) => name), at: 0 },
  ],
  data() {
    const [figure, { at: along, name: axis }] = [measured[this.choices[0].at], alongChoices[this.choices[1].at]];
    const kinds = unique(shown.filter(({ numbers }) => numbers[figure.name] !== null).map(({ workload }) => workload));
    const found = new Map();
    shown.forEach((run) => {
      const x = along < 0 ? run.numbers[LOAD] : placeOf(run, along);
      const y = run.numbers[figure.name];
      if (x === null || y === null || run.verdict === "deadlocked") return;
      const { name, of, at } = designs[run.design];
      const words = at === null ? [name] : [of, ...varied.filter((other) => other.at !== along).map((other) => `${other.short.join(", ")}=${pointName(other.at, at[other.at])}`)];
      if (along < 0 && loadSeries.length > 1) words.push(workloads[run.workload].series);
      if (along >= 0 && kinds.length > 1) words.push(workloads[run.workload].name);
      const line = words.filter((word) => word !== null).join(" ") || workloads[run.workload].name;
      found.set(line, [...(found.get(line) ?? []), [x, y]]);
    });
    const all = [...found].map(([name, points]) => ({ name, points: points.sort((a, b) => a[0] - b[0]) }));
    const note = all.length > MOST_LINES ? `The first ${MOST_LINES} of ${all.length} lines: choose fewer runs to see others.` : "";
    return { series: all.slice(0, MOST_LINES), note, figure, along, axis };
  },
  option(colours, { series, figure, along, axis }) {
    const drawn = axisOf(colours);
    const middle = { name: along < 0 ? "offered, flits per sender and cycle" : axis, nameLocation: "middle", nameGap: 26, ...drawn, splitLine: { show: false } };
    const horizontal = along < 0 ? { type: "value", min: 0, ...middle } : { type: "category", data: axes[along].points.map((point) => point.join(", ")), ...middle };
    return {
      ...frameOf(colours, `${figureName(figure)} along ${axis}`),
      grid: { left: 72, right: 28, top: 76, bottom: 44 },
      legend: legendOf(colours, series.map(({ name }) => name)),
      tooltip: { trigger: "item", ...tipOf(colours), formatter: ({ seriesName, name, value }) => `${encoded(seriesName)}: ${readable(value[1])} at ${along < 0 ? readable(value[0]) : encoded(name)}` },
      xAxis: horizontal,
      yAxis: { type: "value", min: 0, ...drawn, ...verticalName(colours, figureName(figure)) },
      series: series.map(({ name, points }, at) => ({
        name, type: "line", data: points, color: colours.colours[at % colours.colours.length], symbolSize: 7,
        symbol: SYMBOLS[Math.floor(at / colours.colours.length + at) % SYMBOLS.length], lineStyle: { width: 1.5 },
      })),
    };
  },
};

const map = {
  id: "map", title: "Map of two axes", wide: true,
  has: () => varied.length > 1 && measured.length > 0,
  choices: [
    { label: "figure", names: measured.map(figureName), at: usualFigure },
    { label: "down", names: varied.map(({ name }) => name), at: 0 },
    { label: "across", names: varied.map(({ name }) => name), at: 1 },
  ],
  data() {
    const [figure, down, across] = [measured[this.choices[0].at], varied[this.choices[1].at], varied[this.choices[2].at]];
    if (down === across) return { note: "A map has two different axes: choose another one." };
    const fields = new Map();
    const kinds = new Set(shown.filter(({ numbers }) => numbers[figure.name] !== null).map(({ workload }) => workload));
    shown.filter(({ workload, design }) => kinds.has(workload) && designs[design].at !== null).forEach((run) => {
      const key = `${placeOf(run, across.at)} ${placeOf(run, down.at)}`;
      fields.set(key, [...(fields.get(key) ?? []), run.numbers[figure.name]]);
    });
    const all = [...fields].map(([key, values]) => [...key.split(" ").map(Number), meanOf(figure.name, values), values.length]);
    const most = Math.max(0, ...all.map(([, , , count]) => count));
    const mean = isThroughput(figure.name) ? "harmonic" : "arithmetic";
    const note = most > 1 ? `A field is the ${mean} mean of up to ${most} runs; it is empty where one has no result.` : "";
    return { series: [{ name: figureName(figure), points: all.filter(([, , value]) => value !== null) }], note, down, across };
  },
  option(colours, { series: [{ name, points }], down, across }) {
    const axis = { ...axisOf(colours), splitLine: { show: false }, splitArea: { show: false } };
    const values = points.map(([, , value]) => value);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const names = ({ points: all }) => all.map((point) => point.join(", "));
    // From light to dark, so that a text on it is read on both.
    return {
      ...frameOf(colours, `${name}, ${down.name} down, ${across.name} across`),
      grid: { left: 110, right: 96, top: 24, bottom: 44 },
      tooltip: { trigger: "item", ...tipOf(colours), formatter: ({ value: [x, y, value, count] }) => `${encoded(pointName(down.at, y))}; ${encoded(pointName(across.at, x))}: ${readable(value)}${count > 1 ? `, mean of ${count} runs` : ""}` },
      xAxis: { type: "category", data: names(across), name: across.name, nameLocation: "middle", nameGap: 26, ...axis },
      yAxis: { type: "category", data: names(down), inverse: true, name: down.name, nameLocation: "middle", nameGap: 86, ...axis },
      visualMap: { type: "continuous", dimension: 2, min: low, max: high > low ? high : low + Math.abs(low || 1), right: 0, top: "middle", itemHeight: 140, text: [readable(high), readable(low)], inRange: { color: ["#deebf7", "#08306b"] }, textStyle: { color: colours.text } },
      series: [{
        name, type: "heatmap", data: points.map((value) => ({ value, label: { color: high > low && (value[2] - low) / (high - low) > 0.5 ? "#ffffff" : "#000000" } })),
        label: { show: true, formatter: ({ value }) => readable(value[2]) }, itemStyle: { borderColor: colours.page, borderWidth: 1 },
      }],
    };
  },
};

/** Designs that no other one beats in IPC and in a cost. */
function front(id, cost, costOf) {
  const figure = figures.find(({ name }) => name === cost);
  return {
    id, title: `Front of IPC against ${figure.unit}`, wide: true,
    has: () => runs.some(({ numbers }) => numbers.ipc !== null && numbers[cost] !== null),
    data() {
      const kinds = unique(shown.filter(({ numbers }) => numbers.ipc !== null).map(({ workload }) => workload));
      const byDesign = new Map();
      shown.filter(({ workload }) => kinds.includes(workload)).forEach((run) => byDesign.set(run.design, [...(byDesign.get(run.design) ?? []), run.numbers]));
      const all = [...byDesign].map(([design, numbers]) => ({
        name: designs[design].name,
        at: numbers.length < kinds.length ? [null, null] : [costOf(numbers.map((of) => of[cost])), meanOf("ipc", numbers.map(({ ipc }) => ipc))],
      }));
      const complete = all.filter(({ at }) => !at.includes(null));
      let best = -Infinity;
      const ordered = [...complete].sort((a, b) => a.at[0] - b.at[0] || b.at[1] - a.at[1]);
      const found = ordered.filter(({ at }) => at[1] > best && ((best = at[1]), true));
      const mean = kinds.length > 1 ? `, mean of ${kinds.length} workloads` : "";
      const lost = all.length - complete.length;
      const note = lost > 0 ? `${lost} of ${all.length} designs lack a result, and are not drawn.` : "";
      return { series: found, others: complete.filter((design) => !found.includes(design)), note, mean };
    },
    option(colours, { series, others, mean }) {
      const axis = axisOf(colours);
      const names = series.map(({ name }, at) => `${at + 1}  ${name}`);
      const colour = colours.colours[0];
      return {
        ...frameOf(colours, `IPC against ${figureName(figure)}: ${names.join(", ")}`),
        grid: { left: 72, right: 330, top: 42, bottom: 44 },
        legend: { ...legendOf(colours, [...names, ...(others.length > 0 ? ["other designs"] : [])]), orient: "vertical", top: 24, left: undefined, right: 0, align: "left", textStyle: { color: colours.text, width: 270, overflow: "truncate" }, selectedMode: false },
        tooltip: { trigger: "item", ...tipOf(colours), formatter: ({ name, value }) => `${encoded(name)}: IPC ${readable(value[1])}, ${readable(value[0])} ${figure.unit}` },
        xAxis: { type: "value", scale: true, name: `${figureName(figure)}${cost === "chip_w" ? mean : ""}`, nameLocation: "middle", nameGap: 26, ...axis, splitLine: { show: false } },
        yAxis: { type: "value", scale: true, ...axis, ...verticalName(colours, `IPC, thread instructions per core cycle${mean && `, harmonic${mean.slice(1)}`}`) },
        series: [
          { name: "front", type: "line", step: "end", symbol: "none", silent: true, color: colour, lineStyle: { width: 1.5 }, data: series.map(({ at }) => at) },
          { name: "other designs", type: "scatter", symbolSize: 6, color: colours.soft, data: others.map(({ name, at }) => ({ name, value: at })) },
          ...series.map(({ name, at }, number) => ({
            name: names[number], type: "scatter", symbolSize: 10, color: colour, data: [{ name, value: at }],
            label: { show: true, formatter: String(number + 1), position: "top", color: colours.text },
          })),
        ],
      };
    },
  };
}

const kindsOfCharts = [
  bars, lines, map,
  front("front", "chip_mm2", (values) => values[0]),
  front("power-front", "chip_w", (values) => meanOf("chip_w", values)),
];

let charts = [];
let onPaper = false;

function drawChart({ kind, chart, place, note }) {
  const drawn = kind.data();
  const isEmpty = !drawn.series || drawn.series.every(({ points, values, at }) => (points ?? values ?? at).length === 0);
  note.textContent = isEmpty ? drawn.note || "None of the chosen runs has this figure." : drawn.note;
  place.hidden = isEmpty;
  if (isEmpty) return chart.clear();
  chart.resize();
  chart.setOption(kind.option(theme(onPaper), drawn), true);
  fitPaper(chart, onPaper);
}

function makeCharts() {
  const made = kindsOfCharts.filter((kind) => kind.has()).map((kind) => {
    const { button, place } = chartPlace(element("charts"), kind.title);
    place.parentElement.classList.toggle("wide", kind.wide);
    place.classList.add("tall");
    return { kind, button, place, note: add(place.parentElement, "p", "", { className: "note" }) };
  });
  charts = made.map(({ kind, button, place, note }) => {
    const chart = newChart(place);
    const drawing = { kind, chart, place, note };
    button.addEventListener("click", () => save(chart, kind.id));
    if (kind.choices) place.before(choicesOf(drawing));
    return drawing;
  });
  addEventListener("resize", () => onPaper || charts.forEach(({ chart }) => chart.resize()));
  const draw = () => charts.forEach(drawChart);
  scheme.addEventListener("change", draw);
  addEventListener("beforeprint", () => ((onPaper = true), draw()));
  addEventListener("afterprint", () => ((onPaper = false), draw()));
}

/** What a chart shows, to choose from. */
function choicesOf(drawing) {
  const form = document.createElement("form");
  drawing.kind.choices.forEach((choice) => {
    const select = add(add(form, "label", `${choice.label} `), "select", undefined, { disabled: choice.names.length < 2 });
    choice.names.forEach((name, at) => add(select, "option", name, { value: String(at) }));
    Object.assign(select, { value: String(choice.at), id: `${drawing.kind.id}-${choice.label}` });
    select.addEventListener("change", () => {
      choice.at = Number(select.value);
      drawChart(drawing);
    });
  });
  return form;
}

// Tables.

/** Columns of runs: their titles, what they are sorted by, and what they show. */
const columns = [
  { title: "design", of: ({ design }) => designs[design].name },
  ...axes.flatMap(({ keys, units, short }, axis) => keys.map((_, at) => ({
    title: short[at], unit: units[at], sorted: (run) => placeOf(run, axis), of: (run) => (placeOf(run, axis) === null ? "-" : axes[axis].points[placeOf(run, axis)][at]),
  }))),
  { title: "workload", of: ({ workload }) => workloads[workload].name },
  ...(groups.length > 0 ? [{ title: "group", of: ({ workload }) => workloads[workload].group }] : []),
  { title: "ratio", sorted: ({ ratio }) => ratio, of: ({ ratio }) => cellText({ decimals: 3 }, ratio) },
  ...used.map((figure) => ({ title: figure.title, unit: figure.unit, sorted: ({ numbers }) => numbers[figure.name], of: ({ numbers }) => cellText(figure, numbers[figure.name]) })),
  ...(runs.some(({ verdict }) => verdict !== null) ? [{ title: "verdict", of: ({ verdict }) => verdict ?? "-" }] : []),
];
const sorting = { column: null, down: false };

function compareRuns(a, b) {
  const of = columns[sorting.column].sorted ?? columns[sorting.column].of;
  const [x, y] = [of(a), of(b)];
  // What is missing is last either way.
  if (x === null || y === null) return (x === null) - (y === null);
  return (sorting.down ? -1 : 1) * (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y);
}

function showRuns() {
  const ordered = sorting.column === null ? shown : [...shown].sort(compareRuns);
  const rows = document.createDocumentFragment();
  ordered.slice(0, MOST_ROWS).forEach((run) => addRow(rows, columns.map(({ of }) => of(run))));
  document.querySelector("#runs tbody").replaceChildren(rows);
  document.querySelectorAll("#runs thead th").forEach((title, at) => {
    title.setAttribute("aria-sort", at !== sorting.column ? "none" : sorting.down ? "descending" : "ascending");
  });
  const hidden = ordered.length - MOST_ROWS;
  element("chosen").textContent = `${grouped(shown.length)} of ${grouped(runs.length)} runs${hidden > 0 ? `, ${grouped(hidden)} of them not in the table` : ""}`;
}

function makeTable() {
  const row = add(document.querySelector("#runs thead"), "tr");
  columns.forEach(({ title, unit }, at) => {
    const button = add(add(row, "th", undefined, { scope: "col" }), "button", unit ? `${title}, ${unit}` : title, { type: "button" });
    button.addEventListener("click", () => {
      Object.assign(sorting, { column: at, down: sorting.column === at && !sorting.down });
      showRuns();
    });
  });
  if (data.runs_left_out > 0) element("about-runs").textContent += ` ${grouped(data.runs_left_out)} more runs are in runs.parquet of the record: the page has no room for them, and its charts leave them out.`;
}

function showClaims() {
  element("claims").hidden = claims.length === 0;
  document.querySelector("nav a[href='#claims']").hidden = claims.length === 0;
  const holds = claims.filter(({ verdict }) => verdict === "holds").length;
  element("about-claims").textContent = `${holds} of ${claims.length} claims hold. A claim about several workloads is measured by their mean; the spread is from the lowest of them to the highest, each the mean of its seeds.`;
  addTitles(element("table-of-claims"), ["claim", "source", "paper", "bound", "measured", "spread", "workloads", "verdict"]);
  const three = (value) => cellText({ decimals: 3 }, value);
  claims.forEach(({ about, source, paper, bound, measured, workloads: count, lowest, highest, verdict, shown: text }) => {
    const spread = lowest === null || count < 2 ? "-" : `${three(lowest)} to ${three(highest)}`;
    const row = addRow(document.querySelector("#table-of-claims tbody"), [about, source, paper, bound, three(measured), spread, String(count), text]);
    row.lastChild.className = verdict === "holds" ? "good" : "bad";
  });
}

function showTexts() {
  ["text", "study", "config"].forEach((id) => (element(id).textContent = data[id]));
  const body = document.querySelector("#changes tbody");
  data.changes.forEach((text, number) => addRow(body, [String(number), text || "nothing"]));
  if (data.changes_left_out > 0) add(element("configuration"), "p", `${grouped(data.changes_left_out)} more configurations are in configurations.json of the record.`);
}

function update() {
  shown = runs.filter(passes);
  showRuns();
  charts.forEach(drawChart);
}

// For tests: chooses, sorts, and says what the page shows then.

function selfTest() {
  const cells = (rows) => [...document.querySelectorAll(rows)].map((row) => [...row.cells].map((cell) => cell.textContent));
  const state = () => ({
    said: element("chosen").textContent,
    rows: cells("#runs tbody tr"),
    drawn: Object.fromEntries(charts.filter(({ place }) => !place.hidden).map(({ kind, chart }) => [
      kind.id, chart.getOption().series.map((drawn) => [drawn.name, drawn.data.map((point) => point?.value ?? point)]),
    ])),
    notes: Object.fromEntries(charts.map(({ kind, note }) => [kind.id, note.textContent])),
  });
  const choose = (id, value) => {
    const select = typeof id === "string" ? document.querySelector(`[data-of="${id}"], #${CSS.escape(id)}`) : id;
    select.value = value;
    select.dispatchEvent(new Event(select.id === "filter" ? "input" : "change"));
  };
  const report = { errors: problems, charts: charts.map(({ kind }) => kind.id) };
  report.widths = charts.map(({ chart }) => [chart.getWidth(), chart.getDom().clientWidth]);
  report.svg = charts.map(({ chart }) => chart.renderToSVGString()).map((text) => text.startsWith("<svg") && text.endsWith("</svg>"));
  report.tables = cells("#overview tr, #changes tr");
  report.claims = cells("#table-of-claims tbody tr");
  report.titles = cells("#runs thead tr")[0];
  report.text = element("text").textContent;
  report.selects = [...document.querySelectorAll("#selects select")].map((select) => [select.dataset.of, [...select.options].map(({ text }) => text)]);
  report.all = state();
  const by = (title, times) => [...Array(times)].forEach(() => [...document.querySelectorAll("#runs thead button")].find(({ textContent }) => textContent === title)?.click());
  by("IPC", 2);
  report.sorted = state().rows;
  const [first] = report.selects;
  if (first) choose(first[0], "0");
  report.first = state();
  element("all").click();
  if (workloads.length > 1) choose("workload", "0");
  report.workload = state();
  element("all").click();
  choose(element("filter"), designs[designs.length - 1].name);
  report.searched = state();
  choose(element("filter"), "no design is called so");
  report.none = state();
  element("all").click();
  report.again = state();
  add(document.body, "pre", JSON.stringify(report), { id: "selftest" });
}

showOverview();
showClaims();
showTexts();
makeTable();
makeCharts();
connectFilters();
update();
if (location.hash === "#selftest") selfTest();
