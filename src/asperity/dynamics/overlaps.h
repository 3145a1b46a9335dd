// Moves bodies apart without velocity, where contacts that press are deeper than a step makes good by itself (projection: Acary, CMAME 256
// (2013) 224): deeper at the end of the step than h W_nn p_n, they are brought to half of that, the way of what their own impulse has just
// taken, by the least motion, by mass. What that costs is taken from the heat of impacts, which had it from the fall over that depth.
#pragma once
#include <span>
#include <vector>

#include "asperity/dynamics/held_contact.h"
#include "asperity/dynamics/joint_hold.h"
#include "asperity/dynamics/smooth_world.h"

namespace asperity::dynamics {

class Overlaps {
public:
    explicit Overlaps(const model::Model& model) : world_(model.parameters) {}

    // h: of the step that has solved for these contacts. Returns whether anything was moved.
    // Jointed bodies move as their joints let them.
    bool separate(double h, std::span<const HeldContact> contacts, JointHold& joints, const SmoothWorld& smooth, model::Bodies& bodies,
                  std::vector<BodyHeat>& heat);

private:
    bool find_shift(double h, std::span<const HeldContact> contacts, JointHold& joints, std::size_t rows);

    const model::Parameters& world_;
    std::vector<double> impulse_;       // kg m of each contact
    std::vector<Vec3> moved_, turned_;  // m and rad of each row
};

}  // namespace asperity::dynamics
