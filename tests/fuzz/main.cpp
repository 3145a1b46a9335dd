// fuzz_scenario COUNT [SEED [FIRST]]: reads COUNT mutations of the shipped scenario files and runs a few steps of each that is valid.
// Exit status 1 if one of them is neither refused properly nor run properly, or takes longer than a minute of the processor; a crash ends
// the program, of course. `fuzz_scenario 1 SEED INDEX` repeats one and shows it.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "fuzz/fuzz_scenario.h"

namespace {

// Ends the program where one text takes longer than a minute of the processor: far more than a sound one takes under the sanitizers, and
// no matter how busy the machine is.
void watch(std::stop_token stop, const std::atomic<std::uint64_t>& index, std::uint64_t seed) {
    std::uint64_t seen = index;
    std::clock_t since = std::clock();
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (index != seen) {
            seen = index;
            since = std::clock();
        }
        if (std::clock() - since < 60 * CLOCKS_PER_SEC) continue;
        fmt::print("FAILED seed {}, index {}: it hangs\n", seed, seen);
        std::fflush(stdout);
        std::_Exit(1);
    }
}

}  // namespace

int main(int argc, char** argv) {
    using namespace asperity;
    fuzz::Settings settings;
    settings.count = argc > 1 ? std::atoll(argv[1]) : 1000;
    settings.seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    settings.first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
    settings.shows_texts = settings.count == 1;
    std::atomic<std::uint64_t> index = settings.first;
    settings.begins = [&index](std::uint64_t i) { index = i; };
    const std::jthread watchdog([&](std::stop_token stop) { watch(stop, index, settings.seed); });

    const std::string scenarios = ASPERITY_SOURCE_DIR "/scenarios/";
    const fuzz::Tally tally =
        fuzz::fuzz({fuzz::shipped_texts(scenarios + "landers"), fuzz::shipped_texts(scenarios + "ternary")}, settings);
    for (const std::string& failure : tally.failures) fmt::print("FAILED {}\n", failure);
    fmt::print("seed {}: {} texts, {} refused, {} valid, {} valid but too large to build, {} failed\n", settings.seed, settings.count,
               tally.refused, tally.valid, tally.too_large, tally.failures.size());
    for (std::size_t kind = 0; kind < tally.outcomes.size(); ++kind)
        fmt::print("  {:<12}{}\n", name(static_cast<model::OutcomeKind>(kind)), tally.outcomes[kind]);
    return tally.failures.empty() ? 0 : 1;
}
