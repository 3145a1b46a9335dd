// Mutated scenario files: each must be refused with a problem that says something, or give a valid Model that can be run; never crash,
// never hang, never a number that is not one.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "asperity/model/model.h"

namespace asperity::fuzz {

struct Settings {
    std::int64_t count = 0;
    std::uint64_t seed = 1;
    std::uint64_t first = 0;    // the index of the first mutation; with count = 1 it repeats a single one
    double most_facets = 5000;  // larger worlds are read and checked, but not built: the time goes into texts, not into meshes
    bool shows_texts = false;   // prints each text before it is read, so that the last one is the culprit
    std::int64_t steps = 300;   // of each run; the outcome does not matter
    // Told before each text, so that a watchdog can name the one that hangs.
    std::function<void(std::uint64_t index)> begins = [](std::uint64_t) {};
};

struct Tally {
    std::int64_t refused = 0;
    std::int64_t valid = 0;
    std::int64_t too_large = 0;                                 // valid as a text, with more facets than most_facets
    std::array<std::int64_t, model::outcome_kinds> outcomes{};  // of the valid ones, by OutcomeKind
    std::vector<std::string> failures;                          // what went wrong, with the index that repeats it
};

struct Corpus {
    std::string folder;              // where includes are looked for
    std::vector<std::string> texts;  // of the scenario files in it and below, in the order of their names
};
Corpus shipped_texts(const std::string& folder);

// The text with index `index`: a function of (texts, seed, index) only.
std::string mutated_text(const std::vector<std::string>& texts, std::uint64_t seed, std::uint64_t index);

// Mutations of the corpora in turn.
Tally fuzz(const std::vector<Corpus>& corpora, const Settings& settings);

}  // namespace asperity::fuzz
