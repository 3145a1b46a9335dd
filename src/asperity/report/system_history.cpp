#include "asperity/report/system_history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "asperity/core/quat.h"
#include "asperity/geometry/pairs/ellipsoid_ellipsoid.h"
#include "asperity/report/shape_shown.h"

namespace asperity::report {
namespace {

using model::Sample;
using record::BodyRow;
using Rows = std::span<const Sample>;

constexpr std::size_t most_paired_bodies = 64;  // what is told of every pair of more would be neither read nor quick
constexpr double centre_size = 1e-6;            // of a body's size: nearer to the common centre its direction from there means nothing
constexpr double rounding = 1e-12;              // of the energies from which the excess is the difference

double angle(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

double reach(const BodyRow& body) { return std::max({body.semi_axes.x, body.semi_axes.y, body.semi_axes.z}); }

// J a, in the world.
Vec3 inertia_times(const BodyRow& body, const Quat& q, const Vec3& a) {
    const Vec3 along = rotate(Quat{q.w, -q.x, -q.y, -q.z}, a);
    return rotate(q, {body.inertia.x * along.x, body.inertia.y * along.y, body.inertia.z * along.z});
}

struct Centre {
    Vec3 p, v;
    double m = 0;
};

Centre centre_of(const std::vector<BodyRow>& bodies, Rows rows) {
    Centre centre;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        centre.p += bodies[i].mass * rows[i].position;
        centre.v += bodies[i].mass * rows[i].velocity;
        centre.m += bodies[i].mass;
    }
    centre.p *= 1 / centre.m;
    centre.v *= 1 / centre.m;
    return centre;
}

void add_pairs(const std::vector<BodyRow>& bodies, Rows rows, const Centre& centre, SystemMoment& out) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = i + 1; j < bodies.size(); ++j) {
            const auto &a = rows[i], &b = rows[j];
            const double distance = norm(b.position - a.position);
            out.distances.push_back(distance);
            out.gaps.push_back(
                geometry::ellipsoid_gap({a.position, bodies[i].semi_axes, a.orientation}, {b.position, bodies[j].semi_axes, b.orientation})
                    .gap);
            const Vec3 p = a.position - centre.p, q = b.position - centre.p;
            const bool is_seen = norm(p) > centre_size * reach(bodies[i]) && norm(q) > centre_size * reach(bodies[j]);
            out.centre_angles.push_back(is_seen ? angle(p, q) : no_number);  // (1)
            const bool both_touch = a.mode != model::Mode::flight && b.mode != model::Mode::flight;
            out.is_touching.push_back(both_touch && out.gaps.back() < touching_gap * (reach(bodies[i]) + reach(bodies[j])));
            out.contacts += out.is_touching.back() ? 1 : 0;
        }
    out.middle_angle = no_number;
    if (bodies.size() != 3) return;
    out.middle_angle = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 &p = rows[i].position, &q = rows[(i + 1) % 3].position, &r = rows[(i + 2) % 3].position;
        out.middle_angle = std::max(out.middle_angle, angle(q - p, r - p));  // (2)
    }
}

void add_momentum(const std::vector<BodyRow>& bodies, Rows rows, const Centre& centre, SystemMoment& out) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        out.orbital += bodies[i].mass * cross(rows[i].position - centre.p, rows[i].velocity - centre.v);
        out.spin += inertia_times(bodies[i], rows[i].orientation, rows[i].spin);
    }
}

void add_energy(const std::vector<BodyRow>& bodies, Rows rows, const Centre& centre, SystemMoment& out) {
    const Vec3 momentum = out.orbital + out.spin, axis = unit(momentum);
    double kinetic = 0, potential = 0, inertia = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        kinetic += 0.5 * bodies[i].mass * squared_norm(rows[i].velocity - centre.v) + rows[i].ledger.rotational;
        potential += rows[i].ledger.potential;
        inertia += bodies[i].mass * squared_norm(cross(axis, rows[i].position - centre.p)) +
                   dot(axis, inertia_times(bodies[i], rows[i].orientation, axis));
        out.heat_impact += rows[i].ledger.heat_impact;
        out.heat_friction += rows[i].ledger.heat_friction;
        out.heat_rolling += rows[i].ledger.heat_rolling;
        out.heat_tide += rows[i].ledger.heat_tide;
        out.work += rows[i].ledger.work;
    }
    out.energy = kinetic + potential;
    out.excess = kinetic - (inertia > 0 ? squared_norm(momentum) / (2 * inertia) : 0);  // (6)
    out.rounding = rounding * (kinetic + std::fabs(potential));
}

void add_spins(const std::vector<BodyRow>& bodies, Rows rows, const Vec3& axis, SystemMoment& out) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
        for (std::size_t j = 0; j < bodies.size(); ++j) {
            if (j == i) continue;
            const Vec3 r = rows[j].position - rows[i].position, v = rows[j].velocity - rows[i].velocity;
            out.relative_spins.push_back(dot(rows[i].spin, axis) - dot(axis, cross(r, v)) / squared_norm(r));  // (3)
        }
}

// Whether a sample of each body, in order, at one time, begins here.
bool is_whole(Rows rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].body != static_cast<std::int64_t>(i) || rows[i].time != rows.front().time) return false;
    return true;
}

}  // namespace

SystemHistory system_history(const record::Record& record) {
    const std::vector<BodyRow>& bodies = record.bodies.rows;
    SystemHistory history;
    const std::size_t n = bodies.size();
    if (!is_in_space(record) || n > most_paired_bodies) return history;
    for (std::size_t row = 0; row + n <= record.samples.size();) {
        const Rows rows = Rows(record.samples).subspan(row, n);
        if (!is_whole(rows)) {
            ++row;
            continue;
        }
        SystemMoment moment{.time = rows.front().time, .first_row = row, .configuration = rows.front().configuration};
        const Centre centre = centre_of(bodies, rows);
        add_pairs(bodies, rows, centre, moment);
        add_momentum(bodies, rows, centre, moment);
        add_energy(bodies, rows, centre, moment);
        const Vec3 momentum = moment.orbital + moment.spin;
        if (history.moments.empty() && squared_norm(momentum) > 0) history.axis = unit(momentum);
        add_spins(bodies, rows, history.axis, moment);
        history.moments.push_back(std::move(moment));
        row += n;
    }
    return history;
}

}  // namespace asperity::report
