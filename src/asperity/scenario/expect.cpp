#include "asperity/scenario/expect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace asperity::scenario {
namespace {

void append(std::string& text, const std::string& part) { text += (text.empty() ? "" : " and ") + part; }

std::string wanted_text(const Expectation& expectation, const std::string& unit) {
    const auto shown = [&](const Quantity& quantity) {
        return quantity_text(quantity.value, quantity.dimension == Dimension{} ? ""
                                             : unit.empty()                    ? si_unit_text(quantity.dimension)
                                                                               : unit);
    };
    std::string text;
    if (expectation.text) append(text, *expectation.text);
    if (expectation.length) append(text, fmt::format("length {}", *expectation.length));
    if (expectation.value) append(text, shown(*expectation.value));
    if (expectation.within) text += " within " + shown(*expectation.within);
    if (expectation.at_least) append(text, "at least " + shown(*expectation.at_least));
    if (expectation.at_most) append(text, "at most " + shown(*expectation.at_most));
    if (expectation.above) append(text, "above " + shown(*expectation.above));
    if (expectation.below) append(text, "below " + shown(*expectation.below));
    return text;
}

// False for a number that is not finite, whatever is demanded.
bool holds(const Expectation& e, double got) {
    if (!std::isfinite(got)) return false;
    if (e.value && !(std::abs(got - e.value->value) <= (e.within ? e.within->value : 0))) return false;
    if (e.at_least && !(got >= e.at_least->value)) return false;
    if (e.at_most && !(got <= e.at_most->value)) return false;
    if (e.above && !(got > e.above->value)) return false;
    return !e.below || got < e.below->value;
}

// What came out, in words, and whether that is what was wanted.
struct Verdict {
    std::string got;
    bool ok = false;
};

Verdict check_number(const Expectation& expectation, double got, const std::string& unit) {
    const auto dimension = parse_dimension(unit);
    const Dimension* known = std::get_if<Dimension>(&dimension);
    if (!known || *known != dimension_of(expectation))
        return {fmt::format("{}, which is {}", quantity_text(got, unit), known ? with_article(*known) : "in an unknown unit")};
    return {quantity_text(got, unit), holds(expectation, got)};
}

Verdict check_array(const Expectation& expectation, const std::vector<double>& got, const std::string& unit) {
    const std::string text = fmt::format("an array of {}", got.size());
    const bool has_length = !expectation.length || static_cast<std::size_t>(*expectation.length) == got.size();
    if (!demands_number(expectation)) return {text, has_length && expectation.length.has_value()};
    if (!expectation.index) return {text + "; say which with `index`"};
    if (!has_length || static_cast<std::size_t>(*expectation.index) >= got.size()) return {text};
    return check_number(expectation, got[static_cast<std::size_t>(*expectation.index)], unit);
}

Verdict check_value(const Expectation& expectation, const analysis::Metric& metric) {
    if (const auto* text = std::get_if<std::string>(&metric.value))
        return {*text, expectation.text && *expectation.text == *text && !expectation.index && !expectation.length};
    if (const auto* array = std::get_if<std::vector<double>>(&metric.value)) return check_array(expectation, *array, metric.unit);
    const double number = std::get<double>(metric.value);
    if (expectation.index || expectation.length || expectation.text) return {quantity_text(number, metric.unit) + ", a single number"};
    return check_number(expectation, number, metric.unit);
}

record::Expectation check_one(const Expectation& expectation, std::span<const analysis::Metric> metrics) {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == expectation.metric; });
    record::Expectation result{.metric = expectation.metric, .wanted = wanted_text(expectation, {}), .got = {}};
    if (expectation.index) result.metric += fmt::format("[{}]", *expectation.index);
    if (found == metrics.end()) {
        result.got = "nothing: it did not come to that";  // the reader knows the names, so that this is no slip
        return result;
    }
    const auto dimension = parse_dimension(found->unit);
    if (const auto* known = std::get_if<Dimension>(&dimension); known && *known == dimension_of(expectation))
        result.wanted = wanted_text(expectation, found->unit);
    const Verdict verdict = check_value(expectation, *found);
    result.got = verdict.got;
    result.ok = verdict.ok;
    return result;
}

}  // namespace

bool demands_number(const Expectation& e) { return e.value || e.at_least || e.at_most || e.below || e.above; }

Dimension dimension_of(const Expectation& expectation) {
    for (const auto* quantity : {&expectation.value, &expectation.at_least, &expectation.at_most, &expectation.below, &expectation.above}) {
        if (*quantity) return (*quantity)->dimension;
    }
    return {};
}

std::vector<record::Expectation> check_expectations(const std::vector<Expectation>& expectations,
                                                    std::span<const analysis::Metric> metrics) {
    std::vector<record::Expectation> results;
    for (const Expectation& expectation : expectations) results.push_back(check_one(expectation, metrics));
    return results;
}

}  // namespace asperity::scenario
