#include "asperity/dynamics/smooth_world.h"

#include "asperity/analysis/energy.h"

namespace asperity::dynamics {

SmoothWorld::SmoothWorld(const model::Model& model) : world_(model.parameters) {
    frame_rate_ = {0, 0, model::frame_rate(world_.environment)};
    has_pairs_ =
        world_.environment.mutual.constant > 0 || world_.environment.tides.law != model::TideLaw::none || world_.bodies.has_sunlight();
    const std::size_t n = world_.bodies.size();
    rates_.acceleration.resize(n);
    rates_.turning.resize(n);
    rates_.heat.resize(n);
    if (has_pairs_ || !world_.cables.empty() || !world_.engines.empty()) loads_ = Loads(n);
}

void SmoothWorld::copy_motion(const model::Bodies& bodies) {
    motion_.bodies.resize(world_.bodies.size());
    for (std::size_t i = 0; i < motion_.bodies.size(); ++i)
        motion_.bodies[i] = {bodies.position[i], bodies.velocity[i], bodies.spin[i], bodies.orientation[i]};
}

void SmoothWorld::set_time(double time) {
    time_ = time;
    set_masses(time);
}

void SmoothWorld::set_masses(double time) {
    if (world_.engines.empty()) return;
    mass_.resize(world_.bodies.size());
    for (std::size_t i = 0; i < mass_.size(); ++i) mass_[i] = world_.bodies[i].mass - model::burnt(world_, parts_->engines, i, time);
}

void SmoothWorld::set_loads(const model::Bodies& bodies) {
    loads_.clear();
    if (has_pairs_) {
        copy_motion(bodies);
        if (world_.environment.mutual.constant > 0) add_gravity(world_, motion_, loads_);
        add_tides(world_, motion_, loads_);
        add_sunlight(world_, motion_, loads_);
    }
    add_cables(bodies);
    add_engines(bodies);
}

void SmoothWorld::add_cables(const model::Bodies& bodies) {
    pulls_.clear();
    for (std::size_t k = 0; k < world_.cables.size(); ++k) {
        const model::Cable& cable = world_.cables[k];
        const model::CablePull pull = model::cable_pull(cable, parts_->cables, k, bodies, time_);
        const auto add = [&](const model::CableEnd& end, const Vec3& place, const Vec3& force) {
            if (end.body == model::ground) return;
            const auto row = static_cast<std::size_t>(end.body);
            loads_.force[row] += force;
            loads_.torque[row] += cross(place - bodies.position[row], force);
        };
        add(cable.from, pull.from, pull.tension * pull.direction);
        add(cable.to, pull.to, -pull.tension * pull.direction);
        pulls_.push_back(pull);
    }
}

void SmoothWorld::add_engines(const model::Bodies& bodies) {
    for (std::size_t e = 0; e < world_.engines.size(); ++e) {
        const model::Engine& engine = world_.engines[e];
        const auto row = static_cast<std::size_t>(engine.body);
        const Vec3 force = parts_->engines.throttle[e] * engine.thrust * rotate(bodies.orientation[row], engine.direction);
        loads_.force[row] += force;
        loads_.torque[row] += cross(rotate(bodies.orientation[row], engine.at), force);
    }
}

void SmoothWorld::add_heat(const model::Bodies& bodies) {
    add_cable_heat(bodies);
    add_engine_work(bodies);
}

// Heat and the work of winches, by the tensions of the last loads.
void SmoothWorld::add_cable_heat(const model::Bodies& bodies) {
    for (std::size_t k = 0; k < pulls_.size(); ++k) {
        const model::Cable& cable = world_.cables[k];
        const model::CablePull& pull = pulls_[k];
        const double rate = model::parting_speed(cable, pull, bodies) - pull.growth;
        const double heat = cable.law.heat(pull.tension, pull.stretch, rate), work = -pull.tension * pull.growth;
        const bool is_shared = cable.from.body != model::ground && cable.to.body != model::ground;
        for (const std::int32_t body : {cable.from.body, cable.to.body}) {
            if (body == model::ground) continue;
            const auto row = static_cast<std::size_t>(body);
            const double share = (is_shared ? 0.5 : 1.0) / world_.bodies[row].mass;
            rates_.heat[row].friction += share * heat;
            rates_.heat[row].work += share * work;
        }
    }
}

// (3)
void SmoothWorld::add_engine_work(const model::Bodies& bodies) {
    for (std::size_t e = 0; e < world_.engines.size(); ++e) {
        const model::Engine& engine = world_.engines[e];
        const auto row = static_cast<std::size_t>(engine.body);
        const double throttle = parts_->engines.throttle[e], flow = engine.flow(throttle);
        const Vec3 force = throttle * engine.thrust * rotate(bodies.orientation[row], engine.direction);
        const Vec3 v = bodies.velocity[row] + cross(bodies.spin[row], rotate(bodies.orientation[row], engine.at));
        double power = dot(force, v);
        if (flow > 0)
            power -= flow *
                     (0.5 * squared_norm(bodies.velocity[row]) + gravity::potential(world_.environment.field, bodies.position[row], time_));
        rates_.heat[row].work += power / world_.bodies[row].mass;
    }
}

void SmoothWorld::energies(double time, const model::Bodies& bodies, std::vector<model::Ledger>& out) {
    out.assign(world_.bodies.groups.size(), {});
    set_masses(time);
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) {
        const model::BodyKind& body = world_.bodies[i];
        const BodyMotion motion{bodies.position[i], bodies.velocity[i], bodies.spin[i], bodies.orientation[i]};
        model::Ledger& of = out[world_.bodies.group[i]];
        of.kinetic += 0.5 * mass_of(i) * squared_norm(bodies.velocity[i]);
        of.rotational += 0.5 * dot(bodies.spin[i], spin_momentum(body, motion));
        of.potential += mass_of(i) * gravity::potential(world_.environment.field, bodies.position[i], time);
        of.potential += analysis::energy_of_turning(body, motion.q_WB, frame_rate_.z);
    }
}

void SmoothWorld::add_shared_energies(double time, const model::Bodies& bodies, std::vector<model::Ledger>& out) {
    const std::vector<std::uint32_t>& group = world_.bodies.group;
    for (std::size_t k = 0; k < world_.cables.size(); ++k) {
        const model::Cable& cable = world_.cables[k];
        const double stored = cable.law.stored(model::cable_pull(cable, parts_->cables, k, bodies, time).stretch);
        const bool is_shared = cable.from.body != model::ground && cable.to.body != model::ground;
        for (const std::int32_t body : {cable.from.body, cable.to.body})
            if (body != model::ground) out[group[static_cast<std::size_t>(body)]].potential += is_shared ? 0.5 * stored : stored;
    }
    if (!(world_.environment.mutual.constant > 0)) return;
    copy_motion(bodies);
    for (std::size_t i = 0; i < world_.bodies.size(); ++i)
        for (std::size_t j = i + 1; j < world_.bodies.size(); ++j) {
            const double half = 0.5 * pull_of_pair(world_, motion_, i, j).potential;
            out[group[i]].potential += half;
            out[group[j]].potential += half;
        }
}

}  // namespace asperity::dynamics
