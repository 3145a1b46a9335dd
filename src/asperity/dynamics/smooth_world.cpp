#include "asperity/dynamics/smooth_world.h"

#include "asperity/analysis/energy.h"
#include "asperity/gravity/extent.h"

namespace asperity::dynamics {

SmoothWorld::SmoothWorld(const model::Model& model) : world_(model.parameters) {
    frame_rate_ = {0, 0, model::frame_rate(world_.environment)};
    has_pairs_ =
        world_.environment.mutual.constant > 0 || world_.environment.tides.law != model::TideLaw::none || world_.bodies.has_sunlight();
    const std::size_t n = world_.bodies.size();
    rates_.acceleration.resize(n);
    rates_.turning.resize(n);
    rates_.heat.resize(n);
    has_extent_ = world_.environment.acts_on_extent && !world_.bodies.has_only_spheres();
    if (has_pairs_ || has_extent_ || !world_.cables.empty() || !world_.engines.empty() || !world_.joints.empty() || !world_.loads.empty())
        loads_ = Loads(n);
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
    add_extent(bodies);
    add_cables(bodies);
    add_joints(bodies);
    add_loads(bodies);
    add_engines(bodies);
}

void SmoothWorld::add_extent(const model::Bodies& bodies) {
    if (!has_extent_) return;
    std::visit(
        [&](const auto& field) {
            parallel_blocks(world_.bodies.size(), rows_a_block, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    const model::BodyKind& body = world_.bodies[i];
                    if (body.is_sphere()) continue;
                    const gravity::ExtentPull pull = gravity::pull_on_extent(field, {body.mass, body.inertia, bodies.orientation[i]},
                                                                             bodies.position[i], bodies.velocity[i], time_, frame_rate_);
                    loads_.force[i] += pull.force;
                    loads_.torque[i] += pull.torque;
                    loads_.work_power[i] += pull.power;
                }
            });
        },
        world_.environment.field);
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

double rate_of(const model::Joint& joint, bool is_of_turn, const model::JointPlace& place, const model::Bodies& bodies) {
    const auto motion = [&](const model::JointSide& side) {
        if (side.body == model::ground) return std::pair<Vec3, Vec3>{};
        const auto row = static_cast<std::size_t>(side.body);
        return std::pair{velocity_at(bodies, row, place.of_a), bodies.spin[row]};
    };
    const auto [velocity_a, spin_a] = motion(joint.a);
    const auto [velocity_b, spin_b] = motion(joint.b);
    return is_of_turn ? dot(place.z, spin_a - spin_b) : dot(place.z, velocity_a - velocity_b);
}

void SmoothWorld::add_joints(const model::Bodies& bodies) {
    joint_pushes_.clear();
    for (std::size_t k = 0; k < world_.joints.size(); ++k) {
        const model::Joint& joint = world_.joints[k];
        const bool has_motor = joint.motor && !joint.motor->rate && parts_->joints.is_running[k] != 0;
        if (!joint.turn.acts() && !joint.travel.acts() && !has_motor) continue;
        const model::JointPlace place = model::place_of(joint, bodies);
        for (const bool is_of_turn : {true, false}) {
            const model::JointCoordinate& along = is_of_turn ? joint.turn : joint.travel;
            const double effort = has_motor && joint.motor->is_of_turn == is_of_turn ? joint.motor->effort : 0;
            if (!along.acts() && effort == 0) continue;
            const double at = is_of_turn ? place.angle(parts_->joints.angle[k]) : place.travel;
            const double damping = has_dampers_ ? along.damping : 0;
            const double damped = damping > 0 ? damping * rate_of(joint, is_of_turn, place, bodies) : 0;
            const Vec3 push = (effort - along.stiffness * (at - along.rest) - damped) * place.z;
            for (const auto& [side, sign] : {std::pair{&joint.a, 1.0}, std::pair{&joint.b, -1.0}}) {
                if (side->body == model::ground) continue;
                const auto row = static_cast<std::size_t>(side->body);
                if (!is_of_turn) loads_.force[row] += sign * push;
                loads_.torque[row] += sign * (is_of_turn ? push : cross(place.of_a - bodies.position[row], push));
            }
            joint_pushes_.push_back({static_cast<std::uint32_t>(k), is_of_turn, damping, effort});
        }
    }
}

Vec3 SmoothWorld::in_world(const model::Load& load, const Vec3& v, const model::Bodies& bodies) const {
    return load.turns_with_body ? rotate(bodies.orientation[static_cast<std::size_t>(load.body)], v) : v;
}

void SmoothWorld::add_loads(const model::Bodies& bodies) {
    for (std::size_t k = 0; k < world_.loads.size(); ++k) {
        const model::Load& load = world_.loads[k];
        const auto row = static_cast<std::size_t>(load.body);
        const double factor = model::factor_of(load, parts_->loads, k, time_);
        if (factor == 0) continue;
        const Vec3 force = factor * in_world(load, load.force, bodies);
        loads_.force[row] += force;
        loads_.torque[row] += factor * in_world(load, load.torque, bodies) + cross(rotate(bodies.orientation[row], load.at), force);
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
    add_joint_heat(bodies);
    add_load_work(bodies);
    add_engine_work(bodies);
}

// Half on either body, all of it where the other side is the ground.
void SmoothWorld::add_shared(const model::Joint& joint, double heat, double work) {
    const bool is_shared = joint.b.body != model::ground;
    for (const std::int32_t body : {joint.a.body, joint.b.body}) {
        if (body == model::ground) continue;
        const auto row = static_cast<std::size_t>(body);
        const double share = (is_shared ? 0.5 : 1.0) / world_.bodies[row].mass;
        rates_.heat[row].friction += share * heat;
        rates_.heat[row].work += share * work;
    }
}

void SmoothWorld::add_joint_heat(const model::Bodies& bodies) {
    for (const JointPush& push : joint_pushes_) {
        if (push.damping == 0 && push.effort == 0) continue;
        const model::Joint& joint = world_.joints[push.joint];
        const double rate = rate_of(joint, push.is_of_turn, model::place_of(joint, bodies), bodies);
        add_shared(joint, push.damping * rate * rate, push.effort * rate);
    }
}

void SmoothWorld::add_load_work(const model::Bodies& bodies) {
    for (std::size_t k = 0; k < world_.loads.size(); ++k) {
        const model::Load& load = world_.loads[k];
        const auto row = static_cast<std::size_t>(load.body);
        const double factor = model::factor_of(load, parts_->loads, k, time_);
        if (factor == 0) continue;
        const Vec3 v = bodies.velocity[row] + cross(bodies.spin[row], rotate(bodies.orientation[row], load.at));
        const double power = dot(in_world(load, load.force, bodies), v) + dot(in_world(load, load.torque, bodies), bodies.spin[row]);
        rates_.heat[row].work += factor * power / world_.bodies[row].mass;
    }
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
        of.potential += analysis::energy_of_attitude(world_.environment, body, motion.p, motion.q_WB, time);
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
    for (std::size_t k = 0; k < world_.joints.size(); ++k) {
        const model::Joint& joint = world_.joints[k];
        const double stored = model::stored_by(joint, parts_->joints, k, bodies);
        for (const std::int32_t body : {joint.a.body, joint.b.body})
            if (body != model::ground)
                out[group[static_cast<std::size_t>(body)]].potential += joint.b.body != model::ground ? 0.5 * stored : stored;
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
