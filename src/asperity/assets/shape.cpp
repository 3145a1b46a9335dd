#include "asperity/assets/shape.h"

#include <filesystem>

#include "asperity/assets/mesh_file.h"

namespace asperity::assets {
namespace {

bool is_file(const std::string& name) {
    std::error_code error;
    return std::filesystem::exists(name, error);
}

}  // namespace

const geometry::BuiltinShape* builtin_meant(const std::string& name) {
    return is_file(name) ? nullptr : geometry::find_builtin_shape(name);
}

bool is_shape_name(const std::string& name) { return name.find_first_of("./") == std::string::npos && !is_file(name); }

geometry::RawMesh read_shape(const std::string& name, const ShapeOptions& options) {
    if (const geometry::BuiltinShape* shape = builtin_meant(name)) {
        if (options.unit != 1) throw InputError(fmt::format("the built-in shape `{}` is in metres", name), "leave the unit out");
        return geometry::builtin_shape(*shape, options.facets.value_or(geometry::default_builtin_facets));
    }
    if (is_shape_name(name)) {
        try {
            return geometry::builtin_shape(name);
        } catch (InputError& error) {
            error.problems.front().what = fmt::format("there is neither a file nor a built-in shape `{}`", name);
            throw InputError(error.problems);
        }
    }
    if (options.facets)
        throw InputError(fmt::format("`{}` has the facets that it has", name),
                         "their number can be chosen for built-in shapes only; for others, resample");
    return read_mesh(name, options.unit);
}

}  // namespace asperity::assets
