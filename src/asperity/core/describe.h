// The vocabulary of describe(): one list of fields per struct drives reader, writer, explain and the reference pages.
//
//   template <class Visitor>
//   void describe(Visitor& v, Orbit& o) {
//       v.required("separation", o.separation, si::metre, positive, "Semi-major axis.");
//       v.optional("eccentricity", o.eccentricity, si::one, between(0, 0.99), "Eccentricity.");
//   }
//
// A visitor offers, each as required(...) and optional(...):
//   (name, double&, Unit, Bounds, sentence)            a quantity in text; with si::one a plain number
//   (name, Vec3&, Unit, Bounds, sentence)              an array of three
//   (name, std::int64_t&, Range, sentence)             an integer
//   (name, bool&, sentence)  (name, std::string&, sentence)
//   (name, Enum&, choices, sentence)                   one of the names of an array or vector of Choice<Enum>
//   (name, Path&, sentence)                            a file, relative to the file that names it
//   (name, Loose&, sentence)  (name, std::vector<Loose>&, sentence)   as written; another key says what it must be
// the reader alone, for files that nothing writes (papers/):
//   (name, std::string&, not_empty, sentence)          text that must say something
//   (name, std::vector<std::string>&, sentence)        a list of texts
//   (name, std::vector<Enum>&, choices, sentence)      a list of such names
//   (name, T&, sentence)                               T is WrittenAsText: text that the type itself understands
// and
//   optional(name, std::optional<T>&, ..., sentence, default_text)   absence has a meaning of its own; the text says what then happens
//   kinds(name, std::variant<...>&, names, sentence)   the key that says which struct this section is; its fields follow
//   section(name, Struct&, sentence)                   a table; may be left out if nothing in it is required
//   optional_section(name, std::optional<Struct>&, sentence)         a table that may be left out whatever it requires
//   one_of(std::variant<...>&, keys, sentence)         the key that is there says which struct this section is; its fields follow
//   list(name, std::vector<Struct>&, sentence)         an array of tables
//   tables(name, std::vector<Struct>&, placeholder, sentence)        named tables, [name.NAME], in the order of the file: Struct::name
//   when(condition, [&](auto& v) { ... })              fields that exist only where the condition holds; reference pages have them all
// and attributes of the fields in them:
//   scatter([&](auto& v) { ... })                      they are drawn anew for every run; zero means no scatter
//   loaded(when, [&](auto& v) { ... })                 a change of them changes what is loaded, and not only what a run does with it
//
// The default of an optional field is what the default member initialiser of its struct says. Infinity means "none": it is
// never written. Allowed values are data here, so that no prose has to repeat them.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace asperity {

struct Bounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool is_low_open = false;
    bool is_high_open = false;

    bool allows(double value) const;
    // "positive", "not negative", "between 0 and 1 m", ...; empty where everything is allowed.
    std::string text(std::string_view unit_text = {}) const;
    // An allowed value to show in messages: `wish` if it is allowed.
    double example(double wish = 1) const;
};

inline constexpr Bounds any{};
inline constexpr Bounds positive{.low = 0, .is_low_open = true};
inline constexpr Bounds not_negative{.low = 0};
constexpr Bounds between(double low, double high) { return {.low = low, .high = high}; }
// low itself is excluded.
constexpr Bounds above_up_to(double low, double high) { return {.low = low, .high = high, .is_low_open = true}; }

struct Range {
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();

    bool allows(std::int64_t value) const { return low <= value && value <= high; }
    std::string text() const;
};

constexpr Range at_least(std::int64_t low) { return {.low = low}; }
constexpr Range from_to(std::int64_t low, std::int64_t high) { return {.low = low, .high = high}; }

// "must be positive", "must not be negative".
std::string must_be(const std::string& bounds_text);

// A number, quantity, name or truth value, kept as it was written.
struct Loose {
    std::string text;

    friend bool operator==(const Loose&, const Loose&) = default;
};

// The path of a file, relative to the file that names it; empty if there is none.
struct Path {
    std::string text;

    bool empty() const { return text.empty(); }
    friend bool operator==(const Path&, const Path&) = default;
};

struct NotEmpty {};
inline constexpr NotEmpty not_empty{};

// A type that is written as text: T::from_text gives nothing where it cannot be one, T::wanted says what it must be ("a date"), and
// T::example shows one.
template <class T>
concept WrittenAsText = requires(const std::string& text) {
    { T::from_text(text) } -> std::same_as<std::optional<T>>;
    { T::wanted } -> std::convertible_to<std::string_view>;
    { T::example } -> std::convertible_to<std::string_view>;
};

// A name that a file may use for a value.
template <class Enum>
struct Choice {
    const char* name;
    Enum value;
    const char* sentence;
};

// A std::array or std::vector of names for values of that type.
template <class List, class T>
concept ChoicesOf = std::same_as<typename List::value_type, Choice<T>>;

// A name for an alternative of a std::variant; alternatives and names stand in the same order.
struct Kind {
    const char* name;
    const char* sentence;
};

}  // namespace asperity
