#include "asperity/dynamics/joint_hold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/dynamics/shift.h"

namespace asperity::dynamics {
namespace {

constexpr int most_bounded_sweeps = 10000;
constexpr double bounded_rounding = 1e-15;  // of the speeds there
constexpr int most_closings = 4;
constexpr double closed = 16 * std::numeric_limits<double>::epsilon();  // of the places, or in rad

contact::Row turned_round(contact::Row row) {
    for (Vec3* v : {&row.linear, &row.angular_a, &row.angular_b, &row.turned_a, &row.turned_b}) *v = -*v;
    return row;
}

Motions velocities_of(model::Bodies& bodies) { return {bodies.velocity, bodies.spin}; }

struct Seen {
    const model::Bodies& bodies;
    const Vec3& velocity(std::size_t row) const { return bodies.velocity[row]; }
    const Vec3& spin(std::size_t row) const { return bodies.spin[row]; }
};

// J/kg, of what a row takes from its bodies: half on either, all of it where the other is the ground.
void share(const model::Parameters& world, const contact::Row& row, double energy, double BodyHeat::*cause, std::vector<BodyHeat>& heat) {
    const bool is_shared = row.b != model::ground;
    for (const std::int32_t body : {row.a, row.b})
        if (body != model::ground)
            heat[static_cast<std::size_t>(body)].*cause +=
                (is_shared ? 0.5 : 1.0) * energy / world.bodies[static_cast<std::size_t>(body)].mass;
}

// How far a limit is passed; negative: not at all.
double passed_by(const model::JointCoordinate& along, double at, bool is_most) { return is_most ? at - along.most : along.least - at; }

}  // namespace

JointHold::JointHold(const model::Model& model) : world_(model.parameters), system_(model), places_(model) {
    is_jointed_.resize(world_.bodies.size());
    for (const model::Joint& joint : world_.joints) {
        for (const std::int32_t row : {joint.a.body, joint.b.body})
            if (row != model::ground) is_jointed_[static_cast<std::size_t>(row)] = true;
        holds_to_ground_ = holds_to_ground_ || joint.b.body == model::ground;
    }
}

void JointHold::clear(std::vector<Vec3>& linear, std::vector<Vec3>& angular) const {
    linear.assign(world_.bodies.size(), {});
    angular.assign(world_.bodies.size(), {});
}

void JointHold::suit(const SmoothWorld& smooth, model::Bodies& bodies, std::vector<BodyHeat>& heat) {
    places_.build(smooth, bodies);
    before_.resize(places_.size());
    wanted_.assign(places_.size(), 0);
    shift_.assign(places_.size(), 0);
    const Motions velocities = velocities_of(bodies);
    for (std::size_t k = 0; k < places_.size(); ++k) before_[k] = contact::relative_velocity(places_.rows()[k].row, velocities);
    places_.bring(wanted_, velocities, shift_);
    for (std::size_t k = 0; k < places_.size(); ++k) {
        const contact::Row& row = places_.rows()[k].row;
        const double after = contact::relative_velocity(row, velocities);
        share(world_, row, -0.5 * shift_[k] * (before_[k] + after), &BodyHeat::impact, heat);
    }
}

void JointHold::begin(double h, const SmoothWorld& smooth, const model::Bodies& bodies) {
    h_ = h;
    system_.build(smooth, bodies, h);
    before_.resize(system_.size());
    wanted_.resize(system_.size());
    clear(given_, turned_);
    const Seen now{bodies};
    for (std::size_t k = 0; k < system_.size(); ++k) {
        before_[k] = contact::relative_velocity(system_.rows()[k].row, now);
        wanted_[k] = -before_[k];
    }
    bounded_.clear();
    for (std::size_t k = 0; k < world_.joints.size(); ++k) add_bounded(k, smooth);
    for (Bounded& bounded : bounded_) bounded.before = contact::relative_velocity(bounded.row, now);
    for (Bounded& bounded : bounded_)
        if (bounded.is_limit) bounded.wanted = -std::fmax(0.0, bounded.before);
    find_answers();
    forget();
}

void JointHold::forget() {
    impulse_.assign(system_.size(), 0);
    for (Bounded& bounded : bounded_) bounded.impulse = 0;
}

void JointHold::add_bounded(std::size_t k, const SmoothWorld& smooth) {
    const model::Joint& joint = world_.joints[k];
    const model::Joints& state = smooth.parts().joints;
    const auto number = static_cast<std::uint32_t>(k);
    if (joint.motor && joint.motor->rate && state.is_running[k] != 0)
        bounded_.push_back({.row = system_.along(k, joint.motor->is_of_turn),
                            .joint = number,
                            .is_of_turn = joint.motor->is_of_turn,
                            .wanted = *joint.motor->rate,
                            .least = -h_ * joint.motor->effort,
                            .most = h_ * joint.motor->effort,
                            .answer = {}});
    const model::JointPlace& place = system_.place(k);
    for (const bool is_of_turn : {true, false}) {
        const model::JointCoordinate& along = is_of_turn ? joint.turn : joint.travel;
        if (!along.is_limited()) continue;
        const double at = is_of_turn ? place.angle(state.angle[k]) : place.travel;
        for (const bool is_most : {false, true}) {
            const double passed = passed_by(along, at, is_most);
            if (!(passed > 0)) continue;
            const contact::Row row = system_.along(k, is_of_turn);
            bounded_.push_back({.row = is_most ? turned_round(row) : row,
                                .joint = number,
                                .is_of_turn = is_of_turn,
                                .is_limit = true,
                                .passed = passed,
                                .answer = {}});
        }
    }
}

void JointHold::find_answers() {
    const std::size_t count = bounded_.size();
    matrix_.resize(count * count);
    for (std::size_t j = 0; j < count; ++j) {
        clear(moved_, rotated_);
        Motions motions{moved_, rotated_};
        contact::apply(bounded_[j].row, 1, motions);
        bounded_[j].answer.assign(system_.size(), 0);
        shift_.assign(system_.size(), 0);
        system_.bring(shift_, motions, bounded_[j].answer);
        for (std::size_t i = 0; i < count; ++i) matrix_[i * count + j] = contact::relative_velocity(bounded_[i].row, motions);
    }
}

void JointHold::apply(Bounded& bounded, double impulse, Motions motions) {
    bounded.impulse += impulse;
    contact::apply(bounded.row, impulse, motions);
    for (std::size_t k = 0; k < system_.size(); ++k) {
        impulse_[k] += impulse * bounded.answer[k];
        contact::apply(system_.rows()[k].row, impulse * bounded.answer[k], motions);
    }
}

// (3) and (4) on what the held rows leave.
void JointHold::solve_bounded(Motions motions) {
    const std::size_t count = bounded_.size();
    std::vector<double>& x = shift_;
    x.assign(2 * count, 0);  // impulses, and velocities without them
    double scale = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double& u = x[count + i];
        u = contact::relative_velocity(bounded_[i].row, motions);
        scale = std::fmax(scale, std::fabs(u) + std::fabs(bounded_[i].wanted));
        x[i] = bounded_[i].impulse;
        for (std::size_t j = 0; j < count; ++j) u -= matrix_[i * count + j] * bounded_[j].impulse;
    }
    for (int sweep = 0; sweep < most_bounded_sweeps; ++sweep) {
        double change = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const double own = matrix_[i * count + i];
            if (!(own > 0)) continue;  // it cannot move
            double u = x[count + i];
            for (std::size_t j = 0; j < count; ++j) u += matrix_[i * count + j] * x[j];
            const double next = std::clamp(x[i] + (bounded_[i].wanted - u) / own, bounded_[i].least, bounded_[i].most);
            change = std::fmax(change, own * std::fabs(next - x[i]));
            x[i] = next;
        }
        if (!(change > bounded_rounding * scale)) break;
    }
    for (std::size_t i = 0; i < count; ++i) apply(bounded_[i], x[i] - bounded_[i].impulse, motions);
}

void JointHold::solve(model::Bodies& bodies) {
    const Motions motions = velocities_of(bodies);
    system_.bring(wanted_, motions, impulse_);
    if (!bounded_.empty()) solve_bounded(motions);
}

// The block of the operator of the contact alone, each column with the answer of the joints.
void JointHold::reduce(HeldContact& held) {
    held.is_jointed = couples(held);
    if (!held.is_jointed) return;
    const std::array<const contact::Row*, 3> rows{&held.normal, &held.along_y, &held.along_z};
    double block[3][3];
    for (std::size_t j = 0; j < 3; ++j) {
        clear(moved_, rotated_);
        Motions motions{moved_, rotated_};
        contact::apply(*rows[j], 1, motions);
        system_.bend(motions);
        for (std::size_t i = 0; i < 3; ++i) block[i][j] = contact::relative_velocity(*rows[i], motions);
    }
    held.block = {.nn = block[0][0],
                  .ny = 0.5 * (block[0][1] + block[1][0]),
                  .nz = 0.5 * (block[0][2] + block[2][0]),
                  .yy = block[1][1],
                  .yz = 0.5 * (block[1][2] + block[2][1]),
                  .zz = block[2][2]};
}

void JointHold::settle(const model::Bodies& bodies, std::vector<BodyHeat>& heat) {
    const Seen velocities{bodies};
    Motions given{given_, turned_};
    for (std::size_t k = 0; k < system_.size(); ++k) {
        const JointRow& row = system_.rows()[k];
        const double mean = 0.5 * (before_[k] + contact::relative_velocity(row.row, velocities));
        share(world_, row.row, -impulse_[k] * mean, row.is_held ? &BodyHeat::impact : &BodyHeat::friction, heat);
        contact::apply(row.row, impulse_[k], given);
    }
    for (const Bounded& bounded : bounded_) {
        const double taken = -0.5 * bounded.impulse * (bounded.before + contact::relative_velocity(bounded.row, velocities));
        if (bounded.is_limit)
            share(world_, bounded.row, taken, &BodyHeat::impact, heat);
        else
            share(world_, bounded.row, -taken, &BodyHeat::work, heat);
        contact::apply(bounded.row, bounded.impulse, given);
    }
}

void JointHold::tell_forces(std::vector<Vec3>& force, std::vector<Vec3>& torque) const {
    force.assign(world_.joints.size(), {});
    torque.assign(world_.joints.size(), {});
    for (std::size_t k = 0; k < system_.size(); ++k) {
        const JointRow& row = system_.rows()[k];
        if (!row.is_held) continue;
        force[row.joint] += (impulse_[k] / h_) * row.linear;
        torque[row.joint] += (impulse_[k] / h_) * row.angular;
    }
    for (const Bounded& bounded : bounded_) {
        const Vec3 push = (bounded.impulse / h_) * (bounded.is_of_turn ? bounded.row.angular_a : bounded.row.linear);
        (bounded.is_of_turn ? torque : force)[bounded.joint] += push;
    }
}

// What moved apart two bodies with different velocities has changed their angular momentum about each other: a torque on both gives it
// back.
void JointHold::keep_angular_momentum(const model::Bodies& before, model::Bodies& bodies) const {
    for (std::size_t k = 0; k < places_.size(); ++k) {
        const JointRow& row = places_.rows()[k];
        if (row.row.b == model::ground || row.linear == Vec3{}) continue;
        const auto a = static_cast<std::size_t>(row.row.a), b = static_cast<std::size_t>(row.row.b);
        const Vec3 half = 0.5 * shift_[k] * cross(row.linear, before.velocity[a] - before.velocity[b]);
        bodies.spin[a] -= inverse_inertia_times(world_.bodies[a], bodies.orientation[a], half);
        bodies.spin[b] -= inverse_inertia_times(world_.bodies[b], bodies.orientation[b], half);
    }
}

// The least motion that closes the joints, in moved_ and rotated_; whether they are open by more than rounding.
bool JointHold::shift(const SmoothWorld& smooth, const model::Bodies& bodies) {
    places_.build(smooth, bodies);
    wanted_.resize(places_.size());
    bool is_open = false;
    for (std::size_t k = 0; k < places_.size(); ++k) {
        const JointRow& row = places_.rows()[k];
        const model::JointPlace& place = places_.place(row.joint);
        const double size = row.linear == Vec3{} ? 1
                                                 : norm(place.of_a) + norm(place.of_b) +
                                                       norm(place.of_a - bodies.position[static_cast<std::size_t>(row.row.a)]);
        is_open = is_open || std::fabs(row.error) > closed * size;
        wanted_[k] = -row.error;
    }
    if (!is_open) return false;
    clear(moved_, rotated_);
    shift_.assign(places_.size(), 0);
    places_.bring(wanted_, {moved_, rotated_}, shift_);
    return true;
}

void JointHold::close(const SmoothWorld& smooth, model::Bodies& bodies, std::vector<BodyHeat>& heat) {
    const auto take = [&] {
        const model::Bodies before = bodies;
        shift_bodies(world_, moved_, rotated_, bodies);
        keep_angular_momentum(before, bodies);
        book_shift(world_, smooth, before, moved_, rotated_, bodies, heat);
    };
    const auto close_all = [&] {
        for (int k = 0; k < most_closings && shift(smooth, bodies); ++k) take();
    };
    close_all();
    for (std::size_t k = 0; k < bounded_.size(); ++k) {
        Bounded& limit = bounded_[k];
        if (!limit.is_limit || !(limit.impulse > 0)) continue;
        const model::Joint& joint = world_.joints[limit.joint];
        const model::JointPlace& place = places_.place(limit.joint);
        const model::JointCoordinate& along = limit.is_of_turn ? joint.turn : joint.travel;
        const double at = limit.is_of_turn ? place.angle(smooth.parts().joints.angle[limit.joint]) : place.travel;
        const double passed = std::fmax(passed_by(along, at, false), passed_by(along, at, true));
        const double allowed = 0.5 * h_ * matrix_[k * bounded_.size() + k] * limit.impulse;
        if (!(passed > 2 * allowed)) continue;
        clear(moved_, rotated_);
        Motions motions{moved_, rotated_};
        contact::apply(limit.row, 1, motions);
        shift_.assign(places_.size(), 0);
        wanted_.assign(places_.size(), 0);
        places_.bring(wanted_, motions, shift_);
        const double part = (passed - allowed) / contact::relative_velocity(limit.row, motions);
        for (Vec3& v : moved_) v *= part;
        for (Vec3& v : rotated_) v *= part;
        for (double& x : shift_) x *= part;
        take();
        close_all();
    }
}

void JointHold::count_turns(const model::Bodies& bodies, model::Joints& joints) const {
    for (std::size_t k = 0; k < world_.joints.size(); ++k)
        if (model::turns(world_.joints[k].kind)) joints.angle[k] = model::place_of(world_.joints[k], bodies).angle(joints.angle[k]);
}

}  // namespace asperity::dynamics
