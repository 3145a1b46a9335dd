// Soft contact: restitution against the motion itself, and what a law must keep: no pull, no negative heat, equal and opposite.
#include "asperity/laws/contact/soft.h"

#include <gtest/gtest.h>

#include <random>

namespace asperity::laws::soft_test {
namespace {

// soft.h (5)
double restitution_of_damping(double damping, double stiffness, double reduced_mass) {
    const double z = 0.5 * damping / std::sqrt(stiffness * reduced_mass);
    if (z < 1) return std::exp(-2 * z * std::acos(z) / std::sqrt((1 - z) * (1 + z)));
    if (z > 1) return std::exp(-2 * z * std::acosh(z) / std::sqrt((z - 1) * (z + 1)));
    return std::exp(-2.0);
}

// soft.h (6), zero where the contact is overdamped: it never parts.
double restitution_with_pull(double damping, double stiffness, double reduced_mass) {
    constexpr double pi = 3.14159265358979323846;
    const double z = 0.5 * damping / std::sqrt(stiffness * reduced_mass);
    return z < 1 ? std::exp(-pi * z / std::sqrt((1 - z) * (1 + z))) : 0;
}

// Speed of parting over speed of approach, from the equation of motion alone: m x'' = -max(0, k x + c x'), classical Runge-Kutta.
double restitution_by_motion(double damping, double stiffness, double mass) {
    const double h = 1e-4 * std::sqrt(mass / stiffness);
    const auto rate = [&](double x, double v) { return -std::fmax(0.0, stiffness * x + damping * v) / mass; };
    double x = 0, v = 1;
    for (int i = 0; i < 2000000 && (i == 0 || stiffness * x + damping * v > 0); ++i) {
        const double a1 = rate(x, v), a2 = rate(x + 0.5 * h * v, v + 0.5 * h * a1);
        const double a3 = rate(x + 0.5 * h * (v + 0.5 * h * a1), v + 0.5 * h * a2), a4 = rate(x + h * (v + 0.5 * h * a2), v + h * a3);
        x += h * (v + h / 6 * (a1 + a2 + a3));
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return -v;
}

TEST(SoftContact, RestitutionIsThatOfTheMotion) {
    const double k = 3e4, m = 7;
    for (const double z : {0.05, 0.273, 0.7, 0.95, 1.0, 1.3, 4.0}) {
        const double c = 2 * z * std::sqrt(k * m);
        // a step past the end changes v by less than h^2 of its size
        EXPECT_NEAR(restitution_of_damping(c, k, m), restitution_by_motion(c, k, m), 1e-7) << z;
    }
}

TEST(SoftContact, DampingIsTheInverseOfRestitution) {
    const double k = 1e13, m = 3.35e13;
    const auto came_out = [&](double e) { return restitution_of_damping(damping_of_ratio(damping_ratio_of_restitution(e), k, m), k, m); };
    for (const double e : {1.0, 0.9, 0.4797, 0.2, 0.135, 0.1, 0.01, least_restitution}) EXPECT_NEAR(came_out(e), e, 1e-13) << e;
    EXPECT_NEAR(came_out(0), least_restitution, 1e-13);  // no finite damper has e = 0
    EXPECT_EQ(damping_ratio_of_restitution(1), 0);
    const double strong = 1e6;
    EXPECT_NEAR(restitution_of_damping(damping_of_ratio(strong, k, m), k, m) * 4 * strong * strong, 1, 1e-9);
}

// 3-ternary, 3.4.2 with the errata: 4 km, 2 g/cm^3, k_e = k_d = 1e13 in SI.
TEST(SoftContact, NumbersOfTheThesis) {
    const double m = 0.5 * 2000 * 4.0 / 3 * 3.14159265358979323846 * 8e9;
    EXPECT_NEAR(0.5 * 1e13 / std::sqrt(1e13 * m), 0.273, 5e-4);
    EXPECT_NEAR(restitution_with_pull(1e13, 1e13, m), 0.41, 0.005);
    EXPECT_NEAR(restitution_of_damping(1e13, 1e13, m), 0.4797, 5e-4);
    EXPECT_EQ(restitution_with_pull(1e14, 1e13, m), 0);
}

TEST(SoftContact, PushesNeverPullsAndOnlyHeats) {
    const SoftContact law{.stiffness = 1e5, .damping = 2e3, .friction = 0.4, .rolling_resistance = 0.1, .slip_speed = 0.01};
    std::mt19937_64 random(20);
    std::normal_distribution<double> normal;
    const auto vector = [&](double size) { return Vec3{size * normal(random), size * normal(random), size * normal(random)}; };
    int cut = 0;
    for (int i = 0; i < 2000; ++i) {
        SoftTouch touch{
            .normal = unit(vector(1)), .overlap = 1e-3 * normal(random), .velocity = vector(0.1), .spin = vector(0.1), .radius = 0.7};
        const SoftResponse out = law(touch);
        if (touch.overlap <= 0) {
            EXPECT_EQ(out.force, Vec3{});
            continue;
        }
        const double along = dot(out.force, touch.normal);
        const Vec3 rubbed = out.force - along * touch.normal;
        EXPECT_GE(along, -1e-12 * norm(out.force));
        EXPECT_LE(norm(rubbed), law.friction * out.normal * (1 + 1e-12));
        EXPECT_LE(norm(out.torque), law.rolling_resistance * touch.radius * out.normal * (1 + 1e-12));
        for (const double heat : {out.heat_impact, out.heat_friction, out.heat_rolling}) EXPECT_GE(heat, 0);
        // all that the force takes is stored or heat
        const double taken = -dot(out.force, touch.velocity) - dot(out.torque, touch.spin);
        const double stored = -law.stiffness * touch.overlap * dot(touch.velocity, touch.normal);
        EXPECT_NEAR(taken, stored + out.heat_impact + out.heat_friction + out.heat_rolling, 1e-12 * (std::fabs(taken) + std::fabs(stored)));
        cut += out.normal == 0 ? 1 : 0;
    }
    EXPECT_GT(cut, 20);
}

TEST(SoftContact, ForceIsTheSlopeOfTheStoredEnergy) {
    const SoftContact law{.stiffness = 1e5, .damping = 2e3};
    const double x = 3e-3, dx = 1e-6;
    const double slope = (law.elastic_energy(x + dx) - law.elastic_energy(x - dx)) / (2 * dx);
    EXPECT_NEAR(law({.normal = {0, 0, 1}, .overlap = x, .radius = 1}).force.z, slope, 1e-7 * slope);
    EXPECT_EQ(law.elastic_energy(-x), 0);
}

}  // namespace
}  // namespace asperity::laws::soft_test
