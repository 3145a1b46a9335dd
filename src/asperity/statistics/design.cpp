#include "asperity/statistics/design.h"

#include <boost/random/sobol.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"

namespace asperity::statistics {
namespace {

constexpr std::uint64_t most_design_points = std::uint64_t{1} << 32;
constexpr std::uint64_t most_runs = std::uint64_t{1} << 53;  // of a grid: whole numbers that a double can hold

// The random streams of a design: one per use and axis, with "st" in front so that none is that of a scenario or a world.
enum class Use : std::uint64_t { monte_carlo = 0x737400, jitter, permutation, scramble };

constexpr std::uint64_t stream_of(Use use, std::size_t axis) { return static_cast<std::uint64_t>(use) << 40 | axis; }

bool has_levels(DesignKind kind) { return kind == DesignKind::grid || kind == DesignKind::one_at_a_time; }

// The middle of one of 2^52 equal parts: exact, and never 0 or 1.
double centred(std::uint64_t part) { return (static_cast<double>(part) + 0.5) * 0x1p-52; }

double level_middle(std::uint64_t i, std::uint64_t levels) { return (static_cast<double>(i) + 0.5) / static_cast<double>(levels); }  // (4)

// Product or 1 + sum; most_runs + 1 where it is beyond.
std::uint64_t runs_of_levels(const DesignSpec& spec) {
    std::uint64_t runs = 1;
    for (const std::uint64_t levels : spec.levels) {
        const bool is_grid = spec.kind == DesignKind::grid;
        if (levels > most_runs || (is_grid ? runs > most_runs / levels : runs > most_runs - levels)) return most_runs + 1;
        runs = is_grid ? runs * levels : runs + levels;
    }
    return runs;
}

std::uint64_t blocks_for(std::uint64_t runs, std::size_t axes) { return runs / (axes + 2) + (runs % (axes + 2) > 0 ? 1 : 0); }

void check_levels(std::vector<std::string>& found, const DesignSpec& spec) {
    if (spec.levels.size() != spec.axes) {
        found.push_back(fmt::format("{} numbers of levels for {} parameters; give one for each", spec.levels.size(), spec.axes));
    } else if (std::find(spec.levels.begin(), spec.levels.end(), 0u) != spec.levels.end()) {
        found.push_back("a parameter has 0 levels; give at least 1");
    } else if (runs_of_levels(spec) > most_runs) {
        found.push_back("the levels multiply to more than 2^53 runs; give fewer, or use a sobol design");
    }
}

void check_points(std::vector<std::string>& found, const DesignSpec& spec) {
    if (spec.runs == 0) found.push_back("0 runs; ask for at least 1");
    if (!spec.levels.empty())
        found.push_back("levels belong to the designs grid and one_at_a_time; leave them out, or choose one of those");
    const bool is_indices = spec.kind == DesignKind::sobol_indices;
    const std::uint64_t points = is_indices ? blocks_for(spec.runs, spec.axes) : spec.runs;
    if (spec.kind != DesignKind::monte_carlo && points > most_design_points) {
        found.push_back(fmt::format("{} points; this design has at most 2^32, monte_carlo any number", points));
    }
    const std::size_t limit = is_indices ? SobolSequence::most_axes / 2 : SobolSequence::most_axes;
    if ((is_indices || spec.kind == DesignKind::sobol) && spec.axes > limit) {
        found.push_back(fmt::format("{} parameters; this design has at most {}, latin_hypercube any number", spec.axes, limit));
    }
}

}  // namespace

std::vector<std::string> problems(const DesignSpec& spec) {
    std::vector<std::string> found;
    if (spec.axes == 0 && spec.kind != DesignKind::monte_carlo) {
        found.push_back("no parameter is varied; name at least one");
    } else if (has_levels(spec.kind)) {
        check_levels(found, spec);
    } else {
        check_points(found, spec);
    }
    return found;
}

SobolSequence::SobolSequence(std::size_t axes) : directions_(digits * axes) {
    using Table = boost::random::default_sobol_table;
    static_assert(Table::max_dimension == most_axes);
    ASPERITY_REQUIRE(axes <= most_axes, "{} axes", axes);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        std::uint32_t* v = &directions_[digits * axis];
        if (axis == 0) {  // van der Corput: the digits of the index, mirrored
            for (int k = 0; k < digits; ++k) v[k] = std::uint32_t{1} << (digits - 1 - k);
            continue;
        }
        // m_k of Joe and Kuo, each shifted to its place; then their recursion (2) on shifted numbers.
        const std::uint32_t polynomial = Table::polynomial(axis - 1);
        const int degree = std::bit_width(polynomial) - 1;
        for (int k = 0; k < degree; ++k) v[k] = std::uint32_t{Table::minit(axis - 1, static_cast<std::size_t>(k))} << (digits - 1 - k);
        for (int k = degree; k < digits; ++k) {
            v[k] = v[k - degree] ^ (v[k - degree] >> degree);
            for (int i = 1; i < degree; ++i) {
                if (polynomial >> (degree - i) & 1) v[k] ^= v[k - i];
            }
        }
    }
}

std::uint32_t SobolSequence::point(std::uint64_t index, std::size_t axis) const {
    const std::uint32_t* v = &directions_[digits * axis];
    std::uint32_t x = 0;
    for (std::uint64_t gray = index ^ (index >> 1); gray != 0; gray &= gray - 1) x ^= v[std::countr_zero(gray)];  // (3)
    return x;
}

double scrambled(std::uint32_t x, std::uint64_t seed, std::size_t axis) {
    const DrawKey key{.seed = seed, .run = 0, .stream = stream_of(Use::scramble, axis)};
    std::uint32_t flips = 0;
    // A leading one tells prefixes of different length apart: 1, 10, 11, 100, ... name the nodes of the tree of digits.
    std::uint64_t node = 1;
    for (int d = SobolSequence::digits - 1; d >= 0; --d) {
        flips |= static_cast<std::uint32_t>(random_bits(key, node) >> 63) << d;
        node = node << 1 | (x >> d & 1);
    }
    return centred(std::uint64_t{x ^ flips} << 20 | random_bits(key, node) >> 44);
}

std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t seed, std::size_t axis) {
    // Swap-or-not: each round pairs x with k - x for a random k, and exchanges each pair or not by a random bit. Works for every count
    // as it is, where a Feistel network would need powers of two and walks outside them. Two points are in uniform places once a round
    // has moved just one of them and a later one the other: all but (rounds + 1) 2^-rounds, 2e-13.
    constexpr std::uint64_t rounds = 48;
    const DrawKey key{.seed = seed, .run = 0, .stream = stream_of(Use::permutation, axis)};
    std::uint64_t x = index;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::uint64_t k = (random_bits(key, round) >> 32) * count >> 32;  // below count
        const std::uint64_t partner = k >= x ? k - x : k + count - x;
        const std::uint64_t pair = std::max(x, partner);
        const std::uint64_t is_swapped = random_bits(key, (round + 1) << 32 | pair) >> 63;
        x ^= (x ^ partner) & (0 - is_swapped);  // a branch here is mispredicted every other time
    }
    return x;
}

Design::Design(DesignSpec spec) : spec_(std::move(spec)), runs_(spec_.runs) {
    std::vector<Problem> list;
    for (std::string& text : problems(spec_)) list.push_back({.what = "impossible design: " + text});
    if (!list.empty()) throw InputError(std::move(list));
    if (has_levels(spec_.kind)) runs_ = runs_of_levels(spec_);
    if (spec_.kind == DesignKind::sobol_indices) runs_ = blocks_for(spec_.runs, spec_.axes) * (spec_.axes + 2);
    if (spec_.kind == DesignKind::sobol) sequence_ = SobolSequence(spec_.axes);
    if (spec_.kind == DesignKind::sobol_indices) sequence_ = SobolSequence(2 * spec_.axes);
}

bool Design::is_extendable() const {
    return spec_.kind == DesignKind::monte_carlo || spec_.kind == DesignKind::sobol || spec_.kind == DesignKind::sobol_indices;
}

SobolBlock Design::block_of(std::uint64_t run) const {
    ASPERITY_REQUIRE(spec_.kind == DesignKind::sobol_indices, "a design of kind {} has no blocks", static_cast<int>(spec_.kind));
    const std::uint64_t place = run % (spec_.axes + 2);
    SobolBlock block{.base = run / (spec_.axes + 2)};
    if (place > 0) block.role = SobolRole::b;
    if (place > 1) {
        block.role = SobolRole::mixed;
        block.axis = place - 2;
    }
    return block;
}

void Design::sample_one_at_a_time(std::uint64_t run, std::span<double> u) const {
    std::fill(u.begin(), u.end(), 0.5);  // (5)
    std::uint64_t first = 1;             // run of the axis
    for (std::size_t axis = 0; axis < u.size(); ++axis) {
        if (run >= first && run < first + spec_.levels[axis]) u[axis] = level_middle(run - first, spec_.levels[axis]);
        first += spec_.levels[axis];
    }
}

void Design::sample(std::uint64_t run, std::span<double> u) const {
    ASPERITY_REQUIRE(u.size() == spec_.axes, "{} numbers for {} axes", u.size(), spec_.axes);
    ASPERITY_REQUIRE(run < runs_ || is_extendable(), "run {} of {}", run, runs_);
    const std::uint64_t seed = spec_.seed;
    switch (spec_.kind) {
        case DesignKind::monte_carlo:
            for (std::size_t i = 0; i < u.size(); ++i) {
                u[i] = centred(random_bits({.seed = seed, .run = run, .stream = stream_of(Use::monte_carlo, i)}, 0) >> 12);  // (1)
            }
            return;
        case DesignKind::latin_hypercube:
            for (std::size_t i = 0; i < u.size(); ++i) {
                // 20 random digits and a half: with the 32 of the stratum the sum is exact, so that rounding cannot leave the stratum.
                const std::uint64_t draw = random_bits({.seed = seed, .run = run, .stream = stream_of(Use::jitter, i)}, 0) >> 44;
                const double jitter = (static_cast<double>(draw) + 0.5) * 0x1p-20;
                u[i] = (static_cast<double>(permuted(run, runs_, seed, i)) + jitter) / static_cast<double>(runs_);  // (2)
            }
            return;
        case DesignKind::sobol:
            for (std::size_t i = 0; i < u.size(); ++i) u[i] = scrambled(sequence_.point(run, i), seed, i);  // (3)
            return;
        case DesignKind::grid:
            for (std::size_t i = u.size(); i-- > 0; run /= spec_.levels[i]) u[i] = level_middle(run % spec_.levels[i], spec_.levels[i]);
            return;
        case DesignKind::one_at_a_time: sample_one_at_a_time(run, u); return;
        case DesignKind::sobol_indices: {
            const SobolBlock block = block_of(run);
            for (std::size_t i = 0; i < u.size(); ++i) {
                const bool is_b = block.role == SobolRole::b || (block.role == SobolRole::mixed && block.axis == i);
                const std::size_t column = is_b ? u.size() + i : i;
                u[i] = scrambled(sequence_.point(block.base, column), seed, column);  // (6)
            }
            return;
        }
    }
}

}  // namespace asperity::statistics
