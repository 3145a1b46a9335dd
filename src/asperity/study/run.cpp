#include "asperity/study/run.h"

#include <chrono>
#include <filesystem>
#include <limits>
#include <map>

#include "asperity/core/errors.h"
#include "asperity/core/parallel.h"
#include "asperity/core/suggest.h"
#include "asperity/core/version.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/record/paraview.h"
#include "asperity/record/recorder.h"
#include "asperity/record/writer.h"
#include "asperity/report/report.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/write.h"
#include "asperity/study/progress.h"
#include "asperity/study/trial.h"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;

record::Header header_of(const scenario::Scenario& scenario) {
    return {.asperity_version = version(),
            .git_commit = commit(),
            .compiler = __VERSION__,
            .compiler_flags = build_flags(),
            .scenario_name = scenario.name,
            .scenario_hash = scenario::scenario_hash(scenario)};
}

record::Surface surface_of(const geometry::SurfaceMesh& mesh) {
    record::Surface surface{.vertices = mesh.vertices, .facets = {}};
    for (const geometry::Facet& facet : mesh.facets) surface.facets.push_back({facet.vertex[0], facet.vertex[1], facet.vertex[2]});
    return surface;
}

record::RecordWriter open_record(const RunRequest& request, const scenario::Scenario& scenario, const fs::path& path,
                                 const model::Assets& assets, model::State& state) {
    const std::string text = scenario::resolved_toml(scenario);
    if (request.restart.empty()) {
        record::RecordWriter writer(path, header_of(scenario), text);
        writer.add_surface(surface_of(assets.surface));
        return writer;
    }
    const record::Record old = record::read_record(request.restart);
    if (old.scenario != text)
        throw InputError(fmt::format("the record {} was made from another scenario (hash {}, this one has {})", request.restart,
                                     old.header.scenario_hash, scenario::scenario_hash(scenario)),
                         "restart with the same file, --set and --seed; the record holds the scenario as it was run");
    const std::int64_t index = request.restart_time ? record::last_checkpoint_before(request.restart, *request.restart_time)
                                                    : record::last_checkpoint(request.restart);
    state = record::read_checkpoint(request.restart, index);
    return record::RecordWriter::continue_from(request.restart, index, path, header_of(scenario));
}

std::vector<record::Expectation> checked(const scenario::Scenario& scenario, const std::vector<analysis::Metric>& metrics) {
    std::map<std::string, scenario::Metric> by_name;
    for (const analysis::Metric& metric : metrics) by_name[metric.name] = {.value = metric.value, .unit = metric.unit};
    std::vector<record::Expectation> out;
    for (const scenario::ExpectResult& result : scenario::check_expectations(scenario.expect, by_name))
        out.push_back({.metric = result.metric, .wanted = result.wanted, .got = result.got, .ok = result.ok});
    return out;
}

}  // namespace

scenario::Scenario read_request(const RunRequest& request) {
    scenario::Scenario scenario = scenario::read_scenario(request.file, {.sets = request.sets, .seed = request.seed});
    if (request.method) {
        std::vector<std::string> known;
        for (const auto& entry : dynamics::all_methods()) known.emplace_back(entry.name);
        if (dynamics::find_method(*request.method) == nullptr)
            throw InputError({{.what = fmt::format("there is no method `{}`", *request.method),
                               .hint = did_you_mean(*request.method, known),
                               .note = "known here: " + joined(known)}});
        for (model::Phase& phase : scenario.phases) phase.method = *request.method;
    }
    return scenario;
}

RunResult run(const RunRequest& request) {
    const auto begin = std::chrono::steady_clock::now();
    const ThreadLimit limit(request.threads);
    const scenario::Scenario scenario = read_request(request);
    const model::Assets assets = scenario::load_assets(scenario);
    scenario::Compiled compiled = scenario::compile(scenario, assets);
    const model::State first = compiled.state;

    const fs::path folder = request.out.empty() ? fs::path("out") / scenario.name : fs::path(request.out);
    const fs::path path = folder / "record.h5";
    record::RecordWriter writer = open_record(request, scenario, path, assets, compiled.state);
    constexpr double never = std::numeric_limits<double>::infinity();
    record::Recorder recorder(
        &writer, {.sample = scenario.output.sample_every.value_or(never), .checkpoint = scenario.output.checkpoint_every.value_or(never)});
    model::Outcome outcome;
    {
        Progress progress(scenario.name, request.is_quiet);
        WatchedObserver watched(recorder, progress, scenario.end.time);
        outcome = dynamics::simulate(compiled.model, compiled.state, watched);
    }
    const std::vector<analysis::Metric> metrics = analysis::metrics(compiled.model, first, compiled.state, recorder.events(), outcome);

    RunResult result{.summary = {.asperity = version(),
                                 .scenario_name = scenario.name,
                                 .scenario_file = request.file,
                                 .scenario_hash = scenario::scenario_hash(scenario),
                                 .method = scenario.phases.front().method,
                                 .seed = static_cast<std::uint64_t>(scenario.seed),
                                 .threads = thread_count(),
                                 .steps = compiled.state.clock.steps,
                                 .outcome_kind = name(outcome.kind),
                                 .outcome_time = outcome.time,
                                 .outcome_message = outcome.message,
                                 .expect = checked(scenario, metrics)},
                     .folder = folder.string(),
                     .is_trouble = outcome.is_trouble()};
    for (const analysis::Metric& metric : metrics) {
        result.summary.metrics.push_back({.name = metric.name, .value = metric.value, .unit = metric.unit});
        writer.add_metric(result.summary.metrics.back());
    }
    for (const record::Expectation& expectation : result.summary.expect) result.meets_expectations &= expectation.ok;
    writer.set_outcome(outcome);
    writer.close();
    result.record_hash = record::record_hash(path);
    result.summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    record::write_summary(folder / "summary.json", result.summary);
    report::write_report(folder);
    if (request.with_paraview) record::write_paraview(record::read_record(path), folder / "paraview");
    return result;
}

}  // namespace asperity::study
