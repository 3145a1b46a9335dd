// Bodies as they are drawn: each as large as it is and as it is turned.
const BODY_COLOURS = 6;  // of the style, --c0 ...

function bodyColour(index) { return css("--c" + index % BODY_COLOURS); }

// Red, green and blue of a colour #rrggbb.
function channels(colour) { return [1, 3, 5].map(k => parseInt(colour.slice(k, k + 2), 16)); }

// A vector turned by the unit quaternion w x y z.
function turned([w, x, y, z], a) {
  const t = [2 * (y * a[2] - z * a[1]), 2 * (z * a[0] - x * a[2]), 2 * (x * a[1] - y * a[0])];
  return [a[0] + w * t[0] + y * t[2] - z * t[1], a[1] + w * t[1] + z * t[0] - x * t[2], a[2] + w * t[2] + x * t[1] - y * t[0]];
}

function inner(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

function startBodyLegend(legend) {
  for (const body of data.bodies) {
    const item = html("span", {}, legend);
    html("i", {style: "background:var(--c" + body.body % BODY_COLOURS + ")"}, item);
    item.append(bodyName(body.body));
  }
  byId("view-hint").textContent = "Drag to turn, Shift-drag to move, wheel to zoom. Bodies are to scale; the dark spot is on a body's own x axis.";
}

// Facets of a body at a place that face the eye of a scene, on the screen. colour: red, green and blue.
function bodyFacets(scene, {x, y, z}, q, axes, colour) {
  const {v, f} = data.sphere, {r, u, f: forward} = scene.now, points = [], out = [];
  const light = [0, 1, 2].map(k => -0.45 * r[k] + 0.55 * u[k] - 0.7 * forward[k]);
  for (let i = 0; i < v.length; i += 3) {
    const d = turned(q, [axes[0] * v[i], axes[1] * v[i + 1], axes[2] * v[i + 2]]);
    points.push(scene.project(x + d[0], y + d[1], z + d[2]));
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
