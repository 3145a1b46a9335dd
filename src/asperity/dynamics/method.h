// A method says how contact is resolved and time advances. One virtual call per segment, never per step.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "asperity/model/census.h"
#include "asperity/model/model.h"
#include "asperity/model/observer.h"
#include "asperity/model/state.h"

namespace asperity::dynamics {

// Where a segment must end: a phase timer or the end of the run. Samples and checkpoints do not shorten steps. A stop that has passed
// already leaves the state as it is, and shows it where a sample is due.
struct Stop {
    double time = 0;  // s, of the run
};

// How a segment ended. Neither set: the stop was reached.
struct Advance {
    std::optional<model::Outcome> ended;  // rest, escaped, or trouble
};

struct Method {
    virtual ~Method() = default;
    virtual Advance advance(model::State& state, const Stop& stop, model::Observer& observer) = 0;
};

// What a folder of dynamics/ offers; dynamics/all.cpp lists them.
struct MethodEntry {
    const char* name;
    const char* text;              // a sentence
    model::Integrator integrator;  // of a phase that names none
    double tolerance;              // and that says none
    // Empty where the method can run such a model in this phase; else what it refuses and why.
    std::string (*carries)(const model::Census&, const model::Phase&);
    std::unique_ptr<Method> (*make)(const model::Model&, const model::Phase&);
    // Whether bodies whose motion is given can be touched under it, where they are not driven anyway: the companion of a binary, and a
    // body that turns in an inertial frame.
    bool touches_driven = false;
};

}  // namespace asperity::dynamics
