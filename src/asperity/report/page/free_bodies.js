// Bodies in empty space: each as large as it is, where it is at the chosen time and as it is turned, and the latest part of its path.
const BODY_COLOURS = 6;  // of the style, --c0 ...
const PATH_SPAN = 0.04;  // of the whole time: all of a path would cover everything

function bodyColour(index) { return css("--c" + index % BODY_COLOURS); }

// Red, green and blue of a colour #rrggbb.
function channels(colour) { return [1, 3, 5].map(k => parseInt(colour.slice(k, k + 2), 16)); }

// A vector turned by the unit quaternion w x y z.
function turned([w, x, y, z], a) {
  const t = [2 * (y * a[2] - z * a[1]), 2 * (z * a[0] - x * a[2]), 2 * (x * a[1] - y * a[0])];
  return [a[0] + w * t[0] + y * t[2] - z * t[1], a[1] + w * t[1] + z * t[0] - x * t[2], a[2] + w * t[2] + x * t[1] - y * t[0]];
}

function inner(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

function startFreeLegend(legend) {
  for (const body of data.bodies) {
    const item = html("span", {}, legend);
    html("i", {style: "background:var(--c" + body.body % BODY_COLOURS + ")"}, item);
    item.append("body " + bodyNumber(body.body));
  }
  byId("view-hint").textContent = "Drag to turn, Shift-drag to move, wheel to zoom. Bodies are to scale; the dark spot is on a body's own x axis.";
}

class FreeView extends View {
  // The path that is chosen may be far away from the others: "path" is all paths, "world" the bodies at the chosen time.
  pathPoints() { return data.bodies.flatMap(body => this.boxed(body, body.path.t.map((_, i) => i))); }

  fit(what) {
    if (what === "path") { super.fit(what); return; }
    this.pathPoints = () => data.bodies.flatMap(body => this.boxed(body, [indexAt(body.path.t, app.time)]));
    super.fit(what);
    delete this.pathPoints;  // that of the class again
  }

  // Ends of the axes of a box around a body at some rows of its path.
  boxed({body, path: {x, y, z}}, rows) {
    const reach = Math.max(...data.sizes.axes[body]), points = [];
    for (const i of rows) {
      if (x[i] === null || y[i] === null || z[i] === null) continue;
      for (const s of [-reach, reach]) points.push(x[i] + s, y[i], z[i], x[i], y[i] + s, z[i], x[i], y[i], z[i] + s);
    }
    return points;
  }

  drawContent() {
    const context = this.context, begin = app.time - PATH_SPAN * (app.span[1] - app.span[0]);
    for (const body of data.bodies) {
      const {t, x, y, z} = body.path, points = [];
      for (let i = indexAt(t, begin); i <= indexAt(t, app.time); ++i)
        if (x[i] !== null && y[i] !== null && z[i] !== null) points.push(this.project(x[i], y[i], z[i]));
      this.strokeLine(points, bodyColour(body.body), false, body === app.body ? 2 : 1.2);
    }
    const facets = data.bodies.flatMap(body => this.facetsOf(body)).sort((a, b) => b.depth - a.depth);
    context.lineJoin = "round";
    context.lineWidth = 0.7;
    for (const {corners, fill} of facets) {
      context.fillStyle = context.strokeStyle = fill;
      context.beginPath();
      corners.forEach(([x, y], k) => k ? context.lineTo(x, y) : context.moveTo(x, y));
      context.closePath();
      context.fill();
      context.stroke();
    }
  }

  // Those that face the eye, on the screen.
  facetsOf({body, path}) {
    const place = this.ballAt(app.time, path);
    if (!place || place.x === null || place.y === null || place.z === null) return [];
    const q = path.q.slice(4 * place.row, 4 * place.row + 4), axes = data.sizes.axes[body], colour = channels(bodyColour(body));
    const {v, f} = data.sizes.sphere, {r, u, f: forward} = this.now, points = [], out = [];
    const light = [0, 1, 2].map(k => -0.45 * r[k] + 0.55 * u[k] - 0.7 * forward[k]);
    for (let i = 0; i < v.length; i += 3) {
      const d = turned(q, [axes[0] * v[i], axes[1] * v[i + 1], axes[2] * v[i + 2]]);
      points.push(this.project(place.x + d[0], place.y + d[1], place.z + d[2]));
    }
    for (let i = 0; i < f.length; i += 3) {
      const [a, b, c] = f.slice(i, i + 3);
      const middle = [0, 1, 2].map(k => (v[3 * a + k] + v[3 * b + k] + v[3 * c + k]) / 3);
      const normal = turned(q, middle.map((m, k) => m / axes[k])), length = Math.hypot(...normal);
      if (inner(normal, forward) >= 0) continue;
      // quarters, light and dark, and a spot: a plain sphere would not be seen to turn
      const tone = middle[0] > 0.87 ? 0.35 : middle[0] * middle[1] > 0 ? 1 : 0.82;
      const shade = tone * (0.4 + 0.6 * Math.max(0, inner(normal, light) / length));
      out.push({corners: [points[a], points[b], points[c]], depth: points[a][2] + points[b][2] + points[c][2],
                fill: "rgb(" + colour.map(m => Math.round(Math.min(255, shade * (m + 40)))).join(",") + ")"});
    }
    return out;
  }
}
