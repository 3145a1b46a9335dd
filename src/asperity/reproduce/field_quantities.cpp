#include "asperity/reproduce/field_quantities.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/dynamics/simulate.h"
#include "asperity/gravity/polyhedron.h"
#include "asperity/gravity/small_body.h"
#include "asperity/model/only_row.h"
#include "asperity/reproduce/gravity_tables.h"
#include "asperity/reproduce/sample_grid.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/ground.h"
#include "asperity/scenario/roles.h"

namespace asperity::reproduce {
namespace {

using gravity::SmallBody;
using scenario::Scenario;

constexpr const char* plain_names[] = {"linearisation_error", "frame_distance", "companion_frame_distance"};
constexpr const char* model_names[] = {"model_volume", "model_density", "resolution_error"};
constexpr int orbit_samples = 700;  // over a run; dense output costs nothing

bool is_one_of(std::string_view text, const auto& names) { return std::find(std::begin(names), std::end(names), text) != std::end(names); }

const SmallBody& body_of(const scenario::Compiled& compiled) { return std::get<SmallBody>(compiled.model.parameters.environment.field); }

void put_at(Scenario& scenario, const SmallBody::Place& place) {
    scenario::BodyStart& start = scenario::first_start(scenario);
    start.position = place.position;
    start.velocity = place.velocity;
}

// The orbit of a scenario, as the inertial frame sees it.
std::vector<SmallBody::Place> inertial_orbit(const Scenario& scenario, const model::Assets& assets) {
    scenario::Compiled compiled = scenario::compile(scenario, assets);
    SampleGrid grid(0, scenario.end.time, orbit_samples);
    dynamics::simulate(compiled.model, compiled.state, grid);
    std::vector<SmallBody::Place> places;
    for (const model::Sample& sample : grid.samples)
        places.push_back(body_of(compiled).to_inertial(sample.position, sample.velocity, sample.time));
    return places;
}

// Nothing where one of the runs ended early: they met the ground, or left.
std::optional<double> largest_distance(const std::vector<SmallBody::Place>& a, const std::vector<SmallBody::Place>& b) {
    if (a.size() != orbit_samples + 1 || b.size() != a.size()) return {};
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i].position - b[i].position));
    return largest;
}

// Start of the run in the inertial frame.
SmallBody::Place inertial_start(const Scenario& scenario, const model::Assets& assets) {
    const scenario::Compiled compiled = scenario::compile(scenario, assets);
    const std::size_t row = model::only_row(compiled.state);
    return body_of(compiled).to_inertial(compiled.state.bodies.position[row], compiled.state.bodies.velocity[row], 0);
}

Scenario in_inertial_frame(const Scenario& scenario) {
    Scenario other = scenario;
    other.frame.clear();
    return other;
}

// The same binary seen from its other body, which becomes the one that the run stays with.
Scenario from_companion(const Scenario& scenario) {
    Scenario other = scenario;
    const auto body = [&](const scenario::Body* of) -> scenario::Body& {
        return other.bodies[static_cast<std::size_t>(of - scenario.bodies.data())];
    };
    const scenario::Roles roles = scenario::roles_of(scenario);
    scenario::Body &ground = body(roles.ground), &companion = body(roles.companion);
    companion.orbit->about = companion.name;
    companion.orbit->direction += std::numbers::pi;
    std::swap(ground.orbit, companion.orbit);
    other.frame = companion.name;
    // these two are asked of the one in the middle alone
    std::swap(ground.attracts->icosphere, companion.attracts->icosphere);
    std::swap(ground.attracts->linear_reach, companion.attracts->linear_reach);
    std::swap(ground.material, companion.material);
    return other;
}

}  // namespace

std::vector<std::string> field_quantity_names() {
    std::vector<std::string> names(std::begin(plain_names), std::end(plain_names));
    for (const char* name : model_names) names.push_back(std::string(name) + "[0]");
    return names;
}

bool is_field_quantity(std::string_view text) {
    if (is_one_of(text, plain_names)) return true;
    const std::size_t bracket = text.find('[');
    return bracket != std::string_view::npos && text.size() == bracket + 3 && text.back() == ']' && text[bracket + 1] >= '0' &&
           text[bracket + 1] <= '7' && is_one_of(text.substr(0, bracket), model_names);
}

FieldMeasured::FieldMeasured(Scenario scenario) : scenario_(std::move(scenario)), assets_(scenario::load_assets(scenario_)) {}

std::optional<double> FieldMeasured::value(std::string_view quantity) const {
    if (!scenario::roles_of(scenario_).has_attraction()) return {};
    if (quantity == "linearisation_error") return linearisation_error();
    if (quantity == "frame_distance") return frame_distance();
    if (quantity == "companion_frame_distance") return companion_frame_distance();
    const std::size_t bracket = quantity.find('[');
    return of_model(quantity.substr(0, bracket), quantity[bracket + 1] - '0');
}

std::optional<double> FieldMeasured::linearisation_error() const {
    const scenario::BodyStart& start = scenario::first_start(scenario_);
    const Vec3 from = start.given_position();
    const std::vector<Vec3> points = points_between(from, from + scenario_.end.time * start.given_velocity(), 501);
    const double reaches[] = {scenario::roles_of(scenario_).ground->attracts->linear_reach};
    return linearisation_errors(gravity::PolyhedronGravity(assets_.surface), points, reaches)[0].largest;
}

std::optional<double> FieldMeasured::of_model(std::string_view name, int level) const {
    const Vec3 points[] = {scenario::first_start(scenario_).given_position()};
    const int levels[] = {level};
    const ResolutionErrors got = resolution_errors(assets_.surface, levels, points);
    const ResolutionModel& model = got.models[0];
    if (name == "resolution_error") return 100 * model.errors[0];
    if (name == "model_volume") return 1e-7 * model.volume;
    const std::optional<double>& density = scenario::roles_of(scenario_).ground->density;
    return density ? std::optional(*density * model.density_factor) : std::nullopt;
}

std::optional<double> FieldMeasured::frame_distance() const {
    Scenario other = in_inertial_frame(scenario_);
    put_at(other, inertial_start(scenario_, assets_));
    return largest_distance(inertial_orbit(scenario_, assets_), inertial_orbit(other, assets_));
}

std::optional<double> FieldMeasured::companion_frame_distance() const {
    if (scenario::roles_of(scenario_).companion == nullptr) return {};
    Scenario other = from_companion(scenario_);
    const model::Assets assets = scenario::load_assets(other);
    const SmallBody::Place start = inertial_start(scenario_, assets_);
    const SmallBody body = scenario::small_body_of(other, assets);
    put_at(other, body.from_inertial(start.position, start.velocity, 0));
    return largest_distance(inertial_orbit(scenario_, assets_), inertial_orbit(other, assets));
}

}  // namespace asperity::reproduce
