#include "asperity/model/configuration.h"
#include "asperity/model/model.h"
#include "asperity/model/observer.h"

namespace asperity::model {

const char* name(EventKind kind) {
    switch (kind) {
        case EventKind::impact: return "impact";
        case EventKind::settle: return "settle";
        case EventKind::slide: return "slide";
        case EventKind::roll: return "roll";
        case EventKind::transfer: return "transfer";
        case EventKind::separation: return "separation";
        case EventKind::gather: return "gather";
        case EventKind::rest: return "rest";
        case EventKind::phase: return "phase";
        case EventKind::rock: return "rock";
        case EventKind::lock: return "lock";
    }
    return "?";
}

const char* name(Configuration configuration) {
    switch (configuration) {
        case Configuration::none: return "none";
        case Configuration::lagrange_resting: return "Lagrange Resting";
        case Configuration::euler_resting: return "Euler Resting";
        case Configuration::v_rest: return "V-Rest";
        case Configuration::aligned_mixed: return "Aligned Mixed";
        case Configuration::transverse_mixed: return "Transverse Mixed";
        case Configuration::lagrange_orbiting: return "Lagrange Orbiting";
        case Configuration::euler_orbiting: return "Euler Orbiting";
        case Configuration::resting_pair: return "Resting Pair";
        case Configuration::orbiting_pair: return "Orbiting Pair";
        case Configuration::bound_one_contact: return "bound, one contact";
        case Configuration::bound_no_contact: return "bound, no contact";
        case Configuration::escaping_pair: return "escaping pair";
        case Configuration::dispersing: return "dispersing";
    }
    return "?";
}

const char* name(Mode mode) {
    switch (mode) {
        case Mode::flight: return "flight";
        case Mode::slide: return "slide";
        case Mode::roll: return "roll";
        case Mode::several: return "several";
        case Mode::rest: return "rest";
        case Mode::touching: return "touching";
        case Mode::parting: return "parting";
        case Mode::left: return "left";
    }
    return "?";
}

const char* name(OutcomeKind kind) {
    switch (kind) {
        case OutcomeKind::rest: return "rest";
        case OutcomeKind::escaped: return "escaped";
        case OutcomeKind::timed_out: return "timed_out";
        case OutcomeKind::orbiting: return "orbiting";
        case OutcomeKind::companion: return "companion";
        case OutcomeKind::stalled: return "stalled";
        case OutcomeKind::non_finite: return "non_finite";
        case OutcomeKind::overlap: return "overlap";
        case OutcomeKind::completed: return "completed";
        case OutcomeKind::locked: return "locked";
        case OutcomeKind::named: return "named";
    }
    return "?";
}

}  // namespace asperity::model
