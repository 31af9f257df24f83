// What the pages of records have in common: data, overview, places of charts.

const data = JSON.parse(document.getElementById("data").textContent);

function showOverview() {
  const facts = document.querySelector("#overview tbody");
  data.overview.forEach(([name, value]) => {
    const row = addRow(facts, [name, value]);
    if (name === "error" || value.includes("WRONG")) row.lastChild.className = "bad";
  });
}

const newChart = (place) => echarts.init(place, null, { renderer: "svg" });

/** A place for a chart below its title, with a button that saves it. */
function chartPlace(parent, title) {
  const figure = add(parent, "figure");
  const caption = add(figure, "figcaption", title);
  const button = add(caption, "button", "SVG", { type: "button", title: `Save "${title}" as SVG` });
  return { button, place: add(figure, "div", undefined, { className: "chart" }) };
}

/** Axes, legend and pointer in the colours of the page. */
function axisOf(colours) {
  return { nameTextStyle: { color: colours.soft }, axisLabel: { color: colours.soft }, axisLine: { lineStyle: { color: colours.line } }, splitLine: { lineStyle: { color: colours.line } } };
}

/** On paper charts are made as small as their place. */
function fitPaper(chart, printing) {
  const svg = chart.getDom().querySelector("svg");
  if (printing) svg.setAttribute("viewBox", `0 0 ${chart.getWidth()} ${chart.getHeight()}`);
  else svg.removeAttribute("viewBox");
}

function save(chart, id) {
  saveText(chart.renderToSVGString(), id);
}

function saveText(svg, id) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  add(document.body, "a", undefined, { href: url, download: `${id}.svg` }).click();
  document.body.lastChild.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

const problems = [];
addEventListener("error", ({ message }) => problems.push(message));
addEventListener("securitypolicyviolation", ({ violatedDirective }) => problems.push(violatedDirective));
