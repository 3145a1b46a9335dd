// The free rotation of a rigid body in closed form, by Jacobi's elliptic functions (Euler, Poinsot): exact for any moments and any time.
//
// c is the extreme principal axis about which the angular momentum L circles in the body, a the other one, b the middle one. With
// |L| = G and the energy E,
//   A^2 = 2 E J_c - G^2,   B^2 = G^2 - 2 E J_a,   w_a ~ cn u,  w_b ~ sn u,  w_c ~ dn u  (up to signs and J),                     (1)
//   u = u_0 + t sqrt((J_c - J_b) B^2 / (J_a J_b J_c)),   k^2 = (J_b - J_a) A^2 / ((J_c - J_b) B^2)
// A^2, B^2 and 1 - k^2 are taken from the components of L, where nothing cancels. The attitude is the smallest rotation Q(l) that takes
// l = L / G of the body to its axis n = +-c, then a turn about L by
//   theta' = (2 E + G |w_c|) / (G + |L_c|),      q(t) = q(0) Q(l_0)^-1 (turn about n by theta) Q(l)                             (2)
// whose integral is one of the third kind (numerics/elliptic.h). Unlike the precession of Euler's angles it is regular where L lies along
// an axis. The momentum in the world stays to the last bits of J^-1 R^T L, the energy with l.
// Where it is valid: any positive moments, symmetric tops and balls included.
// Source: Landau and Lifshitz, Mechanics, 37; van Zon and Schofield, J. Comput. Phys. 225 (2007) 145.
#pragma once
#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"

namespace asperity::dynamics {

class FreeTop {
public:
    struct Turned {
        Quat q_WB;
        Vec3 w;  // rad/s, world axes, which do not turn
    };

    FreeTop() = default;
    // inertia: principal moments, kg m^2; w in world axes.
    FreeTop(const Vec3& inertia, const Quat& q_WB, const Vec3& w);

    // After t seconds.
    Turned after(double t) const;
    // The same in axes that have turned with this rate since the start, rad/s; the spin relative to them.
    Turned after(double t, const Vec3& rate) const;
    // rad/s, |w| is never more.
    double fastest() const { return fastest_; }

private:
    Vec3 inertia_;
    Quat start_, from_start_;                           // q(0), q(0) Q(l_0)^-1
    Vec3 spin_, momentum_;                              // of the start, world axes
    double size_ = 0;                                   // G
    int a_ = 0, b_ = 1, c_ = 2;                         // axes of (1)
    bool is_steady_ = true;                             // l stays
    double side_ = 1, sense_ = 1;                       // signs of w_c, and of w_b beside sn
    double of_a_ = 0, of_b_ = 0, of_c_ = 0;             // of l: its largest components
    double rate_ = 0, phase_ = 0;                       // of u
    double complementary_ = 1;                          // 1 - k^2
    double half_period_ = 0;                            // 2 K
    double nu_ = 0, third_ = 0, arc_ = 0, steady_ = 0;  // of the integral of (2)
    double whole_third_ = 0, angle_0_ = 0, swing_ = 0;
    double fastest_ = 0;

    struct At {
        Vec3 l;            // of the body
        double angle = 0;  // integral of (2) without its steady part
    };
    At at(double u) const;
    double angle_after(double t, double end) const;
};

}  // namespace asperity::dynamics
