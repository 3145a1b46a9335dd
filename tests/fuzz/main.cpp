// fuzz_scenario COUNT [SEED [FIRST]]: reads and compiles COUNT mutations of the shipped scenario files. Exit status 1 if one of them
// is neither refused properly nor valid; a crash or a hang ends the program, of course. `fuzz_scenario 1 SEED INDEX` repeats one and shows
// it.
#include <fmt/format.h>

#include <cstdlib>

#include "fuzz/fuzz_scenario.h"

int main(int argc, char** argv) {
    using namespace asperity;
    fuzz::Settings settings;
    settings.count = argc > 1 ? std::atoll(argv[1]) : 1000;
    settings.seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    settings.first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
    settings.shows_texts = settings.count == 1;
    const std::string folder = ASPERITY_SOURCE_DIR "/scenarios/landers";
    const fuzz::Tally tally = fuzz::fuzz(fuzz::shipped_texts(folder), folder, settings);
    for (const std::string& failure : tally.failures) fmt::print("FAILED {}\n", failure);
    fmt::print("seed {}: {} texts, {} refused, {} valid, {} valid but too large to build, {} failed\n", settings.seed, settings.count,
               tally.refused, tally.valid, tally.too_large, tally.failures.size());
    return tally.failures.empty() ? 0 : 1;
}
