// Joints in a step of rigid contact (rigid_steps.h): what they hold, dampers, motors that bring a rate about, and limits.
//
//   J v = 0 at p                                 before the step: an impact where velocities do not suit the joints          (1)
//   J (v + v') = 0 at p_m                        held and damped rows: - p = h c (u + u') / 2                                (2)
//   u' = rate,  |p| <= h effort                  of a motor                                                                  (3)
//   0 <= p  _|_  u' - t >= 0                     of a limit that is passed at p_m; t = -max(0, u)                             (4)
//   g(p') = 0 by the least motion, by mass       after the step                                                              (5)
//
// By (2) what is held takes no energy, p . (u + u') = 0, and places keep g = 0 to third order in a step: of the midpoint the velocity is
// the mean of v and v', so that (2) is to a joint what the reflection of a bounce with e = 1 is to a wall. With J v' = 0 in its place
// joints would lose h w^2 of their energy a second where bodies turn by w. (1) and (5) take out what is left, of second and third order,
// the first as heat of impacts, the second with what it costs likewise. All of it leaves momentum and angular momentum of free bodies
// alone.
//
// Held and damped rows are solved for directly (joint_system.h); (3) and (4) on what these leave of them, a small complementarity problem
// with bounds, by projected Gauss-Seidel to rounding. Contacts of jointed bodies see the joints too: their blocks are those of bodies that
// are held, reduce(), and follow() restores the joints after each change.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "asperity/dynamics/held_contact.h"
#include "asperity/dynamics/joint_system.h"

namespace asperity::dynamics {

class JointHold {
public:
    explicit JointHold(const model::Model& model);

    bool is_empty() const { return world_.joints.empty(); }
    // Whether a joint holds it to the ground.
    bool holds_to_ground() const { return holds_to_ground_; }
    bool couples(const HeldContact& held) const { return is_jointed(held.a.row) || is_jointed(held.b.row); }

    // (1), J/kg of heat of each body.
    void suit(const SmoothWorld& smooth, model::Bodies& bodies, std::vector<BodyHeat>& heat);

    // Rows where bodies are, with velocities before the forces of the step; no impulses yet.
    void begin(double h, const SmoothWorld& smooth, const model::Bodies& bodies);
    // The block of a contact with all that is held.
    void reduce(HeldContact& held);
    // (2) to (4) of velocities that have changed since.
    void solve(model::Bodies& bodies);
    void follow(const HeldContact& held, model::Bodies& bodies) {
        if (couples(held)) solve(bodies);
    }
    // Of changes: without what is not let be.
    void bend(Motions motions) { system_.bend(motions); }
    // What is held and damped, in the middle of the step.
    std::span<const JointRow> rows() const { return system_.rows(); }
    // Whether motors and limits may change it.
    bool is_linear() const { return bounded_.empty(); }
    // From no impulse again.
    void forget();

    // After the solve: J/kg of each body, and what joints hold, N and N m, where it is asked for.
    void settle(const model::Bodies& bodies, std::vector<BodyHeat>& heat);
    void tell_forces(std::vector<Vec3>& force, std::vector<Vec3>& torque) const;
    // Velocities that impulses of joints have given, of all bodies.
    const std::vector<Vec3>& given() const { return given_; }

    // (5), and limits that are passed farther than what presses them makes good, as overlaps.h.
    void close(const SmoothWorld& smooth, model::Bodies& bodies, std::vector<BodyHeat>& heat);
    // Turns with their whole turns, of these places.
    void count_turns(const model::Bodies& bodies, model::Joints& joints) const;

private:
    // A motor or a limit.
    struct Bounded {
        contact::Row row;
        std::uint32_t joint = 0;
        bool is_of_turn = false, is_limit = false;
        double passed = 0;                                                 // rad or m, of a limit
        double before = 0, wanted = 0;                                     // rad/s or m/s
        double least = 0, most = std::numeric_limits<double>::infinity();  // of its impulse
        double impulse = 0;
        std::vector<double> answer;  // of the held rows, for an impulse of one
    };

    bool is_jointed(std::int32_t row) const { return world_.moves(row) && is_jointed_[static_cast<std::size_t>(row)]; }
    void add_bounded(std::size_t joint, const SmoothWorld& smooth);
    void find_answers();
    void solve_bounded(Motions motions);
    void apply(Bounded& bounded, double impulse, Motions motions);
    void clear(std::vector<Vec3>& linear, std::vector<Vec3>& angular) const;
    bool shift(const SmoothWorld& smooth, const model::Bodies& bodies);
    void keep_angular_momentum(const model::Bodies& before, model::Bodies& bodies) const;

    const model::Parameters& world_;
    std::vector<bool> is_jointed_;
    bool holds_to_ground_ = false;
    double h_ = 0;        // s
    JointSystem system_;  // of the middle of the step
    JointSystem places_;  // of its ends
    std::vector<double> before_, wanted_, impulse_, shift_;
    std::vector<Bounded> bounded_;
    std::vector<double> matrix_;  // of the bounded rows
    std::vector<Vec3> given_, turned_, moved_, rotated_;
};

}  // namespace asperity::dynamics
