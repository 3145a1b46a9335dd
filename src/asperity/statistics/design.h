// Designs of experiments: the point of the unit cube at which each run of a study is computed. A point is a function of (design, run)
// alone: runs can be sampled in any order by any process, and the memory does not grow with the number of runs.
//
//   monte carlo        u = random(seed, run, axis)                                                                         (1)
//   latin hypercube    u = (p_axis(run) + jitter) / runs, p_axis a random permutation of 0 .. runs - 1                      (2)
//   sobol              u = scramble_axis(v_1 g_1 xor v_2 g_2 xor ...), g = run xor (run >> 1), v direction numbers          (3)
//   grid               u = (i + 1/2) / levels, the last axis fastest                                                       (4)
//   one at a time      run 0: all 1/2; then axis by axis (4), the others at 1/2                                            (5)
//   sobol indices      A_j = first, B_j = second half of point j of (3) in 2 k axes; AB_ij = A_j with axis i of B_j         (6)
//
// Every u is strictly between 0 and 1: multiples of 2^-53 in (1) and (3), strata left at least 2^-21 of their width to each side in (2).
// Limits: 2^32 points for (2), (3) and (6); 3667 axes for (3), 1833 for (6).
// Sources: McKay, Beckman, Conover, Technometrics 21 (1979) for (2); Hoang, Morris, Rogaway, CRYPTO 2012 (swap-or-not) for p; Joe and Kuo,
// SIAM J. Sci. Comput. 30 (2008) for v, out of Boost.Random's table; Owen, J. Complexity 14 (1998) for scramble; Saltelli et al., Comput.
// Phys. Commun. 181 (2010) for (6). docs/theory/sampling.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace asperity::statistics {

enum class DesignKind { monte_carlo, latin_hypercube, sobol, grid, one_at_a_time, sobol_indices };

struct DesignSpec {
    DesignKind kind = DesignKind::monte_carlo;
    std::uint64_t seed = 0;
    std::size_t axes = 1;               // parameters varied
    std::uint64_t runs = 1;             // requested; grid and one_at_a_time have their own number
    std::vector<std::uint64_t> levels;  // of each axis; grid and one_at_a_time only
};

// The errors in a specification, each with a hint how to correct it; empty if a Design can be made.
std::vector<std::string> problems(const DesignSpec& spec);

enum class SobolRole { a, b, mixed };

// The role of a run of sobol_indices among the k + 2 runs of its base point.
struct SobolBlock {
    std::uint64_t base = 0;         // j
    SobolRole role = SobolRole::a;  // A_j, B_j or AB_ij
    std::size_t axis = 0;           // i, where the role is mixed
};

// The Sobol sequence itself, 32 binary digits, in the order of the Gray code.
class SobolSequence {
public:
    static constexpr std::size_t most_axes = 3667;
    static constexpr int digits = 32;

    SobolSequence() = default;
    explicit SobolSequence(std::size_t axes);

    // The unscrambled coordinate times 2^32; point 0 is the origin.
    std::uint32_t point(std::uint64_t index, std::size_t axis) const;

private:
    std::vector<std::uint32_t> directions_;  // 32 per axis
};

// The nested uniform scramble of one coordinate: digit d is flipped or not by a random bit that belongs to (seed, axis, digits before d).
// What follows the 32 digits is random too, so that the result is uniform in (0, 1). Exact as long as no two points share 32 digits.
double scrambled(std::uint32_t x, std::uint64_t seed, std::size_t axis);

// Image of `index` < `count` under a random permutation that (seed, axis) names; count up to 2^32.
std::uint64_t permuted(std::uint64_t index, std::uint64_t count, std::uint64_t seed, std::size_t axis);

class Design {
public:
    // Throws InputError where problems(spec) is not empty.
    explicit Design(DesignSpec spec);

    const DesignSpec& spec() const { return spec_; }

    // The number of runs; for sobol_indices the requested number, rounded up to whole blocks of k + 2.
    std::uint64_t runs() const { return runs_; }

    // Whether a longer design has the same first runs: then runs beyond runs() may be sampled too.
    bool is_extendable() const;

    // Writes the point of a run into u, one number per axis. Thread-safe, without allocation.
    void sample(std::uint64_t run, std::span<double> u) const;

    // The block of a run; only for sobol_indices.
    SobolBlock block_of(std::uint64_t run) const;

private:
    void sample_one_at_a_time(std::uint64_t run, std::span<double> u) const;

    DesignSpec spec_;
    std::uint64_t runs_ = 0;
    SobolSequence sequence_;  // empty where the kind has no use for it
};

}  // namespace asperity::statistics
