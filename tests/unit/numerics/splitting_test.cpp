#include "asperity/numerics/splitting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace asperity::numerics::test {
namespace {

// Two planets about one sun, GM = 1: the arrays must not be mixed up.
struct Orbits {
    std::vector<Vec3> position{{0.7, 0, 0}, {0, 1.4, 0.2}};
    std::vector<Vec3> velocity;
    std::vector<Vec3> acceleration{{}, {}};

    Orbits() {
        velocity = {{0, std::sqrt(2 / 0.7 - 1), 0}, {-std::sqrt(1 / 1.4), 0, 0}};  // semi-major axis 1, perihelion 0.7
        pull(position, acceleration);
    }
    static void pull(std::span<const Vec3> position, std::span<Vec3> acceleration) {
        for (std::size_t i = 0; i < position.size(); ++i) acceleration[i] = -1.0 / std::pow(norm(position[i]), 3) * position[i];
    }
    void step(double h) { verlet_step(pull, position, velocity, acceleration, h); }
    double energy(std::size_t i) const { return 0.5 * squared_norm(velocity[i]) - 1 / norm(position[i]); }
};

// Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), I.1: the energy error of a symplectic method is bounded by C h^2,
// with no drift. 1e4 steps are 32 turns; a drift as small as 3% of the bound would show.
TEST(Verlet, TheEnergyErrorOfAnOrbitStaysBoundedOverTenThousandSteps) {
    const double h = 0.02;
    Orbits orbits;
    const double start[2] = {orbits.energy(0), orbits.energy(1)};
    double early[2] = {}, late[2] = {};
    for (int k = 0; k < 10000; ++k) {
        orbits.step(h);
        for (std::size_t i = 0; i < 2; ++i) {
            const double error = std::fabs(orbits.energy(i) / start[i] - 1);
            if (k < 1000) early[i] = std::fmax(early[i], error);
            if (k >= 9000) late[i] = std::fmax(late[i], error);
        }
    }
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_GT(early[i], 1e-7);  // effect: it is not exact either
        EXPECT_LT(early[i], 2 * h * h);
        EXPECT_LT(late[i], 1.03 * early[i]);
    }
}

TEST(Verlet, ItRunsBackwardsToWhereItCameFrom) {
    Orbits orbits;
    const std::vector<Vec3> start = orbits.position;
    for (int k = 0; k < 500; ++k) orbits.step(0.01);
    EXPECT_GT(norm(orbits.position[0] - start[0]), 0.1);
    for (int k = 0; k < 500; ++k) orbits.step(-0.01);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(norm(orbits.position[i] - start[i]), 1e-12);  // rounding of 1000 steps
}

TEST(Verlet, TheAngularMomentumOfAnOrbitIsKeptToRounding) {
    Orbits orbits;
    const Vec3 start = cross(orbits.position[1], orbits.velocity[1]);
    for (int k = 0; k < 1000; ++k) orbits.step(0.05);
    EXPECT_LT(norm(cross(orbits.position[1], orbits.velocity[1]) - start), 1e-13 * norm(start));
}

TEST(Splitting, KickAndDriftMoveEachBodyByItsOwn) {
    std::vector<Vec3> p{{1, 2, 3}, {4, 5, 6}}, v{{1, 0, 0}, {0, -1, 0}};
    const std::vector<Vec3> a{{0, 0, 2}, {0, 4, 0}};
    kick(v, a, 0.5);
    EXPECT_EQ(v[0], (Vec3{1, 0, 1}));
    EXPECT_EQ(v[1], (Vec3{0, 1, 0}));
    drift(p, v, 2);
    EXPECT_EQ(p[0], (Vec3{3, 2, 5}));
    EXPECT_EQ(p[1], (Vec3{4, 7, 6}));
}

}  // namespace
}  // namespace asperity::numerics::test
