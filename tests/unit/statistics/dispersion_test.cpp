// Against closed forms: the ellipse of two dimensions, tables of chi square, the normal distribution.
#include "asperity/statistics/dispersion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"

namespace asperity::statistics::test::dispersion_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Cloud {
    std::vector<double> x, y, z;
};

// Independent normal coordinates of deviation 3, 1, 0.5, turned by 0.7 about z and 0.4 about x, about a far centre.
Cloud cloud(std::size_t count, double offset) {
    Cloud c;
    const double cz = std::cos(0.7), sz = std::sin(0.7), cx = std::cos(0.4), sx = std::sin(0.4);
    for (std::uint64_t i = 0; i < count; ++i) {
        const double a = 3 * random_normal({.seed = 1}, i), b = random_normal({.seed = 2}, i), d = 0.5 * random_normal({.seed = 3}, i);
        const double x = cz * a - sz * b, y = sz * a + cz * b;
        c.x.push_back(offset + x);
        c.y.push_back(offset + cx * y - sx * d);
        c.z.push_back(offset + sx * y + cx * d);
    }
    return c;
}

struct Sums {
    long double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
};

// l = ((a + b) -+ sqrt((a - b)^2 + 4 c^2)) / 2 of the matrix a c, c b; the axis turned by atan2(2 c, a - b) / 2.
TEST(Dispersion, OfTwoDimensionsIsTheClosedForm) {
    const Cloud c = cloud(2000, 0);
    Sums s;
    for (std::size_t i = 0; i < c.x.size(); ++i) {
        const long double x = c.x[i], y = c.y[i];
        s.n += 1, s.x += x, s.y += y, s.xx += x * x, s.xy += x * y, s.yy += y * y;
    }
    const long double a = (s.xx - s.x * s.x / s.n) / (s.n - 1), b = (s.yy - s.y * s.y / s.n) / (s.n - 1),
                      d = (s.xy - s.x * s.y / s.n) / (s.n - 1), root = std::sqrt((a - b) * (a - b) + 4 * d * d),
                      turn = std::atan2(2 * d, a - b) / 2;

    const Dispersion e = dispersion(c.x, c.y, 0.95);

    EXPECT_NEAR(e.mean.x, static_cast<double>(s.x / s.n), 1e-15);
    EXPECT_NEAR(e.covariance[0].x, static_cast<double>(a), 1e-13);
    EXPECT_NEAR(e.covariance[0].y, static_cast<double>(d), 1e-13);
    EXPECT_EQ(e.covariance[0].y, e.covariance[1].x);
    EXPECT_NEAR(e.axes[0].deviation, static_cast<double>(std::sqrt((a + b + root) / 2)), 1e-13);
    EXPECT_NEAR(e.axes[1].deviation, static_cast<double>(std::sqrt((a + b - root) / 2)), 1e-13);
    EXPECT_NEAR(e.axes[0].direction.x, static_cast<double>(std::cos(turn)), 1e-14);
    EXPECT_NEAR(e.axes[0].direction.y, static_cast<double>(std::sin(turn)), 1e-14);
    EXPECT_NEAR(e.axes[0].semi_axis / e.axes[0].deviation, std::sqrt(5.991464547), 1e-9);  // chi square, 2 degrees, 95%
    EXPECT_EQ(e.axes[0].direction.z, 0);
}

// The axes must be orthonormal and give the covariance back; chi square, 3 degrees, 95%: 7.814727903.
TEST(Dispersion, OfThreeDimensionsGivesTheCovarianceBack) {
    const Cloud c = cloud(2000, 0);
    const Dispersion e = dispersion(c.x, c.y, c.z, 0.95);
    const auto at = [](const Vec3& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = 0, product = 0;
            for (std::size_t k = 0; k < 3; ++k)
                sum += e.axes[k].deviation * e.axes[k].deviation * at(e.axes[k].direction, i) * at(e.axes[k].direction, j);
            product = dot(e.axes[static_cast<std::size_t>(i)].direction, e.axes[static_cast<std::size_t>(j)].direction);
            EXPECT_NEAR(sum, at(e.covariance[static_cast<std::size_t>(i)], j), 1e-13);
            EXPECT_NEAR(product, i == j ? 1 : 0, 1e-15);
        }
    }
    long double xz = 0;
    for (std::size_t i = 0; i < c.x.size(); ++i)
        xz += (c.x[i] - static_cast<long double>(e.mean.x)) * (c.z[i] - static_cast<long double>(e.mean.z));
    EXPECT_NEAR(e.covariance[0].z, static_cast<double>(xz / 1999), 1e-13);
    EXPECT_NEAR(e.axes[2].semi_axis / e.axes[2].deviation, std::sqrt(7.814727903), 1e-9);
    // The deviations of the cloud, -+4 of their own: s / sqrt(2 n).
    EXPECT_NEAR(e.axes[0].deviation, 3, 4 * 3 / std::sqrt(4000));
    EXPECT_NEAR(e.axes[2].deviation, 0.5, 4 * 0.5 / std::sqrt(4000));
}

// Normal points: the share asked for lies inside, -+4 sqrt(p (1 - p) / n); the median distance of a circular cloud is sqrt(2 ln 2)
// = 1.17741.
TEST(Dispersion, HoldsTheShareThatWasAskedFor) {
    constexpr std::size_t n = 100'000;
    const Cloud c = cloud(n, 0);
    for (const double p : {0.3935, 0.95, 0.997}) {
        const double error = 4 * std::sqrt(p * (1 - p) / n);
        EXPECT_NEAR(dispersion(c.x, c.y, p).fraction_inside, p, error);
        EXPECT_NEAR(dispersion(c.x, c.y, c.z, p).fraction_inside, p, error);
    }
    std::vector<double> x, y;
    for (std::uint64_t i = 0; i < n; ++i) {
        x.push_back(random_normal({.seed = 6}, i));
        y.push_back(random_normal({.seed = 7}, i));
    }
    // The median of n has the deviation 1 / (2 f sqrt(n)), density f = r exp(-r^2/2) = 0.58871 there.
    EXPECT_NEAR(dispersion(x, y, 0.5).circular_error_probable, 1.17741, 4 / (2 * 0.58871 * std::sqrt(n)));
}

TEST(Dispersion, DoesNotDependOnOffsetOrScale) {
    const Cloud near = cloud(500, 0), far = cloud(500, 1e7);
    const Dispersion a = dispersion(near.x, near.y, near.z, 0.9), b = dispersion(far.x, far.y, far.z, 0.9);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(a.axes[i].semi_axis, b.axes[i].semi_axis, 1e-8);  // the coordinates are rounded to 2e-9 there
        EXPECT_NEAR(a.axes[i].direction.x, b.axes[i].direction.x, 1e-8);
    }
    EXPECT_EQ(a.fraction_inside, b.fraction_inside);
    EXPECT_NEAR(a.circular_error_probable, b.circular_error_probable, 1e-8);
    for (const double scale : {0x1p-500, 0x1p500}) {
        Cloud c = near;
        for (auto* column : {&c.x, &c.y, &c.z})
            for (double& v : *column) v *= scale;
        const Dispersion d = dispersion(c.x, c.y, c.z, 0.9);
        EXPECT_EQ(d.axes[1].semi_axis, a.axes[1].semi_axis * scale);
        EXPECT_EQ(d.fraction_inside, a.fraction_inside);
    }
}

TEST(Dispersion, TakesPointsOnALineAndOnePoint) {
    std::vector<double> x, y;
    for (int i = 0; i < 100; ++i) {
        x.push_back(0.1 * i);
        y.push_back(0.3 * i + 7);
    }
    const Dispersion line = dispersion(x, y, 0.95);
    EXPECT_EQ(line.axes[1].semi_axis, 0);
    EXPECT_NEAR(line.axes[0].direction.y / line.axes[0].direction.x, 3, 1e-13);
    // i is uniform: variance 100 * 101 / 12; all within 2.4477 deviations.
    EXPECT_NEAR(line.axes[0].deviation, std::sqrt(0.1 * 100 * 101 / 12), 1e-12);
    EXPECT_EQ(line.fraction_inside, 1);

    const Dispersion one = dispersion(std::vector{nan, 4.0, 1.0}, std::vector{1.0, 5.0, nan}, 0.95);
    EXPECT_EQ(one.count, 1);
    EXPECT_EQ(one.left_out, 2);
    EXPECT_EQ(one.mean, (Vec3{4, 5, 0}));
    EXPECT_EQ(one.circular_error_probable, 0);
    EXPECT_TRUE(std::isnan(one.axes[0].semi_axis) && std::isnan(one.fraction_inside));

    const Dispersion same = dispersion(std::vector{4.0, 4.0}, std::vector{5.0, 5.0}, 0.95);
    EXPECT_EQ(same.axes[0].semi_axis, 0);
    EXPECT_EQ(same.fraction_inside, 1);

    const Dispersion none = dispersion(std::vector{nan}, std::vector{1.0}, 0.95);
    EXPECT_EQ(none.count, 0);
    EXPECT_TRUE(std::isnan(none.mean.x));
    EXPECT_THROW(dispersion(x, y, 1), Bug);
}

// Median 5, distances 4 3 2 1 0 1 2 3 4 and 95, 195: MAD 3.
TEST(Outliers, AreThoseFarFromTheMedianInUnitsOfItsSpread) {
    const std::vector<double> values{1, 2, nan, 3, 4, 5, 6, 7, 8, 9, 100, -190};
    const Outliers found = outliers(values);
    EXPECT_EQ(found.median, 5);
    EXPECT_NEAR(found.deviation, 1.4826 * 3, 1e-15);
    ASSERT_EQ(found.count, 2);
    EXPECT_EQ(found.largest[0].row, 11);
    EXPECT_EQ(found.largest[0].value, -190);
    EXPECT_NEAR(found.largest[0].robust_z, 195 / (1.4826 * 3), 1e-13);
    EXPECT_EQ(found.largest[1].row, 10);
}

TEST(Outliers, AreNotMoreThanAskedForAndTiesAreByRow) {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) values.push_back(i % 10);
    values[700] = values[20] = values[300] = 500;
    values[900] = 400;
    const Outliers found = outliers(values, {.threshold = 3.5, .most = 3});
    EXPECT_EQ(found.count, 4);
    ASSERT_EQ(found.largest.size(), 3);
    EXPECT_EQ(found.largest[0].row, 20);
    EXPECT_EQ(found.largest[1].row, 300);
    EXPECT_EQ(found.largest[2].row, 700);
    EXPECT_EQ(outliers(values, {.most = 0}).count, 4);
}

// More than half of the values the same: MAD = 0.
TEST(Outliers, OfAColumnThatHardlyVariesAreStillFew) {
    std::vector<double> values(100, 2.0);
    EXPECT_EQ(outliers(values).count, 0);
    values[40] = 3;
    EXPECT_EQ(outliers(values).count, 1);
    EXPECT_EQ(outliers(values).largest.at(0).row, 40);
    EXPECT_NEAR(outliers(values).deviation, 1.2533 / 100, 1e-16);
    for (std::size_t i = 0; i < 40; ++i) values[i] = 3;  // a second state, not outliers
    EXPECT_EQ(outliers(values).count, 0);
    EXPECT_EQ(outliers(std::vector{nan, nan}).count, 0);
}

}  // namespace
}  // namespace asperity::statistics::test::dispersion_test
