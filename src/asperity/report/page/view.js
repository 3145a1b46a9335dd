// The paths of bodies over the ground, their events, and everything that there is at the chosen time.
const DOT = 7;           // px, radius of the mark of a body that would else be seen smaller
const PATH_SPAN = 0.04;  // of the whole time, where there are several paths: all of them would cover everything
const BODY_COLOURS = 6;  // of the style, --c0 ...

function bodyColour(index) { return css("--c" + index % BODY_COLOURS); }

function figureOf(body) { return data.figures.find(figure => figure.body >= 0 && body >= figure.body && body < figure.body + figure.count); }

function reachOfBody(body) { return Math.max(0, ...(figureOf(body) || {parts: []}).parts.map(viewer.reachOf)); }

// A mixture of two rows of a path: where it is at a time, and how it is turned; null where there is no number.
function placeAt(path, t) {
  if (!path.t.length) return null;
  const i = indexAt(path.t, t), k = Math.min(i + 1, path.t.length - 1);
  const w = path.t[k] > path.t[i] ? Math.min(1, Math.max(0, (t - path.t[i]) / (path.t[k] - path.t[i]))) : 0;
  const at = name => path[name][i] === null || path[name][k] === null ? NaN : path[name][i] + w * (path[name][k] - path[name][i]);
  const place = {x: at("x"), y: at("y"), z: at("z"), mode: path.mode ? path.mode[i] : 0};
  if (!Number.isFinite(place.x + place.y + place.z)) return null;
  const a = path.q.slice(4 * i, 4 * i + 4), b = path.q.slice(4 * k, 4 * k + 4);
  const sign = a.reduce((sum, x, n) => sum + x * b[n], 0) < 0 ? -1 : 1, q = a.map((x, n) => (1 - w) * x + sign * w * b[n]);
  return {...place, q: q.map(x => x / Math.hypot(...q))};
}

// w x y z
function turned([w, x, y, z], a) {
  const t = [2 * (y * a[2] - z * a[1]), 2 * (z * a[0] - x * a[2]), 2 * (x * a[1] - y * a[0])];
  return [a[0] + w * t[0] + y * t[2] - z * t[1], a[1] + w * t[1] + z * t[0] - x * t[2], a[2] + w * t[2] + x * t[1] - y * t[0]];
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Places of a frame of many bodies: two letters a coordinate (report/scene_data.h).
function unpacked({low, size}, text) {
  const code = new Uint8Array(128), out = new Float32Array(text.length / 2);
  for (let i = 0; i < 64; ++i) code[LETTERS.charCodeAt(i)] = i;
  for (let i = 0; i < out.length; ++i)
    out[i] = low[i % 3] + size[i % 3] * (64 * code[text.charCodeAt(2 * i)] + code[text.charCodeAt(2 * i + 1)]) / 4095;
  return out;
}

// The ground, its half-spaces as rectangles under all of the paths: the record has them under the start alone, as its last vertices.
function shownGround() {
  const surface = {...data.surface, v: data.surface.v.slice()}, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const planes = data.figures.filter(figure => figure.body < 0).flatMap(figure => figure.parts).filter(part => part.kind === "half-space");
  const first = surface.v.length - 12 * planes.length;
  if (!planes.length || first < 0) return surface;
  const take = (k, x, reach) => { low[k] = Math.min(low[k], x - reach); high[k] = Math.max(high[k], x + reach); };
  for (let i = first; i < surface.v.length; ++i) take(i % 3, surface.v[i], 0);
  for (const {body, path} of data.bodies)
    ["x", "y", "z"].forEach((name, k) => { for (const x of path[name]) if (x !== null) take(k, x, reachOfBody(body)); });
  planes.forEach(({p, q}, i) => {
    const middle = low.map((x, k) => 0.5 * (x + high[k])), n = turned(q, [0, 0, 1]), above = inner(n, middle.map((x, k) => x - p[k]));
    const sides = [[1, 0, 0], [0, 1, 0]].map(a => turned(q, a)).map(a => a.map(x => x * 0.5 * a.reduce((sum, c, k) => sum + Math.abs(c) * (high[k] - low[k]), 0)));
    [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([s, t], corner) => {
      for (let k = 0; k < 3; ++k) surface.v[first + 12 * i + 3 * corner + k] = middle[k] - above * n[k] + s * sides[0][k] + t * sides[1][k];
    });
  });
  return surface;
}

class View extends Scene {
  constructor(container) {
    super(container, shownGround(), data.rocks);
    const {stage} = this;
    this.lines = stage.addLines(2.2);
    this.latest = stage.addLines(1.6);
    this.cables = stage.addLines(2);
    this.legs = stage.addLines(2);
    this.marks = stage.addDots({size: 4, rim: 1.5});
    this.dots = stage.addDots({size: DOT, rim: 1.5});
    const parts = body => (figureOf(body) || {parts: []}).parts;
    this.moving = data.bodies.map(({body, path}) => this.figure(body, path, parts(body)));
    this.given = data.given.map(({body, path}) => {
      const isGround = parts(body).some(part => part.kind === "ground");
      return {...this.figure(body, path, parts(body)), ...(isGround ? {object: stage.ground, reach: Infinity} : {}), isGiven: true};
    });
    const still = {t: [0], x: [0], y: [0], z: [0], q: [1, 0, 0, 0]};
    for (const {body, parts: of} of data.figures.filter(figure => figure.body < 0)) this.given.push({...this.figure(body, still, of), isGiven: true});
    this.many = data.groups.map(group => this.group(group, parts(group.first)));
    this.bound = this.worldPoints();
    if (data.surface.closed && !data.given.some(given => parts(given.body).some(part => part.kind === "ground")))
      [this.yaw, this.pitch] = this.over(data.bodies.flatMap(({path}) => path.x.flatMap((x, i) => x === null ? [] : [x, path.y[i], path.z[i]])));
    this.setPath();
    this.fit("path");
  }

  figure(body, path, parts) {
    const markers = parts.filter(part => part.kind === "markers").flatMap(part => {
      const out = [];
      for (let i = 0; part.mesh && i < part.mesh.v.length; i += 3) out.push(turned(part.q, part.mesh.v.slice(i, i + 3)).map((x, k) => x + part.p[k]));
      return out;
    });
    return {body, path, markers, reach: Math.max(0, ...parts.map(viewer.reachOf)), object: Object.assign(this.stage.addFigure(parts, "#888888"), {body})};
  }

  // Spheres are balls; others are figures, not turned.
  group(group, parts) {
    const isBall = parts.length === 1 && parts[0].kind === "sphere", count = group.frames[0].length / 6;
    const places = group.frames.map(text => unpacked(group, text));
    return {...group, places, count, radius: isBall ? parts[0].size[0] : 0, reach: Math.max(0, ...parts.map(viewer.reachOf)),
            balls: isBall ? this.stage.addBalls("#b98a5e") : null, object: isBall ? null : this.stage.addFigure(parts, "#b98a5e", count)};
  }

  pickable() { return [...this.moving, ...this.given, ...this.many].map(m => m.object); }

  // The path that is chosen may be far away from the others: all of them.
  pathPoints() {
    return this.moving.flatMap(m => this.boxed(m, m.path.t.map((_, i) => i))).concat(
      (this.many || []).flatMap(m => [m.low, m.low.map((x, k) => x + m.size[k])].flatMap((corner, k) => corner.map(x => x + (k ? 1 : -1) * m.reach))));
  }

  worldPoints() { return [...View.prototype.pathPoints.call(this), ...this.given.filter(m => Number.isFinite(m.reach)).flatMap(m => this.boxed(m, m.path.t.map((_, i) => i)))]; }

  // "world" is all that there is, or where there is no ground the bodies at the chosen time.
  fit(what) {
    if (what !== "path" && (data.surface.f.length || this.many.length)) this.pathPoints = this.worldPoints;
    else if (what !== "path")
      this.pathPoints = () => [...this.moving, ...this.given].flatMap(m => this.boxed(m, [indexAt(m.path.t, app.time)]));
    super.fit(what);
    delete this.pathPoints;  // that of the class again
  }

  // Ends of the axes of a box around a body at some rows of its path.
  boxed({reach, path: {x, y, z}}, rows) {
    const points = [];
    for (const i of rows) {
      if (x[i] === null || y[i] === null || z[i] === null) continue;
      for (const s of [-reach, reach]) points.push(x[i] + s, y[i], z[i], x[i], y[i] + s, z[i], x[i], y[i], z[i] + s);
    }
    return points;
  }

  // Segments of a path from row to row, and their colours.
  segments({x, y, z}, from, to, colourOf) {
    const points = [], colours = [], is = i => x[i] !== null && y[i] !== null && z[i] !== null;
    for (let i = from; i < to; ++i) {
      if (!is(i) || !is(i + 1)) continue;
      points.push(x[i], y[i], z[i], x[i + 1], y[i + 1], z[i + 1]);
      colours.push(colourOf(i), colourOf(i));
    }
    return [points, colours];
  }

  // The whole path of one body by mode, with what happened to it.
  setPath() {
    const isAlone = data.bodies.length === 1, {path} = app.body, tone = path.mode.map(() => "");
    const colours = data.modes.map((_, mode) => css(modeVariable(mode)));
    path.mode.forEach((mode, i) => { tone[i] = colours[mode] || css("--unknown"); });
    this.lines.set(...this.segments(path, 0, isAlone ? path.t.length - 1 : 0, i => tone[i]));
    // a contact that wanders from facet to facet would cover its path with marks
    const marks = data.events.filter(e => e[2] === app.body.body && data.kinds[e[0]] !== "transfer" && e[3] !== null && e[4] !== null && e[5] !== null);
    this.marks.set(marks.flatMap(e => e.slice(3, 6)), marks.map(e => e[0] === 0 ? css("--panel") : css(modeVariable(e[13]))), css("--text"), isAlone, marks.length > 200 ? 2.4 : 4);
  }

  prepare() {
    const time = app.time, points = [], colours = [], legs = [], legColours = [], at = new Map();
    if (data.bodies.length > 1) this.prepareLatest(time);
    for (const m of [...this.moving, ...this.given]) {
      const place = placeAt(m.path, time);
      m.place = place;
      m.object.visible = place !== null;
      if (!place) continue;
      if (m.body >= 0) at.set(m.body, place);
      const colour = m.isGiven ? "#9aa0a8" : data.bodies.length > 1 ? bodyColour(m.body) : css(modeVariable(place.mode));
      if (!m.isGiven) m.object.visible = m.reach * this.scale > DOT;
      viewer.place(m.object, place, place.q);
      if (m.object !== this.stage.ground) viewer.paint(m.object, colour);
      const dots = m.body < 0 ? [] : m.reach * this.scale <= DOT ? [[0, 0, 0]] : m.markers;
      for (const dot of dots) {
        const d = turned(place.q, dot), p = [place.x + d[0], place.y + d[1], place.z + d[2]];
        points.push(...p);
        colours.push(colour);
        if (m.markers.length) { legs.push(place.x, place.y, place.z, ...p); legColours.push(colour, colour); }
      }
    }
    this.legs.set(legs, legColours);
    this.dots.set(points, colours, css("--text"));
    const ends = [];
    const end = (body, p) => {
      const place = body < 0 ? {x: 0, y: 0, z: 0, q: [1, 0, 0, 0]} : at.get(body);
      return place ? turned(place.q, p).map((x, k) => x + [place.x, place.y, place.z][k]) : null;
    };
    for (const {from, a, to, b} of data.cables) {
      const both = [end(from, a), end(to, b)];
      if (both[0] && both[1]) ends.push(...both[0], ...both[1]);
    }
    this.cables.set(ends, css("--text"));
    for (const m of this.many) this.prepareMany(m, time);
  }

  // So many bodies stand in frames; between two they go straight.
  prepareMany(m, time) {
    const i = indexAt(m.t, time), k = Math.min(i + 1, m.t.length - 1), w = m.t[k] > m.t[i] ? Math.min(1, Math.max(0, (time - m.t[i]) / (m.t[k] - m.t[i]))) : 0;
    const a = m.places[i], b = m.places[k];
    m.now = a.map((x, n) => x + w * (b[n] - x));
    if (!m.balls) return viewer.placeMany(m.object, m.now);
    const balls = new Float32Array(4 * m.count);
    for (let n = 0; n < m.count; ++n) { balls.set(m.now.subarray(3 * n, 3 * n + 3), 4 * n); balls[4 * n + 3] = m.radius; }
    m.balls.set(balls);
  }

  prepareLatest(time) {
    const begin = time - PATH_SPAN * (app.span[1] - app.span[0]), points = [], colours = [];
    for (const {body, path} of data.bodies) {
      const [p, c] = this.segments(path, indexAt(path.t, begin), indexAt(path.t, time), () => bodyColour(body));
      for (const x of p) points.push(x);
      colours.push(...c);
    }
    this.latest.set(points, colours);
  }

  // A small body is near where its mark is; of many, the first on the line of sight.
  picked(hit, x, y, eye, forward) {
    let best = hit, text = hit ? this.told(hit.object.parent, hit) : "";
    for (const m of [...this.moving, ...this.given]) {
      if (!m.place || m.reach * this.scale > DOT) continue;
      const [px, py] = this.project(m.place.x, m.place.y, m.place.z);
      if (Math.hypot(px - x, py - y) <= DOT + 3) { best = null; text = this.told(m.object); }
    }
    let nearest = best ? best.distance : text ? 0 : Infinity;
    for (const m of this.many)
      for (let n = 0; m.balls && n < m.count; ++n) {
        const d = [0, 1, 2].map(k => m.now[3 * n + k] - eye[k]), along = inner(d, forward), off = inner(d, d) - along * along;
        if (off > m.radius * m.radius) continue;
        const depth = along - Math.sqrt(m.radius * m.radius - off);
        if (depth < nearest) {
          nearest = depth;
          text = m.name + " " + (n * m.stride + 1) + " · radius " + lengthText(m.radius) + " · " + pointText([...m.now.subarray(3 * n, 3 * n + 3)]);
        }
      }
    byId("picked").textContent = text;
  }

  told(object, hit) {
    const m = [...this.moving, ...this.given].find(one => one.object === object && object !== this.stage.ground);
    if (!m && object === this.stage.ground)
      return "ground · facet of the picture " + hit.facet + " · " + pointText(hit.point);
    if (!m || m.body < 0) return (data.figures.find(f => f.body === object.body) || {name: "body"}).name + (hit ? " · " + pointText(hit.point) : "");
    const {x, y, z, mode} = m.place, mass = data.masses[m.body], plot = (data.bodies.find(b => b.body === m.body) || {plots: []}).plots.find(p => p.title === "Speed");
    return bodyName(m.body) + (mass ? " · " + shown(mass, 4) + " kg" : "") + " · centre " + pointText([x, y, z]) +
      (plot ? " · " + shown(plot.series[0].v[indexAt(plot.t, app.time)], 4) + " m/s" : "") + (m.isGiven ? "" : " · " + modeName(mode));
  }
}

function pointText(p) { return "(" + p.map(x => shown(x, 5)).join(", ") + ") m"; }

function startBodyLegend(legend) {
  for (const body of data.bodies) {
    const item = html("span", {}, legend);
    html("i", {style: "background:var(--c" + body.body % BODY_COLOURS + ")"}, item);
    item.append(bodyName(body.body));
  }
}

// Up is z over open ground; on a body and in empty space it is away from the centre.
function heightText({x, y, z}) {
  return data.surface.closed || !data.surface.f.length ? "r = " + shown(Math.hypot(x, y, z), 6) + " m" : "z = " + shown(z, 5) + " m";
}

// The slider, the buttons and the bodies that move.
function startView() {
  if (!app.body.path.t.length && !data.surface.f.length && !data.groups.length) return;
  const view = makeScene(byId("view"), () => new View(byId("view")));
  byId("view-hint").hidden = !view;
  byId("view-controls").hidden = false;
  const slider = byId("time"), play = byId("play");
  let playing = null;
  const show = () => {
    slider.min = app.span[0];
    slider.max = app.end;
    slider.disabled = play.disabled = !(app.end > app.span[0]);
    slider.value = app.time;
    const place = placeAt(app.body.path, app.time);
    byId("time-shown").textContent = "t = " + shown(app.time, 7) + " s" + (place ? " · " + modeName(place.mode) + " · " + heightText(place) : "");
    if (view) view.redraw();
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
  app.listen(what => {
    if (view && (what === "body" || what === "theme")) { if (view.recolour) view.recolour(); view.setPath(); }
    if (view && what === "body") view.fit("path");
    if (what !== "range") show();
  });
  show();
  if (!view) return;
  for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => view.look(button.dataset.view));
  for (const button of document.querySelectorAll("[data-fit]")) button.addEventListener("click", () => view.fit(button.dataset.fit));
  new ResizeObserver(() => { view.resize(); view.redraw(); }).observe(view.canvas);
}
