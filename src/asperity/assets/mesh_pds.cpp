#include "asperity/assets/mesh_pds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "asperity/assets/mesh_common.h"

namespace asperity::assets {
namespace {

using geometry::RawMesh;

// A decimal whose exponent may be marked with D, as Fortran writes it.
std::optional<double> decimal(std::string_view text) {
    const std::size_t mark = text.find_first_of("dD");
    if (mark == std::string_view::npos) return number<double>(text);
    std::string copy(text);
    copy[mark] = 'e';
    return number<double>(copy);
}

class PlateReader {
public:
    PlateReader(std::string_view text, const std::string& name, double unit) : lines_(text, 1), name_(name), unit_(unit) {}

    RawMesh read() {
        while (problems_.size() < most_problems && lines_.next_line()) {
            const std::vector<Word> words = words_of(lines_, 6);
            if (!words.empty() && words[0].text.front() != '#') read_line(words);
        }
        if (problems_.empty()) check_counts();
        if (problems_.empty()) make_facets();
        if (!problems_.empty()) throw InputError(std::move(problems_));
        return std::move(mesh_);
    }

private:
    void complain(const Word& word, std::string what, std::string hint) {
        problems_.push_back(problem_at(lines_, name_, word, std::move(what), std::move(hint)));
    }

    // After a wrong line of the counted form, which block the next one belongs to is a guess.
    [[noreturn]] void fail(const Word& word, std::string what, std::string hint) {
        complain(word, std::move(what), std::move(hint));
        throw InputError(std::move(problems_));
    }

    void read_line(const std::vector<Word>& words) {
        const bool has_letter = words[0].text == "v" || words[0].text == "f";
        if (!is_started_) {
            is_started_ = true;
            is_counted_ = !has_letter;
            if (is_counted_) return read_counts(words);
        }
        if (!is_counted_) {
            if (!has_letter || words.size() != 4)
                complain(words[0], "not a line of a plate table", "write `v x y z` or `f a b c`");
            else if (words[0].text == "v")
                read_vertex(words, 1);
            else
                read_plate(words, 1);
            return;
        }
        if (static_cast<std::int64_t>(mesh_.vertices.size()) < vertices_)
            read_numbered(words, vertex_number_, "a vertex", "`x y z`, or its number and these");
        else if (!plates_)
            read_plate_count(words);
        else if (static_cast<std::int64_t>(plates_read_.size()) < *plates_)
            read_numbered(words, plate_number_, "a plate", "`a b c`, or its number and these");
        else
            fail(words[0], fmt::format("a line after the last of {} plates", *plates_), "are the counts of the first line right?");
    }

    std::int64_t count(const Word& word) {
        const auto value = number<std::int64_t>(word.text);
        if (!value || *value < 1 || *value > INT32_MAX)
            fail(word, "not the count that begins a plate table",
                 "the first line holds the number of vertices, and may hold that of plates");
        return *value;
    }

    void read_counts(const std::vector<Word>& words) {
        if (words.size() > 2)
            fail(words[0], "not the count that begins a plate table",
                 "the first line holds the number of vertices, and may hold that of plates");
        vertices_ = count(words[0]);
        if (words.size() == 2) plates_ = count(words[1]);
    }

    void read_plate_count(const std::vector<Word>& words) {
        if (words.size() != 1)
            fail(words[0], fmt::format("expected the number of plates, alone on a line, after {} vertices", vertices_),
                 "is the number of vertices of the first line right?");
        plates_ = count(words[0]);
    }

    struct Numbering {
        std::optional<std::int64_t> first;  // 0 or 1
        std::size_t columns = 0;            // 3 or 4, as in the first line of the block; 0 before it
    };

    void read_numbered(const std::vector<Word>& words, Numbering& numbering, std::string_view thing, std::string_view form) {
        const bool is_vertex = &numbering == &vertex_number_;
        if (numbering.columns == 0) numbering.columns = words.size();
        if (words.size() != numbering.columns || words.size() < 3 || words.size() > 4)
            fail(words[0], fmt::format("{} with {} numbers", thing, words.size()), fmt::format("write {} on every line", form));
        if (words.size() == 4) {
            const auto got = number<std::int64_t>(words[0].text);
            const std::int64_t read = static_cast<std::int64_t>(is_vertex ? mesh_.vertices.size() : plates_read_.size());
            if (!numbering.first && got && (*got == 0 || *got == 1)) numbering.first = *got;
            if (!got || !numbering.first || *got != *numbering.first + read)
                fail(words[0], fmt::format("not the number of {}", thing),
                     numbering.first ? fmt::format("{} comes here", *numbering.first + read) : "numbers start from 0 or 1");
        }
        if (is_vertex)
            read_vertex(words, words.size() - 3);
        else
            read_plate(words, words.size() - 3);
    }

    void read_vertex(const std::vector<Word>& words, std::size_t from) {
        std::array<double, 3> value{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto got = decimal(words[from + k].text);
            if (!got || !std::isfinite(*got) || !std::isfinite(in_metres(*got, unit_))) {
                complain(words[from + k], "not a finite number", "write for example `0.125`");
                break;
            }
            value[k] = in_metres(*got, unit_);
        }
        mesh_.vertices.push_back({value[0], value[1], value[2]});
    }

    struct Plate {
        std::array<std::int64_t, 3> corner{};
        int line = 0;
    };

    void read_plate(const std::vector<Word>& words, std::size_t from) {
        Plate plate{.corner = {}, .line = lines_.line()};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto got = number<std::int64_t>(words[from + k].text);
            if (!got || *got < 0 || *got > INT32_MAX) {
                complain(words[from + k], "not the number of a vertex", "write a whole number, counted from 0 or from 1");
                break;
            }
            plate.corner[k] = *got;
        }
        plates_read_.push_back(plate);
    }

    void tell(std::string what, std::string hint, int line = 0) {
        problems_.push_back({.what = std::move(what), .file = name_, .line = line, .column = line > 0 ? 1 : 0, .hint = std::move(hint)});
    }

    void check_counts() {
        if (!is_started_ || (!is_counted_ && plates_read_.empty()))
            tell("the mesh has no facets", "is it a plate table?");
        else if (is_counted_ && static_cast<std::int64_t>(mesh_.vertices.size()) < vertices_)
            tell(fmt::format("the file ends after {} of {} vertices", mesh_.vertices.size(), vertices_), "is it cut off?", lines_.line());
        else if (is_counted_ && static_cast<std::int64_t>(plates_read_.size()) < plates_.value_or(1))
            tell(plates_ ? fmt::format("the file ends after {} of {} plates", plates_read_.size(), *plates_)
                         : std::string("the file ends before the number of plates"),
                 "is it cut off?", lines_.line());
    }

    // 0 or 1: what the first vertex is called.
    std::optional<std::int64_t> base() {
        std::int64_t least = INT32_MAX, most = 0;
        int least_line = 0, most_line = 0;
        for (const Plate& plate : plates_read_)
            for (const std::int64_t v : plate.corner) {
                if (v < least) least_line = plate.line;
                if (v > most) most_line = plate.line;
                least = std::min(least, v);
                most = std::max(most, v);
            }
        const auto known = static_cast<std::int64_t>(mesh_.vertices.size());
        const std::string hint = fmt::format("the file has {} vertices, numbered from 0 to {} or from 1 to {}", known, known - 1, known);
        if (most > known) {
            tell("a vertex that does not exist", hint, most_line);
        } else if (least == 0 && most == known)
            tell(fmt::format("plates that name vertex 0 (line {}) and vertex {} (line {})", least_line, known, most_line), hint);
        else if (least == 0 || most == known)
            return least == 0 ? 0 : 1;
        else if (vertex_number_.first)
            return vertex_number_.first;
        else
            tell(fmt::format("whether plates count from 0 or 1 cannot be told: none names vertex 0 or vertex {}", known),
                 "drop the vertices that no plate uses, or write the mesh as Wavefront OBJ, which counts from 1");
        return std::nullopt;
    }

    void make_facets() {
        const auto first = base();
        if (!first) return;
        for (const Plate& plate : plates_read_) {
            geometry::Corners corners{};
            for (std::size_t k = 0; k < 3; ++k) corners[k] = static_cast<std::int32_t>(plate.corner[k] - *first);
            mesh_.facets.push_back(corners);
            mesh_.lines.push_back(plate.line);
        }
    }

    LineReader lines_;
    const std::string& name_;
    double unit_;
    bool is_started_ = false;
    bool is_counted_ = false;
    std::int64_t vertices_ = 0;
    std::optional<std::int64_t> plates_;
    Numbering vertex_number_, plate_number_;
    std::vector<Plate> plates_read_;
    std::vector<Problem> problems_;
    RawMesh mesh_;
};

}  // namespace

RawMesh parse_pds(std::string_view text, const std::string& name, double unit) {
    check_arguments(text, name, unit);
    return PlateReader(text, name, unit).read();
}

}  // namespace asperity::assets
