// Runs a verb on all processes of an MPI job together, or in a single process.
#pragma once
#include <functional>

#include "asperity/batch/ranks.h"

namespace asperity::cli {

// The exit code of the action. All ranks read the same files and meet the same errors: rank 0 tells them and ends the job; what only
// another rank meets, it tells itself, a little later.
int exit_code_on_ranks(const std::function<int(batch::Ranks&)>& action);

}  // namespace asperity::cli
