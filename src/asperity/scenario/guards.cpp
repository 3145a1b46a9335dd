#include "asperity/scenario/guards.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "asperity/analysis/signals.h"
#include "asperity/core/suggest.h"
#include "asperity/model/cable_pull.h"
#include "asperity/scenario/roles.h"

namespace asperity::scenario {
namespace {

using model::SignalKind;

Dimension dimension_of(SignalKind kind) { return std::get<Dimension>(parse_dimension(analysis::nature_of(kind).unit)); }

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
    std::vector<std::string> names;
    for (const Named& one : all) names.push_back(one.name);
    return names;
}

// Finds by name, and tells what it does not find.
class Resolver {
public:
    Resolver(const Scenario& scenario, std::vector<Problem>& problems) : scenario_(scenario), problems_(problems) {
        for (const MovingRow& row : moving_rows(scenario)) bodies_.push_back(row.name);
    }

    void fail(const std::string& path, std::string what, std::string hint = {}) {
        problems_.push_back(problem_at(scenario_.places, path, std::move(what), std::move(hint)));
    }

    std::int32_t number(const std::string& path, const char* what, const std::string& name, const std::vector<std::string>& known) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found != known.end()) return static_cast<std::int32_t>(found - known.begin());
        const std::string hint = did_you_mean(name, known);
        fail(path, fmt::format("there is no {} `{}`", what, name),
             hint.empty() ? known.empty() ? fmt::format("the scenario has no {}", what) : "known here: " + joined(known) : hint);
        return 0;
    }
    std::int32_t body(const std::string& path, const std::string& name) { return number(path, "body that moves", name, bodies_); }
    std::uint32_t cable(const std::string& path, const std::string& name) {
        return static_cast<std::uint32_t>(number(path, "cable", name, names_of(scenario_.cables)));
    }
    std::uint32_t joint(const std::string& path, const std::string& name) {
        return static_cast<std::uint32_t>(number(path, "joint", name, names_of(scenario_.joints)));
    }
    std::uint32_t engine(const std::string& path, const std::string& name) {
        return static_cast<std::uint32_t>(number(path, "engine", name, names_of(scenario_.engines)));
    }

    // A quantity that was written as text, of that dimension.
    double value(const std::string& path, const char* key, const Loose& text, const Dimension& wanted) {
        const std::string example = wanted == Dimension{} ? "0.5" : fmt::format("\"1 {}\"", si_unit_text(wanted));
        if (wanted == Dimension{}) {
            double number = 0;
            const char* end = text.text.data() + text.text.size();
            const auto read = std::from_chars(text.text.data(), end, number);
            if (read.ec == std::errc{} && read.ptr == end && std::isfinite(number)) return number;
            fail(path + "." + key, fmt::format("`{}` needs a plain number, got {}", key, text.text), "write for example " + example);
            return 0;
        }
        const auto parsed = parse_quantity(text.text);
        if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) {
            fail(path + "." + key, fmt::format("`{}`: {}", key, problem->what),
                 problem->hint.empty() ? "write for example " + example : problem->hint);
            return 0;
        }
        const Quantity& got = std::get<Quantity>(parsed);
        if (!(got.dimension == wanted))
            fail(path + "." + key, fmt::format("`{}` needs {}, got {}", key, with_article(wanted), with_article(got.dimension)),
                 "write for example " + example);
        return got.value;
    }

    // Of [signal.NAME], or of a guard or controller that says itself what it looks at. key: that says what the signal is.
    model::Signal signal(const std::string& path, const char* key, const NamedSignal& given) {
        const analysis::SignalNature nature = analysis::nature_of(given.is);
        const std::string_view what = nature.of;
        model::Signal out{.kind = given.is, .axis = unit(given.axis)};
        if (what.empty() && !given.of.empty()) fail(path + ".of", "this signal is of nothing", "leave `of` out");
        if (what == "body" && given.of.empty() && bodies_.size() > 1)
            fail(path, "`of` does not say which body", "known here: " + joined(bodies_));
        if (what == "body" && !given.of.empty()) out.of = body(path + ".of", given.of);
        if (what == "cable") out.of = static_cast<std::int32_t>(cable(path + ".of", given.of));
        if (what == "joint") out.of = static_cast<std::int32_t>(joint(path + ".of", given.of));
        if (what == "joint") require_coordinate(path, given);
        if (what == "engine") out.of = static_cast<std::int32_t>(engine(path + ".of", given.of));
        if (!nature.has_other && !given.to.empty()) fail(path + ".to", "this signal has no second body", "leave `to` out");
        if (nature.has_other) out.to = body(path + ".to", given.to);
        if (nature.has_axis && !(norm(given.axis) > 0)) fail(path + ".axis", "an axis cannot be zero");
        if (!nature.has_axis && given.axis != NamedSignal{}.axis) fail(path + ".axis", "this signal has no axis", "leave `axis` out");
        if (given.is == SignalKind::height && roles_of(scenario_).ground == nullptr)
            fail(path + "." + key, "there is no ground over which a body could be", "take \"distance\", or a body that is `fixed`");
        if (given.is == SignalKind::quiet_time && roles_of(scenario_).ground != nullptr)
            fail(path, "changes of contact are timed in worlds without ground", "take for example \"speed\" with `lasting`");
        return out;
    }

    // Angles are those of joints that turn, travels of those that travel.
    void require_coordinate(const std::string& path, const NamedSignal& given) {
        const auto found = std::ranges::find(scenario_.joints, given.of, &Joint::name);
        if (found == scenario_.joints.end()) return;
        const bool slides = model::travels(found->kind) || found->kind == model::JointKind::screw;
        if (given.is == SignalKind::joint_angle && !model::turns(found->kind))
            fail(path + ".of", fmt::format("`{}` leaves no turn about an axis", given.of), "take a hinge, a cylindrical or a screw");
        if (given.is == SignalKind::joint_travel && !slides)
            fail(path + ".of", fmt::format("`{}` leaves no travel", given.of), "take a slider, a cylindrical or a screw");
    }

    // By the name of a named signal, or by what it is; nothing where it is neither.
    std::optional<model::Signal> signal(const std::string& path, const std::string& name, const std::string& of, const std::string& to) {
        const auto named = std::ranges::find(named_, name, &model::NamedSignal::name);
        if (named != named_.end()) {
            for (const auto& [key, text] : {std::pair{".of", &of}, std::pair{".to", &to}})
                if (!text->empty()) fail(path + key, fmt::format("[signal.{}] says what `{}` is of", name, name), "leave it out here");
            return named->signal;
        }
        const auto choice = std::ranges::find_if(signals, [&](const Choice<SignalKind>& known) { return known.name == name; });
        if (choice != signals.end()) return signal(path, "signal", {.is = choice->value, .of = of, .to = to});
        std::vector<std::string> known = names_of(named_);
        for (const Choice<SignalKind>& each : signals) known.emplace_back(each.name);
        const std::string hint = did_you_mean(name, known);
        fail(path + ".signal", fmt::format("there is no signal `{}`", name), hint.empty() ? "known here: " + joined(known) : hint);
        return std::nullopt;
    }

    // Guards and controllers may go by their names from then on.
    const std::vector<model::NamedSignal>& name_signals() {
        for (const NamedSignal& given : scenario_.signals) {
            if (std::ranges::any_of(signals, [&](const Choice<SignalKind>& known) { return known.name == given.name; }))
                fail(given.path(), fmt::format("`{}` is what a signal can be, not the name of one", given.name), "take another name");
            if (std::ranges::find(bodies_, given.name) != bodies_.end())
                fail(given.path(), fmt::format("a body has the name `{}` as well", given.name),
                     "metrics go by the name: give one of them another");
            named_.push_back({given.name, signal(given.path(), "is", given)});
        }
        return named_;
    }

    // Of guards: something by one of several keys.
    const std::string* only_one(const std::string& path, std::initializer_list<std::pair<const char*, const std::string*>> keys) {
        const std::string* found = nullptr;
        std::vector<std::string> names;
        for (const auto& [key, text] : keys) {
            names.emplace_back(key);
            if (text->empty()) continue;
            if (found != nullptr) {
                fail(path + "." + key, "an action is one thing", "write one { } for each");
                return nullptr;
            }
            found = text;
        }
        if (found == nullptr) fail(path, "this action does nothing", "it needs one of " + joined(names));
        return found;
    }

    const Scenario& scenario() const { return scenario_; }
    const std::vector<std::string>& bodies() const { return bodies_; }

private:
    const Scenario& scenario_;
    std::vector<Problem>& problems_;
    std::vector<std::string> bodies_;
    std::vector<model::NamedSignal> named_;
};

model::CableEnd end_of(const CableEnd& end, const std::string& path, Resolver& find) {
    return {.body = end.body.empty() ? model::ground : find.body(path + ".body", end.body), .at = end.at};
}

model::Cable cable_of(const Cable& cable, Resolver& find) {
    model::Cable out{.from = end_of(cable.from, cable.path() + ".from", find),
                     .to = end_of(cable.to, cable.path() + ".to", find),
                     .law = {.stiffness = cable.stiffness, .damping = cable.damping}};
    if (out.from.body == out.to.body)
        find.fail(cable.path(), "both ends of this cable are fixed to the same thing", "give `from` or `to` another `body`");
    return out;
}

model::Engine engine_of(const Engine& engine, Resolver& find) {
    if (!(norm(engine.direction) > 0)) find.fail(engine.path() + ".direction", "the direction of an engine cannot be zero");
    if ((engine.propellant > 0) != engine.exhaust_speed.has_value())
        find.fail(engine.path(), "`propellant` and `exhaust_speed` belong together: the speed says how fast it is burnt",
                  engine.exhaust_speed ? "add for example propellant = \"1 kg\"" : "add for example exhaust_speed = \"3 km/s\"");
    return {.body = find.body(engine.path() + ".body", engine.body),
            .at = engine.at,
            .direction = unit(engine.direction),
            .thrust = engine.thrust,
            .exhaust_speed = engine.exhaust_speed.value_or(0),
            .throttle = engine.throttle,
            .propellant = engine.propellant};
}

struct LawOf {
    const std::string& path;
    Resolver& find;

    std::variant<model::Proportional, model::Schedule> operator()(const ProportionalControl& c) const {
        const std::optional<model::Signal> signal = find.signal(path, c.signal, c.of, c.to);
        if (!signal) return {};
        const Dimension unit = dimension_of(signal->kind);
        const Dimension per{.length = -unit.length, .mass = -unit.mass, .time = -unit.time, .angle = -unit.angle};
        const Dimension per_second{.length = per.length, .mass = per.mass, .time = per.time - 1, .angle = per.angle};
        return model::Proportional{.signal = *signal,
                                   .wanted = find.value(path, "wanted", c.wanted, unit),
                                   .gain = find.value(path, "gain", c.gain, per),
                                   .integral_gain = c.integral_gain ? find.value(path, "integral_gain", *c.integral_gain, per_second) : 0,
                                   .offset = c.offset};
    }
    std::variant<model::Proportional, model::Schedule> operator()(const ScheduledControl& c) const {
        model::Schedule out;
        for (const Loose& time : c.times) out.times.push_back(find.value(path, "times", time, si::second.dimension));
        for (const Loose& throttle : c.throttles) out.throttles.push_back(find.value(path, "throttles", throttle, {}));
        if (out.times.size() != out.throttles.size() || out.times.empty())
            find.fail(path + ".throttles", fmt::format("{} times and {} throttles", out.times.size(), out.throttles.size()),
                      "give one throttle for each time");
        if (!std::is_sorted(out.times.begin(), out.times.end())) find.fail(path + ".times", "`times` must rise");
        if (std::ranges::any_of(out.throttles, [](double t) { return !(t >= 0 && t <= 1); }))
            find.fail(path + ".throttles", "a throttle is between 0 and 1");
        return out;
    }
};

model::Controller controller_of(const Controller& controller, Resolver& find) {
    const std::string path = controller.path();
    return {.engine = find.engine(path + ".engine", controller.engine),
            .period = controller.period,
            .is_running = controller.running,
            .law = std::visit(LawOf{path, find}, controller.law)};
}

// start and stop, of an engine, a controller, the motor of a joint, or a load.
model::Action switched(const std::string& path, const std::string& name, bool is_on, Resolver& find) {
    using enum model::ActionKind;
    const auto number_in = [&](const auto& all) {
        const std::vector<std::string> names = names_of(all);
        return std::find(names.begin(), names.end(), name) - names.begin();
    };
    const Scenario& scenario = find.scenario();
    const auto with = [&](std::ptrdiff_t at, model::ActionKind on, model::ActionKind off) {
        return model::Action{.kind = is_on ? on : off, .target = static_cast<std::uint32_t>(at)};
    };
    if (const auto at = number_in(scenario.controllers); at < std::ssize(scenario.controllers))
        return with(at, start_controller, stop_controller);
    if (const auto at = number_in(scenario.loads); at < std::ssize(scenario.loads)) return with(at, start_load, stop_load);
    if (const auto at = number_in(scenario.joints); at < std::ssize(scenario.joints)) {
        if (!scenario.joints[static_cast<std::size_t>(at)].motor)
            find.fail(path, fmt::format("the joint `{}` has no motor", name), fmt::format("add [joint.{}.motor]", name));
        return with(at, start_motor, stop_motor);
    }
    std::vector<std::string> known = names_of(scenario.engines);
    for (const auto& more : {names_of(scenario.controllers), names_of(scenario.loads), names_of(scenario.joints)})
        known.insert(known.end(), more.begin(), more.end());
    const std::uint32_t engine = static_cast<std::uint32_t>(find.number(path, "engine, controller, motor or load", name, known));
    return {.kind = throttle, .target = engine, .value = is_on ? 1.0 : 0.0};
}

model::Action action_of(const GuardAction& a, const std::string& path, Resolver& find) {
    const std::string* name =
        find.only_one(path, {{"cut", &a.cut}, {"reel", &a.reel}, {"start", &a.start}, {"stop", &a.stop}, {"command", &a.command}});
    if (name == nullptr) return {};
    const bool is_reel = name == &a.reel, is_command = name == &a.command;
    if (is_reel != a.to.has_value() || is_reel != a.rate.has_value())
        find.fail(path, "`reel` goes with `to` and `rate`", "write for example { reel = \"NAME\", to = \"5 m\", rate = \"1 m/s\" }");
    if (is_command != a.throttle.has_value())
        find.fail(path, "`command` goes with `throttle`", "write for example { command = \"NAME\", throttle = 0.5 }");
    if (name == &a.cut) return {.kind = model::ActionKind::cut, .target = find.cable(path + ".cut", *name)};
    if (is_reel)
        return {.kind = model::ActionKind::reel,
                .target = find.cable(path + ".reel", *name),
                .value = a.to.value_or(0),
                .rate = a.rate.value_or(0)};
    if (is_command)
        return {.kind = model::ActionKind::throttle, .target = find.engine(path + ".command", *name), .value = a.throttle.value_or(0)};
    return switched(path + (name == &a.start ? ".start" : ".stop"), *name, name == &a.start, find);
}

model::Condition condition_of(const GuardCondition& c, const std::string& path, Resolver& find) {
    const std::optional<model::Signal> signal = find.signal(path, c.signal, c.of, c.to);
    if (!signal) return {};
    const Dimension unit = dimension_of(signal->kind);
    if (c.below.has_value() == c.above.has_value())
        find.fail(path, "a condition needs one of `below` and `above`", c.below ? "write two conditions" : "");
    model::Condition out{.signal = *signal, .is_above = c.above.has_value()};
    if (c.below) out.value = find.value(path, "below", *c.below, unit);
    if (c.above) out.value = find.value(path, "above", *c.above, unit);
    return out;
}

// Conditions with a name.
struct Named {
    const char* key;
    model::OutcomeKind kind;
    const std::string& who;
};

model::Condition named_condition(const Named& named, const std::string& path, const Phase& phase, Resolver& find) {
    const std::string place = path + "." + named.key;
    const dynamics::MethodEntry* method = dynamics::find_method(phase.method);
    if (method != nullptr && std::ranges::find(method->recognises, named.kind) == method->recognises.end()) {
        std::vector<std::string> able;
        for (const dynamics::MethodEntry* entry : dynamics::all_methods())
            if (std::ranges::find(entry->recognises, named.kind) != entry->recognises.end()) able.emplace_back(entry->name);
        find.fail(place, fmt::format("method \"{}\" does not recognise `{}`", phase.method, named.key), "methods that do: " + joined(able));
    }
    if (named.who != "*" && find.bodies().size() > 1 && std::ranges::find(find.bodies(), named.who) != find.bodies().end())
        find.fail(place, fmt::format("`{}` is recognised of all bodies at once", named.key), "write \"*\"");
    else if (named.who != "*")
        find.body(place, named.who);
    return {.is_named = true, .named = named.kind};
}

std::vector<model::Condition> conditions_of(const PhaseGuard& guard, const std::string& path, const Phase& phase, Resolver& find) {
    std::vector<model::Condition> out;
    for (std::size_t k = 0; k < guard.when.size(); ++k)
        out.push_back(condition_of(guard.when[k], fmt::format("{}.when.{}", path, k), find));
    std::size_t kinds = out.empty() ? 0 : 1;
    for (const Named& named :
         {Named{"rest", model::OutcomeKind::rest, guard.rest}, Named{"escape", model::OutcomeKind::escaped, guard.escape},
          Named{"companion", model::OutcomeKind::companion, guard.companion}, Named{"lock", model::OutcomeKind::locked, guard.lock}}) {
        if (named.who.empty()) continue;
        ++kinds;
        out.push_back(named_condition(named, path, phase, find));
        if (guard.lasting > 0 || guard.rising)
            find.fail(path, fmt::format("`{}` is an instant: `lasting` and `rising` belong to `when`", named.key), "leave them out");
    }
    if (guard.last_collision) {
        ++kinds;
        out.push_back({.signal = find.signal(path + ".last_collision", "", {.is = SignalKind::quiet_time}),
                       .is_above = true,
                       .value = *guard.last_collision});
    }
    if (kinds != 1)
        find.fail(path, kinds == 0 ? "this guard has no condition" : "a guard has `when`, or one condition by name",
                  "give one of when, rest, escape, companion, lock, last_collision");
    return out;
}

bool is_our_name(const std::string& outcome) {
    for (int i = 0; i <= model::outcome_kinds; ++i)
        if (outcome == name(static_cast<model::OutcomeKind>(i))) return true;
    return false;
}

model::Guard guard_of(const PhaseGuard& guard, const std::string& path, std::size_t phase, Resolver& find) {
    const std::vector<Phase>& phases = find.scenario().phases;
    model::Guard out{.conditions = conditions_of(guard, path, phases[phase], find), .lasting = guard.lasting, .is_rising = guard.rising};
    for (std::size_t k = 0; k < guard.then.size(); ++k)
        out.actions.push_back(action_of(guard.then[k], fmt::format("{}.then.{}", path, k), find));
    out.outcome = guard.outcome;
    if (!guard.next.empty() && !guard.outcome.empty())
        find.fail(path + ".outcome", "`next` and `outcome` exclude each other: after an end no phase begins", "leave one of them out");
    if (!guard.next.empty())
        out.next = find.number(path + ".next", "phase", guard.next, names_of(phases));
    else if (guard.outcome.empty() && phase + 1 < phases.size())
        out.next = static_cast<std::int64_t>(phase + 1);
    else if (guard.outcome.empty())
        find.fail(path, "this guard is in the last phase and does not say what comes then", "add `outcome` or `next`");
    if (is_our_name(guard.outcome))
        find.fail(path + ".outcome", fmt::format("\"{}\" is how the program itself calls an end", guard.outcome), "take another name");
    return out;
}

void require_different_names(Resolver& find) {
    const Scenario& scenario = find.scenario();
    std::vector<std::array<std::string, 3>> started;  // what `start` and `stop` go by: what it is, name, path
    const auto add = [&](const char* what, const auto& all) {
        for (const auto& one : all) {
            const auto known = std::ranges::find(started, one.name, [](const auto& each) { return each[1]; });
            if (known != started.end())
                find.fail(one.path(), fmt::format("{} has the name `{}` as well", (*known)[0], one.name),
                          "`start` and `stop` go by the name: give one of them another");
            started.push_back({what, one.name, one.path()});
        }
    };
    add("an engine", scenario.engines);
    add("a controller", scenario.controllers);
    add("a joint", scenario.joints);
    add("a load", scenario.loads);
    for (std::size_t i = 0; i < scenario.phases.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (scenario.phases[i].name == scenario.phases[k].name && !scenario.phases[i].name.empty()) {
                const bool is_asked = std::ranges::any_of(scenario.phases, [&](const Phase& phase) {
                    return std::ranges::any_of(phase.until, [&](const PhaseGuard& g) { return g.next == scenario.phases[i].name; });
                });
                if (is_asked)
                    find.fail(fmt::format("phase.{}.name", i), fmt::format("two phases are called `{}`", scenario.phases[i].name),
                              "`next` goes by the name: give one of them another");
            }
}

// A file says where things are in the axes in which it describes a body; the model wants the body's own, where these differ.
void turn_into_principal_axes(model::Parameters& parameters) {
    const auto principal = [&](std::int64_t row) {
        const bool is_moving = row >= 0 && static_cast<std::size_t>(row) < parameters.bodies.size();
        return is_moving ? parameters.bodies[static_cast<std::size_t>(row)].principal : Pose{};
    };
    for (model::Cable& cable : parameters.cables)
        for (model::CableEnd* end : {&cable.from, &cable.to})
            if (const Pose pose = principal(end->body); pose != Pose{}) end->at = inverse(pose) * end->at;
    for (model::Engine& engine : parameters.engines)
        if (const Pose pose = principal(engine.body); pose != Pose{}) {
            engine.at = inverse(pose) * engine.at;
            engine.direction = rotate(conjugate(pose.q), engine.direction);
        }
}

}  // namespace

void resolve_machinery(const Scenario& scenario, model::Parameters& parameters, std::vector<Problem>& problems) {
    Resolver find(scenario, problems);
    require_different_names(find);
    parameters.signals = find.name_signals();
    for (const Cable& cable : scenario.cables) parameters.cables.push_back(cable_of(cable, find));
    for (const Engine& engine : scenario.engines) parameters.engines.push_back(engine_of(engine, find));
    turn_into_principal_axes(parameters);
    resolve_links(
        scenario, parameters,
        {.body = [&](const std::string& path, const std::string& name) { return find.body(path, name); },
         .values =
             [&](const std::string& path, const char* key, const std::vector<Loose>& texts, const Dimension& unit) {
                 std::vector<double> values;
                 for (const Loose& text : texts) values.push_back(find.value(path, key, text, unit));
                 return values;
             },
         .fail = [&](const std::string& path, std::string what, std::string hint) { find.fail(path, std::move(what), std::move(hint)); }});
    for (const Controller& controller : scenario.controllers) parameters.controllers.push_back(controller_of(controller, find));
    for (std::size_t i = 0; i < scenario.phases.size(); ++i) {
        model::Phase phase = scenario.phases[i];
        for (std::size_t k = 0; k < scenario.phases[i].until.size(); ++k)
            phase.guards.push_back(guard_of(scenario.phases[i].until[k], fmt::format("phase.{}.until.{}", i, k), i, find));
        parameters.phases.push_back(std::move(phase));
    }
}

void set_machinery(const Scenario& scenario, model::Parameters& parameters, model::State& state) {
    set_links(scenario, parameters, state);
    for (std::size_t k = 0; k < parameters.cables.size(); ++k) {
        const model::Cable& cable = parameters.cables[k];
        const double apart = norm(place_of(cable.to, state.bodies) - place_of(cable.from, state.bodies));
        state.cables.length.push_back(scenario.cables[k].length.value_or(apart));
        state.cables.target.push_back(state.cables.length.back());
        state.cables.rate.push_back(0);
        state.cables.changed.push_back(0);
        state.cables.is_cut.push_back(0);
    }
    for (std::size_t e = 0; e < parameters.engines.size(); ++e) {
        const model::Engine& engine = parameters.engines[e];
        if (engine.propellant >= parameters.bodies[static_cast<std::size_t>(engine.body)].mass)
            throw error_at(scenario.places, scenario.engines[e].path() + ".propellant", "the propellant is part of the mass of the body",
                           "raise the mass of the body, which counts with full tanks");
        state.engines.throttle.push_back(engine.throttle);
        state.engines.propellant.push_back(engine.propellant);
        state.engines.changed.push_back(0);
    }
}

std::vector<std::string> own_outcomes(const Scenario& scenario) {
    std::vector<std::string> names;
    for (const Phase& phase : scenario.phases)
        for (const PhaseGuard& guard : phase.until)
            if (!guard.outcome.empty()) names.push_back(guard.outcome);
    return names;
}

}  // namespace asperity::scenario
