#include "asperity/analysis/energy_bound.h"

#include <gtest/gtest.h>

#include <vector>

#include "asperity/analysis/resting_configurations.h"
#include "asperity/core/random.h"
#include "unit/analysis/equal_spheres.h"

namespace asperity::analysis::energy_bound_test {
namespace {

constexpr double g = 6.67384e-11;

struct Draws {
    std::uint64_t counter = 0;
    double number(double low, double high) { return low + (high - low) * random_uniform({.seed = 3, .run = 0, .stream = 5}, counter++); }
    Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
};

// Ellipsoids of a few kilometres that move anyhow.
std::vector<MovingBody> drawn(Draws& d, int count) {
    std::vector<MovingBody> out;
    for (int i = 0; i < count; ++i) {
        const double m = d.number(1e12, 1e14);
        const Vec3 axes{d.number(500, 2000), d.number(500, 2000), d.number(500, 2000)};
        out.push_back({{m, gravity::ellipsoid_inertia(m, axes), rotation(d.vector(3))},
                       d.vector(1500) + Vec3{8000.0 * i, 0, 0},
                       d.vector(1),
                       d.vector(3e-4)});
    }
    return out;
}

TEST(EnergyBound, NoMotionIsBelowIt) {
    Draws d;
    for (int run = 0; run < 1000; ++run) {
        const auto bodies = drawn(d, 2 + run % 3);
        const EnergyBound got = energy_bound(bodies, g);
        EXPECT_GT(got.energy, got.minimum);
        EXPECT_GT(got.minimum, got.energy - got.kinetic);  // it says more than T >= 0
    }
}

// All turning as one about an axis along which H lies: equal. Here spheres in a plane, placed and drifting anyhow, of any number.
TEST(EnergyBound, IsReachedByRigidRotation) {
    Draws d{.counter = 100000};
    for (int run = 0; run < 100; ++run) {
        const Quat tilt = rotation(d.vector(3));
        const double rate = d.number(1e-5, 5e-4);
        const Vec3 axis = rotate(tilt, {0, 0, 1}), drift = d.vector(10);
        auto bodies = drawn(d, 2 + run % 4);
        Vec3 centre;
        double total = 0;
        for (MovingBody& b : bodies) {
            b.p.z = 0;
            b.p = rotate(tilt, b.p);
            b.body.inertia = {b.body.inertia.x, b.body.inertia.x, b.body.inertia.x};
            centre += b.body.m * b.p;
            total += b.body.m;
        }
        for (MovingBody& b : bodies) {
            b.w = rate * axis;
            b.v = cross(b.w, b.p - centre / total) + drift;
        }
        const EnergyBound got = energy_bound(bodies, g);
        EXPECT_NEAR(got.minimum, got.energy, 1e-13 * got.kinetic);
        EXPECT_LE(norm(got.angular_momentum - rate * got.inertia * axis), 1e-13 * norm(got.angular_momentum));
        bodies[0].w += 1e-3 * rate * axis;  // one spin a little off: E - E_m = I_1 dw^2 (1 - I_1 / I) / 2
        const double i1 = bodies[0].body.inertia.x, dw = 1e-3 * rate;
        const EnergyBound off = energy_bound(bodies, g);
        EXPECT_NEAR(off.energy - off.minimum, 0.5 * i1 * dw * dw * (1 - i1 / off.inertia), 1e-12 * off.kinetic);
    }
}

// Out of a plane I_H is the moment about H, not the polar one: two pairs, each opposite across the axis, at different heights.
TEST(EnergyBound, IsReachedOutOfAPlane) {
    const double rate = 1e-4;
    const Quat tilt = rotation({0.5, -0.8, 0.3});
    std::vector<MovingBody> bodies;
    for (const auto& [x, y, z, m] : {std::array{5e3, 0.0, 2e3, 3e12}, std::array{0.0, 8e3, -9e3, 1e12}})
        for (const double sign : {1.0, -1.0}) {
            const Vec3 p{sign * x, sign * y, z}, w{0, 0, rate};
            bodies.push_back(
                {{m, gravity::ellipsoid_inertia(m, {1000, 1500, 700}), tilt}, rotate(tilt, p), rotate(tilt, cross(w, p)), rotate(tilt, w)});
        }
    const EnergyBound got = energy_bound(bodies, g);
    const double spin = 0.2 * 8e12 * (1000.0 * 1000 + 1500.0 * 1500), orbit = 2 * (3e12 * 25e6 + 1e12 * 64e6);
    EXPECT_NEAR(got.inertia / (spin + orbit), 1, 1e-13);
    EXPECT_NEAR(got.minimum, got.energy, 1e-12 * got.kinetic);
}

// For spheres of 3-ternary in Euler Resting, H2 = 3.5: E of resting_configurations, from places and velocities.
TEST(EnergyBound, IsTheMinimumEnergyOfSpheres) {
    const EqualSpheres thesis{.diameter = 4000, .density = 2000, .gravitational_constant = g};
    const std::array<Sphere, 3> spheres{thesis.sphere(), thesis.sphere(), thesis.sphere()};
    for (const RestingEquilibrium& q : resting_equilibria(spheres, 3.5 * thesis.momentum2_unit(), g)) {
        const auto p = positions(spheres, q);
        std::vector<MovingBody> bodies;
        for (std::size_t i = 0; i < 3; ++i)
            bodies.push_back({{spheres[i].m, gravity::ellipsoid_inertia(spheres[i].m, {2000, 2000, 2000}), {}},
                              p[i],
                              cross({0, 0, q.rate}, p[i]),
                              {0, 0, q.rate}});
        const EnergyBound got = energy_bound(bodies, g);
        EXPECT_NEAR(got.energy / q.energy, 1, 1e-14) << name(q.configuration);
        EXPECT_NEAR(got.minimum / q.energy, 1, 1e-14);
        EXPECT_NEAR(squared_norm(got.angular_momentum) / (3.5 * thesis.momentum2_unit()), 1, 1e-14);
    }
}

TEST(EnergyBound, WithoutMomentumIsThePotential) {
    std::vector<MovingBody> bodies(2);
    for (MovingBody& b : bodies) b.body = {1e13, gravity::ellipsoid_inertia(1e13, {1000, 1000, 1000}), {}};
    bodies[1].p = {4000, 0, 0};
    bodies[1].v = {0.1, 0, 0};
    const EnergyBound got = energy_bound(bodies, g);
    EXPECT_NEAR(got.minimum / (-g * 1e26 / 4000), 1, 1e-15);
    EXPECT_NEAR((got.energy - got.minimum) / (0.5 * 0.5e13 * 0.01), 1, 1e-13);
}

}  // namespace
}  // namespace asperity::analysis::energy_bound_test
