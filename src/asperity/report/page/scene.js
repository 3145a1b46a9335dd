// A surface seen from anywhere: an orthographic picture on a plain canvas. Facets are painted from far to near; a coarse depth map says what
// lies behind the surface, and that is drawn faint. What is drawn over the surface is the business of those who extend it.
const CELL = 3;  // pixels of the screen per cell of the depth map
const PITCH = {"3d": [-0.55, 0.42], top: [0, Math.PI / 2], x: [0, 0], y: [Math.PI / 2, 0]};  // yaw, pitch

class Scene {
  constructor(container, surface) {
    this.container = container;
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d");
    this.vertices = Float64Array.from(surface.v, v => v === null ? NaN : v);
    this.facets = Uint32Array.from(surface.f);
    this.isClosed = surface.closed;  // no facet is ever seen from behind
    this.count = this.facets.length / 3;
    this.sx = new Float32Array(this.vertices.length / 3);
    this.sy = new Float32Array(this.sx.length);
    this.sd = new Float32Array(this.sx.length);
    this.prepareFacets();
    container.replaceChildren(this.canvas);
    this.listen();
    [this.yaw, this.pitch] = PITCH["3d"];
    this.resize();
  }

  // What "fit" looks at beside the surface, three numbers a point; what is drawn over the surface.
  pathPoints() { return []; }
  drawContent() {}

  // Normals and heights of the facets, once.
  prepareFacets() {
    const v = this.vertices, f = this.facets;
    this.normals = new Float32Array(3 * this.count);
    this.heights = new Float32Array(this.count);
    let low = Infinity, high = -Infinity;
    for (let i = 2; i < v.length; i += 3) { if (v[i] < low) low = v[i]; if (v[i] > high) high = v[i]; }
    for (let i = 0; i < this.count; ++i) {
      const a = 3 * f[3 * i], b = 3 * f[3 * i + 1], c = 3 * f[3 * i + 2];
      const ux = v[b] - v[a], uy = v[b + 1] - v[a + 1], uz = v[b + 2] - v[a + 2];
      const wx = v[c] - v[a], wy = v[c + 1] - v[a + 1], wz = v[c + 2] - v[a + 2];
      const n = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
      const length = Math.hypot(n[0], n[1], n[2]) || 1;
      for (let k = 0; k < 3; ++k) this.normals[3 * i + k] = n[k] / length;
      this.heights[i] = this.isClosed ? 0.7 : high > low ? ((v[a + 2] + v[b + 2] + v[c + 2]) / 3 - low) / (high - low) : 0.5;
    }
  }

  resize() {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this.width = Math.max(200, this.canvas.clientWidth);
    this.height = Math.max(150, this.canvas.clientHeight);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.mapWidth = Math.ceil(this.width / CELL);
    this.mapHeight = Math.ceil(this.height / CELL);
    this.map = new Float32Array(this.mapWidth * this.mapHeight);
  }

  // right, up and forward of the screen, in the world
  axes() {
    const cy = Math.cos(this.yaw), sy = Math.sin(this.yaw), cp = Math.cos(this.pitch), sp = Math.sin(this.pitch);
    return {r: [cy, sy, 0], u: [-sy * sp, cy * sp, cp], f: [-sy * cp, cy * cp, -sp]};
  }

  fit(what) {
    let points = this.pathPoints();
    if (what === "world" || points.length < 6) points = points.concat(Array.from(this.vertices).filter(Number.isFinite));
    if (points.length < 3) points = [0, 0, 0];
    const {r, u} = this.axes();
    const least = [Infinity, Infinity, Infinity], most = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < points.length; i += 3)
      for (let k = 0; k < 3; ++k) {
        if (points[i + k] < least[k]) least[k] = points[i + k];
        if (points[i + k] > most[k]) most[k] = points[i + k];
      }
    this.centre = [0, 1, 2].map(k => 0.5 * (least[k] + most[k]));
    // of the points as seen from here, and the middle of the picture on the middle of what is seen
    let a0 = Infinity, a1 = -Infinity, b0 = Infinity, b1 = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const d = [0, 1, 2].map(k => points[i + k] - this.centre[k]);
      const a = d[0] * r[0] + d[1] * r[1] + d[2] * r[2], b = d[0] * u[0] + d[1] * u[1] + d[2] * u[2];
      a0 = Math.min(a0, a); a1 = Math.max(a1, a); b0 = Math.min(b0, b); b1 = Math.max(b1, b);
    }
    const shift = [0.5 * (a0 + a1), 0.5 * (b0 + b1)];
    this.centre = this.centre.map((c, k) => c + shift[0] * r[k] + shift[1] * u[k]);
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
    requestAnimationFrame(() => { this.isWaiting = false; this.draw(); });
  }

  project(x, y, z) {
    const {r, u, f} = this.now;
    const dx = x - this.centre[0], dy = y - this.centre[1], dz = z - this.centre[2];
    return [0.5 * this.width + this.scale * (dx * r[0] + dy * r[1] + dz * r[2]),
            0.5 * this.height - this.scale * (dx * u[0] + dy * u[1] + dz * u[2]),
            this.scale * (dx * f[0] + dy * f[1] + dz * f[2])];
  }

  draw() {
    this.now = this.axes();
    this.context.clearRect(0, 0, this.width, this.height);
    this.drawSurface();
    this.drawContent();
    this.drawScale();
  }

  drawSurface() {
    this.map.fill(Infinity);
    const v = this.vertices;
    for (let i = 0; i < this.sx.length; ++i)
      [this.sx[i], this.sy[i], this.sd[i]] = this.project(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    const seen = [];
    const depth = new Float32Array(this.count);
    let edges = 0;
    for (let i = 0; i < this.count; ++i) {
      const [a, b, c] = this.facets.subarray(3 * i, 3 * i + 3);
      const x0 = Math.min(this.sx[a], this.sx[b], this.sx[c]), x1 = Math.max(this.sx[a], this.sx[b], this.sx[c]);
      const y0 = Math.min(this.sy[a], this.sy[b], this.sy[c]), y1 = Math.max(this.sy[a], this.sy[b], this.sy[c]);
      if (!(x1 >= 0 && x0 <= this.width && y1 >= 0 && y0 <= this.height) || (this.isClosed && this.faces(i) <= 0)) continue;
      depth[i] = this.sd[a] + this.sd[b] + this.sd[c];
      edges += Math.max(x1 - x0, y1 - y0);
      seen.push(i);
      if (this.faces(i) > 0) this.mapFacet(a, b, c);
    }
    seen.sort((i, k) => depth[k] - depth[i]);
    const showEdges = seen.length > 0 && edges / seen.length > 9;
    this.paint(seen, showEdges);
  }

  // Cosine between the facet's normal and the direction to the eye.
  faces(i) {
    const f = this.now.f;
    return -(this.normals[3 * i] * f[0] + this.normals[3 * i + 1] * f[1] + this.normals[3 * i + 2] * f[2]);
  }

  paint(seen, showEdges) {
    const context = this.context, dark = document.documentElement.dataset.theme === "dark";
    const low = dark ? [62, 70, 84] : [176, 170, 158], high = dark ? [126, 134, 146] : [238, 232, 220];
    const {r, u, f} = this.now;
    const light = [0, 1, 2].map(k => -0.45 * r[k] + 0.55 * u[k] - 0.7 * f[k]);
    context.lineJoin = "round";
    context.lineWidth = 0.7;
    for (const i of seen) {
      const a = this.facets[3 * i], b = this.facets[3 * i + 1], c = this.facets[3 * i + 2];
      const n = this.normals;
      const lit = Math.max(0, n[3 * i] * light[0] + n[3 * i + 1] * light[1] + n[3 * i + 2] * light[2]);
      const shade = 0.5 + 0.5 * lit;
      const isBack = this.faces(i) <= 0;
      const colour = [0, 1, 2].map(k => Math.round(shade * (low[k] + this.heights[i] * (high[k] - low[k]))));
      context.globalAlpha = isBack ? 0.12 : 1;  // a wall seen from behind must not hide what happens inside
      context.fillStyle = "rgb(" + colour.join(",") + ")";
      context.beginPath();
      context.moveTo(this.sx[a], this.sy[a]);
      context.lineTo(this.sx[b], this.sy[b]);
      context.lineTo(this.sx[c], this.sy[c]);
      context.closePath();
      context.fill();
      // without a line of its own colour the ground would shine through between neighbours
      context.strokeStyle = showEdges ? "rgb(" + colour.map(k => Math.round(0.84 * k)).join(",") + ")" : context.fillStyle;
      if (!isBack || showEdges) context.stroke();
    }
    context.globalAlpha = 1;
  }

  // Enters a facet into the depth map, each cell at the farthest depth that the facet has there: contact must not count as hidden.
  mapFacet(a, b, c) {
    const ax = this.sx[a] / CELL, ay = this.sy[a] / CELL, bx = this.sx[b] / CELL, by = this.sy[b] / CELL;
    const cx = this.sx[c] / CELL, cy = this.sy[c] / CELL;
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (Math.abs(area) < 1e-9) return;
    const dx = ((this.sd[b] - this.sd[a]) * (cy - ay) - (this.sd[c] - this.sd[a]) * (by - ay)) / area;
    const dy = ((this.sd[c] - this.sd[a]) * (bx - ax) - (this.sd[b] - this.sd[a]) * (cx - ax)) / area;
    const room = Math.abs(dx) + Math.abs(dy) + CELL;
    const x0 = Math.max(0, Math.floor(Math.min(ax, bx, cx))), x1 = Math.min(this.mapWidth - 1, Math.floor(Math.max(ax, bx, cx)));
    const y0 = Math.max(0, Math.floor(Math.min(ay, by, cy))), y1 = Math.min(this.mapHeight - 1, Math.floor(Math.max(ay, by, cy)));
    for (let y = y0; y <= y1; ++y)
      for (let x = x0; x <= x1; ++x) {
        const px = x + 0.5, py = y + 0.5;
        const p = ((bx - px) * (cy - py) - (cx - px) * (by - py)) / area;
        const q = ((cx - px) * (ay - py) - (ax - px) * (cy - py)) / area;
        if (p < 0 || q < 0 || p + q > 1) continue;
        const d = this.sd[a] + dx * (px - ax) + dy * (py - ay) + room;
        const cell = y * this.mapWidth + x;
        if (d < this.map[cell]) this.map[cell] = d;
      }
  }

  isHidden([x, y, d]) {
    const cx = Math.floor(x / CELL), cy = Math.floor(y / CELL);
    if (cx < 0 || cy < 0 || cx >= this.mapWidth || cy >= this.mapHeight) return false;
    return d > this.map[cy * this.mapWidth + cx];
  }

  // A line through points of the screen; a stretch behind the surface is faint.
  strokeLine(points, colour, hidden, width) {
    if (points.length < 2) return;
    const context = this.context;
    context.beginPath();
    points.forEach(([px, py], i) => i ? context.lineTo(px, py) : context.moveTo(px, py));
    context.globalAlpha = hidden ? 0.25 : 1;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
    context.globalAlpha = 1;
  }

  // A bar of a round length, and the directions of the axes.
  drawScale() {
    const context = this.context;
    const length = ticks(0, 160 / this.scale, 1.2).step;
    const bar = length * this.scale, right = this.width - 16, bottom = this.height - 16;
    context.strokeStyle = context.fillStyle = css("--text");
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(right - bar, bottom - 4); context.lineTo(right - bar, bottom); context.lineTo(right, bottom); context.lineTo(right, bottom - 4);
    context.stroke();
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(shown(length, 3) + " m", right - bar / 2, bottom - 6);
    const {r, u} = this.now;
    const x = 44, y = this.height - 44;
    ["x", "y", "z"].forEach((name, k) => {
      const dx = 28 * r[k], dy = -28 * u[k];
      if (Math.hypot(dx, dy) < 6) return;
      context.beginPath(); context.moveTo(x, y); context.lineTo(x + dx, y + dy); context.stroke();
      context.fillText(name, x + 1.35 * dx, y + 1.35 * dy + 4);
    });
  }

  listen() {
    const canvas = this.canvas;
    let last = null;
    canvas.addEventListener("pointerdown", e => { last = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointerup", () => { last = null; });
    canvas.addEventListener("pointermove", e => {
      if (!last) return;
      const dx = e.clientX - last[0], dy = e.clientY - last[1];
      last = [e.clientX, e.clientY];
      if (e.shiftKey || e.buttons === 2) {
        const {r, u} = this.axes();
        this.centre = this.centre.map((c, k) => c - dx / this.scale * r[k] + dy / this.scale * u[k]);
      } else {
        this.yaw -= 0.008 * dx;
        this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + 0.008 * dy));
      }
      this.redraw();
    });
    canvas.addEventListener("contextmenu", e => e.preventDefault());
    canvas.addEventListener("wheel", e => {
      e.preventDefault();
      const factor = Math.exp(-0.0015 * e.deltaY);
      // what lies under the pointer stays there
      const {r, u} = this.axes();
      const box = canvas.getBoundingClientRect();
      const a = (e.clientX - box.left - 0.5 * this.width) / this.scale, b = (0.5 * this.height - (e.clientY - box.top)) / this.scale;
      this.centre = this.centre.map((c, k) => c + (1 - 1 / factor) * (a * r[k] + b * u[k]));
      this.scale *= factor;
      this.redraw();
    }, {passive: false});
  }
}
