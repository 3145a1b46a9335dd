// One run in memory, without files; `run`, `reproduce` and campaigns are made of it.
#pragma once
#include <vector>

#include "asperity/analysis/metrics.h"
#include "asperity/model/model.h"
#include "asperity/model/observer.h"
#include "asperity/model/state.h"
#include "asperity/scenario/scenario.h"

namespace asperity::study {

struct Trial {
    model::Outcome outcome;
    model::State first;
    model::State last;
    std::vector<model::Event> events;
    std::vector<analysis::Metric> metrics;
};

// Runs the scenario on assets that were loaded for it. Throws InputError where it cannot start.
Trial run_trial(const scenario::Scenario& scenario, const model::Assets& assets, std::uint64_t run = 0);

// The first event of a kind at or after `from`; nullptr where there is none.
const model::Event* find_event(const Trial& trial, model::EventKind kind, std::size_t from = 0);

}  // namespace asperity::study
