// The mutual orbit of two point masses, in closed form: the vector from one body to the other at any time, in an inertial frame.
//
//   M = M0 + n t,   E - e sin E = M,   d = a (cos E - e, sqrt(1 - e^2) sin E) turned by the angle of periapsis        (1)
//
// All orbits here lie in the plane z = 0. Kepler's equation is solved by Newton's method, started where it converges for every e < 1.
// Source: Danby, Fundamentals of Celestial Mechanics (1988), 6.6.
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"
#include "asperity/core/vec3.h"

namespace asperity::gravity {

struct Orbit {
    double semi_major_axis = 0;  // a, m
    double eccentricity = 0;     // e, 0..1
    double mean_motion = 0;      // n, rad/s
    double mean_anomaly = 0;     // M0, rad, at time zero
    double periapsis = 0;        // rad, direction of the periapsis from the x-axis
};

struct OrbitPoint {
    Vec3 position;  // d, m
    Vec3 velocity;  // m/s
};

ASPERITY_HD inline OrbitPoint orbit_at(const Orbit& o, double time) {
    const double e = o.eccentricity, mean = std::remainder(o.mean_anomaly + o.mean_motion * time, 6.283185307179586476925);
    double anomaly = mean;
    if (e > 0) {
        anomaly = mean + (mean < 0 ? -0.85 : 0.85) * e;
        for (int round = 0; round < 20; ++round) {
            const double step = (anomaly - e * std::sin(anomaly) - mean) / (1 - e * std::cos(anomaly));
            anomaly -= step;
            if (std::fabs(step) < 1e-16 * (1 + std::fabs(anomaly))) break;
        }
    }
    const double c = std::cos(anomaly), s = std::sin(anomaly), b = std::sqrt(1 - e * e), a = o.semi_major_axis;
    const double rate = o.mean_motion / (1 - e * c);  // of E
    const double x = a * (c - e), y = a * b * s, vx = -a * s * rate, vy = a * b * c * rate;
    const double cp = std::cos(o.periapsis), sp = std::sin(o.periapsis);
    return {{cp * x - sp * y, sp * x + cp * y, 0}, {cp * vx - sp * vy, sp * vx + cp * vy, 0}};
}

}  // namespace asperity::gravity
