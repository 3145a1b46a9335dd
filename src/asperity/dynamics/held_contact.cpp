#include "asperity/dynamics/held_contact.h"

#include <cmath>

#include "asperity/dynamics/single_impact.h"

namespace asperity::dynamics {
namespace {

// Bodies as rows of the Delassus operator see them.
struct Velocities {
    model::Bodies& bodies;
    const Vec3& velocity(std::size_t row) const { return bodies.velocity[row]; }
    const Vec3& spin(std::size_t row) const { return bodies.spin[row]; }
    void push(std::size_t row, const Vec3& change) { bodies.velocity[row] += change; }
    void turn(std::size_t row, const Vec3& change) { bodies.spin[row] += change; }
};
struct ConstVelocities {
    const model::Bodies& bodies;
    const Vec3& velocity(std::size_t row) const { return bodies.velocity[row]; }
    const Vec3& spin(std::size_t row) const { return bodies.spin[row]; }
};

// (4), by descent with the largest mobility.
double resist(HeldContact& held, double part, model::Bodies& bodies) {
    if (!held.resists_turning() || !(held.impulse.x > 0 || held.torque != Vec3{})) return 0;
    const Vec3 wanted = held.torque - relative_spin(held, bodies) / held.turning;
    const Vec3 whole = within_bounds(held, wanted, held.impulse.x) - held.torque, step = part * whole;
    held.torque += step;
    apply(held, {}, step, bodies);
    return held.arm() * held.turning * norm(whole);
}

}  // namespace

double HeldContact::arm() const { return std::fmax(norm(a.arm), b.kind != nullptr ? norm(b.arm) : 0); }

Vec3 relative_velocity(const HeldContact& held, const model::Bodies& bodies) {
    const ConstVelocities velocities{bodies};
    return {contact::relative_velocity(held.normal, velocities), contact::relative_velocity(held.along_y, velocities),
            contact::relative_velocity(held.along_z, velocities)};
}

Vec3 relative_spin(const HeldContact& held, const model::Bodies& bodies) {
    const Vec3& of_a = bodies.spin[static_cast<std::size_t>(held.a.row)];
    return held.b.row == model::ground ? of_a : of_a - bodies.spin[static_cast<std::size_t>(held.b.row)];
}

void apply(const HeldContact& held, const Vec3& impulse, const Vec3& torque, model::Bodies& bodies) {
    Velocities velocities{bodies};
    if (impulse != Vec3{}) {
        contact::apply(held.normal, impulse.x, velocities);
        contact::apply(held.along_y, impulse.y, velocities);
        contact::apply(held.along_z, impulse.z, velocities);
    }
    if (torque == Vec3{}) return;
    if (held.a.kind != nullptr) bodies.spin[static_cast<std::size_t>(held.a.row)] += held.a.turned(torque);
    if (held.b.kind != nullptr) bodies.spin[static_cast<std::size_t>(held.b.row)] -= held.b.turned(torque);
}

Vec3 clipped_to(const Vec3& a, double bound) {
    const double size = norm(a);
    return size > bound ? (bound / size) * a : a;
}

Vec3 within_bounds(const HeldContact& held, const Vec3& torque, double pressing) {
    if (!(pressing > 0)) return {};
    const double limit = held.spinning * pressing, about = std::fmax(-limit, std::fmin(limit, dot(torque, held.n)));
    return clipped_to(tangential(torque, held.n), held.rolling * pressing) + about * held.n;
}

double target_of(const HeldContact& held, const Vec3& velocity, const Vec3& spin) {
    const double in = -held.before.x;
    if (held.is_quiet) return 0;
    if (!(in > 0)) return in;
    const double asked = held.restitution * in;
    if (!(asked > 0) || !(held.impulse.x > 0) || held.restitution_law == laws::RestitutionLaw::newton) return asked;
    const double done = held.impulse.y * (held.before.y + velocity.y) + held.impulse.z * (held.before.z + velocity.z) +
                        dot(held.torque, held.spin_before + spin);
    return std::fmin(asked, std::fmax(0.0, in - done / held.impulse.x));
}

namespace {

double visit(HeldContact& held, const Vec3& u, double target, double part, model::Bodies& bodies) {
    const Vec3 q = u - held.block.times(held.impulse);
    Vec3 wanted = held.strike ? held.strike->impulse : coulomb_impulse(held.block, q, target, held.friction);
    if (wanted.x < held.least) wanted = pressed_impulse(held.block, q, held.least, held.friction);
    const Vec3 whole = wanted - held.impulse, step = part * whole;
    held.impulse = part == 1 ? wanted : held.impulse + step;
    apply(held, step, {}, bodies);
    const double change = std::fmax(norm(held.block.times(whole)), resist(held, part, bodies));
    const double scale = held.scale();
    return scale > 0 ? change / scale : 0;
}

}  // namespace

double visit(HeldContact& held, double target, double part, model::Bodies& bodies) {
    return visit(held, relative_velocity(held, bodies), target, part, bodies);
}

double visit(HeldContact& held, double part, model::Bodies& bodies) {
    const Vec3 u = relative_velocity(held, bodies);
    return visit(held, u, target_of(held, u, relative_spin(held, bodies)), part, bodies);
}

std::optional<Strike> strike_of(const HeldContact& held, const model::Bodies& bodies) {
    if (!held.is_alone || held.block.is_central || held.resists_turning()) return std::nullopt;
    const CoulombBlock& w = held.block;
    const Vec3 forces = relative_velocity(held, bodies) - w.times(held.impulse) - held.before;
    Vec3 before = held.before;
    const bool approaches = before.x < 0 && !held.is_quiet && (held.restitution > 0 || forces.x > before.x);
    if (!approaches) {
        const double slip = std::hypot(before.y, before.z);
        const bool drives_in = held.friction * (w.ny * before.y + w.nz * before.z) > w.nn * slip;
        if (!drives_in || !(std::fmin(before.x, 0.0) + forces.x < 0) || (before.x > 0 && !held.is_quiet)) return std::nullopt;
        before.x = std::fmin(before.x, 0.0);
    }
    const std::optional<SingleImpact> impact =
        single_impact(w, before, {.restitution_law = held.restitution_law, .restitution = held.restitution, .friction = held.friction});
    if (!impact) return std::nullopt;
    const Vec3 parting = held.before + w.times(impact->impulse);
    const Vec3 against = coulomb_impulse(w, parting + forces, std::fmax(parting.x, 0.0), held.friction);  // the forces
    const double after = (parting + forces + w.times(against)).x;
    return Strike{.impulse = impact->impulse + against, .heat = impact->heat - 0.5 * against.x * (held.before.x + after)};
}

bool completes_bounces(HeldContact& held, const model::Bodies& bodies) {
    const double in = -held.before.x, e = held.restitution;
    if (!(e > 0) || !(in > 0)) return false;
    const double pressing = held.before.x - (relative_velocity(held, bodies).x - held.block.times(held.impulse).x);
    if (!(2 * e * in < (1 - e) * pressing)) return false;
    held.restitution = 0;
    return true;
}

HeldHeat heat_of(const HeldContact& held) {
    const Vec3 mean = 0.5 * (held.before + held.after);
    if (held.strike) return {.impact = held.strike->heat, .friction = -dot(held.impulse, mean) - held.strike->heat};
    return {.impact = -held.impulse.x * mean.x,
            .friction = -(held.impulse.y * mean.y + held.impulse.z * mean.z),
            .rolling = -0.5 * dot(held.torque, held.spin_before + held.spin_after)};
}

}  // namespace asperity::dynamics
