// The interface of the methods, which resolve contact and advance time. It takes one virtual call per segment, never per step.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "asperity/model/census.h"
#include "asperity/model/model.h"
#include "asperity/model/observer.h"
#include "asperity/model/state.h"

namespace asperity::dynamics {

// The time at which a segment must end: a phase timer or the end of the run. Samples and checkpoints do not shorten steps. A stop in the
// past leaves the state as it is, and shows it if a sample is due.
struct Stop {
    double time = 0;  // s, of the run
};

// How a segment ended. If neither field is set, the stop was reached.
struct Advance {
    std::optional<model::Outcome> ended;  // trouble, or what the method recognises: rest, escaped, companion, locked
    std::int64_t guard = -1;              // of the phase, that fired; -1: none did
};

// A method is made once and may keep workspace; every segment begins with the State alone, so that a restart gives the same bits.
struct Method {
    virtual ~Method() = default;
    // The phase whose segments come next; of the method and integrator that it was made for.
    virtual void set_phase(const model::Phase& phase) = 0;
    virtual Advance advance(model::State& state, const Stop& stop, model::Observer& observer) = 0;
};

// A method as its folder of dynamics/ offers it; dynamics/all.cpp lists them.
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
    std::span<const model::OutcomeKind> recognises = {};  // outcomes that the method detects by itself, which guards may ask for
    bool tells_contact_force = false;                     // State::forces
};

}  // namespace asperity::dynamics
