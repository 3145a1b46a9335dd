// The narrow phase: the table of shape pairs, and the contact points of two colliders.
//
// One file per pair of shapes in geometry/pairs; this is the one place that lists them. A pair that stands in neither order has no narrow
// phase: models with such bodies that can touch are refused when they are compiled (contact/detector.h, missing_pair).
#pragma once
#include "asperity/geometry/mesh.h"
#include "asperity/geometry/pairs/sphere_mesh.h"
#include "asperity/model/shape.h"

namespace asperity::contact {

inline constexpr int most_touches = 16;  // of one pair of colliders at one instant

// Two colliders in the frame of the run; `mesh` is the surface that a MeshShape stands for, in the axes of that collider.
struct ShapePair {
    const model::Shape& a;
    Pose pose_a;
    const model::Shape& b;
    Pose pose_b;
    const geometry::SurfaceView* mesh = nullptr;
    double margin = 0;  // m, contacts with a gap below it are wanted
};

bool has_narrow_phase(const model::Shape& a, const model::Shape& b);

// Fills out[0 .. most_touches) with the contacts of the pair and returns how many; normals point from b to a.
int touches(const ShapePair& pair, geometry::TouchPoint* out);

// Radius of curvature that contact laws take for a shape, m: infinite where it is flat, zero where it is a point; of a cylinder, a cone or
// a capsule its radius, also where a cap touches.
double contact_radius(const model::Shape& shape);

const char* name(const model::Shape& shape);  // "sphere", ...

}  // namespace asperity::contact
