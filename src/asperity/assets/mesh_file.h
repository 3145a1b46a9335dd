// Mesh files of all supported formats: Wavefront OBJ, PLY, STL, PDS plate tables.
//
// The content decides where it can (PLY and STL have marks of their own), then the ending of the name (.obj .ply .stl .tab .plt), then
// the first line that is not a comment: `v`, `f` or another key of OBJ, or numbers, for a plate table.
#pragma once
#include <string>
#include <string_view>

#include "asperity/geometry/raw_mesh.h"

namespace asperity::assets {

enum class MeshFormat { obj, ply, stl, pds };

// Throws InputError where neither content nor name tells.
MeshFormat mesh_format(std::string_view bytes, const std::string& name);

// Coordinates are multiplied by `unit`, the length in m of one unit of the file (1000 for a file in km).
// Throws InputError, with every line that is wrong; also where the file cannot be opened.
geometry::RawMesh read_mesh(const std::string& path, double unit = 1);
geometry::RawMesh parse_mesh(std::string_view bytes, const std::string& name, double unit = 1);

// Coordinates are divided by `unit`. The ending of the name decides; a name without one is an OBJ file.
// Throws InputError for an ending that is not written, RuntimeError where the file cannot be written.
void write_mesh(const std::string& path, const geometry::RawMesh& mesh, double unit = 1);

// Throws InputError where write_mesh would: told before the work, not after it.
void check_mesh_name(const std::string& path);

}  // namespace asperity::assets
