// The four kinds of failure (docs/architecture.md, Errors). Numerical trouble is not here: it is an Outcome, a value.
#pragma once
#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace asperity {

// One error in the input, which the user can correct. If it has no place in a file (a value given with --set), line is 0.
struct Problem {
    std::string what;     // "unknown key `youngs_modulus`"
    std::string file;     // as the user typed it
    int line = 0;         // 1-based
    int column = 0;       // 1-based
    int length = 1;       // characters to underline
    std::string source;   // the text of that line
    std::string section;  // "[material.regolith]"
    std::string hint;     // "did you mean `young_modulus`?"
    std::string note;     // a further line: "known here: friction, ..."
};

// The problems as the terminal shows them: each with its place, its cause and a hint; then "N errors. Nothing was run."
std::string format_problems(const std::vector<Problem>& problems);

// The input is invalid, and the user can correct it: exit status 2.
class InputError : public std::runtime_error {
public:
    explicit InputError(std::vector<Problem> list) : std::runtime_error(format_problems(list)), problems(std::move(list)) {}
    explicit InputError(std::string what, std::string hint = {})
        : InputError({Problem{.what = std::move(what), .hint = std::move(hint)}}) {}

    std::vector<Problem> problems;
};

// The environment failed: disk full, no permission, file vanished. Exit status 4.
class RuntimeError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// An invariant of the program is broken. Exit status 70.
class Bug : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

}  // namespace asperity

#define ASPERITY_REQUIRE(condition, ...)                                                                                                 \
    do {                                                                                                                                 \
        if (!(condition)) throw ::asperity::Bug(fmt::format("{}:{}: {}: {}", __FILE__, __LINE__, #condition, fmt::format(__VA_ARGS__))); \
    } while (false)
