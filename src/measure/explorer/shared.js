// What pages that draw figures have in common: elements, numbers, tables, colours.

const element = (id) => document.getElementById(id);
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** A number as a person reads it: whole ones whole, others with four digits that count. */
function readable(value) {
  if (!Number.isFinite(value)) return "-";
  if (Number.isInteger(value)) return grouped(value);
  return Math.abs(value) >= 1000 ? grouped(Math.round(value)) : String(Number(value.toPrecision(4)));
}

/** A text as HTML: what a tooltip of a chart returns is put into the page as it is. */
function encoded(text) {
  return String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** A new element with a text, in another one. */
function add(parent, name, text, settings) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  Object.assign(made, settings);
  parent.append(made);
  return made;
}

/** A row of a table; the first cell is its title. */
function addRow(body, cells) {
  const row = add(body, "tr");
  cells.forEach((cell, at) => add(row, at === 0 ? "th" : "td", cell, at === 0 ? { scope: "row" } : {}));
  return row;
}

function addTitles(table, titles) {
  const row = add(table.tHead, "tr");
  titles.forEach((title) => add(row, "th", title, { scope: "col" }));
}

const scheme = matchMedia("(prefers-color-scheme: dark)");

/** Colours of the page as it is now; paper is light. */
function theme(printing) {
  const dark = scheme.matches && !printing;
  return {
    text: dark ? "#e4e8ec" : "#1b1f24",
    soft: dark ? "#9aa5b1" : "#57606a",
    line: dark ? "#343c45" : "#d0d7de",
    page: dark ? "#14181d" : "#ffffff",
    // Told apart by people who do not see all colours.
    colours: dark
      ? ["#4ea3dc", "#e8743b", "#2fbf8f", "#d48fb6", "#e9b44c", "#8fd0f5", "#8a949e"]
      : ["#0072b2", "#d55e00", "#009e73", "#b8578f", "#d99100", "#4aa3d8", "#9aa0a6"],
  };
}
