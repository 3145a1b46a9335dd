// The strict reader of scenario files. An unknown key, a missing key, a wrong unit or an invalid value is an error with its place; all
// errors of a file are reported at once, as one InputError.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

struct ReadOptions {
    std::vector<std::string> sets;      // "key.path=value": a TOML value, or bare text; later ones win, all win over the file
    std::optional<std::int64_t> seed;   // wins over the file
    std::optional<std::string> method;  // of every phase; wins over the file
};

// Reads `file` and what it includes. Derived defaults are filled in: name, phases, sample_every. Throws InputError.
Scenario read_scenario(const std::string& file, const ReadOptions& options = {});

// The same from a text; `file` is the name that errors show and that relative paths start from.
Scenario read_scenario_text(const std::string& text, const std::string& file, const ReadOptions& options = {});

}  // namespace asperity::scenario
