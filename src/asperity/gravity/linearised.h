// Gravity linearised about a reference point: the shortcut of 1-landers, kept for comparison with it.
//
//   U      = U_0 + d.g_0 + 1/2 d.(G_0 d),   g = g_0 + G_0 d,   d = p - X_0,   |d| <= D                      (1)
//   X_1    = p + ahead D v / |v|                                                                          (2)
//
// U_0, g_0, G_0: potential, attraction and its gradient at the reference X_0, for G rho = 1 (polyhedron.h). D: how far the reference is
// used. Where a point lies farther, a new reference X_1 is put ahead of it along its velocity, at slightly less than D "to avoid numerical
// instabilities". (1) has g = grad U, so that energy closes between two references; at a change of reference U and g jump.
// Source: 1-landers, eqs. 4.11 (which lacks the 1/2), 4.12 and 7.2, which does not say how much less: see docs/theory.
#pragma once
#include "asperity/core/vec3.h"
#include "asperity/gravity/polyhedron.h"

namespace asperity::gravity {

// The reference and nothing else: copied, compared and stored as it is.
struct Linearised {
    Vec3 reference;        // m, X_0
    double reach = 0;      // m, D
    double potential = 0;  // m^2, U_0
    Vec3 acceleration;     // m, g_0
    Sym3 gradient;         // G_0

    struct Value {
        double potential = 0;  // m^2
        Vec3 acceleration;     // m
    };

    bool covers(const Vec3& p) const;
    Value evaluate(const Vec3& p) const;  // (1), whether it covers p or not
};

inline constexpr double linearised_ahead = 0.95;  // of D

// A reference at p itself.
Linearised linearised_at(const PolyhedronGravity& gravity, const Vec3& p, double reach);

// (2), with the reach of the one before; at p itself where it is at rest.
Linearised rebased(const PolyhedronGravity& gravity, const Linearised& before, const Vec3& p, const Vec3& v);

}  // namespace asperity::gravity
