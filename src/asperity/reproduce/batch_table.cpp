#include "asperity/reproduce/batch_table.h"

#include <fmt/format.h>

#include "asperity/core/suggest.h"
#include "asperity/scenario/reader.h"

namespace asperity::reproduce {
namespace {

using scenario::Reading;

// One standing for each published number and each claim about success, with what it needs.
void check_cell(const BatchCell& cell, const std::string& path, Reading& reading) {
    const std::string place = path + ".standing";
    const auto check_declared = [&](const char* key, const std::optional<Standing>& standing, bool is_published) {
        if (standing.has_value() == is_published || reading.failed.contains(place + "." + key)) return;
        reading.fail(place,
                     is_published ? fmt::format("`standing` says nothing of the published `{}`", key)
                                  : fmt::format("`standing` has `{}`, of which nothing is published", key),
                     "standing = { success_fraction = \"agrees\", stop_time_mean = \"open\" }");
    };
    for (std::size_t q = 0; q < batch_quantities; ++q) {
        const char* const key = batch_quantity_names[q].name;
        const std::optional<Standing>& standing = cell.standing.of[q];
        check_declared(key, standing, cell.published[q].has_value());
        const bool is_open = standing == Standing::open, is_refuted = standing == Standing::refuted;
        if (is_open != cell.off[q].has_value() || (is_open && cell.cause.empty()))
            reading.fail(place, fmt::format("`{}`: standing \"open\" needs `difference` and `cause`, which belong to it alone", key),
                         "ours minus print, and what is known of the reason");
        if (is_refuted != cell.corrected[q].has_value() || (is_refuted && cell.erratum.empty()))
            reading.fail(place, fmt::format("`{}`: standing \"refuted\" needs `corrected` and `erratum`, which belong to it alone", key),
                         "the number that ours agrees with, or \"none\", and what is wrong in print");
    }
    check_declared("success_above", cell.standing.success_above, cell.success_above.has_value());
    check_declared("success_below", cell.standing.success_below, cell.success_below.has_value());
}

// A comparison names cells that there are.
void check_cells(const BatchTable& table, const Comparison& comparison, const std::string& path, Reading& reading) {
    std::vector<std::string> known;
    for (const BatchCell& cell : table.cells) known.push_back(cell.name);
    const auto check = [&](const char* key, const std::string& text) {
        if (!text.empty() && table.find(text) == nullptr)
            reading.fail(path + "." + key, fmt::format("`{}` names no group: \"{}\"", key, text), did_you_mean(text, known));
    };
    check("a", comparison.a);
    check("b", comparison.b);
    for (const std::string& text : comparison.over) check("over", text);
}

void check_standing(const Comparison& c, const std::string& path, Reading& reading) {
    const std::string place = path + ".standing";
    const bool is_open = c.standing == Standing::open, is_refuted = c.standing == Standing::refuted;
    if (c.wanted == Wanted::nothing && (c.basis != Basis::own || c.standing != Standing::agrees || !c.off))
        reading.fail(place, "a comparison without `wanted` states a difference of our own",
                     "basis = \"ours\", standing = \"agrees\", difference = \"1.2\"");
    if (is_open && (!c.off || c.cause.empty()))
        reading.fail(place, "standing \"open\" needs `difference` and `cause`", "a minus b in h, of success in %");
    if (is_refuted != !c.erratum.empty())
        reading.fail(place, "standing \"refuted\" and `erratum` belong together", "say in words what is wrong in print");
}

void check_comparison(const BatchTable& table, const Comparison& comparison, const std::string& path, Reading& reading) {
    const std::string place = path + ".wanted";
    const bool is_word_of_time = comparison.wanted == Wanted::longer || comparison.wanted == Wanted::shorter;
    const bool is_word_of_rate = comparison.wanted == Wanted::higher || comparison.wanted == Wanted::lower;
    if (is_rate(comparison.quantity) ? is_word_of_time : is_word_of_rate)
        reading.fail(place, "times are longer or shorter, success is higher or lower");
    if ((comparison.wanted == Wanted::no_difference) != comparison.within.has_value())
        reading.fail(place, "`within` belongs to wanted = \"no_difference\", which needs it",
                     "how much counts as none, in standard deviations of b: within = \"0.2\"");
    if (comparison.over.size() != (comparison.wanted == Wanted::dominates ? 2u : 0u))
        reading.fail(place, "`over` belongs to wanted = \"dominates\", and names two groups");
    check_cells(table, comparison, path, reading);
    check_standing(comparison, path, reading);
}

void check_places(const BatchTable& table, Reading& reading) {
    const Printed* last = nullptr;
    for (const BatchCell& cell : table.cells) {
        if (!cell.place || (last != nullptr && !(cell.place->value > last->value)))
            reading.fail("knee", fmt::format("group \"{}\": a knee needs `place` in each group, rising", cell.name));
        if (cell.place) last = &*cell.place;
    }
}

}  // namespace

const char* name(BatchQuantity quantity) { return batch_quantity_names[static_cast<std::size_t>(quantity)].name; }
const char* unit(BatchQuantity quantity) { return is_rate(quantity) ? "%" : "h"; }

const BatchCell* BatchTable::find(const std::string& cell) const {
    for (const BatchCell& one : cells)
        if (one.name == cell) return &one;
    return nullptr;
}

void check_batch_table(BatchTable& table, Reading& reading) {
    if (table.quantities.empty())
        for (const Choice<BatchQuantity>& choice : batch_quantity_names) table.quantities.push_back(choice.value);
    for (std::size_t i = 0; i < table.cells.size(); ++i) check_cell(table.cells[i], fmt::format("group.{}", i), reading);
    for (std::size_t i = 0; i < table.comparisons.size(); ++i)
        check_comparison(table, table.comparisons[i], fmt::format("compare.{}", i), reading);
    if (table.knee) check_places(table, reading);
}

}  // namespace asperity::reproduce
