// Bodies of finite size in the gradient of a field, under every method that carries it.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/analysis/ledger.h"
#include "asperity/gravity/small_body.h"
#include "unit/dynamics/stepped_scene.h"

namespace asperity::dynamics::extent_test {
namespace {

struct Way {
    const char* method;
    model::Integrator integrator;
    double step;       // s; infinite: as the tolerance says
    double tolerance;  // of flights under impulse and dvi
    double error;      // that is expected of it
};

// Circling a point mass once every 2 pi 1000 s, at `distance`.
Scene in_orbit(const Vec3& inertia, double mass, double distance, bool turns) {
    const double rate = 1e-3;
    Scene scene;
    model::BodyKind body = ellipsoid({0.3, 0.2, 0.1}, mass);
    body.inertia = inertia;
    scene.world().bodies = rows({body});
    scene.law() = {.stiffness = 1e4};  // of penalty; nothing touches
    gravity::SmallBody field;
    field.target.field = {.kind = gravity::FieldKind::point, .volume = 1, .strength = rate * rate * distance * distance * distance};
    field.target.spin_rate = rate;
    field.is_inertial = !turns;
    scene.world().environment.field = field;
    scene.world().environment.acts_on_extent = true;
    scene.state = state_of({{distance, 0, 0}});
    scene.state.bodies.velocity = {{0, turns ? 0 : rate * distance, 0}};
    scene.state.bodies.spin = {{0, 0, turns ? 0 : rate}};
    return scene;
}

void go_on(Scene& scene, const Way& way, double end) {
    Books books(never);
    scene.phase = {.name = "phase 1",
                   .method = way.method,
                   .integrator = way.integrator,
                   .tolerance = way.method == std::string("penalty") ? way.tolerance : 1e-9,
                   .step_max = way.step};
    scene.phase.flight_tolerance = way.method == std::string("penalty") ? 0 : way.tolerance;
    scene.world().step_budget = 100000000;
    ASSERT_EQ(find_method(way.method)->carries(model::census_of(scene.model), scene.phase), "");
    const Advance got = find_method(way.method)->make(scene.model, scene.phase)->advance(scene.state, {.time = end}, books);
    ASSERT_FALSE(got.ended) << got.ended->message;
}

using enum model::Integrator;
constexpr Way inertial_ways[] = {{"impulse", leapfrog, 1, 1e-12, 1e-6}, {"dvi", leapfrog, 1, 1e-12, 1e-6},
                                 {"impulse", leapfrog, 0.25, 0, 1e-5},  {"penalty", dopri5, never, 1e-12, 1e-6},
                                 {"penalty", rk4, 5, 0, 1e-6},          {"penalty", leapfrog, 0.25, 0, 1e-5}};
constexpr Way turning_ways[] = {{"impulse", leapfrog, 1, 1e-12, 1e-6},
                                {"dvi", leapfrog, 1, 0, 1e-5},
                                {"penalty", dopri5, never, 1e-12, 1e-6},
                                {"penalty", rk4, 5, 0, 1e-6}};

// Its longest axis points to the centre, but for a thousandth: it swings across the orbit's plane by sqrt(3 (B - A) / C) of its rate,
// A < B < C. Left out: the square of the swing, 1e-6, and what its size does to the orbit, 1e-10 of its rate.
TEST(Extent, AnElongatedBodyInACircularOrbitSwingsAtTheRateOfTheClosedForm) {
    const Vec3 inertia{1, 2, 2.5};
    const double swing = 1e-3, rate = 1e-3, ratio = std::sqrt(3 * (inertia.y - inertia.x) / inertia.z), period = 2 * pi / (rate * ratio);
    const auto expect_swing = [&](const Way& way, bool turns) {
        Scene scene = in_orbit(inertia, 1e7, 50, turns);
        scene.state.bodies.orientation = {rotation({0, 0, swing})};
        for (const double part : {0.3, 0.5, 1.0}) {  // across zero, to the other side, and back
            go_on(scene, way, part * period);
            const model::Bodies& now = scene.state.bodies;
            const Vec3 axis = rotate(now.orientation[0], {1, 0, 0}), to = now.position[0];
            const double angle = std::atan2(to.x * axis.y - to.y * axis.x, to.x * axis.x + to.y * axis.y);
            EXPECT_NEAR(angle / swing, std::cos(2 * pi * part), 10 * way.error) << way.method << " " << part << " " << turns;
        }
    };
    for (const Way& way : inertial_ways) expect_swing(way, false);
    for (const Way& way : turning_ways) expect_swing(way, true);
}

// A large body that tumbles on an ellipse: energy and angular momentum of its six points stay; without the force that goes with the torque
// neither would.
TEST(Extent, EnergyAndAngularMomentumStay) {
    for (const Way& way : inertial_ways) {
        Scene scene = in_orbit({1, 2, 2.5}, 1, 10, false);
        scene.state.bodies.velocity[0].y *= 0.8;
        scene.state.bodies.spin = {{2e-3, -1e-3, 3e-3}};
        scene.state.bodies.orientation = {rotation({0.3, 1.2, -0.4})};
        const model::State first = scene.state;
        const Vec3 angular = momenta(scene.world(), motion_of(first)).angular();
        const double kinetic = analysis::energies(scene.model, first).kinetic;
        go_on(scene, way, 3000);
        const double error = way.tolerance > 0 ? 1e-8 : 2e-5;
        EXPECT_NEAR(analysis::energy_change(scene.model, first, scene.state), 0, error * kinetic) << way.method << " " << way.step;
        EXPECT_LT(norm(momenta(scene.world(), motion_of(scene.state)).angular() - angular), error * norm(angular)) << way.method;
        scene.world().environment.acts_on_extent = false;  // what it changes
        Scene as_point = scene;
        as_point.state = first;
        go_on(as_point, way, 3000);
        EXPECT_GT(norm(as_point.state.bodies.spin[0] - scene.state.bodies.spin[0]), 1e-4);
    }
}

// The same motion seen from axes that turn, where the centrifugal force of the frame is no torque of gravity; and near a companion that
// circles, whose work closes the ledger.
TEST(Extent, IsTheSameInAFrameThatTurnsAndNearACompanion) {
    const double rate = 1e-3, end = 2500;
    for (const bool has_companion : {false, true})
        for (const Way& way : {turning_ways[0], turning_ways[2]}) {
            Scene ends[2];
            for (const bool turns : {false, true}) {
                Scene scene = in_orbit({1, 2, 2.5}, 1, 10, turns);
                auto& field = std::get<gravity::SmallBody>(scene.world().environment.field);
                field.companion = field.target;
                field.companion.field.strength *= 0.2;
                field.has_companion = has_companion;
                field.orbit = {.semi_major_axis = 40, .mean_motion = std::sqrt(field.total_parameter() / (40.0 * 40 * 40))};
                const Vec3 spin{2e-3, -1e-3, 3e-3};
                scene.state.bodies.spin = {turns ? spin - Vec3{0, 0, rate} : spin};
                scene.state.bodies.orientation = {rotation({0.3, 1.2, -0.4})};
                if (has_companion && turns) {  // its origin is the target, that of the other one the common centre of mass
                    const gravity::SmallBody::Place place = field.from_inertial({10, 0, 0}, {0, 1e-2, 0}, 0);
                    scene.state.bodies.position = {place.position};
                    scene.state.bodies.velocity = {place.velocity};
                }
                const model::State first = scene.state;
                go_on(scene, way, end);
                const double kinetic = analysis::energies(scene.model, first).kinetic + 1e-5;
                EXPECT_NEAR(analysis::energy_change(scene.model, first, scene.state), 0, 1e-7 * kinetic) << way.method << turns;
                ends[turns] = scene;
            }
            const Quat to_inertial = rotation({0, 0, rate * end});
            const model::Bodies &still = ends[0].state.bodies, &turned = ends[1].state.bodies;
            const Vec3 spin = rotate(to_inertial, turned.spin[0] + Vec3{0, 0, rate});
            EXPECT_LT(norm(spin - still.spin[0]), 1e-7 * norm(still.spin[0])) << way.method << has_companion;
            const Quat apart = conjugate(still.orientation[0]) * (to_inertial * turned.orientation[0]);
            EXPECT_LT(norm(Vec3{apart.x, apart.y, apart.z}), 1e-6) << way.method << has_companion;
        }
}

}  // namespace
}  // namespace asperity::dynamics::extent_test
