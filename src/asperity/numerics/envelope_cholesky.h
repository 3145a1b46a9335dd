// Linear systems with a symmetric positive definite matrix whose rows begin late: Cholesky's factors within the envelope.
//
//   A = L L^T,    L_ij = (A_ij - sum_k L_ik L_jk) / L_jj,    k from the later of the two beginnings                          (1)
//
// Nothing fills in before the first element of a row. Of a chain whose links come in order the cost is O(n b^2), b the width of the band;
// of a full matrix n^3 / 6 products. No allocation once the workspace has grown. Source: George and Liu, Computer Solution of Large Sparse
// Positive Definite Systems (1981), chapter 4.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace asperity::numerics {

class EnvelopeCholesky {
public:
    // A matrix of zeros; first[i] <= i is the first column of row i that may be anything else.
    void resize(std::span<const std::size_t> first) {
        first_.assign(first.begin(), first.end());
        begin_.resize(first.size());
        std::size_t all = 0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            begin_[i] = all;
            all += i - first[i] + 1;
        }
        values_.assign(all, 0);
    }
    std::size_t size() const { return first_.size(); }
    std::size_t first(std::size_t i) const { return first_[i]; }
    // Of row i and column first(i) <= j <= i.
    double& at(std::size_t i, std::size_t j) { return values_[begin_[i] + (j - first_[i])]; }
    double at(std::size_t i, std::size_t j) const { return values_[begin_[i] + (j - first_[i])]; }

    // (1), in the place of the matrix.
    void factor() {
        for (std::size_t i = 0; i < size(); ++i) {
            for (std::size_t j = first_[i]; j < i; ++j) {
                double sum = at(i, j);
                for (std::size_t k = std::max(first_[i], first_[j]); k < j; ++k) sum -= at(i, k) * at(j, k);
                at(i, j) = sum / at(j, j);
            }
            double sum = at(i, i);
            for (std::size_t k = first_[i]; k < i; ++k) sum -= at(i, k) * at(i, k);
            at(i, i) = std::sqrt(sum);
        }
    }
    // x with A x = b, in the place of b.
    void solve(std::span<double> x) const {
        for (std::size_t i = 0; i < size(); ++i) {
            double sum = x[i];
            for (std::size_t k = first_[i]; k < i; ++k) sum -= at(i, k) * x[k];
            x[i] = sum / at(i, i);
        }
        for (std::size_t i = size(); i-- > 0;) {
            x[i] /= at(i, i);
            for (std::size_t k = first_[i]; k < i; ++k) x[k] -= at(i, k) * x[i];
        }
    }

private:
    std::vector<std::size_t> first_, begin_;
    std::vector<double> values_;
};

}  // namespace asperity::numerics
