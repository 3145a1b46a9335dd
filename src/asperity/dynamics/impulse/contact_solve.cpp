#include "asperity/dynamics/impulse/contact_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::dynamics {
namespace {

constexpr int most_sweeps = 20000;
constexpr int sweeps_of_a_leap = 20;  // after so many impulses go on along their last change
constexpr int whole_sweeps = 5000;    // after them visits go half of their way
constexpr double resolved = 10;       // tolerances: slower is what solves before have left
constexpr int most_shift_sweeps = 100;
constexpr double shift_tolerance = 1e-3;  // of the deepest overlap that is taken out

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
struct Places {
    std::vector<Vec3>&moved, &turned;
    const Vec3& velocity(std::size_t row) const { return moved[row]; }
    const Vec3& spin(std::size_t row) const { return turned[row]; }
    void push(std::size_t row, const Vec3& change) { moved[row] += change; }
    void turn(std::size_t row, const Vec3& change) { turned[row] += change; }
};

// A direction across n, the same for the same n.
Vec3 across(const Vec3& n) {
    const Vec3 axis = std::fabs(n.x) <= std::fabs(n.y) && std::fabs(n.x) <= std::fabs(n.z) ? Vec3{1, 0, 0}
                      : std::fabs(n.y) <= std::fabs(n.z)                                   ? Vec3{0, 1, 0}
                                                                                           : Vec3{0, 0, 1};
    return unit(cross(n, axis));
}

Vec3 clipped_to(const Vec3& a, double bound) {
    const double size = norm(a);
    return size > bound ? (bound / size) * a : a;
}

bool is_central(const contact::Side& side) { return side.kind == nullptr || (side.kind->is_sphere() && side.kind->colliders.empty()); }

// Largest mobility of a spin, 1/(kg m^2): of a ball that of every axis.
double turning_of(const contact::Side& side) {
    if (side.kind == nullptr) return 0;
    return 1 / std::min({side.kind->inertia.x, side.kind->inertia.y, side.kind->inertia.z});
}

const double* data_or_none(const std::vector<double>& values) { return values.empty() ? nullptr : values.data(); }

}  // namespace

ContactSolve::ContactSolve(const model::Model& model) : world_(model.parameters) {
    if (model.assets != nullptr && !(world_.ground.empty() && world_.driven.empty()))
        facet_values_ = {data_or_none(model.assets->restitution), data_or_none(model.assets->friction),
                         data_or_none(model.assets->rolling_resistance)};
}

laws::PairLaw ContactSolve::law_of(const contact::ContactPoint& c) const {
    laws::PairLaw out = law(c);
    if (c.facet >= 0) facet_values_.apply(c.facet, out);
    return out;
}

// Of a ball the arm is along the normal to the last bit, so that normal impulses do not turn it.
contact::Side ContactSolve::side_of(std::int32_t row, const contact::ContactPoint& c, const SmoothWorld& smooth,
                                    const model::Bodies& bodies) const {
    if (row == model::ground) return {};
    const auto i = static_cast<std::size_t>(row);
    contact::Side side = contact::side_of(world_, row, bodies.orientation[i], c.point - bodies.position[i]);
    if (!world_.moves(row)) return side;
    side.inverse_mass = 1 / smooth.mass_of(i);
    if (is_central(side)) side.arm = dot(side.arm, c.normal) * c.normal;
    return side;
}

ContactSolve::Held ContactSolve::held_of(const contact::ContactPoint& c, const SmoothWorld& smooth, const model::Bodies& bodies) const {
    Held held{.a = side_of(c.a, c, smooth, bodies), .b = side_of(c.b, c, smooth, bodies), .n = c.normal, .y = across(c.normal)};
    held.z = cross(held.n, held.y);
    contact::Side a = held.a, b = held.b;
    if (is_central(a) && world_.moves(c.a)) a.arm = {};
    if (is_central(b) && world_.moves(c.b)) b.arm = {};
    held.normal = contact::row_of(a, b, held.n);
    held.along_y = contact::row_of(held.a, held.b, held.y);
    held.along_z = contact::row_of(held.a, held.b, held.z);
    held.block.nn = contact::coupling(held.normal, held.normal);
    held.block.yy = contact::coupling(held.along_y, held.along_y);
    held.block.is_central = is_central(held.a) && is_central(held.b);
    if (!held.block.is_central) {
        held.block.ny = contact::coupling(held.normal, held.along_y);
        held.block.nz = contact::coupling(held.normal, held.along_z);
        held.block.yz = contact::coupling(held.along_y, held.along_z);
        held.block.zz = contact::coupling(held.along_z, held.along_z);
    }
    const laws::PairLaw law = law_of(c);
    held.restitution = law.restitution;
    held.friction = law.friction;
    if (law.rolling_resistance > 0) held.rolling = law.rolling_resistance * c.radius;
    if (law.spinning_resistance > 0) held.spinning = law.spinning_resistance * c.radius;
    held.turning = turning_of(held.a) + turning_of(held.b);
    held.before = relative_velocity(held, bodies);
    held.spin_before = relative_spin(held, bodies);
    return held;
}

Vec3 ContactSolve::relative_velocity(const Held& held, const model::Bodies& bodies) {
    const ConstVelocities velocities{bodies};
    return {contact::relative_velocity(held.normal, velocities), contact::relative_velocity(held.along_y, velocities),
            contact::relative_velocity(held.along_z, velocities)};
}

Vec3 ContactSolve::relative_spin(const Held& held, const model::Bodies& bodies) {
    const Vec3& of_a = bodies.spin[static_cast<std::size_t>(held.a.row)];
    return held.b.row == model::ground ? of_a : of_a - bodies.spin[static_cast<std::size_t>(held.b.row)];
}

void ContactSolve::begin(const contact::ContactList& contacts, const SmoothWorld& smooth, const model::Bodies& bodies,
                         const std::vector<LastImpulse>& last) {
    contacts_ = &contacts;
    held_.clear();
    std::size_t row = 0;
    for (const contact::ContactPoint& c : contacts) {
        Held& held = held_.emplace_back(held_of(c, smooth, bodies));
        while (row < last.size() && last[row].key() < c.key()) ++row;
        if (row == last.size() || last[row].key() != c.key()) continue;
        const Vec3& p = last[row].linear;
        held.impulse = {dot(p, held.n), dot(p, held.y), dot(p, held.z)};
        held.torque = last[row].angular;
    }
}

// t of coulomb_block.h, by (2) and (5).
double ContactSolve::target_of(const Held& held, const Vec3& velocity, const Vec3& spin) const {
    const double in = -held.before.x;
    if (held.is_quiet) return 0;
    if (!(in > 0)) return in;
    const double asked = held.restitution * in;
    if (!(asked > 0) || !(held.impulse.x > 0)) return asked;
    const double done = held.impulse.y * (held.before.y + velocity.y) + held.impulse.z * (held.before.z + velocity.z) +
                        dot(held.torque, held.spin_before + spin);
    return std::fmin(asked, std::fmax(0.0, in - done / held.impulse.x));
}

double ContactSolve::visit(Held& held, double part, model::Bodies& bodies) const {
    const Vec3 u = relative_velocity(held, bodies);
    const Vec3 wanted =
        coulomb_impulse(held.block, u - held.block.times(held.impulse), target_of(held, u, relative_spin(held, bodies)), held.friction);
    const Vec3 whole = wanted - held.impulse, step = part * whole;
    held.impulse = part == 1 ? wanted : held.impulse + step;
    apply(held, step, {}, bodies);
    const double change = std::fmax(norm(held.block.times(whole)), resist(held, part, bodies));
    const double scale = held.speed + norm(held.block.times(held.impulse));
    return scale > 0 ? change / scale : 0;
}

Vec3 ContactSolve::within_bounds(const Held& held, const Vec3& torque, double pressing) {
    if (!(pressing > 0)) return {};
    const double limit = held.spinning * pressing, about = std::fmax(-limit, std::fmin(limit, dot(torque, held.n)));
    return clipped_to(tangential(torque, held.n), held.rolling * pressing) + about * held.n;
}

// (4), by descent with the largest mobility.
double ContactSolve::resist(Held& held, double part, model::Bodies& bodies) const {
    if (!(held.rolling > 0 || held.spinning > 0) || !(held.impulse.x > 0 || held.torque != Vec3{})) return 0;
    const Vec3 wanted = held.torque - relative_spin(held, bodies) / held.turning;
    const Vec3 whole = within_bounds(held, wanted, held.impulse.x) - held.torque, step = part * whole;
    held.torque += step;
    apply(held, {}, step, bodies);
    const double arm = std::fmax(norm(held.a.arm), held.b.kind != nullptr ? norm(held.b.arm) : 0);
    return arm * held.turning * norm(whole);
}

void ContactSolve::apply(const Held& held, const Vec3& impulse, const Vec3& torque, model::Bodies& bodies) {
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

// (6) with the impulses as they are; whether that was news.
bool ContactSolve::complete_bounces(const model::Bodies& bodies) {
    bool is_any = false;
    for (Held& held : held_) {
        const double in = -held.before.x, e = held.restitution;
        if (!(e > 0) || !(in > 0)) continue;
        const double pressing = held.before.x - (relative_velocity(held, bodies).x - held.block.times(held.impulse).x);
        if (!(2 * e * in < (1 - e) * pressing)) continue;
        held.restitution = 0;
        is_any = true;
    }
    return is_any;
}

// How far impulses can go along d before one of them comes to its bound, in d; infinite where none does.
double ContactSolve::way_to_bounds(std::span<const Vec3> d) const {
    double way = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const Vec3 &p = held_[k].impulse, &by = d[2 * k];
        if (!(p.x > 0)) continue;
        if (by.x < 0) way = std::fmin(way, -p.x / by.x);
        const double f2 = held_[k].friction * held_[k].friction;
        // |p_t + s d_t|^2 = f^2 (p_n + s d_n)^2: a s^2 + 2 b s = c, from within the cone
        const double a = by.y * by.y + by.z * by.z - f2 * by.x * by.x, b = p.y * by.y + p.z * by.z - f2 * p.x * by.x;
        const double c = f2 * p.x * p.x - p.y * p.y - p.z * p.z;
        if (!(c > 1e-9 * f2 * p.x * p.x)) continue;  // it slips
        const double root = b * b + a * c;
        if (root >= 0 && b + std::sqrt(root) > 0) way = std::fmin(way, c / (b + std::sqrt(root)));
    }
    return way;
}

// Remembers the impulses after every second sweep; `is_due`: goes on along their last change, as far as its ratio to the one before says
// (a geometric series), but no farther than to the first bound.
void ContactSolve::leap(bool is_due, model::Bodies& bodies) {
    std::rotate(trail_.begin(), trail_.begin() + 1, trail_.end());
    std::vector<Vec3>& now = trail_.back();
    now.clear();
    for (const Held& held : held_) {
        now.push_back(held.impulse);
        now.push_back(held.torque);
    }
    if (!is_due) return;
    double product = 0, square = 0;
    leap_.resize(now.size());
    for (std::size_t k = 0; k < now.size(); ++k) {
        leap_[k] = now[k] - trail_[1][k];
        if (k % 2 == 1) continue;  // torques follow
        const Vec3 before = trail_[1][k] - trail_[0][k];
        product += dot(leap_[k], before);
        square += squared_norm(before);
    }
    if (!(product > 0)) return;
    double way = way_to_bounds(leap_);
    if (product < square) way = std::fmin(way, product / (square - product));
    if (!std::isfinite(way)) return;
    for (std::size_t k = 0; k < held_.size(); ++k) {
        Held& held = held_[k];
        Vec3 impulse = held.impulse + way * leap_[2 * k];
        impulse.x = std::fmax(0.0, impulse.x);
        const Vec3 rubbing = clipped_to({0, impulse.y, impulse.z}, held.friction * impulse.x);
        impulse = {impulse.x, rubbing.y, rubbing.z};
        const Vec3 torque = within_bounds(held, held.torque + way * leap_[2 * k + 1], impulse.x);
        apply(held, impulse - held.impulse, torque - held.torque, bodies);
        held.impulse = impulse;
        held.torque = torque;
    }
}

std::optional<double> ContactSolve::solve(double h, double tolerance, const SmoothWorld& smooth, model::Bodies& bodies) {
    for (Held& held : held_) {
        const double spin = held.rolling > 0 || held.spinning > 0 ? norm(held.a.arm) * norm(held.spin_before) : 0;
        held.speed = norm(held.before) + norm(relative_velocity(held, bodies)) + spin;
        for (const contact::Side* side : {&held.a, &held.b})
            if (side->kind != nullptr) held.speed += h * norm(smooth.rates().acceleration[static_cast<std::size_t>(side->row)]);
    }
    for (Held& held : held_) {
        held.is_quiet = std::fabs(held.before.x) <= resolved * tolerance * held.block.nn * held.impulse.x;
        apply(held, held.impulse, held.torque, bodies);  // the first guess
    }
    complete_bounces(bodies);
    double change = 0, before_leap = std::numeric_limits<double>::infinity();
    bool may_leap = true;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        const double part = sweep < whole_sweeps ? 1 : 0.5;
        change = 0;
        if (sweep % 2 == 0)
            for (Held& held : held_) change = std::fmax(change, visit(held, part, bodies));
        else
            for (std::size_t k = held_.size(); k-- > 0;) change = std::fmax(change, visit(held_[k], part, bodies));
        if (change <= tolerance && !complete_bounces(bodies)) break;
        const int of_leap = sweep % sweeps_of_a_leap;
        if (change > 2 * before_leap) may_leap = false;
        before_leap = std::numeric_limits<double>::infinity();
        if (!may_leap || sweep < sweeps_of_a_leap || of_leap % 2 == 0 || of_leap < sweeps_of_a_leap - 5) continue;
        leap(of_leap == sweeps_of_a_leap - 1, bodies);
        if (of_leap == sweeps_of_a_leap - 1) before_leap = change;
    }
    for (Held& held : held_) {
        held.after = relative_velocity(held, bodies);
        held.spin_after = relative_spin(held, bodies);
    }
    if (change <= tolerance) return std::nullopt;
    return change;
}

ContactSolve::Heat ContactSolve::heat_of(const Held& held) {
    const Vec3 mean = 0.5 * (held.before + held.after);
    return {.impact = -held.impulse.x * mean.x,
            .friction = -(held.impulse.y * mean.y + held.impulse.z * mean.z),
            .rolling = -0.5 * dot(held.torque, held.spin_before + held.spin_after)};
}

void ContactSolve::add_heat(const model::Bodies& bodies, std::vector<BodyHeat>& heat) const {
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const Held& held = held_[k];
        const Heat set_free = heat_of(held);
        const bool is_shared = held.b.kind != nullptr;
        double work = 0;
        if (held.b.row != model::ground && !is_shared) {
            const auto b = static_cast<std::size_t>(held.b.row);
            const Vec3 p = held.impulse.x * held.n + held.impulse.y * held.y + held.impulse.z * held.z;
            work = dot(p, bodies.velocity[b] + cross(bodies.spin[b], held.b.arm)) + dot(held.torque, bodies.spin[b]);
        }
        for (const contact::Side* side : {&held.a, &held.b}) {
            if (side->kind == nullptr) continue;
            BodyHeat& of = heat[static_cast<std::size_t>(side->row)];
            const double share = (is_shared ? 0.5 : 1.0) / side->kind->mass;
            of.impact += share * set_free.impact;
            of.friction += share * set_free.friction;
            of.rolling += share * set_free.rolling;
            of.work += share * work;
        }
    }
}

void ContactSolve::remember(std::vector<LastImpulse>& out) const {
    out.clear();
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const Held& held = held_[k];
        const contact::ContactPoint& c = (*contacts_)[k];
        out.push_back({.a = c.a,
                       .b = c.b,
                       .feature = c.feature,
                       .linear = held.impulse.x * held.n + held.impulse.y * held.y + held.impulse.z * held.z,
                       .angular = held.torque});
    }
}

ContactSolve::Met ContactSolve::met(std::size_t k) const {
    const Held& held = held_[k];
    const Heat heat = heat_of(held);
    return {.in = std::fmax(0.0, -held.before.x), .out = std::fmax(0.0, held.after.x), .heat = heat.impact + heat.friction + heat.rolling};
}

// The least motion, by mass, that leaves no contact deeper than allowed; whether there is any.
bool ContactSolve::find_shift(double h, std::size_t rows) {
    const auto depth_of = [&](std::size_t k) { return -(*contacts_)[k].gap - 0.5 * h * held_[k].after.x; };  // at the end of the step
    const auto allowed_of = [&](std::size_t k) { return 0.5 * h * held_[k].block.nn * held_[k].impulse.x; };
    double most = 0;
    for (std::size_t k = 0; k < held_.size(); ++k)
        if (held_[k].impulse.x > 0 && depth_of(k) > 2 * allowed_of(k)) most = std::fmax(most, depth_of(k));
    if (most == 0) return false;
    shift_.impulse.assign(held_.size(), 0);
    shift_.moved.assign(rows, {});
    shift_.turned.assign(rows, {});
    Places places{shift_.moved, shift_.turned};
    for (int sweep = 0; sweep < most_shift_sweeps; ++sweep) {
        double change = 0;
        for (std::size_t k = 0; k < held_.size(); ++k) {
            const Held& held = held_[k];
            if (!(held.impulse.x > 0)) continue;
            const double left = depth_of(k) - allowed_of(k) - contact::relative_velocity(held.normal, places);
            const double step = std::fmax(-shift_.impulse[k], left / held.block.nn);
            shift_.impulse[k] += step;
            contact::apply(held.normal, step, places);
            change = std::fmax(change, std::fabs(step) * held.block.nn);
        }
        if (change <= shift_tolerance * most) break;
    }
    return true;
}

// Of two bodies that were moved apart along n by equal and opposite parts: their velocities are turned with the line between them, as those
// of bodies that were moved without a torque; what that cannot give goes to their spins.
void ContactSolve::keep_angular_momentum(std::size_t k, const model::Bodies& before, const SmoothWorld& smooth,
                                         model::Bodies& bodies) const {
    const Held& held = held_[k];
    if (!(shift_.impulse[k] > 0) || held.b.kind == nullptr) return;
    const auto a = static_cast<std::size_t>(held.a.row), b = static_cast<std::size_t>(held.b.row);
    const Vec3 gained = shift_.impulse[k] * cross(held.n, before.velocity[a] - before.velocity[b]);
    const Vec3 apart = bodies.position[a] - bodies.position[b];
    const Vec3 exchanged = cross(gained, apart) / squared_norm(apart);
    bodies.velocity[a] -= exchanged / smooth.mass_of(a);
    bodies.velocity[b] += exchanged / smooth.mass_of(b);
    const Vec3 left = 0.5 * (dot(gained, apart) / squared_norm(apart)) * apart;
    bodies.spin[a] -= inverse_inertia_times(*held.a.kind, bodies.orientation[a], left);
    bodies.spin[b] -= inverse_inertia_times(*held.b.kind, bodies.orientation[b], left);
}

bool ContactSolve::separate(double h, const SmoothWorld& smooth, model::Bodies& bodies, std::vector<BodyHeat>& heat) {
    const std::size_t n = world_.bodies.size();
    if (!find_shift(h, bodies.position.size())) return false;
    const model::Bodies before = bodies;
    for (std::size_t i = 0; i < n; ++i) {
        if (shift_.moved[i] == Vec3{} && shift_.turned[i] == Vec3{}) continue;
        bodies.position[i] += shift_.moved[i];
        if (shift_.turned[i] == Vec3{}) continue;
        const model::BodyKind& body = world_.bodies[i];
        const Vec3 momentum = spin_momentum(body, {bodies.position[i], bodies.velocity[i], bodies.spin[i], bodies.orientation[i]});
        bodies.orientation[i] = unit(rotation(shift_.turned[i]) * bodies.orientation[i]);
        bodies.spin[i] = inverse_inertia_times(body, bodies.orientation[i], momentum);
    }
    for (std::size_t k = 0; k < held_.size(); ++k) keep_angular_momentum(k, before, smooth, bodies);
    // What it costs is taken from the heat of impacts, which has it from the depth that bodies fell too far.
    for (std::size_t i = 0; i < n; ++i) {
        const model::BodyKind& body = world_.bodies[i];
        const auto motion = [&](const model::Bodies& at) {
            return BodyMotion{at.position[i], at.velocity[i], at.spin[i], at.orientation[i]};
        };
        const auto kinetic = [&](const model::Bodies& at) {
            return 0.5 * smooth.mass_of(i) * squared_norm(at.velocity[i]) + 0.5 * dot(at.spin[i], spin_momentum(body, motion(at)));
        };
        BodyMotion turning = motion(before);
        turning.w = smooth.rates().turning[i];
        const double cost = kinetic(bodies) - kinetic(before) - smooth.mass_of(i) * dot(smooth.rates().acceleration[i], shift_.moved[i]) -
                            dot(spin_momentum(body, turning), shift_.turned[i]);
        heat[i].impact -= cost / body.mass;
    }
    return true;
}

}  // namespace asperity::dynamics
