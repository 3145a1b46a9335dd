#include "asperity/scenario/write.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include "asperity/core/hash.h"
#include "asperity/scenario/study.h"

namespace asperity::scenario {
namespace {

std::string toml_quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            out += fmt::format("\\u{:04X}", byte);
        } else {
            out += c;
        }
    }
    return out + "\"";
}

bool is_bare(const std::string& key) {
    return !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
}

// A TOML number: "-0" would be read as the integer 0, which has no sign.
std::string plain_number(double value) { return value == 0 && std::signbit(value) ? "-0.0" : number_text(value); }

std::string value_text(double value, const Dimension& dimension, std::string_view unit_text) {
    return dimension == Dimension{} ? plain_number(value) : toml_quoted(quantity_text(value, unit_text));
}

std::string expected_value(const Quantity& quantity) {
    return value_text(quantity.value, quantity.dimension, si_unit_text(quantity.dimension));
}

std::string demands_text(const Expectation& e) {
    std::string text;
    const auto add = [&](const char* name, const std::string& value) {
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    };
    if (e.index) add("index", std::to_string(*e.index));
    if (e.length) add("length", std::to_string(*e.length));
    if (e.text) add("value", toml_quoted(*e.text));
    if (e.value) add("value", expected_value(*e.value));
    if (e.within) add("within", expected_value(*e.within));
    if (e.at_least) add("at_least", expected_value(*e.at_least));
    if (e.at_most) add("at_most", expected_value(*e.at_most));
    if (e.below) add("below", expected_value(*e.below));
    if (e.above) add("above", expected_value(*e.above));
    return "{ " + text + " }";
}

class Writer {
public:
    std::string text;   // keys of this table
    std::string below;  // sections in it, which come after all of its keys

    template <class T, class... Rest>
    void required(const char* name, const T& value, const Rest&... rest) {
        write(name, value, rest...);
    }
    template <class T, class... Rest>
    void optional(const char* name, const T& value, const Rest&... rest) {
        write(name, value, rest...);
    }
    template <class T, class... Rest>
    void optional(const char* name, const std::optional<T>& value, const Rest&... rest) {
        if (value) write(name, *value, rest...);
    }

    template <class Variant, std::size_t N>
    void kinds(const char* name, Variant& value, const std::array<Kind, N>& names, const char*) {
        line(name, toml_quoted(names[value.index()].name));
        std::visit([&](auto& alternative) { describe(*this, alternative); }, value);
    }

    template <class Variant, std::size_t N>
    void one_of(Variant& value, const std::array<Kind, N>&, const char*) {
        std::visit([&](auto& alternative) { describe(*this, alternative); }, value);
    }

    template <class T>
    void section(const char* name, T& value, const char*) {
        write_table(name, "[", "]", value);
    }

    template <class T>
    void tables(const char* name, std::vector<T>& values, const char*, const char*) {
        for (T& value : values)
            write_table(fmt::format("{}.{}", name, is_bare(value.name) ? value.name : toml_quoted(value.name)), "[", "]", value);
    }
    template <class Fields>
    void scatter(const Fields& fields) {
        fields(*this);
    }
    template <class When, class Fields>
    void loaded(When, const Fields& fields) {
        fields(*this);
    }

    template <class T>
    void optional_section(const char* name, std::optional<T>& value, const char* sentence) {
        if (value) section(name, *value, sentence);
    }

    template <class T>
    void list(const char* name, std::vector<T>& values, const char*) {
        for (T& value : values) write_table(name, "[[", "]]", value);
    }

    template <class Fields>
    void when(bool is_there, const Fields& fields) {
        if (is_there) fields(*this);
    }

    void expectations(const char* name, const std::vector<Expectation>& values, const char*) {
        if (values.empty()) return;
        below += fmt::format("\n[{}]\n", name);
        for (std::size_t i = 0; i < values.size();) {
            std::size_t end = i + 1;
            while (end < values.size() && values[end].metric == values[i].metric) ++end;
            const std::string& metric = values[i].metric;
            std::string demands = demands_text(values[i]);
            for (std::size_t k = i + 1; k < end; ++k) demands += ", " + demands_text(values[k]);
            below += fmt::format("{} = {}\n", is_bare(metric) ? metric : toml_quoted(metric), end - i > 1 ? "[" + demands + "]" : demands);
            i = end;
        }
    }

    void include(const char*, const char*) {}  // resolved

private:
    template <class T>
    void write_table(const std::string& name, const char* open, const char* close, T& value) {
        Writer inner;
        inner.path_ = path_.empty() ? name : path_ + "." + name;
        describe(inner, value);
        below += fmt::format("\n{}{}{}\n{}{}", open, inner.path_, close, inner.text, inner.below);
    }

    void line(const std::string& name, const std::string& value) { text += fmt::format("{} = {}\n", name, value); }

    void write(const char* name, double value, const Unit& unit, const Bounds&, const char*, const char* = "") {
        if (std::isfinite(value)) line(name, value_text(value, unit.dimension, unit.text));
    }
    void write(const char* name, const Vec3& value, const Unit& unit, const Bounds&, const char*, const char* = "") {
        const auto component = [&](double x) { return value_text(x, unit.dimension, unit.text); };
        line(name, fmt::format("[{}, {}, {}]", component(value.x), component(value.y), component(value.z)));
    }
    void write(const char* name, const std::vector<Vec3>& values, const Unit& unit, const Bounds&, const char*, const char* = "") {
        const auto component = [&](double x) { return value_text(x, unit.dimension, unit.text); };
        std::string list;
        for (const Vec3& value : values)
            list += fmt::format("{}[{}, {}, {}]", list.empty() ? "" : ", ", component(value.x), component(value.y), component(value.z));
        if (!values.empty()) line(name, "[" + list + "]");
    }
    void write(const char* name, std::int64_t value, const Range&, const char*, const char* = "") { line(name, std::to_string(value)); }
    void write(const char* name, bool value, const char*, const char* = "") { line(name, value ? "true" : "false"); }
    void write(const char* name, const std::string& value, const char*, const char* = "") {
        if (!value.empty()) line(name, toml_quoted(value));
    }
    void write(const char* name, const Loose& value, const char*, const char* = "") { line(name, toml_quoted(value.text)); }
    void write(const char* name, const std::vector<Loose>& values, const char*, const char* = "") {
        std::string list;
        for (const Loose& value : values) list += (list.empty() ? "" : ", ") + toml_quoted(value.text);
        if (!values.empty()) line(name, "[" + list + "]");
    }
    void write(const char* name, const Path& value, const char*, const char* = "") {
        if (!value.empty()) line(name, toml_quoted(value.text));
    }
    template <class T, ChoicesOf<T> Choices>
    void write(const char* name, const T& value, const Choices& choices, const char*, const char* = "") {
        for (const Choice<T>& choice : choices) {
            if (choice.value == value) line(name, toml_quoted(choice.name));
        }
    }

    std::string path_;
};

}  // namespace

std::string resolved_toml(const Scenario& scenario) {
    Scenario copy = scenario;  // describe() takes what it visits as mutable, since a reader fills it
    Writer writer;
    describe(writer, copy);
    return writer.text + writer.below;
}

std::string resolved_toml(const Study& study) {
    Study copy = study;
    Writer writer;
    describe(writer, copy);
    return writer.text + writer.below;
}

std::string scenario_hash(const Scenario& scenario) { return hex_text(Hasher().add(resolved_toml(scenario)).value()); }

}  // namespace asperity::scenario
