#include "asperity/scenario/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "asperity/model/joint_place.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {
namespace {

constexpr double meets = 1e-6;  // of the sizes that the places are given in, and rad: ends that are nearer are made to meet

const char* name_of(model::JointKind kind) { return std::ranges::find(joint_kinds, kind, &Choice<model::JointKind>::value)->name; }

// The turn that takes z to this axis.
Quat from_z(const Vec3& axis) {
    const Vec3 z = unit(axis);
    const Vec3 turn = cross(Vec3{0, 0, 1}, z);
    if (z.z < 0 && norm(turn) < 0.5) {  // by way of y, so that nothing cancels
        return rotation({std::numbers::pi, 0, 0}) * from_z({z.x, -z.y, -z.z});
    }
    return unit(Quat{1 + z.z, turn.x, turn.y, 0});
}

template <class Along>
model::JointCoordinate coordinate_of(const std::optional<Along>& given, const std::string& path, const LinkFinder& find) {
    model::JointCoordinate out;
    if (!given) return out;
    if (given->from) out.least = *given->from;
    if (given->to) out.most = *given->to;
    if (!(out.least < out.most))
        find.fail(path + ".to", "`to` must be above `from`: else the joint is locked",
                  "take a kind that leaves less, for example \"weld\"");
    out.stiffness = given->stiffness;
    out.rest = given->rest;
    out.damping = given->damping;
    return out;
}

std::optional<model::Motor> motor_of(const Joint& joint, const LinkFinder& find) {
    if (!joint.motor) return std::nullopt;
    const JointMotor& motor = *joint.motor;
    const std::string path = joint.path() + ".motor";
    const int given = int{motor.rate.has_value()} + motor.torque.has_value() + motor.speed.has_value() + motor.force.has_value();
    if (given != 1) {
        find.fail(path, given == 0 ? "this motor does nothing" : "a motor does one thing", "give one of rate, torque, speed, force");
        return std::nullopt;
    }
    const bool is_of_turn = motor.rate || motor.torque;
    if (is_of_turn ? !model::turns(joint.kind) : !model::travels(joint.kind)) {
        find.fail(path,
                  fmt::format("a {} is locked against what this motor does: it leaves no {}", name_of(joint.kind),
                              is_of_turn ? "turn" : "travel"),
                  is_of_turn ? "take a hinge, a cylindrical or a screw" : "take a slider or a cylindrical; a screw is driven by its turn");
        return std::nullopt;
    }
    const auto needs = [&](const std::optional<double>& what, const std::optional<double>& most, const char* key, const char* other,
                           const char* example) {
        if (what && !most)
            find.fail(path, fmt::format("a motor with a `{}` needs `{}`: against a stop it would push without end", key, other),
                      fmt::format("add for example {} = \"{}\"", other, example));
        if (!what && most) find.fail(path + "." + other, fmt::format("`{}` belongs to `{}`", other, key), "leave it out");
    };
    needs(motor.rate, motor.largest_torque, "rate", "largest_torque", "1 N*m");
    needs(motor.speed, motor.largest_force, "speed", "largest_force", "1 N");
    model::Motor out{.is_of_turn = is_of_turn, .rate = is_of_turn ? motor.rate : motor.speed, .is_running = motor.running};
    out.effort = motor.torque.value_or(motor.force.value_or(motor.largest_torque.value_or(motor.largest_force.value_or(0))));
    return out;
}

model::Joint joint_of(const Joint& joint, const model::Parameters& parameters, const LinkFinder& find) {
    const std::string path = joint.path();
    model::Joint out{.kind = joint.kind, .a = {.body = find.body(path + ".body", joint.body)}, .touching = joint.touching};
    if (!joint.to.body.empty()) out.b.body = find.body(path + ".to.body", joint.to.body);
    if (!joint.to.body.empty() && out.a.body == out.b.body)
        find.fail(path, fmt::format("this joint holds `{}` to itself", joint.body),
                  "give `to` another `body`, or leave it out for the ground");
    for (const auto& [axis, key] : {std::pair{std::optional<Vec3>(joint.axis), ".axis"}, std::pair{joint.to.axis, ".to.axis"}})
        if (axis && !(norm(*axis) > 0)) find.fail(path + key, "an axis cannot be zero", "write for example axis = [0, 0, 1]");
    if ((joint.kind == model::JointKind::screw) != joint.pitch.has_value())
        find.fail(path + (joint.pitch ? ".pitch" : ""),
                  joint.pitch ? fmt::format("a {} has no `pitch`", name_of(joint.kind)) : "a screw needs a `pitch`",
                  joint.pitch ? "leave it out" : "add for example pitch = \"8 mm\"");
    if (joint.turn && !model::turns(joint.kind))
        find.fail(path + ".turn", fmt::format("a {} leaves no turn about an axis", name_of(joint.kind)), "leave `turn` out");
    if (joint.travel && !model::travels(joint.kind))
        find.fail(path + ".travel", fmt::format("a {} leaves no travel of its own", name_of(joint.kind)),
                  joint.kind == model::JointKind::screw ? "it goes with the turn: give `turn`" : "leave `travel` out");
    out.pitch = joint.pitch.value_or(0) / (2 * std::numbers::pi);
    out.turn = coordinate_of(joint.turn, path + ".turn", find);
    out.travel = coordinate_of(joint.travel, path + ".travel", find);
    out.motor = motor_of(joint, find);
    if (static_cast<std::size_t>(out.a.body) >= parameters.bodies.size()) return out;
    const Pose principal = parameters.bodies[static_cast<std::size_t>(out.a.body)].principal;
    out.a.frame = inverse(principal) * Pose{joint.at, from_z(joint.axis)};
    return out;
}

model::LoadCourse course_of(const Load& load, const LinkFinder& find) {
    const std::string path = load.path();
    const bool has_steps = !load.times.empty() || !load.factors.empty();
    if (int{load.ramp.has_value()} + has_steps + load.period.has_value() > 1) {
        find.fail(path, "a load has one course", "give one of ramp, times, period");
        return {};
    }
    if (load.phase != 0 && !load.period) find.fail(path + ".phase", "`phase` is that of a sine", "add `period`, or leave it out");
    if (load.ramp) return model::RampedLoad{*load.ramp};
    if (load.period) return model::WavingLoad{2 * std::numbers::pi / *load.period, load.phase};
    if (!has_steps) return {};
    model::SteppedLoad steps{.times = find.values(path, "times", load.times, si::second.dimension),
                             .factors = find.values(path, "factors", load.factors, {})};
    if (steps.times.size() != steps.factors.size())
        find.fail(path + ".factors", fmt::format("{} times and {} factors", steps.times.size(), steps.factors.size()),
                  "give one factor for each time");
    if (!std::ranges::is_sorted(steps.times)) find.fail(path + ".times", "`times` must rise", "put them in order");
    return steps;
}

model::Load load_of(const Load& load, const model::Parameters& parameters, const LinkFinder& find) {
    model::Load out{.body = find.body(load.path() + ".body", load.body),
                    .at = load.at,
                    .force = load.force,
                    .torque = load.torque,
                    .turns_with_body = load.axes == LoadAxes::body,
                    .course = course_of(load, find),
                    .is_running = load.running};
    if (load.force == Vec3{} && load.torque == Vec3{})
        find.fail(load.path(), "this load is nothing", "add for example force = [\"0 N\", \"0 N\", \"-20 N\"]");
    if (static_cast<std::size_t>(out.body) >= parameters.bodies.size()) return out;
    const Pose principal = parameters.bodies[static_cast<std::size_t>(out.body)].principal;
    if (principal == Pose{}) return out;
    out.at = inverse(principal) * out.at;
    if (!out.turns_with_body) return out;
    out.force = rotate(conjugate(principal.q), out.force);
    out.torque = rotate(conjugate(principal.q), out.torque);
    return out;
}

// The pose of a body, in its axes of the file.
Pose pose_in_file(std::int32_t body, const model::Parameters& parameters, const model::Bodies& bodies) {
    if (body == model::ground) return {};
    const auto row = static_cast<std::size_t>(body);
    return Pose{bodies.position[row], bodies.orientation[row]} * inverse(parameters.bodies[row].principal);
}

// The second side: at the first one, but where a travel is apart.
void place_second_side(const Scenario& scenario, const Joint& given, const model::Parameters& parameters, const model::Bodies& bodies,
                       model::Joint& joint) {
    const Pose a = model::pose_of(joint.a, bodies), b = pose_in_file(joint.b.body, parameters, bodies);
    const Vec3 z = rotate(a.q, {0, 0, 1});
    const std::string path = given.path();
    const bool slides = model::travels(joint.kind) || joint.kind == model::JointKind::screw;
    Pose at = a;
    if (given.to.at) {
        const Vec3 apart = a.p - b * *given.to.at, off = slides ? tangential(apart, z) : apart;
        const auto row = static_cast<std::size_t>(joint.a.body);
        const double size = norm(*given.to.at) + norm(given.at) + norm(bodies.position[row] - b.p);
        if (norm(off) > meets * size)
            throw error_at(scenario.places, path + ".to.at",
                           slides ? fmt::format("the axis of this joint misses `to.at` by {:.6g} m at the start", norm(off))
                                  : fmt::format("the ends of this joint do not meet at the start: they are {:.6g} m apart", norm(off)),
                           "move a body or an end, or leave `to.at` out: it is then where `at` is at the start");
        if (slides) at.p = a.p - dot(apart, z) * z;
    }
    if (given.to.axis) {
        const Vec3 other = rotate(b.q, unit(*given.to.axis));
        const double angle = std::atan2(norm(cross(z, other)), dot(z, other));
        if (angle > meets)
            throw error_at(scenario.places, path + ".to.axis",
                           fmt::format("the axes of this joint are {:.6g} deg apart at the start", angle * degrees),
                           "turn a body or an axis, or leave `to.axis` out: it is then that of `axis` at the start");
    }
    joint.start = slides ? dot(a.p - at.p, z) : 0;
    if (joint.b.body == model::ground) {
        joint.b.frame = at;
        return;
    }
    const auto row = static_cast<std::size_t>(joint.b.body);
    joint.b.frame = inverse(Pose{bodies.position[row], bodies.orientation[row]}) * at;
}

void require_within_limits(const Scenario& scenario, const Joint& given, const model::Joint& joint) {
    const auto require = [&](const model::JointCoordinate& along, double at, const char* key, const char* what, double scale,
                             const char* unit) {
        if (at >= along.least && at <= along.most) return;
        throw error_at(scenario.places, given.path() + "." + key,
                       fmt::format("the {} at the start is {:.6g} {}, beyond the limits of the joint", what, at * scale, unit),
                       "move a body, or the limits");
    };
    if (given.turn) require(joint.turn, 0, "turn", "turn", degrees, "deg");
    if (given.travel) require(joint.travel, joint.start, "travel", "travel", 1, "m");
}

}  // namespace

void resolve_links(const Scenario& scenario, model::Parameters& parameters, const LinkFinder& find) {
    for (const Joint& joint : scenario.joints) parameters.joints.push_back(joint_of(joint, parameters, find));
    for (const Load& load : scenario.loads) parameters.loads.push_back(load_of(load, parameters, find));
}

void set_links(const Scenario& scenario, model::Parameters& parameters, model::State& state) {
    for (std::size_t k = 0; k < parameters.joints.size(); ++k) {
        model::Joint& joint = parameters.joints[k];
        place_second_side(scenario, scenario.joints[k], parameters, state.bodies, joint);
        require_within_limits(scenario, scenario.joints[k], joint);
        state.joints.angle.push_back(0);
        state.joints.is_running.push_back(joint.motor && joint.motor->is_running ? 1 : 0);
    }
    for (std::size_t k = 0; k < parameters.loads.size(); ++k) {
        state.loads.is_running.push_back(0);
        state.loads.started.push_back(0);
        state.loads.corner.push_back(0);
        if (parameters.loads[k].is_running) model::start(parameters.loads[k], state.loads, k, 0);
    }
}

bool are_kept_apart(const Scenario& scenario, const std::string& a, const std::string& b) {
    return std::ranges::any_of(scenario.joints, [&](const Joint& joint) {
        return !joint.touching && ((joint.body == a && joint.to.body == b) || (joint.body == b && joint.to.body == a));
    });
}

}  // namespace asperity::scenario
