// What a run shows while it goes: samples at the times that the observer asks for, and every event. Looking changes nothing.
#pragma once
#include <cstdint>

#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/configuration.h"
#include "asperity/model/state.h"

namespace asperity::model {

// Values are stored in records: append only.
enum class EventKind : std::int64_t {
    impact = 0,    // velocities jump
    settle = 1,    // the remaining bounces are completed; contact motion begins
    slide = 2,     // the contact begins to slip
    roll = 3,      // the slip has come to zero
    transfer = 4,  // the contact moves to another facet, edge or vertex
    release = 5,   // the normal force has come to zero
    gather = 6,    // contact on several features begins
    rest = 7,      // at rest, in equilibrium
    phase = 8,     // the next phase begins
    rock = 9,      // the ball hits a rock that was drawn for it
    lock = 10,     // the spin of a free body has come to that of the locked state
};
inline constexpr int event_kinds = 11;
const char* name(EventKind kind);

struct Event {
    EventKind kind = EventKind::impact;
    double time = 0;  // s
    std::int64_t body = 0;
    Vec3 position;                // m
    Vec3 velocity;                // m/s, after
    Vec3 spin;                    // rad/s, after
    Vec3 normal;                  // of the surface, towards the body
    double normal_speed_in = 0;   // m/s, positive: approaching
    double normal_speed_out = 0;  // m/s, positive: parting
    double heat = 0;              // J, set free by this event
    std::int64_t feature_kind = -1;
    std::int64_t feature = -1;
    Mode mode = Mode::flight;  // after
};

struct Sample {
    double time = 0;  // s
    std::int64_t body = 0;
    Vec3 position;     // m
    Vec3 velocity;     // m/s
    Vec3 spin;         // rad/s
    Quat orientation;  // q_WB
    Mode mode = Mode::flight;
    double slip_speed = 0;                              // m/s, of the contact point; 0 in flight
    double kinetic = 0;                                 // J
    double rotational = 0;                              // J
    double potential = 0;                               // J
    double heat_impact = 0;                             // J
    double heat_friction = 0;                           // J
    double heat_rolling = 0;                            // J
    double heat_tide = 0;                               // J
    double work = 0;                                    // J, done on the body from outside
    Configuration configuration = Configuration::none;  // that the bodies are in together
};

struct Observer {
    virtual ~Observer() = default;
    // Time of the next sample that is wanted; infinity where none is. Asked once before the run and after each sample.
    virtual double next_sample() const = 0;
    virtual void sample(const Sample& sample) = 0;
    virtual void event(const Event& event) = 0;
    // Called at each step boundary past next_checkpoint(): the State is complete and the run could go on from it.
    virtual double next_checkpoint() const = 0;
    virtual void checkpoint(const State& state) = 0;
};

}  // namespace asperity::model
