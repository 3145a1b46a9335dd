#include "asperity/dynamics/touching.h"

#include <algorithm>
#include <cmath>

namespace asperity::dynamics {
namespace {

constexpr model::Mode held = model::Mode::touching;

}  // namespace

Touching::Touching(const model::Parameters& world) : world_(world) {}

double Touching::dip(const Motion& start, const Motion& end, std::size_t i, std::size_t j, double h) const {
    const auto rate = [&](const Motion& motion) {
        const BodyMotion &a = motion.bodies[i], &b = motion.bodies[j];
        if (world_.bodies[i].is_sphere() && world_.bodies[j].is_sphere()) return dot(a.p - b.p, a.v - b.v) / norm(a.p - b.p);
        return parting_speed(motion, i, j, pair_gap(world_, i, j, motion));
    };
    const double g0 = gap(start, i, j), g1 = gap(end, i, j), d0 = h * rate(start), d1 = h * rate(end);
    if (!(d0 < 0 && d1 > 0) || g0 <= grace(i, j)) return 0;  // from a touch it only parts: d0 is rounding
    // g(s) = g0 + d0 s + c2 s^2 + c3 s^3; the root of g' where g'' > 0, without cancellation
    const double c2 = 3 * (g1 - g0) - 2 * d0 - d1, c3 = d0 + d1 - 2 * (g1 - g0);
    const double root = std::sqrt(std::fmax(0.0, c2 * c2 - 3 * c3 * d0)), s = -d0 / (c2 + root);
    const double least = g0 + s * (d0 + s * (c2 + s * c3));
    // the cubic is off by h^4 / 384 of the fourth derivative: a margin of a hundredth of the depth of the dip, and look
    return s > 0 && s < 1 && least < 0.01 * (std::fmin(g0, g1) - least) ? s * h : 0;
}

bool Touching::take(const Motion& motion, std::size_t i, std::size_t j, bool is_held) {
    if (contacts_.size() == static_cast<std::size_t>(numerics::most_contacts)) return false;
    contacts_.push_back(contact_of(world_, motion, i, j));
    restitution_.push_back(is_held ? 0 : world_.law(i, j).restitution);
    is_held_.push_back(is_held);
    is_resting_.push_back(is_held);
    is_slow_.push_back(false);
    return true;
}

void Touching::clear() {
    contacts_.clear();
    restitution_.clear();
    is_held_.clear();
    is_resting_.clear();
    is_slow_.clear();
    events_.clear();
}

bool Touching::collect(const Motion& motion, std::span<const model::Mode> mode, std::ptrdiff_t pair) {
    clear();
    const std::size_t n = world_.bodies.size();
    bool fits = true;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const std::size_t at = model::pair_index(i, j, n);
            const bool is_held = mode[at] != open;
            if (is_held || static_cast<std::ptrdiff_t>(at) == pair || gap(motion, i, j) <= grace(i, j))
                fits = take(motion, i, j, is_held) && fits;
        }
    return fits;
}

void Touching::collect_held(const Motion& motion, std::span<const model::Mode> mode) {
    clear();
    const std::size_t n = world_.bodies.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j)
            if (mode[model::pair_index(i, j, n)] != open) take(motion, i, j, true);
}

double Touching::b_of(const Contact& c, const Accelerations& accelerations, const Motion& motion) const {
    return gap_acceleration(world_, motion, c.i, c.j, accelerations.of(c.i), accelerations.of(c.j));
}

double Touching::attraction(const Contact& c, const Motion& motion) const {
    const double masses = world_.bodies[c.i].mass + world_.bodies[c.j].mass;
    return world_.environment.mutual.constant * masses / squared_norm(motion.bodies[c.i].p - motion.bodies[c.j].p);
}

void Touching::bounce(const Accelerations& accelerations, Motion& motion) {
    Bounces bounces = collide(world_, contacts_, restitution_, motion);
    stopped_.clear();
    bool is_any_low = false;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        const double speed = bounces[k].speed_out, least = 1e-3 * attraction(contacts_[k], motion);
        const double height = world_.law(contacts_[k].i, contacts_[k].j).bounce_end_height * contacts_[k].effective_radius;
        const double back = std::fmax(-b_of(contacts_[k], accelerations, motion), least);
        const bool is_low = speed > 0 && speed * speed < 2 * back * height;
        is_resting_[k] = bounces[k].is_resting || is_low;
        is_slow_[k] = is_resting_[k] && bounces[k].speed_in > 0 && bounces[k].speed_in * bounces[k].speed_in < 2 * least * height;
        is_any_low = is_any_low || is_low;
        if (is_resting_[k]) stopped_.push_back(contacts_[k]);
        if (is_low) bounces[k].speed_out = 0;
    }
    if (is_any_low) hold_speed(world_, stopped_, &BodyHeat::impact, motion);
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
        if (!(bounces[k].speed_in > 0)) continue;
        events_.push_back({.kind = model::EventKind::impact,
                           .i = contacts_[k].i,
                           .j = contacts_[k].j,
                           .normal = contacts_[k].normal,
                           .normal_speed_in = bounces[k].speed_in,
                           .normal_speed_out = bounces[k].speed_out,
                           .heat = bounces[k].heat});
    }
}

void Touching::decide(const Accelerations& accelerations, const Motion& motion, std::ptrdiff_t opened, std::span<model::Mode> mode) {
    const std::size_t n = world_.bodies.size();
    std::vector<Contact>& resting = stopped_;
    resting.clear();
    const auto pair = [n](const Contact& c) { return model::pair_index(c.i, c.j, n); };
    for (std::size_t k = 0; k < contacts_.size(); ++k)
        if (is_resting_[k] && static_cast<std::ptrdiff_t>(pair(contacts_[k])) != opened) resting.push_back(contacts_[k]);
    set_normals(world_, resting, motion, normals_);
    numerics::Complementarity problem = normal_problem(normals_);
    for (std::size_t k = 0; k < resting.size(); ++k) problem.b[k] = b_of(resting[k], accelerations, motion);
    const numerics::ComplementaritySolution solution = numerics::pivoting(problem);
    for (const Contact& c : contacts_) mode[pair(c)] = open;
    for (std::size_t k = 0; k < resting.size(); ++k)
        if (solution.f[k] > 0 || (solution.a[k] == 0 && problem.b[k] < 0)) mode[pair(resting[k])] = held;  // 2nd: carried by others
    for (std::size_t k = 0; k < contacts_.size(); ++k)
        if (is_slow_[k]) mode[pair(contacts_[k])] = held;
    for (std::size_t k = 0; k < contacts_.size(); ++k)
        if (is_held_[k] && mode[pair(contacts_[k])] == open)
            events_.push_back(
                {.kind = model::EventKind::separation, .i = contacts_[k].i, .j = contacts_[k].j, .normal = contacts_[k].normal});
}

numerics::Complementarity Touching::problem(const Accelerations& accelerations, const Motion& motion, std::span<const model::Mode> mode) {
    collect_held(motion, mode);
    set_normals(world_, contacts_, motion, normals_);
    numerics::Complementarity out = normal_problem(normals_);
    for (std::size_t k = 0; k < contacts_.size(); ++k) out.b[k] = b_of(contacts_[k], accelerations, motion);
    return out;
}

numerics::ComplementaritySolution Touching::forces(const Accelerations& accelerations, const Motion& motion,
                                                   std::span<const model::Mode> mode) {
    return numerics::pivoting(problem(accelerations, motion, mode));
}

void Touching::tally(const Motion& motion, std::span<const model::Mode> mode, double time, model::Tallies& tallies) const {
    const std::size_t n = world_.bodies.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            const double overlap = -gap(motion, i, j);
            const bool is_held = mode[model::pair_index(i, j, n)] != open;
            for (const std::size_t body : {i, j}) {
                tallies.deepest_overlap[body] = std::fmax(tallies.deepest_overlap[body], overlap);
                if (is_held) tallies.last_touch[body] = time;
            }
        }
}

}  // namespace asperity::dynamics
