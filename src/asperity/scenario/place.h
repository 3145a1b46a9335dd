// The place where a value of a scenario was written, so that a later check can point at it.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "asperity/core/errors.h"

namespace asperity::scenario {

struct Place {
    std::string file;     // as the user typed it; "--set key=value" for an override
    int line = 0;         // 1-based; 0 where there is no line to show
    int column = 0;       // 1-based, in characters
    int length = 1;       // characters
    std::string source;   // the text of that line
    std::string section;  // "[body.lander]"
};

// By key path: "body.lander.mass", "contact.shell/ground.restitution", "phase.0.step_max".
using Places = std::map<std::string, Place, std::less<>>;

// The problem at the place of `path`, or of the nearest section above it that was written.
Problem problem_at(const Places& places, std::string_view path, std::string what, std::string hint = {}, std::string note = {});

// The same as the only one, to be thrown.
InputError error_at(const Places& places, std::string_view path, std::string what, std::string hint = {});

// The path of a key of `section` that was set from outside, but for its name; else `otherwise`. Of keys that do not go together it is the
// one that a user has just typed.
std::string set_in(const Places& places, const std::string& section, std::string otherwise);

}  // namespace asperity::scenario
