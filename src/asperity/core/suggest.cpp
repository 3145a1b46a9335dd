#include "asperity/core/suggest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace asperity {
namespace {

// Longer words are no typing errors; the table below stays small.
constexpr std::size_t longest_word = 64;

struct Renamed {
    std::string_view before, now;
};

constexpr Renamed renamed[] = {{"acceleration", "speed_up"},
                               {"release_angle", "separation_angle"},
                               {"release_position", "start_position"},
                               {"release_velocity", "start_velocity"},
                               {"release_spin", "start_spin"}};

// Optimal string alignment distance, upper and lower case alike.
std::size_t slips_between(std::string_view a, std::string_view b) {
    const auto same = [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
    };
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(above);
        above.swap(row);
    }
    return above[b.size()];
}

// Another number is no typing error: table 9.9 is not a mistyped 8.2.
std::string digits_of(std::string_view word) {
    std::string digits;
    for (const char c : word)
        if (c >= '0' && c <= '9') digits += c;
    return digits;
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
    if (word.empty() || word.size() > longest_word) return {};
    const std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
    const std::string digits = digits_of(word);
    std::size_t fewest = allowed + 1;
    const std::string* best = nullptr;
    for (const std::string& candidate : candidates) {
        if (candidate.empty() || candidate.size() > longest_word) continue;
        const std::string other = digits_of(candidate);
        if (!digits.empty() && !other.empty() && digits != other) continue;
        const std::size_t slips = slips_between(word, candidate);
        // A word of which no letter is left is no typing error: "m" is not a mistyped "s".
        if (slips > fewest || slips > allowed || slips >= std::max(word.size(), candidate.size())) continue;
        // The first letter is seldom the wrong one.
        if (best && slips == fewest && (best->front() == word.front() || candidate.front() != word.front())) continue;
        fewest = slips;
        best = &candidate;
    }
    return best ? *best : std::string{};
}

std::string name_now(std::string_view word, const std::vector<std::string>& candidates) {
    for (const Renamed& name : renamed) {
        if (!word.ends_with(name.before)) continue;
        const std::string_view path = word.substr(0, word.size() - name.before.size());
        if (!path.empty() && path.back() != '.') continue;
        const std::string now = std::string(path) + std::string(name.now);
        if (std::find(candidates.begin(), candidates.end(), now) != candidates.end()) return now;
    }
    return {};
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
    if (const std::string now = name_now(word, candidates); !now.empty()) return "it is called `" + now + "` now";
    const std::string best = nearest_name(word, candidates);
    return best.empty() ? best : "did you mean `" + best + "`?";
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace asperity
