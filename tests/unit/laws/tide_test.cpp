#include "asperity/laws/tide.h"

#include <gtest/gtest.h>

#include "asperity/core/random.h"
#include "asperity/gravity/mutual.h"

namespace asperity::laws::tide_test {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double g = 6.67384e-11;          // as in 3-ternary
constexpr double radius = 2000, d = 4000;  // m
const double m = 2000 * 4 * pi / 3 * 8e9;  // kg, 2 g/cm^3
constexpr DrawKey key{.seed = 7, .run = 0, .stream = 2};

const ConstantAngleTide angle_law{.love_number = 1e-5, .radius = radius, .sin_double_lag = sin_double_lag_of_quality(100)};
const ConstantTimeLagTide lag_law{.love_number = 1e-5, .radius = radius, .time_lag = 35};

Vec3 drawn(std::uint64_t& counter, double size) {
    Vec3 out;
    for (double* c : {&out.x, &out.y, &out.z}) *c = size * (2 * random_uniform(key, counter++) - 1);
    return out;
}
TidalPair drawn_pair(std::uint64_t& c) {
    return {.separation = drawn(c, 1e4) + Vec3{d, 0, 0},
            .velocity = drawn(c, 1),
            .spin = drawn(c, 3e-4),
            .companion_mass = m,
            .gravitational_constant = g};
}
// In the plane: companion along x at the rate `orbit`, body spins at `spin`.
TidalPair planar(double spin, double orbit, double r = d) {
    return {.separation = {r, 0, 0}, .velocity = {0, r * orbit, 0}, .spin = {0, 0, spin}, .companion_mass = m, .gravitational_constant = g};
}

// The errata of 3-ternary, all printed digits.
TEST(Tide, TorqueAndSpinRateOfATouchingPair) {
    const TidalResponse got = angle_law(planar(3e-4, 1e-4));
    EXPECT_NEAR(got.torque.z, -3.513e5, 0.5e2);  // slows a body that spins faster than its companion goes round
    EXPECT_NEAR(-got.torque.z / (0.4 * m * radius * radius), 3.276e-15, 0.5e-18);
    EXPECT_NEAR(got.torque.z, -1.5 * 1e-5 * g * m * m * std::pow(radius, 5) / std::pow(d, 6) * std::sin(std::atan(0.01)), 1e-9);
    EXPECT_EQ(got.torque.x, 0);
    EXPECT_EQ(got.torque.y, 0);
    EXPECT_GT(got.force_on_companion.y, 0);  // and pushes the companion ahead
    EXPECT_NEAR(got.force_on_companion.y * d / -got.torque.z, 1, 1e-15);
    EXPECT_NEAR(angle_law(planar(1e-4, 3e-4)).torque.z / -got.torque.z, 1, 1e-15);  // the other way round
    EXPECT_NEAR(angle_law(planar(3e-4, 1e-4, 2 * d)).torque.z / got.torque.z, 1.0 / 64, 1e-15);
}

template <class Law>
void expect_conservation_and_power(const Law& law) {
    std::uint64_t counter = 0;
    for (int run = 0; run < 1000; ++run) {
        const TidalPair pair = drawn_pair(counter);
        const TidalResponse got = law(pair);
        EXPECT_EQ(got.torque + cross(pair.separation, got.force_on_companion), Vec3{});  // the opposite force acts on the body's own centre
        EXPECT_LE(std::fabs(dot(got.torque, pair.separation)), 1e-15 * norm(got.torque) * norm(pair.separation));
        EXPECT_LE(std::fabs(dot(got.force_on_companion, pair.separation)), 1e-15 * norm(got.force_on_companion) * norm(pair.separation));
        const double work = dot(got.torque, pair.spin) + dot(got.force_on_companion, pair.velocity);
        const double size = norm(got.torque) * (norm(pair.spin) + norm(pair.velocity) / norm(pair.separation));
        EXPECT_NEAR(got.power, work, 1e-14 * size);
        EXPECT_LT(got.power, 0);
        EXPECT_NEAR(got.power, -norm(got.torque) * norm(relative_rate(pair)), 1e-14 * size);  // torque against the relative rate
    }
}
TEST(Tide, ConstantAngleKeepsMomentumAndLosesEnergy) { expect_conservation_and_power(angle_law); }
TEST(Tide, ConstantTimeLagKeepsMomentumAndLosesEnergy) { expect_conservation_and_power(lag_law); }

// 3-ternary 3.25: -Gamma (psi-dot - theta-dot), both ways.
TEST(Tide, PowerInThePlane) {
    for (const double spin : {3e-4, 0.5e-4, -2e-4}) {
        const double orbit = 1e-4;
        const TidalResponse got = angle_law(planar(spin, orbit));
        EXPECT_NEAR(got.power / (-std::fabs(got.torque.z) * std::fabs(spin - orbit)), 1, 1e-14);
        EXPECT_EQ(got.torque.z<0, spin> orbit);
    }
}

// Close to synchronism W is the small difference of two rates and has no exact direction; momentum must not leak even so.
TEST(Tide, MomentumIsKeptAtSynchronism) {
    std::uint64_t counter = 9000;
    for (int run = 0; run < 100; ++run) {
        TidalPair pair = drawn_pair(counter);
        pair.velocity = cross(pair.spin, pair.separation);  // locked, to rounding
        const TidalResponse got = angle_law(pair);
        EXPECT_EQ(got.torque + cross(pair.separation, got.force_on_companion), Vec3{});
        EXPECT_LE(std::fabs(dot(got.torque, pair.separation)), 1e-15 * norm(got.torque) * norm(pair.separation));
        EXPECT_LE(norm(lag_law(pair).torque), 1e-14 * norm(lag_law(planar(1e-3, 0)).torque));
    }
    const TidalPair still{.separation = {d, 0, 0}, .spin = {1e-4, 0, 0}, .companion_mass = m, .gravitational_constant = g};  // spin along n
    EXPECT_EQ(angle_law(still).torque, Vec3{});
    EXPECT_EQ(angle_law(still).power, 0);
}

// The pull of the companion on the bulge itself: a body with the inertia of the bulge, D = -k2 m R^5 / r^3 (b b - 1/3) along b, n turned by
// eps about W, in the second-order field of gravity/mutual.h. Neither the formula for Gamma nor the direction of T enters.
TEST(Tide, IsThePullOnTheBulgeInclinedToo) {
    std::uint64_t counter = 20000;
    for (int run = 0; run < 50; ++run) {
        const TidalPair pair = drawn_pair(counter);
        const double r = norm(pair.separation), lag = 0.01 + 0.3 * random_uniform(key, counter++);
        const Vec3 n = pair.separation / r, w = relative_rate(pair);
        const Vec3 bulge = rotate(rotation(lag * unit(w)), n);
        const double strength = 1e-5 * m * std::pow(radius, 5) / (r * r * r);
        const Vec3 x{1, 0, 0}, axis = cross(x, bulge);
        const Quat along = rotation(std::atan2(norm(axis), dot(x, bulge)) * unit(axis));
        const gravity::MassiveBody body{1, {-strength, 0, 0}, along}, companion{m, {}, {}};
        const Vec3 expected = gravity::second_order_pull(body, companion, pair.separation, g).torque_on_first;
        const ConstantAngleTide law{.love_number = 1e-5, .radius = radius, .sin_double_lag = sin_double_lag_of_angle(lag)};
        EXPECT_LE(norm(law(pair).torque - expected), 1e-12 * norm(expected)) << run;
    }
}

TEST(Tide, TimeLagIsLinearAndMeetsTheConstantAngleAtItsRate) {
    const double rate = 2e-4;
    ConstantTimeLagTide law = lag_law;
    law.time_lag = angle_law.sin_double_lag / (2 * rate);  // (4) has the torque of (3) at this rate
    EXPECT_NEAR(law(planar(3e-4, 1e-4)).torque.z / angle_law(planar(3e-4, 1e-4)).torque.z, 1, 1e-14);
    for (const double part : {1.0, 0.5, 1e-3, 1e-9, -0.5})
        EXPECT_NEAR(law(planar(part * rate, 0)).torque.z / (part * law(planar(rate, 0)).torque.z), 1, 1e-14);
    EXPECT_NEAR(lag_law(planar(3e-4, 1e-4)).torque.z, -3 * 1e-5 * g * m * m * std::pow(radius, 5) / std::pow(d, 6) * 35 * 2e-4, 1e-9);
}

TEST(Tide, LagFromQuality) {
    EXPECT_NEAR(sin_double_lag_of_quality(100), std::sin(std::atan(0.01)), 1e-17);
    const double lag = 0.5 * std::atan(1.0 / 12);  // Q of the Earth
    EXPECT_NEAR(sin_double_lag_of_angle(lag), sin_double_lag_of_quality(12), 1e-16);
}

// b = 19 mu / (2 rho g R) with g = G M / R^2: Murray and Dermott, Table 4.1, have k2 = 0.030 for the Moon with mu = 5e10 Pa.
TEST(Tide, LoveNumberFromRigidity) {
    const double gravity = g * 7.349e22 / (1.738e6 * 1.738e6), density = 7.349e22 / (4 * pi / 3 * std::pow(1.738e6, 3));
    const double b = 19 * 5e10 / (2 * density * gravity * 1.738e6);
    EXPECT_NEAR(love_number(5e10, density, 1.738e6, g) / (1.5 / (1 + b)), 1, 1e-14);
    EXPECT_NEAR(love_number(5e10, density, 1.738e6, g), 0.030, 0.001);
    EXPECT_EQ(love_number(0, 2000, radius, g), 1.5);                                                   // a fluid
    EXPECT_NEAR(love_number(4e9, 2000, radius, g), 1.5 * 8 * pi * g * 4e6 * 4e6 / (57 * 4e9), 1e-12);  // stiff: (3/2) / b
    EXPECT_NEAR(love_number(70.62e6, 2000, radius, g), 1e-5, 1e-8);  // the k2 of 3-ternary is that of 71 MPa, far below rock
}

}  // namespace
}  // namespace asperity::laws::tide_test
