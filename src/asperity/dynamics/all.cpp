#include "asperity/dynamics/all.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "asperity/dynamics/constraint/constraint.h"
#include "asperity/dynamics/dvi/dvi.h"
#include "asperity/dynamics/event_driven/event_driven.h"
#include "asperity/dynamics/impulse/impulse.h"
#include "asperity/dynamics/lcp/lcp.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/secular/secular.h"

namespace asperity::dynamics {
namespace {

constexpr const MethodEntry* methods[] = {&event_driven::method, &penalty, &impulse, &dvi, &constraint, &lcp, &secular};

constexpr IntegratorEntry integrators[] = {
    {"dopri5", "Dormand-Prince 5(4), adaptive, with dense output of order 4."},
    {"rk4",
     "Classical Runge-Kutta of order 4, fixed step `step_max`, cubic dense output; event-driven: in flight, contact motion takes steps "
     "within the tolerance."},
    {"verlet", "Velocity Verlet of order 2, symplectic: step `step_max`, or chosen by halving; not event-driven."},
    {"symplectic4", "A composition of Verlet steps of order 4, fixed step `step_max`; not event-driven."},
    {"leapfrog",
     "Drift, kick, drift of order 2, explicit, fixed step `step_max`; penalty, impulse and dvi, changes of contact are not located."},
};

// "dopri5; impulse: leapfrog; constraint and secular: symplectic4": what is usual, and which methods have what else.
template <class Text>
std::string by_method(const Text& text_of, const MethodEntry& usual) {
    std::string out = text_of(usual);
    std::vector<std::string> told{out};
    for (const MethodEntry* entry : methods) {
        const std::string text = text_of(*entry);
        if (std::ranges::find(told, text) != told.end()) continue;
        told.push_back(text);
        std::vector<std::string> names;
        for (const MethodEntry* other : methods)
            if (text_of(*other) == text) names.emplace_back(other->name);
        out += fmt::format("; {}: {}", fmt::join(names, " and "), text);
    }
    return out;
}

}  // namespace

std::span<const MethodEntry* const> all_methods() { return methods; }

const MethodEntry* find_method(std::string_view name) {
    for (const MethodEntry* entry : methods)
        if (entry->name == name) return entry;
    return nullptr;
}

const MethodEntry& usual_method(bool has_ground) { return has_ground ? event_driven::method : constraint; }

std::span<const IntegratorEntry> all_integrators() { return integrators; }

std::vector<Choice<std::string>> method_choices() {
    std::vector<Choice<std::string>> choices;
    for (const MethodEntry* entry : methods) choices.push_back({entry->name, entry->name, entry->text});
    return choices;
}

std::vector<Choice<model::Integrator>> integrator_choices() {
    std::vector<Choice<model::Integrator>> choices;
    for (std::size_t i = 0; i < std::size(integrators); ++i)
        choices.push_back({integrators[i].name, static_cast<model::Integrator>(i), integrators[i].text});
    return choices;
}

std::vector<Choice<model::ConeSolver>> cone_solver_choices() {
    return {{"jacobi", model::ConeSolver::jacobi, "Projected Jacobi: all contacts at once, `scaling` of the way; threads."},
            {"gauss-seidel", model::ConeSolver::gauss_seidel, "Projected Gauss-Seidel: contacts in turn, forwards and backwards."},
            {"accelerated", model::ConeSolver::accelerated,
             "Accelerated projected gradient descent with adaptive restart (Nesterov); threads."}};
}

const char* usual_method_text() {
    static const std::string text = fmt::format("{} where there is ground, else {}", usual_method(true).name, usual_method(false).name);
    return text.c_str();
}

const char* usual_integrator_text() {
    static const std::string text = by_method(
        [](const MethodEntry& entry) { return std::string(integrators[static_cast<std::size_t>(entry.integrator)].name); }, penalty);
    return text.c_str();
}

const char* usual_tolerance_text() {
    static const std::string text = by_method([](const MethodEntry& entry) { return fmt::format("{:g}", entry.tolerance); }, penalty);
    return text.c_str();
}

}  // namespace asperity::dynamics
