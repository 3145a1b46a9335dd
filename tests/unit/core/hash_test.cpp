#include "asperity/core/hash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace asperity::hash_test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// XXH3-128 of nothing with seed 0, as xxhsum -H2 prints it.
TEST(Hash, of_nothing_is_the_published_value) { EXPECT_EQ(hex_text(hash_of({})), "99aa06d3014798d86001c324468d497f"); }

TEST(Hash, text_keeps_leading_zeros) { EXPECT_EQ(hex_text({.high = 0x1, .low = 0xabc}), "00000000000000010000000000000abc"); }

TEST(Hash, bytes_in_pieces_hash_as_the_whole) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += static_cast<char>('a' + i * i % 26);
    const Hash128 whole = hash_of(bytes_of(text));
    for (const std::size_t piece : {1UL, 7UL, 64UL, 256UL, 1000UL, 4999UL}) {
        Hasher hasher;
        for (std::size_t i = 0; i < text.size(); i += piece) hasher.add_bytes(bytes_of(text).subspan(i, std::min(piece, text.size() - i)));
        EXPECT_EQ(hasher.value(), whole) << piece;
    }
}

TEST(Hash, one_changed_bit_changes_it) {
    std::vector<double> values(100, 1.5);
    std::set<Hash128> seen{Hasher().add(values).value()};
    for (double& value : values) {
        value = std::nextafter(value, 2);
        EXPECT_TRUE(seen.insert(Hasher().add(values).value()).second);
    }
}

TEST(Hash, lengths_keep_neighbours_apart) {
    EXPECT_NE(Hasher().add("ab").add("c").value(), Hasher().add("a").add("bc").value());
    const std::vector<double> none, one{0.0};
    EXPECT_NE(Hasher().add(none).add(one).value(), Hasher().add(one).add(none).value());
}

TEST(Hash, zeros_of_either_sign_differ) { EXPECT_NE(Hasher().add(0.0).value(), Hasher().add(-0.0).value()); }

TEST(Hash, asking_changes_nothing) {
    Hasher hasher;
    hasher.add("first");
    const Hash128 early = hasher.value();
    EXPECT_EQ(hasher.value(), early);
    EXPECT_EQ(hasher.add(3).value(), Hasher().add("first").add(3).value());
}

}  // namespace
}  // namespace asperity::hash_test
