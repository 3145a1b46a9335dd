// Stanford PLY: only the triangles of a text or binary file are read.
//
//   element vertex N   with numbers x, y, z of any type, among other properties, in any order
//   element face N     with a list vertex_indices (or vertex_index) of any integer type; vertices count from 0
//
// Formats ascii (one row a line), binary_little_endian and binary_big_endian 1.0. Other properties and elements are skipped, except
// strips of triangles (tristrips), which are refused. Polygons are cut as in mesh_obj.h. Counts are believed only as far as the file can
// hold them. Anything else is an error, with its line, or its byte (from 0) where the file is binary.
// Source: G. Turk, The PLY Polygon File Format, 1994.
#pragma once
#include <string>
#include <string_view>

#include "asperity/geometry/raw_mesh.h"

namespace asperity::assets {

// As parse_obj (mesh_obj.h). Facets know their lines in ascii files only.
geometry::RawMesh parse_ply(std::string_view bytes, const std::string& name, double unit = 1);

// Little endian, coordinates as doubles: reads back to the same numbers.
std::string format_ply(const geometry::RawMesh& mesh, double unit = 1);

}  // namespace asperity::assets
