// The impact of two bodies at one point, with friction and restitution, by Routh's method: friction is followed along the impact.
//
//   du = W dp                                           u: velocity at the contact, p: impulse, W: the block of coulomb_block.h    (1)
//   slips:  dp_t = -f d dp_n,  d = u_t / |u_t|                                                                                   (2)
//   holds:  dp_t = k dp_n,     k = -W_tt^-1 W_tn        where u_t = 0 and |k| <= f                                               (3)
//   slips again from u_t = 0 where |k| > f:  d = (f W_tt + c 1)^-1 W_tn  with |d| = 1, c > 0                                      (4)
//
// The clock is the normal impulse p_n; places do not change. Compression is where u_n < 0, restitution where u_n > 0; the impact ends by
//   newton    u_n = e |u_n before|                                                                                               (5)
//   poisson   the p_n of restitution is e times that of compression                                                              (6)
//   stronge   the work of p_n in restitution is e^2 times that of compression                                                    (7)
//
// The heat of (7) is (1 - e^2) times the work of compression, and that of friction, f |u_t| dp_n, along the way: neither is ever negative,
// for any f, W and direction. (5) can make energy where friction has changed u_n (Kane and Levinson, 1985). Where the normal passes through
// both centres W_tn = 0, and all three are one.
//
// Exact where the slip keeps its direction (in the plane; in (3) and (4)): u is linear, the work quadratic in p_n. Slip that turns is
// integrated over dt = dp_n / |u_t|, dp = (|u_t|, -f u_t) dt, without a singularity at u_t = 0, by Dormand and Prince to 1e-12 of the
// velocity. (4) has one root c, since the length of its right-hand side falls with c from |k| / f > 1 to below 1. It always ends: where
// slip grows, 0 < (1, -f d) W (1, -f d) = du_n/dp_n - f d|u_t|/dp_n, so that u_n grows too; where slip drives the bodies into each other
// (Painleve's paradox), it is the slip that ends.
//
// Source: Routh, Dynamics of a System of Rigid Bodies (1905), 187; Stronge, Proc. R. Soc. A 431 (1990) 169; Batlle, J. Appl. Mech. 63
// (1996) 168; Wang and Mason, J. Appl. Mech. 59 (1992) 635. docs/theory/impacts.md
#pragma once
#include <optional>

#include "asperity/core/vec3.h"
#include "asperity/dynamics/coulomb_block.h"
#include "asperity/laws/contact/pair_law.h"

namespace asperity::dynamics {

struct ImpactLaw {
    laws::RestitutionLaw restitution_law = laws::RestitutionLaw::stronge;
    double restitution = 0;
    double friction = 0;
};

struct SingleImpact {
    Vec3 impulse;     // N s
    double heat = 0;  // J, of p_n: work of compression less that of restitution; the rest of what p takes is the heat of friction
};

// An impact with this velocity before it, u_n <= 0. None where numbers are not finite.
std::optional<SingleImpact> single_impact(const CoulombBlock& w, const Vec3& before, const ImpactLaw& law);

}  // namespace asperity::dynamics
