#include "asperity/assets/points_file.h"

#include <algorithm>
#include <cmath>

#include "asperity/assets/mesh_common.h"
#include "asperity/core/errors.h"

namespace asperity::assets {
namespace {

constexpr const char* hint = "a line has x, y, z in metres: 12.5, -3, 0.25";

bool is_number(const Word& word) { return number<double>(word.text).has_value(); }

// The point of a line of words, or what is wrong with it.
void take_point(const LineReader& reader, const std::string& name, const std::vector<Word>& words, std::vector<Vec3>& points,
                std::vector<Problem>& problems) {
    if (words.size() < 3) {
        problems.push_back(
            problem_at(reader, name, words.back(),
                       fmt::format("{} where a point has three coordinates", words.size() == 1 ? "one column" : "two columns"), hint));
        return;
    }
    double values[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const std::optional<double> value = number<double>(words[k].text);
        if (!value || !std::isfinite(*value)) {
            problems.push_back(problem_at(reader, name, words[k], fmt::format("`{}` is not a finite number", words[k].text), hint));
            return;
        }
        values[k] = *value;
    }
    points.push_back({values[0], values[1], values[2]});
}

}  // namespace

std::vector<Vec3> parse_points(std::string_view text, const std::string& name) {
    check_arguments(text, name, 1);
    // Columns stay where they are: messages name them.
    std::string blanks(text);
    std::replace(blanks.begin(), blanks.end(), ',', ' ');
    LineReader reader(blanks, 1);
    std::vector<Vec3> points;
    std::vector<Problem> problems;
    bool is_first = true;
    while (reader.next_line() && problems.size() < most_problems) {
        const std::vector<Word> words = words_of(reader, 3);
        if (words.empty() || words[0].text.starts_with('#')) continue;
        const bool is_header = is_first && std::none_of(words.begin(), words.end(), is_number);
        is_first = false;
        if (!is_header) take_point(reader, name, words, points, problems);
    }
    if (problems.empty() && points.empty()) problems.push_back({.what = "there is no point in it", .file = name, .hint = hint});
    if (!problems.empty()) throw InputError(std::move(problems));
    return points;
}

std::vector<Vec3> read_points(const std::string& path) { return parse_points(read_bytes(path), path); }

}  // namespace asperity::assets
