#include "asperity/dynamics/shift.h"

namespace asperity::dynamics {

void shift_bodies(const model::Parameters& world, std::span<const Vec3> moved, std::span<const Vec3> turned, model::Bodies& bodies) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        if (moved[i] == Vec3{} && turned[i] == Vec3{}) continue;
        bodies.position[i] += moved[i];
        if (turned[i] == Vec3{}) continue;
        const model::BodyKind& body = world.bodies[i];
        const Vec3 momentum = spin_momentum(body, {bodies.position[i], bodies.velocity[i], bodies.spin[i], bodies.orientation[i]});
        bodies.orientation[i] = unit(rotation(turned[i]) * bodies.orientation[i]);
        bodies.spin[i] = inverse_inertia_times(body, bodies.orientation[i], momentum);
    }
}

void book_shift(const model::Parameters& world, const SmoothWorld& smooth, const model::Bodies& before, std::span<const Vec3> moved,
                std::span<const Vec3> turned, const model::Bodies& bodies, std::vector<BodyHeat>& heat) {
    const std::vector<Vec3>& standing = smooth.rates().standing;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const model::BodyKind& body = world.bodies[i];
        const auto motion = [&](const model::Bodies& at) {
            return BodyMotion{at.position[i], at.velocity[i], at.spin[i], at.orientation[i]};
        };
        const Vec3& rate = smooth.frame_rate();
        const auto kinetic = [&](const model::Bodies& at) {  // with that of turning with the frame, - R J R / 2
            const BodyMotion with_frame{at.position[i], {}, rate, at.orientation[i]};
            return 0.5 * smooth.mass_of(i) * squared_norm(at.velocity[i]) + 0.5 * dot(at.spin[i], spin_momentum(body, motion(at))) -
                   0.5 * dot(rate, spin_momentum(body, with_frame));
        };
        BodyMotion turning = motion(before);
        turning.w = smooth.rates().turning[i];
        const Vec3& pull = standing.empty() ? smooth.rates().acceleration[i] : standing[i];
        const double cost =
            kinetic(bodies) - kinetic(before) - smooth.mass_of(i) * dot(pull, moved[i]) - dot(spin_momentum(body, turning), turned[i]);
        heat[i].impact -= cost / body.mass;
    }
}

}  // namespace asperity::dynamics
