// `asperity run`: one scenario from file to record, summary and report.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/record/summary.h"
#include "asperity/scenario/scenario.h"

namespace asperity::study {

struct RunRequest {
    std::string file;
    std::vector<std::string> sets;      // key.path=value
    std::optional<std::string> method;  // for every phase
    std::optional<std::int64_t> seed;
    std::string out;  // folder; empty: out/<scenario name>
    int threads = 0;  // 0: all cores
    bool is_quiet = false;
    std::string restart;                 // record to go on from; empty: from the start
    std::optional<double> restart_time;  // s: the last checkpoint at or before it; none: the last one
    bool with_paraview = false;
    bool is_nominal = false;                  // without the scatter of the start
    bool is_forced = false;                   // overwrites the results of something else
    double wall_checkpoint = 60;              // s of wall time between checkpoints of a run that is killed before its end
    const std::atomic<bool>* stop = nullptr;  // where it becomes true, the run ends at the next step; none: never
};

struct RunResult {
    record::Summary summary;
    std::string folder;
    std::string record_hash;
    bool is_trouble = false;  // stalled or non-finite
    bool is_stopped = false;  // as asked: there is a record to go on from, without outcome, and no summary and no report
    bool meets_expectations = true;
};

// Reads the scenario of a request, with its overrides. Throws InputError.
scenario::Scenario read_request(const RunRequest& request);

// Throws InputError (nothing is written then) and RuntimeError.
RunResult run(const RunRequest& request);

// The same for a scenario that was read already; `number` is that of the run in a study, for which its scatter is drawn.
RunResult run_scenario(const RunRequest& request, const scenario::Scenario& scenario, std::uint64_t number = 0);

}  // namespace asperity::study
