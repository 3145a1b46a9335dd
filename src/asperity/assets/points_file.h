// Points in space from a text file: x, y, z in metres, one point per line, separated by commas or blanks.
//
// Empty lines and lines that begin with # are passed over; so is a first line that has no number in it: the names of the columns.
// Further columns are not looked at.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/vec3.h"

namespace asperity::assets {

// Throws InputError, with every line that is wrong; also where the file cannot be opened or has no point.
std::vector<Vec3> read_points(const std::string& path);
std::vector<Vec3> parse_points(std::string_view text, const std::string& name);

}  // namespace asperity::assets
