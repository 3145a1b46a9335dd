// A superposition of gravity fields, for worlds with more than one external source.
//
//   a = sum a_k(p, v, t),   Phi = sum Phi_k(p, t),   dPhi/dt at fixed p = sum of the powers                                   (1)
//
// A uniform field, bodies with their frame (gravity/small_body.h, which holds the terms of a frame that turns), and points on given
// courses: U = mu / |p - c(t)|, whose power at a fixed point is a . c'. A world with one uniform field, or with one or two bodies alone,
// has that kind itself in model::Field, not a list: the event-driven method is compiled for those.
#pragma once
#include <variant>
#include <vector>

#include "asperity/gravity/small_body.h"
#include "asperity/gravity/uniform.h"
#include "asperity/model/driven.h"

namespace asperity::model {

struct PointSource {
    double parameter = 0;  // G m, m^3/s^2
    GivenMotion motion;

    gravity::Drive drive(const Vec3& p, const Vec3& v, double time) const;
    double potential(const Vec3& p, double time) const;
};

struct Sources {
    std::vector<std::variant<gravity::Uniform, gravity::SmallBody, PointSource>>
        list;  // at most one SmallBody: it says how the frame turns

    gravity::Drive drive(const Vec3& p, const Vec3& v, double time) const;
    Vec3 acceleration(const Vec3& p, const Vec3& v, double time) const { return drive(p, v, time).acceleration; }
    double potential(const Vec3& p, double time) const;
    const gravity::SmallBody* small_body() const;
    Vec3 spin_rate(const Vec3& spin) const {
        const gravity::SmallBody* body = small_body();
        return body != nullptr ? body->spin_rate(spin) : Vec3{};
    }
};

}  // namespace asperity::model
