// Landers over a body: some trajectories, where all runs began, first touched and ended.
class BodyView extends Scene {
  constructor(container, body) {
    super(container, body.surface);
    this.body = body;
    this.hidden = new Set();  // layers that are switched off
    this.chosen = null;       // the number of a run
    this.home = this.overStops();
    this.look("3d");
  }

  // Yaw and pitch from which most stops are seen, not quite from above or below.
  overStops() {
    const sum = [0, 0, 0];
    for (const {xyz} of this.body.stops)
      for (let i = 0; i < xyz.length; i += 3) {
        const r = Math.hypot(xyz[i], xyz[i + 1], xyz[i + 2]) || 1;
        for (let k = 0; k < 3; ++k) sum[k] += xyz[i + k] / r;
      }
    const length = Math.hypot(...sum);
    if (!(length > 0)) return PITCH["3d"];
    return [Math.atan2(sum[0], -sum[1]), Math.min(0.6, Math.max(-0.6, Math.asin(sum[2] / length)))];
  }

  look(name) {
    [this.yaw, this.pitch] = name === "3d" ? this.home : PITCH[name];
    this.fit(this.wanted || "world");
  }

  pathPoints() { return this.body.paths.flatMap(path => path.xyz).concat(this.body.starts); }

  // The body alone, with some room around it: what flies away must not make it a dot.
  fit(what) {
    const all = this.body;
    if (what === "world") this.body = {...all, paths: [], starts: []};
    super.fit(what);
    this.body = all;
    if (what === "world") this.scale *= 0.85;
  }

  drawContent() {
    const body = this.body;
    if (!this.hidden.has("paths")) for (const path of body.paths) if (path.run !== this.chosen) this.drawPath(path);
    if (!this.hidden.has("starts")) this.drawDots(body.starts, css("--soft"), 2.2);
    if (!this.hidden.has("stops"))
      for (const group of body.stops) this.drawDots(group.xyz, css(group.colour), group.good ? 3.4 : 4.4, !group.good);
    if (!this.hidden.has("impacts"))
      for (const path of body.paths) if (path.impact) this.drawRing(path.impact, css(path.colour));
    const chosen = body.paths.find(path => path.run === this.chosen);
    if (chosen && !this.hidden.has("paths")) this.drawPath(chosen);
  }

  drawPath({xyz, colour, run}) {
    const isChosen = run === this.chosen, width = isChosen ? 3 : 1.4;
    this.context.save();
    let line = [], lineHidden = false;
    for (let i = 0; i < xyz.length; i += 3) {
      const point = this.project(xyz[i], xyz[i + 1], xyz[i + 2]), hidden = this.isHidden(point);
      line.push(point);
      if (line.length === 1) { lineHidden = hidden; continue; }
      if (hidden === lineHidden) continue;
      this.strokeLine(line, css(colour), lineHidden, width);
      line = [point];
      lineHidden = hidden;
    }
    this.strokeLine(line, css(colour), lineHidden, width);
    this.context.restore();
  }

  drawDots(xyz, colour, size, isCross) {
    const context = this.context;
    context.fillStyle = context.strokeStyle = colour;
    context.lineWidth = 1.8;
    for (let i = 0; i < xyz.length; i += 3) {
      const point = this.project(xyz[i], xyz[i + 1], xyz[i + 2]);
      context.globalAlpha = this.isHidden(point) ? 0.15 : 0.9;
      context.beginPath();
      if (isCross) {
        context.moveTo(point[0] - size, point[1] - size); context.lineTo(point[0] + size, point[1] + size);
        context.moveTo(point[0] - size, point[1] + size); context.lineTo(point[0] + size, point[1] - size);
        context.stroke();
      } else {
        context.arc(point[0], point[1], size, 0, 2 * Math.PI);
        context.fill();
      }
    }
    context.globalAlpha = 1;
  }

  drawRing(xyz, colour) {
    const context = this.context, point = this.project(...xyz);
    context.globalAlpha = this.isHidden(point) ? 0.25 : 1;
    context.beginPath();
    context.arc(point[0], point[1], 4.5, 0, 2 * Math.PI);
    context.fillStyle = css("--panel");
    context.strokeStyle = colour;
    context.lineWidth = 2.2;
    context.fill();
    context.stroke();
    context.globalAlpha = 1;
  }
}

function pressed(button, is) { button.setAttribute("aria-pressed", is); }

// The buttons under the picture: from where, how near, which layers, which run.
function startBody(body) {
  const view = new BodyView(byId("body-view"), body);
  byId("body-controls").hidden = byId("body-hint").hidden = false;
  for (const button of document.querySelectorAll("#body-controls [data-view]")) button.addEventListener("click", () => view.look(button.dataset.view));
  for (const button of document.querySelectorAll("#body-controls [data-fit]")) button.addEventListener("click", () => view.fit(button.dataset.fit));
  for (const button of document.querySelectorAll("#body-controls [data-layer]"))
    button.addEventListener("click", () => {
      const layer = button.dataset.layer;
      if (!view.hidden.delete(layer)) view.hidden.add(layer);
      pressed(button, !view.hidden.has(layer));
      view.redraw();
    });
  const reading = byId("body-reading"), runs = byId("body-runs");
  const show = () => {
    const path = body.paths.find(p => p.run === view.chosen);
    reading.replaceChildren();
    if (path) {
      reading.textContent = "run " + path.run + " (" + path.outcome + "): ";
      addCopyButton(html("code", {class: "command"}, reading, data.command + path.run));
    } else {
      reading.textContent = body.paths.length ? "Choose a run to follow it." : "";
    }
    view.redraw();
  };
  for (const path of body.paths) {
    const button = html("button", {type: "button", style: "border-color:var(" + path.colour + ")"}, runs, "run " + path.run);
    button.addEventListener("click", () => {
      view.chosen = view.chosen === path.run ? null : path.run;
      for (const other of runs.children) other.classList.toggle("chosen", other === button && view.chosen !== null);
      show();
    });
  }
  new ResizeObserver(() => { view.resize(); view.redraw(); }).observe(view.canvas);
  show();
  return () => view.redraw();
}
