#include "asperity/scenario/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "asperity/dynamics/all.h"
#include "asperity/scenario/attributes.h"
#include "asperity/scenario/check.h"
#include "asperity/scenario/document.h"
#include "asperity/scenario/old_sections.h"
#include "asperity/scenario/reader.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/study.h"

namespace asperity::scenario {
namespace {

namespace fs = std::filesystem;

// Sets the defaults of method, integrator and tolerance of a phase.
void suit(Phase& phase, const Scenario& scenario, const std::string& path) {
    const auto is_given = [&](const char* key) { return scenario.places.contains(path + key); };
    if (phase.method.empty()) phase.method = dynamics::usual_method(roles_of(scenario).has_ground()).name;
    const dynamics::MethodEntry* method = dynamics::find_method(phase.method);
    if (method == nullptr) return;  // compile() says so
    if (!is_given("integrator")) phase.integrator = method->integrator;
    if (!is_given("tolerance")) phase.tolerance = method->tolerance;
}

// Defaults that follow from other values.
void fill_derived(Scenario& scenario, const std::optional<std::string>& method) {
    if (scenario.name.empty()) scenario.name = fs::path(scenario.file).stem().string();
    if (!scenario.output.sample_every) scenario.output.sample_every = scenario.end.time / 5000;
    if (scenario.phases.empty()) scenario.phases.emplace_back();
    for (std::size_t i = 0; i < scenario.phases.size(); ++i) {
        if (method) scenario.phases[i].method = *method;
        suit(scenario.phases[i], scenario, fmt::format("phase.{}.", i));
        if (scenario.phases[i].name.empty()) scenario.phases[i].name = fmt::format("phase {}", i + 1);
    }
}

Scenario scenario_of(const Document& document, const std::string& file, const ReadOptions& options) {
    std::vector<Problem> old = old_sections(document);
    if (!old.empty()) throw InputError(std::move(old));
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
    rebase_paths(study);
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
    return !is_study(file) && has_one_of(file, {"frame", "gravity", "contact", "body", "phase", "end", "world", "ball"});
}

Scenario read_scenario(const std::string& file, const ReadOptions& options) {
    return scenario_of(read_document(file, options.sets), file, options);
}

Scenario read_scenario_text(const std::string& text, const std::string& file, const ReadOptions& options) {
    return scenario_of(read_document_text(text, file, options.sets), file, options);
}

}  // namespace asperity::scenario
