#include "asperity/dynamics/all.h"

#include "asperity/dynamics/event_driven/event_driven.h"
#include "asperity/dynamics/free_bodies/constraint.h"
#include "asperity/dynamics/free_bodies/lcp.h"
#include "asperity/dynamics/free_bodies/penalty.h"
#include "asperity/dynamics/free_bodies/secular.h"

namespace asperity::dynamics {
namespace {

constexpr MethodEntry methods[] = {
    {event_driven::method_name, event_driven::method_text, event_driven::carries, event_driven::make},
    {free_bodies::penalty_name, free_bodies::penalty_text, free_bodies::penalty_carries, free_bodies::make_penalty},
    {free_bodies::constraint::method_name, free_bodies::constraint::method_text, free_bodies::constraint::carries,
     free_bodies::constraint::make},
    {free_bodies::lcp::method_name, free_bodies::lcp::method_text, free_bodies::lcp::carries, free_bodies::lcp::make},
    {free_bodies::secular::method_name, free_bodies::secular::method_text, free_bodies::secular::carries, free_bodies::secular::make},
};

constexpr IntegratorEntry integrators[] = {
    {"dopri5", "Dormand-Prince 5(4), adaptive, dense output of order 4"},
    {"rk4", "classical Runge-Kutta of order 4, fixed step, cubic dense output"},
    {"verlet", "velocity Verlet of order 2, symplectic; step fixed or chosen by halving; free bodies"},
    {"symplectic4", "a composition of Verlet steps of order 4, fixed step; free bodies"},
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
