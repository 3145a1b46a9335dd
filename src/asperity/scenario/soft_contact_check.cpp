#include "asperity/scenario/soft_contact_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/penalty/soft_pairs.h"
#include "asperity/scenario/roles.h"

namespace asperity::scenario {
namespace {

using dynamics::Motion;
using dynamics::Pair;

constexpr double fewest_steps = 2;    // in a contact: below it the step is unstable, or passes over the contact
constexpr double few_steps = 20;      // below it hits are off by a per cent of their energy
constexpr double enough_steps = 50;   // hits keep their energy to 1e-3
constexpr double far = 10;            // touching distances: such a pair does not meet
constexpr double fewest_units = 1e3;  // u in an overlap

constexpr std::size_t most_in_pairs = 64;  // bodies that are looked at pair by pair; more of them by their kinds

enum class Chance { never, possible, certain };

double touching_distance(const model::Parameters& world, const Pair& pair) {
    return world.bodies[pair.i].reach() + world.bodies[pair.j].reach();
}

// Effective mass of a contact, the least of all attitudes: the arm of a force along the normal is at most the difference of semi-axes.
double least_mass(const model::Parameters& world, const Pair& pair) {
    double yield = 0;
    for (const std::size_t k : {pair.i, pair.j}) {
        const model::BodyKind& body = world.bodies[k];
        const double arm = body.reach() - body.least_radius();
        yield += 1 / body.mass + arm * arm / std::min({body.inertia.x, body.inertia.y, body.inertia.z});
    }
    return 1 / yield;
}

double duration_of(const model::Parameters& world, const Pair& pair) {
    return std::numbers::pi * std::sqrt(least_mass(world, pair) / pair.contact.stiffness);  // (1)
}

// The key path of the stiffness of a pair.
std::string stiffness_path(const Scenario& scenario, const Pair& pair) {
    const std::vector<MovingRow> rows = moving_rows(scenario);
    const Contact* contact = contact_of(scenario, rows[pair.i].body->surface_material(), rows[pair.j].body->surface_material());
    return contact == nullptr ? "contact" : contact->path() + ".stiffness";
}

// Whether a pair touches within a time. Certain: it rests in touch, or is one of two bodies that are on the way to each other.
Chance chance_of(const model::Parameters& world, const Motion& motion, const Pair& pair, double within) {
    const auto &a = motion.bodies[pair.i], &b = motion.bodies[pair.j];
    const model::BodyKind &first = world.bodies[pair.i], &second = world.bodies[pair.j];
    const auto gap = dynamics::pair_gap(world, pair.i, pair.j, motion);
    const Vec3 apart = a.p - b.p, speed = a.v - b.v;
    if (gap.gap <= dynamics::touch_grace(world, pair.i, pair.j)) {
        const bool parts = dynamics::parting_speed(motion, pair.i, pair.j, gap) > 1e-9 * norm(speed);
        return parts ? Chance::possible : Chance::certain;
    }
    // the two-body orbit: radial speed^2 = 2 E + 2 mu / r - l^2 / r^2
    const double r = norm(apart), mu = world.environment.mutual.constant * (first.mass + second.mass),
                 l2 = squared_norm(cross(apart, speed));
    const double energy = 0.5 * squared_norm(speed) - mu / r, radial = dot(apart, speed) / r;
    const double eccentricity = std::sqrt(std::fmax(0.0, 1 + 2 * energy * l2 / (mu * mu)));
    const double nearest = energy < 0 || radial < 0 ? std::fmin(r, l2 / mu / (1 + eccentricity)) : r;
    if (nearest > far * touching_distance(world, pair)) return Chance::never;
    const double d = first.least_radius() + second.least_radius();
    if (world.bodies.size() > 2 || radial >= 0 || nearest >= d) return Chance::possible;
    // radial speed^2 is concave in 1 / r: on the way it is nowhere less than at both ends
    const double slowest = std::fmin(-radial, std::sqrt(std::fmax(0.0, 2 * energy + 2 * mu / d - l2 / (d * d))));
    return r - d < slowest * within ? Chance::certain : Chance::possible;
}

bool has_fixed_steps(const model::Phase& phase) {
    return phase.method == dynamics::penalty.name && std::isfinite(phase.step_max) &&
           (phase.integrator == model::Integrator::verlet || phase.integrator == model::Integrator::symplectic4);
}

// The pair with the shortest contact that a phase has fewer steps for.
struct ShortContact {
    Pair pair;
    double duration = 0;  // s
};

std::optional<ShortContact> short_contact(const Compiled& compiled, std::size_t phase_index, double steps, Chance least) {
    const model::Parameters& parameters = compiled.model.parameters;
    const model::Parameters& world = parameters;
    const model::Phase& phase = parameters.phases[phase_index];
    if (!has_fixed_steps(phase)) return {};  // the integrators of few bodies that attract each other: their pairs are few
    const Motion motion = dynamics::motion_of(compiled.state);
    std::optional<ShortContact> shortest;
    for (const Pair& pair : dynamics::pairs_of(world)) {
        const double duration = duration_of(world, pair);
        if (duration >= steps * phase.step_max || (shortest && duration >= shortest->duration)) continue;
        Chance chance = chance_of(world, motion, pair, std::min(phase.duration, parameters.end_time));
        if (phase_index > 0) chance = std::min(chance, Chance::possible);  // of its start nothing is known
        if (chance >= least) shortest = {pair, duration};
    }
    return shortest;
}

std::string remedy(const ShortContact& contact, double step) {
    const double enough = contact.duration / enough_steps, ratio = enough / step;
    return fmt::format(
        "take step_max = \"{:.2g} s\" ({:g} steps in a contact), a stiffness up to {:.2g} N/m, or integrator = \"dopri5\", which "
        "chooses "
        "its steps",
        enough, enough_steps, ratio * ratio * contact.pair.contact.stiffness);
}

void require_overlap(const Scenario& scenario, const Compiled& compiled) {
    const model::Parameters& world = compiled.model.parameters;
    const Motion motion = dynamics::motion_of(compiled.state);
    constexpr double never = std::numeric_limits<double>::infinity();
    for (const Pair& pair : dynamics::pairs_of(world)) {
        const auto &a = motion.bodies[pair.i], &b = motion.bodies[pair.j];
        const double d = touching_distance(world, pair), mass = least_mass(world, pair);
        const double fall2 = 2 * world.environment.mutual.constant * (world.bodies[pair.i].mass + world.bodies[pair.j].mass) / d;
        const double speed = std::sqrt(squared_norm(a.v - b.v) + fall2);                                         // (3)
        const double overlap = speed * std::sqrt(mass / pair.contact.stiffness);                                 // (2)
        const double rounding = std::numeric_limits<double>::epsilon() * (std::fmax(norm(a.p), norm(b.p)) + d);  // (4)
        if (overlap >= fewest_units * rounding || chance_of(world, motion, pair, never) == Chance::never) continue;
        const double most = mass * std::pow(speed / (fewest_units * rounding), 2);
        throw error_at(
            scenario.places, stiffness_path(scenario, pair),
            fmt::format("a stiffness of {:.3g} N/m is too high for bodies {} and {}: where they meet at {:.2g} m/s they overlap by "
                        "{:.2g} m, and their positions are rounded to {:.2g} m",
                        pair.contact.stiffness, pair.i + 1, pair.j + 1, speed, overlap, rounding),
            fmt::format("take at most {:.2g} N/m, or the method \"constraint\", whose contacts are rigid", most));
    }
}

}  // namespace

void require_resolved_contacts(const Scenario& scenario, const Compiled& compiled) {
    const model::Parameters& world = compiled.model.parameters;
    if (world.bodies.size() > most_in_pairs) return;
    if (!world.joints.empty() || !world.loads.empty()) return;  // how fast bodies meet is not up to the start alone
    const std::vector<model::Phase>& phases = world.phases;
    const auto is_soft = [](const model::Phase& phase) { return phase.method == dynamics::penalty.name; };
    if (std::any_of(phases.begin(), phases.end(), is_soft)) require_overlap(scenario, compiled);
    for (std::size_t k = 0; k < phases.size(); ++k) {
        const auto contact = short_contact(compiled, k, fewest_steps, Chance::certain);
        if (!contact) continue;
        throw error_at(scenario.places, fmt::format("phase.{}.step_max", k),
                       fmt::format("steps of {:.3g} s pass over the contact of bodies {} and {}, which lasts {:.3g} s, pi sqrt(m / k)",
                                   phases[k].step_max, contact->pair.i + 1, contact->pair.j + 1, contact->duration),
                       remedy(*contact, phases[k].step_max));
    }
}

namespace {

// Warns of explicit steps that are long against the shortest contact between two kinds of bodies, or of one with the ground.
std::optional<std::string> explicit_step_doubt(const model::Parameters& world, const model::Phase& phase) {
    const bool is_explicit = phase.integrator == model::Integrator::rk4 || phase.integrator == model::Integrator::leapfrog;
    if (phase.method != dynamics::penalty.name || !is_explicit) return {};
    double shortest = std::numeric_limits<double>::infinity();
    const auto look = [&](std::uint16_t a, std::uint16_t b, double yield) {
        const double stiffness = world.laws.of(a, b).stiffness;  // of Hertz the duration depends on the speed
        if (stiffness > 0) shortest = std::fmin(shortest, std::numbers::pi / std::sqrt(stiffness * yield));
    };
    for (const model::BodyKind& a : world.bodies.kinds) {
        for (const std::uint16_t material : world.ground_materials) look(a.material, material, 1 / a.mass);
        for (const model::Collider& wall : world.ground) look(a.material, wall.material, 1 / a.mass);
        if (world.bodies.size() == 1) continue;
        for (const model::BodyKind& b : world.bodies.kinds) look(a.material, b.material, 1 / a.mass + 1 / b.mass);
    }
    if (!(shortest < few_steps * phase.step_max)) return {};
    return fmt::format(
        "phase `{}`: the shortest contact lasts {:.3g} s, pi sqrt(m / k), {:.2g} of its steps of {:.3g} s: {}; take step_max = "
        "\"{:.2g} s\"",
        phase.name, shortest, shortest / phase.step_max, phase.step_max,
        shortest < fewest_steps * phase.step_max ? "contacts are passed over or gain energy" : "energy is off by per cents",
        shortest / enough_steps);
}

}  // namespace

std::vector<std::string> soft_contact_doubts(const Compiled& compiled) {
    std::vector<std::string> out;
    for (const model::Phase& phase : compiled.model.parameters.phases)
        if (auto doubt = explicit_step_doubt(compiled.model.parameters, phase)) out.push_back(std::move(*doubt));
    if (compiled.model.parameters.bodies.size() > most_in_pairs) return out;
    const std::vector<model::Phase>& phases = compiled.model.parameters.phases;
    for (std::size_t k = 0; k < phases.size(); ++k) {
        const auto contact = short_contact(compiled, k, few_steps, Chance::possible);
        if (!contact) continue;
        const double steps = contact->duration / phases[k].step_max;
        out.push_back(
            fmt::format("phase `{}`: a contact of bodies {} and {} lasts {:.3g} s, pi sqrt(m / k), {:.2g} of its steps of {:.3g} s: {}; {}",
                        phases[k].name, contact->pair.i + 1, contact->pair.j + 1, contact->duration, steps, phases[k].step_max,
                        steps < fewest_steps ? "contacts are passed over or gain energy" : "energy is off by per cents",
                        remedy(*contact, phases[k].step_max)));
    }
    return out;
}

}  // namespace asperity::scenario
