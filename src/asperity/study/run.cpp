#include "asperity/study/run.h"

#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "asperity/analysis/metrics.h"
#include "asperity/analysis/signals.h"
#include "asperity/core/errors.h"
#include "asperity/core/parallel.h"
#include "asperity/core/suggest.h"
#include "asperity/core/version.h"
#include "asperity/dynamics/all.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/value_hash.h"
#include "asperity/record/paraview.h"
#include "asperity/record/recorder.h"
#include "asperity/record/shapes.h"
#include "asperity/record/writer.h"
#include "asperity/report/report.h"
#include "asperity/scenario/attributes.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/study.h"
#include "asperity/scenario/write.h"
#include "asperity/study/out_folder.h"
#include "asperity/study/progress.h"
#include "asperity/study/restart.h"
#include "asperity/study/shell_word.h"
#include "asperity/study/surface_of.h"

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

// Bodies are counted from 1, as in scenarios.
record::Bodies bodies_of(const scenario::Scenario& scenario, const model::Parameters& world) {
    const std::vector<scenario::MovingRow> names = scenario::moving_rows(scenario);
    record::Bodies bodies{.gravitational_constant = world.environment.mutual.constant};
    for (const model::BodyKind& body : world.bodies.rows()) {
        const std::size_t row = bodies.rows.size();
        bodies.rows.push_back({.name = names[row].name,
                               .shape = !body.colliders.empty() ? "colliders"
                                        : body.is_sphere()      ? "sphere"
                                                                : "ellipsoid",
                               .mass = body.mass,
                               .semi_axes = body.semi_axes,
                               .inertia = body.inertia,
                               .material = body.material,
                               .group = world.bodies.group[row]});
    }
    return bodies;
}

// Bodies whose motion is given: those that can be touched, and those that only attract.
std::vector<record::GivenBody> given_bodies(const scenario::Scenario& scenario, const model::Parameters& world) {
    std::vector<record::GivenBody> out;
    const std::vector<const scenario::Body*> driven = scenario::driven_bodies(scenario);
    std::array<bool, 2> is_there{};  // the surface of the ground, of the companion
    for (std::size_t k = 0; k < world.driven.size(); ++k) {
        out.push_back({driven[k]->name, world.driven[k].colliders, world.driven[k].motion});
        for (const model::Collider& collider : world.driven[k].colliders)
            if (const auto* mesh = std::get_if<model::MeshShape>(&collider.shape)) is_there[mesh->surface] = true;
    }
    const gravity::SmallBody* small = model::small_body(world.environment);
    if (small == nullptr) return out;
    const scenario::Roles roles = scenario::roles_of(scenario);
    if (small->is_inertial && !is_there[0] && roles.ground != nullptr)
        out.push_back({roles.ground->name, {{.shape = model::MeshShape{0}}}, model::motion_of_target(*small)});
    if (small->has_companion && !is_there[1] && roles.companion != nullptr)
        out.push_back({roles.companion->name, {{.shape = model::MeshShape{1}}}, model::motion_of_companion(*small)});
    return out;
}

// Of all that semi-axes do not tell.
record::Shapes shapes_of(const scenario::Scenario& scenario, const model::Model& model) {
    record::Shapes shapes;
    const model::Parameters& world = model.parameters;
    const std::vector<scenario::MovingRow> names = scenario::moving_rows(scenario);
    for (std::size_t row = 0; row < world.bodies.size();) {
        const std::size_t first = row;
        while (row < world.bodies.size() && world.bodies.kind[row] == world.bodies.kind[first]) ++row;
        for (const model::Collider& collider : world.bodies[first].colliders)
            add_shape(
                model, collider,
                {.body = static_cast<std::int64_t>(first), .count = static_cast<std::int64_t>(row - first), .name = names[first].name},
                shapes);
    }
    for (const model::Collider& collider : world.ground)
        if (!std::holds_alternative<model::MeshShape>(collider.shape)) add_shape(model, collider, {.name = "ground"}, shapes);
    auto row = static_cast<std::int64_t>(world.bodies.size());
    for (const record::GivenBody& body : given_bodies(scenario, world)) {
        for (const model::Collider& collider : body.colliders) add_shape(model, collider, {.body = row, .name = body.name}, shapes);
        ++row;
    }
    return shapes;
}

// What [output.group.NAME] says of the bodies of one name, or what holds if it says nothing.
scenario::GroupOutput output_of(const scenario::Scenario& scenario, const std::string& name) {
    for (const scenario::GroupOutput& group : scenario.output.groups)
        if (group.name == name) return group;
    return {.name = name};
}

// The names of groups of many, in their order.
std::vector<std::pair<std::string, model::Group>> groups_of(const scenario::Scenario& scenario, const model::Parameters& world) {
    std::vector<std::pair<std::string, model::Group>> out;
    const std::vector<const scenario::Body*> moving = scenario::roles_of(scenario).moving;
    for (const model::Group& group : world.bodies.groups)
        if (group.count > 1) out.emplace_back(moving[world.bodies.kind[group.first]]->name, group);  // a kind is a section of the file
    return out;
}

// The interval between the frames of each group, in samples.
std::vector<record::FrameInterval> frame_intervals(const scenario::Scenario& scenario, const model::Parameters& world) {
    constexpr double usual_frames = 300;
    std::vector<record::FrameInterval> out;
    for (const auto& [name, rows] : groups_of(scenario, world)) {
        const double samples = scenario.end.time / scenario.output.sample_every.value_or(scenario.end.time);
        const auto usual = static_cast<std::int64_t>(std::ceil(samples / usual_frames));
        out.push_back({.every = output_of(scenario, name).every.value_or(std::max(std::int64_t{1}, usual))});
    }
    return out;
}

// Time and every named signal, without rows.
std::vector<record::Column> signal_columns(const model::Parameters& world) {
    std::vector<record::Column> columns;
    if (world.signals.empty()) return columns;
    columns.push_back({.name = "time", .unit = "s", .description = "Time of the sample.", .values = std::vector<double>{}});
    for (const model::NamedSignal& named : world.signals)
        columns.push_back({.name = named.name,
                           .unit = analysis::nature_of(named.signal.kind).unit,
                           .description = "As [signal.NAME] of the scenario says.",
                           .values = std::vector<double>{}});
    return columns;
}

record::RecordWriter open_record(const RunRequest& request, const scenario::Scenario& scenario, const fs::path& folder,
                                 scenario::Compiled& compiled) {
    const fs::path path = folder / "record.h5";
    const record::Publishing publishing{.stale = {folder / "summary.json", folder / "report.html"}};
    const record::Surface surface = shown_ground(compiled.model, compiled.state.bodies);
    const auto require_folder = [&] {
        if (!request.is_forced) require_own_folder(folder, header_of(scenario), request.restart);
    };
    if (request.restart.empty()) {
        require_folder();
        record::RecordWriter writer(path, header_of(scenario), scenario::resolved_toml(scenario), publishing);
        writer.add_surface(surface);
        writer.add_bodies(bodies_of(scenario, compiled.model.parameters));
        writer.add_shapes(shapes_of(scenario, compiled.model));
        writer.add_signals(signal_columns(compiled.model.parameters));
        for (const auto& [name, rows] : groups_of(scenario, compiled.model.parameters)) {
            const scenario::GroupOutput wanted = output_of(scenario, name);
            writer.add_group({.name = name,
                              .first = rows.first,
                              .count = rows.count,
                              .stride = wanted.stride,
                              .has_orientation = wanted.orientation,
                              .has_velocity = wanted.velocity,
                              .has_spin = wanted.spin});
        }
        return writer;
    }
    const record::Record old = record::read_record(request.restart);
    const std::int64_t index = request.restart_time ? record::last_checkpoint_before(request.restart, *request.restart_time)
                                                    : record::last_checkpoint(request.restart);
    const record::Checkpoint& checkpoint = old.checkpoints[static_cast<std::size_t>(index)];
    require_same_run(request.restart, old, checkpoint.time, scenario, surface);
    require_folder();
    compiled.state = checkpoint.state;
    return record::RecordWriter::continue_from(
        request.restart, index, path,
        {.header = header_of(scenario), .scenario = scenario::resolved_toml(scenario), .publishing = publishing});
}

// Runs the simulation; none if it was stopped. The record then has a checkpoint to restart from.
std::optional<model::Outcome> simulated(const RunRequest& request, scenario::Compiled& compiled, record::Recorder& recorder,
                                        const std::string& title) {
    const model::Parameters& parameters = compiled.model.parameters;
    Progress progress(title, request.is_quiet);
    WatchedObserver watched(recorder, progress, parameters.end_time, request.stop);
    try {
        const model::Outcome outcome = dynamics::simulate(compiled.model, compiled.state, watched);
        const bool is_out_of_steps = outcome.kind == model::OutcomeKind::stalled && compiled.state.clock.steps >= parameters.step_budget;
        if (is_out_of_steps) recorder.stop(compiled.state);  // a larger budget takes it further
        return outcome;
    } catch (const Stopped&) {
        recorder.stop(compiled.state);
        return {};
    }
}

// The methods of its phases, in order, each once.
std::string methods_of(const scenario::Scenario& scenario) {
    std::vector<std::string> methods;
    for (const model::Phase& phase : scenario.phases)
        if (std::find(methods.begin(), methods.end(), phase.method) == methods.end()) methods.push_back(phase.method);
    return fmt::format("{}", fmt::join(methods, ", "));
}

record::Summary summary_of(const RunRequest& request, const scenario::Scenario& scenario, const model::State& state) {
    return {.asperity = version(),
            .scenario_name = scenario.name,
            .scenario_description = scenario.description,
            .scenario_file = request.file,
            .scenario_hash = scenario::scenario_hash(scenario),
            .method = methods_of(scenario),
            .seed = static_cast<std::uint64_t>(scenario.seed),
            .threads = thread_count(),
            .steps = state.clock.steps,
            .state_hash = hex_text(model::state_hash(state)),
            .outcome_time = state.clock.time()};
}

// The description of a metric, as in `asperity list metrics`.
std::string sentence_of(const std::string& metric) {
    const analysis::MetricEntry* entry = analysis::find_metric(metric);
    return entry != nullptr ? entry->text : "";
}

using Clock = std::chrono::steady_clock;

// Report, summary and ParaView files of a record that stands in its place.
void write_results(const RunRequest& request, Clock::time_point begin, RunResult& result) {
    const fs::path folder = result.folder;
    const record::Record record = record::read_record(folder / "record.h5");
    result.record_hash = record::record_hash(record);
    // of the record: rows from before a restart are there too
    result.summary.event_hash = hex_text(model::event_hash(record.events));
    result.summary.sample_hash = hex_text(model::sample_hash(record.samples));
    const record::Summary shown = record::parse_summary(record::summary_text(result.summary), "summary.json");
    report::write_report(folder, record, shown);
    if (request.with_paraview) {
        record::write_paraview(record, folder / "paraview");
        record::write_paraview_groups(folder / "record.h5", record, folder / "paraview");
    }
    // last, so that the time is that of everything before it
    result.summary.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    record::write_summary(folder / "summary.json", result.summary);
    result.summary.warnings = shown.warnings;
}

}  // namespace

scenario::Scenario read_request(const RunRequest& request) {
    if (request.method && dynamics::find_method(*request.method) == nullptr) {
        std::vector<std::string> known;
        for (const dynamics::MethodEntry* entry : dynamics::all_methods()) known.emplace_back(entry->name);
        throw InputError({{.what = fmt::format("there is no method `{}`", *request.method),
                           .hint = did_you_mean(*request.method, known),
                           .note = "known here: " + joined(known)}});
    }
    if (scenario::is_study(request.file))
        throw InputError(
            fmt::format("{} is a study: many runs", request.file),
            fmt::format("asperity campaign {0} runs them, asperity campaign {0} --only 0 one of them", shell_word(request.file)));
    scenario::Scenario scenario =
        scenario::read_scenario(request.file, {.sets = request.sets, .seed = request.seed, .method = request.method});
    return request.is_nominal ? scenario::without_scatter(std::move(scenario)) : scenario;
}

RunResult run(const RunRequest& request) {
    const ThreadLimit limit(request.threads);
    return run_scenario(request, read_request(request));
}

RunResult run_scenario(const RunRequest& request, const scenario::Scenario& scenario, std::uint64_t number) {
    const Clock::time_point begin = Clock::now();
    const model::Assets assets = load_assets(scenario, request.is_quiet, request.stop);
    scenario::Compiled compiled = scenario::compile(scenario, assets, number);
    std::vector<std::string> doubts = scenario::doubts(compiled);
    doubts.insert(doubts.end(), assets.warnings.begin(), assets.warnings.end());

    const fs::path folder = request.out.empty() ? fs::path("out") / scenario.name : fs::path(request.out);
    record::RecordWriter writer = open_record(request, scenario, folder, compiled);
    constexpr double never = std::numeric_limits<double>::infinity();
    record::Recorder recorder(&writer,
                              {.sample = scenario.output.sample_every.value_or(never),
                               .checkpoint = scenario.output.checkpoint_every.value_or(never),
                               .wall = request.wall_checkpoint},
                              frame_intervals(scenario, compiled.model.parameters));
    const std::optional<model::Outcome> outcome = simulated(request, compiled, recorder, scenario.name);

    RunResult result{.summary = summary_of(request, scenario, compiled.state), .folder = folder.string(), .is_stopped = !outcome};
    if (!outcome) {
        writer.close();
        return result;
    }
    const model::Parameters& world = compiled.model.parameters;
    writer.add_given(record::given_rows(given_bodies(scenario, world), world.bodies.size(), scenario.output.sample_every.value_or(never),
                                        outcome->time));
    writer.add_cables(record::cable_rows(world.cables, compiled.state.cables));
    const model::State first = scenario::compile(scenario, assets, number).state;  // made again: a copy of many bodies is large
    const std::vector<analysis::Metric> metrics = analysis::metrics(compiled.model, first, compiled.state, recorder.events(), *outcome);
    for (const analysis::Metric& metric : metrics) {
        result.summary.metrics.push_back({.name = metric.name,
                                          .value = metric.value,
                                          .unit = metric.unit,
                                          .description = sentence_of(metric.name),
                                          .is_detail = metric.is_detail});
        if (!metric.is_detail) writer.add_metric(result.summary.metrics.back());
    }
    result.summary.outcome_kind = outcome->label();
    result.summary.outcome_time = outcome->time;
    result.summary.outcome_message = outcome->message;
    result.summary.expect = scenario::check_expectations(scenario.expect, metrics);
    result.summary.warnings = doubts;
    for (const std::string& warning : writer.warnings()) result.summary.warnings.push_back(warning);
    for (std::string& warning : analysis::doubts(compiled.model, metrics)) result.summary.warnings.push_back(std::move(warning));
    result.is_trouble = outcome->is_trouble();
    for (const record::Expectation& expectation : result.summary.expect) result.meets_expectations &= expectation.ok;
    writer.set_outcome(*outcome);
    writer.close();

    write_results(request, begin, result);
    return result;
}

}  // namespace asperity::study
