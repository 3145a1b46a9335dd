#include "asperity/scenario/old_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "asperity/core/units.h"
#include "asperity/geometry/builtin_shapes.h"
#include "asperity/scenario/place.h"

namespace asperity::scenario {
namespace {

std::string text_of(const Node& node) {
    switch (node.kind) {
        case Node::Kind::boolean: return node.boolean ? "true" : "false";
        case Node::Kind::integer: return std::to_string(node.integer);
        case Node::Kind::number: return number_text(node.number);
        case Node::Kind::text: return fmt::format("\"{}\"", node.text);
        default: break;
    }
    std::string out;
    for (const Node& item : node.items) out += (out.empty() ? "" : ", ") + text_of(item);
    for (const Member& member : node.members) out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", member.key, text_of(member.value));
    return node.kind == Node::Kind::table ? "{ " + out + " }" : "[" + out + "]";
}

// The new form of one section, key by key.
class NewForm {
public:
    explicit NewForm(const Node& old) : old_(old) {}

    const Node* find(std::string_view key) const {
        const Member* member = old_.find(key);
        return member ? &member->value : nullptr;
    }
    void add(const std::string& line) { text_ += (text_.empty() ? "" : ", ") + line; }
    // "mass = ..." under its old or a new name, where the file has it.
    void copy(std::string_view key, std::string_view as = {}) {
        if (const Node* value = find(key)) add(fmt::format("{} = {}", as.empty() ? key : as, text_of(*value)));
    }
    // The same of several keys, in braces after a name.
    void group(std::string_view name, std::initializer_list<std::pair<std::string_view, std::string_view>> keys) {
        std::string inner;
        for (const auto& [key, as] : keys)
            if (const Node* value = find(key)) inner += fmt::format("{}{} = {}", inner.empty() ? "" : ", ", as, text_of(*value));
        if (!inner.empty()) add(fmt::format("{} = {{ {} }}", name, inner));
    }
    // Every key but some.
    void rest(std::initializer_list<std::string_view> without = {}) {
        for (const Member& member : old_.members)
            if (std::find(without.begin(), without.end(), member.key) == without.end()) copy(member.key);
    }
    std::string in(std::string_view heading) const {
        return text_.empty() ? fmt::format("write {}", heading) : fmt::format("write {} with {}", heading, text_);
    }

private:
    const Node& old_;
    std::string text_;
};

std::string body_name(const Node& root) {
    const Member* world = root.find("world");
    const Member* shape = world && world->value.kind == Node::Kind::table ? world->value.find("shape") : nullptr;
    const bool is_builtin = shape && shape->value.kind == Node::Kind::text && geometry::find_builtin_shape(shape->value.text) != nullptr;
    return is_builtin ? shape->value.text : "ground";
}

void add_shape(NewForm& form) {
    const Node* shape = form.find("shape");
    if (shape == nullptr || shape->kind != Node::Kind::text) return;
    const bool is_builtin = geometry::find_builtin_shape(shape->text) != nullptr;
    if (is_builtin)
        form.group("shape", {{"shape", "builtin"}, {"facets", "facets"}});
    else
        form.group("shape", {{"shape", "mesh"}, {"unit", "unit"}});
}

std::string world_hint(const Node& table, const std::string& name) {
    NewForm form(table);
    const Node* kind = form.find("kind");
    const std::string_view is = kind && kind->kind == Node::Kind::text ? std::string_view(kind->text) : std::string_view{};
    if (is == "free") {
        form.copy("gravity", "mutual");
        if (!form.find("gravity")) form.add("mutual = \"points\"");
        form.copy("gravitational_constant", "constant");
        return form.in("[gravity]");
    }
    if (is == "body") {
        add_shape(form);
        for (const char* key : {"principal_axes", "scale", "facet_values"}) form.copy(key);
        return form.in(fmt::format("frame = \"{0}\" at the top of the file, and [body.{0}]", name));
    }
    if (is == "mesh") {
        form.group("shape", {{"file", "mesh"}, {"unit", "unit"}});
    } else {
        std::string inner = fmt::format("surface = \"{}\"", is == "flat" || is.empty() ? "plain" : is);
        for (const Member& member : table.members)
            if (member.key != "kind") inner += fmt::format(", {} = {}", member.key, text_of(member.value));
        form.add(fmt::format("shape = {{ {} }}", inner));
    }
    form.add("fixed = true");
    return form.in(fmt::format("[body.{}]", name));
}

std::string gravity_hint(const Node& table, const std::string& name) {
    NewForm form(table);
    if (form.find("acceleration")) {
        form.copy("acceleration", "uniform");
        return form.in("[gravity]");
    }
    for (const char* key : {"density", "mass"}) form.copy(key);
    form.copy("period", "spin_period");
    form.copy("attitude", "spin_phase");
    const bool has_options = form.find("field") || form.find("bound") || form.find("icosphere") || form.find("linear_reach");
    if (has_options)
        form.group("attracts", {{"field", "field"}, {"bound", "bound"}, {"icosphere", "icosphere"}, {"linear_reach", "linear_reach"}});
    else
        form.add("attracts = {}");
    const Node* frame = form.find("frame");
    const bool is_inertial = frame && frame->kind == Node::Kind::text && frame->text == "inertial";
    return form.in(fmt::format("[body.{}]", name)) +
           (is_inertial ? "; leave `frame` out, for inertial axes" : fmt::format("; frame = \"{}\" at the top of the file", name)) +
           (form.find("constant") ? "; `constant` is in [gravity]" : "") +
           (form.find("spin_transport") ? "; `spin_transport` is at the top" : "");
}

std::string body_hint(const Node& item, const std::string& name) {
    NewForm form(item);
    form.copy("count");
    form.group("shape", {{"radius", "sphere"}, {"semi_axes", "ellipsoid"}});
    for (const char* key : {"density", "mass", "yorp"}) form.copy(key);
    form.group("tide", {{"love_number", "love_number"},
                        {"rigidity", "rigidity"},
                        {"quality", "quality"},
                        {"lag_angle", "lag_angle"},
                        {"time_lag", "time_lag"}});
    NewForm start(item);
    for (const char* key : {"position", "velocity", "spin", "attitude", "position_sigma", "velocity_sigma", "spin_sigma"}) start.copy(key);
    const bool has_start = item.find("position") || item.find("spin") || item.find("attitude") || item.find("position_sigma");
    return form.in(fmt::format("[body.{}]", name)) + (has_start ? "; " + start.in(fmt::format("[body.{}.start]", name)) : "");
}

}  // namespace

std::vector<Problem> old_sections(const Document& document) {
    std::vector<Problem> problems;
    const Node& root = document.root;
    const std::string ground = body_name(root);
    const auto tell = [&](const Member& member, const std::string& section, const std::string& hint) {
        const Place place = document.place(member.key_mark, section);
        problems.push_back(problem_at({{"", place}}, "", fmt::format("{} is written in another way now", section), hint,
                                      "every body is a [body.NAME], and [contact.\"A/B\"] says how two materials touch"));
    };
    const auto table_of = [&](const char* name) -> const Member* {
        const Member* member = root.find(name);
        return member && member->value.kind == Node::Kind::table ? member : nullptr;
    };
    if (const Member* world = table_of("world")) tell(*world, "[world]", world_hint(world->value, ground));
    if (const Member* gravity = table_of("gravity")) {
        const std::array<const char*, 11> keys{"kind",  "acceleration", "density", "mass",         "period",        "attitude",
                                               "frame", "field",        "bound",   "linear_reach", "spin_transport"};
        if (std::any_of(keys.begin(), keys.end(), [&](const char* key) { return gravity->value.find(key) != nullptr; }))
            tell(*gravity, "[gravity]", gravity_hint(gravity->value, ground));
    }
    if (const Member* ball = table_of("ball")) {
        NewForm form(ball->value);
        form.group("shape", {{"radius", "sphere"}});
        form.rest({"radius"});
        tell(*ball, "[ball]", form.in("[body.lander]"));
    }
    if (const Member* release = table_of("release")) {
        NewForm form(release->value);
        form.rest({"start_in_contact"});
        form.copy("start_in_contact", "in_contact");
        tell(*release, "[release]", form.in("[body.lander.start]"));
    }
    if (const Member* contact = table_of("contact")) {
        const bool is_flat = std::any_of(contact->value.members.begin(), contact->value.members.end(),
                                         [](const Member& member) { return member.value.kind != Node::Kind::table; });
        if (is_flat) {
            NewForm form(contact->value);
            form.rest();
            tell(*contact, "[contact]",
                 form.in(fmt::format("[contact.\"lander/{}\"]", ground)) + ", by the materials or names of the bodies");
        }
    }
    if (const Member* companion = table_of("companion")) {
        NewForm form(companion->value);
        add_shape(form);
        for (const char* key : {"principal_axes", "scale", "density", "mass"}) form.copy(key);
        form.copy("period", "spin_period");
        form.copy("attitude", "spin_phase");
        if (form.find("field"))
            form.group("attracts", {{"field", "field"}});
        else
            form.add("attracts = {}");
        std::string orbit = fmt::format("orbit = {{ about = \"{}\"", ground);
        for (const char* key : {"separation", "eccentricity", "mean_anomaly", "direction"})
            if (const Node* value = form.find(key)) orbit += fmt::format(", {} = {}", key, text_of(*value));
        form.add(orbit + " }");
        tell(*companion, "[companion]", form.in("[body.companion]"));
    }
    if (const Member* touch = table_of("touch")) {
        NewForm form(touch->value);
        form.rest();
        tell(*touch, "[touch]", form.in("[contact.\"*/*\"]"));
    }
    if (const Member* tides = table_of("tides")) {
        NewForm form(tides->value);
        form.rest();
        tell(*tides, "[tides]", form.in("[gravity.tides]"));
    }
    if (const Member* patch = root.find("patch"))
        tell(*patch, "[[patch]]",
             fmt::format("write [[body.{0}.patch]] with its borders and material = \"sand\", and its laws in [contact.\"lander/sand\"]",
                         ground));
    if (const Member* body = root.find("body"); body && body->value.kind == Node::Kind::array)
        for (std::size_t i = 0; i < body->value.items.size(); ++i) {
            const Node& item = body->value.items[i];
            Member at = *body;
            at.key_mark = item.mark;
            tell(at, "[[body]]", body_hint(item, i == 0 ? "first" : fmt::format("body-{}", i + 1)));
        }
    if (const Member* start = table_of("start");
        start &&
        (start->value.find("moved_body") || (start->value.find("moved") && start->value.find("moved")->value.kind == Node::Kind::array))) {
        NewForm form(start->value);
        const Node* by = form.find("moved");
        tell(*start, "`moved_body` of [start]",
             fmt::format("write moved = {{ body = \"NAME\", by = {} }}", by ? text_of(*by) : "[\"1 m\", \"0 m\", \"0 m\"]"));
    }
    return problems;
}

}  // namespace asperity::scenario
