// Serialisation of rows and messages: values are packed one after the other. Both ends are this program on the same kind of machine.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "asperity/core/errors.h"

namespace asperity::batch {

class Packer {
public:
    std::string bytes;

    template <class T>
    requires std::is_trivially_copyable_v<T>
    void add(const T& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
    template <class T>
    void add_all(std::span<const T> values) {
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
    void add_text(std::string_view text) {
        add(static_cast<std::uint64_t>(text.size()));
        bytes.append(text);
    }
};

class Unpacker {
public:
    explicit Unpacker(std::string_view bytes) : left(bytes) {}

    std::string_view left;

    template <class T>
    T get() {
        T value{};
        ASPERITY_REQUIRE(left.size() >= sizeof value, "packed bytes are cut off");
        std::memcpy(&value, left.data(), sizeof value);
        left.remove_prefix(sizeof value);
        return value;
    }
    std::string get_text() {
        const auto size = get<std::uint64_t>();
        ASPERITY_REQUIRE(left.size() >= size, "packed bytes are cut off");
        std::string text(left.substr(0, size));
        left.remove_prefix(size);
        return text;
    }
};

}  // namespace asperity::batch
