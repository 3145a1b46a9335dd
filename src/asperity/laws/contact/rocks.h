// Rocks without memory: the obstacles of a ball on a plane strewn with rocks, drawn anew at each impact and each stretch of rolling.
//
// Rocks are spheres of radius a, half buried, their centres a Poisson process on the plane, n(a) da per area (core/rock_population.h). R
// radius of the ball, b = R + a, z height of its centre, theta angle of its velocity d to the plane's normal, m unit normal from rock to
// ball.
//   A(a, z) = b^2 / cos(theta) int (-m . d)+ dm over m . n >= z / b      places of rocks that are met above z: shadow of a cap   (1)
//   P(no rock is met above z) = exp(-int n(a) A(a, z) da)                theta = 0: A = pi (b^2 - z^2)                          (2)
//   mean free path = 1 / int n(a) 2 rho da,  rho = sqrt(a^2 + 2 a R)     half the width of the strip in which a rock is hit     (3)
//   rolling:  m = (-sqrt(rho^2 - y^2) t + y e + R n) / b                 t direction, e across, y uniform in [-rho, rho]        (4)
//
// draw_impact is exact: (2) is not inverted, but the rocks themselves are drawn, in slabs of height from the top down, and the first slab
// with a rock that is met in it decides. A rock that is met in the slab z0 < z <= z0 + h (H0 = z0 - R) has a > H0, and its centre lies in a
// rectangle of width 2 rho0 and length 2 rho0 + min(h, a - H0) tan(theta), rho0^2 = b^2 - z0^2 <= rho^2, whose area is at most
//   4 (a^2 + 2 a R) + 2 tan(theta) (a + R) min(h, a)                                                                            (5)
//   4 w^2 + 2 tan(theta) h w                                             w: rho0 of the largest rocks; good near the top       (6)
// sums of powers of a (with h or with a in (5)), from which radii are drawn in closed form. Slabs are halved until they hold few
// candidates, so that a grazing path costs little more than a steep one. The default rocks and R = 0.125 m take 6 draws from above, at most
// 40 at any angle. Derivation and limits: docs/theory/rocks.md.
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/core/random.h"
#include "asperity/core/rock_population.h"
#include "asperity/core/vec3.h"

namespace asperity::laws {

struct RockHit {
    bool is_rock = false;  // false: the plane is met first
    Vec3 normal;           // unit, from the rock (or the plane) to the ball's centre
    double radius = 0;     // a, m; 0 for the plane
    double height = 0;     // z of the ball's centre above the plane, m
};

// How the ball comes down: its path is straight, and starts with no rock touched at the height `top` of its centre (the apex of a hop;
// HUGE_VAL: from far away).
struct Approach {
    double radius = 0;  // R, m
    Vec3 normal;        // of the plane, unit
    Vec3 velocity;      // towards the plane
    double top = HUGE_VAL;
};

namespace detail {

// Right-handed: t along the motion, e across, n normal. A motion along n has no direction of its own: any will do.
struct RockFrame {
    Vec3 t, e;

    ASPERITY_HD RockFrame(const Vec3& n, const Vec3& velocity) {
        const Vec3 along = unit(tangential(unit(tangential(unit(velocity), n)), n));  // twice: the first may be rounding
        const Vec3 axis = std::fabs(n.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        t = squared_norm(along) > 0 ? along : unit(tangential(axis, n));
        e = cross(n, t);
    }
};

// The bound (5) or (6) for a slab from H0 upwards, whichever gives fewer candidates: weights of a^2, a and 1 over the rocks above H0.
struct RockBound {
    RockMoment squares, lengths, numbers;
    double weight[3] = {};
    double strip = 0;  // the part of total() that grows with tan(theta)

    ASPERITY_HD RockBound(const RockPopulation& rocks, double radius, double lower, double slab, double slope)
        : squares(rocks, lower, 2), lengths(rocks, lower, 1), numbers(rocks, lower, 0) {
        const double top = 0.5 * rocks.largest;
        const double widest = std::sqrt(std::fmax(0.0, (top - lower) * (top + lower + 2 * radius)));
        const double run = 2 * slope;
        const double choice[3][3] = {{4 + run, (8 + run) * radius, 0},
                                     {4, 8 * radius + run * slab, run * slab * radius},
                                     {0, 0, (4 * widest + run * slab) * widest}};
        double least = HUGE_VAL;
        for (int k = 0; k < 3; ++k) {
            const double* w = choice[k];
            const double sum = w[0] * squares.total() + w[1] * lengths.total() + w[2] * numbers.total();
            if (!(sum < least)) continue;
            least = sum;
            for (int i = 0; i < 3; ++i) weight[i] = w[i];
        }
        const double discs = weight[0] > 0 ? 4 * (squares.total() + 2 * radius * lengths.total()) : 4 * widest * widest * numbers.total();
        strip = least - discs;
    }

    ASPERITY_HD double total() const { return weight[0] * squares.total() + weight[1] * lengths.total() + weight[2] * numbers.total(); }
    ASPERITY_HD double at(double a) const { return (weight[0] * a + weight[1]) * a + weight[2]; }
    ASPERITY_HD double draw_radius(double u) const {
        double place = u * total();
        const double first = weight[0] * squares.total(), second = weight[1] * lengths.total();
        if (place < first) return squares.radius(place / first);
        place -= first;
        if (place < second) return lengths.radius(place / second);
        const double third = weight[2] * numbers.total();
        return third > 0 ? numbers.radius(std::fmin((place - second) / third, 1.0)) : lengths.radius(1);
    }
};

// A path in the plane of d and n: tan, sin and cos of its angle to the normal.
struct RockPath {
    double slope, sine, cosine;

    ASPERITY_HD RockPath(const Vec3& n, const Vec3& velocity) {
        constexpr double steepest = 1e9;  // beyond it the path is level: heights of first contact are those of the highest rocks
        const double down = -dot(velocity, n), along = norm(tangential(velocity, n));
        slope = along < steepest * down ? along / down : steepest;
        cosine = 1 / std::sqrt(1 + slope * slope);
        sine = slope * cosine;
    }

    // How far above z0 the ball is when it first touches a rock at (x, y), seen from the foot of the path's point at z0; b: sum of
    // radii. Not positive where it never does.
    ASPERITY_HD double first_touch(double x, double y, double z0, double b) const {
        const double across = x * cosine - z0 * sine;
        const double chord = b * b - y * y - across * across;
        return chord > 0 ? cosine * (std::sqrt(chord) - x * sine - z0 * cosine) : 0;
    }
};

// The lower end of the slab below `upper` (both above R): the rest of the path where it holds few candidates, else halved.
ASPERITY_HD inline double slab_end(const RockPopulation& rocks, double radius, double upper, double slope) {
    constexpr double few = 6;
    double lower = 0;
    while (true) {
        const RockBound bound(rocks, radius, lower, upper - lower, slope);
        const double middle = 0.5 * (lower + upper);
        if (bound.total() <= few || bound.strip <= bound.total() - bound.strip || !(middle < upper && middle > lower)) return lower;
        lower = middle;
    }
}

}  // namespace detail

// Deterministic in (key, counter); `counter` moves on by the numbers drawn.
ASPERITY_HD inline RockHit draw_impact(const RockPopulation& rocks, const Approach& approach, const DrawKey& key, std::uint64_t& counter) {
    const double R = approach.radius;
    const Vec3& n = approach.normal;
    RockHit hit{.is_rock = false, .normal = n, .radius = 0, .height = R};
    if (!(rocks.number_per_area > 0)) return hit;
    const detail::RockPath path(n, approach.velocity);
    const detail::RockFrame frame(n, approach.velocity);
    double upper = std::fmin(approach.top - R, 0.5 * rocks.largest);
    while (upper > 0 && !hit.is_rock) {
        const double lower = detail::slab_end(rocks, R, upper, path.slope), slab = upper - lower, z0 = R + lower;
        const detail::RockBound bound(rocks, R, lower, slab, path.slope);
        const double expected = bound.total();
        double highest = 0;
        for (double sum = 0;;) {  // a Poisson number of candidates: as many as exponential gaps fit in
            sum -= std::log(1 - random_uniform(key, counter++));
            if (!(sum < expected)) break;
            const double a = bound.draw_radius(random_uniform(key, counter++)), b = R + a;
            const double along = random_uniform(key, counter++), across = random_uniform(key, counter++);
            const double squared = (a - lower) * (a + lower + 2 * R);  // rho0^2
            if (!(squared > 0)) continue;
            const double rho = std::sqrt(squared);
            const double x = rho - along * bound.at(a) / (2 * rho), y = (2 * across - 1) * rho;  // as long as the bound (5) is large
            const double above = path.first_touch(x, y, z0, b);
            if (!(above > highest && above <= slab)) continue;
            highest = above;
            const double height = z0 + above;
            const Vec3 m = (-above * path.slope - x) * frame.t - y * frame.e + height * n;
            hit = {.is_rock = true, .normal = unit(m), .radius = a, .height = height};
        }
        upper = lower;
    }
    return hit;
}

// (3), m; HUGE_VAL without rocks. Gauss-Legendre in ln(a), an octave at a time: relative error below 1e-13.
ASPERITY_HD inline double mean_free_path(const RockPopulation& rocks, double radius) {
    if (!(rocks.number_per_area > 0)) return HUGE_VAL;
    constexpr double place[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    constexpr double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    const double smallest = 0.5 * rocks.smallest, span = std::log(rocks.largest / rocks.smallest);
    const auto width = [&](double a) { return 2 * std::sqrt(a * (a + 2 * radius)); };
    const int panels = static_cast<int>(std::ceil(span / 0.7));
    double sum = 0;
    for (int panel = 0; panel < panels; ++panel)
        for (int k = 0; k < 8; ++k) {
            const double s = k < 4 ? place[k] : -place[k - 4];
            const double a = smallest * std::exp(span * (panel + 0.5 + 0.5 * s) / panels);
            sum += weight[k % 4] * rocks_per_area(rocks, 2 * a) * width(a);
        }
    sum *= panels > 0 ? 0.5 * rocks.exponent * span / panels : 0;
    return 1 / (sum + rocks_per_area(rocks, rocks.largest) * width(0.5 * rocks.largest));
}

// The way that the ball rolls until it meets the next rock, m: exponential.
ASPERITY_HD inline double draw_free_path(double mean_free_path, const DrawKey& key, std::uint64_t& counter) {
    return -mean_free_path * std::log(1 - random_uniform(key, counter++));
}

// The rock that the rolling ball meets; `direction` need not be tangential or unit. Rocks must exist.
ASPERITY_HD inline RockHit draw_rolling_rock(const RockPopulation& rocks, double radius, const Vec3& normal, const Vec3& direction,
                                             const DrawKey& key, std::uint64_t& counter) {
    const RockMoment lengths(rocks, 0, 1), numbers(rocks, 0, 0);
    const double first = lengths.total(), total = first + radius * numbers.total();
    double a = 0, rho = 0;
    do {  // the weight rho is below a + R, and not by much unless rocks are far smaller than the ball
        const double u = random_uniform(key, counter++) * total;
        a = u < first ? lengths.radius(u / first) : numbers.radius((u - first) / (total - first));
        rho = std::sqrt(a * (a + 2 * radius));
    } while (!(random_uniform(key, counter++) * (a + radius) < rho));
    const double y = (2 * random_uniform(key, counter++) - 1) * rho;
    const detail::RockFrame frame(normal, direction);
    const Vec3 m = -std::sqrt((rho - y) * (rho + y)) * frame.t + y * frame.e + radius * normal;  // (4)
    return {.is_rock = true, .normal = unit(m), .radius = a, .height = radius};
}

}  // namespace asperity::laws
