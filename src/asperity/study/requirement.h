// `asperity design`: the margin and the release corridor of a study, which need runs of their own.
//
//   --grow KEY       how far may the scatter of the start grow (margin.h)?
//   --corridor KEY   over which values of two keys is the success sure, as a grid: each cell is the whole study at these values
//
// A cell or a factor is computed with runs 0 ... n - 1 of the study, the same draws each time. The folder has a journal of all of them, as
// that of a campaign: --resume goes on; and in the end design.json, grow.csv, corridor.csv and report.html.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/statistics/margin.h"

namespace asperity::study {

struct DesignRequest {
    std::string file;
    std::vector<std::string> sets;  // key.path=value, of the study file
    std::optional<std::int64_t> seed;
    std::optional<std::int64_t> runs;
    statistics::Requirement requirement;
    std::vector<std::string> grow;      // keys of the start's scatter
    std::vector<std::string> corridor;  // "key:low:high:count", two of them
    std::string out;                    // folder; empty: out/<study name>-design
    int threads = 0;                    // 0: all cores
    bool is_resume = false;
    bool is_quiet = false;
    const std::atomic<bool>* stop = nullptr;
};

struct DesignOutcome {
    bool is_interrupted = false;
    std::string folder;
    std::string text;  // for the terminal
};

// Throws InputError before anything is run, and RuntimeError.
DesignOutcome answer_design(const DesignRequest& request);

}  // namespace asperity::study
