#include "asperity/dynamics/collision.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/dynamics/pair_gap.h"
#include "asperity/dynamics/single_impact.h"

namespace asperity::dynamics {
namespace {

contact::Side side_of(const model::Parameters& world, std::size_t body, const Motion& motion, const Vec3& arm) {
    return contact::side_of(world, static_cast<std::int32_t>(body), motion.bodies[body].q_WB, arm);
}

using Values = std::array<double, numerics::most_contacts>;
using Vectors = std::array<Vec3, numerics::most_contacts>;

// An impulse at the contact, linear or angular, on i, and its opposite on j.
void push(const model::Parameters& world, const Contact& c, const Vec3& linear, const Vec3& angular, Motion& motion) {
    contact::apply(contact::row_of(side_of(world, c.i, motion, c.arm_i), side_of(world, c.j, motion, c.arm_j), linear, angular), 1, motion);
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
Values press(const model::Parameters& world, std::span<const Contact> contacts, const contact::ContactSystem& normals, const Values& f,
             double BodyHeat::*cause, Motion& motion) {
    Values before{}, heat{};
    for (std::size_t k = 0; k < contacts.size(); ++k) before[k] = normals.relative_velocity(k, motion);
    normals.apply(f, motion);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        heat[k] = -0.5 * f[k] * (before[k] + normals.relative_velocity(k, motion));
        warm(world, contacts[k], heat[k], cause, motion);
    }
    return heat;
}

// Impulses of either sign that bring the normal speeds to zero.
Values hold(const model::Parameters& world, std::span<const Contact> contacts, const contact::ContactSystem& normals,
            const numerics::DenseMatrix& matrix, double BodyHeat::*cause, Motion& motion) {
    Values against{};
    for (std::size_t k = 0; k < contacts.size(); ++k) against[k] = -normals.relative_velocity(k, motion);
    const Values impulse = numerics::solved(matrix, against, contacts.size());
    press(world, contacts, normals, impulse, cause, motion);
    return impulse;
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
            push(world, c, step, {}, motion);
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
            push(world, c, {}, step, motion);
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
                      const contact::ContactSystem& normals, numerics::Complementarity problem, const std::vector<BodyHeat>& cold,
                      Rubbed rubbed, Values& heat, Bounces& bounces, Motion& motion) {
    const Motion before = motion;
    Values heat_now = heat, total{};
    for (std::size_t k = 0; k < contacts.size(); ++k) total[k] = bounces[k].impulse;
    for (int round = 0; round < most_sweeps; ++round) {
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            problem.b[k] = normals.relative_velocity(k, motion) + restitution[k] * std::fmin(-bounces[k].speed_in, 0.0);
            for (std::size_t l = 0; l < contacts.size(); ++l) problem.b[k] -= problem.matrix.at(k, l) * total[l];
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
        const Values lost = press(world, contacts, normals, more, &BodyHeat::impact, motion);
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

// Two bodies alone whose friction changes their normal speed: none where they do not approach, or resist turning.
std::optional<Bounce> strike(const model::Parameters& world, const Contact& c, double restitution, double speed, Motion& motion) {
    const laws::PairLaw& law = world.law(c.i, c.j);
    if (!(speed < 0) || !(law.friction > 0) || law.rolling_resistance > 0 || law.spinning_resistance > 0) return std::nullopt;
    const contact::Side a = side_of(world, c.i, motion, c.arm_i), b = side_of(world, c.j, motion, c.arm_j);
    const Vec3 y = direction_across(c.normal), z = cross(c.normal, y);
    const contact::Row rows[] = {contact::row_of(a, b, c.normal), contact::row_of(a, b, y), contact::row_of(a, b, z)};
    const auto at = [&](std::size_t k, std::size_t l) { return contact::coupling(rows[k], rows[l]); };
    const CoulombBlock block{.nn = at(0, 0), .ny = at(0, 1), .nz = at(0, 2), .yy = at(1, 1), .yz = at(1, 2), .zz = at(2, 2)};
    const Vec3 slip = slip_of(c, motion), before{dot(c.normal, slip), dot(y, slip), dot(z, slip)};
    const std::optional<SingleImpact> impact =
        single_impact(block, before, {.restitution_law = law.restitution_law, .restitution = restitution, .friction = law.friction});
    if (!impact) return std::nullopt;
    const Vec3& p = impact->impulse;
    push(world, c, p.x * c.normal + p.y * y + p.z * z, {}, motion);
    const double heat = -dot(p, before + 0.5 * block.times(p));
    warm(world, c, impact->heat, &BodyHeat::impact, motion);
    warm(world, c, heat - impact->heat, &BodyHeat::friction, motion);
    const bool is_resting = restitution == 0;
    return Bounce{
        .speed_in = -speed, .speed_out = is_resting ? 0 : normal_speed(c, motion), .impulse = p.x, .heat = heat, .is_resting = is_resting};
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

void set_normals(const model::Parameters& world, std::span<const Contact> contacts, const Motion& motion, contact::ContactSystem& system) {
    system.clear();
    system.reserve(contacts.size());
    for (const Contact& c : contacts) {
        const bool is_central = world.bodies[c.i].is_sphere() && world.bodies[c.j].is_sphere();
        system.add(contact::row_of(side_of(world, c.i, motion, is_central ? Vec3{} : c.arm_i),
                                   side_of(world, c.j, motion, is_central ? Vec3{} : c.arm_j), c.normal));
    }
}

Bounces collide(const model::Parameters& world, std::span<const Contact> contacts, std::span<const double> restitution, Motion& motion) {
    Bounces out;
    if (contacts.size() == 1 && couples(world, contacts))
        if (const std::optional<Bounce> bounce = strike(world, contacts[0], restitution[0], normal_speed(contacts[0], motion), motion)) {
            out[0] = *bounce;
            return out;
        }
    const contact::ContactSystem normals = normal_system(world, contacts, motion);
    numerics::Complementarity problem = normal_problem(normals);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double u = normal_speed(contacts[k], motion);
        out[k].speed_in = -u;
        problem.b[k] = u + restitution[k] * std::fmin(u, 0.0);
    }
    const numerics::ComplementaritySolution solution = numerics::pivoting(problem);
    const std::vector<BodyHeat> cold = world.laws.has_friction() && couples(world, contacts) ? motion.heat : std::vector<BodyHeat>{};
    Values heat = press(world, contacts, normals, solution.f, &BodyHeat::impact, motion);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        out[k].impulse = solution.f[k];
        out[k].is_resting = solution.a[k] == 0 && restitution[k] * std::fmin(-out[k].speed_in, 0.0) == 0;
    }
    if (world.laws.has_friction()) {
        Rubbed rubbed;
        for (int sweep = 0; sweep < most_sweeps; ++sweep)
            if (rub_once(world, contacts, solution.f, {}, rubbed, heat, motion) <= converged) break;
        if (!cold.empty()) keep_restitution(world, contacts, restitution, normals, problem, cold, rubbed, heat, out, motion);
        for (std::size_t k = 0; k < contacts.size(); ++k) problem.b[k] = normal_speed(contacts[k], motion);
        const numerics::ComplementaritySolution after = numerics::pivoting(problem);
        const Values more = press(world, contacts, normals, after.f, &BodyHeat::impact, motion);
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
    const contact::ContactSystem normals = normal_system(world, contacts, motion);
    return hold(world, contacts, normals, normals.dense(), cause, motion);
}

void rub(const model::Parameters& world, std::span<const Contact> contacts, std::span<const double> impulse, const Rubbings& aims,
         Motion& motion) {
    Rubbed rubbed;
    Values heat{}, pressing{};
    std::copy(impulse.begin(), impulse.begin() + static_cast<std::ptrdiff_t>(contacts.size()), pressing.begin());
    const contact::ContactSystem normals = normal_system(world, contacts, motion);
    const numerics::DenseMatrix matrix = normals.dense();
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        const double change = rub_once(world, contacts, pressing, aims, rubbed, heat, motion);
        const Values more = hold(world, contacts, normals, matrix, &BodyHeat::friction, motion);
        for (std::size_t k = 0; k < contacts.size(); ++k) pressing[k] += more[k];
        if (change <= converged) break;
    }
}

}  // namespace asperity::dynamics
