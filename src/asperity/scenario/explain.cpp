#include "asperity/scenario/explain.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/scenario/scenario.h"
#include "asperity/scenario/study.h"

namespace asperity::scenario {
namespace {

std::string dimension_name(const Unit& unit) {
    if (unit.dimension == Dimension{}) return "number";
    const std::string name = with_article(unit.dimension);
    return name.substr(name.find(' ') + 1);
}

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

// Lists what describe() says, over a Scenario of defaults.
class SchemaVisitor {
public:
    Schema schema;

    template <class T, class... Rest>
    void required(const char* name, T& value, const Rest&... rest) {
        KeyEntry entry = entry_of(name, value, rest...);
        entry.is_required = true;
        entry.default_text.clear();
        schema.keys.push_back(std::move(entry));
        has_required_ = true;
    }
    template <class T, class... Rest>
    void optional(const char* name, T& value, const Rest&... rest) {
        schema.keys.push_back(entry_of(name, value, rest...));
    }
    // The text of the default comes last in `rest`.
    template <class T, class... Rest>
    void optional(const char* name, std::optional<T>&, const Rest&... rest) {
        T value{};
        KeyEntry entry = entry_of(name, value, rest...);
        schema.keys.push_back(std::move(entry));
    }

    template <class... Alternatives, std::size_t N>
    void kinds(const char* name, std::variant<Alternatives...>& value, const std::array<Kind, N>& names, const char* sentence) {
        KeyEntry entry = new_entry(name, "one of", sentence);
        entry.is_required = true;
        has_required_ = true;
        for (const Kind& kind : names) {
            entry.choices.emplace_back(kind.name);
            entry.choice_sentences.emplace_back(kind.sentence);
        }
        schema.keys.push_back(std::move(entry));
        kind_key_ = name;
        describe_all(value, names, std::index_sequence_for<Alternatives...>{});
    }

    // The key that is there says which; none of them is required.
    template <class... Alternatives, std::size_t N>
    void one_of(std::variant<Alternatives...>& value, const std::array<Kind, N>& keys, const char*) {
        const std::size_t first = schema.keys.size();
        describe_each(value, std::index_sequence_for<Alternatives...>{});
        std::vector<std::string> names;
        for (const Kind& key : keys) names.push_back(fmt::format("`{}`", key.name));
        for (std::size_t i = first; i < schema.keys.size(); ++i) {
            KeyEntry& entry = schema.keys[i];
            if (!entry.is_required || !entry.kind.empty() || entry.section != section_)
                continue;  // a section of one is asked for as a whole
            entry.is_required = false;
            entry.default_text = "one of " + joined(names);
        }
        has_required_ = true;
    }

    template <class T>
    void section(const char* name, T& value, const char* sentence) {
        add_section(name, heading_of(join(name)), sentence, value, false);
    }
    template <class T>
    void optional_section(const char* name, std::optional<T>&, const char* sentence) {
        T value{};
        add_section(name, heading_of(join(name)), sentence, value, true);
    }
    template <class T>
    void list(const char* name, std::vector<T>&, const char* sentence) {
        T value{};
        add_section(name, "[" + heading_of(join(name)) + "]", sentence, value, true);
    }
    template <class T>
    void tables(const char* name, std::vector<T>&, const char* placeholder, const char* sentence) {
        T value{};
        const std::string outer = fmt::format("{}.{}", name, placeholder);
        add_section(outer.c_str(), heading_of(join(outer)), sentence, value, true);
    }
    template <class Fields>
    void scatter(const Fields& fields) {
        fields(*this);
    }
    template <class When, class Fields>
    void loaded(When, const Fields& fields) {
        fields(*this);
    }

    template <class Fields>
    void when(bool, const Fields& fields) {
        fields(*this);
    }

    void expectations(const char* name, std::vector<Expectation>&, const char* sentence) {
        schema.sections.push_back({name, fmt::format("[{}]", name), sentence, false});
        section_ = name;
        const auto add = [&](const char* key, const char* type, const char* what) {
            KeyEntry entry = new_entry(key, type, what);
            entry.default_text = "none";
            schema.keys.push_back(std::move(entry));
        };
        add("<metric>", "number, quantity or text",
            "The metric (`asperity list metrics`; of one of several bodies NAME.metric, of a signal NAME.most and the like) must equal it; "
            "or "
            "demands in braces, or a list of such:");
        add("<metric>.value", "number, quantity or text", "The metric must equal it.");
        add("<metric>.within", "number or quantity", "Allowed distance from `value`.");
        add("<metric>.at_least", "number or quantity", "The metric must be this or more.");
        add("<metric>.at_most", "number or quantity", "The metric must be this or less.");
        add("<metric>.above", "number or quantity", "The metric must be more.");
        add("<metric>.below", "number or quantity", "The metric must be less.");
        add("<metric>.index", "integer", "Which number of an array is meant, from 0.");
        add("<metric>.length", "integer", "How many numbers an array must have.");
        section_.clear();
    }

    void include(const char* name, const char* sentence) {
        KeyEntry entry = new_entry(name, "text", sentence);
        entry.default_text = "none";
        schema.keys.push_back(std::move(entry));
    }

private:
    KeyEntry new_entry(const char* name, std::string type, const char* sentence) const {
        return {.section = section_,
                .kind = kind_,
                .kind_key = kind_.empty() ? "" : kind_key_,
                .name = name,
                .type = std::move(type),
                .sentence = sentence};
    }

    KeyEntry entry_of(const char* name, double value, const Unit& unit, const Bounds& bounds, const char* sentence,
                      const char* default_text = "") const {
        KeyEntry entry = new_entry(name, dimension_name(unit), sentence);
        entry.bounds = bounds.text(unit.text);
        const bool is_plain = unit.dimension == Dimension{};
        entry.default_text = *default_text           ? default_text
                             : !std::isfinite(value) ? "none"
                             : is_plain              ? number_text(value)
                                                     : in_quotes(quantity_text(value, unit.text));
        return entry;
    }
    KeyEntry entry_of(const char* name, const Vec3& value, const Unit& unit, const Bounds& bounds, const char* sentence,
                      const char* default_text = "") const {
        KeyEntry entry = new_entry(name, "three " + plural(unit.dimension), sentence);
        entry.bounds = bounds.text(unit.text);
        const auto text = [&](double x) { return in_quotes(quantity_text(x, unit.text)); };
        entry.default_text = *default_text ? default_text : fmt::format("[{}, {}, {}]", text(value.x), text(value.y), text(value.z));
        return entry;
    }
    KeyEntry entry_of(const char* name, const std::vector<Vec3>&, const Unit& unit, const Bounds& bounds, const char* sentence,
                      const char* default_text = "") const {
        KeyEntry entry = new_entry(name, "list of three " + plural(unit.dimension), sentence);
        entry.bounds = bounds.text(unit.text);
        entry.default_text = default_text;
        return entry;
    }
    KeyEntry entry_of(const char* name, std::int64_t value, const Range& range, const char* sentence, const char* default_text = "") const {
        KeyEntry entry = new_entry(name, "integer", sentence);
        entry.bounds = range.text();
        entry.default_text = *default_text ? default_text : std::to_string(value);
        return entry;
    }
    KeyEntry entry_of(const char* name, bool value, const char* sentence) const {
        KeyEntry entry = new_entry(name, "true or false", sentence);
        entry.default_text = value ? "true" : "false";
        return entry;
    }
    KeyEntry entry_of(const char* name, const std::string&, const char* sentence, const char* default_text = "") const {
        KeyEntry entry = new_entry(name, "text", sentence);
        entry.default_text = default_text;
        return entry;
    }
    KeyEntry entry_of(const char* name, const Loose&, const char* sentence, const char* default_text = "") const {
        KeyEntry entry = new_entry(name, "number, quantity or name", sentence);
        entry.default_text = default_text;
        return entry;
    }
    KeyEntry entry_of(const char* name, const std::vector<Loose>&, const char* sentence, const char* default_text = "") const {
        KeyEntry entry = new_entry(name, "list of numbers, quantities or texts", sentence);
        entry.default_text = default_text;
        return entry;
    }
    KeyEntry entry_of(const char* name, const Path&, const char* sentence, const char* default_text = "") const {
        KeyEntry entry = new_entry(name, "file", sentence);
        entry.default_text = default_text;
        return entry;
    }
    template <class T, ChoicesOf<T> Choices>
    KeyEntry entry_of(const char* name, const T& value, const Choices& choices, const char* sentence, const char* default_text = "") const {
        KeyEntry entry = new_entry(name, "one of", sentence);
        for (const Choice<T>& choice : choices) {
            entry.choices.emplace_back(choice.name);
            entry.choice_sentences.emplace_back(choice.sentence);
            if (choice.value == value) entry.default_text = in_quotes(choice.name);
        }
        if (*default_text != '\0') entry.default_text = default_text;
        return entry;
    }

    template <class Variant, std::size_t N, std::size_t... I>
    void describe_all(Variant& value, const std::array<Kind, N>& names, std::index_sequence<I...>) {
        ((kind_ = names[I].name, describe(*this, value.template emplace<I>())), ...);
        kind_.clear();
    }

    template <class Variant, std::size_t... I>
    void describe_each(Variant& value, std::index_sequence<I...>) {
        (describe(*this, value.template emplace<I>()), ...);
    }

    std::string join(const std::string& name) const { return section_.empty() ? name : section_ + "." + name; }

    template <class T>
    void add_section(const char* name, std::string heading, const char* sentence, T& value, bool may_be_left_out) {
        const std::size_t index = schema.sections.size();
        const std::string outer = section_;
        const bool had_required = has_required_;
        section_ = join(name);
        schema.sections.push_back({section_, std::move(heading), sentence, false});
        has_required_ = false;
        describe(*this, value);
        schema.sections[index].is_required = has_required_ && !may_be_left_out;
        has_required_ = had_required || schema.sections[index].is_required;
        section_ = outer;
    }

    std::string section_;
    std::string kind_;
    std::string kind_key_;
    bool has_required_ = false;
};

// "a number between 0 and 1", "one of dopri5, rk4"
std::string type_text(const KeyEntry& key) {
    if (!key.choices.empty()) return "one of " + joined(key.choices);
    return key.bounds.empty() ? key.type : key.type + ", " + key.bounds;
}

std::string key_text(const KeyEntry& key) {
    std::string text =
        fmt::format("{}   {}; {}\n", key.path(), type_text(key), key.is_required ? "required" : "default: " + key.default_text);
    if (!key.kind.empty()) text += fmt::format("  only with {} = \"{}\"\n", key.kind_key, key.kind);
    text += fmt::format("  {}\n", key.sentence);
    for (std::size_t i = 0; i < key.choices.size(); ++i) text += fmt::format("    {:<12} {}\n", key.choices[i], key.choice_sentences[i]);
    return text;
}

std::string section_text(const SectionEntry& section, const Schema& schema) {
    std::string text = fmt::format("{}   {}\n", section.heading, section.is_required ? "required" : "may be left out");
    text += fmt::format("  {}\n", section.sentence);
    for (const KeyEntry& key : schema.keys) {
        if (key.section == section.name) text += "\n" + key_text(key);
    }
    return text;
}

// Whether a path that a user wrote is one of the reference, where a NAME stands for every name: "body.lander.mass".
bool is_same_path(const std::string& generic, const std::string& path) {
    std::size_t g = 0, p = 0;
    while (g < generic.size() && p < path.size()) {
        const std::size_t g_end = std::min(generic.find('.', g), generic.size()), p_end = std::min(path.find('.', p), path.size());
        const std::string part = generic.substr(g, g_end - g);
        if (part != "NAME" && part != "A/B" && part != path.substr(p, p_end - p)) return false;
        g = g_end + 1;
        p = p_end + 1;
    }
    return g > generic.size() && p > path.size();
}

// A bar would end the cell.
std::string cell(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string table_rows(const Schema& schema, const std::string& section, const std::string& kind) {
    std::string text;
    for (const KeyEntry& key : schema.keys) {
        if (key.section != section || key.kind != kind) continue;
        if (text.empty()) text = "\n| key | type | default | |\n|---|---|---|---|\n";
        text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, type_text(key), key.is_required ? "**required**" : key.default_text,
                            cell(key.sentence));
    }
    return text;
}

// A key that several kinds have in common is listed once.
std::string choice_rows(const Schema& schema, const std::string& section) {
    std::string text;
    std::set<std::pair<std::string, std::vector<std::string>>> told;
    for (const KeyEntry& key : schema.keys) {
        if (key.section != section || key.choices.empty() || !told.insert({key.name, key.choice_sentences}).second) continue;
        text += fmt::format("\n`{}`:\n\n", key.name);
        for (std::size_t i = 0; i < key.choices.size(); ++i) text += fmt::format("- `{}`: {}\n", key.choices[i], key.choice_sentences[i]);
    }
    return text;
}

// Kinds of one section, in order.
std::vector<std::string> kinds_of(const Schema& schema, const std::string& section) {
    std::vector<std::string> kinds;
    for (const KeyEntry& key : schema.keys) {
        if (key.section == section && !key.kind.empty() && (kinds.empty() || kinds.back() != key.kind)) kinds.push_back(key.kind);
    }
    return kinds;
}

// The key that chooses among them.
std::string kind_key_of(const Schema& schema, const std::string& section) {
    for (const KeyEntry& key : schema.keys)
        if (key.section == section && !key.kind.empty()) return key.kind_key;
    return {};
}

// Tables of all keys, section by section.
std::string sections_page(const Schema& schema) {
    std::string text = table_rows(schema, "", "") + choice_rows(schema, "");
    for (const SectionEntry& section : schema.sections) {
        text += fmt::format("\n## {}\n\n{}{}\n", section.heading, section.sentence, section.is_required ? "" : " May be left out.");
        text += table_rows(schema, section.name, "") + choice_rows(schema, section.name);
        for (const std::string& kind : kinds_of(schema, section.name))
            text +=
                fmt::format("\nWith `{} = \"{}\"`:\n", kind_key_of(schema, section.name), kind) + table_rows(schema, section.name, kind);
    }
    return text;
}

}  // namespace

std::string heading_of(const std::string& section) {
    const std::size_t slash = section.find("A/B");
    return slash == std::string::npos ? fmt::format("[{}]", section)
                                      : fmt::format("[{}\"A/B\"{}]", section.substr(0, slash), section.substr(slash + 3));
}

Schema study_schema() {
    Study study;
    SchemaVisitor visitor;
    describe(visitor, study);
    return std::move(visitor.schema);
}

Schema scenario_schema() {
    Scenario scenario;
    SchemaVisitor visitor;
    describe(visitor, scenario);
    return std::move(visitor.schema);
}

std::string explain(const std::string& key) {
    std::string text;
    std::vector<std::string> names = {"study"};
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "\n") + part; };
    const auto add_from = [&](const Schema& schema, bool all) {
        for (const KeyEntry& entry : schema.keys) {
            if (all && entry.section.empty()) add(key_text(entry));
            names.push_back(entry.name);
            names.push_back(entry.path());
        }
        for (const SectionEntry& section : schema.sections) {
            const std::string first = section.name.substr(0, section.name.find('.'));
            if (all || first == key || is_same_path(section.name, key)) add(section_text(section, schema));
            names.push_back(section.name);
        }
        for (const KeyEntry& entry : schema.keys)
            if (!all && (is_same_path(entry.path(), key) || entry.name == key)) add(key_text(entry));
    };
    add_from(scenario_schema(), key.empty());
    if (key == "study" || (!key.empty() && text.empty())) add_from(study_schema(), key == "study");
    if (key.empty()) add("Keys of study files: asperity explain study\n");
    if (!text.empty()) return text;
    const std::string hint = did_you_mean(key, names);
    throw InputError(fmt::format("there is no key or section `{}`", key), hint.empty() ? "`asperity explain` lists all of them" : hint);
}

std::string reference_page() {
    const Schema schema = scenario_schema();
    std::string text =
        "# Scenario files\n\n"
        "<!-- Generated from describe(); a test compares. -->\n\n"
        "A scenario is a TOML file. It is read strictly: an unknown key, a missing one, a wrong unit or an impossible value is an error, "
        "and\n"
        "nothing is run. Quantities carry their unit in text (`\"3 cm/s\"`); a vector is an array of three. `asperity explain KEY` shows "
        "one entry.\n\n"
        "`include = \"base.toml\"` takes every key that this file does not have from another one, section by section; arrays, lists and "
        "tables\n"
        "in braces are replaced as a whole. `--set key.path=value` wins over all files; an item of a list goes by its `name`, or by its "
        "number from 0\n"
        "(`--set phase.0.tolerance=1e-9`; item 0 of a list that no file has begins it).\n\n"
        "Units: " +
        joined(unit_names()) +
        ", and products such as `kg*m/s^2`.\n"
        "A year (`yr`) has 365.25 days. An angle is no plain number: `deg` or `rad` must be written.\n\n"
        "## Top of the file\n";
    return text + sections_page(schema);
}

std::string study_reference_page() {
    return "# Study files\n\n"
           "<!-- Generated from describe(); a test compares. -->\n\n"
           "A study runs one scenario many times with some of its values drawn (`asperity campaign FILE`). It is a TOML file, read as "
           "strictly\n"
           "as a scenario; `include` and `--set` work the same way. A drawn value is written as the scenario would have it: `\"3 "
           "cm/s\"`.\n\n"
           "## Top of the file\n" +
           sections_page(study_schema());
}

}  // namespace asperity::scenario
