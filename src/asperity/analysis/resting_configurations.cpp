#include "asperity/analysis/resting_configurations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "asperity/core/errors.h"
#include "asperity/numerics/bracket.h"

namespace asperity::analysis {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The distance of two of three bodies, as an index of Distances.
std::size_t pair_of(std::size_t i, std::size_t j) { return (i + 1) % 3 == j ? i : j; }

// A root of f - wanted in (a, b], where f is monotone; none where it is at a.
template <class F>
void add_root(const F& f, double wanted, double a, double b, std::vector<double>& roots) {
    if (!(a < b)) return;
    const double fa = f(a) - wanted, fb = f(b) - wanted;
    if (fa == 0 || (fa > 0 && fb > 0) || (fa < 0 && fb < 0)) return;
    roots.push_back(numerics::bracketed_root([&](double s) { return f(s) - wanted; }, a, b, fa, fb));
}

// From a, where f rises without bound: an end of the bracket of f = wanted.
template <class F>
double beyond(const F& f, double wanted, double a) {
    double b = 2 * a;
    while (f(b) < wanted) b *= 2;
    return b;
}

// Where H^2 rises with the size of a kind, E'' is positive: E'(s, H^2) = 0 along it, so that E'' = (I' / 2 I^2) dH^2/ds.
struct Branch {
    double size = 0;
    bool is_rising = false;
};

// H^2 = K (A + B s^2)^2 / s^3 of most kinds: it falls until B s^2 = 3 A and rises from there.
struct Family {
    double a = 0, b = 0, k = 0;

    double operator()(double s) const {
        const double inertia = a + b * s * s;
        return k * inertia * inertia / (s * s * s);
    }
    // All s in (low, high) with that H^2.
    std::vector<Branch> sizes(double wanted, double low, double high = infinity) const {
        std::vector<double> falling, rising;
        const double turn = std::sqrt(3 * a / b), from = std::fmax(turn, low);
        add_root(*this, wanted, low, std::fmin(turn, high), falling);
        if (from < high) add_root(*this, wanted, from, high < infinity ? high : beyond(*this, wanted, from), rising);
        std::vector<Branch> out;
        for (const double s : falling)
            if (s < high) out.push_back({s, false});
        for (const double s : rising)
            if (s < high) out.push_back({s, true});
        return out;
    }
};

// Three spheres with a momentum; E and its slopes by the three distances.
class Triple {
public:
    Triple(std::span<const Sphere> spheres, double momentum2, double g)
        : momentum2_(momentum2), parameter_(g * (spheres[0].m + spheres[1].m + spheres[2].m)) {
        const double total = spheres[0].m + spheres[1].m + spheres[2].m;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3;
            m_[i] = spheres[i].m;
            mu_[i] = spheres[i].m * spheres[j].m / total;
            touching_[i] = spheres[i].r + spheres[j].r;
            spin_inertia_ += 0.4 * spheres[i].m * spheres[i].r * spheres[i].r;
        }
    }

    std::vector<RestingEquilibrium> all() const {
        constexpr std::array<Order, 3> middles{{{1, 0, 2}, {0, 1, 2}, {0, 2, 1}}};
        std::vector<RestingEquilibrium> out;
        add(out, Configuration::lagrange_resting, {0, 1, 2}, touching_, 0, true);
        for (const Order& line : middles) add_euler_resting(out, line);
        for (const Order& line : middles) add_v_rest(out, line);
        for (const Order& line : {Order{0, 1, 2}, Order{0, 2, 1}, Order{1, 0, 2}, Order{1, 2, 0}, Order{2, 0, 1}, Order{2, 1, 0}})
            add_aligned(out, line);
        for (const Order& order : {Order{0, 1, 2}, Order{1, 2, 0}, Order{0, 2, 1}}) add_transverse(out, order);
        add_lagrange_orbiting(out);
        for (const Order& line : middles) add_euler_orbiting(out, line);
        return out;
    }

    double energy(const Distances& r) const {
        double u = 0;
        for (std::size_t k = 0; k < 3; ++k) u -= parameter_ * mu_[k] / r[k];
        return momentum2_ / (2 * inertia(r)) + u;  // (1)
    }

private:
    using Order = std::array<std::size_t, 3>;

    double orbital_inertia(const Distances& r) const { return mu_[0] * r[0] * r[0] + mu_[1] * r[1] * r[1] + mu_[2] * r[2] * r[2]; }
    double inertia(const Distances& r) const { return spin_inertia_ + orbital_inertia(r); }  // (2)

    Distances slope(const Distances& r) const {
        const double i = inertia(r), rate2 = momentum2_ / (i * i);
        Distances e;
        for (std::size_t k = 0; k < 3; ++k) e[k] = mu_[k] * (parameter_ / (r[k] * r[k]) - rate2 * r[k]);  // (3)
        return e;
    }

    // Distances of a line a - c - b.
    static Distances on_line(const Order& line, double ac, double cb) {
        Distances r;
        r[pair_of(line[0], line[1])] = ac;
        r[pair_of(line[1], line[2])] = cb;
        r[pair_of(line[2], line[0])] = ac + cb;
        return r;
    }

    static bool is_line(Configuration c) {
        return c == Configuration::euler_resting || c == Configuration::aligned_mixed || c == Configuration::euler_orbiting;
    }

    // Which distances are contacts: what stands in Configuration, with the conventions of RestingEquilibrium::order.
    static std::array<bool, 3> contacts(Configuration c, const Order& o) {
        std::array<bool, 3> holds{};
        switch (c) {
            case Configuration::lagrange_resting: holds = {true, true, true}; break;
            case Configuration::euler_resting:
            case Configuration::v_rest: holds[pair_of(o[0], o[1])] = holds[pair_of(o[1], o[2])] = true; break;
            case Configuration::aligned_mixed: holds[pair_of(o[1], o[2])] = true; break;
            case Configuration::transverse_mixed: holds[pair_of(o[0], o[1])] = true; break;
            default: break;
        }
        return holds;
    }

    // Adds it where its contacts press. On a line r_ac and r_cb move r_ab with them.
    void add(std::vector<RestingEquilibrium>& out, Configuration c, const Order& o, const Distances& r, double size, bool is_stable) const {
        RestingEquilibrium q{.configuration = c,
                             .distances = r,
                             .size = size,
                             .energy = energy(r),
                             .rate = std::sqrt(momentum2_) / inertia(r),
                             .is_stable = is_stable};
        const std::array<bool, 3> holds = contacts(c, o);
        Distances e = slope(r);
        if (is_line(c)) {
            const double outer = e[pair_of(o[2], o[0])];
            e[pair_of(o[0], o[1])] += outer;
            e[pair_of(o[1], o[2])] += outer;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            q.order[k] = static_cast<int>(o[k]);
            if (!holds[k]) continue;
            if (e[k] < 0) return;
            q.contact_force[k] = e[k];
        }
        out.push_back(q);
    }

    // Stable where the bend is: (5).
    void add_euler_resting(std::vector<RestingEquilibrium>& out, const Order& o) const {
        const Distances r = on_line(o, touching_[pair_of(o[0], o[1])], touching_[pair_of(o[1], o[2])]);
        add(out, Configuration::euler_resting, o, r, 0, slope(r)[pair_of(o[2], o[0])] < 0);
    }

    void add_v_rest(std::vector<RestingEquilibrium>& out, const Order& o) const {
        const std::size_t ac = pair_of(o[0], o[1]), cb = pair_of(o[1], o[2]), ab = pair_of(o[2], o[0]);
        Distances r = touching_;
        r[ab] = 0;
        const Family family{.a = inertia(r), .b = mu_[ab], .k = parameter_};
        for (const Branch& branch : family.sizes(momentum2_, touching_[ab], touching_[ac] + touching_[cb])) {
            r[ab] = branch.size;
            add(out, Configuration::v_rest, o, r, branch.size, branch.is_rising);
        }
    }

    // c - a - b with a and b in contact, s = r_ca. Its bend is always stable: as e_ca + e_cb = 0, e_cb has the sign of 1/r_cb^3 - 1/r_ca^3.
    void add_aligned(std::vector<RestingEquilibrium>& out, const Order& o) const {
        const double m_a = m_[o[1]], m_b = m_[o[2]], d = touching_[pair_of(o[1], o[2])], low = touching_[pair_of(o[0], o[1])];
        const auto needed = [&](double s) {
            const double i = inertia(on_line(o, s, d)), far = s + d;
            return i * i * parameter_ * (m_a / (s * s) + m_b / (far * far)) / (m_a * s + m_b * far);
        };
        const auto log_slope = [&](double s) {
            const double far = s + d, near_pull = m_a / (s * s), far_pull = m_b / (far * far), arm = m_a * s + m_b * far;
            return 4 * m_[o[0]] / total() * arm / inertia(on_line(o, s, d)) -
                   2 * (near_pull / s + far_pull / far) / (near_pull + far_pull) - (m_a + m_b) / arm;
        };
        // Beyond `high` H^2 only rises; before, it turns at most once (docs/theory/ternary.md, eq. 14).
        const double still = spin_inertia_ + mu_[pair_of(o[1], o[2])] * d * d;
        const double high = std::fmax(std::fmax(4 * d, 2 * low), std::sqrt(9.6 * still / moved_with(o[0])));
        std::vector<double> ends{low};
        add_root(log_slope, 0, low, high, ends);
        ends.push_back(beyond(needed, momentum2_, high));
        for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
            std::vector<double> roots;
            add_root(needed, momentum2_, ends[k], ends[k + 1], roots);
            const bool is_rising = k + 2 == ends.size();
            for (const double s : roots) add(out, Configuration::aligned_mixed, o, on_line(o, s, d), s + m_b * d / (m_a + m_b), is_rising);
        }
    }

    // This one and those without a contact are never minima: off a line the Hessian along the n free distances is a matrix of rank 1 less a
    // positive diagonal, with n - 1 negative eigenvalues; on a line U is concave at a fixed I.
    void add_transverse(std::vector<RestingEquilibrium>& out, const Order& o) const {
        const std::size_t pair = pair_of(o[0], o[1]);
        const double d = touching_[pair], share = m_[o[0]] * m_[o[1]] / ((m_[o[0]] + m_[o[1]]) * (m_[o[0]] + m_[o[1]]));
        const Family family{.a = spin_inertia_ + mu_[pair] * d * d, .b = moved_with(o[2]), .k = parameter_};
        for (const auto& [s, is_rising] : family.sizes(momentum2_, *std::max_element(touching_.begin(), touching_.end()))) {
            Distances r{s, s, s};
            r[pair] = d;
            add(out, Configuration::transverse_mixed, o, r, std::sqrt(s * s - share * d * d), false);
        }
    }

    void add_lagrange_orbiting(std::vector<RestingEquilibrium>& out) const {
        const Family family{.a = spin_inertia_, .b = mu_[0] + mu_[1] + mu_[2], .k = parameter_};
        for (const auto& [s, is_rising] : family.sizes(momentum2_, *std::max_element(touching_.begin(), touching_.end())))
            add(out, Configuration::lagrange_orbiting, {0, 1, 2}, {s, s, s}, s, false);
    }

    void add_euler_orbiting(std::vector<RestingEquilibrium>& out, const Order& o) const {
        const double m_a = m_[o[0]], m_c = m_[o[1]], m_b = m_[o[2]], x = euler_ratio(m_a, m_c, m_b);
        const double centre = (m_c + m_b * (1 + x)) / total();  // from a, in r_ac
        const double rate2 = parameter_ / total() * (m_c + m_b / ((1 + x) * (1 + x))) / centre;
        const Family family{.a = spin_inertia_, .b = orbital_inertia(on_line(o, 1, x)), .k = rate2};
        const double low = std::fmax(touching_[pair_of(o[0], o[1])], touching_[pair_of(o[1], o[2])] / x);
        for (const auto& [s, is_rising] : family.sizes(momentum2_, low))
            add(out, Configuration::euler_orbiting, o, on_line(o, s, x * s), std::fmin(s, x * s), false);
    }

    double total() const { return m_[0] + m_[1] + m_[2]; }
    double moved_with(std::size_t body) const { return mu_[body] + mu_[(body + 2) % 3]; }

    double momentum2_;
    double parameter_;  // G M
    double spin_inertia_ = 0;
    std::array<double, 3> m_{};
    Distances mu_{}, touching_{};
};

// Two spheres: one distance.
class Pair {
public:
    Pair(std::span<const Sphere> spheres, double momentum2, double g)
        : momentum2_(momentum2),
          parameter_(g * (spheres[0].m + spheres[1].m)),
          mu_(spheres[0].m * spheres[1].m / (spheres[0].m + spheres[1].m)),
          touching_(spheres[0].r + spheres[1].r),
          spin_inertia_(0.4 * (spheres[0].m * spheres[0].r * spheres[0].r + spheres[1].m * spheres[1].r * spheres[1].r)) {}

    double energy(double r) const { return momentum2_ / (2 * inertia(r)) - parameter_ * mu_ / r; }

    std::vector<RestingEquilibrium> all() const {
        std::vector<RestingEquilibrium> out;
        const double press = slope(touching_);
        if (press >= 0) {
            out.push_back(described(Configuration::resting_pair, touching_));
            out.back().contact_force[0] = press;
            out.back().is_stable = true;
        }
        const Family family{.a = spin_inertia_, .b = mu_, .k = parameter_};
        for (const Branch& branch : family.sizes(momentum2_, touching_)) {
            out.push_back(described(Configuration::orbiting_pair, branch.size));
            out.back().size = branch.size;
            out.back().is_stable = branch.is_rising;
        }
        return out;
    }

private:
    double inertia(double r) const { return spin_inertia_ + mu_ * r * r; }
    double rate2(double r) const { return momentum2_ / (inertia(r) * inertia(r)); }
    double slope(double r) const { return mu_ * (parameter_ / (r * r) - rate2(r) * r); }
    RestingEquilibrium described(Configuration c, double r) const {
        return {.configuration = c, .order = {0, 1, -1}, .distances = {r, 0, 0}, .energy = energy(r), .rate = std::sqrt(rate2(r))};
    }

    double momentum2_, parameter_, mu_, touching_, spin_inertia_;
};

}  // namespace

std::vector<RestingEquilibrium> resting_equilibria(std::span<const Sphere> spheres, double momentum2, double gravitational_constant) {
    ASPERITY_REQUIRE(spheres.size() == 2 || spheres.size() == 3, "{} spheres", spheres.size());
    if (spheres.size() == 2) return Pair(spheres, momentum2, gravitational_constant).all();
    return Triple(spheres, momentum2, gravitational_constant).all();
}

const RestingEquilibrium& ground_state(const std::vector<RestingEquilibrium>& list) {
    const RestingEquilibrium* best = nullptr;
    for (const RestingEquilibrium& q : list)
        if (q.is_stable && (best == nullptr || q.energy < best->energy)) best = &q;
    ASPERITY_REQUIRE(best != nullptr, "no stable one among {} equilibria", list.size());
    return *best;
}

bool is_ground(const RestingEquilibrium& q, const RestingEquilibrium& ground) {
    return q.is_stable && q.energy - ground.energy <= 1e-12 * std::fabs(ground.energy);
}

std::array<Vec3, 3> positions(std::span<const Sphere> spheres, const RestingEquilibrium& q) {
    std::array<Vec3, 3> p{};
    const auto index = [&](std::size_t k) { return static_cast<std::size_t>(q.order[k]); };
    if (spheres.size() == 2) {
        p[1].x = q.distances[0];
    } else {
        const std::size_t i = index(0), j = index(1), k = index(2);
        const double ij = q.distances[pair_of(i, j)], jk = q.distances[pair_of(j, k)], ki = q.distances[pair_of(k, i)];
        const bool is_line = ki == ij + jk;  // made so: rounding would bend it by 1e-8
        const double along = is_line ? ki : (ij * ij + ki * ki - jk * jk) / (2 * ij);
        p[j].x = ij;
        p[k] = {along, is_line ? 0 : std::sqrt((ki - along) * (ki + along)), 0};
    }
    Vec3 centre;
    double total = 0;
    for (std::size_t k = 0; k < spheres.size(); ++k) {
        centre += spheres[k].m * p[k];
        total += spheres[k].m;
    }
    for (std::size_t k = 0; k < spheres.size(); ++k) p[k] -= centre / total;
    return p;
}

double euler_ratio(double m_a, double m_c, double m_b) {
    const auto excess = [&](double x) {  // the quintic: no difference of nearly equal pulls, as in a balance of forces with a small m_c
        const double rising = ((m_a + m_c) * x + 3 * m_a + 2 * m_c) * x + 3 * m_a + m_c;
        return rising * x * x * x - (((m_c + 3 * m_b) * x + 2 * m_c + 3 * m_b) * x + m_c + m_b);
    };
    double low = 1, high = 1;
    while (excess(low) > 0) low /= 2;
    while (excess(high) < 0) high *= 2;
    if (low == high) return 1;
    return numerics::bracketed_root(excess, low, high, excess(low), excess(high));
}

double equal_sphere_momentum2(Configuration configuration, double s) {
    const auto of = [](double inertia, double rate2) { return inertia * inertia * rate2; };
    const double mixed_inertia = 0.8 + 2 * s * s / 3, near = s - 0.5, far = s + 0.5;
    switch (configuration) {
        case Configuration::v_rest: return of((2 + s * s) / 3 + 0.3, 3 / (s * s * s));
        case Configuration::aligned_mixed: return of(mixed_inertia, 1.5 / s * (1 / (near * near) + 1 / (far * far)));
        case Configuration::transverse_mixed: return of(mixed_inertia, 3 * std::pow(s * s + 0.25, -1.5));
        case Configuration::lagrange_orbiting: return of(s * s + 0.3, 3 / (s * s * s));
        case Configuration::euler_orbiting: return of(2 * s * s + 0.3, 1.25 / (s * s * s));
        default: break;
    }
    ASPERITY_REQUIRE(false, "{} has no size", name(configuration));
    return 0;
}

EqualSphereThresholds equal_sphere_thresholds() {
    constexpr double lagrange_inertia = 1.3, lagrange_potential = -3, euler_inertia = 2.3, euler_potential = -2.5;
    const auto root = [](const auto& f, double a, double b) { return numerics::bracketed_root(f, a, b, f(a), f(b)); };
    const auto aligned_slope = [](double s) {  // of the logarithm of H^2
        const double near = s - 0.5, far = s + 0.5, pull = 1 / (near * near) + 1 / (far * far);
        return 8 * s / 3 / (0.8 + 2 * s * s / 3) - 1 / s - 2 * (1 / (near * near * near) + 1 / (far * far * far)) / pull;
    };
    const auto transverse_slope = [](double s) { return 8 * s / 3 / (0.8 + 2 * s * s / 3) - 3 * s / (s * s + 0.25); };
    const auto aligned_excess = [&](double s) {  // over the energy of Euler Resting, at the same H
        const double h2 = equal_sphere_momentum2(Configuration::aligned_mixed, s);
        return h2 / 2 * (1 / (0.8 + 2 * s * s / 3) - 1 / euler_inertia) - 1 - 1 / (s - 0.5) - 1 / (s + 0.5) - euler_potential;
    };
    EqualSphereThresholds t;
    t.euler_resting_stable = equal_sphere_momentum2(Configuration::v_rest, 2);
    t.lagrange_equals_euler = 2 * (euler_potential - lagrange_potential) / (1 / lagrange_inertia - 1 / euler_inertia);
    t.transverse_mixed_size = root(transverse_slope, 1, 3);
    t.transverse_mixed = equal_sphere_momentum2(Configuration::transverse_mixed, t.transverse_mixed_size);
    t.lagrange_resting_ends = equal_sphere_momentum2(Configuration::v_rest, 1);
    t.aligned_mixed_size = root(aligned_slope, 1.5, 4);
    t.aligned_mixed = equal_sphere_momentum2(Configuration::aligned_mixed, t.aligned_mixed_size);
    t.euler_equals_aligned = equal_sphere_momentum2(Configuration::aligned_mixed, root(aligned_excess, t.aligned_mixed_size, 6));
    t.euler_resting_ends = equal_sphere_momentum2(Configuration::euler_orbiting, 1);
    return t;
}

}  // namespace asperity::analysis
