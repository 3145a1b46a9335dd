// The Delassus operator of constraints between bodies: what impulses at the constraints do to the relative velocities there.
//
//   u = J v,     v' = v + M^-1 J^T p,     u' = u + W p,     W = J M^-1 J^T                                                 (1)
//   row k of J:  l_k . (v_a - v_b) + (r_a x l_k + t_k) . w_a - (r_b x l_k + t_k) . w_b                                     (2)
//
// v: velocities and spins of all bodies, M: their masses and inertias, u: relative velocity of each row, p: impulse of each row. A row has
// two sides a and b, bodies or the ground, a direction l (linear: N s, m/s) at arms r from the centres of mass, and a direction t (angular:
// N m s, rad/s): a normal or tangent of a contact has l alone, rolling and spinning resistance t alone; joints and motors have either.
// Bodies that are driven and the ground take any impulse without moving. W is symmetric and positive semidefinite; its diagonal is one over
// the effective mass of the row. Impulses are equal and opposite, at one point where the arms meet there: momentum does not change.
//
// W is never stored: products go through the bodies, O(rows). Methods that solve for a few rows at once take the dense matrix. A row that
// turns nothing (forces along the line of centres of spheres; a pair that is only moved apart) is known as such: its arms cost nothing.
// Source: Delassus, Ann. Sci. Ecole Norm. Sup. 34 (1917) 95; Brogliato, Nonsmooth Mechanics (2016), 5.4.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/contacts.h"
#include "asperity/model/model.h"
#include "asperity/numerics/dense_solve.h"

namespace asperity::contact {

// A body as an impulse meets it, and where. The default is the ground.
struct Side {
    std::int32_t row = model::ground;
    double inverse_mass = 0;                // 1/kg; zero: infinite mass, and no turning either
    const model::BodyKind* kind = nullptr;  // for its inertia; null: of infinite mass
    Quat q_WB;                              // of its principal axes
    Vec3 arm;                               // m, from its centre of mass to where the impulse acts

    Vec3 turned(const Vec3& torque) const { return kind == nullptr ? Vec3{} : inverse_inertia_times(*kind, q_WB, torque); }
};

// The side of a contact that a row of the model makes; driven rows and the ground have infinite mass.
inline Side side_of(const model::Parameters& world, std::int32_t row, const Quat& q_WB, const Vec3& arm) {
    if (!world.moves(row)) return {.row = row, .arm = arm};
    const model::BodyKind& kind = world.bodies[static_cast<std::size_t>(row)];
    return {.row = row, .inverse_mass = 1 / kind.mass, .kind = &kind, .q_WB = q_WB, .arm = arm};
}

// The part of one side in a diagonal element of the Delassus operator, 1/kg; `linear2` is the square of the linear direction, `angular` the
// angular direction.
inline double mobility(const Side& side, double linear2, const Vec3& angular) {
    return linear2 * side.inverse_mass + dot(angular, side.turned(angular));
}

// One row of J and its column of M^-1 J^T.
struct Row {
    std::int32_t a = model::ground;
    std::int32_t b = model::ground;
    bool turns = false;         // whether any of what follows below inverse_mass_b is not zero
    Vec3 linear;                // on a; its opposite on b
    double inverse_mass_a = 0;  // 1/kg
    double inverse_mass_b = 0;  // 1/kg
    Vec3 angular_a, angular_b;  // on a, and, with the opposite sign, on b
    Vec3 turned_a, turned_b;    // inverse inertia times these
};

Row row_of(const Side& a, const Side& b, const Vec3& linear, const Vec3& angular = {});

// An element of J M^-1 J^T, where the rows of J may be those of another instant than the columns of J^T: what a unit impulse at `by` does
// to the relative velocity at `of`.
inline double coupling(const Row& of, const Row& by) {
    double inverse_mass = 0, turning = 0;
    const bool turns = of.turns && by.turns;
    const auto meet = [&](double sign, double mass, const Vec3& angular, const Vec3& turned) {
        inverse_mass += sign * mass;
        if (turns) turning += sign * dot(angular, turned);
    };
    if (of.a == by.a) meet(1, by.inverse_mass_a, of.angular_a, by.turned_a);
    if (of.b == by.b) meet(1, by.inverse_mass_b, of.angular_b, by.turned_b);
    if (of.a == by.b) meet(-1, by.inverse_mass_b, of.angular_a, by.turned_b);
    if (of.b == by.a) meet(-1, by.inverse_mass_a, of.angular_b, by.turned_a);
    const double moving = inverse_mass == 0 ? 0 : inverse_mass * dot(of.linear, by.linear);
    return moving + turning;
}

// (2). Velocities are anything with velocity(row) and spin(row) of all rows but the ground.
template <class Velocities>
double relative_velocity(const Row& row, const Velocities& velocities) {
    Vec3 apart;
    double turning = 0;
    if (row.a != model::ground) {
        apart = velocities.velocity(static_cast<std::size_t>(row.a));
        if (row.turns) turning = dot(row.angular_a, velocities.spin(static_cast<std::size_t>(row.a)));
    }
    if (row.b != model::ground) {
        apart -= velocities.velocity(static_cast<std::size_t>(row.b));
        if (row.turns) turning -= dot(row.angular_b, velocities.spin(static_cast<std::size_t>(row.b)));
    }
    return dot(row.linear, apart) + turning;
}

// v' of (1) for one row; push(row, change of velocity) and turn(row, change of spin) of the velocities, of bodies that move.
template <class Velocities>
void apply(const Row& row, double impulse, Velocities& velocities) {
    const Vec3 push = impulse * row.linear;
    if (row.inverse_mass_a > 0) {
        velocities.push(static_cast<std::size_t>(row.a), row.inverse_mass_a * push);
        if (row.turns) velocities.turn(static_cast<std::size_t>(row.a), impulse * row.turned_a);
    }
    if (row.inverse_mass_b > 0) {
        velocities.push(static_cast<std::size_t>(row.b), -(row.inverse_mass_b * push));
        if (row.turns) velocities.turn(static_cast<std::size_t>(row.b), -(impulse * row.turned_b));
    }
}

// The dense matrix of at most numerics::most_contacts rows; what stands beyond them is left alone.
void assemble(std::span<const Row> of, std::span<const Row> by, numerics::DenseMatrix& out);

// The Delassus operator W of a list of rows.
class ContactSystem {
public:
    void clear() { rows_.clear(); }
    void reserve(std::size_t count) { rows_.reserve(count); }
    void add(const Row& row) { rows_.push_back(row); }
    std::size_t size() const { return rows_.size(); }
    std::span<const Row> rows() const { return rows_; }
    std::span<Row> rows() { return rows_; }

    double diagonal(std::size_t k) const { return coupling(rows_[k], rows_[k]); }
    numerics::DenseMatrix dense() const;
    // out = W x, through the bodies; sums run in the order of rows.
    void multiply(std::span<const double> x, std::span<double> out);

    template <class Velocities>
    void apply(std::span<const double> impulses, Velocities& velocities) const {
        for (std::size_t k = 0; k < rows_.size(); ++k) contact::apply(rows_[k], impulses[k], velocities);
    }
    template <class Velocities>
    double relative_velocity(std::size_t k, const Velocities& velocities) const {
        return contact::relative_velocity(rows_[k], velocities);
    }

private:
    // Of bodies that impulses have set in motion from rest.
    struct Motion {
        std::vector<Vec3> linear, angular;
        const Vec3& velocity(std::size_t row) const { return linear[row]; }
        const Vec3& spin(std::size_t row) const { return angular[row]; }
        void push(std::size_t row, const Vec3& change) { linear[row] += change; }
        void turn(std::size_t row, const Vec3& change) { angular[row] += change; }
    };

    std::vector<Row> rows_;
    Motion motion_;  // workspace
};

}  // namespace asperity::contact
