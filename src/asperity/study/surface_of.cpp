#include "asperity/study/surface_of.h"

#include "asperity/scenario/compile.h"
#include "asperity/scenario/ground.h"

namespace asperity::study {

record::Surface surface_of(const geometry::SurfaceMesh& mesh, double scale) {
    record::Surface surface;
    for (const Vec3& v : mesh.vertices) surface.vertices.push_back(scale * v);
    for (const geometry::Facet& f : mesh.facets) surface.facets.push_back({f.vertex[0], f.vertex[1], f.vertex[2]});
    return surface;
}

record::Surface surface_of(const Plan& plan) {
    const double scale = scenario::ground_scale(*plan.scenario);
    if (plan.varies_world) return surface_of(scenario::load_assets(*plan.scenario).surface, scale);
    return surface_of(plan.assets.surface, scale);
}

}  // namespace asperity::study
