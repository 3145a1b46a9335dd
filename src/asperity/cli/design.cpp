#include <fmt/format.h>

#include <memory>

#include "asperity/cli/stop_signal.h"
#include "asperity/cli/verbs.h"
#include "asperity/study/requirement.h"

namespace asperity::cli {
namespace {

int answer_and_tell(study::DesignRequest request) {
    const StopSignal signal;
    request.stop = &signal.is_asked();
    const study::DesignOutcome outcome = study::answer_design(request);
    if (!request.is_quiet || outcome.is_interrupted) fmt::print("{}", outcome.text);
    if (outcome.is_interrupted) return exit_environment;
    if (!request.is_quiet) fmt::print("\nwrote {0}/report.html and design.json, with tables as CSV\n", outcome.folder);
    return exit_done;
}

}  // namespace

void add_design(CLI::App& app, Action& chosen) {
    auto request = std::make_shared<study::DesignRequest>();
    CLI::App* verb = app.add_subcommand("design", "Ask a study: how large may release errors be, where is the release corridor");
    verb->add_option("FILE", request->file, "Study file")->required();
    verb->add_option("--success", request->requirement.success, "Success that is required")
        ->check(CLI::Range(0.01, 0.99999))
        ->default_val(0.99);
    verb->add_option("--confidence", request->requirement.confidence, "How sure it must be")
        ->check(CLI::Range(0.6, 0.99999))
        ->default_val(0.95);
    verb->add_option("--grow", request->grow, "Scatter of the start that grows (body.lander.start.position_sigma); all given grow together")
        ->allow_extra_args(false)
        ->take_all();
    verb->add_option("--corridor", request->corridor, "Axis of the release corridor, KEY:LOW:HIGH:COUNT; twice")
        ->allow_extra_args(false)
        ->take_all();
    verb->add_option("--set", request->sets, "Change a value of the study: key=value; may be repeated")
        ->allow_extra_args(false)
        ->take_all();
    verb->add_option("--out", request->out, "Folder for the answers (out/<study name>-design)");
    verb->add_flag("--resume", request->is_resume, "Go on with the runs in that folder, if there are any");
    verb->add_option("--runs", request->runs, "Number of runs of each setting, instead of the study's")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{4000000}));
    verb->add_option("--threads", request->threads, "Number of threads (all cores)")->check(CLI::Range(1, 4096));
    add_seed(*verb, request->seed);
    verb->add_flag("--quiet", request->is_quiet, "Print nothing but errors");
    verb->callback([request, &chosen] { chosen = [request] { return answer_and_tell(*request); }; });
}

}  // namespace asperity::cli
