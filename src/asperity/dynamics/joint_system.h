// The rows that joints hold at one instant, and what impulses (or forces) at them do to velocities (or accelerations): a direct solve.
//
//   J v' + C p = r,     v' = v + M^-1 J^T p            C: compliance of the row, zero of what is held                        (1)
//   u = l . (V_a - V_b) + t . (w_a - w_b)              V: velocities at A, the origin of the frame of a; l, t turn with b     (2)
//   u' = l . (V_a' - V_b') + t . (w_a' - w_b') + bias                                                                        (3)
//   bias = (w_b x l) . (V_a - V_b) + l . (w_a x (w_a x r_a) - w_b x (V_a - v_b)) + (w_b x t) . (w_a - w_b)
//
// (2) is the rate of the error of a row in the axes of b, l . (A - B) or what a is turned by from b: both forces act at A, so that momentum
// and angular momentum do not change. (3) is its rate, V_a' of accelerations alone.
//
// Closed loops hold more than there is to hold (four hinges of one plane: 20 rows, of which 17 count): W = J M^-1 J^T is then singular.
// (1) is solved by proximal steps,
//   (W + C + e D) d = r - J v - C p,     p += d        e = 1e-8, D the diagonal of W                                         (4)
// whose fixed points are the solutions of (1), and which come to that of least p . D p: what is held twice is shared evenly. W + C + e D
// has a factor always, and a residual falls by e / (e + lambda) each time: one or two steps suffice. Rows come in the order of joints, so
// that the factor of a chain in the order of the file is a band (numerics/envelope_cholesky.h).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/contact/contact_system.h"
#include "asperity/dynamics/smooth_world.h"
#include "asperity/numerics/envelope_cholesky.h"

namespace asperity::dynamics {

// Velocities of all bodies, or changes of places, or accelerations: whatever rows see and push.
struct Motions {
    std::vector<Vec3>&linear, &angular;
    const Vec3& velocity(std::size_t row) const { return linear[row]; }
    const Vec3& spin(std::size_t row) const { return angular[row]; }
    void push(std::size_t row, const Vec3& change) { linear[row] += change; }
    void turn(std::size_t row, const Vec3& change) { angular[row] += change; }
};

struct JointRow {
    contact::Row row;
    std::uint32_t joint = 0;
    bool is_held = true;    // else it is damped
    double error = 0;       // m or rad, of what is held
    double bias = 0;        // m/s^2 or rad/s^2
    double compliance = 0;  // C
    Vec3 linear, angular;   // l, t
};

class JointSystem {
public:
    explicit JointSystem(const model::Model& model) : world_(model.parameters) {}

    // The rows of all joints where bodies are, with those of their dampers where these act over `h`, (u + u') / 2 being damped.
    void build(const SmoothWorld& smooth, const model::Bodies& bodies, double h = 0);
    std::size_t size() const { return rows_.size(); }
    std::span<const JointRow> rows() const { return rows_; }
    const model::JointPlace& place(std::size_t joint) const { return places_[joint]; }

    // (1): changes the motions, and adds to the impulses what it takes.
    void bring(std::span<const double> wanted, Motions motions, std::span<double> impulses);
    // (1) for r = 0, of motions that are changes: without what joints do not let be.
    void bend(Motions motions);

    // A row along a coordinate of a joint.
    contact::Row along(std::size_t joint, bool is_of_turn) const;

private:
    void add(std::size_t joint, const model::Bodies& bodies, const Vec3& linear, const Vec3& angular, double error);
    void add_held(std::size_t joint, const SmoothWorld& smooth, const model::Bodies& bodies);
    void factor();

    const model::Parameters& world_;
    std::vector<model::JointPlace> places_;
    std::vector<contact::Side> sides_;  // a and b of each joint, with arms to A
    std::vector<JointRow> rows_;
    std::vector<std::size_t> first_, first_of_body_;
    numerics::EnvelopeCholesky factor_;
    std::vector<double> residual_, none_, dropped_;
};

}  // namespace asperity::dynamics
