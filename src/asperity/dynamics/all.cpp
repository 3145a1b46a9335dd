#include "asperity/dynamics/all.h"

#include "asperity/dynamics/event_driven/event_driven.h"

namespace asperity::dynamics {
namespace {

constexpr MethodEntry methods[] = {
    {event_driven::method_name, event_driven::method_text, event_driven::carries, event_driven::make},
};

constexpr IntegratorEntry integrators[] = {
    {"dopri5", "Dormand-Prince 5(4), adaptive, dense output of order 4"},
    {"rk4", "classical Runge-Kutta of order 4, fixed step, cubic dense output"},
    {"verlet", "velocity Verlet of order 2, symplectic, fixed step; for forces that depend on position only"},
};

}  // namespace

std::span<const MethodEntry> all_methods() { return methods; }

const MethodEntry* find_method(std::string_view name) {
    for (const MethodEntry& entry : methods)
        if (entry.name == name) return &entry;
    return nullptr;
}

std::span<const IntegratorEntry> all_integrators() { return integrators; }

}  // namespace asperity::dynamics
