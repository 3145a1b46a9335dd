#include "asperity/dynamics/overlaps.h"

#include <cmath>

#include "asperity/dynamics/shift.h"

namespace asperity::dynamics {
namespace {

constexpr int most_shift_sweeps = 100;
constexpr double shift_tolerance = 1e-3;  // of the deepest overlap that is taken out

struct Places {
    std::vector<Vec3>&moved, &turned;
    const Vec3& velocity(std::size_t row) const { return moved[row]; }
    const Vec3& spin(std::size_t row) const { return turned[row]; }
    void push(std::size_t row, const Vec3& change) { moved[row] += change; }
    void turn(std::size_t row, const Vec3& change) { turned[row] += change; }
};

// Of two bodies that were moved apart along n by equal and opposite parts: their velocities are turned with the line between them, as those
// of bodies that were moved without a torque; what that cannot give goes to their spins.
void keep_angular_momentum(const HeldContact& held, double impulse, const model::Bodies& before, const SmoothWorld& smooth,
                           model::Bodies& bodies) {
    if (!(impulse > 0) || held.b.kind == nullptr) return;
    const auto a = static_cast<std::size_t>(held.a.row), b = static_cast<std::size_t>(held.b.row);
    const Vec3 gained = impulse * cross(held.n, before.velocity[a] - before.velocity[b]);
    const Vec3 apart = bodies.position[a] - bodies.position[b];
    const Vec3 exchanged = cross(gained, apart) / squared_norm(apart);
    bodies.velocity[a] -= exchanged / smooth.mass_of(a);
    bodies.velocity[b] += exchanged / smooth.mass_of(b);
    const Vec3 left = 0.5 * (dot(gained, apart) / squared_norm(apart)) * apart;
    bodies.spin[a] -= inverse_inertia_times(*held.a.kind, bodies.orientation[a], left);
    bodies.spin[b] -= inverse_inertia_times(*held.b.kind, bodies.orientation[b], left);
}

}  // namespace

// The least motion, by mass, that leaves no contact deeper than allowed; whether there is any.
bool Overlaps::find_shift(double h, std::span<const HeldContact> contacts, JointHold& joints, std::size_t rows) {
    const auto depth_of = [&](std::size_t k) { return -contacts[k].gap - 0.5 * h * contacts[k].after.x; };  // at the end of the step
    const auto allowed_of = [&](std::size_t k) { return 0.5 * h * contacts[k].block.nn * contacts[k].impulse.x; };
    double most = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k)
        if (contacts[k].impulse.x > 0 && depth_of(k) > 2 * allowed_of(k)) most = std::fmax(most, depth_of(k));
    if (most == 0) return false;
    impulse_.assign(contacts.size(), 0);
    moved_.assign(rows, {});
    turned_.assign(rows, {});
    Places places{moved_, turned_};
    for (int sweep = 0; sweep < most_shift_sweeps; ++sweep) {
        double change = 0;
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            const HeldContact& held = contacts[k];
            if (!(held.impulse.x > 0)) continue;
            const double left = depth_of(k) - allowed_of(k) - contact::relative_velocity(held.normal, places);
            const double step = std::fmax(-impulse_[k], left / held.block.nn);
            impulse_[k] += step;
            contact::apply(held.normal, step, places);
            if (joints.couples(held)) joints.bend({moved_, turned_});
            change = std::fmax(change, std::fabs(step) * held.block.nn);
        }
        if (change <= shift_tolerance * most) break;
    }
    return true;
}

bool Overlaps::separate(double h, std::span<const HeldContact> contacts, JointHold& joints, const SmoothWorld& smooth,
                        model::Bodies& bodies, std::vector<BodyHeat>& heat) {
    if (!find_shift(h, contacts, joints, bodies.position.size())) return false;
    const model::Bodies before = bodies;
    shift_bodies(world_, moved_, turned_, bodies);
    for (std::size_t k = 0; k < contacts.size(); ++k) keep_angular_momentum(contacts[k], impulse_[k], before, smooth, bodies);
    // What it costs is taken from the heat of impacts, which has it from the depth that bodies fell too far.
    book_shift(world_, smooth, before, moved_, turned_, bodies, heat);
    return true;
}

}  // namespace asperity::dynamics
