#include "asperity/scenario/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "asperity/analysis/metrics.h"
#include "asperity/analysis/resting_configurations.h"
#include "asperity/core/suggest.h"
#include "asperity/scenario/check_colliders.h"
#include "asperity/scenario/checker.h"
#include "asperity/scenario/contact_keys_check.h"
#include "asperity/scenario/guards.h"
#include "asperity/scenario/roles.h"

namespace asperity::scenario {
namespace {

constexpr double most_samples = 1e7;
constexpr double most_checkpoints = 1e5;
constexpr std::size_t most_phases = 1000;

void check_contact(const Scenario& scenario, const Contact& contact, bool has_ground, Checker& checker) {
    const auto key = [&](const char* name) { return contact.path() + "." + name; };
    const laws::PairLaw& law = contact.law;
    check_contact_keys(scenario, contact, checker);
    if (checker.are_usable({key("restitution"), key("completion")}) && law.restitution == 1 && law.completion != laws::Completion::none &&
        has_ground) {
        checker.add(key("restitution"), "bounces with `restitution` = 1 never end, so that they cannot be completed",
                    "take a smaller one, or completion = \"none\"");
    }
    if (checker.are_usable({key("rest_below_speed"), key("rest_below_slope")}) &&
        (law.rest_below_speed > 0) != (law.rest_below_slope > 0)) {
        const bool has_speed = law.rest_below_speed > 0;
        checker.add(key(has_speed ? "rest_below_speed" : "rest_below_slope"),
                    "`rest_below_speed` and `rest_below_slope` belong together: a slow body on a slope may be turning round",
                    has_speed ? "add for example rest_below_slope = \"20 deg\"" : "add for example rest_below_speed = \"1e-5 m/s\"");
    }
    if (!checker.are_usable({key("regularisation_speed"), key("regularised_end_speed")})) return;
    if (law.regularisation_speed > 0 && !(law.regularised_end_speed > 0)) {
        checker.add(key("regularisation_speed"),
                    "`regularisation_speed` needs `regularised_end_speed`: regularised motion never stops by itself",
                    "add for example regularised_end_speed = \"1e-9 m/s\"");
    }
}

// Names of contacts are pairs of materials that there are, each pair once.
void check_contacts(const Scenario& scenario, Checker& checker) {
    std::vector<std::string> known;
    for (const Body& body : scenario.bodies) {
        if (!body.one_of.empty()) continue;
        for (std::string& material : materials_of(body)) known.push_back(std::move(material));
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (const Contact& contact : scenario.contacts) {
        const auto [a, b] = contact.materials();
        if (a.empty() || b.empty()) {
            checker.add(contact.path(), fmt::format("\"{}\" does not name two materials", contact.name),
                        fmt::format("write them with a slash, for example [contact.\"{0}/{0}\"]", known.empty() ? "rock" : known[0]));
            continue;
        }
        for (const std::string& material : {a, b})
            if (material != "*" && std::find(known.begin(), known.end(), material) == known.end())
                checker.add(contact.path(), fmt::format("no body is of material `{}`", material), did_you_mean(material, known));
        const std::string turned = fmt::format("{}/{}", b, a);
        if (a < b && std::any_of(scenario.contacts.begin(), scenario.contacts.end(), [&](const Contact& c) { return c.name == turned; }))
            checker.add(contact.path(), fmt::format("\"{}\" and \"{}\" are the same pair", contact.name, turned), "leave one of them out");
        check_contact(scenario, contact, roles_of(scenario).has_ground(), checker);
    }
}

// Materials that can touch have a law.
void check_touching(const Scenario& scenario, const Roles& roles, Checker& checker) {
    std::set<std::string> told;
    const auto require = [&](const std::string& a, const std::string& b, const Body& body) {
        if (contact_of(scenario, a, b) != nullptr || !told.insert(a < b ? a + "/" + b : b + "/" + a).second) return;
        checker.add(body.path(), fmt::format("nothing says how `{}` and `{}` touch", a, b),
                    fmt::format("add [contact.\"{}/{}\"] with `restitution` and `friction`", a, b));
    };
    for (std::size_t i = 0; i < roles.moving.size(); ++i) {
        const Body& body = *roles.moving[i];
        const std::vector<std::string> own = materials_of(body);
        const auto require_all = [&](const Body& other) {
            const std::vector<std::string> others = materials_of(other);
            for (const std::string& a : own)
                for (const std::string& b : others) require(a, b, b == others.front() ? body : other);
        };
        for (const Body* fixed : roles.fixed) require_all(*fixed);
        for (const Body* other : driven_bodies(scenario))
            for (const std::string& a : own) require(a, other->surface_material(), body);
        for (std::size_t j = i; j < roles.moving.size(); ++j)
            if ((j > i || body.count > 1) && !are_kept_apart(scenario, body.name, roles.moving[j]->name)) require_all(*roles.moving[j]);
    }
}

// A start at an equilibrium, and which way it goes.
void check_equilibrium_start(const Scenario& scenario, const BodyStart& start, const std::string& path, Checker& checker) {
    const auto key = [&](const char* name) { return path + "." + name; };
    if (!checker.are_usable({key("at"), key("velocity"), key("direction"), key("speed")})) return;
    if (start.direction == StartDirection::velocity) {
        if (start.speed) checker.add(key("speed"), "`speed` needs direction = \"manifold\"", "give `velocity`, or add `direction`");
    } else {
        if (start.at.empty())
            checker.add(key("direction"), "direction \"manifold\" is that of an equilibrium", "add for example at = \"L2\"");
        if (start.velocity)
            checker.add(key("velocity"), "`velocity` and direction = \"manifold\" exclude each other", "leave one of them out");
        if (!start.speed) checker.add(key("direction"), "direction \"manifold\" needs `speed`", "add for example speed = \"3 cm/s\"");
    }
    if (start.at.empty() || !checker.are_usable({"body", "frame", key("in_contact")})) return;
    const Roles roles = roles_of(scenario);
    if (!roles.has_attraction()) {
        checker.add(key("at"), "a start at an equilibrium needs a body that `attracts`");
    } else if (scenario.frame != roles.ground->name) {
        checker.add(key("at"), "a start at an equilibrium needs the frame of the body that attracts",
                    fmt::format("write frame = \"{}\" at the top of the file", roles.ground->name));
    }
    if (start.in_contact || start.above_surface)
        checker.add(key("at"), "equilibria lie off the surface: `above_surface` and `in_contact` exclude `at`");
}

// A velocity in the inertial frame is converted at the drawn position, so that nothing else may say what velocities are relative to.
void check_velocity_frame(const Scenario& scenario, const BodyStart& start, const std::string& path, Checker& checker) {
    const auto key = [&](const char* name) { return path + "." + name; };
    if (!checker.are_usable({key("velocity_in"), key("at"), key("in_contact")})) return;
    if (start.velocity_in == VelocityFrame::run) return;
    if (!roles_of(scenario).has_attraction())
        checker.add(key("velocity_in"), "velocity_in = \"inertial\" needs a body that `attracts`: else no frame turns",
                    "leave `velocity_in` out");
    if (!start.at.empty())
        checker.add(key("velocity_in"),
                    "`at` and velocity_in = \"inertial\" exclude each other: at an equilibrium velocities count from rest in its frame",
                    "give the place as `position`, or leave `velocity_in` out");
    if (start.in_contact)
        checker.add(key("velocity_in"),
                    "`in_contact` and velocity_in = \"inertial\" exclude each other: in contact velocities are relative to the surface",
                    "leave one of them out");
}

void check_height(const Scenario& scenario, const BodyStart& start, const std::string& path, Checker& checker) {
    const auto key = [&](const char* name) { return path + "." + name; };
    if (!checker.are_usable({key("above_surface"), key("in_contact")})) return;
    const Roles roles = roles_of(scenario);
    if (roles.ground == nullptr && (start.above_surface || start.in_contact))
        checker.add(key(start.above_surface ? "above_surface" : "in_contact"),
                    roles.has_ground() ? "the ground has no facets, from which a height counts" : "there is no ground",
                    roles.has_ground() ? "give `position`" : "leave it out, or make a body `fixed`");
    if (!start.above_surface) return;
    if (start.in_contact) checker.add(key("above_surface"), "`above_surface` and `in_contact` exclude each other", "leave one of them out");
    const bool is_weightless = !roles.has_attraction() && scenario.gravity.uniform.value_or(Vec3{}) == Vec3{};
    if (checker.are_usable({"gravity", "gravity.uniform"}) && is_weightless)
        checker.add(key("above_surface"), "`above_surface` needs gravity: without it nothing is below", "give `position` instead");
}

void check_orientation(const BodyStart& start, const std::string& path, Checker& checker) {
    const auto key = [&](const char* name) { return path + "." + name; };
    if (!start.orientation || !checker.are_usable({key("orientation.axes"), key("orientation.angles"), key("attitude")})) return;
    if (!start.orientation->has_axes())
        checker.add(key("orientation.axes"), fmt::format("\"{}\" does not name three axes in turn", start.orientation->axes),
                    "write three letters of x, y and z, of which no two neighbours are alike: \"zyx\", \"zxz\"");
    if (start.attitude != Vec3{})
        checker.add(key("orientation"), "`attitude` and `orientation` say the same thing", "leave one of them out");
}

void check_start(const Scenario& scenario, const MovingRow& row, Checker& checker) {
    if (!checker.are_usable({row.path, row.body->path()})) return;
    const bool is_given = scenario.start.configuration == StartConfiguration::given;
    if (row.start == nullptr) {
        if (is_given && !scenario.start.momentum2 && !scenario.start.size)
            checker.add(
                row.body->path(), fmt::format("nothing says how `{}` starts", row.body->name),
                fmt::format("add [{}.start] with `position` and `velocity`; fixed = true for one that stands still", row.body->path()));
        return;
    }
    const BodyStart& start = *row.start;
    const bool needs_velocity = start.direction == StartDirection::velocity;
    if (is_given && !start.fill && (!start.position || (!start.velocity && needs_velocity)) &&
        checker.are_usable({row.path + ".position", row.path + ".velocity"}))
        checker.add(row.path, fmt::format("missing key `{}`", start.position ? "velocity" : "position"),
                    start.position ? "add for example velocity = [\"0 m/s\", \"0 m/s\", \"0 m/s\"]"
                                   : "add for example position = [\"0 m\", \"0 m\", \"1 m\"]");
    if (!is_given && (start.position || start.velocity || start.fill))
        checker.add(row.path + (start.position   ? ".position"
                                : start.velocity ? ".velocity"
                                                 : ".fill"),
                    "the configuration of [start] places the bodies: their `position` and `velocity` are not used",
                    "leave them out, or the configuration; start.moved moves one");
    check_fill(start, row.path, checker);
    check_equilibrium_start(scenario, start, row.path, checker);
    check_velocity_frame(scenario, start, row.path, checker);
    check_orientation(start, row.path, checker);
    check_height(scenario, start, row.path, checker);
}

void check_configuration(const Scenario& scenario, Checker& checker) {
    const Start& start = scenario.start;
    if (start.configuration != StartConfiguration::given || !checker.are_usable({"start", "start.configuration"})) return;
    if (start.momentum2 || start.size || start.rate_factor != 1)
        checker.add("start", "`momentum2`, `size` and `rate_factor` belong to a configuration",
                    "add `configuration`, or leave them out: bodies start as [body.NAME.start] has them");
}

void check_shape(const Body& body, Checker& checker) {
    const std::string path = body.path() + ".shape";
    const auto key = [&](const char* name) { return path + "." + name; };
    const auto* surface = body.as<SurfaceShape>();
    if (surface == nullptr || !checker.are_usable({key("side"), key("cells"), key("cell"), key("height"), key("wall"), key("half_width"),
                                                   key("flat_length"), key("inclined_length"), key("peak"), key("rim")}))
        return;
    const double facets = facet_estimate(*body.shape);
    if (facets > most_facets)
        checker.add(path, fmt::format("this surface would have {:.0f} facets; at most {:.0f} are made", facets, most_facets),
                    "take larger cells, or a mesh from a file");
    if (const auto* table = std::get_if<geometry::TableWorld>(&surface->kind); table && std::abs(table->wall) >= 0.5 * table->side)
        checker.add(key("wall"),
                    fmt::format("`wall` must stand between {} and {} m, got {} m", -0.5 * table->side, 0.5 * table->side, table->wall));
    if (const auto* pit = std::get_if<geometry::PitWorld>(&surface->kind); pit && pit->rim <= pit->peak)
        checker.add(key("rim"), fmt::format("`rim` must be higher than `peak`, {} m, got {} m", pit->peak, pit->rim));
}

// At most one of two keys of a section, or exactly one.
void check_either(bool has_first, bool has_second, const char* first, const char* second, bool is_needed, const std::string& section,
                  const std::string& example, Checker& checker) {
    if (!checker.are_usable({section + "." + first, section + "." + second})) return;
    if (has_first && has_second)
        checker.add(section, fmt::format("both `{}` and `{}` are given; they say the same thing", first, second), "leave one of them out");
    if (is_needed && !has_first && !has_second)
        checker.add(section, fmt::format("`{}` or `{}` is missing", first, second), fmt::format("add for example {}", example));
}

void check_moving(const Scenario& scenario, const Body& body, Checker& checker) {
    const std::string path = body.path();
    if (!checker.are_usable({path + ".shape"})) return;
    check_colliders_of_moving(body, checker);
    if (body.is_solid() && !body.inertia)
        check_either(body.density.has_value(), body.mass.has_value(), "density", "mass", true, path, "density = \"2 g/cm^3\"", checker);
    if (body.inertia_factor && !body.as<SphereShape>())
        checker.add(path + ".inertia_factor", "`inertia_factor` is that of a sphere", "leave it out");
    if (body.spin_period || body.spin_phase != 0)
        checker.add(path + (body.spin_period ? ".spin_period" : ".spin_phase"),
                    "`spin_period` and `spin_phase` belong to a body whose motion is given", "give `spin` in its start");
    if (body.attracts) checker.add(path + ".attracts", "bodies that move attract each other by gravity.mutual", "leave `attracts` out");
    if (body.scale != 1 || body.principal_axes)
        checker.add(path + (body.scale != 1 ? ".scale" : ".principal_axes"), "it belongs to a built-in shape or a mesh", "leave it out");
    if (!body.facet_values.empty() || !body.patches.empty())
        checker.add(path, "values of facets and patches belong to a body with facets, the ground", "leave them out");
    const Tide tide = body.tide.value_or(Tide{});
    const model::TideLaw law = scenario.gravity.tides.law;
    const bool has_tides = law != model::TideLaw::none;
    const std::string section = body.tide ? path + ".tide" : path;
    check_either(tide.love_number.has_value(), tide.rigidity.has_value(), "love_number", "rigidity", has_tides, section,
                 "tide = { love_number = 1e-5, quality = 100 }", checker);
    check_either(tide.quality.has_value(), tide.lag_angle.has_value(), "quality", "lag_angle", law == model::TideLaw::constant_angle,
                 section, "tide = { love_number = 1e-5, quality = 100 }", checker);
    if (law == model::TideLaw::constant_time_lag && !tide.time_lag && checker.are_usable({section + ".time_lag"}))
        checker.add(section, "law \"constant-time-lag\" needs `time_lag`",
                    "add for example tide = { love_number = 1e-5, time_lag = \"10 s\" }");
}

// A body with a shape that attracts: the ground, or one on an orbit.
void check_attraction(const Body& body, Checker& checker) {
    const std::string path = body.path();
    if (!body.attracts || !checker.are_usable({path + ".shape", path + ".attracts"})) return;
    if (!body.as<BuiltinShape>() && !body.as<MeshShape>())
        checker.add(path + ".attracts", "`attracts` needs a built-in shape or a closed mesh, whose mass attracts");
    check_either(body.density.has_value(), body.mass.has_value(), "density", "mass", true, path, "density = \"2 g/cm^3\"", checker);
}

void check_ground(const Scenario& scenario, const Body& ground, Checker& checker) {
    const std::string path = ground.path();
    if (!checker.are_usable({path + ".shape"})) return;
    if (!ground.has_facets())
        checker.add(path + ".shape",
                    fmt::format("`{}` attracts or is the `frame`, and only a surface, a mesh or a built-in shape can so far", ground.name));
    if (ground.count > 1) checker.add(path + ".count", "there is one ground", "leave `count` out");
    check_shape(ground, checker);
    check_attraction(ground, checker);
    if (ground.attracts && ground.attracts->field == gravity::FieldKind::linearised && !(ground.attracts->linear_reach > 0))
        checker.add(path + ".attracts.field", "a linearised field needs `linear_reach`",
                    "1-landers 7.2: a hundredth of the radius of the body");
    if (ground.spin_period && !ground.attracts)
        checker.add(path + ".spin_period", "a body that turns needs `attracts`: its surface feels both", "add attracts = {}");
    if (ground.spin_period && ground.attracts && ground.fixed && scenario.frame != ground.name)
        checker.add(path + ".spin_period", "a body that is `fixed` does not turn",
                    fmt::format("write frame = \"{}\" in the place of `fixed`", ground.name));
    if (ground.scale != 1 && !ground.is_whole())
        checker.add(path + ".scale", "`scale` belongs to a built-in shape, or to a mesh that has a mass", "leave it out");
    if (!ground.patches.empty() && !ground.is_whole())
        checker.add(path + ".patch", "patches need a whole body, a built-in shape or a mesh with a mass: they are places on a globe");
    if (ground.patches.size() > 255) checker.add(path + ".patch", "more than 255 patches; give values of single facets instead");
    for (std::size_t i = 0; i < ground.patches.size(); ++i)
        if (ground.patches[i].latitude_from > ground.patches[i].latitude_to)
            checker.add(fmt::format("{}.patch.{}", path, i), "`latitude_from` must not exceed `latitude_to`");
}

void check_companion(const Scenario& scenario, const Roles& roles, Checker& checker) {
    const Body& companion = *roles.companion;
    const std::string path = companion.path();
    if (!checker.are_usable({path + ".orbit", path + ".shape"})) return;
    if (companion.start) checker.add(path + ".start", "its motion is given by `orbit`", "leave one of them out");
    if (roles.ground == nullptr || companion.orbit->about != roles.ground->name || !roles.ground->attracts) {
        std::vector<std::string> known;
        for (const Body& body : scenario.bodies)
            if (body.attracts && !body.orbit) known.push_back(body.name);
        checker.add(path + ".orbit.about", fmt::format("`{}` is no body that stands still and attracts", companion.orbit->about),
                    known.empty() ? "an orbit needs a body with `attracts`" : did_you_mean(companion.orbit->about, known));
    }
    if (!companion.attracts) checker.add(path, "a body on an orbit attracts", "add attracts = {}");
    check_attraction(companion, checker);
    if (companion.attracts && companion.attracts->field == gravity::FieldKind::linearised)
        checker.add(path + ".attracts.field", "only the body in the middle can have a linearised field");
    if (companion.attracts && companion.attracts->icosphere)
        checker.add(path + ".attracts.icosphere", "only the body in the middle can attract by an icosphere", "take fewer facets");
}

// A body with a `motion`.
void check_driven(const Body& body, Checker& checker) {
    const std::string path = body.path();
    if (!checker.are_usable({path + ".motion", path + ".shape"})) return;
    if (!body.shape || !body.shape->is_solid() || !body.colliders.empty())
        checker.add(path + ".shape", fmt::format("`{}` is driven, and such bodies are one solid shape so far", body.name),
                    "give it a sphere, an ellipsoid, a box, a cylinder, a cone, a capsule or a hull");
    if (body.start) checker.add(path + ".start", "its motion is given by `motion`", "leave one of them out");
    if (body.orbit) checker.add(path + ".motion", "`motion` and `orbit` both say how it moves", "leave one of them out");
    if (body.fixed) checker.add(path + ".fixed", "a body with a `motion` does not stand still", "leave one of them out");
    if (body.attracts && body.attracts->field != gravity::FieldKind::point && checker.are_usable({path + ".attracts"}))
        checker.add(path + ".attracts", "a body with a `motion` attracts as a point", "write attracts = { field = \"point\" }");
    check_either(body.density.has_value(), body.mass.has_value(), "density", "mass", body.attracts.has_value(), path, "mass = \"1e6 kg\"",
                 checker);
    if (body.count > 1) checker.add(path + ".count", "bodies with a `motion` have sections of their own", "leave `count` out");
    const auto is_none = [](const Vec3& direction) { return direction == Vec3{}; };
    if (const auto* sine = std::get_if<SineMotion>(&body.motion->is); sine != nullptr && is_none(sine->direction))
        checker.add(path + ".motion.direction", "`direction` is zero", "write for example [0, 0, 1]");
    if (const auto* turning = std::get_if<TurningMotion>(&body.motion->is); turning != nullptr && is_none(turning->axis))
        checker.add(path + ".motion.axis", "`axis` is zero", "write for example [0, 0, 1]");
    const auto* course = std::get_if<CourseMotion>(&body.motion->is);
    if (course != nullptr && course->points.empty())
        checker.add(path + ".motion", "a course has at least one point", "add [[" + path + ".motion.point]] with `time` and `position`");
    for (std::size_t k = 1; course != nullptr && k < course->points.size(); ++k)
        if (!(course->points[k].time > course->points[k - 1].time))
            checker.add(fmt::format("{}.motion.point.{}.time", path, k), "points of a course stand in the order of time");
}

// Which bodies there are, and what each of them does.
void check_bodies(const Scenario& scenario, Checker& checker) {
    const Roles roles = roles_of(scenario);
    const auto has_facets = [](const Body* body) { return body->has_facets(); };
    if (const auto odd = std::find_if(roles.moving.begin(), roles.moving.end(), has_facets); odd != roles.moving.end()) {
        checker.add((*odd)->path() + ".shape",
                    fmt::format("`{}` would move, and bodies that move are spheres or ellipsoids so far", (*odd)->name),
                    "write fixed = true for the ground, or name it as the `frame`");
        return;  // what else is odd follows from this
    }
    std::size_t rows = 0;
    for (const Body* body : roles.moving) rows += static_cast<std::size_t>(body->count);
    if (scenario.bodies.empty()) checker.add("body", "there are no bodies", "add [body.lander] with `shape` and `mass`");
    if (roles.moving.empty() && !scenario.bodies.empty()) checker.add("body", "no body moves", "add one with a [body.NAME.start]");
    if (!roles.has_ground() && roles.driven.empty() && rows == 1 && scenario.joints.empty() && scenario.loads.empty())
        checker.add(roles.moving.back()->path(), "one body alone meets nothing", "add the ground, fixed = true, or another body");
    std::vector<std::string> names;
    for (const Body& body : scenario.bodies) {
        if (!body.one_of.empty()) continue;
        names.push_back(body.name);
        if (body.has_facets() && is_ground(scenario, body) && &body != roles.ground)
            checker.add(body.path(),
                        fmt::format("`{}` and `{}` both are ground with facets; so far one body can be", roles.ground->name, body.name),
                        "walls are half-spaces, spheres and ellipsoids: shape = { half_space = [0, 0, 1] }");
        if (body.orbit && &body != roles.companion)
            checker.add(body.path() + ".orbit",
                        fmt::format("`{}` and `{}` both have an orbit; so far one body can", roles.companion->name, body.name));
        if (body.fixed && body.start) checker.add(body.path() + ".start", "a body that is `fixed` does not start", "leave one of them out");
    }
    if (!scenario.frame.empty() && checker.are_usable({"frame"})) {
        if (std::find(names.begin(), names.end(), scenario.frame) == names.end())
            checker.add("frame", fmt::format("there is no body `{}`", scenario.frame), did_you_mean(scenario.frame, names));
        else if (roles.ground == nullptr || roles.ground->name != scenario.frame)
            checker.add("frame", fmt::format("`{}` moves; so far the frame is that of a body that stands still in it", scenario.frame),
                        "leave `frame` out");
    }
    if (roles.ground != nullptr) check_ground(scenario, *roles.ground, checker);
    for (const Body* body : roles.fixed) check_colliders_of_fixed(*body, checker);
    if (roles.companion != nullptr) check_companion(scenario, roles, checker);
    for (const Body* body : roles.driven) check_driven(*body, checker);
    for (const Body* body : roles.moving) check_moving(scenario, *body, checker);
    std::set<std::string> looked_at;  // several bodies alike have one start
    for (const MovingRow& row : moving_rows(scenario))
        if (looked_at.insert(row.path).second) check_start(scenario, row, checker);
    const bool has_points = std::ranges::any_of(roles.driven, [](const Body* body) { return body->attracts.has_value(); });
    const bool has_gravity =
        scenario.gravity.uniform || roles.has_attraction() || has_points || scenario.gravity.mutual != MutualGravity::none;
    if (!has_gravity && !scenario.bodies.empty() && checker.are_usable({"gravity", "gravity.uniform", "gravity.mutual"}))
        checker.add(
            "gravity", "nothing attracts",
            "add `uniform` or `mutual` to [gravity], or `attracts` to a body; uniform = [\"0 m/s^2\", \"0 m/s^2\", \"0 m/s^2\"] is none");
    if (scenario.gravity.gradient && checker.are_usable({"gravity", "body"})) {
        const auto is_ball = [](const Body* body) { return body->as<SphereShape>() && body->colliders.empty(); };
        if (!roles.has_attraction() && !has_points)
            checker.add("gravity.gradient", "no body attracts by a field with a gradient, and a uniform one turns nothing",
                        "leave `gradient` out, or add `attracts` to a body");
        else if (std::ranges::all_of(roles.moving, is_ball))
            checker.add("gravity.gradient", "all bodies that move are balls, which a gradient does not turn", "leave `gradient` out");
    }
    if (scenario.rocks && scenario.rocks->smallest > scenario.rocks->largest)
        checker.add("rocks.smallest", "`smallest` must not exceed `largest`");
    if (scenario.rocks && !roles.has_attraction() && scenario.rocks->model == RockModel::field)
        checker.add("rocks.model", "a rock field needs ground that attracts", "take model = \"stochastic\"");
    if (scenario.rocks && scenario.rocks->model == RockModel::stochastic)
        for (const Phase& phase : scenario.phases)
            if (phase.method != "event-driven") {
                checker.add(
                    "rocks.model",
                    fmt::format("rocks that are drawn on the way are met by spheres under event-driven, not under {}", phase.method),
                    "take model = \"field\": rocks that are placed are touched by bodies of any shape");
                break;
            }
    check_contacts(scenario, checker);
    check_touching(scenario, roles, checker);
}

void check_phase(const Phase& phase, const std::string& path, bool is_last, Checker& checker) {
    const auto key = [&](const char* name) { return path + "." + name; };
    const bool is_fixed = phase.integrator == model::Integrator::rk4 || phase.integrator == model::Integrator::leapfrog;
    const bool is_dense = phase.integrator == model::Integrator::dopri5 || phase.integrator == model::Integrator::rk4;
    const char* name = dynamics::all_integrators()[static_cast<std::size_t>(phase.integrator)].name;
    if (checker.are_usable({key("integrator"), key("method")}) && !is_dense && phase.method == "event-driven") {
        checker.add(key("integrator"), fmt::format("method \"{}\" cannot use integrator \"{}\"", phase.method, name),
                    "take \"dopri5\" or \"rk4\"");
    } else if (checker.are_usable({key("integrator"), key("step_max")}) && is_fixed && !std::isfinite(phase.step_max)) {
        checker.add(key("integrator"), fmt::format("integrator \"{}\" has a fixed step and needs `step_max`", name),
                    "add for example step_max = \"1 s\"");
    }
    if (checker.are_usable({key("error_ratio_min"), key("error_ratio_max")}) && phase.error_ratio_min >= phase.error_ratio_max) {
        checker.add(key("error_ratio_min"), fmt::format("`error_ratio_min` must be below `error_ratio_max`, {}, got {}",
                                                        phase.error_ratio_max, phase.error_ratio_min));
    }
    if (checker.are_usable({key("step_min"), key("step_max")}) && phase.step_min > phase.step_max) {
        checker.add(key("step_min"), fmt::format("`step_min` must not exceed `step_max`, {} s, got {} s", phase.step_max, phase.step_min));
    }
    if (!checker.are_usable({key("duration")})) return;
    if (is_last && std::isfinite(phase.duration))
        checker.add(key("duration"), "the last phase goes on to the end and has no `duration`", "leave it out, or add another [[phase]]");
    if (!is_last && !std::isfinite(phase.duration) && phase.until.empty())
        checker.add(path, "this phase has no `duration`, so that the next one would never begin",
                    "add for example duration = \"1 h\", or an `until`");
}

// The name becomes that of a folder: it must not lead elsewhere.
void check_name(const Scenario& scenario, Checker& checker) {
    if (!checker.are_usable({"name"})) return;
    const std::string& name = scenario.name;
    const bool has_odd = std::any_of(name.begin(), name.end(), [](char c) { return c == '/' || (c >= 0 && c < ' ') || c == '\x7f'; });
    if (has_odd || name == "." || name == "..")
        checker.add("name", "`name` names the folder of the results: it cannot hold `/` or control characters, nor be `.` or `..`");
}

constexpr std::string_view outcome_metric = "outcome";  // its words are known
constexpr std::string_view face_metric = "rest_face";

bool is_text_metric(const std::string& name) {
    const analysis::MetricEntry* entry = analysis::find_metric(name);
    return entry != nullptr && entry->shape == analysis::MetricShape::text;
}

// One list of demands on metrics, [expect] of a scenario or [success] of a study.
class DemandChecker {
public:
    DemandChecker(const Places& places, std::string section, std::vector<std::string> outcomes)
        : places_(places), section_(std::move(section)), outcomes_(std::move(outcomes)) {}

    std::vector<Problem> problems;

    // Metrics that are names: one of a few.
    void text(const Expectation& demand) {
        const bool is_outcome = demand.metric == outcome_metric;
        std::vector<std::string> names;
        if (demand.metric.ends_with(face_metric)) names = {"-z"};  // of a box; those of a hull depend on its corners
        const bool is_face = !names.empty();
        if (is_outcome) names = outcomes_;
        if (is_outcome)
            for (int i = 0; i < model::outcome_kinds; ++i) names.emplace_back(name(static_cast<model::OutcomeKind>(i)));
        else if (!is_face)
            for (int i = 0; i < model::configurations; ++i) names.emplace_back(name(static_cast<model::Configuration>(i)));
        if (!demand.text) {
            add(demand, fmt::format("`{}` is a word, got a number", demand.metric), fmt::format("write for example \"{}\"", names.front()));
        } else if (!is_face && std::find(names.begin(), names.end(), *demand.text) == names.end()) {
            const std::string hint = did_you_mean(*demand.text, names);
            add(demand, fmt::format("no {} \"{}\"", is_outcome ? "run ends as" : "bodies are in a configuration", *demand.text),
                hint.empty() ? "known here: " + joined(names) : hint);
        }
    }
    void number(const Expectation& demand, const std::string& unit) {
        const auto parsed = parse_dimension(unit);
        const Dimension wanted = std::get<Dimension>(parsed);  // a test reads every unit of the list; make_plan() those of a study
        const std::string example = wanted == Dimension{} ? "write for example 5" : fmt::format("write for example \"5 {}\"", unit);
        if (demand.text) {
            add(demand, fmt::format("`{}` is {}, got text", demand.metric, with_article(wanted)), example);
        } else if (demands_number(demand) && dimension_of(demand) != wanted) {
            add(demand, fmt::format("`{}` is {}, got {}", demand.metric, with_article(wanted), with_article(dimension_of(demand))),
                example);
        }
    }
    void add(const Expectation& demand, std::string what, std::string hint) {
        problems.push_back(problem_at(places_, section_ + "." + demand.metric, std::move(what), std::move(hint)));
    }

private:
    const Places& places_;
    std::string section_;
    std::vector<std::string> outcomes_;  // that the scenario has named itself
};

// What is written for a group is of bodies of one name, more than are told one by one.
void check_groups(const Scenario& scenario, Checker& checker) {
    std::vector<std::string> known;
    for (const Body* body : roles_of(scenario).moving)
        if (body->count > static_cast<std::int64_t>(model::most_told_one_by_one)) known.push_back(body->name);
    for (const GroupOutput& group : scenario.output.groups)
        if (std::find(known.begin(), known.end(), group.name) == known.end())
            checker.add("output.group." + group.name,
                        fmt::format("there are no more than {} bodies `{}`", model::most_told_one_by_one, group.name),
                        known.empty() ? "so few have rows of samples each: leave the section out" : did_you_mean(group.name, known));
}

void check_output(const Scenario& scenario, Checker& checker) {
    if (checker.are_usable({"body", "output"})) check_groups(scenario, checker);
    if (!checker.are_usable({"end.time", "output.sample_every", "output.checkpoint_every"})) return;
    const auto check = [&](const char* path, const char* name, const std::optional<double>& every, double most, const char* what) {
        if (!every || scenario.end.time / *every <= most) return;
        checker.add(path, fmt::format("`{}` would give {:.3g} {}; at most {:.0f} are kept", name, scenario.end.time / *every, what, most),
                    fmt::format("take at least \"{} s\"", scenario.end.time / most));
    };
    check("output.sample_every", "sample_every", scenario.output.sample_every, most_samples, "samples");
    check("output.checkpoint_every", "checkpoint_every", scenario.output.checkpoint_every, most_checkpoints, "checkpoints");
}

}  // namespace

double facet_estimate(const Shape& shape) {
    struct Count {
        double operator()(const geometry::FlatWorld& w) const { return 2.0 * w.cells * w.cells; }
        double operator()(const geometry::TableWorld& w) const { return 2.0 * w.cells * (w.cells + 2 + w.height * w.cells / w.side); }
        double operator()(const geometry::GutterWorld& w) const {
            return 2 * (2 * w.half_width / w.cell + 4) * ((w.flat_length + w.inclined_length) / w.cell + 4);
        }
        double operator()(const geometry::PitWorld&) const { return 30; }
        double operator()(const SpikeSurface& w) const { return 2.0 * w.shape.cells * w.shape.cells; }
    };
    const auto* surface = shape.get<SurfaceShape>();
    return surface == nullptr ? 0 : std::visit(Count{}, surface->kind);
}

std::vector<Problem> cross_check(const Scenario& scenario, const std::set<std::string, std::less<>>& failed) {
    Checker checker(scenario, failed);
    check_configuration(scenario, checker);
    if (checker.are_usable({"body"})) check_bodies(scenario, checker);
    if (scenario.phases.size() > most_phases) {
        checker.add("phase", fmt::format("{} phases; at most {} are run", scenario.phases.size(), most_phases));
    } else if (checker.are_usable({"phase"})) {
        for (std::size_t i = 0; i < scenario.phases.size(); ++i)
            check_phase(scenario.phases[i], fmt::format("phase.{}", i), i + 1 == scenario.phases.size(), checker);
    }
    if (checker.are_usable({"phase", "cable", "joint", "load", "engine", "controller", "signal", "body"})) {
        model::Parameters unused;
        resolve_machinery(scenario, unused, checker.problems);
    }
    check_output(scenario, checker);
    check_name(scenario, checker);
    std::vector<NamedUnit> metrics;
    for (analysis::WorldMetric& metric : metrics_of(scenario)) metrics.push_back({std::move(metric.name), std::move(metric.unit)});
    for (Problem& problem : check_demands(scenario.expect, metrics, scenario.places, "expect", own_outcomes(scenario)))
        checker.problems.push_back(std::move(problem));
    return std::move(checker.problems);
}

model::Census census_of(const Scenario& scenario) {
    const Roles roles = roles_of(scenario);
    std::int64_t count = 0;
    bool has_only_spheres = true, has_colliders = false;
    for (const Body* body : roles.moving) {
        count += body->count;
        const auto* ellipsoid = body->as<EllipsoidShape>();
        has_colliders = has_colliders || !body->colliders.empty() || !body->has_volume();
        has_only_spheres =
            has_only_spheres &&
            (ellipsoid == nullptr || ellipsoid->semi_axes == Vec3{ellipsoid->semi_axes.x, ellipsoid->semi_axes.x, ellipsoid->semi_axes.x});
    }
    return {.bodies = static_cast<std::size_t>(count),
            .has_only_spheres = has_only_spheres,
            .has_colliders = has_colliders,
            .has_ground = roles.has_ground() || !roles.driven.empty(),
            .has_cables = !scenario.cables.empty(),
            .has_joints = !scenario.joints.empty(),
            .has_loads = !scenario.loads.empty(),
            .has_engines = !scenario.engines.empty()};
}

std::vector<analysis::WorldMetric> metrics_of(const Scenario& scenario) {
    std::vector<model::NamedSignal> signals;
    for (const NamedSignal& signal : scenario.signals) signals.push_back({signal.name, {.kind = signal.is}});
    return analysis::metrics_of(census_of(scenario), told_bodies(scenario), signals);
}

std::vector<Problem> check_demands(const std::vector<Expectation>& demands, const std::vector<NamedUnit>& metrics, const Places& places,
                                   const std::string& section, const std::vector<std::string>& outcomes) {
    DemandChecker checker(places, section, outcomes);
    std::set<std::string> told;  // several demands on one metric are one slip
    for (const Expectation& demand : demands) {
        const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const NamedUnit& m) { return m.name == demand.metric; });
        if (found != metrics.end() && is_text_metric(demand.metric)) {
            checker.text(demand);
        } else if (found != metrics.end()) {
            checker.number(demand, found->unit);
        } else if (told.insert(demand.metric).second) {
            std::vector<std::string> known;
            for (const NamedUnit& metric : metrics) known.push_back(metric.name);
            const std::string hint = did_you_mean(demand.metric, known);
            checker.add(demand, fmt::format("there is no metric `{}`", demand.metric),
                        hint.empty() ? "asperity list metrics names all of them" : hint);
        }
    }
    return std::move(checker.problems);
}

}  // namespace asperity::scenario
