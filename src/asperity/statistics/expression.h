// Arithmetic in study files: parameters that depend on others, metrics derived from others, conditions on them.
//
//   or:       and {"or" and}                 compare: sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
//   and:      not {"and" not}                sum:     product {("+" | "-") product}
//   not:      "not" not | compare            product: signed {("*" | "/") signed}
//   power:    atom ["^" signed]              signed:  ("-" | "+") signed | power          so -x^2 = -(x^2), 2^3^2 = 2^9, 2^-1 = 0.5
//   atom:     number | name | "pi" | function "(" or {"," or} ")" | "(" or ")"
//   name:     word {"." word | "[" digits "]"}, such as contact.friction, stop_position.x, ball[0].mass
//
// Truth is 1 or 0, and every number but 0 is true. Functions: sqrt exp log log10 sin cos tan asin acos atan abs floor of one argument,
// atan2 of two, min max hypot of two or more, if(condition, then, else).
// Every intermediate value is finite or NaN: a domain error or an overflow (sqrt(-1), 1/0, log(0), an infinite input) gives NaN, which
// propagates through all operations, comparisons included, to the result; the caller counts it as a failed run. NaN does not propagate
// where the result does not depend on it: the branch of `if` that is not taken, false `and` NaN, true `or` NaN.
//
// Limits: 10 000 characters, 64 levels of nesting, 64 intermediate values.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace asperity::statistics {

// An operation of a stack machine. A binary one takes the two topmost values, the left one below, and leaves its result in their place.
// clang-format off
enum class Operation : std::uint8_t {
    constant, variable,                                                                                                           // push
    negate, logical_not, sqrt, exp, log, log10, sin, cos, tan, asin, acos, atan, abs, floor,                                      // unary
    add, subtract, multiply, divide, power, less, less_equal, greater, greater_equal, equal, not_equal, logical_and, logical_or,  // binary
    atan2, min, max, hypot,
    select  // condition, then, else
};
// clang-format on

struct Instruction {
    Operation operation = Operation::constant;
    std::uint32_t index = 0;  // variable
    double value = 0;         // constant
};

// An expression whose names are bound to indices in a list of values.
class BoundExpression {
public:
    // The value for these values of the names given to bind(), in their order. No allocation; any number of threads.
    double evaluate(std::span<const double> values) const;

private:
    friend class Expression;
    BoundExpression() = default;

    std::vector<Instruction> program_;  // postfix
    std::size_t values_ = 0;            // that evaluate() takes
};

class Expression {
public:
    // The names that occur, each once, in the order of first use.
    const std::vector<std::string>& names() const { return names_; }

    const std::string& text() const { return text_; }

    // Throws InputError with a Problem for each name that is not in the list; place as in parse().
    BoundExpression bind(std::span<const std::string> names) const;

private:
    friend class ExpressionParser;
    std::string text_;
    std::vector<std::string> names_;
    std::vector<std::size_t> offsets_;  // of the first use of each name, bytes
    std::vector<Instruction> program_;  // `index` counts in names_
};

// Throws InputError with one Problem: what is expected, source = text, column - 1 = its 0-based offset in the text in bytes, length. The
// line is 0: who knows the place of the text in a file adds it.
Expression parse(std::string_view text);

}  // namespace asperity::statistics
