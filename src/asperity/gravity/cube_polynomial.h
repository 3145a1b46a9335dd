// Polynomials on a cube in the basis T_i(x) T_j(y) T_k(z), i^2 + j^2 + k^2 <= n^2 ("Euclidean degree" n), coordinates in half-sides.
//
// The index set is closed downwards: restricted to a child cube a polynomial stays in it, exactly. Chebyshev polynomials, since their
// coefficients fall as fast as the function allows and their sizes (|T| <= 1, |T_i'| <= i^2) bound what is left out.
// Source: Trefethen, Multivariate polynomial approximation in the hypercube, Proc. AMS 145 (2017), for the Euclidean degree.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "asperity/core/vec3.h"

namespace asperity::gravity {

inline constexpr int highest_degree = 16;

// Zeros of T_{n+1}, falling.
std::vector<double> chebyshev_nodes(int degree);

class CubePolynomial {
public:
    CubePolynomial() : CubePolynomial(0) {}
    explicit CubePolynomial(int degree);

    // Of (n + 1)^3 coefficients, i fastest; what lies outside the index set is dropped.
    CubePolynomial(int degree, std::vector<double> coefficients);

    int degree() const { return degree_; }
    double coefficient(int i, int j, int k) const { return coefficients_[index(i, j, k)]; }

    // The same polynomial on one of the eight cubes of half the side; bit 0, 1, 2 of the octant: the upper half in x, y, z.
    CubePolynomial restricted(int octant) const;

    // Adds another one, of any degree.
    void add(const CubePolynomial& other);

    // Gradient of what a cut to each degree 0 ... degree() leaves out: an upper bound, in values per half-side.
    std::vector<double> dropped_gradients() const;

    // Cut to a lower degree.
    CubePolynomial cut(int degree) const;

    // At x, y, z in [-1, 1].
    double value(const Vec3& x) const;
    Vec3 gradient(const Vec3& x) const;  // per half-side

private:
    std::size_t index(int i, int j, int k) const {
        const auto side = static_cast<std::size_t>(degree_ + 1);
        return (static_cast<std::size_t>(k) * side + static_cast<std::size_t>(j)) * side + static_cast<std::size_t>(i);
    }
    void clear_outside();

    int degree_ = 0;
    std::vector<double> coefficients_;  // all (n + 1)^3, zeros outside the set
};

// Values T_i(x) and derivatives T_i'(x), i = 0 ... degree.
struct ChebyshevValues {
    std::array<double, highest_degree + 1> value{};
    std::array<double, highest_degree + 1> slope{};
};
ChebyshevValues chebyshev_values(int degree, double x);

}  // namespace asperity::gravity
