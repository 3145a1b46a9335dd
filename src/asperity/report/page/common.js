// What the parts of the page share: the data, the chosen body, time and range, and small helpers.
const data = JSON.parse(document.getElementById("data").textContent);
const MODE_COLOURS = ["--flight", "--slide", "--roll", "--several", "--rest", "--slide", "--slide", "--flight"];
const SVG = "http://www.w3.org/2000/svg";

function modeVariable(mode) { return MODE_COLOURS[mode] || "--unknown"; }
function modeName(mode) { return data.modes[mode] || "mode " + mode; }

function bodyName(index) { return data.names[index] || (figureOf(index) || {}).name || "body " + index; }

function svg(tag, attributes, parent) {
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (parent) parent.appendChild(element);
  return element;
}

// Index of the last time at or before t; 0 where there is none.
function indexAt(times, t) {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}

// When the body is told of; where none is, when many together are.
function timesOf(body) {
  const times = body.path.t.filter(t => t !== null);
  return times.length ? times : data.groups.flatMap(group => [group.t[0], group.t[group.t.length - 1]]);
}

function timeSpan(body) {
  const times = timesOf(body);
  if (!times.length) return [0, 1];
  const first = times[0], last = times[times.length - 1];
  return last > first ? [first, last] : [first, first + 1];
}

// When the motion ends, which may be where it begins.
function lastTime(body) {
  const times = timesOf(body);
  return times.length ? times[times.length - 1] : 0;
}

// The one place that holds what is being looked at; every part of the page redraws when it changes.
const app = {
  body: data.bodies[0], time: 0, end: 0, span: [0, 1], range: [0, 1], listeners: [],
  listen(listener) { this.listeners.push(listener); },
  tell(what) { for (const listener of this.listeners) listener(what); },
  setBody(body) {
    this.body = body;
    this.span = timeSpan(body);
    this.range = this.span.slice();
    this.end = lastTime(body);
    this.time = this.end;
    this.tell("body");
  },
  setTime(t) { this.time = Math.min(Math.max(t, this.span[0]), this.end); this.tell("time"); },
  setRange(a, b) { this.range = [a, b]; this.tell("range"); },
};
