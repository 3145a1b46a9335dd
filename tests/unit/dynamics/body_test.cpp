// A ball at a body that turns: closed forms in the rotating frame, the ledger, places with their own laws, the companion, restarts.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/mass_properties.h"
#include "unit/dynamics/ball_run.h"

namespace asperity::dynamics::test::body_test {
namespace {

using gravity::FieldKind;
using gravity::SmallBody;
using model::OutcomeKind;

SmallBody point_body(double strength, double spin_rate) {  // strength: G m
    SmallBody body;
    body.target.field = {.kind = FieldKind::point, .volume = 1, .strength = strength};
    body.target.spin_rate = spin_rate;
    body.escape_distance = 1e30;
    return body;
}

// A globe of 1280 facets and 100 m, with a lump, that attracts as a point: what is tested here is motion, not gravity.
geometry::RawMesh globe(double lump = 0.1) {
    geometry::RawMesh mesh = geometry::icosphere(3);
    for (Vec3& v : mesh.vertices) v *= 100 * (1 + lump * v.x * v.y + 0.5 * lump * v.z * v.z * v.z);
    return mesh;
}

BallRun on_globe(double spin_rate) {
    BallRun ball(globe());
    ball.model.parameters.environment.field = point_body(0.8, spin_rate);
    ball.model.parameters.bodies.kinds[0] = model::sphere_kind(0.125, 1);
    ball.contact() = {.restitution = 0.6, .friction = 0.75, .rolling_resistance = 0.05};
    ball.model.parameters.phases[0].tolerance = 1e-10;
    ball.put({150, 20, -10}, {-0.02, -0.005, 0.01}, {0.1, 0, -0.2});
    return ball;
}

// A ball that rolls without slip on a turntable (rate W) moves on a circle in the inertial frame, at the rate W j / (1 + j) = 2 W / 7,
// whatever its mass and radius. The table stands at the pole of a point mass so far below that gravity is the same all over it.
// Source: Weltner, Stable circular orbits of freely moving balls on rotating discs, Am. J. Phys. 47 (1979) 984.
TEST(Body, a_ball_on_a_turntable_goes_round_at_two_sevenths_of_its_rate) {
    const double far = 1e7, g = 1, rate = 1.3, r = 0.1, end = 9;
    BallRun ball({{{-50, -50, far}, {50, -50, far}, {50, 50, far}, {-50, 50, far}}, {{0, 1, 2}, {0, 2, 3}}});
    ball.model.parameters.environment.field = point_body(g * far * far, rate);
    ball.model.parameters.bodies.kinds[0] = model::sphere_kind(r, 1);
    ball.contact() = {.restitution = 0, .friction = 10, .rolling_resistance = 0};
    ball.model.parameters.end_time = end;
    const Vec3 start{1, 0, 0}, inertial{0.1, 0.5, 0};
    const Vec3 velocity = inertial - Vec3{-rate * start.y, rate * start.x, 0};
    ball.put_on_surface({start.x, start.y, far + r}, velocity, {-velocity.y / r, velocity.x / r, 0});
    EXPECT_EQ(ball.run().kind, OutcomeKind::timed_out);

    const double circle = 2.0 / 7 * rate, c = std::cos(circle * end), s = std::sin(circle * end);
    const Vec3 wanted{start.x + (s * inertial.x - (1 - c) * inertial.y) / circle,
                      start.y + ((1 - c) * inertial.x + s * inertial.y) / circle, 0};
    const double turn = rate * end;
    const Vec3 p = ball.position();
    const Vec3 got{std::cos(turn) * p.x - std::sin(turn) * p.y, std::sin(turn) * p.x + std::cos(turn) * p.y, 0};
    EXPECT_LT(norm(got - wanted), 1e-5);  // gravity points to the centre: g x / far, over nine seconds
    EXPECT_GT(norm(Vec3{p.x, p.y, 0} - wanted), 0.1);
}

// A ball that spins about the normal is a gyroscope which the ground takes along. On a level place at the equator (n = x, frame turning
// with W about z, point mass at the distance D below, K = G m / D^3) it rolls along z, and the two parts of its spin turn into each other:
//   (1 + j) z'' = j r W s - K z,     s = w . n,     s' = -W z' / r - C_s N sign(s) / (j r),     N = K D - W^2 D
// with s = 0 held while |W z' / r| <= C_s N / (j r). Without C_s it is harmonic: z = z_e (1 - cos(Q t)), Q^2 = (j W^2 + K) / (1 + j).
struct Equator {
    static constexpr double D = 1e4, g = 1, W = 5e-3, r = 0.1, j = 0.4, K = g / D, load = K * D - W * W * D;
    static constexpr double x = D - r;  // of the ground: the centre of the ball is at D
    BallRun ball{{{{x, -500, -500}, {x, 500, -500}, {x, 500, 500}, {x, -500, 500}}, {{0, 1, 2}, {0, 2, 3}}}};

    Equator(double C, double C_s) {
        ball.model.parameters.environment.field = point_body(g * D * D, W);
        ball.model.parameters.bodies.kinds[0] = model::sphere_kind(r, 1, j);
        ball.contact() = {.friction = 10, .rolling_resistance = C, .spinning_resistance = C_s};
    }
    void put(double z, double speed, double about) { ball.put_on_surface({D, 0.3, z}, {0, 0, speed}, {about, -speed / r, 0}); }
    // z, z', s after the time: Runge-Kutta of order 4 in small steps, one of which may run over a change of the law of s.
    Vec3 reference(double time, Vec3 y) const {
        const double limit = ball.model.parameters.laws.laws[0].spinning_resistance * load / (j * r);
        int side = y.z > 0 ? 1 : y.z < 0 ? -1 : 0;
        const auto rate = [&](const Vec3& at) {
            const double drive = -W * at.y / r;
            return Vec3{at.y, (j * r * W * at.z - K * at.x) / (1 + j), limit == 0 ? drive : side == 0 ? 0 : drive - side * limit};
        };
        constexpr int steps = 40000;
        const double h = time / steps;
        for (int i = 0; i < steps; ++i) {
            const Vec3 k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2), k4 = rate(y + h * k3);
            y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
            if (limit == 0) continue;
            if (side * y.z < 0) side = 0, y.z = 0;
            if (side == 0 && std::fabs(W * y.y / r) > limit) side = y.y > 0 ? -1 : 1;
        }
        return y;
    }
    Vec3 run(double time) {
        const model::State first = ball.state;
        ball.model.parameters.end_time = time;
        EXPECT_EQ(ball.run().kind, OutcomeKind::timed_out);
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-9);
        return {ball.position().z, ball.velocity().z, ball.spin().x};
    }
};

TEST(Body, a_ball_that_spins_about_the_normal_is_a_gyroscope_on_ground_that_turns) {
    constexpr double j = Equator::j, r = Equator::r, W = Equator::W, K = Equator::K, about = 10;
    Equator plain(0, 0);
    plain.put(0, 0, about);
    const double time = 300, q = std::sqrt((j * W * W + K) / (1 + j)), z = j * r * W * about / (j * W * W + K) * (1 - std::cos(q * time));
    const Vec3 got = plain.run(time);
    EXPECT_NEAR(got.x, z, 3e-5 * z);  // gravity falls off along the plane by 3/2 (z / D)^2, 2e-5 at the 34 m that it goes
    EXPECT_NEAR(got.z, about - W * z / r, 3e-5 * about);

    // spinning resistance: while it turns (60 s), and held after its end (250 s); held from the start, and from its breaking loose on
    for (const double end : {60.0, 250.0}) {
        Equator resisted(0, 5e-3);
        resisted.put(0, 0, about);
        const Vec3 wanted = resisted.reference(end, {0, 0, about}), found = resisted.run(end);
        EXPECT_NEAR(found.x, wanted.x, 3e-5 * std::fabs(wanted.x)) << end;
        EXPECT_NEAR(found.z, wanted.z, 3e-5 * about) << end;
        EXPECT_EQ(wanted.z == 0, end == 250);
        EXPECT_EQ(found.z == 0, end == 250);
    }
    for (const double end : {20.0, 150.0}) {
        Equator held(0, 2e-4);
        held.put(-20, 0, 0);
        const Vec3 wanted = held.reference(end, {-20, 0, 0}), found = held.run(end);
        EXPECT_NEAR(found.x, wanted.x, 3e-5 * 20) << end;
        EXPECT_NEAR(found.z, wanted.z, 3e-5 * Equator::W * 20 / r) << end;  // W z / r turns into it
        EXPECT_EQ(wanted.z == 0, end == 20);
        EXPECT_EQ(found.z == 0, end == 20);
    }
}

// The torque that takes the axis of the spin along, j r^2 W s, has to be held by rolling resistance for the ball to stay.
TEST(Body, a_ball_that_spins_about_the_normal_rests_while_rolling_resistance_holds_its_axis) {
    const double C = 0.01, most = C * Equator::load / (Equator::j * Equator::r * Equator::W);
    for (const double part : {0.99, 1.01}) {
        Equator place(C, 0);
        place.put(0, 0, part * most);
        place.ball.model.parameters.end_time = 50;
        EXPECT_EQ(place.ball.run().kind, part < 1 ? OutcomeKind::rest : OutcomeKind::timed_out) << part;
        EXPECT_NEAR(place.ball.spin().x, part * most, 1e-3 * most);
        EXPECT_EQ(place.ball.velocity().z > 0, part > 1);
    }
}

// Free fall in a rotating frame: a Kepler orbit seen from it.
TEST(Body, a_free_ball_keeps_its_inertial_spin) {
    BallRun ball(globe());
    ball.model.parameters.environment.field = point_body(0.8, 3e-4);
    ball.model.parameters.end_time = 5000;
    ball.put({2000, 0, 0}, {0, 0, 0}, {0.1, 0.02, 0.3});
    ball.run();
    const double turn = -3e-4 * 5000;
    EXPECT_NEAR(ball.spin().x, std::cos(turn) * 0.1 - std::sin(turn) * 0.02, 1e-11);
    EXPECT_NEAR(ball.spin().y, std::sin(turn) * 0.1 + std::cos(turn) * 0.02, 1e-11);
    EXPECT_EQ(ball.spin().z, 0.3);

    // without that transport it stays put in the frame (1-landers, Table 4.2, Uni 1)
    std::get<SmallBody>(ball.model.parameters.environment.field).transports_spin = false;
    ball.put({2000, 0, 0}, {0, 0, 0}, {0.1, 0.02, 0.3});
    ball.run();
    EXPECT_EQ(ball.spin(), (Vec3{0.1, 0.02, 0.3}));
}

TEST(Body, comes_to_rest_and_the_ledger_closes) {
    for (const double rate : {0.0, 2e-4, -2e-4}) {
        BallRun ball = on_globe(rate);
        const model::State first = ball.state;
        EXPECT_EQ(ball.run().kind, OutcomeKind::rest);
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-7);
        EXPECT_LT(ball.state.tallies.deepest_overlap[0], 1e-9 * ball.radius());
        EXPECT_GT(ball.state.tallies.impacts[0], 10);
    }
}

TEST(Body, rotation_matters) {
    BallRun still = on_globe(0), turning = on_globe(2e-4);
    still.run(), turning.run();
    EXPECT_GT(norm(still.position() - turning.position()), 1);
}

// With an orbit that is not round the ledger closes only with the work of the bodies that move.
TEST(Body, the_ledger_closes_with_a_companion_that_moves) {
    BallRun ball = on_globe(2e-4);
    SmallBody& body = std::get<SmallBody>(ball.model.parameters.environment.field);
    body.has_companion = true;
    body.companion.field = {.kind = FieldKind::point, .volume = 1, .strength = 0.4};
    body.orbit = {.semi_major_axis = 600, .eccentricity = 0.3, .mean_motion = std::sqrt(1.2 / std::pow(600, 3)), .mean_anomaly = 1};
    const model::State first = ball.state;
    EXPECT_EQ(ball.run().kind, OutcomeKind::rest);
    EXPECT_LT(std::fabs(ball.balance(first)), 1e-7);
    const model::Ledger end = analysis::ledger(ball.model, ball.state, 0);
    EXPECT_GT(std::fabs(end.work), 1e-3 * end.heat());
}

TEST(Body, meets_the_companion) {
    BallRun ball = on_globe(1e-4);
    SmallBody& body = std::get<SmallBody>(ball.model.parameters.environment.field);
    body.has_companion = true;
    body.companion.field = {.kind = FieldKind::point, .volume = 1, .strength = 0.4};
    body.target.spin_rate = body.companion.spin_rate = std::sqrt(1.2 / std::pow(600, 3));
    body.orbit = {.semi_major_axis = 600, .mean_motion = body.target.spin_rate};
    ball.assets->companion_surface = geometry::make_surface(globe());
    ball.put({420, 0, 0}, {0.05, 0, 0}, {});
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, OutcomeKind::companion);
    const double gap = geometry::nearest(ball.assets->companion_surface.view(), ball.position() - Vec3{600, 0, 0}).distance - ball.radius();
    EXPECT_LT(std::fabs(gap), 2e-3 * ball.radius());
}

TEST(Body, orbits_or_has_not_settled) {
    BallRun ball = on_globe(2e-4);
    ball.model.parameters.end_time = 40000;
    ball.put({300, 0, 0}, {0, std::sqrt(0.8 / 300) - 300 * 2e-4, 0}, {});
    EXPECT_EQ(ball.run().kind, OutcomeKind::orbiting);
    BallRun bounces = on_globe(2e-4);
    bounces.model.parameters.end_time = 8000;
    EXPECT_EQ(bounces.run().kind, OutcomeKind::timed_out);
    EXPECT_GT(bounces.state.tallies.last_touch[0], 0);
}

TEST(Body, leaves_for_good) {
    BallRun ball = on_globe(2e-4);
    std::get<SmallBody>(ball.model.parameters.environment.field).escape_distance = 1000;
    ball.put({150, 0, 0}, {0.2, 0, 0}, {});
    EXPECT_EQ(ball.run().kind, OutcomeKind::escaped);
    EXPECT_GT(norm(ball.position()), 1000);
}

// Restitution zero in a patch: the ball stays where it falls, in that patch and in no other.
TEST(Body, a_patch_has_its_own_laws) {
    BallRun soft = on_globe(0), hard = on_globe(0);
    for (BallRun* ball : {&soft, &hard}) {
        ball->put({150, 0, 0}, {0, 0, 0}, {});
        laws::PairLaw sticky = ball->contact();
        sticky.restitution = 0;
        sticky.rolling_resistance = 1;
        ball->model.parameters.laws = {.materials = 3, .index = {0, 0, 1, 0, 0, 0, 1, 0, 0}, .laws = {ball->contact(), sticky}};
        ball->model.parameters.ground_materials = {1, 2};
    }
    const auto side = [](const geometry::SurfaceMesh& mesh, bool front) {
        std::vector<std::uint8_t> patch;
        for (const geometry::Facet& facet : mesh.facets) patch.push_back((facet.normal.x > 0) == front ? 1 : 0);
        return patch;
    };
    soft.assets->patch_of_facet = side(soft.assets->surface, true);
    hard.assets->patch_of_facet = side(hard.assets->surface, false);
    EXPECT_EQ(soft.run().kind, OutcomeKind::rest);
    EXPECT_EQ(soft.state.tallies.impacts[0], 1);
    hard.run();
    EXPECT_GT(hard.state.tallies.impacts[0], 5);
}

TEST(Body, a_facet_has_its_own_values) {
    BallRun ball = on_globe(0);
    ball.put({150, 0, 0}, {0, 0, 0}, {});
    const std::size_t facets = ball.assets->surface.facets.size();
    ball.assets->restitution.assign(facets, 0);
    ball.assets->rolling_resistance.assign(facets, 1);
    EXPECT_EQ(ball.run().kind, OutcomeKind::rest);
    EXPECT_EQ(ball.state.tallies.impacts[0], 1);
    BallRun unset = on_globe(0);
    unset.put({150, 0, 0}, {0, 0, 0}, {});
    unset.assets->restitution.assign(facets, std::nan(""));
    unset.run();
    EXPECT_GT(unset.state.tallies.impacts[0], 5);
}

BallRun among_rocks(bool is_field) {
    BallRun ball = on_globe(2e-4);
    const RockPopulation rocks{.number_per_area = 1e-3, .reference_diameter = 5, .smallest = 0.6, .largest = 5};
    if (is_field) {
        ball.assets->rocks = geometry::make_rock_field(ball.assets->surface, rocks, 3);
    } else {
        ball.model.parameters.rocks = {.population = rocks, .in_impacts = true, .in_rolling = true, .mean_free_path = 2};
        ball.model.parameters.seed = 11;
    }
    return ball;
}

TEST(Body, rocks_of_both_kinds_are_met_and_the_ledger_closes) {
    for (const bool is_field : {true, false}) {
        BallRun ball = among_rocks(is_field);
        const model::State first = ball.state;
        EXPECT_EQ(ball.run().kind, OutcomeKind::rest);
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-7);
        int rocks = 0;
        for (const model::Event& event : ball.notes.events)
            rocks += event.kind == model::EventKind::rock || model::mesh_feature(event.feature).kind == geometry::FeatureKind::rock;
        EXPECT_GT(rocks, 2) << is_field;
        EXPECT_LT(ball.state.tallies.deepest_overlap[0], 1e-9 * ball.radius());
    }
}

TEST(Body, another_seed_meets_other_rocks_and_the_same_seed_the_same) {
    BallRun one = among_rocks(false), same = among_rocks(false), other = among_rocks(false);
    other.model.parameters.run = 1;
    one.run(), same.run(), other.run();
    EXPECT_TRUE(one.state == same.state);
    EXPECT_GT(norm(one.position() - other.position()), 1e-3);
}

// Every fiftieth step boundary: the state alone carries the run on, with drawn rocks, a rock field and a linearised field.
TEST(Body, goes_on_from_any_step_to_the_same_bits) {
    struct Boundaries : Notes {
        std::vector<model::State> states;
        int count = 0;
        Boundaries() { wants_checkpoints = true; }
        void checkpoint(const model::State& state) override {
            if (++count % 50 == 0) states.push_back(state);
        }
    };
    const gravity::PolyhedronGravity solid(geometry::make_surface(globe()));
    for (const int kind : {0, 1, 2}) {
        BallRun ball = among_rocks(kind == 1);
        if (kind == 2) {
            gravity::BodyField& field = std::get<SmallBody>(ball.model.parameters.environment.field).target.field;
            field = {.kind = FieldKind::linearised, .exact = &solid, .volume = 4e6, .strength = 2e-7};
            ball.model.parameters.linear_reach = 1;
        }
        Boundaries watch;
        const model::Outcome outcome = simulate(ball.model, ball.state, watch);
        ASSERT_EQ(outcome.kind, OutcomeKind::rest) << kind << " " << outcome.message;
        ASSERT_GT(watch.states.size(), 5u);
        for (model::State& state : watch.states) {
            Notes notes;
            simulate(ball.model, state, notes);
            ASSERT_TRUE(state == ball.state) << kind;
        }
    }
}

}  // namespace
}  // namespace asperity::dynamics::test::body_test
