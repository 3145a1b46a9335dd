#include "asperity/analysis/equilibria.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"

namespace asperity::analysis {
namespace {

using std::numbers::pi;
constexpr double synchronous_within = 1e-3;  // of the mean motion: what a period printed with four digits leaves
constexpr int longitudes = 60;
constexpr int rings = 24;
constexpr double innermost = 0.25, outermost = 3;  // synchronous radii
constexpr double difference_step = 1e-3;           // of the scale: fourth order, so that truncation and rounding are both near 1e-12
constexpr double enough = 1e-10;                   // residual
constexpr double field_error = 1e-5;               // the same, of a field in pieces, which need not pass through zero
constexpr double rounding = 1e-8;                  // of an eigenvalue, in units of w
constexpr int most_rounds = 60;

using Matrix3 = Eigen::Matrix3d;

Vec3 turned(const Vec3& a, double cosine, double sine) { return {cosine * a.x - sine * a.y, sine * a.x + cosine * a.y, a.z}; }

Eigen::Vector3d column(const Vec3& a) { return {a.x, a.y, a.z}; }

// Coordinates in which Newton's method works. Around one body polar ones: along the circle Phi is so flat that in x and y the slope across
// it, off the ridge, would decide the sign of the curvature, and the method would leave a saddle for a maximum.
struct Chart {
    const SteadyField* field;
    double radius = 0;  // m; q = (r, radius times longitude, z), or zero: q = p

    Vec3 place(const Vec3& q) const { return radius > 0 ? Vec3{q.x * std::cos(q.y / radius), q.x * std::sin(q.y / radius), q.z} : q; }
    Vec3 coordinates(const Vec3& p) const { return radius > 0 ? Vec3{std::hypot(p.x, p.y), radius * std::atan2(p.y, p.x), p.z} : p; }
    // -dPhi/dq
    Vec3 force(const Vec3& q) const {
        const Vec3 a = field->acceleration(place(q));
        if (!(radius > 0)) return a;
        const double c = std::cos(q.y / radius), s = std::sin(q.y / radius);
        return {c * a.x + s * a.y, (q.x / radius) * (c * a.y - s * a.x), a.z};
    }
};

// d^2 Phi / dq^2, symmetric, from differences of the force.
Matrix3 hessian(const Chart& chart, const Vec3& q, double h) {
    const auto slope = [&](const Vec3& step) {
        const Vec3 far = chart.force(q + 2 * step) - chart.force(q - 2 * step);
        const Vec3 near = chart.force(q + step) - chart.force(q - step);
        return column((1 / (12 * h)) * (far - 8 * near));
    };
    Matrix3 m;
    m.col(0) = slope({h, 0, 0});
    m.col(1) = slope({0, h, 0});
    m.col(2) = slope({0, 0, h});
    return 0.5 * (m + m.transpose());
}

double residual_at(const SteadyField& field, const Vec3& p) {
    return norm(field.acceleration(p)) / (field.rate * field.rate * field.synchronous_radius());
}

// Newton's method with steps of at most `reach`; none where it leaves for the inside of a body, or does not end.
std::optional<Vec3> newton(const Chart& chart, const IsInside& is_inside, const Vec3& start, double scale, double reach) {
    const double h = difference_step * scale;
    Vec3 q = chart.coordinates(start), best = start;
    double least = std::numeric_limits<double>::infinity();
    int worse = 0;
    for (int round = 0; round < most_rounds && worse < (least <= enough ? 1 : 4); ++round) {
        const Vec3 p = chart.place(q);
        if (!is_finite(p) || is_inside(p)) return {};
        const double residual = residual_at(*chart.field, p);
        if (residual < least) {
            least = residual;
            best = p;
            worse = 0;
        } else if (least < field_error) {
            ++worse;
        }
        const Eigen::Vector3d solved = hessian(chart, q, h).fullPivLu().solve(column(chart.force(q)));
        const Vec3 step{solved.x(), solved.y(), solved.z()};
        const double length = norm(step);
        if (length <= 4 * std::numeric_limits<double>::epsilon() * norm(p)) break;
        q += length > reach ? (reach / length) * step : step;
    }
    if (least <= enough || (worse > 0 && least <= field_error)) return best;
    return {};
}

void take_motion(const SteadyField& field, const Matrix3& h, Equilibrium& e) {
    const double w = field.rate;
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(6, 6);  // time in units of 1 / w
    m.topRightCorner(3, 3).setIdentity();
    m.bottomLeftCorner(3, 3) = -h / (w * w);
    m(3, 4) = 2;
    m(4, 3) = -2;
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(m);
    std::array<int, 6> order{0, 1, 2, 3, 4, 5};
    const auto& values = solver.eigenvalues();
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        if (std::fabs(values[a].real() - values[b].real()) > rounding) return values[a].real() > values[b].real();
        return values[a].imag() > values[b].imag();
    });
    for (std::size_t i = 0; i < 6; ++i) e.eigenvalues[i] = w * values[order[i]];
    const std::complex<double> first = values[order[0]];
    e.is_stable = !(first.real() > rounding);
    if (e.is_stable) return;
    e.growth_rate = w * first.real();
    e.has_manifold = std::fabs(first.imag()) <= rounding;
    if (!e.has_manifold) return;
    const Eigen::VectorXcd vector = solver.eigenvectors().col(order[0]);  // no auto: a view of the matrix, which is gone after this line
    const Vec3 direction = unit(Vec3{vector[0].real(), vector[1].real(), vector[2].real()});
    e.manifold = dot(direction, e.position) > 0 ? -direction : direction;
}

Equilibrium described(const SteadyField& field, const Vec3& p, double scale) {
    Equilibrium e;
    e.position = p;
    e.orbit_position = field.to_orbit(p);
    e.energy = field.potential(p);
    e.residual = residual_at(field, p);
    const Matrix3 h = hessian(Chart{.field = &field}, p, difference_step * scale);
    const bool is_saddle = h(0, 0) * h(1, 1) < h(0, 1) * h(0, 1);
    e.kind = is_saddle ? EquilibriumKind::saddle : h(0, 0) < 0 ? EquilibriumKind::maximum : EquilibriumKind::minimum;
    take_motion(field, h, e);
    return e;
}

// Where in the plane z = 0 Newton's method starts: cells of a polar grid in which the radial part of the acceleration changes sign, and
// in which, or beside which, the part along the circle does.
class Scan {
public:
    Scan(const SteadyField& field, const IsInside& is_inside) : radius_(field.synchronous_radius()) {
        radial_.resize(rings * longitudes);
        along_.resize(rings * longitudes);
        for (int ring = 0; ring < rings; ++ring)
            for (int k = 0; k < longitudes; ++k) {
                const Vec3 outward = direction(k), p = ring_radius(ring) * outward;
                const bool is_known = !is_inside(p);
                const Vec3 a = is_known ? field.acceleration(p) : Vec3{};
                radial_[index(ring, k)] = is_known ? dot(a, outward) : std::numeric_limits<double>::quiet_NaN();
                along_[index(ring, k)] = is_known ? outward.x * a.y - outward.y * a.x : std::numeric_limits<double>::quiet_NaN();
            }
    }

    std::vector<Vec3> starts() const {
        std::vector<Vec3> points;
        for (int ring = 0; ring + 1 < rings; ++ring)
            for (int k = 0; k < longitudes; ++k)
                if (changes(radial_, ring, k, k + 1) && changes(along_, ring, k - 1, k + 2))
                    points.push_back(0.5 * (ring_radius(ring) + ring_radius(ring + 1)) * direction(k + 0.5));
        return points;
    }

    // The side of a cell there, for the longest step.
    double reach(const Vec3& p) const { return norm(p) * 2 * pi / longitudes; }

private:
    double ring_radius(int ring) const { return radius_ * innermost * std::pow(outermost / innermost, ring / (rings - 1.0)); }
    static Vec3 direction(double k) { return {std::cos(2 * pi * k / longitudes), std::sin(2 * pi * k / longitudes), 0}; }
    static std::size_t index(int ring, int k) {
        return static_cast<std::size_t>(ring * longitudes + (k % longitudes + longitudes) % longitudes);
    }
    // Whether the corners from column `from` to column `to` of this ring and the next have both signs. Corners inside count for neither.
    bool changes(const std::vector<double>& values, int ring, int from, int to) const {
        bool has_positive = false, has_negative = false;
        for (int k = from; k <= to; ++k)
            for (const int r : {ring, ring + 1}) {
                has_positive = has_positive || values[index(r, k)] >= 0;
                has_negative = has_negative || values[index(r, k)] <= 0;
            }
        return has_positive && has_negative;
    }

    double radius_;
    std::vector<double> radial_, along_;
};

// By energy; where that is equal to rounding, as in a symmetric body, by longitude.
void sort_by_energy(std::vector<Equilibrium>& list) {
    std::sort(list.begin(), list.end(), [](const Equilibrium& a, const Equilibrium& b) { return a.energy < b.energy; });
    const auto longitude = [](const Equilibrium& e) {
        const double angle = std::atan2(e.position.y, e.position.x);
        return angle < -1e-6 ? angle + 2 * pi : angle;
    };
    for (std::size_t begin = 0; begin < list.size();) {
        std::size_t end = begin + 1;
        while (end < list.size() && list[end].energy - list[end - 1].energy <= 1e-9 * std::fabs(list[end].energy)) ++end;
        std::sort(list.begin() + static_cast<std::ptrdiff_t>(begin), list.begin() + static_cast<std::ptrdiff_t>(end),
                  [&](const Equilibrium& a, const Equilibrium& b) { return longitude(a) < longitude(b); });
        begin = end;
    }
}

std::vector<Equilibrium> around_one_body(const SteadyField& field, const IsInside& is_inside) {
    const Scan scan(field, is_inside);
    const double scale = field.synchronous_radius();
    std::vector<Vec3> found;
    for (const Vec3& start : scan.starts()) {
        const auto p = newton(Chart{.field = &field, .radius = scale}, is_inside, start, scale, scan.reach(start));
        if (!p || norm(*p) < innermost * scale || norm(*p) > outermost * scale) continue;
        const bool is_new = std::none_of(found.begin(), found.end(), [&](const Vec3& q) { return norm(q - *p) < 1e-5 * scale; });
        if (is_new) found.push_back(*p);
        if (found.size() > longitudes / 2)
            throw InputError("the body is so round that every place of a circle is an equilibrium",
                             "name a place with `position` alone, or give the body a shape and field = \"exact\"");
    }
    std::vector<Equilibrium> list;
    for (const Vec3& p : found) list.push_back(described(field, p, scale));
    sort_by_energy(list);
    std::array<int, 3> count{};
    for (Equilibrium& e : list) e.name = fmt::format("{}-{}", name(e.kind), ++count[static_cast<std::size_t>(e.kind)]);
    return list;
}

// The root of an increasing function, to rounding.
template <class F>
double root(double low, double high, const F& f) {
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (f(middle) < 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// L1 to L5 of two point masses with distance one: x - (1 - u) (x + u) / |x + u|^3 - u (x - 1 + u) / |x - 1 + u|^3 = 0 on the line.
std::array<Vec3, 5> point_mass_equilibria(double u) {
    const auto balance = [u](double x) {
        const double a = x + u, b = x - 1 + u;
        return x - (1 - u) * a / std::pow(std::fabs(a), 3) - u * b / std::pow(std::fabs(b), 3);
    };
    const double height = std::sqrt(3.0) / 2;
    return {Vec3{root(-u, 1 - u, balance), 0, 0}, Vec3{root(1 - u, 3, balance), 0, 0}, Vec3{root(-3, -u, balance), 0, 0},
            Vec3{0.5 - u, height, 0}, Vec3{0.5 - u, -height, 0}};
}

std::vector<Equilibrium> of_binary(const SteadyField& field, const IsInside& is_inside) {
    std::vector<Equilibrium> list;
    const std::array<Vec3, 5> starts = point_mass_equilibria(field.lighter_share);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const Vec3 start = field.from_orbit(field.distance * starts[i]);
        // Close to a small body the field changes over its distance, not over that of the two.
        const Vec3 seen = field.distance * starts[i];
        const double scale = std::fmin(norm(seen - field.lighter()), norm(seen - field.heavier()));
        const auto p = newton(Chart{.field = &field}, is_inside, start, scale, 0.1 * scale);
        if (!p || norm(*p - start) > 0.5 * scale) continue;  // shapes took it away
        list.push_back(described(field, *p, scale));
        list.back().name = fmt::format("L{}", i + 1);
    }
    return list;
}

bool turns_with(double rate, double mean_motion) { return std::fabs(rate - mean_motion) <= synchronous_within * std::fabs(mean_motion); }

}  // namespace

Vec3 SteadyField::to_orbit(const Vec3& p) const { return to_orbit_axes(p - centre); }
Vec3 SteadyField::to_orbit_axes(const Vec3& direction) const { return turned(direction, cosine, -sine); }
Vec3 SteadyField::from_orbit(const Vec3& p) const { return centre + turned(p, cosine, sine); }
double SteadyField::synchronous_radius() const { return std::cbrt(body.total_parameter() / (rate * rate)); }

SteadyField steady_field(const gravity::SmallBody& given) {
    SteadyField field{.body = given};
    gravity::SmallBody& body = field.body;
    body.is_inertial = false;
    if (!body.has_companion) {
        field.rate = body.target.spin_rate;
        if (field.rate == 0) throw InputError("a body that does not rotate has no equilibria", "give it a `period`");
        return field;
    }
    if (body.orbit.eccentricity > 0)
        throw InputError("equilibria need a circular mutual orbit: on an ellipse the field is never steady", "leave `eccentricity` out");
    const double n = body.orbit.mean_motion;
    field.is_binary = true;
    field.rate = n;
    field.is_target_synchronous = turns_with(body.target.spin_rate, n);
    if (!field.is_target_synchronous) body.target.field.kind = gravity::FieldKind::point;
    if (!turns_with(body.companion.spin_rate, n)) body.companion.field.kind = gravity::FieldKind::point;
    body.target.spin_rate = n;
    body.companion.spin_rate = n;
    const double own = body.target.field.gravitational_parameter(), other = body.companion.field.gravitational_parameter();
    const Vec3 to_companion = body.companion_pose(0).centre;
    field.centre = (other / (own + other)) * to_companion;
    field.distance = norm(to_companion);
    field.is_target_lighter = own < other;
    field.lighter_share = std::fmin(own, other) / (own + other);
    const Vec3 x = unit(field.is_target_lighter ? -to_companion : to_companion);
    field.cosine = x.x;
    field.sine = x.y;
    return field;
}

const char* name(EquilibriumKind kind) {
    switch (kind) {
        case EquilibriumKind::saddle: return "saddle";
        case EquilibriumKind::maximum: return "maximum";
        case EquilibriumKind::minimum: return "minimum";
    }
    return "";
}

std::vector<Equilibrium> equilibria(const SteadyField& field, const IsInside& is_inside) {
    return field.is_binary ? of_binary(field, is_inside) : around_one_body(field, is_inside);
}

const Equilibrium& find_equilibrium(const std::vector<Equilibrium>& list, std::string_view name) {
    constexpr std::string_view prefix = "equilibrium ", lowest = "-lowest";
    std::string wanted(name);
    if (wanted.ends_with(lowest)) wanted.replace(wanted.size() - lowest.size(), lowest.size(), "-1");
    std::vector<std::string> known;
    for (const Equilibrium& e : list) {
        known.push_back(e.name.starts_with("L") ? e.name : std::string(prefix) + e.name);
        if (known.back() == wanted) return e;
        if (e.name.ends_with("-1")) known.push_back(std::string(prefix) + e.name.substr(0, e.name.size() - 2) + std::string(lowest));
    }
    const std::string hint = did_you_mean(name, known);
    throw InputError({Problem{.what = fmt::format("there is no equilibrium \"{}\" outside the {}", name,
                                                  list.empty() || !list[0].name.starts_with("L") ? "body" : "bodies"),
                              .hint = hint.empty() ? "asperity equilibria FILE tells which there are" : hint,
                              .note = known.empty() ? "there are none" : fmt::format("known here: {}", joined(known))}});
}

}  // namespace asperity::analysis
