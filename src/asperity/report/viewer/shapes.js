// Bodies as the shapes they are: a unit shape, stretched. Shapes have their axis along z, as in the record.
import {BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, Mesh, Quaternion,
  Sphere, SphereGeometry, Vector3} from "three";
import {ballMaterial, solidMaterial} from "./materials.js";

const ROUND = 40;  // corners of a circle

// So many squares from -1 to 1, each with corners of its own: instances would be as short to write, but software that draws takes as long for
// one as for a hundred triangles.
export function squares(count) {
  const geometry = new BufferGeometry(), corners = new Float32Array(12 * count), index = new Uint32Array(6 * count);
  for (let i = 0; i < count; ++i) {
    corners.set([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 12 * i);
    index.set([0, 1, 2, 0, 2, 3].map(k => 4 * i + k), 6 * i);
  }
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

// Each `width` numbers for the four corners of a square.
export function fourTimes(numbers, width) {
  const out = new Float32Array(4 * numbers.length);
  for (let i = 0; i < out.length; ++i) out[i] = numbers[width * Math.floor(i / (4 * width)) + i % width];
  return out;
}

const upright = geometry => geometry.rotateX(Math.PI / 2);  // theirs is along y

const UNITS = {
  ellipsoid: () => new SphereGeometry(1, ROUND, ROUND / 2),
  box: () => new BoxGeometry(2, 2, 2),
  cylinder: () => upright(new CylinderGeometry(1, 1, 2, ROUND)),
  cone: () => upright(new ConeGeometry(1, 1, ROUND).translate(0, 0.25, 0)),  // about its centre of mass
};
UNITS.sphere = UNITS.ellipsoid;  // of many

// Triangles with corners of their own.
export function meshGeometry({v, f}) {
  const geometry = new BufferGeometry(), corners = new Float32Array(3 * f.length);
  f.forEach((corner, i) => { for (let k = 0; k < 3; ++k) corners[3 * i + k] = v[3 * corner + k]; });
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// Geometry and stretch of a part; null of one that has no volume.
function geometryOf({kind, size, mesh}) {
  if (kind === "capsule") return [upright(new CapsuleGeometry(size[0], 2 * size[2], ROUND / 4, ROUND)), [1, 1, 1]];
  if (UNITS[kind]) return [UNITS[kind](), size];
  return mesh && mesh.f.length ? [meshGeometry(mesh), [1, 1, 1]] : null;
}

// One ball, round at any size, found by lines of sight where it is.
function ballMesh(radius, colour) {
  const geometry = squares(1);
  geometry.setAttribute("ball", new BufferAttribute(fourTimes([0, 0, 0, radius], 4), 4));
  const mesh = new Mesh(geometry, ballMaterial(colour, true));
  mesh.raycast = ({ray}, hits) => {
    const point = ray.intersectSphere(new Sphere(new Vector3().setFromMatrixPosition(mesh.matrixWorld), radius), new Vector3());
    if (point) hits.push({distance: point.distanceTo(ray.origin), point, object: mesh});
  };
  return mesh;
}

const placed = ({p, q}, size) =>
  new Matrix4().compose(new Vector3(...p), new Quaternion(q[1], q[2], q[3], q[0]), new Vector3(...size));

// The largest distance of a point of the part from the origin of its body.
export function reachOf({kind, size, p, mesh}) {
  const own = {box: Math.hypot(...size), cylinder: Math.hypot(size[0], size[2]), cone: Math.hypot(size[0], 0.75 * size[2]), capsule: size[0] + size[2]};
  let reach = own[kind] ?? Math.max(...size);
  if (mesh) for (let i = 0; i < mesh.v.length; i += 3) reach = Math.max(reach, Math.hypot(mesh.v[i], mesh.v[i + 1], mesh.v[i + 2]));
  return Math.hypot(...p) + reach;
}

// A figure; with `count`, so many of it in one, to be placed by matrices. Round shapes show how they are turned.
export function makeFigure(parts, colour, count) {
  const group = new Group();
  for (const part of parts) {
    const isBall = part.kind === "sphere" && !count, made = isBall ? [null, [1, 1, 1]] : geometryOf(part);
    if (!made) continue;
    const [geometry, size] = made, spots = ["sphere", "ellipsoid"].includes(part.kind) ? 2 : ["cylinder", "cone", "capsule"].includes(part.kind) ? 1 : 0;
    const material = isBall ? null : solidMaterial({colour, spots});
    const mesh = isBall ? ballMesh(part.size[0], colour) : count ? new InstancedMesh(geometry, material, count) : new Mesh(geometry, material);
    const own = placed(part, size);
    if (count) geometry.applyMatrix4(own); else { mesh.matrix.copy(own); mesh.matrixAutoUpdate = false; }
    mesh.frustumCulled = false;
    group.add(mesh);
  }
  return group;
}
