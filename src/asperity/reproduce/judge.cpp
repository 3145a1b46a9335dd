#include "asperity/reproduce/judge.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "asperity/core/errors.h"
#include "asperity/reproduce/closed_form.h"
#include "asperity/reproduce/measure.h"

namespace asperity::reproduce {
namespace {

constexpr Real usual_agreement = 1e-9L;  // relative: with a closed form, where the row does not say otherwise
constexpr Real file_agreement = 1e-14L;  // relative: our closed form and that of the file; the scenario's numbers are doubles
constexpr Real analytical_places = 2;    // units of the last digit: the thesis computed its analytical columns in double precision

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
    const std::optional<Printed>& printed = row.corrected ? row.corrected : row.published;
    if (!printed) return;
    // where the closed form starts from a state of the run itself, so does the published one
    if (group.closed_form_from.empty())
        result.published_difference = printed->value - *result.closed_form;
    else if (row.analytical)
        result.published_difference = printed->value - row.analytical->value;
}

std::string off_text(Real off, Real size, const std::string& unit) {
    std::string text = fmt::format("{:+.4g}{}{}", static_cast<double>(off), unit.empty() ? "" : " ", unit);
    if (size > 0) text += fmt::format(" ({:+.3g} of it)", static_cast<double>(off / size));
    return text;
}

// Empty if our value is within the tolerance of a number.
std::string off_complaint(Real ours, const Printed& number, const std::optional<Printed>& within, const std::optional<Printed>& part,
                          const std::string& unit) {
    const Real off = ours - number.value, size = std::abs(number.value);
    if (within && std::abs(off) > within->value)
        return fmt::format("off {} by {}, more than {}", number.text, off_text(off, size, unit), within->text);
    if (part && std::abs(off) > part->value * size)
        return fmt::format("off {} by {}, more than {} of it", number.text, off_text(off, size, unit), part->text);
    return {};
}

// The printed number, or its correction.
struct Columns {
    const std::optional<Printed>& analytical;
    const std::optional<Printed>& published;
    const std::optional<Printed>& difference;
};

// Empty where ours agrees with the columns, and they with each other.
std::string print_complaint(const PublishedGroup& group, const RowResult& r, const Columns& print) {
    const PublishedRow& row = r.row;
    if (!r.ours) return "our run has no such quantity";
    if (row.bound && std::abs(*r.ours) > row.bound->value)
        return fmt::format("{:.4g} is above the printed limit of {}", *r.ours, row.bound->text);
    if (print.analytical && r.closed_form && group.closed_form_from.empty()) {
        const Real off = print.analytical->value - *r.closed_form;
        if (std::abs(off) > analytical_places * print.analytical->last_place())
            return fmt::format("the analytical value {} is off the closed form by {:.2g}", print.analytical->text,
                               static_cast<double>(off));
    }
    if (print.published) {
        const std::string wrong = off_complaint(*r.ours, *print.published, row.within, row.within_part, row.unit);
        if (!wrong.empty()) return wrong;
    }
    if (print.difference && print.analytical && print.published) {
        const Real got = std::abs(print.published->value - print.analytical->value);
        if (std::abs(got - std::abs(print.difference->value)) >
            print.difference->last_place() + print.analytical->last_place() + print.published->last_place())
            return fmt::format("the printed difference {} is not that of the two columns, {:.5g}", print.difference->text,
                               static_cast<double>(got));
    }
    return {};
}

std::string closed_form_complaint(const RowResult& r) {
    if (!r.ours) return "our run has no such quantity";
    if (!r.closed_form) return "there is no closed form of it";
    const PublishedRow& row = r.row;
    const Real error = std::abs(*r.our_difference), size = std::abs(*r.closed_form);
    if (row.closed_form && std::abs(row.closed_form->value - *r.closed_form) > file_agreement * size)
        return fmt::format("our closed form is not that of the file, {}", row.closed_form->text);
    if (row.closed_form_within && error > row.closed_form_within->value)
        return fmt::format("off the closed form by {:.2g}, more than {} {}", static_cast<double>(error), row.closed_form_within->text,
                           row.unit);
    if (r.published_difference && has_closed_form(row.quantity) && error > std::abs(*r.published_difference))
        return "farther from the closed form than print";
    const Real part = row.closed_form_within_part ? row.closed_form_within_part->value : usual_agreement;
    if (!row.closed_form_within && error > part * size)
        return fmt::format("off the closed form by {:.1e} of it, more than {:.0e}", static_cast<double>(size > 0 ? error / size : error),
                           static_cast<double>(part));
    return {};
}

// Empty where ours - print is what the row states, to one unit of its last digit.
std::string difference_complaint(const RowResult& r) {
    const Printed& print = *r.row.print();
    const Real off = *r.ours - print.value;
    if (r.row.off && std::abs(off - r.row.off->value) > r.row.off->last_place())
        return fmt::format("differs by {:+.4g} {}, stated is {}", static_cast<double>(off), r.row.unit, r.row.off->text);
    const Real part = off / std::abs(print.value);
    if (r.row.off_part && std::abs(part - r.row.off_part->value) > r.row.off_part->last_place())
        return fmt::format("differs by {:+.4g} of print, stated is {}", static_cast<double>(part), r.row.off_part->text);
    return {};
}

// Why the run contradicts the standing towards print; empty where it does not.
std::string print_contradiction(const PublishedGroup& group, const RowResult& r) {
    const PublishedRow& row = r.row;
    const std::string wrong = print_complaint(group, r, {row.analytical, row.published, row.difference});
    if (row.standing == Standing::agrees || !r.ours) return wrong;
    if (wrong.empty()) return fmt::format("declared {}, but it agrees with print", name(row.standing));
    if (row.standing == Standing::open) return difference_complaint(r);
    if (!row.corrected && !row.corrected_analytical) {
        const std::string unproven = closed_form_complaint(r);
        return unproven.empty() ? "" : "not proven: " + unproven;
    }
    const std::string still = print_complaint(
        group, r,
        {row.corrected_analytical ? row.corrected_analytical : row.analytical, row.corrected ? row.corrected : row.published,
         row.corrected_difference ? row.corrected_difference : row.difference});
    return still.empty() ? "" : "not proven: with the corrected number, " + still;
}

std::string note_of(const PublishedRow& row) {
    if (row.standing == Standing::refuted) return row.erratum + (row.proof.empty() ? "" : " (proof: " + row.proof + ")");
    if (row.standing != Standing::open) return {};
    return fmt::format("differs by {}{}: {}", row.off ? row.off->text : row.off_part->text,
                       row.off ? (row.unit.empty() ? "" : " " + row.unit) : " of print", row.cause);
}

void judge(const PublishedGroup& group, RowResult& r) {
    const PublishedRow& row = r.row;
    r.note = note_of(row);
    if (row.print() != nullptr) r.findings.push_back({Basis::print, row.standing, print_contradiction(group, r)});
    const bool is_bare = row.print() == nullptr && !row.reference;
    if (!row.least_order && (r.closed_form || row.closed_form || is_bare))
        r.findings.push_back({Basis::closed_form, Standing::agrees, closed_form_complaint(r)});
    if (row.corrected && !r.closed_form && r.ours)
        r.findings.push_back({Basis::own, Standing::agrees, off_complaint(*r.ours, *row.corrected, row.within, row.within_part, row.unit)});
    if (row.reference)
        r.findings.push_back({Basis::own, Standing::agrees,
                              r.ours ? off_complaint(*r.ours, *row.reference, row.reference_within, row.reference_within_part, row.unit)
                                     : "our run has no such quantity"});
}

// Over the groups of a table that ask for it, by quantity: the order in which the distance from the closed form falls with the
// regularisation speed. The first group is what the second is compared with.
void judge_orders(TableResult& result) {
    struct Last {
        Real distance, speed;
    };
    std::map<std::string, Last> last;
    for (GroupResult& group : result.groups) {
        const Real speed = group.regularisation_speed;
        for (RowResult& row : group.rows) {
            if (!row.row.least_order) continue;
            if (!row.our_difference) {
                row.findings.push_back({Basis::closed_form, Standing::agrees, "nothing to compare"});
                continue;
            }
            const Real distance = std::abs(*row.our_difference);
            const auto before = last.find(row.row.quantity);
            if (before != last.end()) {
                const Real ratio = before->second.distance / distance, order = std::log(ratio) / std::log(before->second.speed / speed);
                row.order =
                    fmt::format("{:.4g} times nearer than before, order {:.3f}", static_cast<double>(ratio), static_cast<double>(order));
                row.findings.push_back({Basis::closed_form, Standing::agrees,
                                        order >= row.row.least_order->value ? "" : row.order + ", less than " + row.row.least_order->text});
            }
            last[row.row.quantity] = {distance, speed};
        }
    }
}

}  // namespace

void judge_rows(TableResult& result) {
    take_distances(result);
    for (GroupResult& group : result.groups)
        for (RowResult& row : group.rows) {
            take_differences(group.group, row);
            judge(group.group, row);
        }
    judge_orders(result);
}

}  // namespace asperity::reproduce
