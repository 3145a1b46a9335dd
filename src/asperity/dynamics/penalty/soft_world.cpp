#include "asperity/dynamics/penalty/soft_world.h"

#include <algorithm>
#include <numbers>

#include "asperity/core/parallel.h"
#include "asperity/dynamics/contact_run.h"

namespace asperity::dynamics {
namespace {

constexpr std::size_t contacts_a_block = 512, rows_a_block = 512;
constexpr double holding_part = 0.01;  // of the speed that takes a contact to its bounds

const double* data_or_null(const std::vector<double>& values) { return values.empty() ? nullptr : values.data(); }

}  // namespace

SoftWorld::SoftWorld(const model::Model& model)
    : world_(model.parameters), smooth_(model), detector_(model), joints_(model), holds_(model) {
    for (const laws::PairLaw& law : world_.laws.laws) {
        laws_.emplace_back(law);
        has_memory_ = has_memory_ || laws::any_remembers(law.forces);
        has_jumps_ = has_jumps_ || laws::any_ends_in_a_jump(law.forces);
    }
    if (model.assets != nullptr && !(world_.ground.empty() && world_.driven.empty()))
        facet_values_ = {data_or_null(model.assets->restitution), data_or_null(model.assets->friction),
                         data_or_null(model.assets->rolling_resistance)};
}

double SoftWorld::effective_mass(const contact::ContactPoint& c, const model::Bodies& bodies) const {
    const auto yield = [&](std::int32_t row) {
        if (!world_.moves(row)) return 0.0;
        const auto i = static_cast<std::size_t>(row);
        const model::BodyKind& body = world_.bodies[i];
        if (body.is_sphere() && body.colliders.empty()) return 1 / smooth_.mass_of(i);  // the normal passes through its centre
        const contact::Side side{.row = row, .inverse_mass = 1 / smooth_.mass_of(i), .kind = &body, .q_WB = bodies.orientation[i]};
        return contact::mobility(side, 1, cross(c.point - bodies.position[i], c.normal));
    };
    return 1 / (yield(c.a) + yield(c.b));
}

laws::SoftContact SoftWorld::law_of(const contact::ContactPoint& c, const model::Bodies& bodies) const {
    const double mass = effective_mass(c, bodies);
    const laws::SoftLaw& law = soft_law(c);
    if (c.facet < 0 || facet_values_.is_empty()) return law.between(mass, c.radius);
    laws::PairLaw of_facet = law.pair;
    facet_values_.apply(c.facet, of_facet);
    return laws::SoftLaw(of_facet).between(mass, c.radius);
}

laws::SoftTouch SoftWorld::touch_of(const contact::ContactPoint& c, const model::Bodies& bodies) {
    const Vec3& spin = bodies.spin[static_cast<std::size_t>(c.a)];
    const Vec3 spin_b = c.b == model::ground ? Vec3{} : bodies.spin[static_cast<std::size_t>(c.b)];
    return {.normal = c.normal,
            .overlap = -c.gap,
            .velocity = slip_of(c, bodies),
            .spin = spin - spin_b,
            .radius = c.radius,
            .turning = 0.5 * dot(spin + spin_b, c.normal)};
}

void SoftWorld::respond(const model::Bodies& bodies, const Vec3* memory, double lead) {
    pushes_.resize(contacts_.size());
    if (has_memory_) {
        memory_.match(contacts_, row_of_);
        held_.assign(contacts_.size() * ContactMemory::vectors, {});
        memory_rates_.assign(lead > 0 ? 0 : memory_.values.size(), {});
        if (memory == nullptr) memory = memory_.values.data();
    }
    parallel_blocks(contacts_.size(), contacts_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const contact::ContactPoint& c = contacts_[k];
            const laws::SoftContact law = law_of(c, bodies);
            const laws::SoftTouch touch = touch_of(c, bodies);
            laws::SoftResponse response = law(touch);
            if (soft_law(c).has_forces) add_forces(k, law, touch, memory, lead, response);
            pushes_[k] = {.normal = response.normal,
                          .pressed = response.pressed,
                          .elastic = response.elastic,
                          .reserve = response.reserve,
                          .force = response.force,
                          .torque = response.torque};
        }
    });
}

void SoftWorld::add_forces(std::size_t k, const laws::SoftContact& law, const laws::SoftTouch& touch, const Vec3* memory, double lead,
                           laws::SoftResponse& response) {
    constexpr std::size_t vectors = ContactMemory::vectors;
    const laws::SoftForces& forces = soft_law(contacts_[k]).pair.forces;
    if (!(touch.overlap > 0)) return laws::respond_past_separation(forces, law, touch, response);
    Vec3 now[vectors];
    if (has_memory_) {
        const auto row = static_cast<std::size_t>(row_of_[k]);
        const bool is_born = row_of_[k] < 0;
        Vec3* held = held_.data() + k * vectors;
        Vec3 rate[vectors];
        for (std::size_t v = 0; v < vectors; ++v)
            held[v] = is_born ? Vec3{} : turned_with_normal(memory[row * vectors + v], memory_.rows[row].normal, touch.normal);
        laws::rate(forces, law, touch, held, rate);
        for (std::size_t v = 0; v < vectors; ++v) now[v] = held[v] + lead * rate[v];
        if (lead > 0)
            std::copy(now, now + vectors, held);
        else if (!is_born)
            for (std::size_t v = 0; v < vectors; ++v)
                memory_rates_[row * vectors + v] = turned_with_normal(rate[v], touch.normal, memory_.rows[row].normal);
    }
    laws::respond(forces, law, touch, now, response);
}

void SoftWorld::settle(const model::Bodies& bodies, std::vector<BodyHeat>& heat, double lag) {
    constexpr std::size_t vectors = ContactMemory::vectors;
    const auto book = [&](double sign) {
        for (const MemoryRow& row : memory_.rows)
            for (const std::int32_t body : {row.a, row.b}) {
                if (!world_.moves(body)) continue;
                const std::size_t group = world_.bodies.group[static_cast<std::size_t>(body)];
                const double share = sign * (world_.moves(row.b) ? 0.5 : 1.0) / world_.bodies.mass_of_group(group);
                heat[group].friction -= share * row.stored.sliding;
                heat[group].rolling -= share * row.stored.rolling;
            }
    };
    book(-1);
    memory_.rows.resize(contacts_.size());
    parallel_blocks(contacts_.size(), contacts_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const contact::ContactPoint& c = contacts_[k];
            const laws::SoftForces& forces = soft_law(c).pair.forces;
            const laws::SoftContact law = law_of(c, bodies);
            const laws::SoftTouch touch = touch_of(c, bodies);
            Vec3* held = held_.data() + k * vectors;
            if (lag > 0) {
                Vec3 rate[vectors];
                laws::rate(forces, law, touch, held, rate);
                for (std::size_t v = 0; v < vectors; ++v) held[v] += lag * rate[v];
            }
            const laws::Stored stored = laws::settle(forces, law, touch, pushes_[k].pressed, held);
            memory_.rows[k] = {.a = c.a, .b = c.b, .feature = c.feature, .stored = stored, .normal = c.normal, .point = c.point};
        }
    });
    memory_.values.swap(held_);
    book(1);
}

double SoftWorld::stiffness(std::size_t k) const {
    const contact::ContactPoint& c = contacts_[k];
    const laws::SoftContact law = soft_law(c).between(1, c.radius);  // the spring does not depend on masses
    return law.is_hertz ? 1.5 * law.elastic_force(-c.gap) / -c.gap : law.stiffness;
}

double SoftWorld::holding_speed(std::size_t k, const model::Bodies& bodies) const {
    const contact::ContactPoint& c = contacts_[k];
    if (!pair_law(c).holds()) return pair_law(c).slip_speed;
    return holding_part * std::fmax(0.0, pushes_[k].reserve) / std::sqrt(effective_mass(c, bodies));
}

double SoftWorld::holding_period(std::size_t k, const model::Bodies& bodies) const {
    const contact::ContactPoint& c = contacts_[k];
    if (!pair_law(c).holds()) return 0;
    const double ratio = std::get<laws::SlidingSprings>(pair_law(c).forces).ratio(pair_law(c).normal_law == laws::NormalLaw::hertz);
    return 2 * std::numbers::pi * std::sqrt(effective_mass(c, bodies) / (std::fmin(1.0, ratio) * stiffness(k)));
}

void SoftWorld::drop_workspace() {
    pushes_ = {};
    row_of_ = {};
    held_ = {};
    memory_rates_ = {};
    as_other_ = {};
}

// Counting sort of the contacts by their second body: in the order of the list within each.
void SoftWorld::index_partners(std::size_t n) {
    own_.assign(n + 1, 0);
    other_.assign(n + 1, 0);
    for (const contact::ContactPoint& c : contacts_) {
        ++own_[static_cast<std::size_t>(c.a) + 1];
        if (c.b != model::ground) ++other_[static_cast<std::size_t>(c.b) + 1];
    }
    for (std::size_t i = 0; i < n; ++i) {
        own_[i + 1] += own_[i];
        other_[i + 1] += other_[i];
    }
    as_other_.resize(other_[n]);
    for (std::size_t k = contacts_.size(); k-- > 0;) {  // backwards: other_ ends where each row begins
        const std::int32_t b = contacts_[k].b;
        if (b != model::ground) as_other_[--other_[static_cast<std::size_t>(b) + 1]] = static_cast<std::uint32_t>(k);
    }
    other_.erase(other_.begin());
    other_.push_back(static_cast<std::uint32_t>(as_other_.size()));
}

// add(contact, sign): the ground, then partners by row. The sign is that of forces on this body.
template <class Add>
void SoftWorld::for_each_contact_of(std::size_t row, const Add& add) const {
    std::uint32_t k = own_[row];
    for (; k < own_[row + 1] && contacts_[k].b == model::ground; ++k) add(k, 1.0);
    for (std::uint32_t l = other_[row]; l < other_[row + 1]; ++l) add(as_other_[l], -1.0);
    for (; k < own_[row + 1]; ++k) add(k, 1.0);
}

// The contacts that pairs have lost since the step began, the nearest ones where there are more.
void SoftWorld::add_parting(const Pairs& touching, const model::Bodies& bodies) {
    const std::size_t found = contacts_.size();
    for (const auto& [pair, count] : touching) {
        const auto [a, b] = pair;
        const auto begin = contacts_.begin(), end = begin + static_cast<std::ptrdiff_t>(found);
        const auto lost = count - std::count_if(begin, end, [&](const contact::ContactPoint& c) { return c.a == a && c.b == b; });
        if (lost <= 0) continue;
        const auto pose = [&](std::int32_t row) {
            const auto i = static_cast<std::size_t>(row);
            return Pose{bodies.position[i], bodies.orientation[i]};
        };
        const double margin = world_.bodies[static_cast<std::size_t>(a)].reach();
        near_.clear();
        if (b == model::ground)
            detector_.with_ground(static_cast<std::size_t>(a), pose(a), margin, near_);
        else
            detector_.of_pair(static_cast<std::size_t>(a), static_cast<std::size_t>(b), pose(a), pose(b), margin, near_);
        std::erase_if(near_, [&](const contact::ContactPoint& c) { return c.gap < 0 || !laws::any_ends_in_a_jump(pair_law(c).forces); });
        std::ranges::stable_sort(near_, {}, &contact::ContactPoint::gap);
        near_.resize(std::min(near_.size(), static_cast<std::size_t>(lost)));
        contacts_.insert(contacts_.end(), near_.begin(), near_.end());
    }
    if (contacts_.size() > found) std::ranges::sort(contacts_, {}, &contact::ContactPoint::key);
}

void SoftWorld::evaluate(double time, const model::Bodies& bodies, const Pairs* touching, const Vec3* memory, double lead) {
    const std::size_t n = world_.bodies.size();
    smooth_.set_time(time);
    detector_.detect(bodies.position, bodies.orientation, contacts_);
    if (touching != nullptr) {
        std::erase_if(contacts_, [&](const contact::ContactPoint& c) { return !touching->contains({c.a, c.b}); });
        if (has_jumps_) add_parting(*touching, bodies);
    }
    respond(bodies, memory, lead);
    index_partners(n + world_.driven.size());
    smooth_.set_loads(bodies);
    smooth_.set_rates(bodies, [&](std::size_t i, Vec3& force, Vec3& torque) {
        for_each_contact_of(i, [&](std::uint32_t k, double sign) {
            force += sign * pushes_[k].force;
            torque += sign * (cross(contacts_[k].point - bodies.position[i], pushes_[k].force) + pushes_[k].torque);
        });
    });
    if (has_joints()) hold_joints(bodies);
}

void SoftWorld::hold_joints(const model::Bodies& bodies) {
    joints_.build(smooth_, bodies);
    joint_wanted_.resize(joints_.size());
    joint_push_.assign(joints_.size(), 0);
    for (std::size_t k = 0; k < joints_.size(); ++k) joint_wanted_[k] = -joints_.rows()[k].bias;
    joints_.bring(joint_wanted_, {smooth_.rates().acceleration, smooth_.rates().turning}, joint_push_);
}

void SoftWorld::close_joints(model::Bodies& bodies, std::vector<BodyHeat>& heat) {
    heat.assign(world_.bodies.size(), {});
    holds_.close(smooth_, bodies, heat);
    holds_.suit(smooth_, bodies, heat);
}

void SoftWorld::add_joint_force(double part, std::vector<Vec3>& force, std::vector<Vec3>& torque) const {
    for (std::size_t k = 0; k < joints_.size(); ++k) {
        const JointRow& row = joints_.rows()[k];
        force[row.joint] += (part * joint_push_[k]) * row.linear;
        torque[row.joint] += (part * joint_push_[k]) * row.angular;
    }
}

// Both bodies work out the heat of their contact: kept, it would be another 24 bytes a contact.
void SoftWorld::add_contact_heat(std::size_t i, const model::Bodies& bodies) {
    BodyHeat& heat = smooth_.rates().heat[i];
    for_each_contact_of(i, [&](std::uint32_t k, double) {
        const contact::ContactPoint& c = contacts_[k];
        const Push& push = pushes_[k];
        const Vec3 u = slip_of(c, bodies), spin_b = c.b == model::ground ? Vec3{} : bodies.spin[static_cast<std::size_t>(c.b)];
        const double share = (world_.moves(c.b) ? 0.5 : 1.0) / world_.bodies[i].mass;
        heat.impact += share * (-(push.normal - push.elastic) * dot(u, c.normal));
        heat.friction += share * -dot(push.force - push.normal * c.normal, u);
        heat.rolling += share * -dot(push.torque, bodies.spin[static_cast<std::size_t>(c.a)] - spin_b);
        if (c.b == model::ground || world_.moves(c.b)) return;
        const auto b = static_cast<std::size_t>(c.b);
        heat.work += share * (dot(push.force, velocity_at(bodies, b, c.point)) + dot(push.torque, bodies.spin[b]));
    });
}

void SoftWorld::set_heat(const model::Bodies& bodies) {
    parallel_blocks(world_.bodies.size(), rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) add_contact_heat(i, bodies);
    });
    smooth_.add_heat(bodies);
}

void SoftWorld::add_contact_force(double part, std::vector<Vec3>& force, const Pairs* touching) const {
    for (std::size_t i = 0; i < force.size(); ++i)
        for_each_contact_of(i, [&](std::uint32_t k, double sign) {
            if (touching != nullptr && !touching->contains({contacts_[k].a, contacts_[k].b})) return;
            force[i] += (part * sign) * pushes_[k].force;
        });
}

void SoftWorld::energies(double time, const model::Bodies& bodies, std::vector<model::Ledger>& out) {
    const std::vector<std::uint32_t>& group = world_.bodies.group;
    smooth_.energies(time, bodies, out);
    detector_.for_each(bodies.position, bodies.orientation, [&](const contact::ContactPoint& c) {
        const double stored = soft_law(c).elastic_energy(c.radius, -c.gap);
        out[group[static_cast<std::size_t>(c.a)]].potential += world_.moves(c.b) ? 0.5 * stored : stored;
        if (world_.moves(c.b)) out[group[static_cast<std::size_t>(c.b)]].potential += 0.5 * stored;
    });
    smooth_.add_shared_energies(time, bodies, out);
}

}  // namespace asperity::dynamics
