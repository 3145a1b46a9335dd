#include "asperity/scenario/variable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <variant>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"

namespace asperity::scenario {
namespace {

// Walks describe() down one key path. Sections beside the path are not entered.
class PathVisitor {
public:
    explicit PathVisitor(std::string_view path) : left_(path), path_(path) {}

    double value = 0;
    std::string problem;  // why the value cannot be set
    bool is_found = false;
    bool is_text = false;
    Variable variable;               // filled only where `is_asking`
    bool is_asking = false;          // to learn what the key is; nothing is set
    std::vector<std::string> known;  // while asking: the keys on the way

    template <class T, class... Rest>
    void required(const char* name, T& target, const Rest&... rest) {
        field(name, target, rest...);
    }
    template <class T, class... Rest>
    void optional(const char* name, T& target, const Rest&... rest) {
        field(name, target, rest...);
    }
    template <class T, class... Rest>
    void optional(const char* name, std::optional<T>& target, const Rest&... rest) {
        if (!is_asking && left_ != name && !starts_with(name)) return;
        T inner = target.value_or(T{});
        const bool was_found = is_found;
        field(name, inner, rest...);
        if (!is_asking && !was_found && is_found && problem.empty()) target = inner;
    }
    template <class Variant, std::size_t N>
    void kinds(const char* name, Variant& target, const std::array<Kind, N>&, const char*) {
        if (left_ == name) is_found = is_text = true;
        std::visit([&](auto& alternative) { describe(*this, alternative); }, target);
    }
    template <class T>
    void section(const char* name, T& target, const char*) {
        if (!is_asking && !starts_with(name)) return;
        enter(name, target);
    }
    template <class T>
    void optional_section(const char* name, std::optional<T>& target, const char* sentence) {
        if (target) section(name, *target, sentence);
    }
    template <class T>
    void list(const char* name, std::vector<T>& targets, const char*) {
        if (!is_asking && !starts_with(name)) return;
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const std::string by_number = fmt::format("{}.{}", name, i);
            if constexpr (requires { targets[i].name; }) {
                const std::string by_name = fmt::format("{}.{}", name, targets[i].name);
                enter(starts_with(by_name) ? by_name : by_number, targets[i]);
            } else {
                enter(by_number, targets[i]);
            }
        }
    }
    template <class Variant, std::size_t N>
    void one_of(Variant& target, const std::array<Kind, N>&, const char*) {
        std::visit([&](auto& alternative) { describe(*this, alternative); }, target);
    }
    template <class T>
    void tables(const char* name, std::vector<T>& targets, const char*, const char*) {
        if (!is_asking && !starts_with(name)) return;
        for (T& target : targets) {
            const std::string full = fmt::format("{}.{}", name, target.name);
            if (is_asking || starts_with(full)) enter(full, target);
        }
    }
    template <class Fields>
    void when(bool is_there, const Fields& fields) {
        if (is_there) fields(*this);
    }
    template <class Fields>
    void scatter(const Fields& fields) {
        const bool outer = std::exchange(is_scatter_, true);
        fields(*this);
        is_scatter_ = outer;
    }
    template <class Fields>
    void loaded(Loaded when, const Fields& fields) {
        const std::optional<Loaded> outer = std::exchange(loaded_, when);
        fields(*this);
        loaded_ = outer;
    }
    void expectations(const char*, std::vector<Expectation>&, const char*) {}
    void include(const char*, const char*) {}

private:
    bool starts_with(std::string_view name) const {
        return left_.size() > name.size() && left_.starts_with(name) && left_[name.size()] == '.';
    }
    template <class T>
    void enter(const std::string& name, T& target) {
        const std::string_view outer = left_;
        const std::string outer_prefix = prefix_;
        left_ = starts_with(name) ? left_.substr(name.size() + 1) : std::string_view{};
        if (is_asking) prefix_ += name + ".";
        describe(*this, target);
        left_ = outer;
        prefix_ = outer_prefix;
    }

    // The value that the path leads to.
    bool here(const char* name) {
        if (is_asking) known.push_back(prefix_ + name);
        if (left_ != name) return false;
        is_found = true;
        return true;
    }
    void tell(const Unit& unit, const char* sentence) {
        if (!is_asking) return;
        variable.path = path_;
        variable.unit = unit.text;
        variable.dimension = unit.dimension;
        variable.sentence = sentence;
        variable.is_scatter = is_scatter_;
        variable.loaded = loaded_;
    }

    void number(double& target, const Unit& unit, const Bounds& bounds, const char* sentence) {
        tell(unit, sentence);
        if (is_asking) return;
        if (std::isfinite(value) && bounds.allows(value)) {
            target = value;
        } else {
            problem = fmt::format("`{}` {}, got {}", path_, std::isfinite(value) ? must_be(bounds.text(unit.text)) : "must be finite",
                                  quantity_text(value, unit.text));
        }
    }

    void field(const char* name, double& target, const Unit& unit, const Bounds& bounds, const char* sentence, const char* = "") {
        if (here(name)) number(target, unit, bounds, sentence);
    }
    void field(const char* name, Vec3& target, const Unit& unit, const Bounds& bounds, const char* sentence, const char* = "") {
        const std::array<std::pair<const char*, double*>, 3> parts{{{".x", &target.x}, {".y", &target.y}, {".z", &target.z}}};
        for (const auto& [suffix, part] : parts) {
            if (is_asking) known.push_back(prefix_ + name + suffix);
            if (left_.size() != std::strlen(name) + 2 || !left_.starts_with(name) || !left_.ends_with(suffix)) continue;
            is_found = true;
            number(*part, unit, bounds, sentence);
        }
    }
    void field(const char* name, std::vector<Vec3>&, const Unit&, const Bounds&, const char*, const char* = "") {
        if (left_ == name) is_found = is_text = true;
    }
    template <class Integer>
    requires std::is_same_v<Integer, std::int64_t> || std::is_same_v<Integer, int>
    void field(const char* name, Integer& target, const Range& range, const char* sentence, const char* = "") {
        if (!here(name)) return;
        tell(si::one, sentence);
        variable.is_whole = true;
        if (is_asking) return;
        const double whole = std::round(value);
        if (std::fabs(whole) < 0x1p62 && range.allows(static_cast<std::int64_t>(whole))) {
            target = static_cast<Integer>(whole);
        } else {
            problem = fmt::format("`{}` {}, got {}", path_, must_be(range.text()), number_text(whole));
        }
    }
    void field(const char* name, bool& target, const char* sentence, const char* = "") {
        if (!here(name)) return;
        tell(si::one, sentence);
        if (is_asking) variable.names = {"false", "true"};
        if (!is_asking) target = value != 0;
    }
    void field(const char* name, std::string&, const char*, const char* = "") {
        if (left_ == name) is_found = is_text = true;
    }
    void field(const char* name, Loose&, const char*, const char* = "") {
        if (left_ == name) is_found = is_text = true;
    }
    void field(const char* name, std::vector<Loose>&, const char*, const char* = "") {
        if (left_ == name) is_found = is_text = true;
    }
    void field(const char* name, Path&, const char*, const char* = "") {
        if (left_ == name) is_found = is_text = true;
    }
    template <class T, ChoicesOf<T> Choices>
    void field(const char* name, T& target, const Choices& choices, const char* sentence, const char* = "") {
        if (!here(name)) return;
        tell(si::one, sentence);
        if (is_asking) {
            for (const Choice<T>& choice : choices) variable.names.emplace_back(choice.name);
        } else if (value >= 0 && value < static_cast<double>(choices.size())) {
            target = choices[static_cast<std::size_t>(value)].value;
        } else {
            problem = fmt::format("`{}` has {} choices, there is no number {}", path_, choices.size(), number_text(value));
        }
    }

    std::string_view left_;
    std::string path_;
    std::string prefix_;
    bool is_scatter_ = false;
    std::optional<Loaded> loaded_;
};

// Keys of the scenario that end as the path does: another body, another pair of materials, an older name of the section.
std::string with_same_end(const std::string& path, const std::vector<std::string>& known) {
    const std::size_t last = path.rfind('.');
    const std::size_t before = last == std::string::npos || path.size() - last > 2 ? last : path.rfind('.', last - 1);
    const std::string end = before == std::string::npos ? "." + path : path.substr(before);
    std::vector<std::string> near;
    for (const std::string& key : known)
        if (key.ends_with(end)) near.push_back(fmt::format("`{}`", key));
    return near.empty() || near.size() > 4 ? std::string{} : fmt::format("did you mean {}?", fmt::join(near, " or "));
}

}  // namespace

Variable find_variable(const Scenario& scenario, const std::string& path) {
    Scenario copy = scenario;
    PathVisitor visitor(path);
    visitor.is_asking = true;
    describe(visitor, copy);
    if (visitor.is_found && !visitor.is_text) return visitor.variable;
    if (visitor.is_text) throw InputError(fmt::format("`{}` holds text, which a study cannot draw", path));
    const bool is_vector = std::find(visitor.known.begin(), visitor.known.end(), path + ".x") != visitor.known.end();
    const std::string near = with_same_end(path, visitor.known);
    const std::string hint = is_vector      ? fmt::format("three numbers are varied one by one: `{}.x`, `{}.y`, `{}.z`", path, path, path)
                             : near.empty() ? did_you_mean(path, visitor.known)
                                            : near;
    throw InputError(
        {Problem{.what = fmt::format("the scenario has no key `{}`", path),
                 .hint = hint,
                 .note = "`asperity explain` lists all keys; which there are depends on the kinds that the scenario chooses"}});
}

std::string assign(Scenario& scenario, const Variable& variable, double value) {
    PathVisitor visitor(variable.path);
    visitor.value = value;
    describe(visitor, scenario);
    ASPERITY_REQUIRE(visitor.is_found, "the key {} is gone", variable.path);
    return std::move(visitor.problem);
}

}  // namespace asperity::scenario
