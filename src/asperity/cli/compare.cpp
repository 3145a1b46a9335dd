#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "asperity/cli/table.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"
#include "asperity/core/tell.h"
#include "asperity/dynamics/all.h"
#include "asperity/record/text_file.h"
#include "asperity/report/report.h"
#include "asperity/scenario/compile.h"
#include "asperity/study/progress.h"
#include "asperity/study/run.h"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;

// "penalty/verlet": a method, and the integrator of its first phase where one is named.
study::RunRequest request_for(study::RunRequest request, const std::string& wanted, const fs::path& folder) {
    const std::size_t slash = wanted.find('/');
    request.method = wanted.substr(0, slash);
    if (slash != std::string::npos) request.sets.push_back("phase.0.integrator=" + wanted.substr(slash + 1));
    std::string name = wanted;
    std::replace(name.begin(), name.end(), '/', '-');
    request.out = (folder / name).string();
    request.is_quiet = true;
    return request;
}

std::string cell_of(const record::MetricValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.9g}", *number);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    const auto& list = std::get<std::vector<double>>(value);
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 3); ++i) out += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", list[i]);
    return list.size() > 3 ? fmt::format("{}, ... ({})", out, list.size()) : out;
}

// A line per metric that any of the runs has, in the order in which they come.
std::vector<std::vector<std::string>> lines_of(const std::vector<std::string>& names, const std::vector<study::RunResult>& results) {
    std::vector<std::vector<std::string>> lines{{"metric"}, {"steps"}, {"time to run [s]"}};
    for (std::size_t k = 0; k < names.size(); ++k) {
        lines[0].push_back(names[k]);
        lines[1].push_back(std::to_string(results[k].summary.steps));
        lines[2].push_back(fmt::format("{:.3f}", results[k].summary.wall_seconds));
    }
    std::vector<std::string> seen;
    for (const study::RunResult& of : results)
        for (const record::Metric& metric : of.summary.metrics) {
            if (metric.is_detail || std::find(seen.begin(), seen.end(), metric.name) != seen.end()) continue;
            seen.push_back(metric.name);
            std::vector<std::string> line{metric.unit.empty() ? metric.name : fmt::format("{} [{}]", metric.name, metric.unit)};
            for (const study::RunResult& result : results) {
                const auto& all = result.summary.metrics;
                const auto found = std::find_if(all.begin(), all.end(), [&](const record::Metric& m) { return m.name == metric.name; });
                line.push_back(found == all.end() ? "-" : cell_of(found->value));
            }
            lines.push_back(std::move(line));
        }
    return lines;
}

nlohmann::ordered_json number_json(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json value_json(const record::MetricValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return number_json(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const double x : std::get<std::vector<double>>(value)) list.push_back(number_json(x));
    return list;
}

// The comparison as JSON, for scripts: numbers as numbers, each metric with its unit.
nlohmann::ordered_json runs_json(const std::vector<std::string>& names, const std::vector<study::RunResult>& results) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < names.size(); ++k) {
        nlohmann::ordered_json run{
            {"method", names[k]}, {"steps", results[k].summary.steps}, {"wall_seconds", results[k].summary.wall_seconds}};
        for (const record::Metric& metric : results[k].summary.metrics)
            run["metrics"][metric.name] = {{"value", value_json(metric.value)}, {"unit", metric.unit}};
        out.push_back(std::move(run));
    }
    return out;
}

int compare(const study::RunRequest& request, const std::vector<std::string>& methods) {
    const scenario::Scenario scenario = study::read_request(request);
    const fs::path folder = request.out.empty() ? fs::path("out") / (scenario.name + "-compare") : fs::path(request.out);
    std::vector<study::RunRequest> requests;
    const model::Assets assets = study::load_assets(scenario, request.is_quiet);
    for (const std::string& method : methods) {  // all slips, and all that a method cannot carry, before the first run
        requests.push_back(request_for(request, method, folder));
        scenario::compile(study::read_request(requests.back()), assets);
    }
    std::vector<study::RunResult> results;
    for (const study::RunRequest& one : requests) results.push_back(study::run(one));
    const auto lines = lines_of(methods, results);
    const nlohmann::ordered_json out{{"scenario", scenario.name}, {"runs", runs_json(methods, results)}};
    record::write_text_file(folder / "compare.json", out.dump(2) + "\n");
    std::vector<report::ComparedRun> runs;
    for (std::size_t k = 0; k < methods.size(); ++k)
        runs.push_back({methods[k], record::read_record(fs::path(requests[k].out) / "record.h5")});
    report::write_comparison(folder, runs, scenario.description, lines);
    fmt::print("{} ({})\n\n", scenario.name, scenario.file);
    print_table(lines, 1);
    tell("wrote {}/report.html and compare.json, and a folder with the report of each run\n", folder.string());
    for (const study::RunResult& result : results)
        if (result.is_trouble) return exit_numerical;
    return exit_done;
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
    auto request = std::make_shared<study::RunRequest>();
    auto methods = std::make_shared<std::vector<std::string>>();
    CLI::App* verb = app.add_subcommand("compare", "Run a scenario under several methods and put their metrics side by side");
    verb->add_option("FILE", request->file, "Scenario file")->required();
    verb->add_option("--method", *methods, "Methods, with commas between them; METHOD/INTEGRATOR names the integrator too")
        ->required()
        ->delimiter(',');
    verb->add_option("--set", request->sets, "Change a value: key=value; may be repeated")->allow_extra_args(false)->take_all();
    verb->add_option("--out", request->out, "Folder for the results (out/NAME-compare)");
    add_force(*verb, request->is_forced);
    verb->add_option("--threads", request->threads, "Number of threads (all cores)")->check(CLI::Range(1, 4096));
    add_seed(*verb, request->seed);
    verb->callback([request, methods, &chosen] { chosen = [request, methods] { return compare(*request, *methods); }; });
}

}  // namespace asperity::cli
