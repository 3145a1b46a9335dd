// Model: all that is constant during a run. Assets are shared by all runs of a study; Parameters are small and per run.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "asperity/core/rock_population.h"
#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"
#include "asperity/geometry/rock_field.h"
#include "asperity/model/bodies.h"
#include "asperity/model/cables.h"
#include "asperity/model/controllers.h"
#include "asperity/model/driven.h"
#include "asperity/model/engines.h"
#include "asperity/model/environment.h"
#include "asperity/model/joints.h"
#include "asperity/model/ledger.h"
#include "asperity/model/loads.h"
#include "asperity/model/outcome.h"
#include "asperity/model/pair_laws.h"
#include "asperity/model/phase.h"

namespace asperity::model {

// The field of one attracting body, of unit scale, for G rho = 1.
struct BodyAssets {
    std::unique_ptr<gravity::PolyhedronGravity> exact;
    gravity::FastField fast;  // empty where another field acts
    double volume = 0;        // m^3
    double radius = 0;        // m, of the farthest vertex
};

// Shared, read-only, held once.
struct Assets {
    geometry::SurfaceMesh surface;
    BodyAssets target;                        // of the body that the surface is; empty in uniform gravity
    double true_volume = 0;                   // m^3, of the surface; that of `target` differs where a coarser model attracts
    geometry::SurfaceMesh companion_surface;  // in its own axes; empty where there is none
    BodyAssets companion;
    std::vector<std::uint8_t> patch_of_facet;  // 0: none, k: patch k; empty where there are no patches
    std::vector<double> restitution;           // of single facets, nan where it has none; empty where there are no such values
    std::vector<double> friction;
    std::vector<double> rolling_resistance;
    geometry::RockField rocks;          // placed once; empty where there are none
    std::vector<double> rock_density;   // factor on the number of rocks, for each facet; empty: 1
    std::vector<std::string> warnings;  // raised while loading, a sentence each
};

// Rocks that are drawn when they are met.
struct StochasticRocks {
    RockPopulation population;  // none by default
    bool in_impacts = false;
    bool in_rolling = false;
    double mean_free_path = 0;  // m, of the rolling ball
};

struct Parameters {
    BodyTable bodies;
    std::vector<Driven> driven;  // their rows, from bodies.size() on, follow those of the bodies that move
    PairLaws laws;
    Environment environment;
    std::vector<Collider> ground;                 // colliders that stand still in the frame of the run; empty where there is no ground
    std::vector<std::uint16_t> ground_materials;  // of a mesh, [0]: of the ground, [k]: of patch k
    StochasticRocks rocks;
    double linear_reach = 0;  // m, of a linearised field
    std::uint64_t seed = 0;   // for what is drawn during the run
    std::uint64_t run = 0;
    std::vector<Cable> cables;
    std::vector<Joint> joints;
    std::vector<Load> loads;
    std::vector<Engine> engines;
    std::vector<Controller> controllers;
    std::vector<NamedSignal> signals;
    std::vector<Phase> phases;
    std::vector<NamedBody> names;                               // of the bodies that are told one by one
    double end_time = std::numeric_limits<double>::infinity();  // s
    std::int64_t step_budget = 0;                               // accepted steps before the run counts as stalled

    // Whether the row is that of a body that moves, and neither the ground nor driven.
    bool moves(std::int32_t row) const { return row >= 0 && static_cast<std::size_t>(row) < bodies.size(); }
    // The contact law between two bodies.
    const laws::PairLaw& law(std::size_t i, std::size_t j) const { return laws.of(bodies[i].material, bodies[j].material); }
};

// Rows a < b of bodies that do not touch each other because of a joint, sorted.
inline std::vector<std::pair<std::int32_t, std::int32_t>> kept_apart(const Parameters& world) {
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    for (const Joint& joint : world.joints)
        if (!joint.touching && joint.b.body != ground)
            pairs.emplace_back(std::min(joint.a.body, joint.b.body), std::max(joint.a.body, joint.b.body));
    std::ranges::sort(pairs);
    return pairs;
}

struct Model {
    const Assets* assets = nullptr;
    const geometry::SurfaceMesh* scaled_surface = nullptr;  // replaces the surface of the assets where it is given
    const geometry::SurfaceMesh* scaled_companion = nullptr;
    Parameters parameters;

    const geometry::SurfaceMesh& surface() const { return scaled_surface != nullptr ? *scaled_surface : assets->surface; }
    // The surface of a MeshShape: 0 is the ground, 1 the companion.
    const geometry::SurfaceMesh& surface(std::uint16_t which) const {
        if (which == 0) return surface();
        return scaled_companion != nullptr ? *scaled_companion : assets->companion_surface;
    }
};

}  // namespace asperity::model
