// Draws what a report has by part: the stages of a read's way as a waterfall, area and power as treemaps.

/** Charts of the parts; with several reports, of the one that is chosen. */
function partsOf({ reports, area }) {
  const withParts = reports.filter(({ stages, power }) => stages || power.length > 0);
  const all = [
    {
      id: "read-stages", title: "Latency of reads by stage", unit: "cycles of the network, mean", ofReport: true,
      data: (report) => report.stages && { ...report.stages, rows: [...report.stages.stages, ["all", report.stages.latency]] },
      option: waterfall,
    },
    { id: "area", title: "Area", unit: "mm^2", data: () => area && treeOf(area), option: treemap },
    { id: "power", title: "Power", unit: "W", ofReport: true, data: (report) => treeOf(report.power), option: treemap },
  ];
  const has = (kind) => (kind.ofReport ? withParts.some((report) => kind.data(report)) : kind.data() !== null);
  return all.filter(has).map((kind) => ({ ...kind, withParts, chosen: 0 }));
}

/** Groups with their parts, and all of it as rows. */
function treeOf(parts) {
  if (parts.length === 0) return null;
  const sum = (list) => list.reduce((all, { value }) => all + value, 0);
  const groups = [...new Set(parts.map(({ group }) => group))].map((name) => ({ name, children: parts.filter(({ group }) => group === name) }));
  const rows = groups.flatMap(({ name, children }) => children.map((child) => [`${name}: ${child.name}`, child.value]));
  return { groups, whole: sum(parts), rows: [...rows, ["all", sum(parts)]] };
}

function frameOf(colours, description) {
  return { animation: false, backgroundColor: colours.page, textStyle: { fontFamily: "sans-serif", color: colours.text }, aria: { enabled: true, label: { description } } };
}

function waterfall(colours, { title, unit }, { rows }) {
  const axis = axisOf(colours);
  const before = rows.map((_, at) => (at === rows.length - 1 ? 0 : rows.slice(0, at).reduce((sum, [, value]) => sum + value, 0)));
  return {
    ...frameOf(colours, `${title}, ${unit}: ${rows.map(([name, value]) => `${name} ${readable(value)}`).join(", ")}`),
    grid: { left: 120, right: 60, top: 12, bottom: 44 },
    tooltip: { trigger: "item", confine: true, backgroundColor: colours.page, borderColor: colours.line, textStyle: { color: colours.text }, formatter: ({ name, value }) => `${encoded(name)}: ${readable(value)} cycles` },
    xAxis: { type: "value", min: 0, name: unit, nameLocation: "middle", nameGap: 26, ...axis },
    yAxis: { type: "category", inverse: true, data: rows.map(([name]) => name), ...axis, splitLine: { show: false } },
    series: [
      { name: "before", type: "bar", stack: "all", silent: true, itemStyle: { color: "transparent" }, data: before },
      {
        name: title, type: "bar", stack: "all", barWidth: "55%", label: { show: true, position: "right", color: colours.text, formatter: ({ value }) => readable(value) },
        data: rows.map(([, value], at) => ({ value, itemStyle: { color: colours.colours[at === rows.length - 1 ? 6 : at] } })),
      },
    ],
  };
}

function treemap(colours, { title, unit }, { groups, whole }) {
  const share = (value) => `${((100 * value) / whole).toFixed(1)} %`;
  return {
    ...frameOf(colours, `${title}, ${unit}, by part`),
    tooltip: { confine: true, backgroundColor: colours.page, borderColor: colours.line, textStyle: { color: colours.text }, formatter: ({ name, value }) => (name === "" ? "" : `${encoded(name)}: ${readable(value)} ${unit}, ${share(value)}`) },
    series: [{
      name: title, type: "treemap", left: 0, right: 0, top: 0, bottom: 0, roam: false, nodeClick: false, breadcrumb: { show: false },
      label: { show: true, color: colours.page, lineHeight: 16, formatter: ({ name, value }) => `${name}\n${readable(value)} ${unit}` },
      upperLabel: { show: true, height: 22, color: colours.text, formatter: ({ name, value }) => (name === "" ? "" : `${name}, ${readable(value)} ${unit}, ${share(value)}`) },
      itemStyle: { borderColor: colours.page, borderWidth: 1, gapWidth: 1 },
      levels: [{ upperLabel: { show: false }, itemStyle: { gapWidth: 4, borderWidth: 0 } }, { itemStyle: { gapWidth: 1, borderColor: colours.page, borderWidth: 2 } }],
      data: groups.map(({ name, children }, at) => ({
        name, itemStyle: { color: colours.colours[at] }, children: children.map((child) => ({ name: child.name, value: child.value, itemStyle: { color: colours.colours[at] } })),
      })),
    }],
  };
}

function drawPart(part, printing) {
  const { chart, note, rows } = part;
  const data = part.data(part.withParts[part.chosen]);
  note.textContent = data ? data.note ?? "" : "This launch has none.";
  rows.replaceChildren();
  chart.getDom().hidden = !data;
  if (!data) return chart.clear();
  data.rows.forEach(([name, value]) => addRow(rows, [name, readable(value), part.unit]));
  chart.resize();
  chart.setOption(part.option(theme(printing), part, data), true);
  fitPaper(chart, printing);
}

const drawParts = (parts, printing) => parts.forEach((part) => drawPart(part, printing));

/** Their places below `charts-of-parts`. */
function makeParts(parts) {
  element("parts").hidden = parts.length === 0;
  const places = parts.map(({ title }) => chartPlace(element("charts-of-parts"), title));
  parts.forEach((part, at) => {
    const { button, place } = places[at];
    if (part.option === treemap) place.classList.add("tall");
    if (part.ofReport && part.withParts.length > 1) {
      const form = document.createElement("form");
      place.before(form);
      const select = add(add(form, "label", "launch "), "select", undefined, { id: `${part.id}-launch` });
      part.withParts.forEach(({ title }, number) => add(select, "option", title, { value: String(number) }));
      select.addEventListener("change", () => {
        part.chosen = Number(select.value);
        drawPart(part, false);
      });
      form.addEventListener("submit", (event) => event.preventDefault());
    }
    part.chart = newChart(place);
    part.note = add(place.parentElement, "p", "", { className: "note" });
    const details = add(place.parentElement, "details");
    add(details, "summary", "as a table");
    part.rows = add(add(details, "table", undefined, { className: "figures" }), "tbody");
    button.addEventListener("click", () => save(part.chart, part.id));
  });
}

/** What they show, for tests. */
function shownParts(parts) {
  return Object.fromEntries(parts.map(({ id, chart, rows, note }) => [id, {
    drawn: chart.getOption().series.map(({ data }) => data.map((point) => point.children ?? point.value ?? point)),
    rows: [...rows.rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
    note: note.textContent,
    svg: chart.renderToSVGString().endsWith("</svg>"),
  }]));
}
