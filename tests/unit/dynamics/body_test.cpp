// A ball at a body that turns: closed forms in the rotating frame, the ledger, places with their own laws, the companion, restarts.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/mass_properties.h"
#include "unit/dynamics/ball_run.h"

namespace asperity::dynamics::test {
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
    ball.model.parameters.gravity = point_body(0.8, spin_rate);
    ball.model.parameters.ball.radius = 0.125;
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
    ball.model.parameters.gravity = point_body(g * far * far, rate);
    ball.model.parameters.ball.radius = r;
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

// Free fall in a rotating frame: a Kepler orbit seen from it.
TEST(Body, a_free_ball_keeps_its_inertial_spin) {
    BallRun ball(globe());
    ball.model.parameters.gravity = point_body(0.8, 3e-4);
    ball.model.parameters.end_time = 5000;
    ball.put({2000, 0, 0}, {0, 0, 0}, {0.1, 0.02, 0.3});
    ball.run();
    const double turn = -3e-4 * 5000;
    EXPECT_NEAR(ball.spin().x, std::cos(turn) * 0.1 - std::sin(turn) * 0.02, 1e-11);
    EXPECT_NEAR(ball.spin().y, std::sin(turn) * 0.1 + std::cos(turn) * 0.02, 1e-11);
    EXPECT_EQ(ball.spin().z, 0.3);

    // without that transport it stays put in the frame (1-landers, Table 4.2, Uni 1)
    std::get<SmallBody>(ball.model.parameters.gravity).transports_spin = false;
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
    SmallBody& body = std::get<SmallBody>(ball.model.parameters.gravity);
    body.has_companion = true;
    body.companion.field = {.kind = FieldKind::point, .volume = 1, .strength = 0.4};
    body.orbit = {.semi_major_axis = 600, .eccentricity = 0.3, .mean_motion = std::sqrt(1.2 / std::pow(600, 3)), .mean_anomaly = 1};
    const model::State first = ball.state;
    EXPECT_EQ(ball.run().kind, OutcomeKind::rest);
    EXPECT_LT(std::fabs(ball.balance(first)), 1e-7);
    const model::Ledger end = analysis::ledger(ball.model, ball.state);
    EXPECT_GT(std::fabs(end.work), 1e-3 * end.heat());
}

TEST(Body, meets_the_companion) {
    BallRun ball = on_globe(1e-4);
    SmallBody& body = std::get<SmallBody>(ball.model.parameters.gravity);
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
    std::get<SmallBody>(ball.model.parameters.gravity).escape_distance = 1000;
    ball.put({150, 0, 0}, {0.2, 0, 0}, {});
    EXPECT_EQ(ball.run().kind, OutcomeKind::escaped);
    EXPECT_GT(norm(ball.position()), 1000);
}

// Restitution zero in a patch: the ball stays where it falls, in that patch and in no other.
TEST(Body, a_patch_has_its_own_laws) {
    BallRun soft = on_globe(0), hard = on_globe(0);
    for (BallRun* ball : {&soft, &hard}) {
        ball->put({150, 0, 0}, {0, 0, 0}, {});
        ball->model.parameters.surfaces = {ball->contact(), ball->contact()};
        ball->model.parameters.surfaces[1].restitution = 0;
        ball->model.parameters.surfaces[1].rolling_resistance = 1;
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
            rocks += event.kind == model::EventKind::rock || event.feature_kind == static_cast<std::int64_t>(geometry::FeatureKind::rock);
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
            gravity::BodyField& field = std::get<SmallBody>(ball.model.parameters.gravity).target.field;
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
}  // namespace asperity::dynamics::test
