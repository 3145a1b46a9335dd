#include "asperity/reproduce/batch_table.h"

#include "asperity/reproduce/section.h"

namespace asperity::reproduce {
namespace {

using scenario::Node;

template <class T>
struct Named {
    const char* name;
    T value;
};
constexpr auto quantities = std::to_array<Named<BatchQuantity>>({{"success_fraction", BatchQuantity::success_fraction},
                                                                 {"stop_time_mean", BatchQuantity::stop_time_mean},
                                                                 {"stop_time_sigma", BatchQuantity::stop_time_sigma},
                                                                 {"first_impact_time_mean", BatchQuantity::first_impact_time_mean},
                                                                 {"reached_fraction", BatchQuantity::reached_fraction}});
constexpr auto compared = std::to_array<Named<Compared>>({{"stop_time", Compared::stop_time},
                                                          {"first_impact_time", Compared::first_impact_time},
                                                          {"success", Compared::success},
                                                          {"reached", Compared::reached}});
constexpr auto wanted = std::to_array<Named<Wanted>>({{"longer", Wanted::longer},
                                                      {"shorter", Wanted::shorter},
                                                      {"higher", Wanted::higher},
                                                      {"lower", Wanted::lower},
                                                      {"no_difference", Wanted::no_difference},
                                                      {"dominates", Wanted::dominates}});
constexpr auto claimants = std::to_array<Named<Basis>>({{"print", Basis::print}, {"ours", Basis::own}});

template <class T, std::size_t n>
std::optional<T> find(const std::array<Named<T>, n>& all, const std::string& text) {
    for (const Named<T>& one : all)
        if (text == one.name) return one.value;
    return {};
}

// One of some words; a problem where it is none of them.
template <class T, std::size_t n>
void read_word(Section& section, const char* key, bool is_required, const std::array<Named<T>, n>& all, T& value) {
    const std::string text = section.text(key, is_required);
    if (text.empty()) return;
    if (const auto found = find(all, text)) {
        value = *found;
        return;
    }
    std::vector<std::string> known;
    for (const Named<T>& one : all) known.emplace_back(one.name);
    section.fail(section.mark_of(key), fmt::format("`{}` is one of {}, not \"{}\"", key, joined(known), text), did_you_mean(text, known));
}

int read_count(Section& section, const char* key, int otherwise) {
    const Node* node = section.take(key, Node::Kind::integer, false);
    if (node == nullptr) return otherwise;
    if (node->integer >= 2 && node->integer <= 1'000'000) return static_cast<int>(node->integer);
    section.fail(node->mark, fmt::format("`{}` is from 2 to 1000000, not {}", key, node->integer));
    return otherwise;
}

std::vector<std::string> read_texts(Section& section, const char* key, const char* hint) {
    std::vector<std::string> texts;
    const Node* node = section.take(key, Node::Kind::array, false);
    if (node == nullptr) return texts;
    for (const Node& item : node->items) {
        if (item.kind == Node::Kind::text)
            texts.push_back(item.text);
        else
            section.fail(item.mark, fmt::format("`{}` holds {}", key, name(item.kind)), hint);
    }
    return texts;
}

// One standing for each published number and each claim about success, with what it needs.
void read_cell_standings(const scenario::Document& document, Section& section, const std::string& place, std::vector<Problem>& problems,
                         BatchCell& cell) {
    const Node* node = section.take("standing", Node::Kind::table, false);
    const Node none{};
    Section inner(document, node == nullptr ? none : *node, place + " standing", problems);
    const auto declared = [&](const char* key, bool is_wanted) -> std::optional<Standing> {
        const auto standing = inner.standing(key, false);
        if (standing.has_value() == is_wanted) return standing;
        section.fail(section.mark_of("standing"),
                     is_wanted ? fmt::format("`standing` says nothing of the published `{}`", key)
                               : fmt::format("`standing` has `{}`, of which nothing is published", key),
                     "standing = { success_fraction = \"agrees\", stop_time_mean = \"open\" }");
        return {};
    };
    for (const auto& quantity : quantities) {
        const auto q = static_cast<std::size_t>(quantity.value);
        const auto standing = declared(quantity.name, cell.published[q].has_value());
        if (standing) cell.standing[q] = *standing;
        const bool is_open = standing == Standing::open, is_refuted = standing == Standing::refuted;
        if (is_open != cell.off[q].has_value() || (is_open && cell.cause.empty()))
            section.fail(section.mark_of("standing"),
                         fmt::format("`{}`: standing \"open\" needs `difference` and `cause`, which belong to it alone", quantity.name),
                         "ours minus print, and what is known of the reason");
        if (is_refuted != cell.corrected[q].has_value() || (is_refuted && cell.erratum.empty()))
            section.fail(section.mark_of("standing"),
                         fmt::format("`{}`: standing \"refuted\" needs `corrected` and `erratum`, which belong to it alone", quantity.name),
                         "the number that ours agrees with, or \"none\", and what is wrong in print");
    }
    if (const auto above = declared("success_above", cell.success_above.has_value())) cell.standing_above = *above;
    if (const auto below = declared("success_below", cell.success_below.has_value())) cell.standing_below = *below;
    if (node != nullptr) inner.finish();
}

BatchCell read_cell(const scenario::Document& document, const Node& node, const std::string& place, std::vector<Problem>& problems) {
    Section section(document, node, place, problems);
    BatchCell cell;
    cell.name = section.text("name", true);
    cell.notes = section.text("notes", false);
    cell.sets = read_texts(section, "set", "texts, as for --set: \"contact.friction=0.5\"");
    cell.place = section.printed("place");
    cell.success_above = section.printed("success_above");
    cell.success_below = section.printed("success_below");
    cell.cause = section.text("cause", false);
    cell.erratum = section.text("erratum", false);
    const auto each = [&](const char* key, const auto& read) {
        const Node* node = section.take(key, Node::Kind::table, false);
        if (node == nullptr) return;
        Section inner(document, *node, fmt::format("{} {}", place, key), problems);
        for (const auto& quantity : quantities) read(inner, quantity.name, static_cast<std::size_t>(quantity.value));
        inner.finish();
    };
    each("published", [&](Section& inner, const char* key, std::size_t q) { cell.published[q] = inner.printed(key); });
    each("difference", [&](Section& inner, const char* key, std::size_t q) { cell.off[q] = inner.printed(key); });
    each("corrected", [&](Section& inner, const char* key, std::size_t q) { cell.corrected[q] = inner.printed_or_none(key); });
    read_cell_standings(document, section, place, problems, cell);
    section.finish();
    return cell;
}

// A comparison names cells that there are.
void check_cells(const BatchTable& table, const Comparison& comparison, Section& section) {
    std::vector<std::string> known;
    for (const BatchCell& cell : table.cells) known.push_back(cell.name);
    const auto check = [&](const char* key, const std::string& text) {
        if (!text.empty() && table.find(text) == nullptr)
            section.fail(section.mark_of(key), fmt::format("`{}` names no group: \"{}\"", key, text), did_you_mean(text, known));
    };
    check("a", comparison.a);
    check("b", comparison.b);
    for (const std::string& text : comparison.over) check("over", text);
}

void check_standing(const Comparison& c, Section& section) {
    const bool is_open = c.standing == Standing::open, is_refuted = c.standing == Standing::refuted;
    if (c.wanted == Wanted::nothing && (c.basis != Basis::own || c.standing != Standing::agrees || !c.off))
        section.fail(section.mark_of("standing"), "a comparison without `wanted` states a difference of our own",
                     "basis = \"ours\", standing = \"agrees\", difference = \"1.2\"");
    if (is_open && (!c.off || c.cause.empty()))
        section.fail(section.mark_of("standing"), "standing \"open\" needs `difference` and `cause`", "a minus b in h, of success in %");
    if (is_refuted != !c.erratum.empty())
        section.fail(section.mark_of("standing"), "standing \"refuted\" and `erratum` belong together",
                     "say in words what is wrong in print");
}

Comparison read_comparison(const BatchTable& table, Section& section) {
    Comparison comparison;
    comparison.a = section.text("a", true);
    comparison.b = section.text("b", true);
    read_word(section, "quantity", true, compared, comparison.quantity);
    read_word(section, "wanted", false, wanted, comparison.wanted);
    read_word(section, "basis", false, claimants, comparison.basis);
    if (const auto standing = section.standing("standing", true)) comparison.standing = *standing;
    comparison.off = section.printed("difference");
    comparison.cause = section.text("cause", false);
    comparison.erratum = section.text("erratum", false);
    comparison.over = read_texts(section, "over", "the names of two groups");
    comparison.within = section.printed("within");
    comparison.notes = section.text("notes", false);
    const bool is_rate = reproduce::is_rate(comparison.quantity);
    const bool is_word_of_time = comparison.wanted == Wanted::longer || comparison.wanted == Wanted::shorter;
    const bool is_word_of_rate = comparison.wanted == Wanted::higher || comparison.wanted == Wanted::lower;
    if (is_rate ? is_word_of_time : is_word_of_rate)
        section.fail(section.mark_of("wanted"), "times are longer or shorter, success is higher or lower");
    if ((comparison.wanted == Wanted::no_difference) != comparison.within.has_value())
        section.fail(section.mark_of("wanted"), "`within` belongs to wanted = \"no_difference\", which needs it",
                     "how much counts as none, in standard deviations of b: within = \"0.2\"");
    if (comparison.over.size() != (comparison.wanted == Wanted::dominates ? 2u : 0u))
        section.fail(section.mark_of("wanted"), "`over` belongs to wanted = \"dominates\", and names two groups");
    check_cells(table, comparison, section);
    check_standing(comparison, section);
    section.finish();
    return comparison;
}

KneeAsked read_knee(Section& section) {
    KneeAsked knee;
    knee.label = section.text("label", true);
    knee.unit = section.text("unit", false);
    knee.beyond = section.printed("beyond");
    if (const auto standing = section.standing("standing", true)) knee.standing = *standing;
    section.finish();
    return knee;
}

void check_places(const BatchTable& table, Section& section) {
    const Printed* last = nullptr;
    for (const BatchCell& cell : table.cells) {
        if (!cell.place || (last != nullptr && !(cell.place->value > last->value)))
            section.fail(section.mark_of("knee"), fmt::format("group \"{}\": a knee needs `place` in each group, rising", cell.name));
        if (cell.place) last = &*cell.place;
    }
}

void read_quantities(Section& section, BatchTable& table) {
    std::vector<std::string> known;
    for (const auto& quantity : quantities) known.emplace_back(quantity.name);
    for (const std::string& text : read_texts(section, "quantities", "names of quantities")) {
        if (const auto found = find(quantities, text))
            table.quantities.push_back(*found);
        else
            section.fail(section.mark_of("quantities"), fmt::format("unknown quantity `{}`", text), did_you_mean(text, known));
    }
    if (table.quantities.empty())
        for (const auto& quantity : quantities) table.quantities.push_back(quantity.value);
}

}  // namespace

const char* name(BatchQuantity quantity) { return quantities[static_cast<std::size_t>(quantity)].name; }
const char* unit(BatchQuantity quantity) { return is_rate(quantity) ? "%" : "h"; }

const BatchCell* BatchTable::find(const std::string& cell) const {
    for (const BatchCell& one : cells)
        if (one.name == cell) return &one;
    return nullptr;
}

BatchTable read_batch_table(const scenario::Document& document, Section& section, std::vector<Problem>& problems) {
    BatchTable table;
    table.runs = read_count(section, "runs", table.runs);
    table.published_runs = read_count(section, "published_runs", table.published_runs);
    read_quantities(section, table);
    const auto each = [&](const char* key, bool is_required, const auto& read) {
        const Node* nodes = section.take(key, Node::Kind::array, is_required);
        for (std::size_t i = 0; nodes != nullptr && i < nodes->items.size(); ++i) {
            if (nodes->items[i].kind == Node::Kind::table)
                read(nodes->items[i], fmt::format("[[{}]] {}", key, i));
            else
                section.fail(nodes->items[i].mark, fmt::format("`{}` holds {}", key, name(nodes->items[i].kind)),
                             fmt::format("write [[{}]]", key));
        }
    };
    each("group", true,
         [&](const Node& node, const std::string& place) { table.cells.push_back(read_cell(document, node, place, problems)); });
    each("compare", false, [&](const Node& node, const std::string& place) {
        Section inner(document, node, place, problems);
        table.comparisons.push_back(read_comparison(table, inner));
    });
    if (const Node* node = section.take("knee", Node::Kind::table, false)) {
        Section inner(document, *node, "[knee]", problems);
        table.knee = read_knee(inner);
        check_places(table, section);
    }
    return table;
}

}  // namespace asperity::reproduce
