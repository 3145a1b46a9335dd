#include "asperity/assets/mesh_stl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "asperity/assets/mesh_common.h"

namespace asperity::assets {
namespace {

using geometry::RawMesh;

constexpr std::size_t head_bytes = 84;
constexpr std::size_t facet_bytes = 50;

std::uint32_t word_at(std::string_view bytes, std::size_t place) {
    std::uint32_t value = 0;
    for (std::size_t k = 4; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[place + k]);
    return value;
}

// Three corners per facet, as they are read; equal ones are merged by their bits afterwards.
struct Soup {
    std::vector<Vec3> corners;
    std::vector<std::int32_t> lines;
};

RawMesh merged(Soup soup) {
    for (Vec3& v : soup.corners) v += Vec3{};  // -0 + 0 is 0
    std::vector<std::int32_t> order(soup.corners.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](std::int32_t k) {
        const Vec3& v = soup.corners[static_cast<std::size_t>(k)];
        return std::tie(v.x, v.y, v.z);
    };
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    // For each corner the first that equals it, which alone becomes a vertex.
    std::vector<std::int32_t> first(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool is_new = k == 0 || key(order[k]) != key(order[k - 1]);
        first[static_cast<std::size_t>(order[k])] = is_new ? order[k] : first[static_cast<std::size_t>(order[k - 1])];
    }
    RawMesh mesh;
    mesh.lines = std::move(soup.lines);
    mesh.facets.resize(soup.corners.size() / 3);
    std::vector<std::int32_t> vertex(order.size());
    for (std::size_t k = 0; k < first.size(); ++k) {
        if (static_cast<std::size_t>(first[k]) == k) {
            vertex[k] = static_cast<std::int32_t>(mesh.vertices.size());
            mesh.vertices.push_back(soup.corners[k]);
        }
        mesh.facets[k / 3][k % 3] = vertex[static_cast<std::size_t>(first[k])];
    }
    return mesh;
}

Vec3 scaled(const Vec3& v, double unit) { return {in_metres(v.x, unit), in_metres(v.y, unit), in_metres(v.z, unit)}; }

Soup read_binary(std::string_view bytes, const std::string& name, double unit) {
    const std::size_t count = word_at(bytes, head_bytes - 4);
    Soup soup;
    std::vector<Problem> problems;
    for (std::size_t f = 0; f < count; ++f)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t place = head_bytes + facet_bytes * f + 12 * (k + 1);
            const auto number_at = [&](std::size_t p) { return static_cast<double>(std::bit_cast<float>(word_at(bytes, p))); };
            const Vec3 corner = scaled({number_at(place), number_at(place + 4), number_at(place + 8)}, unit);
            if (!is_finite(corner)) {
                problems.push_back({.what = fmt::format("facet {} has a corner that is not finite, at byte {}", f + 1, place),
                                    .file = name,
                                    .hint = "every coordinate must be a finite number"});
                if (problems.size() >= most_problems) throw InputError(std::move(problems));
            }
            soup.corners.push_back(corner);
        }
    if (!problems.empty()) throw InputError(std::move(problems));
    return soup;
}

// The lines of a facet follow each other in one order only, so that the next line is always known.
class TextReader {
public:
    TextReader(std::string_view text, const std::string& name, double unit) : reader_(text, 1), name_(name), unit_(unit) {}

    Soup read() {
        while (problems_.size() < most_problems && reader_.next_line()) {
            const std::vector<Word> words = words_of(reader_, 5);
            if (!words.empty()) read_line(words);
        }
        if (problems_.empty() && state_ != State::outside)
            problems_.push_back(
                {.what = "the file ends before `endsolid`", .file = name_, .line = reader_.line(), .column = 1, .hint = "is it cut off?"});
        if (!problems_.empty()) throw InputError(std::move(problems_));
        return std::move(soup_);
    }

private:
    enum class State { outside, solid, facet, loop, closed_loop };

    void complain(const Word& word, std::string what, std::string hint) {
        problems_.push_back(problem_at(reader_, name_, word, std::move(what), std::move(hint)));
    }

    void read_line(const std::vector<Word>& words) {
        const std::string_view key = words[0].text;
        const std::string_view second = words.size() > 1 ? words[1].text : std::string_view{};
        if (state_ == State::outside && key == "solid")
            state_ = State::solid;
        else if (state_ == State::solid && key == "endsolid")
            state_ = State::outside;
        else if (state_ == State::solid && key == "facet") {
            state_ = State::facet;
            corners_ = 0;
            line_ = reader_.line();
        } else if (state_ == State::facet && key == "outer" && second == "loop")
            state_ = State::loop;
        else if (state_ == State::loop && key == "vertex")
            read_vertex(words);
        else if (state_ == State::loop && key == "endloop" && corners_ == 3)
            state_ = State::closed_loop;
        else if (state_ == State::closed_loop && key == "endfacet") {
            state_ = State::solid;
            soup_.corners.insert(soup_.corners.end(), corner_.begin(), corner_.end());
            soup_.lines.push_back(line_);
        } else {
            complain(words[0], fmt::format("expected `{}`", wanted()), "this is the order of the lines of an STL file");
            throw InputError(std::move(problems_));  // what follows would be out of step
        }
    }

    std::string_view wanted() const {
        switch (state_) {
            case State::outside: return "solid";
            case State::solid: return "facet normal` or `endsolid";
            case State::facet: return "outer loop";
            case State::loop: return corners_ < 3 ? "vertex" : "endloop";
            case State::closed_loop: return "endfacet";
        }
        return {};
    }

    void read_vertex(const std::vector<Word>& words) {
        if (words.size() != 4 || corners_ == 3) {
            complain(words[0], words.size() != 4 ? "a vertex without three numbers" : "a facet with more than three corners",
                     "a facet has three lines `vertex x y z`");
            throw InputError(std::move(problems_));
        }
        std::array<double, 3> value{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto got = number<double>(words[k + 1].text);
            if (!got || !std::isfinite(*got) || !std::isfinite(in_metres(*got, unit_))) {
                complain(words[k + 1], "not a finite number", "write for example `0.125`");
                break;
            }
            value[k] = *got;
        }
        corner_[corners_++] = scaled({value[0], value[1], value[2]}, unit_);
    }

    LineReader reader_;
    const std::string& name_;
    double unit_;
    State state_ = State::outside;
    std::array<Vec3, 3> corner_{};
    std::size_t corners_ = 0;
    int line_ = 0;  // of the facet
    Soup soup_;
    std::vector<Problem> problems_;
};

}  // namespace

bool is_binary_stl(std::string_view bytes) {
    return bytes.size() >= head_bytes && bytes.size() == head_bytes + facet_bytes * std::size_t{word_at(bytes, head_bytes - 4)};
}

RawMesh parse_stl(std::string_view bytes, const std::string& name, double unit) {
    check_arguments(bytes, name, unit);
    const bool is_binary = is_binary_stl(bytes);
    if (!is_binary && (!bytes.starts_with("solid") || bytes.find('\0') != std::string_view::npos)) {
        const bool has_head = bytes.size() >= head_bytes;
        throw InputError(
            {Problem{.what = has_head ? fmt::format("{} bytes, but a binary STL file of {} facets, as bytes 80 to 83 say, has {}",
                                                    bytes.size(), word_at(bytes, head_bytes - 4),
                                                    head_bytes + facet_bytes * std::uint64_t{word_at(bytes, head_bytes - 4)})
                                      : fmt::format("not an STL file: {} bytes that do not begin with `solid`", bytes.size()),
                     .file = name,
                     .hint = "is it cut off, or of another kind?"}});
    }
    RawMesh mesh = merged(is_binary ? read_binary(bytes, name, unit) : TextReader(bytes, name, unit).read());
    if (mesh.facets.empty()) throw InputError({Problem{.what = "the mesh has no facets", .file = name, .hint = "is it an STL file?"}});
    return mesh;
}

std::string format_stl(const RawMesh& mesh, double unit) {
    std::string text = "solid asperity\n";
    const auto out = std::back_inserter(text);
    for (const geometry::Corners& facet : mesh.facets) {
        const Vec3 n = geometry::facet_normal(mesh.vertices, facet);
        fmt::format_to(out, "facet normal {} {} {}\nouter loop\n", n.x, n.y, n.z);
        for (const std::int32_t corner : facet) {
            const Vec3& v = mesh.vertices[static_cast<std::size_t>(corner)];
            fmt::format_to(out, "vertex {} {} {}\n", v.x / unit, v.y / unit, v.z / unit);
        }
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid asperity\n";
}

}  // namespace asperity::assets
