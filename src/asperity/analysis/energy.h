// The mechanical energy of all bodies of a model.
//
//   E = sum m v^2 / 2 + w . J w / 2 + m U(p)  +  sum over pairs of mutual gravity and of k xi^2 / 2                       (1)
//
// U is the potential of the field of the ground, xi the overlap of two bodies, or of one and the ground: only `penalty` has any that
// counts; under Hertz (2/5) k xi^(5/2). What springs across the normal store is remembered by the contacts (laws/contact/soft_forces.h).
#pragma once
#include "asperity/model/model.h"
#include "asperity/model/state.h"

namespace asperity::analysis {

struct Energies {
    double kinetic = 0;     // J, in the frame of the scenario
    double rotational = 0;  // J
    double mutual = 0;      // J, of gravity between the bodies
    double elastic = 0;     // J, of contacts, cables and joints
    double field = 0;       // J, in the field of the ground

    double mechanical() const { return kinetic + rotational + mutual + elastic + field; }
};

// (1); of a field that changes with time, at that time (s, of the run).
Energies energies(const model::Model& model, const model::Bodies& bodies, double time);
// With what its contacts remember to have stored and its cables and joints store, and without what its engines have burnt.
Energies energies(const model::Model& model, const model::State& state);
// J, of a body that is no sphere beside m U(p): in a frame that turns about z - R J R / 2 (dynamics/smooth_world.h, 2), and what the
// field does to its extent where it acts on that (gravity/extent.h).
double energy_of_attitude(const model::Environment& environment, const model::BodyKind& body, const Vec3& p, const Quat& q, double time);
// The same for a few bodies that touch nothing but each other.
Energies energies(const model::Parameters& world, const model::Bodies& bodies, double time);

}  // namespace asperity::analysis
