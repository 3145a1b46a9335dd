// Friction between free bodies, as constraint and penalty have it: mechanical energy only falls, and spins come to the orbit in hours,
// where tides need centuries.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "asperity/dynamics/free_bodies/constraint.h"
#include "asperity/dynamics/free_bodies/penalty.h"
#include "unit/dynamics/free_bodies_worlds.h"

namespace asperity::dynamics::free_bodies {
namespace {

struct Spun {
    double lag = 0;    // the largest difference between a spin and the rate of the orbit, over that
    double rise = 0;   // the largest rise of the mechanical energy between two samples, over its size
    double drift = 0;  // of energy and heat, relative
};

// Lagrange Resting with spins of 1.3, 0.7 and 1 times the rate of the orbit, 50,000 s.
Spun run(const char* method, double friction, double rolling) {
    model::Model model = thesis_model();
    model::FreeContact& contact = model.parameters.free.contact;
    contact.friction = friction;
    contact.rolling_resistance = rolling;
    contact.slip_speed = 1e-4;
    model.parameters.step_budget = 10000000;
    model::State state = state_of(lagrange_resting());
    const double rate = rate_of(model.parameters.free, lagrange_resting(), 1);
    turn_as_one(rate, state);
    for (std::size_t i = 0; i < 3; ++i) state.bodies.spin[i] = {0, 0, std::array{1.3, 0.7, 1.0}[i] * rate};
    const bool is_soft = std::string_view(method) == "penalty";
    const model::Phase phase{.name = "friction",
                             .method = method,
                             .integrator = is_soft ? model::Integrator::dopri5 : model::Integrator::symplectic4,
                             .tolerance = 1e-8};
    Books books(100);
    const auto advance = is_soft ? make_penalty(model, phase) : constraint::make(model, phase);
    EXPECT_FALSE(advance->advance(state, {.time = 50000}, books).ended);
    Spun out{.drift = books.drift()};
    const Vec3 apart = state.bodies.position[1] - state.bodies.position[0], moved = state.bodies.velocity[1] - state.bodies.velocity[0];
    const double orbit = cross(apart, moved).z / squared_norm(apart);
    for (const Vec3& w : state.bodies.spin) out.lag = std::max(out.lag, std::fabs(w.z / orbit - 1));
    for (std::size_t i = 1; i < books.mechanical.size(); ++i)
        out.rise = std::max(out.rise, (books.mechanical[i] - books.mechanical[i - 1]) / std::fabs(books.mechanical[0]));
    return out;
}

TEST(FreeBodiesFriction, SynchronisesSpinsInHoursAndOnlyTakesEnergy) {
    for (const char* method : {"constraint", "penalty"}) {
        const Spun smooth = run(method, 0, 0), rough = run(method, 0.5, 0.05);
        EXPECT_GT(smooth.lag, 0.29) << method;  // tides alone: as they began
        EXPECT_LT(rough.lag, 2e-3) << method;
        EXPECT_LT(rough.rise, 1e-9) << method;
        EXPECT_LT(rough.drift, 1e-6) << method;
    }
}

}  // namespace
}  // namespace asperity::dynamics::free_bodies
