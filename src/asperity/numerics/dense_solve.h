// Linear systems of a few unknowns, without allocation.
//
// The matrix is a Gram matrix such as the Delassus operator of contacts (contact/contact_system.h), or close to one where directions have
// turned in between: Gauss's elimination without exchange of rows. A row that depends on those before it gets nothing: what is asked of it
// holds by the others, where it can hold at all.
#pragma once
#include <array>
#include <cstddef>
#include <limits>

namespace asperity::numerics {

inline constexpr int most_contacts = 16;

using DenseValues = std::array<double, most_contacts>;

struct DenseMatrix {
    static constexpr std::size_t row = most_contacts;
    std::array<double, row * row> values;  // not set: whoever fills the first n rows and columns uses those alone

    double& at(std::size_t k, std::size_t l) { return values[k * row + l]; }
    double at(std::size_t k, std::size_t l) const { return values[k * row + l]; }
};

// x with m x = right, of the first n; leaves the eliminated matrix in m.
inline DenseValues solved_in_place(DenseMatrix& m, DenseValues right, std::size_t n) {
    std::array<bool, DenseMatrix::row> is_redundant{};
    DenseValues diagonal{};
    for (std::size_t k = 0; k < n; ++k) diagonal[k] = m.at(k, k);
    for (std::size_t k = 0; k < n; ++k) {
        is_redundant[k] = !(m.at(k, k) > 64 * DenseMatrix::row * std::numeric_limits<double>::epsilon() * diagonal[k]);
        if (is_redundant[k]) continue;
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = m.at(i, k) / m.at(k, k);
            if (factor == 0) continue;
            for (std::size_t j = k; j < n; ++j) m.at(i, j) -= factor * m.at(k, j);
            right[i] -= factor * right[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) right[k] -= m.at(k, j) * right[j];
        right[k] = is_redundant[k] ? 0 : right[k] / m.at(k, k);
    }
    return right;
}

inline DenseValues solved(DenseMatrix matrix, const DenseValues& right, std::size_t n) { return solved_in_place(matrix, right, n); }

}  // namespace asperity::numerics
