// Some runs of a study once more, with their paths. A campaign keeps no samples: runs are functions of their number, so that those that a
// page draws are computed again when it is written, the same on any machine and after any --resume.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/study/plan.h"

namespace asperity::study {

struct Trajectory {
    std::uint64_t run = 0;
    std::vector<Vec3> points;          // m, thinned, extremes kept; empty where the run cannot start
    std::optional<Vec3> first_impact;  // m
};

// The runs 0 ... count - 1, each on a thread; about `most_points` points each.
std::vector<Trajectory> sampled_trajectories(const Plan& plan, std::uint64_t count, std::size_t most_points);

}  // namespace asperity::study
