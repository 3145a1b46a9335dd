// The registry of all methods and integrators, by name.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

std::span<const MethodEntry* const> all_methods();
const MethodEntry* find_method(std::string_view name);  // nullptr: no such method

const MethodEntry& usual_method(bool has_ground);  // the default of a phase that names none

struct IntegratorEntry {
    const char* name;
    const char* text;  // a sentence
};
std::span<const IntegratorEntry> all_integrators();  // in the order of model::Integrator

// The same lists for describe(), and the defaults of a phase.
std::vector<Choice<std::string>> method_choices();
std::vector<Choice<model::Integrator>> integrator_choices();
std::vector<Choice<model::ConeSolver>> cone_solver_choices();
const char* usual_method_text();      // "event-driven where there is ground, else constraint"
const char* usual_integrator_text();  // "dopri5; constraint and secular: symplectic4"
const char* usual_tolerance_text();

}  // namespace asperity::dynamics
