// Every method and integrator by name. A name that is not here does not exist.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "asperity/dynamics/method.h"

namespace asperity::dynamics {

std::span<const MethodEntry* const> all_methods();
const MethodEntry* find_method(std::string_view name);  // nullptr: no such method

struct IntegratorEntry {
    const char* name;
    const char* text;
};
std::span<const IntegratorEntry> all_integrators();  // in the order of model::Integrator

}  // namespace asperity::dynamics
