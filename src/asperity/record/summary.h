// summary.json: how a run ended, its numbers and its expectations, for scripts. docs/format.md shows its fields.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "asperity/record/record.h"

namespace asperity::record {

struct Expectation {
    std::string metric;
    MetricValue wanted;              // a number, numbers, or a text such as "at least 2"
    std::optional<MetricValue> got;  // none where the run has no such metric
    bool ok = false;
};

struct Summary {
    std::string asperity;  // version
    std::string scenario_name;
    std::string scenario_description;  // empty: none
    std::string scenario_file;
    std::string scenario_hash;
    std::string method;
    std::uint64_t seed = 0;
    std::int64_t threads = 1;
    std::int64_t steps = 0;
    double wall_seconds = 0;
    std::string state_hash;  // these three of values alone (model/value_hash.h); empty in a summary of an earlier version
    std::string event_hash;
    std::string sample_hash;
    std::string outcome_kind;
    double outcome_time = 0;  // s
    std::string outcome_message;
    std::vector<Metric> metrics;
    std::vector<Expectation> expect;
    std::vector<std::string> warnings;
};

// A metric of more numbers is cut there, with a warning; the record has all of them.
inline constexpr std::size_t most_summary_numbers = 10000;

// JSON has no infinity and no not-a-number: such a number becomes null, and a warning that names it is added.
std::string summary_text(const Summary& summary);
// The summary as read back from that text: with truncated lists and all warnings. Throws InputError, with the name, where it is not a
// summary.
Summary parse_summary(const std::string& text, const std::string& name);
// Under a temporary name first, so that a summary is whole or not there. Throws RuntimeError where the machine refuses.
void write_summary(const std::filesystem::path& path, const Summary& summary);
// null reads back as not-a-number. Throws InputError where the file is missing or is not a summary.
Summary read_summary(const std::filesystem::path& path);

}  // namespace asperity::record
