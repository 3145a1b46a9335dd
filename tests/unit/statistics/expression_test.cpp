// The expression language: values against the same arithmetic written in C++, exact messages with their place, hostile text.
#include "asperity/statistics/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"

namespace asperity::statistics::expression_test {
namespace {

const std::vector<std::string> names{"x", "y", "contact.friction", "ball[0].mass", "nothing"};
const std::vector<double> values{2, -3, 0.6, 10, std::nan("")};

double value_of(const std::string& text) { return parse(text).bind(names).evaluate(values); }

TEST(Expression, has_the_value_of_the_same_arithmetic_in_cpp) {
    const double x = 2, y = -3;
    const std::vector<std::pair<std::string, double>> cases{
        {"1", 1},
        {" 1.5e-3\t+\n.5 ", 1.5e-3 + .5},
        {"2.", 2},
        {"1E3", 1000},
        {"1 - 2 - 3", -4},
        {"2 + 3 * 4", 14},
        {"(2 + 3) * 4", 20},
        {"24 / 4 / 2", 3},
        {"2 ^ 3 ^ 2", 512},
        {"-2 ^ 2", -4},
        {"(-2) ^ 2", 4},
        {"2 ^ -1", 0.5},
        {"2 * -3", -6},
        {"--2", 2},
        {"+-+2", -2},
        {"-x * y", 6},
        {"x - -y", -1},
        {"contact.friction * ball[0].mass", 0.6 * 10},
        {"sqrt(x) + exp(y) - log(x) + log10(x)", std::sqrt(x) + std::exp(y) - std::log(x) + std::log10(x)},
        {"sin(x) * cos(y) / tan(x)", std::sin(x) * std::cos(y) / std::tan(x)},
        {"asin(0.5) + acos(0.25) + atan(y)", std::asin(0.5) + std::acos(0.25) + std::atan(y)},
        {"atan2(y, x)", std::atan2(y, x)},
        {"abs(y) + floor(-1.5) + floor(2.7)", 3 - 2 + 2},
        {"min(x, y) - max(x, y)", -5},
        {"min(4, 3, 2, 5)", 2},
        {"max(4, 3, 2, 5, 1)", 5},
        {"hypot(3, 4)", 5},
        {"hypot(2, 3, 6)", 7},
        {"2 * pi", 2 * std::numbers::pi},
        {"x < 3", 1},
        {"x < 2", 0},
        {"x <= 2", 1},
        {"x > 2", 0},
        {"x >= 2", 1},
        {"x == 2", 1},
        {"x != 2", 0},
        {"1 + 1 == 2", 1},
        {"not 0", 1},
        {"not 2.5", 0},
        {"not not 2.5", 1},
        {"not x == 2", 0},
        {"1 and 2", 1},
        {"1 and 0", 0},
        {"0 or 3", 1},
        {"1 or 0 and 0", 1},
        {"(1 or 0) and 0", 0},
        {"not 0 and 0", 0},
        {"x > 1 and y < 0 or 0", 1},
        {"-(x > 1)", -1},
        {"if(x > 1, 10, 20)", 10},
        {"if(x > 3, 10, 20)", 20},
        {"if(1, if(0, 1, 2), 3) + 5", 7},
        {"if(x > 0, sqrt(x), sqrt(-x))", std::sqrt(2)},
        {"0 ^ 0", 1},
        {"(-8) ^ 3", -512},
    };
    for (const auto& [text, value] : cases) EXPECT_EQ(value_of(text), value) << text;
}

TEST(Expression, what_leaves_its_domain_is_nan_and_stays_it) {
    for (const char* text : {"sqrt(-1)",
                             "log(0)",
                             "log(-1)",
                             "log10(0)",
                             "1 / 0",
                             "0 / 0",
                             "-1 / 0",
                             "asin(2)",
                             "acos(-2)",
                             "(-8) ^ 0.5",
                             "exp(1000)",
                             "1e200 * 1e200",
                             "1e308 + 1e308",
                             "10 ^ 400",
                             "0 ^ -1",
                             "nothing",
                             "nothing * 0",
                             "1 ^ nothing",
                             "nothing ^ 0",
                             "min(nothing, 1)",
                             "max(1, nothing)",
                             "hypot(1 / 0, nothing)",
                             "nothing < 1",
                             "nothing == nothing",
                             "nothing != 1",
                             "not nothing",
                             "nothing and 1",
                             "1 and nothing",
                             "nothing or 0",
                             "if(nothing, 1, 1)",
                             "if(1, nothing, 0)",
                             "1 / (1 / 0)",
                             "atan(1 / 0)",
                             "abs(nothing)",
                             "floor(nothing)",
                             "exp(log(0))"}) {
        EXPECT_TRUE(std::isnan(value_of(text))) << text;
    }
    // What does not depend on the unknown is known.
    EXPECT_EQ(value_of("0 and nothing"), 0);
    EXPECT_EQ(value_of("nothing and 0"), 0);
    EXPECT_EQ(value_of("1 or nothing"), 1);
    EXPECT_EQ(value_of("nothing or 2"), 1);
    EXPECT_EQ(value_of("if(1, 5, nothing)"), 5);
    EXPECT_EQ(value_of("y > 0 and log(y) < 1"), 0);
    const std::vector<std::string> one{"x"};
    EXPECT_TRUE(std::isnan(parse("if(x > 1, 1, 0)").bind(one).evaluate(std::vector<double>{INFINITY})));
}

TEST(Expression, lists_names_once_in_order_of_first_use) {
    const Expression expression = parse("b + a.x * b - sqrt(c[12].d_1) + pi + a.x + a");
    EXPECT_EQ(expression.names(), (std::vector<std::string>{"b", "a.x", "c[12].d_1", "a"}));
    EXPECT_EQ(expression.text(), "b + a.x * b - sqrt(c[12].d_1) + pi + a.x + a");
    EXPECT_TRUE(parse("2 * pi").names().empty());
    EXPECT_EQ(parse("notable + orbit + iffy + android").names(), (std::vector<std::string>{"notable", "orbit", "iffy", "android"}));
}

TEST(Expression, is_bound_to_the_order_of_the_list) {
    const Expression expression = parse("a - b");
    EXPECT_EQ(expression.bind(std::vector<std::string>{"a", "b"}).evaluate(std::vector<double>{5, 3}), 2);
    EXPECT_EQ(expression.bind(std::vector<std::string>{"b", "c", "a"}).evaluate(std::vector<double>{5, 100, 3}), -2);
    EXPECT_THROW(expression.bind(names), InputError);
    EXPECT_THROW(parse("x").bind(names).evaluate(std::vector<double>{1}), Bug);
}

TEST(Expression, unknown_names_are_all_reported_with_their_place) {
    try {
        parse("x + contact.frictoin * zebra").bind(names);
        FAIL();
    } catch (const InputError& error) {
        ASSERT_EQ(error.problems.size(), 2u);
        EXPECT_EQ(error.problems[0].what, "unknown name `contact.frictoin`");
        EXPECT_EQ(error.problems[0].hint, "did you mean `contact.friction`?");
        EXPECT_EQ(error.problems[0].note, "known here: x, y, contact.friction, ball[0].mass, nothing");
        EXPECT_EQ(error.problems[0].column, 5);
        EXPECT_EQ(error.problems[0].length, 16);
        EXPECT_EQ(error.problems[1].column, 24);
        EXPECT_EQ(error.problems[1].hint, "");
    }
}

struct Slip {
    std::string text;
    int offset;
    std::string what, hint;
    int length = 1;
};

TEST(Expression, says_where_and_what_is_expected) {
    const std::string atom = "expected a number, a name, a function or `(`, found ";
    const std::vector<Slip> slips{
        {"", 0, "the expression is empty", "write for example 2 * pi"},
        {"  ", 2, "the expression is empty", "write for example 2 * pi"},
        {"1 +", 3, atom + "the end", ""},
        {"1 + * 2", 4, atom + "`*`", ""},
        {"== 2", 0, atom + "`==`", "", 2},
        {"(1 + 2", 6, "expected an operator or `)`, found the end", ""},
        {"1 + 2)", 5, "expected an operator or the end, found `)`", ""},
        {"a b", 2, "expected an operator or the end, found `b`", ""},
        {"a 2.5", 2, "expected an operator or the end, found `2.5`", "", 3},
        {"2 and", 5, atom + "the end", ""},
        {"and 2", 0, atom + "`and`", "", 3},
        {"2x", 1, "`x` right after a number", "write * between them; a number is written 2, 0.5 or 1e-3"},
        {"1.2.3", 3, "`.` right after a number", "write * between them; a number is written 2, 0.5 or 1e-3"},
        {"1e999", 0, "the number is outside the range of double precision", "1e-307 to 1e308", 5},
        {"sqr(2)", 0, "unknown function `sqr`", "did you mean `sqrt`?", 3},
        {"1 + contact.f(2)", 4, "unknown function `contact.f`", "", 9},
        {"sqrt", 0, "`sqrt` is a function", "write sqrt(x)", 4},
        {"1 + max * 2", 4, "`max` is a function", "write max(a, b, ...)", 3},
        {"sqrt()", 0, "`sqrt` with 0 arguments", "write sqrt(x)", 6},
        {"1 + atan2(1)", 4, "`atan2` with 1 argument", "write atan2(a, b)", 8},
        {"min(1)", 0, "`min` with 1 argument", "write min(a, b, ...)", 6},
        {"if(1, 2)", 0, "`if` with 2 arguments", "write if(condition, then, else)", 8},
        {"sqrt(1", 6, "expected an operator, `,` or `)`, found the end", ""},
        {"min(1,,2)", 6, atom + "`,`", ""},
        {"a < b < c", 6, "comparisons do not chain", "write a < b and b < c"},
        {"a.", 2, "expected a name after `.`", "such as a.b or a[0].b"},
        {"a.1", 2, "expected a name after `.`", "such as a.b or a[0].b"},
        {"a[x]", 2, "expected an index after `[`", "such as a.b or a[0].b"},
        {"a[1", 3, "expected `]`", "such as a[0].b"},
        {"a && b", 2, "`&&` has no meaning here", "write and", 2},
        {"a || b", 2, "`||` has no meaning here", "write or", 2},
        {"a ** b", 2, "`**` has no meaning here", "write ^", 2},
        {"a = b", 2, "`=` has no meaning here", "write =="},
        {"!a", 0, "`!` has no meaning here", "write not"},
        {"2 × 3", 2, "`×` has no meaning here", "write *"},
        {"a # b", 2, "expected an operator or the end, found `#`", ""},
        {"é", 0, atom + "`é`", ""},
    };
    for (const Slip& slip : slips) {
        try {
            parse(slip.text);
            ADD_FAILURE() << slip.text;
        } catch (const InputError& error) {
            const Problem& problem = error.problems.at(0);
            EXPECT_EQ(problem.what, slip.what) << slip.text;
            EXPECT_EQ(problem.hint, slip.hint) << slip.text;
            EXPECT_EQ(problem.column - 1, slip.offset) << slip.text;
            EXPECT_EQ(problem.length, slip.length) << slip.text;
            EXPECT_EQ(problem.source, slip.text);
        }
    }
}

std::string repeated(const std::string& text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
}

std::string refusal(const std::string& text) {
    try {
        parse(text);
        return "none";
    } catch (const InputError& error) {
        return error.problems.at(0).what;
    }
}

TEST(Expression, deep_nesting_is_refused_and_long_chains_are_not) {
    const std::string deep = "more than 64 levels of nesting";
    for (const char* opening : {"(", "-", "not ", "2^", "sqrt(", "1+("}) EXPECT_EQ(refusal(repeated(opening, 1000)), deep) << opening;
    EXPECT_EQ(refusal(repeated("(", 4000) + "1" + repeated(")", 4000)), deep);
    EXPECT_EQ(value_of(repeated("(", 60) + "1" + repeated(")", 60)), 1);
    EXPECT_EQ(value_of("1" + repeated(" + 1", 2000)), 2001);
    EXPECT_EQ(value_of("max(1" + repeated(", 2", 2000) + ")"), 2);
    EXPECT_EQ(refusal(repeated("1 + ", 3000)), "more than 10000 characters");
    // Values pile up on the stack two a level.
    EXPECT_EQ(refusal(repeated("if(1, 2, ", 50) + "3" + repeated(")", 50)), "more than 64 intermediate values");
    EXPECT_EQ(value_of(repeated("if(0, 2, ", 31) + "3" + repeated(")", 31)), 3);
}

TEST(Expression, random_text_is_read_or_refused_and_nothing_else) {
    const std::vector<std::string> pieces{"1",      "2.5",  "1e5",  "x",     "y",    "contact.friction",
                                          "a[3].b", "(",    ")",    "+",     "-",    "*",
                                          "/",      "^",    "<",    "<=",    "==",   "!=",
                                          "and",    "or",   "not",  "sqrt(", "min(", "if(",
                                          ",",      " ",    "pi",   ".",     "[",    "]",
                                          "e",      "E+",   "\xc3", "\x01",  "\xff", "&&",
                                          "1e999",  "log(", "\n"};
    int read = 0, refused = 0;
    for (std::uint64_t trial = 0; trial < 40000; ++trial) {
        const DrawKey key{.seed = 17, .run = trial, .stream = 0};
        std::string text;
        const std::uint64_t length = random_bits(key, 0) % 24;
        for (std::uint64_t i = 1; i <= length; ++i) {
            // Half of the texts from pieces that may fit together, half from bytes.
            const std::uint64_t bits = random_bits(key, i);
            if (trial % 2 == 0) text += pieces[bits % pieces.size()];
            if (trial % 2 == 1) text += static_cast<char>(bits % 256);
        }
        try {
            const Expression expression = parse(text);
            const std::vector<double> numbers(expression.names().size(), 0.5);
            const double value = expression.bind(expression.names()).evaluate(numbers);
            EXPECT_FALSE(std::isinf(value)) << text;
            ++read;
        } catch (const InputError& error) {
            ASSERT_EQ(error.problems.size(), 1u);
            EXPECT_GE(error.problems[0].column, 1) << text;
            EXPECT_LE(error.problems[0].column, static_cast<int>(text.size()) + 1) << text;
            ++refused;
        }
    }
    EXPECT_GT(read, 500);
    EXPECT_GT(refused, 20000);
}

// A random tree printed with all its brackets, and with only those that the rules of precedence ask for: the same value.
struct Tree {
    std::string full, spare;
    int strength;  // of the weakest operator outside brackets: 1 sum, 2 product, 3 sign, 4 power, 5 atom
};

Tree random_tree(const DrawKey& key, std::uint64_t& counter, int depth) {
    const std::uint64_t draw = random_bits(key, counter++);
    if (depth == 0 || draw % 8 == 0) {
        const std::string number = std::to_string(1 + draw / 8 % 3);
        return {number, number, 5};
    }
    const auto within = [](const Tree& tree, bool needs) { return needs ? "(" + tree.spare + ")" : tree.spare; };
    const Tree a = random_tree(key, counter, depth - 1);
    if (draw / 8 % 6 == 5) return {"(-" + a.full + ")", "-" + within(a, a.strength < 3), 3};
    const Tree b = random_tree(key, counter, depth - 1);
    const char symbol = "+-*/^"[draw / 8 % 6];
    const std::string full = "(" + a.full + symbol + b.full + ")";
    const int strength = symbol == '^' ? 4 : symbol == '*' || symbol == '/' ? 2 : 1;
    if (symbol == '^') return {full, within(a, a.strength < 5) + "^" + within(b, b.strength < 3), 4};
    return {full, within(a, a.strength < strength) + symbol + within(b, b.strength <= strength), strength};
}

TEST(Expression, brackets_that_precedence_makes_needless_change_nothing) {
    int finite = 0;
    for (std::uint64_t trial = 0; trial < 3000; ++trial) {
        std::uint64_t counter = 0;
        const Tree tree = random_tree({.seed = 23, .run = trial, .stream = 0}, counter, 5);
        const double full = value_of(tree.full), spare = value_of(tree.spare);
        EXPECT_TRUE(full == spare || (std::isnan(full) && std::isnan(spare))) << tree.full << " | " << tree.spare;
        finite += std::isnan(full) ? 0 : 1;
    }
    EXPECT_GT(finite, 2000);
}

}  // namespace
}  // namespace asperity::statistics::expression_test
