#include "asperity/dynamics/dvi/dvi.h"

#include <fmt/format.h>

#include "asperity/dynamics/dvi/cone_problem.h"
#include "asperity/dynamics/dvi/cone_solvers.h"
#include "asperity/dynamics/rigid_steps.h"

namespace asperity::dynamics {
namespace {

std::string dvi_carries(const model::Census& census, const model::Phase& phase) { return rigid_steps_refuse("dvi", census, phase); }

const char* name_of(model::ConeSolver solver) {
    constexpr const char* names[] = {"jacobi", "gauss-seidel", "accelerated"};
    return names[static_cast<std::size_t>(solver)];
}

std::string why_dvi_stalled(std::size_t contacts, double residual, const model::Phase& phase) {
    return fmt::format(
        "the impulses of {} contacts have not converged: after {} iterations of {} the residual is {:.2g}, the tolerance of the phase "
        "{:g}; "
        "raise `iterations` or the tolerance, lower step_max, or take another `solver`",
        contacts, phase.iterations, name_of(phase.solver), residual, phase.tolerance);
}

constexpr model::OutcomeKind dvi_recognises[] = {model::OutcomeKind::rest};

std::unique_ptr<Method> make_dvi(const model::Model& model, const model::Phase& phase) {
    return rigid_steps(model, phase,
                       {.looks_ahead = true,
                        .solve = [problem = ConeProblem(), solvers = ConeSolvers()](
                                     const StepTask& task, HeldContacts& contacts,
                                     model::Bodies& bodies) mutable { return problem.solve(task, contacts, solvers, bodies); },
                        .why_stalled = why_dvi_stalled});
}

}  // namespace

const MethodEntry dvi{"dvi",
                      "Rigid contact by fixed steps: a cone complementarity problem, a convex programme over friction cones.",
                      model::Integrator::leapfrog,
                      1e-3,
                      dvi_carries,
                      make_dvi,
                      true,
                      dvi_recognises,
                      true};

}  // namespace asperity::dynamics
