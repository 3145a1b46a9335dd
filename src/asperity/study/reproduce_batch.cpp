#include "asperity/study/reproduce_batch.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "asperity/core/errors.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/write.h"
#include "asperity/study/batch.h"
#include "asperity/study/bytes.h"
#include "asperity/study/progress.h"
#include "asperity/study/trial.h"

namespace asperity::study {
namespace {

constexpr double seconds_per_hour = 3600;

// The scenarios of all cells, and what they load, each thing once.
class Cells {
public:
    Cells(const PublishedTable& table, bool is_quiet) {
        for (const BatchCell& cell : table.batch->cells) {
            const scenario::Scenario& scenario =
                scenarios_.emplace_back(scenario::read_scenario(table.scenario_file(), {.sets = cell.sets}));
            std::unique_ptr<model::Assets>& assets = loaded_[asset_text(scenario)];
            if (!assets) assets = std::make_unique<model::Assets>(load_assets(scenario, is_quiet));
            assets_.push_back(assets.get());
        }
    }
    Trial run(std::size_t cell, std::uint64_t run) const { return run_trial(scenarios_[cell], *assets_[cell], run); }

private:
    // What does not decide about assets is left out: equal texts, equal assets.
    static std::string asset_text(scenario::Scenario scenario) {
        const scenario::Scenario none;
        scenario.name = scenario.description = "";
        scenario.release = none.release;
        scenario.contact = none.contact;
        scenario.phases.clear();
        scenario.end = none.end;
        scenario.output = none.output;
        scenario.expect.clear();
        return scenario::resolved_toml(scenario);
    }

    std::vector<scenario::Scenario> scenarios_;
    std::map<std::string, std::unique_ptr<model::Assets>> loaded_;
    std::vector<const model::Assets*> assets_;  // by cell
};

double value_of(const std::vector<analysis::Metric>& metrics, std::string_view wanted) {
    for (const analysis::Metric& metric : metrics)
        if (metric.name == wanted) return std::get<double>(metric.value);
    return no_value;
}

// One run as bytes: whether it came to rest, when, its first impact, and what went wrong.
std::string evaluated(const Cells& cells, std::size_t cell, std::uint64_t run) {
    bool is_rest = false;
    double stop = no_value, first = no_value;
    std::string trouble;
    try {
        const Trial trial = cells.run(cell, run);
        is_rest = trial.outcome.kind == model::OutcomeKind::rest;
        stop = value_of(trial.metrics, "stop_time") / seconds_per_hour;
        first = value_of(trial.metrics, "first_impact_time") / seconds_per_hour;
        if (trial.outcome.is_trouble()) trouble = fmt::format("run {} at {:.9g} s: {}", run, trial.outcome.time, trial.outcome.message);
    } catch (const InputError& error) {
        trouble = fmt::format("run {}: {}", run, error.problems.empty() ? error.what() : error.problems.front().what);
    }
    Packer out;
    out.add(is_rest);
    out.add(stop);
    out.add(first);
    out.add_text(trouble);
    return std::move(out.bytes);
}

void take(CellResult& cell, std::uint64_t run, std::string_view bytes) {
    Unpacker in(bytes);
    const bool is_rest = in.get<bool>();
    const auto stop = in.get<double>(), first = in.get<double>();
    const std::string trouble = in.get_text();
    cell.success[run] = is_rest ? 1 : 0;
    cell.stop_time[run] = is_rest ? stop : no_value;
    cell.first_impact_time[run] = is_rest ? first : no_value;
    if (trouble.empty()) return;
    ++cell.troubled;
    if (cell.trouble.empty() || trouble < cell.trouble) cell.trouble = trouble;  // whatever the order in which they come
}

const std::vector<double>& column(const CellResult& cell, Compared quantity) {
    switch (quantity) {
        case Compared::stop_time: return cell.stop_time;
        case Compared::first_impact_time: return cell.first_impact_time;
        case Compared::success: return cell.success;
    }
    return cell.success;
}

Estimate mean_of(const std::vector<double>& values) {
    const ColumnStatistics got = column_statistics(values, {.confidence = 0.95, .probabilities = {}});
    return {.value = got.mean, .interval = got.mean_interval};
}

void take_figures(CellResult& cell) {
    cell.successes = 0;
    for (const double success : cell.success) cell.successes += success > 0.5 ? 1 : 0;
    const Interval rate = wilson(cell.successes, cell.success.size(), 0.95);
    const auto at = [&](BatchQuantity quantity) -> Estimate& { return cell.figures[static_cast<std::size_t>(quantity)]; };
    at(BatchQuantity::success_fraction) = {.value = 100 * static_cast<double>(cell.successes) / static_cast<double>(cell.success.size()),
                                           .interval = {100 * rate.low, 100 * rate.high}};
    at(BatchQuantity::stop_time_mean) = mean_of(cell.stop_time);
    at(BatchQuantity::stop_time_sigma) = deviation(cell.stop_time);
    at(BatchQuantity::first_impact_time_mean) = mean_of(cell.first_impact_time);
}

// The distance of print from ours in standard errors of both; print has sampling errors too. NaN where they are not known.
double standard_errors_apart(const BatchTable& table, const BatchCell& cell, const CellResult& ours, BatchQuantity quantity) {
    const auto published = [&](BatchQuantity q) -> double {
        const auto& number = cell.published[static_cast<std::size_t>(q)];
        return number ? static_cast<double>(number->value) : no_value;
    };
    const Estimate& figure = ours.figures[static_cast<std::size_t>(quantity)];
    const double their_rate = published(BatchQuantity::success_fraction) / 100;
    const double all = table.published_runs, theirs = all * (std::isnan(their_rate) ? 1 : their_rate);
    if (quantity == BatchQuantity::success_fraction) {
        const double n = static_cast<double>(ours.success.size());
        const double pooled = (static_cast<double>(ours.successes) + all * their_rate) / (n + all);
        const double error = std::sqrt(pooled * (1 - pooled) * (1 / n + 1 / all));
        return error > 0 ? (their_rate - figure.value / 100) / error : 0;
    }
    const double sigma = published(BatchQuantity::stop_time_sigma), our_error = (figure.interval.high - figure.interval.low) / (2 * 1.96);
    const double their_error = quantity == BatchQuantity::stop_time_sigma ? sigma / std::sqrt(2 * (theirs - 1)) : sigma / std::sqrt(theirs);
    return (published(quantity) - figure.value) / std::hypot(our_error, their_error);
}

std::string note_on_print(const BatchTable& table, const BatchCell& cell, const CellResult& ours, BatchQuantity quantity) {
    if (!cell.published[static_cast<std::size_t>(quantity)]) return {};
    const double apart = standard_errors_apart(table, cell, ours, quantity);
    if (!std::isfinite(apart)) return "no interval";
    return std::abs(apart) <= 1.96 ? "within" : fmt::format("print {:+.1f} standard errors off", apart);
}

// Where the table says how high success must be.
void judge_success(const BatchCell& cell, CellResult& result) {
    const auto index = static_cast<std::size_t>(BatchQuantity::success_fraction);
    const Estimate& success = result.figures[index];
    const auto judge = [&](const Printed& bound, bool holds, const char* word) {
        result.verdict = holds && result.verdict != Verdict::failed ? Verdict::ok : Verdict::failed;
        result.notes[index] += fmt::format("{}{}: {} {} %", result.notes[index].empty() ? "" : "; ",
                                           name(holds ? Verdict::ok : Verdict::failed), word, bound.text);
    };
    if (cell.success_above) judge(*cell.success_above, success.is_above(static_cast<double>(cell.success_above->value)), "above");
    if (cell.success_below) judge(*cell.success_below, success.is_below(static_cast<double>(cell.success_below->value)), "below");
}

PairedDifference difference(const BatchTable& table, const BatchResult& result, Compared quantity, const std::string& a,
                            const std::string& b) {
    const auto cell = [&](const std::string& name) -> const CellResult& {
        return result.cells[static_cast<std::size_t>(table.find(name) - table.cells.data())];
    };
    const std::vector<double>&first = column(cell(a), quantity), &second = column(cell(b), quantity);
    return quantity == Compared::success ? paired_rate(first, second) : paired_mean(first, second);
}

Interval size_interval(const Interval& i) {
    if (i.low <= 0 && i.high >= 0) return {0, std::max(-i.low, i.high)};
    return {std::min(std::abs(i.low), std::abs(i.high)), std::max(std::abs(i.low), std::abs(i.high))};
}

// Whether the comparison holds; says what is missing where it does not.
bool holds(const BatchTable& table, const BatchResult& result, const Comparison& c, ComparisonResult& got) {
    const Estimate& d = got.got.difference;
    switch (c.wanted) {
        case Wanted::longer:
        case Wanted::higher: return d.is_above(0);
        case Wanted::shorter:
        case Wanted::lower: return d.is_below(0);
        case Wanted::dominates: {
            got.other = difference(table, result, c.quantity, c.over[0], c.over[1]);
            return size_interval(d.interval).low > size_interval(got.other.difference.interval).high;
        }
        case Wanted::no_difference: {
            const auto index = static_cast<std::size_t>(table.find(c.b) - table.cells.data());
            const double sigma = c.quantity == Compared::success ? 1 : deviation(column(result.cells[index], c.quantity)).value;
            const double most = static_cast<double>(c.within->value) * sigma;
            got.note = fmt::format("none counts up to {:.3g}{}", most, c.quantity == Compared::success ? "" : " h");
            return d.is_above(-most) && d.is_below(most);
        }
        case Wanted::shown: return true;
    }
    return false;
}

void judge_knee(const BatchTable& table, BatchResult& result) {
    if (!table.knee) return;
    std::vector<double> places;
    std::vector<std::vector<double>> success;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
        places.push_back(static_cast<double>(table.cells[i].place->value));
        success.push_back(result.cells[i].success);
    }
    result.knee = knee(places, success, 0.5);
    result.knee_verdict = result.knee && result.knee->existence >= 0.975 ? Verdict::ok : Verdict::failed;
    if (!result.knee) {
        result.knee_note = "success does not fall through 50 % here";
        return;
    }
    result.knee_note = fmt::format("{:.0f} % of the resampled batches have one", 100 * result.knee->existence);
    if (!table.knee->beyond) return;
    const double rule = static_cast<double>(table.knee->beyond->value);
    const char* where = result.knee->place.is_above(rule) ? "beyond" : result.knee->place.is_below(rule) ? "before" : "not told from";
    result.knee_note += fmt::format("; it lies {} the published {} {}", where, table.knee->beyond->text, table.knee->unit);
}

}  // namespace

void judge_batch(const BatchTable& table, BatchResult& result) {
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
        take_figures(result.cells[i]);
        for (std::size_t q = 0; q < batch_quantities; ++q)
            result.cells[i].notes[q] = note_on_print(table, table.cells[i], result.cells[i], static_cast<BatchQuantity>(q));
        judge_success(table.cells[i], result.cells[i]);
    }
    for (const Comparison& comparison : table.comparisons) {
        ComparisonResult got{.got = difference(table, result, comparison.quantity, comparison.a, comparison.b), .other = {}, .note = {}};
        const bool is_right = holds(table, result, comparison, got);
        got.verdict = comparison.wanted == Wanted::shown ? Verdict::shown : is_right ? Verdict::ok : Verdict::failed;
        if (got.got.pairs < 2 && comparison.quantity != Compared::success) got.note = "fewer than two runs came to rest in both";
        result.comparisons.push_back(std::move(got));
    }
    judge_knee(table, result);
}

BatchResult run_batch_table(Ranks& ranks, const PublishedTable& table, const BatchOptionsOfTable& options) {
    const BatchTable& batch = *table.batch;
    BatchResult result{.runs = options.runs.value_or(batch.runs)};
    const auto runs = static_cast<std::uint64_t>(result.runs), total = runs * batch.cells.size();
    const std::vector<double> none(runs, no_value);
    result.cells.assign(batch.cells.size(), {.success = none, .stop_time = none, .first_impact_time = none});
    const Cells cells(table, options.is_quiet || !ranks.is_first());
    // run i of all cells before run i + 1: what is known of them grows evenly
    const Evaluate evaluate = [&](std::uint64_t k) { return evaluated(cells, k % batch.cells.size(), k / batch.cells.size()); };
    Progress progress(table.id, options.is_quiet || !ranks.is_first());
    std::uint64_t next = 0, done = 0;
    const Steering steering{
        .next = [&]() -> std::optional<std::uint64_t> { return next < total ? std::optional(next++) : std::nullopt; },
        .take =
            [&](std::uint64_t k, std::string_view row) {
                take(result.cells[k % batch.cells.size()], k / batch.cells.size(), row);
                ++done;
            },
        .is_over = [&] { return done == total; },
        .left = [&] { return total - next; },
        .tick = [&](const Load&) { progress.show(static_cast<double>(done), static_cast<double>(total), "runs"); },
    };
    run_batch(
        ranks, {.threads = threads_of_rank(ranks, options.threads)}, [&] { return evaluate; }, steering);
    if (ranks.is_first()) judge_batch(batch, result);
    return result;
}

}  // namespace asperity::study
