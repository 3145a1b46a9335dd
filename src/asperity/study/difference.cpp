#include "asperity/study/difference.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

namespace asperity::study {
namespace {

struct Line {
    std::string text;
    std::string section;  // its header; that of a list with the first line below it, which says which entry it is
};

std::vector<Line> lines_of(const std::string& text) {
    std::vector<Line> out;
    std::string section;
    bool needs_name = false;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.empty()) continue;
        if (needs_name) section += " " + line;
        needs_name = line.starts_with("[[");
        if (line.starts_with("[")) section = line;
        out.push_back({line, section});
    }
    return out;
}

class Comparison {
public:
    Comparison(const std::vector<Line>& a, const std::vector<Line>& b) : a_(a), b_(b), common_((a.size() + 1) * (b.size() + 1)) {
        for (std::size_t i = a.size(); i-- > 0;)
            for (std::size_t j = b.size(); j-- > 0;)
                common(i, j) = a[i].text == b[j].text ? common(i + 1, j + 1) + 1 : std::max(common(i + 1, j), common(i, j + 1));
    }

    std::string text() {
        std::size_t i = 0, j = 0;
        while (i < a_.size() || j < b_.size()) {
            if (i < a_.size() && j < b_.size() && a_[i].text == b_[j].text) {
                ++i;
                ++j;
            } else if (j == b_.size() || (i < a_.size() && common(i + 1, j) >= common(i, j + 1))) {
                tell('-', a_[i++]);
            } else {
                tell('+', b_[j++]);
            }
        }
        return std::move(text_);
    }

private:
    // Length of the longest common subsequence of the lines from i and from j on.
    std::uint32_t& common(std::size_t i, std::size_t j) { return common_[i * (b_.size() + 1) + j]; }

    void tell(char sign, const Line& line) {
        if (line.section != section_ && line.section != line.text) text_ += "\n  " + line.section;
        section_ = line.section;
        text_ += std::string("\n  ") + sign + " " + line.text;
    }

    const std::vector<Line>& a_;
    const std::vector<Line>& b_;
    std::vector<std::uint32_t> common_;
    std::string section_, text_;
};

}  // namespace

std::string difference(const std::string& before, const std::string& now) {
    const std::vector<Line> a = lines_of(before), b = lines_of(now);
    return Comparison(a, b).text();
}

}  // namespace asperity::study
