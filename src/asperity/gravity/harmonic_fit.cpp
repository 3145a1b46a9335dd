#include "asperity/gravity/harmonic_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asperity/gravity/source_tree.h"

namespace asperity::gravity {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// A polynomial in the basis T_i(x) T_j(y) T_k(z), i + j + k <= degree, in a cube of coefficients.
struct Polynomial {
    std::size_t side;
    std::vector<double> coefficients = std::vector<double>(side * side * side);
    std::size_t degree = 0;

    std::size_t index(std::size_t i, std::size_t j, std::size_t k) const { return (k * side + j) * side + i; }
};

// out += factor x_axis in, by x T_i = (T_i+1 + T_i-1) / 2.
void add_times(const Polynomial& in, int axis, double factor, Polynomial& out) {
    const std::size_t strides[3] = {1, in.side, in.side * in.side};
    const std::size_t stride = strides[axis];
    out.degree = std::max(out.degree, in.degree + 1);
    for (std::size_t k = 0; k <= in.degree; ++k)
        for (std::size_t j = 0; j + k <= in.degree; ++j)
            for (std::size_t i = 0; i + j + k <= in.degree; ++i) {
                const std::size_t place = in.index(i, j, k), order = axis == 0 ? i : axis == 1 ? j : k;
                const double part = (order == 0 ? 1.0 : 0.5) * factor * in.coefficients[place];
                out.coefficients[place + stride] += part;
                if (order > 0) out.coefficients[place - stride] += part;
            }
}

struct ComplexPolynomial {
    Polynomial re, im;
};

// The solid harmonics R_lm of source_tree.h, by the same recurrences.
template <class Visit>
void for_each_harmonic(int order, const Visit& visit) {
    const Polynomial zero{.side = at(order + 1)};
    ComplexPolynomial sectoral{zero, zero};
    sectoral.re.coefficients[0] = 1;
    for (int m = 0; m <= order; ++m) {
        ComplexPolynomial now = sectoral, last{zero, zero};
        for (int l = m; l <= order; ++l) {
            visit(l, m, now);
            if (l == order) break;
            const double divisor = (l + 1) * (l + 1) - m * m;
            const auto next = [&](const Polynomial& u, const Polynomial& below) {
                Polynomial sum = zero;
                add_times(u, 2, (2 * l + 1) / divisor, sum);
                for (int axis = 0; axis < 3 && l > m; ++axis) {
                    Polynomial once = zero;
                    add_times(below, axis, 1, once);
                    add_times(once, axis, -1 / divisor, sum);
                }
                return sum;
            };
            ComplexPolynomial above{next(now.re, last.re), next(now.im, last.im)};
            last = std::move(now);
            now = std::move(above);
        }
        if (m == order) break;
        ComplexPolynomial turned{zero, zero};
        const double factor = 1.0 / (2 * m + 2);
        add_times(sectoral.re, 0, factor, turned.re);
        add_times(sectoral.im, 1, -factor, turned.re);
        add_times(sectoral.im, 0, factor, turned.im);
        add_times(sectoral.re, 1, factor, turned.im);
        sectoral = std::move(turned);
    }
}

// A harmonic: its values at the points, weighted, and its coefficients.
struct Column {
    std::vector<double> values, coefficients;
};

// Makes the values of the last column orthogonal to those before, twice: once leaves what rounding does to nearly parallel ones.
void make_orthonormal(std::vector<Column>& columns) {
    Column& own = columns.back();
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
            const Column& other = columns[c];
            const double part = std::inner_product(own.values.begin(), own.values.end(), other.values.begin(), 0.0);
            for (std::size_t i = 0; i < own.values.size(); ++i) own.values[i] -= part * other.values[i];
            for (std::size_t i = 0; i < own.coefficients.size(); ++i) own.coefficients[i] -= part * other.coefficients[i];
        }
        const double size = std::sqrt(std::inner_product(own.values.begin(), own.values.end(), own.values.begin(), 0.0));
        for (double& value : own.values) value /= size;
        for (double& coefficient : own.coefficients) coefficient /= size;
    }
}

// Re R_lm is even in y, Im R_lm odd; reflected in x they take (-1)^m and -(-1)^m, in z (-1)^(l-m).
std::size_t parity_of(int l, int m, bool is_imaginary) {
    const int x = (m + (is_imaginary ? 1 : 0)) % 2, z = (l - m) % 2;
    return at(x + (is_imaginary ? 2 : 0) + 4 * z);
}

constexpr std::size_t rows_at_once = 8;

}  // namespace

HarmonicFit::HarmonicFit(int degree) : degree_(degree) {
    const int per_side = (3 * degree + 5) / 4;
    set_points(at(per_side));
    const auto side = at(degree + 2);
    for (std::size_t place = 0; place < side * side * side; ++place) {
        const std::size_t i = place % side, j = place / side % side, k = place / side / side;
        if (i * i + j * j + k * k > (side - 1) * (side - 1)) continue;
        parities_[i % 2 + 2 * (j % 2) + 4 * (k % 2)].terms.push_back(static_cast<std::int32_t>(place));
    }
    set_matrices(2 * per_side - 1);
}

void HarmonicFit::set_points(std::size_t per_side) {
    std::vector<double> nodes = chebyshev_nodes(static_cast<int>(per_side) - 1);
    nodes.resize((per_side + 1) / 2);
    if (per_side % 2 == 1) nodes.back() = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const double u : nodes)
            for (const double v : nodes) {
                double x[3];
                x[axis] = 1;
                x[(axis + 1) % 3] = u;
                x[(axis + 2) % 3] = v;
                std::array<std::int32_t, 8> images{};
                const std::size_t still = (x[0] == 0 ? 1U : 0U) + (x[1] == 0 ? 2U : 0U) + (x[2] == 0 ? 4U : 0U);
                for (std::size_t image = 0; image < 8; ++image) {
                    images[image] = (image & still) != 0 ? images[image & ~still] : static_cast<std::int32_t>(points_.size());
                    if ((image & still) != 0) continue;
                    const auto side = [&](std::size_t a) { return (image >> a & 1) != 0 ? -x[a] : x[a]; };
                    points_.push_back({side(0), side(1), side(2)});
                }
                images_.push_back(images);
            }
}

void HarmonicFit::set_matrices(int harmonic_degree) {
    // A point on a plane of reflection stands for fewer.
    std::vector<double> weights;
    for (const std::array<std::int32_t, 8>& images : images_) {
        const auto same = static_cast<double>(std::count(images.begin(), images.end(), images[0]));
        weights.push_back(std::sqrt(1 / same));
    }
    std::vector<std::vector<Complex>> values(images_.size(), std::vector<Complex>(at((harmonic_degree + 1) * (harmonic_degree + 2) / 2)));
    for (std::size_t r = 0; r < images_.size(); ++r)
        regular_harmonics(points_[static_cast<std::size_t>(images_[r][0])], harmonic_degree, values[r]);

    std::array<std::vector<Column>, 8> columns;
    const auto side = at(degree_ + 2);
    for_each_harmonic(harmonic_degree, [&](int l, int m, const ComplexPolynomial& harmonic) {
        for (const bool is_imaginary : {false, true}) {
            if (is_imaginary && m == 0) continue;
            const std::size_t parity = parity_of(l, m, is_imaginary);
            const Polynomial& series = is_imaginary ? harmonic.im : harmonic.re;
            Column column;
            for (std::size_t r = 0; r < images_.size(); ++r) {
                const Complex value = values[r][at(l * (l + 1) / 2 + m)];
                column.values.push_back(weights[r] * (is_imaginary ? value.im : value.re));
            }
            for (const std::int32_t term : parities_[parity].terms) {
                const std::size_t i = at(term) % side, j = at(term) / side % side, k = at(term) / side / side;
                column.coefficients.push_back(i + j + k <= series.degree ? series.coefficients[series.index(i, j, k)] : 0);
            }
            columns[parity].push_back(std::move(column));
            make_orthonormal(columns[parity]);
        }
    });
    for (std::size_t c = 0; c < 8; ++c) {
        Parity& parity = parities_[c];
        const std::size_t rows = (parity.terms.size() + rows_at_once - 1) / rows_at_once * rows_at_once;
        parity.matrix.resize(rows * images_.size());
        for (const Column& column : columns[c])
            for (std::size_t t = 0; t < parity.terms.size(); ++t)
                for (std::size_t r = 0; r < images_.size(); ++r)
                    parity.matrix[(t / rows_at_once * images_.size() + r) * rows_at_once + t % rows_at_once] +=
                        0.125 * column.coefficients[t] * column.values[r] * weights[r];
    }
}

CubePolynomial HarmonicFit::through(std::span<const Double4> sums) const {
    const std::size_t count = images_.size();
    std::vector<Double4> parts(8 * count);  // by parity, eight times
    for (std::size_t r = 0; r < count; ++r) {
        Double4 v[8];
        for (std::size_t image = 0; image < 8; ++image) v[image] = sums[static_cast<std::size_t>(images_[r][image])];
        for (const std::size_t bit : {1, 2, 4})
            for (std::size_t i = 0; i < 8; ++i) {
                if ((i & bit) != 0) continue;
                const Double4 upper = v[i], lower = v[i | bit];
                v[i] = upper + lower;
                v[i | bit] = upper - lower;
            }
        for (std::size_t c = 0; c < 8; ++c) parts[c * count + r] = v[c];
    }
    const auto side = at(degree_ + 2);
    std::vector<Double4> coefficients(side * side * side, Double4{});
    for (std::size_t c = 0; c < 8; ++c) {
        const Parity& parity = parities_[c];
        for (std::size_t t = 0; t < parity.terms.size(); t += rows_at_once) {
            const double* row = parity.matrix.data() + t * count;
            Double4 sum[rows_at_once] = {};
            for (std::size_t r = 0; r < count; ++r, row += rows_at_once)
#pragma GCC unroll 8
                for (std::size_t k = 0; k < rows_at_once; ++k) sum[k] = fused(splat(row[k]), parts[c * count + r], sum[k]);
            for (std::size_t k = 0; k < rows_at_once && t + k < parity.terms.size(); ++k) coefficients[at(parity.terms[t + k])] = sum[k];
        }
    }
    return combined(coefficients);
}

CubePolynomial HarmonicFit::combined(const std::vector<Double4>& coefficients) const {
    const auto side = at(degree_ + 2), own = at(degree_ + 1);
    std::vector<double> result(own * own * own);
    for (std::size_t k = 0; k < own; ++k)
        for (std::size_t j = 0; j < own; ++j)
            for (std::size_t i = 0; i < own; ++i) {
                if (i * i + j * j + k * k > (own - 1) * (own - 1)) continue;
                const std::size_t place = (k * side + j) * side + i;
                // Of x f: x T_0 = T_1, x T_i = (T_i+1 + T_i-1) / 2.
                const auto times = [&](std::size_t order, std::size_t stride, int component) {
                    const double above = 0.5 * coefficients[place + stride][component];
                    return order == 0 ? above : above + (order == 1 ? 1.0 : 0.5) * coefficients[place - stride][component];
                };
                result[(k * own + j) * own + i] =
                    0.5 * (coefficients[place][0] - times(i, 1, 1) - times(j, side, 2) - times(k, side * side, 3));
            }
    return CubePolynomial(degree_, std::move(result));
}

const HarmonicFit& HarmonicFits::of_degree(int degree) {
    const auto i = static_cast<std::size_t>(degree - lowest_fit_degree);
    std::call_once(is_made_[i], [&] { fits_[i] = std::make_unique<HarmonicFit>(degree); });
    return *fits_[i];
}

}  // namespace asperity::gravity
