#include "asperity/assets/mesh_common.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace asperity::assets {
namespace {

// A polygon is convex if, seen along its mean normal, every corner turns left or not at all, and so does every diagonal from the first
// corner.
bool is_convex(std::span<const std::int32_t> ring, const std::vector<Vec3>& vertices) {
    const std::size_t count = ring.size();
    const auto at = [&](std::size_t k) { return vertices[static_cast<std::size_t>(ring[k % count])]; };
    Vec3 normal;
    for (std::size_t k = 1; k + 1 < count; ++k) normal += cross(at(k) - at(0), at(k + 1) - at(0));
    const auto turns_right = [&](const Vec3& a, const Vec3& b) {
        return dot(cross(a, b), normal) < -1e-9 * norm(a) * norm(b) * norm(normal);
    };
    for (std::size_t k = 0; k < count; ++k)
        if (turns_right(at(k + 1) - at(k), at(k + 2) - at(k + 1)) || turns_right(at(k) - at(0), at(k + 1) - at(0))) return false;
    return norm(normal) > 0;
}

}  // namespace

double in_metres(double value, double unit) {
    const double parts = std::round(1 / unit);
    return unit < 1 && 1 / parts == unit ? value / parts : unit * value;
}

bool LineReader::next_line() {
    if (place_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', place_), text_.size());
    now_ = text_.substr(place_, end - place_);
    if (!now_.empty() && now_.back() == '\r') now_.remove_suffix(1);
    place_ = end + 1;
    in_line_ = 0;
    ++line_;
    return true;
}

Word LineReader::next_word() {
    while (in_line_ < now_.size() && is_blank(now_[in_line_])) ++in_line_;
    if (in_line_ >= now_.size()) return {};
    const std::size_t begin = in_line_;
    while (in_line_ < now_.size() && !is_blank(now_[in_line_])) ++in_line_;
    return {.text = now_.substr(begin, in_line_ - begin), .column = static_cast<int>(begin) + 1};
}

std::vector<Word> words_of(LineReader& reader, std::size_t most) {
    std::vector<Word> words;
    for (Word word = reader.next_word(); word.column > 0 && words.size() < most; word = reader.next_word()) words.push_back(word);
    return words;
}

Problem problem_at(const LineReader& reader, const std::string& name, const Word& word, std::string what, std::string hint) {
    return {.what = std::move(what),
            .file = name,
            .line = reader.line(),
            .column = std::max(word.column, 1),
            .length = std::max(static_cast<int>(word.text.size()), 1),
            .source = std::string(reader.source().substr(0, 500)),
            .hint = std::move(hint)};
}

void check_arguments(std::string_view text, const std::string& name, double unit) {
    if (!(unit > 0) || !std::isfinite(unit)) throw InputError(fmt::format("the unit of `{}` is {} m, but must be positive", name, unit));
    if (text.size() > most_bytes) throw InputError(fmt::format("`{}` is larger than {} bytes", name, most_bytes));
}

bool add_fan(std::span<const std::int32_t> ring, int line, geometry::RawMesh& mesh) {
    const std::size_t count = ring.size();
    const auto triangle = [&](std::size_t first, std::size_t k) {
        return geometry::Corners{ring[first], ring[(first + k) % count], ring[(first + k + 1) % count]};
    };
    if (count > 3 && !is_convex(ring, mesh.vertices)) return false;
    for (std::size_t first = 0; first < count; ++first) {
        bool is_whole = true;
        for (std::size_t k = 1; k + 1 < count && is_whole && count > 3; ++k)
            is_whole = geometry::facet_normal(mesh.vertices, triangle(first, k)) != Vec3{};
        if (!is_whole) continue;
        for (std::size_t k = 1; k + 1 < count; ++k) {
            mesh.facets.push_back(triangle(first, k));
            if (line > 0) mesh.lines.push_back(line);
        }
        return true;
    }
    return false;
}

std::string read_bytes(const std::string& path) {
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(path, error);
    std::ifstream in(path, std::ios::binary);
    if (!is_file || !in) throw InputError({Problem{.what = "cannot read the mesh", .file = path, .hint = "is it there, and a file?"}});
    if (std::filesystem::file_size(path, error) > most_bytes || error)
        throw InputError({Problem{.what = fmt::format("the mesh is larger than {} bytes", most_bytes), .file = path}});
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) throw RuntimeError(fmt::format("reading `{}` failed", path));
    return bytes;
}

void write_bytes(const std::string& path, const std::string& bytes) {
    errno = 0;
    std::ofstream out(path, std::ios::binary);
    out << bytes;
    out.close();
    if (out) return;
    const std::string reason = errno != 0 ? std::strerror(errno) : "writing failed";
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    std::error_code error;
    const bool lacks_folder = !folder.empty() && !std::filesystem::is_directory(folder, error);
    throw RuntimeError(
        fmt::format("cannot write `{}`: {}", path, lacks_folder ? fmt::format("there is no folder `{}`", folder.string()) : reason));
}

}  // namespace asperity::assets
