// Plots over a shared time axis: drag zooms all, double click shows everything, hovering reads values, contact modes lie behind as bands.
const MARGIN = {left: 58, right: 10, top: 16, bottom: 24};
const PLOT_HEIGHT = 210;

function tickText(value, step, exponent) {
  const scale = Math.pow(10, exponent);
  const decimals = Math.max(0, Math.min(12, -Math.floor(Math.log10(step / scale) + 1e-9)));
  return (value / scale).toFixed(decimals).replace("-", "−").replace(/^−(0(?:\.0+)?)$/, "$1");
}

class Plot {
  constructor(parent, index) {
    this.index = index;
    this.hidden = new Set();
    this.element = html("div", {class: "plot"}, parent);
    this.heading = html("h3", {}, this.element);
    this.svg = svg("svg", {}, this.element);
    this.svg.addEventListener("pointerdown", e => this.press(e));
    this.svg.addEventListener("pointermove", e => this.move(e));
    this.svg.addEventListener("pointerup", e => this.release(e));
    this.svg.addEventListener("pointerleave", () => { if (this.start === undefined) showCross(null); });
    this.svg.addEventListener("dblclick", () => app.setRange(app.span[0], app.span[1]));
    this.head();
  }

  get data() { return app.body.plots[this.index]; }

  head() {
    this.heading.textContent = this.data.title;
    html("span", {class: "unit"}, this.heading, this.data.unit);
    if (this.data.note) html("span", {class: "unit"}, this.heading, this.data.note);
    if (this.data.series.length < 2) return;
    const keys = html("span", {class: "keys"}, this.heading);
    this.data.series.forEach((series, k) => {
      const key = html("button", {type: "button", "aria-pressed": String(!this.hidden.has(k)), title: "show or hide"}, keys);
      html("i", {style: "background:var(--c" + k + ")"}, key);
      key.append(series.name);
      key.addEventListener("click", () => {
        if (this.hidden.has(k)) this.hidden.delete(k); else this.hidden.add(k);
        key.setAttribute("aria-pressed", String(!this.hidden.has(k)));
        this.draw();
      });
    });
  }

  x(t) { return MARGIN.left + (t - app.range[0]) / (app.range[1] - app.range[0]) * (this.width - MARGIN.left - MARGIN.right); }
  timeAt(x) { return app.range[0] + (x - MARGIN.left) / (this.width - MARGIN.left - MARGIN.right) * (app.range[1] - app.range[0]); }
  y(v) { return PLOT_HEIGHT - MARGIN.bottom - (v - this.low) / (this.high - this.low) * (PLOT_HEIGHT - MARGIN.top - MARGIN.bottom); }

  // Rows that the range shows, with one more on each side so that curves run to the edge.
  rows() {
    const times = this.data.t;
    const first = indexAt(times, app.range[0]);
    let last = indexAt(times, app.range[1]);
    if (last < times.length - 1) ++last;
    return [first, last];
  }

  findLimits(first, last) {
    let low = Infinity, high = -Infinity;
    this.data.series.forEach((series, k) => {
      if (this.hidden.has(k)) return;
      for (let i = first; i <= last; ++i) {
        const v = series.v[i];
        if (v === null || v === undefined) continue;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    });
    if (low > high) { low = 0; high = 1; }
    const size = Math.max(Math.abs(low), Math.abs(high));
    const span = high - low;
    const room = span > 1e-12 * size ? 0.06 * span : (0.1 * size || 1);
    this.low = low - room;
    this.high = high + room;
  }

  draw() {
    this.width = Math.max(200, this.svg.clientWidth);
    this.svg.replaceChildren();
    this.svg.setAttribute("viewBox", "0 0 " + this.width + " " + PLOT_HEIGHT);
    const [first, last] = this.rows();
    this.findLimits(first, last);
    const right = this.width - MARGIN.right, bottom = PLOT_HEIGHT - MARGIN.bottom;
    const clip = svg("clipPath", {id: "clip" + this.index}, this.svg);
    svg("rect", {x: MARGIN.left, y: MARGIN.top, width: right - MARGIN.left, height: bottom - MARGIN.top}, clip);
    const inside = svg("g", {"clip-path": "url(#clip" + this.index + ")"}, this.svg);
    this.drawBands(inside, bottom);
    this.drawAxes(right, bottom);
    this.drawCurves(svg("g", {"clip-path": "url(#clip" + this.index + ")"}, this.svg), first, last);
    svg("rect", {class: "frame", x: MARGIN.left, y: MARGIN.top, width: right - MARGIN.left, height: bottom - MARGIN.top}, this.svg);
    this.overlay = svg("g", {"pointer-events": "none"}, this.svg);
    this.drawOverlay();
  }

  drawBands(parent, bottom) {
    for (const [begin, end, mode] of app.body.bands) {
      if (end < app.range[0] || begin > app.range[1]) continue;
      const x0 = this.x(Math.max(begin, app.range[0])), x1 = this.x(Math.min(end, app.range[1]));
      const band = svg("rect", {x: x0, y: MARGIN.top, width: Math.max(0, x1 - x0), height: bottom - MARGIN.top}, parent);
      band.style.fill = "var(" + modeVariable(mode) + ")";
      band.style.fillOpacity = "var(--band)";
    }
  }

  drawAxes(right, bottom) {
    const size = Math.max(Math.abs(this.low), Math.abs(this.high));
    let exponent = Math.floor(Math.log10(size));
    if (exponent < 5 && exponent > -3) exponent = 0;
    const vertical = ticks(this.low, this.high, 4);
    for (const v of vertical.values) {
      const y = this.y(v);
      svg("line", {class: "grid", x1: MARGIN.left, x2: right, y1: y, y2: y}, this.svg);
      svg("text", {x: MARGIN.left - 6, y: y + 4, "text-anchor": "end"}, this.svg).textContent = tickText(v, vertical.step, exponent);
    }
    if (exponent !== 0) svg("text", {x: MARGIN.left, y: 11}, this.svg).textContent = "× 1e" + exponent;
    const across = ticks(app.range[0], app.range[1], Math.max(2, Math.floor(this.width / 110)));
    const most = Math.max(Math.abs(app.range[0]), Math.abs(app.range[1]));
    let power = Math.floor(Math.log10(most));
    if (power < 7 && power > -3) power = 0;
    for (const t of across.values) {
      const x = this.x(t);
      svg("line", {class: "grid", x1: x, x2: x, y1: MARGIN.top, y2: bottom}, this.svg);
      svg("text", {x: x, y: bottom + 15, "text-anchor": "middle"}, this.svg).textContent = tickText(t, across.step, power);
    }
    svg("text", {x: right, y: 11, "text-anchor": "end"}, this.svg).textContent = power === 0 ? "time, s" : "time, 1e" + power + " s";
  }

  drawCurves(parent, first, last) {
    const times = this.data.t;
    this.data.series.forEach((series, k) => {
      if (this.hidden.has(k)) return;
      let path = "", isDown = false;
      for (let i = first; i <= last; ++i) {
        const v = series.v[i];
        if (v === null || v === undefined) { isDown = false; continue; }
        path += (isDown ? "L" : "M") + this.x(times[i]).toFixed(1) + " " + this.y(v).toFixed(2);
        isDown = true;
      }
      if (!path) return;
      const curve = svg("path", {class: "curve", d: path}, parent);
      curve.style.stroke = "var(--c" + k + ")";
      if (series.name === "total") curve.style.strokeDasharray = "5 3";
    });
  }

  // The lines that move: the chosen time, the time under the pointer with its values, the stretch that is being chosen.
  drawOverlay() {
    if (!this.overlay) return;
    this.overlay.replaceChildren();
    const bottom = PLOT_HEIGHT - MARGIN.bottom;
    const line = (t, name) => {
      if (t < app.range[0] || t > app.range[1]) return;
      svg("line", {class: name, x1: this.x(t), x2: this.x(t), y1: MARGIN.top, y2: bottom}, this.overlay);
    };
    line(app.time, "now");
    if (this.start !== undefined && this.end !== undefined) {
      const a = Math.min(this.start, this.end), b = Math.max(this.start, this.end);
      svg("rect", {class: "choice", x: a, y: MARGIN.top, width: b - a, height: bottom - MARGIN.top}, this.overlay);
    }
    if (cross === null || !this.data.t.length) return;
    line(cross, "cross");
    this.drawReading();
  }

  // The row nearest to the pointer, in words.
  drawReading() {
    const times = this.data.t;
    let row = indexAt(times, cross);
    if (row + 1 < times.length && times[row + 1] - cross < cross - times[row]) ++row;
    const lines = [["t", shown(times[row], 9) + " s"]];
    this.data.series.forEach((series, k) => { if (!this.hidden.has(k)) lines.push([series.name, shown(series.v[row], 7), k]); });
    const group = svg("g", {}, this.overlay);
    const back = svg("rect", {rx: 4}, group);
    back.style.fill = "var(--panel)";
    back.style.fillOpacity = "0.92";
    back.style.stroke = "var(--line)";
    let wide = 0;
    lines.forEach(([name, value, k], i) => {
      const text = svg("text", {x: 8, y: 15 + 14 * i}, group);
      text.textContent = name + "  " + value;
      text.style.fill = k === undefined ? "var(--text)" : "var(--c" + k + ")";
      wide = Math.max(wide, text.getComputedTextLength());
    });
    back.setAttribute("width", wide + 16);
    back.setAttribute("height", 14 * lines.length + 8);
    this.data.series.forEach((series, k) => {
      const v = series.v[row];
      if (this.hidden.has(k) || v === null || v === undefined || times[row] < app.range[0] || times[row] > app.range[1]) return;
      const dot = svg("circle", {cx: this.x(times[row]), cy: this.y(v), r: 3}, this.overlay);
      dot.style.fill = "var(--c" + k + ")";
    });
    const x = this.x(cross);
    const left = x + wide + 34 < this.width ? x + 12 : x - wide - 28;
    group.setAttribute("transform", "translate(" + left + "," + (MARGIN.top + 6) + ")");
  }

  place(event) {
    const box = this.svg.getBoundingClientRect();
    return Math.min(Math.max(event.clientX - box.left, MARGIN.left), this.width - MARGIN.right);
  }

  press(event) {
    if (event.button !== 0) return;
    this.start = this.place(event);
    this.end = undefined;
    this.svg.setPointerCapture(event.pointerId);
  }

  move(event) {
    const x = this.place(event);
    if (this.start !== undefined && Math.abs(x - this.start) > 4) this.end = x;
    showCross(this.timeAt(x));
  }

  release(event) {
    if (this.start === undefined) return;
    const [start, end] = [this.start, this.end];
    this.start = this.end = undefined;
    if (end === undefined) { app.setTime(this.timeAt(this.place(event))); return; }
    const a = this.timeAt(Math.min(start, end)), b = this.timeAt(Math.max(start, end));
    if (b > a) app.setRange(a, b);
  }
}

let cross = null;  // the time under the pointer
let plots = [];

function showCross(t) {
  cross = t;
  for (const plot of plots) plot.drawOverlay();
}

function startPlots() {
  if (!app.body.plots.some(plot => plot.t.length > 1)) return;
  byId("plots-section").hidden = false;
  plots = app.body.plots.map((_, index) => new Plot(byId("plots"), index));
  const drawAll = () => { for (const plot of plots) plot.draw(); };
  app.listen(what => {
    if (what === "time") { for (const plot of plots) plot.drawOverlay(); return; }
    if (what === "body") for (const plot of plots) plot.head();
    drawAll();
  });
  new ResizeObserver(drawAll).observe(byId("plots"));
  drawAll();
}
