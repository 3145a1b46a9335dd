// Any bodies, with any ground, in any field: accelerations and heat of one instant under soft contact.
//
//   a_i  = field(p_i, v_i, t) + (mutual gravity, tides + sum of contact forces) / m_i                                          (1)
//   w_i' = J_i^-1 (torques - W x J_i W) + w_i x R,    W = w_i + R, R the rate of the frame                                     (2)
//
// (2) is Euler's equation for the spin W in inertial space, with the components and the rate of w_i = W - R along axes that turn with R: of
// a ball only w_i x R is left (gravity/small_body.h, 4). The energy that goes with it has w_i J w_i / 2 - R J R / 2 of a body that is no
// sphere (Jacobi's integral of a rigid body); of a sphere the second part never changes and is left out.
// Contacts come from contact::Detector, in the order of its list; a body sums its partners by row, the ground first, so that the sums do
// not depend on the number of threads. Half of the heat of a contact is counted on either body, all of it where the other is the ground or
// driven, whose power is work (model/driven.h, 1).
// The damper of a contact follows from its restitution and its own effective mass, 1 / (n . W n).
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "asperity/contact/detector.h"
#include "asperity/dynamics/forces.h"
#include "asperity/laws/contact/soft.h"
#include "asperity/model/ledger.h"

namespace asperity::dynamics {

// What an instant changes, by body.
struct SoftRates {
    std::vector<Vec3> acceleration;  // m/s^2
    std::vector<Vec3> turning;       // rad/s^2
    std::vector<BodyHeat> heat;      // W/kg
};

class SoftWorld {
public:
    explicit SoftWorld(const model::Model& model);

    using Pairs = std::map<std::pair<std::int32_t, std::int32_t>, int>;  // rows that touch, and with how many contacts

    // Fills rates() and contacts(). `bodies` are those of State, or of a stage of a step, with driven rows in place at that time.
    // `touching`: pairs whose contacts count, all where it is null; a step that ends where a contact begins must not feel it before.
    void evaluate(double time, const model::Bodies& bodies, const Pairs* touching = nullptr);

    const SoftRates& rates() const { return rates_; }
    const contact::ContactList& contacts() const { return contacts_; }

    // W/kg of heat by the forces of the last evaluation, but with velocities of `bodies`: those of the middle of a kick make the
    // kinetic energy that it takes.
    void set_heat(const model::Bodies& bodies);

    // Energies of every body that moves, with half of what pairs share; the heat is the caller's.
    void energies(double time, const model::Bodies& bodies, std::vector<model::Ledger>& out);

    const laws::PairLaw& pair_law(const contact::ContactPoint& contact) const {
        return world_.laws.of(contact.material_a, contact.material_b);
    }
    // N/m, of a contact of the last evaluation at its overlap.
    double stiffness(std::size_t contact) const { return stiffness_[contact]; }

    // Velocity of a relative to b where they touch.
    static Vec3 slip(const contact::ContactPoint& contact, const model::Bodies& bodies);

private:
    laws::SoftContact law_of(const contact::ContactPoint& contact, const model::Bodies& bodies) const;
    void respond(const model::Bodies& bodies);
    void index_partners(std::size_t bodies);
    template <class Add>
    void for_each_contact_of(std::size_t row, const Add& add) const;
    void copy_motion(const model::Bodies& bodies);

    const model::Model& model_;
    const model::Parameters& world_;
    Vec3 frame_rate_;         // rad/s
    bool has_pairs_ = false;  // mutual gravity, tides or sunlight act
    laws::FacetValues facet_values_;
    std::vector<laws::SoftLaw> laws_;
    contact::Detector detector_;
    contact::ContactList contacts_;
    std::vector<laws::SoftResponse> responses_;
    std::vector<double> stiffness_;        // N/m
    std::vector<double> elastic_;          // N, part of the normal force that is stored
    std::vector<std::uint32_t> own_;       // first contact of each row as a
    std::vector<std::uint32_t> other_;     // first entry of each row as b in as_other_
    std::vector<std::uint32_t> as_other_;  // contacts by their b, in order
    Loads loads_;
    Motion motion_;
    SoftRates rates_;
};

}  // namespace asperity::dynamics
