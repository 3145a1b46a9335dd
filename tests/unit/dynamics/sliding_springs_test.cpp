// Penalty with sliding = "spring": friction that holds, against closed forms.
#include <cmath>
#include <random>

#include "asperity/core/parallel.h"
#include "asperity/dynamics/penalty/contact_memory.h"
#include "asperity/laws/contact/soft_law.h"
#include "unit/dynamics/soft_scene.h"

namespace asperity::dynamics::sliding_springs_test {
namespace {

constexpr model::Integrator integrators[] = {model::Integrator::dopri5, model::Integrator::rk4, model::Integrator::leapfrog};

void hold_by_springs(laws::PairLaw& law, std::optional<double> ratio = {}) {
    std::get<laws::SlidingSprings>(law.forces) = {.sliding = laws::Sliding::spring, .stiffness_ratio = ratio};
}

void set_steps(Scene& scene, model::Integrator integrator, double step) {
    scene.phase.integrator = integrator;
    scene.phase.tolerance = 1e-9;
    if (integrator != model::Integrator::dopri5) scene.phase.step_max = step;
}

Vec3 down_the_slope(double g, double angle) { return {g * std::sin(angle), 0, -g * std::cos(angle)}; }

// 1 kg on four feet, at rest in its own weight: each foot is pressed in by a quarter of it.
Scene block_on_slope(double g, double angle, const laws::PairLaw& law) {
    Scene scene = ball_over_plane(down_the_slope(g, angle), {}, {});
    model::BodyKind block{.mass = 1, .semi_axes = {0.2, 0.2, 0.1}, .inertia = {0.01, 0.01, 0.02}};
    block.colliders = {{.shape = model::Markers{{{-0.2, -0.2, -0.05}, {0.2, -0.2, -0.05}, {0.2, 0.2, -0.05}, {-0.2, 0.2, -0.05}}}}};
    scene.world().bodies = rows({block});
    scene.law() = law;
    hold_by_springs(scene.law());
    scene.state.bodies.position = {{0, 0, 0.05 - g * std::cos(angle) / (4 * law.stiffness)}};
    return scene;
}

// Coulomb: below the friction angle it stands still, to rounding; above it slides with g (sin a - mu cos a).
TEST(SlidingSprings, ABlockOnASlopeSticksBelowTheFrictionAngleAndSlidesAbove) {
    const double mu = 0.5, g = 9.81;
    for (const model::Integrator integrator : integrators) {
        for (const double part : {0.9, 1.1}) {
            const double angle = part * std::atan(mu);
            Scene scene = block_on_slope(g, angle, {.restitution = 0.1, .friction = mu, .stiffness = 1e5});
            set_steps(scene, integrator, 1e-4);
            Books books(1e9);
            scene.run(1, books);
            const Vec3 first = scene.state.bodies.position[0], speed = scene.state.bodies.velocity[0];
            EXPECT_EQ(scene.outcome.has_value(), part < 1) << part << " " << static_cast<int>(integrator);
            if (part < 1) {
                EXPECT_LT(scene.outcome->time, 0.5);
                continue;
            }
            scene.run(2, books);
            const double a = g * (std::sin(angle) - mu * std::cos(angle));
            EXPECT_NEAR((scene.state.bodies.velocity[0].x - speed.x) / a, 1, 1e-6) << static_cast<int>(integrator);
            EXPECT_GT(scene.state.bodies.position[0].x - first.x, speed.x);
        }
    }
}

// What rests stays: the run goes on without a rest that ends it, and after two seconds nothing moves for the next two.
TEST(SlidingSprings, WhatRestsDoesNotCreep) {
    for (const laws::NormalLaw normal : {laws::NormalLaw::hooke, laws::NormalLaw::hertz})
        for (const model::Integrator integrator : integrators) {
            const double g = 9.81, angle = 0.2;
            Scene scene = ball_over_plane(down_the_slope(g, angle), {0, 0, 0.1}, {});
            scene.law() = {.restitution = 0.2, .friction = 0.5, .rolling_resistance = 0.3, .spinning_resistance = 0.1};
            scene.law().normal_law = normal;
            scene.law().stiffness = 1e4;
            scene.law().modulus = 1e6;
            hold_by_springs(scene.law());
            set_steps(scene, integrator, 1e-4);
            Books books(1e9);
            scene.run(5, books);
            ASSERT_TRUE(scene.outcome);
            const double since = scene.outcome->time;
            EXPECT_LT(since, 2);
            while (scene.state.clock.time() < since + 2) {  // the swing dies out: rest is found again and again
                scene.state.stepper.slow_since = -1;
                scene.run(since + 2, books);
            }
            const Vec3 there = scene.state.bodies.position[0];
            while (scene.state.clock.time() < since + 4) {
                scene.state.stepper.slow_since = -1;
                scene.run(since + 4, books);
            }
            // dopri5 leaves a part of its tolerance
            const double left = integrator == model::Integrator::dopri5 ? scene.phase.tolerance : 0;
            EXPECT_LT(norm(scene.state.bodies.position[0] - there), 1e-13 + 0.1 * left) << static_cast<int>(normal);
            EXPECT_LT(norm(scene.state.bodies.velocity[0]), 1e-12 + left) << static_cast<int>(integrator);
        }
}

// A ball whose slope is steeper than its rolling resistance rolls down with 5/7 g (sin a - C cos a).
TEST(SlidingSprings, ABallRollsDownAgainstItsResistance) {
    const double g = 9.81, angle = 0.3, C = 0.1;
    Scene scene = ball_over_plane(down_the_slope(g, angle), {0, 0, 0.1 - g * std::cos(angle) / 1e6}, {});
    scene.law() = {.restitution = 0.2, .friction = 0.6, .rolling_resistance = C, .stiffness = 1e6};
    hold_by_springs(scene.law());
    set_steps(scene, model::Integrator::dopri5, 0);
    Books books(1e9);
    scene.run(1, books);
    const double v = scene.state.bodies.velocity[0].x;
    scene.run(2, books);
    EXPECT_NEAR(scene.state.bodies.velocity[0].x - v, g * 5 / 7 * (std::sin(angle) - C * std::cos(angle)), 1e-4);
}

// A point mass on a slope-free plane: x'' = -k_t x / m. Half a period later it comes back through the start.
TEST(SlidingSprings, ASpringSwingsWithItsPeriod) {
    for (const model::Integrator integrator : integrators) {
        const double k = 1e4, ratio = 0.3, g = 10, v = 0.02, period = 2 * pi / std::sqrt(ratio * k);
        Scene scene = ball_over_plane({0, 0, -g}, {}, {});
        model::BodyKind body{.mass = 1, .semi_axes = {0.1, 0.1, 0.05}, .inertia = {100, 100, 100}};
        body.colliders = {{.shape = model::Markers{{{0, 0, 0}}}}};
        scene.world().bodies = rows({body});
        scene.law() = {.restitution = 1, .friction = 0.5, .stiffness = k};
        hold_by_springs(scene.law(), ratio);
        scene.state = state_of({{0, 0, -g / k}});
        scene.state.bodies.velocity = {{v, 0, 0}};
        set_steps(scene, integrator, period / 2000);
        Books books(period / 7);
        scene.run(10.25 * period, books);
        const double amplitude = v / std::sqrt(ratio * k), tolerance = integrator == model::Integrator::leapfrog ? 1e-4 : 1e-6;
        EXPECT_NEAR(scene.state.bodies.position[0].x / amplitude, 1, tolerance);
        EXPECT_NEAR(scene.state.bodies.velocity[0].x / v, 0, 1e-3);
        for (std::size_t i = 0; i < books.mechanical.size(); ++i)  // of the swing alone
            EXPECT_NEAR((books.mechanical[i] + books.heat[i] - books.mechanical[0]) / (0.5 * v * v), 0, 1e-4) << i;
    }
}

struct Oblique {
    Vec3 velocity, spin;
    double heat = 0, most = 0, start = 0;
    std::vector<double> heats;
};

Oblique oblique_impact(model::Integrator integrator, laws::NormalLaw normal, double e, double mu, double ratio, double angle, double spin) {
    Scene scene = ball_over_plane({}, {0, 0, 0.1 + 1e-9}, {std::sin(angle), 0, -std::cos(angle)});
    scene.law() = {.restitution = e, .friction = mu, .normal_law = normal, .stiffness = 1e8, .modulus = 1e9};
    hold_by_springs(scene.law(), ratio);
    scene.state.bodies.spin = {{0, spin, 0}};
    set_steps(scene, integrator, 1e-8);
    Books books(2e-6);
    scene.run(1e-3, books);
    EXPECT_GT(scene.state.bodies.velocity[0].z, 0);
    Oblique out{.velocity = scene.state.bodies.velocity[0], .spin = scene.state.bodies.spin[0], .heats = books.heat};
    out.heat = books.heat.back();
    out.start = books.mechanical[0];
    for (const double energy : books.mechanical) out.most = std::fmax(out.most, energy);
    EXPECT_LT(books.drift(), integrator == model::Integrator::dopri5 ? 1e-6 : 1e-3);
    return out;
}

// Oblique impact of a solid sphere by the linear law with K = 2/7. The slip s of the contact point, s'' = -(7/2) (k_t s + c_t s') / m,
// is the linear equation of the overlap, m x'' = -k x - c x', so that s'(t) / s'(0) = x'(t) / x'(0) while it sticks, and the force across
// is (2/7) s'(0) / x'(0) times the normal force: it sticks to the end if that is below mu, else it slides all the time. So at the end
//   J_t = min(2/7 (1 + e) |s'(0)|, mu (1 + e) |x'(0)|) m,
// the two branches of Walton (1993) with a tangential restitution equal to the normal one; without dampers that of Maw, Barber and
// Fawcett (1976) for gross sliding.
TEST(SlidingSprings, ObliqueImpactsOfALinearSphereAreThoseOfTheory) {
    for (const model::Integrator integrator : {model::Integrator::dopri5, model::Integrator::leapfrog})
        for (const double e : {1.0, 0.6, 0.2})
            for (const double angle : {0.2, 0.6, 1.2}) {
                const double mu = 0.25, spin = -2, slip = std::sin(angle) - 0.1 * spin, normal = std::cos(angle);
                const Oblique out = oblique_impact(integrator, laws::NormalLaw::hooke, e, mu, 2.0 / 7, angle, spin);
                const double impulse = std::fmin(2.0 / 7 * slip, mu * normal) * (1 + e);
                const double tolerance = integrator == model::Integrator::dopri5 ? 2e-4 : 2e-3;
                EXPECT_NEAR(out.velocity.x, std::sin(angle) - impulse, tolerance) << e << " " << angle;
                EXPECT_NEAR(out.spin.y, spin + 2.5 * impulse / 0.1, 25 * tolerance) << e << " " << angle;
                EXPECT_NEAR(out.velocity.z, e * normal, tolerance);
            }
}

// Without dampers and with friction that never slips the slip is a cosine: tangential restitution -cos(pi sqrt(7 K / 2)).
TEST(SlidingSprings, TheSlipOfAnElasticImpactIsACosine) {
    for (const double ratio : {0.1, 2.0 / 7, 0.5, 0.9}) {
        const double angle = 0.3, slip = std::sin(angle);
        const Oblique out = oblique_impact(model::Integrator::dopri5, laws::NormalLaw::hooke, 1, 1000, ratio, angle, 0);
        const double after = slip * std::cos(pi * std::sqrt(3.5 * ratio));
        EXPECT_NEAR(out.velocity.x - 0.1 * out.spin.y, after, 2e-3) << ratio;
    }
}

// Energy: what the springs, the damper and the sliders do never adds any, whatever the law, and heat never falls.
TEST(SlidingSprings, EnergyNeverGrows) {
    for (const laws::NormalLaw normal : {laws::NormalLaw::hooke, laws::NormalLaw::hertz})
        for (const double e : {1.0, 0.5})
            for (const double mu : {0.1, 0.5, 10.0})
                for (const double angle : {0.3, 1.2})
                    for (const double spin : {0.0, 15.0}) {
                        const Oblique out = oblique_impact(model::Integrator::dopri5, normal, e, mu, 6.0 / 7, angle, spin);
                        EXPECT_LT(out.most, out.start * (1 + 1e-7));
                        for (std::size_t i = 1; i < out.heats.size(); ++i) EXPECT_GE(out.heats[i], out.heats[i - 1] - 1e-7 * out.start);
                    }
}

// Mindlin's stiffness: the spring of the law at an overlap x is 8 G* sqrt(R x) with K = 4 G* / E*.
TEST(SlidingSprings, UnderHertzTheSpringIsMindlins) {
    const double E = 7e10, nu = 0.3, G = E / (2 * (1 + nu)), R = 0.01, x = 1e-6;
    const double E_eff = E / (2 * (1 - nu * nu)), G_eff = G / (2 * (2 - nu)), K = 2 * (1 - nu) / (2 - nu);
    laws::PairLaw law{.restitution = 1, .friction = 1, .normal_law = laws::NormalLaw::hertz, .modulus = E_eff};
    hold_by_springs(law, K);
    const laws::SoftContact contact = laws::SoftLaw(law).between(1, R);
    const Vec3 memory[2] = {{1e-9, 0, 0}, {}};
    const laws::SoftTouch touch{.normal = {0, 0, 1}, .overlap = x, .velocity = {}, .spin = {}, .radius = R};
    laws::SoftResponse response = contact(touch);
    laws::respond(law.forces, contact, touch, memory, response);
    EXPECT_NEAR(response.force.x, -8 * G_eff * std::sqrt(R * x) * 1e-9, 1e-12 * std::fabs(response.force.x));
    EXPECT_NEAR(K, 4 * G_eff / E_eff, 1e-15);
}

// A ball that rolls and twists over triangles is the ball on the half-space: its memory goes with it over edges and vertices.
TEST(SlidingSprings, ABallOnATriangulatedPlaneIsThatOnAHalfSpace) {
    for (const model::Integrator integrator : integrators) {
        model::State end[2];
        for (const bool is_mesh : {false, true}) {
            Scene scene = ball_over_plane({0.3, 0.1, -9.81}, {-1, 0.37, 0.1 - 9.81e-5}, {0.5, 0.11, 0});
            model::Assets assets;
            if (is_mesh) {
                std::vector<Vec3> points;
                std::vector<std::array<std::int32_t, 3>> facets;
                for (int i = 0; i <= 20; ++i)
                    for (int j = 0; j <= 20; ++j) points.push_back({0.3 * i - 3, 0.3 * j - 3, 0});
                for (int i = 0; i < 20; ++i)
                    for (int j = 0; j < 20; ++j) {
                        const std::int32_t a = 21 * i + j, b = a + 21;
                        facets.push_back({a, b, b + 1});
                        facets.push_back({a, b + 1, a + 1});
                    }
                assets.surface = geometry::make_surface(std::move(points), std::move(facets));
                scene.model.assets = &assets;
                scene.world().ground = {{.shape = model::MeshShape{}}};
                scene.world().ground_materials = {0};
            }
            scene.law() = {.restitution = 0.3, .friction = 0.3, .rolling_resistance = 0.02, .spinning_resistance = 0.01, .stiffness = 1e5};
            hold_by_springs(scene.law());
            scene.state.bodies.spin = {{0, 0, 5}};
            set_steps(scene, integrator, 1e-4);
            Books books(1e9);
            scene.run(1.5, books);
            end[is_mesh ? 1 : 0] = scene.state;
        }
        EXPECT_LT(norm(end[0].bodies.position[0] - end[1].bodies.position[0]), 1e-12) << static_cast<int>(integrator);
        EXPECT_LT(norm(end[0].bodies.spin[0] - end[1].bodies.spin[0]), 1e-10);
        EXPECT_GT(norm(end[0].bodies.position[0] - Vec3{-1, 0.37, 0.1}), 0.5);
    }
}

// Two balls hit each other off centre, turning: in axes that are turned the same, turned; and moved along, the same, moved.
TEST(SlidingSprings, TheFrameDoesNotMatter) {
    const auto collide = [](model::Integrator integrator, const Quat& turned, const Vec3& drift) {
        Scene scene;
        scene.world().bodies = rows({model::sphere_kind(0.1, 1), model::sphere_kind(0.15, 2)});
        scene.law() = {.restitution = 0.6, .friction = 0.3, .rolling_resistance = 0.1, .spinning_resistance = 0.1, .stiffness = 1e5};
        hold_by_springs(scene.law());
        scene.state = state_of({rotate(turned, Vec3{-0.13, 0, 0.05}), rotate(turned, Vec3{0.13, 0, -0.05})});
        scene.state.bodies.velocity = {drift + rotate(turned, Vec3{1, 0.3, 0}), drift + rotate(turned, Vec3{-1, 0, 0.2})};
        scene.state.bodies.spin = {rotate(turned, Vec3{3, 5, -2}), rotate(turned, Vec3{-7, 1, 4})};
        scene.world().environment.field = gravity::Uniform{};
        set_steps(scene, integrator, 1e-5);  // error control looks at components, which axes change
        Books books(1e9);
        scene.run(0.1, books);
        EXPECT_EQ(scene.state.tallies.impacts[0], 1);
        return scene.state;
    };
    const Quat turned = rotation(Vec3{0.5, -1.2, 0.7});
    const Vec3 drift{0.7, -0.4, 0.2};
    const model::Integrator rk4 = model::Integrator::rk4, leapfrog = model::Integrator::leapfrog;
    const model::State plain = collide(rk4, {}, {}), rotated = collide(rk4, turned, {}), moved = collide(rk4, {}, drift);
    const model::State kicked = collide(leapfrog, {}, {}), kicked_along = collide(leapfrog, turned, drift);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_LT(norm(drift + rotate(turned, kicked.bodies.velocity[i]) - kicked_along.bodies.velocity[i]), 1e-9);
        EXPECT_LT(norm(rotate(turned, plain.bodies.velocity[i]) - rotated.bodies.velocity[i]), 1e-9);
        EXPECT_LT(norm(rotate(turned, plain.bodies.spin[i]) - rotated.bodies.spin[i]), 1e-8);
        EXPECT_LT(norm(plain.bodies.velocity[i] + drift - moved.bodies.velocity[i]), 1e-9);
        EXPECT_LT(norm(plain.bodies.spin[i] - moved.bodies.spin[i]), 1e-8);
    }
    const auto angular = [](const model::State& s) {
        return cross(s.bodies.position[0], s.bodies.velocity[0]) + 2 * cross(s.bodies.position[1], s.bodies.velocity[1]) +
               0.4 * 0.01 * s.bodies.spin[0] + 0.4 * 2 * 0.0225 * s.bodies.spin[1];
    };
    const Vec3 before = cross(Vec3{-0.13, 0, 0.05}, Vec3{1, 0.3, 0}) + 2 * cross(Vec3{0.13, 0, -0.05}, Vec3{-1, 0, 0.2}) +
                        0.004 * Vec3{3, 5, -2} + 0.018 * Vec3{-7, 1, 4};
    EXPECT_LT(norm(angular(plain) - before), 1e-12);
}

Scene grains() {
    Scene scene;
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> noise(-0.05, 0.05);
    const double r = 0.005, mass = 2500 * 4.0 / 3 * pi * r * r * r;
    std::vector<Vec3> position;
    for (int k = 0; k < 12; ++k)
        for (int j = 0; j < 8; ++j)
            for (int i = 0; i < 8; ++i)
                position.push_back(r * Vec3{2.2 * i + noise(engine), 2.2 * j + noise(engine), 1.1 + 2.2 * k + noise(engine)});
    scene.world().bodies.add(model::sphere_kind(r, mass), position.size());
    scene.world().ground = {{.shape = model::HalfSpace{}}};
    scene.world().environment.field = gravity::Uniform{{0, 0, -9.81}};
    scene.law() = {.restitution = 0.5, .friction = 0.4, .rolling_resistance = 0.05, .stiffness = 2e3};
    hold_by_springs(scene.law());
    scene.state = state_of(position);
    scene.phase.step_max = 2e-5;
    return scene;
}

TEST(Threads, GrainsThatRememberHaveTheSameBits) {
    const auto end = [](int threads) {
        const ThreadLimit limit(threads);
        Scene scene = grains();
        Books books(1e9);
        scene.run(0.04, books);
        return scene.state;
    };
    const model::State one = end(1), two = end(2);
    EXPECT_EQ(one, two);
    EXPECT_GT(one.contacts.size(), 100u);
    EXPECT_EQ(one.contacts.memory.size(), one.contacts.size() * static_cast<std::size_t>(one.contacts.memory_width));
}

TEST(SlidingSprings, ARunThatGoesOnFromACheckpointHasTheSameBits) {
    for (const model::Integrator integrator : integrators) {
        Scene scene = integrator == model::Integrator::dopri5
                          ? block_on_slope(9.81, 0.6, {.restitution = 0.3, .friction = 0.5, .stiffness = 1e4})
                          : grains();
        set_steps(scene, integrator, 2e-5);
        scene.world().step_budget = 100000000;
        Scene again = scene;
        Books books(1e9, 0.03), rest(1e9);
        scene.run(0.06, books);
        ASSERT_TRUE(books.saved);
        EXPECT_GT(books.saved->contacts.memory_width, 0);
        again.state = *books.saved;
        const Advance got = find_method("penalty")->make(again.model, again.phase)->advance(again.state, {.time = 0.06}, rest);
        ASSERT_FALSE(got.ended);
        again.state.balance = scene.state.balance;  // the test sets no energy of the start
        EXPECT_EQ(again.state, scene.state) << static_cast<int>(integrator);
    }
}

// Rows go to the contact of the same name, then to the nearest new one of the same colliders, once each.
TEST(ContactMemory, ANewContactInheritsFromTheNearestThatEnded) {
    ContactMemory memory;
    const auto feature = [](std::uint16_t collider, std::uint32_t part) { return model::contact_feature(0, collider, part); };
    memory.rows = {{.a = 0, .b = -1, .feature = feature(0, 3), .point = {0, 0, 0}},
                   {.a = 0, .b = -1, .feature = feature(0, 5), .point = {1, 0, 0}},
                   {.a = 0, .b = -1, .feature = feature(1, 0), .point = {2, 0, 0}},
                   {.a = 1, .b = -1, .feature = feature(0, 0), .point = {2, 0, 0}}};
    const auto at = [&](std::int64_t f, double x) { return contact::ContactPoint{.a = 0, .b = -1, .feature = f, .point = {x, 0, 0}}; };
    std::vector<std::int32_t> rows;
    memory.match({at(feature(0, 4), 0.9), at(feature(0, 5), 1.1), at(feature(0, 6), 0.1)}, rows);
    EXPECT_EQ(rows, (std::vector<std::int32_t>{0, 1, -1}));  // part 5 goes on; of 3 and nothing else, the first new one inherits
    memory.match({at(feature(0, 7), 0.6), at(feature(1, 1), 5)}, rows);
    EXPECT_EQ(rows, (std::vector<std::int32_t>{1, 2}));
    memory.match({at(feature(0, 7), 0.5)}, rows);
    EXPECT_EQ(rows, (std::vector<std::int32_t>{0}));  // a tie: the lowest feature
}

TEST(ContactMemory, VectorsTurnWithTheNormalByTheLeastRotation) {
    const Vec3 n{0, 0, 1}, m = unit(Vec3{0.3, 0, 1}), v{1, 2, 0};
    EXPECT_EQ(turned_with_normal(v, n, n), v);
    const Vec3 t = turned_with_normal(v, n, m);
    EXPECT_NEAR(dot(t, m), 0, 1e-15);
    EXPECT_NEAR(norm(t), norm(v), 1e-15);
    EXPECT_NEAR(t.y, 2, 1e-15);
    EXPECT_NEAR(norm(turned_with_normal(n, n, m) - m), 0, 1e-15);
}

}  // namespace
}  // namespace asperity::dynamics::sliding_springs_test
