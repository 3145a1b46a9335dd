// Counter-based random numbers: a number is hash(seed, run, stream, counter), so that no draw depends on earlier draws.
//
//   x_0 = mix(seed + GOLDEN), x_{k+1} = mix(x_k + GOLDEN * (word_k + 1)), mix: the finaliser of SplitMix64     (1)
//
// Source: Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/core/host_device.h"

namespace asperity {

struct DrawKey {
    std::uint64_t seed = 0;
    std::uint64_t run = 0;
    std::uint64_t stream = 0;  // identifies the use of the number: no two uses share a stream
};

ASPERITY_HD constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

ASPERITY_HD constexpr std::uint64_t random_bits(const DrawKey& key, std::uint64_t counter) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    std::uint64_t x = mix_bits(key.seed + golden);
    x = mix_bits(x + golden * (key.run + 1));
    x = mix_bits(x + golden * (key.stream + 1));
    return mix_bits(x + golden * (counter + 1));  // (1)
}

// Uniform in [0, 1), 53 bits.
ASPERITY_HD constexpr double random_uniform(const DrawKey& key, std::uint64_t counter) {
    return static_cast<double>(random_bits(key, counter) >> 11) * 0x1.0p-53;
}

// Standard normal deviate (Box-Muller; the second of the pair is dropped, so that each counter gives one number).
ASPERITY_HD inline double random_normal(const DrawKey& key, std::uint64_t counter) {
    const double u = 1.0 - random_uniform(key, 2 * counter);  // (0, 1]: the logarithm is finite
    const double angle = 6.283185307179586476925 * random_uniform(key, 2 * counter + 1);
    return std::sqrt(-2.0 * std::log(u)) * std::cos(angle);
}

}  // namespace asperity
