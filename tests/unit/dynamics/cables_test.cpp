// Cables, engines and controllers under penalty: against closed forms, and the ledger.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/analysis/energy.h"
#include "asperity/analysis/ledger.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/census.h"
#include "unit/dynamics/ball_run.h"
#include "unit/dynamics/spheres.h"

namespace asperity::dynamics::test::cables_test {
namespace {

using std::numbers::pi;
constexpr double none = std::numeric_limits<double>::infinity();

struct Way {
    model::Integrator integrator;
    double step;
    double energy;  // relative error of the ledger that its order allows
};
constexpr Way ways[] = {
    {model::Integrator::dopri5, none, 1e-7}, {model::Integrator::rk4, 1e-3, 1e-6}, {model::Integrator::leapfrog, 1e-4, 1e-5}};

// Bodies of 2 kg and 10 cm in a uniform field, without ground.
struct Scene {
    model::Model model;
    model::State state;
    Notes notes;

    Scene(const std::vector<Vec3>& positions, const Vec3& gravity) {
        model::Parameters& world = model.parameters;
        world.bodies.add(model::sphere_kind(0.1, 2), positions.size());
        world.environment.field = gravity::Uniform{gravity};
        world.laws.laws[0].restitution = 0.5;
        world.laws.laws[0].stiffness = 1e5;
        world.step_budget = 100000000;
        world.phases = {{.name = "all", .method = "penalty", .tolerance = 1e-10}};
        state = state_of(positions);
    }
    void take(const Way& way) {
        model.parameters.phases[0].integrator = way.integrator;
        model.parameters.phases[0].step_max = way.step;
    }
    void add_cable(const model::CableEnd& from, const model::CableEnd& to, double length, double stiffness, double damping) {
        model.parameters.cables.push_back({.from = from, .to = to, .law = {stiffness, damping}});
        state.cables.length.push_back(length);
        state.cables.target.push_back(length);
        state.cables.rate.push_back(0);
        state.cables.changed.push_back(0);
        state.cables.is_cut.push_back(0);
    }
    void add_engine(const model::Engine& engine) {
        model.parameters.engines.push_back(engine);
        state.engines.throttle.push_back(engine.throttle);
        state.engines.propellant.push_back(engine.propellant);
        state.engines.changed.push_back(0);
    }
    model::Outcome run(double end) {
        first = state;
        state.balance.start = analysis::energies(model, state).mechanical();
        model.parameters.end_time = end;
        EXPECT_EQ(find_method("penalty")->carries(model::census_of(model), model.parameters.phases[0]), "");
        return simulate(model, state, notes);
    }
    double energy_error(double scale) const { return std::fabs(analysis::energy_change(model, first, state)) / scale; }

    model::State first;
};

// At rest it hangs by m g / k below the end of the slack cable.
TEST(Cables, AHangingMassStretchesItByItsWeightOverItsStiffness) {
    for (const Way& way : ways) {
        Scene scene({{0, 0, -2}}, {0, 0, -9.81});
        scene.take(way);
        scene.add_cable({}, {.body = 0, .at = {0, 0, 0.1}}, 1.9, 500, 60);
        scene.run(3);
        EXPECT_NEAR(scene.state.bodies.position[0].z, -2 - 2 * 9.81 / 500, 1e-6);
        EXPECT_LT(scene.energy_error(2 * 9.81 * 0.04), 1e3 * way.energy);
        EXPECT_GT(scene.state.tallies.heat_friction[0], 0);
    }
}

// T = 2 pi sqrt(l / g) (1 + a^2 / 16): l that of the loaded cable; the centripetal force stretches it by less than a millionth.
TEST(Cables, APendulumHasThePeriodOfItsLength) {
    for (const Way& way : ways) {
        const double g = 1.62, k = 1e5, length = 4, angle = 0.02, l = length + 2 * g / k;
        Scene scene({{l * std::sin(angle), 0, -l * std::cos(angle)}}, {0, 0, -g});
        scene.take(way);
        scene.add_cable({}, {.body = 0, .at = {}}, length, k, 0);
        const double period = 2 * pi * std::sqrt(l / g) * (1 + angle * angle / 16);
        scene.run(2.25 * period);  // through the lowest point, to the left
        const Vec3 &p = scene.state.bodies.position[0], &v = scene.state.bodies.velocity[0];
        EXPECT_NEAR(p.x / v.x, 0, 2e-5 * period) << static_cast<int>(way.integrator);
        EXPECT_LT(v.x, 0);
        EXPECT_LT(scene.energy_error(2 * g * l * 0.5 * angle * angle), 10 * way.energy);
    }
}

// A line of many masses between two points of equal height, brought to rest by stopping it wherever it is fastest: its nodes come to the
// catenary z = c cosh(x / c), of the same length, with the square of their distance.
TEST(Cables, AHangingOneIsTheCatenary) {
    const double g = 9.81, length = 3, span = 2;
    double c = 1;  // 2 c sinh(span / 2 c) = length
    for (int k = 0; k < 100; ++k) {
        const double x = span / (2 * c);
        c -= (2 * c * std::sinh(x) - length) / (2 * std::sinh(x) - 2 * x * std::cosh(x));
    }
    std::vector<double> errors;
    for (const std::size_t cables : {8U, 16U}) {
        const double piece = length / static_cast<double>(cables), stiffness = 4e6;
        std::vector<Vec3> nodes;
        for (std::size_t k = 1; k < cables; ++k) {  // a triangle
            const double s = piece * static_cast<double>(k), way = std::min(s, length - s);
            nodes.push_back(
                {(s < 0.5 * length ? -1 : 1) * (0.5 * span - span / length * way), 0, -way * std::sqrt(1 - span * span / length / length)});
        }
        Scene scene(nodes, {0, 0, -g});
        for (model::BodyKind& body : scene.model.parameters.bodies.kinds) body = model::sphere_kind(1e-3, 2 * piece);
        const auto node = [&](std::size_t k) {
            if (k == 0 || k == cables) return model::CableEnd{.at = {k == 0 ? -0.5 * span : 0.5 * span, 0, 0}};
            return model::CableEnd{.body = static_cast<std::int32_t>(k - 1), .at = {}};
        };
        for (std::size_t k = 0; k < cables; ++k) scene.add_cable(node(k), node(k + 1), piece, stiffness, 2);
        model::Phase& phase = scene.model.parameters.phases[0];
        phase.integrator = model::Integrator::rk4;
        phase.step_max = 2e-4;
        double fastest = 0, time = 0;
        for (int k = 0; k < 1500; ++k) {
            scene.run(time += 2e-3);
            double motion = 0;
            for (const Vec3& v : scene.state.bodies.velocity) motion += squared_norm(v);
            if (motion < fastest) scene.state.bodies.velocity.assign(nodes.size(), {});
            fastest = motion < fastest ? 0 : motion;
        }
        double worst = 0;
        for (std::size_t k = 1; k < cables; ++k) {
            const double s = piece * static_cast<double>(k) - 0.5 * length;  // from the lowest point
            const Vec3 wanted{c * std::asinh(s / c), 0, std::sqrt(c * c + s * s) - std::sqrt(c * c + 0.25 * length * length)};
            worst = std::fmax(worst, norm(scene.state.bodies.position[k - 1] - wanted));
        }
        errors.push_back(worst);
    }
    EXPECT_LT(errors[1], 3e-3);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.2);
}

// Dropped 1 m above where it becomes taut, without a damper: it goes as far as energy takes it, m g (h + x) = k x^2 / 2, and comes back.
TEST(Cables, ASlackOneDoesNothingAndATautOneGivesBack) {
    for (const Way& way : ways) {
        const double g = 9.81, k = 800, weight = 2 * g, h = 1;
        Scene scene({{0, 0, 0}}, {0, 0, -g});
        scene.take(way);
        scene.add_cable({.at = {0, 0, 0.5}}, {.body = 0, .at = {}}, 1.5, k, 0);
        const double deepest = weight / k + std::sqrt(weight * weight / (k * k) + 2 * weight * h / k);
        const double w = std::sqrt(k / 2), v = std::sqrt(2 * g * h), fall = std::sqrt(2 * h / g);
        const double to_lowest = (pi - std::atan2(v / w, weight / k)) / w;
        scene.run(fall + to_lowest);
        EXPECT_NEAR(scene.state.bodies.position[0].z, -h - deepest, 3e-6) << static_cast<int>(way.integrator);
        EXPECT_LT(scene.energy_error(weight * h), 100 * way.energy);
        EXPECT_EQ(scene.state.tallies.heat_friction[0], 0);
    }
}

// The same, whose tension is largest at the lowest point: k x. Explicit steps miss it by up to the curvature over a step, k w^2 x h^2 / 8.
TEST(Cables, TheLargestTensionIsThatOfTheLowestPoint) {
    for (const Way& way : ways) {
        const double g = 9.81, k = 800, weight = 2 * g, h = 1;
        Scene scene({{0, 0, 0}}, {0, 0, -g});
        scene.take(way);
        scene.add_cable({.at = {0, 0, 0.5}}, {.body = 0, .at = {}}, 1.5, k, 0);
        scene.model.parameters.signals = {{"pull", {.kind = model::SignalKind::tension}}};
        const double deepest = weight / k + std::sqrt(weight * weight / (k * k) + 2 * weight * h / k);
        const double w = std::sqrt(k / 2), v = std::sqrt(2 * g * h), fall = std::sqrt(2 * h / g);
        const double to_lowest = (pi - std::atan2(v / w, weight / k)) / w;
        scene.run(fall + 1.5 * to_lowest);
        const model::Extremes& e = scene.state.extremes;
        const double missed = way.step < 1 ? k * w * w * deepest * way.step * way.step / 8 : 0;
        EXPECT_NEAR(e.most[0], k * deepest, missed + 3e-6 * k) << static_cast<int>(way.integrator);
        EXPECT_NEAR(e.most_time[0], fall + to_lowest, way.step < 1 ? way.step : 1e-4) << static_cast<int>(way.integrator);
        EXPECT_EQ(e.least[0], 0);
        // at ends of steps alone, which dopri5 makes long
        EXPECT_NEAR(scene.state.forces.most_tension.at(0), k * deepest, way.step < 1 ? missed + 3e-6 * k : 0.01 * k * deepest);
    }
}

// A damper never pushes, and what the spring gives that does not arrive is heat.
TEST(Cables, ADampedOneNeverPushesAndItsHeatIsCounted) {
    for (const Way& way : ways) {
        Scene scene({{0, 0, 0}, {1.2, 0, 0}}, {});
        scene.take(way);
        scene.add_cable({.body = 0, .at = {0, 0.02, 0}}, {.body = 1, .at = {}}, 1, 300, 80);
        scene.state.bodies.velocity = {{0, 0.3, 0}, {-0.1, 0, 0.2}};
        scene.run(4);
        const Vec3 momentum = scene.state.bodies.velocity[0] + scene.state.bodies.velocity[1];
        EXPECT_LT(norm(momentum - Vec3{-0.1, 0.3, 0.2}), 1e-12);
        Vec3 turning;
        for (int i = 0; i < 2; ++i)
            turning +=
                2 * cross(scene.state.bodies.position[i], scene.state.bodies.velocity[i]) + 0.4 * 2 * 0.01 * scene.state.bodies.spin[i];
        EXPECT_LT(norm(turning - 2 * cross(Vec3{1.2, 0, 0}, Vec3{-0.1, 0, 0.2})),
                  way.integrator == model::Integrator::leapfrog ? 1e-4 : 1e-8);
        EXPECT_LT(scene.energy_error(0.5 * 300 * 0.04), 2e3 * way.energy) << static_cast<int>(way.integrator);
        EXPECT_GT(scene.state.tallies.heat_friction[0], 0);
        EXPECT_EQ(scene.state.tallies.heat_friction[0], scene.state.tallies.heat_friction[1]);
    }
}

// A winch that lifts a mass does the work m g h, and what motion and spring take.
TEST(Cables, AWinchDoesTheWorkThatLiftsTheMass) {
    for (const Way& way : ways) {
        const double g = 3, k = 4000, x = 2 * g / k;
        Scene scene({{0, 0, -2 - x}}, {0, 0, -g});
        scene.take(way);
        scene.add_cable({}, {.body = 0, .at = {}}, 2, k, 100);
        scene.state.cables.target = {0.5};
        scene.state.cables.rate = {0.25};
        scene.run(12);
        EXPECT_EQ(scene.state.cables.length[0], 0.5);
        EXPECT_EQ(scene.state.cables.rate[0], 0);
        EXPECT_EQ(scene.state.cables.changed[0], 6);
        EXPECT_NEAR(scene.state.bodies.position[0].z, -0.5 - x, 1e-8);
        const double work = 2 * scene.state.tallies.work[0], heat = 2 * scene.state.tallies.heat_friction[0];
        EXPECT_NEAR(work, 2 * g * 1.5 + heat, 1e3 * way.energy * work);
        EXPECT_LT(scene.energy_error(work), 1e3 * way.energy);
    }
}

// Tolerance: 40,000 steps of leapfrog add up as many roundings.
TEST(Engines, AConstantThrustAcceleratesAtItsForceOverTheMass) {
    for (const Way& way : ways) {
        Scene scene({{0, 0, 0}}, {});
        scene.take(way);
        scene.state.bodies.orientation[0] = rotation(Vec3{0, 0.5 * pi, 0});  // z of the body is x of the world
        scene.add_engine({.direction = {0, 0, 1}, .thrust = 3, .throttle = 0.5});
        scene.run(4);
        EXPECT_NEAR(scene.state.bodies.velocity[0].x, 1.5 * 4 / 2, 1e-11);
        EXPECT_NEAR(scene.state.bodies.position[0].x, 0.5 * 1.5 / 2 * 16, 1e-11);
        EXPECT_NEAR(scene.state.tallies.work[0], 0.5 * 9, 1e-11);
        EXPECT_LT(scene.energy_error(9), 1e-11);
    }
}

// Off its centre a force turns the body: w' = F a / I.
TEST(Engines, AThrustOffTheCentreTurnsTheBody) {
    Scene scene({{0, 0, 0}}, {});
    scene.add_engine({.at = {0.05, 0, 0}, .direction = {0, 1, 0}, .thrust = 1e-3, .throttle = 1});
    scene.run(10);
    EXPECT_NEAR(scene.state.bodies.spin[0].z, 1e-3 * 0.05 / (0.4 * 2 * 0.01) * 10, 1e-12);
    EXPECT_LT(scene.energy_error(scene.state.tallies.work[0]), 1e-9);
}

// Tsiolkovsky: dv = v_e ln(m0 / m1); the tank is empty after m_p v_e / F, and the engine stops there.
TEST(Engines, BurntPropellantGivesTheRocketEquation) {
    for (const Way& way : ways) {
        Scene scene({{0, 0, 0}}, {});
        scene.take(way);
        scene.add_engine({.direction = {1, 0, 0}, .thrust = 4, .exhaust_speed = 10, .throttle = 1, .propellant = 1.2});
        scene.run(5);  // empty at 3 s
        EXPECT_NEAR(scene.state.bodies.velocity[0].x, 10 * std::log(2 / 0.8), 1e-6) << static_cast<int>(way.integrator);
        EXPECT_EQ(scene.state.engines.propellant[0], 0);
        EXPECT_EQ(scene.state.engines.throttle[0], 0);
        EXPECT_NEAR(scene.state.engines.changed[0], 3, 1e-12);
        EXPECT_LT(scene.energy_error(0.5 * 0.8 * 80), 10 * way.energy);
    }
}

// Throttles at ticks, held between: the speed is the sum of the pieces.
TEST(Controllers, AScheduleIsHeldBetweenItsTicks) {
    for (const Way& way : ways) {
        Scene scene({{0, 0, 0}}, {});
        scene.take(way);
        scene.add_engine({.direction = {1, 0, 0}, .thrust = 2});
        // looked at every 0.7 s: 0.8 s is seen at 1.4 s, 2 s at 2.1 s
        scene.model.parameters.controllers = {{.period = 0.7, .law = model::Schedule{{0, 0.8, 2}, {0.25, 1, 0.5}}}};
        scene.run(3);
        EXPECT_NEAR(scene.state.bodies.velocity[0].x, 0.25 * 1.4 + 1 * 0.7 + 0.5 * 0.9, 1e-12);
        EXPECT_EQ(scene.state.controls.ticks[0], 5);
    }
}

// Of a speed: each tick changes it by F T / m times the throttle, so that the speed after k ticks is a recursion.
TEST(Controllers, AProportionalOneWithAnIntegralFollowsItsRecursion) {
    for (const Way& way : ways) {
        Scene scene({{0, 0, 0}}, {});
        scene.take(way);
        scene.add_engine({.direction = {1, 0, 0}, .thrust = 2});
        const model::Proportional law{.signal = {model::SignalKind::speed}, .wanted = 1, .gain = 0.3, .integral_gain = 0.1, .offset = 0.1};
        scene.model.parameters.controllers = {{.engine = 0, .period = 0.5, .law = law}};
        scene.run(6.2);
        double v = 0, sum = 0, throttle = 0;
        for (int k = 0; k <= 12; ++k) {
            const double error = 1 - v, next = sum + 0.5 * error, wished = 0.1 + 0.3 * error + 0.1 * next;
            throttle = std::clamp(wished, 0.0, 1.0);
            if (throttle == wished) sum = next;
            v += throttle * (k < 12 ? 0.5 : 0.2);
        }
        EXPECT_NEAR(scene.state.bodies.velocity[0].x, v, 1e-11);
        EXPECT_NEAR(scene.state.controls.memory[0], sum, 1e-11);
        EXPECT_NEAR(scene.state.engines.throttle[0], throttle, 1e-11);
    }
}

struct EveryStep : Notes {
    std::vector<model::State> states;
    EveryStep() { wants_checkpoints = true; }
    void checkpoint(const model::State& state) override { states.push_back(state); }
};

// Timers, memory, throttle, propellant, reels and cuts are all in State.
TEST(Controllers, ARunGoesOnFromAnyBoundaryWithTheSameBits) {
    for (const Way& way : ways) {
        Scene scene({{0, 0, 10}, {0, 0, 8}}, {0, 0, -1});
        scene.take(way);
        if (way.integrator == model::Integrator::leapfrog) scene.model.parameters.phases[0].step_max = 2e-3;
        scene.model.parameters.ground = {{.shape = model::HalfSpace{}}};
        scene.model.parameters.laws.laws[0].stiffness = 2e3;
        scene.add_engine({.direction = {0, 0, 1}, .thrust = 8, .exhaust_speed = 50, .throttle = 0.5, .propellant = 1});
        scene.add_cable({.body = 0, .at = {0, 0, -0.1}}, {.body = 1, .at = {0, 0, 0.1}}, 1.7, 200, 5);
        scene.model.parameters.controllers = {
            {.engine = 0, .period = 0.1, .law = model::Proportional{{model::SignalKind::height}, 9, 0.1, 0.02, 0.45}}};
        std::vector<model::Phase>& phases = scene.model.parameters.phases;
        phases.push_back(phases[0]);
        phases.push_back(phases[0]);
        model::Condition at_two_seconds{.signal = {.kind = model::SignalKind::time_in_phase}, .is_above = true, .value = 2};
        phases[0].guards = {
            {.conditions = {at_two_seconds}, .actions = {{.kind = model::ActionKind::reel, .value = 4, .rate = 0.5}}, .next = 1}};
        model::Condition tight{.signal = {.kind = model::SignalKind::tension}, .is_above = true, .value = 0.1};
        phases[1].guards = {{.conditions = {tight}, .lasting = 1.5, .actions = {{.kind = model::ActionKind::cut}}, .next = 2}};
        scene.model.parameters.signals = {{"height", {.kind = model::SignalKind::height}},
                                          {"pull", {.kind = model::SignalKind::tension}},
                                          {"throttle", {.kind = model::SignalKind::throttle}},
                                          {"fuel", {.kind = model::SignalKind::propellant}}};
        scene.state.balance.start = analysis::energies(scene.model, scene.state).mechanical();
        scene.model.parameters.end_time = 9;
        EveryStep watch;
        const model::Outcome outcome = simulate(scene.model, scene.state, watch);
        ASSERT_EQ(outcome.label(), "timed_out") << outcome.message;
        EXPECT_EQ(scene.state.cables.is_cut[0], 1);
        EXPECT_EQ(scene.state.clock.phase, 2);
        int tried[3] = {};
        for (std::size_t k = 0; k < watch.states.size(); k += 1 + watch.states.size() / 24) {
            model::State state = watch.states[k];
            ++tried[state.clock.phase];
            Notes notes;
            simulate(scene.model, state, notes);
            ASSERT_TRUE(state == scene.state) << "boundary " << k << ", integrator " << static_cast<int>(way.integrator);
        }
        EXPECT_EQ(scene.state.extremes.least[1], 0);  // of the cable that was cut
        for (const int count : tried) EXPECT_GT(count, 1) << static_cast<int>(way.integrator);
    }
}

TEST(Cables, OtherMethodsRefuseThem) {
    Scene scene({{0, 0, 0}}, {0, 0, -1});
    scene.add_cable({}, {.body = 0, .at = {}}, 1, 100, 0);
    for (const MethodEntry* entry : all_methods())
        if (entry->name != std::string("penalty")) {
            EXPECT_NE(entry->carries(model::census_of(scene.model), scene.model.parameters.phases[0]), "") << entry->name;
        }
}

}  // namespace
}  // namespace asperity::dynamics::test::cables_test
