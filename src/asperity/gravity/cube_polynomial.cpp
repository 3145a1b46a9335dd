#include "asperity/gravity/cube_polynomial.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace asperity::gravity {
namespace {

// rows x (n + 1), row by row.
using Matrix = std::vector<double>;

std::size_t cube_of(std::size_t side) { return side * side * side; }

// Applies the matrix along x and turns the axes (x, y, z) -> (y, z, x): three times is all axes, in place again.
std::vector<double> along_first(const Matrix& matrix, const std::vector<double>& in, std::size_t side) {
    std::vector<double> out(in.size());
    const std::size_t rest = side * side;
    for (std::size_t r = 0; r < rest; ++r)
        for (std::size_t i = 0; i < side; ++i) {
            double sum = 0;
            for (std::size_t q = 0; q < side; ++q) sum += matrix[i * side + q] * in[r * side + q];
            out[i * rest + r] = sum;
        }
    return out;
}

std::vector<double> along_all(const Matrix (&matrices)[3], std::vector<double> values, std::size_t side) {
    for (const Matrix& matrix : matrices) values = along_first(matrix, values, side);
    return values;
}

// T_j((x + shift) / 2) = sum_i M_ij T_i(x), by the recurrence of T_j and x T_i = (T_i+1 + T_|i-1|) / 2.
Matrix halving(int degree, double shift) {
    const auto side = static_cast<std::size_t>(degree + 1);
    std::vector<std::vector<double>> columns(side, std::vector<double>(side));
    columns[0][0] = 1;
    for (std::size_t j = 1; j < side; ++j) {
        const std::vector<double>& last = columns[j - 1];
        for (std::size_t i = 0; i < j; ++i) {
            const double factor = j == 1 ? 0.5 : 1.0;
            columns[j][i] += factor * shift * last[i];
            columns[j][i + 1] += factor * (i == 0 ? 1.0 : 0.5) * last[i];
            if (i > 0) columns[j][i - 1] += factor * 0.5 * last[i];
        }
        if (j > 1)
            for (std::size_t i = 0; i < side; ++i) columns[j][i] -= columns[j - 2][i];
    }
    Matrix matrix(side * side);
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j) matrix[i * side + j] = columns[j][i];
    return matrix;
}

}  // namespace

std::vector<double> chebyshev_nodes(int degree) {
    std::vector<double> nodes;
    for (int q = 0; q <= degree; ++q) nodes.push_back(std::cos(std::numbers::pi * (q + 0.5) / (degree + 1)));
    return nodes;
}

ChebyshevValues chebyshev_values(int degree, double x) {
    ChebyshevValues t;
    t.value[0] = 1;
    if (degree > 0) {
        t.value[1] = x;
        t.slope[1] = 1;
    }
    for (std::size_t i = 2; i <= static_cast<std::size_t>(degree); ++i) {
        t.value[i] = 2 * x * t.value[i - 1] - t.value[i - 2];
        t.slope[i] = 2 * t.value[i - 1] + 2 * x * t.slope[i - 1] - t.slope[i - 2];
    }
    return t;
}

CubePolynomial::CubePolynomial(int degree) : degree_(degree), coefficients_(cube_of(static_cast<std::size_t>(degree + 1))) {}

void CubePolynomial::clear_outside() {
    for (int k = 0; k <= degree_; ++k)
        for (int j = 0; j <= degree_; ++j)
            for (int i = 0; i <= degree_; ++i)
                if (i * i + j * j + k * k > degree_ * degree_) coefficients_[index(i, j, k)] = 0;
}

CubePolynomial::CubePolynomial(int degree, std::vector<double> coefficients) : degree_(degree), coefficients_(std::move(coefficients)) {
    clear_outside();
}

CubePolynomial CubePolynomial::restricted(int octant) const {
    CubePolynomial p(degree_);
    const auto half = [&](int axis) { return halving(degree_, (octant >> axis & 1) != 0 ? 1.0 : -1.0); };
    p.coefficients_ = along_all({half(0), half(1), half(2)}, coefficients_, static_cast<std::size_t>(degree_ + 1));
    p.clear_outside();  // rounding
    return p;
}

void CubePolynomial::add(const CubePolynomial& other) {
    if (other.degree_ > degree_) {
        CubePolynomial sum = other;
        sum.add(*this);
        *this = std::move(sum);
        return;
    }
    for (int k = 0; k <= other.degree_; ++k)
        for (int j = 0; j <= other.degree_; ++j)
            for (int i = 0; i <= other.degree_; ++i) coefficients_[index(i, j, k)] += other.coefficients_[other.index(i, j, k)];
}

std::vector<double> CubePolynomial::dropped_gradients() const {
    std::vector<double> dropped(static_cast<std::size_t>(degree_ + 1));
    for (int k = 0; k <= degree_; ++k)
        for (int j = 0; j <= degree_; ++j)
            for (int i = 0; i <= degree_; ++i) {
                const double size = std::fabs(coefficient(i, j, k));
                if (size == 0) continue;
                const double slope = size * std::sqrt(double(i * i * i * i + j * j * j * j + k * k * k * k));
                // A cut to any degree below the term's own drops it.
                for (int n = 0; n * n < i * i + j * j + k * k; ++n) dropped[static_cast<std::size_t>(n)] += slope;
            }
    return dropped;
}

CubePolynomial CubePolynomial::cut(int degree) const {
    CubePolynomial p(degree);
    for (int k = 0; k <= degree; ++k)
        for (int j = 0; j <= degree; ++j)
            for (int i = 0; i <= degree; ++i)
                if (i * i + j * j + k * k <= degree * degree) p.coefficients_[p.index(i, j, k)] = coefficients_[index(i, j, k)];
    return p;
}

double CubePolynomial::value(const Vec3& x) const {
    const ChebyshevValues tx = chebyshev_values(degree_, x.x), ty = chebyshev_values(degree_, x.y), tz = chebyshev_values(degree_, x.z);
    double sum = 0;
    for (int k = 0; k <= degree_; ++k)
        for (int j = 0; j <= degree_; ++j) {
            double row = 0;
            for (int i = 0; i <= degree_; ++i) row += coefficient(i, j, k) * tx.value[static_cast<std::size_t>(i)];
            sum += row * ty.value[static_cast<std::size_t>(j)] * tz.value[static_cast<std::size_t>(k)];
        }
    return sum;
}

Vec3 CubePolynomial::gradient(const Vec3& x) const {
    const ChebyshevValues tx = chebyshev_values(degree_, x.x), ty = chebyshev_values(degree_, x.y), tz = chebyshev_values(degree_, x.z);
    Vec3 sum;
    for (std::size_t k = 0; k <= static_cast<std::size_t>(degree_); ++k)
        for (std::size_t j = 0; j <= static_cast<std::size_t>(degree_); ++j) {
            double row = 0, slope = 0;
            for (std::size_t i = 0; i <= static_cast<std::size_t>(degree_); ++i) {
                const double c = coefficient(static_cast<int>(i), static_cast<int>(j), static_cast<int>(k));
                row += c * tx.value[i];
                slope += c * tx.slope[i];
            }
            sum += Vec3{slope * ty.value[j] * tz.value[k], row * ty.slope[j] * tz.value[k], row * ty.value[j] * tz.slope[k]};
        }
    return sum;
}

}  // namespace asperity::gravity
