#include "asperity/assets/mesh_obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "asperity/assets/mesh_common.h"
#include "asperity/core/errors.h"

namespace asperity::assets {
namespace {

using geometry::RawMesh;

constexpr std::size_t most_words = 1 + most_corners;
constexpr std::array<std::string_view, 8> skipped{"vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib"};

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

struct ObjReader {
    const std::string& name;
    double unit;
    RawMesh mesh{};
    std::vector<Polygon> polygons{};
    std::vector<std::int32_t> corners{};  // of all polygons
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
        const Vec3 vertex{in_metres(value[0], unit), in_metres(value[1], unit), in_metres(value[2], unit)};
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
        const std::size_t count = words.count - 1;
        if (count < 3 || count > most_corners) {
            complain(words, 0, fmt::format("a facet with {} corners", count),
                     count < 3 ? "a facet has at least three" : fmt::format("cut it: at most {} are read", most_corners));
            return;
        }
        std::array<std::int32_t, most_corners> facet{};
        for (std::size_t k = 0; k < count; ++k) {
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
        polygons.push_back({.line = line, .count = static_cast<int>(count), .first = corners.size()});
        corners.insert(corners.end(), facet.begin(), facet.begin() + static_cast<std::ptrdiff_t>(count));
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
    void make_facets(std::string_view text) {
        for (const Polygon& polygon : polygons) {
            if (problems.size() >= most_problems) return;
            const std::span<const std::int32_t> ring(corners.data() + polygon.first, static_cast<std::size_t>(polygon.count));
            const auto missing =
                std::find_if(ring.begin(), ring.end(), [&](std::int32_t v) { return static_cast<std::size_t>(v) >= mesh.vertices.size(); });
            if (missing != ring.end()) {
                line = polygon.line;
                complain(words_of_line(text), static_cast<std::size_t>(missing - ring.begin()) + 1, "a vertex that does not exist",
                         fmt::format("the file has {} vertices", mesh.vertices.size()));
            } else if (!add_fan(ring, polygon.line, mesh)) {
                line = polygon.line;
                complain(words_of_line(text), 0, fmt::format("a facet with {} corners that is not convex, or has no area", ring.size()),
                         "cut it into triangles; most modellers can (\"triangulate\")");
            }
        }
    }

    Words words_of_line(std::string_view text) const {
        std::size_t begin = 0;
        for (int skip = 1; skip < line; ++skip) begin = text.find('\n', begin) + 1;
        return cut(text.substr(begin, text.find('\n', begin) - begin));
    }
};

}  // namespace

RawMesh parse_obj(std::string_view text, const std::string& name, double unit) {
    check_arguments(text, name, unit);
    ObjReader reader{.name = name, .unit = unit};
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // the byte-order mark that some editors leave
    for (std::size_t begin = 0; begin < text.size() && reader.problems.size() < most_problems;) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        reader.read_line(text.substr(begin, end - begin));
        begin = end + 1;
    }
    if (reader.problems.empty()) reader.make_facets(text);
    if (reader.problems.empty() && reader.mesh.facets.empty())
        reader.problems.push_back({.what = "the mesh has no facets", .file = name, .hint = "is it a Wavefront OBJ file?"});
    if (!reader.problems.empty()) throw InputError(std::move(reader.problems));
    return std::move(reader.mesh);
}

RawMesh read_obj(const std::string& path, double unit) { return parse_obj(read_bytes(path), path, unit); }

std::string format_obj(const RawMesh& mesh, double unit) {
    std::string text;
    const auto out = std::back_inserter(text);
    for (const Vec3& v : mesh.vertices) fmt::format_to(out, "v {} {} {}\n", v.x / unit, v.y / unit, v.z / unit);
    for (const geometry::Corners& f : mesh.facets) fmt::format_to(out, "f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1);
    return text;
}

void write_obj(const std::string& path, const RawMesh& mesh, double unit) { write_bytes(path, format_obj(mesh, unit)); }

}  // namespace asperity::assets
