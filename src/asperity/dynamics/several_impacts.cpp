#include "asperity/dynamics/several_impacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::dynamics {
namespace {

constexpr int most_lessenings = 6;  // of less and less restitution; the last one has none
constexpr double noticed = 10;      // tolerances: less energy than that is what solves leave

bool may_bounce(const HeldContact& held) { return held.restitution > 0 && held.before.x < 0; }

bool expands(const HeldContact& held) {
    return may_bounce(held) && !held.is_quiet && !held.is_alone && held.restitution_law == laws::RestitutionLaw::poisson;
}

// What does not touch yet takes no part: it parts faster than anything approaches.
void leave_out_gaps(std::span<HeldContact> contacts) {
    for (HeldContact& held : contacts) {
        if (!(held.gap > 0)) continue;
        held.before.x = std::numeric_limits<double>::max();
        held.is_alone = held.is_quiet = false;
    }
}

}  // namespace

Solved SeveralImpacts::by_poisson(const StepTask& task, HeldContacts& held_contacts, model::Bodies& bodies) {
    const std::span<HeldContact> contacts = held_contacts.all();
    std::vector<HeldContact>& first = compressed_;
    for (HeldContact& held : contacts)
        if (expands(held)) completes_bounces(held, bodies);  // against lasting loads, which the first guess has
    first.assign(contacts.begin(), contacts.end());
    for (HeldContact& held : contacts)
        if (expands(held)) held.restitution = 0;
    leave_out_gaps(contacts);
    const Solved compression = sweeps_.solve(task, held_contacts, bodies);
    held_contacts.settle(bodies);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        HeldContact &held = contacts[k], &done = first[k];
        done.impulse = held.impulse;
        done.torque = held.torque;
        done.strike = held.strike;
        held.before = held.after;
        held.spin_before = held.spin_after;
        held.is_alone = held.is_quiet = false;
        held.restitution = 0;
        held.least = expands(done) ? done.restitution * done.impulse.x : 0;
        held.impulse = {held.least, 0, 0};
        held.torque = {};
        apply(held, held.impulse, held.torque, bodies);
    }
    leave_out_gaps(contacts);
    const Solved expansion = sweeps_.solve(task, held_contacts, bodies);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Vec3 impulse = contacts[k].impulse, torque = contacts[k].torque;
        contacts[k] = first[k];
        contacts[k].impulse += impulse;
        contacts[k].torque += torque;
    }
    return {.residual = std::fmax(compression.residual, expansion.residual),
            .has_converged = compression.has_converged && expansion.has_converged,
            .iterations = compression.iterations + expansion.iterations};
}

// To `part` of it, where bodies have gained energy together; whether there was any.
bool SeveralImpacts::lessen_restitution(double part, double tolerance, std::span<HeldContact> contacts, std::size_t rows) {
    linked_.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) linked_[i] = i;
    const auto first_of = [&](const HeldContact& held) {
        std::size_t i = static_cast<std::size_t>(held.a.kind != nullptr ? held.a.row : held.b.row);
        while (linked_[i] != i) i = linked_[i];
        return i;
    };
    for (const HeldContact& held : contacts) {
        if (held.a.kind == nullptr || held.b.kind == nullptr) continue;
        std::size_t a = static_cast<std::size_t>(held.a.row), b = static_cast<std::size_t>(held.b.row);
        while (linked_[a] != a) a = linked_[a];
        while (linked_[b] != b) b = linked_[b];
        linked_[std::max(a, b)] = std::min(a, b);
    }
    lost_.assign(rows, 0);
    scale_.assign(rows, 0);
    for (const HeldContact& held : contacts) {
        const HeldHeat heat = heat_of(held);
        const std::size_t i = first_of(held);
        lost_[i] += heat.impact + heat.friction + heat.rolling;
        scale_[i] += norm(held.impulse) * (norm(held.before) + norm(held.after));
    }
    bool is_any = false;
    for (HeldContact& held : contacts) {
        const std::size_t i = first_of(held);
        if (!may_bounce(held) || held.restitution_law == laws::RestitutionLaw::newton) continue;
        if (!(lost_[i] < -noticed * tolerance * scale_[i])) continue;
        held.restitution *= part;
        is_any = true;
    }
    return is_any;
}

Solved SeveralImpacts::solve(const RigidSolver& solver, const StepTask& task, HeldContacts& held_contacts, model::Bodies& bodies) {
    const std::span<HeldContact> contacts = held_contacts.all();
    const bool bounces = std::ranges::any_of(contacts, may_bounce);
    if (bounces) {
        velocity_ = bodies.velocity;
        spin_ = bodies.spin;
        guess_.clear();
        for (const HeldContact& held : contacts) guess_.push_back({held.impulse, held.torque});
    }
    for (int round = 0;; ++round) {
        held_contacts.press(task.h, task.phase.tolerance, task.smooth, bodies);
        const bool is_poisson = std::ranges::any_of(contacts, expands);
        const Solved solved = is_poisson ? by_poisson(task, held_contacts, bodies) : solver.solve(task, held_contacts, bodies);
        held_contacts.settle(bodies);
        if (!bounces || !solved.has_converged || round == most_lessenings) return solved;
        const double part = round + 1 < most_lessenings ? 0.5 : 0;
        if (!lessen_restitution(part, task.phase.tolerance, contacts, bodies.position.size())) return solved;
        bodies.velocity = velocity_;
        bodies.spin = spin_;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            contacts[k].impulse = guess_[k].impulse;
            contacts[k].torque = guess_[k].torque;
            contacts[k].strike.reset();
        }
        if (!task.joints.is_empty()) task.joints.forget();
    }
}

}  // namespace asperity::dynamics
