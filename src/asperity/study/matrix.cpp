#include "asperity/study/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "asperity/core/errors.h"
#include "asperity/dynamics/all.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/study.h"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;

constexpr double fixed_steps = 10000;  // at least, of a run, where a method has no step of its own choice
constexpr double longest_step = 1;     // s, of these

std::vector<fs::path> worlds_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().extension() == ".toml" && !scenario::is_study(it->path().string())) files.push_back(it->path());
    if (files.empty())
        throw InputError(fmt::format("there is no scenario in {}", folder.string()), "run this in the folder of the project");
    std::ranges::sort(files);
    return files;
}

std::string refusal_of(const scenario::Scenario& world, const dynamics::MethodEntry& method, const model::Assets& assets) {
    try {
        scenario::compile(under(world, method), assets);
        return {};
    } catch (const InputError& error) {
        return error.problems.front().what;
    }
}

}  // namespace

scenario::Scenario under(scenario::Scenario world, const dynamics::MethodEntry& method) {
    if (world.phases.front().method == method.name) return world;
    const bool has_fixed_steps = method.integrator == model::Integrator::leapfrog;
    world.phases.assign(
        1, {{.name = method.name,
             .method = method.name,
             .integrator = method.integrator,
             .tolerance = method.tolerance,
             .step_max = has_fixed_steps ? std::min(world.end.time / fixed_steps, longest_step) : std::numeric_limits<double>::infinity()},
            {}});
    return world;
}

std::vector<MatrixRow> matrix_of(const fs::path& folder) {
    std::vector<MatrixRow> rows;
    for (const fs::path& file : worlds_in(folder)) {
        const scenario::Scenario world = scenario::read_scenario(file.string());
        const model::Assets assets = scenario::load_assets(world);
        MatrixRow row{.file = file, .cells = {}};
        for (const dynamics::MethodEntry* entry : dynamics::all_methods())
            row.cells.push_back({entry->name, refusal_of(world, *entry, assets)});
        if (std::ranges::none_of(row.cells, &MatrixCell::runs))
            throw InputError(fmt::format("{} runs under no method: {}", file.string(), row.cells.front().refusal));
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace asperity::study
