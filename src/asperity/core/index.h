// Meshes and trees number their parts with 32 bits, which halves the memory traffic; containers are indexed with size_t.
#pragma once
#include <cstddef>
#include <cstdint>

namespace asperity {

constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

}  // namespace asperity
