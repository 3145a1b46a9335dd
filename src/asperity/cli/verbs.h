// The verbs of the command line: each adds itself to the application and, when chosen, leaves what to do in `chosen`.
#pragma once
#include <CLI/CLI.hpp>

#include <functional>

namespace asperity::cli {

// Exit codes are an interface.
enum Exit : int { exit_done = 0, exit_failed = 1, exit_input = 2, exit_numerical = 3, exit_environment = 4, exit_bug = 70 };

using Action = std::function<int()>;

void add_run(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_reproduce(CLI::App& app, Action& chosen);
void add_report(CLI::App& app, Action& chosen);
void add_shape(CLI::App& app, Action& chosen);
void add_explain(CLI::App& app, Action& chosen);
void add_list(CLI::App& app, Action& chosen);

// The whole program, but for the check of the CPU that main makes before.
int run_program(int argc, char** argv);

}  // namespace asperity::cli
