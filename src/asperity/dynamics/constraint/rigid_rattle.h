// RATTLE for rigid bodies with attitude: ellipsoids that attract each other, with holonomic constraints that hold pairs in touch.
//
//   (v, J w)' = (v, J w) + (h/2) (F, T)(x) + G(x)^T l,    x1 = D(h) x with these,    gap(x1) = 0                            (1)
//   (v, J w)1 = (v, J w)' + (h/2) (F, T)(x1) + G(x1)^T m,                            gap' = 0                               (2)
//
// x = (p, q). G: gradient of the gaps, that is a force along the normal at the point of touch, with its arms (pair_gap.h). D: bodies move
// and turn freely (torque_free.h). (1) is solved by Newton's method to rounding, with the matrix of the impulses at x seen by the gaps at
// x1, (2) is linear. Symmetric, of order 2, symplectic on the constraints, since D is (Reich, SIAM J. Numer. Anal. 33 (1996) 475); of order
// 4 under numerics::suzuki_step. Impulses are equal and opposite at one point: linear and angular momentum are kept. Same interface as
// Rattle, which is for spheres, 20 times as fast.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/dynamics/forces.h"
#include "asperity/dynamics/touching.h"

namespace asperity::dynamics {

class RigidRattle {
public:
    explicit RigidRattle(const model::Parameters& world);

    void hold(std::span<const model::Mode> mode);
    [[nodiscard]] bool step(Motion& motion, double h, bool is_fourth_order);
    Accelerations accelerations(const Motion& motion);  // of gravity; valid until the next call of anything here
    std::size_t held() const { return held_.size(); }
    std::size_t pair(std::size_t k) const { return held_[k].pair; }
    std::span<const Contact> contacts(const Motion& motion);
    numerics::DenseValues forces(const Motion& motion);

private:
    struct Held {
        std::size_t pair = 0;
        std::size_t i = 0;
        std::size_t j = 0;
    };

    bool verlet(Motion& motion, double h);  // accelerations and contacts_ belong to motion, before and after
    void kick(Motion& motion, double h) const;
    void drift(Motion& motion, double h) const;
    bool place(Motion& motion, double h);  // (1), from after its half kick
    void stop_parting(Motion& motion);     // (2)

    const model::Parameters& world_;
    std::vector<Held> held_;
    Loads loads_;
    std::vector<Vec3> linear_, angular_;      // accelerations
    std::vector<Contact> contacts_, before_;  // of the held pairs
    Motion base_;                             // after the half kick of (1)
    numerics::DenseMatrix matrix_;
};

}  // namespace asperity::dynamics
