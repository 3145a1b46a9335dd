#include "asperity/laws/contact/rolling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/laws/random_contacts.h"

namespace asperity::laws::test::rolling_test {
namespace {

constexpr unsigned seed = 20261119;
constexpr double g = 1e-4, C = 0.04, f = 0.6, r = 0.05;
const BallShape ball{.radius = r, .inertia_factor = 0.4};
const Touch level{.normal = {0, 0, 1}, .normal_rate = {}};
const Vec3 down{0, 0, -g};

SingleContact law_of(bool is_coupled, double friction = f, double rolling = C) {
    return {.ball = ball, .friction = friction, .rolling = rolling, .is_coupled = is_coupled};
}

Response roll_along_x(const SingleContact& law) {
    return law.roll({{0.01, 0, 0}, {0, 0.01 / r, 0}}, level, down, {.slip = {}, .axis = {0, 1, 0}});
}

// Errata of 1-landers: 5/7 C g under the sound law, 5/2 C g under the thesis's. Negative: it brakes.
TEST(Rolling, DeceleratesByFiveSeventhsUnderCoupledAndFiveHalvesUnderThesis) {
    EXPECT_NEAR(roll_along_x(law_of(true)).v_rate.x, -5.0 / 7 * C * g, 1e-20);
    EXPECT_NEAR(roll_along_x(law_of(false)).v_rate.x, -5.0 / 2 * C * g, 1e-20);
    for (const bool is_coupled : {true, false}) {
        const Response got = roll_along_x(law_of(is_coupled));
        EXPECT_NEAR(got.w_rate.y, got.v_rate.x / r, 1e-18);  // it goes on rolling
        EXPECT_EQ(got.v_rate.z, 0);
    }
}

TEST(Rolling, RestSlopeIsTheCoefficientUnderCoupledAndThreeAndAHalfTimesThatUnderThesis) {
    EXPECT_DOUBLE_EQ(law_of(true).rest_slope(), C);
    EXPECT_DOUBLE_EQ(law_of(false).rest_slope(), 3.5 * C);
    EXPECT_DOUBLE_EQ(law_of(true, 0.01).rest_slope(), 0.01);  // a smooth slope lets it slip before it rolls
    EXPECT_DOUBLE_EQ(law_of(false, 0.01).rest_slope(), 3.5 * 0.01);
}

// Just beyond the rest slope the ball accelerates, just below it the law would push it uphill: the two sides of the threshold.
TEST(Rolling, TheRestSlopeIsWhereARollFromRestChangesItsSign) {
    for (const bool is_coupled : {true, false}) {
        const SingleContact law = law_of(is_coupled);
        for (const double part : {0.999, 1.001}) {
            const Vec3 a{part * law.rest_slope() * g, 0, -g};
            const Response got = law.roll({}, level, a, {.slip = {}, .axis = {0, 1, 0}});  // about to roll down, along x
            EXPECT_GT(part > 1 ? got.v_rate.x : -got.v_rate.x, 0) << is_coupled << part;
        }
    }
}

// (8) pushes a ball with backspin forwards: heat_rolling is negative, and nearly without friction so is all of it.
TEST(Rolling, BackspinGainsEnergyUnderThesisAndNeverUnderCoupled) {
    const Motion backspin{{0.01, 0, 0}, {0, -0.1, 0}};
    const Reference reference{.slip = {1, 0, 0}, .axis = {0, -1, 0}};
    const Response thesis = law_of(false, 0.01).slide(backspin, level, down, reference, false);
    EXPECT_LT(thesis.heat_rolling, 0);
    EXPECT_LT(thesis.heat_rolling + thesis.heat_friction, 0);
    EXPECT_GT(thesis.v_rate.x, 0);  // faster, without being pushed by anything outside
    const Response coupled = law_of(true, 0.01).slide(backspin, level, down, reference, false);
    EXPECT_GT(coupled.heat_rolling, 0);
    EXPECT_LT(coupled.v_rate.x, 0);
}

struct RandomContact {
    Touch touch;
    Motion motion;
    Vec3 a;
};

// On a facet, an edge or a vertex: the normal turns with the part of v that a curvature of one radius lets it turn with.
RandomContact random_contact(Draw& draw) {
    RandomContact contact;
    const Vec3 n = draw.direction();
    contact.motion.v = 0.01 * tangential(draw.inside_unit_ball(), n);
    contact.motion.w = 0.3 * draw.inside_unit_ball();
    contact.a = g * unit(draw.inside_unit_ball() - 3.0 * n);
    const Vec3 edge = unit(tangential(draw.direction(), n));
    const int kind = draw.whole(0, 2);
    const Vec3 turning = kind == 0 ? Vec3{} : kind == 1 ? tangential(contact.motion.v, edge) : contact.motion.v;
    contact.touch = {.normal = n, .normal_rate = turning / r};
    return contact;
}

Reference reference_of(const RandomContact& c) {
    return {.slip = unit(tangential(slip(c.motion, c.touch.normal, r), c.touch.normal)), .axis = unit(c.motion.w)};
}

TEST(Rolling, InASlideFrictionOpposesTheSlipAtTheLimitOfTheCone) {
    Draw draw(seed);
    for (int round = 0; round < 1000; ++round) {
        const RandomContact c = random_contact(draw);
        for (const bool is_coupled : {true, false}) {
            const Response got = law_of(is_coupled).slide(c.motion, c.touch, c.a, reference_of(c), false);
            const Vec3 u = tangential(slip(c.motion, c.touch.normal, r), c.touch.normal);
            ASSERT_LT(dot(got.friction, u) * std::copysign(1.0, got.normal), 0) << seed << " " << round;
            ASSERT_NEAR(norm(got.friction), f * std::fabs(got.normal), 4e-16 * norm(got.friction));
            ASSERT_GE(got.heat_friction * std::copysign(1.0, got.normal), 0);
        }
    }
}

// The power balance: what the outside force gives is kinetic energy or heat. To rounding of its terms.
// On ground too steep to hold, a ball without slip slips downhill from the first instant, whatever the direction it is told; a slip above
// the creep, or friction that can hold, follow the plain law.
TEST(Rolling, ASlipThatIsTooSmallToHaveADirectionGoesWhereTheLoadPushes) {
    const SingleContact law = law_of(true, 0.1, 0);
    const Vec3 steep{g, 0, -g};  // rolling would take 2/7 g of friction, 0.1 g is there
    const Reference sideways{.slip = {0, 1, 0}, .creep = 1e-9};
    const Response slips = law.slide({{0, 1e-12, 0}, {}}, level, steep, sideways, false);
    EXPECT_NEAR(slips.v_rate.x, 0.9 * g, 1e-15 * g);
    EXPECT_NEAR(slips.v_rate.y, 0, 1e-15 * g);
    const Response above = law.slide({{0, 1e-8, 0}, {}}, level, steep, sideways, false);
    EXPECT_NEAR(above.v_rate.y, -0.1 * g, 1e-15 * g);
    const Response holds = law.slide({{0, 1e-12, 0}, {}}, level, {0.1 * g, 0, -g}, sideways, false);
    EXPECT_NEAR(holds.v_rate.y, -0.1 * g, 1e-15 * g);
}

TEST(Rolling, HeatAndKineticEnergyTakeUpThePowerOfTheOutsideForce) {
    Draw draw(seed + 1);
    for (int round = 0; round < 1000; ++round) {
        const RandomContact c = random_contact(draw);
        for (const bool is_coupled : {true, false}) {
            const SingleContact law = law_of(is_coupled);
            for (const Response& got :
                 {law.slide(c.motion, c.touch, c.a, reference_of(c), false), law.roll(c.motion, c.touch, c.a, reference_of(c))}) {
                const double inertia = ball.inertia_factor * r * r;
                const double kinetic_rate = dot(c.motion.v, got.v_rate) + inertia * dot(c.motion.w, got.w_rate);
                ASSERT_NEAR(kinetic_rate + got.heat_friction + got.heat_rolling, dot(c.a, c.motion.v), 1e-13 * g * 0.02)
                    << seed + 1 << " " << round;
            }
        }
    }
}

TEST(Rolling, UnderCoupledNoPartOfTheHeatIsNegativeWhereTheSurfaceCarries) {
    Draw draw(seed + 2);
    for (int round = 0; round < 1000; ++round) {
        const RandomContact c = random_contact(draw);
        const Response got = law_of(true).slide(c.motion, c.touch, c.a, reference_of(c), false);
        if (got.normal <= 0) continue;
        ASSERT_GE(got.heat_friction, 0);
        ASSERT_GE(got.heat_rolling, 0);
    }
}

TEST(Rolling, IsTheSameInEveryFrame) {
    Draw draw(seed + 3);
    for (int round = 0; round < 500; ++round) {
        const RandomContact c = random_contact(draw);
        const Quat q = draw.orientation();
        const RandomContact other{.touch = {rotate(q, c.touch.normal), rotate(q, c.touch.normal_rate)},
                                  .motion = {rotate(q, c.motion.v), rotate(q, c.motion.w)},
                                  .a = rotate(q, c.a)};
        for (const bool is_coupled : {true, false}) {
            const SingleContact law = law_of(is_coupled);
            const Response here = law.roll(c.motion, c.touch, c.a, reference_of(c)),
                           there = law.roll(other.motion, other.touch, other.a, reference_of(other));
            ASSERT_LT(norm(there.v_rate - rotate(q, here.v_rate)), 1e-14 * g + 1e-15) << seed + 3 << " " << round;
            ASSERT_LT(r * norm(there.w_rate - rotate(q, here.w_rate)), 1e-14 * g + 1e-15);
        }
    }
}

SingleContact random_law(Draw& draw) {
    SingleContact law = law_of(true, draw.power(0.01, 2), draw.whole(0, 4) == 0 ? 0 : draw.power(1e-3, 1));
    law.spinning = draw.whole(0, 2) == 0 ? 0 : draw.power(1e-3, 1);
    return law;
}

Reference turning_reference(const RandomContact& c) {
    Reference reference = reference_of(c);
    reference.axis = unit(tangential(c.motion.w, c.touch.normal));
    reference.drilling = dot(c.motion.w, c.touch.normal) > 0 ? 1 : -1;
    return reference;
}

// body(law, contact, response) for random states of all responses: slide and roll, free to turn.
template <class Body>
void for_each_response(unsigned first, const Body& body) {
    Draw draw(first);
    for (int round = 0; round < 3000 && !testing::Test::HasFatalFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "seed " << first << ", round " << round);
        const RandomContact c = random_contact(draw);
        const SingleContact law = random_law(draw);
        if (!(law.normal_force(c.motion, c.touch, c.a) > 0)) continue;
        body(law, c, law.slide(c.motion, c.touch, c.a, turning_reference(c), false));
        body(law, c, law.roll(c.motion, c.touch, c.a, turning_reference(c)));
    }
}

// Neither part of the torque ever gives the ball energy, whatever it does, and what both take is booked.
TEST(Rolling, ResistanceOnlyTakesEnergyWhateverTheSpin) {
    for_each_response(seed + 10, [](const SingleContact& law, const RandomContact& c, const Response& got) {
        const double load = got.normal, about = std::fabs(dot(c.motion.w, c.touch.normal));
        const double across = norm(tangential(c.motion.w, c.touch.normal));
        const double expected = r * load * (law.rolling * across + law.spinning * about);
        ASSERT_GE(got.heat_rolling, 0);
        ASSERT_NEAR(got.heat_rolling, expected, 1e-13 * (expected + r * g * norm(c.motion.w)));
    });
}

// Friction has no moment about the normal through the centre, and rolling resistance has none either.
TEST(Rolling, TheSpinAboutTheNormalFeelsSpinningResistanceAlone) {
    for_each_response(seed + 11, [](const SingleContact& law, const RandomContact& c, const Response& got) {
        const double side = dot(c.motion.w, c.touch.normal) > 0 ? 1 : -1;
        const double expected = -side * law.spinning * got.normal / (ball.inertia_factor * r);
        ASSERT_NEAR(dot(got.w_rate, c.touch.normal), expected, 1e-13 * norm(got.w_rate) + 1e-15 * g / r);
    });
}

// On a facet, where the normal does not turn, all the rest of the motion is the same with another spin about it.
TEST(Rolling, TheSpinAboutTheNormalChangesNothingElseOnAFacet) {
    Draw draw(seed + 12);
    for (int round = 0; round < 1000; ++round) {
        RandomContact c = random_contact(draw);
        c.touch.normal_rate = {};
        const SingleContact law = random_law(draw);
        RandomContact other = c;
        other.motion.w += draw.between(-5, 5) * c.touch.normal;
        for (const bool rolls : {false, true}) {
            const auto response = [&](const RandomContact& of) {
                const Reference reference = turning_reference(of);
                return rolls ? law.roll(of.motion, of.touch, of.a, reference) : law.slide(of.motion, of.touch, of.a, reference, false);
            };
            const Response here = response(c), there = response(other);
            const double rounding = 1e-13 * g * (1 + norm(other.motion.w) / norm(tangential(c.motion.w, c.touch.normal)));
            ASSERT_LT(norm(here.v_rate - there.v_rate), rounding) << seed + 12 << " " << round;
            ASSERT_LT(r * norm(tangential(here.w_rate - there.w_rate, c.touch.normal)), rounding / ball.inertia_factor);
        }
    }
}

// Held: the spin across the normal stays zero while the normal turns and the frame does; so does the spin about it.
TEST(Rolling, AHeldSpinStaysWhatItIs) {
    Draw draw(seed + 13);
    for (int round = 0; round < 1000; ++round) {
        RandomContact c = random_contact(draw);
        const Vec3& n = c.touch.normal;
        const Vec3 frame = 0.01 * draw.inside_unit_ball();
        SingleContact law = random_law(draw);
        law.spinning = 0.1;
        c.motion.w = dot(c.motion.w, n) * n;
        c.touch.spin_rate = -cross(frame, c.motion.w);
        Reference reference{.slip = unit(c.motion.v), .drilling = dot(c.motion.w, n) > 0 ? 1.0 : -1.0};
        const Response locked = law.slide(c.motion, c.touch, c.a, reference, true);
        // (w - (w . n) n)' = w' - ((w . n)' n + (w . n) n'), across n
        const Vec3 across = tangential(locked.w_rate - dot(c.motion.w, n) * c.touch.normal_rate, n);
        ASSERT_LT(norm(across), 1e-13 * (norm(locked.w_rate) + g / r)) << seed + 13 << " " << round;

        c.motion.w = 0.3 * tangential(draw.inside_unit_ball(), n);
        c.touch.spin_rate = -cross(frame, c.motion.w);
        reference = turning_reference(c);
        reference.drilling = 0;
        const Response free = law.slide(c.motion, c.touch, c.a, reference, false);
        ASSERT_NEAR(dot(free.w_rate, n) + dot(c.motion.w, c.touch.normal_rate), 0, 1e-13 * (norm(free.w_rate) + g / r));
    }
}

// In a frame that turns with W the axis of a spin about the normal is carried along: a torque j r^2 W x w is needed, which rolling
// resistance has to take up together with the slope.
TEST(Rolling, AGyroscopicTorqueCountsAgainstRest) {
    const SingleContact law = law_of(true);
    const Vec3 frame{1e-3, 0, 0};
    const double most = C * g / (ball.inertia_factor * r * norm(frame));  // j r W w = C g
    for (const double part : {0.999, 1.001}) {
        const Motion spinning{{}, {0, 0, part * most}};
        Touch touch = level;
        touch.spin_rate = -cross(frame, spinning.w);
        EXPECT_EQ(law.stays(spinning, touch, down), part < 1);
        EXPECT_NEAR(norm(law.tilt(touch, down)), part * C * g, 1e-14 * g);
        // it begins to roll where the tilt says, and it is slowed down where rolling resistance could hold it
        const Vec3 axis = unit(cross(touch.normal, law.tilt(touch, down)));
        const Response got = law.roll(spinning, touch, down, {.slip = {}, .axis = axis, .drilling = 1});
        EXPECT_GT(dot(got.v_rate, law.tilt(touch, down)) * (part - 1), 0);
        const Response held = law.roll(spinning, touch, down, {.slip = {}, .axis = {}, .drilling = 1}, true);
        EXPECT_LT(norm(held.v_rate) + r * norm(held.w_rate), 1e-15 * g);
    }
    EXPECT_TRUE(law.stays({{}, {0, 0, 1e6}}, level, down));  // the frame does not turn: any spin about the normal
    // it may hold the ball on a slope steeper than C, against which it leans
    Touch leaning = level;
    leaning.spin_rate = -cross(frame, {0, 0, most});  // asks for C g on level ground
    const Vec3 lean = law.tilt(leaning, down);
    EXPECT_TRUE(law.stays({}, leaning, down - 1.5 * lean));
    EXPECT_FALSE(law.stays({}, level, down - 1.5 * lean));
    EXPECT_FALSE(law.stays({}, leaning, down + 0.5 * lean));
}

// The same response whatever continues it: reversed references turn the law round (that is how a step runs through zero).
TEST(Rolling, PastZeroTheDirectionIsContinuedFromTheReference) {
    EXPECT_EQ(continued({2, 0, 0}, {1, 0, 0}, 0), (Vec3{1, 0, 0}));
    EXPECT_EQ(continued({-2, 0, 0}, {1, 0, 0}, 0), (Vec3{1, 0, 0}));
    EXPECT_EQ(continued({1e-20, 0, 0}, {0, 1, 0}, 1e-15), (Vec3{0, 1, 0}));
}

// u' = 0 along an integrated motion: a ball rolls on a plane, about an edge (x axis) and about a vertex (origin), with spin about the
// normal too. Classical Runge-Kutta over 200 steps, error ~ h^4: the slip stays below 1e-10 of the speed, and falls sixteenfold with half
// the step.
enum class Shape { facet, edge, vertex };
Touch touch_at(Shape shape, const Vec3& p, const Vec3& v) {
    if (shape == Shape::facet) return level;
    const Vec3 along{1, 0, 0};
    const Vec3 offset = shape == Shape::edge ? tangential(p, along) : p;
    const Vec3 n = unit(offset), turning = shape == Shape::edge ? tangential(v, along) : v;
    return {.normal = n, .normal_rate = tangential(turning, n) / norm(offset)};
}

double slip_after_roll(Shape shape, bool is_coupled, int steps) {
    struct Y {
        Vec3 p, v, w;
    };
    const SingleContact law = law_of(is_coupled, 50);
    const auto rate = [&](const Y& y) {
        const Touch touch = touch_at(shape, y.p, y.v);
        const Response got = law.roll({y.v, y.w}, touch, down, {.slip = {}, .axis = unit(y.w)});
        return Y{y.v, got.v_rate, got.w_rate};
    };
    const auto moved = [](const Y& y, const Y& k, double h) { return Y{y.p + h * k.p, y.v + h * k.v, y.w + h * k.w}; };
    Y y{{0, 0, r}, {4e-4, 3e-4, 0}, {}};
    y.w = cross(Vec3{0, 0, 1}, y.v) / r + Vec3{0, 0, 0.02};
    const double h = 15.0 / steps, start = norm(y.v);
    double worst = 0;
    for (int k = 0; k < steps; ++k) {
        const Y k1 = rate(y), k2 = rate(moved(y, k1, h / 2)), k3 = rate(moved(y, k2, h / 2)), k4 = rate(moved(y, k3, h));
        y = moved(moved(moved(moved(y, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
        const Touch touch = touch_at(shape, y.p, y.v);
        worst = std::fmax(worst, norm(tangential(slip({y.v, y.w}, touch.normal, r), touch.normal)));
    }
    return worst / start;
}

TEST(Rolling, ARollKeepsTheSlipAtZeroOnAFacetAnEdgeAndAVertex) {
    for (const Shape shape : {Shape::facet, Shape::edge, Shape::vertex}) {
        for (const bool is_coupled : {true, false}) {
            SCOPED_TRACE(testing::Message() << static_cast<int>(shape) << (is_coupled ? " coupled" : " thesis"));
            const double coarse = slip_after_roll(shape, is_coupled, 100), fine = slip_after_roll(shape, is_coupled, 200);
            EXPECT_LT(fine, 1e-8);
            if (coarse > 1e-11) {
                EXPECT_GT(coarse / fine, 12);
            }
        }
    }
}

// 1-landers 4.4.4: below the regularisation speed V friction and torque fall linearly to zero; above it nothing changes.
TEST(Rolling, TheRegularisedLawIsTheUnregularisedOneAboveItsSpeedAndProportionalBelow) {
    Draw draw(seed + 4);
    for (int round = 0; round < 300; ++round) {
        const RandomContact c = random_contact(draw);
        const bool is_coupled = draw.whole(0, 1) == 1;
        SingleContact law = law_of(is_coupled);
        law.spinning = is_coupled ? 0.02 : 0;
        const Reference reference = is_coupled ? turning_reference(c) : reference_of(c);
        const Response exact = law.slide(c.motion, c.touch, c.a, reference, false);
        const Vec3& n = c.touch.normal;
        const double u = norm(slip(c.motion, n, r)), rim = r * norm(law.rolling_spin(c.motion.w, n)), about = r * dot(c.motion.w, n);
        law.regularisation = 0.5 * std::fmin(u, std::fmin(rim, std::fabs(about)));
        const Response above = law.slide(c.motion, c.touch, c.a, reference, false);
        EXPECT_LT(norm(above.v_rate - exact.v_rate), 1e-15 * g + 1e-18) << seed + 4 << " " << round;
        EXPECT_LT(norm(above.w_rate - exact.w_rate), 1e-15 * g / r + 1e-17);
        law.regularisation = 4 * u;
        const Response below = law.slide(c.motion, c.touch, c.a, reference_of(c), false);
        EXPECT_NEAR(norm(below.friction), 0.25 * norm(exact.friction), 1e-15 * g);
        if (!is_coupled) continue;
        law.regularisation = 4 * std::fabs(about);
        const Response slow = law.slide(c.motion, c.touch, c.a, reference, false);
        EXPECT_NEAR(dot(slow.w_rate, n), 0.25 * dot(exact.w_rate, n), 1e-14 * norm(exact.w_rate));
    }
}

// Rolling resistance that is stronger than friction keeps a sliding ball from turning: the torque takes what friction gives.
TEST(Rolling, ALockedSlideDoesNotTurnTheBall) {
    const Response got = law_of(true, 0.1, 0.3).slide({{0.01, 0, 0}, {}}, level, down, {.slip = {1, 0, 0}, .axis = {0, 1, 0}}, true);
    EXPECT_EQ(norm(got.w_rate), 0);
    EXPECT_NEAR(got.v_rate.x, -0.1 * g, 1e-20);
    // under thesis that torque, f N r, pushes the centre by f N / j as well (1-landers 4.19-4.20)
    const Response thesis = law_of(false, 0.1, 0.3).slide({{0.01, 0, 0}, {}}, level, down, {.slip = {1, 0, 0}, .axis = {0, 1, 0}}, true);
    EXPECT_EQ(norm(thesis.w_rate), 0);
    EXPECT_NEAR(thesis.v_rate.x, -(0.1 + 0.1 / 0.4) * g, 1e-20);
    EXPECT_NEAR(thesis.heat_friction + thesis.heat_rolling, -thesis.v_rate.x * 0.01, 1e-20);
}

}  // namespace
}  // namespace asperity::laws::test::rolling_test
