// An interior-point method for the impulses of all contacts of a step of rigid contact, for solvers whose sweeps contract slowly.
//
// A contact has a normal impulse p_n and parts p_i with a bound each, |p_i| <= c_i p_n: friction (c = f) and the resistance to rolling and
// spinning (c = C R, C_s R). With a dual variable (s_i, y_i) for each of these cones, u = q + W p and t the normal speed asked for,
//
//   u_n - t = sum c_i (s_i - k |y_i|),   u_i = y_i                                                                              (1)
//   (c_i p_n, p_i) o (s_i, y_i) = 2 m (1, 0),   both inside their cones,   m -> 0                                               (2)
//
// a o b = (a . b, a_0 b_1 + b_0 a_1), the product of the algebra of these cones. At m = 0 (2) is complementarity: with k = 1 (1) is
// Coulomb's law with Signorini's condition (s = |u_t| where it slips: u_n = t), with k = 0 the convex programme of dvi. Steps of Newton's
// method on (1) and (2), predictor and corrector (Mehrotra), go 0.99 of the way to the next boundary. Contact by contact the linear
// equations give dp = c - K du, and what is left are the velocities of the bodies,
//   (M + J^T K J) dv = J^T c,      dp = c - K J dv                                                                              (3)
// six unknowns a body however many contacts it has, solved for by elimination in an order of little fill (numerics/block_lu.h).
//
// Contacts can outnumber what holds them; W is singular then. So a proximal term e D dp, e = 1e-10 and D the diagonal of the block, is
// added to du: it vanishes where steps end. Joints are rows of (3) that hold in the same way.
//
// The convex programme is solved in a number of steps that hardly depends on its size. With Coulomb's law there is no proof, but twenty to
// forty steps find what sweeps do not (docs/theory/rigid-steps.md). A start inside the cones is a cold one: the first guess is of no use,
// so that sweeps come first. Source: Mehrotra, SIAM J. Optim. 2 (1992) 575; Alizadeh and Goldfarb, Math. Program. 95 (2003) 3; Acary,
// Armand, Nguyen and Shpakovych, Comput. Optim. Appl. 2023, for friction; Friedlander and Orban, Math. Program. Comput. 4 (2012) 71.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "asperity/dynamics/rigid_steps.h"
#include "asperity/numerics/block_lu.h"

namespace asperity::dynamics {

class InteriorPoint {
public:
    // What a contact is asked for.
    struct Wanted {
        double speed = 0;       // t of (1), m/s
        bool is_given = false;  // its impulse stays as it is
    };
    using Law = std::function<Wanted(std::size_t contact)>;  // with impulses and velocities as they are

    // For the bodies and pairs of these contacts; false where a step takes more than `most` products of blocks.
    bool plan(std::span<const HeldContact> contacts, const JointHold& joints, const model::Bodies& bodies, std::size_t most);
    std::size_t products() const { return matrix_.products(); }

    // Changes impulses and velocities, where it finds some that suit the laws better than those that they are. The residual is that of the
    // natural map, as a velocity over the scale of its contact. Each further attempt at the same problem starts farther inside the cones,
    // with a larger e.
    Solved solve(const StepTask& task, std::span<HeldContact> contacts, const Law& law, bool is_convex, int attempt, model::Bodies& bodies);

private:
    static constexpr std::size_t most_rows = 6, most_cones = 3;
    using Values = std::array<double, most_rows>;
    using Matrix = numerics::BlockLu::Block;

    // A bound c_i; rows first ... of p are its part.
    struct Cone {
        std::size_t first = 0, count = 0;
        double bound = 0, diagonal = 0;  // c_i; of D
    };
    struct Point {
        Wanted wanted;
        std::size_t rows = 3, cones = 1;  // n, y, z; then the torque and the spin along them
        std::array<Cone, most_cones> cone;
        Values impulse{}, velocity{};
        Values dual{};  // y_i, where p_i stands
        std::array<double, most_cones> dual0{};
        // a step
        Values c{}, impulse_way{}, velocity_way{}, dual_way{};
        std::array<double, most_cones> dual0_way{}, right{};  // the latter: of the first row of (2)
        Matrix k{};                                           // six to the row
    };

    void set_cones(const HeldContact& held, Point& point) const;
    void begin(std::span<HeldContact> contacts, double inside, model::Bodies& bodies);
    void look(std::span<const HeldContact> contacts, const Law& law, const model::Bodies& bodies);
    double residual(std::span<const HeldContact> contacts) const;
    double complementarity(double way) const;
    // c and, where it is asked for, K; `corrects`: with the products of the last step.
    void linearise(const HeldContact& held, Point& point, double centre, bool corrects, bool with_matrix) const;
    void linearise_all(std::span<const HeldContact> contacts, double centre, bool corrects, bool with_matrix);
    void find_duals(Point& point) const;
    bool factor(const StepTask& task, std::span<const HeldContact> contacts, const model::Bodies& bodies);
    bool find_way(std::span<const HeldContact> contacts);
    double way_to_boundary() const;
    void go(double part, const StepTask& task, std::span<HeldContact> contacts, model::Bodies& bodies);
    void keep(std::span<const HeldContact> contacts);
    void restore(const StepTask& task, std::span<HeldContact> contacts, model::Bodies& bodies) const;

    std::int32_t node(const contact::Side& side) const;
    void add_matrix(const HeldContact& held, const Point& point);
    void add_masses(const SmoothWorld& smooth, const model::Bodies& bodies);
    void add_joints(const JointHold& joints);

    numerics::BlockLu matrix_;
    std::vector<numerics::BlockLu::Column> motion_;
    std::vector<std::int32_t> node_;  // of a row, -1: it touches nothing
    std::vector<numerics::BlockLu::Edge> edges_;
    std::vector<Point> points_;
    std::vector<Vec3> best_;    // impulses and torques
    double friction_part_ = 0;  // k of (1)
    double proximal_ = 0;       // e
    std::size_t nodes_ = 0;
};

}  // namespace asperity::dynamics
