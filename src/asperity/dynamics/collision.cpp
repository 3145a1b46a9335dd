#include "asperity/dynamics/collision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/dynamics/pair_gap.h"

namespace asperity::dynamics {
namespace {

using Values = std::array<double, numerics::most_contacts>;
using Vectors = std::array<Vec3, numerics::most_contacts>;

// Linear impulse on i at the contact, its opposite on j.
void push(const model::Parameters& world, const Contact& c, const Vec3& impulse, Motion& motion) {
    const model::BodyKind &a = world.bodies[c.i], &b = world.bodies[c.j];
    motion.push(c.i, impulse / a.mass);
    motion.push(c.j, -(impulse / b.mass));
    motion.turn(c.i, inverse_inertia_times(a, motion.bodies[c.i].q_WB, cross(c.arm_i, impulse)));
    motion.turn(c.j, -inverse_inertia_times(b, motion.bodies[c.j].q_WB, cross(c.arm_j, impulse)));
}

void twist(const model::Parameters& world, const Contact& c, const Vec3& impulse, Motion& motion) {
    motion.turn(c.i, inverse_inertia_times(world.bodies[c.i], motion.bodies[c.i].q_WB, impulse));
    motion.turn(c.j, -inverse_inertia_times(world.bodies[c.j], motion.bodies[c.j].q_WB, impulse));
}

void warm(const model::Parameters& world, const Contact& c, double heat, double BodyHeat::*cause, Motion& motion) {
    motion.heat[c.i].*cause += 0.5 * heat / world.bodies[c.i].mass;
    motion.heat[c.j].*cause += 0.5 * heat / world.bodies[c.j].mass;
}

double least_inertia(const model::BodyKind& body) { return std::min({body.inertia.x, body.inertia.y, body.inertia.z}); }

Vec3 within(const Vec3& a, double bound) {
    const double size = norm(a);
    return size > bound ? (bound / size) * a : a;
}

// Normal impulses f, and the heat of each.
Values press(const model::Parameters& world, std::span<const Contact> contacts, const Values& f, double BodyHeat::*cause, Motion& motion) {
    Values before{}, heat{};
    for (std::size_t k = 0; k < contacts.size(); ++k) before[k] = dot(contacts[k].normal, slip_of(contacts[k], motion));
    for (std::size_t k = 0; k < contacts.size(); ++k) push(world, contacts[k], f[k] * contacts[k].normal, motion);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        heat[k] = -0.5 * f[k] * (before[k] + dot(contacts[k].normal, slip_of(contacts[k], motion)));
        warm(world, contacts[k], heat[k], cause, motion);
    }
    return heat;
}

// The impulse against a relative velocity, of size `bound` at most: against `direction` where there is one, else the change of `so_far`
// that brings `velocity` to zero.
Vec3 opposing(const Vec3& direction, const Vec3& so_far, const Vec3& velocity, double mobility, double bound) {
    return direction == Vec3{} ? within(so_far - velocity / mobility, bound) : -bound * direction;
}

struct Rubbed {
    Vectors friction{}, rolling{}, spinning{};  // impulses so far
};

// One descent over all contacts: friction, rolling and spinning, as far as (4) allows. Heat of each contact is added to `heat`; returns the
// greatest change of an impulse over its bound.
double rub_once(const model::Parameters& world, std::span<const Contact> contacts, std::span<const double> impulse, const Rubbings& aims,
                Rubbed& rubbed, Values& heat, Motion& motion) {
    Vectors& friction = rubbed.friction;
    double change = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Contact& c = contacts[k];
        const laws::PairLaw& law = world.law(c.i, c.j);
        const double pressed = std::fmax(0.0, impulse[k]);
        if (const double bound = law.friction * pressed; bound > 0 || friction[k] != Vec3{}) {
            const Vec3 slip = tangential(slip_of(c, motion), c.normal);
            const Vec3 wanted = opposing(aims[k].slip, friction[k], slip + aims[k].slip_lead, tangential_mobility(world, c), bound);
            const Vec3 step = wanted - friction[k];
            push(world, c, step, motion);
            friction[k] = wanted;
            const double loss = -0.5 * dot(step, slip + tangential(slip_of(c, motion), c.normal));
            warm(world, c, loss, &BodyHeat::friction, motion);
            heat[k] += loss;
            change = std::fmax(change, bound > 0 ? norm(step) / bound : 1);
        }
        const auto resist = [&](double coefficient, const Vec3& aim, const Vec3& lead, const auto& part, Vec3& torque) {
            const double bound = coefficient * c.effective_radius * pressed;
            if (!(bound > 0 || torque != Vec3{})) return;
            const auto relative = [&] { return part(motion.bodies[c.i].w - motion.bodies[c.j].w); };
            const Vec3 spin = relative(), wanted = opposing(aim, torque, spin + lead, turning_mobility(world, c), bound);
            const Vec3 step = wanted - torque;
            twist(world, c, step, motion);
            torque = wanted;
            const double loss = -0.5 * dot(step, spin + relative());
            warm(world, c, loss, &BodyHeat::rolling, motion);
            heat[k] += loss;
            change = std::fmax(change, bound > 0 ? norm(step) / bound : 1);
        };
        const auto across = [&](const Vec3& w) { return tangential(w, c.normal); };
        const auto about = [&](const Vec3& w) { return dot(w, c.normal) * c.normal; };
        resist(law.rolling_resistance, aims[k].spin, aims[k].spin_lead, across, rubbed.rolling[k]);
        resist(law.spinning_resistance, aims[k].drilling, aims[k].drilling_lead, about, rubbed.spinning[k]);
    }
    return change;
}

constexpr int most_sweeps = 60;
constexpr double converged = 1e-10;  // of the bound of an impulse: what is left is slip, not energy

// Whether friction of a contact changes its own normal speed: where the normal passes through both centres it does not.
bool couples(const model::Parameters& world, std::span<const Contact> contacts) {
    return std::ranges::any_of(contacts,
                               [&](const Contact& c) { return !world.bodies[c.i].is_sphere() || !world.bodies[c.j].is_sphere(); });
}

// Whether any heat of a body has fallen.
bool has_cooled(const std::vector<BodyHeat>& before, const std::vector<BodyHeat>& after) {
    for (std::size_t i = 0; i < before.size(); ++i)
        if (after[i].impact < before[i].impact || after[i].friction < before[i].friction || after[i].rolling < before[i].rolling)
            return true;
    return false;
}

// Friction has changed the normal speeds that (2) made: (2) again with friction as it is, then friction within its new bounds, and so on,
// until the bounce that is asked for is there in spite of friction. Nothing is done where that would make energy, of whatever cause.
void keep_restitution(const model::Parameters& world, std::span<const Contact> contacts, std::span<const double> restitution,
                      const numerics::Complementarity& matrix, const std::vector<BodyHeat>& cold, Rubbed rubbed, Values& heat,
                      Bounces& bounces, Motion& motion) {
    const Motion before = motion;
    Values heat_now = heat, total{};
    for (std::size_t k = 0; k < contacts.size(); ++k) total[k] = bounces[k].impulse;
    numerics::Complementarity problem = matrix;
    for (int round = 0; round < most_sweeps; ++round) {
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            problem.b[k] = dot(contacts[k].normal, slip_of(contacts[k], motion)) + restitution[k] * std::fmin(-bounces[k].speed_in, 0.0);
            for (std::size_t l = 0; l < contacts.size(); ++l)
                problem.b[k] -= matrix.at(static_cast<int>(k), static_cast<int>(l)) * total[l];
        }
        const Values wanted = numerics::pivoting(problem).f;
        Values more{};
        double change = 0, most = 0;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            more[k] = wanted[k] - total[k];
            change = std::fmax(change, std::fabs(more[k]));
            most = std::fmax(most, wanted[k]);
        }
        if (!(change > converged * most)) break;
        total = wanted;
        const Values lost = press(world, contacts, more, &BodyHeat::impact, motion);
        for (std::size_t k = 0; k < contacts.size(); ++k) heat_now[k] += lost[k];
        rub_once(world, contacts, total, {}, rubbed, heat_now, motion);
    }
    if (has_cooled(cold, motion.heat)) {
        motion = before;
        return;
    }
    heat = heat_now;
    for (std::size_t k = 0; k < contacts.size(); ++k) bounces[k].impulse = total[k];
}

}  // namespace

Contact contact_of_spheres(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j) {
    const Vec3 apart = motion.bodies[i].p - motion.bodies[j].p;
    const double r = norm(apart), ri = world.bodies[i].semi_axes.x, rj = world.bodies[j].semi_axes.x, half = 0.5 * (r - (ri + rj));
    const Vec3 n = apart / r;
    return {.i = i, .j = j, .normal = n, .arm_i = -(ri + half) * n, .arm_j = (rj + half) * n, .effective_radius = ri * rj / (ri + rj)};
}

Contact contact_of(const model::Parameters& world, const Motion& motion, std::size_t i, std::size_t j, const Vec3& guess) {
    const model::BodyKind &a = world.bodies[i], &b = world.bodies[j];
    if (a.is_sphere() && b.is_sphere()) return contact_of_spheres(world, motion, i, j);
    const PairGap gap = pair_gap(world, i, j, motion, guess);
    return {.i = i,
            .j = j,
            .normal = gap.normal,
            .arm_i = gap.point - motion.bodies[i].p,
            .arm_j = gap.point - motion.bodies[j].p,
            .effective_radius = a.mean_radius() * b.mean_radius() / touch_distance(world, i, j)};
}

double normal_speed(const Contact& c, const Motion& motion) {
    const BodyMotion &a = motion.bodies[c.i], &b = motion.bodies[c.j];
    const double u = dot(c.normal, slip_of(c, motion));
    const double turning = norm(a.w) * norm(cross(c.arm_i, c.normal)) + norm(b.w) * norm(cross(c.arm_j, c.normal));  // spheres: rounding
    return std::fabs(u) <= 64 * std::numeric_limits<double>::epsilon() * (norm(a.v) + norm(b.v) + turning) ? 0 : u;
}

numerics::Complementarity contact_matrix(const model::Parameters& world, std::span<const Contact> contacts, const Motion& motion) {
    numerics::Complementarity out{.n = static_cast<int>(contacts.size())};
    // what a unit impulse at contact l does to body b, seen at contact k; sign: + on i, - on j
    const auto seen = [&](const Contact& k, const Contact& l, std::size_t b, const Vec3& arm_k, const Vec3& arm_l) {
        const model::BodyKind& body = world.bodies[b];
        const double linear = dot(k.normal, l.normal) / body.mass;
        if (body.is_sphere()) return linear;
        return linear + dot(cross(arm_k, k.normal), inverse_inertia_times(body, motion.bodies[b].q_WB, cross(arm_l, l.normal)));
    };
    for (int row = 0; row < out.n; ++row)
        for (int column = 0; column <= row; ++column) {
            const Contact &k = contacts[static_cast<std::size_t>(row)], &l = contacts[static_cast<std::size_t>(column)];
            double sum = 0;
            if (k.i == l.i) sum += seen(k, l, k.i, k.arm_i, l.arm_i);
            if (k.j == l.j) sum += seen(k, l, k.j, k.arm_j, l.arm_j);
            if (k.i == l.j) sum -= seen(k, l, k.i, k.arm_i, l.arm_j);
            if (k.j == l.i) sum -= seen(k, l, k.j, k.arm_j, l.arm_i);
            out.at(row, column) = out.at(column, row) = sum;
        }
    return out;
}

Bounces collide(const model::Parameters& world, std::span<const Contact> contacts, std::span<const double> restitution, Motion& motion) {
    Bounces out;
    numerics::Complementarity problem = contact_matrix(world, contacts, motion);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double u = normal_speed(contacts[k], motion);
        out[k].speed_in = -u;
        problem.b[k] = u + restitution[k] * std::fmin(u, 0.0);
    }
    const numerics::ComplementaritySolution solution = numerics::pivoting(problem);
    const std::vector<BodyHeat> cold = world.laws.has_friction() && couples(world, contacts) ? motion.heat : std::vector<BodyHeat>{};
    Values heat = press(world, contacts, solution.f, &BodyHeat::impact, motion);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        out[k].impulse = solution.f[k];
        out[k].is_resting = solution.a[k] == 0 && restitution[k] * std::fmin(-out[k].speed_in, 0.0) == 0;
    }
    if (world.laws.has_friction()) {
        Rubbed rubbed;
        for (int sweep = 0; sweep < most_sweeps; ++sweep)
            if (rub_once(world, contacts, solution.f, {}, rubbed, heat, motion) <= converged) break;
        if (!cold.empty()) keep_restitution(world, contacts, restitution, problem, cold, rubbed, heat, out, motion);
        for (std::size_t k = 0; k < contacts.size(); ++k) problem.b[k] = normal_speed(contacts[k], motion);
        const numerics::ComplementaritySolution after = numerics::pivoting(problem);
        const Values more = press(world, contacts, after.f, &BodyHeat::impact, motion);
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            heat[k] += more[k];
            out[k].impulse += after.f[k];
            out[k].is_resting = after.a[k] == 0;
        }
    }
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        out[k].speed_out = out[k].is_resting ? 0 : normal_speed(contacts[k], motion);
        out[k].heat = heat[k];
    }
    return out;
}

double tangential_mobility(const model::Parameters& world, const Contact& c) {
    const model::BodyKind &a = world.bodies[c.i], &b = world.bodies[c.j];
    return 1 / a.mass + 1 / b.mass + squared_norm(c.arm_i) / least_inertia(a) + squared_norm(c.arm_j) / least_inertia(b);
}

double turning_mobility(const model::Parameters& world, const Contact& c) {
    return 1 / least_inertia(world.bodies[c.i]) + 1 / least_inertia(world.bodies[c.j]);
}

Values hold_speed(const model::Parameters& world, std::span<const Contact> contacts, double BodyHeat::*cause, Motion& motion) {
    const numerics::Complementarity problem = contact_matrix(world, contacts, motion);
    numerics::detail::ContactSet all;
    Values against{};
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        all.add(static_cast<int>(k));
        against[k] = -dot(contacts[k].normal, slip_of(contacts[k], motion));
    }
    const Values impulse = numerics::solve_on(problem, all, against);
    press(world, contacts, impulse, cause, motion);
    return impulse;
}

void rub(const model::Parameters& world, std::span<const Contact> contacts, std::span<const double> impulse, const Rubbings& aims,
         Motion& motion) {
    Rubbed rubbed;
    Values heat{}, pressing{};
    std::copy(impulse.begin(), impulse.begin() + static_cast<std::ptrdiff_t>(contacts.size()), pressing.begin());
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        const double change = rub_once(world, contacts, pressing, aims, rubbed, heat, motion);
        const Values more = hold_speed(world, contacts, &BodyHeat::friction, motion);
        for (std::size_t k = 0; k < contacts.size(); ++k) pressing[k] += more[k];
        if (change <= converged) break;
    }
}

}  // namespace asperity::dynamics
