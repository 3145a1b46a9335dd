// The potential of far facets as a polynomial on a cube |x|_inf <= 1, from values on its faces alone.
//
//   U = 1/2 (S0 - x.S),   S0 = sum_f h_f(c) phi_f,   S = a sum_f n_f phi_f,   x = (p - c) / a                               (1)
//
// U of some facets is not harmonic, but the four sums are: their values on the faces say all. Each is fitted by harmonic polynomials of
// degree 2 m - 1 through m x m Chebyshev points on each face, in the sense of least squares,
//
//   P f = sum_q f(x_q) b_q                                                                                        (2)
//
// and (1), with P S0 and P S, is cut to the Euclidean degree n of cube_polynomial.h. With m = 3/4 n + 5/4 that is as good as to
// interpolate U at all (n + 1)^3 nodes, from a third of the values: the errors are those of the cut. Reflections keep points and harmonics;
// so even and odd parts in x, y, z are fitted one by one, each by a matrix of an eighth of both sizes.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "asperity/gravity/cube_polynomial.h"
#include "asperity/gravity/interpolation_error.h"
#include "asperity/gravity/simd_math.h"

namespace asperity::gravity {

class HarmonicFit {
public:
    explicit HarmonicFit(int degree);

    int degree() const { return degree_; }
    std::span<const Vec3> points() const { return points_; }  // x_q, half-sides

    // The polynomial of (1) from S0, Sx, Sy, Sz at the points.
    CubePolynomial through(std::span<const Double4> sums) const;

private:
    // What is odd in x, y, z by the bits of its place, even in the others.
    struct Parity {
        std::vector<std::int32_t> terms;  // places in a cube of n + 2 coefficients a side: those up to degree n + 1
        std::vector<double> matrix;       // eight rows of terms at a time, from the parts of the values at the points x, y, z >= 0
    };
    void set_points(std::size_t per_side);
    void set_matrices(int harmonic_degree);
    CubePolynomial combined(const std::vector<Double4>& coefficients) const;

    int degree_;
    std::vector<Vec3> points_;
    std::vector<std::array<std::int32_t, 8>> images_;  // of points x, y, z >= 0; bits: reflected in x, y, z
    std::array<Parity, 8> parities_;
};

// Fits of all degrees from lowest_fit_degree to highest_fit_degree, each made when it is first asked for, by any thread.
class HarmonicFits {
public:
    const HarmonicFit& of_degree(int degree);

private:
    static constexpr std::size_t count = highest_fit_degree - lowest_fit_degree + 1;
    std::array<std::once_flag, count> is_made_;
    std::array<std::unique_ptr<HarmonicFit>, count> fits_;
};

}  // namespace asperity::gravity
