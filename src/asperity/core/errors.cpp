#include "asperity/core/errors.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace asperity {
namespace {

constexpr std::size_t most_shown = 50;      // problems; a file of garbage has thousands
constexpr std::size_t widest_source = 100;  // characters of a source line

// One string per character, so that carets stand under what they mean. What a terminal cannot show becomes '?', a tab a blank.
std::vector<std::string> characters(std::string_view text) {
    std::vector<std::string> list;
    std::size_t i = 0;
    while (i < text.size()) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
        bool is_valid = length > 0 && lead < 0xf8 && i + length <= text.size();
        for (std::size_t k = 1; is_valid && k < length; ++k) is_valid = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
        if (!is_valid || (length == 1 && (lead < 0x20 || lead == 0x7f))) {
            list.emplace_back(lead == '\t' ? " " : "?");
            ++i;
        } else {
            list.emplace_back(text.substr(i, length));
            i += length;
        }
    }
    return list;
}

struct SourceView {
    std::string text;
    std::size_t caret = 0;   // characters before the first caret
    std::size_t length = 1;  // carets
};

// The source line, cut to the neighbourhood of the place where it is too long to show.
SourceView source_view(const Problem& problem) {
    const std::vector<std::string> line = characters(problem.source);
    const std::size_t place = std::min(static_cast<std::size_t>(std::max(problem.column - 1, 0)), line.size());
    std::size_t first = 0;
    if (line.size() > widest_source && place > widest_source / 2) first = place - widest_source / 2;
    const std::size_t last = std::min(line.size(), first + widest_source);
    SourceView view{.text = first > 0 ? "…" : ""};
    for (std::size_t i = first; i < last; ++i) view.text += line[i];
    if (last < line.size()) view.text += "…";
    view.caret = place - first + (first > 0 ? 1 : 0);
    const std::size_t room = last > place ? last - place : 1;
    view.length = std::clamp(static_cast<std::size_t>(std::max(problem.length, 1)), std::size_t{1}, room);
    return view;
}

// Names that come out of a file are shown as they are, less what would disturb the terminal.
std::string shown(std::string_view text) {
    std::string clean;
    for (const std::string& character : characters(text)) clean += character;
    return clean;
}

std::string format_problem(const Problem& problem, std::size_t number_width) {
    std::string text = fmt::format("error: {}\n", shown(problem.what));
    if (problem.line > 0) {
        text += fmt::format("  {}:{}:{}", shown(problem.file), problem.line, problem.column);
    } else if (!problem.file.empty()) {
        text += fmt::format("  {}", shown(problem.file));
    }
    if (!problem.file.empty() && !problem.section.empty()) text += fmt::format("   {}", shown(problem.section));
    if (!problem.file.empty()) text += "\n";
    if (problem.line > 0) {
        const SourceView view = source_view(problem);
        text += fmt::format("  {:>{}} | {}\n", problem.line, number_width, view.text);
        text += fmt::format("  {:>{}} | {:{}}{:^>{}}", "", number_width, "", view.caret, "", view.length);
        text += problem.hint.empty() ? "\n" : fmt::format(" {}\n", shown(problem.hint));
    } else if (!problem.hint.empty()) {
        text += fmt::format("  {}\n", shown(problem.hint));
    }
    if (!problem.note.empty()) text += fmt::format("  {}\n", shown(problem.note));
    return text;
}

}  // namespace

std::string format_problems(const std::vector<Problem>& problems) {
    const std::size_t shown_count = std::min(problems.size(), most_shown);
    std::size_t number_width = 1;
    for (std::size_t i = 0; i < shown_count; ++i) number_width = std::max(number_width, fmt::formatted_size("{}", problems[i].line));
    std::string text;
    for (std::size_t i = 0; i < shown_count; ++i) text += format_problem(problems[i], number_width) + "\n";
    if (problems.size() > shown_count) text += fmt::format("... and {} more.\n\n", problems.size() - shown_count);
    text += fmt::format("{} error{}. Nothing was run.", problems.size(), problems.size() == 1 ? "" : "s");
    return text;
}

}  // namespace asperity
