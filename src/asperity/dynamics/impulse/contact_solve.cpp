#include "asperity/dynamics/impulse/contact_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::dynamics {
namespace {

constexpr int most_sweeps = 20000;
constexpr int sweeps_of_a_leap = 20;      // after so many impulses go on along their last change
constexpr int plain_sweeps = 200;         // after them sweeps are accelerated
constexpr int accelerated_sweeps = 3000;  // until then; what has not converged goes on as before
constexpr int whole_sweeps = 5000;        // after them visits go half of their way

// (6) of held_contact.h with the impulses as they are; whether that was news.
bool complete_bounces(std::span<HeldContact> contacts, const model::Bodies& bodies) {
    bool is_any = false;
    for (HeldContact& held : contacts) is_any = completes_bounces(held, bodies) || is_any;
    return is_any;
}

// How far impulses can go along d before one of them comes to its bound, in d; infinite where none does.
double way_to_bounds(std::span<const HeldContact> held, std::span<const Vec3> d) {
    double way = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < held.size(); ++k) {
        const Vec3 &p = held[k].impulse, &by = d[2 * k];
        if (!(p.x > 0)) continue;
        if (by.x < 0) way = std::fmin(way, -p.x / by.x);
        const double f2 = held[k].friction * held[k].friction;
        // |p_t + s d_t|^2 = f^2 (p_n + s d_n)^2: a s^2 + 2 b s = c, from within the cone
        const double a = by.y * by.y + by.z * by.z - f2 * by.x * by.x, b = p.y * by.y + p.z * by.z - f2 * p.x * by.x;
        const double c = f2 * p.x * p.x - p.y * p.y - p.z * p.z;
        if (!(c > 1e-9 * f2 * p.x * p.x)) continue;  // it slips
        const double root = b * b + a * c;
        if (root >= 0 && b + std::sqrt(root) > 0) way = std::fmin(way, c / (b + std::sqrt(root)));
    }
    return way;
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

// Remembers the impulses after every second sweep; `is_due`: goes on along their last change, as far as its ratio to the one before says
// (a geometric series), but no farther than to the first bound.
void ContactSolve::leap(bool is_due, std::span<HeldContact> contacts, model::Bodies& bodies) {
    std::rotate(trail_.begin(), trail_.begin() + 1, trail_.end());
    std::vector<Vec3>& now = trail_.back();
    now.clear();
    for (const HeldContact& held : contacts) {
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
    double way = way_to_bounds(contacts, leap_);
    if (product < square) way = std::fmin(way, product / (square - product));
    if (!std::isfinite(way)) return;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        HeldContact& held = contacts[k];
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

Solved ContactSolve::solve(const StepTask& task, HeldContacts& held_contacts, model::Bodies& bodies) {
    const std::span<HeldContact> contacts = held_contacts.all();
    const double tolerance = task.phase.tolerance;
    JointHold& joints = task.joints;
    const bool has_joints = !joints.is_empty();
    if (has_joints) joints.solve(bodies);
    complete_bounces(contacts, bodies);
    for (HeldContact& held : contacts) held.strike = strike_of(held, bodies);
    anderson_.restart();
    double change = 0, least = std::numeric_limits<double>::infinity(), before_leap = least;
    bool may_leap = true;
    int sweep = 0;
    for (; sweep < most_sweeps; ++sweep) {
        const double part = sweep < whole_sweeps ? 1 : 0.5;
        const bool is_back = sweep % 2 == 1, is_accelerated = sweep >= plain_sweeps && sweep < accelerated_sweeps;
        change = 0;
        if (is_accelerated && !is_back) remember(contacts);
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            HeldContact& held = contacts[is_back ? contacts.size() - 1 - i : i];
            change = std::fmax(change, visit(held, part, bodies));
            if (has_joints) joints.follow(held, bodies);
        }
        if (change <= tolerance) {
            if (!complete_bounces(contacts, bodies)) break;
            anderson_.restart();
        }
        if (is_accelerated) {
            if (!is_back) continue;
            if (change > 2 * least) {
                anderson_.restart();
                least = change;
            }
            least = std::fmin(least, change);
            accelerate(contacts, bodies);
        } else {
            const int of_leap = sweep % sweeps_of_a_leap;
            if (change > 2 * before_leap) may_leap = false;
            before_leap = std::numeric_limits<double>::infinity();
            if (!may_leap || sweep < sweeps_of_a_leap || of_leap % 2 == 0 || of_leap < sweeps_of_a_leap - 5) continue;
            const bool is_due = of_leap == sweeps_of_a_leap - 1;
            leap(is_due, contacts, bodies);
            if (is_due) before_leap = change;
        }
        if (has_joints) joints.solve(bodies);
    }
    return {.residual = change, .has_converged = change <= tolerance, .iterations = sweep};
}

}  // namespace asperity::dynamics
