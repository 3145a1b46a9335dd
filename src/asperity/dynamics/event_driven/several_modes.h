// Mode selection for a ball on several features at once: which contacts of the manifold carry, which of them hold or slip, and whether the
// ball turns.
#pragma once
#include "asperity/dynamics/event_driven/implicit_several.h"
#include "asperity/laws/contact/manifold.h"

namespace asperity::event_driven {

// The contacts that carry, their modes, and the directions that slip and spin continue within a step.
struct SeveralModes {
    int carrying = 0;
    laws::Manifold manifold;  // at the start of the step
    Feature feature[laws::max_manifold];
    laws::Limits limits;
    double slip_floor = 0;  // m/s; slips up to it keep their direction
};

// What chosen_modes() finds besides the modes.
struct ChosenModes {
    bool is_decided = false;
    bool is_at_rest = false;
    SeveralModes modes;
    Vec3 begins[laws::max_manifold];  // directions in which contacts without slip begin to slip, if they do
};

// Friction that holds may exceed its bound by this part of all load before the contact slips, so that one that has just begun to hold does
// not fall back for the drift of a step.
inline constexpr double hold_slack = 1e-6;

// Whether one of the features is a facet that the ball leaves, from p on.
ASPERITY_HD inline bool is_any_left(const SurfaceView& view, const TouchSet& set, const Vec3& p, const Vec3& ahead) {
    for (int i = 0; i < set.touching.count; ++i) {
        if (set.feature[i].kind != FeatureKind::facet) continue;
        const double depth = inside(view, set.feature[i], p);
        if (depth < 0 && inside(view, set.feature[i], ahead) < depth) return true;
    }
    return false;
}

// What the ball touches on its way: a look ahead, so that a feature whose region ends here gives way to the next. Within r b of a vertex at
// which facets bend by b that may take a longer look: in between the one that it leaves is still the nearest by its place.
template <class R>
ASPERITY_HD TouchSet touched_ahead(R& run) {
    const BallState& b = run.b;
    const double r = run.radius();
    const Vec3 direction = norm(b.v) > 1e-10 * run.slow_speed() ? unit(b.v) : Vec3{};  // below that it is rounding
    const auto touched = [&](double ahead) { return touched_features(run.world.view, b.p + ahead * direction, r, touching_slack * r); };
    const auto leaves = [&](const TouchSet& set, double ahead) { return is_any_left(run.world.view, set, b.p, b.p + ahead * direction); };
    TouchSet set = touched(1e-9 * r);
    for (double ahead = 1e-8; ahead < 1e-4 && leaves(set, 1e-9 * r); ahead *= 10) {
        const TouchSet farther = touched(ahead * r);
        if (farther.touching.count > 0 && !leaves(farther, 1e-9 * r)) set = farther;
    }
    for (int i = 0; i < set.touching.count; ++i) set.touching.normal[i] = touch_on(run.world.view, set.feature[i], b.p, b.v).normal;
    drop_parting(set, b.v, 1e-9 * (norm(b.v) + run.slow_speed()));
    return set;
}

// The forces on a ball with that place and motion, in the given modes.
template <class World>
ASPERITY_HD laws::ManifoldForces forces_in(const World& world, const SeveralModes& modes, const Vec3& p, const laws::Motion& m,
                                           const Vec3& a) {
    laws::Manifold now = modes.manifold;
    for (int i = 0; i < now.count; ++i) {
        now.touch[i] = touch_on(world.view, modes.feature[i], p, m.v);
        if (!now.slips[i]) continue;
        const Vec3& n = now.touch[i].normal;
        now.slip_direction[i] =
            laws::continued(tangential(laws::slip(m, n, world.ball.radius), n), now.slip_direction[i], modes.slip_floor);
    }
    if (now.turns) now.axis = laws::continued(m.w, now.axis, 0);
    return laws::forces_on(now, m, a, world.gravity.spin_rate(m.w), world.ball, modes.limits);
}

// By how much a contact that holds stays below its bound: by a little less than where its end is located, so that one that has just let go
// does not hold again.
ASPERITY_HD inline double grip_left(const SeveralModes& modes, const laws::ManifoldForces& forces, int i) {
    return modes.limits.friction * (forces.normal[i] + (1 - 1e-3) * hold_slack * forces.load()) - norm(forces.friction[i]);
}

// The modes that the velocities alone ask for, with every contact taken to carry.
template <class R>
ASPERITY_HD SeveralModes modes_by_motion(R& run, const TouchSet& set) {
    const BallState& b = run.b;
    const double r = run.radius();
    SeveralModes modes;
    laws::Manifold& m = modes.manifold;
    modes.limits = laws::limits_of(surface_on(run.world, set.feature[0]));
    // The direction of a small slip turns at the rate f N / |u|, too stiff for an explicit step. So small ones keep theirs, and the error
    // that this leaves in the velocity is of their size; above what counts as no slip, so that one that begins gets away from it.
    modes.slip_floor = 2 * run.no_slip();
    m.turns = r * norm(b.w) > run.slip_rounding();
    m.axis = unit(b.w);
    for (int i = 0; i < set.touching.count; ++i) {
        modes.carrying = ++m.count;
        m.touch[i] = touch_on(run.world.view, set.feature[i], b.p, b.v);
        modes.feature[i] = set.feature[i];
        const Vec3 u = tangential(laws::slip(run.motion(), m.touch[i].normal, r), m.touch[i].normal);
        m.slips[i] = norm(u) > run.no_slip() || modes.limits.friction == 0;
        m.slip_direction[i] = unit(u);
    }
    return modes;
}

// Whether a motion in these modes, each contact of which is to carry, keeps to their laws.
template <class R>
ASPERITY_HD bool is_lasting(R& run, const SeveralModes& modes) {
    const laws::Manifold& m = modes.manifold;
    const laws::ManifoldForces forces = forces_in(run.world, modes, run.b.p, run.motion(), run.acceleration());
    if (!forces.is_solved) return false;
    for (int i = 0; i < m.count; ++i)
        if (!(forces.normal[i] > 0) || !(m.slips[i] || grip_left(modes, forces, i) > 0)) return false;
    return true;
}

// Whether each of the contacts carries in the modes that the velocities ask for.
template <class R>
ASPERITY_HD bool is_carried_by_all(R& run, const TouchSet& set) {
    if (set.touching.count < 2 || set.touching.count > laws::max_manifold) return false;
    const SeveralModes modes = modes_by_motion(run, set);
    return modes.manifold.turns && is_lasting(run, modes);
}

// What contacts do to the ball in an implicit step of length h, far too short to move it.
struct ShortPush {
    TouchSet set;  // with normals as they are at its end
    laws::Impulses push;
};

template <class R>
ASPERITY_HD ShortPush push_within(R& run, const TouchSet& set, double h) {
    const auto& world = run.world;
    const BallState& b = run.b;
    ShortPush out{.set = set, .push = {}};
    turn_normals(world.view, b.p + h * b.v, out.set);
    const laws::Motion before{b.v, b.w + h * world.gravity.spin_rate(b.w)};
    out.push =
        laws::resolve(out.set.touching, before, h * run.acceleration(), world.ball, laws::limits_of(surface_on(world, set.feature[0])));
    return out;
}

// The modes in which the ball goes on from its velocities. Those of its motion where they last; else one implicit step is asked which
// contacts carry, what begins to turn or to slip, and whether the ball is at rest.
template <class R>
ASPERITY_HD ChosenModes chosen_modes(R& run) {
    const BallState& b = run.b;
    TouchSet set = touched_ahead(run);
    if (set.is_overfull || set.touching.count == 0) return {};
    if (is_carried_by_all(run, set)) return {.is_decided = true, .modes = modes_by_motion(run, set)};
    const double r = run.radius(), pull = norm(run.acceleration()), speed = norm(b.v) + r * norm(b.w);
    const double h = 1e-6 * (run.slow_speed() + speed) / pull;  // its impulses are then 1e-6 of the speeds, and right to 1e-8
    const double noise = 1e-6 * h * pull;                       // m/s, far below what a step of h changes
    const ShortPush short_push = push_within(run, set, h);
    const laws::Impulses& push = short_push.push;
    if (!push.is_converged) return {};
    // A ball that stops within h says nothing of what begins to slip before: that is asked of a step which takes 1e-6 of its speed.
    const bool stops = speed > 0 && norm(push.after.v) + r * norm(push.after.w) <= noise;
    const double sooner = stops ? 1e-6 * speed / pull : h;
    const ShortPush slipping = stops ? push_within(run, set, sooner) : short_push;
    TouchSet carrying;
    ChosenModes chosen{.is_decided = true};
    for (int i = 0; i < set.touching.count; ++i) {
        if (!(push.normal[i] > 0)) continue;
        if (carrying.touching.count == laws::max_manifold) return {};
        const int k = carrying.touching.count++;
        carrying.feature[k] = set.feature[i];
        const Vec3 later = tangential(laws::slip(slipping.push.after, slipping.set.touching.normal[i], r), set.touching.normal[i]);
        if (slipping.push.is_converged && norm(later) > 1e-6 * sooner * pull) chosen.begins[k] = unit(later);
    }
    if (carrying.touching.count > 0) chosen.modes = modes_by_motion(run, carrying);
    laws::Manifold& m = chosen.modes.manifold;
    if (!m.turns && r * norm(push.after.w) > noise) {
        m.turns = true;
        m.axis = unit(push.after.w);
    }
    chosen.is_at_rest = b.v == Vec3{} && b.w == Vec3{} && norm(push.after.v) + r * norm(push.after.w) <= noise;
    return chosen;
}

// Whether a ball that hardly moves is on its way out of a standstill, not into one: it would not be at rest if it stood, and its motion
// gains energy.
template <class R>
ASPERITY_HD bool is_starting(R& run) {
    BallState& b = run.b;
    const laws::Motion motion = run.motion();
    if (motion.v == Vec3{} && motion.w == Vec3{}) return false;
    b.v = b.w = {};
    const bool is_at_rest = chosen_modes(run).is_at_rest;
    b.v = motion.v;
    b.w = motion.w;
    if (is_at_rest) return false;
    const ChosenModes chosen = chosen_modes(run);
    if (!chosen.is_decided || chosen.modes.carrying < 2) return false;
    const laws::ManifoldForces forces = forces_in(run.world, chosen.modes, b.p, motion, run.acceleration());
    const double inertia = run.world.ball.inertia_factor * run.radius() * run.radius();
    return forces.is_solved && dot(forces.v_rate, motion.v) + inertia * dot(forces.w_rate, motion.w) > 0;
}

// Puts the ball onto the features that carry, and its motion into what the modes allow: drift of a step, within its tolerance, or a slip
// that is about to end. The nearest such motion by its kinetic energy: what impulses at the contacts would do.
template <class R>
ASPERITY_HD laws::Motion put_onto(R& run, const SeveralModes& modes) {
    BallState& b = run.b;
    const laws::Manifold& m = modes.manifold;
    const double r = run.radius();
    Vec3 n[laws::max_manifold];
    double need[laws::max_manifold] = {}, move[laws::max_manifold] = {};
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < m.count; ++i) {
            n[i] = touch_on(run.world.view, modes.feature[i], b.p, b.v).normal;  // that of a facet has no rounding of the place in it
            need[i] = r - dot(n[i], b.p - foot(run.world.view, modes.feature[i], b.p));
        }
        if (!laws::detail::solve_gram(n, need, m.count, move)) break;
        for (int i = 0; i < m.count; ++i) b.p += move[i] * n[i];
    }
    const double j = run.world.ball.inertia_factor;
    laws::Motion motion{{}, b.w};
    if (m.count == 2) {
        const Vec3 across = cross(n[0], n[1]), t = unit(across), d = n[0] - n[1];
        motion.v = dot(b.v, t) * t;
        if (!m.slips[0] && !m.slips[1]) {  // v = x r |n0 x n1| t, w = x d
            const double arm = r * norm(across);
            const double x = (arm * dot(b.v, t) + j * r * r * dot(b.w, d)) / (arm * arm + j * r * r * squared_norm(d));
            return {(x * arm) * t, x * d};
        }
        for (int i = 0; i < 2; ++i) {
            if (m.slips[i]) continue;
            const Vec3 u = tangential(laws::slip(motion, n[i], r), n[i]), along = (dot(u, t) / (1 + 1 / j)) * t;
            motion.v -= along;
            motion.w += cross(n[i], along + j * (u - dot(u, t) * t)) / (j * r);
        }
    }
    for (int i = 0; i < m.count && m.count == 3; ++i)
        if (!m.slips[i]) motion.w = dot(b.w, n[i]) * n[i];
    if (!m.turns) motion.w = {};
    return motion;
}

// Contacts without slip hold unless their friction would exceed its bound. Not asked of the implicit step: between two contacts it may find
// a stress along the line through both, which (7) of manifold.h leaves out. The direction in which they slip is that of the implicit step,
// which friction along it keeps; that of the friction that would hold them is only near it, since contacts move each other.
template <class R>
ASPERITY_HD void let_slip(R& run, ChosenModes& chosen) {
    SeveralModes& modes = chosen.modes;
    laws::Manifold& m = modes.manifold;
    for (int i = 0; i < m.count; ++i) {
        if (m.slips[i]) continue;
        const laws::ManifoldForces forces = forces_in(run.world, modes, run.b.p, run.motion(), run.acceleration());
        m.slips[i] = !(grip_left(modes, forces, i) > 0);
        m.slip_direction[i] = chosen.begins[i] == Vec3{} ? -unit(forces.friction[i]) : chosen.begins[i];
    }
}

}  // namespace asperity::event_driven
