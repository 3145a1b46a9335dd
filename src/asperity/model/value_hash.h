// Hashes of the values that a run computed, to compare two builds of the program.
//
// The hash of a record takes names, units and layout along. These do not: they stay when blocks, columns and sections get other names and
// when State is laid out in another way. Therefore WHICH VALUES GO IN, AND IN WHICH ORDER, IS FIXED FOR EVER; what comes to State, events
// or samples later stays out. A build that lays values out anew gathers them in this order.
//
//   state    phase, time, steps;
//            then of each body in order  position, orientation (w x y z), velocity, spin;
//            then of each body in order  heat per mass by impact, friction, rolling, tide; work per mass; number of impacts.
//            Bodies are those that a method integrates: ground and driven bodies (model/driven.h) are none, and no part of State. A tally
//            that is not kept is 0.
//   events   of each in order            kind, time, body, position, velocity, spin, normal, normal speed in and out, heat
//   samples  of each instant in order, of each body in order
//                                        time, position, velocity, spin, orientation (w x y z), kinetic, rotational, potential energy,
//                                        heat by impact, friction, rolling, tide; work
//
// Whole numbers go in as 64-bit integers, others as 64-bit floats, without counts between them; -0 as 0, and every not-a-number as the same
// one.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "asperity/core/hash.h"
#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/observer.h"
#include "asperity/model/sample.h"
#include "asperity/model/state.h"

namespace asperity::model {

class ValueHasher {
public:
    ValueHasher& add(std::int64_t number) {
        hasher_.add(number);
        return *this;
    }
    ValueHasher& add(double number) {
        // 0 equals -0, so that the sum with 0 has one sign
        hasher_.add(std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number + 0.0);
        return *this;
    }
    ValueHasher& add(const Vec3& v) { return add(v.x).add(v.y).add(v.z); }
    ValueHasher& add(const Quat& q) { return add(q.w).add(q.x).add(q.y).add(q.z); }

    Hash128 value() const { return hasher_.value(); }

private:
    Hasher hasher_;
};

inline Hash128 state_hash(const State& state) {
    ValueHasher hasher;
    hasher.add(state.clock.phase).add(state.clock.time()).add(state.clock.steps);
    const Bodies& bodies = state.bodies;
    for (std::size_t i = 0; i < bodies.position.size(); ++i)
        hasher.add(bodies.position[i]).add(bodies.orientation[i]).add(bodies.velocity[i]).add(bodies.spin[i]);
    const auto of = [](const auto& tally, std::size_t i) { return i < tally.size() ? tally[i] : 0; };
    const Tallies& tallies = state.tallies;
    for (std::size_t i = 0; i < bodies.position.size(); ++i) {
        hasher.add(of(tallies.heat_impact, i)).add(of(tallies.heat_friction, i)).add(of(tallies.heat_rolling, i));
        hasher.add(of(tallies.heat_tide, i)).add(of(tallies.work, i)).add(of(tallies.impacts, i));
    }
    return hasher.value();
}

inline Hash128 event_hash(std::span<const Event> events) {
    ValueHasher hasher;
    for (const Event& event : events) {
        hasher.add(static_cast<std::int64_t>(event.kind)).add(event.time).add(std::int64_t{event.a});
        hasher.add(event.position).add(event.velocity).add(event.spin).add(event.normal);
        hasher.add(event.normal_speed_in).add(event.normal_speed_out).add(event.heat);
    }
    return hasher.value();
}

inline Hash128 sample_hash(std::span<const Sample> samples) {
    ValueHasher hasher;
    for (const Sample& sample : samples) {
        hasher.add(sample.time).add(sample.position).add(sample.velocity).add(sample.spin).add(sample.orientation);
        const Ledger& ledger = sample.ledger;
        hasher.add(ledger.kinetic).add(ledger.rotational).add(ledger.potential);
        hasher.add(ledger.heat_impact).add(ledger.heat_friction).add(ledger.heat_rolling).add(ledger.heat_tide).add(ledger.work);
    }
    return hasher.value();
}

}  // namespace asperity::model
