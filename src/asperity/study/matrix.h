// The compatibility matrix of worlds and methods, with the reasons for refusals: each scenario of a folder under its own phases, and under
// one phase of every other method with that method's defaults.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "asperity/dynamics/method.h"
#include "asperity/scenario/scenario.h"

namespace asperity::study {

struct MatrixCell {
    std::string method;
    std::string refusal;  // the first problem that the user would read; empty: it runs

    bool runs() const { return refusal.empty(); }
};

struct MatrixRow {
    std::filesystem::path file;
    std::vector<MatrixCell> cells;  // in the order of dynamics::all_methods()
};

// The world with its own phases where they are of that method, else with one phase of the method's defaults; of a method with fixed steps
// a ten-thousandth of the run each, at most a second.
scenario::Scenario under(scenario::Scenario world, const dynamics::MethodEntry& method);

// Throws InputError where the folder holds no scenario, or where one runs under no method at all.
std::vector<MatrixRow> matrix_of(const std::filesystem::path& folder);

}  // namespace asperity::study
