// Surfaces as records and pages hold them.
#pragma once
#include "asperity/geometry/mesh.h"
#include "asperity/model/model.h"
#include "asperity/model/state.h"
#include "asperity/record/record.h"
#include "asperity/study/plan.h"

namespace asperity::study {

record::Surface surface_of(const geometry::SurfaceMesh& mesh, double scale = 1);

// The ground as a run shows it: its facets, and for each half-space, which is infinite, a rectangle beside the bodies.
record::Surface shown_ground(const model::Model& model, const model::Bodies& start);

// The surface of the undisturbed scenario of a study, whose world is a body.
record::Surface surface_of(const Plan& plan);

}  // namespace asperity::study
