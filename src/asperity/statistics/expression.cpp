#include "asperity/statistics/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"

namespace asperity::statistics {
namespace {

constexpr std::size_t stack_size = 64;
constexpr int deepest_nesting = 64;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Function {
    std::string_view name;
    Operation operation;
    int fewest;  // arguments
    int most;    // 0: any number, folded from the left
};

constexpr std::array functions{
    Function{"sqrt", Operation::sqrt, 1, 1},   Function{"exp", Operation::exp, 1, 1},   Function{"log", Operation::log, 1, 1},
    Function{"log10", Operation::log10, 1, 1}, Function{"sin", Operation::sin, 1, 1},   Function{"cos", Operation::cos, 1, 1},
    Function{"tan", Operation::tan, 1, 1},     Function{"asin", Operation::asin, 1, 1}, Function{"acos", Operation::acos, 1, 1},
    Function{"atan", Operation::atan, 1, 1},   Function{"abs", Operation::abs, 1, 1},   Function{"floor", Operation::floor, 1, 1},
    Function{"atan2", Operation::atan2, 2, 2}, Function{"min", Operation::min, 2, 0},   Function{"max", Operation::max, 2, 0},
    Function{"hypot", Operation::hypot, 2, 0}, Function{"if", Operation::select, 3, 3},
};

const Function* find_function(std::string_view name) {
    const auto it = std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
    return it == functions.end() ? nullptr : &*it;
}

std::string arguments_text(const Function& f) {
    if (f.operation == Operation::select) return "if(condition, then, else)";
    if (f.most == 1) return fmt::format("{}(x)", f.name);
    return fmt::format("{}(a, b{})", f.name, f.most == 2 ? "" : ", ...");
}

// What people write out of habit from other languages, and what it is here.
struct Habit {
    std::string_view theirs, ours;
};
constexpr Habit habits[] = {{"&&", "and"}, {"||", "or"},    {"**", "^"},     {"=", "=="},     {"!", "not"},    {"&", "and"},
                            {"|", "or"},   {"\u2212", "-"}, {"\u00d7", "*"}, {"\u00b7", "*"}, {"\u00f7", "/"}, {"\u03c0", "pi"}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_word(char c) { return starts_word(c) || is_digit(c); }

Problem problem_at(std::string_view text, std::size_t offset, std::size_t length, std::string what, std::string hint) {
    // Carets stand under characters: the later bytes of one do not count. All before the offset is ASCII, or it would be the place.
    const std::string_view place = text.substr(std::min(offset, text.size()), length);
    const auto count = std::count_if(place.begin(), place.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
    return {.what = std::move(what),
            .column = static_cast<int>(offset) + 1,
            .length = std::max(static_cast<int>(count), 1),
            .source = std::string(text),
            .hint = std::move(hint)};
}

}  // namespace

// Recursive descent that writes the program as it reads. A token is a slice of the text; "" is the end.
class ExpressionParser {
public:
    explicit ExpressionParser(std::string_view text) : text_(text) { advance(); }

    Expression expression() {
        if (text_.size() > longest)
            fail_at(longest, 1, fmt::format("more than {} characters", longest), "split the expression into several");
        if (token_.empty()) fail("the expression is empty", "write for example 2 * pi");
        read_or();
        if (!token_.empty()) fail_expected("an operator or the end");
        result_.text_ = std::string(text_);
        return std::move(result_);
    }

private:
    static constexpr std::size_t longest = 10000;

    enum class Kind { end, number, name, symbol, unknown };

    // Nesting is counted, so that hostile text meets this error rather than the end of the stack.
    class Level {
    public:
        explicit Level(ExpressionParser& parser) : parser_(parser) {
            if (++parser_.nesting_ > deepest_nesting) {
                parser_.fail(fmt::format("more than {} levels of nesting", deepest_nesting), "split the expression into several");
            }
        }
        ~Level() { --parser_.nesting_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        ExpressionParser& parser_;
    };

    [[noreturn]] void fail_at(std::size_t offset, std::size_t length, std::string what, std::string hint) const {
        throw InputError({problem_at(text_, offset, length, std::move(what), std::move(hint))});
    }

    [[noreturn]] void fail(std::string what, std::string hint = {}) const {
        fail_at(offset_, token_.size(), std::move(what), std::move(hint));
    }

    [[noreturn]] void fail_expected(std::string_view expected) const {
        const std::string_view rest = text_.substr(offset_);
        for (const Habit& habit : habits) {
            if ((kind_ == Kind::unknown || habit.theirs == "**") && rest.starts_with(habit.theirs)) {
                fail_at(offset_, habit.theirs.size(), fmt::format("`{}` has no meaning here", habit.theirs),
                        fmt::format("write {}", habit.ours));
            }
        }
        const std::string found = token_.empty() ? "the end" : fmt::format("`{}`", token_);
        fail(fmt::format("expected {}, found {}", expected, found));
    }

    void advance() {
        offset_ += token_.size();
        while (offset_ < text_.size() && std::string_view(" \t\r\n").find(text_[offset_]) != std::string_view::npos) ++offset_;
        const std::string_view rest = text_.substr(offset_);
        if (rest.empty()) {
            kind_ = Kind::end;
            token_ = rest;
        } else if (is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]))) {
            scan_number(rest);
        } else if (starts_word(rest[0])) {
            scan_name(rest);
        } else {
            scan_symbol(rest);
        }
    }

    void scan_number(std::string_view rest) {
        kind_ = Kind::number;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number_);
        token_ = rest.substr(0, static_cast<std::size_t>(end - rest.data()));
        if (error != std::errc()) fail("the number is outside the range of double precision", "1e-307 to 1e308");
        if (const std::string_view after = rest.substr(token_.size()); !after.empty() && (continues_word(after[0]) || after[0] == '.')) {
            offset_ += token_.size();
            token_ = after.substr(0, 1);
            fail(fmt::format("`{}` right after a number", token_), "write * between them; a number is written 2, 0.5 or 1e-3");
        }
    }

    void scan_name(std::string_view rest) {
        kind_ = Kind::name;
        std::size_t n = 0;
        const auto skip = [&](auto belongs) {
            while (n < rest.size() && belongs(rest[n])) ++n;
        };
        skip(continues_word);
        while (n < rest.size() && (rest[n] == '.' || rest[n] == '[')) {
            const bool is_index = rest[n] == '[';
            const std::size_t first = ++n;
            if (is_index) skip(is_digit);
            if (!is_index && n < rest.size() && starts_word(rest[n])) skip(continues_word);
            if (n == first)
                fail_at(offset_ + n, 1, is_index ? "expected an index after `[`" : "expected a name after `.`", "such as a.b or a[0].b");
            if (is_index && (n == rest.size() || rest[n] != ']')) fail_at(offset_ + n, 1, "expected `]`", "such as a[0].b");
            if (is_index) ++n;
        }
        token_ = rest.substr(0, n);
    }

    void scan_symbol(std::string_view rest) {
        kind_ = Kind::symbol;
        for (const std::string_view two : {"<=", ">=", "==", "!="}) {
            if (rest.starts_with(two)) {
                token_ = rest.substr(0, 2);
                return;
            }
        }
        token_ = rest.substr(0, 1);
        if (std::string_view("+-*/^(),<>").find(rest[0]) != std::string_view::npos) return;
        // A whole character of several bytes, for the message.
        kind_ = Kind::unknown;
        std::size_t n = 1;
        while (n < rest.size() && n < 4 && (static_cast<unsigned char>(rest[0]) & 0x80) &&
               (static_cast<unsigned char>(rest[n]) & 0xc0) == 0x80)
            ++n;
        token_ = rest.substr(0, n);
    }

    bool is_next(std::string_view token) const { return kind_ != Kind::number && token_ == token; }

    bool took(std::string_view token) {
        if (!is_next(token)) return false;
        advance();
        return true;
    }

    void write(Operation operation, int pops, Instruction instruction = {}) {
        instruction.operation = operation;
        result_.program_.push_back(instruction);
        height_ += 1 - pops;
        if (height_ > static_cast<int>(stack_size)) {
            fail(fmt::format("more than {} intermediate values", stack_size), "split the expression into several");
        }
    }

    void read_or() {
        const Level level(*this);
        read_and();
        while (took("or")) {
            read_and();
            write(Operation::logical_or, 2);
        }
    }

    void read_and() {
        read_not();
        while (took("and")) {
            read_not();
            write(Operation::logical_and, 2);
        }
    }

    void read_not() {
        if (took("not")) {
            const Level level(*this);
            read_not();
            write(Operation::logical_not, 1);
        } else {
            read_comparison();
        }
    }

    const Operation* comparison() const {
        static constexpr std::array<std::pair<std::string_view, Operation>, 6> list{{{"<", Operation::less},
                                                                                     {"<=", Operation::less_equal},
                                                                                     {">", Operation::greater},
                                                                                     {">=", Operation::greater_equal},
                                                                                     {"==", Operation::equal},
                                                                                     {"!=", Operation::not_equal}}};
        for (const auto& [token, operation] : list) {
            if (is_next(token)) return &operation;
        }
        return nullptr;
    }

    void read_comparison() {
        read_sum();
        if (const Operation* operation = comparison()) {
            advance();
            read_sum();
            write(*operation, 2);
            if (comparison()) fail("comparisons do not chain", "write a < b and b < c");
        }
    }

    void read_sum() {
        read_product();
        while (is_next("+") || is_next("-")) {
            const Operation operation = is_next("+") ? Operation::add : Operation::subtract;
            advance();
            read_product();
            write(operation, 2);
        }
    }

    void read_product() {
        read_signed();
        while (is_next("*") || is_next("/")) {
            if (text_.substr(offset_).starts_with("**")) fail_expected("one operator");
            const Operation operation = is_next("*") ? Operation::multiply : Operation::divide;
            advance();
            read_signed();
            write(operation, 2);
        }
    }

    void read_signed() {
        if (is_next("-") || is_next("+")) {
            const Level level(*this);
            const bool is_minus = is_next("-");
            advance();
            read_signed();
            if (is_minus) write(Operation::negate, 1);
            return;
        }
        read_atom();
        if (took("^")) {
            const Level level(*this);
            read_signed();
            write(Operation::power, 2);
        }
    }

    void read_atom() {
        if (kind_ == Kind::number) {
            write(Operation::constant, 0, {.value = number_});
            advance();
        } else if (kind_ == Kind::name) {
            read_name();
        } else if (took("(")) {
            read_or();
            if (!took(")")) fail_expected("an operator or `)`");
        } else {
            fail_expected("a number, a name, a function or `(`");
        }
    }

    void read_name() {
        const std::string_view name = token_;
        const std::size_t offset = offset_;
        if (name == "and" || name == "or" || name == "not") fail_expected("a number, a name, a function or `(`");
        advance();
        const Function* function = find_function(name);
        if (is_next("(")) {
            if (!function) fail_unknown_function(name, offset);
            read_arguments(*function, offset);
        } else if (function) {
            fail_at(offset, name.size(), fmt::format("`{}` is a function", name), fmt::format("write {}", arguments_text(*function)));
        } else if (name == "pi") {
            write(Operation::constant, 0, {.value = std::numbers::pi});
        } else {
            write(Operation::variable, 0, {.index = index_of(name, offset)});
        }
    }

    [[noreturn]] void fail_unknown_function(std::string_view name, std::size_t offset) const {
        std::vector<std::string> known;
        for (const Function& f : functions) known.emplace_back(f.name);
        Problem problem = problem_at(text_, offset, name.size(), fmt::format("unknown function `{}`", name), did_you_mean(name, known));
        problem.note = "known here: " + joined(known);
        throw InputError({std::move(problem)});
    }

    void read_arguments(const Function& f, std::size_t offset) {
        advance();  // "("
        int count = 0;
        if (!is_next(")")) {
            do {
                read_or();
                ++count;
                if (f.most == 0 && count > 1) write(f.operation, 2);
            } while (took(","));
        }
        if (!is_next(")")) fail_expected("an operator, `,` or `)`");
        if (count < f.fewest || (f.most > 0 && count > f.most)) {
            fail_at(offset, offset_ + 1 - offset, fmt::format("`{}` with {} argument{}", f.name, count, count == 1 ? "" : "s"),
                    fmt::format("write {}", arguments_text(f)));
        }
        advance();
        if (f.most > 0) write(f.operation, f.most);
    }

    std::uint32_t index_of(std::string_view name, std::size_t offset) {
        auto& names = result_.names_;
        const auto it = std::find(names.begin(), names.end(), name);
        const auto index = static_cast<std::uint32_t>(it - names.begin());
        if (it == names.end()) {
            names.emplace_back(name);
            result_.offsets_.push_back(offset);
        }
        return index;
    }

    std::string_view text_;
    std::size_t offset_ = 0;  // of the token
    std::string_view token_;
    Kind kind_ = Kind::end;
    double number_ = 0;
    int nesting_ = 0;
    int height_ = 0;  // of the stack after the program so far
    Expression result_;
};

namespace {

// Every value is finite or NaN: a result that is not finite came out of a pole or an overflow.
double finite(double x) { return std::isfinite(x) ? x : not_a_number; }

double unary(Operation operation, double x) {
    switch (operation) {
        case Operation::negate: return -x;
        case Operation::logical_not: return std::isnan(x) ? x : static_cast<double>(x == 0);
        case Operation::sqrt: return std::sqrt(x);
        case Operation::exp: return std::exp(x);
        case Operation::log: return std::log(x);
        case Operation::log10: return std::log10(x);
        case Operation::sin: return std::sin(x);
        case Operation::cos: return std::cos(x);
        case Operation::tan: return std::tan(x);
        case Operation::asin: return std::asin(x);
        case Operation::acos: return std::acos(x);
        case Operation::atan: return std::atan(x);
        case Operation::abs: return std::fabs(x);
        default: return std::floor(x);
    }
}

// What does not depend on the unknown side is known: `x > 0 and log(x) < 1` is false for x = -1.
double both(double x, double y) {
    if (x == 0 || y == 0) return 0;
    return std::isnan(x) || std::isnan(y) ? not_a_number : 1;
}

double either(double x, double y) {
    const auto is_true = [](double value) { return value != 0 && !std::isnan(value); };
    if (is_true(x) || is_true(y)) return 1;
    return std::isnan(x) || std::isnan(y) ? not_a_number : 0;
}

double binary(Operation operation, double x, double y) {
    if (operation == Operation::logical_and) return both(x, y);
    if (operation == Operation::logical_or) return either(x, y);
    if (std::isnan(x) || std::isnan(y)) return not_a_number;  // pow(1, NaN), hypot, comparisons would hide it
    switch (operation) {
        case Operation::add: return x + y;
        case Operation::subtract: return x - y;
        case Operation::multiply: return x * y;
        case Operation::divide: return x / y;
        case Operation::power: return std::pow(x, y);
        case Operation::less: return x < y;
        case Operation::less_equal: return x <= y;
        case Operation::greater: return x > y;
        case Operation::greater_equal: return x >= y;
        case Operation::equal: return x == y;
        case Operation::not_equal: return x != y;
        case Operation::atan2: return std::atan2(x, y);
        case Operation::min: return std::min(x, y);
        case Operation::max: return std::max(x, y);
        default: return std::hypot(x, y);
    }
}

}  // namespace

double BoundExpression::evaluate(std::span<const double> values) const {
    ASPERITY_REQUIRE(values.size() == values_, "{} values for {} names", values.size(), values_);
    std::array<double, stack_size> stack;
    std::size_t height = 0;
    for (const Instruction& instruction : program_) {
        const Operation operation = instruction.operation;
        if (operation == Operation::constant) {
            stack[height++] = instruction.value;
        } else if (operation == Operation::variable) {
            stack[height++] = finite(values[instruction.index]);
        } else if (operation == Operation::select) {
            height -= 2;
            const double condition = stack[height - 1];
            stack[height - 1] = std::isnan(condition) ? condition : stack[condition != 0 ? height : height + 1];
        } else if (operation < Operation::add) {
            stack[height - 1] = finite(unary(operation, stack[height - 1]));
        } else {
            --height;
            stack[height - 1] = finite(binary(operation, stack[height - 1], stack[height]));
        }
    }
    return stack[0];
}

BoundExpression Expression::bind(std::span<const std::string> names) const {
    std::vector<Problem> unknown;
    std::vector<std::uint32_t> places;
    const std::vector<std::string> known(names.begin(), names.end());
    for (std::size_t i = 0; i < names_.size(); ++i) {
        const auto it = std::find(known.begin(), known.end(), names_[i]);
        places.push_back(static_cast<std::uint32_t>(it - known.begin()));
        if (it != known.end()) continue;
        unknown.push_back(
            problem_at(text_, offsets_[i], names_[i].size(), fmt::format("unknown name `{}`", names_[i]), did_you_mean(names_[i], known)));
        unknown.back().note = known.empty() ? "no name is known here" : "known here: " + joined(known);
    }
    if (!unknown.empty()) throw InputError(std::move(unknown));
    BoundExpression bound;
    bound.values_ = known.size();
    bound.program_ = program_;
    for (Instruction& instruction : bound.program_) {
        if (instruction.operation == Operation::variable) instruction.index = places[instruction.index];
    }
    return bound;
}

Expression parse(std::string_view text) { return ExpressionParser(text).expression(); }

}  // namespace asperity::statistics
