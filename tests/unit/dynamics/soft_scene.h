// A small world under penalty for tests, without a scenario file.
#pragma once
#include <gtest/gtest.h>

#include <optional>

#include "asperity/dynamics/all.h"
#include "asperity/model/census.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics {

struct Scene {
    model::Model model;
    model::State state;
    model::Phase phase{.name = "phase 1", .method = "penalty", .integrator = model::Integrator::leapfrog};

    model::Parameters& world() { return model.parameters; }
    laws::PairLaw& law() { return model.parameters.laws.laws[0]; }
    void run(double end, Books& books) {
        world().step_budget = 100000000;
        state.balance.start = 0;
        ASSERT_EQ(find_method("penalty")->carries(model::census_of(model), phase), "");
        const Advance got = find_method("penalty")->make(model, phase)->advance(state, {.time = end}, books);
        outcome = got.ended;
        ASSERT_TRUE(!outcome || outcome->kind == model::OutcomeKind::rest) << outcome->message;
    }
    std::optional<model::Outcome> outcome;
};

// A ball of 1 kg and 10 cm over a half-space.
inline Scene ball_over_plane(const Vec3& gravity, const Vec3& position, const Vec3& velocity) {
    Scene scene;
    scene.world().bodies = rows({model::sphere_kind(0.1, 1)});
    scene.world().ground = {{.shape = model::HalfSpace{}}};
    scene.world().environment.field = gravity::Uniform{gravity};
    scene.state = state_of({position});
    scene.state.bodies.velocity = {velocity};
    return scene;
}

}  // namespace asperity::dynamics
