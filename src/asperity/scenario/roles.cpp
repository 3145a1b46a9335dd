#include "asperity/scenario/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "asperity/core/errors.h"

namespace asperity::scenario {

bool is_ground(const Scenario& scenario, const Body& body) {
    if (!body.one_of.empty() || body.orbit || body.motion || body.start) return false;
    return body.fixed || body.attracts || (!scenario.frame.empty() && body.name == scenario.frame);
}

Roles roles_of(const Scenario& scenario) {
    Roles roles;
    for (const Body& body : scenario.bodies) {
        if (!body.one_of.empty()) continue;
        if (is_ground(scenario, body)) {
            roles.fixed.push_back(&body);
            const bool is_surface = body.has_facets() || body.attracts || body.name == scenario.frame;
            if (roles.ground == nullptr && is_surface) roles.ground = &body;
        } else if (body.orbit) {
            if (roles.companion == nullptr) roles.companion = &body;
        } else if (body.motion) {
            roles.driven.push_back(&body);
        } else {
            roles.moving.push_back(&body);
        }
    }
    return roles;
}

bool touches_driven(const Scenario& scenario) {
    return std::ranges::any_of(scenario.phases, [](const model::Phase& phase) {
        const dynamics::MethodEntry* method = dynamics::find_method(phase.method);
        return method != nullptr && method->touches_driven;
    });
}

bool has_turning_ground(const Scenario& scenario, const Roles& roles) {
    return roles.has_attraction() && !roles.ground->fixed && scenario.frame != roles.ground->name;
}

std::vector<const Body*> driven_bodies(const Scenario& scenario) {
    const Roles roles = roles_of(scenario);
    std::vector<const Body*> out = roles.driven;
    if (!touches_driven(scenario)) return out;
    if (has_turning_ground(scenario, roles)) out.push_back(roles.ground);
    if (roles.companion != nullptr) out.push_back(roles.companion);
    return out;
}

std::vector<MovingRow> moving_rows(const Scenario& scenario) {
    std::vector<MovingRow> rows;
    for (const Body* body : roles_of(scenario).moving) {
        for (std::int64_t k = 0; k < body->count; ++k) {
            MovingRow row{.body = body,
                          .start = body->start ? &*body->start : nullptr,
                          .name = name_of_one(*body, k),
                          .path = body->path() + (body->start ? ".start" : "")};
            for (const Body& one : scenario.bodies) {
                if (one.one_of != body->name || one.name != row.name || !one.start) continue;
                row.start = &*one.start;
                row.path = one.path() + ".start";
            }
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::vector<model::NamedBody> told_bodies(const Scenario& scenario) {
    std::vector<model::NamedBody> out;
    std::int64_t row = 0;
    for (const Body* body : roles_of(scenario).moving) {
        const bool is_told = body->count <= static_cast<std::int64_t>(model::most_told_one_by_one);
        for (std::int64_t k = 0; is_told && k < body->count; ++k)
            out.push_back({.row = static_cast<std::uint32_t>(row + k), .name = name_of_one(*body, k)});
        row += body->count;
    }
    if (out.size() > model::most_told_one_by_one) out.clear();
    return out;
}

const Body* first_moving(const Scenario& scenario) {
    const Roles roles = roles_of(scenario);
    return roles.moving.empty() ? nullptr : roles.moving.front();
}

const BodyStart& first_start(const Scenario& scenario) {
    static const BodyStart none;
    const std::vector<MovingRow> rows = moving_rows(scenario);
    return rows.empty() || rows[0].start == nullptr ? none : *rows[0].start;
}

BodyStart& first_start(Scenario& scenario) {
    const Body* first = first_moving(scenario);
    ASPERITY_REQUIRE(first != nullptr, "no body of {} moves", scenario.name);
    for (Body& body : scenario.bodies) {
        if (&body != first) continue;
        if (!body.start) body.start.emplace();
        return *body.start;
    }
    return *scenario.bodies.front().start;
}

std::string first_start_path(const Scenario& scenario) {
    const Body* first = first_moving(scenario);
    return first == nullptr ? std::string("body") : first->path() + ".start";
}

double radius_of(const Body& body) {
    const auto* sphere = body.as<SphereShape>();
    return sphere == nullptr ? 0 : sphere->radius;
}

std::vector<std::string> materials_of(const Body& body) {
    std::vector<std::string> out;
    if (body.colliders.empty() || body.has_facets()) out.push_back(body.surface_material());
    for (const Collider& collider : body.colliders) out.push_back(body.material_of(collider));
    for (const Patch& patch : body.patches) out.push_back(body.material_of(patch));
    return out;
}

const Contact* contact_of(const Scenario& scenario, std::string_view a, std::string_view b) {
    const auto named = [&](std::string_view first, std::string_view second) -> const Contact* {
        const std::string name = fmt::format("{}/{}", first, second);
        const auto found =
            std::find_if(scenario.contacts.begin(), scenario.contacts.end(), [&](const Contact& c) { return c.name == name; });
        return found == scenario.contacts.end() ? nullptr : &*found;
    };
    const std::array<std::pair<std::string_view, std::string_view>, 7> order{
        {{a, b}, {b, a}, {a, "*"}, {"*", a}, {b, "*"}, {"*", b}, {"*", "*"}}};
    for (const auto& [first, second] : order)
        if (const Contact* found = named(first, second)) return found;
    return nullptr;
}

const Contact& ground_contact(const Scenario& scenario) {
    static const Contact none;
    const Roles roles = roles_of(scenario);
    if (roles.fixed.empty() || roles.moving.empty()) return none;
    const Contact* found = contact_of(scenario, roles.moving[0]->surface_material(), roles.fixed[0]->surface_material());
    return found == nullptr ? none : *found;
}

}  // namespace asperity::scenario
