// `asperity campaign`: a Monte Carlo campaign, the runs of a study on any number of threads and ranks. No finished run is lost, and the
// table is always the same.
//
// The folder of a study: journal (finished runs), study.toml (the study as it is run), status.json (how far it is, for scripts), and in the
// end table.csv, table.h5, summary.json and report.html, each renamed into place. All decisions (enough runs, too many failures) are made
// on the runs 0 ... n - 1 at sizes n that are known before: who finished first does not matter.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/batch/ranks.h"
#include "asperity/study/plan.h"
#include "asperity/study/run.h"

namespace asperity::study {

struct CampaignRequest {
    std::string file;
    std::vector<std::string> sets;  // key.path=value, of the study file
    std::optional<std::int64_t> seed;
    std::optional<std::int64_t> runs;
    std::string out;         // folder; empty: out/<study name>
    int threads = 0;         // of each rank; 0: its share of the cores
    double lost_after = 60;  // s without a word, then a rank is lost
    bool is_resume = false;
    bool is_quiet = false;
    bool is_forced = false;                   // run_one() overwrites the results of something else
    const std::atomic<bool>* stop = nullptr;  // where it becomes true, the study ends once the runs in flight are done; none: never
};

enum class CampaignEnd {
    complete,           // all runs, or as many as the interval needed
    interrupted,        // asked to stop; --resume goes on
    too_many_failures,  // [failures] says how many
};

struct CampaignResult {
    CampaignEnd end = CampaignEnd::complete;
    std::string folder;
    std::uint64_t runs = 0;  // in the table
    std::uint64_t failed = 0;
    std::string text;  // for the terminal
};

// Called by every rank; the result is that of rank 0. A study that is gone on with keeps its finished runs, also where fewer are asked for.
// Throws InputError before anything is written, and RuntimeError.
CampaignResult campaign(batch::Ranks& ranks, CampaignRequest request);

// One run of the study in full detail: record, summary and report in the folder run-<number> of the study. Throws InputError where the
// study has no such run, or none that has a record.
RunResult run_one(const CampaignRequest& request, std::uint64_t number);

// out/<study name>, unless the request has its own.
std::string folder_of(const CampaignRequest& request, const Plan& plan);

// The command that repeats one run in full detail.
std::string command_for_run(const CampaignRequest& request, std::uint64_t run);

}  // namespace asperity::study
