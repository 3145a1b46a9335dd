// Whole text files: read at once, and replaced atomically, so that a reader sees the old one or the new one, never half.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace asperity::record {

// Throws InputError where the file is missing or cannot be read.
std::string read_text_file(const std::filesystem::path& path);

// Under a temporary name beside it, then renamed; makes the folder where it is missing. Throws RuntimeError where the machine refuses.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace asperity::record
