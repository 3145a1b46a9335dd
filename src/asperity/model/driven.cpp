#include "asperity/model/driven.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::model {
namespace {

Vec3 turned_about_z(const Vec3& a, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return {c * a.x - s * a.y, s * a.x + c * a.y, a.z};
}

Quat about_z(double angle) { return {std::cos(0.5 * angle), 0, 0, std::sin(0.5 * angle)}; }

constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();  // of times

auto first_after(const std::vector<double>& times, double time) {
    return std::upper_bound(times.begin(), times.end(), time + rounding * std::fabs(time));
}

struct PlaceAt {
    double time;

    GivenPlace operator()(const Turning& m) const {
        return {.pose = {m.centre, rotation(time * m.rate) * m.attitude}, .velocity = {}, .spin = m.rate};
    }
    GivenPlace operator()(const KeplerOrbit& m) const {
        const gravity::OrbitPoint d = gravity::orbit_at(m.orbit, time);
        const double frame = m.frame_attitude + m.frame_rate * time;
        const Vec3 p = turned_about_z(m.share * d.position, -frame), v = turned_about_z(m.share * d.velocity, -frame);
        return {.pose = {p, about_z(m.attitude + m.spin_rate * time - frame)},
                .velocity = v - cross({0, 0, m.frame_rate}, p),
                .spin = {0, 0, m.spin_rate - m.frame_rate}};
    }
    GivenPlace operator()(const Sine& m) const {
        const double angle = m.rate * time + m.phase;
        return {.pose = {m.centre + std::sin(angle) * m.amplitude, {}}, .velocity = (m.rate * std::cos(angle)) * m.amplitude, .spin = {}};
    }
    GivenPlace operator()(const Course& m) const {
        const auto after = first_after(m.times, time);
        if (after == m.times.begin()) return {.pose = {m.positions.front(), {}}, .velocity = {}, .spin = {}};
        if (after == m.times.end()) return {.pose = {m.positions.back(), {}}, .velocity = {}, .spin = {}};
        const auto k = static_cast<std::size_t>(after - m.times.begin());
        const Vec3 velocity = (m.positions[k] - m.positions[k - 1]) / (m.times[k] - m.times[k - 1]);
        return {.pose = {m.positions[k - 1] + (time - m.times[k - 1]) * velocity, {}}, .velocity = velocity, .spin = {}};
    }
};

}  // namespace

GivenPlace place_at(const GivenMotion& motion, double time) { return std::visit(PlaceAt{time}, motion); }

double next_jump(const GivenMotion& motion, double time) {
    constexpr double never = std::numeric_limits<double>::infinity();
    const auto* course = std::get_if<Course>(&motion);
    if (course == nullptr) return never;
    const auto after = first_after(course->times, time);
    return after == course->times.end() ? never : *after;
}

double just_before(double jump) { return jump - 4 * rounding * std::fabs(jump); }

GivenMotion motion_of_companion(const gravity::SmallBody& bodies) {
    const double own_share = bodies.target.field.gravitational_parameter() / bodies.total_parameter();
    return KeplerOrbit{.orbit = bodies.orbit,
                       .share = bodies.is_inertial ? own_share : 1,
                       .spin_rate = bodies.companion.spin_rate,
                       .attitude = bodies.companion.attitude,
                       .frame_rate = bodies.frame_rate(),
                       .frame_attitude = bodies.is_inertial ? 0 : bodies.target.attitude};
}

GivenMotion motion_of_target(const gravity::SmallBody& bodies) {
    const gravity::Attractor& target = bodies.target;
    if (!bodies.is_inertial) return Turning{};
    if (!bodies.has_companion) return Turning{.centre = {}, .rate = {0, 0, target.spin_rate}, .attitude = about_z(target.attitude)};
    return KeplerOrbit{.orbit = bodies.orbit,
                       .share = -bodies.companion.field.gravitational_parameter() / bodies.total_parameter(),
                       .spin_rate = target.spin_rate,
                       .attitude = target.attitude};
}

void place_driven(std::span<const Driven> driven, std::size_t moving, double time, Bodies& bodies) {
    if (driven.empty()) return;
    const std::size_t rows = moving + driven.size();
    bodies.position.resize(rows);
    bodies.orientation.resize(rows);
    bodies.velocity.resize(rows);
    bodies.spin.resize(rows);
    for (std::size_t k = 0; k < driven.size(); ++k) {
        const GivenPlace place = place_at(driven[k].motion, time);
        bodies.position[moving + k] = place.pose.p;
        bodies.orientation[moving + k] = place.pose.q;
        bodies.velocity[moving + k] = place.velocity;
        bodies.spin[moving + k] = place.spin;
    }
}

}  // namespace asperity::model
