// A value of a scenario that a study may vary, found by its key path; set from a double, many times, without text.
//
//   "body.lander.mass"          a number or quantity         "body.lander.start.position.x"      a component of three
//   "body.ground.shape.cells"   an integer: rounded          "phase.0.tolerance"                 of the first [[phase]]
//   "contact.shell/ground.rolling_law"       one of some names: the number is its place in `names`
//   "contact.shell/ground.impact_friction"   true or false: 1 or 0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

struct Variable {
    std::string path;
    std::string unit;                // SI, "" for a plain number
    Dimension dimension;             // of it
    bool is_whole = false;           // an integer
    std::vector<std::string> names;  // for one of some names, and for true or false; else empty
    std::string sentence;            // as `explain` has it
    bool is_scatter = false;         // drawn anew for every run
    std::optional<Loaded> loaded;    // when a change of it changes what is loaded; none: never
};

// Finds the key in this scenario: which keys there are depends on its kinds. Throws InputError with a suggestion, and for keys that hold
// free text, which a study cannot draw.
Variable find_variable(const Scenario& scenario, const std::string& path);

// Sets the value; empty, or why the scenario cannot have it ("`body.lander.mass` must be positive, got 0 kg").
std::string assign(Scenario& scenario, const Variable& variable, double value);

}  // namespace asperity::scenario
