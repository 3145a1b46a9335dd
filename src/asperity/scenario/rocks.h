// [rocks]: half-buried spheres on the ground.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/scenario/shape.h"

namespace asperity::scenario {

enum class RockModel : std::int64_t { stochastic, field };

struct Rocks {
    RockModel model = RockModel::stochastic;
    double number_per_area = 9.5e-4;  // 1/m^2, of at least the reference diameter
    double reference_diameter = 5;    // m
    double exponent = 3.1;
    double smallest = 0.5;  // m
    double largest = 5;     // m
    bool in_impacts = true;
    bool in_rolling = true;
    std::optional<std::int64_t> seed;
};

inline constexpr auto rock_models = std::to_array<Choice<RockModel>>({
    {"stochastic", RockModel::stochastic, "Drawn anew at every impact and after every free path; no rock is met twice."},
    {"field", RockModel::field, "Placed once from a seed: the same rock can be hit twice, and all runs meet the same rocks."},
});

template <class Visitor>
void describe(Visitor& v, Rocks& r) {
    v.loaded(Loaded::always, [&r](auto& w) { w.optional("model", r.model, rock_models, "How rocks are met."); });
    v.loaded(Loaded::with_rock_field, [&r](auto& w) {
        w.optional("number_per_area", r.number_per_area, si::per_square_metre, between(0, 1e12),
                   "Rocks per area with at least the reference diameter; Itokawa: 373 of 5 m and more on 0.393 km^2.");
        w.optional("reference_diameter", r.reference_diameter, si::metre, between(1e-6, 1e6), "The diameter that this number counts from.");
        w.optional("exponent", r.exponent, si::one, between(0.1, 20), "The number above a diameter D goes with D to minus this.");
        w.optional("smallest", r.smallest, si::metre, between(1e-6, 1e6),
                   "Smallest diameter; rolling resistance stands for what is smaller.");
        w.optional("largest", r.largest, si::metre, between(1e-6, 1e6), "Largest diameter; the shape holds what is larger.");
        w.optional("seed", r.seed, at_least(0), "Seed of a rock field.", "1, whatever the seed of the run");
    });
    v.optional("in_impacts", r.in_impacts, "Whether impacts meet rocks; model stochastic only.");
    v.optional("in_rolling", r.in_rolling, "Whether contact motion meets rocks; model stochastic only.");
}

}  // namespace asperity::scenario
