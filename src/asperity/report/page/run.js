// What the parts of a run's page share: reading of its data, and what is being looked at.
import {css} from "./shared.js";

export const MODE_COLOURS = ["--flight", "--slide", "--roll", "--several", "--rest", "--slide", "--slide", "--flight"];

export const modeVariable = mode => MODE_COLOURS[mode] || "--unknown";
export const modeName = (run, mode) => run.modes[mode] || "mode " + mode;
export const bodyColour = index => css("--c" + index % 6);
export const figureOf = (run, body) => run.figures.find(figure => figure.body >= 0 && body >= figure.body && body < figure.body + figure.count);
export const bodyName = (run, index) => run.names[index] || (figureOf(run, index) || {}).name || "body " + index;

// Index of the last time at or before t; 0 where there is none.
export function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}

// When a run begins and ends; of bodies that are told one by one, where there are any, else of many together.
export function timeSpan(run) {
  const lists = run.bodies.map(body => body.path.t.filter(t => t !== null)), all = (lists.some(l => l.length) ? lists : run.groups.map(group => group.t)).filter(l => l.length);
  return all.length ? [Math.min(...all.map(l => l[0])), Math.max(...all.map(l => l[l.length - 1]))] : [0, 0];
}

// Stretches of time that begin with a phase or, where one of them is much longer than the others would show, with the first part of all.
export function stretches(run, [first, last], unit) {
  const begins = [first, ...run.events.filter(e => run.kinds[e[0]] === "phase" && e[1] > first && e[1] < last).map(e => e[1])].filter((t, i, all) => !i || t > all[i - 1]);
  const out = begins.length > 1 && begins.length < 40 ? begins.map((t, i) => ["phase " + (i + 1), [t, begins[i + 1] ?? last]]) : [];
  const ends = run.events.map(e => e[1]).filter(t => t > first).sort((a, b) => a - b), busy = ends[Math.floor(0.9 * ends.length)];
  if (busy < first + 0.2 * (last - first)) out.push(["until " + Number((busy / unit.size).toPrecision(3)) + " " + unit.name + ": nine of ten events", [first, busy]]);
  return out;
}

// w x y z
export function turned([w, x, y, z], a) {
  const t = [2 * (y * a[2] - z * a[1]), 2 * (z * a[0] - x * a[2]), 2 * (x * a[1] - y * a[0])];
  return [a[0] + w * t[0] + y * t[2] - z * t[1], a[1] + w * t[1] + z * t[0] - x * t[2], a[2] + w * t[2] + x * t[1] - y * t[0]];
}

// A mixture of two rows of a path: where it is at a time, and how it is turned; null where there is no number.
export function placeAt(path, t) {
  if (!path.t.length) return null;
  const i = indexAt(path.t, t), k = Math.min(i + 1, path.t.length - 1);
  const w = path.t[k] > path.t[i] ? Math.min(1, Math.max(0, (t - path.t[i]) / (path.t[k] - path.t[i]))) : 0;
  const at = name => path[name][i] === null || path[name][k] === null ? NaN : path[name][i] + w * (path[name][k] - path[name][i]);
  const place = {x: at("x"), y: at("y"), z: at("z"), mode: path.mode ? path.mode[i] : 0, speed: path.speed ? path.speed[i] : null};
  if (!Number.isFinite(place.x + place.y + place.z)) return null;
  const a = path.q.slice(4 * i, 4 * i + 4), b = path.q.slice(4 * k, 4 * k + 4);
  const sign = a.reduce((sum, x, n) => sum + x * b[n], 0) < 0 ? -1 : 1, q = a.map((x, n) => (1 - w) * x + sign * w * b[n]);
  return {...place, q: q.map(x => x / Math.hypot(...q))};
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Places of a frame of many bodies: two letters a coordinate (report/page_data.h).
export function unpacked({low, size}, text) {
  const code = new Uint8Array(128), out = new Float32Array(text.length / 2);
  for (let i = 0; i < 64; ++i) code[LETTERS.charCodeAt(i)] = i;
  for (let i = 0; i < out.length; ++i)
    out[i] = low[i % 3] + size[i % 3] * (64 * code[text.charCodeAt(2 * i)] + code[text.charCodeAt(2 * i + 1)]) / 4095;
  return out;
}

// What is being looked at; every part of the page redraws when it changes.
export const app = {
  body: 0, time: 0, span: [0, 1], listeners: [],
  listen(listener) { this.listeners.push(listener); },
  tell(what) { for (const listener of this.listeners) listener(what); },
  setBody(index) { this.body = index; this.tell("body"); },
  setTime(t) { this.time = Math.min(Math.max(t, this.span[0]), this.span[1]); this.tell("time"); },
  setSpan(span) { this.span = span; this.setTime(this.time); this.tell("span"); },
};
