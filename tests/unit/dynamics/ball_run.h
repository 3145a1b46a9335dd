// A ball on a surface, put together by hand: what the tests of the event-driven method share.
#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "asperity/analysis/ledger.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/worlds.h"
#include "asperity/model/sample.h"

namespace asperity::dynamics::test {

// Keeps every event; asks for samples and checkpoints only if told to.
struct Notes : model::Observer {
    std::vector<model::Event> events;
    std::vector<model::Sample> samples;
    double sample_every = HUGE_VAL;  // s
    double sample_time = HUGE_VAL;   // s, of the next
    bool wants_checkpoints = false;

    double next_sample() const override { return sample_time; }
    model::Wants wants() const override { return {.contacts = true}; }
    void sample(const model::Look& look) override {
        model::append_samples(look, samples);
        sample_time += sample_every;
    }
    void event(const model::Event& event) override { events.push_back(event); }
    double next_checkpoint() const override { return wants_checkpoints ? 0 : HUGE_VAL; }
    void checkpoint(const model::State&) override {}

    std::vector<model::Event> of(model::EventKind kind) const {
        std::vector<model::Event> found;
        for (const model::Event& e : events)
            if (e.kind == kind) found.push_back(e);
        return found;
    }
    bool has(model::EventKind kind) const { return !of(kind).empty(); }
};

struct BallRun {
    std::unique_ptr<model::Assets> assets = std::make_unique<model::Assets>();
    model::Model model;
    model::State state;
    Notes notes;

    explicit BallRun(geometry::RawMesh mesh) {
        assets->surface = geometry::make_surface(std::move(mesh));
        model.assets = assets.get();
        model::Parameters& p = model.parameters;
        p.bodies.add(model::sphere_kind(0.05, 1));
        p.ground = {{.shape = model::MeshShape{}}};
        p.ground_materials = {0};
        p.environment.field = gravity::Uniform{{0, 0, -1e-4}};
        contact().restitution = 0.5;
        contact().friction = 0.6;
        contact().rolling_resistance = 0.04;
        p.phases = {{.name = "all", .method = "event-driven"}};
        p.end_time = 1e6;
        p.step_budget = 200000;
        put({}, {}, {});
    }

    // In flight.
    void put(const Vec3& position, const Vec3& velocity, const Vec3& spin) {
        state = {};
        state.bodies = {{position}, {Quat{}}, {velocity}, {spin}};
        state.draws = {{0}, {0}};
        state.stepper = {.next_step = 0, .reference = {Vec3{}}};
        state.tallies = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}, {-1}};
    }
    // In contact with the nearest feature; the position is moved onto it.
    void put_on_surface(const Vec3& position, const Vec3& velocity, const Vec3& spin) {
        put(position, velocity, spin);
        const geometry::ClosestPoint near = geometry::nearest(assets->surface.view(), position);
        const Vec3 n = near.offset / near.distance;
        state.bodies.position[0] = near.point + radius() * n;
        const Vec3 slip = velocity - radius() * cross(spin, n);
        const bool rolls = norm(slip) <= 1e-12 * (norm(velocity) + radius() * norm(spin));
        state.contacts.add(0, model::ground, model::contact_feature(near.feature), rolls ? model::Mode::roll : model::Mode::slide);
    }
    // The axis about which a roll from no spin begins, as a run that goes on would have it.
    void told_axis(const Vec3& axis) {
        state.contacts.slip_direction = {Vec3{}};
        state.contacts.roll_axis = {axis};
        state.contacts.spin_locked = state.contacts.drilling = {0};
    }

    model::Outcome run() { return simulate(model, state, notes); }

    laws::PairLaw& contact() { return model.parameters.laws.laws[0]; }
    double radius() const { return model.parameters.bodies[0].radius(); }
    const Vec3& position() const { return state.bodies.position[0]; }
    const Vec3& velocity() const { return state.bodies.velocity[0]; }
    const Vec3& spin() const { return state.bodies.spin[0]; }
    // Change of the ledger over the energy that the start could set free.
    double balance(const model::State& first) const { return analysis::energy_balance(model, first, state); }
};

// A plane through the origin with the given unit normal, two facets wide: a seam runs through it.
inline geometry::RawMesh plane(const Vec3& normal, double half) {
    const Vec3 x = unit(std::fabs(normal.x) < 0.9 ? tangential({1, 0, 0}, normal) : tangential({0, 1, 0}, normal));
    const Vec3 y = cross(normal, x);
    return {{half * (-1 * x - y), half * (x - y), half * (x + y), half * (y - x)}, {{0, 1, 2}, {0, 2, 3}}};
}

// Two planes that meet in a valley along y, each rising at `slope` (an angle) from it, the whole inclined by `incline` (an angle) along y.
inline geometry::RawMesh groove(double slope, double incline, double half_length, double half_width) {
    geometry::RawMesh mesh;
    for (const double y : {-half_length, half_length})
        for (const double side : {-1.0, 0.0, 1.0}) {
            const Vec3 flat{side * half_width * std::cos(slope), y, std::fabs(side) * half_width * std::sin(slope)};
            const double c = std::cos(incline), s = std::sin(incline);
            mesh.vertices.push_back({flat.x, c * flat.y - s * flat.z, s * flat.y + c * flat.z});
        }
    mesh.facets = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
    return mesh;
}

}  // namespace asperity::dynamics::test
