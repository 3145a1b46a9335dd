// Rigid contact by cone complementarity, under each of its solvers, against closed forms and other methods. Where a tolerance is a number
// of h, the scheme is of order one there; where it is a number of `solved`, it is what solves leave.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "asperity/core/parallel.h"
#include "asperity/dynamics/dvi/cone_problem.h"
#include "unit/dynamics/stepped_scene.h"

namespace asperity::dynamics::dvi_test {
namespace {

using model::ConeSolver;
constexpr ConeSolver solvers[] = {ConeSolver::jacobi, ConeSolver::gauss_seidel, ConeSolver::accelerated};
constexpr double solved = 1e-9;  // tolerance of the phases here

Stepped under_dvi(Scene scene, ConeSolver solver, double h, double end, double sample_every = never, double tolerance = solved) {
    scene.phase.method = "dvi";
    scene.phase.solver = solver;
    scene.phase.iterations = 200000;
    return stepped(std::move(scene), h, end, sample_every, tolerance);
}

// x is nearest to a point of the cone in the metric D where x - p is orthogonal to p and at most a right angle from all of the cone.
TEST(Cone, NearestPointsAreProjections) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> draw;
    const auto any = [&] { return Vec3{draw(random), draw(random), draw(random)}; };
    int inside = 0, tips = 0, on_all = 0;
    for (int k = 0; k < 20000; ++k) {
        const Cone cone{.friction = k % 7 == 0 ? 0 : std::fabs(draw(random)),
                        .rolling = k % 3 == 0 ? 0 : 0.3 * std::fabs(draw(random)),
                        .spinning = k % 5 == 0 ? 0 : 0.2 * std::fabs(draw(random)),
                        .of_normal = 0.2 + std::fabs(draw(random)),
                        .of_tangent = 0.2 + std::fabs(draw(random)),
                        .of_torque = 0.2 + std::fabs(draw(random))};
        const Vec3 n = unit(any());
        const ConeImpulse x{any(), any()}, p = cone.nearest(x, n);
        const auto across = [&](const Vec3& torque) { return norm(tangential(torque, n)); };
        const auto product = [&](const ConeImpulse& a, const ConeImpulse& b) {
            return cone.of_normal * a.linear.x * b.linear.x + cone.of_tangent * (a.linear.y * b.linear.y + a.linear.z * b.linear.z) +
                   cone.of_torque * dot(a.angular, b.angular);
        };
        const double slack = 1e-12 * (1 + p.linear.x);
        ASSERT_GE(p.linear.x, 0);
        ASSERT_LE(std::hypot(p.linear.y, p.linear.z), cone.friction * p.linear.x + slack);
        ASSERT_LE(across(p.angular), cone.rolling * p.linear.x + slack);
        ASSERT_LE(std::fabs(dot(p.angular, n)), cone.spinning * p.linear.x + slack);
        const ConeImpulse left{x.linear - p.linear, x.angular - p.angular};
        ASSERT_NEAR(product(left, p), 0, 1e-11 * (1 + product(x, x))) << k;
        for (int l = 0; l < 5; ++l) {
            const double pressing = std::fabs(draw(random)), a = draw(random);
            const Vec3 t = unit(tangential(any(), n));
            const ConeImpulse other{{pressing, cone.friction * pressing * std::cos(a), cone.friction * pressing * std::sin(a)},
                                    cone.rolling * pressing * t + (cone.spinning * pressing * (l % 2 == 0 ? 1 : -1)) * n};
            ASSERT_LE(product(left, other), 1e-11 * (1 + product(x, x))) << k;
        }
        if (p.linear.x == 0) ++tips;
        if (norm(left.linear) + norm(left.angular) == 0) ++inside;
        if (p.linear.x > 0 && left.linear.y != 0 && norm(tangential(left.angular, n)) > 1e-9) ++on_all;
    }
    EXPECT_GT(inside + tips, 1000);
    EXPECT_GT(on_all, 1000);
}

TEST(Dvi, ABlockSticksBelowTheFrictionAngleAndSlidesAbove) {
    const double f = 0.5, g = 1, h = 1e-3;
    for (const ConeSolver solver : solvers)
        for (const double part : {0.99, 1.01, 1.5}) {
            const double slope = std::atan(part * f);
            Scene scene = on_slope(slope, g, feet);
            scene.law() = {.friction = f};
            scene.state.bodies.position[0].z = 0.1;
            const Stepped run = under_dvi(scene, solver, h, 2);
            const double a = g * (std::sin(slope) - f * std::cos(slope));
            if (part < 1) {
                ASSERT_TRUE(run.outcome) << part;
                EXPECT_LT(run.outcome->time, 20 * h);
                EXPECT_LT(norm(run.bodies().velocity[0]), 1e3 * solved * g * h);  // feet outnumber what holds a block
                EXPECT_LT(std::fabs(run.bodies().position[0].x), 10 * g * h * h);
            } else {
                EXPECT_FALSE(run.outcome);
                EXPECT_NEAR(run.bodies().velocity[0].x, 2 * a, 5 * g * h);
                EXPECT_NEAR(run.bodies().position[0].x, 2 * a, 10 * g * h);
                EXPECT_NEAR(run.scene.state.tallies.heat_friction[0], f * std::cos(slope) * g * 2 * a, 10 * g * h);
            }
            EXPECT_NEAR(run.bodies().position[0].z, 0.1, 1.1 * h * f * std::fmax(0.0, 2 * a) + g * h * h);  // it may stand h f v above
        }
}

// A ball on a slope rolls with 5/7 g sin where 2/7 tan <= f, else it slips with g (sin - f cos) and turns up with 5/2 f g cos / r.
TEST(Dvi, ABallRollsOrSlipsDownASlope) {
    const double slope = 0.4, g = 1, h = 1e-3, end = 1;
    for (const ConeSolver solver : solvers)
        for (const double f : {0.5, 0.05}) {
            Scene scene = ball_over_plane({g * std::sin(slope), 0, -g * std::cos(slope)}, {0, 0, 0.1}, {});
            scene.law() = {.friction = f};
            const Stepped run = under_dvi(scene, solver, h, end);
            const bool rolls = 2.0 / 7 * std::tan(slope) <= f;
            const double a = rolls ? g * std::sin(slope) * 5 / 7 : g * (std::sin(slope) - f * std::cos(slope));
            const double turning = rolls ? a / 0.1 : 2.5 * f * g * std::cos(slope) / 0.1;
            EXPECT_NEAR(run.bodies().velocity[0].x, a * end, 3 * g * h) << f;
            EXPECT_NEAR(run.bodies().spin[0].y, turning * end, 30 * g * h) << f;
            EXPECT_NEAR(run.bodies().position[0].x, 0.5 * a * end * end, 3 * g * h) << f;
        }
}

// The cone is round: a point that slides goes straight on, and as far in every direction.
TEST(Dvi, SlidingIsTheSameInEveryDirection) {
    const double f = 0.3, g = 2, v = 0.7;
    for (const ConeSolver solver : solvers) {
        double way = 0;
        for (int k = 0; k < 12; ++k) {
            Scene scene = on_slope(0, g, {{0, 0, 0}});
            scene.law() = {.friction = f};
            const double angle = 0.1 + 0.55 * k;
            const Vec3 along{std::cos(angle), std::sin(angle), 0};
            scene.state.bodies.velocity = {v * along};
            const Vec3 p = under_dvi(scene, solver, 1e-3, 2).bodies().position[0];
            EXPECT_NEAR(dot(p, along), v * v / (2 * f * g), 5e-3 * v);
            EXPECT_LT(norm(cross({p.x, p.y, 0}, along)), 1e-9 * norm(p)) << angle;  // 0.1 degrees are 1.7e-3
            if (k > 0) {
                EXPECT_NEAR(dot(p, along), way, 1e-6 * way);
            }
            way = dot(p, along);
        }
    }
}

// The relaxation parts what slips: its gap comes to h f v, by no more than h g a step, and falls with v. Without that bound it would be
// thrown up with f v, a centimetre high.
TEST(Dvi, WhatSlipsStandsApartByTheStepTimesItsDilation) {
    const double f = 0.3, g = 2, v = 0.7, end = 0.5;
    for (const double h : {1e-3, 1e-4}) {
        Scene scene = on_slope(0, g, {{0, 0, 0}});
        scene.law() = {.friction = f};
        scene.state.bodies.velocity = {{v, 0, 0}};
        const double early = under_dvi(scene, ConeSolver::gauss_seidel, h, 0.1).bodies().position[0].z;
        EXPECT_GT(early, 0.5 * h * f * v);
        EXPECT_LT(early, 1.1 * h * f * v);
        const Stepped run = under_dvi(scene, ConeSolver::gauss_seidel, h, end);
        const double now = v - f * g * end;
        EXPECT_NEAR(run.bodies().velocity[0].x, now, 5 * g * h);
        EXPECT_NEAR(run.bodies().position[0].z, h * f * now, 0.1 * h * f * now) << h;
    }
}

// Ten balls on each other: each contact carries what stands above it. An error of a velocity is of the scale of its contact, and adds up
// along the column: 10 x 10 tolerances.
TEST(Dvi, AStackOfTenCarriesItsWeight) {
    const double g = 9.81, h = 1e-3, m = 2;
    for (const ConeSolver solver : solvers) {
        Scene scene = ball_over_plane({0, 0, -g}, {}, {});
        std::vector<Vec3> places;
        for (int k = 0; k < 10; ++k) places.push_back({0, 0, 0.1 + 0.2 * k});
        scene.world().bodies = rows(std::vector<model::BodyKind>(10, model::sphere_kind(0.1, m)));
        scene.law() = {.restitution = 0.5, .friction = 0.5};
        scene.state = state_of(places);
        const Stepped run = under_dvi(scene, solver, h, 0.05);
        const model::Contacts& contacts = run.scene.state.contacts;
        ASSERT_EQ(contacts.size(), 10u);
        ASSERT_EQ(contacts.memory_width, 8);
        for (std::size_t k = 0; k < 10; ++k) {
            const double* memory = contacts.memory.data() + 8 * k;
            const double above = contacts.b[k] == model::ground ? 10 : 9.0 - contacts.a[k];
            EXPECT_NEAR(std::fabs(memory[4]), above * m * g * h, 100 * solved * 10 * m * g * h) << k;
        }
        for (std::size_t k = 0; k < 10; ++k) EXPECT_LT(norm(run.bodies().position[k] - places[k]), g * h * h) << k;
    }
}

// As under `impulse`: e of two spheres, and the impulse across.
TEST(Dvi, SpheresCollideByTheLaws) {
    const double v = 0.5, slip = 0.3;
    for (const ConeSolver solver : solvers)
        for (const double e : {0.0, 0.4, 1.0})
            for (const double mu : {0.0, 0.02, 0.6})  // 0.02 slips: without D in its right hand side it would bounce off too fast
                for (const double h : {1e-3, 1e-5}) {
                    Scene scene;
                    scene.world().bodies = rows({model::sphere_kind(1, 100), model::sphere_kind(1, 100)});
                    scene.law() = {.restitution = e, .friction = mu};
                    const double before = 1e-2;  // s, until they touch along x
                    scene.state = state_of({{1 + v * before, -0.5 * slip * before, 0}, {-1 - v * before, 0.5 * slip * before, 0}});
                    scene.state.bodies.velocity = {{-v, slip / 2, 0}, {v, -slip / 2, 0}};
                    const Stepped run = under_dvi(scene, solver, h, 0.02);
                    const double across = std::fmin(mu * (1 + e) * v, slip / 7);
                    EXPECT_NEAR(run.bodies().velocity[0].x, e * v, h) << e << " " << mu;
                    EXPECT_NEAR(run.bodies().velocity[0].y, slip / 2 - across, h) << e << " " << mu;
                    const Vec3 momentum = run.bodies().velocity[0] + run.bodies().velocity[1];
                    EXPECT_LT(norm(momentum), 1e-14);
                    ASSERT_GE(run.books.events.size(), 1u);
                    EXPECT_EQ(run.books.events[0].kind, model::EventKind::impact);
                    EXPECT_NEAR(run.books.events[0].normal_speed_in, 2 * v, h);
                }
}

// A ball that slides comes to roll, and against rolling resistance, a cone of its own, to a stop.
TEST(Dvi, ASlidingBallComesToRollAndStops) {
    const double f = 0.3, g = 1, v = 0.5, c = 0.05;
    for (const double h : {1e-2, 1e-3}) {
        Scene scene = ball_over_plane({0, 0, -g}, {0, 0, 0.1}, {v, 0, 0});
        scene.law() = {.friction = f, .rolling_resistance = c};
        const Stepped run = under_dvi(scene, ConeSolver::gauss_seidel, h, 100);
        ASSERT_TRUE(run.outcome);
        const double spin_up = 2.5 * (f - c) * g, t1 = v / (f * g + spin_up), v1 = v - f * g * t1;
        EXPECT_NEAR(run.outcome->time, t1 + v1 / (c * g * 5 / 7), 20 * h);
        EXPECT_NEAR(run.bodies().position[0].x, v * t1 - 0.5 * f * g * t1 * t1 + 0.5 * v1 * v1 / (c * g * 5 / 7), 5 * h * v);
    }
}

// Spinning resistance C_s takes 5/2 C_s g / r of the spin about the normal.
TEST(Dvi, AToppingBallIsBrakedAboutItsNormal) {
    const double g = 1, w = 3, c = 0.02, end = 0.5;
    for (const ConeSolver solver : solvers) {
        Scene scene = ball_over_plane({0, 0, -g}, {0, 0, 0.1}, {});
        scene.law() = {.friction = 0.3, .spinning_resistance = c};
        scene.state.bodies.spin = {{0, 0, w}};
        const Stepped run = under_dvi(scene, solver, 1e-3, end);
        EXPECT_NEAR(run.bodies().spin[0].z, w - 2.5 * c * g / 0.1 * end, 0.02);
        EXPECT_LT(norm(run.bodies().velocity[0]), 2e-3);
    }
}

// Momentum stays, and energy only falls, with much friction and restitution between askew ellipsoids too.
TEST(Dvi, EnergyNeverGrowsAndMomentumStays) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> draw(-1, 1);
    const auto any = [&] { return Vec3{draw(random), draw(random), draw(random)}; };
    int hits = 0;
    for (int n = 0; n < 60; ++n) {
        Scene scene;
        scene.world().bodies = rows({ellipsoid({1.5, 0.9 + 0.5 * draw(random), 0.4}, 100), ellipsoid({1.2, 0.8, 0.3}, 80)});
        scene.law() = {.restitution = 0.65 + 0.35 * draw(random), .friction = 1 + draw(random), .rolling_resistance = n % 2 == 0 ? 0.2 : 0};
        scene.state = state_of({{-1.6, 0.2 * draw(random), 0.1 * draw(random)}, {1.6, 0, 0}});
        scene.state.bodies.velocity = {{1 + 0.5 * draw(random), 0.1 * draw(random), 0.1 * draw(random)}, 0.1 * any()};
        scene.state.bodies.spin = {3 * any(), 3 * any()};
        scene.state.bodies.orientation = {rotation(2 * any()), rotation(2 * any())};
        const Motion before = motion_of(scene.state);
        const Stepped run = under_dvi(scene, solvers[n % 3], 2e-3, 2.4, 2e-3);
        const model::Parameters& world = run.scene.model.parameters;
        const double start = energy_of(world, scene.state.bodies);
        const Momenta first = momenta(world, before), last = momenta(world, motion_of(run.scene.state));
        EXPECT_LT(norm(last.linear - first.linear), 1e-11 * start) << n;
        EXPECT_LT(norm(last.angular() - first.angular()), 1e-11 * start) << n;
        double heat = 0;
        for (const model::Event& event : run.books.events) hits += event.kind == model::EventKind::impact ? 1 : 0;
        for (const double now : run.books.heat) {  // a step at a time
            EXPECT_GE(now, heat - solved * start) << n;
            heat = now;
        }
    }
    EXPECT_GT(hits, 40);
}

// The velocities of (2) are unique, whatever the solver; the impulses need not be. A bed of 112 grains: what a solve leaves is of the scale
// of its contacts, the speed at which grains fall, and adds up over the contacts between a grain and the ground.
TEST(Dvi, SolversAgree) {
    Scene start = grains();
    start.phase.method = "dvi";
    start.phase.tolerance = 1e-6;
    start.phase.iterations = 200000;
    Books books(never);
    ASSERT_FALSE(find_method("dvi")->make(start.model, start.phase)->advance(start.state, {.time = 0.05}, books).ended);
    std::vector<model::State> after;
    for (const ConeSolver solver : solvers) {
        Scene scene = start;
        scene.phase.solver = solver;
        const Advance got = find_method("dvi")->make(scene.model, scene.phase)->advance(scene.state, {.time = 0.0502}, books);
        ASSERT_FALSE(got.ended) << got.ended->message;
        EXPECT_GT(scene.state.contacts.size(), 60u);
        after.push_back(scene.state);
    }
    for (const model::State& other : after) {
        double apart = 0, fastest = 0;
        for (std::size_t i = 0; i < other.bodies.velocity.size(); ++i) {
            apart = std::fmax(apart, norm(other.bodies.velocity[i] - after[0].bodies.velocity[i]));
            fastest = std::fmax(fastest, norm(other.bodies.velocity[i]));
        }
        EXPECT_LT(apart, 100 * start.phase.tolerance * fastest);
    }
    EXPECT_NE(after[0].bodies, after[1].bodies);
    EXPECT_NE(after[1].bodies, after[2].bodies);
}

TEST(Dvi, ComesToConstraintWithOrderOne) {
    Scene scene;
    scene.world().bodies = rows({model::sphere_kind(1.5, 2000), model::sphere_kind(1, 800)});
    scene.world().environment.mutual.constant = 1e-6;
    scene.law() = {.restitution = 0.5, .friction = 0.4};
    scene.state = state_of({{0, 0, 0}, {4, 0.5, 0}});
    scene.state.bodies.velocity = {{}, {-0.03, 0, 0}};
    Scene exact = scene;
    exact.phase = {.method = "constraint", .integrator = model::Integrator::symplectic4, .tolerance = 1e-12};
    exact.world().step_budget = 10000000;
    Books books(never);
    ASSERT_FALSE(find_method("constraint")->make(exact.model, exact.phase)->advance(exact.state, {.time = 80}, books).ended);
    std::vector<double> error;
    for (const double h : {0.1, 0.01, 0.001}) {
        double sum = 0;
        for (const double part : {1.0, 0.93, 0.87, 0.79, 0.71}) {
            const Stepped run = under_dvi(scene, ConeSolver::gauss_seidel, h * part, 80);
            for (std::size_t i = 0; i < 2; ++i) sum += norm(run.bodies().position[i] - exact.state.bodies.position[i]);
        }
        error.push_back(sum / 5);
    }
    EXPECT_LT(error[2], 1e-4);
    EXPECT_NEAR(std::log10(error[0] / error[2]) / 2, 1, 0.25);
}

Scene grains_under(ConeSolver solver) {
    Scene scene = grains();
    scene.phase.method = "dvi";
    scene.phase.solver = solver;
    scene.phase.tolerance = 1e-3;
    return scene;
}

TEST(Dvi, ARunThatGoesOnFromACheckpointHasTheSameBits) {
    for (const ConeSolver solver : solvers) {
        Scene scene = grains_under(solver), again = grains_under(solver);
        Books books(never, 0.03), rest(never);
        ASSERT_FALSE(find_method("dvi")->make(scene.model, scene.phase)->advance(scene.state, {.time = 0.06}, books).ended);
        ASSERT_TRUE(books.saved);
        EXPECT_GT(books.saved->contacts.size(), 60u);
        again.state = *books.saved;
        ASSERT_FALSE(find_method("dvi")->make(again.model, again.phase)->advance(again.state, {.time = 0.06}, rest).ended);
        EXPECT_EQ(again.state, scene.state);
    }
}

// 1000 grains: several blocks of contacts and bodies.
TEST(Threads, GrainsUnderDviHaveTheSameBits) {
    for (const ConeSolver solver : solvers) {
        const auto after = [&](int threads) {
            const ThreadLimit limit(threads);
            Scene scene = grains_under(solver);
            std::vector<Vec3> places;
            for (int k = 0; k < 1000; ++k)
                places.push_back(
                    {0.0102 * (k % 10) + 1e-4 * (k % 7), 0.0102 * (k / 10 % 10) - 1e-4 * (k % 3), 0.005 + 0.01005 * (k / 100)});
            scene.world().ground = {{.shape = model::HalfSpace{}}};
            scene.world().bodies = {};
            scene.world().bodies.add(model::sphere_kind(0.005, 1e-3), places.size());
            scene.state = model::first_state(places, 1);
            Books books(never);
            const Advance got = find_method("dvi")->make(scene.model, scene.phase)->advance(scene.state, {.time = 5e-3}, books);
            EXPECT_FALSE(got.ended) << got.ended->message;
            EXPECT_GT(scene.state.contacts.size(), 256u);  // more than a block of them
            return scene.state;
        };
        EXPECT_EQ(after(1), after(2));
    }
}

// Nothing that has not converged goes unsaid.
TEST(Dvi, AStepThatDoesNotConvergeEndsTheRun) {
    Scene scene = grains_under(ConeSolver::accelerated);
    scene.phase.tolerance = 1e-300;
    scene.phase.iterations = 50;
    Books books(never);
    const Advance got = find_method("dvi")->make(scene.model, scene.phase)->advance(scene.state, {.time = 0.06}, books);
    ASSERT_TRUE(got.ended);
    EXPECT_EQ(got.ended->kind, model::OutcomeKind::stalled);
    EXPECT_NE(got.ended->message.find("have not converged: after 50 iterations of accelerated the residual is"), std::string::npos)
        << got.ended->message;
    EXPECT_GT(scene.state.stepper.residual, 1e-300);
}

TEST(Dvi, WhatItDoesNotHaveItRefusesWithTheReason) {
    Scene scene = ball_over_plane({0, 0, -1}, {0, 0, 1}, {});
    const auto refusal = [&] { return find_method("dvi")->carries(model::census_of(scene.model), scene.phase); };
    EXPECT_EQ(refusal(), "dvi has a fixed step: set step_max");
    scene.phase.step_max = 1e-3;
    EXPECT_EQ(refusal(), "");
    scene.phase.integrator = model::Integrator::dopri5;
    EXPECT_EQ(refusal(), "dvi steps by leapfrog alone");
}

}  // namespace
}  // namespace asperity::dynamics::dvi_test
