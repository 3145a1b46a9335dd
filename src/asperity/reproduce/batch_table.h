// A published table of kind "batch" as data. papers/README.md describes the format.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/reproduce/printed.h"
#include "asperity/reproduce/standing.h"

namespace asperity::scenario {
struct Reading;
}

namespace asperity::reproduce {

// The statistics to which a cell's runs are reduced.
enum class BatchQuantity : std::size_t { success_fraction, stop_time_mean, stop_time_sigma, first_impact_time_mean, reached_fraction };
inline constexpr std::size_t batch_quantities = 5;
inline constexpr std::array<Choice<BatchQuantity>, batch_quantities> batch_quantity_names = {{
    {"success_fraction", BatchQuantity::success_fraction, "Runs that come to rest, %."},
    {"stop_time_mean", BatchQuantity::stop_time_mean, "Mean time of coming to rest, h."},
    {"stop_time_sigma", BatchQuantity::stop_time_sigma, "Standard deviation of it, h."},
    {"first_impact_time_mean", BatchQuantity::first_impact_time_mean, "Mean time of the first impact, h."},
    {"reached_fraction", BatchQuantity::reached_fraction, "Runs that touch the ground, %."},
}};
const char* name(BatchQuantity quantity);
const char* unit(BatchQuantity quantity);  // of table and output: "%", "h"

// A value for some of the quantities.
template <class T>
struct ByQuantity {
    std::array<std::optional<T>, batch_quantities> values;

    const std::optional<T>& operator[](std::size_t quantity) const { return values[quantity]; }
};

struct CellStandings {
    std::array<std::optional<Standing>, batch_quantities> of;  // what is published
    std::optional<Standing> success_above, success_below;
};

struct BatchCell {
    std::string name;
    std::vector<std::string> sets;
    std::string notes;
    ByQuantity<Printed> published;
    CellStandings standing;
    ByQuantity<Printed> off;                              // open: ours - print, as stated
    ByQuantity<PrintedOrNone> corrected;                  // refuted: what ours agrees with; "none": no run has it
    std::string cause, erratum;                           // of what is open, of what is refuted
    std::optional<Printed> place;                         // along a knee
    std::optional<Printed> success_above, success_below;  // %: print says that success lies there
};

enum class Compared { stop_time, first_impact_time, success, reached };
inline constexpr std::array<Choice<Compared>, 4> compared_names = {{
    {"stop_time", Compared::stop_time, "Time of coming to rest."},
    {"first_impact_time", Compared::first_impact_time, "Time of the first impact."},
    {"success", Compared::success, "Whether a run comes to rest."},
    {"reached", Compared::reached, "Whether a run touches the ground."},
}};
inline bool is_rate(Compared quantity) { return quantity == Compared::success || quantity == Compared::reached; }
inline bool is_rate(BatchQuantity quantity) {
    return quantity == BatchQuantity::success_fraction || quantity == BatchQuantity::reached_fraction;
}

enum class Wanted { longer, shorter, higher, lower, no_difference, dominates, nothing };
inline constexpr std::array<Choice<Wanted>, 6> wanted_names = {{
    {"longer", Wanted::longer, "The times of a are longer than those of b."},
    {"shorter", Wanted::shorter, "The times of a are shorter than those of b."},
    {"higher", Wanted::higher, "The rate of a is higher than that of b."},
    {"lower", Wanted::lower, "The rate of a is lower than that of b."},
    {"no_difference", Wanted::no_difference, "They differ by less than `within`."},
    {"dominates", Wanted::dominates, "They differ by more than the two groups of `over`."},
}};

inline constexpr std::array<Choice<Basis>, 2> claimant_names = {{
    {"print", Basis::print, "Print claims it."},
    {"ours", Basis::own, "We claim it."},
}};

// a against b, over the runs that have the quantity in both.
struct Comparison {
    Compared quantity = Compared::stop_time;
    Wanted wanted = Wanted::nothing;  // what is claimed; nothing: only the difference is stated
    Basis basis = Basis::print;       // who claims it: print, or we
    Standing standing = Standing::agrees;
    std::string a, b;
    std::vector<std::string> over;  // dominates: the two cells whose difference is smaller
    std::optional<Printed> within;  // no_difference: part of b's standard deviation; of 1 for success
    std::optional<Printed> off;     // a - b, as stated: h, %
    std::string cause, erratum;
    std::string notes;
};

// The first place at which success falls through one half.
struct KneeAsked {
    std::string label;
    std::string unit;
    std::optional<Printed> beyond;         // what a published rule says
    Standing standing = Standing::agrees;  // of there being one
};

struct BatchTable {
    int runs = 400;
    int published_runs = 100;
    std::vector<BatchQuantity> quantities;  // shown for each cell
    std::vector<BatchCell> cells;
    std::vector<Comparison> comparisons;
    std::optional<KneeAsked> knee;

    const BatchCell* find(const std::string& cell) const;
};

template <class Visitor, class T>
void describe(Visitor& v, ByQuantity<T>& by) {
    for (std::size_t q = 0; q < batch_quantities; ++q)
        v.optional(batch_quantity_names[q].name, by.values[q], batch_quantity_names[q].sentence, "none");
}

template <class Visitor>
void describe(Visitor& v, CellStandings& s) {
    for (std::size_t q = 0; q < batch_quantities; ++q)
        v.optional(batch_quantity_names[q].name, s.of[q], standing_names, "Standing of this published number.", "none");
    v.optional("success_above", s.success_above, standing_names, "Standing of the claim `success_above`.", "none");
    v.optional("success_below", s.success_below, standing_names, "Standing of the claim `success_below`.", "none");
}

template <class Visitor>
void describe(Visitor& v, BatchCell& c) {
    v.required("name", c.name, not_empty, "What the table calls this cell.");
    v.optional("notes", c.notes, not_empty, "What a reader must know of it.");
    v.optional("set", c.sets, "Changes of the scenario, as for --set.");
    v.optional("place", c.place, "Where the cell stands along [knee].", "none");
    v.optional("success_above", c.success_above, "Print says in words that success lies above this, %.", "none");
    v.optional("success_below", c.success_below, "Print says in words that success lies below this, %.", "none");
    v.optional("cause", c.cause, not_empty, "What is known of the reason of what is open.");
    v.optional("erratum", c.erratum, not_empty, "What is wrong in print.");
    v.section("published", c.published, "The printed numbers: %, h.");
    v.section("difference", c.off, "Ours minus print, of each that is open.");
    v.section("corrected", c.corrected, "What ours agrees with, of each that is refuted; \"none\" where no run of ours has one.");
    v.section("standing", c.standing, "A standing for each published number and each claim.");
}

template <class Visitor>
void describe(Visitor& v, Comparison& c) {
    v.required("a", c.a, not_empty, "Name of the first group.");
    v.required("b", c.b, not_empty, "Name of the second group.");
    v.required("quantity", c.quantity, compared_names, "What is compared, run by run.");
    v.optional("wanted", c.wanted, wanted_names, "What is claimed of a against b; left out: only the difference is stated.");
    v.optional("basis", c.basis, claimant_names, "Who claims it.");
    v.required("standing", c.standing, standing_names, "How our runs stand to the claim.");
    v.optional("difference", c.off, "a minus b: h, of rates %.", "none");
    v.optional("cause", c.cause, not_empty, "What is known of the reason of what is open.");
    v.optional("erratum", c.erratum, not_empty, "What is wrong in print.");
    v.optional("over", c.over, "The two groups whose difference is smaller.");
    v.optional("within", c.within, "What counts as no difference, in standard deviations of b; of rates a part of 1.", "none");
    v.optional("notes", c.notes, not_empty, "What a reader must know of it.");
}

template <class Visitor>
void describe(Visitor& v, KneeAsked& k) {
    v.required("label", k.label, not_empty, "What the places are.");
    v.optional("unit", k.unit, not_empty, "Their unit.");
    v.optional("beyond", k.beyond, "Where a published rule has the knee.", "none");
    v.required("standing", k.standing, standing_names, "Whether there is a knee.");
}

template <class Visitor>
void describe(Visitor& v, BatchTable& t) {
    v.optional("runs", t.runs, from_to(2, 1'000'000), "Runs of each group.");
    v.optional("published_runs", t.published_runs, from_to(2, 1'000'000), "Runs that a printed mean is taken over.");
    v.optional("quantities", t.quantities, batch_quantity_names, "What is shown of each group; left out: all there is.");
    v.list("group", t.cells, "Runs of the scenario under the same changes.");
    v.list("compare", t.comparisons, "Two groups against each other.");
    v.optional_section("knee", t.knee, "The place at which success first falls through one half.");
}

// Checks the consistency of the fields of a table that was read; problems are added with their place. Without `quantities` all are shown.
void check_batch_table(BatchTable& table, scenario::Reading& reading);

}  // namespace asperity::reproduce
