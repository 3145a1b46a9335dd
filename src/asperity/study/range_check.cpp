#include "asperity/study/range_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "asperity/core/units.h"

namespace asperity::study {
namespace {

// Why the scenario cannot have a value of one parameter; empty where it can.
class Judge {
public:
    Judge(const Plan& plan, const Parameter& parameter) : scenario_(*plan.scenario), parameter_(parameter) {}

    std::string of(double value) {
        if (parameter_.variable->is_whole) value = std::round(value);
        return assign(scenario_, *parameter_.variable, value);
    }

private:
    scenario::Scenario scenario_;
    const Parameter& parameter_;
};

std::optional<RefusedRange> refused_choice(const statistics::Choice& choice, Judge& judge) {
    RefusedRange out;
    double total = 0, refused = 0;
    for (std::size_t i = 0; i < choice.values.size(); ++i) {
        const double weight = choice.weights.empty() ? 1 : choice.weights[i];
        const std::string problem = weight > 0 ? judge.of(choice.values[i]) : "";
        total += weight;
        if (problem.empty()) continue;
        if (refused == 0) {
            out.value = choice.values[i];
            out.problem = problem;
        }
        refused += weight;
    }
    if (refused == 0) return {};
    out.share = refused / total;
    return out;
}

// The value at an end of what can be drawn: where a bound is given it is that, to the last digit.
double end_value(const statistics::Distribution& distribution, bool is_high) {
    const double drawn = statistics::quantile(distribution, is_high ? 1 : 0);
    const auto bound = [&](double low, double high) { return std::isfinite(is_high ? high : low) ? (is_high ? high : low) : drawn; };
    if (const auto* d = std::get_if<statistics::Uniform>(&distribution)) return bound(d->low, d->high);
    if (const auto* d = std::get_if<statistics::Normal>(&distribution)) return bound(d->low, d->high);
    if (const auto* d = std::get_if<statistics::LogNormal>(&distribution))
        return bound(d->low > 0 ? d->low : -statistics::unbounded, d->high);
    return drawn;
}

// Quantiles rise with u: the refused ones lie below a first allowed u and above a last one.
std::optional<RefusedRange> refused_part(const statistics::Distribution& distribution, Judge& judge) {
    const auto problem_at = [&](double u) { return judge.of(statistics::quantile(distribution, u)); };
    const double least = end_value(distribution, false), most = end_value(distribution, true);
    const std::string low = judge.of(least), high = judge.of(most);
    if (low.empty() && high.empty()) return {};
    std::optional<double> inside;
    for (int i = 0; i <= 64 && !inside; ++i)  // the middle first
        if (const double u = i == 0 ? 0.5 : (i - 0.5) / 64; problem_at(u).empty()) inside = u;
    const auto border = [&](double outside) {
        double good = *inside, bad = outside;
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (good + bad);
            (problem_at(middle).empty() ? good : bad) = middle;
        }
        return std::fabs(bad - outside);
    };
    RefusedRange out{.value = low.empty() ? most : least, .problem = low.empty() ? high : low};
    if (!inside) {
        out.share = 1;
        return out;
    }
    if (!low.empty()) out.share += border(0);
    if (!high.empty()) out.share += border(1);
    return out;
}

std::string share_text(double share) {
    return share >= 1e-3 ? fmt::format("{:.3g} % of the draws", 100 * share) : fmt::format("a part of {:.2g} of the draws", share);
}

}  // namespace

std::vector<RefusedRange> refused_ranges(const Plan& plan) {
    std::vector<RefusedRange> out;
    for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
        const auto* distribution = std::get_if<statistics::Distribution>(&plan.parameters[i].value);
        if (distribution == nullptr || !plan.parameters[i].variable || !plan.scenario) continue;
        Judge judge(plan, plan.parameters[i]);
        const auto* choice = std::get_if<statistics::Choice>(distribution);
        std::optional<RefusedRange> found = choice != nullptr ? refused_choice(*choice, judge) : refused_part(*distribution, judge);
        if (!found) continue;
        found->parameter = i;
        out.push_back(std::move(*found));
    }
    return out;
}

RangeCheck check_ranges(const Plan& plan) {
    RangeCheck out;
    const auto runs = static_cast<double>(plan.design.runs());
    for (const RefusedRange& range : refused_ranges(plan)) {
        const std::string section = fmt::format("vary.{}", range.parameter);
        const std::string what = fmt::format("{}: {} would be refused, and their runs fail", range.problem, share_text(range.share));
        if (-std::expm1(runs * std::log1p(-std::min(range.share, 1.0))) > 0.5)
            out.problems.push_back(scenario::problem_at(plan.study.places, scenario::set_in(plan.study.places, section, section + ".key"),
                                                        what, "draw from a narrower range, or cut it off with `low` and `high`"));
        else
            out.warnings.push_back(what);
    }
    return out;
}

}  // namespace asperity::study
