// What every page has: its data, finding and making elements, tables that a click on a heading sorts, light and dark, numbers for people.
export const data = JSON.parse(document.getElementById("data").textContent) || {};

export function byId(id) { return document.getElementById(id); }

export function html(tag, attributes, parent, text) {
  const element = document.createElement(tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.appendChild(element);
  return element;
}

export function svg(tag, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (parent) parent.appendChild(element);
  return element;
}

// Hands a file to whoever looks.
export function saved(url, name) {
  const link = html("a", {href: url, download: name.replace(/[^\p{L}\p{N}.]+/gu, "-")}, document.body);
  link.click();
  link.remove();
}

export function compare(a, b) {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

// The number or text of a cell of a table that is in the page already: what it says of itself before what it shows.
export function cellValue(cell) {
  const text = cell.dataset.value || (cell.firstElementChild || cell).title || cell.textContent;
  if (!cell.classList.contains("number")) return text;
  return text === "" || text === "null" ? null : Number(text);
}

// A click on a heading sorts, numbers as numbers.
export function startTables() {
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((cell, k) => {
      cell.dataset.sort = k;
      cell.addEventListener("click", () => {
        const sign = cell.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        const rows = [...table.tBodies[0].rows].sort((a, b) => sign * compare(cellValue(a.cells[k]), cellValue(b.cells[k])));
        for (const other of heads) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        table.tBodies[0].append(...rows);
      });
    });
  }
}

export function startTheme(changed) {
  const button = byId("theme"), root = document.documentElement;
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    changed();
  });
}

export function css(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

// A number for people: so many digits, no trailing zeros, a true minus; from `most` on and below `least` with an exponent.
export function shown(value, digits, most = 1e9, least = 1e-4) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  let text = Number(value.toPrecision(digits));
  text = size !== 0 && (size < least || size >= most) ? text.toExponential() : String(text);
  return text.replace("-", "−").replace("e+", "e").replace("e-", "e−");
}

// The largest of 1, 2 and 5 times a power of ten that is not above.
export function roundBelow(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].find(k => k * power <= value) * power;
}
