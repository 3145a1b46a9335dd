// The visitor that fills structs from a document, collects every problem, and remembers where each value was written.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/core/vec3.h"
#include "asperity/scenario/document.h"
#include "asperity/scenario/expect.h"
#include "asperity/scenario/place.h"

namespace asperity::scenario {

// A struct of named tables may look at those before it, once it knows its name.
template <class T>
void begin_table(T&, const std::vector<T>&) {}

// The state that all sections of one reading share.
struct Reading {
    const Document& document;
    Places places;
    std::vector<Problem> problems;
    std::set<std::string, std::less<>> failed;  // key paths that have no usable value
    bool is_of_scenario = true;                 // an unknown key may belong to another section of a scenario; else it has no other home

    // A problem that was found after reading, at the place of a key path.
    void fail(std::string_view path, std::string what, std::string hint = {}, std::string note = {}) {
        problems.push_back(problem_at(places, path, std::move(what), std::move(hint), std::move(note)));
    }
    // Throws InputError with all problems, in the order of the files and from top to bottom, where there are any.
    void require_no_problem();
};

class Reader {
public:
    // `table` is null where the file has no such section: then required keys are only counted.
    Reader(Reading& reading, const Node* table, std::string path, std::string section);

    template <class T, class... Rest>
    void required(const char* name, T& value, const Rest&... rest) {
        read(name, value, true, rest...);
    }
    template <class T, class... Rest>
    void optional(const char* name, T& value, const Rest&... rest) {
        read(name, value, false, rest...);
    }
    template <class T, class... Rest>
    void optional(const char* name, std::optional<T>& value, const Rest&... rest) {
        known_.emplace_back(name);
        if (!table_ || !table_->find(name)) return;
        known_.pop_back();
        read(name, value.emplace(), false, rest...);
    }

    template <class... Alternatives, std::size_t N>
    void kinds(const char* name, std::variant<Alternatives...>& value, const std::array<Kind, N>& names, const char* sentence) {
        static_assert(sizeof...(Alternatives) == N);
        std::vector<std::string> known;
        for (const Kind& kind : names) known.emplace_back(kind.name);
        const int chosen = read_choice(name, known, true, sentence);
        if (chosen < 0) {
            is_open_ = true;  // without the kind, no other key is known or unknown
            return;
        }
        emplace(value, static_cast<std::size_t>(chosen), std::index_sequence_for<Alternatives...>{});
        std::visit([&](auto& alternative) { describe(*this, alternative); }, value);
    }

    template <class T>
    void section(const char* name, T& value, const char* sentence) {
        const Node* table = find_section(name);
        if (!table && failed(name)) return;
        Reader inner(reading_, table, join(name), section_text(name, table));
        inner.generic_ = join_generic(name);
        describe(inner, value);
        inner.finish();
        if (!table) report_missing_section(name, inner.missing_, sentence);
    }

    template <class T>
    void optional_section(const char* name, std::optional<T>& value, const char* sentence) {
        if (table_ && table_->find(name)) return section(name, value.emplace(), sentence);
        known_.emplace_back(name);
    }

    template <class T>
    void list(const char* name, std::vector<T>& values, const char* /*sentence*/) {
        const Node* node = find_list(name);
        if (!node) return;
        const bool is_one = node->kind == Node::Kind::table;  // in braces
        for (std::size_t i = 0; i < (is_one ? 1 : node->items.size()); ++i) {
            const std::string index = std::to_string(i);
            Reader inner(reading_, is_one ? node : &node->items[i], join(name) + "." + index, "[[" + heading(join(name)) + "]] " + index);
            inner.generic_ = join_generic(name);
            describe(inner, values.emplace_back());
            inner.finish();
        }
    }

    template <class... Alternatives, std::size_t N>
    void one_of(std::variant<Alternatives...>& value, const std::array<Kind, N>& keys, const char* sentence) {
        static_assert(sizeof...(Alternatives) == N);
        std::vector<std::string> known;
        for (const Kind& key : keys) known.emplace_back(key.name);
        const int chosen = chosen_key(known, sentence);
        if (chosen < 0) {
            is_open_ = true;  // without the key that says what it is, no other key is known or unknown
            return;
        }
        emplace(value, static_cast<std::size_t>(chosen), std::index_sequence_for<Alternatives...>{});
        std::visit([&](auto& alternative) { describe(*this, alternative); }, value);
    }

    template <class T>
    void tables(const char* name, std::vector<T>& values, const char* placeholder, const char* /*sentence*/) {
        const Node* all = find_section(name);
        if (!all) return;
        for (const Member& member : all->members) {
            if (!is_table_name(name, member)) continue;
            T value{};
            value.name = member.key;
            begin_table(value, values);
            Reader inner(reading_, &member.value, join(name) + "." + member.key, named_section_text(name, member));
            inner.generic_ = join_generic(name) + "." + placeholder;
            describe(inner, value);
            inner.finish();
            values.push_back(std::move(value));
        }
    }

    template <class Fields>
    void when(bool is_there, const Fields& fields) {
        if (is_there) fields(*this);
    }
    template <class Fields>
    void scatter(const Fields& fields) {
        fields(*this);
    }
    template <class When, class Fields>
    void loaded(When, const Fields& fields) {
        fields(*this);
    }

    void expectations(const char* name, std::vector<Expectation>& values, const char* sentence);
    void include(const char* name, const char* /*sentence*/) { known_.emplace_back(name); }  // the document has it resolved already

    // After the last key: what is left in the file is unknown.
    void finish();

private:
    void read(const char* name, double& value, bool is_required, const Unit& unit, const Bounds& bounds, const char* sentence,
              const char* = "");
    void read_three(const Node& node, const std::string& label, Vec3& value, const Unit& unit, const Bounds& bounds, const char* sentence);
    void read_components(const char* name, const Node& node, Vec3& value, const Unit& unit, const Bounds& bounds, const char* sentence);
    void read(const char* name, Vec3& value, bool is_required, const Unit& unit, const Bounds& bounds, const char* sentence,
              const char* = "");
    void read(const char* name, std::vector<Vec3>& values, bool is_required, const Unit& unit, const Bounds& bounds, const char* sentence,
              const char* = "");
    void read(const char* name, std::int64_t& value, bool is_required, const Range& range, const char* sentence, const char* = "");
    void read(const char* name, int& value, bool is_required, const Range& range, const char* sentence, const char* = "") {
        std::int64_t wide = value;
        read(name, wide, is_required, range, sentence);
        value = static_cast<int>(wide);  // the range of an int field lies within int
    }
    void read(const char* name, bool& value, bool is_required, const char* sentence, const char* = "");
    void read(const char* name, std::string& value, bool is_required, const char* sentence, const char* = "");
    void read(const char* name, std::string& value, bool is_required, const NotEmpty&, const char* sentence, const char* = "");
    void read(const char* name, std::vector<std::string>& values, bool is_required, const char* sentence, const char* = "");
    template <WrittenAsText T>
    void read(const char* name, T& value, bool is_required, const char* sentence, const char* = "") {
        const Node* node = find(name, is_required, fmt::format("\"{}\"", T::example), sentence);
        if (!node) return;
        const bool is_text = node->kind == Node::Kind::text;
        if (const std::optional<T> got = is_text ? T::from_text(node->text) : std::nullopt)
            value = *got;
        else
            fail_text(name, *node, T::wanted, T::example);
    }
    void read(const char* name, Loose& value, bool is_required, const char* sentence, const char* = "");
    void read(const char* name, std::vector<Loose>& value, bool is_required, const char* sentence, const char* = "");
    void read(const char* name, Path& value, bool is_required, const char* sentence, const char* = "") {
        read(name, value.text, is_required, sentence);
    }
    template <class T, ChoicesOf<T> Choices>
    void read(const char* name, T& value, bool is_required, const Choices& choices, const char* sentence, const char* = "") {
        std::vector<std::string> known;
        for (const Choice<T>& choice : choices) known.emplace_back(choice.name);
        const int chosen = read_choice(name, known, is_required, sentence);
        if (chosen >= 0) value = choices[static_cast<std::size_t>(chosen)].value;
    }

    template <class T, ChoicesOf<T> Choices>
    void read(const char* name, std::vector<T>& values, bool is_required, const Choices& choices, const char* sentence, const char* = "") {
        std::vector<std::string> known;
        for (const Choice<T>& choice : choices) known.emplace_back(choice.name);
        for (const int chosen : read_choices(name, known, is_required, sentence))
            values.push_back(choices[static_cast<std::size_t>(chosen)].value);
    }

    template <class Variant, std::size_t... I>
    static void emplace(Variant& value, std::size_t index, std::index_sequence<I...>) {
        (static_cast<void>(I == index && (value.template emplace<I>(), true)), ...);
    }

    // The value of a key that is known from now on; null, and a problem if it is required, where it is not in the file.
    const Node* find(const char* name, bool is_required, const std::string& example, const char* sentence);
    const Node* find_array(const char* name, bool is_required, const std::string& example, const char* sentence);
    const Node* find_section(const char* name);
    const Node* find_list(const char* name);
    int chosen_key(const std::vector<std::string>& keys, const char* sentence);
    bool is_table_name(const char* list, const Member& member);
    std::string named_section_text(const char* list, const Member& member) const;
    int read_choice(const char* name, const std::vector<std::string>& names, bool is_required, const char* sentence);
    std::vector<int> read_choices(const char* name, const std::vector<std::string>& names, bool is_required, const char* sentence);
    int choice_of(const Node& node, const std::string& label, const std::vector<std::string>& names);
    bool read_loose(const Node& node, const std::string& label, Loose& value);
    std::optional<double> number_of(const Node& node, const std::string& label, const Unit& unit, const Bounds& bounds,
                                    const char* sentence);
    std::optional<Quantity> expected_quantity(const Node& node, const std::string& label);
    std::optional<std::int64_t> expected_integer(const Node& node, const std::string& label);
    void read_expectation(const Member& member, std::vector<Expectation>& values);
    void read_demands(const Node& table, Expectation expectation, std::vector<Expectation>& values);
    void report_missing_section(const char* name, const std::vector<std::string>& missing, const char* sentence);

    void fail(const std::string& name, const Mark& mark, std::string what, std::string hint = {}, std::string note = {});
    void fail_text(const char* name, const Node& node, std::string_view wanted, std::string_view example);
    bool failed(const std::string& name) const { return reading_.failed.contains(join(name)); }
    std::string join(const std::string& name) const { return path_.empty() ? name : path_ + "." + name; }
    std::string join_generic(const std::string& name) const { return generic_.empty() ? name : generic_ + "." + name; }
    std::string section_text(const std::string& name, const Node* table) const;
    // The key path of a list as its heading has it: without the numbers of the sections that it is in.
    static std::string heading(const std::string& path);
    std::string home_of(const Member& member) const;

    Reading& reading_;
    const Node* table_;
    std::string path_;     // "body.lander.start"
    std::string generic_;  // the same as the reference has it: "body.NAME.start"
    std::string section_;  // "[body.lander.start]"
    std::vector<std::string> known_;
    std::vector<std::string> missing_;
    bool is_open_ = false;
};

}  // namespace asperity::scenario
