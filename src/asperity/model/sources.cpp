#include "asperity/model/sources.h"

#include <cmath>

namespace asperity::model {

gravity::Drive PointSource::drive(const Vec3& p, const Vec3&, double time) const {
    const GivenPlace centre = place_at(motion, time);
    const Vec3 apart = centre.pose.p - p;
    const double distance2 = squared_norm(apart);
    const Vec3 pull = (parameter / (distance2 * std::sqrt(distance2))) * apart;
    return {pull, dot(pull, centre.velocity)};
}

double PointSource::potential(const Vec3& p, double time) const { return -parameter / norm(place_at(motion, time).pose.p - p); }

gravity::Drive Sources::drive(const Vec3& p, const Vec3& v, double time) const {
    gravity::Drive sum;
    for (const auto& source : list) {
        const gravity::Drive one = std::visit([&](const auto& kind) { return kind.drive(p, v, time); }, source);
        sum.acceleration += one.acceleration;
        sum.power += one.power;
    }
    return sum;
}

double Sources::potential(const Vec3& p, double time) const {
    double sum = 0;
    for (const auto& source : list) sum += std::visit([&](const auto& kind) { return kind.potential(p, time); }, source);
    return sum;
}

const gravity::SmallBody* Sources::small_body() const {
    for (const auto& source : list)
        if (const auto* body = std::get_if<gravity::SmallBody>(&source)) return body;
    return nullptr;
}

}  // namespace asperity::model
