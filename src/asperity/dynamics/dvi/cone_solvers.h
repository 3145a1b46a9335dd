// Three solvers for the cone complementarity problem of a step (cone_problem.h, 2). P: to the nearest point of the cones in the metric D,
// an upper bound of the block of W of each contact; g = W x + r.
//
//   Jacobi                 x <- P(x - s D^-1 g(x))         all contacts at once; s: the scaling factor of the paper            (1)
//   Gauss-Seidel           the same contact by contact, with g of what those before have become, forwards and backwards        (2)
//   accelerated gradient   x' = P(y - D^-1 g(y) / L),   y' = x' + c (x' - x)      (Nesterov)                                   (3)
//
// (2) lowers x . W x / 2 + r . x with each visit for s <= 1; (1) does where s is below 2 over the largest eigenvalue of D^-1 W, at most the
// largest number of contacts that a body has. (3) takes L by backtracking, so that the quadratic of L lies above the function between y
// and x', never above that number, and begins anew (c = 0) where a step goes uphill, g(y) . (x' - x) > 0: Mazhar, Heyn, Negrut and Tasora,
// ACM Trans. Graph. 34 (2015) 32, algorithm APGD, here in the metric D.
//
// All end where the residual of the natural map, P(x - D^-1 g) - x as a velocity, D times that, is below the tolerance times
// |u| + |u + h J a| + |W_kk p_k| + |h a| of both bodies at every contact. (2) and (1) measure it by the step that they take. Every solve
// takes an iteration, so that what solves leave of a body at rest dies away.
//
// What has not converged after 300 iterations contracts slowly: without joints the interior-point method (interior_point.h) solves the
// programme then, and iterations go on from what it has found.
//
// Joints. W of (1) and (3) is that of bodies that are held: changes by contacts are bent by the joints, which is linear (joint_hold.h, 2).
// What motors and limits make of it is found after a solve, and the step is solved for again until they agree (cone_problem.h).
//
// Cost: O(contacts) an iteration, no allocation once the workspace has grown. Products with W in (1) and (3) go through the bodies, each of
// which adds its contacts in their order: the same bits with any number of threads. (2) runs on one thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/dynamics/dvi/cone_problem.h"
#include "asperity/dynamics/interior_point.h"

namespace asperity::dynamics {

struct ConeStack {
    std::span<HeldContact> contacts;
    std::span<const Cone> cones;
};

class ConeSolvers {
public:
    // Impulses of the contacts, and velocities that have them, are changed; takes its iterations from `left`. Velocities suit the joints.
    Solved solve(const StepTask& task, const ConeStack& stack, std::int64_t& left, model::Bodies& bodies);

private:
    // An impulse of every contact, and what it leaves there: u' and w'.
    struct Point {
        std::vector<ConeImpulse> x;
        std::vector<Vec3> velocity, spin;
    };
    // What a contact does to its two bodies.
    struct Push {
        Vec3 velocity_a, spin_a, velocity_b, spin_b;
    };

    Solved iterate(const StepTask& task, const ConeStack& stack, std::int64_t& left, model::Bodies& bodies);
    Solved gauss_seidel(const StepTask& task, const ConeStack& stack, std::int64_t& left, model::Bodies& bodies);
    Solved jacobi(const model::Phase& phase, const ConeStack& stack, std::int64_t& left);
    Solved accelerated(const model::Phase& phase, const ConeStack& stack, std::int64_t& left);

    // Takes the impulses of the contacts as x_, and the velocities without them as free_.
    void load(const ConeStack& stack, const model::Bodies& bodies);
    void store(const ConeStack& stack, model::Bodies& bodies);
    void number_sides(const ConeStack& stack);
    // Of velocities of contacts that have been added to those in free_: what joints leave of them.
    void bend();
    // Velocities that an impulse leaves, in moved_, and at the contacts.
    void multiply(const ConeStack& stack, Point& point);
    // P(x - step D^-1 g) of one contact.
    ConeImpulse stepped(const ConeStack& stack, const Point& from, std::size_t k, double step) const;
    double residual(const ConeStack& stack, const Point& at);
    // The next point of (3) from y_, with L so large that its quadratic lies above.
    void descend(const ConeStack& stack, double& curvature);
    double most_of_a_body() const;
    template <class F>
    double sum(std::size_t count, const F& of);
    template <class F>
    double largest(std::size_t count, const F& of);

    InteriorPoint interior_;
    Point x_, y_, next_;
    JointHold* joints_ = nullptr;  // null where there are none
    model::Bodies free_, moved_;
    std::vector<Push> pushes_;
    std::vector<std::uint32_t> first_, sides_;  // of each row: 2 k of side a of contact k, 2 k + 1 of side b
    std::vector<double> parts_;                 // of sums, by block
};

}  // namespace asperity::dynamics
