// Strang splitting for bodies in soft contact: kicks, drifts and, in the middle, all forces that depend on velocity.
//
//   S(h) = K(h/2) D(h/2) T(h) D(h/2) K(h/2)                                                                                 (1)
//
// D  bodies move and turn freely                  K  gravity and springs change v and w, positions stand
// T  dampers, friction, tides, sunlight change v and w; forces at the mean of the velocities before and after,
//      v1 = v0 + h a(p, (v0 + v1) / 2)                                                                                   (2)
//
// S is symmetric and of order 2, and of order 4 under numerics::suzuki_step. K and D alone are symplectic. The work that a force does in
// (2) is exactly h F . (v0 + v1) / 2: heat taken at the same mean velocity closes the ledger to rounding, apart from the splitting error of
// gravity and springs. T stands in the middle, not in the kicks: bodies that turn as one have no approach speed halfway between two kicks,
// but h a / 4 during a kick, which would heat a resting contact for ever.
// (2) is solved by rounds over all pairs. In a round each pair meets the velocities that the other pairs lead to, its own force solved for
// in closed form, so that stiff dampers and small slip speeds do no harm; a pair of spheres alone takes one round. Free turning of an
// ellipsoid is split likewise, into turns about its principal axes, each of which keeps J w in the world (Dullweber, Leimkuhler and
// McLachlan, J. Chem. Phys. 107 (1997) 5840): angular momentum is exact.
//
// Limits: the orders hold between touches. A step across a touch errs by up to k (v h)^2 / 8 in energy: end it there.
#pragma once
#include <vector>

#include "asperity/dynamics/penalty/soft_pairs.h"

namespace asperity::dynamics {

// What a step carries on. All but `motion` follows from it, or is rounding (remainders).
struct SplitState {
    Motion motion;
    std::vector<Vec3> p_remainder;  // what sums could not hold; numerics::add_compensated
    std::vector<Vec3> v_remainder;
    std::vector<Vec3> w_remainder;
    std::vector<PairGap> gaps;  // one per pair
    Loads loads;                // of gravity and springs, at the positions of `motion`

    void drop_rests();
};

class Splitting {
public:
    explicit Splitting(const model::Parameters& world);

    SplitState start(const Motion& motion) const;
    void step(SplitState& state, double h);  // (1)
    void look(SplitState& state) const;      // gaps and loads at the positions of state.motion

    const std::vector<Pair>& pairs() const { return pairs_; }

private:
    void kick(SplitState& state, const Loads& loads, double h) const;
    void drift(SplitState& state, double h) const;
    void slow_and_damp(SplitState& state, double h);
    void damp_rounds(const SplitState& state, double h);
    laws::SoftResponse damped(std::size_t pair, double h) const;
    double set_mean(const SplitState& state, double h);
    void take_heat(SplitState& state, double h);

    const model::Parameters& world_;
    std::vector<Pair> pairs_;
    bool is_slow_ = false;  // there are tides or sunlight
    bool touches_ = false;  // any overlap halfway
    std::vector<PairGap> gaps_;
    std::vector<Yields> yields_;
    std::vector<laws::SoftContact> laws_;
    std::vector<laws::SoftResponse> soft_;
    Loads slow_;   // of tides and sunlight
    Loads loads_;  // all of T
    Motion mean_;
};

}  // namespace asperity::dynamics
