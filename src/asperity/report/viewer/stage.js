// A picture in three dimensions, orthographic: ground, figures, balls, lines and marks. From where it is seen is told at each drawing.
import {BackSide, BufferAttribute, BufferGeometry, Color, ColorManagement, Group, InterleavedBuffer, InterleavedBufferAttribute,
  LinearSRGBColorSpace, LineSegments, LineBasicMaterial, Matrix4, Mesh, OrthographicCamera, Points, Raycaster, Scene, Vector3, WebGLRenderer,
  WireframeGeometry} from "three";
import {ballMaterial, dotMaterial, lineMaterial, solidMaterial} from "./materials.js";
import {fourTimes, makeFigure, meshGeometry, squares} from "./shapes.js";

const ROOM = 4;          // px, by which lines and marks are drawn nearer: what touches the ground does not lie behind it
const EDGE_PIXELS = 9;   // edges of facets are drawn where they are longer

ColorManagement.enabled = false;

// Each corner of a list of points with its colour.
function tints(count, colours) {
  const out = new Float32Array(3 * count), known = new Map();
  for (let i = 0; i < count; ++i) {
    const name = typeof colours === "string" ? colours : colours[i];
    if (!known.has(name)) known.set(name, new Color(name));
    known.get(name).toArray(out, 3 * i);
  }
  return out;
}

// Points less the first of them, which keeps digits that single precision would lose.
function nearFirst(points) {
  const first = points.slice(0, 3), out = new Float32Array(points.length);
  for (let i = 0; i < points.length; ++i) out[i] = points[i] - first[i % 3];
  return [new Vector3(...(first.length ? first : [0, 0, 0])), out];
}

// Whether pictures are drawn by a processor, which takes four times as long for smooth edges.
function isSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2"), names = gl && gl.getExtension("WEBGL_debug_renderer_info");
  return Boolean(names) && /swiftshader|llvmpipe|software/i.test(gl.getParameter(names.UNMASKED_RENDERER_WEBGL));
}

export class Stage {
  // Throws where there is no WebGL.
  constructor(canvas) {
    this.renderer = new WebGLRenderer({canvas, antialias: !isSoftware(), alpha: true});
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.setCoarse(false);
    this.scene = new Scene();
    this.camera = new OrthographicCamera();
    this.camera.matrixAutoUpdate = false;
    this.over = new Group();  // lines and marks
    this.scene.add(this.over);
    this.balls = [];
    this.marks = [];
    this.lines = [];
  }

  // The surface: closed ones from outside alone; of others the back is faint, since it must not hide what happens inside.
  setGround(surface) {
    this.ground = new Group();
    this.scene.add(this.ground);
    if (!surface.f.length) return;
    const geometry = meshGeometry(surface), count = surface.f.length;
    geometry.setAttribute("tint", new BufferAttribute(new Float32Array(3 * count), 3));
    const add = options => this.ground.add(new Mesh(geometry, solidMaterial({isFlat: true, hasColours: true, base: 0.5, ...options})));
    add({});
    if (!surface.closed) add({side: BackSide, opacity: 0.12});
    const [front] = this.ground.children;
    front.material.polygonOffset = true;
    front.material.polygonOffsetFactor = front.material.polygonOffsetUnits = 1;
    this.edges = new LineSegments(new WireframeGeometry(geometry), new LineBasicMaterial({color: 0, transparent: true, opacity: 0.14, depthWrite: false}));
    this.ground.add(this.edges);
    const p = geometry.attributes.position.array;
    let sum = 0;
    for (let i = 0; i < p.length; i += 9) sum += Math.hypot(p[i] - p[i + 3], p[i + 1] - p[i + 4], p[i + 2] - p[i + 5]);
    this.edgeLength = sum / (count / 3);
  }

  // Colours of its corners, facet by facet.
  paintGround(colours) {
    const front = this.ground.children[0];
    if (!front) return;
    front.geometry.attributes.tint.array.set(colours);
    front.geometry.attributes.tint.needsUpdate = true;
  }

  addFigure(parts, colour, count) {
    const figure = makeFigure(parts, colour, count);
    this.scene.add(figure);
    return figure;
  }

  // x y z r of each ball.
  addBalls(colour) {
    const mesh = new Mesh(new BufferGeometry(), ballMaterial(colour));
    mesh.frustumCulled = false;
    this.scene.add(mesh);
    this.balls.push(mesh);
    return {
      mesh,
      set: numbers => {
        const all = fourTimes(numbers, 4), known = mesh.geometry.getAttribute("ball");
        if (known && known.array.length === all.length) { known.array.set(all); known.needsUpdate = true; return; }
        mesh.geometry = squares(numbers.length / 4);
        mesh.geometry.setAttribute("ball", new BufferAttribute(all, 4));
      },
    };
  }

  // What is drawn twice: in full, and faint where it lies behind something.
  twice(make) {
    const both = [make(false), make(true)];
    for (const object of both) { object.frustumCulled = false; this.over.add(object); }
    return both;
  }

  // Pairs of points are lines.
  addLines(width) {
    const both = this.twice(isBehind => new Mesh(new BufferGeometry(), lineMaterial({width, isBehind})));
    this.lines.push(...both);
    return {
      set: (points, colours, isShown = true) => {
        const [first, near] = nearFirst(points), geometry = squares(points.length / 6);
        const ends = new InterleavedBuffer(fourTimes(near, 6), 6), tones = new InterleavedBuffer(fourTimes(tints(points.length / 3, colours), 6), 6);
        geometry.setAttribute("from", new InterleavedBufferAttribute(ends, 3, 0));
        geometry.setAttribute("to", new InterleavedBufferAttribute(ends, 3, 3));
        geometry.setAttribute("tint", new InterleavedBufferAttribute(tones, 3, 0));
        both[0].geometry.dispose();
        for (const object of both) { object.geometry = geometry; object.position.copy(first); object.visible = isShown && points.length > 0; }
      },
    };
  }

  addDots(options) {
    const both = this.twice(isBehind => new Points(new BufferGeometry(), dotMaterial({...options, isBehind})));
    for (const object of both) { this.marks.push(object); object.renderOrder = 1; }
    return {
      set: (points, colours, rimColour, isShown = true, size = options.size) => {
        const [first, near] = nearFirst(points), geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(near, 3));
        geometry.setAttribute("tint", new BufferAttribute(tints(points.length / 3, colours), 3));
        both[0].geometry.dispose();
        for (const object of both) {
          object.geometry = geometry;
          object.position.copy(first);
          object.visible = isShown && points.length > 0;
          object.material.uniforms.rimColour.value.set(rimColour || "#000000");
          object.material.uniforms.size.value = size;
        }
      },
    };
  }

  // A fifth of the points, no edges and nothing of what lies behind, while what is drawn moves and takes too long.
  setCoarse(is) {
    if (this.isCoarse !== is) this.renderer.setPixelRatio(is ? 0.45 : Math.min(2, devicePixelRatio || 1));
    this.isCoarse = is;
  }

  resize(width, height) { this.renderer.setSize(width, height, false); }

  // r, u, f: right, up and forward of the picture; `reach`: of everything from the centre.
  draw({r, u, f, centre, scale, width, height, reach}) {
    const {camera} = this;
    camera.left = -0.5 * width / scale; camera.right = -camera.left;
    camera.bottom = -0.5 * height / scale; camera.top = -camera.bottom;
    camera.near = 0; camera.far = 2 * reach;
    camera.updateProjectionMatrix();
    const eye = centre.map((c, k) => c - reach * f[k]);
    camera.matrix.set(r[0], u[0], -f[0], eye[0], r[1], u[1], -f[1], eye[1], r[2], u[2], -f[2], eye[2], 0, 0, 0, 1);
    camera.matrixWorldNeedsUpdate = true;
    this.over.position.set(...f.map(k => -ROOM / scale * k));
    for (const {material} of this.balls) material.uniforms.least.value = 1 / scale;
    for (const {material} of this.marks) material.uniforms.ratio.value = this.renderer.getPixelRatio();
    for (const {material} of this.lines) material.uniforms.pixel.value = 1 / scale;
    for (const {material} of [...this.marks, ...this.lines]) material.visible = !this.isCoarse || material.uniforms.opacity.value === 1;
    if (this.edges) this.edges.visible = this.edgeLength * scale > EDGE_PIXELS && !this.isCoarse;
    this.renderer.render(this.scene, camera);
  }

  // What is first on a line of sight through a point of the picture's plane: {object, point, facet}.
  pick(objects, point, forward) {
    const ray = new Raycaster(new Vector3(...point), new Vector3(...forward));
    const [hit] = ray.intersectObjects(objects.filter(o => o && o.visible), true).filter(h => h.object.isMesh && (h.object.material.uniforms.opacity?.value ?? 1) === 1);
    return hit ? {object: hit.object, point: hit.point.toArray(), facet: hit.faceIndex, distance: hit.distance} : null;
  }
}

// Places a body: where it is, and how it is turned (w x y z).
export function place(object, {x, y, z}, [w, a, b, c]) {
  object.position.set(x, y, z);
  object.quaternion.set(a, b, c, w);
}

export function placeMany(figure, points) {
  const matrix = new Matrix4();
  for (const mesh of figure.children) {
    for (let i = 0; i < points.length; i += 3) mesh.setMatrixAt(i / 3, matrix.makeTranslation(points[i], points[i + 1], points[i + 2]));
    mesh.instanceMatrix.needsUpdate = true;
  }
}

export function paint(figure, colour) { for (const mesh of figure.children) mesh.material.uniforms.colour.value.set(colour); }

export {reachOf} from "./shapes.js";
