#include "asperity/record/summary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/record/text_file.h"

namespace asperity::record {
namespace {

using Json = nlohmann::ordered_json;

// A number, or null and a warning that names it.
Json number(double value, const std::string& name, std::vector<std::string>& warnings) {
    if (std::isfinite(value)) return value;
    warnings.push_back(fmt::format("{} is {}, which JSON cannot hold", name, value));
    return nullptr;
}

Json to_json(const MetricValue& value, const std::string& name, std::vector<std::string>& warnings) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* one = std::get_if<double>(&value)) return number(*one, name, warnings);
    Json list = Json::array();
    const auto& numbers = std::get<std::vector<double>>(value);
    const std::size_t count = std::min(numbers.size(), most_summary_numbers);
    if (count < numbers.size())
        warnings.push_back(fmt::format("{} has {} values; summary.json holds the first {}, record.h5 all", name, numbers.size(), count));
    for (std::size_t i = 0; i < count; ++i) list.push_back(number(numbers[i], fmt::format("{}[{}]", name, i), warnings));
    return list;
}

double to_number(const Json& json) { return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>(); }

MetricValue to_value(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    if (!json.is_array()) return to_number(json);
    std::vector<double> numbers;
    for (const Json& item : json) numbers.push_back(to_number(item));
    return numbers;
}

}  // namespace

std::string summary_text(const Summary& summary) {
    std::vector<std::string> warnings = summary.warnings;
    Json json;
    json["asperity"] = summary.asperity;
    json["scenario"] = {{"name", summary.scenario_name}, {"file", summary.scenario_file}, {"hash", summary.scenario_hash}};
    if (!summary.scenario_description.empty()) json["scenario"]["description"] = summary.scenario_description;
    json["method"] = summary.method;
    json["seed"] = summary.seed;
    json["threads"] = summary.threads;
    json["steps"] = summary.steps;
    json["wall_seconds"] = number(summary.wall_seconds, "wall_seconds", warnings);
    json["state_hash"] = summary.state_hash;
    json["event_hash"] = summary.event_hash;
    json["sample_hash"] = summary.sample_hash;
    json["outcome"] = {{"kind", summary.outcome_kind},
                       {"time", number(summary.outcome_time, "outcome time", warnings)},
                       {"message", summary.outcome_message}};
    json["metrics"] = Json::object();
    for (const Metric& metric : summary.metrics)
        json["metrics"][metric.name] = {{"value", to_json(metric.value, metric.name, warnings)}, {"unit", metric.unit}};
    json["expect"] = Json::array();
    for (const Expectation& expectation : summary.expect) {
        // the metric itself already gave the warning
        std::vector<std::string> said;
        json["expect"].push_back({{"metric", expectation.metric},
                                  {"wanted", to_json(expectation.wanted, "wanted", said)},
                                  {"got", expectation.got ? to_json(*expectation.got, "got", said) : Json(nullptr)},
                                  {"ok", expectation.ok}});
    }
    json["warnings"] = warnings;
    // a text that is not UTF-8 (a file name may be) is shown with replacement characters rather than refused
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_summary(const std::filesystem::path& path, const Summary& summary) { write_text_file(path, summary_text(summary)); }

Summary read_summary(const std::filesystem::path& path) { return parse_summary(read_text_file(path), path.string()); }

Summary parse_summary(const std::string& text, const std::string& name) {
    try {
        const Json json = Json::parse(text);
        Summary summary{.asperity = json.at("asperity"),
                        .scenario_name = json.at("scenario").at("name"),
                        .scenario_description = json.at("scenario").value("description", ""),
                        .scenario_file = json.at("scenario").at("file"),
                        .scenario_hash = json.at("scenario").at("hash"),
                        .method = json.at("method"),
                        .seed = json.at("seed"),
                        .threads = json.at("threads"),
                        .steps = json.at("steps"),
                        .wall_seconds = to_number(json.at("wall_seconds")),
                        .state_hash = json.value("state_hash", ""),
                        .event_hash = json.value("event_hash", ""),
                        .sample_hash = json.value("sample_hash", ""),
                        .outcome_kind = json.at("outcome").at("kind"),
                        .outcome_time = to_number(json.at("outcome").at("time")),
                        .outcome_message = json.at("outcome").at("message")};
        for (const auto& [title, metric] : json.at("metrics").items())
            summary.metrics.push_back({title, to_value(metric.at("value")), metric.at("unit")});
        for (const Json& item : json.at("expect")) {
            Expectation expectation{.metric = item.at("metric"), .wanted = to_value(item.at("wanted")), .ok = item.at("ok")};
            if (!item.at("got").is_null()) expectation.got = to_value(item.at("got"));
            summary.expect.push_back(std::move(expectation));
        }
        for (const Json& warning : json.at("warnings")) summary.warnings.push_back(warning);
        return summary;
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{} is not a summary: {}", name, error.what()));
    }
}

}  // namespace asperity::record
