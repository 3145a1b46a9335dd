#include "asperity/assets/mesh_obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "asperity/core/errors.h"

namespace asperity::assets {
namespace {

using geometry::RawMesh;

constexpr std::size_t most_problems = 20;      // a file of garbage has one in every line
constexpr std::size_t most_words = 16;         // of a line that can be right
constexpr std::size_t most_bytes = INT32_MAX;  // so that lines and columns can be counted
constexpr std::array<std::string_view, 8> skipped{"vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// One line cut at blanks, up to a comment; `columns` are 1-based. Words past most_words are counted, not kept.
struct Words {
    std::string_view line;
    std::array<std::string_view, most_words> word;
    std::array<int, most_words> column{};
    std::size_t count = 0;
};

Words cut(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    Words words{.line = line, .word = {}, .column = {}, .count = 0};
    std::size_t i = 0;
    while (true) {
        while (i < line.size() && is_blank(line[i])) ++i;
        if (i == line.size() || line[i] == '#') return words;
        const std::size_t begin = i;
        while (i < line.size() && !is_blank(line[i])) ++i;
        if (words.count < most_words) {
            words.word[words.count] = line.substr(begin, i - begin);
            words.column[words.count] = static_cast<int>(begin) + 1;
        }
        ++words.count;
    }
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);  // from_chars takes no plus sign
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

struct Reader {
    const std::string& name;
    double unit;
    RawMesh mesh{};
    std::vector<int> facet_lines{};
    std::vector<Problem> problems{};
    int line = 0;

    void complain(const Words& words, std::size_t index, std::string what, std::string hint) {
        const bool is_word = index < std::min(words.count, most_words);
        problems.push_back({.what = std::move(what),
                            .file = name,
                            .line = line,
                            .column = is_word ? words.column[index] : 1,
                            .length = is_word ? static_cast<int>(words.word[index].size()) : 1,
                            .source = std::string(words.line.substr(0, 500)),
                            .hint = std::move(hint)});
    }

    void read_vertex(const Words& words) {
        const std::size_t count = words.count - 1;
        if (count != 3 && count != 4 && count != 6 && count != 7) {
            complain(words, 0, fmt::format("a vertex with {} numbers", count), "write `v x y z`");
            return;
        }
        double value[7] = {};
        for (std::size_t k = 0; k < count; ++k) {
            const auto got = number<double>(words.word[k + 1]);
            if (!got || !std::isfinite(*got)) {
                complain(words, k + 1, "not a finite number", "write for example `0.125`");
                return;
            }
            value[k] = *got;
        }
        if ((count == 4 || count == 7) && value[3] != 1) {
            complain(words, 4, "a vertex with a weight other than 1", "weights belong to curves, not to triangles");
            return;
        }
        const Vec3 vertex = unit * Vec3{value[0], value[1], value[2]};
        if (!is_finite(vertex))
            complain(words, 1, fmt::format("a coordinate that is not finite in units of {} m", unit), "is the unit right?");
        else
            mesh.vertices.push_back(vertex);
    }

    // "7", "7/2", "7//3" or "7/2/3"; the vertex number, made to count from 0. Whether it exists is known at the end of the file only.
    std::optional<std::int64_t> corner(std::string_view word) const {
        std::array<std::string_view, 3> part;
        std::size_t parts = 0;
        for (std::size_t begin = 0; begin <= word.size(); ++parts) {
            if (parts == 3) return std::nullopt;
            const std::size_t end = std::min(word.find('/', begin), word.size());
            part[parts] = word.substr(begin, end - begin);
            begin = end + 1;
        }
        for (std::size_t k = 1; k < parts; ++k) {
            const bool may_lack = k == 1 && parts == 3;
            if (!(may_lack && part[k].empty()) && !number<std::int64_t>(part[k])) return std::nullopt;
        }
        const auto vertex = number<std::int64_t>(part[0]);
        if (!vertex || *vertex == 0) return std::nullopt;
        if (*vertex > 0) return *vertex - 1;
        const auto known = static_cast<std::int64_t>(mesh.vertices.size());
        return *vertex >= -known ? known + *vertex : -1;
    }

    void read_facet(const Words& words) {
        if (words.count != 4) {
            complain(words, 0, fmt::format("a facet with {} corners", words.count - 1), "only triangles are read: cut polygons first");
            return;
        }
        geometry::Corners facet{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto vertex = corner(words.word[k + 1]);
            if (!vertex) {
                complain(words, k + 1, "not a corner of a facet", "write for example `7`, `7/2`, `7//3` or `7/2/3`; vertices count from 1");
                return;
            }
            if (*vertex < 0 || *vertex >= INT32_MAX) {
                complain(words, k + 1, "a vertex that does not exist",
                         fmt::format("{} vertices stand above this line", mesh.vertices.size()));
                return;
            }
            facet[k] = static_cast<std::int32_t>(*vertex);
        }
        mesh.facets.push_back(facet);
        facet_lines.push_back(line);
    }

    void read_line(std::string_view text) {
        ++line;
        const Words words = cut(text);
        if (words.count == 0) return;
        const std::string_view key = words.word[0];
        if (std::find(skipped.begin(), skipped.end(), key) != skipped.end()) return;
        if (key == "v")
            read_vertex(words);
        else if (key == "f")
            read_facet(words);
        else
            complain(words, 0, "not a line of a triangle mesh in Wavefront OBJ", "lines start with `v`, `f`, `#` or a key that is skipped");
    }

    // Facets may stand before their vertices, so this comes last.
    void check_vertices(std::string_view text) {
        for (std::size_t f = 0; f < mesh.facets.size() && problems.size() < most_problems; ++f)
            for (std::size_t k = 0; k < 3; ++k) {
                if (static_cast<std::size_t>(mesh.facets[f][k]) < mesh.vertices.size()) continue;
                line = facet_lines[f];
                std::size_t begin = 0;
                for (int skip = 1; skip < line; ++skip) begin = text.find('\n', begin) + 1;
                complain(cut(text.substr(begin, text.find('\n', begin) - begin)), k + 1, "a vertex that does not exist",
                         fmt::format("the file has {} vertices", mesh.vertices.size()));
                break;
            }
    }
};

}  // namespace

RawMesh parse_obj(std::string_view text, const std::string& name, double unit) {
    if (!(unit > 0) || !std::isfinite(unit)) throw InputError(fmt::format("the unit of `{}` is {} m, but must be positive", name, unit));
    if (text.size() > most_bytes) throw InputError(fmt::format("`{}` is larger than {} bytes", name, most_bytes));
    Reader reader{.name = name, .unit = unit};
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the byte-order mark that some editors leave
    for (std::size_t begin = 0; begin < text.size() && reader.problems.size() < most_problems;) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        reader.read_line(text.substr(begin, end - begin));
        begin = end + 1;
    }
    if (reader.problems.empty()) reader.check_vertices(text);
    if (reader.problems.empty() && reader.mesh.facets.empty())
        reader.problems.push_back({.what = "the mesh has no facets", .file = name, .hint = "is it a Wavefront OBJ file?"});
    if (!reader.problems.empty()) throw InputError(std::move(reader.problems));
    return std::move(reader.mesh);
}

RawMesh read_obj(const std::string& path, double unit) {
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(path, error);
    std::ifstream in(path, std::ios::binary);
    if (!is_file || !in) throw InputError({Problem{.what = "cannot read the mesh", .file = path, .hint = "is it there, and a file?"}});
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw RuntimeError(fmt::format("reading `{}` failed", path));
    return parse_obj(text, path, unit);
}

std::string format_obj(const RawMesh& mesh, double unit) {
    std::string text;
    const auto out = std::back_inserter(text);
    for (const Vec3& v : mesh.vertices) fmt::format_to(out, "v {} {} {}\n", v.x / unit, v.y / unit, v.z / unit);
    for (const geometry::Corners& f : mesh.facets) fmt::format_to(out, "f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1);
    return text;
}

void write_obj(const std::string& path, const RawMesh& mesh, double unit) {
    std::ofstream out(path, std::ios::binary);
    out << format_obj(mesh, unit);
    out.close();
    if (!out) throw RuntimeError(fmt::format("cannot write `{}`", path));
}

}  // namespace asperity::assets
