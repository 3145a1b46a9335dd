// Collects the problems of a scenario as a whole; a key that could not be read is not reported twice.
#pragma once
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

class Checker {
public:
    Checker(const Scenario& scenario, const std::set<std::string, std::less<>>& failed) : scenario_(scenario), failed_(failed) {}

    // Whether all these keys hold what the file says; a failed section fails its keys.
    bool are_usable(std::initializer_list<std::string_view> paths) const {
        for (const std::string_view path : paths) {
            if (failed_.contains(path)) return false;
            for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
                if (failed_.contains(path.substr(0, dot))) return false;
            }
        }
        return true;
    }

    void add(std::string_view path, std::string what, std::string hint = {}) {
        problems.push_back(problem_at(scenario_.places, path, std::move(what), std::move(hint)));
    }

    std::vector<Problem> problems;

private:
    const Scenario& scenario_;
    const std::set<std::string, std::less<>>& failed_;
};

}  // namespace asperity::scenario
