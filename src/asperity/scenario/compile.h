// Scenario -> Model and first State. load_assets may read the mesh of the ground; compile opens no file and costs microseconds.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "asperity/model/model.h"
#include "asperity/model/state.h"
#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

// Loads meshes and other shared data. `progress` is called with a number from 0 to 1 while a gravity field is built. Throws InputError.
model::Assets load_assets(const Scenario& scenario, const gravity::FastField::Progress& progress = {});

struct Compiled {
    model::Model model;                                       // points at the assets: keep them alive
    std::unique_ptr<geometry::SurfaceMesh> scaled_surface{};  // of this run, where it has its own
    std::unique_ptr<geometry::SurfaceMesh> scaled_companion{};
    model::State state;
};

// Scatter of the starts is drawn for (scenario.seed, run). Throws InputError where a body starts inside or overlapping the ground or
// another body, where there is no surface below a start that is given by its height above it, where a body that starts in contact is far
// from the surface, or would move into it or away from it, or where contacts of method "penalty" cannot be resolved (soft_contact_check.h).
Compiled compile(const Scenario& scenario, const model::Assets& assets, std::uint64_t run = 0);

// Warnings about settings that are valid but probably unintended, a sentence each.
std::vector<std::string> doubts(const Compiled& compiled);

// The same scenario with exact gravity in the place of fast fields, which take minutes to build the first time: for few values of gravity.
Scenario without_fast_fields(Scenario scenario);

}  // namespace asperity::scenario
