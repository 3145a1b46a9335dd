#include "asperity/assets/mesh_ply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "asperity/assets/mesh_common.h"

namespace asperity::assets {
namespace {

using geometry::RawMesh;

struct Type {
    std::string_view name, other_name;
    std::size_t bytes;
    bool is_integer, is_signed;
};
constexpr std::array<Type, 8> types{{{"char", "int8", 1, true, true},
                                     {"uchar", "uint8", 1, true, false},
                                     {"short", "int16", 2, true, true},
                                     {"ushort", "uint16", 2, true, false},
                                     {"int", "int32", 4, true, true},
                                     {"uint", "uint32", 4, true, false},
                                     {"float", "float32", 4, false, true},
                                     {"double", "float64", 8, false, true}}};

const Type* type_of(std::string_view name) {
    const auto found = std::find_if(types.begin(), types.end(), [&](const Type& t) { return t.name == name || t.other_name == name; });
    return found == types.end() ? nullptr : &*found;
}

enum class Role { skipped, x, y, z, corners };

struct Property {
    const Type* type = nullptr;
    const Type* count = nullptr;  // of a list
    Role role = Role::skipped;
};

struct Element {
    std::string name;
    std::int64_t rows = 0;
    int line = 0;
    std::vector<Property> properties{};

    bool has(Role role) const {
        return std::any_of(properties.begin(), properties.end(), [&](const Property& p) { return p.role == role; });
    }
};

enum class Format { unknown, ascii, little, big };

// One row of a vertex or a facet, as far as it matters.
struct Row {
    std::array<double, 3> place{};
    std::array<std::int64_t, most_corners> corner{};
    std::int64_t corners = 0;
};

class PlyReader {
public:
    PlyReader(std::string_view bytes, const std::string& name, double unit) : bytes_(bytes), name_(name), unit_(unit), lines_(bytes, 1) {}

    RawMesh read() {
        read_header();
        check_header();
        for (const Element& element : elements_) {
            if (format_ == Format::ascii)
                read_lines(element);
            else
                read_binary(element);
        }
        make_facets();
        if (problems_.empty() && mesh_.facets.empty())
            problems_.push_back({.what = "the mesh has no facets", .file = name_, .hint = "it may be a cloud of points"});
        stop_if_wrong();
        return std::move(mesh_);
    }

private:
    void stop_if_wrong() {
        if (!problems_.empty()) throw InputError(std::move(problems_));
    }

    [[noreturn]] void fail(Problem problem) {
        problems_.push_back(std::move(problem));
        throw InputError(std::move(problems_));
    }

    // Of the present line. More than most_problems are not collected.
    void complain(const Word& word, std::string what, std::string hint) {
        problems_.push_back(problem_at(lines_, name_, word, std::move(what), std::move(hint)));
        if (problems_.size() >= most_problems) stop_if_wrong();
    }

    [[noreturn]] void fail_at_byte(std::size_t byte, std::string what, std::string hint) {
        fail({.what = fmt::format("{}, at byte {}", what, byte), .file = name_, .hint = std::move(hint)});
    }

    // ---- header

    void read_header() {
        constexpr std::size_t most_properties = 1000;
        std::size_t properties = 0;
        while (lines_.next_line()) {
            const std::vector<Word> words = words_of(lines_, 6);
            const std::string_view key = words.empty() ? std::string_view{} : words[0].text;
            if (key == "end_header") {
                place_ = static_cast<std::size_t>(lines_.source().data() - bytes_.data());
                place_ = std::min(std::min(bytes_.find('\n', place_), bytes_.size() - 1) + 1, bytes_.size());
                return;
            }
            if (lines_.line() == 1) {
                if (key != "ply") fail(problem_at(lines_, name_, {}, "not a PLY file", "its first line is `ply`"));
            } else if (key == "format")
                read_format(words);
            else if (key == "element")
                read_element(words);
            else if (key == "property") {
                read_property(words);
                if (++properties > most_properties) fail(problem_at(lines_, name_, {}, "too many properties", "is it a PLY file?"));
            } else if (key != "comment" && key != "obj_info" && !key.empty())
                complain(words[0], "not a line of the header of a PLY file", "known here: format, element, property, comment, end_header");
        }
        fail({.what = "the header of the PLY file has no end",
              .file = name_,
              .hint = "it ends with the line `end_header`; is the file cut off?"});
    }

    void read_format(const std::vector<Word>& words) {
        const std::string_view kind = words.size() > 1 ? words[1].text : std::string_view{};
        if (kind == "ascii") format_ = Format::ascii;
        if (kind == "binary_little_endian") format_ = Format::little;
        if (kind == "binary_big_endian") format_ = Format::big;
        if (format_ == Format::unknown || words.size() != 3 || words[2].text != "1.0")
            complain(words.size() > 1 ? words[1] : words[0], "not a format of PLY",
                     "write `format ascii 1.0`, binary_little_endian or binary_big_endian");
    }

    void read_element(const std::vector<Word>& words) {
        const auto rows = words.size() == 3 ? number<std::int64_t>(words[2].text) : std::nullopt;
        if (!rows || *rows < 0) {
            complain(words.back(), "not an element of a PLY file", "write for example `element vertex 8`");
            return;
        }
        for (const Element& other : elements_)
            if (other.name == words[1].text) complain(words[1], "an element that was declared before", "each has one line");
        elements_.push_back({.name = std::string(words[1].text), .rows = *rows, .line = lines_.line()});
    }

    static Role role_of(const Element& element, std::string_view property, bool is_list) {
        if (element.name == "vertex" && !is_list && property == "x") return Role::x;
        if (element.name == "vertex" && !is_list && property == "y") return Role::y;
        if (element.name == "vertex" && !is_list && property == "z") return Role::z;
        const bool is_corners = property == "vertex_indices" || property == "vertex_index";
        return element.name == "face" && is_list && is_corners ? Role::corners : Role::skipped;
    }

    void read_property(const std::vector<Word>& words) {
        const bool is_list = words.size() == 5 && words[1].text == "list";
        const Type* type = words.size() >= 3 ? type_of(words[words.size() - 2].text) : nullptr;
        const Type* count = is_list ? type_of(words[2].text) : nullptr;
        const bool is_sound = type != nullptr && (is_list ? count != nullptr && count->is_integer : words.size() == 3);
        if (!is_sound || elements_.empty()) {
            complain(words.back(), "not a property of an element",
                     "write for example `property float x` or `property list uchar int vertex_indices`, below its element");
            return;
        }
        Element& element = elements_.back();
        const Role role = role_of(element, words.back().text, is_list);
        if (role == Role::corners && !type->is_integer)
            complain(words[3], "vertex numbers that are not whole", "give them an integer type");
        if (role != Role::skipped && element.has(role)) complain(words.back(), "a property that was declared before", "each has one line");
        element.properties.push_back({.type = type, .count = count, .role = role});
    }

    void check_header() {
        stop_if_wrong();
        const auto declare = [&](std::string what, std::string hint) {
            problems_.push_back({.what = std::move(what), .file = name_, .hint = std::move(hint)});
        };
        if (format_ == Format::unknown) declare("the header has no line `format`", "write for example `format ascii 1.0`");
        const auto find = [&](std::string_view name) {
            return std::find_if(elements_.begin(), elements_.end(), [&](const Element& e) { return e.name == name; });
        };
        const auto vertex = find("vertex");
        if (vertex == elements_.end() || !vertex->has(Role::x) || !vertex->has(Role::y) || !vertex->has(Role::z))
            declare("the header declares no vertices with x, y and z", "it needs `element vertex` with these three properties");
        const auto face = find("face");
        if (find("tristrips") != elements_.end())
            declare("the mesh is stored as strips of triangles", "write it as faces; most modellers can");
        else if (face == elements_.end() || !face->has(Role::corners))
            declare("the header declares no faces with vertex_indices", "it needs `element face` with a list of vertex numbers");
        stop_if_wrong();
        for (const Element& element : elements_) check_room(element);
        stop_if_wrong();
    }

    // A row needs so many bytes at least; a count that the file cannot hold is known before anything is read.
    void check_room(const Element& element) {
        std::size_t least = 0;
        for (const Property& p : element.properties)
            least += format_ == Format::ascii ? 2 : p.count != nullptr ? p.count->bytes : p.type->bytes;
        const std::size_t room = least == 0 ? 0 : (bytes_.size() - place_ + 1) / least;
        if (static_cast<std::uint64_t>(element.rows) <= room) return;
        problems_.push_back(
            {.what = fmt::format("{} rows of `{}` are promised, but the file has room for {} at most", element.rows, element.name, room),
             .file = name_,
             .line = element.line,
             .column = 1,
             .hint = "is the file cut off, or its header wrong?"});
    }

    // ---- rows

    void take(const Element& element, const Row& row, int line) {
        if (element.name == "vertex") {
            const Vec3 vertex{in_metres(row.place[0], unit_), in_metres(row.place[1], unit_), in_metres(row.place[2], unit_)};
            mesh_.vertices.push_back(vertex);
        } else if (element.name == "face") {
            polygons_.push_back({.line = line, .count = static_cast<int>(row.corners), .first = corners_.size()});
            for (std::int64_t k = 0; k < row.corners; ++k) {
                // What is out of range is told when all vertices are known.
                const std::int64_t v = row.corner[static_cast<std::size_t>(k)];
                corners_.push_back(v < 0 || v > INT32_MAX ? -1 : static_cast<std::int32_t>(v));
            }
        }
    }

    static std::string corner_count_text(std::int64_t count) { return fmt::format("a facet with {} corners", count); }
    static std::string corner_count_hint(std::int64_t count) {
        return count < 3 ? "a facet has at least three" : fmt::format("cut it: at most {} are read", most_corners);
    }
    bool is_good(double coordinate) const { return std::isfinite(coordinate) && std::isfinite(in_metres(coordinate, unit_)); }

    void read_lines(const Element& element) {
        for (std::int64_t k = 0; k < element.rows; ++k) {
            Word first;
            while (first.column == 0) {
                if (!lines_.next_line())
                    fail({.what = fmt::format("the file ends after {} of {} rows of `{}`", k, element.rows, element.name),
                          .file = name_,
                          .line = lines_.line(),
                          .column = 1,
                          .hint = "is it cut off?"});
                first = lines_.next_word();
            }
            Row row;
            if (read_line(element, first, row)) take(element, row, lines_.line());
        }
    }

    // The row of the present line, of which the first word has been read; false where it is wrong, which has been told.
    bool read_line(const Element& element, Word word, Row& row) {
        for (const Property& property : element.properties) {
            if (property.count == nullptr) {
                const auto value = number<double>(word.text);
                const bool matters = property.role != Role::skipped;
                if (word.column == 0 || (matters && (!value || !is_good(*value)))) {
                    complain(word, word.column == 0 ? "a row with too few numbers" : "not a finite number", "write for example `0.125`");
                    return false;
                }
                if (matters) row.place[static_cast<std::size_t>(property.role) - 1] = *value;
                word = lines_.next_word();
            } else if (!read_list(property, word, row))
                return false;
        }
        if (word.column > 0) complain(word, "a row with too many numbers", "one row of an element is one line");
        return word.column == 0;
    }

    bool read_list(const Property& property, Word& word, Row& row) {
        const auto count = number<std::int64_t>(word.text);
        if (!count || *count < 0) {
            complain(word, "not the length of a list", "write a whole number, then as many values");
            return false;
        }
        const bool matters = property.role == Role::corners;
        if (matters && (*count < 3 || *count > static_cast<std::int64_t>(most_corners))) {
            complain(word, corner_count_text(*count), corner_count_hint(*count));
            return false;
        }
        if (matters) row.corners = *count;
        for (std::int64_t k = 0; k < *count; ++k) {
            word = lines_.next_word();
            const auto value = number<std::int64_t>(word.text);
            if (word.column == 0 || (matters && !value)) {
                complain(word, word.column == 0 ? "a list with too few values" : "not the number of a vertex",
                         "write a whole number; vertices count from 0");
                return false;
            }
            if (matters) row.corner[static_cast<std::size_t>(k)] = *value;
        }
        word = lines_.next_word();
        return true;
    }

    // ---- binary

    std::uint64_t raw(std::size_t size, const Element& element, std::int64_t row) {
        if (bytes_.size() - place_ < size)
            fail_at_byte(bytes_.size(), fmt::format("the file ends after {} of {} rows of `{}`", row, element.rows, element.name),
                         "is it cut off?");
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < size; ++k) {
            const auto byte = static_cast<unsigned char>(bytes_[place_ + (format_ == Format::little ? size - 1 - k : k)]);
            bits = bits << 8 | byte;
        }
        place_ += size;
        return bits;
    }

    static std::int64_t integer(const Type& type, std::uint64_t bits) {
        const auto shift = static_cast<int>(64 - 8 * type.bytes);
        return type.is_signed ? static_cast<std::int64_t>(bits << shift) >> shift : static_cast<std::int64_t>(bits);
    }

    static double real(const Type& type, std::uint64_t bits) {
        if (type.is_integer) return static_cast<double>(integer(type, bits));
        return type.bytes == 8 ? std::bit_cast<double>(bits) : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }

    void read_binary(const Element& element) {
        for (std::int64_t k = 0; k < element.rows; ++k) {
            Row row;
            for (const Property& property : element.properties) {
                const std::size_t start = place_;
                if (property.count != nullptr) {
                    read_binary_list(element, property, k, row);
                    continue;
                }
                const double value = real(*property.type, raw(property.type->bytes, element, k));
                if (property.role == Role::skipped) continue;
                if (!is_good(value))
                    fail_at_byte(start, fmt::format("vertex {} has a coordinate that is not finite", k + 1),
                                 "every coordinate must be a finite number; is the byte order right?");
                row.place[static_cast<std::size_t>(property.role) - 1] = value;
            }
            take(element, row, 0);
        }
    }

    void read_binary_list(const Element& element, const Property& property, std::int64_t k, Row& row) {
        const std::size_t start = place_;
        const std::int64_t count = integer(*property.count, raw(property.count->bytes, element, k));
        const std::size_t room = (bytes_.size() - place_) / property.type->bytes;
        if (property.role == Role::corners && (count < 3 || count > static_cast<std::int64_t>(most_corners)))
            fail_at_byte(start, corner_count_text(count), corner_count_hint(count) + "; is the byte order right?");
        if (count < 0 || static_cast<std::uint64_t>(count) > room)
            fail_at_byte(start, fmt::format("a list of {} values, where the file has room for {}", count, room),
                         "is the file cut off, or the byte order wrong?");
        if (property.role != Role::corners) {
            place_ += static_cast<std::size_t>(count) * property.type->bytes;
            return;
        }
        row.corners = count;
        for (std::int64_t c = 0; c < count; ++c)
            row.corner[static_cast<std::size_t>(c)] = integer(*property.type, raw(property.type->bytes, element, k));
    }

    // ---- facets, which may stand before their vertices

    void make_facets() {
        stop_if_wrong();
        for (std::size_t p = 0; p < polygons_.size() && problems_.size() < most_problems; ++p) {
            const Polygon& polygon = polygons_[p];
            const std::span<const std::int32_t> ring(corners_.data() + polygon.first, static_cast<std::size_t>(polygon.count));
            const bool exist = std::all_of(ring.begin(), ring.end(),
                                           [&](std::int32_t v) { return v >= 0 && static_cast<std::size_t>(v) < mesh_.vertices.size(); });
            const auto wrong = [&](std::string what, std::string hint) {
                problems_.push_back({.what = polygon.line > 0 ? std::move(what) : fmt::format("facet {}: {}", p + 1, what),
                                     .file = name_,
                                     .line = polygon.line,
                                     .column = polygon.line > 0 ? 1 : 0,
                                     .hint = std::move(hint)});
            };
            if (!exist)
                wrong("a vertex that does not exist", fmt::format("the file has {} vertices, counted from 0", mesh_.vertices.size()));
            else if (!add_fan(ring, polygon.line, mesh_))
                wrong(fmt::format("a facet with {} corners that is not convex, or has no area", ring.size()),
                      "cut it into triangles; most modellers can (\"triangulate\")");
        }
    }

    std::string_view bytes_;
    const std::string& name_;
    double unit_;
    LineReader lines_;
    Format format_ = Format::unknown;
    std::size_t place_ = 0;  // of the next byte, in a binary file
    std::vector<Element> elements_;
    std::vector<Polygon> polygons_;
    std::vector<std::int32_t> corners_;  // of all polygons; -1: out of range
    std::vector<Problem> problems_;
    RawMesh mesh_;
};

template <class Number>
void append(std::string& bytes, Number value) {
    static_assert(std::endian::native == std::endian::little);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
}

}  // namespace

RawMesh parse_ply(std::string_view bytes, const std::string& name, double unit) {
    check_arguments(bytes, name, unit);
    return PlyReader(bytes, name, unit).read();
}

std::string format_ply(const RawMesh& mesh, double unit) {
    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.vertices.size(), mesh.facets.size());
    for (const Vec3& v : mesh.vertices)
        for (const double x : {v.x, v.y, v.z}) append(bytes, x / unit);
    for (const geometry::Corners& facet : mesh.facets) {
        append(bytes, static_cast<unsigned char>(3));
        for (const std::int32_t v : facet) append(bytes, v);
    }
    return bytes;
}

}  // namespace asperity::assets
