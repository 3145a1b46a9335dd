// Content hashes: XXH3, 128 bits, over the bytes of values in memory order (little-endian on every machine that we run on).
// They identify contents and name caches; they are no protection against forgery. Texts and arrays are hashed with their length, so that
// ("ab", "c") and ("a", "bc") differ. Doubles are hashed bit by bit: 0.0 and -0.0 differ, as they should where "the same bits" is the
// claim. Source: xxhash.com, XXH3.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace asperity {

struct Hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend constexpr auto operator<=>(const Hash128&, const Hash128&) = default;
};

// 32 hexadecimal digits, high word first.
std::string hex_text(const Hash128& hash);

// Collects values; value() may be asked for at any time and changes nothing.
class Hasher {
public:
    Hasher();
    ~Hasher();
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    // The bytes as they are, without their number: add(a), add(b) equals add(ab).
    Hasher& add_bytes(std::span<const std::byte> bytes);

    Hasher& add(std::string_view text);
    Hasher& add(const char* text) { return add(std::string_view(text)); }

    // Takes numbers, bools and enums: types without padding, so that equal values have equal bytes.
    template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) Hasher& add(T value) { return add_bytes(std::as_bytes(std::span(&value, 1))); }

    // Hashes the number of elements, then each in turn. Elements are numbers, or plain structs of equal numbers such as Vec3.
    template <class T>
    requires(std::is_trivially_copyable_v<T>) Hasher& add(std::span<const T> values) {
        add(static_cast<std::uint64_t>(values.size()));
        return add_bytes(std::as_bytes(values));
    }
    template <class T>
    Hasher& add(const std::vector<T>& values) {
        return add(std::span<const T>(values));
    }

    Hash128 value() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// The hash of some bytes at once.
Hash128 hash_of(std::span<const std::byte> bytes);

}  // namespace asperity
