// Event functions (guards) of contact motion on one feature: positive while nothing happens; the first to turn negative ends the step.
// several.h has its own guards, located by the same search.
#pragma once
#include "asperity/dynamics/event_driven/run.h"
#include "asperity/numerics/bracket.h"

namespace asperity::event_driven {

// The region of a feature, with how far the ball may be outside before it is passed on. A facet is left only through a side out of which
// the ball moves. One that it has just crossed does not count, though the ball may still be a little beyond it: by r b on the far side of a
// convex seam that bends by b, by rounding near a vertex. Nor does the border of an edge or a vertex across which the ball moves inwards:
// transfer() looks ahead. Passed back for that, it would be passed to and fro forever.
struct Region {
    const SurfaceView& view;
    Feature feature;
    double slack[3];  // m; on a facet one for each side

    ASPERITY_HD Region(const SurfaceView& surface, const Feature& on, const Vec3& p, const Vec3& v, double least)
        : view(surface), feature(on), slack{least, least, least} {
        for (int k = 0; k < 3 && feature.kind == FeatureKind::facet; ++k) {
            const double depth = inside_side(view, view.facets[feature.index], k, p);
            if (depth < 0 && dot(inwards(view, view.facets[feature.index], k), v) >= -1e-12 * norm(v)) slack[k] -= depth;
        }
        if (feature.kind == FeatureKind::facet) return;
        const double depth = inside(view, feature, p), ahead = inside(view, feature, p + (100 * least) * unit(v));
        if (depth < 0 && ahead > depth) slack[0] -= depth;
    }
    // Negative outside.
    ASPERITY_HD double depth(const Vec3& p) const {
        if (feature.kind != FeatureKind::facet) return inside(view, feature, p) + slack[0];
        double least = HUGE_VAL;
        for (int k = 0; k < 3; ++k) least = std::fmin(least, inside_side(view, view.facets[feature.index], k, p) + slack[k]);
        return least;
    }
    // The side of the facet by which the ball leaves.
    ASPERITY_HD int side(const Vec3& p) const {
        int nearest = 0;
        double least = HUGE_VAL;
        for (int k = 0; k < 3 && feature.kind == FeatureKind::facet; ++k) {
            const double depth = inside_side(view, view.facets[feature.index], k, p) + slack[k];
            if (depth < least) nearest = k;
            least = std::fmin(least, depth);
        }
        return nearest;
    }
};

// What can end a step of contact motion, as functions that are positive while nothing happens.
enum class Guard : int { region = 0, load = 1, hold = 2, spin = 3, rock = 4, still = 5, drilling = 6, count = 7 };

inline constexpr double regularised_sync = 0.05;  // of the regularisation speed; the slip at which a regularised contact counts as rolling

// A field costs a microsecond, so the places in a step at which guards are looked at take the acceleration between its ends as linear;
// what is found there is then located with the field itself. A zero that this misses shows at the start of the next step.
template <class R>
struct SingleGuards {
    static constexpr int count = static_cast<int>(Guard::count);
    const R& run;
    laws::SingleContact law;
    Mode mode;
    laws::Reference reference;
    Region region;
    double rounding;  // m/s
    Vec3 pull[2];     // acceleration at both ends, without Coriolis

    // Guard k. `a` is used by those of load, hold and still alone.
    ASPERITY_HD double value(int k, const Flat& y, const Vec3& a) const {
        const Vec3 p = y.three(position_slot);
        const laws::Motion m{y.three(velocity_slot), y.three(spin_slot)};
        if (k == static_cast<int>(Guard::region)) return region.depth(p);
        if (k == static_cast<int>(Guard::rock)) return run.b.next_rock > 0 ? run.b.next_rock - y[path_slot] : 1;
        if (k == static_cast<int>(Guard::still)) return above_rest_limits(p, m, a);
        const laws::Touch touch = touch_of(run.world, run.b.feature, p, m);
        return on_touch(static_cast<Guard>(k), m, touch, law.normal_force(m, touch, a), a);
    }
    // All of them at one place.
    ASPERITY_HD void values(const Flat& y, const Vec3& a, double* out) const {
        const laws::Motion m{y.three(velocity_slot), y.three(spin_slot)};
        for (const Guard k : {Guard::region, Guard::rock, Guard::still}) out[static_cast<int>(k)] = value(static_cast<int>(k), y, a);
        const laws::Touch touch = touch_of(run.world, run.b.feature, y.three(position_slot), m);
        const double load = law.normal_force(m, touch, a);
        for (const Guard k : {Guard::load, Guard::hold, Guard::spin, Guard::drilling})
            out[static_cast<int>(k)] = on_touch(k, m, touch, load, a);
    }

    ASPERITY_HD double on_touch(Guard k, const laws::Motion& m, const laws::Touch& touch, double load, const Vec3& a) const {
        const bool is_smooth = law.regularisation > 0;
        if (k == Guard::load) return load;
        if (k == Guard::spin) return spin_value(m, touch, a, load);
        if (k == Guard::drilling) {
            if (law.spinning == 0 || is_smooth) return 1;
            const int side = run.b.drilling;
            return side != 0 ? side * dot(m.w, touch.normal) : law.drilling_limit(load) - std::fabs(law.drilling_drive(m, touch));
        }
        if (is_smooth) {  // it never stops slipping: mode roll is a name for slip far below the ramp
            const double ramp = norm(laws::slip(m, touch.normal, run.radius())) / law.regularisation;
            return mode == Mode::slide ? ramp - regularised_sync : 1 - ramp;
        }
        if (mode == Mode::slide) return dot(laws::slip(m, touch.normal, run.radius()), reference.slip) + rounding;
        return law.friction * load - norm(law.roll(m, touch, a, reference, run.b.spin_locked).friction);
    }

    // The guard of the spin that rolling resistance acts on: its zero, or the end of its being held.
    ASPERITY_HD double spin_value(const laws::Motion& m, const laws::Touch& touch, const Vec3& a, double load) const {
        const Vec3 spin = law.rolling_spin(m.w, touch.normal);
        if (law.regularisation > 0) {
            const double about = law.spinning > 0 ? std::fabs(dot(m.w, touch.normal)) : 0;
            const double rim = run.radius() * std::fmax(norm(spin), about);
            return std::fmax(norm(m.v), rim) - run.world.surfaces[0].regularised_end_speed;
        }
        if (!run.b.spin_locked) return dot(spin, reference.axis);
        if (!law.is_coupled) return 1;  // f <= C throughout, and no spin about the normal
        const bool rolls = mode == Mode::roll;
        const laws::Response held = rolls ? law.roll(m, touch, a, reference, true) : law.slide(m, touch, a, reference, true);
        return law.holding_margin(law.holding_torque(m, touch, held.friction), load);
    }

    // Rest by limits of speed and slope (1-landers 6.3): negative where both are kept. Positive where the scenario sets none.
    ASPERITY_HD double above_rest_limits(const Vec3& p, const laws::Motion& m, const Vec3& a) const {
        const laws::PairLaw& surface = run.world.surfaces[0];
        if (!(surface.rest_below_speed > 0)) return 1;
        const Vec3 n = touch_on(run.world.view, run.b.feature, p, m.v).normal;
        const double speed = std::fmax(norm(m.v), run.radius() * norm(m.w)), slope = std::atan2(norm(tangential(a, n)), -dot(a, n));
        return std::fmax(speed / surface.rest_below_speed, slope / surface.rest_below_slope) - 1;
    }

    ASPERITY_HD bool needs_gravity(int k) const {
        if (k == static_cast<int>(Guard::spin)) return run.b.spin_locked;
        if (k == static_cast<int>(Guard::drilling)) return run.b.drilling == 0;
        return k == static_cast<int>(Guard::load) || k == static_cast<int>(Guard::still) ||
               (k == static_cast<int>(Guard::hold) && mode == Mode::roll);
    }
    ASPERITY_HD double exact(int k, const Flat& y) const {
        const Vec3 v = y.three(velocity_slot);
        const double time = run.world.phase_start + y[time_slot];
        return value(k, y, needs_gravity(k) ? run.world.gravity.acceleration(y.three(position_slot), v, time) : Vec3{});
    }
    ASPERITY_HD void quick(const Flat& y, double s, double* out) const {
        values(y, pull[0] + s * (pull[1] - pull[0]) + run.world.gravity.coriolis(y.three(velocity_slot)), out);
    }
};

struct FirstGuard {
    int which = -1;  // -1: none
    double s = 1;
};

// The first guard that turns negative in the step, looked at in four places and then located to rounding.
template <class Guards>
ASPERITY_HD FirstGuard first_guard(const Guards& guards, const FlatDense& dense) {
    constexpr int parts = 4, count = Guards::count;
    double before[count], after[count];
    const Flat start = dense.value(0.0);
    guards.quick(start, 0, before);
    for (int part = 1; part <= parts; ++part) {
        const double s0 = static_cast<double>(part - 1) / parts, s1 = static_cast<double>(part) / parts;
        const Flat y = dense.value(s1);
        FirstGuard first;
        guards.quick(y, s1, after);
        for (int k = 0; k < count; ++k) {
            if (!(after[k] < 0)) continue;
            double low = before[k], high = after[k];
            if (guards.needs_gravity(k)) {
                low = guards.exact(k, dense.value(s0));
                high = guards.exact(k, y);
                if (!(high < 0)) continue;
            }
            double s = s0;
            if (low > 0) s = numerics::bracketed_root([&](double x) { return guards.exact(k, dense.value(x)); }, s0, s1, low, high);
            if (first.which < 0 || s < first.s) first = {k, s};
        }
        // A guard that dips below zero and comes back within this part shows at the place that was found.
        const double found = first.s;
        for (int k = 0; k < count && first.which >= 0; ++k) {
            if (!(before[k] > 0) || after[k] < 0) continue;
            const auto value = [&](double x) { return guards.exact(k, dense.value(x)); };
            const double low = value(s0), high = value(found);
            if (!(low > 0 && high < 0)) continue;
            if (const double s = numerics::bracketed_root(value, s0, found, low, high); s < first.s) first = {k, s};
        }
        if (first.which >= 0) return first;
        for (int k = 0; k < count; ++k) before[k] = after[k];
    }
    return {};
}

}  // namespace asperity::event_driven
