#include "asperity/reproduce/gravity_tables.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/errors.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/resample.h"
#include "asperity/gravity/linearised.h"

namespace asperity::reproduce {
namespace {

using gravity::FieldValue;
using gravity::Linearised;

std::vector<FieldValue> field_at(const gravity::PolyhedronGravity& gravity, std::span<const Vec3> points) {
    std::vector<FieldValue> values(points.size());
    gravity.evaluate_many(points, values);
    return values;
}

LinearisationError error_along(const gravity::PolyhedronGravity& gravity, std::span<const Vec3> points, std::span<const FieldValue> exact,
                               double reach) {
    LinearisationError error{.reach = reach, .references = 1};
    Linearised field = linearised_at(gravity, points[0], reach);
    for (std::size_t k = 1; k < points.size(); ++k) {
        if (!field.covers(points[k])) {
            field = rebased(gravity, field, points[k], points[k] - points[k - 1]);
            ++error.references;
        }
        const Vec3 got = field.evaluate(points[k]).acceleration, want = exact[k].acceleration;
        error.largest = std::max(error.largest, std::fabs(norm(got) - norm(want)) / norm(exact[0].acceleration));
        error.largest_vector = std::max(error.largest_vector, norm(got - want) / norm(want));
    }
    return error;
}

}  // namespace

std::vector<Vec3> points_between(const Vec3& first, const Vec3& last, std::size_t count) {
    ASPERITY_REQUIRE(count >= 2, "{} points have no first and last", count);
    std::vector<Vec3> points;
    for (std::size_t k = 0; k < count; ++k)
        points.push_back(first + (static_cast<double>(k) / static_cast<double>(count - 1)) * (last - first));
    return points;
}

std::vector<LinearisationError> linearisation_errors(const gravity::PolyhedronGravity& gravity, std::span<const Vec3> points,
                                                     std::span<const double> reaches) {
    ASPERITY_REQUIRE(!points.empty(), "no points");
    const std::vector<FieldValue> exact = field_at(gravity, points);
    std::vector<LinearisationError> errors;
    for (const double reach : reaches) errors.push_back(error_along(gravity, points, exact, reach));
    return errors;
}

ResolutionErrors resolution_errors(const geometry::SurfaceMesh& full, std::span<const int> levels, std::span<const Vec3> points) {
    ResolutionErrors result{.facets = full.facets.size(), .volume = geometry::mass_properties(full).volume};
    const std::vector<FieldValue> exact = field_at(gravity::PolyhedronGravity(full), points);
    for (const int level : levels) {
        const geometry::Resampled cast = geometry::cast_icosphere(full, level, {.keep_volume = false});
        ResolutionModel model{
            .level = level, .facets = cast.mesh.facets.size(), .volume = cast.volume, .density_factor = result.volume / cast.volume};
        const std::vector<FieldValue> got = field_at(gravity::PolyhedronGravity(geometry::make_surface(cast.mesh)), points);
        for (std::size_t k = 0; k < points.size(); ++k)
            model.errors.push_back(norm(model.density_factor * got[k].acceleration - exact[k].acceleration) / norm(exact[k].acceleration));
        result.models.push_back(std::move(model));
    }
    return result;
}

}  // namespace asperity::reproduce
