// What a model holds, counted once: by this, and by nothing else, methods decide what they carry and the program what there is to tell.
#pragma once
#include "asperity/model/model.h"

namespace asperity::model {

struct Census {
    std::size_t bodies = 0;  // that move
    bool has_only_spheres = true;
    bool has_ground = false;      // a surface that stands still in the frame of the run
    bool has_friction = false;    // or rolling or spinning resistance, between any two materials
    bool has_stiffness = false;   // every law has a spring
    bool has_slip_speed = false;  // every law that has friction has a slip speed
    bool has_mutual_gravity = false;
    bool has_tides = false;
    bool has_sunlight = false;
};

inline Census census_of(const Model& model) {
    const Parameters& p = model.parameters;
    const auto every_law = [&](auto has) { return std::ranges::all_of(p.laws.laws, has); };
    return {.bodies = p.bodies.size(),
            .has_only_spheres = p.bodies.has_only_spheres(),
            .has_ground = !p.ground_materials.empty(),
            .has_friction = p.laws.has_friction(),
            .has_stiffness = every_law([](const laws::PairLaw& law) { return law.stiffness > 0; }),
            .has_slip_speed = every_law([](const laws::PairLaw& law) { return !law.has_friction() || law.slip_speed > 0; }),
            .has_mutual_gravity = p.environment.mutual.constant > 0,
            .has_tides = p.environment.tides.law != TideLaw::none,
            .has_sunlight = p.bodies.has_sunlight()};
}

}  // namespace asperity::model
