// The part of Reader that reads [expect]: its keys are names of metrics, and its units those of the metric.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/core/suggest.h"
#include "asperity/scenario/reader.h"

namespace asperity::scenario {
namespace {

struct Demand {
    const char* name;
    std::optional<Quantity> Expectation::*member;
};

constexpr std::array<Demand, 6> demands{{
    {"value", &Expectation::value},
    {"within", &Expectation::within},
    {"at_least", &Expectation::at_least},
    {"at_most", &Expectation::at_most},
    {"below", &Expectation::below},
    {"above", &Expectation::above},
}};

bool begins_with_number(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t+-");
    return first != std::string::npos && ((text[first] >= '0' && text[first] <= '9') || text[first] == '.');
}

// The first demand whose dimension differs from that of the one before it.
const Demand* odd_one_out(const Expectation& expectation) {
    const Quantity* first = nullptr;
    for (const Demand& demand : demands) {
        const auto& quantity = expectation.*demand.member;
        if (!quantity) continue;
        if (first && quantity->dimension != first->dimension) return &demand;
        first = &*quantity;
    }
    return nullptr;
}

// A key with a dot that is not in quotes: TOML reads lander.stop_position = ... as a table.
bool is_of_one(const std::string& name, const Node& node) {
    if (node.kind != Node::Kind::table || node.members.empty()) return false;
    const auto is_demand = [](const Member& m) {
        return m.key == "index" || m.key == "length" || std::ranges::find(demands, m.key, &Demand::name) != demands.end();
    };
    const auto is_metric = [&](const Member& m) { return analysis::find_metric("NAME." + m.key) != nullptr; };
    return std::ranges::none_of(node.members, is_demand) &&
           (std::ranges::any_of(node.members, is_metric) || (!node.is_inline && analysis::find_metric(name) == nullptr));
}

}  // namespace

std::optional<Quantity> Reader::expected_quantity(const Node& node, const std::string& label) {
    if (node.kind == Node::Kind::integer || node.kind == Node::Kind::number) {
        if (std::isfinite(node.number)) return Quantity{.value = node.number};
        fail(label, node.mark, fmt::format("`{}` must be finite, got {}", label, node.number));
    } else if (node.kind == Node::Kind::text) {
        auto parsed = parse_quantity(node.text);
        if (const auto* quantity = std::get_if<Quantity>(&parsed)) return *quantity;
        const auto& problem = std::get<QuantityProblem>(parsed);
        fail(label, node.mark, problem.what, problem.hint);
    } else {
        fail(label, node.mark, fmt::format("`{}` needs a number or a quantity, got {}", label, name(node.kind)),
             "write for example 5, or \"40 m\"");
    }
    return {};
}

std::optional<std::int64_t> Reader::expected_integer(const Node& node, const std::string& label) {
    if (node.kind == Node::Kind::integer && node.integer >= 0) return node.integer;
    fail(label, node.mark,
         fmt::format("`{}` needs a count from 0, got {}", label,
                     node.kind == Node::Kind::integer ? std::to_string(node.integer) : name(node.kind)));
    return {};
}

void Reader::read_demands(const Node& table, Expectation expectation, std::vector<Expectation>& values) {
    const std::string metric = expectation.metric;
    const std::size_t problems_before = reading_.problems.size();
    std::vector<std::string> known{"index", "length"};
    for (const Demand& demand : demands) known.emplace_back(demand.name);
    for (const Member& member : table.members) {
        const std::string label = metric + "." + member.key;
        const auto demand = std::find_if(demands.begin(), demands.end(), [&](const Demand& d) { return d.name == member.key; });
        if (member.key == "index") {
            expectation.index = expected_integer(member.value, label);
        } else if (member.key == "length") {
            expectation.length = expected_integer(member.value, label);
        } else if (demand == demands.end()) {
            fail(label, member.key_mark, fmt::format("unknown key `{}`", member.key), did_you_mean(member.key, known),
                 "known here: " + joined(known));
        } else if (member.key == "value" && member.value.kind == Node::Kind::text && !begins_with_number(member.value.text)) {
            expectation.text = member.value.text;
        } else {
            expectation.*(demand->member) = expected_quantity(member.value, label);
        }
    }
    if (reading_.problems.size() > problems_before) return;
    const bool demands_number = expectation.value || expectation.at_least || expectation.at_most || expectation.below || expectation.above;
    if (expectation.within && !expectation.value) {
        fail(metric, table.mark, fmt::format("`{}`: `within` needs `value`", metric),
             "write for example { value = \"5 s\", within = \"1 ms\" }");
    } else if (expectation.within && expectation.within->value < 0) {
        fail(metric, table.mark, fmt::format("`{}`: `within` must not be negative", metric));
    } else if (!demands_number && !expectation.text && !expectation.length) {
        fail(metric, table.mark, fmt::format("`{}` demands nothing", metric), "write for example { value = 5 }",
             "known here: " + joined(known));
    } else if (demands_number && expectation.text) {
        fail(metric, table.mark, fmt::format("`{}` demands a text and a number", metric));
    } else if (const Demand* odd = odd_one_out(expectation)) {
        fail(metric, table.mark,
             fmt::format("`{}`: `{}` is {}, the others are not", metric, odd->name, with_article((expectation.*(odd->member))->dimension)),
             "give all of them the same kind of unit");
    } else {
        values.push_back(std::move(expectation));
    }
}

void Reader::read_expectation(const Member& member, std::vector<Expectation>& values) {
    const Node& node = member.value;
    if (is_of_one(member.key, node)) {
        for (const Member& of_one : node.members) {
            Member whole = of_one;
            whole.key = member.key + "." + of_one.key;
            reading_.places[join(whole.key)] = reading_.document.place(of_one.value.mark, section_);
            read_expectation(whole, values);
        }
        return;
    }
    Expectation expectation{.metric = member.key};
    const bool is_list = node.kind == Node::Kind::array && !node.items.empty() &&
                         std::all_of(node.items.begin(), node.items.end(), [](const Node& item) { return item.kind == Node::Kind::table; });
    if (node.kind == Node::Kind::text && !begins_with_number(node.text)) {
        expectation.text = node.text;
        values.push_back(std::move(expectation));
    } else if (node.kind == Node::Kind::table) {
        read_demands(node, std::move(expectation), values);
    } else if (is_list) {
        for (const Node& item : node.items) read_demands(item, expectation, values);
    } else if (node.kind == Node::Kind::text || node.kind == Node::Kind::integer || node.kind == Node::Kind::number) {
        expectation.value = expected_quantity(node, member.key);
        if (expectation.value) values.push_back(std::move(expectation));
    } else {
        fail(member.key, node.mark, fmt::format("`{}` needs a value or demands, got {}", member.key, name(node.kind)),
             "write for example 5, \"rest\", or { index = 0, value = \"5 s\", within = \"1 ms\" }");
    }
}

void Reader::expectations(const char* name, std::vector<Expectation>& values, const char* /*sentence*/) {
    const Node* table = find_section(name);
    if (!table) return;
    Reader inner(reading_, table, join(name), section_text(name, table));
    for (const Member& member : table->members) {
        inner.reading_.places[inner.join(member.key)] = reading_.document.place(member.value.mark, inner.section_);
        inner.read_expectation(member, values);
    }
}

}  // namespace asperity::scenario
