// Which face of a body is down.
//
// The faces are those of the convex hull of all that touches: corners of boxes and hulls, markers, ends of capsules, centres of spheres,
// rims of cylinders and cones. The face that is down is the one through which the plumb line of the centre of mass leaves the hull,
//   max over faces of (n . d) / h,    n outward unit normal, h its distance from the centre of mass, d the unit vector downwards (1)
// A body that rests on a plane with a face, however steep the plane, rests on that face: else the plumb line would not pass through what it
// touches, and it would tip. On rocks and over steps it is the face that would be down if there were a plane.
// Where it is valid: bodies whose centre of mass is inside the hull; those that are round (one sphere, ellipsoid or capsule) have no faces.
// docs/theory/rigid-steps.md
#pragma once
#include <string>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/model/bodies.h"

namespace asperity::analysis {

class Faces {
public:
    explicit Faces(const model::BodyKind& body);

    bool empty() const { return normals_.empty(); }
    // The number of the face that is down; d: of any length, in the body's own axes.
    std::size_t down(const Vec3& d) const;
    // By its outward normal in the axes in which the body is written down: "+x" to "-z", else its components, "(0.577 0.577 -0.577)";
    // "side" of a cylinder or a cone.
    const std::string& name(std::size_t face) const { return names_[face]; }

private:
    std::vector<Vec3> normals_;  // own axes
    std::vector<double> heights_;
    std::vector<std::string> names_;
};

}  // namespace asperity::analysis
