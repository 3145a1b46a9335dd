// Surfaces as records and pages hold them.
#pragma once
#include "asperity/geometry/mesh.h"
#include "asperity/record/record.h"
#include "asperity/study/plan.h"

namespace asperity::study {

record::Surface surface_of(const geometry::SurfaceMesh& mesh, double scale = 1);

// That of the undisturbed scenario of a study, whose world is a body.
record::Surface surface_of(const Plan& plan);

}  // namespace asperity::study
