// "Did you mean": the nearest of a few names to a mistyped one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace asperity {

// The candidate at the smallest edit distance (insertions, deletions, replacements and swaps of neighbours); empty if even that one is not
// near: more than a third of the word, and more than one letter, would have to change, or its digits differ. Ties go to the same first
// letter, then to the first candidate.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

// The candidate that a name of earlier versions stands for now, also as the last part of a path; empty where it is none.
std::string name_now(std::string_view word, const std::vector<std::string>& candidates);

// "it is called `x` now", "did you mean `x`?", or empty.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

// "a, b, c".
std::string joined(const std::vector<std::string>& words);

}  // namespace asperity
