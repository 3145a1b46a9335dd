// [[phase]] and [[phase.until]]: how a part of the run is computed, and what ends it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "asperity/dynamics/all.h"
#include "asperity/scenario/machinery.h"

namespace asperity::scenario {

struct GuardCondition {
    std::string signal;
    std::string of, to;
    std::optional<Loose> below, above;
};

struct GuardAction {
    std::string cut, reel, start, stop, command;
    std::optional<double> to;    // m
    std::optional<double> rate;  // m/s
    std::optional<double> throttle;
};

struct PhaseGuard {
    std::vector<GuardCondition> when;
    std::string rest, escape, companion, lock;
    std::optional<double> last_collision;  // s
    double lasting = 0;                    // s
    bool rising = false;
    std::vector<GuardAction> then;
    std::string next;
    std::string outcome;
};

struct Phase : model::Phase {
    std::vector<PhaseGuard> until;
};

template <class Visitor>
void describe(Visitor& v, GuardCondition& c) {
    v.required("signal", c.signal, what_a_signal_is);
    v.optional("of", c.of, "The body, cable, joint or engine of the signal.", "the body that moves, where there is one");
    v.optional("to", c.to, "The other body of the signal.", "none");
    v.optional("below", c.below, "It holds at this value and below.", "none; this or `above`");
    v.optional("above", c.above, "It holds at this value and above.", "none; this or `below`");
}

template <class Visitor>
void describe(Visitor& v, GuardAction& a) {
    v.optional("cut", a.cut, "A cable, which pulls no more.", "none; one of `cut`, `reel`, `start`, `stop`, `command`");
    v.optional("reel", a.reel, "A cable, whose length at rest goes to `to` at the `rate`.", "none; likewise");
    v.optional("start", a.start, "An engine, to full throttle, a controller, the motor of a joint, or a load.", "none; likewise");
    v.optional("stop", a.stop, "An engine, to no throttle, a controller, the motor of a joint, or a load.", "none; likewise");
    v.optional("command", a.command, "An engine, to the `throttle`.", "none; likewise");
    v.optional("to", a.to, si::metre, distances, "Length at rest that a cable is reeled to.", "required with `reel`");
    v.optional("rate", a.rate, si::metre_per_second, above_up_to(0, largest_speed), "How fast.", "required with `reel`");
    v.optional("throttle", a.throttle, si::one, between(0, 1), "Throttle of an engine.", "required with `command`");
}

template <class Visitor>
void describe(Visitor& v, PhaseGuard& g) {
    v.list("when", g.when, "Conditions that must hold, all of them at once.");
    v.optional("rest", g.rest, "The body that must come to rest, as the method recognises it; \"*\" for all of several.",
               "none; this, another condition by name, or `when`");
    v.optional("escape", g.escape, "The body that must leave the world for good.", "none; likewise");
    v.optional("companion", g.companion, "The body that must reach the companion of a binary.", "none; likewise");
    v.optional("lock", g.lock, "\"*\": all bodies must be locked by tides.", "none; likewise");
    v.optional("last_collision", g.last_collision, si::second, times, "Time for which no contact between bodies may have changed.",
               "none; likewise");
    v.optional("lasting", g.lasting, si::second, between(0, largest_time), "How long the conditions must have held without a break.");
    v.optional("rising", g.rising, "Whether conditions that hold when the phase begins must cease to before they count.");
    v.list("then", g.then, "What is done when they do, in order.");
    v.optional("next", g.next, "The phase that begins then, by name.", "the next one in the file; or the run ends with `outcome`");
    v.optional("outcome", g.outcome, "The name under which the run ends then.", "none: a phase begins");
}

template <class Visitor>
void describe(Visitor& v, Phase& p) {
    v.optional("name", p.name, "What the record calls this phase.", "\"phase 1\", counted");
    v.optional("method", p.method, dynamics::method_choices(), "How contact is resolved and time advances.", dynamics::usual_method_text());
    v.optional("integrator", p.integrator, dynamics::integrator_choices(), "Integrator of the smooth motion.",
               dynamics::usual_integrator_text());
    v.optional(
        "tolerance", p.tolerance, si::one, above_up_to(0, 0.1),
        "Relative error allowed in one step. Event-driven: in flight; in contact at most 1e-9, and on several contacts at once at least "
        "1e-10, whatever is asked. Constraint: about that of the energy over a run. Impulse and dvi: of the impulses of a step.",
        dynamics::usual_tolerance_text());
    v.optional("error_ratio_min", p.error_ratio_min, si::one, above_up_to(0, 1), "Error over tolerance below which the next step grows.");
    v.optional("error_ratio_max", p.error_ratio_max, si::one, above_up_to(0, 1), "Error over tolerance above which the next step shrinks.");
    v.optional("step_min", p.step_min, si::second, between(0, largest_time), "Shortest step.");
    v.optional("step_max", p.step_max, si::second, times, "Longest step; rk4, leapfrog, verlet and symplectic4: the step.");
    v.optional("speed_up", p.speed_up, si::one, between(0, 1e15),
               "Method secular: how many times faster tides and the clock run, rounded down to a power of two, at least 1; 0: as fast as "
               "is accurate.");
    v.optional("solver", p.solver, dynamics::cone_solver_choices(), "Method dvi: how impulses of a step are solved for.");
    v.optional(
        "scaling", p.scaling, si::one, between(0, 2),
        "Method dvi: part of its whole step that jacobi or gauss-seidel goes, the scaling factor of 5-anchoring; 0: 0.3 of jacobi, 1 of "
        "gauss-seidel. Jacobi diverges above 2 over the number of contacts that bodies have in common.");
    v.optional("iterations", p.iterations, at_least(1),
               "Method dvi: most iterations in a step; one that has not come to the tolerance by then ends the run as stalled.");
    v.optional(
        "flight_tolerance", p.flight_tolerance, si::one, between(0, 0.1),
        "Methods impulse and dvi, without cables or groups of many: relative error allowed in one step of a flight, in which nothing "
        "touches; 0: steps of `step_max` all the way.");
    v.optional("duration", p.duration, si::second, times,
               "Time after which the next phase begins; every phase but the last has one, or an `until`.");
    v.list("until", p.until,
           "What else ends the phase. The first in the file that holds counts, at once where it holds when the phase begins; one may be "
           "written in braces.");
}

}  // namespace asperity::scenario
