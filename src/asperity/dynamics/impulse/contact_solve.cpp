#include "asperity/dynamics/impulse/contact_solve.h"

#include <cmath>
#include <limits>

namespace asperity::dynamics {
namespace {

constexpr int most_sweeps = 20000;
constexpr int whole_sweeps = 5000;  // after them visits go half of their way

// (6) of held_contact.h with the impulses as they are; whether that was news.
bool complete_bounces(std::span<HeldContact> contacts, const model::Bodies& bodies) {
    bool is_any = false;
    for (HeldContact& held : contacts) is_any = completes_bounces(held, bodies) || is_any;
    return is_any;
}

void load(const HeldContact& held, double* to) {
    for (const Vec3& v : {held.impulse, held.torque})
        for (const double x : {v.x, v.y, v.z}) *to++ = x;
}

}  // namespace

void ContactSolve::remember(std::span<const HeldContact> contacts) {
    before_.resize(6 * contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) load(contacts[k], &before_[6 * k]);
}

// The metric is that of the velocities which impulses mean at their own contact.
void ContactSolve::accelerate(std::span<HeldContact> contacts, model::Bodies& bodies) {
    after_.resize(before_.size());
    weight_.resize(before_.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        load(contacts[k], &after_[6 * k]);
        const double of_torque = contacts[k].resists_turning() ? contacts[k].arm() * contacts[k].turning : 0;
        for (std::size_t i = 0; i < 6; ++i) weight_[6 * k + i] = i < 3 ? contacts[k].block.nn : of_torque;
    }
    anderson_.accelerate(before_, after_, weight_);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        HeldContact& held = contacts[k];
        const double* p = &after_[6 * k];
        const double pressing = std::fmax(0.0, p[0]);
        const Vec3 rubbing = clipped_to({0, p[1], p[2]}, held.friction * pressing);
        const Vec3 impulse{pressing, rubbing.y, rubbing.z};
        const Vec3 torque = within_bounds(held, {p[3], p[4], p[5]}, pressing);
        apply(held, impulse - held.impulse, torque - held.torque, bodies);
        held.impulse = impulse;
        held.torque = torque;
    }
}

Solved ContactSolve::solve(const StepTask& task, HeldContacts& held_contacts, model::Bodies& bodies) {
    const std::span<HeldContact> contacts = held_contacts.all();
    const double tolerance = task.phase.tolerance;
    JointHold& joints = task.joints;
    const bool has_joints = !joints.is_empty();
    if (has_joints) joints.solve(bodies);
    complete_bounces(contacts, bodies);
    for (HeldContact& held : contacts) held.strike = strike_of(held, bodies);
    anderson_.restart();
    double change = 0, least = std::numeric_limits<double>::infinity();
    int sweep = 0;
    for (; sweep < most_sweeps; ++sweep) {
        const double part = sweep < whole_sweeps ? 1 : 0.5;
        const bool is_back = sweep % 2 == 1;
        change = 0;
        if (!is_back) remember(contacts);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            HeldContact& held = contacts[is_back ? contacts.size() - 1 - i : i];
            change = std::fmax(change, visit(held, part, bodies));
            if (has_joints) joints.follow(held, bodies);
        }
        if (change <= tolerance) {
            if (!complete_bounces(contacts, bodies)) break;
            anderson_.restart();
        }
        if (!is_back) continue;
        if (change > 2 * least) {
            anderson_.restart();
            least = change;
        }
        least = std::fmin(least, change);
        accelerate(contacts, bodies);
        if (has_joints) joints.solve(bodies);
    }
    return {.residual = change, .has_converged = change <= tolerance, .iterations = sweep};
}

}  // namespace asperity::dynamics
