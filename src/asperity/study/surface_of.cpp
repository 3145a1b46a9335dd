#include "asperity/study/surface_of.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "asperity/scenario/compile.h"
#include "asperity/scenario/ground.h"

namespace asperity::study {

record::Surface surface_of(const geometry::SurfaceMesh& mesh, double scale) {
    record::Surface surface;
    for (const Vec3& v : mesh.vertices) surface.vertices.push_back(scale * v);
    for (const geometry::Facet& f : mesh.facets) surface.facets.push_back({f.vertex[0], f.vertex[1], f.vertex[2]});
    return surface;
}

namespace {

struct Box {
    Vec3 lower, upper;  // m

    void take(const Vec3& a, double reach) {
        lower = {std::fmin(lower.x, a.x - reach), std::fmin(lower.y, a.y - reach), std::fmin(lower.z, a.z - reach)};
        upper = {std::fmax(upper.x, a.x + reach), std::fmax(upper.y, a.y + reach), std::fmax(upper.z, a.z + reach)};
    }
    Vec3 centre() const { return 0.5 * (lower + upper); }
    double half_extent(const Vec3& along) const {
        const Vec3 d = upper - lower;
        return 0.5 * (std::fabs(along.x) * d.x + std::fabs(along.y) * d.y + std::fabs(along.z) * d.z);
    }
};

Vec3 foot_on(const Pose& plane, const Vec3& point) {
    const Vec3 n = rotate(plane.q, {0, 0, 1});
    return point - dot(point - plane.p, n) * n;
}

void add_rectangle(const Pose& plane, const Box& box, record::Surface& out) {
    const Vec3 x = rotate(plane.q, {1, 0, 0}), y = rotate(plane.q, {0, 1, 0}), middle = foot_on(plane, box.centre());
    const Vec3 a = box.half_extent(x) * x, b = box.half_extent(y) * y;
    const auto first = static_cast<std::int64_t>(out.vertices.size());
    out.vertices.insert(out.vertices.end(), {middle - a - b, middle + a - b, middle + a + b, middle - a + b});
    out.facets.push_back({first, first + 1, first + 2});
    out.facets.push_back({first, first + 2, first + 3});
}

constexpr std::size_t most_shown_rocks = 20000;

// The largest.
void add_rocks(const geometry::RockField& rocks, record::Surface& out) {
    std::vector<std::size_t> order(rocks.radii.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rocks.radii[a] > rocks.radii[b]; });
    if (order.size() > most_shown_rocks) order.resize(most_shown_rocks);
    for (const std::size_t i : order) out.rock_centres.push_back(rocks.centres[i]), out.rock_radii.push_back(rocks.radii[i]);
}

}  // namespace

record::Surface shown_ground(const model::Model& model, const model::Bodies& start) {
    record::Surface surface = surface_of(model.surface());
    const model::Parameters& p = model.parameters;
    std::vector<Pose> planes;
    for (const model::Collider& c : p.ground)
        if (std::holds_alternative<model::HalfSpace>(c.shape)) planes.push_back(c.pose);
    add_rocks(model.assets->rocks, surface);
    if (planes.empty()) return surface;
    constexpr double inf = std::numeric_limits<double>::infinity();
    Box box{{inf, inf, inf}, {-inf, -inf, -inf}};
    for (std::size_t i = 0; i < start.position.size(); ++i) box.take(start.position[i], p.bodies[i].touching_reach());
    const Vec3 middle = box.centre();
    for (const Pose& plane : planes) box.take(foot_on(plane, middle), 0);
    for (const Pose& plane : planes) add_rectangle(plane, box, surface);
    return surface;
}

record::Surface surface_of(const Plan& plan) {
    const double scale = scenario::ground_scale(*plan.scenario);
    if (plan.varies_world) return surface_of(scenario::load_assets(*plan.scenario).surface, scale);
    return surface_of(plan.assets.surface, scale);
}

}  // namespace asperity::study
