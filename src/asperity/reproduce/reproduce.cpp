#include "asperity/reproduce/reproduce.h"

#include <algorithm>

#include "asperity/batch/batch.h"
#include "asperity/batch/bytes.h"
#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/reproduce/closed_form.h"
#include "asperity/reproduce/field_quantities.h"
#include "asperity/reproduce/judge.h"
#include "asperity/reproduce/measure.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/roles.h"
#include "asperity/study/out_folder.h"

namespace asperity::reproduce {
namespace {

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

double in_unit_of(const PublishedRow& row, double value) {
    if (row.times) value *= static_cast<double>(row.times->value);
    if (row.per) value /= static_cast<double>(row.per->value);
    return row.from ? static_cast<double>(row.from->value) - value : value;
}

// The results of our run and of the closed form, before any judgement.
GroupResult run_group(const PublishedTable& table, const PublishedGroup& group) {
    scenario::Scenario scenario = scenario::read_scenario(table.scenario_file(), {.sets = group.sets});
    if (!group.rows.empty() && is_equilibrium_quantity(group.rows[0].quantity)) return equilibrium_group(group, scenario);
    const auto is_field = [](const PublishedRow& row) { return is_field_quantity(row.quantity); };
    if (std::all_of(group.rows.begin(), group.rows.end(), is_field)) return measure_fields(group, scenario);
    const Measured run(std::move(scenario));
    const model::Outcome& outcome = run.trial().outcome;
    GroupResult result{.group = group,
                       .outcome = fmt::format("{} after {:.9g} s", outcome.label(), outcome.time),
                       .regularisation_speed = scenario::ground_contact(run.scenario()).law.regularisation_speed,
                       .rows = {}};
    for (const PublishedRow& row : group.rows) {
        RowResult got{.row = row};
        got.ours = run.value(row.quantity);
        if (got.ours) got.ours = in_unit_of(row, *got.ours);
        if (!has_closed_form(row.quantity)) {
            if (row.closed_form) got.closed_form = row.closed_form->value;
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

// The result of run_group(): our value and the closed form of each row.
std::string packed(const GroupResult& result) {
    batch::Packer out;
    out.add_text(result.outcome);
    out.add(result.regularisation_speed);
    for (const RowResult& row : result.rows) {
        out.add(row.ours);
        out.add(row.closed_form);
    }
    return std::move(out.bytes);
}

GroupResult unpacked(const PublishedGroup& group, std::string_view bytes) {
    batch::Unpacker in(bytes);
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

// The groups of all tables whose groups are single runs, as one batch.
void run_single(batch::Ranks& ranks, const ReproduceRequest& request, std::vector<TableResult>& results) {
    struct Case {
        std::size_t table, group;
    };
    std::vector<Case> cases;
    for (std::size_t t = 0; t < results.size(); ++t) {
        results[t].groups.resize(results[t].table.groups.size());
        for (std::size_t g = 0; g < results[t].groups.size(); ++g) cases.push_back({t, g});
    }
    const batch::Evaluate evaluate = [&](std::uint64_t run) {
        const PublishedTable& table = results[cases[run].table].table;
        return packed(run_group(table, table.groups[cases[run].group]));
    };
    std::uint64_t next = 0, done = 0;
    const batch::Steering steering{
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
    batch::run_batch(
        ranks, {.threads = batch::threads_of_rank(ranks, request.threads)}, [&] { return evaluate; }, steering);
}

}  // namespace

std::vector<TableResult> reproduce(batch::Ranks& ranks, const ReproduceRequest& request) {
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
    if (ranks.is_first() && !request.out.empty() && !request.is_forced) study::require_own_folder(request.out, reproduce_header(results));
    run_single(ranks, request, results);
    for (TableResult& result : results) {
        if (result.table.batch)
            result.batch =
                run_batch_table(ranks, result.table, {.runs = request.runs, .threads = request.threads, .is_quiet = request.is_quiet});
        else if (ranks.is_first())
            judge_rows(result);
    }
    return ranks.is_first() ? std::move(results) : std::vector<TableResult>{};
}
Count count(const std::vector<TableResult>& results) {
    Count count;
    for (const TableResult& result : results) {
        for (const GroupResult& group : result.groups)
            for (const RowResult& row : group.rows)
                for (const Finding& finding : row.findings) count.add(finding);
        if (result.batch)
            for (const Finding& finding : all_findings(*result.batch)) count.add(finding);
    }
    return count;
}

}  // namespace asperity::reproduce
