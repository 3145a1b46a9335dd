#include "asperity/analysis/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "asperity/analysis/energy.h"
#include "asperity/analysis/ledger.h"
#include "asperity/analysis/metric_list.h"
#include "asperity/analysis/resting_face.h"
#include "asperity/analysis/signals.h"
#include "asperity/analysis/system_metrics.h"
#include "asperity/core/errors.h"
#include "asperity/core/units.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/patches.h"
#include "asperity/model/census.h"
#include "asperity/model/only_row.h"

namespace asperity::analysis {
namespace {

using model::Event;
using model::EventKind;

bool has_faces(const model::Census& world) { return one_on_ground(world) && world.has_colliders; }

constexpr MetricEntry entries[] = {
    {"outcome", "", MetricShape::text,
     "How the run ended: rest, escaped, timed_out, orbiting, companion, stalled, non_finite; of several bodies completed, locked, overlap.",
     of_every},
    {"start_position", "m", MetricShape::vector, "Where the run began, scatter included."},
    {"start_velocity", "m/s", MetricShape::vector, "Velocity at the start, scatter included."},
    {"start_spin", "rad/s", MetricShape::vector, "Angular velocity at the start, world axes, scatter included."},
    {"impacts", "", MetricShape::number, "Number of impacts.", told_on_ground},
    {"first_impact_time", "s", MetricShape::number, "Time of the first impact.", told_on_ground, MetricKind::time},
    {"max_impact_speed", "m/s", MetricShape::number, "Largest approach speed of an impact, along the normal.", told_on_ground},
    {"max_impact_energy", "J", MetricShape::number,
     "Largest heat that one impact has set free; under methods in which an impact is an instant.", told_on_ground},
    {"impact_time", "s", MetricShape::list, "Time of each impact.", told_on_ground, MetricKind::time},
    {"impact_normal_speed_in", "m/s", MetricShape::list, "Approach speed of each impact, along the normal.", told_on_ground},
    {"impact_normal_speed_out", "m/s", MetricShape::list, "Parting speed of each impact, along the normal.", told_on_ground},
    {"settle_time", "s", MetricShape::number, "When the last bouncing was completed and contact motion began.", one_on_ground,
     MetricKind::time, MetricRuns::resting},
    {"sync_time", "s", MetricShape::number, "When the ball first rolled without slip.", one_on_ground, MetricKind::time},
    {"separation_angle", "deg", MetricShape::number,
     "Angle between the upward direction and the normal where the ball last left a contact; 0 on level ground."},
    {"stop_time", "s", MetricShape::number, "When the ball came to rest, or the run ended.", one_on_ground, MetricKind::time,
     MetricRuns::resting},
    {"stop_position", "m", MetricShape::vector, "Position at rest, or at the end of the run.", one_on_ground, MetricKind::quantity,
     MetricRuns::resting},
    {"stop_velocity", "m/s", MetricShape::vector, "Velocity at the end; zero at rest.", one_on_ground, MetricKind::quantity,
     MetricRuns::resting},
    {"stop_latitude", "deg", MetricShape::number, "Planetocentric latitude of that position; at a body.", one_on_ground,
     MetricKind::quantity, MetricRuns::resting},
    {"stop_longitude", "deg", MetricShape::number, "Its longitude, eastwards from x, -180 to 180.", one_on_ground, MetricKind::circular,
     MetricRuns::resting},
    {"stop_facet", "", MetricShape::number, "The facet next to the ball at rest, counted from 0; at a body.", one_on_ground,
     MetricKind::nominal, MetricRuns::resting},
    {"stop_slope", "deg", MetricShape::number, "Angle between the surface normal there and the vertical; at a body, at rest.",
     one_on_ground, MetricKind::quantity, MetricRuns::resting},
    {"rest_attitude", "rad", MetricShape::vector,
     "Attitude at rest, of a body that has faces: the rotation vector from the axes in which it is written down to those of the frame.",
     has_faces, MetricKind::quantity, MetricRuns::resting},
    {"rest_face", "", MetricShape::text,
     "The face that is down at rest: of the convex hull of what touches, the one through which the plumb line of the centre of mass "
     "leaves; by "
     "its outward normal in the axes in which the body is written down: +x to -z, else its components; \"side\" of a cylinder or a cone.",
     has_faces, MetricKind::nominal, MetricRuns::resting},
    {"rolled_distance", "m", MetricShape::number, "Way of the centre while in contact."},
    {"heat_impact", "J", MetricShape::number, "Heat from restitution.", of_every},
    {"heat_friction", "J", MetricShape::number, "Heat from friction.", of_every},
    {"heat_rolling", "J", MetricShape::number, "Heat from rolling and spinning resistance.", of_every},
    {"energy_balance", "", MetricShape::number, "Error of the ledger over the energy that the start could set free; its absolute value."},
    {"solver_residual", "", MetricShape::number,
     "Largest residual that a step has left of its impulses, relative; under methods that solve for them, impulse and dvi.", of_no_world},
    {"max_penetration", "m", MetricShape::number, "Deepest overlap of two bodies, or of a body and the ground, at the end of any step.",
     of_every},
    {"contact_force", "N", MetricShape::number,
     "Largest force of all contacts on a body, mean over a step; under methods penalty, impulse and dvi, where there are no groups.",
     of_no_world},
    {"joint_force", "N", MetricShape::number, "Largest force in a joint, likewise: of what it holds, stops and drives at a rate.",
     [](const model::Census& world) { return world.has_joints; }},
    {"cable_tension", "N", MetricShape::number, "Largest tension of a cable, at the end of any step.",
     [](const model::Census& world) { return world.has_cables; }},
    {"gravity_bound", "", MetricShape::number,
     "Largest possible error of the fast gravity field, of local gravity; at a body with such a field."},
    {"end_penetration", "m", MetricShape::number, "Deepest overlap of two bodies at the end.", in_space},
    {"configuration", "", MetricShape::text,
     "What two or three spheres are in, or librate about, at the end: Lagrange Resting, Euler Resting, V-Rest, Aligned Mixed, "
     "Transverse Mixed, Lagrange Orbiting, Euler Orbiting, Resting Pair, Orbiting Pair; bound, one contact; bound, no contact; escaping "
     "pair: one of three leaves, or two part; dispersing: all part.",
     few_spheres_in_space},
    {"ground_configuration", "", MetricShape::text, "The stable one of least energy for their angular momentum.", few_spheres_in_space},
    {"ground_energy", "J", MetricShape::number, "Its energy.", few_spheres_in_space},
    {"energy_excess", "", MetricShape::number, "Mechanical energy at the end above that, over its absolute value.", few_spheres_in_space},
    {"contacts", "", MetricShape::number, "Pairs in contact at the end, to a thousandth of their distance.", few_spheres_in_space},
    {"energy", "J", MetricShape::number, "Mechanical energy of all bodies at the end, about their common centre of mass.", in_space},
    {"energy_above_minimum", "J", MetricShape::number, "Energy above the least that their places and angular momentum allow.", in_space},
    {"angular_momentum", "kg*m^2/s", MetricShape::number, "Total angular momentum of all bodies at the end.", in_space},
    {"energy_drift", "", MetricShape::number, "Error of energy and heat together, over the energy of the start; its absolute value.",
     several_bodies},
    {"energy_error", "", MetricShape::number, "The largest that this error was during the run, looked at every 64th step.", in_space},
    {"angular_momentum_drift", "", MetricShape::number, "Change of the total angular momentum that sunlight does not explain, relative.",
     in_space},
    {"collisions", "", MetricShape::number, "How often two bodies came into touch.", in_space},
    {"first_collision_time", "s", MetricShape::number, "When that happened first.", in_space, MetricKind::time},
    {"last_collision_time", "s", MetricShape::number, "When that happened last, before the run ended.", in_space},
    {"collision_time", "s", MetricShape::list, "Time of each.", in_space, MetricKind::time},
    {"first_collision_of_pair", "s", MetricShape::by_pair,
     "Of each pair, in the order 1-2, 1-3, ..., 2-3, ...: when it first came into touch; -1: never.", in_space, MetricKind::time},
    {"collision_speed", "m/s", MetricShape::list, "Approach speed of each, along the normal.", in_space},
    {"tidal_power", "W", MetricShape::number,
     "Slope of the energy by tides since contacts last changed: less than nothing, and as much as they set free as heat.", in_space},
    {"lock_time", "s", MetricShape::by_body,
     "Of each body: spin that it lacks over the acceleration by tides in the stable equilibrium that they are at, else the ground state.",
     few_spheres_in_space},
    {"locked_time", "s", MetricShape::by_body,
     "Of each body: when its spin came to that rate and stayed; under method secular, which looks every 16 steps of its faster clock.",
     few_spheres_in_space, MetricKind::time},
    {"last_locked_time", "s", MetricShape::number, "When the last of them did.", few_spheres_in_space, MetricKind::time},
    {"orbit_rate", "rad/s", MetricShape::number, "Rate at which the centres turn about their common centre of mass.", in_space},
    {"spin_rate", "rad/s", MetricShape::by_body, "Spin of each body about the axis of the angular momentum, at the end.", in_space},
    {"heat_tide", "J", MetricShape::number, "Heat from tides.", in_space},
    {"stop_spin", "rad/s", MetricShape::vector, "Angular velocity at the end, world axes.", of_no_world},
    {"work", "J", MetricShape::number, "Work done from outside: by bodies that move in the frame, sunlight, engines and winches.",
     of_no_world},
};

// Looks are at step boundaries, closer under methods with dense output (dynamics/signal_watch.h). The unit is that of the signal.
constexpr MetricEntry entries_of_signals[] = {
    {"least", "", MetricShape::number, "Least value of the signal.", of_no_world},
    {"least_time", "s", MetricShape::number, "When the signal had its least value first.", of_no_world},
    {"most", "", MetricShape::number, "Largest value of the signal.", of_no_world},
    {"most_time", "s", MetricShape::number, "When the signal had its largest value first.", of_no_world},
    {"mean", "", MetricShape::number, "Mean of the signal over time.", of_no_world},
    {"end", "", MetricShape::number, "Value of the signal at the end.", of_no_world},
};

// The parting speed of an impact: what it tells, or, where the contact lasts, that of the separation which ends it; zero: it holds to the
// end.
double parting_speed(std::span<const Event> events, std::size_t impact) {
    if (!std::isnan(events[impact].normal_speed_out)) return events[impact].normal_speed_out;
    const auto pair = [](const Event& event) { return std::pair{event.a, event.b}; };
    for (const Event& event : events.subspan(impact + 1))
        if (event.kind == EventKind::separation && pair(event) == pair(events[impact])) return event.normal_speed_out;
    return 0;
}

void add_impacts(std::span<const Event> events, MetricList& list) {
    std::vector<double> time, in, out;
    double fastest = 0, hottest = 0;
    for (std::size_t k = 0; k < events.size(); ++k) {
        const Event& event = events[k];
        if (event.kind != EventKind::impact && event.kind != EventKind::rock) continue;
        fastest = std::max(fastest, event.normal_speed_in);
        hottest = std::isnan(event.heat) ? event.heat : std::max(hottest, event.heat);
        time.push_back(event.time);
        in.push_back(event.normal_speed_in);
        out.push_back(parting_speed(events, k));
    }
    list.add("impacts", static_cast<double>(time.size()));
    if (!time.empty()) {
        list.add("first_impact_time", time.front());
        list.add("max_impact_speed", fastest);
        if (!std::isnan(hottest)) list.add("max_impact_energy", hottest);
    }
    list.add("impact_time", std::move(time));
    list.add("impact_normal_speed_in", std::move(in));
    list.add("impact_normal_speed_out", std::move(out));
}

void add_contact_times(const model::Model& model, std::span<const Event> events, MetricList& list) {
    const auto is = [](EventKind kind) { return [kind](const Event& event) { return event.kind == kind; }; };
    const auto last_settle = std::find_if(events.rbegin(), events.rend(), is(EventKind::settle));
    if (last_settle != events.rend()) list.add("settle_time", last_settle->time);
    const auto first_roll = std::find_if(events.begin(), events.end(), is(EventKind::roll));
    if (first_roll != events.end()) list.add("sync_time", first_roll->time);
    const auto last_separation = std::find_if(events.rbegin(), events.rend(), is(EventKind::separation));
    if (last_separation == events.rend() || last_separation->normal == Vec3{}) return;
    const Vec3 up = unit(-gravity::acceleration(model.parameters.environment.field, last_separation->position, {}, last_separation->time));
    if (!(up == Vec3{})) {
        const double sine = norm(cross(up, last_separation->normal));
        list.add("separation_angle", std::atan2(sine, dot(up, last_separation->normal)) * 57.295779513082320877);
    }
}

// Where on a body the ball ended.
// Of the body or its companion, the larger; 0 where neither has a fast field.
double fast_field_bound(const model::Model& model) {
    const gravity::SmallBody* body = model::small_body(model.parameters.environment);
    if (body == nullptr) return 0;
    const auto bound = [](const gravity::BodyField& field) {
        return field.kind == gravity::FieldKind::fast && field.fast.header != nullptr ? field.fast.header->bound : 0.0;
    };
    return std::max(bound(body->target.field), body->has_companion ? bound(body->companion.field) : 0.0);
}

void add_place(const model::Model& model, const model::State& last, const model::Outcome& outcome, MetricList& list) {
    const gravity::SmallBody* body = model::small_body(model.parameters.environment);
    if (body == nullptr || body->is_inertial) return;
    const Vec3& p = last.bodies.position[model::only_row(last)];
    list.add("stop_latitude", geometry::latitude(p) * degrees);
    list.add("stop_longitude", geometry::longitude(p) * degrees);
    if (outcome.kind != model::OutcomeKind::rest) return;
    const geometry::ClosestPoint ground = geometry::nearest(model.surface().view(), p);
    const Vec3 up = unit(-gravity::acceleration(model.parameters.environment.field, p, {}, outcome.time));
    const Vec3 normal = model.surface().facets[static_cast<std::size_t>(ground.facet)].normal;
    list.add("stop_facet", static_cast<double>(ground.facet));
    list.add("stop_slope", std::atan2(norm(cross(up, normal)), dot(up, normal)) * degrees);
}

}  // namespace

std::vector<std::string> doubts(const model::Model& model, std::span<const Metric> metrics) {
    constexpr double much_error = 1e-3;    // of the energy
    constexpr double much_overlap = 1e-2;  // of the smallest radius
    double radius = std::numeric_limits<double>::infinity();
    for (const model::BodyKind& body : model.parameters.bodies.rows())
        radius = std::min({radius, body.semi_axes.x, body.semi_axes.y, body.semi_axes.z});
    const model::Census census = model::census_of(model);
    const bool is_ball_on_mesh =
        census.bodies == 1 && census.has_only_spheres && !census.has_colliders && census.has_ground_mesh && census.driven == 0;
    const char* rigid = !census.has_ground ? "constraint" : is_ball_on_mesh ? "event-driven" : "impulse";
    std::vector<std::string> out;
    for (const Metric& metric : metrics) {
        const auto* value = std::get_if<double>(&metric.value);
        if (value == nullptr) continue;
        if (metric.name == std::string_view("energy_balance") && !(*value <= much_error))
            out.push_back(fmt::format("the energy ledger is off by {:.2g} of what the start could set free: lower the tolerance", *value));
        if (metric.name == std::string_view("energy_error") && !(*value <= much_error))
            out.push_back(fmt::format("the energy is off by {:.2g} of itself: lower the tolerance or step_max", *value));
        if (metric.name == std::string_view("max_penetration") && *value > much_overlap * radius)
            out.push_back(
                fmt::format("bodies overlap by up to {:.2g} m, {:.2g} of the smallest radius: raise the stiffness of the contact, or take "
                            "the method {}",
                            *value, *value / radius, rigid));
    }
    return out;
}

std::span<const MetricEntry> all_metrics() { return entries; }
std::span<const MetricEntry> metrics_of_signals() { return entries_of_signals; }

const char* unit_of_metric(std::string_view name) {
    for (const MetricEntry& entry : entries)
        if (entry.name == name) return entry.unit;
    ASPERITY_REQUIRE(false, "the metric {} is not listed", name);
}

namespace {

using Value = decltype(Metric::value);

// A run, and one of its bodies.
struct BodyRun {
    const model::Model& model;
    const model::State& first;
    const model::State& last;
    std::span<const Event> events;
    const model::Outcome& outcome;
    std::size_t row;

    double heat(const std::vector<double>& per_mass) const { return model.parameters.bodies[row].mass * per_mass[group()]; }
    std::size_t group() const { return model.parameters.bodies.group[row]; }
    // Of the impacts that are told of it, on(impact).
    template <class On>
    void each_impact(const On& on) const {
        const auto body = static_cast<std::int32_t>(row);
        for (const Event& event : events)
            if ((event.kind == EventKind::impact || event.kind == EventKind::rock) && (event.a == body || event.b == body)) on(event);
    }
};

Value three(const Vec3& v) { return std::vector<double>{v.x, v.y, v.z}; }

using Given = std::optional<Value>;

// Of a body that has faces, in a run that has ended at rest.
bool rests_on_face(const BodyRun& run, const Faces& faces) { return !faces.empty() && run.outcome.kind == model::OutcomeKind::rest; }

Given rest_attitude(const BodyRun& run) {
    const model::BodyKind& body = run.model.parameters.bodies[run.row];
    if (!rests_on_face(run, Faces(body))) return {};
    const Quat q = run.last.bodies.orientation[run.row] * conjugate(body.principal.q);
    const Vec3 axis = q.w < 0 ? Vec3{-q.x, -q.y, -q.z} : Vec3{q.x, q.y, q.z};
    return three(2 * std::atan2(norm(axis), std::fabs(q.w)) * unit(axis));
}

Given rest_face(const BodyRun& run) {
    const model::Parameters& world = run.model.parameters;
    const Faces faces(world.bodies[run.row]);
    if (!rests_on_face(run, faces)) return {};
    const Vec3 pull = gravity::acceleration(world.environment.field, run.last.bodies.position[run.row], {}, run.outcome.time);
    if (pull == Vec3{}) return {};
    return faces.name(faces.down(rotate(conjugate(run.last.bodies.orientation[run.row]), pull)));
}

bool has_events(const model::Census& world) { return !world.has_groups; }
bool touch_by_colliders(const model::Census& world) { return world.has_ground && world.has_colliders; }

// The metrics of each body that is told by itself. One that did not come to it, such as the time of an impact, has no value.
struct BodyMetric {
    const char* name;
    MetricOf is_of;
    std::optional<Value> (*value)(const BodyRun& run);
};
constexpr BodyMetric metrics_of_bodies[] = {
    {"start_position", of_every, [](const BodyRun& r) -> Given { return three(r.first.bodies.position[r.row]); }},
    {"start_velocity", of_every, [](const BodyRun& r) -> Given { return three(r.first.bodies.velocity[r.row]); }},
    {"start_spin", of_every, [](const BodyRun& r) -> Given { return three(r.first.bodies.spin[r.row]); }},
    {"impacts", of_every, [](const BodyRun& r) -> Given { return static_cast<double>(r.last.tallies.impacts[r.group()]); }},
    {"first_impact_time", has_events,
     [](const BodyRun& r) {
         Given first;
         r.each_impact([&](const Event& impact) {
             if (!first) first = impact.time;
         });
         return first;
     }},
    {"max_impact_speed", has_events,
     [](const BodyRun& r) {
         Given most;
         r.each_impact([&](const Event& impact) { most = std::max(most ? std::get<double>(*most) : 0, impact.normal_speed_in); });
         return most;
     }},
    {"stop_position", of_every, [](const BodyRun& r) -> Given { return three(r.last.bodies.position[r.row]); }},
    {"stop_velocity", of_every, [](const BodyRun& r) -> Given { return three(r.last.bodies.velocity[r.row]); }},
    {"stop_spin", of_every, [](const BodyRun& r) -> Given { return three(r.last.bodies.spin[r.row]); }},
    {"rest_attitude", touch_by_colliders, rest_attitude},
    {"rest_face", touch_by_colliders, rest_face},
    {"heat_impact", of_every, [](const BodyRun& r) -> Given { return r.heat(r.last.tallies.heat_impact); }},
    {"heat_friction", of_every, [](const BodyRun& r) -> Given { return r.heat(r.last.tallies.heat_friction); }},
    {"heat_rolling", of_every, [](const BodyRun& r) -> Given { return r.heat(r.last.tallies.heat_rolling); }},
    {"heat_tide", of_every, [](const BodyRun& r) -> Given { return r.heat(r.last.tallies.heat_tide); }},
    {"work", of_every, [](const BodyRun& r) -> Given { return r.heat(r.last.tallies.work); }},
    {"max_penetration", of_every, [](const BodyRun& r) -> Given { return std::max(0.0, r.last.tallies.deepest_overlap[r.group()]); }},
    {"contact_force", has_events,
     [](const BodyRun& r) -> Given {
         const std::vector<double>& most = r.last.forces.most_contact;
         return r.row < most.size() ? Given(most[r.row]) : Given();
     }},
};

std::string name_of(const model::NamedBody& body, const model::Census& world, const char* metric) {
    return world.bodies == 1 ? metric : fmt::format("{}.{}", body.name, metric);
}

void add_details(const model::Census& world, BodyRun run, std::vector<Metric>& list) {
    for (const model::NamedBody& body : run.model.parameters.names)
        for (const BodyMetric& metric : metrics_of_bodies) {
            run.row = body.row;
            std::string name = name_of(body, world, metric.name);
            if (!metric.is_of(world) || (world.bodies == 1 && std::ranges::find(list, name, &Metric::name) != list.end())) continue;
            if (auto value = metric.value(run))
                list.push_back(
                    {.name = std::move(name), .value = *std::move(value), .unit = unit_of_metric(metric.name), .is_detail = true});
        }
}

void add_signals(const model::Model& model, const model::Extremes& e, std::vector<Metric>& list) {
    const std::vector<model::NamedSignal>& signals = model.parameters.signals;
    for (std::size_t i = 0; i < std::min(signals.size(), e.size()); ++i) {
        const double mean = e.until > e.since ? e.integral[i] / (e.until - e.since) : e.last[i];
        const double values[] = {e.least[i], e.least_time[i], e.most[i], e.most_time[i], mean, e.last[i]};
        static_assert(std::size(values) == std::size(entries_of_signals));
        for (std::size_t k = 0; k < std::size(values); ++k) {
            const MetricEntry& entry = entries_of_signals[k];
            list.push_back({.name = fmt::format("{}.{}", signals[i].name, entry.name),
                            .value = values[k],
                            .unit = *entry.unit != 0 ? entry.unit : nature_of(signals[i].signal.kind).unit});
        }
    }
}

}  // namespace

bool is_of_each_body(const MetricEntry& entry) {
    return std::ranges::any_of(metrics_of_bodies, [&](const BodyMetric& metric) { return entry.name == std::string_view(metric.name); });
}

const MetricEntry* find_metric(std::string_view name) {
    for (const MetricEntry& entry : entries)
        if (entry.name == name) return &entry;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return nullptr;
    for (const MetricEntry& entry : entries_of_signals)
        if (entry.name == name.substr(dot + 1)) return &entry;
    for (const MetricEntry& entry : entries)
        if (entry.name == name.substr(dot + 1) && is_of_each_body(entry)) return &entry;
    return nullptr;
}

std::vector<WorldMetric> metrics_of(const model::Census& world, std::span<const model::NamedBody> bodies,
                                    std::span<const model::NamedSignal> signals) {
    std::vector<WorldMetric> out;
    for (const MetricEntry& entry : entries)
        if (entry.is_of(world)) out.push_back({&entry, entry.name, entry.unit, entry.text, false, entry.runs});
    for (const model::NamedBody& body : bodies)
        for (const BodyMetric& metric : metrics_of_bodies) {
            const MetricEntry& entry = *find_metric(metric.name);
            std::string name = name_of(body, world, metric.name);
            if (!metric.is_of(world) || (world.bodies == 1 && std::ranges::find(out, name, &WorldMetric::name) != out.end())) continue;
            out.push_back({&entry, std::move(name), entry.unit, entry.text, true, MetricRuns::every});
        }
    for (const model::NamedSignal& signal : signals)
        for (const MetricEntry& entry : entries_of_signals)
            out.push_back({&entry, fmt::format("{}.{}", signal.name, entry.name),
                           *entry.unit != 0 ? entry.unit : nature_of(signal.signal.kind).unit, entry.text, false, MetricRuns::every});
    return out;
}

namespace {

// Of several bodies on ground: what can be said of all of them together.
std::vector<Metric> metrics_of_several(const model::Model& model, const model::State& first, const model::State& last,
                                       std::span<const model::Event> events, const model::Outcome& outcome) {
    const model::Parameters& world = model.parameters;
    const double start = energies(model, first).mechanical();
    MetricList list;
    list.add("outcome", outcome.label());
    if (!world.bodies.has_groups()) add_impacts(events, list);  // of groups contacts are counted, and not told
    const double change = std::fabs(energy_change(model, first, last)), heat = contact_heat(world, last.tallies);
    list.add("energy_drift", change / std::max(std::fabs(start), heat));
    list.add("heat_impact", summed(world, last.tallies.heat_impact));
    list.add("heat_friction", summed(world, last.tallies.heat_friction));
    list.add("heat_rolling", summed(world, last.tallies.heat_rolling));
    list.add("max_penetration", std::max(0.0, *std::max_element(last.tallies.deepest_overlap.begin(), last.tallies.deepest_overlap.end())));
    return std::move(list.all);
}

std::vector<Metric> metrics_of_only_body(const model::Model& model, const model::State& first, const model::State& last,
                                         std::span<const model::Event> events, const model::Outcome& outcome) {
    const std::size_t row = model::only_row(model.parameters), group = model.parameters.bodies.group[row];
    const model::Ledger end = ledger(model, last, row);
    MetricList list;
    list.add("outcome", outcome.label());
    list.add("start_position", first.bodies.position[row]);
    list.add("start_velocity", first.bodies.velocity[row]);
    list.add("start_spin", first.bodies.spin[row]);
    add_impacts(events, list);
    add_contact_times(model, events, list);
    list.add("stop_time", outcome.time);
    list.add("stop_position", last.bodies.position[row]);
    list.add("stop_velocity", last.bodies.velocity[row]);
    add_place(model, last, outcome, list);
    const BodyRun run{.model = model, .first = first, .last = last, .events = events, .outcome = outcome, .row = row};
    if (auto attitude = rest_attitude(run)) list.add("rest_attitude", *std::move(attitude));
    if (auto face = rest_face(run)) list.add("rest_face", *std::move(face));
    list.add("rolled_distance", last.tallies.rolled_distance[group]);
    list.add("heat_impact", end.heat_impact);
    list.add("heat_friction", end.heat_friction);
    list.add("heat_rolling", end.heat_rolling);
    list.add("energy_balance", std::fabs(energy_balance(model, first, last)));
    list.add("max_penetration", std::max(0.0, last.tallies.deepest_overlap[group]));
    if (const double bound = fast_field_bound(model); bound > 0) list.add("gravity_bound", bound);
    return std::move(list.all);
}

std::vector<Metric> metrics_of_world(const model::Census& census, const model::Model& model, const model::State& first,
                                     const model::State& last, std::span<const model::Event> events, const model::Outcome& outcome) {
    if (!census.has_ground && !census.has_groups) return system_metrics(model, first, last, events, outcome);
    if (census.bodies > 1) return metrics_of_several(model, first, last, events, outcome);
    return metrics_of_only_body(model, first, last, events, outcome);
}

}  // namespace

std::vector<Metric> metrics(const model::Model& model, const model::State& first, const model::State& last,
                            std::span<const model::Event> events, const model::Outcome& outcome) {
    const model::Census census = model::census_of(model);
    std::vector<Metric> list = metrics_of_world(census, model, first, last, events, outcome);
    add_details(census, {.model = model, .first = first, .last = last, .events = events, .outcome = outcome, .row = 0}, list);
    add_signals(model, last.extremes, list);
    const auto add_most = [&](const char* name, const std::vector<double>& most) {
        if (!most.empty()) list.push_back({.name = name, .value = std::ranges::max(most), .unit = unit_of_metric(name)});
    };
    add_most("joint_force", last.forces.most_joint);
    add_most("cable_tension", last.forces.most_tension);
    if (last.stepper.residual > 0) list.push_back({.name = "solver_residual", .value = last.stepper.residual, .unit = ""});
    return list;
}

}  // namespace asperity::analysis
