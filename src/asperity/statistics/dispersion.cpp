#include "asperity/statistics/dispersion.h"

#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asperity/core/errors.h"

namespace asperity::statistics {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;
using Point = std::array<double, 3>;

Vec3 vector_of(const Point& p) { return {p[0], p[1], p[2]}; }

bool is_whole(std::span<const double> row) {
    return std::none_of(row.begin(), row.end(), [](double x) { return std::isnan(x); });
}

// Whole points only, with 0 for what a dimension lacks.
template <class Visit>
void visit(const ColumnSource& points, std::size_t dimension, const Visit& use) {
    read_rows(points, dimension, [&](std::span<const double> row) {
        if (!is_whole(row)) return;
        Point p{};
        std::copy(row.begin(), row.end(), p.begin());
        use(p);
    });
}

struct Centre {
    std::uint64_t count = 0, left_out = 0;
    Point mean{};
    int exponent = 0;  // of the largest distance along an axis
};

Centre centre_of(const ColumnSource& points, std::size_t dimension) {
    Centre centre;
    std::array<CompensatedSum, 3> sums;
    Point least, most;
    least.fill(unbounded);
    most.fill(-unbounded);
    read_rows(points, dimension, [&](std::span<const double> row) {
        if (!is_whole(row)) {
            ++centre.left_out;
            return;
        }
        ++centre.count;
        for (std::size_t i = 0; i < dimension; ++i) {
            sums[i].add(row[i]);
            least[i] = std::min(least[i], row[i]);
            most[i] = std::max(most[i], row[i]);
        }
    });
    double reach = 0;
    for (std::size_t i = 0; i < dimension && centre.count > 0; ++i) {
        centre.mean[i] = sums[i].value() / static_cast<double>(centre.count);
        reach = std::max(reach, most[i] - least[i]);
    }
    if (reach > 0) centre.exponent = std::ilogb(reach);
    return centre;
}

// In units of 2^exponent, so that no square over- or underflows.
Matrix covariance_of(const ColumnSource& points, std::size_t dimension, const Centre& centre) {
    std::array<std::array<CompensatedSum, 3>, 3> products;
    std::array<CompensatedSum, 3> sums;
    visit(points, dimension, [&](const Point& p) {
        Point d{};
        for (std::size_t i = 0; i < dimension; ++i) d[i] = std::ldexp(p[i] - centre.mean[i], -centre.exponent);
        for (std::size_t i = 0; i < dimension; ++i) {
            sums[i].add(d[i]);
            for (std::size_t j = i; j < dimension; ++j) products[i][j].add(d[i] * d[j]);
        }
    });
    Matrix c{};
    const auto n = static_cast<double>(centre.count);
    for (std::size_t i = 0; i < dimension; ++i)
        for (std::size_t j = i; j < dimension; ++j)
            c[i][j] = c[j][i] = (products[i][j].value() - sums[i].value() * sums[j].value() / n) / (n - 1);
    return c;
}

// The rotation that makes c_pq zero (Jacobi), applied to c and, by columns, to the axes.
void rotate(Matrix& c, Matrix& axes, std::size_t p, std::size_t q) {
    if (c[p][q] == 0) return;
    const double theta = (c[q][q] - c[p][p]) / (2 * c[p][q]);
    const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0)), cosine = 1 / std::hypot(t, 1.0),
                 sine = t * cosine;
    const double shift = t * c[p][q];
    c[p][p] -= shift;
    c[q][q] += shift;
    c[p][q] = c[q][p] = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        if (k != p && k != q) {
            const double kp = c[k][p], kq = c[k][q];
            c[k][p] = c[p][k] = cosine * kp - sine * kq;
            c[k][q] = c[q][k] = sine * kp + cosine * kq;
        }
        const double kp = axes[k][p], kq = axes[k][q];
        axes[k][p] = cosine * kp - sine * kq;
        axes[k][q] = sine * kp + cosine * kq;
    }
}

struct Axis {
    double variance = 0;
    Point direction{};
};

// Eigenvalues and unit eigenvectors, largest first; the sign of a vector makes its largest component positive.
std::vector<Axis> axes_of(Matrix c, std::size_t dimension) {
    Matrix vectors{};
    for (std::size_t i = 0; i < 3; ++i) vectors[i][i] = 1;
    // Quadratic in the end: six sweeps are enough for a 3 x 3 matrix, and further ones find zeros.
    for (int sweep = 0; sweep < 12; ++sweep)
        for (std::size_t p = 0; p < dimension; ++p)
            for (std::size_t q = p + 1; q < dimension; ++q) rotate(c, vectors, p, q);
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < dimension; ++i) {
        Axis axis{.variance = c[i][i], .direction = {vectors[0][i], vectors[1][i], vectors[2][i]}};
        const auto by_size = [](double a, double b) { return std::abs(a) < std::abs(b); };
        if (*std::max_element(axis.direction.begin(), axis.direction.end(), by_size) < 0)
            for (double& x : axis.direction) x = -x + 0.0;
        axes.push_back(axis);
    }
    std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.variance > b.variance; });
    return axes;
}

double squared_scale(int dimension, double probability) {
    if (dimension == 2) return -2 * std::log1p(-probability);  // (2)
    return boost::math::quantile(boost::math::chi_squared(dimension), probability);
}

// |x - centre| of the whole points.
ColumnSource distances(const ColumnSource& points, std::size_t dimension, const Point& centre) {
    return [&points, dimension, centre](const BlockReader& reader) {
        visit(points, dimension, [&](const Point& p) {
            const double d = std::hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]);
            reader({&d, 1});
        });
    };
}

bool is_inside(const Point& p, const Centre& centre, const Dispersion& result) {
    double sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(result.dimension); ++i) {
        const DispersionAxis& axis = result.axes[i];
        if (axis.semi_axis == 0) continue;
        const Vec3 from = vector_of(p) - vector_of(centre.mean);
        const double along = dot(from, axis.direction) / axis.semi_axis;
        sum += along * along;
    }
    return sum <= 1;
}

void fill_axes(const ColumnSource& points, const Centre& centre, Dispersion& result) {
    const auto dimension = static_cast<std::size_t>(result.dimension);
    const Matrix c = covariance_of(points, dimension, centre);
    const std::vector<Axis> axes = axes_of(c, dimension);
    const double scale = std::sqrt(squared_scale(result.dimension, result.probability));
    constexpr double lost = 1e-14;  // of the largest variance: below some ten roundings of C
    for (std::size_t i = 0; i < dimension; ++i) {
        const double variance = axes[i].variance > lost * axes[0].variance ? axes[i].variance : 0;
        const double deviation = std::ldexp(std::sqrt(variance), centre.exponent);
        result.axes[i] = {.deviation = deviation, .semi_axis = scale * deviation, .direction = vector_of(axes[i].direction)};
    }
    for (std::size_t i = 0; i < 3; ++i) {
        Point row = c[i];
        for (double& x : row) x = std::ldexp(x, 2 * centre.exponent);
        result.covariance[i] = vector_of(row);
    }
    std::uint64_t inside = 0;
    visit(points, dimension, [&](const Point& p) { inside += is_inside(p, centre, result) ? 1 : 0; });
    result.fraction_inside = static_cast<double>(inside) / static_cast<double>(centre.count);
}

double median_of(const ColumnSource& source, std::uint64_t count) {
    constexpr std::array half{0.5};
    return quantiles(source, count, half).front();
}

struct Spread {
    double median = no_value, deviation = no_value;
};

// The divisor of (4), or what stands for it.
Spread spread_of(const ColumnSource& column) {
    std::uint64_t count = 0;
    column([&](std::span<const double> block) {
        count += static_cast<std::uint64_t>(std::count_if(block.begin(), block.end(), [](double x) { return !std::isnan(x); }));
    });
    if (count == 0) return {};
    const double median = median_of(column, count);
    const ColumnSource away = [&](const BlockReader& reader) {
        std::vector<double> differences;
        column([&](std::span<const double> block) {
            differences.assign(block.begin(), block.end());
            for (double& x : differences) x = std::abs(x - median);
            reader(differences);
        });
    };
    double deviation = 1.4826 * median_of(away, count);
    if (deviation == 0) {
        CompensatedSum sum;
        away([&](std::span<const double> block) {
            for (const double x : block)
                if (!std::isnan(x)) sum.add(x);
        });
        deviation = 1.2533 * sum.value() / static_cast<double>(count);
    }
    return {median, deviation};
}

}  // namespace

Dispersion dispersion(const ColumnSource& points, int dimension, double probability) {
    ASPERITY_REQUIRE(dimension == 2 || dimension == 3, "points of {} dimensions", dimension);
    ASPERITY_REQUIRE(probability > 0 && probability < 1, "probability {} is not between 0 and 1", probability);
    const Centre centre = centre_of(points, static_cast<std::size_t>(dimension));
    Dispersion result{.dimension = dimension, .count = centre.count, .left_out = centre.left_out, .probability = probability};
    if (centre.count == 0) return result;
    result.mean = vector_of(centre.mean);
    result.circular_error_probable = median_of(distances(points, static_cast<std::size_t>(dimension), centre.mean), centre.count);
    if (centre.count > 1) fill_axes(points, centre, result);
    return result;
}

Dispersion dispersion(std::span<const double> x, std::span<const double> y, double probability) {
    return dispersion(rows_of({x, y}), 2, probability);
}

Dispersion dispersion(std::span<const double> x, std::span<const double> y, std::span<const double> z, double probability) {
    return dispersion(rows_of({x, y, z}), 3, probability);
}

Outliers outliers(const ColumnSource& column, const OutlierOptions& options) {
    const Spread spread = spread_of(column);
    Outliers result{.median = spread.median, .deviation = spread.deviation};
    if (!(spread.deviation > 0)) return result;
    const auto before = [](const Outlier& a, const Outlier& b) {
        return a.robust_z != b.robust_z ? a.robust_z > b.robust_z : a.row < b.row;
    };
    std::uint64_t row = 0;
    column([&](std::span<const double> block) {
        for (const double x : block) {
            const Outlier candidate{.row = row++, .value = x, .robust_z = std::abs(x - spread.median) / spread.deviation};  // (4)
            if (!(candidate.robust_z > options.threshold)) continue;
            ++result.count;
            std::vector<Outlier>& kept = result.largest;
            kept.insert(std::upper_bound(kept.begin(), kept.end(), candidate, before), candidate);
            if (kept.size() > options.most) kept.pop_back();
        }
    });
    return result;
}

Outliers outliers(std::span<const double> values, const OutlierOptions& options) { return outliers(column_of(values), options); }

}  // namespace asperity::statistics
