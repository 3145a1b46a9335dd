// Landers over a body: some trajectories, where all runs began, first touched and ended.
import {showRun} from "./commands.js";
import {makeScene, PITCH, Scene, startButtons} from "./scene.js";
import {byId, css, html} from "./shared.js";

class BodyView extends Scene {
  constructor(container, body) {
    super(container, body.surface);
    const {stage} = this;
    this.body = body;
    this.hidden = new Set();  // layers that are switched off
    this.chosen = null;       // the number of a run
    this.lines = stage.addLines(1.6);
    this.chosenLine = stage.addLines(3.2);
    this.dots = stage.addDots({size: 2.6});
    this.stops = stage.addDots({size: 3.8});
    this.failures = stage.addDots({size: 5, isCross: true});
    this.rings = stage.addDots({size: 5, rim: 2.2, isRing: true});
    this.bound = this.pathPoints();
    this.home = this.over(body.stops.flatMap(({xyz}) => xyz));
    this.arrange();
    this.look("3d");
  }

  look(name) {
    [this.yaw, this.pitch] = name === "3d" ? this.home : PITCH[name];
    this.fit(this.wanted || "world");
  }

  pathPoints() { return this.body.paths.flatMap(path => path.xyz).concat(this.body.starts); }

  // The body alone, with some room around it: what flies away must not make it a dot.
  fit(what) {
    if (what === "world") this.pathPoints = () => [];
    super.fit(what);
    delete this.pathPoints;
    if (what === "world") this.scale *= 0.85;
  }

  // What is to be seen, after another choice of layers, run or theme.
  arrange() {
    const {body, hidden} = this, shows = layer => !hidden.has(layer);
    for (const isChosen of [false, true]) {
      const points = [], colours = [];
      for (const {xyz, colour, run} of body.paths) {
        if ((run === this.chosen) !== isChosen) continue;
        for (let i = 0; i + 5 < xyz.length; i += 3) {
          for (let k = 0; k < 6; ++k) points.push(xyz[i + k]);
          colours.push(css(colour), css(colour));
        }
      }
      (isChosen ? this.chosenLine : this.lines).set(points, colours, shows("paths"));
    }
    this.dots.set(body.starts, css("--soft"), "", shows("starts"));
    for (const good of [false, true]) {
      const points = [], colours = [];
      for (const group of body.stops.filter(g => g.good === good))
        for (let i = 0; i < group.xyz.length; i += 3) { points.push(...group.xyz.slice(i, i + 3)); colours.push(css(group.colour)); }
      (good ? this.stops : this.failures).set(points, colours, "", shows("stops"));
    }
    const impacts = body.paths.filter(path => path.impact);
    this.rings.set(impacts.flatMap(path => path.impact), impacts.map(path => css(path.colour)), css("--panel"), shows("impacts"));
    this.redraw();
  }

  picked(hit, x, y) {
    let best = 9, run = null;
    for (const path of this.body.paths)
      for (let i = 0; i < path.xyz.length; i += 3) {
        const [px, py] = this.project(path.xyz[i], path.xyz[i + 1], path.xyz[i + 2]), d = Math.hypot(px - x, py - y);
        if (d < best) { best = d; run = path.run; }
      }
    if (run !== null) this.choose(run);
  }
}

// The buttons under the picture: from where, how near, which layers, which run.
export function startBody({body, command}) {
  const view = makeScene(byId("body-view"), () => new BodyView(byId("body-view"), body));
  if (!view) return () => {};
  byId("body-controls").hidden = byId("body-hint").hidden = false;
  startButtons(byId("body-controls"), [view]);
  for (const button of document.querySelectorAll("#body-controls [data-layer]"))
    button.addEventListener("click", () => {
      const layer = button.dataset.layer;
      if (!view.hidden.delete(layer)) view.hidden.add(layer);
      button.setAttribute("aria-pressed", String(!view.hidden.has(layer)));
      view.arrange();
    });
  const reading = byId("body-reading"), runs = byId("body-runs");
  view.choose = run => {
    view.chosen = view.chosen === run ? null : run;
    [...runs.children].forEach((button, k) => button.classList.toggle("chosen", body.paths[k].run === view.chosen));
    const path = body.paths.find(p => p.run === view.chosen);
    reading.textContent = body.paths.length ? "Choose a run to follow it." : "";
    if (path) showRun(reading, "run " + path.run + " (" + path.outcome + ")", command + path.run);
    view.arrange();
  };
  for (const path of body.paths) {
    const button = html("button", {type: "button", style: "border-color:var(" + path.colour + ")"}, runs, "run " + path.run);
    button.addEventListener("click", () => view.choose(path.run));
  }
  new ResizeObserver(() => { view.resize(); view.redraw(); }).observe(view.canvas);
  view.choose(null);
  return () => { if (view.recolour) view.recolour(); view.arrange(); };
}
