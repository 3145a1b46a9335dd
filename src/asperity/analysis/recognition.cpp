#include "asperity/analysis/recognition.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/errors.h"

namespace asperity::analysis {
namespace {

// Angle between a and b, rad.
double angle(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

struct Watched {
    std::span<const MovingSphere> spheres;
    double g = 0;
    RecognitionTolerance tolerance;

    const MovingSphere& at(int i) const { return spheres[static_cast<std::size_t>(i)]; }
    double mass(int i) const { return at(i).sphere.m; }
    Vec3 between(int i, int j) const { return at(j).p - at(i).p; }
    double distance(int i, int j) const { return norm(between(i, j)); }
    bool touches(int i, int j) const { return distance(i, j) <= (1 + tolerance.contact) * (at(i).sphere.r + at(j).sphere.r); }

    // (1) of two bodies.
    bool is_bound(int i, int j) const {
        return touches(i, j) || 0.5 * squared_norm(at(j).v - at(i).v) * distance(i, j) < g * (mass(i) + mass(j));
    }
    bool recedes(int i, int j) const { return dot(between(i, j), at(j).v - at(i).v) > 0; }

    // (1) of c against the pair a, b.
    bool leaves(int a, int b, int c) const {
        const double pair = mass(a) + mass(b), mu = mass(c) * pair / (pair + mass(c));
        const Vec3 p = at(c).p - (mass(a) * at(a).p + mass(b) * at(b).p) / pair,
                   v = at(c).v - (mass(a) * at(a).v + mass(b) * at(b).v) / pair;
        const double pull = g * mass(c) * (mass(a) / distance(a, c) + mass(b) / distance(b, c));
        return 0.5 * mu * squared_norm(v) >= pull && dot(p, v) > 0;
    }

    // Whether two bodies turn about each other at this rate, their distance steady.
    bool turn(int i, int j, double rate2) const {
        const Vec3 r = between(i, j), v = at(j).v - at(i).v;
        const double wanted = rate2 * squared_norm(r), speed2 = squared_norm(v);
        return std::fabs(speed2 - wanted) <= 2 * tolerance.shape * wanted &&
               std::fabs(dot(r, v)) <= tolerance.shape * std::sqrt(wanted) * norm(r);
    }
    bool all_turn(double rate2) const { return turn(0, 1, rate2) && turn(1, 2, rate2) && turn(2, 0, rate2); }
};

constexpr std::array<std::array<int, 3>, 3> middle_second{{{1, 0, 2}, {0, 1, 2}, {0, 2, 1}}};
constexpr std::array<std::array<int, 3>, 3> third_last{{{0, 1, 2}, {1, 2, 0}, {0, 2, 1}}};

Recognised of_two(const Watched& w) {
    Recognised out{.configuration = Configuration::bound_no_contact, .order = {0, 1, -1}};
    const double r = w.distance(0, 1);
    if (w.touches(0, 1)) {
        out.configuration = Configuration::resting_pair;
        out.contacts = 1;
    } else if (!w.is_bound(0, 1) && w.recedes(0, 1)) {
        out.configuration = Configuration::escaping_pair;
    } else if (w.turn(0, 1, w.g * (w.mass(0) + w.mass(1)) / (r * r * r))) {
        out.configuration = Configuration::orbiting_pair;
    }
    return out;
}

Configuration of_two_contacts(const Watched& w, const std::array<int, 3>& o) {
    const double bend = angle(w.between(o[0], o[1]), w.between(o[1], o[2]));
    return bend <= w.tolerance.shape ? Configuration::euler_resting : Configuration::v_rest;
}

// o: the pair in contact, the third.
Recognised of_one_contact(const Watched& w, const std::array<int, 3>& o) {
    Recognised out{.configuration = Configuration::bound_one_contact, .order = o, .contacts = 1};
    const double a = w.distance(o[0], o[2]), b = w.distance(o[1], o[2]);
    const Vec3 axis = w.between(o[0], o[1]);
    const double pair = w.mass(o[0]) + w.mass(o[1]);
    const Vec3 to_third = w.at(o[2]).p - (w.mass(o[0]) * w.at(o[0]).p + w.mass(o[1]) * w.at(o[1]).p) / pair;
    if (w.leaves(o[0], o[1], o[2])) {
        out.configuration = Configuration::escaping_pair;
    } else if (angle(to_third, a < b ? -axis : axis) <= w.tolerance.shape) {
        out.configuration = Configuration::aligned_mixed;
        out.order = a < b ? std::array{o[2], o[0], o[1]} : std::array{o[2], o[1], o[0]};
    } else if (std::fabs(a - b) <= w.tolerance.shape * norm(axis)) {
        out.configuration = Configuration::transverse_mixed;
    }
    return out;
}

bool is_euler_orbiting(const Watched& w, const std::array<int, 3>& o) {
    const double m_a = w.mass(o[0]), m_c = w.mass(o[1]), m_b = w.mass(o[2]);
    const double ac = w.distance(o[0], o[1]), ab = w.distance(o[0], o[2]), x = euler_ratio(m_a, m_c, m_b);
    if (angle(w.between(o[0], o[1]), w.between(o[1], o[2])) > w.tolerance.shape) return false;
    if (std::fabs(w.distance(o[1], o[2]) / ac - x) > w.tolerance.shape * x) return false;
    const double centre = (m_c * ac + m_b * ab) / (m_a + m_c + m_b);
    return w.all_turn(w.g * (m_c / (ac * ac) + m_b / (ab * ab)) / centre);
}

Recognised of_no_contact(const Watched& w) {
    bool is_leaving = false;
    for (const auto& o : third_last) {
        if (!w.leaves(o[0], o[1], o[2])) continue;
        if (w.is_bound(o[0], o[1])) return {.configuration = Configuration::escaping_pair, .order = o};
        is_leaving = true;
    }
    if (is_leaving) return {.configuration = Configuration::dispersing};
    const double a = w.distance(0, 1), b = w.distance(1, 2), c = w.distance(2, 0), mean = (a + b + c) / 3;
    const double spread = std::fmax(std::fmax(a, b), c) - std::fmin(std::fmin(a, b), c);
    if (spread <= w.tolerance.shape * mean && w.all_turn(w.g * (w.mass(0) + w.mass(1) + w.mass(2)) / (mean * mean * mean)))
        return {.configuration = Configuration::lagrange_orbiting};
    for (const auto& o : middle_second)
        if (is_euler_orbiting(w, o)) return {.configuration = Configuration::euler_orbiting, .order = o};
    return {.configuration = Configuration::bound_no_contact};
}

// Bodies in the same roles.
bool is_of_order(const RestingEquilibrium& e, const Recognised& now) {
    switch (e.configuration) {
        case Configuration::euler_resting:
        case Configuration::v_rest:
        case Configuration::euler_orbiting: return e.order[1] == now.order[1];
        case Configuration::aligned_mixed: return e.order == now.order;
        case Configuration::transverse_mixed: return e.order[2] == now.order[2];
        default: return true;
    }
}

}  // namespace

std::vector<MovingSphere> moving_spheres(const model::Parameters& world, const model::Bodies& bodies) {
    std::vector<MovingSphere> out;
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        out.push_back({.sphere = {world.bodies[i].mass, world.bodies[i].mean_radius()}, .p = bodies.position[i], .v = bodies.velocity[i]});
    return out;
}

bool has_configurations(const model::Parameters& world) {
    return (world.bodies.size() == 2 || world.bodies.size() == 3) && world.bodies.has_only_spheres() &&
           world.environment.mutual.constant > 0 && world.ground_materials.empty();
}

Configuration configuration_at(const model::Parameters& world, const model::Bodies& bodies) {
    if (!has_configurations(world)) return Configuration::none;
    return recognise(moving_spheres(world, bodies), world.environment.mutual.constant).configuration;
}

Recognised recognise(std::span<const MovingSphere> spheres, double gravitational_constant, const RecognitionTolerance& tolerance) {
    ASPERITY_REQUIRE(spheres.size() == 2 || spheres.size() == 3, "{} spheres", spheres.size());
    const Watched w{.spheres = spheres, .g = gravitational_constant, .tolerance = tolerance};
    if (spheres.size() == 2) return of_two(w);
    const int contacts = w.touches(0, 1) + w.touches(1, 2) + w.touches(2, 0);
    if (contacts == 3) return {.configuration = Configuration::lagrange_resting, .contacts = 3};
    if (contacts == 0) return of_no_contact(w);
    if (contacts == 1) {
        for (const auto& o : third_last)
            if (w.touches(o[0], o[1])) return of_one_contact(w, o);
    }
    for (const auto& o : middle_second)
        if (w.touches(o[0], o[1]) && w.touches(o[1], o[2])) return {.configuration = of_two_contacts(w, o), .order = o, .contacts = 2};
    ASPERITY_REQUIRE(false, "{} contacts", contacts);
    return {};
}

const RestingEquilibrium* rests_in(std::span<const MovingSphere> spheres, const Recognised& now,
                                   std::span<const RestingEquilibrium> equilibria, const RecognitionTolerance& tolerance) {
    const std::size_t n = spheres.size(), distances = n == 3 ? 3 : 1;  // 0-1, 1-2, 2-0; of two bodies one
    for (const RestingEquilibrium& e : equilibria) {
        if (e.configuration != now.configuration || !is_of_order(e, now)) continue;
        bool is_there = true;
        for (std::size_t i = 0; i < distances; ++i) {
            const MovingSphere &a = spheres[i], &b = spheres[(i + 1) % n];
            const double r = norm(b.p - a.p), speed = std::fabs(dot(b.v - a.v, b.p - a.p)) / r;
            is_there = is_there && std::fabs(r - e.distances[i]) <= tolerance.shape * e.distances[i] &&
                       speed <= tolerance.shape * e.rate * e.distances[i];
        }
        if (is_there) return &e;
    }
    return nullptr;
}

Configuration librates_about(std::span<const MovingSphere> spheres, const Recognised& now, std::span<const RestingEquilibrium> equilibria) {
    if (rests_in(spheres, now, equilibria) != nullptr) return now.configuration;
    const bool is_one_of_three = now.contacts == 1 && spheres.size() == 3 && now.configuration != Configuration::escaping_pair;
    const int third = now.configuration == Configuration::aligned_mixed ? now.order[0] : now.order[2];
    if (is_one_of_three) {
        for (const RestingEquilibrium& e : equilibria)
            if (e.configuration == Configuration::aligned_mixed && e.is_stable && e.order[0] == third) return e.configuration;
        return now.configuration;
    }
    if (now.contacts != 2) return now.configuration;
    const auto at = [&](std::size_t k) { return spheres[static_cast<std::size_t>(now.order[k])].p; };
    const double outer = norm(at(2) - at(0));
    bool has_triangle = false, is_inside = false;
    const RestingEquilibrium* beyond = nullptr;
    for (const RestingEquilibrium& e : equilibria) {
        has_triangle = has_triangle || e.configuration == Configuration::lagrange_resting;
        const bool is_chain = e.configuration == Configuration::euler_resting || e.configuration == Configuration::v_rest;
        if (!is_chain || e.order[1] != now.order[1]) continue;
        if (e.is_stable) beyond = &e;
        is_inside = is_inside || (e.configuration == Configuration::v_rest && !e.is_stable && outer < e.size);
    }
    if (beyond != nullptr && !is_inside) return beyond->configuration;
    return has_triangle ? Configuration::lagrange_resting : now.configuration;
}

}  // namespace asperity::analysis
