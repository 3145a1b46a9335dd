// The same key means the same physics under every method: two bodies that hit each other, alone in space, under each method that carries
// them. Rigid methods must have what is asked for, penalty must come to it as the stiffness grows.
#include <array>
#include <cmath>
#include <string>

#include "unit/dynamics/soft_scene.h"

namespace asperity::dynamics::same_physics_test {
namespace {

struct Hit {
    Vec3 normal;
    double speed_in = 0, speed_out = 0;  // m/s, along the normal
    model::State after;
};

Scene free_pair(const model::BodyKind& first, const model::BodyKind& second, const laws::PairLaw& law) {
    Scene scene;
    scene.world().bodies = rows({first, second});
    scene.world().environment.mutual.constant = 1e-30;
    scene.law() = law;
    return scene;
}

Hit hit(Scene scene, const std::string& method, double stiffness, double end) {
    scene.phase.method = method;
    scene.phase.integrator = method == "constraint" ? model::Integrator::symplectic4 : model::Integrator::dopri5;
    scene.phase.tolerance = 1e-10;
    scene.law().stiffness = stiffness;
    scene.law().slip_speed = 1e-5;
    scene.world().step_budget = 10000000;
    EXPECT_EQ(find_method(method)->carries(model::census_of(scene.model), scene.phase), "");
    Books books(1e9);
    const Advance got = find_method(method)->make(scene.model, scene.phase)->advance(scene.state, {.time = end}, books);
    EXPECT_FALSE(got.ended);
    Hit out{.after = scene.state};
    for (const model::Event& event : books.events) {
        if (event.kind == model::EventKind::impact) out.normal = event.normal, out.speed_in = event.normal_speed_in;
        if (event.normal_speed_out > 0) out.speed_out = event.normal_speed_out;
    }
    return out;
}

// e of two spheres, and the impulse across: friction brings the slip of 7/2 the mobility to zero, or is mu times the normal impulse.
TEST(SamePhysics, SpheresBounceAndRubAlikeUnderEveryMethod) {
    const double v = 0.5, slip = 0.3;
    for (const double e : {0.2, 0.4, 1.0})
        for (const double mu : {0.0, 0.1, 0.6}) {
            Scene scene = free_pair(model::sphere_kind(1, 100), model::sphere_kind(1, 100), {.restitution = e, .friction = mu});
            const double before = 1e-3 / v;  // s, until they touch along x
            scene.state = state_of({{1.001, -0.5 * slip * before, 0}, {-1.001, 0.5 * slip * before, 0}});
            scene.state.bodies.velocity = {{-v, slip / 2, 0}, {v, -slip / 2, 0}};
            const double across = std::fmin(mu * (1 + e) * v, slip / 7);  // per mass of one: half of 2/7 of the slip
            for (const auto& [method, stiffness] :
                 std::array<std::pair<const char*, double>, 4>{{{"constraint", 1}, {"lcp", 1}, {"penalty", 1e9}, {"penalty", 1e11}}}) {
                if (std::string(method) == "lcp" && mu > 0) continue;  // it refuses friction
                const Hit out = hit(scene, method, stiffness, 0.1);
                // under penalty the normal turns with the slip while they touch, pi sqrt(m / k) or more
                const double tolerance = std::string(method) == "penalty" ? 10 * std::sqrt(50 / stiffness) * v : 1e-9;
                EXPECT_NEAR(out.after.bodies.velocity[0].x, e * v, tolerance) << method << " " << e << " " << mu;
                EXPECT_NEAR(out.after.bodies.velocity[0].y, slip / 2 - across, tolerance) << method << " " << e << " " << mu;
            }
        }
}

model::BodyKind ellipsoid(const Vec3& s, double density) {
    const double m = density * 4 / 3 * pi * s.x * s.y * s.z;
    return {.mass = m,
            .semi_axes = s,
            .inertia = {m / 5 * (s.y * s.y + s.z * s.z), m / 5 * (s.x * s.x + s.z * s.z), m / 5 * (s.x * s.x + s.y * s.y)}};
}

// Askew ellipsoids: friction changes the normal speed. Under Newton's law by name the bounce has the ratio of speeds that is asked for;
// under Stronge's, the default, constraint follows the slip through the impact, as penalty does of itself: its damper is that of the
// effective mass without friction, which changes e by a few per cent of mu.
TEST(SamePhysics, EllipsoidsBounceAsAskedForWithFrictionToo) {
    for (const double mu : {0.0, 0.1, 0.3}) {
        Scene scene =
            free_pair(ellipsoid({3000, 2250, 1500}, 2000), ellipsoid({2400, 1800, 1200}, 2400), {.restitution = 0.4, .friction = mu});
        scene.state = state_of({{0, 0, 0}, {5600, 1500, -400}});
        scene.state.bodies.velocity = {{0.2, 0, 0.1}, {-0.6, -0.2, 0}};
        scene.state.bodies.spin = {{2e-4, -1e-4, 3e-4}, {-1e-4, 4e-4, 1e-4}};
        scene.state.bodies.orientation = {rotation(Vec3{0.2, 0.4, -0.1}), rotation(Vec3{-0.5, 0.3, 0.9})};
        const Hit rigid = hit(scene, "constraint", 1, 3000), soft = hit(scene, "penalty", 1e13, 3000);
        Scene by_name = scene;
        by_name.law().restitution_law = laws::RestitutionLaw::newton;
        const Hit by_speed = hit(by_name, "constraint", 1, 3000);
        EXPECT_NEAR(by_speed.speed_out / by_speed.speed_in, 0.4, 1e-9) << mu;
        EXPECT_NEAR(rigid.speed_out / rigid.speed_in, soft.speed_out / soft.speed_in, 1e-3 + 0.05 * mu) << mu;
        EXPECT_NEAR(soft.speed_out / soft.speed_in, 0.4, 1e-3 + 0.03 * mu) << mu;
        if (mu > 0) continue;
        // contacts last pi sqrt(m / k): order 1/2
        const Hit softer = hit(scene, "penalty", 1e11, 3000);
        const auto apart = [&](const Hit& other) { return norm(rigid.after.bodies.velocity[0] - other.after.bodies.velocity[0]); };
        EXPECT_NEAR(apart(softer) / apart(soft), 10, 2);
    }
}

TEST(SamePhysics, WhatAMethodDoesNotHaveItRefusesWithTheReason) {
    Scene scene = free_pair(model::sphere_kind(1, 1), model::sphere_kind(1, 1), {.restitution = 0.5, .friction = 0.3});
    const auto refusal = [&](const char* method, model::Integrator integrator) {
        scene.phase.integrator = integrator;
        return find_method(method)->carries(model::census_of(scene.model), scene.phase);
    };
    EXPECT_EQ(refusal("lcp", model::Integrator::dopri5),
              "lcp has no friction: pivoting solves for normal forces; use constraint or penalty");
    EXPECT_EQ(refusal("penalty", model::Integrator::dopri5),
              "penalty needs a stiffness of its contacts above zero (`modulus` under normal_law = \"hertz\")");
    scene.law().stiffness = scene.law().slip_speed = 1;
    scene.law().restitution_law = laws::RestitutionLaw::newton;
    EXPECT_EQ(refusal("penalty", model::Integrator::dopri5), "") << "of balls all laws are one";
    scene.world().bodies = rows({ellipsoid({1, 2, 3}, 1), model::sphere_kind(1, 1)});
    EXPECT_EQ(
        refusal("penalty", model::Integrator::dopri5),
        "penalty follows the slip through an impact, and its damper takes work as restitution_law = \"stronge\" says: take impulse, dvi or "
        "constraint for the others");
    EXPECT_EQ(refusal("constraint", model::Integrator::symplectic4), "");
    EXPECT_EQ(refusal("secular", model::Integrator::symplectic4).substr(0, 7), "secular");
    EXPECT_EQ(refusal("constraint", model::Integrator::symplectic4), "");
}

}  // namespace
}  // namespace asperity::dynamics::same_physics_test
