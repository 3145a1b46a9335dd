// Compiled for every x86-64: it must be able to say that the CPU lacks the baseline that the rest is compiled for.
#include <cstdio>

#include "asperity/core/cpu.h"

namespace asperity::cli {
int run_program(int argc, char** argv);
}

int main(int argc, char** argv) {
    const auto missing = asperity::missing_cpu_features();
    if (!missing.empty()) {
        std::fprintf(stderr, "error: %s\n", asperity::cpu_complaint(missing).c_str());
        return 4;
    }
    return asperity::cli::run_program(argc, argv);
}
