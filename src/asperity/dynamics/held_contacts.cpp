#include "asperity/dynamics/held_contacts.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace asperity::dynamics {
namespace {

constexpr double resolved = 10;  // tolerances: slower is what solves before have left

bool is_central(const contact::Side& side) { return side.kind == nullptr || (side.kind->is_sphere() && side.kind->colliders.empty()); }

// Largest mobility of a spin, 1/(kg m^2): of a ball that of every axis.
double turning_of(const contact::Side& side) {
    if (side.kind == nullptr) return 0;
    return 1 / std::min({side.kind->inertia.x, side.kind->inertia.y, side.kind->inertia.z});
}

const double* data_or_none(const std::vector<double>& values) { return values.empty() ? nullptr : values.data(); }

}  // namespace

HeldContacts::HeldContacts(const model::Model& model) : world_(model.parameters) {
    if (model.assets != nullptr && !(world_.ground.empty() && world_.driven.empty()))
        facet_values_ = {data_or_none(model.assets->restitution), data_or_none(model.assets->friction),
                         data_or_none(model.assets->rolling_resistance)};
}

laws::PairLaw HeldContacts::law_of(const contact::ContactPoint& c) const {
    laws::PairLaw out = law(c);
    if (c.facet >= 0) facet_values_.apply(c.facet, out);
    return out;
}

// Of a ball the arm is along the normal to the last bit, so that normal impulses do not turn it.
contact::Side HeldContacts::side_of(std::int32_t row, const contact::ContactPoint& c, const SmoothWorld& smooth,
                                    const model::Bodies& bodies) const {
    if (row == model::ground) return {};
    const auto i = static_cast<std::size_t>(row);
    contact::Side side = contact::side_of(world_, row, bodies.orientation[i], c.point - bodies.position[i]);
    if (!world_.moves(row)) return side;
    side.inverse_mass = 1 / smooth.mass_of(i);
    if (is_central(side)) side.arm = dot(side.arm, c.normal) * c.normal;
    return side;
}

HeldContact HeldContacts::held_of(const contact::ContactPoint& c, const SmoothWorld& smooth, const model::Bodies& bodies) const {
    HeldContact held{
        .a = side_of(c.a, c, smooth, bodies), .b = side_of(c.b, c, smooth, bodies), .n = c.normal, .y = direction_across(c.normal)};
    held.gap = c.gap;
    held.z = cross(held.n, held.y);
    contact::Side a = held.a, b = held.b;
    if (is_central(a) && world_.moves(c.a)) a.arm = {};
    if (is_central(b) && world_.moves(c.b)) b.arm = {};
    held.normal = contact::row_of(a, b, held.n);
    held.along_y = contact::row_of(held.a, held.b, held.y);
    held.along_z = contact::row_of(held.a, held.b, held.z);
    held.block.nn = contact::coupling(held.normal, held.normal);
    held.block.yy = contact::coupling(held.along_y, held.along_y);
    held.block.is_central = is_central(held.a) && is_central(held.b);
    if (!held.block.is_central) {
        held.block.ny = contact::coupling(held.normal, held.along_y);
        held.block.nz = contact::coupling(held.normal, held.along_z);
        held.block.yz = contact::coupling(held.along_y, held.along_z);
        held.block.zz = contact::coupling(held.along_z, held.along_z);
    }
    const laws::PairLaw law = law_of(c);
    held.restitution_law = law.restitution_law;
    held.restitution = law.restitution;
    held.friction = law.friction;
    if (law.rolling_resistance > 0) held.rolling = law.rolling_resistance * c.radius;
    if (law.spinning_resistance > 0) held.spinning = law.spinning_resistance * c.radius;
    held.turning = turning_of(held.a) + turning_of(held.b);
    held.before = relative_velocity(held, bodies);
    held.spin_before = relative_spin(held, bodies);
    return held;
}

void HeldContacts::begin(const contact::ContactList& contacts, const SmoothWorld& smooth, const model::Bodies& bodies,
                         const std::vector<LastImpulse>& last) {
    held_.clear();
    std::size_t row = 0;
    for (const contact::ContactPoint& c : contacts) {
        HeldContact& held = held_.emplace_back(held_of(c, smooth, bodies));
        while (row < last.size() && last[row].key() < c.key()) ++row;
        if (row == last.size() || last[row].key() != c.key()) continue;
        const Vec3& p = last[row].linear;
        held.impulse = {dot(p, held.n), dot(p, held.y), dot(p, held.z)};
        held.torque = last[row].angular;
    }
}

// Driven bodies and the ground pass nothing on; what bounces touches where it overlaps.
void HeldContacts::find_alone(std::size_t rows) {
    contacts_of_.assign(rows, 0);
    const auto count = [&](const contact::Side& side) -> std::uint32_t& { return contacts_of_[static_cast<std::size_t>(side.row)]; };
    const auto touches = [](const HeldContact& held) { return !(held.gap > 0 && held.bounces()); };
    for (const HeldContact& held : held_ | std::views::filter(touches))
        for (const contact::Side* side : {&held.a, &held.b})
            if (side->kind != nullptr) ++count(*side);
    for (HeldContact& held : held_) {
        held.is_alone = touches(held) && !held.is_jointed;
        for (const contact::Side* side : {&held.a, &held.b})
            if (side->kind != nullptr && count(*side) > 1) held.is_alone = false;
    }
}

void HeldContacts::end_bounces(double h, const SmoothWorld& smooth) {
    for (HeldContact& held : held_) {
        Vec3 apart;
        if (held.a.kind != nullptr) apart += smooth.rates().acceleration[static_cast<std::size_t>(held.a.row)];
        if (held.b.kind != nullptr) apart -= smooth.rates().acceleration[static_cast<std::size_t>(held.b.row)];
        const double in = -held.before.x, e = held.restitution;
        if (in > 0 && 2 * e * in < -(1 - e) * h * dot(held.n, apart)) held.restitution = 0;
    }
}

bool HeldContacts::all_part(double tolerance) const {
    return std::ranges::all_of(
        held_, [&](const HeldContact& held) { return held.after.x > resolved * tolerance * held.block.nn * held.impulse.x; });
}

void HeldContacts::press(double h, double tolerance, const SmoothWorld& smooth, model::Bodies& bodies) {
    for (HeldContact& held : held_) {
        const double spin = held.resists_turning() ? norm(held.a.arm) * norm(held.spin_before) : 0;
        held.speed = norm(held.before) + norm(relative_velocity(held, bodies)) + spin;
        for (const contact::Side* side : {&held.a, &held.b})
            if (side->kind != nullptr) held.speed += h * norm(smooth.rates().acceleration[static_cast<std::size_t>(side->row)]);
    }
    for (HeldContact& held : held_) {
        held.is_quiet = std::fabs(held.before.x) <= resolved * tolerance * held.block.nn * held.impulse.x;
        apply(held, held.impulse, held.torque, bodies);
    }
    find_alone(bodies.position.size());
}

void HeldContacts::settle(const model::Bodies& bodies) {
    for (HeldContact& held : held_) {
        held.after = relative_velocity(held, bodies);
        held.spin_after = relative_spin(held, bodies);
    }
}

void HeldContacts::drop_idle(contact::ContactList& contacts) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < held_.size(); ++k) {
        if (!(held_[k].gap < 0 || held_[k].impulse.x > 0)) continue;
        if (kept != k) {
            held_[kept] = held_[k];
            contacts[kept] = contacts[k];
        }
        ++kept;
    }
    held_.resize(kept);
    contacts.resize(kept);
}

void HeldContacts::add_heat(const model::Bodies& bodies, std::vector<BodyHeat>& heat) const {
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const HeldContact& held = held_[k];
        const HeldHeat set_free = heat_of(held);
        const bool is_shared = held.b.kind != nullptr;
        double work = 0;
        if (held.b.row != model::ground && !is_shared) {
            const auto b = static_cast<std::size_t>(held.b.row);
            const Vec3 p = held.impulse.x * held.n + held.impulse.y * held.y + held.impulse.z * held.z;
            work = dot(p, bodies.velocity[b] + cross(bodies.spin[b], held.b.arm)) + dot(held.torque, bodies.spin[b]);
        }
        for (const contact::Side* side : {&held.a, &held.b}) {
            if (side->kind == nullptr) continue;
            BodyHeat& of = heat[static_cast<std::size_t>(side->row)];
            const double share = (is_shared ? 0.5 : 1.0) / side->kind->mass;
            of.impact += share * set_free.impact;
            of.friction += share * set_free.friction;
            of.rolling += share * set_free.rolling;
            of.work += share * work;
        }
    }
}

void HeldContacts::remember(const contact::ContactList& contacts, std::vector<LastImpulse>& out) const {
    out.clear();
    for (std::size_t k = 0; k < held_.size(); ++k) {
        const HeldContact& held = held_[k];
        const contact::ContactPoint& c = contacts[k];
        out.push_back({.a = c.a,
                       .b = c.b,
                       .feature = c.feature,
                       .linear = held.impulse.x * held.n + held.impulse.y * held.y + held.impulse.z * held.z,
                       .angular = held.torque});
    }
}

HeldContacts::Met HeldContacts::met(std::size_t k) const {
    const HeldContact& held = held_[k];
    const HeldHeat heat = heat_of(held);
    return {.in = std::fmax(0.0, -held.before.x), .out = std::fmax(0.0, held.after.x), .heat = heat.impact + heat.friction + heat.rolling};
}

}  // namespace asperity::dynamics
