#include "asperity/scenario/contact_keys_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "asperity/core/suggest.h"
#include "asperity/scenario/roles.h"

namespace asperity::scenario {
namespace {

void check_friction(const Contact& contact, Checker& checker) {
    const auto key = [&](const char* name) { return contact.path() + "." + name; };
    const laws::PairLaw& law = contact.law;
    if (!checker.are_usable({key("friction"), key("friction_angle"), key("static_friction"), key("static_friction_angle"),
                             key("kinetic_speed"), key("slip_speed"), key("sliding")}))
        return;
    if (contact.friction_angle && law.friction > 0)
        checker.add(key("friction_angle"), "`friction` and `friction_angle` say the same thing", "leave one of them out");
    if (contact.static_friction_angle && law.static_friction)
        checker.add(key("static_friction_angle"), "`static_friction` and `static_friction_angle` say the same thing",
                    "leave one of them out");
    if (!contact.static_friction_angle && !law.static_friction) {
        if (law.kinetic_speed)
            checker.add(key("kinetic_speed"), "`kinetic_speed` belongs to `static_friction`, which is not given",
                        "add for example static_friction = 0.6, or leave it out");
        return;
    }
    const char* given = contact.static_friction_angle ? "static_friction_angle" : "static_friction";
    const double in_motion = contact.friction_angle ? std::tan(*contact.friction_angle) : law.friction;
    const double at_rest = contact.static_friction_angle ? std::tan(*contact.static_friction_angle) : *law.static_friction;
    if (at_rest < in_motion)
        checker.add(key(given),
                    fmt::format("the friction of what does not slide, {:.6g}, is below that of what slides, {:.6g}", at_rest, in_motion),
                    "take at least as much");
    const double from = law.holds() ? 0 : contact.slip_speed.value_or(0);
    if (!law.kinetic_speed)
        checker.add(key(given), fmt::format("`{}` needs `kinetic_speed`, the slip from which friction is that of what slides", given),
                    fmt::format("add for example kinetic_speed = \"{:g} m/s\"", from > 0 ? 2 * from : 0.01));
    else if (!(*law.kinetic_speed > from))
        checker.add(key("kinetic_speed"), fmt::format("`kinetic_speed` is not above {}", from > 0 ? "`slip_speed`" : "zero"),
                    fmt::format("take for example \"{:g} m/s\"", from > 0 ? 2 * from : 0.01));
}

void check_rest_penetration(const Scenario& scenario, const Contact& contact, Checker& checker) {
    const auto key = [&](const char* name) { return contact.path() + "." + name; };
    if (!contact.rest_penetration || !checker.are_usable({key("rest_penetration"), key("stiffness"), key("damping")})) return;
    const RestPenetration& rest = *contact.rest_penetration;
    for (const auto& [name, is_given] :
         {std::pair{"stiffness", contact.stiffness.has_value()}, {"damping", contact.law.damping.has_value()}})
        if (is_given) checker.add(key(name), fmt::format("`{}` and `rest_penetration` say the same thing", name), "leave one of them out");
    if (contact.law.normal_law != laws::NormalLaw::hooke)
        checker.add(key("rest_penetration"), "`rest_penetration` gives a linear spring, and normal_law = \"hertz\" has none",
                    "take normal_law = \"hooke\", or `modulus` in its place");
    const auto moving = roles_of(scenario).moving;
    if (std::ranges::none_of(moving, [&](const Body* body) { return body->name == rest.weight_of; })) {
        std::vector<std::string> names;
        for (const Body* body : moving) names.push_back(body->name);
        checker.add(key("rest_penetration.weight_of"), fmt::format("no body that moves is called `{}`", rest.weight_of),
                    did_you_mean(rest.weight_of, names));
    }
    if (!rest.gravity && norm(scenario.gravity.uniform.value_or(Vec3{})) == 0)
        checker.add(key("rest_penetration"), "`rest_penetration` needs `gravity`: there is no uniform field from which a weight follows",
                    "add for example gravity = \"3.7 m/s^2\"");
}

}  // namespace

void check_contact_keys(const Scenario& scenario, const Contact& contact, Checker& checker) {
    check_friction(contact, checker);
    check_rest_penetration(scenario, contact, checker);
}

}  // namespace asperity::scenario
