#include "asperity/analysis/resting_configurations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"
#include "unit/analysis/equal_spheres.h"

namespace asperity::analysis::resting_configurations_test {
namespace {

constexpr DrawKey key{.seed = 11, .run = 0, .stream = 3};
// The bodies of 3-ternary: 4 km, 2 g/cm^3, its own G.
constexpr EqualSpheres thesis{.diameter = 4000, .density = 2000, .gravitational_constant = 6.67384e-11};

double draw(std::uint64_t& counter, double low, double high) { return low + (high - low) * random_uniform(key, counter++); }

std::array<Sphere, 3> thesis_spheres() { return {thesis.sphere(), thesis.sphere(), thesis.sphere()}; }
std::vector<RestingEquilibrium> of_thesis(double momentum2) {
    return resting_equilibria(thesis_spheres(), momentum2 * thesis.momentum2_unit(), thesis.gravitational_constant);
}
const RestingEquilibrium& first_of(const std::vector<RestingEquilibrium>& list, Configuration c) {
    return *std::find_if(list.begin(), list.end(), [c](const RestingEquilibrium& q) { return q.configuration == c; });
}

// In units d = m = G = 1, permutations once: at most the seven, of which mixed ones can have two branches.
std::vector<RestingEquilibrium> equal_sphere_equilibria(double momentum2) {
    const std::array<Sphere, 3> spheres{{{1, 0.5}, {1, 0.5}, {1, 0.5}}};
    std::vector<RestingEquilibrium> list = resting_equilibria(spheres, momentum2, 1);
    std::erase_if(list, [](const RestingEquilibrium& q) { return q.order != std::array{0, 1, 2}; });  // of every kind one is so
    return list;
}

// The errata of 3-ternary, then roots with 30 digits of the closed forms (docs/theory/ternary.md).
TEST(RestingConfigurations, ThresholdsOfEqualSpheres) {
    const EqualSphereThresholds t = equal_sphere_thresholds();
    EXPECT_NEAR(t.euler_resting_stable, 1.98375, 1e-12);
    EXPECT_NEAR(t.lagrange_equals_euler, 2.99, 1e-12);
    EXPECT_NEAR(t.transverse_mixed, 4.00164575197253503599807748966, 1e-12);
    EXPECT_NEAR(t.transverse_mixed_size, 1.61245154965970993047332264606, 1e-12);
    EXPECT_NEAR(t.lagrange_resting_ends, 5.07, 1e-12);
    EXPECT_NEAR(t.aligned_mixed, 5.3241652799309598536711084976, 1e-12);
    EXPECT_NEAR(t.aligned_mixed_size, 2.33696447810578842419256592855, 1e-12);
    EXPECT_NEAR(t.euler_equals_aligned, 5.65908003948389289395813598113, 1e-12);
    EXPECT_NEAR(t.euler_resting_ends, 6.6125, 1e-12);
}

// "stable", "unstable", or both in the order of size, by name.
std::map<std::string, std::string> diagram(double momentum2) {
    std::map<std::string, std::string> out;
    for (const RestingEquilibrium& q : equal_sphere_equilibria(momentum2)) {
        std::string& text = out[name(q.configuration)];
        text += std::string(text.empty() ? "" : " ") + (q.is_stable ? "stable" : "unstable");
    }
    return out;
}

// 3-ternary, Fig. 2.4, with both branches of the mixed configurations; the list changes at the thresholds and nowhere else.
TEST(RestingConfigurations, TheSevenOfEqualSpheresAppearAndEndAtTheThresholds) {
    using Diagram = std::map<std::string, std::string>;
    const EqualSphereThresholds t = equal_sphere_thresholds();
    const Diagram tm{{"Transverse Mixed", "unstable"}}, lo{{"Lagrange Orbiting", "unstable"}}, eo{{"Euler Orbiting", "unstable"}};
    const Diagram am{{"Aligned Mixed", "stable"}}, am2{{"Aligned Mixed", "unstable stable"}};
    const Diagram er{{"Euler Resting", "stable"}}, lr{{"Lagrange Resting", "stable"}}, v{{"V-Rest", "unstable"}};
    const auto sum = [](std::initializer_list<Diagram> parts) {
        Diagram all;
        for (const Diagram& part : parts) all.insert(part.begin(), part.end());
        return all;
    };
    struct Interval {
        double low, high;
        Diagram expected;
    };
    const Interval intervals[] = {
        {0, t.euler_resting_stable, sum({lr, {{"Euler Resting", "unstable"}}})},
        {t.euler_resting_stable, t.transverse_mixed, sum({lr, er, v})},
        {t.transverse_mixed, t.lagrange_resting_ends, sum({lr, er, v, {{"Transverse Mixed", "unstable unstable"}}})},
        {t.lagrange_resting_ends, t.aligned_mixed, sum({er, tm, lo})},
        {t.aligned_mixed, t.euler_resting_ends, sum({er, am2, tm, lo})},
        {t.euler_resting_ends, 50, sum({am, tm, lo, eo})},
    };
    for (const Interval& i : intervals)
        for (const double h2 :
             {i.low + 1e-9, 0.9 * i.low + 0.1 * i.high, 0.5 * (i.low + i.high), 0.1 * i.low + 0.9 * i.high, i.high - 1e-9})
            EXPECT_EQ(diagram(h2), i.expected) << h2;
    EXPECT_EQ(diagram(0), intervals[0].expected);
}

TEST(RestingConfigurations, GroundStateOfEqualSpheres) {
    const auto ground = [](double h2) { return ground_state(equal_sphere_equilibria(h2)).configuration; };
    const EqualSphereThresholds t = equal_sphere_thresholds();
    EXPECT_EQ(ground(0), Configuration::lagrange_resting);
    EXPECT_EQ(ground(t.lagrange_equals_euler - 1e-9), Configuration::lagrange_resting);
    EXPECT_EQ(ground(t.lagrange_equals_euler + 1e-9), Configuration::euler_resting);
    EXPECT_EQ(ground(t.euler_equals_aligned - 1e-9), Configuration::euler_resting);
    EXPECT_EQ(ground(t.euler_equals_aligned + 1e-9), Configuration::aligned_mixed);
    EXPECT_EQ(ground(1000), Configuration::aligned_mixed);
}

// A size gives its H^2, which gives the size back.
TEST(RestingConfigurations, SizeAndMomentumBelongTogether) {
    for (const auto& [c, size] :
         {std::pair{Configuration::v_rest, 1.3}, std::pair{Configuration::aligned_mixed, 1.9}, std::pair{Configuration::aligned_mixed, 3.6},
          std::pair{Configuration::transverse_mixed, 1.2}, std::pair{Configuration::transverse_mixed, 7.0},
          std::pair{Configuration::lagrange_orbiting, 1.8}, std::pair{Configuration::euler_orbiting, 2.5}}) {
        const auto list = equal_sphere_equilibria(equal_sphere_momentum2(c, size));
        EXPECT_TRUE(std::any_of(list.begin(), list.end(), [c = c, size = size](const RestingEquilibrium& q) {
            return q.configuration == c && std::fabs(q.size - size) < 1e-12 * size;
        })) << name(c);
    }
    EXPECT_THROW(equal_sphere_momentum2(Configuration::euler_resting, 1), Bug);
}

// The errata: energies of 5.3, 5.5, 5.7 and rates of 5.2, all printed digits; the rest of the table in docs/theory/ternary.md.
TEST(RestingConfigurations, EnergiesAndRatesOfTheThesis) {
    struct Row {
        double h2;
        Configuration configuration;
        double energy, rate, force;
    };
    const double at_36 = equal_sphere_momentum2(Configuration::aligned_mixed, 3.6);
    EXPECT_NEAR(at_36, 6.0726, 0.5e-4);
    const Row rows[] = {{1, Configuration::lagrange_resting, -1.96006e14, 2.03357e-4, 1.50404e10},
                        {1.80157, Configuration::lagrange_resting, -1.72901e14, 2.72951e-4, 1.20783e10},
                        {3.5, Configuration::euler_resting, -1.30336e14, 2.15035e-4, 1.10237e10},
                        {5.204, Configuration::euler_resting, -1.02575e14, 2.62206e-4, 4.98855e9},
                        {at_36, Configuration::aligned_mixed, -9.32926e13, 6.90109e-5, 1.76799e10},
                        {6.7058, Configuration::aligned_mixed, -9.11385e13, 5.35945e-5, 1.80977e10}};
    for (const Row& row : rows) {
        const auto digit = [](double value) { return 0.5 * std::pow(10, std::floor(std::log10(std::fabs(value))) - 5); };
        const RestingEquilibrium q = ground_state(of_thesis(row.h2));
        EXPECT_EQ(q.configuration, row.configuration) << row.h2;
        EXPECT_NEAR(q.energy, row.energy, digit(row.energy)) << row.h2;
        EXPECT_NEAR(q.rate, row.rate, digit(row.rate)) << row.h2;
        EXPECT_NEAR(*std::max_element(q.contact_force.begin(), q.contact_force.end()), row.force, digit(row.force)) << row.h2;
        // The same in units d = m = G = 1.
        const RestingEquilibrium unit = ground_state(equal_sphere_equilibria(row.h2));
        EXPECT_NEAR(q.energy / (unit.energy * thesis.energy_unit()), 1, 1e-13);
        EXPECT_NEAR(q.rate / (unit.rate * thesis.rate_unit()), 1, 1e-13);
        EXPECT_NEAR(q.size, unit.size * thesis.diameter, 1e-12 * q.size);
    }
}

// Forces of the contacts over k_e = 1e13 N/m: the penetrations of 1.504 mm (Lagrange Resting, H2 = 1) and 1.10 mm (Euler Resting, 3.5).
TEST(RestingConfigurations, ContactForcesOfTheThesis) {
    const auto lagrange = of_thesis(1), euler = of_thesis(3.5);
    for (const double force : first_of(lagrange, Configuration::lagrange_resting).contact_force)
        EXPECT_NEAR(force / 1e13, 1.504e-3, 0.5e-6);
    const RestingEquilibrium& q = first_of(euler, Configuration::euler_resting);  // body 0 in the middle
    EXPECT_EQ(q.order, (std::array{1, 0, 2}));
    EXPECT_NEAR(q.contact_force[0] / 1e13, 1.10e-3, 0.5e-5);
    EXPECT_NEAR(q.contact_force[2] / 1e13, 1.10e-3, 0.5e-5);
    EXPECT_EQ(q.contact_force[1], 0);
}

// Below, E is taken from places in the plane, in long double, by its definition.
using Real = long double;
using Place = std::array<Real, 6>;

Real bound(const std::array<Sphere, 3>& s, const Place& p, Real h2) {
    Real total = 0, x = 0, y = 0, inertia = 0, u = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        total += s[i].m;
        x += s[i].m * p[2 * i];
        y += s[i].m * p[2 * i + 1];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const Real dx = p[2 * i] - x / total, dy = p[2 * i + 1] - y / total;
        inertia += s[i].m * (dx * dx + dy * dy) + Real(2) / 5 * s[i].m * s[i].r * s[i].r;
        for (std::size_t j = 0; j < i; ++j) u -= s[i].m * s[j].m / std::hypot(p[2 * i] - p[2 * j], p[2 * i + 1] - p[2 * j + 1]);
    }
    return h2 / (2 * inertia) + u;
}

Real gap(const std::array<Sphere, 3>& s, const Place& p, std::size_t i, std::size_t j) {
    return std::hypot(p[2 * i] - p[2 * j], p[2 * i + 1] - p[2 * j + 1]) - (Real(s[i].r) + s[j].r);
}

Place place_of(const std::array<Sphere, 3>& s, const RestingEquilibrium& q) {
    const auto p = positions(s, q);
    return {p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y};
}

// Masses and radii of unequal spheres, G = 1, and H^2 around where they part.
struct Drawn {
    std::array<Sphere, 3> spheres;
    double h2;
};
Drawn drawn(std::uint64_t& c) {
    Drawn out{};
    for (Sphere& s : out.spheres) {
        s.r = draw(c, 0.25, 1);
        s.m = 8 * s.r * s.r * s.r * draw(c, 0.5, 2);
    }
    double m = 0, r = 0;
    for (const Sphere& s : out.spheres) {
        m += s.m / 3;
        r += 2 * s.r / 3;
    }
    out.h2 = m * m * m * r * draw(c, 0.2, 9);
    return out;
}

// grad E = sum of contact forces along the lines of centres, at every equilibrium found; contacts press; nothing overlaps.
TEST(RestingConfigurations, UnequalSpheresAreInBalance) {
    std::uint64_t counter = 0;
    std::map<Configuration, int> seen;
    for (int run = 0; run < 300; ++run) {
        const Drawn d = drawn(counter);
        for (const RestingEquilibrium& q : resting_equilibria(d.spheres, d.h2, 1)) {
            ++seen[q.configuration];
            const Place p = place_of(d.spheres, q);
            const double far = *std::max_element(q.distances.begin(), q.distances.end());  // places are rounded at its scale
            EXPECT_NEAR(q.energy / static_cast<double>(bound(d.spheres, p, d.h2)), 1, 5e-15 * (1 + far));
            std::array<double, 6> force{};  // -grad E plus the contacts
            for (std::size_t k = 0; k < 6; ++k) {
                Place a = p, b = p;
                const Real h = 1e-6L;
                a[k] += h;
                b[k] -= h;
                force[k] = -static_cast<double>((bound(d.spheres, a, d.h2) - bound(d.spheres, b, d.h2)) / (2 * h));
            }
            double size = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t l = (k + 1) % 3;
                const double r = q.distances[k], touching = d.spheres[k].r + d.spheres[l].r;
                size += d.spheres[k].m * d.spheres[l].m / (r * r);
                EXPECT_GE(q.contact_force[k], 0);
                EXPECT_GE(r, touching * (1 - 1e-15)) << name(q.configuration);
                if (q.contact_force[k] > 0) {
                    EXPECT_NEAR(r / touching, 1, 1e-15);
                }
                EXPECT_NEAR(static_cast<double>(gap(d.spheres, p, k, l)), r - touching, 1e-15 * far);
                for (const std::size_t i : {0u, 1u}) {
                    const double push = q.contact_force[k] * static_cast<double>(p[2 * k + i] - p[2 * l + i]) / r;
                    force[2 * k + i] += push;
                    force[2 * l + i] -= push;
                }
            }
            for (const double f : force) EXPECT_NEAR(f / size, 0, 1e-10) << name(q.configuration);
        }
    }
    EXPECT_EQ(seen.size(), 7u);  // each of the seven occurred
}

// Distances a - c, c - b and the bend at c give a place.
using Order = std::array<std::size_t, 3>;
using Three = std::array<Real, 3>;
Place bent(const Order& o, const Three& x) {
    Place p{};
    p[2 * o[0]] = -x[0];
    p[2 * o[2]] = x[1] * std::cos(x[2]);
    p[2 * o[2] + 1] = x[1] * std::sin(x[2]);
    return p;
}
Three bent_of(const Order& o, const Place& p) {
    const Real ux = p[2 * o[1]] - p[2 * o[0]], uy = p[2 * o[1] + 1] - p[2 * o[0] + 1];
    const Real vx = p[2 * o[2]] - p[2 * o[1]], vy = p[2 * o[2] + 1] - p[2 * o[1] + 1];
    return {std::hypot(ux, uy), std::hypot(vx, vy), std::atan2(ux * vy - uy * vx, ux * vx + uy * vy)};
}
// The distance of a pair, that of the third from its centre of mass, and the angle between the two lines: o is the pair, then the third.
Place polar(const std::array<Sphere, 3>& s, const Order& o, const Three& x) {
    Place p{};
    const Real total = Real(s[o[0]].m) + s[o[1]].m;
    p[2 * o[0]] = -x[0] * s[o[1]].m / total;
    p[2 * o[1]] = x[0] * s[o[0]].m / total;
    p[2 * o[2]] = x[1] * std::cos(x[2]);
    p[2 * o[2] + 1] = x[1] * std::sin(x[2]);
    return p;
}
Three polar_of(const std::array<Sphere, 3>& s, const Order& o, const Place& p) {
    const Real total = Real(s[o[0]].m) + s[o[1]].m;
    const Real x = (s[o[0]].m * p[2 * o[0]] + s[o[1]].m * p[2 * o[1]]) / total;
    const Real y = (s[o[0]].m * p[2 * o[0] + 1] + s[o[1]].m * p[2 * o[1] + 1]) / total;
    const Real ux = p[2 * o[1]] - p[2 * o[0]], uy = p[2 * o[1] + 1] - p[2 * o[0] + 1];
    const Real vx = p[2 * o[2]] - x, vy = p[2 * o[2] + 1] - y;
    return {std::hypot(ux, uy), std::hypot(vx, vy), std::atan2(ux * vy - uy * vx, ux * vx + uy * vy)};
}
bool is_admissible(const std::array<Sphere, 3>& s, const Place& p) {
    for (std::size_t k = 0; k < 3; ++k)
        if (gap(s, p, k, (k + 1) % 3) < -1e-15L) return false;
    return true;
}

// Small admissible displacements, drawn at random: of a stable one each costs energy, of an unstable one some gain it.
TEST(RestingConfigurations, StabilityOfUnequalSpheresByBruteForce) {
    std::uint64_t counter = 50000;
    std::map<Configuration, std::array<int, 2>> seen;
    for (int run = 0; run < 60; ++run) {
        Drawn d = drawn(counter);
        if (run % 3 == 0) d.spheres[1].m *= 0.03;  // a light one: between two heavy ones it can hold a stable V
        for (const RestingEquilibrium& q : resting_equilibria(d.spheres, d.h2, 1)) {
            const bool is_aligned = q.configuration == Configuration::aligned_mixed;
            const bool is_mixed = is_aligned || q.configuration == Configuration::transverse_mixed;
            const auto at = [&](int k) { return static_cast<std::size_t>(q.order[static_cast<std::size_t>(k)]); };
            const Order o = is_aligned ? Order{at(1), at(2), at(0)} : Order{at(0), at(1), at(2)};
            const auto place = [&](const Three& x) { return is_mixed ? polar(d.spheres, o, x) : bent(o, x); };
            if (*std::max_element(q.distances.begin(), q.distances.end()) > 30) continue;  // differences would drown in rounding
            const Place start = place_of(d.spheres, q);
            Three x = is_mixed ? polar_of(d.spheres, o, start) : bent_of(o, start);
            for (const int k : {0, 1})  // a contact to the last bit of long double
                if (!is_mixed || k == 0) {
                    const auto i = o[static_cast<std::size_t>(k)], j = o[static_cast<std::size_t>(k) + 1];
                    const Real touching = Real(d.spheres[i].r) + d.spheres[j].r;
                    Real& distance = x[static_cast<std::size_t>(k)];
                    if (std::fabs(distance / touching - 1) < 1e-12L) distance = touching;
                }
            const Real here = bound(d.spheres, place(x), d.h2);
            double least = 1;
            for (int sample = 0; sample < 300; ++sample) {
                // A coordinate stays in half of them: sliding along a contact would else be lost behind the cost of opening it.
                Three to = x;
                for (std::size_t k = 0; k < 3; ++k)
                    if (draw(counter, 0, 1) < 0.5) to[k] += 3e-4L * (k < 2 ? x[k] : 1) * draw(counter, -1, 1);
                const Place there = place(to);
                if (to != x && is_admissible(d.spheres, there))
                    least = std::fmin(least, static_cast<double>((bound(d.spheres, there, d.h2) - here) / -here));
            }
            EXPECT_EQ(least > -1e-18, q.is_stable) << name(q.configuration) << " " << run << ": " << least;
            ++seen[q.configuration][q.is_stable];
        }
    }
    for (const auto c : {Configuration::euler_resting, Configuration::aligned_mixed})
        EXPECT_GT(std::min(seen[c][0], seen[c][1]), 5) << name(c);
}

// Descent at random from random places: it ends in one of the stable equilibria found, so none is missing.
TEST(RestingConfigurations, DescentEndsInAStableEquilibriumOfTheList) {
    constexpr std::array<Order, 3> orders{{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}};
    std::uint64_t counter = 3000000;
    std::map<Configuration, int> ends;
    for (int run = 0; run < 60; ++run) {
        const Drawn d = drawn(counter);
        const auto list = resting_equilibria(d.spheres, d.h2, 1);
        const auto touching = [&](std::size_t i, std::size_t j) { return Real(d.spheres[i].r) + d.spheres[j].r; };
        Place p = bent({0, 1, 2}, {touching(0, 1) * draw(counter, 1, 3), touching(1, 2) * draw(counter, 1, 3), draw(counter, 0, 1)});
        if (!is_admissible(d.spheres, p)) continue;
        Real now = bound(d.spheres, p, d.h2);
        for (int k = 0; k < 6000; ++k) {  // in three coordinates of any order and kind, over steps of any size
            const Order& o = orders[static_cast<std::size_t>(draw(counter, 0, 3))];
            const bool is_polar = draw(counter, 0, 1) < 0.5;
            const Real step = std::pow(10.0, draw(counter, -7, 0));
            Three x = is_polar ? polar_of(d.spheres, o, p) : bent_of(o, p);
            for (std::size_t c = 0; c < 3; ++c)
                if (draw(counter, 0, 1) < 0.5) x[c] += step * draw(counter, -1, 1) * (c < 2 ? x[c] : 1);
            x[0] = std::fmax(x[0], touching(o[0], o[1]));
            if (!is_polar) x[1] = std::fmax(x[1], touching(o[1], o[2]));
            const Place there = is_polar ? polar(d.spheres, o, x) : bent(o, x);
            if (!is_admissible(d.spheres, there)) continue;
            const Real value = bound(d.spheres, there, d.h2);
            if (value >= now) continue;
            p = there;
            now = value;
        }
        double off = 1;
        Configuration nearest{};
        for (const RestingEquilibrium& q : list) {
            const double away = std::fabs(q.energy / static_cast<double>(now) - 1);
            if (!q.is_stable || away > off) continue;
            off = away;
            nearest = q.configuration;
        }
        EXPECT_LT(off, 1e-5) << run << " " << name(nearest);
        ++ends[nearest];
    }
    EXPECT_EQ(ends.size(), 3u);  // Lagrange Resting, Euler Resting and Aligned Mixed, which all were reached
}

// E' of c - a - b along the line, and the force between a and b, from places on the line.
struct OnLine {
    double slope = 0, press = 0;
};
OnLine on_line(const Drawn& d, const Order& o, double s) {
    const double close = d.spheres[o[1]].r + d.spheres[o[2]].r, place[] = {0, s, s + close};
    double total = 0, centre = 0, inertia = 0, inertia_slope = 0;
    OnLine out;
    for (std::size_t i = 0; i < 3; ++i) {
        total += d.spheres[o[i]].m;
        centre += d.spheres[o[i]].m * place[i];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const double m = d.spheres[o[i]].m, x = place[i] - centre / total;
        inertia += m * x * x + 0.4 * m * d.spheres[o[i]].r * d.spheres[o[i]].r;
        if (i == 0) continue;
        inertia_slope += 2 * m * x;
        out.slope += d.spheres[o[0]].m * m / (place[i] * place[i]);
    }
    const double rate2 = d.h2 / (inertia * inertia), m_b = d.spheres[o[2]].m;
    out.slope -= 0.5 * rate2 * inertia_slope;
    // b is drawn to a and c, and flung out.
    out.press =
        m_b * (d.spheres[o[1]].m / (close * close) + d.spheres[o[0]].m / (place[2] * place[2]) - rate2 * (place[2] - centre / total));
    return out;
}

// The one kind whose equation has no known number of roots: as many as a fine walk along the line finds, where the pair is pressed
// together.
TEST(RestingConfigurations, NoRootOfAlignedMixedIsMissed) {
    std::uint64_t counter = 8000000;
    int pairs = 0;
    for (int run = 0; run < 60; ++run) {
        Drawn d = drawn(counter);
        if (run % 3 == 0) d.spheres[0].m *= std::pow(10.0, draw(counter, -6, 3));  // a pebble, or a giant
        const auto list = resting_equilibria(d.spheres, d.h2, 1);
        for (const Order& o : {Order{0, 1, 2}, Order{0, 2, 1}, Order{1, 2, 0}}) {
            const double start = d.spheres[o[0]].r + d.spheres[o[1]].r;
            int expected = 0, found = 0;
            double before = start;
            for (int k = 1; k <= 10000; ++k) {
                const double here = start * std::pow(10.0, 16.0 * k / 10000);
                if ((on_line(d, o, before).slope > 0) != (on_line(d, o, here).slope > 0)) {
                    double low = before, high = here;
                    for (int halving = 0; halving < 60; ++halving) {
                        const double middle = 0.5 * (low + high);
                        ((on_line(d, o, low).slope > 0) == (on_line(d, o, middle).slope > 0) ? low : high) = middle;
                    }
                    expected += on_line(d, o, low).press > 0;
                }
                before = here;
            }
            for (const RestingEquilibrium& q : list)
                found += q.configuration == Configuration::aligned_mixed && static_cast<std::size_t>(q.order[0]) == o[0] &&
                         static_cast<std::size_t>(q.order[1]) == o[1];
            EXPECT_EQ(found, expected) << run;
            pairs += found == 2;
        }
    }
    EXPECT_GT(pairs, 10);
}

// Two spheres, Scheeres (2009): in contact up to H^2 = G M I(d)^2 / d^3; apart from H^2 = 16 / 3^1.5 G M mu^1.5 I_s^0.5 on (where mu r^2 =
// 3 I_s lies outside contact), at the roots of mu^2 r^4 - (H^2 / G M) r^3 + 2 mu I_s r^2 + I_s^2 = 0, the farther of which is stable.
TEST(RestingConfigurations, TwoSpheres) {
    std::uint64_t counter = 700000;
    int twice = 0;
    for (int run = 0; run < 200; ++run) {
        const std::array<Sphere, 2> s{{{draw(counter, 0.01, 5), draw(counter, 0.2, 1)}, {draw(counter, 0.5, 5), draw(counter, 0.5, 1)}}};
        const double total = s[0].m + s[1].m, mu = s[0].m * s[1].m / total, d = s[0].r + s[1].r, g = 0.7;
        const double spin = 0.4 * (s[0].m * s[0].r * s[0].r + s[1].m * s[1].r * s[1].r), at_touch = spin + mu * d * d;
        const double fission = g * total * at_touch * at_touch / (d * d * d), turn = std::sqrt(3 * spin / mu);
        const double least = turn > d ? g * total * 16 / std::pow(3, 1.5) * std::pow(mu, 1.5) * std::sqrt(spin) : fission;
        for (const double h2 : {0.5 * least, least * (1 + 1e-9), 0.5 * (least + fission) * (1 + 1e-9), 2 * fission}) {
            const auto list = resting_equilibria(s, h2, g);
            int orbits = 0, contacts = 0;
            for (const RestingEquilibrium& q : list) {
                contacts += q.configuration == Configuration::resting_pair;
                if (q.configuration != Configuration::orbiting_pair) continue;
                ++orbits;
                const long double r = q.size, m = mu, i = spin, w = h2 / (g * total);
                const long double residual = m * m * r * r * r * r - w * r * r * r + 2 * m * i * r * r + i * i;
                EXPECT_NEAR(static_cast<double>(residual / (w * r * r * r)), 0, 1e-14);
                EXPECT_EQ(q.is_stable, q.size > turn);
                EXPECT_GT(q.size, d);
                EXPECT_NEAR(q.rate * q.rate / (g * total / (q.size * q.size * q.size)), 1, 1e-12);  // Kepler
            }
            EXPECT_EQ(contacts, h2 <= fission);
            EXPECT_EQ(orbits, h2 < least ? 0 : turn > d && h2 < fission ? 2 : 1) << run << " " << h2 / fission;
            twice += orbits == 2;
        }
    }
    EXPECT_GT(twice, 10);
    // Equal ones part at 1.2^(1/2) d, before they separate by themselves.
    const std::array<Sphere, 2> equal{{{1, 0.5}, {1, 0.5}}};
    EXPECT_NEAR(resting_equilibria(equal, 16 / std::pow(3, 1.5) * 2 * std::pow(0.5, 1.5) * std::sqrt(0.2) * (1 + 1e-12), 1).back().size,
                std::sqrt(1.2), 1e-5);
}

// On a line a - c - b all three bodies need the same rate.
TEST(RestingConfigurations, EulerRatio) {
    EXPECT_EQ(euler_ratio(1, 1, 1), 1);
    std::uint64_t counter = 900000;
    for (int run = 0; run < 50; ++run) {
        const double m[] = {std::exp(draw(counter, -9, 9)), std::exp(draw(counter, -9, 9)), std::exp(draw(counter, -9, 9))};
        const double x = euler_ratio(m[0], m[1], m[2]);
        const Real place[] = {0, 1, 1 + Real(x)}, centre = (m[1] + m[2] * place[2]) / (Real(m[0]) + m[1] + m[2]);
        const Real rate2 = (m[1] + m[2] / (place[2] * place[2])) / centre;  // of a
        const Real on_c = m[2] / (Real(x) * x) - m[0], on_b = -m[1] / (Real(x) * x) - m[0] / (place[2] * place[2]);
        EXPECT_LT(std::fabs(on_c + rate2 * (1 - centre)), 1e-14L * (m[2] / (x * x) + m[0] + m[1])) << m[0] << " " << m[1] << " " << m[2];
        EXPECT_LT(std::fabs(on_b + rate2 * (place[2] - centre)), 1e-14L * -on_b);
        EXPECT_NEAR(euler_ratio(m[2], m[1], m[0]) * x, 1, 1e-14);
    }
}

}  // namespace
}  // namespace asperity::analysis::resting_configurations_test
