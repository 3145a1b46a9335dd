// The line difference of two TOML texts, with the section of each line: "contact.friction had sigma_log = 0.3" must be readable from it,
// although every [[vary]] has the same keys.
#pragma once
#include <string>

namespace asperity::study {

// Lines of the first text alone after "-", of the second alone after "+", two blanks before each; empty where the texts are equal. Lines
// are matched by their longest common subsequence.
std::string difference(const std::string& before, const std::string& now);

}  // namespace asperity::study
