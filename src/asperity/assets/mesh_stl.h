// STL: facets given by their coordinates, in text or binary.
//
//   facet normal i j k / outer loop / vertex x y z (three times) / endloop / endfacet, between `solid` and `endsolid`
//   binary: 80 bytes, the number n of facets, n times 50 bytes (normal, three corners as floats, two bytes), little endian
//
// A file whose length is 84 + 50 n bytes is binary, whatever it begins with; one that begins with `solid` is text. Corners whose three
// coordinates have the same bits (after the unit, -0 taken for 0) become one vertex, numbered as they appear; there is no tolerance:
// `asperity shape repair --merge` has one. Stored normals are not used, the order of the corners decides. A facet with two equal corners
// or without area is kept as it stands, so that what checks the mesh names it and `asperity shape repair` drops it.
// Source: 3D Systems, StereoLithography Interface Specification, 1989.
#pragma once
#include <string>
#include <string_view>

#include "asperity/geometry/raw_mesh.h"

namespace asperity::assets {

// As parse_obj (mesh_obj.h). Facets know their lines in text files only.
geometry::RawMesh parse_stl(std::string_view bytes, const std::string& name, double unit = 1);

// Text: a binary file would round coordinates to floats. Reads back to the same numbers; unused vertices are lost.
std::string format_stl(const geometry::RawMesh& mesh, double unit = 1);

// Whether the length is that of a binary file with the number of facets that it states.
bool is_binary_stl(std::string_view bytes);

}  // namespace asperity::assets
