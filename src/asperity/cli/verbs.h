// The verbs of the command line: each adds itself to the application and, when chosen, leaves what to do in `chosen`.
#pragma once
#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>

#include "asperity/cli/exit.h"
#include "asperity/study/run.h"

namespace asperity::cli {

void add_run(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_campaign(CLI::App& app, Action& chosen);
void add_design(CLI::App& app, Action& chosen);
void add_reproduce(CLI::App& app, Action& chosen);
void add_report(CLI::App& app, Action& chosen);
void add_shape(CLI::App& app, Action& chosen);
void add_gravity(CLI::App& app, Action& chosen);
void add_equilibria(CLI::App& app, Action& chosen);
void add_explain(CLI::App& app, Action& chosen);
void add_list(CLI::App& app, Action& chosen);
void add_status(CLI::App& app, Action& chosen);
void add_cache(CLI::App& app, Action& chosen);

// --seed N, a whole number that fits: CLI11 would take a larger one for the largest there is.
void add_seed(CLI::App& verb, std::optional<std::int64_t>& seed);

// --force: results of something else that stand in the folder are overwritten.
void add_force(CLI::App& verb, bool& is_forced);

// The length in m of a unit that the parser has let pass: m, km, cm, mm.
double length_of(const std::string& unit);

// Prints what a run gave; the exit code.
int tell_result(const study::RunResult& result, bool is_quiet);

// The whole program, but for the check of the CPU that main makes before.
int run_program(int argc, char** argv);

}  // namespace asperity::cli
