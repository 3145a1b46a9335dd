// Prints tables on the terminal.
#pragma once
#include <string>
#include <vector>

namespace asperity::cli {

// Lines of cells, each column as wide as its widest; the first `left` columns flush left, the others right.
void print_table(const std::vector<std::vector<std::string>>& lines, std::size_t left);

}  // namespace asperity::cli
