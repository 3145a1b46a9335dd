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
        case EventKind::release: return "release";
        case EventKind::gather: return "gather";
        case EventKind::rest: return "rest";
        case EventKind::phase: return "phase";
        case EventKind::rock: return "rock";
        case EventKind::lock: return "lock";
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
        case OutcomeKind::completed: return "completed";
        case OutcomeKind::locked: return "locked";
    }
    return "?";
}

}  // namespace asperity::model
