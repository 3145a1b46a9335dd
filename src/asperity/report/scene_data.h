// What the viewer draws beside the paths: figures of bodies, bodies whose motion is given, cables, rocks, and frames of many bodies, as
// JSON.
#pragma once
#include <string>
#include <vector>

#include "asperity/record/record.h"

namespace asperity::report {

// Members of an object, without braces. Figures are those of the first `named` bodies, of groups, of the ground and of given bodies.
std::string scene_json(const record::Record& record, std::size_t named, std::vector<std::string>& notes);

// Coordinates as steps of 1/4095 of the box from `low` on, each as two letters of base64, x y z of one point after the other; a point that
// is not finite as that of the box's lower corner.
std::string packed(const std::vector<Vec3>& points, const Vec3& low, const Vec3& size);

}  // namespace asperity::report
