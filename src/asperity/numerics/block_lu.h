// Sparse linear systems of 6 x 6 blocks, such as those of bodies that touch: a direct solve.
//
//   A = L U,   U_kk = 1,   L_kk = A_kk - sum L_km U_mk,   L_ik = A_ik - sum L_im U_mk,   U_kj = L_kk^-1 (A_kj - sum L_km U_mj)   (1)
//
// A need not be symmetric, its pattern is: block (i, j) stands where (j, i) does. Nodes are eliminated in the order of least degree, each
// time one that has the fewest neighbours left (ties: the lowest number), which are neighbours of each other then. Rows are exchanged
// within a block alone: for matrices M + J^T K J with a mass matrix M that dominates where K is not symmetric. Cost: a product of blocks
// for each pair of neighbours of each eliminated node, products() of them. No allocation by factor() and solve(). Source: George and Liu,
// Computer Solution of Large Sparse Positive Definite Systems (1981), chapter 5.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace asperity::numerics {

namespace detail {

constexpr std::size_t block_side = 6;
using Block = std::array<double, block_side * block_side>;
using Column = std::array<double, block_side>;

// c -= a b
inline void subtract_product(Block& c, const Block& a, const Block& b) {
    for (std::size_t i = 0; i < block_side; ++i) {
        double row[block_side];
        for (std::size_t j = 0; j < block_side; ++j) row[j] = c[block_side * i + j];
        for (std::size_t k = 0; k < block_side; ++k) {
            const double factor = a[block_side * i + k];
            for (std::size_t j = 0; j < block_side; ++j) row[j] -= factor * b[block_side * k + j];
        }
        for (std::size_t j = 0; j < block_side; ++j) c[block_side * i + j] = row[j];
    }
}

inline void subtract_product(Column& y, const Block& a, const Column& x) {
    for (std::size_t i = 0; i < block_side; ++i) {
        double sum = y[i];
        for (std::size_t j = 0; j < block_side; ++j) sum -= a[block_side * i + j] * x[j];
        y[i] = sum;
    }
}

// Gauss's elimination with exchange of rows.
inline bool factor_block(Block& a, std::array<std::uint8_t, block_side>& exchanges) {
    for (std::size_t k = 0; k < block_side; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < block_side; ++i)
            if (std::fabs(a[block_side * i + k]) > std::fabs(a[block_side * pivot + k])) pivot = i;
        exchanges[k] = static_cast<std::uint8_t>(pivot);
        if (pivot != k)
            for (std::size_t j = k; j < block_side; ++j) std::swap(a[block_side * k + j], a[block_side * pivot + j]);
        if (!(std::fabs(a[block_side * k + k]) > 0) || !std::isfinite(a[block_side * k + k])) return false;
        for (std::size_t i = k + 1; i < block_side; ++i) {
            const double factor = a[block_side * i + k] /= a[block_side * k + k];
            for (std::size_t j = k + 1; j < block_side; ++j) a[block_side * i + j] -= factor * a[block_side * k + j];
        }
    }
    return true;
}

// x with D x = b of `columns` right hand block_sides, row by row.
template <std::size_t columns, class Rows>
void solve_block(const Block& lu, const std::array<std::uint8_t, block_side>& exchanges, Rows& x) {
    for (std::size_t k = 0; k < block_side; ++k) {
        if (exchanges[k] != k)
            for (std::size_t j = 0; j < columns; ++j) std::swap(x[columns * k + j], x[columns * exchanges[k] + j]);
        for (std::size_t i = k + 1; i < block_side; ++i)
            for (std::size_t j = 0; j < columns; ++j) x[columns * i + j] -= lu[block_side * i + k] * x[columns * k + j];
    }
    for (std::size_t k = block_side; k-- > 0;) {
        for (std::size_t i = k + 1; i < block_side; ++i)
            for (std::size_t j = 0; j < columns; ++j) x[columns * k + j] -= lu[block_side * k + i] * x[columns * i + j];
        for (std::size_t j = 0; j < columns; ++j) x[columns * k + j] /= lu[block_side * k + k];
    }
}

}  // namespace detail

class BlockLu {
public:
    static constexpr std::size_t side = detail::block_side;
    using Block = detail::Block;  // row by row
    using Column = detail::Column;
    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    // The order and the pattern of a matrix of zeros with blocks at (i, i), (i, j) and (j, i) of each edge. Whether it takes at most `most`
    // products of blocks; nothing else may be asked of it where not.
    bool plan(std::size_t nodes, std::span<const Edge> edges, std::size_t most);
    std::size_t products() const { return products_; }

    void set_zero();
    Block& at(std::size_t i, std::size_t j);
    // (1), in the place of A; false where a block is singular.
    bool factor();
    // x with A x = b, in the place of b.
    void solve(std::span<Column> x) const;

private:
    using Exchanges = std::array<std::uint8_t, side>;

    std::vector<std::uint32_t> place_, node_;   // of a node in the order, and of a place its node
    std::vector<std::uint32_t> first_, later_;  // by place: the places later_[first_[k]] ... that k meets
    std::vector<Block> diagonal_, right_, below_;
    std::vector<Exchanges> exchanges_;
    std::vector<std::vector<std::uint32_t>> neighbours_;  // workspace of plan(): sorted, of nodes that are left
    mutable std::vector<Column> ordered_;
    std::size_t products_ = 0;
};

inline bool BlockLu::plan(std::size_t nodes, std::span<const Edge> edges, std::size_t most) {
    using Candidate = std::pair<std::size_t, std::uint32_t>;  // degree, node
    neighbours_.resize(std::max(neighbours_.size(), nodes));
    for (std::size_t i = 0; i < nodes; ++i) neighbours_[i].clear();
    for (const auto& [i, j] : edges) {
        neighbours_[i].push_back(j);
        neighbours_[j].push_back(i);
    }
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        std::vector<std::uint32_t>& of = neighbours_[i];
        std::ranges::sort(of);
        of.erase(std::ranges::unique(of).begin(), of.end());
        candidates.emplace(of.size(), i);
    }
    constexpr auto is_left = ~std::uint32_t{0};
    place_.assign(nodes, is_left);
    node_.clear();
    first_.assign(1, 0);
    later_.clear();
    products_ = 0;
    std::vector<std::uint32_t> merged;
    while (node_.size() < nodes) {
        const auto [degree, k] = candidates.top();
        candidates.pop();
        const std::vector<std::uint32_t>& around = neighbours_[k];
        if (place_[k] != is_left || degree != around.size()) continue;  // it has changed since
        products_ += around.size() * (around.size() + 1);
        if (products_ > most) return false;
        place_[k] = static_cast<std::uint32_t>(node_.size());
        node_.push_back(k);
        later_.insert(later_.end(), around.begin(), around.end());
        first_.push_back(static_cast<std::uint32_t>(later_.size()));
        for (const std::uint32_t i : around) {
            merged.clear();
            std::ranges::set_union(neighbours_[i], around, std::back_inserter(merged));
            std::erase_if(merged, [&, own = i, gone = k](std::uint32_t j) { return j == own || j == gone; });
            neighbours_[i] = merged;
            candidates.emplace(merged.size(), i);
        }
    }
    for (std::uint32_t& node : later_) node = place_[node];
    for (std::size_t k = 0; k < nodes; ++k) std::sort(later_.begin() + first_[k], later_.begin() + first_[k + 1]);
    diagonal_.resize(nodes);
    exchanges_.resize(nodes);
    right_.resize(later_.size());
    below_.resize(later_.size());
    ordered_.resize(nodes);
    set_zero();
    return true;
}

inline void BlockLu::set_zero() {
    for (std::vector<Block>* blocks : {&diagonal_, &right_, &below_}) std::ranges::fill(*blocks, Block{});
}

inline BlockLu::Block& BlockLu::at(std::size_t i, std::size_t j) {
    const std::uint32_t a = place_[i], b = place_[j], k = std::min(a, b);
    if (a == b) return diagonal_[a];
    const auto found = std::lower_bound(later_.begin() + first_[k], later_.begin() + first_[k + 1], std::max(a, b));
    return (a < b ? right_ : below_)[static_cast<std::size_t>(found - later_.begin())];
}

inline bool BlockLu::factor() {
    for (std::size_t k = 0; k < diagonal_.size(); ++k) {
        if (!detail::factor_block(diagonal_[k], exchanges_[k])) return false;
        for (std::size_t s = first_[k]; s < first_[k + 1]; ++s) detail::solve_block<side>(diagonal_[k], exchanges_[k], right_[s]);
        for (std::size_t s = first_[k]; s < first_[k + 1]; ++s) {
            const std::uint32_t i = later_[s];
            detail::subtract_product(diagonal_[i], below_[s], right_[s]);
            std::size_t to = first_[i];
            for (std::size_t t = s + 1; t < first_[k + 1]; ++t) {
                while (later_[to] != later_[t]) ++to;
                detail::subtract_product(right_[to], below_[s], right_[t]);
                detail::subtract_product(below_[to], below_[t], right_[s]);
            }
        }
    }
    return true;
}

inline void BlockLu::solve(std::span<Column> x) const {
    for (std::size_t k = 0; k < x.size(); ++k) ordered_[k] = x[node_[k]];
    for (std::size_t k = 0; k < x.size(); ++k) {
        detail::solve_block<1>(diagonal_[k], exchanges_[k], ordered_[k]);
        for (std::size_t s = first_[k]; s < first_[k + 1]; ++s) detail::subtract_product(ordered_[later_[s]], below_[s], ordered_[k]);
    }
    for (std::size_t k = x.size(); k-- > 0;)
        for (std::size_t s = first_[k]; s < first_[k + 1]; ++s) detail::subtract_product(ordered_[k], right_[s], ordered_[later_[s]]);
    for (std::size_t k = 0; k < x.size(); ++k) x[node_[k]] = ordered_[k];
}

}  // namespace asperity::numerics
