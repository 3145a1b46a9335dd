// A picture to turn, move and zoom, orthographic: ground with a colour scale, a length scale, picking. Those who extend it add the rest.
import * as viewer from "../viewer/stage.js";
import {colourBar, tones} from "../viewer/chart.js";
import {css, html, roundBelow, shown} from "./shared.js";

export const PITCH = {"3d": [-0.55, 0.42], top: [0, Math.PI / 2], x: [0, 0], y: [Math.PI / 2, 0]};  // yaw, pitch
const TURN = 0.12;  // rad, by a key
export function channels(colour) { return [1, 3, 5].map(k => parseInt(colour.slice(k, k + 2), 16) / 255); }

// What the ground can be coloured by: unit, and the value at each corner of a facet, whose unit normal is n.
function groundValues(surface) {
  const up = surface.closed ? "distance from the centre" : "height";
  const angle = (n, v) => {
    const r = surface.closed ? Math.hypot(...v) || 1 : 1, d = surface.closed ? n[0] * v[0] + n[1] * v[1] + n[2] * v[2] : n[2];
    return Math.acos(Math.min(1, Math.max(-1, d / r))) * 180 / Math.PI;
  };
  return {[up]: ["m", (n, v) => surface.closed ? Math.hypot(...v) : v[2]], [surface.closed ? "angle to the radius" : "slope"]: ["°", angle]};
}

export class Scene {
  // Throws where the browser draws nothing in three dimensions.
  constructor(container, surface, rocks = []) {
    const canvas = document.createElement("canvas");
    this.stage = new viewer.Stage(canvas);
    this.container = container;
    this.canvas = canvas;
    this.surface = surface;
    this.drawn = [];  // when, ms
    this.bound = [];  // points that the picture has room for in depth
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "picture in three dimensions: arrow keys turn, Shift and arrows move, plus and minus zoom, F shows all");
    this.overlay = document.createElement("canvas");
    this.overlay.className = "overlay";
    container.replaceChildren(canvas, this.overlay);
    container.scene = this;  // for tests, and for whoever looks with the browser's tools
    this.stage.setGround(surface);
    if (rocks.length) this.stage.addBalls("#8d8478").set(rocks);
    if (surface.f.length) this.startColours();
    this.listen();
    [this.yaw, this.pitch] = PITCH["3d"];
    this.resize();
  }

  // What "fit" looks at beside the surface, three numbers a point; what changes before each drawing; what was picked, null: nothing.
  pathPoints() { return []; }
  prepare() {}
  picked(hit) {}
  pickable() { return []; }

  startColours() {
    const values = groundValues(this.surface), box = html("div", {class: "colours"}, this.container);
    const choice = html("select", {"aria-label": "the ground is coloured by"}, box);
    for (const name in values) html("option", {}, choice, name);
    const {v, f} = this.surface, corners = f.map(i => [v[3 * i], v[3 * i + 1], v[3 * i + 2]]);
    this.recolour = () => {
      const [unit, of] = values[choice.value], at = new Float64Array(f.length), stops = tones();
      for (let i = 0; i < f.length; i += 3) {
        const [a, b, c] = corners.slice(i, i + 3), p = b.map((x, k) => x - a[k]), q = c.map((x, k) => x - a[k]);
        const n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]], length = Math.hypot(...n) || 1;
        for (let k = 0; k < 3; ++k) at[i + k] = of(n.map(x => x / length), corners[i + k]);
      }
      let least = Infinity, most = -Infinity;
      for (const x of at) { if (x < least) least = x; if (x > most) most = x; }
      const isLevel = !(most - least > 1e-9 * Math.max(Math.abs(least), Math.abs(most)));
      const own = stops.map(channels), colours = new Float32Array(3 * f.length);
      at.forEach((x, i) => {
        const place = isLevel ? 2.4 : Math.min(3.9999, 4 * (x - least) / (most - least)), s = Math.floor(place);
        for (let k = 0; k < 3; ++k) colours[3 * i + k] = own[s][k] + (place - s) * (own[s + 1][k] - own[s][k]);
      });
      this.stage.paintGround(colours);
      [...box.children].slice(1).forEach(part => part.remove());
      colourBar(box, isLevel ? [] : stops, isLevel ? "" : shown(Math.abs(least) < 1e-6 * most ? 0 : least, 3), shown(most, 3) + " " + unit);
    };
    choice.addEventListener("change", () => { this.recolour(); this.redraw(); });
    this.recolour();
  }

  resize() {
    this.width = Math.max(200, this.container.clientWidth);
    this.height = Math.max(150, this.canvas.clientHeight);
    this.stage.resize(this.width, this.height);
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.overlay.width = Math.round(this.width * ratio);
    this.overlay.height = Math.round(this.height * ratio);
    this.overlay.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  // right, up and forward of the screen, in the world
  axes() {
    const cy = Math.cos(this.yaw), sy = Math.sin(this.yaw), cp = Math.cos(this.pitch), sp = Math.sin(this.pitch);
    return {r: [cy, sy, 0], u: [-sy * sp, cy * sp, cp], f: [-sy * cp, cy * cp, -sp]};
  }

  // Yaw and pitch from which most of these points are seen over the centre, not quite from above or below.
  over(points) {
    const sum = [0, 0, 0];
    for (let i = 0; i < points.length; i += 3) {
      const r = Math.hypot(points[i], points[i + 1], points[i + 2]) || 1;
      for (let k = 0; k < 3; ++k) sum[k] += points[i + k] / r;
    }
    const length = Math.hypot(...sum);
    if (!(length > 0)) return PITCH["3d"];
    return [Math.atan2(sum[0], -sum[1]), Math.min(0.6, Math.max(-0.6, Math.asin(sum[2] / length)))];
  }

  fit(what) {
    let points = this.pathPoints();
    if (what === "world" || points.length < 6) points = points.concat(this.surface.v.filter(Number.isFinite));
    if (points.length < 3) points = [0, 0, 0];
    const {r, u} = this.axes();
    const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
    let a0 = Infinity, a1 = -Infinity, b0 = Infinity, b1 = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const p = [points[i], points[i + 1], points[i + 2]], a = inner(p, r), b = inner(p, u);
      for (let k = 0; k < 3; ++k) { least[k] = Math.min(least[k], p[k]); most[k] = Math.max(most[k], p[k]); }
      a0 = Math.min(a0, a); a1 = Math.max(a1, a); b0 = Math.min(b0, b); b1 = Math.max(b1, b);
    }
    // the middle of the picture on the middle of what is seen
    this.centre = [0, 1, 2].map(k => 0.5 * (least[k] + most[k]));
    const da = 0.5 * (a0 + a1) - inner(this.centre, r), db = 0.5 * (b0 + b1) - inner(this.centre, u);
    this.centre = this.centre.map((c, k) => c + da * r[k] + db * u[k]);
    const scale = Math.min(0.84 * this.width / (a1 - a0), 0.74 * this.height / (b1 - b0));
    this.scale = Number.isFinite(scale) && scale > 0 ? scale : 1;
    this.wanted = what;
    this.redraw();
  }

  look(name) {
    [this.yaw, this.pitch] = PITCH[name];
    this.fit(this.wanted);
  }

  redraw() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      const now = performance.now();
      this.isWaiting = false;
      this.drawn = [...(now - this.drawn.at(-1) < 4000 ? this.drawn : []), now].slice(-10);
      this.stage.setCoarse(this.drawn.length > 2 && (this.rate() < 25 || Boolean(this.stillness)));
      clearTimeout(this.stillness);
      this.stillness = this.drawn.length > 2 && setTimeout(() => { this.stillness = null; this.drawn = []; this.stage.setCoarse(false); this.draw(); }, 400);
      this.draw();
    });
  }

  // To pixels of the picture, and pixels of depth.
  project(x, y, z) {
    const {r, u, f} = this.axes(), d = [x - this.centre[0], y - this.centre[1], z - this.centre[2]];
    return [0.5 * this.width + this.scale * inner(d, r), 0.5 * this.height - this.scale * inner(d, u), this.scale * inner(d, f)];
  }

  // Pictures a second, of the last ten that followed each other closely; when the first was drawn: ms since the page was asked for.
  rate() { return this.drawn.length > 1 ? 1000 * (this.drawn.length - 1) / (this.drawn.at(-1) - this.drawn[0]) : Infinity; }

  draw() {
    this.firstDrawn ??= performance.now();
    this.prepare();
    let reach = Math.max(this.width, this.height) / this.scale;
    for (const points of [this.surface.v, this.bound])
      for (let i = 0; i + 2 < points.length; i += 3)
        reach = Math.max(reach, Math.hypot(points[i] - this.centre[0], points[i + 1] - this.centre[1], points[i + 2] - this.centre[2]) || 0);
    this.reach = 1.01 * reach;
    this.stage.draw({...this.axes(), centre: this.centre, scale: this.scale, width: this.width, height: this.height, reach: this.reach});
    this.drawScale();
  }

  // A bar of a round length, and the directions of the axes.
  drawScale() {
    const context = this.overlay.getContext("2d");
    context.clearRect(0, 0, this.width, this.height);
    const length = roundBelow(180 / this.scale);
    const bar = length * this.scale, right = this.width - 16, bottom = this.height - 16;
    const lines = [[[right - bar, bottom - 4], [right - bar, bottom], [right, bottom], [right, bottom - 4]]];
    const texts = [[lengthText(length), right - bar / 2, bottom - 6]];
    const {r, u} = this.axes(), x = 44, y = this.height - 44;
    ["x", "y", "z"].forEach((name, k) => {
      const dx = 28 * r[k], dy = -28 * u[k];
      if (Math.hypot(dx, dy) < 6) return;
      lines.push([[x, y], [x + dx, y + dy]]);
      texts.push([name, x + 1.35 * dx, y + 1.35 * dy + 4]);
    });
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.lineJoin = "round";
    // with a rim, to be read over anything
    for (const [colour, wider] of [["--panel", 3], ["--text", 0]]) {
      context.strokeStyle = context.fillStyle = css(colour);
      context.lineWidth = 1.5 + wider;
      context.beginPath();
      for (const points of lines) points.forEach(([a, b], i) => i ? context.lineTo(a, b) : context.moveTo(a, b));
      context.stroke();
      context.lineWidth = wider;
      for (const text of texts) if (wider) context.strokeText(...text); else context.fillText(...text);
    }
  }

  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + pitch));
    this.redraw();
  }

  move(dx, dy) {
    const {r, u} = this.axes();
    this.centre = this.centre.map((c, k) => c - dx / this.scale * r[k] + dy / this.scale * u[k]);
    this.redraw();
  }

  // What lies under the point stays there.
  zoom(factor, x = 0.5 * this.width, y = 0.5 * this.height) {
    const {r, u} = this.axes(), a = (x - 0.5 * this.width) / this.scale, b = (0.5 * this.height - y) / this.scale;
    this.centre = this.centre.map((c, k) => c + (1 - 1 / factor) * (a * r[k] + b * u[k]));
    this.scale *= factor;
    this.redraw();
  }

  pick(x, y) {
    const {r, u, f} = this.axes(), a = (x - 0.5 * this.width) / this.scale, b = (0.5 * this.height - y) / this.scale;
    const eye = this.centre.map((c, k) => c + a * r[k] + b * u[k] - this.reach * f[k]);
    this.picked(this.stage.pick([this.stage.ground, ...this.pickable()], eye, f), x, y, eye, f);
  }

  // One finger scrolls the page until the picture is tapped, and again when something else is; two fingers zoom.
  listen() {
    const canvas = this.canvas, fingers = new Map();
    let moved = 0;
    const at = e => { const box = canvas.getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
    const hold = is => this.container.classList.toggle("held", is);
    document.addEventListener("pointerdown", e => { if (e.target !== canvas) hold(false); });
    canvas.addEventListener("pointerdown", e => {
      fingers.set(e.pointerId, at(e));
      if (fingers.size === 1) moved = 0;
      canvas.setPointerCapture(e.pointerId);
    });
    const release = e => fingers.delete(e.pointerId);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("pointerup", e => {
      release(e);
      if (moved > 4 || fingers.size) return;
      hold(true);
      this.pick(...at(e));
    });
    canvas.addEventListener("pointermove", e => {
      const last = fingers.get(e.pointerId);
      if (!last) return;
      const now = at(e), dx = now[0] - last[0], dy = now[1] - last[1];
      fingers.set(e.pointerId, now);
      moved += Math.abs(dx) + Math.abs(dy);
      if (fingers.size === 2) {
        const [other] = [...fingers].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
        const before = Math.hypot(last[0] - other[0], last[1] - other[1]), after = Math.hypot(now[0] - other[0], now[1] - other[1]);
        if (before > 0 && after > 0) this.zoom(after / before, 0.5 * (now[0] + other[0]), 0.5 * (now[1] + other[1]));
        this.move(0.5 * dx, 0.5 * dy);
      } else if (e.shiftKey || e.buttons === 2) {
        this.move(dx, dy);
      } else {
        this.turn(-0.008 * dx, 0.008 * dy);
      }
    });
    canvas.addEventListener("contextmenu", e => e.preventDefault());
    canvas.addEventListener("wheel", e => {
      e.preventDefault();
      this.zoom(Math.exp(-0.0015 * e.deltaY), ...at(e));
    }, {passive: false});
    canvas.addEventListener("keydown", e => {
      const [x, y] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[e.key] || [0, 0];
      if (x || y) { if (e.shiftKey) this.move(-40 * x, 40 * y); else this.turn(TURN * x, TURN * y); }
      else if (e.key === "+" || e.key === "=") this.zoom(1.25);
      else if (e.key === "-") this.zoom(0.8);
      else if (e.key === "f" || e.key === "F") this.fit("path");
      else return;
      e.preventDefault();
    });
  }
}

export function inner(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// A length with the unit that keeps the number short.
export function lengthText(metres) {
  const [unit, size] = metres >= 1e3 ? ["km", 1e3] : metres >= 0.1 ? ["m", 1] : metres >= 1e-3 ? ["mm", 1e-3] : ["µm", 1e-6];
  return shown(metres / size, 3) + " " + unit;
}

// The buttons below pictures: from where, and how near.
export function startButtons(root, views) {
  for (const button of root.querySelectorAll("[data-view]")) button.addEventListener("click", () => views.forEach(view => view.look(button.dataset.view)));
  for (const button of root.querySelectorAll("[data-fit]")) button.addEventListener("click", () => views.forEach(view => view.fit(button.dataset.fit)));
}

// A picture, or null and a sentence in its place where the browser has no WebGL.
export function makeScene(container, make) {
  try {
    return make();
  } catch (error) {
    container.replaceChildren(html("p", {class: "note", role: "status"}, undefined,
      "This browser draws nothing in three dimensions (no WebGL: " + error.message + "). Everything else on this page works."));
    return null;
  }
}
