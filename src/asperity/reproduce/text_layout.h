// Line breaking for text on the terminal.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

namespace asperity::reproduce {

// The text broken between words, with every line indented.
inline std::string wrapped(const std::string& text, std::size_t indent) {
    constexpr std::size_t width = 150;
    std::string out, line;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!line.empty() && indent + line.size() + 1 + word.size() > width) {
            out += std::string(indent, ' ') + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    return line.empty() ? out : out + std::string(indent, ' ') + line + "\n";
}

}  // namespace asperity::reproduce
