// [contact."A/B"]: how two materials touch. One list of keys for all methods, each of which uses what it needs.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "asperity/laws/contact/pair_law.h"
#include "asperity/scenario/bounds.h"

namespace asperity::scenario {

// The spring and damper of a contact by how deep the weight of a body presses it in at rest (2-touchdown 10, 11):
//   K = m g / depth,   C = 2 damping_ratio sqrt(m K);   both divided by the number of points and solids that touch, if shared
struct RestPenetration {
    double depth = 0;  // m
    std::string weight_of;
    std::optional<double> gravity;  // g, m/s^2; none: that of the uniform field
    double damping_ratio = 0;
    bool shared = false;
};

struct Contact {
    std::string name;  // "shell/ground"; * stands for every material
    laws::PairLaw law;
    std::optional<double> stiffness;              // N/m
    std::optional<double> slip_speed;             // m/s
    std::optional<double> friction_angle;         // rad, whose tangent is the coefficient
    std::optional<double> static_friction_angle;  // rad
    std::optional<RestPenetration> rest_penetration;

    std::string path() const { return "contact." + name; }
    // The two materials; empty where the name is not of that form.
    std::pair<std::string, std::string> materials() const {
        const std::size_t slash = name.find('/');
        if (slash == std::string::npos || name.find('/', slash + 1) != std::string::npos) return {};
        return {name.substr(0, slash), name.substr(slash + 1)};
    }
};

inline constexpr auto rolling_laws = std::to_array<Choice<laws::RollingLaw>>({
    {"coupled", laws::RollingLaw::coupled, "A torque only; friction at the contact carries the rest. Sound, and the default."},
    {"thesis", laws::RollingLaw::thesis,
     "A torque and a force at the centre, as the thesis derives it (4.19-4.20); adds energy on backspin."},
    {"published", laws::RollingLaw::published, "The torque impulse times the spin (8.10), with which the tables of chapter 8 were made."},
});

inline constexpr auto restitution_laws = std::to_array<Choice<laws::RestitutionLaw>>({
    {"stronge", laws::RestitutionLaw::stronge,
     "Its square is the work of the normal impulse in restitution over that in compression. Energy never grows; the default."},
    {"poisson", laws::RestitutionLaw::poisson, "The normal impulse of restitution over that of compression."},
    {"newton", laws::RestitutionLaw::newton, "The normal speed after an impact over the one before; with friction it can make energy."},
});

inline constexpr auto normal_laws = std::to_array<Choice<laws::NormalLaw>>({
    {"hooke", laws::NormalLaw::hooke, "A linear spring, `stiffness`."},
    {"hertz", laws::NormalLaw::hertz, "The force of smooth elastic bodies, overlap to the power 3/2, by `modulus`."},
});

inline constexpr auto completions = std::to_array<Choice<laws::Completion>>({
    {"series", laws::Completion::series, "All remaining bounces in closed form, with the time that they take."},
    {"virtual", laws::Completion::virtual_, "One virtual bounce that carries their impulse, at once."},
    {"none", laws::Completion::none, "The normal speed is set to zero."},
});

template <class Visitor>
void describe(Visitor& v, RestPenetration& rest) {
    v.required("depth", rest.depth, si::metre, above_up_to(0, largest_length), "How deep the body presses a contact in at rest.");
    v.required("weight_of", rest.weight_of, "The body whose weight that is.");
    v.optional("gravity", rest.gravity, si::metre_per_second_squared, above_up_to(0, 1e9), "Acceleration that makes the weight.",
               "that of the uniform field");
    v.required("damping_ratio", rest.damping_ratio, si::one, between(0, 1e3),
               "Damping in parts of the critical one of the body on one such spring; the damper takes the place of `restitution`.");
    v.optional(
        "shared", rest.shared,
        "Whether all that touches of the body shares this spring and damper. If not, each has all of it, as 2-touchdown prints it: n "
        "points are then pressed in by a part 1/n of `depth` on level ground.");
}

inline constexpr Bounds slope_angles = {.low = 0, .high = 1.5697963267948966};  // up to the largest coefficient

template <class Visitor>
void describe(Visitor& v, Contact& contact) {
    laws::PairLaw& c = contact.law;
    v.required("restitution", c.restitution, si::one, between(0, 1),
               "Normal speed after an impact over the one before. Method \"penalty\" takes less than 0.0025 for 0.0025.");
    v.optional(
        "restitution_law", c.restitution_law, restitution_laws,
        "What `restitution` means in impacts with friction where the normal does not pass through the centres of both bodies; else the "
        "laws are one.");
    v.optional("friction", c.friction, si::one, coefficients,
               "Coulomb coefficient. Above 1000 neither it nor a resistance has a physical meaning.");
    v.optional(
        "friction_angle", contact.friction_angle, si::radian, slope_angles,
        "In the place of `friction`: the slope on which a body that slides goes on at the same speed; its tangent is the coefficient.",
        "none");
    v.optional(
        "static_friction", c.static_friction, si::one, coefficients,
        "Coulomb coefficient of what does not slide; of what slides faster than `kinetic_speed` it is `friction`. Method \"penalty\".",
        "that of what slides");
    v.optional("static_friction_angle", contact.static_friction_angle, si::radian, slope_angles,
               "In the place of `static_friction`: the steepest slope on which a body at rest stays there.", "none");
    v.optional(
        "kinetic_speed", c.kinetic_speed, si::metre_per_second, between(0, 3e8),
        "Slip from which the coefficient is `friction`: it falls to it linearly from `static_friction` at `slip_speed`, or, with sliding = "
        "\"spring\", at standstill.",
        "needed with `static_friction`");
    v.optional(
        "rolling_resistance", c.rolling_resistance, si::one, coefficients,
        "Rolling-resistance torque over normal force times R, or R1 R2 / (R1 + R2) of two round bodies; it acts on the relative spin "
        "across the normal.");
    v.optional("spinning_resistance", c.spinning_resistance, si::one, coefficients,
               "Spinning-resistance (pivoting, drilling) torque over the same, against the relative spin about the normal; rolling_law = "
               "\"coupled\" only. Zero: nothing stops a ball that spins on the spot.");
    v.optional("rolling_law", c.rolling_law, rolling_laws, "Law of rolling resistance.");
    v.optional("impact_friction", c.impact_friction, "Whether friction, rolling and spinning resistance act in impacts.");
    v.optional("completion", c.completion, completions, "What ends a series of infinitely many bounces.");
    v.optional("bounce_end_speed", c.bounce_end_speed, si::metre_per_second, speeds,
               "Outgoing normal speed below which bouncing is completed; zero: `bounce_end_height` decides.");
    v.optional("bounce_end_height", c.bounce_end_height, si::one, above_up_to(0, 1),
               "Hop height, as a fraction of R, or R1 R2 / (R1 + R2) of two round bodies, below which bouncing is completed.");
    v.optional("regularisation_speed", c.regularisation_speed, si::metre_per_second, speeds,
               "Speed below which friction, rolling and spinning resistance fall linearly to zero; zero: they do not.");
    v.optional("regularised_end_speed", c.regularised_end_speed, si::metre_per_second, speeds,
               "Speed below which a regularised run counts as at rest; needed with `regularisation_speed`.");
    v.optional(
        "rest_below_speed", c.rest_below_speed, si::metre_per_second, speeds,
        "Speed of the centre and of the rim below which a ball on one facet, edge or vertex counts as at rest where the slope is below "
        "`rest_below_slope`, whether or not it would stay there (1-landers 6.3); zero: only the static laws decide.");
    v.optional("rest_below_slope", c.rest_below_slope, si::radian, between(0, 1.5707963267948966),
               "Slope against the local vertical that belongs to `rest_below_speed`.");
    v.optional("normal_law", c.normal_law, normal_laws, "How the elastic force of method \"penalty\" grows with the overlap.");
    v.optional("modulus", c.modulus, si::pascal, between(0, 1e30),
               "Effective modulus E* of normal_law = \"hertz\": 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2.");
    v.optional("stiffness", contact.stiffness, newton_per_metre, above_up_to(0, 1e30),
               "Spring k of method \"penalty\" (3-ternary 3.37): a contact lasts pi sqrt(m / k), m the effective mass of the pair.",
               "of bodies that attract each other: the pull of the heaviest touching pair over a millionth of its distance");
    v.optional_section("rest_penetration", contact.rest_penetration,
                       "In the place of `stiffness` and `damping` under method \"penalty\": what they follow from.");
    v.optional("damping", c.damping, newton_second_per_metre, between(0, 1e30),
               "Damper of method \"penalty\" (3-ternary 3.38), the same for every pair.", "from `restitution`, for each pair its own");
    v.optional("slip_speed", contact.slip_speed, si::metre_per_second, above_up_to(0, 3e8),
               "Slip below which friction, and rolling and spinning resistance at the rim, fall linearly to zero under method \"penalty\".",
               "of bodies that attract each other: a ten-thousandth of sqrt(G m / d)");
    std::apply([&](auto&... law) { (describe(v, law), ...); }, c.forces);
}

}  // namespace asperity::scenario
