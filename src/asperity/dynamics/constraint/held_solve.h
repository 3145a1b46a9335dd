// The linear system of held contacts: the impulses that change their gaps, or the rates of these, by given amounts.
// The matrix is the Delassus operator (collision.h (3)), or close to it where normals have turned in between: Gaussian elimination without
// pivoting suffices. A contact that depends on those before it gets no impulse: the others satisfy its equation, where it can be satisfied
// at all.
#pragma once
#include <array>
#include <cstddef>
#include <limits>

#include "asperity/numerics/complementarity.h"

namespace asperity::dynamics {

using HeldValues = std::array<double, numerics::most_contacts>;

struct HeldMatrix {
    static constexpr std::size_t row = numerics::most_contacts;
    std::array<double, row * row> values{};

    double& at(std::size_t k, std::size_t l) { return values[k * row + l]; }
    double at(std::size_t k, std::size_t l) const { return values[k * row + l]; }
};

// x with matrix x = right, of the first n.
inline HeldValues solved(const HeldMatrix& matrix, HeldValues right, std::size_t n) {
    HeldMatrix m = matrix;
    std::array<bool, HeldMatrix::row> is_redundant{};
    for (std::size_t k = 0; k < n; ++k) {
        is_redundant[k] = !(m.at(k, k) > 64 * HeldMatrix::row * std::numeric_limits<double>::epsilon() * matrix.at(k, k));
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

}  // namespace asperity::dynamics
