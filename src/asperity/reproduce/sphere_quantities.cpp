#include "asperity/reproduce/sphere_quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "asperity/analysis/energy_bound.h"
#include "asperity/analysis/recognition.h"
#include "asperity/analysis/resting_configurations.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/sample.h"
#include "asperity/scenario/compile.h"

namespace asperity::reproduce {
namespace {

struct SphereQuantity {
    const char* name;
    bool has_index;
};
constexpr SphereQuantity sphere_quantity_list[] = {{"required_rate", false}, {"spin_lack", true}, {"spin_acceleration", true},
                                                   {"form_angle", true},     {"angle_max", true}, {"widest_angle_min", false},
                                                   {"relative_spin", false}};

constexpr double degrees = 180 / std::numbers::pi;
constexpr int sample_count = 20'000;  // of the time since contacts last changed

// The states of three bodies at equal distances in time, from `begin` to `end`.
class LastGrid final : public model::Observer {
public:
    LastGrid(double begin, double end) : begin_(begin), end_(end) {}

    double next_sample() const override {
        const auto next = static_cast<double>(samples.size());
        return next > sample_count ? std::numeric_limits<double>::infinity() : begin_ + (end_ - begin_) * next / sample_count;
    }
    void sample(const model::Look& look) override {
        std::vector<model::Sample> rows;
        model::append_samples(look, rows);
        samples.push_back({rows.at(0), rows.at(1), rows.at(2)});
    }
    void event(const model::Event&) override {}
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}

    std::vector<std::array<model::Sample, 3>> samples;

private:
    double begin_, end_;
};

double angle_between(const Vec3& a, const Vec3& b) { return degrees * std::atan2(norm(cross(a, b)), dot(a, b)); }

// The angle at body k between the directions to the other two.
double angle_at(const std::array<model::Sample, 3>& s, std::size_t k) {
    return angle_between(s[(k + 1) % 3].position - s[k].position, s[(k + 2) % 3].position - s[k].position);
}

// (5.1): seen from the common centre of mass, of pair 1-2, 1-3 or 2-3.
double form_angle(const model::Parameters& world, const model::Bodies& bodies, std::size_t pair) {
    Vec3 centre;
    double mass = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        centre += world.bodies[i].mass * bodies.position[i];
        mass += world.bodies[i].mass;
    }
    const std::size_t i = pair == 2 ? 1 : 0, j = pair == 0 ? 1 : 2;
    return angle_between(bodies.position[i] - centre / mass, bodies.position[j] - centre / mass);
}

// The mean over all ordered pairs of spin of the first minus rate at which the second goes around it, about the axis of the momentum.
double relative_spin(const std::vector<std::array<model::Sample, 3>>& samples, const Vec3& axis) {
    double sum = 0;
    for (const auto& s : samples)
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                if (i == j) continue;
                const Vec3 apart = s[j].position - s[i].position, speed = s[j].velocity - s[i].velocity;
                sum += (dot(axis, s[i].spin) - dot(axis, cross(apart, speed)) / squared_norm(apart)) / 6;
            }
    return sum / static_cast<double>(samples.size());
}

std::optional<double> metric_of(const study::Trial& trial, std::string_view name, std::size_t index) {
    for (const analysis::Metric& metric : trial.metrics)
        if (metric.name == name)
            if (const auto* list = std::get_if<std::vector<double>>(&metric.value); list != nullptr && index < list->size())
                return (*list)[index];
    return {};
}

}  // namespace

std::vector<std::string> sphere_quantity_names() {
    std::vector<std::string> names;
    for (const SphereQuantity& one : sphere_quantity_list) names.emplace_back(one.name);
    return names;
}

bool is_sphere_quantity(std::string_view text) {
    for (const SphereQuantity& one : sphere_quantity_list) {
        const std::string_view name = one.name;
        if (!one.has_index && text == name) return true;
        if (one.has_index && text.size() == name.size() + 3 && text.starts_with(name) && text[name.size()] == '[' && text.ends_with("]") &&
            text[name.size() + 1] >= '0' && text[name.size() + 1] <= '2')
            return true;
    }
    return false;
}

std::optional<double> sphere_quantity(const scenario::Scenario& scenario, const model::Assets& assets, const study::Trial& trial,
                                      std::string_view text) {
    scenario::Compiled compiled = scenario::compile(scenario, assets);
    const model::Parameters& world = compiled.model.parameters;
    if (world.bodies.size() != 3 || !world.bodies.has_only_spheres()) return {};
    const model::State& last = trial.last;
    const std::string_view name = text.substr(0, text.find('['));
    const std::size_t index = name == text ? 0 : static_cast<std::size_t>(text[name.size() + 1] - '0');
    if (name == "form_angle") return form_angle(world, last.bodies, index);
    const analysis::EnergyBound bound =
        analysis::energy_bound(analysis::moving_bodies(world, last.bodies), world.environment.mutual.constant);
    if (name == "angle_max" || name == "widest_angle_min" || name == "relative_spin") {
        LastGrid grid(last.settled.time, trial.outcome.time);
        dynamics::simulate(compiled.model, compiled.state, grid);
        if (name == "relative_spin") return relative_spin(grid.samples, unit(bound.angular_momentum));
        double most = 0, least = 180;
        for (const auto& s : grid.samples) {
            most = std::max(most, angle_at(s, index));
            least = std::min(least, std::max({angle_at(s, 0), angle_at(s, 1), angle_at(s, 2)}));
        }
        return name == "angle_max" ? most : least;
    }
    std::vector<analysis::Sphere> spheres;
    for (const analysis::MovingSphere& m : analysis::moving_spheres(world, last.bodies)) spheres.push_back(m.sphere);
    const double rate = analysis::ground_state(
                            analysis::resting_equilibria(spheres, squared_norm(bound.angular_momentum), world.environment.mutual.constant))
                            .rate;
    if (name == "required_rate") return rate;
    const auto spin = metric_of(trial, "spin_rate", index), lock = metric_of(trial, "lock_time", index);
    if (!spin) return {};
    if (name == "spin_lack") return rate - *spin;
    return lock ? std::optional((rate - *spin) / *lock) : std::nullopt;
}

}  // namespace asperity::reproduce
