// TOML text -> Node, by toml++; refuses what would nest deeper than any scenario does.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "asperity/scenario/document.h"

namespace asperity::scenario {

struct TomlResult {
    Node root;          // empty where there is an error
    std::string error;  // empty: none. The parser stops at the first
    Mark error_mark;
    std::string hint;  // how to mend it, for the slips that people make
};

// Marks name the file `file_index`.
TomlResult parse_toml(std::string_view text, int file_index);

// The lines of a text, without their line ends.
std::vector<std::string> lines_of(std::string_view text);

}  // namespace asperity::scenario
