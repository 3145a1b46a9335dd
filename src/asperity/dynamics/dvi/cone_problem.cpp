#include "asperity/dynamics/dvi/cone_problem.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/dynamics/dvi/cone_solvers.h"

namespace asperity::dynamics {
namespace {

constexpr int most_visits = 50;       // of a contact alone
constexpr int most_rounds = 20;       // of a step, each with the right hand side that the one before asks for
constexpr double resolved_part = 10;  // tolerances: changes of b below that are what solves leave
constexpr double alone_part = 0.1;    // of the tolerance, to which it is solved

// The right hand side of what slips.
double dilation(const HeldContact& held, const Vec3& velocity, const Vec3& spin) {
    return held.friction * std::hypot(velocity.y, velocity.z) + held.rolling * norm(tangential(spin, held.n)) +
           held.spinning * std::fabs(dot(spin, held.n));
}

// m/s, by which forces bring the two together in a step.
double pressed(const StepTask& task, const HeldContact& held) {
    Vec3 apart;
    if (held.a.kind != nullptr) apart += task.smooth.rates().acceleration[static_cast<std::size_t>(held.a.row)];
    if (held.b.kind != nullptr) apart -= task.smooth.rates().acceleration[static_cast<std::size_t>(held.b.row)];
    return std::fmax(0.0, -task.h * dot(held.n, apart));
}

// (3), where what slips is parted by `parted`.
double asked(const StepTask& task, const HeldContact& held, double parted) {
    const double closing = held.gap > 0 ? held.gap / task.h : 0;
    return std::fmax(std::fmax(closing, held.before.x), std::fmax(0.0, parted - pressed(task, held)));
}

}  // namespace

Cone cone_of(const HeldContact& held) {
    const CoulombBlock& w = held.block;
    const double together = held.resists_turning() ? 2 : 1;
    Cone cone{.friction = held.friction, .rolling = held.rolling, .spinning = held.spinning};
    cone.of_torque = together * held.turning;
    if (w.is_central) {
        cone.of_normal = w.nn;  // which turns nothing
        cone.of_tangent = together * w.yy;
        return cone;
    }
    cone.of_normal = together * (w.nn + std::fabs(w.ny) + std::fabs(w.nz));
    cone.of_tangent = together * std::fmax(w.yy + std::fabs(w.ny), w.zz + std::fabs(w.nz)) + together * std::fabs(w.yz);
    return cone;
}

// With a_i the size of a part of x and c_i p_n its bound, p_n is the root of the increasing
//   D_n (p_n - x_n) - sum D_i c_i max(0, a_i - c_i p_n),
// from below by leaving out parts that are within their bounds.
ConeImpulse Cone::nearest(const ConeImpulse& x, const Vec3& n) const {
    const double about = dot(x.angular, n);
    const Vec3 across = x.angular - about * n;
    const std::array<double, 3> size{std::hypot(x.linear.y, x.linear.z), norm(across), std::fabs(about)};
    const std::array<double, 3> slope{friction, rolling, spinning}, weight{of_tangent, of_torque, of_torque};
    double pressing = 0;
    std::array<bool, 3> is_beyond{true, true, true};
    for (bool is_settled = false; !is_settled;) {
        double sum = of_normal * x.linear.x, all = of_normal;
        for (std::size_t i = 0; i < 3; ++i) {
            if (!is_beyond[i]) continue;
            sum += weight[i] * slope[i] * size[i];
            all += weight[i] * slope[i] * slope[i];
        }
        pressing = sum / all;
        is_settled = true;
        for (std::size_t i = 0; i < 3; ++i)
            if (is_beyond[i] && size[i] <= slope[i] * pressing) is_beyond[i] = is_settled = false;
    }
    if (!(pressing > 0)) return {};
    const auto part = [&](std::size_t i) { return is_beyond[i] ? slope[i] * pressing / size[i] : 1; };
    return {.linear = {pressing, part(0) * x.linear.y, part(0) * x.linear.z}, .angular = part(1) * across + (part(2) * about) * n};
}

HeldContact ConeProblem::alone(const HeldContact& held, const model::Bodies& bodies) {
    HeldContact one = held;
    two_.velocity.resize(2);
    two_.spin.resize(2);
    std::int32_t next = 0;
    for (contact::Side* side : {&one.a, &one.b}) {
        if (side->row == model::ground) continue;
        const auto row = static_cast<std::size_t>(side->row);
        two_.velocity[static_cast<std::size_t>(next)] = bodies.velocity[row];
        two_.spin[static_cast<std::size_t>(next)] = bodies.spin[row];
        side->row = next++;
    }
    for (contact::Row* row : {&one.normal, &one.along_y, &one.along_z}) {
        row->a = one.a.row;
        row->b = one.b.row;
    }
    apply(one, -one.impulse, -one.torque, two_);
    one.impulse = one.torque = {};
    return one;
}

// b with what slips by its law alone, of lasting contacts no more than before the step.
void ConeProblem::prepare(const StepTask& task, HeldContact& held, Cone& cone, model::Bodies& bodies) {
    const bool bounces = held.bounces();
    held.strike = strike_of(held, bodies);
    const bool strikes = held.strike && !held.is_quiet && held.before.x < 0;
    const bool waits = held.gap > 0 && (bounces || strikes);
    if (held.gap > 0) held.strike.reset();
    cone.takes_part = !waits && !held.strike;
    if (!cone.takes_part) {
        const Vec3 impulse = held.strike ? held.strike->impulse : Vec3{};
        apply(held, impulse - held.impulse, -held.torque, bodies);
        held.impulse = impulse;
        held.torque = {};
        return;
    }
    const double before = dilation(held, held.before, held.spin_before), least = asked(task, held, 0);
    cone.b = least;
    if (!bounces && asked(task, held, before) == least) return;
    if (held.is_jointed) {  // there is no such contact alone: the fixed point finds what slips
        cone.b = bounces ? before - target_of(held, held.before, held.spin_before) : asked(task, held, before);
        return;
    }
    HeldContact one = alone(held, bodies);
    double change = 1, target = -least;
    for (int k = 0; k < most_visits && change > alone_part * task.phase.tolerance; ++k) {
        if (bounces) target = target_of(one, relative_velocity(one, two_), relative_spin(one, two_));
        change = visit(one, target, 1, two_);
        if (!bounces && !one.resists_turning()) break;  // exact
    }
    const double parted = dilation(one, relative_velocity(one, two_), relative_spin(one, two_));
    cone.b = bounces ? parted - target : asked(task, held, std::fmin(before, parted));
}

// b with what slips now; whether it has changed. A bounce that is over within the step, or makes energy, is none.
bool ConeProblem::revise(const StepTask& task, HeldContact& held, Cone& cone, model::Bodies& bodies) {
    if (held.strike) return false;
    const bool bounces = held.bounces();
    const double scale = resolved_part * task.phase.tolerance * held.scale();
    held.after = relative_velocity(held, bodies);
    held.spin_after = relative_spin(held, bodies);
    if (bounces) {
        const HeldHeat heat = heat_of(held);
        const bool makes_energy = heat.impact + heat.friction + heat.rolling < -scale * norm(held.impulse);
        if (makes_energy && held.restitution_law != laws::RestitutionLaw::newton) held.restitution = 0;
        if (held.restitution == 0 || completes_bounces(held, bodies)) {
            prepare(task, held, cone, bodies);
            return true;
        }
    }
    if (!(held.impulse.x > 0)) return false;
    const double parted = dilation(held, held.after, held.spin_after);
    const double b = bounces ? parted - target_of(held, held.after, held.spin_after) : asked(task, held, parted);
    if (std::fabs(b - cone.b) <= scale) return false;
    cone.b = b;
    return true;
}

// Joints anew, with the impulses that contacts have now; whether motors or limits have changed what contacts see by more than solves leave.
bool ConeProblem::hold(const StepTask& task, std::span<const HeldContact> contacts, model::Bodies& bodies) {
    two_ = bodies;
    bodies.velocity = loaded_.velocity;
    bodies.spin = loaded_.spin;
    for (const HeldContact& held : contacts) apply(held, held.impulse, held.torque, bodies);
    task.joints.forget();
    task.joints.solve(bodies);
    return !task.joints.is_linear() && std::ranges::any_of(contacts, [&](const HeldContact& held) {
        return norm(relative_velocity(held, bodies) - relative_velocity(held, two_)) > resolved_part * task.phase.tolerance * held.scale();
    });
}

Solved ConeProblem::solve(const StepTask& task, HeldContacts& held_contacts, ConeSolvers& solvers, model::Bodies& bodies) {
    const std::span<HeldContact> contacts = held_contacts.all();
    const bool has_joints = !task.joints.is_empty();
    if (has_joints) {
        loaded_ = bodies;
        for (const HeldContact& held : contacts) apply(held, -held.impulse, -held.torque, loaded_);
        task.joints.solve(bodies);
    }
    cones_.clear();
    for (HeldContact& held : contacts) {
        completes_bounces(held, bodies);
        cones_.push_back(cone_of(held));
    }
    for (std::size_t k = 0; k < contacts.size(); ++k) prepare(task, contacts[k], cones_[k], bodies);
    Solved solved;
    std::int64_t left = task.phase.iterations;
    bool is_news = true;
    for (int round = 0; is_news && round < most_rounds; ++round) {
        if (has_joints) task.joints.solve(bodies);
        solved = solvers.solve(task, {contacts, cones_}, left, bodies);
        is_news = has_joints && solved.has_converged && hold(task, contacts, bodies);
        for (std::size_t k = 0; k < contacts.size() && solved.has_converged; ++k)
            is_news = revise(task, contacts[k], cones_[k], bodies) || is_news;
    }
    solved.iterations = task.phase.iterations - left;
    return solved;
}

}  // namespace asperity::dynamics
