#include "asperity/dynamics/joint_system.h"

#include <algorithm>
#include <cmath>

namespace asperity::dynamics {
namespace {

constexpr double proximal = 1e-8;  // e
constexpr int most_proximal_steps = 12;
constexpr double stands = 0.5;  // of the residual before: what is left cannot be had, or is rounding

}  // namespace

void JointSystem::add(std::size_t joint, const model::Bodies& bodies, const Vec3& linear, const Vec3& angular, double error) {
    const contact::Side &a = sides_[2 * joint], &b = sides_[2 * joint + 1];
    JointRow out{.row = contact::row_of(a, b, linear, angular),
                 .joint = static_cast<std::uint32_t>(joint),
                 .error = error,
                 .linear = linear,
                 .angular = angular};
    const auto row_a = static_cast<std::size_t>(a.row);
    const Vec3& spin_a = bodies.spin[row_a];
    const Vec3 at_a = bodies.velocity[row_a] + cross(spin_a, a.arm);
    Vec3 apart = at_a, turning = spin_a, centripetal = cross(spin_a, cross(spin_a, a.arm));
    if (b.row != model::ground) {
        const auto row_b = static_cast<std::size_t>(b.row);
        const Vec3& spin_b = bodies.spin[row_b];
        apart -= bodies.velocity[row_b] + cross(spin_b, b.arm);
        turning -= spin_b;
        centripetal -= cross(spin_b, at_a - bodies.velocity[row_b]);
        out.bias = dot(cross(spin_b, linear), apart) + dot(cross(spin_b, angular), turning);
    }
    out.bias += dot(linear, centripetal);
    rows_.push_back(out);
}

void JointSystem::add_held(std::size_t k, const SmoothWorld& smooth, const model::Bodies& bodies) {
    const model::Joint& joint = world_.joints[k];
    const model::JointPlace& place = places_[k];
    const Vec3 apart = place.of_a - place.of_b;
    const auto linear = [&](const Vec3& l) { add(k, bodies, l, {}, dot(l, apart)); };
    using enum model::JointKind;
    linear(place.x);
    linear(place.y);
    if (joint.kind == ball || joint.kind == hinge || joint.kind == weld) linear(place.z);
    if (joint.kind == screw) {
        const double angle = place.angle(smooth.parts().joints.angle[k]);
        add(k, bodies, place.z, -joint.pitch * place.z, place.travel - joint.start - joint.pitch * angle);
    }
    if (joint.kind == ball) return;
    if (joint.kind == slider || joint.kind == weld) {
        const double twice = place.between.w < 0 ? -2 : 2;  // a small turn is twice the vector of its quaternion
        add(k, bodies, {}, place.x, twice * place.between.x);
        add(k, bodies, {}, place.y, twice * place.between.y);
        add(k, bodies, {}, place.z, twice * place.between.z);
        return;
    }
    const Vec3 off = cross(place.z, place.z_of_a);
    add(k, bodies, {}, place.x, dot(place.x, off));
    add(k, bodies, {}, place.y, dot(place.y, off));
}

contact::Row JointSystem::along(std::size_t joint, bool is_of_turn) const {
    const Vec3& z = places_[joint].z;
    return contact::row_of(sides_[2 * joint], sides_[2 * joint + 1], is_of_turn ? Vec3{} : z, is_of_turn ? z : Vec3{});
}

void JointSystem::build(const SmoothWorld& smooth, const model::Bodies& bodies, double h) {
    rows_.clear();
    places_.clear();
    sides_.clear();
    for (const model::Joint& joint : world_.joints) {
        places_.push_back(model::place_of(joint, bodies));
        for (const std::int32_t row : {joint.a.body, joint.b.body}) {
            const auto i = static_cast<std::size_t>(row);
            contact::Side side{.row = row};
            if (row != model::ground) {
                side = contact::side_of(world_, row, bodies.orientation[i], places_.back().of_a - bodies.position[i]);
                side.inverse_mass = 1 / smooth.mass_of(i);
            }
            sides_.push_back(side);
        }
    }
    for (std::size_t k = 0; k < world_.joints.size(); ++k) {
        const model::Joint& joint = world_.joints[k];
        add_held(k, smooth, bodies);
        for (const bool is_of_turn : {true, false}) {
            const double damping = is_of_turn ? joint.turn.damping : joint.travel.damping;
            if (!(h > 0 && damping > 0)) continue;
            const Vec3& z = places_[k].z;
            add(k, bodies, is_of_turn ? Vec3{} : z, is_of_turn ? z : Vec3{}, 0);
            rows_.back().is_held = false;
            rows_.back().compliance = 2 / (h * damping);
        }
    }
    factor();
}

void JointSystem::factor() {
    first_.resize(rows_.size());
    first_of_body_.assign(world_.bodies.size(), rows_.size());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        first_[k] = k;
        for (const std::int32_t body : {rows_[k].row.a, rows_[k].row.b}) {
            if (body == model::ground) continue;
            std::size_t& first = first_of_body_[static_cast<std::size_t>(body)];
            first = std::min(first, k);
            first_[k] = std::min(first_[k], first);
        }
    }
    factor_.resize(first_);
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        for (std::size_t l = first_[k]; l < k; ++l) factor_.at(k, l) = contact::coupling(rows_[k].row, rows_[l].row);
        const double own = contact::coupling(rows_[k].row, rows_[k].row);
        factor_.at(k, k) = own + proximal * own + rows_[k].compliance;
    }
    factor_.factor();
    none_.assign(rows_.size(), 0);
}

void JointSystem::bring(std::span<const double> wanted, Motions motions, std::span<double> impulses) {
    residual_.resize(rows_.size());
    double before = 0;
    for (int step = 0; step < most_proximal_steps; ++step) {
        double size = 0;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            residual_[k] = wanted[k] - contact::relative_velocity(rows_[k].row, motions) - rows_[k].compliance * impulses[k];
            size += residual_[k] * residual_[k] / contact::coupling(rows_[k].row, rows_[k].row);
        }
        if (!(size > 0) || (step > 0 && size > stands * stands * before)) return;
        before = size;
        factor_.solve(residual_);
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            impulses[k] += residual_[k];
            contact::apply(rows_[k].row, residual_[k], motions);
        }
    }
}

void JointSystem::bend(Motions motions) {
    dropped_.assign(rows_.size(), 0);
    bring(none_, motions, dropped_);
}

}  // namespace asperity::dynamics
