// Random impacts for the tests of the contact laws, from a fixed seed.
#pragma once
#include <cmath>
#include <random>

#include "asperity/core/quat.h"
#include "asperity/laws/contact/impact.h"

namespace asperity::laws::test {

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}

    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    double power(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
    Vec3 direction() {
        const double z = between(-1, 1), angle = between(0, 2 * M_PI), s = std::sqrt(1 - z * z);
        return unit(Vec3{s * std::cos(angle), s * std::sin(angle), z});
    }
    Vec3 inside_unit_ball() { return std::cbrt(between(0, 1)) * direction(); }
    Quat orientation() { return rotation(between(0, M_PI) * direction()); }

private:
    std::mt19937_64 random_;
};

// Speeds of 1e-5 to 10 m/s and radii of 1 mm to 10 m: the laws know no scale of their own.
struct RandomImpact {
    BallShape ball;
    Touching touch;
    Motion motion;
};

inline RandomImpact single_impact(Draw& draw, double restitution) {
    RandomImpact impact;
    impact.ball = {.radius = draw.power(1e-3, 10), .inertia_factor = draw.between(0.1, 2.0 / 3)};
    const double speed = draw.power(1e-5, 10);
    impact.touch.count = 1;
    impact.touch.normal[0] = draw.direction();
    const Vec3& n = impact.touch.normal[0];
    impact.motion.v = speed * (tangential(draw.inside_unit_ball(), n) - draw.between(0.01, 1) * n);
    impact.motion.w = (draw.between(0, 2) * speed / impact.ball.radius) * draw.direction();
    impact.touch.target[0] = -restitution * dot(n, impact.motion.v);
    return impact;
}

// Two to four walls that leave room for a ball: every normal has a positive part along one direction; `steepest` says how small.
inline RandomImpact several_impact(Draw& draw, double steepest) {
    RandomImpact impact = single_impact(draw, 0);
    const Vec3 up = draw.direction();
    impact.touch = {};
    impact.touch.count = draw.whole(2, 4);
    for (int i = 0; i < impact.touch.count; ++i) {
        const Vec3 side = unit(tangential(draw.direction(), up));
        const double rise = draw.between(steepest, 0.98);
        impact.touch.normal[i] = unit(rise * up + std::sqrt(1 - rise * rise) * side);
    }
    const double speed = norm(impact.motion.v);
    impact.motion.v = speed * unit(draw.inside_unit_ball() - draw.between(0, 2) * up);
    return impact;
}

}  // namespace asperity::laws::test
