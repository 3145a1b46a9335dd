// Model: what exists and never changes during a run. Assets are shared by all runs of a study; Parameters are small and per run.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"
#include "asperity/gravity/uniform.h"
#include "asperity/laws/contact/surface.h"

namespace asperity::model {

// A homogeneous or layered ball: I = inertia_factor m r^2 about every axis.
struct Ball {
    double radius = 0;            // m
    double mass = 0;              // kg
    double inertia_factor = 0.4;  // 2/5: homogeneous
};

enum class Integrator : std::int64_t { dopri5 = 0, rk4 = 1, verlet = 2 };

struct Phase {
    std::string name;
    std::string method;  // name of a method in dynamics/all.h
    Integrator integrator = Integrator::dopri5;
    double tolerance = 1e-12;                                   // relative, of a step
    double error_ratio_min = 0.1;                               // 1-landers 6.1.1: below it the next step grows
    double error_ratio_max = 0.9;                               // above it the next step shrinks; above 1 the step is repeated
    double step_min = 0;                                        // s
    double step_max = std::numeric_limits<double>::infinity();  // s; rk4: the step
    double duration = std::numeric_limits<double>::infinity();  // s; then the next phase begins
};

// Shared, read-only, held once.
struct Assets {
    geometry::SurfaceMesh surface;
};

struct Parameters {
    Ball ball;
    gravity::Uniform gravity;
    contact::Surface contact;
    std::vector<Phase> phases;
    double end_time = std::numeric_limits<double>::infinity();  // s
    std::int64_t step_budget = 0;                               // accepted steps before the run counts as stalled
};

struct Model {
    const Assets* assets = nullptr;
    Parameters parameters;
};

enum class OutcomeKind { rest, escaped, timed_out, stalled, non_finite };
const char* name(OutcomeKind kind);

struct Outcome {
    OutcomeKind kind = OutcomeKind::timed_out;
    double time = 0;  // s
    std::int64_t body = 0;
    std::string message;

    bool is_trouble() const { return kind == OutcomeKind::stalled || kind == OutcomeKind::non_finite; }
};

// Energies of one body and the heat it has set free: the ledger closes when total() stays what it was.
struct Ledger {
    double kinetic = 0;        // J
    double rotational = 0;     // J
    double potential = 0;      // J
    double heat_impact = 0;    // J
    double heat_friction = 0;  // J
    double heat_rolling = 0;   // J

    double total() const { return kinetic + rotational + potential + heat_impact + heat_friction + heat_rolling; }
};

}  // namespace asperity::model
