// Shared parts of the mesh file readers: numbers, words, whole files, and the triangulation of polygons.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::assets {

inline constexpr std::size_t most_problems = 20;        // a file of garbage has one in every line
inline constexpr std::size_t most_corners = 32;         // of a facet
inline constexpr std::size_t most_bytes = 0x7fff'ffff;  // so that lines, columns and vertices can be counted

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// A whole number or a decimal; all of the text must be one.
template <class Number>
std::optional<Number> number(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);  // from_chars takes no plus sign
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Converts to metres. It divides where a metre is a multiple of the unit, so that 7 cm is the double nearest to 0.07.
double in_metres(double value, double unit);

// One word of a line; column is 1-based, 0 where the line has no such word.
struct Word {
    std::string_view text;
    int column = 0;
};

// A text line by line, and each line word by word.
class LineReader {
public:
    LineReader(std::string_view text, int first_line) : text_(text), line_(first_line - 1) {}

    bool next_line();  // false at the end of the text
    Word next_word();  // empty at the end of the line

    int line() const { return line_; }
    std::string_view source() const { return now_; }

private:
    std::string_view text_;
    std::string_view now_;
    std::size_t place_ = 0;
    std::size_t in_line_ = 0;
    int line_;
};

// All words of the line that the reader is at, up to `most`; what follows is not looked at.
std::vector<Word> words_of(LineReader& reader, std::size_t most);

// A problem at a word of the present line.
Problem problem_at(const LineReader& reader, const std::string& name, const Word& word, std::string what, std::string hint);

// Throws InputError for a unit that is not positive and for a file that is too large.
void check_arguments(std::string_view text, const std::string& name, double unit);

// A polygon as the file has it: so many corners from `first` on. line = 0: of a binary file.
struct Polygon {
    int line = 0;
    int count = 0;
    std::size_t first = 0;
};

// Adds the triangles of a convex polygon, a fan from the first corner at which all of them have an area; false where there is none.
// A triangle is taken as it is.
bool add_fan(std::span<const std::int32_t> ring, int line, geometry::RawMesh& mesh);

// Throws InputError where the file cannot be opened or is too large, RuntimeError where reading or writing fails.
std::string read_bytes(const std::string& path);
void write_bytes(const std::string& path, const std::string& bytes);

}  // namespace asperity::assets
