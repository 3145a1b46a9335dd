#include "asperity/cli/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace asperity::cli {

void print_table(const std::vector<std::vector<std::string>>& lines, std::size_t left) {
    std::vector<std::size_t> widths(lines[0].size());
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i)
            text += i < left ? fmt::format("{:<{}}  ", line[i], widths[i]) : fmt::format("{:>{}}  ", line[i], widths[i]);
        text.erase(text.find_last_not_of(' ') + 1);
        fmt::print("{}\n", text);
    }
}

}  // namespace asperity::cli
