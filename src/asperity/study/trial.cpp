#include "asperity/study/trial.h"

#include "asperity/dynamics/simulate.h"
#include "asperity/record/recorder.h"
#include "asperity/scenario/compile.h"

namespace asperity::study {

Trial run_trial(const scenario::Scenario& scenario, const model::Assets& assets, std::uint64_t run) {
    scenario::Compiled compiled = scenario::compile(scenario, assets, run);
    Trial trial;
    trial.first = compiled.state;
    record::Recorder recorder(nullptr, {});
    trial.outcome = dynamics::simulate(compiled.model, compiled.state, recorder);
    trial.last = std::move(compiled.state);
    trial.events = recorder.events();
    trial.metrics = analysis::metrics(compiled.model, trial.first, trial.last, trial.events, trial.outcome);
    return trial;
}

const model::Event* find_event(const Trial& trial, model::EventKind kind, std::size_t from) {
    for (std::size_t i = from; i < trial.events.size(); ++i)
        if (trial.events[i].kind == kind) return &trial.events[i];
    return nullptr;
}

}  // namespace asperity::study
