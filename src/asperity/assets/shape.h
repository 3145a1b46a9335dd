// Resolves the name of a shape: a mesh file, or a built-in shape. A file of that name wins.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "asperity/geometry/builtin_shapes.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::assets {

// The built-in shape that `name` means; null where it is a file, or nothing that is known.
const geometry::BuiltinShape* builtin_meant(const std::string& name);

// Whether it is a bare word without extension or folder, and no file: more likely the name of a built-in shape, right or wrong, than a
// path.
bool is_shape_name(const std::string& name);

struct ShapeOptions {
    double unit = 1;                     // m, of one unit of the file
    std::optional<std::int64_t> facets;  // of a built-in shape; without: geometry::default_builtin_facets
};

// Throws InputError as read_mesh and builtin_shape do, and where a unit is given for a built-in shape or facets for a file.
geometry::RawMesh read_shape(const std::string& name, const ShapeOptions& options = {});

}  // namespace asperity::assets
