#include "asperity/scenario/body.h"

#include <fmt/format.h>

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

// Which patch each facet is in, and what a table says of single ones. The number of rocks follows both: the table wins.
void load_surface_values(const Scenario& scenario, const std::string& folder, model::Assets& assets) {
    const std::size_t facets = assets.surface.facets.size();
    std::vector<geometry::LatLonPatch> patches;
    for (const Patch& p : scenario.patches) patches.push_back({p.latitude_from, p.latitude_to, p.longitude_from, p.longitude_to});
    if (!patches.empty()) assets.patch_of_facet = geometry::patch_of_facets(assets.surface, patches);
    assets::FacetValues values;
    const std::string& file = std::get<BodyWorld>(scenario.world.shape).facet_values;
    if (!file.empty()) values = assets::read_facet_values((std::filesystem::path(folder) / file).string(), facets);
    assets.restitution = std::move(values.restitution);
    assets.friction = std::move(values.friction);
    assets.rolling_resistance = std::move(values.rolling_resistance);
    if (!scenario.rocks || (patches.empty() && values.rock_density.empty())) return;
    assets.rock_density.assign(facets, 1);
    for (std::size_t f = 0; f < facets; ++f) {
        if (!patches.empty() && assets.patch_of_facet[f] > 0)
            assets.rock_density[f] = scenario.patches[assets.patch_of_facet[f] - 1u].rock_density;
        if (!values.rock_density.empty() && !std::isnan(values.rock_density[f])) assets.rock_density[f] = values.rock_density[f];
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
            .mean_free_path = laws::mean_free_path(population, scenario.ball.radius)};
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

geometry::SurfaceMesh body_surface(const BodyWorld& body, const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(folder) / body.shape;
    const geometry::BuiltinShape* builtin = geometry::find_builtin_shape(body.shape);
    std::error_code error;
    const bool is_file = std::filesystem::exists(path, error);
    if (!is_file && builtin == nullptr) {
        std::vector<std::string> known;
        for (const geometry::BuiltinShape& shape : geometry::builtin_shapes()) known.emplace_back(shape.name);
        throw InputError({Problem{.what = fmt::format("there is no file and no built-in shape `{}`", body.shape),
                                  .hint = did_you_mean(body.shape, known),
                                  .note = "built in: " + joined(known)}});
    }
    geometry::RawMesh mesh = is_file ? assets::read_mesh(path.string(), length_of_unit(body.unit, path.string()))
                                     : geometry::builtin_shape(*builtin, body.facets);
    mesh = body.principal_axes ? geometry::in_principal_axes(mesh) : geometry::recentred(mesh);
    return geometry::make_closed_surface(std::move(mesh));
}

void load_body_assets(const Scenario& scenario, const std::string& folder, model::Assets& assets,
                      const gravity::FastField::Progress& progress) {
    if (has_body(scenario)) load_surface_values(scenario, folder, assets);
    const auto* gravity = std::get_if<BodyGravity>(&scenario.gravity.field);
    if (gravity == nullptr) return;
    const FieldRequest request{.options = {.tolerance = gravity->bound}, .progress = progress, .warnings = assets.warnings};
    if (gravity->icosphere) {
        const geometry::Resampled model =
            geometry::cast_icosphere(assets.surface, static_cast<int>(*gravity->icosphere), {.keep_volume = false});
        assets.target = body_assets(geometry::make_closed_surface(geometry::recentred(model.mesh)), gravity->field, request);
    } else {
        assets.target = body_assets(assets.surface, gravity->field, request);
    }
    if (scenario.rocks && scenario.rocks->model == RockModel::field) {
        const double scale = std::get<BodyWorld>(scenario.world.shape).scale;
        const auto seed = static_cast<std::uint64_t>(scenario.rocks->seed.value_or(1));
        assets.rocks = geometry::make_rock_field(scale == 1 ? assets.surface : geometry::scaled(assets.surface, scale),
                                                 rock_population(*scenario.rocks), seed, assets.rock_density);
    }
    assets.true_volume = geometry::mass_properties(assets.surface).volume;
    if (!scenario.companion) return;
    try {
        assets.companion_surface = body_surface(scenario.companion->body, folder);
    } catch (InputError& error) {
        for (Problem& problem : error.problems)
            if (problem.file.empty()) problem = problem_at(scenario.places, "companion.shape", problem.what, problem.hint, problem.note);
        throw InputError(error.problems);
    }
    assets.companion = body_assets(assets.companion_surface, scenario.companion->field, request);
}

gravity::SmallBody small_body_of(const Scenario& scenario, const model::Assets& assets) {
    const BodyGravity& g = std::get<BodyGravity>(scenario.gravity.field);
    const double scale = std::get<BodyWorld>(scenario.world.shape).scale;
    gravity::SmallBody body;
    body.is_inertial = g.frame == Frame::inertial;
    body.transports_spin = g.spin_transport;
    // The mass is that of the shape, whatever model of it attracts (1-landers 7.3).
    const double mass = g.mass ? *g.mass : *g.density * assets.true_volume * scale * scale * scale;
    const auto rate = [](const std::optional<double>& period, double otherwise) { return period ? two_pi / *period : otherwise; };
    if (!scenario.companion) {
        body.target = attractor(assets.target, g.field, scale, g.constant, {}, mass, rate(g.period, 0), g.attitude);
        body.escape_distance = 10 * scale * assets.target.radius;
        return body;
    }
    const Companion& c = *scenario.companion;
    body.has_companion = true;
    body.companion = attractor(assets.companion, c.field, c.body.scale, g.constant, c.density, c.mass, 0, c.attitude);
    body.target = attractor(assets.target, g.field, scale, g.constant, {}, mass, 0, g.attitude);
    const double mean_motion = std::sqrt(body.total_parameter() / std::pow(c.separation, 3));
    body.target.spin_rate = rate(g.period, mean_motion);
    body.companion.spin_rate = rate(c.period, mean_motion);
    body.orbit = {.semi_major_axis = c.separation,
                  .eccentricity = c.eccentricity,
                  .mean_motion = mean_motion,
                  .mean_anomaly = c.mean_anomaly,
                  .periapsis = c.direction};
    body.escape_distance = 10 * c.separation;
    return body;
}

void set_ground_laws(const Scenario& scenario, model::Parameters& parameters) {
    std::vector<laws::PairLaw> laws{scenario.contact};
    for (const Patch& patch : scenario.patches) {
        laws::PairLaw& law = laws.emplace_back(scenario.contact);
        if (patch.restitution) law.restitution = *patch.restitution;
        if (patch.friction) law.friction = *patch.friction;
        if (patch.rolling_resistance) law.rolling_resistance = *patch.rolling_resistance;
        if (patch.spinning_resistance) law.spinning_resistance = *patch.spinning_resistance;
    }
    // Material 0 is that of the ball, 1 that of the ground, 1 + k that of patch k.
    const std::size_t materials = 1 + laws.size();
    parameters.laws = {.materials = materials, .index = std::vector<std::uint16_t>(materials * materials), .laws = std::move(laws)};
    parameters.ground = {{.shape = model::MeshShape{}, .pose = {}, .material = 1}};
    parameters.ground_materials.clear();
    for (std::uint16_t k = 1; k < materials; ++k) {
        parameters.ground_materials.push_back(k);
        parameters.laws.index[k] = parameters.laws.index[k * materials] = static_cast<std::uint16_t>(k - 1);
    }
}

bool draws_by_run(const Scenario& scenario) {
    for (const FreeBodyPart& body : scenario.bodies)
        for (const Vec3& scatter : {body.position_sigma, body.velocity_sigma, body.spin_sigma})
            if (!(scatter == Vec3{})) return true;
    const Release& r = scenario.release;
    for (const Vec3& scatter : {r.position_sigma, r.velocity_sigma, r.spin_sigma, r.position_spread, r.velocity_spread})
        if (!(scatter == Vec3{})) return true;
    return r.speed_sigma > 0 || (scenario.rocks && scenario.rocks->model == RockModel::stochastic);
}

std::vector<std::string> named_files(const Scenario& scenario) {
    const std::filesystem::path folder = std::filesystem::path(scenario.file).parent_path();
    std::vector<std::string> files;
    const auto add = [&](const std::string& name) {
        std::error_code error;
        if (!name.empty() && std::filesystem::is_regular_file(folder / name, error)) files.push_back((folder / name).string());
    };
    const auto add_body = [&](const BodyWorld& body) {
        add(body.shape);
        add(body.facet_values);
    };
    if (const auto* mesh = std::get_if<MeshWorld>(&scenario.world.shape)) add(mesh->file);
    if (const auto* body = std::get_if<BodyWorld>(&scenario.world.shape)) add_body(*body);
    if (scenario.companion) add_body(scenario.companion->body);
    return files;
}

bool changes_assets(const Scenario& scenario, const std::string& key) {
    if (key == "seed") return !has_body(scenario);
    if (key == "world.scale") return scenario.rocks && scenario.rocks->model == RockModel::field;
    const bool is_field = key == "gravity.field" || key == "gravity.bound" || key == "gravity.icosphere" || key == "companion.field";
    const bool is_shape = key == "companion.facets" || key == "companion.unit" || key == "companion.principal_axes";
    const bool is_rock = key.starts_with("rocks.") || key == "ball.radius";
    const bool is_place = key.starts_with("patch.") && (key.find("itude") != std::string::npos || key.ends_with("rock_density"));
    return key.starts_with("world.") || is_field || is_shape || (is_rock && scenario.rocks) || is_place;
}

}  // namespace asperity::scenario
