// [start]: a configuration in which all bodies start, and where they start at last.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/quat.h"
#include "asperity/model/model.h"
#include "asperity/scenario/bounds.h"

namespace asperity::scenario {

// Values are indices of `start_configurations` below.
enum class StartConfiguration : std::int64_t {
    given,
    lagrange_resting,
    euler_resting,
    v_rest,
    aligned_mixed,
    transverse_mixed,
    lagrange_orbiting,
    euler_orbiting,
    resting_pair,
    orbiting_pair,
};

// One body that is moved out of the configuration.
struct Moved {
    std::string body;
    Vec3 by;  // m
};

struct Start {
    StartConfiguration configuration = StartConfiguration::given;
    std::optional<double> momentum2;  // H-bar^2
    std::optional<double> size;       // in d
    double rate_factor = 1;
    std::optional<Moved> moved;
};

inline constexpr auto start_configurations = std::to_array<Choice<StartConfiguration>>({
    {"given", StartConfiguration::given, "Each body has a [body.NAME.start] with its own `position` and `velocity`."},
    {"lagrange-resting", StartConfiguration::lagrange_resting, "Three spheres in mutual contact."},
    {"euler-resting", StartConfiguration::euler_resting, "Three spheres in a row, in contact; the first one in the middle."},
    {"v-rest", StartConfiguration::v_rest, "Three spheres, two contacts, bent."},
    {"aligned-mixed", StartConfiguration::aligned_mixed, "A pair in contact and a third sphere on its line."},
    {"transverse-mixed", StartConfiguration::transverse_mixed, "A pair in contact and a third sphere equally far from both."},
    {"lagrange-orbiting", StartConfiguration::lagrange_orbiting, "Three spheres apart, equilateral."},
    {"euler-orbiting", StartConfiguration::euler_orbiting, "Three spheres apart, in a row; the first one in the middle."},
    {"resting-pair", StartConfiguration::resting_pair, "Two spheres in contact."},
    {"orbiting-pair", StartConfiguration::orbiting_pair, "Two spheres on a circle about each other."},
});

template <class Visitor>
void describe(Visitor& v, Moved& m) {
    v.required("body", m.body, "Which body is moved.");
    v.required("by", m.by, si::metre, lengths, "By how much; its velocity stays.");
}

template <class Visitor>
void describe(Visitor& v, Start& s) {
    v.optional("configuration", s.configuration, start_configurations,
               "The relative equilibrium in which the bodies start. Euler: the first body is in the middle; mixed: the first two touch, "
               "and aligned the "
               "second faces the third. Of two that fit the stable one, else the smaller.");
    v.optional("momentum2", s.momentum2, si::one, above_up_to(0, 1e12),
               "Square of the angular momentum over G m^3 d, with the mean mass m and the mean diameter d (3-ternary 2.12).",
               "none; this or `size`, with a configuration");
    v.optional("size", s.size, si::one, above_up_to(0, 1e12),
               "Distance of the third body from the middle of the pair, or of orbiting bodies, in mean diameters; equal spheres only. Wins "
               "over `momentum2`.",
               "none; this or `momentum2`");
    v.optional("rate_factor", s.rate_factor, si::one, above_up_to(0, 1e3), "Factor on all velocities and spins of the configuration.");
    v.optional_section("moved", s.moved, "A body that is moved out of the configuration.");
}

struct Scenario;

// Where the bodies that move start, drawn for the run: a row per body.
struct StartRows {
    std::vector<Vec3> position, velocity, spin;
    std::vector<Quat> orientation;
};
StartRows start_rows(const Scenario& scenario, const model::Parameters& world, const model::Assets& assets, std::uint64_t run);

}  // namespace asperity::scenario
