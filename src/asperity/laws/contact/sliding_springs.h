// Friction, rolling and spinning resistance that hold: a spring, a damper and a slider in each direction in the place of soft.h (2), (3).
//
//   F = -clip(k_t [s] + c_t u_t, mu f),   k_t [s] = clip(k_t s, mu f + max(0, -c_t u_t . s / |s|))   s elastic slip, m: u_t summed up (1)
//   L = -R clip(k_t [r] + c_t R W_t, C f) - R clip(k_t [d] + c_t R W_n, C_s f)      r, d elastic roll and twist: R W_t, R W_n summed up (2)
//   k_t = K k_n,  c_t = K c_n            k_n, c_n of the normal law at the overlap: the time c / k of the damper is one and the same  (3)
//   s' = u_t + (w . n) n x s - [s] max(0, d ln k_t / dt)                      w mean spin of both; r, d alike with R W                (4)
//   stored: k_t ([s]^2 + [r]^2 + [d]^2) / 2;  all else that (1), (2) take from the motion is heat of friction and of rolling          (5)
//
// clip(a, b): a, no longer than b. f, n, u, W, R as in soft.h; F acts on the first body at the contact, L is a torque on it besides.
// After a step s, r and d are set to [s], [r], [d]. Under hooke k_t is constant, K = 2/7 if not given: then a solid sphere that sticks
// swings sideways with the period of its normal spring. Under hertz k_t = K 2 E* sqrt(R x) is Mindlin's 8 G* sqrt(R x) with K = 4 G* / E* =
// 2 (1 - nu) / (2 - nu) for equal bodies, 6/7 (nu = 1/4) if not given.
// Energy never grows: the last term of (4) lets the force, not the slip, stay while the load grows (Elata and Berryman, Mechanics of
// Materials 24 (1996) 229: a spring k_t(x) s alone makes energy out of nothing); while it falls, s stays and the spring's energy with k_t
// becomes heat. A spring that is loaded has no more than mu f, so that power taken is at least power stored; one that is let go may have
// what the damper holds back besides, so that nothing jumps where sliding begins.
// Reserve. With the force that a direction has left below its bound, q, it takes q^2 / (2 k) of kinetic energy to make it slip, or open:
//   reserve = min over directions of q / sqrt(k)                                                                                    (6)
// Sources: Cundall and Strack, Geotechnique 29 (1979) 47 (spring and slider); Mindlin, J. Appl. Mech. 16 (1949) 259; Luding, Granular
// Matter 10 (2008) 235 (roll and twist). Limits: no micro-slip below the bound; memory of one contact alone. docs/theory/soft-contact.md
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/laws/contact/soft.h"
#include "asperity/laws/contact/touching.h"

namespace asperity::laws {

// How friction of soft contact keeps bodies from sliding. Values are stored in records: append only.
enum class Sliding : std::int64_t { slip_speed = 0, spring = 1 };

// J, stored by what a contact remembers.
struct Stored {
    double sliding = 0;
    double rolling = 0;  // and spinning

    ASPERITY_HD Stored& operator+=(const Stored& b) {
        sliding += b.sliding;
        rolling += b.rolling;
        return *this;
    }
};

struct SlidingSprings {
    Sliding sliding = Sliding::slip_speed;
    std::optional<double> stiffness_ratio;  // K

    static constexpr bool is_soft_alone = false;      // rigid bodies do not slide below the bound either
    static constexpr std::size_t memory_vectors = 2;  // s; r + d n

    ASPERITY_HD bool acts() const { return sliding == Sliding::spring; }

    ASPERITY_HD double ratio(bool is_hertz) const { return stiffness_ratio ? *stiffness_ratio : is_hertz ? 6.0 / 7 : 2.0 / 7; }

    ASPERITY_HD void rate(const SoftContact& contact, const SoftTouch& touch, const Vec3* memory, Vec3* out) const {
        const Vec3 turning = touch.turning * touch.normal;
        out[0] = tangential(touch.velocity, touch.normal) + cross(turning, memory[0]);
        out[1] = touch.radius * touch.spin + cross(turning, memory[1]);
        const double approach = -dot(touch.velocity, touch.normal);
        if (!contact.is_hertz || !(approach > 0)) return;
        const double loading = approach / (2 * touch.overlap);
        const Sliders held = sliders(contact, touch, std::fmax(0.0, contact.pressure(touch)), memory);
        out[0] -= loading * held.slip.held;
        out[1] -= loading * (held.roll.held + held.twist.held);
    }

    ASPERITY_HD void respond(const SoftContact& contact, const SoftTouch& touch, const Vec3* memory, SoftResponse& out) const {
        const double pressed = out.pressed;
        const Sliders sliding = sliders(contact, touch, pressed, memory);
        const Vec3 torque = -touch.radius * (sliding.roll.force + sliding.twist.force);
        out.force -= sliding.slip.force;
        out.torque += torque;
        out.heat_friction += dot(sliding.slip.force, touch.velocity);
        out.heat_rolling -= dot(torque, touch.spin);
        // (6)
        const double k_n = contact.stiffness_at(touch.overlap), k = ratio(contact.is_hertz) * k_n;
        const auto can_take = [&](double force, double stiffness) { out.reserve = std::fmin(out.reserve, force / std::sqrt(stiffness)); };
        can_take(pressed, k_n);
        can_take(sliding.slip.bound - norm(sliding.slip.force), k);
        if (!(touch.radius > 0)) return;
        if (contact.rolling_resistance > 0) can_take(contact.rolling_resistance * pressed - norm(sliding.roll.force), k);
        if (contact.spinning_resistance > 0) can_take(contact.spinning_resistance * pressed - norm(sliding.twist.force), k);
    }

    ASPERITY_HD Stored settle(const SoftContact& contact, const SoftTouch& touch, double pressed, Vec3* memory) const {
        const Sliders sliding = sliders(contact, touch, pressed, memory);
        memory[0] = sliding.slip.held;
        memory[1] = sliding.roll.held + sliding.twist.held;
        const double half = 0.5 * ratio(contact.is_hertz) * contact.stiffness_at(touch.overlap);
        return {.sliding = half * squared_norm(memory[0]), .rolling = half * squared_norm(memory[1])};
    }

    friend bool operator==(const SlidingSprings&, const SlidingSprings&) = default;

private:
    // One direction: a displacement, its rate, and the force that it may have.
    struct Slider {
        Vec3 held;         // m, [s]
        Vec3 force;        // N, against the motion
        double bound = 0;  // N

        ASPERITY_HD Slider(const Vec3& s, const Vec3& rate, double k, double c, double most) : bound(most) {
            const double size = norm(s), damped = size > 0 ? c * dot(rate, s) / size : 0;
            held = clipped(s, (bound + std::fmax(0.0, -damped)) / k);
            force = clipped(k * held + c * rate, bound);
        }
    };
    struct Sliders {
        Slider slip, roll, twist;
    };

    ASPERITY_HD Sliders sliders(const SoftContact& contact, const SoftTouch& touch, double pressed, const Vec3* memory) const {
        const double k = ratio(contact.is_hertz) * contact.stiffness_at(touch.overlap);
        const double c = ratio(contact.is_hertz) * contact.damping_at(touch.overlap);
        const Vec3 &n = touch.normal, turn = touch.radius * touch.spin, twist = dot(memory[1], n) * n, about = dot(turn, n) * n;
        const Vec3 slip = tangential(touch.velocity, n);
        return {.slip = {tangential(memory[0], n), slip, k, c, contact.friction_at(norm(slip)) * pressed},
                .roll = {memory[1] - twist, turn - about, k, c, contact.rolling_resistance * pressed},
                .twist = {twist, about, k, c, contact.spinning_resistance * pressed}};
    }
};

inline constexpr auto slidings = std::to_array<Choice<Sliding>>({
    {"slip-speed", Sliding::slip_speed, "Friction and resistances fall linearly to zero below `slip_speed`: what they hold creeps."},
    {"spring", Sliding::spring, "A spring, a damper and a slider each: what they hold stands still."},
});

template <class Visitor>
void describe(Visitor& v, SlidingSprings& springs) {
    v.optional("sliding", springs.sliding, slidings, "How method \"penalty\" has friction, rolling and spinning resistance hold a body.");
    v.optional(
        "sliding_stiffness", springs.stiffness_ratio, si::one, above_up_to(0, 1e3),
        "Stiffness of the springs of sliding = \"spring\", as a part of the normal one; of equal elastic bodies 2 (1 - nu) / (2 - nu).",
        "2/7 under normal_law = \"hooke\", 6/7 (nu = 1/4) under \"hertz\"");
}

}  // namespace asperity::laws
