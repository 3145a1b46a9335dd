#include "asperity/dynamics/all.h"

#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/event_driven/event_driven.h"
#include "asperity/dynamics/lcp/lcp.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/secular/secular.h"

namespace asperity::dynamics {
namespace {

constexpr const MethodEntry* methods[] = {&event_driven::method, &penalty, &constraint, &lcp, &secular};

constexpr IntegratorEntry integrators[] = {
    {"dopri5", "Dormand-Prince 5(4), adaptive, dense output of order 4"},
    {"rk4", "classical Runge-Kutta of order 4, fixed step, cubic dense output"},
    {"verlet", "velocity Verlet of order 2, symplectic; step fixed or chosen by halving; bodies in empty space"},
    {"symplectic4", "a composition of Verlet steps of order 4, fixed step; bodies in empty space"},
    {"leapfrog", "drift, kick, drift of order 2, explicit, fixed step; contacts are not located"},
};

}  // namespace

std::span<const MethodEntry* const> all_methods() { return methods; }

const MethodEntry* find_method(std::string_view name) {
    for (const MethodEntry* entry : methods)
        if (entry->name == name) return entry;
    return nullptr;
}

std::span<const IntegratorEntry> all_integrators() { return integrators; }

}  // namespace asperity::dynamics
