#include "asperity/study/run.h"

#include <fmt/format.h>

#include <memory>

#include "asperity/cli/stop_signal.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"
#include "asperity/core/tell.h"
#include "asperity/core/units.h"
#include "asperity/study/shell_word.h"

namespace asperity::cli {
namespace {

std::string value_text(const record::Metric& metric) {
    const std::string unit = metric.unit.empty() ? "" : " " + metric.unit;
    if (const auto* number = std::get_if<double>(&metric.value)) return fmt::format("{:.12g}{}", *number, unit);
    if (const auto* text = std::get_if<std::string>(&metric.value)) return *text;
    const auto& list = std::get<std::vector<double>>(metric.value);
    constexpr std::size_t most = 4;
    std::string out;
    for (std::size_t i = 0; i < std::min(list.size(), most); ++i) out += fmt::format("{}{:.12g}", i == 0 ? "" : ", ", list[i]);
    if (list.size() > most) out += fmt::format(", ... ({} in all)", list.size());
    return fmt::format("[{}]{}", out, unit);
}

void print_result(const study::RunResult& result) {
    const record::Summary& summary = result.summary;
    fmt::print("{}: {} after {:.9g} s ({})\n\n", summary.scenario_name, summary.outcome_kind, summary.outcome_time,
               summary.outcome_message);
    for (const record::Metric& metric : summary.metrics)
        if (metric.name != "outcome" && !metric.is_detail) fmt::print("  {:<26}{}\n", metric.name, value_text(metric));
    if (!summary.expect.empty()) fmt::print("\n");
    for (const record::Expectation& e : summary.expect) {
        const auto text = [](const record::MetricValue& v) { return value_text({.name = {}, .value = v, .unit = {}}); };
        fmt::print("  {:<7} {} = {}, wanted {}\n", e.ok ? "ok" : "FAILED", e.metric, e.got ? text(*e.got) : "nothing", text(e.wanted));
    }
    for (const std::string& warning : summary.warnings) fmt::print("  warning: {}\n", warning);
    fmt::print("\nrecord hash {}\nwrote {}/report.html, record.h5 and summary.json ({} steps, {:.2f} s)\n", result.record_hash,
               result.folder, summary.steps, summary.wall_seconds);
}

double time_of(const std::string& text) {
    const auto parsed = parse_quantity_of(text, si::second, "--restart-time");
    if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) throw InputError(problem->what, problem->hint);
    return std::get<double>(parsed);
}

// What goes on from where the run stopped.
std::string restart_command(const study::RunRequest& request, const std::string& folder) {
    std::string command = "asperity run " + study::shell_word(request.file);
    for (const std::string& set : request.sets) command += " --set " + study::shell_word(set);
    if (request.method) command += " --method " + study::shell_word(*request.method);
    if (request.seed) command += fmt::format(" --seed {}", *request.seed);
    if (request.threads > 0) command += fmt::format(" --threads {}", request.threads);
    if (request.is_nominal) command += " --nominal";
    if (request.is_quiet) command += " --quiet";
    if (request.with_paraview) command += " --paraview";
    return command + fmt::format(" --out {} --restart {}", study::shell_word(folder), study::shell_word(folder + "/record.h5"));
}

int run_and_tell(study::RunRequest request) {
    const StopSignal signal;
    request.stop = &signal.is_asked();
    const study::RunResult result = study::run(request);
    if (result.is_stopped) {
        tell("stopped at {:.9g} s; go on with: {}\n", result.summary.outcome_time, restart_command(request, result.folder));
        return exit_environment;
    }
    return tell_result(result, request.is_quiet);
}

}  // namespace

int tell_result(const study::RunResult& result, bool is_quiet) {
    if (!is_quiet) print_result(result);
    if (result.is_trouble) {
        tell("error: {} at {:.9g} s: {}; the record up to there is in {}\n", result.summary.outcome_kind, result.summary.outcome_time,
             result.summary.outcome_message, result.folder);
        return exit_numerical;
    }
    if (!result.meets_expectations) {
        tell("error: the run did not meet its [expect]\n");
        return exit_failed;
    }
    return exit_done;
}

void add_run(CLI::App& app, Action& chosen) {
    auto request = std::make_shared<study::RunRequest>();
    CLI::App* verb = app.add_subcommand("run", "Run a scenario; write record.h5, summary.json and report.html");
    verb->add_option("FILE", request->file, "Scenario file")->required();
    verb->add_option("--set", request->sets, "Change a value: key=value; may be repeated")->allow_extra_args(false)->take_all();
    verb->add_option("--method", request->method, "Method for every phase (asperity list methods)");
    verb->add_option("--out", request->out, "Folder for the results (out/<scenario name>)");
    verb->add_option("--threads", request->threads, "Number of threads (all cores)")->check(CLI::Range(1, 4096));
    add_seed(*verb, request->seed);
    verb->add_flag("--quiet", request->is_quiet, "Print nothing but errors");
    auto* restart = verb->add_option("--restart", request->restart, "Record to go on from, at its last checkpoint");
    auto time = std::make_shared<std::string>();
    verb->add_option("--restart-time", *time, "Go on from the last checkpoint at or before this time (\"500 s\")")->needs(restart);
    verb->add_option("--wall-checkpoint", request->wall_checkpoint, "Seconds of wall time between checkpoints, for a run that is killed")
        ->check(CLI::Range(0.01, 1e6))
        ->default_val(60);
    verb->add_flag("--nominal", request->is_nominal, "Without scatter: the start as the scenario gives it, nothing drawn");
    add_force(*verb, request->is_forced);
    verb->add_flag("--paraview", request->with_paraview, "Write ParaView files as well");
    verb->callback([request, time, &chosen] {
        chosen = [request, time] {
            if (!time->empty()) request->restart_time = time_of(*time);
            return run_and_tell(*request);
        };
    });
}

}  // namespace asperity::cli
