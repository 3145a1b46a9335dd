#include "asperity/study/campaign.h"

#include <fmt/format.h>

#include <csignal>
#include <memory>

#include "asperity/cli/on_ranks.h"
#include "asperity/cli/stop_signal.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"
#include "asperity/core/tell.h"

namespace asperity::cli {
namespace {

int run_one_and_tell(study::CampaignRequest request, std::int64_t number) {
    const StopSignal signal;
    request.stop = &signal.is_asked();
    const study::RunResult result = study::run_one(request, static_cast<std::uint64_t>(number));
    return result.is_stopped ? static_cast<int>(exit_environment) : tell_result(result, request.is_quiet);
}

int run_and_tell(batch::Ranks& ranks, study::CampaignRequest request) {
    if (!ranks.is_first())  // the first rank decides: one that is ended by itself takes the whole job with it
        for (const int number : stop_signals) std::signal(number, SIG_IGN);
    const StopSignal signal;
    request.stop = &signal.is_asked();
    const study::CampaignResult result = study::campaign(ranks, request);
    if (!ranks.is_first()) return exit_done;
    if (!request.is_quiet || result.end != study::CampaignEnd::complete) fmt::print("{}", result.text);
    switch (result.end) {
        case study::CampaignEnd::interrupted: return exit_environment;
        case study::CampaignEnd::too_many_failures:
            tell("error: {} of {} runs failed: the study was stopped ([failures] says how many may); the table has what there is\n",
                 result.failed, result.runs);
            return exit_numerical;
        case study::CampaignEnd::complete: break;
    }
    if (!request.is_quiet) fmt::print("\nwrote {0}/report.html, table.csv, table.h5 and summary.json\n", result.folder);
    return exit_done;
}

}  // namespace

void add_campaign(CLI::App& app, Action& chosen) {
    auto request = std::make_shared<study::CampaignRequest>();
    CLI::App* verb = app.add_subcommand("campaign", "Run a study: a scenario many times, with some of its values drawn; also under mpirun");
    verb->add_option("FILE", request->file, "Study file")->required();
    verb->add_option("--set", request->sets, "Change a value of the study: key=value; may be repeated")
        ->allow_extra_args(false)
        ->take_all();
    verb->add_option("--out", request->out, "Folder for the results (out/<study name>)");
    verb->add_flag("--resume", request->is_resume, "Go on with the study in that folder, if there is one");
    verb->add_option("--runs", request->runs, "Number of runs, instead of the study's")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{4000000000}));
    verb->add_option("--threads", request->threads, "Threads of each process (its share of the cores)")->check(CLI::Range(1, 4096));
    add_seed(*verb, request->seed);
    verb->add_option("--lost-after", request->lost_after, "Seconds without a word after which a rank counts as lost")
        ->check(CLI::Range(1.0, 86400.0))
        ->default_val(60);
    auto only = std::make_shared<std::int64_t>(-1);
    verb->add_option("--only", *only, "Compute one run of the study in full detail, into the folder run-N of the study")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{4000000000}))
        ->type_name("N");
    verb->add_flag("--force", request->is_forced, "With --only: overwrite the results of something else that stand in its folder");
    verb->add_flag("--quiet", request->is_quiet, "Print nothing but errors");
    verb->callback([request, only, &chosen] {
        chosen = [request, only] {
            if (*only >= 0) return run_one_and_tell(*request, *only);
            return exit_code_on_ranks([&](batch::Ranks& ranks) { return run_and_tell(ranks, *request); });
        };
    });
}

}  // namespace asperity::cli
