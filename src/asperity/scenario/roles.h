// The role of each body of a scenario in the run (moving, driven, fixed, companion), decided from its keys alone.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "asperity/scenario/scenario.h"

namespace asperity::scenario {

// One row of the run: a body, or one of several alike.
struct MovingRow {
    const Body* body = nullptr;
    const BodyStart* start = nullptr;  // of this one; none where a configuration places it and nothing else is said
    std::string name;
    std::string path;  // of the section that has the start: "body.sphere-2.start"
};

struct Roles {
    // The one that has facets: stands still in the frame, or turns in the middle of an inertial one; at most one so far.
    const Body* ground = nullptr;
    std::vector<const Body*> fixed;   // all that stand still, with it
    const Body* companion = nullptr;  // goes about the ground on an orbit that is given
    std::vector<const Body*> moving;  // kinds, in the order of the file
    std::vector<const Body*> driven;  // have a `motion`; in the order of the file

    // A surface that attracts by its shape.
    bool has_attraction() const { return ground != nullptr && ground->attracts.has_value(); }
    bool has_ground() const { return !fixed.empty(); }
};

// Whether some phase has a method under which the companion, and ground that turns in an inertial frame, can be touched.
bool touches_driven(const Scenario& scenario);
// Whether the ground attracts and turns, while the frame does not turn with it.
bool has_turning_ground(const Scenario& scenario, const Roles& roles);
// Bodies whose motion is given and that can be touched, in the order of their rows.
std::vector<const Body*> driven_bodies(const Scenario& scenario);

bool is_ground(const Scenario& scenario, const Body& body);
Roles roles_of(const Scenario& scenario);
std::vector<MovingRow> moving_rows(const Scenario& scenario);
// The bodies that are told one by one; none where they are more than model::most_told_one_by_one.
std::vector<model::NamedBody> told_bodies(const Scenario& scenario);

// The first body that moves, for worlds that have one; none if nothing moves.
const Body* first_moving(const Scenario& scenario);
// The start of the first body that moves; the key paths of its section. It is made where there is none.
const BodyStart& first_start(const Scenario& scenario);
BodyStart& first_start(Scenario& scenario);
std::string first_start_path(const Scenario& scenario);
double radius_of(const Body& body);  // m, of a sphere; zero for every other shape

// The materials of the surfaces with which a body touches: its colliders, or its shape with the patches.
std::vector<std::string> materials_of(const Body& body);

// The law between two materials: "a/b", "b/a", "a/*", "b/*", "*/*", whole tables; none where there is none of them.
const Contact* contact_of(const Scenario& scenario, std::string_view a, std::string_view b);
// The contact between the first body that moves and the first that stands still.
const Contact& ground_contact(const Scenario& scenario);

}  // namespace asperity::scenario
