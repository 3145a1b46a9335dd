// Rocks that are drawn when the ball meets the ground (laws/contact/rocks.h): impacts from flight and collisions while it rolls.
//
// A drawn rock has no place: the ball is struck where it is, with the normal of the rock in the place of the ground's, and may then hit the
// ground itself if that is still approached. Each strike is an impact with the laws of the ground there.
#pragma once
#include "asperity/dynamics/event_driven/completion.h"
#include "asperity/laws/contact/rocks.h"

namespace asperity::event_driven {

// The rocks on a feature: none where the density is zero.
template <class World>
ASPERITY_HD RockPopulation rocks_on(const World& world, const Feature& feature) {
    RockPopulation rocks = world.rocks.population;
    if (world.rock_density != nullptr && feature.index >= 0 && feature.kind != FeatureKind::rock)
        rocks.number_per_area *= world.rock_density[facet_of(world.view, feature)];
    return rocks;
}

// One impact on a rock with that normal.
template <class R>
ASPERITY_HD void strike_rock(R& run, const Feature& ground, const Vec3& normal) {
    BallState& b = run.b;
    const laws::PairLaw surface = surface_on(run.world, ground);
    const double approach = -dot(normal, b.v);
    if (!(approach > 0)) return;
    const double parting = surface.restitution * approach, heat = strike(run, surface, normal, approach, parting);
    ++b.impacts;
    run.event(EventKind::rock, normal, approach, parting, heat);
}

// An impact on the ground at a feature with that normal: it may be one on a rock. True where it was.
template <class R>
ASPERITY_HD bool impact_on_rock(R& run, const Feature& ground, const Vec3& normal) {
    if (!run.world.rocks.in_impacts) return false;
    BallState& b = run.b;
    const double hold = -dot(run.acceleration(), normal), approach = -dot(normal, b.v);
    const double hop = hold > 0 ? approach * approach / (2 * hold) : HUGE_VAL;  // height from which it comes
    const laws::RockHit hit = laws::draw_impact(rocks_on(run.world, ground),
                                                {.radius = run.radius(), .normal = normal, .velocity = b.v, .top = run.radius() + hop},
                                                run.world.draw_key, b.draws);
    if (!hit.is_rock) return false;
    b.feature = ground;
    strike_rock(run, ground, hit.normal);
    return true;
}

// Draws the way to the next rock, where that is not known yet.
template <class R>
ASPERITY_HD void look_for_rock(R& run, const Feature& ground) {
    BallState& b = run.b;
    if (!run.world.rocks.in_rolling || b.next_rock > 0) return;
    const RockPopulation rocks = rocks_on(run.world, ground);
    const double density = rocks.number_per_area / run.world.rocks.population.number_per_area;
    if (!(density > 0)) return;
    b.next_rock = b.rolled + laws::draw_free_path(run.world.rocks.mean_free_path / density, run.world.draw_key, b.draws);
}

}  // namespace asperity::event_driven
