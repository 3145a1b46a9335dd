#include "asperity/reproduce/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "asperity/core/errors.h"
#include "asperity/core/version.h"

namespace asperity::reproduce {
namespace {

using statistics::Estimate;

namespace fs = std::filesystem;

constexpr std::size_t kept_runs = 16;    // of each cell, one by one
constexpr double kept_precision = 1e-8;  // relative: nine digits are written
// Of the difference from what was kept: one of 16,000 equal batches is farther apart, and a hundred cells are asked at once.
constexpr double standard_errors = 4;

std::string hours(double value) { return std::isnan(value) ? "-" : fmt::format("{:.9g}", value); }

bool is_equal(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::abs(a - b) <= kept_precision * std::abs(b);
}

double error_of(const Estimate& e) { return (e.interval.high - e.interval.low) / (2 * 1.96); }

// In standard errors of both; zero where neither has any.
double apart(const Estimate& ours, double our_error, const Estimate& kept) {
    if (std::isnan(ours.value) && std::isnan(kept.value)) return 0;
    const double both = std::hypot(our_error, error_of(kept)), off = std::abs(ours.value - kept.value);
    return both > 0 ? off / both : off > 0 ? std::numeric_limits<double>::infinity() : 0;
}

// Why ours is not what was kept; empty where it is, up to the errors of sampling.
std::string complaint(const CellResult& ours, const KeptCell& kept) {
    for (const BatchQuantity quantity : {BatchQuantity::success_fraction, BatchQuantity::stop_time_mean}) {
        const auto q = static_cast<std::size_t>(quantity);
        const bool is_mean = quantity == BatchQuantity::stop_time_mean;
        if (is_mean && ours.successes == 0) continue;
        // the deviation of the whole batch: that of a few runs is hardly known
        const double deviation = kept.figures[static_cast<std::size_t>(BatchQuantity::stop_time_sigma)].value;
        const double our_error = is_mean ? deviation / std::sqrt(static_cast<double>(ours.successes)) : error_of(ours.figures[q]);
        if (apart(ours.figures[q], our_error, kept.figures[q]) > standard_errors)
            return fmt::format("{} is {:.4g} {}, kept is {:.4g}", name(quantity), ours.figures[q].value, unit(quantity),
                               kept.figures[q].value);
    }
    return {};
}

double hours_of(const std::string& text, const fs::path& file) {
    if (text == "-") return statistics::no_value;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0)
        throw InputError(fmt::format("{}: \"{}\" is not a number", file.string(), text),
                         "write the file again: asperity reproduce ID --keep");
    return value;
}

// "at rest 381 of 400", "stop_time_mean 7.21 7.05 7.37", "run 7.1 0.5"
void read_line(std::istringstream& words, const std::string& first, KeptCell& cell, const fs::path& file) {
    const auto number = [&] {
        std::string text;
        words >> text;
        return hours_of(text, file);
    };
    if (first == "at") {
        std::string skipped;
        words >> skipped >> cell.successes >> skipped >> cell.runs;
        return;
    }
    if (first == "run") {
        const double stop = number();
        cell.first.push_back({stop, number()});
        return;
    }
    for (std::size_t q = 0; q < batch_quantities; ++q)
        if (first == name(static_cast<BatchQuantity>(q))) {
            Estimate& figure = cell.figures[q];
            figure.value = number();
            figure.interval.low = number();
            figure.interval.high = number();
            return;
        }
    throw InputError(fmt::format("{}: \"{}\" was not expected", file.string(), first),
                     "write the file again: asperity reproduce ID --keep");
}

}  // namespace

fs::path kept_file(const PublishedTable& table) {
    return table.file.parent_path() / "results" / table.file.filename().replace_extension(".txt");
}

std::string kept_text(const PublishedTable& table, const BatchResult& result) {
    std::string out = fmt::format(
        "# {}: {}\n# Kept by `asperity reproduce {} --keep`, asperity {}. %, h; value and 95 % interval; the first runs: stop time, "
        "first impact; -: not at rest.\n",
        table.id, table.title, table.id, version());
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const CellResult& cell = result.cells[i];
        out += fmt::format("\n[{}]\nat rest {} of {}\n", table.batch->cells[i].name, cell.successes, cell.success.size());
        for (std::size_t q = 0; q < batch_quantities; ++q)
            out += fmt::format("{} {} {} {}\n", name(static_cast<BatchQuantity>(q)), hours(cell.figures[q].value),
                               hours(cell.figures[q].interval.low), hours(cell.figures[q].interval.high));
        for (std::size_t run = 0; run < std::min(kept_runs, cell.success.size()); ++run)
            out += fmt::format("run {} {}\n", hours(cell.stop_time[run]), hours(cell.first_impact_time[run]));
    }
    return out;
}

std::vector<KeptCell> read_kept(const fs::path& file) {
    std::ifstream in(file);
    std::vector<KeptCell> cells;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        if (line.starts_with("[") && line.ends_with("]")) {
            cells.emplace_back().name = line.substr(1, line.size() - 2);
            continue;
        }
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (cells.empty()) throw InputError(fmt::format("{}: \"{}\" stands before any group", file.string(), first));
        read_line(words, first, cells.back(), file);
    }
    return cells;
}

void compare_with_kept(const PublishedTable& table, const std::vector<KeptCell>& kept, BatchResult& result) {
    if (kept.empty()) return;
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        CellResult& cell = result.cells[i];
        const auto found = std::find_if(kept.begin(), kept.end(), [&](const KeptCell& k) { return k.name == table.batch->cells[i].name; });
        Finding& finding = cell.kept.emplace(Finding{Basis::own, Standing::agrees, {}});
        if (found == kept.end()) {
            finding.contradiction = fmt::format("not in {}: keep it with --keep", kept_file(table).string());
            cell.kept_note = "CONTRADICTED: " + finding.contradiction;
            continue;
        }
        const std::size_t runs = std::min(found->first.size(), cell.stop_time.size());
        std::size_t equal = 0;
        for (std::size_t run = 0; run < runs; ++run)
            equal += is_equal(cell.stop_time[run], found->first[run].stop_time) &&
                             is_equal(cell.first_impact_time[run], found->first[run].first_impact_time)
                         ? 1
                         : 0;
        if (equal < runs) finding.contradiction = complaint(cell, *found);
        cell.kept_note = fmt::format("{} of the first {} runs are as kept", equal, runs);
        if (!finding.holds()) cell.kept_note += ". CONTRADICTED: " + finding.contradiction;
    }
}

void keep(const PublishedTable& table, const BatchResult& result) {
    const fs::path file = kept_file(table);
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    std::ofstream out(file);
    out << kept_text(table, result);
    out.close();
    if (!out) throw InputError(fmt::format("cannot write `{}`", file.string()), "is the folder of the published tables writable?");
}

}  // namespace asperity::reproduce
