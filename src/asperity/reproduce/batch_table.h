// A published table of kind "batch" as data. papers/README.md describes the format.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/reproduce/printed.h"
#include "asperity/reproduce/standing.h"

namespace asperity::scenario {
struct Document;
}

namespace asperity::reproduce {

// What a cell's runs are reduced to.
enum class BatchQuantity : std::size_t { success_fraction, stop_time_mean, stop_time_sigma, first_impact_time_mean, reached_fraction };
inline constexpr std::size_t batch_quantities = 5;
const char* name(BatchQuantity quantity);
const char* unit(BatchQuantity quantity);  // of table and output: "%", "h"

struct BatchCell {
    std::string name;
    std::vector<std::string> sets;
    std::string notes;
    std::array<std::optional<Printed>, batch_quantities> published;
    std::array<Standing, batch_quantities> standing{};               // of what is published
    std::array<std::optional<Printed>, batch_quantities> off;        // open: ours - print, as stated
    std::array<std::optional<Printed>, batch_quantities> corrected;  // refuted: what ours agrees with; not-a-number: no run has it ("none")
    std::string cause, erratum;                                      // of what is open, of what is refuted
    std::optional<Printed> place;                                    // along a knee
    std::optional<Printed> success_above, success_below;             // %: print says that success lies there
    Standing standing_above = Standing::agrees, standing_below = Standing::agrees;
};

enum class Compared { stop_time, first_impact_time, success, reached };
inline bool is_rate(Compared quantity) { return quantity == Compared::success || quantity == Compared::reached; }
inline bool is_rate(BatchQuantity quantity) {
    return quantity == BatchQuantity::success_fraction || quantity == BatchQuantity::reached_fraction;
}
enum class Wanted { longer, shorter, higher, lower, no_difference, dominates, nothing };

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

// The part of a table of kind "batch" below its head; problems are added with their place.
class Section;
BatchTable read_batch_table(const scenario::Document& document, Section& section, std::vector<Problem>& problems);

}  // namespace asperity::reproduce
