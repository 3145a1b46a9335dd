#include "asperity/numerics/block_lu.h"

#include <gtest/gtest.h>

#include <random>

namespace asperity::numerics::block_lu_test {
namespace {

using Column = BlockLu::Column;

// A matrix times x, and back. What dominates stands beside the diagonal, so that rows of a block must be exchanged several times. Condition
// numbers are some tens: the tolerance is thousands of roundings.
TEST(BlockLu, SolvesSparseSystemsInAnyOrder) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> draw(-1, 1);
    for (const std::size_t nodes : {1u, 2u, 7u, 40u}) {
        std::vector<BlockLu::Edge> edges;
        for (std::uint32_t i = 1; i < nodes; ++i) edges.emplace_back(i, i - 1);
        for (std::size_t k = 0; k < nodes; ++k) {
            const auto i = static_cast<std::uint32_t>(random() % nodes), j = static_cast<std::uint32_t>(random() % nodes);
            if (i != j) edges.emplace_back(i, j);
        }
        BlockLu lu;
        ASSERT_TRUE(lu.plan(nodes, edges, 1000000));
        std::vector<Column> x(nodes), b(nodes, Column{});
        for (Column& column : x)
            for (double& value : column) value = draw(random);
        const auto fill = [&](std::size_t i, std::size_t j, double shift) {
            BlockLu::Block& block = lu.at(i, j);
            for (std::size_t r = 0; r < BlockLu::side; ++r)
                for (std::size_t c = 0; c < BlockLu::side; ++c) {
                    const double value = draw(random) + (c == (r + 2) % BlockLu::side ? shift : 0);
                    block[BlockLu::side * r + c] += value;
                    b[i][r] += value * x[j][c];
                }
        };
        for (std::size_t i = 0; i < nodes; ++i) fill(i, i, 30);
        for (const auto& [i, j] : edges) {
            fill(i, j, 0);
            fill(j, i, 0);
        }
        ASSERT_TRUE(lu.factor());
        lu.solve(b);
        for (std::size_t i = 0; i < nodes; ++i)
            for (std::size_t r = 0; r < BlockLu::side; ++r) EXPECT_NEAR(b[i][r], x[i][r], 1e-12) << nodes << " nodes";
    }
}

TEST(BlockLu, SaysWhereItWouldTakeTooManyProductsOrABlockIsSingular) {
    BlockLu lu;
    const std::vector<BlockLu::Edge> triangle{{0, 1}, {1, 2}, {2, 0}};
    EXPECT_FALSE(lu.plan(3, triangle, 7));
    ASSERT_TRUE(lu.plan(3, triangle, 8));  // two neighbours, then one: 6 + 2
    EXPECT_EQ(lu.products(), 8u);
    EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace asperity::numerics::block_lu_test
