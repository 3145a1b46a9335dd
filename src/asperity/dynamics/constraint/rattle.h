// RATTLE: velocity Verlet for spheres that attract each other, with holonomic constraints that hold pairs in touch.
//
//   v' = v + (h/2) (a(p) + M^-1 G(p)^T l),   p1 = p + h v',   |p1_i - p1_j| = R_i + R_j                                 (1)
//   v1 = v' + (h/2) (a(p1) + M^-1 G(p1)^T m),                 n_ij . (v1_i - v1_j) = 0                                  (2)
//
// a: gravity of points, which is that of spheres. (1) is solved by Newton's method to rounding, (2) is linear. Order 2, symplectic on the
// constraints, symmetric (a step of -h takes it back), so that Suzuki's composition
//   S(g h) S(g h) S((1 - 4 g) h) S(g h) S(g h),   g = 1 / (4 - 4^(1/3))                                                 (3)
// is of order 4. rigid_rattle.h does the same for ellipsoids. Linear and angular momentum are kept: all impulses lie along the line of
// centres of their pair. Spheres turn freely.
//
//   A f = -(n . (a_i - a_j) + |v_t|^2 / r)                                                                               (4)
//
// (4): the contact forces at an instant, which keep the distances' second derivatives zero. Negative: the pair would have to be pulled.
// Source: Andersen, J. Comp. Phys. 52 (1983) 24; Leimkuhler and Skeel, J. Comp. Phys. 112 (1994) 117; Suzuki, Phys. Lett. A 146 (1990) 319.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/dynamics/collision.h"
#include "asperity/dynamics/motion.h"
#include "asperity/dynamics/pair_modes.h"

namespace asperity::dynamics {

class Rattle {
public:
    explicit Rattle(const model::Parameters& world);

    // Holds the pairs whose mode is not flight. mode: one per pair. At most numerics::most_contacts of them.
    void hold(std::span<const model::Mode> mode);

    // (1) and (2), or (3). False where the contacts cannot be held over such a step: then h is far too long.
    [[nodiscard]] bool step(Motion& motion, double h, bool is_fourth_order);

    // Gravity at these positions, m/s^2; valid until the next call of anything here.
    std::span<const Vec3> accelerations(const Motion& motion);

    std::size_t held() const { return held_.size(); }
    std::size_t pair(std::size_t k) const { return held_[k].pair; }
    // Of the held pairs, in the order of pairs.
    std::span<const Contact> contacts(const Motion& motion);
    // f of (4), N.
    std::array<double, numerics::most_contacts> forces(const Motion& motion);

private:
    struct Held {
        std::size_t pair = 0;
        std::size_t i = 0;
        std::size_t j = 0;
        double distance = 0;  // m
    };
    using Values = numerics::DenseValues;

    void accelerate(const Motion& motion);
    bool verlet(Motion& motion, double h);  // accelerations_ belongs to motion, before and after
    bool place(Motion& motion, double h);   // the multipliers of (1)
    void stop_parting(Motion& motion);      // those of (2)

    const model::Parameters& world_;
    std::vector<Held> held_;
    std::vector<Vec3> accelerations_;  // m/s^2
    std::vector<contact::Row> rows_;   // of the held pairs, along n at the start of a step
    std::vector<contact::Row> ends_;   // along what n has become
    std::vector<Contact> contacts_;
    numerics::DenseMatrix matrix_;
};

}  // namespace asperity::dynamics
