#include "asperity/study/requirement_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/core/units.h"
#include "asperity/scenario/attributes.h"
#include "asperity/scenario/roles.h"

namespace asperity::study {
namespace {

constexpr int most_values = 101;  // of an axis of a corridor

std::string speed_key(const scenario::Scenario& scenario) { return scenario::first_start_path(scenario) + ".speed"; }

std::vector<Scatter> all_scatters(const scenario::Scenario& scenario) {
    using S = scenario::BodyStart;
    const std::string path = scenario::first_start_path(scenario) + ".";
    std::vector<Scatter> all{
        {path + "position_sigma", "m", &S::position_sigma},      {path + "velocity_sigma", "m/s", &S::velocity_sigma},
        {path + "speed_sigma", "m/s", nullptr, &S::speed_sigma}, {path + "spin_sigma", "rad/s", &S::spin_sigma},
        {path + "position_spread", "m", &S::position_spread},    {path + "velocity_spread", "m/s", &S::velocity_spread}};
    for (Scatter& scatter : all) scatter.start = scenario::first_start(scenario);
    return all;
}

std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

void set_value(const CorridorAxis& axis, double value, scenario::Scenario& scenario) {
    if (!axis.variable.path.empty()) {
        assign(scenario, axis.variable, value);
        return;
    }
    scenario::BodyStart& start = scenario::first_start(scenario);
    start.velocity = value * unit(start.given_velocity());
}

double value_of(const CorridorAxis& axis, const std::string& text, const std::string& whole) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_plain = error == std::errc{} && end == text.data() + text.size();
    if (axis.unit().empty() && is_plain) return number;
    if (axis.unit().empty()) throw InputError(fmt::format("--corridor {}: `{}` needs a plain number, got \"{}\"", whole, axis.key, text));
    if (is_plain)
        throw InputError(fmt::format("--corridor {}: {} has no unit", whole, text),
                         fmt::format("write for example \"{}\"", quantity_text(number, axis.unit())));
    const auto parsed = parse_quantity_of(text, Unit{axis.variable.unit.c_str(), axis.variable.dimension}, axis.key);
    if (const auto* problem = std::get_if<QuantityProblem>(&parsed))
        throw InputError(fmt::format("--corridor {}: {}", whole, problem->what), problem->hint);
    return std::get<double>(parsed);
}

CorridorAxis axis_of(const std::string& text, const scenario::Scenario& scenario) {
    const std::vector<std::string> parts = parts_of(text);
    int count = 0;
    if (parts.size() == 4) std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), count);
    if (count < 2 || count > most_values)
        throw InputError(fmt::format("--corridor {}: it wants KEY:LOW:HIGH:COUNT, with a count from 2 to {}", text, most_values),
                         "write for example --corridor \"body.lander.start.position.x:480 m:560 m:5\"");
    CorridorAxis axis{.key = parts[0]};
    if (axis.key == speed_key(scenario)) {
        if (scenario::first_start(scenario).given_velocity() == Vec3{})
            throw InputError(fmt::format("`{}` needs a velocity that has a direction", axis.key), "give it one in the scenario");
        axis.variable = scenario::find_variable(scenario, scenario::first_start_path(scenario) + ".velocity.x");
        axis.variable.path.clear();
    } else {
        axis.variable = scenario::find_variable(scenario, axis.key);
        if (!axis.variable.names.empty()) throw InputError(fmt::format("--corridor {}: `{}` is no number", text, axis.key));
        if (scenario::changes_assets(scenario, axis.key))
            throw InputError(fmt::format("--corridor {}: `{}` changes the world itself", text, axis.key),
                             "vary it in a study of design grid");
    }
    const double low = value_of(axis, parts[1], text), high = value_of(axis, parts[2], text);
    if (!(high > low)) throw InputError(fmt::format("--corridor {}: its end is not above its begin", text));
    for (int i = 0; i < count; ++i) axis.values.push_back(low + (high - low) * i / (count - 1));
    scenario::Scenario copy = scenario;
    for (const double value : axis.values)
        if (!axis.variable.path.empty())
            if (const std::string problem = assign(copy, axis.variable, value); !problem.empty())
                throw InputError(fmt::format("--corridor {}: {}", text, problem));
    return axis;
}

}  // namespace

std::vector<double> Scatter::values(double factor) const {
    if (number != nullptr) return {factor * start.*number};
    const Vec3 v = factor * (start.*vector);
    return {v.x, v.y, v.z};
}

std::string Scatter::text(double factor) const {
    const std::vector<double> v = values(factor);
    return v.size() == 1 ? quantity_text(v[0], unit) : fmt::format("[{:.4g}, {:.4g}, {:.4g}] {}", v[0], v[1], v[2], unit);
}

std::vector<Scatter> read_scatters(const std::vector<std::string>& keys, const scenario::Scenario& scenario) {
    const std::vector<Scatter> all = all_scatters(scenario);
    std::vector<std::string> known;
    for (const Scatter& scatter : all) known.push_back(scatter.key);
    std::vector<Scatter> out;
    for (const std::string& key : keys) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Scatter& scatter) { return scatter.key == key; });
        if (found == all.end())
            throw InputError({{.what = fmt::format("`{}` is no scatter of the start", key),
                               .hint = did_you_mean(key, known),
                               .note = "known here: " + joined(known)}});
        const bool is_zero = found->number != nullptr ? found->start.*(found->number) == 0 : found->start.*(found->vector) == Vec3{};
        if (is_zero)
            throw InputError(fmt::format("`{}` is zero: no factor makes it grow", key), "give it a value in the scenario or with set");
        out.push_back(*found);
    }
    return out;
}

Change scaled(const std::vector<Scatter>& scatters, double factor) {
    return [scatters, factor](scenario::Scenario& scenario) {
        scenario::BodyStart& start = scenario::first_start(scenario);
        for (const Scatter& s : scatters) {
            if (s.number != nullptr) start.*(s.number) = factor * s.start.*(s.number);
            if (s.vector != nullptr) start.*(s.vector) = factor * (s.start.*(s.vector));
        }
    };
}

std::vector<CorridorAxis> read_corridor(const std::vector<std::string>& texts, const scenario::Scenario& scenario) {
    if (texts.size() != 2)
        throw InputError(fmt::format("a corridor is over two keys, got {}", texts.size()),
                         "give --corridor twice, each KEY:LOW:HIGH:COUNT");
    std::vector<CorridorAxis> axes;
    for (const std::string& text : texts) axes.push_back(axis_of(text, scenario));
    if (axes[0].key == axes[1].key) throw InputError(fmt::format("`{}` is both axes of the corridor", axes[0].key));
    return axes;
}

Change at_values(const CorridorAxis& x, double a, const CorridorAxis& y, double b) {
    return [x, a, y, b](scenario::Scenario& scenario) {
        // a speed keeps the direction that the other key gives
        const bool is_y_first = x.variable.path.empty();
        set_value(is_y_first ? y : x, is_y_first ? b : a, scenario);
        set_value(is_y_first ? x : y, is_y_first ? a : b, scenario);
    };
}

std::string corridor_text(const std::vector<report::CorridorCell>& cells, const std::vector<double>& x, const std::vector<double>& y) {
    std::string text;
    for (std::size_t j = y.size(); j-- > 0;) {
        text += fmt::format("  {:>10.4g} |", y[j]);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const report::CorridorCell& cell = cells[j * x.size() + i];
            text += fmt::format("{:>8.3g}{}", 100 * cell.success, cell.verdict == "sure" ? "+" : cell.verdict == "below" ? "-" : " ");
        }
        text += "\n";
    }
    text += fmt::format("  {:>10} +", "");
    for (const double value : x) text += fmt::format("{:>8.4g} ", value);
    return text + "\n";
}

}  // namespace asperity::study
