#include "asperity/numerics/anderson.h"

#include <gtest/gtest.h>

namespace asperity::numerics::anderson_test {
namespace {

// x <- D x + b with factors up to 1 - 1e-3: ten thousand steps without acceleration.
TEST(Anderson, FindsTheFixedPointOfALinearMapInAsManyStepsAsItHasModes) {
    constexpr std::size_t n = 8;
    std::vector<double> x(n, 0), g(n), weight(n);
    std::vector<double> factor(n);
    for (std::size_t i = 0; i < n; ++i) {
        factor[i] = i == 0 ? 1 - 1e-3 : 1.0 - 1.0 / (1.0 + static_cast<double>(i));
        weight[i] = 1.0 + static_cast<double>(i % 3);
    }
    const auto map = [&] {
        for (std::size_t i = 0; i < n; ++i) g[i] = factor[i] * x[i] + (1 - factor[i]);  // fixed point: 1
    };
    Anderson anderson;
    for (std::size_t k = 0; k < n + 2; ++k) {
        map();
        anderson.accelerate(x, g, weight);
        x = g;
    }
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], 1, 1e-6) << i;
    anderson.restart();
    map();
    std::vector<double> next = g;
    anderson.accelerate(x, next, weight);
    EXPECT_EQ(next, g) << "after a restart the first step is that of the map";
}

}  // namespace
}  // namespace asperity::numerics::anderson_test
