// Light comes over the left shoulder of whoever looks. Colours are those of the page, to the bit: no tone mapping, no colour spaces.
import {Color, DoubleSide, FrontSide, GLSL3, GreaterDepth, LessEqualDepth, ShaderMaterial} from "three";

const LIT = "float lit(vec3 n) { return max(0.0, dot(n, normalize(vec3(-0.45, 0.55, 0.7)))); }\n";

// spots: 2: quarters and a dark spot on the x axis, 1: quarters alone, 0: plain. `isFlat`: facets; `hasColours`: of corners.
export function solidMaterial({colour = "#888888", spots = 0, isFlat = false, hasColours = false, opacity = 1, side = FrontSide, base = 0.4}) {
  return new ShaderMaterial({
    uniforms: {colour: {value: new Color(colour)}, opacity: {value: opacity}, base: {value: base}},
    defines: {SPOTS: spots, FLAT: Number(isFlat), COLOURS: Number(hasColours)},
    side, transparent: opacity < 1, depthWrite: opacity === 1,
    vertexShader: `
varying vec3 vSide, vLocal, vView, vTint;
#if COLOURS
attribute vec3 tint;
#endif
void main() {
  vec4 p = vec4(position, 1.0);
  vec3 n = normal;
#ifdef USE_INSTANCING
  p = instanceMatrix * p;
  n = mat3(instanceMatrix) * n;
#endif
  p = modelViewMatrix * p;
  vSide = normalMatrix * n;
  vLocal = position;
  vView = p.xyz;
#if COLOURS
  vTint = tint;
#endif
  gl_Position = projectionMatrix * p;
}`,
    fragmentShader: LIT + `
uniform vec3 colour;
uniform float opacity, base;
varying vec3 vSide, vLocal, vView, vTint;
void main() {
#if FLAT
  vec3 n = normalize(cross(dFdx(vView), dFdy(vView)));
#else
  vec3 n = normalize(vSide);
#endif
  if (n.z < 0.0) n = -n;
  float tone = 1.0;
#if SPOTS
  tone = vLocal.x * vLocal.y > 0.0 ? 1.0 : 0.78;
#endif
#if SPOTS == 2
  if (vLocal.x > 0.94) tone = 0.35;
#endif
#if COLOURS
  vec3 own = vTint;
#else
  vec3 own = colour;
#endif
  gl_FragColor = vec4(tone * (base + (1.0 - base) * lit(n)) * own, opacity);
}`,
  });
}

// Balls that are squares with the depth of a ball. Orthographic pictures alone. `hasSpots`: it shows how it is turned.
export function ballMaterial(colour, hasSpots = false) {
  return new ShaderMaterial({
    defines: {SPOTS: Number(hasSpots)},
    glslVersion: GLSL3,
    uniforms: {colour: {value: new Color(colour)}, least: {value: 0}},
    vertexShader: `
in vec4 ball;
uniform float least;
out vec2 at;
out float vDepth, vRadius;
void main() {
  vec4 p = modelViewMatrix * vec4(ball.xyz, 1.0);
  vRadius = max(ball.w, least);
  at = position.xy;
  p.xy += vRadius * at;
  vDepth = p.z;
  gl_Position = projectionMatrix * p;
}`,
    fragmentShader: LIT + `
uniform vec3 colour;
uniform mat4 projectionMatrix, modelViewMatrix;
in vec2 at;
in float vDepth, vRadius;
out vec4 painted;
void main() {
  float d = dot(at, at);
  if (d > 1.0) discard;
  vec3 n = vec3(at, sqrt(1.0 - d));
  gl_FragDepth = 0.5 + 0.5 * (projectionMatrix[2][2] * (vDepth + vRadius * n.z) + projectionMatrix[3][2]);
  float tone = 1.0;
#if SPOTS
  vec3 own = n * mat3(modelViewMatrix);  // in the ball's axes
  tone = own.x > 0.94 ? 0.35 : own.x * own.y > 0.0 ? 1.0 : 0.78;
#endif
  painted = vec4(tone * (0.35 + 0.65 * lit(n)) * colour, 1.0);
}`,
  });
}

// Round marks with a rim, crosses, or rings, whose rim has the colour of the mark, of so many pixels. What lies behind something is faint: `isBehind`.
export function dotMaterial({size, rim = 0, rimColour = "#000000", isCross = false, isRing = false, isBehind = false}) {
  return new ShaderMaterial({
    uniforms: {size: {value: size}, ratio: {value: 1}, rim: {value: rim / size}, rimColour: {value: new Color(rimColour)}, opacity: {value: isBehind ? 0.25 : 1}},
    defines: {CROSS: Number(isCross), RING: Number(isRing)},
    transparent: true, depthWrite: false, depthFunc: isBehind ? GreaterDepth : LessEqualDepth,
    vertexShader: `
attribute vec3 tint;
uniform float size, ratio;
varying vec3 vTint;
void main() {
  vTint = tint;
  gl_PointSize = 2.0 * size * ratio;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`,
    fragmentShader: `
uniform vec3 rimColour;
uniform float rim, opacity;
varying vec3 vTint;
void main() {
  vec2 at = 2.0 * gl_PointCoord - 1.0;
#if CROSS
  if (min(abs(at.x - at.y), abs(at.x + at.y)) > 0.4) discard;
  gl_FragColor = vec4(vTint, opacity);
#else
  float d = length(at);
  if (d > 1.0) discard;
  gl_FragColor = vec4((d > 1.0 - rim) == (RING == 1) ? vTint : rimColour, opacity);
#endif
}`,
  });
}

// Lines of so many pixels: a rectangle each, wider by half of that at its ends, so that corners close.
export function lineMaterial({width, isBehind}) {
  return new ShaderMaterial({
    uniforms: {width: {value: width}, pixel: {value: 1}, opacity: {value: isBehind ? 0.25 : 1}},
    transparent: true, depthWrite: false, depthFunc: isBehind ? GreaterDepth : LessEqualDepth, side: DoubleSide,
    vertexShader: `
attribute vec3 from, to, tint;
uniform float width, pixel;
varying vec3 vTint;
void main() {
  vTint = tint;
  vec4 a = modelViewMatrix * vec4(from, 1.0), b = modelViewMatrix * vec4(to, 1.0), p = position.x < 0.0 ? a : b;
  vec2 along = b.xy - a.xy;
  along = dot(along, along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
  p.xy += 0.5 * width * pixel * (position.x * along + position.y * vec2(-along.y, along.x));
  gl_Position = projectionMatrix * p;
}`,
    fragmentShader: `
uniform float opacity;
varying vec3 vTint;
void main() { gl_FragColor = vec4(vTint, opacity); }`,
  });
}
