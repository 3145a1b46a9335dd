// The paths of bodies over the surface, their events, and the bodies at the chosen time.
const DOT = 7;           // px, radius of a body that would else be seen smaller
const PATH_SPAN = 0.04;  // of the whole time, where there are several paths: all of them would cover everything

class View extends Scene {
  constructor(container) {
    super(container, data.surface);
    this.fit("path");
  }

  drawContent() {
    if (data.bodies.length > 1) {
      this.drawLatestPaths();
    } else {
      this.drawPath();
      this.drawMarks();
    }
    this.drawBodies();
  }

  // The path that is chosen may be far away from the others: all of them.
  pathPoints() { return data.bodies.flatMap(body => this.boxed(body, body.path.t.map((_, i) => i))); }

  // "world" is the surface, or where there is none the bodies at the chosen time.
  fit(what) {
    if (what !== "path" && !data.surface.f.length)
      this.pathPoints = () => data.bodies.flatMap(body => this.boxed(body, [indexAt(body.path.t, app.time)]));
    super.fit(what);
    delete this.pathPoints;  // that of the class again
  }

  // Ends of the axes of a box around a body at some rows of its path.
  boxed({body, path: {x, y, z}}, rows) {
    const reach = Math.max(0, ...(data.axes[body] || [])), points = [];
    for (const i of rows) {
      if (x[i] === null || y[i] === null || z[i] === null) continue;
      for (const s of [-reach, reach]) points.push(x[i] + s, y[i], z[i], x[i], y[i] + s, z[i], x[i], y[i], z[i] + s);
    }
    return points;
  }

  drawLatestPaths() {
    const begin = app.time - PATH_SPAN * (app.span[1] - app.span[0]);
    for (const body of data.bodies) {
      const {t, x, y, z} = body.path, points = [];
      for (let i = indexAt(t, begin); i <= indexAt(t, app.time); ++i)
        if (x[i] !== null && y[i] !== null && z[i] !== null) points.push(this.project(x[i], y[i], z[i]));
      this.strokeLine(points, bodyColour(body.body), false, body === app.body ? 2 : 1.2);
    }
  }

  drawPath() {
    const {x, y, z, mode} = app.body.path;
    const stroke = (points, m, hidden) => this.strokeLine(points, css(modeVariable(m)), hidden, 2);
    let run = [], runMode = 0, runHidden = false;
    for (let i = 0; i < x.length; ++i) {
      if (x[i] === null || y[i] === null || z[i] === null) { stroke(run, runMode, runHidden); run = []; continue; }
      const point = this.project(x[i], y[i], z[i]);
      const hidden = this.isHidden(point);
      run.push(point);
      if (run.length === 1) { runMode = mode[i]; runHidden = hidden; continue; }
      // a stretch has the mode that holds from its first point on
      if (mode[i] !== runMode || hidden !== runHidden) {
        stroke(run, runMode, runHidden);
        run = [point];
        runMode = mode[i];
        runHidden = hidden;
      }
    }
    stroke(run, runMode, runHidden);
  }

  drawMarks() {
    const context = this.context;
    // a contact that wanders from facet to facet would cover its path with marks
    const marks = data.events.filter(e => e[2] === app.body.body && data.kinds[e[0]] !== "transfer" && e[3] !== null && e[4] !== null && e[5] !== null);
    const size = marks.length > 200 ? 2 : 3.5;
    for (const event of marks) {
      const point = this.project(event[3], event[4], event[5]);
      const isImpact = event[0] === 0;
      context.globalAlpha = this.isHidden(point) ? 0.25 : 1;
      context.beginPath();
      context.arc(point[0], point[1], isImpact ? size : 0.7 * size, 0, 2 * Math.PI);
      context.lineWidth = 0.4 * size;
      context.fillStyle = isImpact ? css("--panel") : css(modeVariable(event[13]));
      context.strokeStyle = css("--text");
      context.fill();
      context.stroke();
      context.globalAlpha = 1;
    }
  }

  placeAt(t, path = app.body.path) {
    if (!path.t.length) return null;
    const i = indexAt(path.t, t), k = Math.min(i + 1, path.t.length - 1);
    const w = path.t[k] > path.t[i] ? Math.min(1, Math.max(0, (t - path.t[i]) / (path.t[k] - path.t[i]))) : 0;
    const at = name => path[name][i] === null || path[name][k] === null ? null : path[name][i] + w * (path[name][k] - path[name][i]);
    return {x: at("x"), y: at("y"), z: at("z"), mode: path.mode[i], row: w < 0.5 ? i : k};
  }

  // To scale where that can be seen, else as dots.
  drawBodies() {
    const context = this.context, facets = [];
    for (const {body, path} of data.bodies) {
      const place = this.placeAt(app.time, path), axes = data.axes[body];
      if (!place || place.x === null || place.y === null || place.z === null) continue;
      const colour = data.bodies.length > 1 ? bodyColour(body) : css(modeVariable(place.mode));
      if (axes && Math.max(...axes) * this.scale > DOT) {
        const q = path.q ? path.q.slice(4 * place.row, 4 * place.row + 4) : [1, 0, 0, 0];
        facets.push(...bodyFacets(this, place, q, axes, channels(colour)));
      } else {
        this.drawDot(place, colour);
      }
    }
    context.lineJoin = "round";
    context.lineWidth = 0.7;
    for (const {corners, fill} of facets.sort((a, b) => b.depth - a.depth)) {
      context.fillStyle = context.strokeStyle = fill;
      context.beginPath();
      corners.forEach(([x, y], k) => k ? context.lineTo(x, y) : context.moveTo(x, y));
      context.closePath();
      context.fill();
      context.stroke();
    }
  }

  drawDot(place, colour) {
    const [x, y] = this.project(place.x, place.y, place.z);
    const context = this.context;
    const shine = context.createRadialGradient(x - 2.5, y - 2.5, 1, x, y, DOT + 0.5);
    shine.addColorStop(0, "#ffffff");
    shine.addColorStop(1, colour);
    context.beginPath();
    context.arc(x, y, DOT, 0, 2 * Math.PI);
    context.fillStyle = shine;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = css("--text");
    context.stroke();
  }
}

// Up is z over open ground; on a body and in empty space it is away from the centre.
function heightText({x, y, z}) {
  return data.surface.closed || !data.surface.f.length ? "r = " + shown(Math.hypot(x, y, z), 6) + " m" : "z = " + shown(z, 5) + " m";
}

// The slider, the buttons and the bodies that move.
function startView() {
  if (!app.body && !data.surface.f.length) return;
  const view = new View(byId("view"));
  byId("view-hint").hidden = false;
  byId("view-controls").hidden = false;
  const slider = byId("time"), play = byId("play");
  let playing = null;
  const show = () => {
    slider.min = app.span[0];
    slider.max = app.end;
    slider.disabled = play.disabled = !(app.end > app.span[0]);
    slider.value = app.time;
    const place = view.placeAt(app.time);
    byId("time-shown").textContent = place ? "t = " + shown(app.time, 7) + " s · " + modeName(place.mode) + " · " + heightText(place) : "";
    view.redraw();
  };
  slider.addEventListener("input", () => app.setTime(Number(slider.value)));
  const step = now => {
    if (playing === null) return;
    const rate = (app.end - app.span[0]) / 12000;  // the whole run in twelve seconds
    app.setTime(playing.from + (now - playing.began) * rate);
    if (app.time >= app.end) { playing = null; play.textContent = "▶"; return; }
    requestAnimationFrame(step);
  };
  play.addEventListener("click", () => {
    if (playing) { playing = null; play.textContent = "▶"; return; }
    playing = {began: performance.now(), from: app.time >= app.end ? app.span[0] : app.time};
    play.textContent = "❚❚";
    requestAnimationFrame(step);
  });
  for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => view.look(button.dataset.view));
  for (const button of document.querySelectorAll("[data-fit]")) button.addEventListener("click", () => view.fit(button.dataset.fit));
  app.listen(what => { if (what === "body") view.fit("path"); if (what !== "range") show(); });
  new ResizeObserver(() => { view.resize(); view.redraw(); }).observe(view.canvas);
  show();
}
