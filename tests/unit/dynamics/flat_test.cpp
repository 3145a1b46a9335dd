// A ball on one plane: every motion has a closed form. g = 1e-4 m/s^2, r = 5 cm, as in 1-landers 8.1, unless said otherwise.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/dynamics/ball_run.h"
#include "unit/dynamics/slide_and_roll.h"

namespace asperity::dynamics::test::flat_test {
namespace {

using model::EventKind;
using model::OutcomeKind;

constexpr double g = 1e-4, r = 0.05, j = 0.4;

BallRun on_flat() { return BallRun(geometry::generate(geometry::FlatWorld{})); }

// Impact k comes at t0 + (2 v0 / g) (e + ... + e^k), with the speed v0 e^k; all bounces end at t0 + (2 v0 / g) e / (1 - e).
TEST(Flat, ADroppedBallBouncesAndEndsAtTheTimesOfTheClosedForm) {
    for (const double e : {0.3, 0.5, 0.9}) {
        BallRun ball = on_flat();
        ball.contact().restitution = e;
        const double drop = 2;
        ball.put({1.3, 2.1, r + drop}, {}, {});
        const model::State first = ball.state;
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::rest);

        const double t0 = std::sqrt(2 * drop / g), v0 = g * t0;
        const auto impacts = ball.notes.of(EventKind::impact);
        ASSERT_GT(impacts.size(), 4U);
        double time = t0, speed = v0;
        for (const model::Event& impact : impacts) {
            EXPECT_NEAR(impact.time, time, 1e-11 * time);
            EXPECT_NEAR(impact.normal_speed_in, speed, 1e-10 * v0);
            EXPECT_NEAR(impact.normal_speed_out, e * speed, 1e-10 * v0);
            EXPECT_GT(impact.normal_speed_out, 0);
            EXPECT_NEAR(impact.velocity.z, e * speed, 1e-10 * v0);  // upwards: it bounced, it did not pass through
            speed *= e;
            time += 2 * speed / g;
        }
        const double end = t0 + 2 * v0 / g * e / (1 - e);
        ASSERT_TRUE(ball.notes.has(EventKind::settle));
        EXPECT_NEAR(outcome.time, end, 1e-11 * end);
        EXPECT_NEAR(ball.position().z, r, 1e-15);
        EXPECT_EQ(ball.velocity(), (Vec3{}));
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-12);
        EXPECT_NEAR(ball.state.tallies.heat_impact[0], g * drop, 1e-12 * g * drop);  // all of it is heat of impact
    }
}

// Series completion walks the hops in closed form: where it begins must not matter. Friction and rolling act at every hop.
TEST(Flat, CompletedBouncesAreThoseThatWouldHaveBeenSimulated) {
    const auto end_with = [](double height, laws::Completion completion) {
        BallRun ball = on_flat();
        ball.contact().bounce_end_height = height;
        ball.contact().completion = completion;
        ball.put({-20, 3, 0.5}, {0.01, 0.002, -0.003}, {0.3, 0, -0.1});
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::rest);
        return std::pair(outcome.time, ball.position());
    };
    const auto [time, place] = end_with(1e-15, laws::Completion::series);  // nearly every hop simulated: 26 more than below
    for (const double height : {1e-2, 1e-4, 1e-6, 1e-9}) {
        const auto [t, p] = end_with(height, laws::Completion::series);
        EXPECT_NEAR(t, time, 1e-9 * time) << height;
        EXPECT_LT(norm(p - place), 1e-9 * norm(place - Vec3{-20, 3, r})) << height;
    }
    // effect: without completion, the end of bouncing shows, and the less the lower it is
    const double coarse = norm(end_with(1e-2, laws::Completion::none).second - place);
    const double fine = norm(end_with(1e-4, laws::Completion::none).second - place);
    EXPECT_GT(coarse, 1e-4);
    EXPECT_LT(fine, 0.5 * coarse);
}

// On a slope the hops of a lively ball take long, and it gains speed in all of them, those beyond the 64th too. The ledger sees it.
TEST(Flat, CompletedBouncesOnASlopeKeepTheirEnergy) {
    for (const double e : {0.5, 0.9, 0.97}) {
        const double angle = 0.1;
        const Vec3 n{-std::sin(angle), 0, std::cos(angle)};
        const auto end_with = [&](double height) {
            BallRun ball(plane(n, 400));
            ball.contact().restitution = e;
            ball.contact().bounce_end_height = height;
            ball.put((r + 0.02) * n + Vec3{0, 60, 0}, {}, {});
            ball.model.parameters.end_time = 3000;
            const model::State first = ball.state;
            ball.run();
            EXPECT_TRUE(ball.notes.has(EventKind::settle)) << e;
            EXPECT_LT(std::fabs(ball.balance(first)), 1e-11) << e;
            return ball.velocity();
        };
        const Vec3 completed = end_with(1e-2), simulated = end_with(1e-9);
        EXPECT_LT(norm(completed - simulated), 1e-9 * norm(simulated)) << e;
    }
}

TEST(Flat, ASlidingBallSynchronisesAndStopsAtTheTimesOfTheClosedForm) {
    const double f = 0.6, C = 0.04, v0 = 0.01;
    for (const laws::RollingLaw law : {laws::RollingLaw::coupled, laws::RollingLaw::thesis}) {
        BallRun ball = on_flat();
        ball.contact().rolling_law = law;
        ball.put_on_surface({3, 4, r}, {v0, 0, 0}, {});
        ball.told_axis({0, 1, 0});
        const model::State first = ball.state;
        const model::Outcome outcome = ball.run();

        const auto [t_s, v_s, t_end, way] = slide_and_roll(v0, g, j, f, C, law);
        const auto rolls = ball.notes.of(EventKind::roll);
        ASSERT_EQ(rolls.size(), 1U);
        EXPECT_NEAR(rolls[0].time, t_s, 1e-11 * t_s);
        EXPECT_NEAR(rolls[0].velocity.x, v_s, 1e-11 * v_s);
        EXPECT_NEAR(rolls[0].spin.y, v_s / r, 1e-11 * v_s / r);  // positive about y: rolls along x
        EXPECT_EQ(outcome.kind, OutcomeKind::rest);
        EXPECT_NEAR(outcome.time, t_end, 1e-10 * t_end);
        EXPECT_NEAR(ball.position().x, 3 + way, 1e-11 * way);
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-12);
    }
}

// A ball that is put down sliding and not turning: the axis about which friction turns it follows from its slip, told or not.
TEST(Flat, ASlideFromNoSpinDoesNotDependOnAnAxisThatNobodyTold) {
    const auto sync_time = [](const Vec3& axis) {
        BallRun ball = on_flat();
        ball.put_on_surface({3, 4, r}, {0.01, 0, 0}, {});
        ball.told_axis(axis);
        ball.run();
        return ball.notes.of(EventKind::roll).at(0).time;
    };
    EXPECT_NEAR(sync_time({}), sync_time({0, 1, 0}), 1e-11 * 50);
}

// Across a slope the slip turns while friction ends it: u' = -A u^ + B with A = 7/2 f g cos and B = g sin down the slope, and
// A |u| + B . u falls at the rate A^2 - B^2: the slide ends after (A |u0| + B . u0) / (A^2 - B^2). Friction has no part in the change of
// v + j r w x n, of which the ball then rolls with 1 / (1 + j).
TEST(Flat, ASlideThatTurnsEndsAtTheTimeOfTheClosedForm) {
    for (const double slope : {0.02, 0.2, 0.45})
        for (const double tolerance : {1e-9, 1e-12}) {
            BallRun ball = on_flat();
            ball.model.parameters.environment.field = gravity::Uniform{{g * std::sin(slope), 0, -g * std::cos(slope)}};
            ball.contact().friction = 0.3;
            ball.contact().rolling_resistance = 0;
            ball.model.parameters.phases[0].tolerance = tolerance;
            const Vec3 v{0.001, 0.01, 0}, w{0.1, 0.05, 0}, u = v - r * cross(w, Vec3{0, 0, 1});
            ball.put_on_surface({-3, -4, r}, v, w);
            const double A = 3.5 * 0.3 * g * std::cos(slope), B = g * std::sin(slope), end = (A * norm(u) + B * u.x) / (A * A - B * B);
            ball.model.parameters.end_time = 1.5 * end;
            ball.run();
            ASSERT_TRUE(ball.notes.has(EventKind::roll)) << slope;
            const model::Event roll = ball.notes.of(EventKind::roll)[0];
            EXPECT_NEAR(roll.time, end, (1e-10 + 10 * tolerance) * end) << slope << " " << tolerance;
            const Vec3 due = (v + j * r * cross(w, Vec3{0, 0, 1}) + end * Vec3{B, 0, 0}) / (1 + j);
            EXPECT_LT(norm(roll.velocity - due), (1e-10 + 10 * tolerance) * norm(v)) << slope;
        }
}

// On a straight way the path is as long as the way between start and end. The roll ends inside a step, where the speed is zero.
TEST(Flat, TheRolledDistanceIsTheLengthOfTheWay) {
    BallRun ball = on_flat();
    ball.put_on_surface({3, 4, r}, {0.01, 0, 0}, {0, 0.2, 0});
    ball.run();
    const double way = 0.5 * 0.01 * 0.01 * (1 + j) / (0.04 * g);
    EXPECT_NEAR(ball.position().x, 3 + way, 1e-11 * way);
    EXPECT_NEAR(ball.state.tallies.rolled_distance[0], way, 1e-9 * way);
}

// Table 8.1 with the rolling law of the tables, all bounces completed: errata of 1-landers, "Virtual bounce". All printed digits.
TEST(Flat, TheBallOfTable81StopsWhereTheClosedFormSays) {
    BallRun ball = on_flat();
    ball.contact().rolling_law = laws::RollingLaw::published;
    ball.put({-80, 2, 20}, {0.01, 0, -0.023}, {});
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, OutcomeKind::rest);
    EXPECT_NEAR(outcome.time, 2249.451849, 5e-7);
    EXPECT_NEAR(ball.position().x, -67.341062, 5e-7);
    const auto impacts = ball.notes.of(EventKind::impact);
    EXPECT_NEAR(impacts[0].time, 442.235077930332, 1e-9);
    EXPECT_NEAR(impacts[0].spin.y, 0.1140470680887, 1e-12);
}

// A ball rolls up a slope steeper than the rest slope and back down through its start: up a1 = (sin + C cos) g / (1 + j), down a2 with a
// minus.
TEST(Flat, ABallThatRollsUpASlopeTurnsRoundAndIsNotCalledAtRest) {
    const double angle = 0.2, C = 0.04, v0 = 0.004;
    const Vec3 n{-std::sin(angle), 0, std::cos(angle)}, uphill{std::cos(angle), 0, std::sin(angle)};
    BallRun ball(plane(n, 40));
    ball.contact().rolling_resistance = C;
    ball.put_on_surface(r * n + Vec3{0, 2, 0}, v0 * uphill, (v0 / r) * cross(n, uphill));
    const Vec3 start = ball.position();
    const double a1 = (std::sin(angle) + C * std::cos(angle)) * g / (1 + j), a2 = (std::sin(angle) - C * std::cos(angle)) * g / (1 + j);
    const double up = v0 / a1, height = 0.5 * v0 * v0 / a1, back = std::sqrt(2 * height / a2);
    ball.model.parameters.end_time = up + back;
    ball.notes.sample_time = up;
    const model::Outcome outcome = ball.run();
    EXPECT_EQ(outcome.kind, OutcomeKind::timed_out);
    EXPECT_FALSE(ball.notes.has(EventKind::rest));
    ASSERT_EQ(ball.notes.samples.size(), 1U);
    EXPECT_NEAR(dot(ball.notes.samples[0].position - start, uphill), height, 1e-9 * height);
    EXPECT_LT(norm(ball.position() - start), 1e-9 * height);
    EXPECT_NEAR(dot(ball.velocity(), uphill), -a2 * back, 1e-9 * v0);  // downhill
}

// With limits of speed and slope (1-landers 6.3) the same ball is called at rest on its way up, at (v0 - V) / a1, where the slope is below
// its limit; above it the run is the same as without limits.
TEST(Flat, LimitsOfSpeedAndSlopeCallABallAtRestThatWouldRollBack) {
    const double angle = 0.2, C = 0.04, v0 = 0.004, V = 1e-4;
    const Vec3 n{-std::sin(angle), 0, std::cos(angle)}, uphill{std::cos(angle), 0, std::sin(angle)};
    const double a1 = (std::sin(angle) + C * std::cos(angle)) * g / (1 + j);
    for (const double limit : {1.01 * angle, 0.99 * angle}) {
        BallRun ball(plane(n, 40));
        ball.contact().rolling_resistance = C;
        ball.contact().rest_below_speed = V;
        ball.contact().rest_below_slope = limit;
        ball.put_on_surface(r * n + Vec3{0, 2, 0}, v0 * uphill, (v0 / r) * cross(n, uphill));
        ball.model.parameters.end_time = 2 * v0 / a1;
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, limit > angle ? OutcomeKind::rest : OutcomeKind::timed_out);
        if (limit < angle) continue;
        EXPECT_NEAR(outcome.time, (v0 - V) / a1, 1e-9 * v0 / a1);
        EXPECT_EQ(ball.velocity(), (Vec3{}));
    }
}

// The rest slope is C under coupled, 3.5 C under thesis: just below it a ball that was put down stays, just above it it goes.
TEST(Flat, ABallStaysOnSlopesUpToTheRestSlopeOfItsLaw) {
    for (const laws::RollingLaw law : {laws::RollingLaw::coupled, laws::RollingLaw::thesis}) {
        const double slope = law == laws::RollingLaw::coupled ? 0.04 : 3.5 * 0.04;
        for (const double part : {0.99, 1.01}) {
            const double angle = std::atan(part * slope);
            const Vec3 n{-std::sin(angle), 0, std::cos(angle)};
            BallRun ball(plane(n, 40));
            ball.contact().restitution = 0;
            ball.contact().rolling_law = law;
            ball.model.parameters.end_time = 2000;
            ball.put((r + 0.001) * n + Vec3{0, 2, 0}, {}, {});
            const Vec3 start = ball.position();
            const model::Outcome outcome = ball.run();
            EXPECT_EQ(outcome.kind, part < 1 ? OutcomeKind::rest : OutcomeKind::timed_out) << part << " of " << slope;
            if (part > 1) {
                EXPECT_LT(ball.position().x, start.x - 0.01);  // downhill
            }
        }
    }
}

// Some twenty seams between coplanar facets, on a tilted plane far from the origin, crossed at an angle: the closed form does not know
// them.
TEST(Flat, ARollOverSeamsOfCoplanarFacetsIsUnaffected) {
    geometry::RawMesh mesh = geometry::generate(geometry::FlatWorld{.side = 40, .cells = 20});
    const Quat tilt = rotation({0.1, -0.07, 0.3});
    const Vec3 away{300, -200, 100};
    for (Vec3& v : mesh.vertices) v = rotate(tilt, v) + away;
    BallRun ball(std::move(mesh));
    const Vec3 n = rotate(tilt, {0, 0, 1}), along = rotate(tilt, unit(Vec3{1, 0.37, 0}));
    const double v0 = 0.01;
    ball.model.parameters.environment.field = gravity::Uniform{-g * n};
    ball.put_on_surface(rotate(tilt, {-15, -7, r}) + away, v0 * along, (v0 / r) * cross(n, along));
    const Vec3 start = ball.position();
    const model::Outcome outcome = ball.run();
    const double slowing = 0.04 * g / (1 + j), way = 0.5 * v0 * v0 / slowing;
    EXPECT_EQ(outcome.kind, OutcomeKind::rest);
    EXPECT_NEAR(outcome.time, v0 / slowing, 1e-9 * v0 / slowing);
    EXPECT_LT(norm(ball.position() - (start + way * along)), 1e-9 * way);
    EXPECT_FALSE(ball.notes.has(EventKind::impact));
    EXPECT_FALSE(ball.notes.has(EventKind::slide));
    EXPECT_GT(ball.notes.of(EventKind::transfer).size(), 15U);
}

// Over a vertex, along a row of edges, and bouncing onto a vertex, of the level sheet of a scenario of kind flat.
TEST(Flat, AVertexOfCoplanarFacetsIsNone) {
    const double C = 0.01, v0 = 0.006;
    const auto level = [&] {
        BallRun ball = on_flat();
        ball.contact().rolling_resistance = C;
        return ball;
    };
    for (const Vec3& v : {Vec3{v0, v0, 0}, Vec3{0, v0, 0}}) {
        BallRun ball = level();
        const Vec3 start = v.x > 0 ? Vec3{-1, -1, r} : Vec3{0, -3, r};
        ball.put_on_surface(start, v, {});
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::rest) << outcome.message;
        const SlideAndRoll wanted = slide_and_roll(norm(v), g, j, 0.6, C);
        EXPECT_NEAR(outcome.time, wanted.stop_time, 1e-9 * outcome.time);
        EXPECT_LT(norm(ball.position() - (start + wanted.way * unit(v))), 1e-9 * r);
    }
    for (const Vec3& v : {Vec3{0.03, 0.03, 0}, Vec3{0, 0.03, 0}}) {  // too fast to stop before the sheet ends
        BallRun ball = level();
        const Vec3 start = v.x > 0 ? Vec3{-1, -1, r} : Vec3{0, -3, r};
        ball.put_on_surface(start, v, {});
        EXPECT_EQ(ball.run().kind, OutcomeKind::escaped);
        EXPECT_FALSE(ball.notes.has(EventKind::impact));
        const double v0 = norm(v), to_rim = (ball.assets->surface.upper.y - start.y) * v0 / v.y, slowing = C * g / (1 + j);
        const auto [t_s, roll, t_end, way] = slide_and_roll(v0, g, j, 0.6, C);
        const double left = to_rim - 0.5 * (v0 + roll) * t_s;  // after the slide
        const double time = t_s + 2 * left / (roll + std::sqrt(roll * roll - 2 * slowing * left));
        const model::Event rim = ball.notes.of(EventKind::separation).at(0);
        EXPECT_NEAR(rim.time, time, 1e-9 * time);
        EXPECT_NEAR(norm(rim.velocity), roll - slowing * (time - t_s), 1e-9 * v0);
        EXPECT_LT(norm(rim.position - (start + (to_rim / v0) * v)), 1e-9 * r);
    }
    const auto drop = [&](BallRun ball) {  // bounces, slide and roll: as on one facet
        ball.contact().rolling_resistance = C;
        ball.put({-20, -20, 10}, {0.01, 0.01, -0.01}, {});
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::rest);
        return std::pair(outcome.time, ball.position());
    };
    const auto [time, place] = drop(level());
    const auto [plain_time, plain_place] = drop(BallRun(geometry::RawMesh{{{-400, -200, 0}, {400, -200, 0}, {0, 500, 0}}, {{0, 1, 2}}}));
    EXPECT_NEAR(time, plain_time, 1e-9 * plain_time);
    EXPECT_LT(norm(place - plain_place), 1e-9 * r);
    const Vec3 corner = level().assets->surface.vertices[8 * 19 + 7];  // not at the rim
    const double height = 2, e = 0.5;
    BallRun onto = level();
    onto.put(corner + Vec3{0, 0, r + height}, {}, {});
    EXPECT_NEAR(onto.run().time, std::sqrt(2 * height / g) * (1 + e) / (1 - e), 1e-7);
    for (const model::Event& impact : onto.notes.of(EventKind::impact)) EXPECT_EQ(impact.normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(onto.position(), (corner + Vec3{0, 0, r}));
}

// A valley that bends by b is an impact with the normal speed v b, whatever it is; what it costs is its impulse, not the speed.
TEST(Flat, AShallowValleyIsAnImpactWithTheSpeedAcrossIt) {
    const double v0 = 0.01;
    for (const double bend : {1e-9, 1e-7, 1e-5, 1e-3}) {
        BallRun ball(groove(0.5 * bend, 0, 40, 40));
        ball.contact().rolling_resistance = 1e-6;
        ball.put_on_surface({-1, 0.3, r}, {v0, 0, 0}, {0, v0 / r, 0});
        ball.model.parameters.end_time = 200;
        const model::State first = ball.state;
        ball.run();
        const auto impacts = ball.notes.of(EventKind::impact);
        ASSERT_FALSE(impacts.empty()) << bend;
        const double v = std::sqrt(v0 * v0 + g * bend / (1 + j));  // it has rolled down one metre at half the bend
        EXPECT_NEAR(impacts[0].normal_speed_in, v * std::sin(bend), 1e-4 * v0 * bend) << bend;
        EXPECT_GT(ball.position().x, 0.9) << bend;  // and rolls on up the other side
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-9) << bend;
    }
}

// Bounces over seams likewise: the same world in 2 and in 2 x 40^2 facets.
TEST(Flat, TheMeshOfAPlaneDoesNotShow) {
    const auto end_on = [](int cells) {
        BallRun ball(geometry::generate(geometry::FlatWorld{.side = 80, .cells = cells}));
        ball.put({-8, -4.7, 1}, {0.006, 0.0037, -0.001}, {0.2, 0.1, 0.4});
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::rest);
        return std::pair(outcome.time, ball.position());
    };
    const auto [t1, p1] = end_on(1);
    const auto [t2, p2] = end_on(40);
    EXPECT_NEAR(t1, t2, 1e-9 * t1);
    EXPECT_LT(norm(p1 - p2), 1e-9 * 10);
}

// The regularised law (1-landers 4.4.4) tends to the unregularised one: the error of the synchronised place falls with V.
TEST(Flat, TheRegularisedLawTendsToTheUnregularisedOne) {
    const auto place_at = [](double V) {
        BallRun ball = on_flat();
        ball.contact().regularisation_speed = V;
        ball.contact().regularised_end_speed = 1e-3 * V;
        ball.put_on_surface({3, 4, r}, {0.01, 0, 0}, {});
        ball.model.parameters.end_time = 500;
        ball.run();
        return ball.position().x;
    };
    const double exact = place_at(0), coarse = place_at(1e-4) - exact, fine = place_at(1e-5) - exact;
    EXPECT_GT(std::fabs(coarse), 1e-7);  // effect
    EXPECT_LT(std::fabs(fine), 0.2 * std::fabs(coarse));
}

// Friction too weak to turn the ball against its rolling resistance, f < C: it slides without turning. v' = -f g under coupled. Under
// thesis and published the torque that holds the spin, f g r, pushes the centre as well: v' = -(f + f / j) g, 3.5 times as much.
TEST(Flat, ABallWithLessFrictionThanRollingResistanceSlidesWithoutTurning) {
    for (const laws::RollingLaw law : {laws::RollingLaw::coupled, laws::RollingLaw::thesis, laws::RollingLaw::published}) {
        const double f = 0.05, v0 = 0.01, slowing = law == laws::RollingLaw::coupled ? f * g : (f + f / j) * g;
        BallRun ball = on_flat();
        ball.contact().friction = f;
        ball.contact().rolling_resistance = 0.2;
        ball.contact().restitution = 0;
        ball.contact().impact_friction = false;
        ball.contact().rolling_law = law;
        ball.put({3, 4, r + 0.01}, {v0, 0, 0}, {});
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::rest) << static_cast<int>(law) << ": " << outcome.message;
        const double fall = std::sqrt(2 * 0.01 / g), slide = v0 / slowing;
        EXPECT_NEAR(outcome.time, fall + slide, 1e-9 * slide) << static_cast<int>(law);
        EXPECT_NEAR(ball.position().x, 3 + v0 * fall + 0.5 * v0 * slide, 1e-9 * v0 * slide) << static_cast<int>(law);
        EXPECT_EQ(ball.spin(), (Vec3{}));
    }
}

// A hollow ball, j = 2/3, that falls for 123.5 s and slides: 1250 s at f g = 8e-6 m/s^2, 500 s with the push, 2.5 times as much.
TEST(Flat, AHollowBallWhoseSpinIsHeldSlidesForFiveHundredSecondsUnderThesis) {
    const double f = 0.08, fall = 123.5;
    for (const laws::RollingLaw law : {laws::RollingLaw::coupled, laws::RollingLaw::thesis, laws::RollingLaw::published}) {
        BallRun ball = on_flat();
        ball.model.parameters.bodies.kinds[0].inertia_factor = 2.0 / 3;
        ball.contact() = {.restitution = 0, .friction = f, .rolling_resistance = 0.1, .rolling_law = law, .impact_friction = false};
        ball.put({3, 4, r + 0.5 * g * fall * fall}, {0.01, 0, 0}, {});
        EXPECT_NEAR(ball.run().time, law == laws::RollingLaw::coupled ? 1373.5 : 623.5, 1e-6) << static_cast<int>(law);
    }
}

// The regularised law, which never holds anything, tends to the same time of the slide under every law.
TEST(Flat, ARegularisedSlideWithoutTurningTakesAsLongAsOneThatIsHeld) {
    for (const laws::RollingLaw law : {laws::RollingLaw::coupled, laws::RollingLaw::thesis, laws::RollingLaw::published}) {
        const double f = 0.05, v0 = 0.01, slowing = law == laws::RollingLaw::coupled ? f * g : (f + f / j) * g, V = 1e-6;
        BallRun ball = on_flat();
        ball.contact() = {.restitution = 0, .friction = f, .rolling_resistance = 0.2, .rolling_law = law};
        ball.contact().regularisation_speed = V;
        ball.contact().regularised_end_speed = V;
        ball.put_on_surface({3, 4, r}, {v0, 0, 0}, {});
        ball.model.parameters.end_time = 0.5 * v0 / slowing;
        ball.run();
        EXPECT_NEAR(ball.velocity().x, 0.5 * v0, 2 * V) << static_cast<int>(law);
    }
}

// Up to its rest slope a ball stays, beyond it it slides down, and the same law says so at rest and in motion: f < C, where the spin is
// held, f + f / j under thesis.
TEST(Flat, WithLittleFrictionTheRestSlopeIsWhereASlideWouldEnd) {
    for (const laws::RollingLaw law : {laws::RollingLaw::coupled, laws::RollingLaw::thesis}) {
        const double f = 0.05, slope = law == laws::RollingLaw::coupled ? f : f + f / j;
        for (const double part : {0.99, 1.01}) {
            const double angle = std::atan(part * slope);
            const Vec3 n{-std::sin(angle), 0, std::cos(angle)};
            BallRun ball(plane(n, 40));
            ball.contact() = {.restitution = 0, .friction = f, .rolling_resistance = 0.2, .rolling_law = law};
            ball.model.parameters.end_time = 2000;
            ball.put((r + 0.001) * n + Vec3{0, 2, 0}, {}, {});
            EXPECT_EQ(ball.run().kind, part < 1 ? OutcomeKind::rest : OutcomeKind::timed_out) << part << " of " << slope;
        }
    }
}

// Rolling resistance does not know the spin about the normal: the same time and way, whatever that spin, and it is left as it was. At rest
// the centre stands and nothing rolls; without spinning resistance the ball goes on spinning on the spot.
TEST(Flat, ARollDoesNotDependOnTheSpinAboutTheNormal) {
    const double C = 0.04, v0 = 0.01, slowing = C * g / (1 + j), way = 0.5 * v0 * v0 / slowing;
    ASSERT_NEAR(way, 17.5, 1e-12);
    for (const double drilling : {0.0, 1e-3, 1.0, -7.0}) {
        BallRun ball = on_flat();
        ball.contact().rolling_resistance = C;
        ball.put_on_surface({3, 4, r}, {v0, 0, 0}, {0, v0 / r, drilling});
        const model::State first = ball.state;
        const model::Outcome outcome = ball.run();
        EXPECT_EQ(outcome.kind, OutcomeKind::rest) << drilling << ": " << outcome.message;
        // rounding of the spin that passes for rolling: of r |w| against v
        const double tolerance = 1e-11 + 1e-14 * r * std::fabs(drilling) / v0;
        EXPECT_NEAR(outcome.time, v0 / slowing, tolerance * v0 / slowing) << drilling;
        EXPECT_NEAR(ball.position().x, 3 + way, tolerance * way) << drilling;
        EXPECT_NEAR(ball.position().y, 4, tolerance * way) << drilling;
        EXPECT_EQ(ball.velocity(), (Vec3{}));
        EXPECT_LE(norm(ball.spin() - Vec3{0, 0, drilling}), 1e-14 * std::fabs(drilling)) << drilling;
        EXPECT_LT(std::fabs(ball.balance(first)), 1e-12) << drilling;
        const double rolling_energy = 0.5 * (1 + j) * v0 * v0;  // J/kg
        EXPECT_NEAR(ball.state.tallies.heat_rolling[0], rolling_energy, 1e-11 * rolling_energy + 1e-14 * r * r * drilling * drilling);
    }
}

// A roll across a slope turns downhill and ends, v' = B - A v^ with A = C N / (1 + j), B = a_t / (1 + j), where A |v| + B . v falls at the
// constant rate A^2 - B^2. A spin about the normal that is far faster, and is still there at the end, changes nothing.
TEST(Flat, ARollThatTurnsEndsAtTheTimeOfTheClosedFormWhateverTheSpinAboutTheNormal) {
    const double C = 0.04, v0 = 0.002, A = C * g / (1 + j);
    for (const double slope : {0.2, 0.7, 0.9})  // of C
        for (const double drilling : {0.0, 0.02, 5.0})
            for (const double tolerance : {1e-9, 1e-12}) {
                BallRun ball = on_flat();
                ball.contact().rolling_resistance = C;
                ball.model.parameters.phases[0].tolerance = tolerance;
                ball.model.parameters.environment.field = gravity::Uniform{{slope * C * g, 0, -g}};
                const Vec3 v = {0.6 * v0, 0.8 * v0, 0};
                ball.put_on_surface({-30, 4, r}, v, cross(Vec3{0, 0, 1}, v) / r + Vec3{0, 0, drilling});
                const model::Outcome outcome = ball.run();
                const double B = slope * A, end = (A * v0 + B * v.x) / (A * A - B * B);
                EXPECT_EQ(outcome.kind, OutcomeKind::rest) << slope << " " << drilling << " " << tolerance << ": " << outcome.message;
                // errors of the speed are those of the slide above, and of the rounding of spin, and grow by 1 / (1 - slope) in the time
                const double part = (10 * tolerance + 1e-10 * (1 + r * drilling / v0)) / (1 - slope);
                EXPECT_NEAR(outcome.time, end, part * end) << slope << " " << drilling << " " << tolerance;
                EXPECT_LT(ball.state.clock.steps, 2000) << slope << " " << drilling << " " << tolerance;
            }
}

// Spinning resistance: w . n falls by C_s g / (j r), in a slide, in a roll and on the spot; the ball is at rest once both have ended.
TEST(Flat, SpinAboutTheNormalFallsAtTheRateOfSpinningResistance) {
    const double C = 0.04, v0 = 0.002, slowing = C * g / (1 + j), stop = v0 / slowing;
    for (const double spinning : {0.5, 0.01})  // it ends within the roll, and on the spot after it
        for (const double drilling : {0.5, -0.5}) {
            const double rate = spinning * g / (j * r), end = std::fabs(drilling) / rate;
            BallRun ball = on_flat();
            ball.contact().rolling_resistance = C;
            ball.contact().spinning_resistance = spinning;
            ball.put_on_surface({3, 4, r}, {v0, 0, 0}, {0, v0 / r, drilling});
            ball.notes.sample_time = 0.5 * end;
            const model::State first = ball.state;
            const model::Outcome outcome = ball.run();
            EXPECT_EQ(outcome.kind, OutcomeKind::rest) << spinning << ": " << outcome.message;
            EXPECT_NEAR(outcome.time, std::fmax(stop, end), 1e-10 * outcome.time) << spinning;
            EXPECT_NEAR(ball.position().x, 3 + 0.5 * v0 * stop, 1e-11 * v0 * stop) << spinning;
            ASSERT_EQ(ball.notes.samples.size(), 1U);
            EXPECT_NEAR(ball.notes.samples[0].spin.z, 0.5 * drilling, 1e-11 * std::fabs(drilling)) << spinning;
            EXPECT_EQ(ball.spin(), (Vec3{}));
            EXPECT_LT(std::fabs(ball.balance(first)), 1e-12) << spinning;
        }
}

// A sliding ball, f > C and f < C: the slide knows neither the spin about the normal nor what resists it.
TEST(Flat, ASlideDoesNotDependOnTheSpinAboutTheNormal) {
    for (const double C : {0.04, 0.9}) {
        const auto end_with = [&](double drilling, double spinning) {
            BallRun ball = on_flat();
            ball.contact().rolling_resistance = C;
            ball.contact().spinning_resistance = spinning;
            ball.contact().restitution = 0;
            ball.contact().impact_friction = false;
            ball.put({3, 4, r + 0.01}, {0.01, 0, 0}, {0, 0, drilling});
            const model::Outcome outcome = ball.run();
            EXPECT_EQ(outcome.kind, OutcomeKind::rest) << outcome.message;
            return std::pair(outcome.time, ball.position());
        };
        const auto [time, place] = end_with(0, 0);
        for (const double drilling : {0.3, -2.0})
            for (const double spinning : {0.0, 5.0}) {  // 5: it has ended before the ball stops
                const auto [t, p] = end_with(drilling, spinning);
                EXPECT_NEAR(t, time, 1e-10 * time) << C << " " << drilling << " " << spinning;
                EXPECT_LT(norm(p - place), 1e-10 * norm(place - Vec3{3, 4, r})) << C << " " << drilling << " " << spinning;
            }
    }
}

// The regularised law likewise: above the ramp it is the law itself.
TEST(Flat, TheRegularisedLawTreatsTheSpinAboutTheNormalAlike) {
    const double C = 0.04, C_s = 0.02, v0 = 0.01, drilling = 0.3, V = 1e-7, time = 100;
    BallRun ball = on_flat();
    ball.contact().rolling_resistance = C;
    ball.contact().spinning_resistance = C_s;
    ball.contact().regularisation_speed = V;
    ball.contact().regularised_end_speed = V;
    ball.put_on_surface({3, 4, r}, {v0, 0, 0}, {0, v0 / r, drilling});
    ball.model.parameters.end_time = time;
    ball.run();
    EXPECT_NEAR(ball.velocity().x, v0 - C * g / (1 + j) * time, V);
    EXPECT_NEAR(ball.spin().z, drilling - C_s * g / (j * r) * time, 1e-10);
}

// A ball on backspin slides back over its start: a simple root of the slip, and of the spin, in the same slide.
TEST(Flat, ABallOnStrongBackspinComesBack) {
    const double f = 0.3, C = 0.02, v0 = 0.002, w0 = -0.5;  // turns against its motion
    BallRun ball = on_flat();
    ball.contact().friction = f;
    ball.contact().rolling_resistance = C;
    ball.put_on_surface({3, 4, r}, {v0, 0, 0}, {0, w0, 0});
    const model::State first = ball.state;
    const model::Outcome outcome = ball.run();
    // slide: v = v0 - f g t, r w = r w0 + (f + C) g t / j, equal at t_s
    const double t_s = (v0 - r * w0) / (f * g + (f + C) * g / j), v_s = v0 - f * g * t_s;
    ASSERT_LT(v_s, 0);
    const auto rolls = ball.notes.of(EventKind::roll);
    ASSERT_EQ(rolls.size(), 1U);
    EXPECT_NEAR(rolls[0].time, t_s, 1e-11 * t_s);
    EXPECT_NEAR(rolls[0].velocity.x, v_s, 1e-11 * v0);
    const double x = 3 + v0 * t_s - 0.5 * f * g * t_s * t_s - 0.5 * v_s * v_s * (1 + j) / (C * g);
    EXPECT_EQ(outcome.kind, OutcomeKind::rest);
    EXPECT_NEAR(ball.position().x, x, 1e-10);
    EXPECT_LT(std::fabs(ball.balance(first)), 1e-12);
}

}  // namespace
}  // namespace asperity::dynamics::test::flat_test
