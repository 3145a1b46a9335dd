#include "asperity/geometry/patches.h"

#include <numbers>

#include "asperity/core/errors.h"

namespace asperity::geometry {
namespace {

constexpr double turn = 2 * std::numbers::pi;

// The angle from `from` eastwards to `to`, in [0, turn).
double eastwards(double from, double to) {
    const double angle = std::fmod(to - from, turn);
    return angle < 0 ? angle + turn : angle;
}

void check(std::span<const LatLonPatch> patches) {
    if (patches.size() > 255) throw InputError(fmt::format("{} patches, but at most 255 can be told apart", patches.size()));
    constexpr double pole = std::numbers::pi / 2 * (1 + 0x1p-50);  // 90 deg, converted in any way
    std::vector<Problem> problems;
    for (std::size_t k = 0; k < patches.size(); ++k) {
        const LatLonPatch& p = patches[k];
        if (!std::isfinite(p.lon_min) || !std::isfinite(p.lon_max))
            problems.push_back({.what = fmt::format("patch {}: a longitude is not a finite number", k + 1)});
        if (!(p.lat_min >= -pole && p.lat_min <= p.lat_max && p.lat_max <= pole))
            problems.push_back({.what = fmt::format("patch {}: latitudes from {} to {} rad", k + 1, p.lat_min, p.lat_max),
                                .hint = "they ascend, and lie between -90 deg and 90 deg"});
    }
    if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

bool contains(const LatLonPatch& patch, const Vec3& p) {
    const double lat = latitude(p);
    if (!(patch.lat_min <= lat && lat <= patch.lat_max)) return false;
    if (patch.lon_max - patch.lon_min >= turn) return true;
    const double lon = longitude(p);
    const bool is_end = lon == patch.lon_min || lon == patch.lon_max;  // rounding of differences must not lose a border
    return is_end || eastwards(patch.lon_min, lon) <= eastwards(patch.lon_min, patch.lon_max);
}

std::vector<std::uint8_t> patch_of_facets(const SurfaceMesh& mesh, std::span<const LatLonPatch> patches) {
    check(patches);
    std::vector<std::uint8_t> patch_of(mesh.facets.size(), 0);
    for (std::size_t f = 0; f < mesh.facets.size(); ++f) {
        Vec3 sum;  // three times the centroid: in the same direction
        for (const std::int32_t v : mesh.facets[f].vertex) sum += mesh.vertices[static_cast<std::size_t>(v)];
        for (std::size_t k = patches.size(); k > 0 && patch_of[f] == 0; --k)
            if (contains(patches[k - 1], sum)) patch_of[f] = static_cast<std::uint8_t>(k);
    }
    return patch_of;
}

}  // namespace asperity::geometry
