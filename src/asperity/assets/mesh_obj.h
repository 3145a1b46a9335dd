// Wavefront OBJ: only the triangles of a text file are read.
//
//   v x y z    a vertex; a weight w = 1 or a colour r g b may follow
//   f a b c    a facet by vertex numbers, from 1, or negative from the last vertex backwards; each may be a, a/t, a//n or a/t/n
//
// A facet of more than three corners is cut into a fan of triangles, which keeps its surface where it is convex, as seen along its mean
// normal. Texture, normals, groups and materials (vt vn vp o g s usemtl mtllib) are skipped. Anything else, a polygon that is not convex, a
// number that is not finite, or a vertex that does not exist is an error with its line: a file is read as it is meant, or not at all.
// Source: Wavefront, Advanced Visualizer manual, appendix B1.
#pragma once
#include <string>
#include <string_view>

#include "asperity/geometry/raw_mesh.h"

namespace asperity::assets {

// Coordinates are multiplied by `unit`, the length in m of one unit of the file (1000 for a file in km).
// Throws InputError, with every line that is wrong; also where the file cannot be opened.
geometry::RawMesh read_obj(const std::string& path, double unit = 1);

// The same from text; `name` stands for the file in messages.
geometry::RawMesh parse_obj(std::string_view text, const std::string& name, double unit = 1);

// Coordinates are divided by `unit` and written with as many digits as read back to the same number.
// Throws RuntimeError, with the reason, where the file cannot be written.
void write_obj(const std::string& path, const geometry::RawMesh& mesh, double unit = 1);
std::string format_obj(const geometry::RawMesh& mesh, double unit = 1);

}  // namespace asperity::assets
