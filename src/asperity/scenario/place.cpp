#include "asperity/scenario/place.h"

#include <utility>

namespace asperity::scenario {

Problem problem_at(const Places& places, std::string_view path, std::string what, std::string hint, std::string note) {
    auto found = places.find(path);
    while (found == places.end() && !path.empty()) {
        const std::size_t dot = path.rfind('.');
        path = dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
        found = places.find(path);
    }
    Problem problem{.what = std::move(what), .hint = std::move(hint), .note = std::move(note)};
    if (found == places.end()) return problem;
    const Place& place = found->second;
    problem.file = place.file;
    problem.line = place.line;
    problem.column = place.column;
    problem.length = place.length;
    problem.source = place.source;
    problem.section = place.section;
    return problem;
}

InputError error_at(const Places& places, std::string_view path, std::string what, std::string hint) {
    return InputError({problem_at(places, path, std::move(what), std::move(hint))});
}

std::string set_in(const Places& places, const std::string& section, std::string otherwise) {
    const std::string prefix = section + ".";
    for (auto at = places.lower_bound(prefix); at != places.end() && at->first.starts_with(prefix); ++at)
        if (at->second.line == 0 && at->first != prefix + "name") return at->first;
    return otherwise;
}

}  // namespace asperity::scenario
