#include "asperity/gravity/mutual.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "asperity/core/random.h"

namespace asperity::gravity::mutual_test {
namespace {

constexpr double g = 6.67384e-11;
constexpr double pi = 3.14159265358979323846;
constexpr DrawKey key{.seed = 31, .run = 0, .stream = 1};

double draw(std::uint64_t& counter, double low, double high) { return low + (high - low) * random_uniform(key, counter++); }
Vec3 drawn_vector(std::uint64_t& counter, double size) {
    return {draw(counter, -size, size), draw(counter, -size, size), draw(counter, -size, size)};
}

// Two asteroids of a few kilometres, anyhow turned, some kilometres apart.
struct Case {
    Vec3 angle1, angle2, axes1, axes2, separation;
    double m1, m2;

    MassiveBody first() const { return {m1, ellipsoid_inertia(m1, axes1), rotation(angle1)}; }
    MassiveBody second() const { return {m2, ellipsoid_inertia(m2, axes2), rotation(angle2)}; }
};
Case drawn_case(std::uint64_t& c) {
    Case out{.angle1 = drawn_vector(c, 3), .angle2 = drawn_vector(c, 3)};
    out.axes1 = {draw(c, 500, 3000), draw(c, 500, 3000), draw(c, 500, 3000)};
    out.axes2 = {draw(c, 500, 3000), draw(c, 500, 3000), draw(c, 500, 3000)};
    out.separation = draw(c, 5000, 20000) * unit(drawn_vector(c, 1));
    out.m1 = draw(c, 1e12, 1e14);
    out.m2 = draw(c, 1e12, 1e14);
    return out;
}

// The same potential in other arithmetic: inertia tensors as matrices, the trace kept, long double.
using Real = long double;
using Row = std::array<Real, 3>;
using Matrix = std::array<Row, 3>;

Matrix turned_by(const Row& angle) {  // Rodrigues
    const Real a = std::sqrt(angle[0] * angle[0] + angle[1] * angle[1] + angle[2] * angle[2]);
    const Row u = a > 0 ? Row{angle[0] / a, angle[1] / a, angle[2] / a} : Row{1, 0, 0};
    const Real s = std::sin(a), c = std::cos(a);
    return {{{c + u[0] * u[0] * (1 - c), u[0] * u[1] * (1 - c) - u[2] * s, u[0] * u[2] * (1 - c) + u[1] * s},
             {u[1] * u[0] * (1 - c) + u[2] * s, c + u[1] * u[1] * (1 - c), u[1] * u[2] * (1 - c) - u[0] * s},
             {u[2] * u[0] * (1 - c) - u[1] * s, u[2] * u[1] * (1 - c) + u[0] * s, c + u[2] * u[2] * (1 - c)}}};
}
Row row(const Vec3& a) { return {a.x, a.y, a.z}; }

struct Moved {
    Row shift{}, turn1{}, turn2{};  // of the second body, and of both, about axes of the world
};

// Moment about n of a homogeneous ellipsoid, and its trace, in kg m^2.
std::array<Real, 2> moments(Real m, const Vec3& axes, const Vec3& angle, const Row& turn, const Row& n) {
    const Row square{Real(axes.x) * axes.x, Real(axes.y) * axes.y, Real(axes.z) * axes.z};
    const Matrix a = turned_by(turn), b = turned_by(row(angle));
    const Real sum = square[0] + square[1] + square[2];
    Real about = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        Real along = 0;  // n . (a b e_k)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) along += n[i] * a[i][j] * b[j][k];
        about += m / 5 * (sum - square[k]) * along * along;
    }
    return {about, m / 5 * 2 * sum};
}

Real potential(const Case& c, const Moved& moved) {
    Row r = row(c.separation);
    for (std::size_t k = 0; k < 3; ++k) r[k] += moved.shift[k];
    const Real length = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    const Row n{r[0] / length, r[1] / length, r[2] / length};
    const auto [about1, trace1] = moments(c.m1, c.axes1, c.angle1, moved.turn1, n);
    const auto [about2, trace2] = moments(c.m2, c.axes2, c.angle2, moved.turn2, n);
    const Real size = (c.m2 * (trace1 - 3 * about1) + c.m1 * (trace2 - 3 * about2)) / (2 * length * length);
    return -Real(g) / length * (Real(c.m1) * c.m2 + size);
}

// Fourth-order difference.
template <class F>
double slope(const F& f, Real h) {
    return static_cast<double>((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h));
}

TEST(Mutual, ForcesAndTorquesAreTheSlopesOfThePotential) {
    std::uint64_t counter = 0;
    for (int run = 0; run < 20; ++run) {
        const Case c = drawn_case(counter);
        const MutualPull got = second_order_pull(c.first(), c.second(), c.separation, g);
        EXPECT_NEAR(got.potential / static_cast<double>(potential(c, {})), 1, 1e-14);
        Vec3 force, torque1, torque2;
        double* f[] = {&force.x, &force.y, &force.z};
        double* t1[] = {&torque1.x, &torque1.y, &torque1.z};
        double* t2[] = {&torque2.x, &torque2.y, &torque2.z};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto along = [&](Row Moved::*which, Real step) {
                Moved moved;
                (moved.*which)[k] = step;
                return potential(c, moved);
            };
            *f[k] = -slope([&](Real x) { return along(&Moved::shift, x); }, 2.0L);
            *t1[k] = -slope([&](Real x) { return along(&Moved::turn1, x); }, 3e-4L);
            *t2[k] = -slope([&](Real x) { return along(&Moved::turn2, x); }, 3e-4L);
        }
        EXPECT_LE(norm(got.force_on_second - force), 1e-11 * norm(force));
        EXPECT_LE(norm(got.torque_on_first - torque1), 1e-10 * norm(torque1));  // (3e-4)^4 of truncation
        EXPECT_LE(norm(got.torque_on_second - torque2), 1e-10 * norm(torque2));
        EXPECT_GT(norm(torque1), 1e-6 * norm(force) * norm(c.separation));  // it acted
    }
}

TEST(Mutual, NoTotalForceAndNoTotalTorque) {
    std::uint64_t counter = 1000;
    for (int run = 0; run < 1000; ++run) {
        const Case c = drawn_case(counter);
        const MutualPull got = second_order_pull(c.first(), c.second(), c.separation, g);
        const Vec3 total = cross(c.separation, got.force_on_second) + got.torque_on_first + got.torque_on_second;
        EXPECT_LE(norm(total), 1e-14 * norm(c.separation) * norm(got.force_on_second));
        // Seen from the second body it is the same pull.
        const MutualPull back = second_order_pull(c.second(), c.first(), -c.separation, g);
        EXPECT_LE(norm(back.force_on_second + got.force_on_second), 1e-14 * norm(got.force_on_second));
        EXPECT_LE(norm(back.torque_on_first - got.torque_on_second), 1e-13 * norm(got.torque_on_second));
        EXPECT_NEAR(back.potential / got.potential, 1, 1e-14);
    }
}

// Gauss-Legendre on [-1, 1].
struct Rule {
    std::vector<double> x, w;
};
Rule gauss(int n) {
    Rule rule;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 0;
        for (int round = 0; round < 50; ++round) {
            double before = 1, value = x;
            for (int k = 2; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                before = value;
                value = next;
            }
            slope = n * (x * value - before) / (x * x - 1);
            x -= value / slope;
        }
        rule.x.push_back(x);
        rule.w.push_back(2 / ((1 - x * x) * slope * slope));
    }
    return rule;
}

// Points of a homogeneous ellipsoid and their shares of its mass: exact for polynomials of degree 11.
struct Cloud {
    std::vector<Vec3> p;
    std::vector<double> share;
};
Cloud cloud(const Vec3& axes, const Quat& q) {
    Cloud out;
    const Rule radial = gauss(7), polar = gauss(6);
    for (std::size_t i = 0; i < radial.x.size(); ++i)
        for (std::size_t j = 0; j < polar.x.size(); ++j)
            for (int k = 0; k < 12; ++k) {
                const double s = 0.5 * (1 + radial.x[i]), c = polar.x[j], e = std::sqrt(1 - c * c), f = 2 * pi * k / 12;
                out.p.push_back(rotate(q, {axes.x * s * e * std::cos(f), axes.y * s * e * std::sin(f), axes.z * s * c}));
                out.share.push_back(3 * s * s * 0.5 * radial.w[i] * 0.5 * polar.w[j] / 12);
            }
    return out;
}

// Every mass of one ellipsoid attracts every mass of the other: what (1) leaves out falls as 1 / r^5.
TEST(Mutual, SecondOrderOfTwoEllipsoidsIsRightToOneOverRToTheFifth) {
    const Vec3 axes1{3, 2, 1.5}, axes2{2, 1.6, 1}, way = unit(Vec3{1, -0.6, 0.4});
    const MassiveBody one{5, ellipsoid_inertia(5, axes1), rotation({0.4, 1.1, -0.3})},
        two{2, ellipsoid_inertia(2, axes2), rotation({-1, 0.2, 0.7})};
    const Cloud cloud1 = cloud(axes1, one.q_WB), cloud2 = cloud(axes2, two.q_WB);
    double before = 0;
    for (const double r : {30.0, 60.0, 120.0}) {
        double exact = 0;
        for (std::size_t i = 0; i < cloud1.p.size(); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < cloud2.p.size(); ++j) sum += cloud2.share[j] / norm(r * way + cloud2.p[j] - cloud1.p[i]);
            exact -= one.m * two.m * cloud1.share[i] * sum;
        }
        const double second = second_order_pull(one, two, r * way, 1).potential;
        const double error = std::fabs(second - exact), points = std::fabs(-one.m * two.m / r - exact);
        EXPECT_LT(error, 0.05 * points);  // the second order is most of what points miss
        if (before > 0) {
            EXPECT_NEAR(before / error, 32, 1) << r;
        }
        before = error;
    }
    EXPECT_GT(before, 1e-12);  // and it is not rounding that was measured
}

// 3-ternary 3.4 and the torque of its equation for psi, all in one plane.
TEST(Mutual, IsThePlanarFormulaInThePlane) {
    const double m1 = 6.7e13, m2 = 2.1e13, r = 9000, psi1 = 0.7, psi2 = -1.2, theta = 0.4;
    const Vec3 axes1{3000, 2000, 1500}, axes2{2000, 1700, 1000};
    const auto turned = [](double psi) { return rotation({0, 0, psi}); };
    const MassiveBody one{m1, ellipsoid_inertia(m1, axes1), turned(psi1)}, two{m2, ellipsoid_inertia(m2, axes2), turned(psi2)};
    const MutualPull got = second_order_pull(one, two, {r * std::cos(theta), r * std::sin(theta), 0}, g);

    const Vec3 i1 = one.inertia / m1, i2 = two.inertia / m2;
    const double phi1 = psi1 - theta, phi2 = psi2 - theta;
    const double bracket = i1.x + i1.y + i1.z + i2.x + i2.y + i2.z -
                           1.5 * (i1.x + i1.y + i2.x + i2.y - std::cos(2 * phi1) * (i1.y - i1.x) - std::cos(2 * phi2) * (i2.y - i2.x));
    EXPECT_NEAR(got.potential / (-g * m1 * m2 / r * (1 + bracket / (2 * r * r))), 1, 1e-14);
    const double torque1 = -1.5 * g * m1 * m2 * (i1.y - i1.x) * std::sin(2 * phi1) / (r * r * r);
    EXPECT_NEAR(got.torque_on_first.z / torque1, 1, 1e-12);
    EXPECT_LT(got.torque_on_first.z, 0);  // the long axis, ahead of the companion, is drawn back to it
    EXPECT_NEAR(norm({got.torque_on_first.x, got.torque_on_first.y, got.force_on_second.z}) / std::fabs(torque1), 0, 1e-14);
}

TEST(Mutual, SpheresAttractAsPointsToTheBit) {
    std::uint64_t counter = 5000;
    for (int run = 0; run < 20; ++run) {
        Case c = drawn_case(counter);
        c.axes1 = {c.axes1.x, c.axes1.x, c.axes1.x};
        c.axes2 = {c.axes2.x, c.axes2.x, c.axes2.x};
        const MutualPull got = second_order_pull(c.first(), c.second(), c.separation, g);
        const MutualPull point = point_pull(c.m1, c.m2, c.separation, g);
        EXPECT_EQ(got.potential, point.potential);
        EXPECT_EQ(got.force_on_second, point.force_on_second);
        EXPECT_EQ(got.torque_on_first, Vec3{});
        EXPECT_EQ(got.torque_on_second, Vec3{});
        const double r = norm(c.separation);
        EXPECT_NEAR(dot(point.force_on_second, c.separation) / (-g * c.m1 * c.m2 / r), 1, 1e-14);  // it attracts
        EXPECT_NEAR(point.potential / (-g * c.m1 * c.m2 / r), 1, 1e-14);
    }
}

}  // namespace
}  // namespace asperity::gravity::mutual_test
