// Anderson acceleration of a fixed-point iteration x <- g(x), for maps that contract slowly.
//
//   f_k = g(x_k) - x_k,   c = argmin |f_k - sum c_j (f_j+1 - f_j)|,   x_k+1 = g(x_k) - sum c_j (g_j+1 - g_j)                 (1)
//
// over the steps since a restart, which comes of itself after `depth` of them; in a metric of weights. Where g is linear it is GMRES. c is
// found by a QR decomposition that grows by a column a step (modified Gram-Schmidt): a few products of vectors, no more than the columns.
// A column that adds nothing is left out. No allocation once the workspace has grown.
// Source: Walker and Ni, SIAM J. Numer. Anal. 49 (2011) 1715.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace asperity::numerics {

class Anderson {
public:
    static constexpr std::size_t depth = 10;  // steps between restarts

    // Forgets all steps.
    void restart() {
        columns_ = 0;
        has_last_ = false;
    }

    // (1): `g` is g(x) and becomes the next x. `weight`: of each component in the norm.
    void accelerate(std::span<const double> x, std::span<double> g, std::span<const double> weight) {
        const std::size_t n = x.size();
        now_.resize(n);
        for (std::size_t i = 0; i < n; ++i) now_[i] = weight[i] * (g[i] - x[i]);
        if (has_last_) add_column(g);
        last_.assign(now_.begin(), now_.end());
        last_g_.assign(g.begin(), g.end());
        has_last_ = true;
        if (columns_ > 0) take_out(g);
    }

private:
    using Column = std::vector<double>;

    static double product(const Column& a, const Column& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    }

    void add_column(std::span<const double> g) {
        constexpr double independent = 1e-8;  // of a column: less of it is rounding of the others
        if (columns_ == depth) columns_ = 0;
        Column &q = basis_[columns_], &to = of_g_[columns_];
        q.resize(g.size());
        to.resize(g.size());
        for (std::size_t i = 0; i < g.size(); ++i) {
            q[i] = now_[i] - last_[i];
            to[i] = g[i] - last_g_[i];
        }
        std::array<double, depth>& r = r_[columns_];
        const double before = std::sqrt(product(q, q));
        for (std::size_t l = 0; l < columns_; ++l) {
            r[l] = product(basis_[l], q);
            for (std::size_t i = 0; i < q.size(); ++i) q[i] -= r[l] * basis_[l][i];
        }
        const double size = r[columns_] = std::sqrt(product(q, q));
        if (!(size > independent * before)) return;
        for (double& value : q) value /= size;
        ++columns_;
    }

    void take_out(std::span<double> g) const {
        std::array<double, depth> part{};
        for (std::size_t j = 0; j < columns_; ++j) part[j] = product(basis_[j], now_);
        for (std::size_t j = columns_; j-- > 0;) {
            for (std::size_t l = j + 1; l < columns_; ++l) part[j] -= r_[l][j] * part[l];
            part[j] /= r_[j][j];
            for (std::size_t i = 0; i < g.size(); ++i) g[i] -= part[j] * of_g_[j][i];
        }
    }

    std::array<Column, depth> of_g_, basis_;
    std::array<std::array<double, depth>, depth> r_{};  // r_[j]: column j
    Column now_, last_, last_g_;
    std::size_t columns_ = 0;
    bool has_last_ = false;
};

}  // namespace asperity::numerics
