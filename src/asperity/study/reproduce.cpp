#include "asperity/study/reproduce.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/scenario/read.h"
#include "asperity/study/batch.h"
#include "asperity/study/bytes.h"
#include "asperity/study/closed_form.h"
#include "asperity/study/out_folder.h"
#include "asperity/study/reproduce_field.h"
#include "asperity/study/reproduce_measure.h"

namespace asperity::study {
namespace {

constexpr Real required_agreement = 1e-9L;  // relative: times and positions, and what was never published
constexpr Real file_agreement = 1e-14L;     // relative: our closed form and that of the file; the scenario's numbers are doubles
constexpr double least_order = 0.95;        // of the distance from the closed form in the regularisation speed

bool is_time_or_position(const PublishedRow& row) { return row.unit == "s" || row.unit == "m"; }

std::optional<Real> wall_closed_form(const Measured& run, const std::string& quantity) {
    const auto approach = run.wall_approach();
    if (!approach) return {};
    const WallImpact wall = wall_impact(run.scenario(), *approach);
    if (quantity == "wall_velocity_x") return wall.velocity_x;
    if (quantity == "wall_velocity_z") return wall.velocity_z;
    if (quantity == "wall_spin_y") return wall.spin_y;
    if (quantity == "wall_height_max") return wall.height_max;
    return {};
}

// A group of equilibria: nothing runs.
GroupResult equilibrium_group(const PublishedGroup& group, const scenario::Scenario& scenario) {
    GroupResult result{.group = group, .outcome = "nothing was run", .rows = {}};
    std::vector<std::string> quantities;
    for (const PublishedRow& row : group.rows) quantities.push_back(row.quantity);
    const auto values = equilibrium_values(scenario, quantities);
    for (std::size_t i = 0; i < values.size(); ++i) result.rows.push_back({.row = group.rows[i], .ours = values[i]});
    return result;
}

// Rows that need no run of the scenario. Two frames show the same orbit: its closed form is no distance.
GroupResult measure_fields(const PublishedGroup& group, const scenario::Scenario& scenario) {
    const FieldMeasured fields(scenario);
    GroupResult result{.group = group, .outcome = "not run", .rows = {}};
    for (const PublishedRow& row : group.rows) {
        RowResult got{.row = row};
        got.ours = fields.value(row.quantity);
        if (row.quantity.ends_with("frame_distance")) got.closed_form = 0;
        result.rows.push_back(std::move(got));
    }
    return result;
}

// What our run and the closed form say, before any judgement.
GroupResult run_group(const PublishedTable& table, const PublishedGroup& group) {
    scenario::Scenario scenario = scenario::read_scenario(table.scenario_file(), {.sets = group.sets});
    if (!group.rows.empty() && is_equilibrium_quantity(group.rows[0].quantity)) return equilibrium_group(group, scenario);
    const auto is_field = [](const PublishedRow& row) { return is_field_quantity(row.quantity); };
    if (std::all_of(group.rows.begin(), group.rows.end(), is_field)) return measure_fields(group, scenario);
    const Measured run(std::move(scenario));
    const model::Outcome& outcome = run.trial().outcome;
    GroupResult result{.group = group,
                       .outcome = fmt::format("{} after {:.9g} s", name(outcome.kind), outcome.time),
                       .regularisation_speed = run.scenario().contact.regularisation_speed,
                       .rows = {}};
    for (const PublishedRow& row : group.rows) {
        RowResult got{.row = row};
        got.ours = run.value(row.quantity);
        if (got.ours && row.per) *got.ours /= static_cast<double>(row.per->value);
        if (!has_closed_form(row.quantity)) {
            result.rows.push_back(std::move(got));
            continue;
        }
        got.closed_form = group.closed_form_from == "wall_impact"
                              ? wall_closed_form(run, row.quantity)
                              : closed_form(run.scenario(), row.against.empty() ? row.quantity : row.against);
        result.rows.push_back(std::move(got));
    }
    return result;
}

// What run_group() found: of each row our value and the closed form.
std::string packed(const GroupResult& result) {
    Packer out;
    out.add_text(result.outcome);
    out.add(result.regularisation_speed);
    for (const RowResult& row : result.rows) {
        out.add(row.ours);
        out.add(row.closed_form);
    }
    return std::move(out.bytes);
}

GroupResult unpacked(const PublishedGroup& group, std::string_view bytes) {
    Unpacker in(bytes);
    GroupResult result{.group = group, .outcome = in.get_text(), .rows = {}};
    result.regularisation_speed = in.get<double>();
    for (const PublishedRow& row : group.rows) {
        RowResult got{.row = row};
        got.ours = in.get<std::optional<double>>();
        got.closed_form = in.get<std::optional<long double>>();
        result.rows.push_back(std::move(got));
    }
    return result;
}

const RowResult& find_row(const GroupResult& group, const std::string& quantity) {
    for (const RowResult& row : group.rows)
        if (row.row.quantity == quantity && row.row.distance_from.empty()) return row;
    ASPERITY_REQUIRE(false, "no row {} in group {}", quantity, group.group.name);
}

// Rows that are the distance between two groups.
void take_distances(TableResult& result) {
    const auto distance = [](auto a, auto b) -> decltype(a) {
        if (!a || !b) return {};
        return std::abs(*a - *b);
    };
    for (GroupResult& group : result.groups)
        for (RowResult& row : group.rows) {
            if (row.row.distance_from.empty()) continue;
            const auto other = std::find_if(result.groups.begin(), result.groups.end(),
                                            [&](const GroupResult& g) { return g.group.name == row.row.distance_from; });
            const RowResult &here = find_row(group, row.row.quantity), &there = find_row(*other, row.row.quantity);
            row.ours = distance(here.ours, there.ours);
            row.closed_form = distance(here.closed_form, there.closed_form);
        }
}

void take_differences(const PublishedGroup& group, RowResult& result) {
    const PublishedRow& row = result.row;
    if (!result.closed_form) return;
    if (result.ours) result.our_difference = *result.ours - *result.closed_form;
    const std::optional<Printed>& numerical = row.corrected ? row.corrected : row.numerical;
    if (!numerical) return;
    // where the closed form starts from a state of the run itself, so does the published one
    if (group.closed_form_from.empty())
        result.published_difference = numerical->value - *result.closed_form;
    else if (row.analytical)
        result.published_difference = numerical->value - row.analytical->value;
}

// Empty where the row holds.
std::string complaint(const RowResult& r) {
    if (!r.ours) return "our run has no such quantity";
    if (!r.closed_form) return "there is no closed form of it";
    const Real error = std::abs(*r.our_difference), size = std::abs(*r.closed_form);
    if (r.row.closed_form && std::abs(r.row.closed_form->value - *r.closed_form) > file_agreement * size)
        return fmt::format("our closed form is not that of the file, {}", r.row.closed_form->text);
    if (r.row.within && error > r.row.within->value) return fmt::format("not within {} {}", r.row.within->text, r.row.unit);
    if (r.published_difference && error > std::abs(*r.published_difference)) return "farther from the closed form than the published value";
    if (size == 0 && r.row.within) return {};  // nothing is relative to zero
    const bool is_bound = is_time_or_position(r.row) || (!r.row.within && !r.published_difference);
    if (is_bound && error > required_agreement * size)
        return fmt::format("off by {:.1e} relative, more than {:.0e}", static_cast<double>(error / size),
                           static_cast<double>(required_agreement));
    return {};
}

// The same for a row that has only a published number.
std::string published_complaint(const RowResult& r) {
    if (!r.ours) return "our run has no such quantity";
    const Printed& wanted = r.row.corrected ? *r.row.corrected : *r.row.numerical;
    const Real off = *r.ours - wanted.value;
    if (r.row.within && std::abs(off) > r.row.within->value)
        return fmt::format("off by {:.4g} {}, more than {}", static_cast<double>(off), r.row.unit, r.row.within->text);
    if (r.row.within_part && std::abs(off) > r.row.within_part->value * std::abs(wanted.value))
        return fmt::format("off by {:.4g} of print, more than {}", static_cast<double>(off / wanted.value), r.row.within_part->text);
    return {};
}

void judge(RowResult& r) {
    if (r.row.kind != RowKind::closed_form && r.row.kind != RowKind::published) return;
    const std::string wrong = r.row.kind == RowKind::published ? published_complaint(r) : complaint(r);
    r.verdict = !wrong.empty() ? Verdict::failed : r.row.misprint.empty() ? Verdict::ok : Verdict::misprint;
    r.note = wrong;
    if (!r.row.misprint.empty()) r.note += (wrong.empty() ? "misprint: " : "; misprint: ") + r.row.misprint;
}

// Over the groups of a table that ask for it, by quantity: the order in which the distance falls with the regularisation speed.
void judge_scaling(TableResult& result) {
    struct Last {
        Real distance, speed;
    };
    std::map<std::string, Last> last;
    for (GroupResult& group : result.groups) {
        const Real speed = group.regularisation_speed;
        for (RowResult& row : group.rows) {
            if (row.row.kind != RowKind::scaling) continue;
            row.verdict = Verdict::failed;
            if (!row.our_difference) {
                row.note = "nothing to compare";
                continue;
            }
            const Real distance = std::abs(*row.our_difference);
            const auto before = last.find(row.row.quantity);
            if (before == last.end()) {
                row.verdict = Verdict::shown;
            } else {
                const Real ratio = before->second.distance / distance, order = std::log(ratio) / std::log(before->second.speed / speed);
                row.note =
                    fmt::format("{:.4g} times nearer than before, order {:.3f}", static_cast<double>(ratio), static_cast<double>(order));
                if (order >= least_order) row.verdict = Verdict::ok;
            }
            last[row.row.quantity] = {distance, speed};
        }
    }
}

void judge_all(TableResult& result) {
    take_distances(result);
    for (GroupResult& group : result.groups)
        for (RowResult& row : group.rows) {
            take_differences(group.group, row);
            judge(row);
        }
    judge_scaling(result);
}

// The groups of all tables whose groups are single runs, as one batch.
void run_single(Ranks& ranks, const ReproduceRequest& request, std::vector<TableResult>& results) {
    struct Case {
        std::size_t table, group;
    };
    std::vector<Case> cases;
    for (std::size_t t = 0; t < results.size(); ++t) {
        results[t].groups.resize(results[t].table.groups.size());
        for (std::size_t g = 0; g < results[t].groups.size(); ++g) cases.push_back({t, g});
    }
    const Evaluate evaluate = [&](std::uint64_t run) {
        const PublishedTable& table = results[cases[run].table].table;
        return packed(run_group(table, table.groups[cases[run].group]));
    };
    std::uint64_t next = 0, done = 0;
    const Steering steering{
        .next = [&]() -> std::optional<std::uint64_t> { return next < cases.size() ? std::optional(next++) : std::nullopt; },
        .take =
            [&](std::uint64_t run, std::string_view row) {
                TableResult& result = results[cases[run].table];
                result.groups[cases[run].group] = unpacked(result.table.groups[cases[run].group], row);
                ++done;
            },
        .is_over = [&] { return done == cases.size(); },
        .left = [&] { return cases.size() - next; },
    };
    run_batch(
        ranks, {.threads = threads_of_rank(ranks, request.threads)}, [&] { return evaluate; }, steering);
}

}  // namespace

const char* name(Verdict verdict) {
    switch (verdict) {
        case Verdict::ok: return "ok";
        case Verdict::misprint: return "misprint";
        case Verdict::shown: return "shown";
        case Verdict::failed: return "failed";
    }
    return "";
}

std::vector<TableResult> reproduce(Ranks& ranks, const ReproduceRequest& request) {
    const std::vector<std::string> known = published_ids(request.papers);
    std::vector<Problem> problems;
    for (const std::string& id : request.ids)
        if (std::find(known.begin(), known.end(), id) == known.end())
            problems.push_back({.what = fmt::format("there is no published table `{}`", id),
                                .hint = did_you_mean(id, known),
                                .note = fmt::format("there are: {}", joined(known))});
    if (!problems.empty()) throw InputError(problems);

    std::vector<TableResult> results;
    for (const std::string& id : request.ids.empty() ? known : request.ids) {
        TableResult result{.table = read_published_table(request.papers / (id + ".toml"), id), .groups = {}, .batch = {}};
        if (!result.table.is_slow() || request.with_slow || !request.ids.empty()) results.push_back(std::move(result));
    }
    // before the runs, which may take hours
    if (ranks.is_first() && !request.out.empty() && !request.is_forced) require_own_folder(request.out, reproduce_header(results));
    run_single(ranks, request, results);
    for (TableResult& result : results) {
        if (result.table.batch)
            result.batch =
                run_batch_table(ranks, result.table, {.runs = request.runs, .threads = request.threads, .is_quiet = request.is_quiet});
        else if (ranks.is_first())
            judge_all(result);
    }
    return ranks.is_first() ? std::move(results) : std::vector<TableResult>{};
}
TableResult reproduce_table(const PublishedTable& table) {
    TableResult result{.table = table, .groups = {}, .batch = {}};
    for (const PublishedGroup& group : table.groups) result.groups.push_back(run_group(table, group));
    judge_all(result);
    return result;
}

Count count(const std::vector<TableResult>& results) {
    Count count;
    const auto add = [&](Verdict verdict) {
        ++(verdict == Verdict::ok ? count.ok : verdict == Verdict::failed ? count.failed : count.noted);
    };
    for (const TableResult& result : results) {
        for (const GroupResult& group : result.groups)
            for (const RowResult& row : group.rows) add(row.verdict);
        if (!result.batch) continue;
        for (const ComparisonResult& comparison : result.batch->comparisons) add(comparison.verdict);
        if (result.table.batch->knee) add(result.batch->knee_verdict);
        for (const CellResult& cell : result.batch->cells)
            if (cell.verdict != Verdict::shown) add(cell.verdict);
        count.noted += static_cast<int>(result.table.batch->cells.size() * result.table.batch->quantities.size());
    }
    return count;
}

}  // namespace asperity::study
