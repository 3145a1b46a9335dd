// Loads: a force and a torque on a body, in axes of the world or of the body, with a course in time that begins when the load is started.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "asperity/core/vec3.h"

namespace asperity::model {

// Factors on a load, by the time since it was started. Of steps that of the last time that has passed, 0 before the first.
struct SteadyLoad {};
struct RampedLoad {
    double duration = 0;  // s, from nothing to all of it
};
struct SteppedLoad {
    std::vector<double> times;  // s, rising
    std::vector<double> factors;
};
struct WavingLoad {
    double rate = 0;   // rad/s: sin(rate t + phase)
    double phase = 0;  // rad
};
using LoadCourse = std::variant<SteadyLoad, RampedLoad, SteppedLoad, WavingLoad>;

struct Load {
    std::int32_t body = 0;
    Vec3 at;                       // m, where the force acts: from the centre of mass, axes of the body
    Vec3 force, torque;            // N, N m
    bool turns_with_body = false;  // both are in the axes of the body
    LoadCourse course;
    bool is_running = true;  // at the start
};

struct Loads {  // written by simulate and by actions of guards
    std::vector<std::int8_t> is_running;
    std::vector<double> started;       // s, when it was started last
    std::vector<std::int64_t> corner;  // of its course: corners and jumps that it has passed since

    std::size_t size() const { return started.size(); }
    friend bool operator==(const Loads&, const Loads&) = default;
};

template <class Visitor>
void describe(Visitor& v, Loads& l) {
    v.field("is_running", l.is_running, "", "Whether each load acts.");
    v.field("started", l.started, "s", "When it was started last.");
    v.field("corner", l.corner, "", "Corners and jumps of its course that it has passed since.");
}

// s after the start, of the k-th corner of a course; infinity where there are no more.
inline double corner_of(const LoadCourse& course, std::int64_t k) {
    const auto number = static_cast<std::size_t>(k);
    if (const auto* ramp = std::get_if<RampedLoad>(&course); ramp != nullptr && k == 0) return ramp->duration;
    if (const auto* steps = std::get_if<SteppedLoad>(&course); steps != nullptr && number < steps->times.size())
        return steps->times[number];
    return std::numeric_limits<double>::infinity();
}

// The state of a load that begins: past the corners at no time at all.
inline void start(const Load& load, Loads& state, std::size_t i, double time) {
    state.is_running[i] = 1;
    state.started[i] = time;
    state.corner[i] = 0;
    while (corner_of(load.course, state.corner[i]) <= 0) ++state.corner[i];
}

// A factor jumps where State says that a corner is passed, so that it has one value in each segment of a run.
inline double factor_of(const Load& load, const Loads& state, std::size_t i, double time) {
    if (state.is_running[i] == 0) return 0;
    const double t = time - state.started[i];
    struct At {
        double t;
        std::int64_t corner;
        double operator()(const SteadyLoad&) const { return 1; }
        double operator()(const RampedLoad& ramp) const { return corner == 0 ? std::fmin(t / ramp.duration, 1.0) : 1; }
        double operator()(const SteppedLoad& steps) const { return corner == 0 ? 0 : steps.factors[static_cast<std::size_t>(corner - 1)]; }
        double operator()(const WavingLoad& wave) const { return std::sin(wave.rate * t + wave.phase); }
    };
    return std::visit(At{t, state.corner[i]}, load.course);
}

// s of the run at which its course has its next corner; infinity where there is none.
inline double next_corner(const Load& load, const Loads& state, std::size_t i) {
    if (state.is_running[i] == 0) return std::numeric_limits<double>::infinity();
    return state.started[i] + corner_of(load.course, state.corner[i]);
}

// Whether it will never change again by itself.
inline bool is_steady(const Load& load, const Loads& state, std::size_t i) {
    if (state.is_running[i] == 0) return true;
    return !std::holds_alternative<WavingLoad>(load.course) && std::isinf(next_corner(load, state, i));
}

}  // namespace asperity::model
