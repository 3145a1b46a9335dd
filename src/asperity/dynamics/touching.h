// The contacts between bodies at one instant: which pairs touch, their impulses, and the active set that stays in touch, by the linear
// complementarity problem (LCP) of accelerations.
//
// Pairs are in touch that are held, and open ones with a gap below `grace`, a part 1e-12 of the sum of their radii: rounding of positions
// and of the located time. A pair that parts with less than it takes to rise by bounce_end_height (of the effective radius, against the
// relative acceleration that drives it back, at least a thousandth of the attraction of the two) is stopped, by an impulse of either sign
// that lowers the energy: else a ball that bounces, and three that hit each other in turn without bouncing, would touch infinitely often
// in a finite time; and one that is just about to part would do so at the speed of rounding.
// A touch slower still, in a field of that thousandth, is held whatever is said below: friction, which b leaves out, presses it, and would
// do so again at once; if not, the method opens it at the end of its next step. Who stays: f >= 0, g'' = A f + b >= 0, f . g'' = 0 over all
// pairs at rest, g'' second derivative of the gaps, b that without contact.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "asperity/dynamics/collision.h"
#include "asperity/dynamics/pair_gap.h"
#include "asperity/dynamics/watch.h"
#include "asperity/numerics/bracket.h"

namespace asperity::dynamics {

// Of gravity, by body.
struct Accelerations {
    std::span<const Vec3> linear;   // m/s^2
    std::span<const Vec3> angular;  // rad/s^2, as in BodyAcceleration; empty: none

    Accelerations(std::span<const Vec3> linear, std::span<const Vec3> angular = {}) : linear(linear), angular(angular) {}
    BodyAcceleration of(std::size_t i) const { return {linear[i], angular.empty() ? Vec3{} : angular[i]}; }
};

class Touching {
public:
    explicit Touching(const model::Parameters& world);

    double gap(const Motion& motion, std::size_t i, std::size_t j) const {
        const model::BodyKind &a = world_.bodies[i], &b = world_.bodies[j];
        if (a.is_sphere() && b.is_sphere()) return norm(motion.bodies[i].p - motion.bodies[j].p) - (a.semi_axes.x + b.semi_axes.x);
        return pair_gap(world_, i, j, motion).gap;
    }
    double grace(std::size_t i, std::size_t j) const { return touch_grace(world_, i, j); }  // m

    // When between start and end, h later, the gap of an open pair is least and may be negative, by the cubic through both; 0: nowhere.
    double dip(const Motion& start, const Motion& end, std::size_t i, std::size_t j, double h) const;

    // When an open pair touches in a step from `start` to `end`, `upper` long; infinity: it does not. attempt(h) makes `end` the end of a
    // step of h, and is left where it was last called (not at all where `end` serves).
    template <class Attempt>
    double closing(const Motion& start, const Motion& end, std::array<std::size_t, 2> pair, double upper, const Attempt& attempt) const;

    // Takes up the held pairs, those within grace, and `pair`. False: more than fit.
    bool collect(const Motion& motion, std::span<const model::Mode> mode, std::ptrdiff_t pair);
    void collect_held(const Motion& motion, std::span<const model::Mode> mode);

    // Applies the collision impulses of the contacts that were taken up.
    void bounce(const Accelerations& accelerations, Motion& motion);
    // Decides which of the contacts that were taken up, and are at rest, hold from now on; `opened` never does (-1: none).
    void decide(const Accelerations& accelerations, const Motion& motion, std::ptrdiff_t opened, std::span<model::Mode> mode);
    std::span<const PairEvent> events() const { return events_; }  // of the last two calls

    // The linear complementarity problem of the held pairs (Signorini's condition): f >= 0, g'' = A f + b >= 0, f . g'' = 0.
    numerics::Complementarity problem(const Accelerations& accelerations, const Motion& motion, std::span<const model::Mode> mode);
    // Contact forces of the held pairs, none of which pulls, and the second derivatives of their gaps, in the order of contacts().
    numerics::ComplementaritySolution forces(const Accelerations& accelerations, const Motion& motion, std::span<const model::Mode> mode);
    std::span<const Contact> contacts() const { return contacts_; }

    // Notes the deepest overlap and the time of the last touch.
    void tally(const Motion& motion, std::span<const model::Mode> mode, double time, model::Tallies& tallies) const;

private:
    double b_of(const Contact& contact, const Accelerations& accelerations, const Motion& motion) const;
    double attraction(const Contact& contact, const Motion& motion) const;  // m/s^2, of the two alone
    void clear();
    bool take(const Motion& motion, std::size_t i, std::size_t j, bool is_held);

    const model::Parameters& world_;
    std::vector<Contact> contacts_;
    std::vector<double> restitution_;
    std::vector<bool> is_held_;
    std::vector<bool> is_resting_;
    std::vector<bool> is_slow_;
    std::vector<PairEvent> events_;
    std::vector<Contact> stopped_;    // workspace
    contact::ContactSystem normals_;  // workspace
};

template <class Attempt>
double Touching::closing(const Motion& start, const Motion& end, std::array<std::size_t, 2> pair, double upper,
                         const Attempt& attempt) const {
    const auto [i, j] = pair;
    const double first = gap(start, i, j), floor = std::fmin(first, 0.0);
    double last = gap(end, i, j) - floor;
    if (!(last < 0)) {  // it may have touched and come back
        const double low = dip(start, end, i, j, upper);
        if (!(low > 0)) return std::numeric_limits<double>::infinity();
        attempt(low);
        last = gap(end, i, j) - floor;
        if (!(last < 0)) {
            attempt(upper);
            return std::numeric_limits<double>::infinity();
        }
        upper = low;
    }
    const auto gap_after = [&](double h) {
        attempt(h);
        return gap(end, i, j) - floor;
    };
    double lower = 0, above = first - floor;
    for (int halving = 0; !(above > 0); ++halving) {  // it parts from a touch and comes back within the step
        if (halving == 60) return 0;                  // a pair that parted with no speed, which the step takes back: `verlet` errs in h^3
        lower = 0.5 * upper;
        above = gap_after(lower);
        if (!(above > 0)) upper = lower, last = above;
    }
    return numerics::bracketed_root(gap_after, lower, upper, above, last);
}

}  // namespace asperity::dynamics
