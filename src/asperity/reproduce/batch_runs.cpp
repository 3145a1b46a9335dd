#include "asperity/reproduce/batch_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "asperity/batch/batch.h"
#include "asperity/batch/bytes.h"
#include "asperity/core/errors.h"
#include "asperity/reproduce/kept.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/write.h"
#include "asperity/study/progress.h"
#include "asperity/study/trial.h"

namespace asperity::reproduce {
namespace {

using statistics::Estimate;
using statistics::Interval;
using statistics::no_value;

constexpr double seconds_per_hour = 3600;

// The scenarios of all cells, and what they load, each thing once.
class Cells {
public:
    Cells(const PublishedTable& table, bool is_quiet) {
        for (const BatchCell& cell : table.batch->cells) {
            const scenario::Scenario& scenario =
                scenarios_.emplace_back(scenario::read_scenario(table.scenario_file(), {.sets = cell.sets}));
            std::unique_ptr<model::Assets>& assets = loaded_[asset_text(scenario)];
            if (!assets) assets = std::make_unique<model::Assets>(study::load_assets(scenario, is_quiet));
            assets_.push_back(assets.get());
        }
    }
    study::Trial run(std::size_t cell, std::uint64_t run) const { return study::run_trial(scenarios_[cell], *assets_[cell], run); }

private:
    // What does not decide about assets is left out: equal texts, equal assets.
    static std::string asset_text(scenario::Scenario scenario) {
        const scenario::Scenario none;
        scenario.name = scenario.description = "";
        for (scenario::Body& body : scenario.bodies) body.start.reset();
        scenario.contacts.clear();
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
        const study::Trial trial = cells.run(cell, run);
        is_rest = trial.outcome.kind == model::OutcomeKind::rest;
        stop = value_of(trial.metrics, "stop_time") / seconds_per_hour;
        first = value_of(trial.metrics, "first_impact_time") / seconds_per_hour;
        if (trial.outcome.is_trouble()) trouble = fmt::format("run {} at {:.9g} s: {}", run, trial.outcome.time, trial.outcome.message);
    } catch (const InputError& error) {
        trouble = fmt::format("run {}: {}", run, error.problems.empty() ? error.what() : error.problems.front().what);
    }
    batch::Packer out;
    out.add(is_rest);
    out.add(stop);
    out.add(first);
    out.add_text(trouble);
    return std::move(out.bytes);
}

void take(CellResult& cell, std::uint64_t run, std::string_view bytes) {
    batch::Unpacker in(bytes);
    const bool is_rest = in.get<bool>();
    const auto stop = in.get<double>(), first = in.get<double>();
    const std::string trouble = in.get_text();
    cell.success[run] = is_rest ? 1 : 0;
    cell.reached[run] = std::isnan(first) ? 0 : 1;
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
        case Compared::reached: return cell.reached;
    }
    return cell.success;
}

Estimate mean_of(const std::vector<double>& values) {
    const statistics::ColumnStatistics got = statistics::column_statistics(values, {.confidence = 0.95, .probabilities = {}});
    return {.value = got.mean, .interval = got.mean_interval};
}

void take_figures(CellResult& cell) {
    cell.successes = 0;
    for (const double success : cell.success) cell.successes += success > 0.5 ? 1 : 0;
    std::uint64_t reached = 0;
    for (const double one : cell.reached) reached += one > 0.5 ? 1 : 0;
    const auto share = [&](std::uint64_t count) -> Estimate {
        const Interval rate = statistics::wilson(count, cell.success.size(), 0.95);
        return {.value = 100 * static_cast<double>(count) / static_cast<double>(cell.success.size()),
                .interval = {100 * rate.low, 100 * rate.high}};
    };
    const auto at = [&](BatchQuantity quantity) -> Estimate& { return cell.figures[static_cast<std::size_t>(quantity)]; };
    at(BatchQuantity::success_fraction) = share(cell.successes);
    at(BatchQuantity::reached_fraction) = share(reached);
    at(BatchQuantity::stop_time_mean) = mean_of(cell.stop_time);
    at(BatchQuantity::stop_time_sigma) = statistics::deviation(cell.stop_time);
    at(BatchQuantity::first_impact_time_mean) = mean_of(cell.first_impact_time);
}

// The quantities that are compared with print.
struct Judged {
    std::array<Estimate, batch_quantities> figures;
    std::uint64_t runs = 0;
    bool is_shortened = false;
};

// The distance of print from ours in standard errors of both; print has sampling errors too. NaN where they are not known.
double standard_errors_apart(const BatchTable& table, const BatchCell& cell, const Judged& ours, BatchQuantity quantity) {
    const auto published = [&](BatchQuantity q) -> double {
        const auto& number = cell.published[static_cast<std::size_t>(q)];
        return number ? static_cast<double>(number->value) : no_value;
    };
    const Estimate& figure = ours.figures[static_cast<std::size_t>(quantity)];
    const double their_rate = published(BatchQuantity::success_fraction) / 100;
    const double all = table.published_runs;
    const double theirs = all * (their_rate > 0 ? their_rate : 1);  // a mean beside no success at all is one over other runs
    if (is_rate(quantity)) {
        const double n = static_cast<double>(ours.runs), print = published(quantity) / 100, rate = figure.value / 100;
        const double pooled = (n * rate + all * print) / (n + all);
        const double error = std::sqrt(pooled * (1 - pooled) * (1 / n + 1 / all));
        return error > 0 ? (print - rate) / error : 0;
    }
    const double sigma = published(BatchQuantity::stop_time_sigma), our_error = (figure.interval.high - figure.interval.low) / (2 * 1.96);
    const double their_error = quantity == BatchQuantity::stop_time_sigma ? sigma / std::sqrt(2 * (theirs - 1)) : sigma / std::sqrt(theirs);
    return (published(quantity) - figure.value) / std::hypot(our_error, their_error);
}

const char* word(Standing standing) { return standing == Standing::agrees ? "within" : name(standing); }

bool covers(const Interval& interval, long double value) {
    return static_cast<long double>(interval.low) <= value && value <= static_cast<long double>(interval.high);
}

// Why the batch contradicts the standing of a published number; empty where it does not.
std::string print_contradiction(const BatchCell& cell, const Estimate& ours, std::size_t q, double apart, bool is_shortened) {
    const Printed& print = *cell.published[q];
    const Standing standing = *cell.standing.of[q];
    if (is_shortened && !std::isfinite(ours.interval.low)) return {};  // too few runs came to rest to say
    const bool agrees = std::isfinite(apart) && std::abs(apart) <= 1.96;
    if (standing == Standing::agrees) {
        if (agrees) return {};
        return std::isfinite(apart) ? fmt::format("declared agrees, but print is {:+.1f} standard errors off", apart)
                                    : "declared agrees, but ours has no interval";
    }
    if (agrees && !is_shortened) return fmt::format("declared {}, but print agrees within the sampling errors of both", name(standing));
    if (standing == Standing::open) {
        const Printed& off = *cell.off[q];
        if (covers(ours.interval, print.value + off.value)) return {};
        return fmt::format("differs by {:+.3g}, stated is {}", ours.value - static_cast<double>(print.value), off.text);
    }
    const Printed& corrected = cell.corrected[q]->number;
    const bool is_proven = std::isnan(corrected.value) ? std::isnan(ours.value) : covers(ours.interval, corrected.value);
    return is_proven ? "" : fmt::format("not proven: ours is {:.4g}, the corrected number {}", ours.value, corrected.text);
}

void judge_print(const BatchTable& table, const BatchCell& cell, const Judged& judged, CellResult& result) {
    for (std::size_t q = 0; q < batch_quantities; ++q) {
        result.notes[q].clear();
        if (!cell.published[q]) continue;
        const double apart = standard_errors_apart(table, cell, judged, static_cast<BatchQuantity>(q));
        Finding& finding = result.findings[q].emplace(
            Finding{Basis::print, *cell.standing.of[q], print_contradiction(cell, judged.figures[q], q, apart, judged.is_shortened)});
        result.notes[q] = finding.holds() ? word(*cell.standing.of[q]) : "CONTRADICTED: " + finding.contradiction;
        if (finding.holds() && std::isfinite(apart) && std::abs(apart) > 1.96)
            result.notes[q] += fmt::format(": print {:+.1f} standard errors off", apart);
    }
}

// Judges the claims of print about the success rate.
void judge_success(const BatchCell& cell, const Judged& judged, CellResult& result) {
    const auto index = static_cast<std::size_t>(BatchQuantity::success_fraction);
    const Estimate& success = judged.figures[index];
    const bool is_shortened = judged.is_shortened;
    const auto judge = [&](const Printed& bound, Standing standing, bool holds, bool is_opposite, const char* what) {
        const std::string claim = fmt::format("{} {} %", what, bound.text);
        const bool is_wrong = standing == Standing::agrees ? (is_shortened ? is_opposite : !holds) : holds && !is_shortened;
        const Finding& finding = result.claims.emplace_back(
            Finding{Basis::print, standing, is_wrong ? fmt::format("declared {}: {}", name(standing), claim) : ""});
        result.notes[index] +=
            fmt::format("{}{}", result.notes[index].empty() ? "" : "; ",
                        finding.holds() ? fmt::format("{}: {}", name(standing), claim) : "CONTRADICTED: " + finding.contradiction);
    };
    const auto at = [](const Printed& bound) { return static_cast<double>(bound.value); };
    if (cell.success_above)
        judge(*cell.success_above, *cell.standing.success_above, success.is_above(at(*cell.success_above)),
              success.is_below(at(*cell.success_above)), "above");
    if (cell.success_below)
        judge(*cell.success_below, *cell.standing.success_below, success.is_below(at(*cell.success_below)),
              success.is_above(at(*cell.success_below)), "below");
}

statistics::PairedDifference difference(const BatchTable& table, const BatchResult& result, Compared quantity, const std::string& a,
                                        const std::string& b) {
    const auto cell = [&](const std::string& name) -> const CellResult& {
        return result.cells[static_cast<std::size_t>(table.find(name) - table.cells.data())];
    };
    const std::vector<double>&first = column(cell(a), quantity), &second = column(cell(b), quantity);
    return is_rate(quantity) ? statistics::paired_rate(first, second, result.confidence())
                             : statistics::paired_mean(first, second, result.confidence());
}

Interval size_interval(const Interval& i) {
    if (i.low <= 0 && i.high >= 0) return {0, std::max(-i.low, i.high)};
    return {std::min(std::abs(i.low), std::abs(i.high)), std::max(std::abs(i.low), std::abs(i.high))};
}

enum class Shown { claim, opposite, neither };

Shown shown(bool is_claim, bool is_opposite) { return is_claim ? Shown::claim : is_opposite ? Shown::opposite : Shown::neither; }

// What the runs show about a claim.
Shown shown_of(const BatchTable& table, const BatchResult& result, const Comparison& c, ComparisonResult& got) {
    const Estimate& d = got.got.difference;
    switch (c.wanted) {
        case Wanted::longer:
        case Wanted::higher: return shown(d.is_above(0), d.is_below(0));
        case Wanted::shorter:
        case Wanted::lower: return shown(d.is_below(0), d.is_above(0));
        case Wanted::dominates: {
            got.other = difference(table, result, c.quantity, c.over[0], c.over[1]);
            const Interval one = size_interval(d.interval), other = size_interval(got.other.difference.interval);
            return shown(one.low > other.high, one.high < other.low);
        }
        case Wanted::no_difference: {
            const auto index = static_cast<std::size_t>(table.find(c.b) - table.cells.data());
            const double sigma = is_rate(c.quantity) ? 1 : statistics::deviation(column(result.cells[index], c.quantity)).value;
            const double most = static_cast<double>(c.within->value) * sigma;
            got.note = fmt::format("none counts up to {:.3g}{}", most, is_rate(c.quantity) ? "" : " h");
            return shown(d.is_above(-most) && d.is_below(most), d.is_above(most) || d.is_below(-most));
        }
        case Wanted::nothing: return Shown::claim;
    }
    return Shown::neither;
}

// Why the runs contradict the standing of a comparison; empty where they do not. Few runs show nothing either way: of a shortened batch
// only what it shows counts.
std::string comparison_contradiction(const Comparison& c, const ComparisonResult& got, Shown shown, bool is_shortened) {
    if (c.standing == Standing::agrees && (is_shortened ? shown == Shown::opposite : shown != Shown::claim))
        return "declared agrees, but the interval does not show it";
    if (c.standing == Standing::refuted && (is_shortened ? shown == Shown::claim : shown != Shown::opposite))
        return "declared refuted, but the interval does not show the opposite";
    if (c.standing == Standing::open && !is_shortened && shown == Shown::claim) return "declared open, but the interval shows it";
    if (!c.off || is_shortened) return {};
    const double factor = is_rate(c.quantity) ? 100 : 1;
    const Interval& d = got.got.difference.interval;
    if (covers({factor * d.low, factor * d.high}, c.off->value)) return {};
    return fmt::format("differs by {:+.3g}, stated is {}", factor * got.got.difference.value, c.off->text);
}

void judge_knee(const BatchTable& table, BatchResult& result) {
    if (!table.knee) return;
    std::vector<double> places;
    std::vector<std::vector<double>> success;
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
        places.push_back(static_cast<double>(table.cells[i].place->value));
        success.push_back(result.cells[i].success);
    }
    result.knee = statistics::knee(places, success, 0.5);
    const bool is_there = result.knee && result.knee->existence >= 0.975;
    const bool is_wrong = (table.knee->standing == Standing::agrees) != is_there && !result.is_shortened;
    result.knee_finding =
        Finding{Basis::print, table.knee->standing,
                is_wrong ? fmt::format("declared {}, but there is {} knee", name(table.knee->standing), is_there ? "a" : "no") : ""};
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

void judge_batch(const BatchTable& table, BatchResult& result, const std::vector<KeptCell>& kept) {
    for (std::size_t i = 0; i < table.cells.size(); ++i) {
        const BatchCell& cell = table.cells[i];
        take_figures(result.cells[i]);
        Judged judged{result.cells[i].figures, result.cells[i].success.size(), result.is_shortened};
        const auto whole = std::find_if(kept.begin(), kept.end(), [&](const KeptCell& k) { return k.name == cell.name; });
        if (result.is_shortened && whole != kept.end()) judged = {whole->figures, whole->runs, false};
        judge_print(table, cell, judged, result.cells[i]);
        judge_success(cell, judged, result.cells[i]);
    }
    for (const Comparison& comparison : table.comparisons) {
        ComparisonResult got{
            .got = difference(table, result, comparison.quantity, comparison.a, comparison.b), .other = {}, .finding = {}, .note = {}};
        const Shown shown = shown_of(table, result, comparison, got);
        got.finding = {comparison.basis, comparison.standing, comparison_contradiction(comparison, got, shown, result.is_shortened)};
        if (got.got.pairs < 2 && !is_rate(comparison.quantity)) got.note = "fewer than two runs came to rest in both";
        result.comparisons.push_back(std::move(got));
    }
    judge_knee(table, result);
}

std::vector<Finding> all_findings(const BatchResult& result) {
    std::vector<Finding> all;
    for (const CellResult& cell : result.cells) {
        for (const std::optional<Finding>& finding : cell.findings)
            if (finding) all.push_back(*finding);
        all.insert(all.end(), cell.claims.begin(), cell.claims.end());
        if (cell.kept) all.push_back(*cell.kept);
    }
    for (const ComparisonResult& comparison : result.comparisons) all.push_back(comparison.finding);
    if (result.knee_finding) all.push_back(*result.knee_finding);
    return all;
}

BatchResult run_batch_table(batch::Ranks& ranks, const PublishedTable& table, const BatchOptionsOfTable& options) {
    const BatchTable& batch = *table.batch;
    BatchResult result{.runs = options.runs.value_or(batch.runs)};
    result.is_shortened = result.runs < batch.runs;
    const auto runs = static_cast<std::uint64_t>(result.runs), total = runs * batch.cells.size();
    const std::vector<double> none(runs, no_value);
    result.cells.assign(batch.cells.size(), {.success = none, .reached = none, .stop_time = none, .first_impact_time = none});
    const Cells cells(table, options.is_quiet || !ranks.is_first());
    // run i of all cells before run i + 1: what is known of them grows evenly
    const batch::Evaluate evaluate = [&](std::uint64_t k) { return evaluated(cells, k % batch.cells.size(), k / batch.cells.size()); };
    study::Progress progress(table.id, options.is_quiet || !ranks.is_first());
    std::uint64_t next = 0, done = 0;
    const batch::Steering steering{
        .next = [&]() -> std::optional<std::uint64_t> { return next < total ? std::optional(next++) : std::nullopt; },
        .take =
            [&](std::uint64_t k, std::string_view row) {
                take(result.cells[k % batch.cells.size()], k / batch.cells.size(), row);
                ++done;
            },
        .is_over = [&] { return done == total; },
        .left = [&] { return total - next; },
        .tick = [&](const batch::Load&) { progress.show(static_cast<double>(done), static_cast<double>(total), "runs"); },
    };
    batch::run_batch(
        ranks, {.threads = batch::threads_of_rank(ranks, options.threads)}, [&] { return evaluate; }, steering);
    if (ranks.is_first()) {
        const std::vector<KeptCell> kept = read_kept(kept_file(table));
        judge_batch(batch, result, kept);
        compare_with_kept(table, kept, result);
    }
    return result;
}

}  // namespace asperity::reproduce
