// Elliptic integrals and functions against those of Boost in 50 digits, and where Boost has no digits near k = 1, against their identities.
#include "asperity/numerics/elliptic.h"

#include <boost/math/special_functions/ellint_rf.hpp>
#include <boost/math/special_functions/ellint_rj.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace asperity::numerics::elliptic_test {
namespace {

using Long = boost::multiprecision::cpp_bin_float_50;

TEST(Elliptic, CarlsonsIntegralsAreThoseOfBoostToAFewRoundings) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> digits(-12, 3);
    for (int n = 0; n < 300; ++n) {
        const double x = n % 5 == 0 ? 0 : std::pow(10, digits(random)), y = std::pow(10, digits(random)), z = std::pow(10, digits(random)),
                     p = std::pow(10, digits(random));
        const auto rf = boost::math::ellint_rf(Long(x), Long(y), Long(z)).convert_to<double>();
        const auto rj = boost::math::ellint_rj(Long(x), Long(y), Long(z), Long(p)).convert_to<double>();
        EXPECT_NEAR(carlson_rf(x, y, z), rf, 2e-15 * rf) << n;
        EXPECT_NEAR(carlson_rj(x, y, z, p), rj, 1e-14 * rj) << n;
    }
}

// The functions are as good as u is known: |du| = eps |u|.
TEST(Elliptic, JacobisFunctionsAreThoseOfBoostAlsoWhereKIsNearOne) {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> draw(0, 1);
    for (int n = 0; n < 300; ++n) {
        const double complementary = n % 2 == 0 ? draw(random) : std::pow(10, -15 * draw(random));
        const double u = (2 * draw(random) - 1) * 2 * carlson_rf(0, complementary, 1);
        Long cn, dn;
        const Long sn = boost::math::jacobi_elliptic(Long(sqrt(1 - Long(complementary))), Long(u), &cn, &dn);
        const JacobiFunctions f = jacobi_functions(u, complementary);
        const double bound = 4e-16 * (1 + std::fabs(u));
        EXPECT_NEAR(f.sn, sn.convert_to<double>(), bound) << n;
        EXPECT_NEAR(f.cn, cn.convert_to<double>(), bound) << n;
        EXPECT_NEAR(f.dn / dn.convert_to<double>(), 1, 4 * bound) << n;
    }
    EXPECT_DOUBLE_EQ(jacobi_functions(0.7, 0).sn, std::tanh(0.7));
    EXPECT_DOUBLE_EQ(jacobi_functions(0.7, 1).sn, std::sin(0.7));
}

}  // namespace
}  // namespace asperity::numerics::elliptic_test
