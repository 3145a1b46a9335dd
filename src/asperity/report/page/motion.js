// The motion of a run, or of several side by side at the same time: pictures, slider, legend, events.
import {charts, clock, colourBar, timeUnit} from "../viewer/chart.js";
import {app, bodyName, modeName, modeVariable, placeAt, stretches, timeSpan} from "./run.js";
import {makeScene, startButtons} from "./scene.js";
import {byId, compare, css, data, html, shown} from "./shared.js";
import {heightText, PATH_COLOURS, RAMP_COLOURS, View} from "./view.js";

const PLAYED = 12;  // s, that a run takes at normal speed
const runs = () => data.runs || [data];

// heading, unit, value, and digits where it is a number
const eventColumns = run => [
  ["time", clock.unit.name, e => e[1] / clock.unit.size, 12], ["event", "", e => run.kinds[e[0]] || "kind " + e[0]], ["mode after", "", e => modeName(run, e[13])],
  ["x", "m", e => e[3], 8], ["y", "m", e => e[4], 8], ["z", "m", e => e[5], 8], ["speed after", "m/s", e => e[6], 7],
  ["normal in", "m/s", e => e[7], 7], ["normal out", "m/s", e => e[8], 7], ["spin after", "rad/s", e => e[9], 7], ["heat", "J", e => e[10], 6],
  ["feature", "", e => e[11] < 0 ? "" : (run.features[e[11]] || "") + " " + (e[11] === 4 ? bodyName(run, e[12]) : e[12])],
  ...(run.bodies.length > 1 ? [["body", "", e => bodyName(run, e[2])]] : []),
];
const EVENT_PAGE = 300;

function startEvents(run) {
  if (!run.events.length || !byId("events-section")) return;
  const columns = eventColumns(run);
  byId("events-section").hidden = false;
  const head = html("tr", {}, byId("events").tHead), body = byId("events").tBodies[0];
  const shownKinds = new Set(run.events.map(event => event[0]));
  let order = {column: 0, sign: 1}, limit = EVENT_PAGE;

  const fill = () => {
    const of = columns[order.column][2];
    const rows = run.events.filter(event => shownKinds.has(event[0])).sort((a, b) => order.sign * compare(of(a), of(b)));
    body.replaceChildren();
    for (const event of rows.slice(0, limit)) {
      const row = html("tr", {title: "show this moment"}, body);
      columns.forEach(([, , value, digits], k) => {
        const cell = html("td", {class: digits ? "number" : "text"}, row);
        if (k === 2) html("span", {class: "dot", style: "background:var(" + modeVariable(event[13]) + ")"}, cell);
        cell.append(digits ? shown(value(event), digits) : value(event));
      });
      row.addEventListener("click", () => app.setTime(event[1]));
    }
    byId("event-count").textContent = rows.length === run.events.length ? rows.length : rows.length + " of " + run.events.length;
    byId("more-events").hidden = rows.length <= limit;
  };

  columns.forEach(([name, unit, , digits], k) => {
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
    const count = run.events.filter(event => event[0] === kind).length;
    const chip = html("button", {type: "button", "aria-pressed": "true"}, byId("event-filters"), (run.kinds[kind] || "kind " + kind) + " " + count);
    chip.addEventListener("click", () => {
      if (shownKinds.has(kind)) shownKinds.delete(kind); else shownKinds.add(kind);
      chip.setAttribute("aria-pressed", String(shownKinds.has(kind)));
      fill();
    });
  }
  byId("more-events").addEventListener("click", () => { limit += 4 * EVENT_PAGE; fill(); });
  fill();
}

// What colours mean.
function showLegend(run, view) {
  const legend = byId("modes"), scale = view && view.pathScale(), item = (name, style) => { html("i", style, html("span", {}, legend)).after(name); };
  legend.replaceChildren();
  if (run.bodies.length > 1)
    for (const {body} of run.bodies) item(bodyName(run, body), {style: "background:var(--c" + body % 6 + ")"});
  else if (!scale)
    for (const mode of new Set(run.bodies.flatMap(body => body.path.mode))) item(modeName(run, mode), {style: "background:var(" + modeVariable(mode) + ")"});
  if (scale) {
    const isTime = view.colourBy === "time", size = isTime ? clock.unit.size : 1, unit = isTime ? clock.unit.name : "m/s";
    colourBar(legend, RAMP_COLOURS, view.colourBy + " " + shown(scale.low / size, 4), shown(scale.high / size, 4) + " " + unit);
  }
  if (run.events.some(event => event[0] === 0) && run.bodies.length === 1) item("impact", {class: "mark"});
}

function startPlaying() {
  const slider = byId("time"), play = byId("play");
  let playing = null, last = 0;
  const stop = () => { playing = null; play.textContent = "▶"; };
  const step = now => {
    if (playing === null) return;
    app.setTime(app.time + (now - last) * 1e-3 / PLAYED * Number(byId("pace").value) * (app.span[1] - app.span[0]));
    last = now;
    if (app.time >= app.span[1]) stop(); else requestAnimationFrame(step);
  };
  const toggle = () => {
    if (playing) { stop(); return; }
    if (app.time >= app.span[1]) app.setTime(app.span[0]);
    playing = true;
    play.textContent = "❚❚";
    last = performance.now();
    requestAnimationFrame(step);
  };
  // The next of what happened, transfers apart, in either direction.
  const events = [...new Set(runs().flatMap(run => run.events.filter(e => run.kinds[e[0]] !== "transfer").map(e => e[1])))].sort((a, b) => a - b);
  const jump = way => {
    const next = way > 0 ? events.find(t => t > app.time) : events.findLast(t => t < app.time);
    app.setTime(next ?? (way > 0 ? app.span[1] : app.span[0]));
  };
  slider.addEventListener("input", () => app.setTime(Number(slider.value)));
  play.addEventListener("click", toggle);
  byId("back").addEventListener("click", () => jump(-1));
  byId("forth").addEventListener("click", () => jump(1));
  byId("motion").addEventListener("keydown", e => {
    const act = e.target.tagName === "CANVAS" && {" ": toggle, ",": () => jump(-1), ".": () => jump(1)}[e.key];
    if (act) { act(); e.preventDefault(); }
  });
}

function startChoices(views) {
  const [run] = runs(), each = act => { for (const view of views) { act(view); view.redraw(); } };
  byId("view-choices").hidden = !views.length;
  startButtons(byId("motion"), views);
  const follow = byId("follow");
  follow.addEventListener("click", () => {
    const is = follow.getAttribute("aria-pressed") !== "true";
    follow.setAttribute("aria-pressed", String(is));
    each(view => { view.isFollowing = is; });
  });
  for (const name in PATH_COLOURS) html("option", {value: name}, byId("path-colour"), name === "mode" && run.bodies.length > 1 ? "body" : name);
  byId("path-colour").parentElement.hidden = byId("follow").hidden = !run.bodies.length;
  byId("path-colour").addEventListener("change", e => { each(view => { view.colourBy = e.target.value; view.setPath(); }); showLegend(run, views[0]); });
  const frames = [...run.bodies, ...run.given];
  byId("frame-choice").hidden = frames.length + run.given.length < 2;
  html("option", {value: ""}, byId("frame"), "the frame of the run");
  for (const {body} of frames) html("option", {value: body}, byId("frame"), bodyName(run, body));
  byId("frame").addEventListener("change", e => each(view => { view.setFrame(e.target.value === "" ? null : Number(e.target.value)); view.fit(view.wanted); }));
  byId("body-choice").hidden = run.bodies.length < 2;
  run.bodies.forEach(({body}, k) => html("option", {value: k}, byId("body"), bodyName(run, body)));
  byId("body").addEventListener("change", e => app.setBody(Number(e.target.value)));
}

// Which figures are shown, and the modes behind them.
function showCharts(run) {
  const chosen = run.bodies[app.body];
  for (const chart of charts) {
    chart.figure.hidden = chart.body >= 0 && (!chosen || chart.body !== chosen.body);
    const body = run.bodies.find(one => one.body === chart.body);
    if (body) chart.bands = body.bands.map(([begin, end, mode]) => ({begin, end, colour: modeVariable(mode)}));
    chart.draw();
  }
}

// Returns what to do when light and dark change.
export function startMotion() {
  const all = runs(), [run] = all, spans = all.map(timeSpan), span = [Math.min(...spans.map(s => s[0])), Math.max(...spans.map(s => s[1]))];
  if (!charts.some(chart => chart.isTime)) clock.unit = timeUnit(span[1] - span[0]);
  app.span = span;
  app.time = span[1];
  const places = document.querySelectorAll("#motion .view"), views = all.map((one, k) => makeScene(places[k], () => new View(places[k], one))).filter(Boolean);
  byId("view-hint").hidden = !views.length;
  byId("view-controls").hidden = false;
  const slider = byId("time"), stretch = byId("stretch"), parts = stretches(run, span, clock.unit);
  const show = () => {
    Object.assign(slider, {min: app.span[0], max: app.span[1]});
    slider.value = app.time;
    slider.disabled = byId("play").disabled = !(app.span[1] > app.span[0]);
    const place = run.bodies.length ? placeAt(run.bodies[app.body].path, app.time) : null;
    const text = "t = " + shown(app.time / clock.unit.size, 7) + " " + clock.unit.name;
    byId("time-shown").textContent = text + (place ? " · " + modeName(run, place.mode) + " · " + heightText(run, place) : "");
    slider.setAttribute("aria-valuetext", text);
    clock.now = app.time;
    for (const chart of charts) if (chart.isTime && !chart.isStale) chart.drawOver();
    for (const view of views) view.redraw();
  };
  app.listen(what => {
    if (what === "body") { showCharts(run); for (const view of views) { view.setPath(); view.fit("path"); } }
    if (what === "span") for (const chart of charts) if (chart.isTime) chart.draw();
    show();
  });
  byId("stretch-choice").hidden = !parts.length;
  [["all", span], ...parts].forEach(([name], k) => html("option", {value: k}, stretch, name));
  stretch.addEventListener("change", () => {
    const chosen = Number(stretch.value) ? parts[Number(stretch.value) - 1][1] : null;
    clock.range = chosen;
    app.setSpan(chosen || span);
  });
  clock.chosen = t => app.setTime(t);
  startPlaying();
  startChoices(views);
  startEvents(run);
  showLegend(run, views[0]);
  showCharts(run);
  show();
  // One picture of a film, and nothing else: #frame=PART of the time (`asperity report --frames`).
  const frame = /^#frame=([\d.e+-]+)$/.exec(location.hash);
  if (frame) {
    document.body.className = "only-frame";
    app.setTime(span[0] + Number(frame[1]) * (span[1] - span[0]));
    for (const view of views) { view.resize(); view.fit("path"); }
  }
  for (const view of views) new ResizeObserver(() => { view.resize(); view.redraw(); }).observe(view.canvas);
  return () => { for (const view of views) { if (view.recolour) view.recolour(); view.setPath(); view.redraw(); } };
}
