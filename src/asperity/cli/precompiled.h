// CLI11 takes three seconds to compile, so it is precompiled once for all verbs. A source still includes what it uses: .ci/run compiles
// without this file.
#pragma once
#include <CLI/CLI.hpp>

#include "asperity/cli/verbs.h"
