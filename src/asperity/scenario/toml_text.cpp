#include "asperity/scenario/toml_text.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace {
[[noreturn]] void give_up() { throw std::logic_error("toml++ cannot read this text"); }
}  // namespace

// toml++ asserts conditions that some texts violate; with NDEBUG it even relies on them, with undefined behaviour. Here it throws instead.
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : give_up())
// No scenario nests deeper; toml++ and our tree are recursive, and hostile files are deep.
#define TOML_MAX_NESTED_VALUES 32
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace asperity::scenario {
namespace {

constexpr int most_dots = 16;  // in one key: toml++ sets no limit, and each dot is a level of nesting
constexpr int most_headers = 10000;

Mark mark_of(const toml::source_region& region, int file) {
    Mark mark{.file = file, .line = static_cast<int>(region.begin.line), .column = static_cast<int>(region.begin.column)};
    const auto width = static_cast<int>(region.end.column) - static_cast<int>(region.begin.column);
    // A token over several lines is underlined to the end of its first line, where the printer cuts it.
    mark.length = region.end.line > region.begin.line ? 1000000 : std::max(width, 1);
    return mark;
}

Node node_of(const toml::node& from, int file);

void add_members(Node& node, const toml::table& table, int file) {
    for (const auto& [key, value] : table) {
        node.members.push_back({std::string(key.str()), mark_of(key.source(), file), node_of(value, file)});
    }
    // toml++ sorts by name
    std::stable_sort(node.members.begin(), node.members.end(), [](const Member& a, const Member& b) {
        return std::pair(a.key_mark.line, a.key_mark.column) < std::pair(b.key_mark.line, b.key_mark.column);
    });
}

Node node_of(const toml::node& from, int file) {
    Node node;
    node.mark = mark_of(from.source(), file);
    if (const toml::table* table = from.as_table()) {
        node.kind = Node::Kind::table;
        node.is_inline = table->is_inline();
        add_members(node, *table, file);
    } else if (const toml::array* array = from.as_array()) {
        node.kind = Node::Kind::array;
        for (const toml::node& item : *array) node.items.push_back(node_of(item, file));
    } else if (const auto* text = from.as_string()) {
        node.kind = Node::Kind::text;
        node.text = text->get();
    } else if (const auto* integer = from.as_integer()) {
        node.kind = Node::Kind::integer;
        node.integer = integer->get();
        node.number = static_cast<double>(integer->get());
    } else if (const auto* number = from.as_floating_point()) {
        node.kind = Node::Kind::number;
        node.number = number->get();
    } else if (const auto* boolean = from.as_boolean()) {
        node.kind = Node::Kind::boolean;
        node.boolean = boolean->get();
    } else {
        node.kind = Node::Kind::date;
    }
    return node;
}

struct Fault {
    std::string what;
    std::size_t offset = 0;  // bytes
};

// Walks over the text as far as is needed to know what is a key and what is a string or a comment, and finds what toml++ cannot
// be given: keys that nest without limit, section names that it asserts about, more sections than it finds again in linear time.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    std::optional<Fault> first_fault() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"' || c == '\'') {
                skip_string(c);
                is_line_start_ = false;
            } else if (c == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (c == '[' && is_line_start_ && depth_ == 0) {
                if (auto fault = header_fault()) return fault;
            } else {
                if (c == '.' && ++dots_ > most_dots) return Fault{fmt::format("a key of more than {} parts", most_dots), at_};
                pass(c);
            }
        }
        return {};
    }

private:
    void pass(char c) {
        if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots_ = 0;
        if (!is_header_ && (c == '[' || c == '{')) ++depth_;
        if (!is_header_ && (c == ']' || c == '}') && depth_ > 0) --depth_;
        if (c == '\n') is_header_ = false;
        is_line_start_ = c == '\n' || (is_line_start_ && (c == ' ' || c == '\t' || c == '\r'));
        ++at_;
    }

    std::optional<Fault> header_fault() {
        if (++headers_ > most_headers) return Fault{fmt::format("more than {} sections", most_headers), at_};
        is_header_ = true;
        is_line_start_ = false;
        dots_ = 0;
        at_ += text_.compare(at_, 2, "[[") == 0 ? 2 : 1;
        at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
        if (at_ == text_.size()) return {};  // the parser complains
        const char c = text_[at_];
        const bool is_name =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '"' || c == '\'';
        if (is_name || c == ']' || c == '\n' || c == '\r') return {};
        return Fault{"not valid TOML, in table header: expected the name of a section", at_};
    }

    void skip_string(char quote) {
        const std::string three(3, quote);
        const bool is_long = text_.compare(at_, 3, three) == 0;
        at_ += is_long ? 3 : 1;
        while (at_ < text_.size()) {
            if (quote == '"' && text_[at_] == '\\') {
                at_ = std::min(at_ + 2, text_.size());
            } else if (is_long ? text_.compare(at_, 3, three) == 0 : text_[at_] == quote) {
                at_ += is_long ? 3 : 1;
                return;
            } else if (!is_long && text_[at_] == '\n') {
                return;  // the parser complains
            } else {
                ++at_;
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int dots_ = 0;
    int depth_ = 0;
    int headers_ = 0;
    bool is_line_start_ = true;
    bool is_header_ = false;
};

Mark mark_of_offset(std::string_view text, std::size_t offset, int file) {
    const std::string_view before = text.substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return {.file = file, .line = static_cast<int>(line), .column = static_cast<int>(offset - line_start) + 1};
}

// "Error while parsing table header: expected ']', saw '\n'" -> "not valid TOML, in a table header: expected ']', saw '\n'"
std::string error_text(std::string_view description) {
    constexpr std::string_view opening = "Error while parsing ";
    if (description.starts_with(opening)) return fmt::format("not valid TOML, in {}", description.substr(opening.size()));
    std::string text(description);
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return "not valid TOML: " + text;
}

// The parser stops at the letter or comma that follows a number: a quantity without quotes, or a decimal comma.
std::string hint_of(std::string_view text, const Mark& mark) {
    const std::vector<std::string> lines = lines_of(text);
    if (mark.line < 1 || static_cast<std::size_t>(mark.line) > lines.size() || mark.column < 2) return {};
    const std::string& line = lines[static_cast<std::size_t>(mark.line) - 1];
    const auto at = static_cast<std::size_t>(mark.column) - 1;
    constexpr std::string_view of_numbers = "0123456789.+-_eE";
    constexpr std::string_view of_units = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*/^-";
    if (at >= line.size()) return {};
    const std::size_t last = line.find_last_not_of(" \t", at - 1);
    if (last == std::string::npos || of_numbers.substr(0, 11).find(line[last]) == std::string_view::npos) return {};
    if (line[at] == ',' && last + 1 == at) return "use a point for decimals";
    const bool is_letter = (line[at] >= 'a' && line[at] <= 'z') || (line[at] >= 'A' && line[at] <= 'Z');
    if (!is_letter) return {};
    const std::size_t before = line.find_last_not_of(of_numbers, last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(line.find_first_not_of(of_units, at), line.size());
    constexpr std::size_t longest = 60;  // of a hostile file
    if (end - first > longest) return {};
    return fmt::format("quantities are text: write \"{} {}\", in quotes", line.substr(first, last + 1 - first), line.substr(at, end - at));
}

}  // namespace

TomlResult parse_toml(std::string_view text, int file_index) {
    TomlResult result;
    if (const auto fault = Scanner(text).first_fault()) {
        result.error = fault->what;
        result.error_mark = mark_of_offset(text, fault->offset, file_index);
        return result;
    }
    try {
        const toml::table table = toml::parse(text);
        result.root = node_of(table, file_index);
    } catch (const toml::parse_error& error) {
        result.error = error_text(error.description());
        result.error_mark = mark_of(error.source(), file_index);
        result.error_mark.length = 1;
        result.hint = hint_of(text, result.error_mark);
    } catch (const std::logic_error& error) {
        result.error = fmt::format("not valid TOML: {}", error.what());
        result.error_mark = {.file = file_index};
    }
    return result;
}

std::vector<std::string> lines_of(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte-order mark: no column of its own
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.emplace_back(line);
        begin = end + 1;
    }
    return lines;
}

}  // namespace asperity::scenario
