// Reading of one table of a file of published numbers: takes keys out of it, collects problems with their place, and finds what is left
// over.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/reproduce/printed.h"
#include "asperity/reproduce/standing.h"
#include "asperity/scenario/document.h"

namespace asperity::reproduce {

class Section {
public:
    Section(const scenario::Document& document, const scenario::Node& node, std::string section, std::vector<Problem>& problems)
        : document_(document), node_(node), section_(std::move(section)), problems_(problems) {}

    void fail(const scenario::Mark& mark, std::string what, std::string hint = {}) {
        problems_.push_back(scenario::problem_at({{"", document_.place(mark, section_)}}, "", std::move(what), std::move(hint)));
    }
    const scenario::Node* take(const char* key, scenario::Node::Kind kind, bool is_required) {
        known_.emplace_back(key);
        const scenario::Member* member = node_.find(key);
        if (member == nullptr) {
            if (is_required) fail(node_.mark, fmt::format("missing key `{}`", key));
            return nullptr;
        }
        if (member->value.kind == kind) return &member->value;
        fail(member->value.mark, fmt::format("`{}` is {}, not {}", key, name(member->value.kind), name(kind)));
        return nullptr;
    }
    std::string text(const char* key, bool is_required) {
        const scenario::Node* node = take(key, scenario::Node::Kind::text, is_required);
        if (node == nullptr) return {};
        if (node->text.empty()) fail(node->mark, fmt::format("`{}` is empty", key), "leave it out");
        return node->text;
    }
    std::optional<Printed> printed(const char* key) {
        const scenario::Node* node = take(key, scenario::Node::Kind::text, false);
        if (node == nullptr) return {};
        char* end = nullptr;
        const long double value = std::strtold(node->text.c_str(), &end);
        if (node->text.empty() || *end != 0 || !(value - value == 0))
            fail(node->mark, fmt::format("`{}` is not a number: \"{}\"", key, node->text),
                 "a number as text, digit for digit: \"0.0051\", \"1.2e-7\"");
        return Printed{node->text, value};
    }
    // "none": not-a-number.
    std::optional<Printed> printed_or_none(const char* key) {
        const scenario::Member* member = node_.find(key);
        if (member == nullptr || member->value.text != "none") return printed(key);
        known_.emplace_back(key);
        return Printed{"none", std::numeric_limits<long double>::quiet_NaN()};
    }
    std::optional<Standing> standing(const char* key, bool is_required) {
        const scenario::Node* node = take(key, scenario::Node::Kind::text, is_required);
        return node == nullptr ? std::nullopt : as_standing(key, *node);
    }
    std::optional<Standing> as_standing(const char* key, const scenario::Node& node) {
        std::vector<std::string> known;
        for (const Standing one : {Standing::agrees, Standing::refuted, Standing::open}) {
            if (node.text == name(one)) return one;
            known.emplace_back(name(one));
        }
        fail(node.mark, fmt::format("`{}` is one of {}, not \"{}\"", key, joined(known), node.text), did_you_mean(node.text, known));
        return {};
    }
    void finish() {
        for (const scenario::Member& member : node_.members)
            if (std::find(known_.begin(), known_.end(), member.key) == known_.end())
                fail(member.key_mark, fmt::format("unknown key `{}`", member.key), did_you_mean(member.key, known_));
    }
    const scenario::Mark& mark_of(const char* key) const {
        const scenario::Member* member = node_.find(key);
        return member == nullptr ? node_.mark : member->value.mark;
    }

private:
    const scenario::Document& document_;
    const scenario::Node& node_;
    std::string section_;
    std::vector<Problem>& problems_;
    std::vector<std::string> known_;
};

}  // namespace asperity::reproduce
