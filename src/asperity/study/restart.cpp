#include "asperity/study/restart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "asperity/core/errors.h"
#include "asperity/scenario/write.h"

namespace asperity::study {
namespace {

constexpr const char* absent = "not set";

// The keys of a resolved scenario and their texts. It has a line for each, so that no reader is needed, which would refuse the scenario of
// an older version before it could say what differs.
std::map<std::string, std::string> keys_of(const std::string& text) {
    std::map<std::string, std::string> keys;
    std::map<std::string, int> lists;
    std::string section;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find(" = ");
        if (line.starts_with("[[")) {
            const std::string list = line.substr(2, line.size() - 4);
            section = fmt::format("{}.{}.", list, lists[list]++);
        } else if (line.starts_with("[")) {
            section = line.substr(1, line.size() - 2) + ".";
            std::erase(section, '"');  // of names of materials
        } else if (equals != std::string::npos) {
            keys[section + line.substr(0, equals)] = line.substr(equals + 3);
        }
    }
    return keys;
}

bool is_past(const std::string& key) {
    return key != "end.time" && key != "end.step_budget" && key != "name" && key != "description" && !key.starts_with("output.") &&
           !key.starts_with("expect.");
}

std::string listed(const std::vector<Difference>& differences) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(differences.size(), most); ++i)
        text +=
            fmt::format("{}{} is {} there and {} here", i > 0 ? "; " : "", differences[i].key, differences[i].there, differences[i].here);
    return differences.size() > most ? fmt::format("{}; and {} more", text, differences.size() - most) : text;
}

}  // namespace

std::vector<Difference> differences_in_the_past(const std::string& there, const std::string& here) {
    const std::map<std::string, std::string> old_keys = keys_of(there), new_keys = keys_of(here);
    std::map<std::string, std::string> all = old_keys;
    all.insert(new_keys.begin(), new_keys.end());
    const auto value = [](const auto& keys, const std::string& key) {
        const auto found = keys.find(key);
        return found == keys.end() ? std::string(absent) : found->second;
    };
    std::vector<Difference> differences;
    for (const auto& [key, text] : all) {
        Difference difference{.key = key, .there = value(old_keys, key), .here = value(new_keys, key)};
        if (is_past(key) && difference.there != difference.here) differences.push_back(std::move(difference));
    }
    return differences;
}

void require_same_run(const std::string& path, const record::Record& old, double time, const scenario::Scenario& scenario,
                      const record::Surface& surface) {
    const std::vector<Difference> differences = differences_in_the_past(old.scenario, scenario::resolved_toml(scenario));
    if (!differences.empty())
        throw InputError({{.what = fmt::format("the record {} was made from another scenario: {}", path, listed(differences)),
                           .hint = "go on with the file, --set and --seed that it was made with; the record holds the scenario as run",
                           .note = "may differ: end.time, end.step_budget, output, expect, name, description"}});
    // rocks on it follow from the scenario, and older records do not hold them
    if (old.surface.vertices != surface.vertices || old.surface.facets != surface.facets)
        throw InputError(fmt::format("the record {} was made on another surface: {} facets and {} vertices there, {} and {} here{}", path,
                                     old.surface.facets.size(), old.surface.vertices.size(), surface.facets.size(), surface.vertices.size(),
                                     old.surface.facets == surface.facets ? ", at other places" : ""),
                         "the mesh file has changed since: put it back, or run from the start");
    if (scenario.end.time < time)
        throw InputError(fmt::format("end.time is {:.9g} s, but the run would go on from {:.9g} s", scenario.end.time, time),
                         "raise end.time, or go on from an earlier checkpoint with --restart-time");
}

}  // namespace asperity::study
