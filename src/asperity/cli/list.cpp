#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "asperity/analysis/metrics.h"
#include "asperity/cli/table.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/dynamics/all.h"
#include "asperity/geometry/builtin_shapes.h"
#include "asperity/scenario/scenario.h"
#include "asperity/study/matrix.h"

namespace asperity::cli {
namespace {

void print_row(std::string_view name, std::string_view text) { fmt::print("{:<26}{}\n", name, text); }

// The scenarios below ./scenarios, with the first line of their leading comment.
void list_scenarios() {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator it("scenarios", error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".toml") files.push_back(it->path());
    if (files.empty()) throw InputError("there is no scenario below ./scenarios", "run this in the folder of the project");
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        std::FILE* stream = std::fopen(file.c_str(), "r");
        char line[512] = "";
        if (stream != nullptr) {
            if (std::fgets(line, sizeof line, stream) == nullptr) line[0] = 0;
            std::fclose(stream);
        }
        std::string text = line;
        text.erase(0, text.find_first_not_of("# "));
        text.erase(text.find_last_not_of("\n\r ") + 1);
        fmt::print("{}\n    {}\n", file.string(), text);
    }
}

// The worlds of scenarios/matrix and the methods that carry them; below, what each refusal is, counted.
void list_matrix() {
    std::vector<std::vector<std::string>> lines{{"world"}};
    for (const dynamics::MethodEntry* entry : dynamics::all_methods()) lines[0].emplace_back(entry->name);
    std::vector<std::string> refusals;
    for (const study::MatrixRow& row : study::matrix_of("scenarios/matrix")) {
        std::vector<std::string> line(1, row.file.stem().string());
        for (const study::MatrixCell& cell : row.cells) {
            if (cell.runs()) {
                line.emplace_back("runs");
                continue;
            }
            const auto known = std::ranges::find(refusals, cell.refusal);
            line.push_back(std::to_string(known - refusals.begin() + 1));
            if (known == refusals.end()) refusals.push_back(cell.refusal);
        }
        lines.push_back(std::move(line));
    }
    print_table(lines, 1);
    fmt::print("\nA number says why not:\n");
    for (std::size_t i = 0; i < refusals.size(); ++i) fmt::print("{:>4}  {}\n", i + 1, refusals[i]);
}

void list_metrics() {
    const auto print = [](const std::string& before, const analysis::MetricEntry& entry) {
        print_row(before + entry.name, fmt::format("{}{}", entry.text, *entry.unit == 0 ? "" : fmt::format(" [{}]", entry.unit)));
    };
    for (const analysis::MetricEntry& entry : analysis::all_metrics()) print("", entry);
    fmt::print("\nof one body among several, NAME what it is called; bare where one moves:\n");
    for (const analysis::MetricEntry& entry : analysis::all_metrics())
        if (analysis::is_of_each_body(entry)) print("NAME.", entry);
    fmt::print("\nof a signal, NAME what [signal.NAME] calls it:\n");
    for (const analysis::MetricEntry& entry : analysis::metrics_of_signals()) print("NAME.", entry);
}

const std::vector<std::string> choices{"laws", "methods", "integrators", "worlds", "shapes", "metrics", "scenarios", "matrix"};

int list(const std::string& what) {
    if (what.empty()) fmt::print("asperity list WHAT, where WHAT is one of: {}\n", joined(choices));
    if (what == "methods")
        for (const dynamics::MethodEntry* entry : dynamics::all_methods()) print_row(entry->name, entry->text);
    if (what == "integrators")
        for (const auto& entry : dynamics::all_integrators()) print_row(entry.name, entry.text);
    if (what == "laws")
        for (const auto& choice : scenario::rolling_laws) print_row(choice.name, choice.sentence);
    if (what == "worlds")
        for (const auto& kind : scenario::surface_kinds) print_row(kind.name, kind.sentence);
    if (what == "shapes")
        for (const auto& shape : geometry::builtin_shapes()) print_row(shape.name, shape.text);
    if (what == "metrics") list_metrics();
    if (what == "scenarios") list_scenarios();
    if (what == "matrix") list_matrix();
    return exit_done;
}

}  // namespace

void add_list(CLI::App& app, Action& chosen) {
    auto what = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("list", "What there is: " + joined(choices));
    verb->add_option("WHAT", *what, "What to list; without it, what there is to list")->check(CLI::IsMember(choices));
    verb->callback([what, &chosen] { chosen = [what] { return list(*what); }; });
}

}  // namespace asperity::cli
