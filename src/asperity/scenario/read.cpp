#include "asperity/scenario/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "asperity/geometry/builtin_shapes.h"
#include "asperity/scenario/check.h"
#include "asperity/scenario/document.h"
#include "asperity/scenario/reader.h"
#include "asperity/scenario/study.h"

namespace asperity::scenario {
namespace {

namespace fs = std::filesystem;

// Method, integrator and tolerance of a phase of free bodies, where the file does not say.
void suit_free_bodies(model::Phase& phase, const Places& places, const std::string& path, bool has_method) {
    const auto is_given = [&](const char* key) { return places.contains(path + key); };
    if (!has_method && !is_given("method")) phase.method = "constraint";
    if (!is_given("integrator"))
        phase.integrator =
            phase.method == "constraint" || phase.method == "secular" ? model::Integrator::symplectic4 : model::Integrator::dopri5;
    if (!is_given("tolerance")) phase.tolerance = 1e-9;
}

// Defaults that follow from other values.
void fill_derived(Scenario& scenario, const std::optional<std::string>& method) {
    if (scenario.name.empty()) scenario.name = fs::path(scenario.file).stem().string();
    if (!scenario.output.sample_every) scenario.output.sample_every = scenario.end.time / 5000;
    if (scenario.phases.empty()) scenario.phases.push_back({.method = methods[0].value});
    for (std::size_t i = 0; i < scenario.phases.size(); ++i) {
        if (method) scenario.phases[i].method = *method;
        if (scenario.world.is_free())
            suit_free_bodies(scenario.phases[i], scenario.places, fmt::format("phase.{}.", i), method.has_value());
        if (scenario.phases[i].name.empty()) scenario.phases[i].name = fmt::format("phase {}", i + 1);
    }
}

// A path that an included file names is relative to that file; from here on it is relative to the file that was read.
void rebase(const std::string& file, const Places& places, const char* key, std::string& path) {
    const auto place = places.find(key);
    if (path.empty() || place == places.end() || place->second.line == 0 || place->second.file == file) return;
    const fs::path from_here = (fs::path(place->second.file).parent_path() / path).lexically_normal();
    const fs::path base = fs::path(file).parent_path();
    const fs::path relative =
        from_here.is_absolute() == base.is_absolute() ? from_here.lexically_relative(base.empty() ? "." : base) : fs::path{};
    path = relative.empty() ? from_here.string() : relative.string();
}

// A body names a file or a built-in shape; a file wins, as in body_surface().
void rebase_body(const Scenario& scenario, const std::string& section, BodyWorld& body) {
    std::string shape = body.shape;
    rebase(scenario.file, scenario.places, (section + ".shape").c_str(), shape);
    std::error_code error;
    if (geometry::find_builtin_shape(body.shape) == nullptr || fs::exists(fs::path(scenario.file).parent_path() / shape, error))
        body.shape = shape;
    rebase(scenario.file, scenario.places, (section + ".facet_values").c_str(), body.facet_values);
}

void rebase_paths(Scenario& scenario) {
    if (auto* mesh = std::get_if<MeshWorld>(&scenario.world.shape)) rebase(scenario.file, scenario.places, "world.file", mesh->file);
    if (auto* body = std::get_if<BodyWorld>(&scenario.world.shape)) rebase_body(scenario, "world", *body);
    if (scenario.companion) rebase_body(scenario, "companion", scenario.companion->body);
}

Scenario scenario_of(const Document& document, const std::string& file, const ReadOptions& options) {
    Scenario scenario;
    scenario.file = file;
    Reading reading{.document = document, .places = {}, .problems = {}, .failed = {}};
    Reader reader(reading, &document.root, "", "");
    describe(reader, scenario);
    reader.finish();
    if (options.seed) scenario.seed = *options.seed;
    if (options.seed && *options.seed < 0)
        reading.problems.push_back({.what = fmt::format("`--seed` must not be negative, got {}", *options.seed)});
    scenario.places = std::move(reading.places);
    rebase_paths(scenario);
    fill_derived(scenario, options.method);
    for (Problem& problem : cross_check(scenario, reading.failed)) reading.problems.push_back(std::move(problem));
    reading.require_no_problem();
    return scenario;
}

// A study as the file has it.
Study study_of(const Document& document, const std::string& file) {
    Study study;
    study.file = file;
    Reading reading{.document = document, .places = {}, .problems = {}, .failed = {}};
    Reader reader(reading, &document.root, "", "");
    describe(reader, study);
    reader.finish();
    study.places = std::move(reading.places);
    rebase(file, study.places, "scenario", study.scenario);
    if (study.name.empty()) study.name = fs::path(file).stem().string();
    reading.require_no_problem();
    return study;
}

// Whether the file has one of these keys; false where it cannot be read.
bool has_one_of(const std::string& file, std::initializer_list<const char*> keys) {
    try {
        const Document document = read_document(file, {});
        return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return document.root.find(key) != nullptr; });
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace

Study read_study(const std::string& file, const std::vector<std::string>& sets) { return study_of(read_document(file, sets), file); }

bool is_study(const std::string& file) { return has_one_of(file, {"vary", "design", "runs", "derive", "scenario"}); }

bool is_scenario(const std::string& file) {
    return !is_study(file) && has_one_of(file, {"world", "ball", "release", "gravity", "contact", "body", "phase", "end"});
}

Scenario read_scenario(const std::string& file, const ReadOptions& options) {
    return scenario_of(read_document(file, options.sets), file, options);
}

Scenario read_scenario_text(const std::string& text, const std::string& file, const ReadOptions& options) {
    return scenario_of(read_document_text(text, file, options.sets), file, options);
}

}  // namespace asperity::scenario
