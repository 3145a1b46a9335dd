// The equations of motion under soft contact, for any bodies, ground and field: accelerations and heat rates at one instant.
//
// smooth_world.h, with the forces of contacts in (1) and (2) there.
//
// Contacts come from contact::Detector, in the order of its list; a body sums its partners by row, the ground first, so that the sums do
// not depend on the number of threads. Half of the heat of a contact is counted on either body, all of it where the other is the ground or
// driven, whose power is work (model/driven.h, 1).
// The damper of a contact follows from its restitution and its own effective mass, 1 / (n . W n).
//
// Where laws remember something of a contact (laws/contact/soft_forces.h), there is a row of memory for each contact of the last accepted
// step. Its vectors are integrated with the motion: evaluate() takes those of a stage, memory_rates() are their rates. settle() ends a
// step: contacts found then get the rows, clipped; what the springs stored meanwhile is taken from the heat, which counted all that they
// took from the motion.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "asperity/contact/contact_system.h"
#include "asperity/contact/detector.h"
#include "asperity/dynamics/joint_hold.h"
#include "asperity/dynamics/penalty/contact_memory.h"
#include "asperity/dynamics/smooth_world.h"
#include "asperity/laws/contact/soft_law.h"

namespace asperity::dynamics {

class SoftWorld {
public:
    explicit SoftWorld(const model::Model& model);

    using Pairs = std::map<std::pair<std::int32_t, std::int32_t>, int>;  // rows that touch, and with how many contacts

    // Cables and engines as they are in this State, which must outlive what is evaluated.
    void set_parts(const model::State& state) { smooth_.set_parts(state); }

    // Fills rates() and contacts(). `bodies` are those of State, or of a stage of a step, with driven rows in place at that time.
    // `touching`: pairs whose contacts count, all where it is null; a step that ends where a contact begins must not feel it before. Of
    // these pairs, contacts that have lost their overlap keep a force that ends in a jump: the step is to end at their separation.
    // `memory`: vectors of the rows; null: as they were settled. `lead`: s, by which they are carried on first with these velocities;
    // memory_rates() stays empty where it is positive.
    void evaluate(double time, const model::Bodies& bodies, const Pairs* touching = nullptr, const Vec3* memory = nullptr, double lead = 0);

    bool has_memory() const { return has_memory_; }
    bool has_jumps() const { return has_jumps_; }  // a force ends in a jump (laws/contact/soft_forces.h)
    ContactMemory& memory() { return memory_; }
    const ContactMemory& memory() const { return memory_; }
    const std::vector<Vec3>& memory_rates() const { return memory_rates_; }  // of the rows, at the last evaluation
    // The contacts of the last evaluation get the rows, after they have been carried on for another `lag`, s, with the velocities of
    // `bodies`.
    void settle(const model::Bodies& bodies, std::vector<BodyHeat>& heat, double lag = 0);

    // Gives back what the last evaluation holds of contacts beside their list, until the next one.
    void drop_workspace();

    const BodyRates& rates() const { return smooth_.rates(); }
    const contact::ContactList& contacts() const { return contacts_; }
    const contact::Detector& detector() const { return detector_; }

    // W/kg of heat by the forces of the last evaluation, but with velocities of `bodies`: those of the middle of a kick make the
    // kinetic energy that it takes.
    void set_heat(const model::Bodies& bodies);

    // Adds `part` of the forces of contacts at the last evaluation, N, of each body that moves; of these pairs, all where it is null.
    void add_contact_force(double part, std::vector<Vec3>& force, const Pairs* touching = nullptr) const;

    // Joints: (3) of joint_system.h is nothing, of all accelerations at once. After a step places and velocities are taken back to what
    // they hold, with J/kg of heat of each body for what that costs.
    void close_joints(model::Bodies& bodies, std::vector<BodyHeat>& heat);
    void add_joint_force(double part, std::vector<Vec3>& force, std::vector<Vec3>& torque) const;
    void count_turns(const model::Bodies& bodies, model::Joints& joints) const { holds_.count_turns(bodies, joints); }
    const SmoothWorld& smooth() const { return smooth_; }
    bool has_joints() const { return !holds_.is_empty(); }

    // Energies of every group of bodies that move, with half of what pairs share on either side; the heat is the caller's.
    void energies(double time, const model::Bodies& bodies, std::vector<model::Ledger>& out);

    const laws::PairLaw& pair_law(const contact::ContactPoint& contact) const {
        return world_.laws.of(contact.material_a, contact.material_b);
    }
    // N/m, of a contact of the last evaluation at its overlap.
    double stiffness(std::size_t contact) const;
    // m/s, below which a contact of the last evaluation holds what it holds: its slip speed, or a hundredth of the one that takes
    // its springs to their bounds; zero where it has no friction.
    double holding_speed(std::size_t contact, const model::Bodies& bodies) const;
    // s, of the slower of the springs of such a contact; zero where it has a slip speed.
    double holding_period(std::size_t contact, const model::Bodies& bodies) const;

private:
    // Of a contact of the last evaluation: its response (laws/contact/soft.h) without heat, which depends on the velocities asked for.
    struct Push {
        double normal, pressed, elastic;  // N
        double reserve;                   // J^(1/2)
        Vec3 force;                       // N
        Vec3 torque;                      // N m
    };

    double effective_mass(const contact::ContactPoint& contact, const model::Bodies& bodies) const;
    const laws::SoftLaw& soft_law(const contact::ContactPoint& contact) const {
        return laws_[world_.laws.index[contact.material_a * world_.laws.materials + contact.material_b]];
    }
    laws::SoftContact law_of(const contact::ContactPoint& contact, const model::Bodies& bodies) const;
    static laws::SoftTouch touch_of(const contact::ContactPoint& contact, const model::Bodies& bodies);
    void respond(const model::Bodies& bodies, const Vec3* memory, double lead);
    void add_forces(std::size_t k, const laws::SoftContact& law, const laws::SoftTouch& touch, const Vec3* memory, double lead,
                    laws::SoftResponse& response);
    void add_contact_heat(std::size_t row, const model::Bodies& bodies);
    void index_partners(std::size_t bodies);
    void add_parting(const Pairs& touching, const model::Bodies& bodies);
    template <class Add>
    void for_each_contact_of(std::size_t row, const Add& add) const;

    const model::Parameters& world_;
    SmoothWorld smooth_;
    laws::FacetValues facet_values_;
    std::vector<laws::SoftLaw> laws_;
    contact::Detector detector_;
    contact::ContactList contacts_;
    std::vector<Push> pushes_;  // of each contact
    bool has_memory_ = false;
    bool has_jumps_ = false;
    contact::ContactList near_;  // workspace of add_parting
    ContactMemory memory_;
    void hold_joints(const model::Bodies& bodies);
    JointSystem joints_;
    JointHold holds_;
    std::vector<double> joint_wanted_, joint_push_;  // m/s^2 or rad/s^2, N or N m
    std::vector<std::int32_t> row_of_;               // of each contact; -1: born
    std::vector<Vec3> held_;                         // of each contact: memory after `lead`
    std::vector<Vec3> memory_rates_;                 // of each row
    std::vector<std::uint32_t> own_;                 // first contact of each row as a
    std::vector<std::uint32_t> other_;               // first entry of each row as b in as_other_
    std::vector<std::uint32_t> as_other_;            // contacts by their b, in order
};

}  // namespace asperity::dynamics
