// Figures on Observable Plot: layers (report/figure.h) become marks. Drag zooms, a double click shows everything, the pointer or the arrow keys
// read values, a key hides its layer; figures over time share range and cursor. Each is exported as SVG, PNG and CSV.
import * as Plot from "@observablehq/plot";
import {css, html, saved, shown, svg} from "../page/shared.js";

const UNITS = [["s", 1, 14400], ["h", 3600, 864000], ["d", 86400, 94672800], ["yr", 31557600, Infinity]];  // and up to which span
const NEAR = 18;   // px, from which a point is read
const FIELD = ["#27408b", "#3d6cb5", "#5f9bd1", "#92c5de", "#c8e3ee", "#f4f1e4", "#fbd9a8", "#f4a76f", "#dd6f4d", "#b83a3a", "#7f1d2e"];
export const TERRAIN = {light: ["#6b7688", "#8f9296", "#b3aa98", "#d3c7a9", "#efe6cf"], dark: ["#343f52", "#515a68", "#72706c", "#978b74", "#c2b08c"]};

export const tones = () => TERRAIN[document.documentElement.dataset.theme === "dark" ? "dark" : "light"];
export const timeUnit = span => { const [name, size] = UNITS.find(([, , most]) => span < most); return {name, size}; };

// What figures over time share. `range` null: all of it; `cross`: where values are read, `now`: what the picture shows, in seconds.
export const clock = {unit: {name: "s", size: 1}, range: null, cross: null, now: null, chosen: () => {}, zoomed: () => {}};
export const charts = [];

// A bar with its colours from low to high.
export function colourBar(parent, colours, low, high) {
  const box = html("p", {class: "scale"}, parent);
  html("span", {}, box, low);
  if (colours.length) html("i", {style: "background:linear-gradient(90deg," + colours.join(",") + ")"}, box);
  html("span", {}, box, high);
}

const painted = colour => colour.startsWith("--") ? "var(" + colour + ")" : colour;
const isNumber = x => x !== null && x !== undefined && Number.isFinite(x);

// Points of a grid that have no value take the mean of their neighbours, so that no line runs along the border of what has none.
function filled(values, columns) {
  let now = values.slice();
  for (let turn = 0; turn < 3; ++turn)
    now = now.map((value, i) => {
      if (isNumber(value)) return value;
      const near = [i % columns ? i - 1 : -1, (i + 1) % columns ? i + 1 : -1, i - columns, i + columns].map(k => now[k]).filter(isNumber);
      return near.length ? near.reduce((a, b) => a + b) / near.length : null;
    });
  return now;
}

// Borders between colours: as much of the field in each. A linear scale would spend all of them on the walls of a well.
function borders(values, count) {
  const sorted = values.filter(isNumber).sort((a, b) => a - b);
  return sorted.length ? Array.from({length: count - 1}, (_, i) => sorted[Math.floor(sorted.length * (i + 1) / count)]) : [];
}

const PAINTERS = {
  line: (l, stroke, n) => [Plot.line(n, {x: l.x, y: l.y, stroke, strokeWidth: 1.6, strokeOpacity: l.opacity, strokeDasharray: l.dashed ? "6 4" : null})],
  area: (l, fill, n) => [Plot.areaY(n, {x1: l.x, y1: l.y, y2: l.y2, fill, fillOpacity: l.opacity})],
  dots: (l, fill, n) => [Plot.dot(n, {x: l.x, y: l.y, fill, r: l.x.length > 1500 ? 1.5 : 2.6})],
  crosses: (l, stroke, n) => [Plot.dot(n, {x: l.x, y: l.y, stroke, strokeWidth: 2, symbol: "times", r: 4})],
  bars: (l, fill) => [Plot.rect({length: l.x.length}, {x1: l.x, x2: l.x2, y1: l.y, y2: l.y2, inset: 0.4, fill: l.dashed ? "none" : fill, stroke: l.dashed ? fill : "none",
    strokeDasharray: l.dashed ? "6 4" : null, fillOpacity: l.value ? {value: l.value, scale: null} : l.opacity})],
  span: (l, fill) => [Plot.rect([0], {x1: [l.x[0]], x2: [l.x[1]], fill, fillOpacity: l.opacity})],
  whiskers: (l, stroke, n) => [Plot.ruleX(n, {x: l.x, y1: l.y, y2: l.y2, stroke, strokeWidth: 1.6}), Plot.dot(n, {x: l.x, y: l.y, fill: stroke, r: 2}), Plot.dot(n, {x: l.x, y: l.y2, fill: stroke, r: 2})],
  "whiskers across": (l, stroke, n) => [Plot.ruleY(n, {y: l.y, x1: l.x, x2: l.x2, stroke, strokeWidth: 1.4})],
  across: (l, stroke) => [Plot.ruleY(l.y, {stroke, strokeDasharray: l.dashed ? "6 4" : null})],
  upright: (l, stroke) => [Plot.ruleX(l.x, {stroke, strokeWidth: 1.5, strokeDasharray: l.dashed ? "5 3" : null})],
  ticks: (l, stroke, n, height) => [Plot.ruleX(l.x, {stroke, insetTop: height - 60})],
  texts: (l, fill, n) => [Plot.text(n, {x: l.x, y: l.y, text: l.texts, fill, fontSize: 11})],
  labels: (l, fill, n) => [Plot.text(n, {x: l.x, y: l.y, text: l.texts, fill, fontSize: 11.5, textAnchor: "start", dx: 6, dy: -7, stroke: "var(--panel)", strokeWidth: 4})],
  outline: (l, stroke) => [Plot.line({length: l.x.length + 1}, {x: [...l.x, l.x[0]], y: [...l.y, l.y[0]], stroke, strokeWidth: 1.6, strokeDasharray: l.dashed ? "6 4" : null, fill: l.value ? "var(--panel)" : "none"})],
  field: l => {
    const grid = {width: l.columns, height: l.value.length / l.columns, x1: l.x[0], x2: l.x[1], y1: l.y[0], y2: l.y[1]}, whole = filled(l.value, l.columns);
    return [Plot.contour(whole, {...grid, fill: Plot.identity, thresholds: [Math.min(...whole.filter(isNumber)), ...borders(l.value, 30)], opacity: 0.75, stroke: "var(--text)", strokeOpacity: 0.3, strokeWidth: 0.4}),
      ...(l.levels || []).map(level => Plot.contour(whole, {...grid, value: Plot.identity, thresholds: [level], stroke: "var(--text)", strokeWidth: 1.8}))];
  },
  contour: (l, stroke, n) => [Plot.contour(n, {x: l.x, y: l.y, fill: null, value: l.value, stroke, strokeWidth: 1.8, strokeDasharray: l.dashed ? "6 4" : null, thresholds: l.levels})],
  terrain: l => [Plot.raster({length: l.x.length}, {x: l.x, y: l.y, fill: l.value, interpolate: "nearest", opacity: 0.8})],
};

// Longitude, latitude and distance from the centre of the corners of a body.
function terrainOf({v}) {
  const out = {x: [], y: [], value: []};
  for (let i = 0; i < v.length; i += 3) {
    const r = Math.hypot(v[i], v[i + 1], v[i + 2]);
    for (const turn of [-360, 0, 360]) {
      const east = Math.atan2(v[i + 1], v[i]) * 180 / Math.PI + turn;
      if (Math.abs(east) < 200) { out.x.push(east); out.y.push(Math.asin(v[i + 2] / r) * 180 / Math.PI); out.value.push(r); }
    }
  }
  return out;
}

export class Chart {
  // `surface`: of the body whose terrain lies under a map.
  constructor(figure, spec, surface) {
    Object.assign(this, {figure, spec, body: spec.body, hidden: new Set(), range: null, isLog: false, bands: []});
    this.title = figure.querySelector("figcaption").textContent;
    this.isTime = spec.x.name === "time" && spec.x.unit === "s";
    this.isCurves = spec.layers.some(l => l.kind === "line") && !spec.equal;
    const size = this.isTime ? clock.unit.size : 1, scaled = list => size === 1 ? list : list.map(x => x === null ? null : x / size);
    const at = scaled(spec.at);
    let next = 0;
    this.layers = spec.layers.map(l => ({...l, ...(l.kind === "terrain" && surface ? terrainOf(surface) : {x: l.x ? scaled(l.x) : at}), ...(l.x2 ? {x2: scaled(l.x2)} : {}),
      opacity: l.opacity ?? 1, colour: painted(l.colour || "--c" + next++ % 6)}));
    this.layers = this.layers.filter(l => (l.kind !== "terrain" || l.value) && (l.kind !== "upright" || l.x.some(isNumber)));
    this.unitX = this.isTime ? clock.unit.name : spec.x.unit;
    this.head();
    this.holder = html("div", {class: "drawing", tabindex: 0, role: "img",
      "aria-label": this.title + ": figure of " + [...new Set(this.layers.map(l => l.name).filter(Boolean))].join(", ") + ". Arrow keys read values, plus and minus zoom, 0 shows everything."});
    this.reading = html("p", {class: "reading", "aria-live": "polite"});
    figure.querySelector("figcaption").after(this.holder, this.reading);
    this.listen();
    charts.push(this);
  }

  head() {
    const caption = this.figure.querySelector("figcaption"), keys = html("span", {class: "keys"}, caption);
    if (this.spec.y.unit && !this.spec.y.name) html("span", {class: "unit"}, keys, this.spec.y.unit);
    for (const name of new Set(this.layers.filter(l => l.kind !== "field" && l.kind !== "terrain").map(l => l.name).filter(Boolean))) {
      const layer = this.layers.find(l => l.name === name), key = html("button", {type: "button", "aria-pressed": "true", title: "show or hide"}, keys);
      html("i", {class: ({dots: "round", crosses: "cross", bars: "box", span: "box", area: "box"})[layer.kind] || (layer.dashed ? "dashed" : ""), style: "--k:" + layer.colour + (layer.opacity < 1 ? ";opacity:" + Math.max(0.3, layer.opacity) : "")}, key);
      key.append(name);
      key.addEventListener("click", () => {
        if (!this.hidden.delete(name)) this.hidden.add(name);
        key.setAttribute("aria-pressed", String(!this.hidden.has(name)));
        this.draw();
      });
    }
    const tools = html("span", {class: "tools"}, caption), tool = (name, title, act) => html("button", {type: "button", title}, tools, name).addEventListener("click", act);
    if (this.isCurves) tool("log", "logarithmic, of the size of the values", e => { this.isLog = !this.isLog; e.target.setAttribute("aria-pressed", String(this.isLog)); this.draw(); });
    tool("PNG", "save as a picture", () => this.png().then(url => saved(url, this.title + ".png")));
    tool("SVG", "save as a drawing", () => saved("data:image/svg+xml;charset=utf-8," + encodeURIComponent(this.svgText()), this.title + ".svg"));
    tool("CSV", "save the numbers", () => saved("data:text/csv;charset=utf-8," + encodeURIComponent(this.csv()), this.title + ".csv"));
  }

  visible() { return this.layers.filter(l => !this.hidden.has(l.name)); }

  // All of the x, or what was zoomed to.
  shownX() {
    if (this.isTime && clock.range) return clock.range.map(t => t / clock.unit.size);
    if (this.range) return this.range[0];
    let low = this.spec.x.low ?? Infinity, high = this.spec.x.high ?? -Infinity;
    const hasOwn = low <= high, has = this.visible();
    if (!hasOwn)
      for (const l of has.length ? has : this.layers)
        for (const list of [l.x, l.x2 || []]) for (const x of list) if (isNumber(x) && (!this.spec.x.log || x > 0)) { if (x < low) low = x; if (x > high) high = x; }
    if (!(low <= high)) return [0, 1];
    const room = hasOwn || this.isTime || this.spec.x.log || has.some(l => l.kind === "bars") ? 0 : 0.03 * (high - low);
    return low < high ? [low - room, high + room] : [low - (Math.abs(low) || 1) * 0.1, high + (Math.abs(high) || 1) * 0.1];
  }

  shownY([first, last]) {
    if (this.range && this.range[1]) return this.range[1];
    const {low: least, high: most} = this.spec.y;
    if (isNumber(least) && isNumber(most)) return [least, most];
    let low = Infinity, high = -Infinity, smallest = Infinity;
    const take = y => { if (!isNumber(y)) return; const v = this.isLog ? Math.abs(y) : y; if (v < low) low = v; if (v > high) high = v; if (v > 0 && v < smallest) smallest = v; };
    for (const l of this.visible()) {
      if (l.kind === "across") { l.y.forEach(take); continue; }
      for (const list of [l.y, l.y2]) if (list) for (let i = 0; i < list.length; ++i) if (!l.x || !l.x.length || (l.x[Math.min(i + 1, l.x.length - 1)] >= first && l.x[Math.max(i - 1, 0)] <= last) || l.x2) take(list[i]);
    }
    if (!(low <= high)) return this.isLog ? [0.1, 1] : [0, 1];
    if (this.isLog) return [Math.max(smallest === Infinity ? 0.1 : smallest, high * 1e-18) / 1.3, 1.3 * (high || 1)];
    const size = Math.max(Math.abs(low), Math.abs(high)), room = high - low > 1e-12 * size ? 0.06 * (high - low) : 0.1 * size || 1;
    return [least ?? (low === 0 && this.visible().some(l => l.kind === "bars") ? 0 : low - room), most ?? high + room];
  }

  // Nothing is drawn that nobody sees.
  draw() {
    if (this.figure.hidden || !this.figure.isConnected) return;
    const box = this.holder.getBoundingClientRect();
    this.isStale = !document.documentElement.dataset.printing && (box.bottom < -300 || box.top > innerHeight + 300);
    if (this.isStale) { this.holder.style.minHeight = "220px"; return; }
    this.holder.style.minHeight = "";
    this.paint();
  }

  tickFormat([low, high]) {
    const size = Math.max(Math.abs(low), Math.abs(high)), digits = Math.min(15, Math.max(3, Math.ceil(Math.log10(size / (high - low) || 1)) + 2));
    return v => Math.abs(v) < 1e-9 * (high - low) ? "0" : shown(v, digits, 1e6, 1e-3);
  }

  paint() {
    const {spec} = this, x = this.shownX(), y = this.shownY(x), width = Math.max(260, this.holder.clientWidth), hasRows = isNumber(spec.y.low) && !spec.y.unit && !spec.y.name && !spec.equal;
    const margins = {marginLeft: hasRows ? 14 : 62, marginRight: 14, marginTop: 14, marginBottom: 36};
    const height = spec.equal ? Math.min(700, Math.max(180, (width - 76) * (y[1] - y[0]) / (x[1] - x[0]) + 50)) : hasRows ? Math.max(90, 50 + 36 * (y[1] - y[0])) : this.figure.classList.contains("wide") ? 320 : 220;
    const plain = spec.equal && height === 700 ? {width: Math.min(width, 650 * (x[1] - x[0]) / (y[1] - y[0]) + 76)} : {};
    const label = (axis, unit) => [axis.name, unit].filter(Boolean).join(", ");
    const marks = this.bands.map(band => Plot.rect([0], {x1: [Math.max(band.begin / clock.unit.size, x[0])], x2: [Math.min(band.end / clock.unit.size, x[1])], fill: "var(" + band.colour + ")", fillOpacity: 0.15, insetTop: 0}));
    let colour = null;
    for (const l of this.visible()) {
      const layer = this.isLog && l.kind === "line" ? {...l, y: l.y.map(v => isNumber(v) && v !== 0 ? Math.abs(v) : null)} : l;
      marks.push(...(PAINTERS[l.kind](layer, l.colour, {length: l.x ? l.x.length : 0}, height)));
      if (l.kind === "field") { const between = borders(l.value, 30); colour = {layer: l, stops: FIELD, scale: {type: "threshold", domain: between, range: between.concat(0).map((_, i) => FIELD[Math.floor(i / 30 * 11)])}}; }
      if (l.kind === "terrain") colour = {layer: l, stops: tones(), scale: {type: "linear", range: tones()}};
    }
    const drawn = Plot.plot({...margins, width, height, ...plain, marks, style: {background: "none", fontSize: "11px", overflow: "hidden"}, ...(colour ? {color: colour.scale} : {}),
      x: {domain: x, type: spec.x.log ? "log" : "linear", grid: true, label: label(spec.x, this.unitX), labelArrow: "none", labelAnchor: "right", tickFormat: this.tickFormat(x), ticks: Math.max(3, Math.round(width / 100)), clamp: false},
      y: {domain: y, type: this.isLog ? "log" : "linear", grid: !hasRows, label: spec.y.name ? label(spec.y, spec.y.unit) : null, labelArrow: "none", axis: hasRows ? null : "left", tickFormat: this.tickFormat(y), ticks: 5},
      clip: true});
    this.scales = {x: drawn.scale("x"), y: drawn.scale("y"), left: margins.marginLeft, right: (plain.width || width) - margins.marginRight, top: margins.marginTop, bottom: height - margins.marginBottom};
    this.holder.replaceChildren(drawn);
    this.drawing = drawn;
    this.over = svg("g", {class: "over"}, drawn);
    if (colour) {
      const sorted = colour.layer.value.filter(isNumber).sort((a, b) => a - b), number = i => shown(sorted[i], 4);
      colourBar(this.holder, colour.stops, colour.layer.name + ": " + number(0), number(sorted.length - 1) + (colour.stops === FIELD ? " (median " + number(sorted.length >> 1) + ")" : " m"));
    }
    this.drawOver();
  }

  // The lines that move: the time of the picture, where values are read, what is being zoomed to.
  drawOver() {
    if (!this.over) return;
    const {x, y, left, right, top, bottom} = this.scales;
    this.over.replaceChildren();
    const line = (at, name) => { if (at >= left - 0.5 && at <= right + 0.5) svg("line", {class: name, x1: at, x2: at, y1: top, y2: bottom}, this.over); };
    if (this.isTime && clock.now !== null) line(x.apply(clock.now / clock.unit.size), "now");
    if (this.drag) {
      const [a, b] = this.drag;
      svg("rect", {class: "choice", x: Math.min(a[0], b[0]), width: Math.abs(a[0] - b[0]), y: this.isCurves ? top : Math.min(a[1], b[1]), height: this.isCurves ? bottom - top : Math.abs(a[1] - b[1])}, this.over);
    }
    const at = this.isTime ? clock.cross === null ? null : clock.cross / clock.unit.size : this.cross;
    const text = at === null || at === undefined ? "" : this.read(at, line, (u, v, colour) => svg("circle", {cx: u, cy: v, r: 4, style: "fill:" + colour}, this.over));
    this.reading.textContent = text;
  }

  // What there is at a place in words, and marks where it is read.
  read(at, line, dot) {
    const {x, y} = this.scales, out = [];
    if (this.isCurves) {
      let place = null;
      for (const l of this.visible()) {
        if (l.kind !== "line" || !l.x.length) continue;
        let best = 0;
        for (let i = 0; i < l.x.length; ++i) if (isNumber(l.y[i]) && !(Math.abs(l.x[i] - at) >= Math.abs(l.x[best] - at) && isNumber(l.y[best]))) best = i;
        if (!isNumber(l.y[best])) continue;
        place ??= l.x[best];
        const v = this.isLog ? Math.abs(l.y[best]) : l.y[best];
        dot(x.apply(l.x[best]), y.apply(v), l.colour);
        out.push((l.name || "value") + " " + shown(l.y[best], 7));
      }
      if (place === null) return "";
      line(x.apply(place), "cross");
      return (this.isTime ? "t" : this.spec.x.name || "x") + " = " + shown(place, 9) + " " + this.unitX + ": " + out.join(" · ") + (this.spec.y.unit ? " " + this.spec.y.unit : "");
    }
    const point = this.nearest();
    if (point) {
      dot(x.apply(point.layer.x[point.i]), y.apply(point.layer.y[point.i]), "none");
      if (point.run !== undefined) out.push("run " + point.run);
      return [...out, point.layer.name, "(" + shown(point.layer.x[point.i], 6) + ", " + shown(point.layer.y[point.i], 6) + ") " + (this.spec.x.unit || "")].filter(Boolean).join(" · ");
    }
    const [px, py] = this.pointer || [NaN, NaN], u = x.invert(px), v = y.invert(py);
    for (const l of this.visible().toReversed()) {
      const i = l.kind === "bars" ? l.x.findIndex((_, k) => u >= Math.min(l.x[k], l.x2[k]) && u <= Math.max(l.x[k], l.x2[k]) && (l.texts ? v <= Math.max(l.y[k], l.y2[k]) && v >= Math.min(l.y[k], l.y2[k], isNumber(this.spec.y.low) ? Infinity : 0) : v >= l.y[k] && v <= l.y2[k])) : -1;
      if (i >= 0) return [l.name, shown(l.x[i], 5) + " … " + shown(l.x2[i], 5) + " " + (this.unitX || ""), l.texts && l.texts[i], !l.texts || this.spec.y.unit !== "%" ? "" : shown(l.y2[i], 3) + " %"].filter(Boolean).join(" · ");
      if (l.kind === "field") {
        const rows = l.value.length / l.columns, c = Math.round((u - l.x[0]) / (l.x[1] - l.x[0]) * (l.columns - 1)), r = Math.round((v - l.y[0]) / (l.y[1] - l.y[0]) * (rows - 1)), value = l.value[r * l.columns + c];
        return "(" + shown(u, 4) + ", " + shown(v, 4) + ") · " + (isNumber(value) ? l.name + " " + shown(value, 6) : "inside a body");
      }
    }
    return px >= 0 ? "(" + shown(u, 5) + ", " + shown(v, 5) + ")" : "";
  }

  nearest() {
    const {x, y} = this.scales;
    let best = null, least = NEAR;
    if (this.pointer)
      for (const layer of this.visible())
        if (["dots", "crosses"].includes(layer.kind))
          for (let i = 0; i < layer.x.length; ++i) {
            const d = Math.hypot(x.apply(layer.x[i]) - this.pointer[0], y.apply(layer.y[i]) - this.pointer[1]);
            if (d < least) { least = d; best = {layer, i, run: layer.runs && layer.runs[i]}; }
          }
    return best;
  }

  // Values are read there; null: nowhere.
  setCross(at) {
    if (!this.isTime) { this.cross = at; this.drawOver(); return; }
    clock.cross = at === null ? null : at * clock.unit.size;
    for (const chart of charts) if (chart.isTime && !chart.isStale) chart.drawOver();
  }

  // [[x0, x1], [y0, y1]], or null: everything.
  setRange(range) {
    if (this.isTime) { clock.range = range && range[0].map(t => t * clock.unit.size); clock.zoomed(clock.range); for (const chart of charts) if (chart.isTime) chart.draw(); return; }
    this.range = range && (this.isCurves ? [range[0], null] : range);
    this.draw();
  }

  zoom(factor) {
    const x = this.shownX(), y = this.shownY(x), about = ([a, b]) => [0.5 * (a + b) - 0.5 * (b - a) / factor, 0.5 * (a + b) + 0.5 * (b - a) / factor];
    this.setRange([this.spec.x.log ? about(x.map(Math.log)).map(Math.exp) : about(x), about(y)]);
  }

  listen() {
    const at = e => { const box = this.drawing.getBoundingClientRect(), {left, right, top, bottom} = this.scales; return [Math.min(right, Math.max(left, e.clientX - box.left)), Math.min(bottom, Math.max(top, e.clientY - box.top))]; };
    this.holder.addEventListener("pointerdown", e => { if (this.drawing && e.button === 0 && e.pointerType !== "touch") { this.pressed = at(e); this.holder.setPointerCapture(e.pointerId); } });
    this.holder.addEventListener("pointermove", e => {
      if (!this.drawing) return;
      this.pointer = at(e);
      if (this.pressed && Math.hypot(this.pointer[0] - this.pressed[0], this.pointer[1] - this.pressed[1]) > 5) this.drag = [this.pressed, this.pointer];
      this.setCross(this.scales.x.invert(this.pointer[0]));
    });
    this.holder.addEventListener("pointerleave", () => { this.pointer = null; if (!this.pressed) this.setCross(null); });
    this.holder.addEventListener("pointerup", e => {
      if (!this.drawing) return;
      const {drag} = this, {x, y} = this.scales, isPress = this.pressed || e.pointerType === "touch";
      this.drag = this.pressed = null;
      this.pointer = at(e);
      if (drag) {
        const range = (scale, k) => [drag[0][k], drag[1][k]].map(p => scale.invert(p)).sort((a, b) => a - b);
        this.setRange([range(x, 0), range(y, 1)]);
      } else if (isPress && this.isTime) {
        clock.chosen(x.invert(this.pointer[0]) * clock.unit.size);
      } else if (isPress) {
        const point = this.nearest();
        if (point && point.run !== undefined && this.picked) this.picked(point.run, point.layer);
      }
      this.drawOver();
    });
    this.holder.addEventListener("dblclick", () => this.setRange(null));
    this.holder.addEventListener("keydown", e => {
      const way = {ArrowLeft: -1, ArrowRight: 1}[e.key], curve = this.visible().find(l => l.kind === "line" || l.kind === "dots" || l.kind === "bars");
      if (way && curve) {
        const [low, high] = this.shownX(), before = this.isTime ? clock.cross === null ? null : clock.cross / clock.unit.size : this.cross;
        const now = Math.min(high, Math.max(low, (before ?? (way > 0 ? low : high)) + way * (high - low) / 50));
        this.pointer = [this.scales.x.apply(now), this.scales.y.apply(this.scales.y.domain[0] + 1e-6 * (this.scales.y.domain[1] - this.scales.y.domain[0]))];
        this.setCross(now);
      } else if (e.key === "+" || e.key === "=") this.zoom(1.6);
      else if (e.key === "-") this.zoom(0.625);
      else if (e.key === "0" || e.key === "Escape") this.setRange(null);
      else if (e.key === "Enter" && this.isTime && clock.cross !== null) clock.chosen(clock.cross);
      else return;
      e.preventDefault();
    });
  }

  // The drawing by itself, with the colours of the page.
  svgText() {
    if (!this.drawing || this.isStale) this.paint();
    const copy = this.drawing.cloneNode(true), style = getComputedStyle(this.drawing);
    copy.querySelector(".over").remove();
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("style", "background:" + css("--panel") + ";color:" + css("--soft") + ";font:11px " + style.fontFamily.replaceAll('"', "'"));
    return new XMLSerializer().serializeToString(copy).replace(/var\((--[\w-]+)\)/g, (_, name) => css(name)).replaceAll("currentColor", css("--soft"));
  }

  png() {
    const text = this.svgText(), image = new Image(), canvas = document.createElement("canvas"), width = Number(this.drawing.getAttribute("width")), height = Number(this.drawing.getAttribute("height"));
    Object.assign(canvas, {width: 2 * width, height: 2 * height});
    return new Promise((resolve, reject) => {
      image.onload = () => { canvas.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height); resolve(canvas.toDataURL("image/png")); };
      image.onerror = reject;
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    });
  }

  // Curves over one x side by side; the rest a row a mark. Numbers as in the page, times in its unit.
  csv() {
    const quoted = text => '"' + String(text ?? "").replaceAll('"', '""') + '"', name = quoted(this.spec.x.name + (this.unitX ? " [" + this.unitX + "]" : "")), unit = this.spec.y.unit ? " [" + this.spec.y.unit + "]" : "";
    const curves = this.layers.filter(l => l.kind === "line"), same = curves.length && curves.every(l => l.x.length === curves[0].x.length && l.x.every((x, i) => x === curves[0].x[i]));
    if (same) return [[name, ...curves.map(l => quoted((l.name || "value") + unit))], ...curves[0].x.map((x, i) => [x, ...curves.map(l => l.y[i] ?? "")])].map(row => row.join(",") + "\n").join("");
    const rows = this.layers.filter(l => l.x && !["field", "terrain"].includes(l.kind)).flatMap(l => l.x.map((x, i) => [quoted(l.name || l.kind), x ?? "", l.x2?.[i] ?? "", l.y?.[i] ?? "", l.y2?.[i] ?? "", l.runs?.[i] ?? "", l.texts ? quoted(l.texts[i]) : ""]));
    const fields = this.layers.filter(l => l.kind === "field").flatMap(l => l.value.map((v, i) => [quoted(l.name), l.x[0] + (i % l.columns) / (l.columns - 1) * (l.x[1] - l.x[0]), "", l.y[0] + Math.floor(i / l.columns) / (l.value.length / l.columns - 1) * (l.y[1] - l.y[0]), "", "", v ?? ""]));
    return [[quoted("layer"), name, quoted("to"), quoted((this.spec.y.name || "y") + unit), quoted("to"), quoted("run"), quoted("text")], ...rows, ...fields].map(row => row.join(",") + "\n").join("");
  }
}

// All figures of the page, in one unit of time.
export function startCharts(surface) {
  const found = [...document.querySelectorAll("figure.chart")].map(figure => {
    const script = figure.querySelector("script"), spec = JSON.parse(script.textContent);
    script.remove();
    return [figure, spec];
  });
  let first = Infinity, last = -Infinity;
  for (const [, {x, at, layers}] of found)
    if (x.name === "time" && x.unit === "s") for (const t of [...at, ...layers.flatMap(l => l.kind === "ticks" ? [] : [...(l.x || []), ...(l.x2 || [])])]) { if (t < first) first = t; if (t > last) last = t; }
  if (last > first) clock.unit = timeUnit(last - first);
  for (const [figure, spec] of found) new Chart(figure, spec, surface);
  const all = () => { for (const chart of charts) chart.draw(); };
  const seen = new IntersectionObserver(entries => { for (const e of entries) if (e.isIntersecting) { const chart = charts.find(c => c.figure === e.target); if (chart.isStale !== false) chart.draw(); } }, {rootMargin: "300px"});
  for (const chart of charts) seen.observe(chart.figure);
  let width = 0;
  new ResizeObserver(() => { if (document.body.clientWidth !== width) { width = document.body.clientWidth; all(); } }).observe(document.body);
  addEventListener("beforeprint", () => { document.documentElement.dataset.printing = "yes"; all(); });
  addEventListener("afterprint", () => { delete document.documentElement.dataset.printing; });
  return all;
}
