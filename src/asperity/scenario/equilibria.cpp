#include "asperity/scenario/equilibria.h"

#include "asperity/core/errors.h"
#include "asperity/geometry/closest.h"
#include "asperity/scenario/ground.h"
#include "asperity/scenario/roles.h"

namespace asperity::scenario {
namespace {

// Reports problems of an equilibrium at the place where the scenario names it.
template <class Make>
auto told_at(const Scenario& scenario, const std::string& path, Make&& make) {
    try {
        return make();
    } catch (InputError& error) {
        for (Problem& problem : error.problems)
            if (problem.file.empty()) problem = problem_at(scenario.places, path, problem.what, problem.hint, problem.note);
        throw InputError(error.problems);
    }
}

}  // namespace

analysis::SteadyField steady_field_of(const Scenario& scenario, const model::Assets& assets) {
    const Roles roles = roles_of(scenario);
    if (!roles.has_attraction()) throw error_at(scenario.places, "gravity", "equilibria need a body that `attracts`");
    return told_at(scenario, roles.ground->path(), [&] { return analysis::steady_field(small_body_of(scenario, assets)); });
}

analysis::IsInside inside_of(const Scenario& scenario, const model::Assets& assets, const analysis::SteadyField& field) {
    const double scale = ground_scale(scenario);
    const geometry::SurfaceMesh* own = &assets.surface;
    const auto is_in = [](const geometry::SurfaceMesh& mesh, double size, const Vec3& p) {
        return geometry::signed_distance(mesh, (1 / size) * p) <= 0;
    };
    if (!field.is_binary) return [=](const Vec3& p) { return is_in(*own, scale, p); };
    const geometry::SurfaceMesh* other = &assets.companion_surface;
    const double other_scale = roles_of(scenario).companion->scale;
    const gravity::Pose pose = field.body.companion_pose(0);
    return [=](const Vec3& p) { return is_in(*own, scale, p) || is_in(*other, other_scale, pose.to_body(p)); };
}

ScenarioEquilibria equilibria_of(const Scenario& scenario, const model::Assets& assets) {
    ScenarioEquilibria out{.field = steady_field_of(scenario, assets), .list = {}};
    out.list = told_at(scenario, roles_of(scenario).ground->path(),
                       [&] { return analysis::equilibria(out.field, inside_of(scenario, assets, out.field)); });
    return out;
}

double place_at_equilibrium(const Scenario& scenario, const model::Assets& assets, const std::string& path, BodyStart& start) {
    const ScenarioEquilibria all = equilibria_of(scenario, assets);
    const analysis::Equilibrium e = told_at(scenario, path + ".at", [&] { return analysis::find_equilibrium(all.list, start.at); });
    if (start.direction == StartDirection::manifold) {
        if (!e.has_manifold)
            throw InputError({problem_at(scenario.places, path + ".direction",
                                         fmt::format("\"{}\" has no unstable direction: {}", start.at,
                                                     e.is_stable ? "it is stable" : "a body leaves it in a spiral"),
                                         "give `velocity` instead")});
        start.velocity = *start.speed * e.manifold;
    }
    start.position = start.given_position() + e.position;
    // at rest in the frame of the orbit is not at rest in that of a target that turns at another rate
    return all.field.rate - small_body_of(scenario, assets).target.spin_rate;
}

}  // namespace asperity::scenario
