#include "asperity/cli/verbs.h"
namespace asperity::cli {
void add_reproduce(CLI::App&, Action&) {}
}  // namespace asperity::cli
