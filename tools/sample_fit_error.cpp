// Samples how well harmonic_fit.h follows sources outside the cube: how the table of gravity/interpolation_error.cpp was made.
//
//   sample_fit_error FROM TO [FINE]      degrees; FINE 2: four times as many directions of sources and eight times as many points
//
// Prints E0 and E1 by degree and distance and the growth of errors of the values, without margin. docs/theory/fast-field.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "asperity/core/parallel.h"
#include "asperity/gravity/harmonic_fit.h"

namespace {

using namespace asperity;
using namespace asperity::gravity;

struct Matrix3 {
    double of[3][3];  // row: component of the gradient, column: of the normal
};

// Largest |L n| over unit n: the root of the largest eigenvalue of L^T L, by the cosine formula.
double largest_stretch(const Matrix3& l) {
    double a[3][3] = {};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) a[i][j] += l.of[k][i] * l.of[k][j];
    const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3;
    const double off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
    const double x = a[0][0] - mean, y = a[1][1] - mean, z = a[2][2] - mean;
    const double p = std::sqrt((x * x + y * y + z * z + 2 * off) / 6);
    if (!(p > 0)) return std::sqrt(mean);
    const double determinant =
        x * (y * z - a[1][2] * a[1][2]) - a[0][1] * (a[0][1] * z - a[1][2] * a[0][2]) + a[0][2] * (a[0][1] * a[1][2] - y * a[0][2]);
    const double angle = std::acos(std::clamp(determinant / (2 * p * p * p), -1.0, 1.0)) / 3;
    return std::sqrt(mean + 2 * p * std::cos(angle));
}

// A grid of points, ends included, and the basis there.
struct Grid {
    int degree;
    std::vector<double> places;
    std::vector<ChebyshevValues> basis;

    Grid(int degree, int per_side) : degree(degree) {
        for (int i = 0; i < per_side; ++i) {
            places.push_back(std::cos(std::numbers::pi * i / (per_side - 1)));
            basis.push_back(chebyshev_values(degree, places.back()));
        }
    }
    std::size_t size() const { return places.size() * places.size() * places.size(); }
    Vec3 point(std::size_t i) const {
        const std::size_t side = places.size();
        return {places[i / side / side], places[i / side % side], places[i % side]};
    }
};

// Gradients at all points, axis by axis.
std::vector<Vec3> gradients(const CubePolynomial& polynomial, const Grid& grid) {
    const auto terms = static_cast<std::size_t>(grid.degree + 1);
    std::vector<Vec3> result(grid.size());
    std::vector<double> row(terms * terms), row_slope(terms * terms);
    std::vector<Vec3> column(terms);
    std::size_t place = 0;
    for (const ChebyshevValues& x : grid.basis) {
        for (std::size_t k = 0; k < terms; ++k)
            for (std::size_t j = 0; j < terms; ++j) {
                double value = 0, slope = 0;
                for (std::size_t i = 0; i < terms; ++i) {
                    const double c = polynomial.coefficient(static_cast<int>(i), static_cast<int>(j), static_cast<int>(k));
                    value += c * x.value[i];
                    slope += c * x.slope[i];
                }
                row[k * terms + j] = value;
                row_slope[k * terms + j] = slope;
            }
        for (const ChebyshevValues& y : grid.basis) {
            for (std::size_t k = 0; k < terms; ++k) {
                Vec3 sum;
                for (std::size_t j = 0; j < terms; ++j)
                    sum += Vec3{row_slope[k * terms + j] * y.value[j], row[k * terms + j] * y.slope[j], row[k * terms + j] * y.value[j]};
                column[k] = sum;
            }
            for (const ChebyshevValues& z : grid.basis) {
                Vec3 sum;
                for (std::size_t k = 0; k < terms; ++k)
                    sum += Vec3{column[k].x * z.value[k], column[k].y * z.value[k], column[k].z * z.slope[k]};
                result[place++] = sum;
            }
        }
    }
    return result;
}

// Gradients of the four polynomials that come from values of f: P f, and x_i P f, cut.
struct FourGradients {
    std::vector<Vec3> of[4];

    FourGradients(const HarmonicFit& fit, const std::vector<double>& f, const Grid& grid) {
        for (int k = 0; k < 4; ++k) {
            std::vector<Double4> sums(f.size(), Double4{});
            for (std::size_t q = 0; q < f.size(); ++q) sums[q][k] = (k == 0 ? 2 : -2) * f[q];  // (1) of harmonic_fit.h
            of[k] = gradients(fit.through(sums), grid);
        }
    }
    Matrix3 moments(std::size_t i) const {
        const Vec3 &x = of[1][i], &y = of[2][i], &z = of[3][i];
        return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    }
};

struct Errors {
    double source = 0, moment = 0;
};
Errors larger(const Errors& a, const Errors& b) { return {std::max(a.source, b.source), std::max(a.moment, b.moment)}; }

Errors errors_of(const HarmonicFit& fit, const Grid& grid, const Vec3& s) {
    std::vector<double> f;
    for (const Vec3& p : fit.points()) f.push_back(1 / norm(p - s));
    const FourGradients fitted(fit, f, grid);
    Errors errors;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const Vec3 p = grid.point(i), d = s - p;
        const double inverse = 1 / norm(d), cube = inverse * inverse * inverse;
        const Vec3 slope = cube * d;
        Matrix3 off = fitted.moments(i);
        const double slopes[3] = {slope.x, slope.y, slope.z}, places[3] = {p.x, p.y, p.z};
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column) off.of[row][column] -= places[column] * slopes[row] + (row == column ? inverse : 0);
        errors = larger(errors, {norm(fitted.of[0][i] - slope), largest_stretch(off)});
    }
    return errors;
}

// Over directions up to symmetry, x >= y >= z >= 0, on the surface |s|_4 = distance.
Errors largest_errors(const HarmonicFit& fit, const Grid& grid, double distance, int steps) {
    std::vector<Vec3> sources;
    for (int a = 0; a <= steps; ++a)
        for (int b = 0; b <= a; ++b) {
            const double y = static_cast<double>(a) / steps, z = static_cast<double>(b) / steps;
            sources.push_back(distance / std::pow(1 + y * y * y * y + z * z * z * z, 0.25) * Vec3{1, y, z});
        }
    std::vector<Errors> found(sources.size());
    parallel_blocks(sources.size(), 1, [&](std::size_t i, std::size_t) { found[i] = errors_of(fit, grid, sources[i]); });
    Errors errors;
    for (const Errors& each : found) errors = larger(errors, each);
    return errors;
}

// max_p sum over points |grad b_q|, and of x_i b_q over sqrt 3: see value_amplification.
double growth(const HarmonicFit& fit, const Grid& grid) {
    std::vector<Errors> sums(grid.size());
    for (std::size_t q = 0; q < fit.points().size(); ++q) {
        std::vector<double> f(fit.points().size());
        f[q] = 1;
        const FourGradients fitted(fit, f, grid);
        for (std::size_t i = 0; i < grid.size(); ++i) {
            sums[i].source += norm(fitted.of[0][i]);
            sums[i].moment += largest_stretch(fitted.moments(i));
        }
    }
    Errors errors;
    for (const Errors& each : sums) errors = larger(errors, each);
    return std::max(errors.source, errors.moment / std::sqrt(3.0));
}

void print_row(const char* name, int degree, const std::vector<double>& values) {
    fmt::print("{} {}: {{", name, degree);
    for (std::size_t i = 0; i < values.size(); ++i) fmt::print("{}{:.2e}", i > 0 ? ", " : "", values[i]);
    fmt::print("}}\n");
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        fmt::print(stderr, "usage: sample_fit_error FROM TO [FINE]\n");
        return 2;
    }
    const int from = std::stoi(arguments[1]), to = std::stoi(arguments[2]), fine = count > 3 ? std::stoi(arguments[3]) : 1;
    for (int degree = from; degree <= to; ++degree) {
        const HarmonicFit fit(degree);
        const Grid grid(degree, 2 * fine * degree + 1);
        std::vector<double> sources, moments;
        for (int step = 0; step < distance_steps; ++step) {
            const Errors errors = largest_errors(fit, grid, step_distance(step), 12 * fine);
            sources.push_back(errors.source);
            moments.push_back(errors.moment);
        }
        print_row("source", degree, sources);
        print_row("moment", degree, moments);
        fmt::print("values {}: {:.4g}\n", degree, growth(fit, grid));
        std::fflush(stdout);
    }
    return 0;
}
