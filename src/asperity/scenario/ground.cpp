#include "asperity/scenario/ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "asperity/assets/facet_values.h"
#include "asperity/assets/field_cache.h"
#include "asperity/assets/mesh_file.h"
#include "asperity/core/suggest.h"
#include "asperity/geometry/builtin_shapes.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/geometry/patches.h"
#include "asperity/geometry/principal_axes.h"
#include "asperity/geometry/resample.h"
#include "asperity/laws/contact/rocks.h"
#include "asperity/scenario/colliders.h"
#include "asperity/scenario/moving_bodies.h"
#include "asperity/scenario/roles.h"

namespace asperity::scenario {
namespace {

constexpr double two_pi = 6.283185307179586476925;

double largest_distance(const geometry::SurfaceMesh& mesh) {
    double largest = 0;
    for (const Vec3& vertex : mesh.vertices) largest = std::fmax(largest, norm(vertex));
    return largest;
}

struct FieldRequest {
    gravity::FastFieldOptions options;
    const gravity::FastField::Progress& progress;
    std::vector<std::string>& warnings;
};

// A field of that kind on a mesh; the mesh itself is not kept.
model::BodyAssets body_assets(const geometry::SurfaceMesh& mesh, gravity::FieldKind kind, const FieldRequest& request) {
    model::BodyAssets out;
    out.volume = geometry::mass_properties(mesh).volume;
    out.radius = largest_distance(mesh);
    const bool sums = kind == gravity::FieldKind::exact || kind == gravity::FieldKind::linearised;
    if (sums) out.exact = std::make_unique<gravity::PolyhedronGravity>(mesh);
    if (kind != gravity::FieldKind::fast) return out;
    assets::LoadedField loaded = assets::load_field(mesh, request.options, request.progress);
    for (const std::string& warning : loaded.warnings) request.warnings.push_back(warning);
    out.fast = std::move(loaded.field);
    return out;
}

gravity::Attractor attractor(const model::BodyAssets& assets, gravity::FieldKind kind, double scale, double constant,
                             const std::optional<double>& density, const std::optional<double>& mass, double spin_rate, double attitude) {
    gravity::Attractor out;
    out.field.kind = kind;
    out.field.exact = assets.exact.get();
    if (kind == gravity::FieldKind::fast) out.field.fast = assets.fast.view();
    out.field.volume = assets.volume;
    out.field.scale = scale;
    out.field.strength = constant * (density ? *density : *mass / (assets.volume * scale * scale * scale));
    out.spin_rate = spin_rate;
    out.attitude = attitude;
    return out;
}

std::string folder_of(const Scenario& scenario) { return std::filesystem::path(scenario.file).parent_path().string(); }

// Which patch each facet is in, and what a table says of single ones. The number of rocks follows both: the table wins.
void load_surface_values(const Scenario& scenario, const Body& ground, model::Assets& assets) {
    const std::size_t facets = assets.surface.facets.size();
    std::vector<geometry::LatLonPatch> patches;
    for (const Patch& p : ground.patches) patches.push_back({p.latitude_from, p.latitude_to, p.longitude_from, p.longitude_to});
    if (!patches.empty()) assets.patch_of_facet = geometry::patch_of_facets(assets.surface, patches);
    assets::FacetValues values;
    if (!ground.facet_values.empty())
        values = assets::read_facet_values((std::filesystem::path(folder_of(scenario)) / ground.facet_values.text).string(), facets);
    assets.restitution = std::move(values.restitution);
    assets.friction = std::move(values.friction);
    assets.rolling_resistance = std::move(values.rolling_resistance);
    if (!scenario.rocks || (patches.empty() && values.rock_density.empty())) return;
    assets.rock_density.assign(facets, 1);
    for (std::size_t f = 0; f < facets; ++f) {
        if (!patches.empty() && assets.patch_of_facet[f] > 0)
            assets.rock_density[f] = ground.patches[assets.patch_of_facet[f] - 1u].rock_density;
        if (!values.rock_density.empty() && !std::isnan(values.rock_density[f])) assets.rock_density[f] = values.rock_density[f];
    }
}

geometry::RawMesh generated(const Scenario& scenario, const SurfaceShape& surface) {
    struct Generate {
        const Scenario& scenario;
        geometry::RawMesh operator()(const geometry::FlatWorld& w) const { return geometry::generate(w); }
        geometry::RawMesh operator()(const geometry::TableWorld& w) const { return geometry::generate(w); }
        geometry::RawMesh operator()(const geometry::GutterWorld& w) const { return geometry::generate(w); }
        geometry::RawMesh operator()(const geometry::PitWorld& w) const { return geometry::generate(w); }
        geometry::RawMesh operator()(const SpikeSurface& w) const {
            geometry::SpikeWorld shape = w.shape;
            shape.seed = static_cast<std::uint64_t>(w.seed.value_or(scenario.seed));
            return geometry::generate(shape);
        }
    };
    return std::visit(Generate{scenario}, surface.kind);
}

geometry::RawMesh mesh_of_file(const Scenario& scenario, const MeshShape& mesh) {
    const std::filesystem::path path = std::filesystem::path(scenario.file).parent_path() / mesh.file.text;
    return assets::read_mesh(path.string(), length_of_unit(mesh.unit, path.string()));
}

geometry::RawMesh builtin_mesh(const BuiltinShape& builtin) {
    const geometry::BuiltinShape* shape = geometry::find_builtin_shape(builtin.name);
    if (shape != nullptr) return geometry::builtin_shape(*shape, builtin.facets);
    std::vector<std::string> known;
    for (const geometry::BuiltinShape& one : geometry::builtin_shapes()) known.emplace_back(one.name);
    throw InputError({Problem{.what = fmt::format("there is no built-in shape `{}`", builtin.name),
                              .hint = did_you_mean(builtin.name, known),
                              .note = "built in: " + joined(known) + "; a file is written mesh = \"" + builtin.name + "\""}});
}

// A generator and a mesh know nothing of the scenario: what is wrong is told where the scenario asked for it.
template <class Make>
auto told_at_shape(const Scenario& scenario, const Body& body, Make&& make) {
    try {
        return make();
    } catch (InputError& error) {
        const char* key = body.as<MeshShape>() ? ".shape.mesh" : body.as<BuiltinShape>() ? ".shape.builtin" : ".shape";
        for (Problem& problem : error.problems)
            if (problem.file.empty()) problem = problem_at(scenario.places, body.path() + key, problem.what, problem.hint, problem.note);
        throw InputError(error.problems);
    }
}

}  // namespace

RockPopulation rock_population(const Rocks& rocks) {
    return {.number_per_area = rocks.number_per_area,
            .reference_diameter = rocks.reference_diameter,
            .exponent = rocks.exponent,
            .smallest = rocks.smallest,
            .largest = rocks.largest};
}

model::StochasticRocks stochastic_rocks(const Scenario& scenario) {
    if (!scenario.rocks || scenario.rocks->model != RockModel::stochastic || !(scenario.rocks->number_per_area > 0)) return {};
    const RockPopulation population = rock_population(*scenario.rocks);
    return {.population = population,
            .in_impacts = scenario.rocks->in_impacts,
            .in_rolling = scenario.rocks->in_rolling,
            .mean_free_path = laws::mean_free_path(population, radius_of(*first_moving(scenario)))};
}

double length_of_unit(const std::optional<MeshUnit>& unit, const std::string& file) {
    if (unit) return metres(*unit);
    const geometry::RawMesh mesh = assets::read_mesh(file, 1);
    Vec3 least = mesh.vertices.front(), most = least;
    for (const Vec3& v : mesh.vertices) {
        least = {std::fmin(least.x, v.x), std::fmin(least.y, v.y), std::fmin(least.z, v.z)};
        most = {std::fmax(most.x, v.x), std::fmax(most.y, v.y), std::fmax(most.z, v.z)};
    }
    const Vec3 size = most - least;
    const double across = std::fmax(size.x, std::fmax(size.y, size.z));
    throw InputError(
        fmt::format("nothing says in which unit {} is", std::filesystem::path(file).filename().string()),
        fmt::format("it is {0:.3g} m across with unit = \"m\", {0:.3g} km with \"km\", {0:.3g} cm with \"cm\", {0:.3g} mm with "
                    "\"mm\": write the one that is right",
                    across));
}

bool has_whole_ground(const Scenario& scenario) {
    const Body* ground = roles_of(scenario).ground;
    return ground != nullptr && ground->is_whole();
}

double ground_scale(const Scenario& scenario) {
    const Body* ground = roles_of(scenario).ground;
    return ground != nullptr ? ground->scale : 1;
}

geometry::SurfaceMesh ground_surface(const Scenario& scenario, const Body& ground) {
    return told_at_shape(scenario, ground, [&] {
        if (const auto* surface = ground.as<SurfaceShape>()) return geometry::make_surface(generated(scenario, *surface));
        const auto* file = ground.as<MeshShape>();
        geometry::RawMesh mesh = file != nullptr ? mesh_of_file(scenario, *file) : builtin_mesh(*ground.as<BuiltinShape>());
        if (!ground.is_whole()) return geometry::make_surface(std::move(mesh));
        mesh = ground.principal_axes ? geometry::in_principal_axes(mesh) : geometry::recentred(mesh);
        return geometry::make_closed_surface(std::move(mesh));
    });
}

void load_ground_assets(const Scenario& scenario, model::Assets& assets, const gravity::FastField::Progress& progress) {
    const Roles roles = roles_of(scenario);
    const Body& ground = *roles.ground;
    told_at_shape(scenario, ground, [&] {
        if (ground.is_whole()) load_surface_values(scenario, ground, assets);
        if (!ground.attracts) return;
        const Attraction& attraction = *ground.attracts;
        const FieldRequest request{.options = {.tolerance = attraction.bound}, .progress = progress, .warnings = assets.warnings};
        if (attraction.icosphere) {
            const geometry::Resampled model =
                geometry::cast_icosphere(assets.surface, static_cast<int>(*attraction.icosphere), {.keep_volume = false});
            assets.target = body_assets(geometry::make_closed_surface(geometry::recentred(model.mesh)), attraction.field, request);
        } else {
            assets.target = body_assets(assets.surface, attraction.field, request);
        }
        if (scenario.rocks && scenario.rocks->model == RockModel::field) {
            const auto seed = static_cast<std::uint64_t>(scenario.rocks->seed.value_or(1));
            assets.rocks = geometry::make_rock_field(ground.scale == 1 ? assets.surface : geometry::scaled(assets.surface, ground.scale),
                                                     rock_population(*scenario.rocks), seed, assets.rock_density);
        }
        assets.true_volume = geometry::mass_properties(assets.surface).volume;
        if (roles.companion == nullptr) return;
        assets.companion_surface = ground_surface(scenario, *roles.companion);
        const Attraction& other = *roles.companion->attracts;
        const FieldRequest its{.options = {.tolerance = other.bound}, .progress = progress, .warnings = assets.warnings};
        assets.companion = body_assets(assets.companion_surface, other.field, its);
    });
}

gravity::SmallBody small_body_of(const Scenario& scenario, const model::Assets& assets) {
    const Roles roles = roles_of(scenario);
    const Body& ground = *roles.ground;
    const double scale = ground.scale, constant = scenario.gravity.constant;
    gravity::SmallBody body;
    body.is_inertial = has_turning_ground(scenario, roles);
    body.transports_spin = scenario.spin_transport;
    // The mass is that of the shape, whatever model of it attracts (1-landers 7.3).
    const double mass = ground.mass ? *ground.mass : *ground.density * assets.true_volume * scale * scale * scale;
    const gravity::FieldKind field = ground.attracts->field;
    const auto rate = [](const std::optional<double>& period, double otherwise) { return period ? two_pi / *period : otherwise; };
    if (roles.companion == nullptr) {
        body.target = attractor(assets.target, field, scale, constant, {}, mass, rate(ground.spin_period, 0), ground.spin_phase);
        body.escape_distance = 10 * scale * assets.target.radius;
        return body;
    }
    const Body& c = *roles.companion;
    const Orbit& orbit = *c.orbit;
    body.has_companion = true;
    body.companion = attractor(assets.companion, c.attracts->field, c.scale, constant, c.density, c.mass, 0, c.spin_phase);
    body.target = attractor(assets.target, field, scale, constant, {}, mass, 0, ground.spin_phase);
    const double mean_motion = std::sqrt(body.total_parameter() / std::pow(orbit.separation, 3));
    body.target.spin_rate = rate(ground.spin_period, mean_motion);
    body.companion.spin_rate = rate(c.spin_period, mean_motion);
    body.orbit = {.semi_major_axis = orbit.separation,
                  .eccentricity = orbit.eccentricity,
                  .mean_motion = mean_motion,
                  .mean_anomaly = orbit.mean_anomaly,
                  .periapsis = orbit.direction};
    body.escape_distance = 10 * orbit.separation;
    return body;
}

namespace {

// The pair that pulls hardest when it touches.
struct HardestPair {
    double pull = 0;      // N
    double distance = 0;  // m
    double mass = 0;      // kg, reduced
};

HardestPair hardest_pair(const model::Parameters& world) {
    HardestPair hardest;
    const std::vector<model::BodyKind>& kinds = world.bodies.kinds;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const bool is_alone = std::ranges::count(world.bodies.kind, static_cast<std::uint32_t>(i)) < 2;
        for (std::size_t j = is_alone ? i + 1 : i; j < kinds.size(); ++j) {
            const model::BodyKind &a = kinds[i], &b = kinds[j];
            const double d = a.mean_radius() + b.mean_radius();
            const double pull = world.environment.mutual.constant * a.mass * b.mass / (d * d);
            if (pull > hardest.pull) hardest = {pull, d, a.mass * b.mass / (a.mass + b.mass)};
        }
    }
    return hardest;
}

// Points and solids that touch.
std::size_t touching_parts(const Body& body) {
    std::size_t parts = 0;
    for_each_collider(body, [&](const auto& shape, const Pose&, const std::string&) {
        const auto* markers = shape.template get<MarkersShape>();
        parts += markers != nullptr ? markers->points.size() : 1;
    });
    return parts;
}

void set_spring(const Scenario& scenario, const RestPenetration& rest, laws::PairLaw& law) {
    const auto body = std::ranges::find(scenario.bodies, rest.weight_of, &Body::name);
    const double mass = mass_of(*body);
    const double g = rest.gravity ? *rest.gravity : norm(scenario.gravity.uniform.value_or(Vec3{}));
    const double shares = rest.shared ? static_cast<double>(touching_parts(*body)) : 1;
    const double stiffness = mass * g / rest.depth;
    law.stiffness = stiffness / shares;
    law.damping = laws::damping_of_ratio(rest.damping_ratio, stiffness, mass) / shares;
}

// Of bodies that attract each other the spring is by default such that gravity presses it in by a millionth of the distance.
laws::PairLaw law_of(const Scenario& scenario, const Contact& contact, const HardestPair& hardest) {
    laws::PairLaw law = contact.law;
    if (contact.friction_angle) law.friction = std::tan(*contact.friction_angle);
    if (contact.static_friction_angle) law.static_friction = std::tan(*contact.static_friction_angle);
    if (contact.stiffness)
        law.stiffness = *contact.stiffness;
    else if (contact.rest_penetration)
        set_spring(scenario, *contact.rest_penetration, law);
    else if (hardest.pull > 0)
        law.stiffness = hardest.pull / (1e-6 * hardest.distance);
    if (contact.slip_speed)
        law.slip_speed = *contact.slip_speed;
    else if (hardest.pull > 0)
        law.slip_speed = 1e-4 * std::sqrt(hardest.pull * hardest.distance / hardest.mass);
    return law;
}

// Materials by name, numbered as they come.
class Materials {
public:
    std::uint16_t number(const std::string& name) {
        const auto row = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
        if (row == names_.size()) names_.push_back(name);
        return static_cast<std::uint16_t>(row);
    }
    std::size_t size() const { return names_.size(); }

private:
    std::vector<std::string> names_;
};

void add_colliders(const Body& body, Materials& materials, std::vector<model::Collider>& out) {
    for_each_collider(body, [&](const auto& shape, const Pose& place, const std::string& material) {
        out.push_back(collider_of(shape, place, materials.number(material)));
    });
}

// A sphere or an ellipsoid without colliders touches as what it is.
bool has_own_colliders(const Body& body) { return !body.colliders.empty() || !body.has_volume(); }

}  // namespace

namespace {

// What touches of a body that has no facets.
model::Shape collider_shape(const Body& body) { return collider_of(*body.shape, Pose{}, 0).shape; }

}  // namespace

void set_driven(const Scenario& scenario, model::Parameters& parameters) {
    const Roles roles = roles_of(scenario);
    const gravity::SmallBody* attracting = model::small_body(parameters.environment);
    parameters.driven.clear();
    for (const Body* body : driven_bodies(scenario)) {
        model::Driven driven;
        if (body == roles.companion)
            driven = {.colliders = {{.shape = model::MeshShape{1}}}, .motion = model::motion_of_companion(*attracting)};
        else if (body == roles.ground)
            driven = {.colliders = {{.shape = model::MeshShape{0}}}, .motion = model::motion_of_target(*attracting)};
        else
            driven = {.colliders = {{.shape = collider_shape(*body)}}, .motion = given_motion(*body->motion)};
        parameters.driven.push_back(std::move(driven));
    }
}

void set_laws(const Scenario& scenario, model::Parameters& parameters) {
    const Roles roles = roles_of(scenario);
    Materials materials;
    for (std::size_t k = 0; k < roles.moving.size(); ++k) {
        const Body& body = *roles.moving[k];
        model::BodyKind& kind = parameters.bodies.kinds[k];
        kind.material = materials.number(materials_of(body).front());
        if (has_own_colliders(body)) add_colliders(body, materials, kind.colliders);
        if (kind.principal != Pose{})
            for (model::Collider& collider : kind.colliders) collider.pose = inverse(kind.principal) * collider.pose;
    }
    parameters.ground.clear();
    parameters.ground_materials.clear();
    if (roles.ground != nullptr) {
        parameters.ground_materials.push_back(materials.number(roles.ground->surface_material()));
        for (const Patch& patch : roles.ground->patches)
            parameters.ground_materials.push_back(materials.number(roles.ground->material_of(patch)));
        if (!touches_driven(scenario) || !has_turning_ground(scenario, roles))
            parameters.ground = {{.shape = model::MeshShape{}, .pose = {}, .material = parameters.ground_materials[0]}};
    }
    const std::vector<const Body*> driven = driven_bodies(scenario);
    for (std::size_t k = 0; k < driven.size(); ++k)
        for (model::Collider& collider : parameters.driven[k].colliders)
            collider.material = materials.number(driven[k]->surface_material());
    for (const Body* body : roles.fixed) add_colliders(*body, materials, parameters.ground);
    const std::size_t count = materials.size();
    parameters.laws = {.materials = count, .index = std::vector<std::uint16_t>(count * count), .laws = {}};
    const HardestPair hardest = hardest_pair(parameters);
    std::vector<const Contact*> used;
    const auto set = [&](const std::string& a, const std::string& b, const std::string& path) {
        const Contact* contact = contact_of(scenario, a, b);
        if (contact == nullptr)
            throw error_at(scenario.places, path, fmt::format("nothing says how materials `{}` and `{}` touch", a, b),
                           fmt::format("add [contact.\"{}/{}\"] with `restitution` and `friction`", a, b));
        const auto law = static_cast<std::size_t>(std::find(used.begin(), used.end(), contact) - used.begin());
        if (law == used.size()) {
            parameters.laws.laws.push_back(law_of(scenario, *contact, hardest));
            used.push_back(contact);
        }
        const std::uint16_t i = materials.number(a), j = materials.number(b);
        parameters.laws.index[i * count + j] = parameters.laws.index[j * count + i] = static_cast<std::uint16_t>(law);
    };
    for (std::size_t i = 0; i < roles.moving.size(); ++i) {
        const Body& body = *roles.moving[i];
        const std::vector<std::string> own = materials_of(body);
        const auto set_all = [&](const Body& other) {
            for (const std::string& a : own)
                for (const std::string& b : materials_of(other)) set(a, b, body.path());
        };
        for (const Body* fixed : roles.fixed) set_all(*fixed);
        for (const Body* other : driven)
            for (const std::string& a : own) set(a, other->surface_material(), body.path());
        for (std::size_t j = i; j < roles.moving.size(); ++j)
            if ((j > i || body.count > 1) && !are_kept_apart(scenario, body.name, roles.moving[j]->name)) set_all(*roles.moving[j]);
    }
    if (parameters.laws.laws.empty()) parameters.laws.laws.emplace_back();
}

}  // namespace asperity::scenario
