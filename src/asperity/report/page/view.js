// The paths of bodies over the ground, their events, and everything that there is at the chosen time.
import * as viewer from "../viewer/stage.js";
import {app, bodyColour, bodyName, figureOf, indexAt, modeName, modeVariable, placeAt, turned, unpacked} from "./run.js";
import {inner, lengthText, Scene} from "./scene.js";
import {byId, css, shown} from "./shared.js";

const DOT = 7;           // px, radius of the mark of a body that would else be seen smaller
const PATH_SPAN = 0.04;  // of the whole time, where there are several paths: all of them would cover everything
const ARROW = 60;        // px, the longest
export const RAMP_COLOURS = ["#30207a", "#2c5f9e", "#1f9384", "#7fb83a", "#f2c81e"];  // of a quantity along a path: ever more light, for all eyes

export const rampColour = part => {
  const place = Math.min(3.999, Math.max(0, 4 * part)), k = Math.floor(place), hex = (c, i) => parseInt(c.slice(1 + 2 * i, 3 + 2 * i), 16);
  return "#" + [0, 1, 2].map(i => Math.round(hex(RAMP_COLOURS[k], i) + (place - k) * (hex(RAMP_COLOURS[k + 1], i) - hex(RAMP_COLOURS[k], i))).toString(16).padStart(2, "0")).join("");
};
export const PATH_COLOURS = {mode: null, speed: path => path.speed, time: path => path.t};

// The ground, its half-spaces as rectangles under all of the paths: the record has them under the start alone, as its last vertices.
function shownGround(run) {
  const surface = {...run.surface, v: run.surface.v.slice()}, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const planes = run.figures.filter(figure => figure.body < 0).flatMap(figure => figure.parts).filter(part => part.kind === "half-space");
  const first = surface.v.length - 12 * planes.length;
  if (!planes.length || first < 0) return surface;
  const take = (k, x, reach) => { low[k] = Math.min(low[k], x - reach); high[k] = Math.max(high[k], x + reach); };
  for (let i = first; i < surface.v.length; ++i) take(i % 3, surface.v[i], 0);
  for (const {body, path} of run.bodies) {
    const reach = Math.max(0, ...(figureOf(run, body) || {parts: []}).parts.map(viewer.reachOf));
    ["x", "y", "z"].forEach((name, k) => { for (const x of path[name]) if (x !== null) take(k, x, reach); });
  }
  planes.forEach(({p, q}, i) => {
    const middle = low.map((x, k) => 0.5 * (x + high[k])), n = turned(q, [0, 0, 1]), above = inner(n, middle.map((x, k) => x - p[k]));
    const sides = [[1, 0, 0], [0, 1, 0]].map(a => turned(q, a)).map(a => a.map(x => x * 0.5 * a.reduce((sum, c, k) => sum + Math.abs(c) * (high[k] - low[k]), 0)));
    [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([s, t], corner) => {
      for (let k = 0; k < 3; ++k) surface.v[first + 12 * i + 3 * corner + k] = middle[k] - above * n[k] + s * sides[0][k] + t * sides[1][k];
    });
  });
  return surface;
}

const product = ([w, x, y, z], [a, b, c, d]) => [w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c, w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a];

export class View extends Scene {
  constructor(container, run) {
    super(container, shownGround(run), run.rocks);
    const {stage} = this;
    Object.assign(this, {run, frame: null, isFollowing: false, colourBy: "mode"});
    this.lines = stage.addLines(2.2);
    this.latest = stage.addLines(1.6);
    this.cables = stage.addLines(2);
    this.legs = stage.addLines(2);
    this.arrows = stage.addLines(2.4);
    this.marks = stage.addDots({size: 4, rim: 1.5});
    this.dots = stage.addDots({size: DOT, rim: 1.5});
    const parts = body => (figureOf(run, body) || {parts: []}).parts;
    this.moving = run.bodies.map(({body, path}) => this.figure(body, path, parts(body)));
    this.given = run.given.map(({body, path}) => {
      const isGround = parts(body).some(part => part.kind === "ground");
      return {...this.figure(body, path, parts(body)), ...(isGround ? {object: stage.ground, reach: Infinity} : {}), isGiven: true};
    });
    const still = {t: [0], x: [0], y: [0], z: [0], q: [1, 0, 0, 0]};
    for (const {body, parts: of} of run.figures.filter(figure => figure.body < 0)) this.given.push({...this.figure(body, still, of), isGiven: true});
    if (!this.given.some(m => m.object === stage.ground)) this.still = {object: stage.ground, path: still};
    this.many = run.groups.map(group => this.group(group, parts(group.first)));
    this.setFrame(null);
    if (run.surface.closed && this.still)
      [this.yaw, this.pitch] = this.over(run.bodies.flatMap(({path}) => path.x.flatMap((x, i) => x === null ? [] : [x, path.y[i], path.z[i]])));
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

  // As seen from a body, which stands still and does not turn; null: as the run was computed. What is seen is known where that body is.
  setFrame(body) {
    const of = [...this.moving, ...this.given].find(m => m.body === body && body !== null);
    this.frame = of ? of.path : null;
    for (const m of [...this.moving, ...this.given]) m.seen = this.frame ? this.seenPath(m.path) : m.path;
    this.bound = this.worldPoints();
    this.setPath();
  }

  seenAt(path, t) {
    const place = placeAt(path, t), frame = this.frame && placeAt(this.frame, t);
    if (!place || !this.frame) return place;
    if (!frame) return null;
    const back = [frame.q[0], -frame.q[1], -frame.q[2], -frame.q[3]], [x, y, z] = turned(back, [place.x - frame.x, place.y - frame.y, place.z - frame.z]);
    return {...place, x, y, z, q: product(back, place.q)};
  }

  seenPath(path) {
    const out = {...path, t: path.t.length > 1 ? path.t : this.frame.t, x: [], y: [], z: [], q: []};
    for (const t of out.t) {
      const place = this.seenAt(path, t);
      for (const name of ["x", "y", "z"]) out[name].push(place ? place[name] : null);
      out.q.push(...(place ? place.q : [1, 0, 0, 0]));
    }
    return out;
  }

  // The path that is chosen may be far away from the others: all of them.
  pathPoints() {
    return this.moving.flatMap(m => this.boxed(m, m.seen.t.map((_, i) => i))).concat(
      this.many.flatMap(m => [m.low, m.low.map((x, k) => x + m.size[k])].flatMap((corner, k) => corner.map(x => x + (k ? 1 : -1) * m.reach))));
  }

  worldPoints() { return [...View.prototype.pathPoints.call(this), ...this.given.filter(m => Number.isFinite(m.reach)).flatMap(m => this.boxed(m, m.seen.t.map((_, i) => i)))]; }

  // "world" is all that there is, or where there is no ground the bodies at the chosen time.
  fit(what) {
    if (what !== "path" && (this.run.surface.f.length || this.many.length)) this.pathPoints = this.worldPoints;
    else if (what !== "path")
      this.pathPoints = () => [...this.moving, ...this.given].flatMap(m => this.boxed(m, [indexAt(m.seen.t, app.time)]));
    super.fit(what);
    delete this.pathPoints;  // that of the class again
  }

  // Ends of the axes of a box around a body at some rows of its path.
  boxed({reach, seen: {x, y, z}}, rows) {
    const points = [];
    for (const i of rows) {
      if (!Number.isFinite(x[i] ?? NaN) || y[i] === null || z[i] === null) continue;
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

  // What a path is coloured by: null where it is the mode, or the body.
  pathScale() {
    const of = PATH_COLOURS[this.colourBy];
    if (!of) return null;
    let low = Infinity, high = -Infinity;
    for (const {path} of this.run.bodies) for (const v of of(path)) if (v !== null) { if (v < low) low = v; if (v > high) high = v; }
    return low <= high ? {of, low, high} : null;
  }

  colourOf(m, scale) {
    if (scale) { const list = scale.of(m.path), span = scale.high - scale.low || 1; return i => rampColour(Math.round(48 * (list[i] - scale.low) / span) / 48); }
    if (this.run.bodies.length > 1) return () => bodyColour(m.body);
    const tones = this.run.modes.map((_, mode) => css(modeVariable(mode)));
    return i => tones[m.path.mode[i]] || css("--unknown");
  }

  // The whole path of one body, with what happened to it: normals of impacts as arrows, as long as they were fast.
  setPath() {
    const {run} = this, isAlone = run.bodies.length === 1, scale = this.pathScale(), m = this.moving[app.body] || this.moving[0];
    if (m) this.lines.set(...this.segments(m.seen, 0, isAlone || scale ? m.seen.t.length - 1 : 0, this.colourOf(m, scale)));
    // a contact that wanders from facet to facet would cover its path with marks
    const isSeen = !this.frame && m, marks = run.events.filter(e => isSeen && e[2] === m.body && run.kinds[e[0]] !== "transfer" && e[3] !== null && e[4] !== null && e[5] !== null);
    this.marks.set(marks.flatMap(e => e.slice(3, 6)), marks.map(e => e[0] === 0 ? css("--panel") : css(modeVariable(e[13]))), css("--text"), isAlone, marks.length > 200 ? 2.4 : 4);
    this.impacts = isSeen && isAlone ? marks.filter(e => e[0] === 0 && e[7] > 0 && e[14] !== null) : [];
    this.fastest = Math.max(...this.impacts.map(e => e[7]), 0);
  }

  // An arrow in the plane of the picture's sight: a line and two barbs.
  arrow(points, colours, from, along, length, colour) {
    const {f} = this.axes(), to = from.map((x, k) => x + along[k] * length), side = [along[1] * f[2] - along[2] * f[1], along[2] * f[0] - along[0] * f[2], along[0] * f[1] - along[1] * f[0]];
    points.push(...from, ...to);
    for (const s of [-1, 1]) points.push(...to, ...to.map((x, k) => x - 0.22 * length * along[k] + s * 0.1 * length * side[k]));
    for (let i = 0; i < 6; ++i) colours.push(colour);
  }

  prepare() {
    const time = app.time, points = [], colours = [], legs = [], legColours = [], at = new Map(), {run} = this;
    if (run.bodies.length > 1) this.prepareLatest(time);
    if (this.still) viewer.place(...(p => [this.still.object, p, p.q])(this.seenAt(this.still.path, time) || {x: 0, y: 0, z: 0, q: [1, 0, 0, 0]}));
    for (const m of [...this.moving, ...this.given]) {
      const place = this.seenAt(m.path, time);
      m.place = place;
      m.object.visible = place !== null;
      if (!place) continue;
      if (m.body >= 0) at.set(m.body, place);
      const colour = m.isGiven ? "#9aa0a8" : run.bodies.length > 1 ? bodyColour(m.body) : css(modeVariable(place.mode));
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
    const followed = this.isFollowing && this.moving[app.body] && this.moving[app.body].place;
    if (followed) this.centre = [followed.x, followed.y, followed.z];
    this.legs.set(legs, legColours);
    this.dots.set(points, colours, css("--text"));
    this.prepareCables(at);
    const tips = [], tones = [];  // normals of the impacts up to now
    for (const e of this.impacts.slice(0, 200))
      if (e[1] <= time) this.arrow(tips, tones, e.slice(3, 6), e.slice(14, 17), ARROW / this.scale * Math.max(0.2, e[7] / this.fastest), css("--soft"));
    this.arrows.set(tips, tones);
    for (const m of this.many) this.prepareMany(m, time);
  }


  prepareCables(at) {
    const ends = [];
    const end = (body, p) => {
      const place = body < 0 ? this.seenAt({t: [0], x: [0], y: [0], z: [0], q: [1, 0, 0, 0]}, app.time) : at.get(body);
      return place ? turned(place.q, p).map((x, k) => x + [place.x, place.y, place.z][k]) : null;
    };
    for (const {from, a, to, b} of this.run.cables) {
      const both = [end(from, a), end(to, b)];
      if (both[0] && both[1]) ends.push(...both[0], ...both[1]);
    }
    this.cables.set(ends, css("--text"));
  }

  // So many bodies stand in frames; between two they go straight.
  prepareMany(m, time) {
    if (m.shownAt === time) return;
    m.shownAt = time;
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
    for (const m of this.moving) {
      const [p, c] = this.segments(m.seen, indexAt(m.seen.t, begin), indexAt(m.seen.t, time), () => bodyColour(m.body));
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
    const {run} = this, m = [...this.moving, ...this.given].find(one => one.object === object && object !== this.stage.ground);
    if (!m && object === this.stage.ground)
      return "ground · facet of the picture " + hit.facet + " · " + pointText(hit.point);
    if (!m || m.body < 0) return (run.figures.find(f => f.body === object.body) || {name: "body"}).name + (hit ? " · " + pointText(hit.point) : "");
    const {x, y, z, mode, speed} = m.place, mass = run.masses[m.body];
    return bodyName(run, m.body) + (mass ? " · " + shown(mass, 4) + " kg" : "") + " · centre " + pointText([x, y, z]) +
      (speed !== null ? " · " + shown(speed, 4) + " m/s" : "") + (m.isGiven ? "" : " · " + modeName(run, mode));
  }
}

function pointText(p) { return "(" + p.map(x => shown(x, 5)).join(", ") + ") m"; }

// Up is z over open ground; on a body and in empty space it is away from the centre.
export function heightText(run, {x, y, z}) {
  return run.surface.closed || !run.surface.f.length ? "r = " + shown(Math.hypot(x, y, z), 6) + " m" : "z = " + shown(z, 5) + " m";
}
