#include "asperity/dynamics/impulse/impulse.h"

#include <fmt/format.h>

#include "asperity/dynamics/impulse/contact_solve.h"
#include "asperity/dynamics/rigid_steps.h"

namespace asperity::dynamics {
namespace {

std::string impulse_carries(const model::Census& census, const model::Phase& phase) { return rigid_steps_refuse("impulse", census, phase); }

std::string why_impulse_stalled(std::size_t contacts, double residual, const model::Phase& phase) {
    return fmt::format(
        "the impulses of {} contacts have not converged: sweeps still change them by {:.2g} of themselves; raise the tolerance of the "
        "phase, "
        "{:g}, or lower step_max",
        contacts, residual, phase.tolerance);
}

constexpr model::OutcomeKind impulse_recognises[] = {model::OutcomeKind::rest};

std::unique_ptr<Method> make_impulse(const model::Model& model, const model::Phase& phase) {
    return rigid_steps(model, phase,
                       {.solve = [solve = ContactSolve()](const StepTask& task, HeldContacts& contacts,
                                                          model::Bodies& bodies) mutable { return solve.solve(task, contacts, bodies); },
                        .why_stalled = why_impulse_stalled});
}

}  // namespace

const MethodEntry impulse{"impulse",
                          "Rigid contact by fixed steps: impulses of all contacts at once, on Coulomb's cone.",
                          model::Integrator::leapfrog,
                          1e-3,
                          impulse_carries,
                          make_impulse,
                          true,
                          impulse_recognises,
                          true};

}  // namespace asperity::dynamics
