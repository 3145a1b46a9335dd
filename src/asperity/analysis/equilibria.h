// Equilibria of the amended potential: places where a ball stays at rest in the frame that turns with a body, or with a circular binary.
//
//   a(p, v) = -grad Phi(p) + 2 (w v_y, -w v_x, 0),     grad Phi = 0                                                    (1)
//   linearised about it, d = p - p0:   d'' = -H d + 2 w (d_y', -d_x', 0),   H the Hessian of Phi                         (2)
//   six eigenvalues s of (d, d'): stable where none has a positive real part; the largest is the rate at which a ball leaves,
//   and where that one is real, its vector (d, s d) is the direction of the unstable manifold                            (3)
// Kind, by the signs of H in the plane z = 0: a saddle (+ -), a maximum (- -) or a minimum (+ +) of Phi; Phi is Omega of 1-landers 7.1.
//
// One body: all of them outside it between a quarter and three synchronous radii (G m / w^2)^(1/3), by a scan of the plane z = 0 and
// Newton's method in space. A circular binary: L1 to L5, by Newton's method from those of point masses; a body that does not turn with
// the orbit has no steady field and counts as a point mass.
// Source: 1-landers 7.1, 10.1; Szebehely, Theory of Orbits (1967), 5. docs/theory/equilibria.md
#pragma once
#include <array>
#include <complex>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/gravity/small_body.h"

namespace asperity::analysis {

// A field that does not change with time in its own frame. The origin is the centre of the target, the axes are its own at time zero.
struct SteadyField {
    gravity::SmallBody body;
    double rate = 0;  // w, rad/s, of the frame
    bool is_binary = false;
    bool is_target_synchronous = true;  // whether the target rests in this frame

    // The axes of the orbit: origin in the common centre of mass, x from the heavier body to the lighter. One body: its own.
    Vec3 centre;        // the common centre of mass, m
    double cosine = 1;  // of the angle from these axes to the axes of the orbit
    double sine = 0;
    double distance = 0;       // between the two bodies, m
    double lighter_share = 0;  // of the total mass
    bool is_target_lighter = false;

    Vec3 acceleration(const Vec3& p) const { return body.acceleration(p, {}, 0); }  // of a ball at rest
    double potential(const Vec3& p) const { return body.potential(p, 0); }
    Vec3 to_orbit(const Vec3& p) const;
    Vec3 to_orbit_axes(const Vec3& direction) const;
    Vec3 from_orbit(const Vec3& p) const;
    double synchronous_radius() const;  // (G m / w^2)^(1/3), m

    // Centres of the bodies in the axes of the orbit.
    Vec3 heavier() const { return {-lighter_share * distance, 0, 0}; }
    Vec3 lighter() const { return {(1 - lighter_share) * distance, 0, 0}; }
    Vec3 target() const { return !is_binary ? Vec3{} : is_target_lighter ? lighter() : heavier(); }
    Vec3 companion() const { return is_target_lighter ? heavier() : lighter(); }
};

// Throws InputError where nothing turns, or the orbit is not a circle.
SteadyField steady_field(const gravity::SmallBody& body);

enum class EquilibriumKind { saddle, maximum, minimum };
const char* name(EquilibriumKind kind);

struct Equilibrium {
    std::string name;  // "saddle-1", ..., each kind from the lowest energy on; "L1" ... "L5" of a binary
    EquilibriumKind kind = EquilibriumKind::saddle;
    Vec3 position;                                      // from the centre of the target, in its axes at time zero, m
    Vec3 orbit_position;                                // in the axes of the orbit, m
    double energy = 0;                                  // Phi, m^2/s^2
    double residual = 0;                                // |a| over w^2 times the synchronous radius
    std::array<std::complex<double>, 6> eigenvalues{};  // 1/s, by real part, the largest first
    bool is_stable = false;
    double growth_rate = 0;  // 1/s, the largest real part; zero where it is stable
    bool has_manifold = false;
    Vec3 manifold;  // unit vector of the unstable manifold, towards the target, in the axes of `position`
};

// Whether a point lies in a body or on its surface; there the field may not be known.
using IsInside = std::function<bool(const Vec3&)>;

// All equilibria. Throws InputError where the body is so round that every place of a circle is one.
std::vector<Equilibrium> equilibria(const SteadyField& field, const IsInside& is_inside);

// By name: "equilibrium saddle-lowest", "equilibrium saddle-2", "equilibrium maximum-1", "L2". Throws InputError with a suggestion.
const Equilibrium& find_equilibrium(const std::vector<Equilibrium>& list, std::string_view name);

}  // namespace asperity::analysis
