// The observer of a run: it gets samples at the times that it asks for, and every event. Observation does not change the run.
#pragma once
#include <cstdint>
#include <span>

#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/bodies.h"
#include "asperity/model/configuration.h"
#include "asperity/model/ledger.h"
#include "asperity/model/state.h"

namespace asperity::model {

// Values are stored in records: append only.
enum class EventKind : std::int64_t {
    impact = 0,      // velocities jump
    settle = 1,      // the remaining bounces are completed; contact motion begins
    slide = 2,       // the contact begins to slip
    roll = 3,        // the slip has come to zero
    transfer = 4,    // the contact moves to another facet, edge or vertex
    separation = 5,  // the normal force has come to zero
    gather = 6,      // contact on several features begins
    rest = 7,        // at rest, in equilibrium
    phase = 8,       // the next phase begins
    rock = 9,        // the body hits a rock that was drawn for it
    lock = 10,       // the spin of a body has come to that of the locked state
};
inline constexpr int event_kinds = 11;
const char* name(EventKind kind);

// What happened to body a, with body b or with the ground. Events without a partner (phase, lock) have no feature.
struct Event {
    EventKind kind = EventKind::impact;
    double time = 0;  // s
    std::int32_t a = 0;
    std::int32_t b = ground;
    std::int64_t feature = no_feature;
    Vec3 position;                // m, of a
    Vec3 velocity;                // m/s, of a, after
    Vec3 spin;                    // rad/s, of a, after
    Vec3 normal;                  // from b towards a
    double normal_speed_in = 0;   // m/s, positive: approaching
    double normal_speed_out = 0;  // m/s, positive: parting; nan of an impact that lasts, whose separation tells it
    double heat = 0;              // J, set free by this event; nan of an impact that lasts
    Mode mode = Mode::flight;     // mode of the contact after the event; flight where there is none
};

// A contact as observers see it.
struct ContactRow {
    std::int32_t a = 0;
    std::int32_t b = ground;
    std::int64_t feature = no_feature;
    Mode mode = Mode::touching;
    double slip_speed = 0;  // m/s, of the contact point of a over b
};

// All bodies at one instant: a state that the method was in. Valid during the call alone.
struct Look {
    double time = 0;                                    // s
    std::span<const Vec3> position;                     // m
    std::span<const Vec3> velocity;                     // m/s
    std::span<const Vec3> spin;                         // rad/s
    std::span<const Quat> orientation;                  // q_WB
    std::span<const Ledger> ledger;                     // of each group
    std::span<const Group> groups;                      // empty: every body is one
    std::span<const double> signals;                    // of each named one, in the order of the scenario
    std::span<const ContactRow> contacts;               // where they are wanted
    Configuration configuration = Configuration::none;  // that the bodies are in together
};

// What a look must hold that costs time to find out.
struct Wants {
    bool contacts = false;
};

struct Observer {
    virtual ~Observer() = default;
    // Time of the next sample that is wanted; infinity where none is. Asked once before the run and after each sample.
    virtual double next_sample() const = 0;
    virtual Wants wants() const { return {}; }
    virtual void sample(const Look& look) = 0;  // once an instant
    virtual void event(const Event& event) = 0;
    // Called at each step boundary past next_checkpoint(): the State is complete and the run could go on from it.
    virtual double next_checkpoint() const = 0;
    virtual void checkpoint(const State& state) = 0;
};

}  // namespace asperity::model
