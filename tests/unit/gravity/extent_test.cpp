// Forces, torques and energy of a body of finite size in a field, against MacCullagh's formula and exact gradients.
#include "asperity/gravity/extent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "asperity/gravity/polyhedron.h"
#include "asperity/gravity/small_body.h"
#include "unit/geometry/shapes.h"

namespace asperity::gravity::extent_test {
namespace {

SmallBody point(double parameter) {
    SmallBody out;
    out.target.field = {.kind = FieldKind::point, .volume = 1, .strength = parameter};
    out.is_inertial = true;
    return out;
}

// A box of about 1 m.
MassiveBody any_box(std::mt19937_64& random) {
    std::uniform_real_distribution<double> draw(0.3, 1), turn(-2, 2);
    const Vec3 half{draw(random), draw(random), draw(random)};
    const double m = 5;
    const Vec3 s{half.x * half.x, half.y * half.y, half.z * half.z};
    return {m, m / 3 * Vec3{s.y + s.z, s.x + s.z, s.x + s.y}, rotation({turn(random), turn(random), turn(random)})};
}

// The six points of a box are the middles of its faces.
TEST(Extent, PointsHaveTheMomentsOfTheBody) {
    const Vec3 half{0.3, 0.5, 1.1};
    const double m = 7;
    const Vec3 s{half.x * half.x, half.y * half.y, half.z * half.z};
    const std::array<Vec3, 3> arms = points_of_extent({m, m / 3 * Vec3{s.y + s.z, s.x + s.z, s.x + s.y}, {}});
    EXPECT_LT(norm(arms[0] - Vec3{half.x, 0, 0}) + norm(arms[1] - Vec3{0, half.y, 0}) + norm(arms[2] - Vec3{0, 0, half.z}), 1e-15);
}

// Errors of the second order in size over distance, and far below the second-order terms themselves.
TEST(Extent, ANearPointMassActsByMacCullaghsFormula) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> draw(-1, 1);
    const double parameter = 4;
    std::array<double, 2> torque_error{}, force_error{}, energy_error{};
    for (int n = 0; n < 50; ++n) {
        const MassiveBody body = any_box(random);
        const Vec3 direction = unit(Vec3{draw(random), draw(random), draw(random)});
        for (std::size_t k = 0; k < 2; ++k) {
            const double r = k == 0 ? 100 : 1000;
            const SmallBody field = point(parameter);
            const ExtentPull got = pull_on_extent(field, body, r * direction, {}, 0, {});
            const MutualPull book = second_order_pull({1, {}, {}}, body, r * direction, parameter);
            const MutualPull as_points = point_pull(1, body.m, r * direction, parameter);
            const Vec3 closed =
                3 * parameter / (r * r * r) * cross(direction, rotate(body.q_WB, [&] {
                                                        const Vec3 b = rotate(conjugate(body.q_WB), direction);
                                                        return Vec3{body.inertia.x * b.x, body.inertia.y * b.y, body.inertia.z * b.z};
                                                    }()));
            EXPECT_LT(norm(book.torque_on_second - closed), 1e-13 * parameter / (r * r * r));
            const double torque = parameter * body.m / (r * r * r);  // of the second-order terms, in size
            torque_error[k] = std::max(torque_error[k], norm(got.torque - closed) / torque);
            force_error[k] = std::max(force_error[k], norm(got.force - (book.force_on_second - as_points.force_on_second)) / (torque / r));
            energy_error[k] =
                std::max(energy_error[k],
                         std::fabs(energy_of_extent(field, body, r * direction, 0) - (book.potential - as_points.potential)) / torque);
        }
    }
    for (const auto& error : {torque_error, energy_error, force_error}) {
        EXPECT_LT(error[0], 3e-3);
        EXPECT_NEAR(std::log10(error[0] / error[1]), 2, 0.1);
    }
}

// (3) with the exact gradient of a polyhedron.
TEST(Extent, NearAPolyhedronTheTorqueIsThatOfItsGradient) {
    geometry::RawMesh cube = geometry::test::cube();
    for (Vec3& v : cube.vertices) v *= 100;
    const PolyhedronGravity exact(geometry::make_surface(cube));
    SmallBody field;
    field.target.field = {.kind = FieldKind::exact, .exact = &exact, .volume = 8e6, .strength = 1e-7};
    field.target.spin_rate = 1e-3;  // in its frame, whose centrifugal force is no torque
    std::mt19937_64 random(5);
    for (int n = 0; n < 20; ++n) {
        const MassiveBody body = any_box(random);
        const Vec3 p{180, 20.0 * n - 200, 90};
        const Sym3 g = exact.evaluate(p).gradient;
        const Quat back = conjugate(body.q_WB);
        const auto g_times = [&](const Vec3& x) {
            return 1e-7 *
                   Vec3{g.xx * x.x + g.xy * x.y + g.xz * x.z, g.xy * x.x + g.yy * x.y + g.yz * x.z, g.xz * x.x + g.yz * x.y + g.zz * x.z};
        };
        // sum over axes of J: -eps_ijk (J G)_jk = sum_k J_k (G e_k) x e_k
        Vec3 wanted;
        for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            const Vec3 axis = rotate(conjugate(back), e);
            wanted += dot(e, body.inertia) * cross(g_times(axis), axis);
        }
        const ExtentPull got = pull_on_extent(field, body, p, {0.1, 0.2, -0.1}, 0, {0, 0, field.frame_rate()});
        EXPECT_LT(norm(got.torque - wanted), 2e-4 * norm(wanted) + 1e-10) << n << " (size over distance)^2 is 1e-4";
        EXPECT_GT(norm(wanted), 1e-9);
    }
}

TEST(Extent, AUniformFieldDoesNothingToIt) {
    std::mt19937_64 random(5);
    const MassiveBody body = any_box(random);
    const Uniform field{{0.1, -0.7, 3}};
    const ExtentPull got = pull_on_extent(field, body, {3, 4, 5}, {}, 0, {});
    EXPECT_EQ(got.force, Vec3{});
    EXPECT_EQ(got.torque, Vec3{});
    EXPECT_NEAR(energy_of_extent(field, body, {3, 4, 5}, 0), 0, 1e-14);
}

// Whatever the size: force and torque are the derivatives of the energy with the point force, along shifts and turns.
TEST(Extent, ForceAndTorqueBelongToOnePotential) {
    std::mt19937_64 random(9);
    const SmallBody field = point(2);
    for (int n = 0; n < 20; ++n) {
        const MassiveBody body = any_box(random);
        const Vec3 p{2.5, 1, -0.5};
        const double d = 1e-5;
        const ExtentPull got = pull_on_extent(field, body, p, {}, 0, {});
        for (const Vec3& e : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            const double along = energy_of_extent(field, body, p + d * e, 0) - energy_of_extent(field, body, p - d * e, 0);
            EXPECT_NEAR(dot(got.force, e), -along / (2 * d), 1e-7);
            MassiveBody more = body, less = body;
            more.q_WB = rotation(d * e) * body.q_WB;
            less.q_WB = rotation(-d * e) * body.q_WB;
            const double about = energy_of_extent(field, more, p, 0) - energy_of_extent(field, less, p, 0);
            EXPECT_NEAR(dot(got.torque, e), -about / (2 * d), 1e-7);
        }
    }
}

}  // namespace
}  // namespace asperity::gravity::extent_test
