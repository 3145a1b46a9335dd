#include "asperity/scenario/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "asperity/core/suggest.h"
#include "asperity/scenario/explain.h"

namespace asperity::scenario {
namespace {

constexpr std::size_t longest_name = 60;  // characters of a name from a hostile file

std::string cut(const std::string& name) { return name.size() <= longest_name ? name : name.substr(0, longest_name) + "..."; }

std::string example_value(const Unit& unit, const Bounds& bounds) {
    const std::string text = quantity_text(bounds.example(), unit.text);
    return unit.dimension == Dimension{} ? text : "\"" + text + "\"";
}

std::string example_vector(const Unit& unit, const Bounds& bounds) {
    const std::string one = example_value(unit, bounds);
    return fmt::format("[{}, {}, {}]", one, one, one);
}

bool is_bare_key(const std::string& key) {
    return !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
}

bool has_decimal_comma(const std::string& text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const std::size_t comma = text.find(',');
    return comma != std::string::npos && comma > 0 && comma + 1 < text.size() && is_digit(text[comma - 1]) && is_digit(text[comma + 1]);
}

}  // namespace

void Reading::require_no_problem() {
    if (problems.empty()) return;
    std::map<std::string, int> order;
    for (const SourceFile& file : document.files) order.emplace(file.name, static_cast<int>(order.size()));
    const auto key = [&](const Problem& problem) {
        const auto found = order.find(problem.file);
        return std::tuple(found == order.end() ? static_cast<int>(order.size()) : found->second, problem.line == 0, problem.line,
                          problem.column);
    };
    std::stable_sort(problems.begin(), problems.end(), [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
    throw InputError(std::move(problems));
}

Reader::Reader(Reading& reading, const Node* table, std::string path, std::string section)
    : reading_(reading), table_(table), path_(std::move(path)), section_(std::move(section)) {
    if (!table_) return;
    Place place = reading_.document.place(table_->mark, section_);
    if (path_.empty()) place = {.file = place.file};  // the file as a whole
    reading_.places[path_] = std::move(place);
}

void Reader::fail(const std::string& name, const Mark& mark, std::string what, std::string hint, std::string note) {
    reading_.failed.insert(join(name));
    const Place place = reading_.document.place(mark, section_);
    reading_.problems.push_back(problem_at({{"", place}}, "", std::move(what), std::move(hint), std::move(note)));
}

const Node* Reader::find(const char* name, bool is_required, const std::string& example, const char* sentence) {
    known_.emplace_back(name);
    const Member* member = table_ ? table_->find(name) : nullptr;
    if (member) {
        reading_.places[join(name)] = reading_.document.place(member->value.mark, section_);
        return &member->value;
    }
    if (!is_required) return nullptr;
    missing_.emplace_back(name);
    reading_.failed.insert(join(name));
    if (table_)
        fail(name, table_->mark, fmt::format("missing key `{}`", name), fmt::format("add for example {} = {}", name, example),
             fmt::format("{}: {}", name, sentence));
    return nullptr;
}

const Node* Reader::find_array(const char* name, bool is_required, const std::string& example, const char* sentence) {
    const Node* node = find(name, is_required, example, sentence);
    if (!node || node->kind == Node::Kind::array) return node;
    fail(name, node->mark, fmt::format("`{}` needs a list, got {}", name, scenario::name(node->kind)), "write it in [ ]");
    return nullptr;
}

std::string Reader::heading(const std::string& path) {
    std::string out;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string part = path.substr(begin, end - begin);
        if (part.find_first_not_of("0123456789") != std::string::npos) out += (out.empty() ? "" : ".") + part;
        begin = end + 1;
    }
    return out;
}

std::string Reader::section_text(const std::string& name, const Node* table) const {
    if (table && table->is_inline) return section_.empty() ? name : section_ + "." + name;
    if (section_.size() > 2 && section_.starts_with('[') && section_[1] != '[' && section_.ends_with(']'))
        return section_.substr(0, section_.size() - 1) + "." + name + "]";
    return "[" + heading(join(name)) + "]";
}

const Node* Reader::find_section(const char* name) {
    known_.emplace_back(name);
    const Member* member = table_ ? table_->find(name) : nullptr;
    if (!member || member->value.kind == Node::Kind::table) return member ? &member->value : nullptr;
    if (member->value.kind == Node::Kind::array && !member->value.items.empty() && member->value.items[0].kind == Node::Kind::table) {
        fail(name, member->value.mark, fmt::format("there is only one section [{}]", heading(join(name))),
             fmt::format("write [{}] once, in single brackets", heading(join(name))));
    } else {
        fail(name, member->value.mark, fmt::format("`{}` is a section, got {}", name, scenario::name(member->value.kind)),
             fmt::format("write [{}], and its keys below", heading(join(name))));
    }
    return nullptr;
}

const Node* Reader::find_list(const char* name) {
    known_.emplace_back(name);
    const Member* member = table_ ? table_->find(name) : nullptr;
    if (!member) return nullptr;
    const Node& node = member->value;
    const bool is_list = node.kind == Node::Kind::array &&
                         std::all_of(node.items.begin(), node.items.end(), [](const Node& item) { return item.kind == Node::Kind::table; });
    if (is_list || (node.kind == Node::Kind::table && node.is_inline)) return &node;
    fail(name, node.kind == Node::Kind::table ? member->key_mark : node.mark,
         fmt::format("`{}` is a list of sections, got {}", name, scenario::name(node.kind)),
         fmt::format("write [[{}]], once for each", heading(join(name))));
    return nullptr;
}

void Reader::report_missing_section(const char* name, const std::vector<std::string>& missing, const char* sentence) {
    if (missing.empty()) return;
    missing_.emplace_back(name);
    reading_.failed.insert(join(name));
    if (!table_) return;
    const Place place{.file = reading_.document.files[0].name};
    reading_.problems.push_back(problem_at({{"", place}}, "", fmt::format("missing section [{}]", join(name)),
                                           fmt::format("it needs at least: {}", joined(missing)), fmt::format("{}: {}", name, sentence)));
}

// The places where a key that is unknown here belongs: another kind of this section, or other sections.
std::string Reader::home_of(const Member& member) const {
    std::vector<std::string> kinds, homes, paths;
    for (const KeyEntry& entry : scenario_schema().keys) {
        if (entry.name != member.key) continue;
        const std::string home = entry.section.empty() ? "at the top of the file" : fmt::format("in {}", heading_of(entry.section));
        const std::string text = entry.kind.empty() ? home : fmt::format("{} with {} = \"{}\"", home, entry.kind_key, entry.kind);
        if (entry.section == generic_ && !entry.kind.empty()) {
            kinds.push_back(fmt::format("{} = \"{}\"", entry.kind_key, entry.kind));
        } else if (entry.section != generic_ && std::find(homes.begin(), homes.end(), text) == homes.end()) {
            homes.push_back(text);
            paths.push_back(entry.path());
        }
    }
    if (!kinds.empty()) return fmt::format("`{}` belongs to {}", member.key, fmt::join(kinds, " or "));
    if (homes.empty()) return {};
    const std::string text = fmt::format("`{}` belongs {}", member.key, fmt::join(homes, ", or "));
    // An override is typed as a path, so the hint is one, too.
    return member.key_mark.line == 0 ? fmt::format("{}: --set {}=...", text, paths[0]) : text;
}

int Reader::chosen_key(const std::vector<std::string>& keys, const char* sentence) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; table_ && i < keys.size(); ++i)
        if (table_->find(keys[i])) found.push_back(i);
    if (found.size() == 1) return static_cast<int>(found[0]);
    if (found.empty()) {
        missing_.push_back(joined(keys));
        reading_.failed.insert(path_);
        if (table_)
            fail("", table_->mark, fmt::format("none of {} is there", joined(keys)), "write for example { sphere = \"1 m\" }",
                 fmt::format("{}", sentence));
        return -1;
    }
    reading_.failed.insert(path_);
    fail("", table_->find(keys[found[1]])->key_mark, fmt::format("`{}` and `{}` exclude each other", keys[found[0]], keys[found[1]]),
         "leave one of them out");
    return -1;
}

// Names are parts of key paths.
bool Reader::is_table_name(const char* list, const Member& member) {
    const std::string path = fmt::format("{}.{}", list, member.key);
    if (member.value.kind != Node::Kind::table) {
        fail(path, member.key_mark, fmt::format("`{}` of [{}] is a section, got {}", cut(member.key), list, name(member.value.kind)),
             fmt::format("each has a name: write [{}.NAME], and its keys below", list));
        return false;
    }
    const bool is_number = member.key.find_first_not_of("0123456789") == std::string::npos;
    const bool has_odd =
        std::any_of(member.key.begin(), member.key.end(), [](char c) { return c == '.' || (c >= 0 && c <= ' ') || c == '\x7f'; });
    if (!is_number && !has_odd) return true;
    fail(path, member.key_mark, fmt::format("\"{}\" cannot be a name", cut(member.key)),
         "a name has no dots and no spaces, and is no number: it is part of keys");
    return false;
}

std::string Reader::named_section_text(const char* list, const Member& member) const {
    return is_bare_key(member.key) ? fmt::format("[{}.{}]", list, member.key) : fmt::format("[{}.\"{}\"]", list, cut(member.key));
}

void Reader::finish() {
    if (!table_ || is_open_) return;
    std::vector<std::string> sorted = known_;
    std::sort(sorted.begin(), sorted.end());
    for (const Member& member : table_->members) {
        if (std::binary_search(sorted.begin(), sorted.end(), member.key)) continue;
        const bool is_section = member.value.kind == Node::Kind::table && !member.value.is_inline;
        const bool has_home = reading_.is_of_scenario && reading_.problems.size() < 100 && !is_section;
        std::string hint = name_now(member.key, sorted).empty() ? std::string{} : did_you_mean(member.key, sorted);
        if (hint.empty() && has_home) hint = home_of(member);
        if (hint.empty()) {
            const std::string nearest = nearest_name(member.key, sorted);
            const bool is_override = member.key_mark.line == 0 && !is_section;
            if (!nearest.empty())
                hint = is_override ? fmt::format("did you mean `--set {}=...`?", join(nearest)) : did_you_mean(member.key, sorted);
        }
        fail(member.key, member.key_mark, fmt::format("unknown {} `{}`", is_section ? "section" : "key", cut(member.key)), hint,
             "known here: " + joined(sorted));
    }
}

std::optional<double> Reader::number_of(const Node& node, const std::string& label, const Unit& unit, const Bounds& bounds,
                                        const char* sentence) {
    const bool is_number = node.kind == Node::Kind::integer || node.kind == Node::Kind::number;
    const bool is_plain = unit.dimension == Dimension{};
    double value = node.number;
    if (is_number && !std::isfinite(value)) {
        fail(label, node.mark, fmt::format("`{}` must be finite, got {}", label, value));
        return {};
    }
    if (is_plain && !is_number) {
        const std::string hint = node.kind == Node::Kind::text && has_decimal_comma(node.text) ? "use a point for decimals"
                                 : node.kind == Node::Kind::text ? "write the number without quotes and without a unit"
                                                                 : fmt::format("write for example {}", bounds.example());
        fail(label, node.mark, fmt::format("`{}` needs a number, got {}", label, name(node.kind)), hint);
        return {};
    }
    if (!is_plain && is_number) {
        fail(label, node.mark, fmt::format("`{}` has no unit", label),
             fmt::format("write for example \"{}\"", quantity_text(bounds.example(value), unit.text)));
        return {};
    }
    if (!is_plain && node.kind != Node::Kind::text) {
        fail(label, node.mark, fmt::format("`{}` needs {}, got {}", label, with_article(unit.dimension), name(node.kind)),
             "write for example " + example_value(unit, bounds));
        return {};
    }
    if (!is_plain) {
        auto parsed = parse_quantity_of(node.text, unit, label, bounds);
        if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) {
            fail(label, node.mark, cut(problem->what), problem->hint);
            return {};
        }
        value = std::get<double>(parsed);
    }
    if (bounds.allows(value)) return value;
    fail(label, node.mark,
         fmt::format("`{}` {}, got {}", label, must_be(bounds.text(unit.text)), is_plain ? number_text(value) : node.text), {},
         fmt::format("{}: {}", label, sentence));
    return {};
}

void Reader::read(const char* name, double& value, bool is_required, const Unit& unit, const Bounds& bounds, const char* sentence,
                  const char*) {
    const Node* node = find(name, is_required, example_value(unit, bounds), sentence);
    if (!node) return;
    if (const auto number = number_of(*node, name, unit, bounds, sentence)) value = *number;
}

// From --set key.x=...: the components that are not set keep their default.
void Reader::read_components(const char* name, const Node& node, Vec3& value, const Unit& unit, const Bounds& bounds,
                             const char* sentence) {
    const std::array<std::pair<const char*, double*>, 3> components{{{"x", &value.x}, {"y", &value.y}, {"z", &value.z}}};
    for (const Member& member : node.members) {
        const auto found = std::find_if(components.begin(), components.end(), [&](const auto& c) { return member.key == c.first; });
        const std::string key = fmt::format("{}.{}", name, member.key);
        if (found == components.end()) {
            fail(name, member.key_mark, fmt::format("there is no key `{}`", join(key)), fmt::format("`{}` has x, y and z", name));
            continue;
        }
        const auto number = number_of(member.value, key, unit, bounds, sentence);
        if (number) {
            *found->second = *number;
        } else {
            reading_.failed.insert(join(name));
        }
    }
}

void Reader::read(const char* name, Vec3& value, bool is_required, const Unit& unit, const Bounds& bounds, const char* sentence,
                  const char*) {
    const std::string example = example_vector(unit, bounds);
    const Node* node = find(name, is_required, example, sentence);
    if (!node) return;
    const bool is_set = node->kind == Node::Kind::table && node->mark.line == 0;
    if (is_set && (!is_required || node->members.size() == 3)) return read_components(name, *node, value, unit, bounds, sentence);
    if (node->kind != Node::Kind::array || node->items.size() != 3) {
        const std::string got =
            node->kind == Node::Kind::array ? fmt::format("an array of {}", node->items.size()) : scenario::name(node->kind);
        fail(name, node->mark, fmt::format("`{}` needs three {}, got {}", name, plural(unit.dimension), got),
             "write for example " + example);
        return;
    }
    read_three(*node, name, value, unit, bounds, sentence);
}

// An array of three, with a label for messages.
void Reader::read_three(const Node& node, const std::string& label, Vec3& value, const Unit& unit, const Bounds& bounds,
                        const char* sentence) {
    double* const components[] = {&value.x, &value.y, &value.z};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto number = number_of(node.items[i], fmt::format("{}[{}]", label, i), unit, bounds, sentence);
        if (number) {
            *components[i] = *number;
        } else {
            reading_.failed.insert(join(label.substr(0, label.find('['))));
        }
    }
}

void Reader::read(const char* name, std::vector<Vec3>& values, bool is_required, const Unit& unit, const Bounds& bounds,
                  const char* sentence, const char*) {
    const std::string example = example_vector(unit, bounds);
    const Node* node = find_array(name, is_required, "[" + example + "]", sentence);
    if (!node) return;
    if (node->items.empty()) fail(name, node->mark, fmt::format("`{}` is empty", name), "write for example [" + example + "]");
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const Node& item = node->items[i];
        const std::string label = fmt::format("{}[{}]", name, i);
        if (item.kind == Node::Kind::array && item.items.size() == 3)
            read_three(item, label, values.emplace_back(), unit, bounds, sentence);
        else
            fail(name, item.mark, fmt::format("`{}` needs three {}", label, plural(unit.dimension)), "write for example " + example);
    }
}

void Reader::read(const char* name, std::int64_t& value, bool is_required, const Range& range, const char* sentence, const char*) {
    const std::int64_t example = range.allows(1) ? 1 : range.low;
    const Node* node = find(name, is_required, std::to_string(example), sentence);
    if (!node) return;
    if (node->kind != Node::Kind::integer) {
        const bool is_whole = node->kind == Node::Kind::number && std::abs(node->number) < 1e15 && std::trunc(node->number) == node->number;
        const std::int64_t nearest = is_whole ? static_cast<std::int64_t>(node->number) : example;
        fail(name, node->mark, fmt::format("`{}` needs an integer, got {}", name, scenario::name(node->kind)),
             fmt::format("write for example {}", nearest));
    } else if (!range.allows(node->integer)) {
        fail(name, node->mark, fmt::format("`{}` {}, got {}", name, must_be(range.text()), node->integer), {},
             fmt::format("{}: {}", name, sentence));
    } else {
        value = node->integer;
    }
}

void Reader::read(const char* name, bool& value, bool is_required, const char* sentence, const char*) {
    const Node* node = find(name, is_required, "true", sentence);
    if (!node) return;
    if (node->kind == Node::Kind::boolean) {
        value = node->boolean;
    } else {
        fail(name, node->mark, fmt::format("`{}` needs true or false, got {}", name, scenario::name(node->kind)));
    }
}

void Reader::read(const char* name, std::string& value, bool is_required, const char* sentence, const char*) {
    const Node* node = find(name, is_required, "\"...\"", sentence);
    if (!node) return;
    if (node->kind == Node::Kind::text) {
        value = node->text;
    } else {
        fail(name, node->mark, fmt::format("`{}` needs text, got {}", name, scenario::name(node->kind)), "write it in quotes");
    }
}

void Reader::read(const char* name, std::string& value, bool is_required, const NotEmpty&, const char* sentence, const char*) {
    read(name, value, is_required, sentence);
    const Member* member = table_ ? table_->find(name) : nullptr;
    if (member && member->value.kind == Node::Kind::text && value.empty())
        fail(name, member->value.mark, fmt::format("`{}` is empty", name), is_required ? "" : "leave it out",
             fmt::format("{}: {}", name, sentence));
}

void Reader::read(const char* name, std::vector<std::string>& values, bool is_required, const char* sentence, const char*) {
    const Node* node = find_array(name, is_required, "[\"...\"]", sentence);
    for (std::size_t i = 0; node && i < node->items.size(); ++i) {
        if (node->items[i].kind == Node::Kind::text)
            values.push_back(node->items[i].text);
        else
            fail(name, node->items[i].mark, fmt::format("`{}[{}]` needs text, got {}", name, i, scenario::name(node->items[i].kind)),
                 "write it in quotes");
    }
}

void Reader::fail_text(const char* name, const Node& node, std::string_view wanted, std::string_view example) {
    const std::string got = node.kind == Node::Kind::text ? fmt::format("\"{}\"", cut(node.text)) : scenario::name(node.kind);
    fail(name, node.mark, fmt::format("`{}` needs {}, got {}", name, wanted, got), fmt::format("write for example \"{}\"", example));
}

bool Reader::read_loose(const Node& node, const std::string& label, Loose& value) {
    using Kind = Node::Kind;
    if (node.kind == Kind::text) value.text = node.text;
    if (node.kind == Kind::boolean) value.text = node.boolean ? "true" : "false";
    if (node.kind == Kind::integer) value.text = std::to_string(node.integer);
    if (node.kind == Kind::number) value.text = number_text(node.number);
    const bool is_one = node.kind != Kind::array && node.kind != Kind::table && node.kind != Kind::date;
    if (!is_one) fail(label, node.mark, fmt::format("`{}` needs a number, a quantity or a name, got {}", label, scenario::name(node.kind)));
    return is_one;
}

void Reader::read(const char* name, Loose& value, bool is_required, const char* sentence, const char*) {
    const Node* node = find(name, is_required, "...", sentence);
    if (node) read_loose(*node, name, value);
}

void Reader::read(const char* name, std::vector<Loose>& values, bool is_required, const char* sentence, const char*) {
    const Node* node = find_array(name, is_required, "[...]", sentence);
    for (std::size_t i = 0; node && i < node->items.size(); ++i)
        read_loose(node->items[i], fmt::format("{}[{}]", name, i), values.emplace_back());
}

int Reader::read_choice(const char* name, const std::vector<std::string>& names, bool is_required, const char* sentence) {
    const Node* node = find(name, is_required, "\"" + names[0] + "\"", sentence);
    return node ? choice_of(*node, name, names) : -1;
}

std::vector<int> Reader::read_choices(const char* name, const std::vector<std::string>& names, bool is_required, const char* sentence) {
    std::vector<int> chosen;
    const Node* node = find_array(name, is_required, fmt::format("[\"{}\"]", names[0]), sentence);
    for (std::size_t i = 0; node && i < node->items.size(); ++i) {
        const int one = choice_of(node->items[i], fmt::format("{}[{}]", name, i), names);
        if (one >= 0) chosen.push_back(one);
    }
    return chosen;
}

// The place of what is written among the names; -1, and a problem, where it is none of them.
int Reader::choice_of(const Node& node, const std::string& label, const std::vector<std::string>& names) {
    if (node.kind != Node::Kind::text) {
        fail(label, node.mark, fmt::format("`{}` needs text, got {}", label, name(node.kind)),
             fmt::format("write for example \"{}\"", names[0]), "known here: " + joined(names));
        return -1;
    }
    const auto found = std::find(names.begin(), names.end(), node.text);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    fail(label, node.mark, fmt::format("`{}` cannot be \"{}\"", label, cut(node.text)), did_you_mean(node.text, names),
         "known here: " + joined(names));
    return -1;
}

}  // namespace asperity::scenario
