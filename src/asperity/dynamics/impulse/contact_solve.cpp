#include "asperity/dynamics/impulse/contact_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::dynamics {
namespace {

constexpr int most_sweeps = 20000;
constexpr int sweeps_of_a_leap = 20;            // after so many impulses go on along their last change
constexpr int plain_sweeps = 100;               // before the interior-point method is tried
constexpr int plain_sweeps_of_turns = 1000;     // where contacts resist turning, whose six rows cost it more
constexpr int most_attempts = 4;                // of it, then the same ones again, from what sweeps have made of bounces
constexpr std::size_t sweeps_a_product = 6;     // of one contact cost as much as the method does by each product of blocks
constexpr std::size_t most_products = 5000000;  // for its memory
constexpr int whole_sweeps = 5000;              // after them visits go half of their way

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

}  // namespace

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

// After which sweep; none where it costs more than all sweeps, and where impulses must not be less than others (several_impacts.h), which
// its cones do not say.
int ContactSolve::first_interior(std::span<const HeldContact> contacts, const JointHold& joints, const model::Bodies& bodies) {
    if (std::ranges::any_of(contacts, [](const HeldContact& held) { return held.least > 0; })) return most_sweeps;
    const std::size_t most = contacts.size() * static_cast<std::size_t>(most_sweeps) / sweeps_a_product;
    if (!interior_.plan(contacts, joints, bodies, std::min(most, most_products))) return most_sweeps;
    const bool turns = std::ranges::any_of(contacts, &HeldContact::resists_turning);
    return std::max(turns ? plain_sweeps_of_turns : plain_sweeps,
                    static_cast<int>(sweeps_a_product * interior_.products() / contacts.size()));
}

Solved ContactSolve::solve(const StepTask& task, HeldContacts& held_contacts, model::Bodies& bodies) {
    const std::span<HeldContact> contacts = held_contacts.all();
    const double tolerance = task.phase.tolerance;
    JointHold& joints = task.joints;
    const bool has_joints = !joints.is_empty();
    if (has_joints) joints.solve(bodies);
    complete_bounces(contacts, bodies);
    for (HeldContact& held : contacts) held.strike = strike_of(held, bodies);
    const auto law = [&](std::size_t k) {
        const HeldContact& held = contacts[k];
        return InteriorPoint::Wanted{.speed = target_of(held, relative_velocity(held, bodies), relative_spin(held, bodies)),
                                     .is_given = held.strike.has_value()};
    };
    double change = 0, before_leap = std::numeric_limits<double>::infinity();
    bool may_leap = true;
    int sweep = 0, next_interior = plain_sweeps, attempts = 0;
    for (; sweep < most_sweeps; ++sweep) {
        const double part = sweep < whole_sweeps ? 1 : 0.5;
        const bool is_back = sweep % 2 == 1;
        change = 0;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            HeldContact& held = contacts[is_back ? contacts.size() - 1 - i : i];
            change = std::fmax(change, visit(held, part, bodies));
            if (has_joints) joints.follow(held, bodies);
        }
        if (change <= tolerance && !complete_bounces(contacts, bodies)) break;
        if (sweep == plain_sweeps) next_interior = first_interior(contacts, joints, bodies);
        if (sweep == next_interior) {
            interior_.solve(task, contacts, law, false, attempts++ % most_attempts, bodies);
            next_interior *= 2;
            before_leap = std::numeric_limits<double>::infinity();
            continue;
        }
        const int of_leap = sweep % sweeps_of_a_leap;
        if (change > 2 * before_leap) may_leap = false;
        before_leap = std::numeric_limits<double>::infinity();
        if (!may_leap || sweep < sweeps_of_a_leap || of_leap % 2 == 0 || of_leap < sweeps_of_a_leap - 5) continue;
        const bool is_due = of_leap == sweeps_of_a_leap - 1;
        leap(is_due, contacts, bodies);
        if (is_due) before_leap = change;
        if (has_joints) joints.solve(bodies);
    }
    return {.residual = change, .has_converged = change <= tolerance, .iterations = sweep};
}

}  // namespace asperity::dynamics
