// The equations of motion without contact, for any bodies and field: what acts at one instant, and what it sets free.
//
//   a_i  = field(p_i, v_i, t) + (mutual gravity, tides, cables, joints, loads, engines + forces of contacts) / m_i (1) w_i' = J_i^-1
//   (torques - W x J_i W) + w_i x R,    W = w_i + R, R the rate of the frame                                     (2)
//
// (2) is Euler's equation for the spin W in inertial space, with the components and the rate of w_i = W - R along axes that turn with R: of
// a ball only w_i x R is left (gravity/small_body.h, 4). The energy that goes with it has w_i J w_i / 2 - R J R / 2 of a body that is no
// sphere (Jacobi's integral of a rigid body); of a sphere the second part never changes and is left out.
//
// Springs and dampers of joints, and motors that give a torque or a force, act along what the joint leaves free, equal and opposite; loads
// act on one body. The heat of a damper and the work of a motor are shared as those of a cable; the work of a load is that body's.
// Cables pull at both ends (laws/cable.h), engines push, and what they burn is missing from m_i. Heat of a cable and work of its winch
// count half and half on the bodies of its ends, or on the only one. Where the field acts on extent (gravity/extent.h), its gradient turns
// bodies that are no spheres. The work of an engine is what it adds to the body and takes away with
// the propellant,
//   W' = F . v_e + m' (v^2 / 2 + U),   v_e: velocity of the point where it pushes, m' <= 0                                    (3)
#pragma once
#include <vector>

#include "asperity/core/parallel.h"
#include "asperity/dynamics/forces.h"
#include "asperity/gravity/gravity.h"
#include "asperity/model/cable_pull.h"
#include "asperity/model/joint_place.h"
#include "asperity/model/ledger.h"

namespace asperity::dynamics {

// What an instant changes, by body.
struct BodyRates {
    std::vector<Vec3> acceleration;  // m/s^2
    std::vector<Vec3> turning;       // rad/s^2
    std::vector<BodyHeat> heat;      // W/kg
    std::vector<Vec3> standing;      // m/s^2, the acceleration without that of Coriolis, which does no work; empty where none acts
};

inline Vec3 velocity_at(const model::Bodies& bodies, std::size_t row, const Vec3& point) {
    return bodies.velocity[row] + cross(bodies.spin[row], point - bodies.position[row]);
}

// What acts along one coordinate of a joint, of the last loads.
struct JointPush {
    std::uint32_t joint = 0;
    bool is_of_turn = false;
    double damping = 0, effort = 0;  // N m s/rad and N m, or N s/m and N
};

// Rate of the turn or of the travel of a joint, rad/s or m/s.
double rate_of(const model::Joint& joint, bool is_of_turn, const model::JointPlace& place, const model::Bodies& bodies);

class SmoothWorld {
public:
    explicit SmoothWorld(const model::Model& model);

    // Cables, joints, loads and engines as they are in this State, which must outlive what is evaluated.
    void set_parts(const model::State& state) { parts_ = &state; }
    const model::State& parts() const { return *parts_; }
    // Dampers of joints are then the caller's.
    void leave_out_dampers() { has_dampers_ = false; }

    // Masses of this time.
    void set_time(double time);
    // Forces and torques between bodies, of cables and of engines at the time that was set. `bodies` are those of State, or of a stage of a
    // step, with driven rows in place.
    void set_loads(const model::Bodies& bodies);
    // (1) and (2), with the heat of tides and the power of the field and of sunlight; add(row, force, torque) adds those of contacts.
    template <class Add>
    void set_rates(const model::Bodies& bodies, const Add& add);
    // Adds W/kg of cables, winches and engines, with velocities of `bodies` at the loads that were set.
    void add_heat(const model::Bodies& bodies);

    // Whether forces act besides the field and contacts.
    bool has_loads() const { return !loads_.force.empty(); }
    const BodyRates& rates() const { return rates_; }
    BodyRates& rates() { return rates_; }
    const Vec3& frame_rate() const { return frame_rate_; }  // rad/s
    const model::BodyKind& kind(std::size_t row) const { return world_.bodies[row]; }
    double mass_of(std::size_t row) const { return mass_.empty() ? world_.bodies[row].mass : mass_[row]; }

    // Motion and field of every group of bodies that move; the heat is the caller's.
    void energies(double time, const model::Bodies& bodies, std::vector<model::Ledger>& out);
    // Adds what they share, half on either side: cables and mutual gravity.
    void add_shared_energies(double time, const model::Bodies& bodies, std::vector<model::Ledger>& out);

private:
    static constexpr std::size_t rows_a_block = 512;

    void set_masses(double time);
    void copy_motion(const model::Bodies& bodies);
    void add_extent(const model::Bodies& bodies);
    void add_cables(const model::Bodies& bodies);
    void add_joints(const model::Bodies& bodies);
    void add_loads(const model::Bodies& bodies);
    void add_engines(const model::Bodies& bodies);
    void add_cable_heat(const model::Bodies& bodies);
    void add_joint_heat(const model::Bodies& bodies);
    void add_load_work(const model::Bodies& bodies);
    void add_shared(const model::Joint& joint, double heat, double work);
    Vec3 in_world(const model::Load& load, const Vec3& v, const model::Bodies& bodies) const;
    void add_engine_work(const model::Bodies& bodies);

    const model::Parameters& world_;
    Vec3 frame_rate_;                      // rad/s
    const model::State* parts_ = nullptr;  // cables, joints, loads and engines
    std::vector<model::CablePull> pulls_;  // of the last loads
    std::vector<JointPush> joint_pushes_;  // likewise
    bool has_dampers_ = true;              // of joints
    std::vector<double> mass_;             // kg, less what engines have burnt; empty: as the kinds have it
    double time_ = 0;                      // s
    bool has_pairs_ = false;               // mutual gravity, tides or sunlight act
    bool has_extent_ = false;              // the field turns bodies that are no spheres
    Loads loads_;                          // empty where nothing acts besides the field and contacts
    Motion motion_;                        // workspace of what acts between pairs
    BodyRates rates_;
};

template <class Add>
void SmoothWorld::set_rates(const model::Bodies& bodies, const Add& add) {
    const bool has_loads = !loads_.force.empty();
    std::visit(
        [&](const auto& field) {
            parallel_blocks(world_.bodies.size(), rows_a_block, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    Vec3 force = has_loads ? loads_.force[i] : Vec3{}, torque = has_loads ? loads_.torque[i] : Vec3{};
                    add(i, force, torque);
                    const model::BodyKind& body = world_.bodies[i];
                    const gravity::Drive drive = field.drive(bodies.position[i], bodies.velocity[i], time_);
                    if (!body.is_sphere()) {
                        const Vec3 spin = bodies.spin[i] + frame_rate_;
                        torque -= cross(spin, spin_momentum(body, {bodies.position[i], bodies.velocity[i], spin, bodies.orientation[i]}));
                    }
                    rates_.acceleration[i] = drive.acceleration + force / mass_of(i);
                    rates_.turning[i] = inverse_inertia_times(body, bodies.orientation[i], torque) + field.spin_rate(bodies.spin[i]);
                    const double left = mass_.empty() ? 1 : mass_[i] / body.mass;  // of the mass that heat counts per
                    const double tide = has_loads ? loads_.tide_power[i] : 0, work = has_loads ? loads_.work_power[i] : 0;
                    rates_.heat[i] = {.tide = tide / body.mass, .work = left * drive.power + work / body.mass};
                }
            });
        },
        world_.environment.field);
}

}  // namespace asperity::dynamics
