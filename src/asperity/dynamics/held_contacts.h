// The contacts of a step of rigid contact, whatever solves for their impulses: set up from the list of the detector, with the last impulses
// as the first guess, and what they have taken from the bodies afterwards.
#pragma once
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "asperity/contact/contact_list.h"
#include "asperity/dynamics/held_contact.h"
#include "asperity/dynamics/smooth_world.h"
#include "asperity/laws/contact/pair_law.h"

namespace asperity::dynamics {

// What a contact is remembered by: the first guess of the next step.
struct LastImpulse {
    std::int32_t a = 0;
    std::int32_t b = 0;
    std::int64_t feature = 0;
    Vec3 linear;   // N s, on a
    Vec3 angular;  // N m s

    std::tuple<std::int32_t, std::int32_t, std::int64_t> key() const { return {a, b, feature}; }
};

class HeldContacts {
public:
    explicit HeldContacts(const model::Model& model);

    // The contacts of a step and their relative velocities before it, with the first guess. `bodies` is where they are found.
    void begin(const contact::ContactList& contacts, const SmoothWorld& smooth, const model::Bodies& bodies,
               const std::vector<LastImpulse>& last);
    std::span<HeldContact> all() { return held_; }
    std::span<const HeldContact> all() const { return held_; }

    // Of an impact at an instant: bounces that are over within h by (6) of held_contact.h, b the acceleration of the forces, are none.
    void end_bounces(double h, const SmoothWorld& smooth);
    // Whether all of them part, faster than solves to this tolerance leave them.
    bool all_part(double tolerance) const;

    // Before a solve, with velocities after the forces of the step: scales of the residuals; then the first guess is applied.
    void press(double h, double tolerance, const SmoothWorld& smooth, model::Bodies& bodies);
    // After it: the velocities that it leaves.
    void settle(const model::Bodies& bodies);
    // Leaves out contacts that neither overlap nor press, from `contacts` too.
    void drop_idle(contact::ContactList& contacts);

    // J/kg of each body, and the work of driven ones; between the velocities at begin() and now.
    void add_heat(const model::Bodies& bodies, std::vector<BodyHeat>& heat) const;
    void remember(const contact::ContactList& contacts, std::vector<LastImpulse>& out) const;

    struct Met {
        double in = 0, out = 0;  // m/s, along the normal
        double heat = 0;         // J
    };
    Met met(std::size_t contact) const;
    const laws::PairLaw& law(const contact::ContactPoint& contact) const { return world_.laws.of(contact.material_a, contact.material_b); }

private:
    laws::PairLaw law_of(const contact::ContactPoint& contact) const;
    contact::Side side_of(std::int32_t row, const contact::ContactPoint& contact, const SmoothWorld& smooth,
                          const model::Bodies& bodies) const;
    void find_alone(std::size_t rows);
    HeldContact held_of(const contact::ContactPoint& contact, const SmoothWorld& smooth, const model::Bodies& bodies) const;

    const model::Parameters& world_;
    laws::FacetValues facet_values_;
    std::vector<HeldContact> held_;
    std::vector<std::uint32_t> contacts_of_;  // of each row
};

}  // namespace asperity::dynamics
