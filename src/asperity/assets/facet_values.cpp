#include "asperity/assets/facet_values.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "asperity/assets/mesh_common.h"
#include "asperity/core/constants.h"

namespace asperity::assets {
namespace {

constexpr double unset = std::numeric_limits<double>::quiet_NaN();

struct Column {
    std::string_view name;
    std::vector<double> FacetValues::*values;
    double most;
};
constexpr double no_limit = std::numeric_limits<double>::max();
constexpr Column known_columns[] = {
    {"restitution", &FacetValues::restitution, 1},
    {"friction", &FacetValues::friction, largest_contact_coefficient},
    {"rolling_resistance", &FacetValues::rolling_resistance, largest_contact_coefficient},
    {"rock_density", &FacetValues::rock_density, no_limit},
};
constexpr const char* known_names = "facet, restitution, friction, rolling_resistance, rock_density";

Word trimmed(Word cell) {
    while (!cell.text.empty() && (cell.text.front() == ' ' || cell.text.front() == '\t')) {
        cell.text.remove_prefix(1);
        ++cell.column;
    }
    while (!cell.text.empty() && (cell.text.back() == ' ' || cell.text.back() == '\t')) cell.text.remove_suffix(1);
    return cell;
}

std::vector<Word> cells_of(std::string_view line) {
    std::vector<Word> cells;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = line.find(',', begin);
        cells.push_back(trimmed({.text = line.substr(begin, end - begin), .column = static_cast<int>(begin) + 1}));
        if (end == std::string_view::npos) return cells;
        begin = end + 1;
    }
}

class Reader {
public:
    Reader(std::string_view text, const std::string& name, std::size_t facets) : lines_(text, 1), name_(name), line_of_(facets, 0) {}

    FacetValues read() {
        while (problems_.size() < most_problems && lines_.next_line()) {
            std::string_view line = lines_.source();
            if (lines_.line() == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // a mark that spreadsheets write
            const Word all = trimmed({.text = line, .column = 1});
            if (all.text.empty() || all.text.front() == '#') continue;
            if (columns_.empty())
                take_header(cells_of(line));
            else
                take_row(cells_of(line));
            if (columns_.empty()) break;  // without a header no row can be read
        }
        if (columns_.empty() && problems_.empty())
            problems_.push_back(
                {.what = "the table is empty", .file = name_, .hint = fmt::format("its first line names columns of {}", known_names)});
        if (!problems_.empty()) throw InputError(std::move(problems_));
        return std::move(values_);
    }

private:
    void complain(const Word& cell, std::string what, std::string hint) {
        problems_.push_back(problem_at(lines_, name_, cell, std::move(what), std::move(hint)));
    }

    // columns_[k]: what stands in cell k; null for the number of the facet.
    void take_header(const std::vector<Word>& cells) {
        std::vector<const Column*> columns;
        bool has_facet = false;
        for (const Word& cell : cells) {
            const Column* column = nullptr;
            for (const Column& known : known_columns)
                if (known.name == cell.text) column = &known;
            const bool is_facet = cell.text == "facet";
            if (!column && !is_facet)
                return complain(cell, fmt::format("unknown column `{}`", cell.text), fmt::format("known: {}", known_names));
            if (column ? !(values_.*column->values).empty() : has_facet)
                return complain(cell, fmt::format("the column `{}` stands here twice", cell.text), "drop one of them");
            if (column) (values_.*column->values).assign(line_of_.size(), unset);
            has_facet = has_facet || is_facet;
            columns.push_back(column);
        }
        if (!has_facet) return complain(cells[0], "there is no column `facet`", "it says which facet a row is about, counted from 0");
        if (columns.size() == 1) return complain(cells[0], "there is no column of values", fmt::format("known: {}", known_names));
        columns_ = std::move(columns);
    }

    std::optional<std::size_t> facet_in(const Word& cell) {
        const auto got = number<std::int64_t>(cell.text);
        if (!got) {
            complain(cell, fmt::format("`{}` is not the number of a facet", cell.text), "write a whole number, counted from 0");
        } else if (*got < 0 || static_cast<std::uint64_t>(*got) >= line_of_.size()) {
            complain(cell, fmt::format("facet {} does not exist", *got),
                     fmt::format("the mesh has {} facets, counted from 0", line_of_.size()));
        } else {
            const auto facet = static_cast<std::size_t>(*got);
            if (line_of_[facet] == 0) {
                line_of_[facet] = lines_.line();
                return facet;
            }
            complain(cell, fmt::format("facet {} stands in line {} already", facet, line_of_[facet]), "drop one of the two rows");
        }
        return std::nullopt;
    }

    void take_row(const std::vector<Word>& cells) {
        if (cells.size() != columns_.size())
            return complain(cells[0], fmt::format("{} values in a table of {} columns", cells.size(), columns_.size()),
                            "leave a value empty where it is not set, but keep its comma");
        std::optional<std::size_t> facet;
        for (std::size_t k = 0; k < cells.size(); ++k)
            if (!columns_[k]) facet = facet_in(cells[k]);
        if (!facet) return;
        for (std::size_t k = 0; k < cells.size(); ++k)
            if (columns_[k]) take_value(*columns_[k], cells[k], *facet);
    }

    void take_value(const Column& column, const Word& cell, std::size_t facet) {
        if (cell.text.empty() || cell.text == "nan" || cell.text == "NaN") return;
        const auto got = number<double>(cell.text);
        if (!got) return complain(cell, fmt::format("`{}` is not a number", cell.text), "write a decimal, or nothing where it is not set");
        if (!(*got >= 0 && *got <= column.most))
            return complain(cell, fmt::format("the {} of facet {} is {}", column.name, facet, cell.text),
                            column.most < no_limit ? fmt::format("it lies between 0 and {:g}", column.most) : "it is 0 or more");
        (values_.*column.values)[facet] = *got;
    }

    LineReader lines_;
    const std::string& name_;
    std::vector<int> line_of_;  // where each facet stands; 0: nowhere yet
    std::vector<const Column*> columns_;
    FacetValues values_;
    std::vector<Problem> problems_;
};

}  // namespace

FacetValues parse_facet_values(std::string_view text, const std::string& name, std::size_t facet_count) {
    check_arguments(text, name, 1);
    return Reader(text, name, facet_count).read();
}

FacetValues read_facet_values(const std::string& path, std::size_t facet_count) {
    return parse_facet_values(read_bytes(path), path, facet_count);
}

}  // namespace asperity::assets
