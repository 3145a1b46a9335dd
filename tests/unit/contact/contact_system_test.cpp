// The Delassus operator against J M^-1 J^T multiplied out by Eigen, for random rows between random bodies.
#include "asperity/contact/contact_system.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "asperity/core/random.h"

namespace asperity::contact::contact_system_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Draws {
    std::uint64_t seed = 0;
    std::uint64_t count = 0;

    double between(double low, double high) { return low + (high - low) * random_uniform({.seed = seed}, count++); }
    Vec3 vector() { return {between(-1, 1), between(-1, 1), between(-1, 1)}; }
    std::size_t below(std::size_t n) { return std::min(n - 1, static_cast<std::size_t>(between(0, static_cast<double>(n)))); }
};

struct Velocities {
    std::vector<Vec3> linear, angular;
    const Vec3& velocity(std::size_t row) const { return linear[row]; }
    const Vec3& spin(std::size_t row) const { return angular[row]; }
    void push(std::size_t row, const Vec3& change) { linear[row] += change; }
    void turn(std::size_t row, const Vec3& change) { angular[row] += change; }
};

Eigen::Vector3d eigen(const Vec3& a) { return {a.x, a.y, a.z}; }

constexpr std::size_t free_bodies = 5, all_bodies = 6, rows = 12;  // the last body is driven

// Random bodies, and random rows with arms, directions and torques between them, the ground and the driven body.
struct Scene {
    model::Parameters world;
    std::vector<Quat> attitude;
    ContactSystem system;
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(rows, 6 * all_bodies);
    Eigen::MatrixXd inverse_mass = Eigen::MatrixXd::Zero(6 * all_bodies, 6 * all_bodies);

    explicit Scene(std::uint64_t seed) {
        Draws draws{.seed = seed};
        for (std::size_t i = 0; i < free_bodies; ++i) {
            model::BodyKind kind = model::sphere_kind(draws.between(0.5, 2), draws.between(1, 9));
            if (i % 2 == 1) {
                kind.semi_axes = {2, 1, 0.5};
                kind.inertia = {draws.between(1, 2), draws.between(2, 3), draws.between(3, 4)};
            }
            world.bodies.add(kind);
            attitude.push_back(rotation(3 * draws.vector()));
            const auto at = static_cast<Eigen::Index>(6 * i);
            inverse_mass.block<3, 3>(at, at) = Eigen::Matrix3d::Identity() / kind.mass;
            const Quat& q = attitude.back();
            const Eigen::Matrix3d axes = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
            inverse_mass.block<3, 3>(at + 3, at + 3) = axes * eigen(kind.inertia).cwiseInverse().asDiagonal() * axes.transpose();
        }
        world.driven.resize(1);
        attitude.emplace_back();
        for (std::size_t k = 0; k < rows; ++k) add(k, draws);
    }

    void add(std::size_t k, Draws& draws) {
        const auto a = static_cast<std::int32_t>(draws.below(free_bodies));
        std::int32_t b = k % 4 == 0 ? model::ground : static_cast<std::int32_t>(draws.below(all_bodies));
        if (b == a) b = static_cast<std::int32_t>(free_bodies);
        const bool is_central = k % 3 == 0, is_torque = k % 5 == 4;
        const Vec3 linear = is_torque ? Vec3{} : draws.vector(), angular = is_torque ? draws.vector() : Vec3{};
        const auto side = [&](std::int32_t row) {
            const Vec3 arm = is_central ? Vec3{} : draws.vector();
            return side_of(world, row, row == model::ground ? Quat{} : attitude[static_cast<std::size_t>(row)], arm);
        };
        const Side of_a = side(a), of_b = side(b);
        system.add(row_of(of_a, of_b, linear, angular));
        const auto place = [&](const Side& s, double sign) {
            if (s.row == model::ground) return;
            const Eigen::Vector3d along = sign * eigen(linear), about = sign * (eigen(s.arm).cross(eigen(linear)) + eigen(angular));
            jacobian.block<1, 3>(static_cast<Eigen::Index>(k), 6 * s.row) = along.transpose();
            jacobian.block<1, 3>(static_cast<Eigen::Index>(k), 6 * s.row + 3) = about.transpose();
        };
        place(of_a, 1);
        place(of_b, -1);
    }

    Eigen::MatrixXd dense() const {
        const numerics::DenseMatrix w = system.dense();
        Eigen::MatrixXd out(rows, rows);
        for (std::size_t k = 0; k < rows; ++k)
            for (std::size_t l = 0; l < rows; ++l) out(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(l)) = w.at(k, l);
        return out;
    }
};

class DelassusOperator : public testing::TestWithParam<std::uint64_t> {};

// Each element is a sum of at most 2 * 18 products of numbers below the norm.
TEST_P(DelassusOperator, IsTheJacobianTimesInverseMassTimesItsTranspose) {
    const Scene scene(GetParam());
    const Eigen::MatrixXd wanted = scene.jacobian * scene.inverse_mass * scene.jacobian.transpose();
    EXPECT_LE((scene.dense() - wanted).cwiseAbs().maxCoeff(), 64 * epsilon * wanted.norm());
    for (std::size_t k = 0; k < rows; ++k) {
        const auto at = static_cast<Eigen::Index>(k);
        EXPECT_NEAR(scene.system.diagonal(k), wanted(at, at), 64 * epsilon * wanted.norm());
    }
}

TEST_P(DelassusOperator, IsSymmetricToTheLastBitAndPositiveSemidefinite) {
    const Eigen::MatrixXd w = Scene(GetParam()).dense();
    EXPECT_EQ(w, w.transpose());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(w);
    EXPECT_GE(solver.eigenvalues().minCoeff(), -64 * epsilon * w.norm());
    EXPECT_GT(solver.eigenvalues().maxCoeff(), 0);
}

TEST_P(DelassusOperator, ItsProductsAreThoseOfTheDenseMatrix) {
    Scene scene(GetParam());
    Draws draws{.seed = GetParam() + 1000};
    std::vector<double> x(rows), product(rows);
    for (double& value : x) value = draws.between(-1, 1);
    scene.system.multiply(x, product);
    const Eigen::VectorXd wanted = scene.dense() * Eigen::Map<const Eigen::VectorXd>(x.data(), rows);
    for (std::size_t k = 0; k < rows; ++k)
        EXPECT_NEAR(product[k], wanted(static_cast<Eigen::Index>(k)), 64 * epsilon * scene.dense().norm());
}

// Relative velocities change by W p, momentum by nothing but what the ground and the driven body take.
TEST_P(DelassusOperator, ImpulsesChangeRelativeVelocitiesByIt) {
    Scene scene(GetParam());
    Draws draws{.seed = GetParam() + 2000};
    Velocities v;
    for (std::size_t i = 0; i < all_bodies; ++i) {
        v.linear.push_back(draws.vector());
        v.angular.push_back(draws.vector());
    }
    const Velocities before = v;
    std::vector<double> p(rows), change(rows);
    for (double& value : p) value = draws.between(-1, 1);
    scene.system.multiply(p, change);
    scene.system.apply(p, v);
    for (std::size_t k = 0; k < rows; ++k)
        EXPECT_NEAR(scene.system.relative_velocity(k, v) - scene.system.relative_velocity(k, before), change[k],
                    64 * epsilon * scene.dense().norm());
    EXPECT_EQ(v.linear.back(), before.linear.back()) << "the driven body was pushed";
    EXPECT_EQ(v.angular.back(), before.angular.back());
}

INSTANTIATE_TEST_SUITE_P(Random, DelassusOperator, testing::Range<std::uint64_t>(1, 9));

// Two spheres, arms along the line of centres: one over the reduced mass, and no turning.
TEST(DelassusOperatorOfSpheres, IsOneOverTheReducedMassAlongTheLineOfCentres) {
    model::Parameters world;
    world.bodies.add(model::sphere_kind(1, 3));
    world.bodies.add(model::sphere_kind(2, 5));
    const Vec3 n{0, 0, 1};
    const Row central = row_of(side_of(world, 0, {}, {}), side_of(world, 1, {}, {}), n);
    const Row with_arms = row_of(side_of(world, 0, {}, -1 * n), side_of(world, 1, {}, 2 * n), n);
    EXPECT_FALSE(central.turns);
    EXPECT_DOUBLE_EQ(coupling(central, central), 1.0 / 3 + 1.0 / 5);
    EXPECT_DOUBLE_EQ(coupling(with_arms, with_arms), 1.0 / 3 + 1.0 / 5);
    // across the normal they turn as well: 1/m + r^2/J = 3.5/m each
    const Row across = row_of(side_of(world, 0, {}, -1 * n), side_of(world, 1, {}, 2 * n), {1, 0, 0});
    EXPECT_DOUBLE_EQ(coupling(across, across), 3.5 / 3 + 3.5 / 5);
}

}  // namespace
}  // namespace asperity::contact::contact_system_test
