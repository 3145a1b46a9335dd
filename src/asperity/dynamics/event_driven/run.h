// The data that all parts of the event-driven method share: the world, the ball, and the status that reports a failure. Plain data, no
// allocation.
#pragma once
#include <cfloat>

#include "asperity/core/random.h"
#include "asperity/dynamics/event_driven/contact_tolerance.h"
#include "asperity/dynamics/event_driven/touch.h"
#include "asperity/model/model.h"
#include "asperity/model/observer.h"
#include "asperity/numerics/step_control.h"

namespace asperity::event_driven {

using model::EventKind;
using model::Mode;

enum class Status { going, at_stop, at_guard, at_rest, escaped, at_companion, out_of_steps, stalled, non_finite };

inline constexpr std::uint64_t rocks_met_stream = 100;  // differs from the streams of scenario/compile.cpp

template <class Gravity>
struct World {
    SurfaceView view;
    Vec3 lower, upper;  // m, bounding box of the surface
    Gravity gravity;
    double phase_start = 0;  // s: gravity counts the time of the run, the ball that of the phase
    laws::BallShape ball;
    const laws::PairLaw* surfaces = nullptr;       // [0]: everywhere, [k]: in patch k
    const std::uint8_t* patch_of_facet = nullptr;  // none: no patches
    laws::FacetValues facet_values;                // values of single facets, which win
    SurfaceView companion;                         // surface of the other body of a binary, in its own axes; empty: none
    model::StochasticRocks rocks;
    const double* rock_density = nullptr;  // factor for each facet; none: 1
    DrawKey draw_key;
    bool has_contact = true;  // false: the surface is not there (1-landers modes Uni 0, Bin 0)
    double tolerance = 1e-12;
    numerics::StepBounds bounds;
    bool has_fixed_step = false;  // rk4, in flight
    std::int64_t step_budget = 0;
};

// The facet of a feature; the first one of an edge or a vertex.
ASPERITY_HD inline std::int32_t facet_of(const SurfaceView& view, const Feature& feature) {
    if (feature.kind == FeatureKind::edge) return view.edges[feature.index].facet[0];
    if (feature.kind == FeatureKind::vertex) return view.vertex_facets[view.vertex_facet_begin[feature.index]];
    return feature.index;
}

// The contact law on a feature; an edge or a vertex has the law of its first facet.
template <class World>
ASPERITY_HD laws::PairLaw surface_on(const World& world, const Feature& feature) {
    const bool is_ground = feature.index >= 0 && feature.kind != FeatureKind::rock;  // rocks have the laws that hold everywhere
    if (!is_ground || (world.patch_of_facet == nullptr && world.facet_values.is_empty())) return world.surfaces[0];
    const std::int32_t facet = facet_of(world.view, feature);
    laws::PairLaw surface = world.surfaces[world.patch_of_facet != nullptr ? world.patch_of_facet[facet] : 0];
    world.facet_values.apply(facet, surface);
    return surface;
}

template <class World>
ASPERITY_HD laws::SingleContact law_on(const World& world, const Feature& feature) {
    const laws::PairLaw surface = surface_on(world, feature);
    const bool is_coupled = surface.rolling_law == laws::RollingLaw::coupled;
    return {.ball = world.ball,
            .friction = surface.friction,
            .rolling = surface.rolling_resistance,
            .spinning = is_coupled ? surface.spinning_resistance : 0,
            .is_coupled = is_coupled,
            .regularisation = surface.regularisation_speed};
}

// The contact of a ball with that motion on a feature, in the frame of the world.
template <class World>
ASPERITY_HD laws::Touch touch_of(const World& world, const Feature& feature, const Vec3& p, const laws::Motion& m) {
    laws::Touch touch = touch_on(world.view, feature, p, m.v);
    touch.spin_rate = world.gravity.spin_rate(m.w);
    return touch;
}

// J/kg that bodies which move in the frame do on a ball on its way between two states, by Simpson's rule.
template <class World>
ASPERITY_HD double work_between(const World& world, const BallState& from, const Vec3& to, double end_time) {
    const double h = end_time - from.time, start = world.phase_start + from.time;
    const auto power = [&](double s) { return world.gravity.power(from.p + s * (to - from.p), start + s * h); };
    return h / 6 * (power(0) + 4 * power(0.5) + power(1));
}

// Counts steps or events while the clock advances by no more than rounding: 1000 of them in a row, by less than 16 units in the last place
// each, and the run is stuck. So neither the time nor the memory that it takes can grow without bound at one instant.
struct Progress {
    double since = -1;  // s
    int count = 0;

    ASPERITY_HD bool is_stuck(double time) {
        constexpr int most = 1000;
        constexpr double rounding = 16 * 2.2e-16;
        if (since < 0 || time - since > most * rounding * time) {
            since = time;
            count = 0;
        }
        return ++count > most;
    }
};

// A run in progress. Watch: step(ball before, dense, s_end) and event(...), and guard_along(ball before, dense, s_end) where a phase has
// guards; see event_driven.cpp and bench/ for two of them.
template <class Gravity, class Watch>
struct Run {
    const World<Gravity>& world;
    Watch& watch;
    BallState& b;
    Status status = Status::going;
    const char* reason = "";
    Progress steps, events;
    struct {
        Vec3 p, v;
        double time = -1;
        Vec3 a;
    } kept;

    ASPERITY_HD double radius() const { return world.ball.radius; }
    // Acceleration of the ball in its present state. It is cached: a field costs a microsecond, and each step asks several times at one
    // place.
    ASPERITY_HD Vec3 acceleration() {
        if (!(kept.p == b.p && kept.v == b.v && kept.time == b.time))
            kept = {b.p, b.v, b.time, world.gravity.acceleration(b.p, b.v, world.phase_start + b.time)};
        return kept.a;
    }
    ASPERITY_HD laws::Motion motion() const { return {b.v, b.w}; }
    // Relative rounding of the direction from the surface to the centre, and so of slip: coordinates are larger than the ball.
    ASPERITY_HD double rounding() const {
        const double farthest = std::fmax(std::fabs(b.p.x), std::fmax(std::fabs(b.p.y), std::fabs(b.p.z)));
        return 4e-16 * (1 + farthest / radius());
    }
    // Slip (m/s) that is rounding only.
    ASPERITY_HD double slip_rounding() { return 2 * rounding() * (norm(b.v) + radius() * norm(b.w) + slow_speed()); }
    // Slip below which friction keeps the direction in which it began: its own direction follows the load at the rate f N / slip, too
    // stiff for an explicit step. And slip that counts as none where friction can hold.
    ASPERITY_HD double slip_floor() { return std::fmax(slip_rounding(), 1e-8 * (norm(b.v) + radius() * norm(b.w))); }
    ASPERITY_HD double no_slip() { return 2 * slip_floor(); }
    // Speed and spin across the normal (as m/s) below which a ball counts as standing where the laws let it stand; what a fast spin about
    // the normal leaves of rounding may be more.
    ASPERITY_HD double stillness() { return std::fmax(1e-10 * slow_speed(), 10 * rounding() * radius() * norm(b.w)); }
    // sqrt(a r), the speed scale of the ball: speeds are called slow by comparison with it.
    ASPERITY_HD double slow_speed() { return std::sqrt(norm(acceleration()) * radius()); }

    ASPERITY_HD void stall(const char* why) {
        status = Status::stalled;
        reason = why;
    }
    ASPERITY_HD void event(EventKind kind, const Vec3& normal = {}, double speed_in = 0, double speed_out = 0, double heat = 0) {
        watch.event(kind, b, normal, speed_in, speed_out, heat);
        if (events.is_stuck(b.time)) stall("events follow each other while time advances by no more than rounding");
    }
};

// Overlap of the ball and the surface, m; negative where they are apart.
template <class R>
ASPERITY_HD double overlap_of(const R& run, const BallState& b) {
    return run.radius() - geometry::nearest(run.world.view, b.p).distance;
}

// Only what is nearer than the deepest overlap so far can raise it: in flight the search ends at the root of the tree. The limit is a few
// units in the last place wider than that, so that rounding hides nothing.
template <class R>
ASPERITY_HD void note_overlap(R& run) {
    const double limit = (run.radius() - run.b.deepest) * (1 + 4 * DBL_EPSILON);
    const geometry::ClosestPoint near = geometry::nearest_within(run.world.view, run.b.p, limit);
    if (near.distance < HUGE_VAL) run.b.deepest = std::fmax(run.b.deepest, run.radius() - near.distance);
}

// The time in which the ball travels at most `way`.
template <class R>
ASPERITY_HD double time_for(R& run, double way) {
    const double speed = norm(run.b.v), pull = norm(run.acceleration());
    return 2 * way / (speed + std::sqrt(speed * speed + 2 * pull * way));
}

// The largest error of a step over its tolerance: position against the radius and the way, velocities against the speeds of the step. On
// one feature spin about its normal is held against all of them, and does not count for the others: a ball may spin fast on a spot that it
// hardly leaves, and errors allowed by that spin kept it rolling round and round there. No tolerance asks for less than rounding: in
// contact that of the direction from the surface to the centre, in flight that of velocities and coordinates.
template <class R>
ASPERITY_HD double error_ratio(R& run, const Flat& y, const numerics::Step<slots>& step, double h, double tolerance) {
    const BallState& b = run.b;
    const double r = run.radius();
    const bool is_single = b.mode == Mode::slide || b.mode == Mode::roll;
    const Vec3 n = is_single ? touch_on(run.world.view, b.feature, b.p, b.v).normal : Vec3{};
    const auto rim = [&](const Vec3& w) { return r * norm(w - dot(w, n) * n); };
    const auto faster = [&](int slot, const auto& size) { return std::fmax(size(y.three(slot)), size(step.y1.three(slot))); };
    const double fast =
        faster(velocity_slot, [](const Vec3& v) { return norm(v); }) + faster(spin_slot, rim) + h * norm(run.acceleration());
    const double drilling = r * faster(spin_slot, [&](const Vec3& w) { return std::fabs(dot(w, n)); });
    if (!(fast + drilling > 0)) return 0;
    const bool flies = b.mode == Mode::flight;
    const double rounding = 10 * (flies ? 4e-16 : run.rounding()), least_place = flies ? 1e-15 * norm(b.p) : 0;
    const double allowed = std::fmax(tolerance * fast, rounding * (fast + drilling));              // m/s
    const double place = std::fmax((r + fast * h) * std::fmax(tolerance, rounding), least_place);  // m
    const double in_position = norm(step.error.three(position_slot)) / place;
    const double in_velocity = (norm(step.error.three(velocity_slot)) + rim(step.error.three(spin_slot))) / allowed;
    const double in_drilling = r * std::fabs(dot(step.error.three(spin_slot), n)) / (std::fmax(tolerance, rounding) * (fast + drilling));
    const double in_heat = (std::fabs(step.error[friction_slot]) + std::fabs(step.error[rolling_slot])) / (allowed * (fast + drilling));
    return std::fmax(std::fmax(in_position, in_velocity), std::fmax(in_drilling, in_heat));
}

// One accepted step of at most h_max from the state of the ball; sets b.next_step. The step length is returned in the dense output.
// Steps of a fixed length are for flight alone, and contact motion has a tolerance of its own (contact_tolerance.h).
template <class R, class Rhs>
ASPERITY_HD numerics::Step<slots> accepted_step(R& run, const Rhs& rhs, double h_max) {
    const Flat y = flat(run.b);
    const Flat slope = rhs(y);
    const bool flies = run.b.mode == Mode::flight;
    const double tolerance = flies ? run.world.tolerance : contact_tolerance(run.world.tolerance, run.b.mode == Mode::several);
    if (run.world.has_fixed_step && flies) return numerics::Rk4::step(rhs, y, slope, std::fmin(h_max, run.world.bounds.step_max));
    double h = std::fmin(h_max, run.b.next_step > 0 ? run.b.next_step : h_max);
    for (int attempt = 0; attempt < 200; ++attempt) {
        const numerics::Step<slots> step = numerics::Dopri5::step(rhs, y, slope, h);
        const double ratio = error_ratio(run, y, step, h, tolerance);
        const numerics::StepChoice choice = numerics::choose_step(std::isfinite(ratio) ? ratio : 1e30, h, 5, run.world.bounds);
        const bool is_cut_short = h == h_max && choice.next <= h;  // says nothing about what the error would allow
        if (choice.is_accepted) {
            run.b.next_step = is_cut_short ? std::fmax(run.b.next_step, choice.next) : choice.next;
            return step;
        }
        h = choice.next;
    }
    run.stall("the step size fell without end");
    return numerics::Dopri5::step(rhs, y, slope, h);
}

// Ends a step at its part s, or at `stop` where that comes first: shows it, moves the ball, and sets the clock. Returns whether part s was
// reached. Steps are chosen without a look at the stop and cut here, so that a later end of the run changes no bit of what comes before.
template <class R>
ASPERITY_HD bool commit(R& run, const FlatDense& dense, double s, double stop) {
    BallState& b = run.b;
    const double time = b.time + s * dense.h;
    const bool is_cut = time > stop;
    if (is_cut) s = std::fmin(s, (stop - b.time) / dense.h);
    bool is_fired = false;
    if constexpr (requires { run.watch.guard_along(b, dense, s); }) {  // at equal times the end of the step comes first
        const double at = run.watch.guard_along(b, dense, s);
        is_fired = at < s;
        s = std::fmin(s, at);
    }
    run.watch.step(b, dense, s);
    follow(dense, s, b);
    b.time = is_fired ? b.time + s * dense.h : is_cut ? stop : time;
    ++b.steps;
    if (is_fired) run.status = Status::at_guard;
    if (!is_finite(b)) run.status = Status::non_finite;
    return !is_cut && !is_fired;
}

}  // namespace asperity::event_driven
