#include "asperity/report/shape_shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/geometry/mesh.h"
#include "asperity/geometry/resample.h"
#include "asperity/report/html.h"

namespace asperity::report {
namespace {

std::vector<std::array<std::int32_t, 3>> narrow(const std::vector<std::array<std::int64_t, 3>>& facets) {
    std::vector<std::array<std::int32_t, 3>> out;
    for (const auto& f : facets)
        out.push_back({static_cast<std::int32_t>(f[0]), static_cast<std::int32_t>(f[1]), static_cast<std::int32_t>(f[2])});
    return out;
}

}  // namespace

bool is_closed(const record::Surface& surface) {
    std::vector<std::pair<std::int64_t, std::int64_t>> edges;
    for (const auto& f : surface.facets)
        for (std::size_t k = 0; k < 3; ++k) edges.push_back(std::minmax(f[k], f[(k + 1) % 3]));
    std::sort(edges.begin(), edges.end());
    for (std::size_t i = 0; i < edges.size(); i += 2) {
        const bool has_two = i + 1 < edges.size() && edges[i] == edges[i + 1];
        if (!has_two || (i + 2 < edges.size() && edges[i] == edges[i + 2])) return false;
    }
    return !edges.empty();
}

ShownShape shown_shape(const record::Surface& surface, std::size_t most) {
    ShownShape shown{.surface = surface, .is_closed = is_closed(surface), .note = {}};
    if (!shown.is_closed || surface.facets.size() <= most) return shown;
    try {
        const geometry::SurfaceMesh mesh = geometry::make_surface(surface.vertices, narrow(surface.facets));
        const geometry::Resampled less = geometry::decimate(mesh, static_cast<std::int64_t>(most));
        shown.surface = {.vertices = less.mesh.vertices, .facets = {}};
        for (const geometry::Corners& f : less.mesh.facets) shown.surface.facets.push_back({f[0], f[1], f[2]});
        shown.note = fmt::format("The surface has {} facets; the picture shows it with {}, decimated.", surface.facets.size(),
                                 shown.surface.facets.size());
    } catch (const InputError&) {
        // a surface that cannot be decimated is shown as it is: the page is larger, and right
    }
    return shown;
}

std::string shape_json(const record::Surface& surface, bool is_closed) {
    std::vector<double> corners;
    for (const Vec3& v : surface.vertices) corners.insert(corners.end(), {v.x, v.y, v.z});
    std::string facets;
    for (const auto& f : surface.facets)
        fmt::format_to(std::back_inserter(facets), "{}{},{},{}", facets.empty() ? "" : ",", f[0], f[1], f[2]);
    return fmt::format("{{\"v\":{},\"f\":[{}],\"closed\":{}}}", json_numbers(corners, 6), facets, is_closed);
}

}  // namespace asperity::report
