// Exit codes of the program, and which failure gives which. They are an interface: scripts rely on them.
#pragma once
#include <functional>

namespace asperity::cli {

enum Exit : int { exit_done = 0, exit_failed = 1, exit_input = 2, exit_numerical = 3, exit_environment = 4, exit_bug = 70 };

// The action of a verb once its arguments are read; it returns the exit code.
using Action = std::function<int()>;

// Runs the action. What it throws is told on stderr and becomes an exit code; so does a standard output that cannot be written.
int exit_code_of(const Action& action);

}  // namespace asperity::cli
