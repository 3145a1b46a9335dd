#include "asperity/gravity/small_body.h"

namespace asperity::gravity {
namespace {

Vec3 turned(const Vec3& a, double cosine, double sine) { return {cosine * a.x - sine * a.y, sine * a.x + cosine * a.y, a.z}; }

}  // namespace

// centre and velocity in the inertial axes, relative to the origin of the frame.
Pose SmallBody::pose(const Vec3& centre, const Vec3& velocity, const Attractor& body, double time) const {
    const double frame = is_inertial ? 0 : target.attitude + target.spin_rate * time;
    const double c = std::cos(frame), s = std::sin(frame), w = frame_rate();
    const double angle = body.attitude + body.spin_rate * time - frame;
    Pose pose;
    pose.centre = turned(centre, c, -s);
    const Vec3 rate = turned(velocity, c, -s);
    pose.velocity = {rate.x + w * pose.centre.y, rate.y - w * pose.centre.x, rate.z};
    pose.cosine = std::cos(angle);
    pose.sine = std::sin(angle);
    pose.turn_rate = body.spin_rate - w;
    return pose;
}

Pose SmallBody::target_pose(double time) const {
    if (!is_inertial) return {};
    if (!has_companion) return pose({}, {}, target, time);
    const OrbitPoint d = orbit_at(orbit, time);
    const double share = -companion.field.gravitational_parameter() / total_parameter();
    return pose(share * d.position, share * d.velocity, target, time);
}

Pose SmallBody::companion_pose(double time) const {
    const OrbitPoint d = orbit_at(orbit, time);
    const double share = is_inertial ? target.field.gravitational_parameter() / total_parameter() : 1;
    return pose(share * d.position, share * d.velocity, companion, time);
}

SmallBody::OriginPull SmallBody::origin_pull(const Pose& other) const {
    if (is_inertial) return {};
    const double distance = norm(other.centre), strength = companion.field.gravitational_parameter() / std::pow(distance, 3);
    const double outward = dot(other.centre, other.velocity) / (distance * distance);
    return {strength * other.centre, strength * (other.velocity - 3 * outward * other.centre)};
}

Drive SmallBody::drive(const Vec3& p, const Vec3& v, double time) const {
    Drive sum{centrifugal(p) + coriolis(v), 0};
    if (is_alone_in_its_frame()) {
        sum.acceleration += target.field.at(p).acceleration;
        return sum;
    }
    const auto add = [&](const Pose& body, const BodyField& field) {
        const Vec3 pull = body.to_frame(field.at(body.to_body(p)).acceleration), q = p - body.centre;
        sum.acceleration += pull;
        sum.power += dot(pull, body.velocity + Vec3{-body.turn_rate * q.y, body.turn_rate * q.x, 0});
    };
    add(target_pose(time), target.field);
    if (has_companion) {
        const Pose other = companion_pose(time);
        const OriginPull origin = origin_pull(other);
        add(other, companion.field);
        sum.acceleration -= origin.pull;
        sum.power += dot(origin.rate, p);
    }
    return sum;
}

double SmallBody::potential(const Vec3& p, double time) const {
    const double spinning = -0.5 * dot(centrifugal(p), p);
    if (is_alone_in_its_frame()) return spinning - target.field.at(p).potential;
    const Pose own = target_pose(time);
    double sum = spinning - target.field.at(own.to_body(p)).potential;
    if (has_companion) {
        const Pose other = companion_pose(time);
        sum += dot(origin_pull(other).pull, p) - companion.field.at(other.to_body(p)).potential;
    }
    return sum;
}

SmallBody::Place SmallBody::to_inertial(const Vec3& p, const Vec3& v, double time) const {
    if (is_inertial) return {p, v};
    const double angle = target.attitude + target.spin_rate * time, c = std::cos(angle), s = std::sin(angle), w = target.spin_rate;
    Place place{turned(p, c, s), turned(v + Vec3{-w * p.y, w * p.x, 0}, c, s)};
    if (has_companion) {
        const OrbitPoint d = orbit_at(orbit, time);
        const double share = -companion.field.gravitational_parameter() / total_parameter();
        place.position += share * d.position;
        place.velocity += share * d.velocity;
    }
    return place;
}

SmallBody::Place SmallBody::from_inertial(const Vec3& p, const Vec3& v, double time) const {
    if (is_inertial) return {p, v};
    Vec3 position = p, velocity = v;
    if (has_companion) {
        const OrbitPoint d = orbit_at(orbit, time);
        const double share = companion.field.gravitational_parameter() / total_parameter();
        position += share * d.position;
        velocity += share * d.velocity;
    }
    const double angle = target.attitude + target.spin_rate * time, c = std::cos(angle), s = std::sin(angle), w = target.spin_rate;
    const Vec3 q = turned(position, c, -s);
    return {q, turned(velocity, c, -s) - Vec3{-w * q.y, w * q.x, 0}};
}

Vec3 SmallBody::velocity_of_frame(const Vec3& p, double time) const {
    if (is_inertial) return {};
    const double angle = target.attitude + target.spin_rate * time;
    return turned(to_inertial(p, {}, time).velocity, std::cos(angle), -std::sin(angle));
}

bool SmallBody::never_returns(const Vec3& p, const Vec3& v, double time, const Vec3&, const Vec3&, double) const {
    if (norm(p) < 0.5 * escape_distance) return false;  // cheap; the common centre of mass lies within that of the origin
    const Place place = to_inertial(p, v, time);
    const double distance = norm(place.position);
    return distance > escape_distance && dot(place.position, place.velocity) > 0 &&
           0.5 * squared_norm(place.velocity) > total_parameter() / distance;
}

}  // namespace asperity::gravity
