// Penalty by explicit fixed steps, with ground: against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "asperity/core/parallel.h"
#include "asperity/laws/contact/soft.h"
#include "unit/dynamics/soft_scene.h"

namespace asperity::dynamics::fixed_steps_test {
namespace {

double rebound(Scene scene, double step) {
    scene.phase.step_max = step;
    Books books(1e9);
    scene.run(0.06, books);
    return scene.state.bodies.velocity[0].z;
}

// What is asked comes out, whatever the normal law and the speed. Tolerances: fixed steps are a 3000th of a contact, and of order one where
// it begins; dopri5 locates that.
TEST(Penalty, RestitutionOnGroundIsWhatWasAskedFor) {
    for (const model::Integrator integrator : {model::Integrator::leapfrog, model::Integrator::rk4, model::Integrator::dopri5})
        for (const laws::NormalLaw normal : {laws::NormalLaw::hooke, laws::NormalLaw::hertz})
            for (const double e : {0.1, 0.5, 0.9, 1.0})
                for (const double speed : {0.01, 1.0}) {
                    Scene scene = ball_over_plane({}, {0, 0, 0.1 + 1e-4 * speed}, {0, 0, -speed});
                    scene.law().restitution = e;
                    scene.law().normal_law = normal;
                    scene.law().stiffness = 1e5;
                    scene.law().modulus = 1e7;
                    scene.phase.integrator = integrator;
                    const bool is_located = integrator == model::Integrator::dopri5;
                    scene.phase.tolerance = 1e-9;
                    const double step = is_located ? std::numeric_limits<double>::infinity() : 3e-6;
                    EXPECT_NEAR(rebound(scene, step) / speed, e, is_located ? 1e-6 : 2e-3)
                        << e << " " << speed << " " << static_cast<int>(normal) << " " << static_cast<int>(integrator);
                }
}

// Johnson, Contact Mechanics (1985), 11.4: d_max = (15 m v^2 / (16 E* sqrt(R)))^(2/5).
TEST(FixedSteps, AnElasticHertzImpactIsAsDeepAsTheorySays) {
    Scene scene = ball_over_plane({}, {0, 0, 0.1 + 1e-6}, {0, 0, -0.13});
    scene.law().restitution = 1;
    scene.law().normal_law = laws::NormalLaw::hertz;
    scene.law().modulus = 1e7;
    scene.phase.step_max = 1e-5;
    Books books(1e9);
    scene.run(0.1, books);
    EXPECT_NEAR(scene.state.tallies.deepest_overlap[0], std::pow(15 * 0.13 * 0.13 / (16 * 1e7 * std::sqrt(0.1)), 0.4), 2e-8);
    EXPECT_NEAR(scene.state.bodies.velocity[0].z, 0.13, 1e-7);
}

// Inside an elastic contact, where nothing begins or ends: the orders that the file states.
TEST(FixedSteps, OrdersInsideAContactAreThoseStated) {
    const auto error = [](model::Integrator integrator, double e, double step) {
        Scene scene = ball_over_plane({}, {0, 0, 0.1 - 1e-3}, {0, 0, -0.3});
        scene.law().restitution = e;
        scene.law().stiffness = 1e5;
        scene.phase.integrator = integrator;
        scene.phase.step_max = step;
        Books books(1e9);
        const double end = 2e-3, w0 = std::sqrt(1e5);
        scene.run(end, books);
        const double z = laws::damping_ratio_of_restitution(e), b = z * w0, w = w0 * std::sqrt(1 - z * z), x0 = 1e-3, v0 = 0.3;
        const double x = std::exp(-b * end) * (x0 * std::cos(w * end) + (v0 + b * x0) / w * std::sin(w * end));
        return std::fabs((0.1 - scene.state.bodies.position[0].z) - x);
    };
    const auto order = [&](model::Integrator integrator, double e, double step) {
        return std::log2(error(integrator, e, step) / error(integrator, e, 0.5 * step));
    };
    EXPECT_NEAR(order(model::Integrator::leapfrog, 1, 1e-5), 2, 0.05);
    EXPECT_NEAR(order(model::Integrator::leapfrog, 0.5, 1e-5), 1, 0.1);
    EXPECT_NEAR(order(model::Integrator::rk4, 1, 1e-4), 4, 0.2);
    EXPECT_NEAR(order(model::Integrator::rk4, 0.5, 1e-4), 4, 0.2);
}

// A ball that starts sliding at v rolls from t = 2 v / (7 f g) on with 5/7 v; the slip speed of the law delays it by its logarithm.
TEST(FixedSteps, ASlidingBallComesToRollWithFiveSevenths) {
    for (const bool is_mesh : {false, true}) {
        Scene scene = ball_over_plane({0, 0, -1}, {-1, 0.3, 0.1 - 1e-5}, {0.5, 0, 0});
        model::Assets assets;
        if (is_mesh) {
            assets.surface = geometry::make_surface({{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}, {0, 0, 0}},
                                                    {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}});
            scene.model.assets = &assets;
            scene.world().ground = {{.shape = model::MeshShape{}}};
            scene.world().ground_materials = {0};
        }
        scene.law() = {.restitution = 0, .friction = 0.3, .stiffness = 1e5, .slip_speed = 1e-4};
        scene.phase.step_max = 2e-5;
        Books books(0.1);
        scene.run(2 * 0.5 / (7 * 0.3) + 0.2, books);
        EXPECT_NEAR(scene.state.bodies.velocity[0].x, 0.5 * 5 / 7, 1e-4);
        EXPECT_NEAR(scene.state.bodies.spin[0].y, 0.5 * 5 / 7 / 0.1, 1e-3);
        EXPECT_LT(books.drift(), 1e-4);
        EXPECT_GT(scene.state.tallies.heat_friction[0], 0.9 * 0.5 * 0.25 * 2 / 7);
    }
}

// A ball that falls, bounces, slides, rolls against rolling resistance and stops: 1-landers 8.3 in the small. Friction ends with the slip
// at 5/7 v; then C g (1 + 2/5)^-1 ... slows it: v' = -C g r^2 / (r^2 + 2/5 r^2) = -5/7 C g, and it stops after 5/7 v / (5/7 C g) = v / (C
// g).
TEST(Penalty, ABallSlidesRollsAndRestsByLocatedSteps) {
    for (const bool is_mesh : {false, true}) {
        const double g = 1e-2, v = 0.05, f = 0.5, C = 0.02;
        Scene scene = ball_over_plane({0, 0, -g}, {-1, 0.3, 0.1 - 1 * g / 1e3}, {v, 0, 0});
        model::Assets assets;
        if (is_mesh) {
            assets.surface = geometry::make_surface({{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}, {0, 0, 0}},
                                                    {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}});
            scene.model.assets = &assets;
            scene.world().ground = {{.shape = model::MeshShape{}}};
            scene.world().ground_materials = {0};
        }
        scene.law() = {.restitution = 0.5, .friction = f, .rolling_resistance = C, .stiffness = 1e3, .slip_speed = 1e-4};
        scene.phase.integrator = model::Integrator::dopri5;
        scene.phase.tolerance = 1e-9;
        Books books(10);
        scene.run(2000, books);
        ASSERT_TRUE(scene.outcome);
        // The slip speed, 2e-3 of the first one, smears the ends of slip and spin: to that part of time and way.
        // slides until u = v + ... : t1 = 2 v / 7 / (f g) but for the small torque of rolling resistance, which turns the ball against
        // friction
        const double spin_up = 2.5 * (f - C) * g, t1 = v / (f * g + spin_up), v1 = v - f * g * t1, stop = t1 + v1 / (C * g * 5 / 7);
        EXPECT_NEAR(scene.outcome->time, stop, 1e-2 * stop);
        const double way = v * t1 - 0.5 * f * g * t1 * t1 + 0.5 * v1 * v1 / (C * g * 5 / 7);
        EXPECT_NEAR(scene.state.bodies.position[0].x, -1 + way, 1e-2 * way);
        const double start = 0.5 * v * v;
        for (std::size_t i = 0; i < books.heat.size(); ++i)
            EXPECT_NEAR(books.mechanical[i] + books.heat[i], books.mechanical[0], 1e-6 * start) << i;
    }
}

// Nothing ends the spin about the normal of a ball without spinning resistance: it rests, as under event-driven. With it, or with the spin
// about an axis along the ground, it does not rest before that has ended.
TEST(Penalty, ABallThatSpinsOnTheSpotRestsWhereNothingEndsIt) {
    for (const laws::Sliding sliding : {laws::Sliding::slip_speed, laws::Sliding::spring}) {
        const auto spun = [&](const Vec3& spin, double spinning_resistance, bool has_wall) {
            Scene scene = ball_over_plane({0, 0, -1}, {0, 0, 0.1 - 1e-4}, {});
            if (has_wall) {
                scene.world().ground.push_back(
                    {.shape = model::HalfSpace{}, .pose = {.p = {-0.1 + 1e-4, 0, 0}, .q = rotation(Vec3{0, pi / 2, 0})}});
                scene.world().ground_materials.push_back(0);
                scene.world().environment.field = gravity::Uniform{{-1, 0, -1}};
            }
            scene.law() = {.restitution = 0.2, .friction = 0.3, .rolling_resistance = 0.05, .stiffness = 1e4, .slip_speed = 1e-4};
            scene.law().spinning_resistance = spinning_resistance;
            std::get<laws::SlidingSprings>(scene.law().forces) = {.sliding = sliding};
            scene.state.bodies.spin = {spin};
            scene.phase.integrator = model::Integrator::rk4;
            scene.phase.step_max = 1e-3;
            Books books(1e9);
            scene.run(2, books);
            return scene;
        };
        const Scene on_the_spot = spun({0, 0, 7}, 0, false);
        ASSERT_TRUE(on_the_spot.outcome);
        EXPECT_LE(on_the_spot.outcome->time, on_the_spot.phase.step_max);  // rest is looked for at ends of steps
        EXPECT_NEAR(on_the_spot.state.bodies.spin[0].z, 7, 1e-12);
        EXPECT_FALSE(spun({0, 7, 0}, 0, false).outcome);      // it rolls away
        EXPECT_FALSE(spun({0, 0, 70}, 0.01, false).outcome);  // 5/2 C_s g / r a second slower
        EXPECT_FALSE(spun({0, 0, 700}, 0, true).outcome);     // the wall rubs
    }
}

// On a slope s rolling resistance C > s holds a ball, but for a creep: its centre and its surface move at V s / C. Each of them is slower
// than V, and that is rest; both together are not.
TEST(Penalty, ABallThatRollingResistanceHoldsOnASlopeRests) {
    const double slope = 0.04, g = 1, V = 1e-4;
    const auto on_slope = [&](double C) {
        Scene scene = ball_over_plane({slope * g, 0, -g}, {0, 0, 0.1 - 1e-4}, {3e-3, 0, 0});
        scene.law() = {.restitution = 0.2, .friction = 0.5, .rolling_resistance = C, .stiffness = 1e4, .slip_speed = V};
        scene.phase.integrator = model::Integrator::rk4;
        scene.phase.step_max = 5e-5;  // slip relaxes in V / (f g), 2/7 of that where it turns the ball
        Books books(1e9);
        scene.run(2, books);
        return scene;
    };
    const Scene held = on_slope(0.05);
    ASSERT_TRUE(held.outcome);
    for (const double creep : {held.state.bodies.velocity[0].x, held.state.bodies.spin[0].y * 0.1}) {
        EXPECT_GT(creep, 0.7 * V);  // 0.8 V in the end
        EXPECT_LT(creep, V);
    }
    EXPECT_FALSE(on_slope(0.03).outcome);
}

// Bounces from afar: in a uniform field nothing limits the steps of a flight but the search for contact, which must not step through the
// ground. Drop by z, restitution e: impacts at t0, t0 + 2 e t0, t0 + 2 e t0 + 2 e^2 t0 with t0 = sqrt(2 z / g), later by the time that
// contacts last.
TEST(Penalty, LongFlightsDoNotPassThroughTheGround) {
    for (const double stiffness : {3e3, 1e4, 1e5}) {  // with the first two a step that begins in contact would take in the next bounce
        const double g = 1e-2, z = 20, e = 0.5, t0 = std::sqrt(2 * z / g);
        Scene scene = ball_over_plane({0, 0, -g}, {-1, 0.3, 0.1 + z}, {0.03, 0.01, 0});
        scene.law() = {.restitution = e, .friction = 0.5, .rolling_resistance = 0.05, .stiffness = stiffness, .slip_speed = 1e-4};
        scene.phase.integrator = model::Integrator::dopri5;
        scene.phase.tolerance = 1e-9;
        Books books(10);
        scene.run(t0 * (1 + 2 * e + 2 * e * e) + 5, books);
        std::vector<double> impacts;
        for (const model::Event& event : books.events)
            if (event.kind == model::EventKind::impact) impacts.push_back(event.time);
        ASSERT_GE(impacts.size(), 3u);
        EXPECT_NEAR(impacts[0], t0, 1e-9 * t0);
        EXPECT_NEAR(impacts[1], t0 * (1 + 2 * e), 0.1);
        EXPECT_NEAR(impacts[2], t0 * (1 + 2 * e + 2 * e * e), 0.2);
        EXPECT_LT(books.drift(), 1e-6);
    }
}

// Three free spheres that attract and hit each other while they fall in a uniform field: no world of one family has that.
TEST(FixedSteps, FreeSpheresInAUniformFieldKeepMomentumAndLedger) {
    Scene scene;
    model::BodyKind body = model::sphere_kind(1, 1e3);
    scene.world().bodies = rows({body, body, body});
    scene.world().environment.field = gravity::Uniform{{0, 0, -1e-3}};
    scene.world().environment.mutual.constant = 1e-6;
    scene.law() = {.restitution = 0.5, .friction = 0.4, .stiffness = 1e4, .slip_speed = 1e-5};
    scene.state = state_of({{-1.5, 0, 0}, {1.5, 0.4, 0}, {0, 2.5, 0.3}});
    scene.state.bodies.velocity = {{0.05, 0, 0}, {-0.05, 0, 0}, {0, -0.05, 0}};
    scene.phase.step_max = 1e-3;
    Books books(0.5);
    scene.run(60, books);
    Vec3 momentum;
    for (const Vec3& v : scene.state.bodies.velocity) momentum += 1e3 * v;
    EXPECT_LT(norm(momentum - Vec3{0, -50, -3 * 1e3 * 1e-3 * 60}), 1e-9);
    EXPECT_GE(scene.state.tallies.impacts[0] + scene.state.tallies.impacts[1], 2);
    const double scale = 3 * 0.5 * 1e3 * 0.05 * 0.05;
    for (std::size_t i = 0; i < books.mechanical.size(); ++i)
        EXPECT_NEAR(books.mechanical[i] + books.heat[i], books.mechanical[0] + books.heat[0], 1e-3 * scale) << i;
    EXPECT_GT(books.heat.back(), 0.1 * scale);
}

// Grains that fall into a box of half-spaces: five walls, no family has them either.
Scene grains(int across, int high) {
    Scene scene;
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> noise(-0.05, 0.05);
    const double r = 0.005, mass = 2500 * 4.0 / 3 * pi * r * r * r;
    std::vector<Vec3> position;
    for (int k = 0; k < high; ++k)
        for (int j = 0; j < across; ++j)
            for (int i = 0; i < across; ++i)
                position.push_back(r *
                                   Vec3{2.2 * (i + 0.6) + noise(engine), 2.2 * (j + 0.6) + noise(engine), 2.2 * (k + 0.6) + noise(engine)});
    scene.world().bodies.add(model::sphere_kind(r, mass), position.size());
    const double width = r * 2.2 * (across + 0.2);
    const auto wall = [](const Vec3& p, const Vec3& axis, double angle) {
        return model::Collider{.shape = model::HalfSpace{}, .pose = {p, rotation(angle * axis)}};
    };
    scene.world().ground = {wall({}, {0, 1, 0}, 0), wall({}, {0, 1, 0}, pi / 2), wall({width, 0, 0}, {0, 1, 0}, -pi / 2),
                            wall({}, {1, 0, 0}, -pi / 2), wall({0, width, 0}, {1, 0, 0}, pi / 2)};
    scene.world().environment.field = gravity::Uniform{{0, 0, -9.81}};
    scene.law() = {.restitution = 0.5, .friction = 0.4, .stiffness = 2e3, .slip_speed = 1e-3};
    scene.state = state_of(position);
    scene.phase.step_max = 2e-5;
    scene.world().step_budget = 100000000;
    return scene;
}

TEST(FixedSteps, GrainsSettleInABoxAndTheLedgerCloses) {
    for (const laws::NormalLaw normal : {laws::NormalLaw::hooke, laws::NormalLaw::hertz}) {
        Scene scene = grains(5, 8);
        scene.law().normal_law = normal;
        scene.law().modulus = 2e6;
        Books books(0.02);
        scene.run(0.25, books);
        double kinetic = 0, most = 0;
        for (const Vec3& v : scene.state.bodies.velocity) kinetic += 0.5 * squared_norm(v), most = std::fmax(most, norm(v));
        EXPECT_LT(kinetic * scene.world().bodies[0].mass, 1e-2 * books.heat.back());
        EXPECT_LT(books.drift(), 5e-3);  // leapfrog: of order one in dampers and friction
        for (std::size_t i = 1; i < books.heat.size(); ++i) EXPECT_GE(books.heat[i], books.heat[i - 1] * (1 - 1e-9));
        for (const Vec3& p : scene.state.bodies.position) EXPECT_GT(p.z, 0.004);
    }
}

TEST(Threads, GrainsHaveTheSameBits) {
    const auto hash = [](int threads) {
        const ThreadLimit limit(threads);
        Scene scene = grains(8, 16);
        Books books(1e9);
        scene.run(0.04, books);
        return scene.state;
    };
    const model::State one = hash(1), two = hash(2);
    EXPECT_EQ(one, two);
    EXPECT_GT(one.contacts.size(), 100u);
}

TEST(FixedSteps, ARunThatGoesOnFromACheckpointHasTheSameBits) {
    for (const model::Integrator integrator : {model::Integrator::leapfrog, model::Integrator::rk4}) {
        Scene scene = grains(5, 6);
        scene.phase.integrator = integrator;
        Scene again = scene;
        Books books(1e9, 0.03), rest(1e9);
        scene.run(0.06, books);
        ASSERT_TRUE(books.saved);
        again.state = *books.saved;
        const Advance got = find_method("penalty")->make(again.model, again.phase)->advance(again.state, {.time = 0.06}, rest);
        ASSERT_FALSE(got.ended);
        again.state.balance = scene.state.balance;  // the test sets no energy of the start
        EXPECT_EQ(again.state.bodies, scene.state.bodies);
        EXPECT_EQ(again.state.contacts, scene.state.contacts);
        EXPECT_EQ(again.state.tallies, scene.state.tallies);
    }
}

TEST(FixedSteps, WhatPenaltyDoesNotCarryIsRefusedWithTheReason) {
    Scene scene = ball_over_plane({0, 0, -1}, {0, 0, 1}, {});
    const auto refusal = [&] { return find_method("penalty")->carries(model::census_of(scene.model), scene.phase); };
    EXPECT_EQ(refusal(), "penalty needs a stiffness of its contacts above zero (`modulus` under normal_law = \"hertz\")");
    scene.law() = {.friction = 0.3, .stiffness = 1};
    EXPECT_EQ(refusal(), "penalty needs a slip speed above zero where there is friction, or sliding = \"spring\"");
    scene.law().slip_speed = 1e-3;
    EXPECT_EQ(refusal(), "rk4 and leapfrog have a fixed step under penalty: set step_max");
    scene.phase.step_max = 1e-3;
    EXPECT_EQ(refusal(), "");
    scene.law().rolling_law = laws::RollingLaw::published;
    EXPECT_EQ(refusal(), "penalty has the rolling law \"coupled\" alone: the laws of 1-landers are those of rigid contact");
}

}  // namespace
}  // namespace asperity::dynamics::fixed_steps_test
