// Legend, events; then everything is started.
// heading, unit, value, and digits where it is a number
const EVENT_COLUMNS = [
  ["time", "s", e => e[1], 12], ["event", "", e => data.kinds[e[0]] || "kind " + e[0]], ["mode after", "", e => modeName(e[13])],
  ["x", "m", e => e[3], 8], ["y", "m", e => e[4], 8], ["z", "m", e => e[5], 8], ["speed after", "m/s", e => e[6], 7],
  ["normal in", "m/s", e => e[7], 7], ["normal out", "m/s", e => e[8], 7], ["spin after", "rad/s", e => e[9], 7], ["heat", "J", e => e[10], 6],
  ["feature", "", e => e[11] < 0 ? "" : (data.features[e[11]] || "") + " " + (e[11] === 4 ? bodyName(e[12]) : e[12])],
];
if (data.bodies.length > 1) EVENT_COLUMNS.push(["body", "", e => bodyName(e[2])]);
const EVENT_PAGE = 300;

function startLegend() {
  const legend = byId("modes");
  if (data.bodies.length > 1) startBodyLegend(legend);
  const used = new Set(data.bodies.flatMap(body => body.path.mode));
  data.modes.forEach((name, mode) => {
    if (!used.has(mode)) return;
    const item = html("span", {}, legend);
    html("i", {style: "background:var(" + modeVariable(mode) + ")"}, item);
    item.append(name);
  });
  if (data.events.some(event => event[0] === 0) && data.bodies.length === 1) {
    const item = html("span", {}, legend);
    html("i", {class: "mark"}, item);
    item.append("impact");
  }
}

function startEvents() {
  if (!data.events.length) return;
  byId("events-section").hidden = false;
  const head = html("tr", {}, byId("events").tHead), body = byId("events").tBodies[0];
  const shownKinds = new Set(data.events.map(event => event[0]));
  let order = {column: 0, sign: 1}, limit = EVENT_PAGE;

  const fill = () => {
    const of = EVENT_COLUMNS[order.column][2];
    const rows = data.events.filter(event => shownKinds.has(event[0])).sort((a, b) => order.sign * compare(of(a), of(b)));
    body.replaceChildren();
    for (const event of rows.slice(0, limit)) {
      const row = html("tr", {title: "show this moment"}, body);
      EVENT_COLUMNS.forEach(([, , value, digits], k) => {
        const cell = html("td", {class: digits ? "number" : "text"}, row);
        if (k === 2) html("span", {class: "dot", style: "background:var(" + modeVariable(event[13]) + ")"}, cell);
        cell.append(digits ? shown(value(event), digits) : value(event));
      });
      row.addEventListener("click", () => app.setTime(event[1]));
    }
    byId("event-count").textContent = rows.length === data.events.length ? rows.length : rows.length + " of " + data.events.length;
    byId("more-events").hidden = rows.length <= limit;
  };

  EVENT_COLUMNS.forEach(([name, unit, , digits], k) => {
    const cell = html("th", {"data-sort": k, class: digits ? "number" : "text"}, head, name);
    if (unit) html("span", {class: "unit"}, cell, " " + unit);
    cell.addEventListener("click", () => {
      order = {column: k, sign: order.column === k ? -order.sign : 1};
      for (const other of head.children) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", order.sign > 0 ? "ascending" : "descending");
      fill();
    });
  });
  head.children[0].setAttribute("aria-sort", "ascending");
  for (const kind of [...shownKinds].sort((a, b) => a - b)) {
    const count = data.events.filter(event => event[0] === kind).length;
    const chip = html("button", {type: "button", "aria-pressed": "true"}, byId("event-filters"), (data.kinds[kind] || "kind " + kind) + " " + count);
    chip.addEventListener("click", () => {
      if (shownKinds.has(kind)) shownKinds.delete(kind); else shownKinds.add(kind);
      chip.setAttribute("aria-pressed", String(shownKinds.has(kind)));
      fill();
    });
  }
  byId("more-events").addEventListener("click", () => { limit += 4 * EVENT_PAGE; fill(); });
  fill();
}

function startBodies() {
  if (data.bodies.length < 2) return;
  byId("body-choice").hidden = false;
  data.bodies.forEach((body, k) => html("option", {value: k}, byId("body"), bodyName(body.body)));
  byId("body").addEventListener("change", e => app.setBody(data.bodies[e.target.value]));
}

startTheme(() => app.tell("theme"));
startTables();
if (byId("motion")) {
  // a surface alone is drawn as well
  if (!data.bodies.length) data.bodies.push({body: 0, path: {t: [], x: [], y: [], z: [], q: [], mode: []}, bands: [], plots: []});
  app.setBody(data.bodies[0]);
  startLegend();
  startBodies();
  startView();
  startPlots();
  startEvents();
}
