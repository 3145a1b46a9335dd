#include "asperity/core/hash.h"

#include <fmt/format.h>

#define XXH_STATIC_LINKING_ONLY  // for the size of the state, which then needs no allocation of its own
#include <xxhash.h>

namespace asperity {

std::string hex_text(const Hash128& hash) { return fmt::format("{:016x}{:016x}", hash.high, hash.low); }

struct Hasher::State {
    XXH3_state_t xxh;
};

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Hasher::~Hasher() = default;

Hasher& Hasher::add_bytes(std::span<const std::byte> bytes) {
    XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
    return *this;
}

Hasher& Hasher::add(std::string_view text) { return add(std::span<const char>(text)); }

Hash128 Hasher::value() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
    return {.high = hash.high64, .low = hash.low64};
}

Hash128 hash_of(std::span<const std::byte> bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {.high = hash.high64, .low = hash.low64};
}

}  // namespace asperity
