// The bodies that move. A row of State::bodies is a body, be it a lander or an asteroid; rows that are alike share a kind.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ranges>
#include <string>
#include <vector>

#include "asperity/core/pose.h"
#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/shape.h"

namespace asperity::model {

// How a body answers to the tides that others raise on it (laws/tide.h).
struct Tidal {
    double love_number = 0;     // k2; zero: it does not
    double sin_double_lag = 0;  // sin(2 eps), law constant_angle
    double time_lag = 0;        // s, law constant_time_lag
};

// A sphere or a triaxial ellipsoid, homogeneous unless its moments say otherwise; or whatever its colliders are, with the mass and moments
// of the ellipsoid of its semi-axes. State and colliders are in the body's own axes.
struct BodyKind {
    double mass = 0;  // kg
    Vec3 semi_axes;   // m, along the body's own axes, which are its principal axes; a sphere: three times its radius
    Vec3 inertia;     // kg m^2, principal moments
    // Moment of inertia of a sphere over m r^2. It is kept beside the moment, since (0.4 m r r) / (m r r) is not 0.4 in double precision.
    double inertia_factor = 0.4;
    Tidal tidal;
    Vec3 yorp;                        // rad/s^2, angular acceleration by sunlight, world axes
    std::uint16_t material = 0;       // of its surface; model/pair_laws.h
    std::vector<Collider> colliders;  // what touches; empty: the sphere or ellipsoid of its semi-axes, with that material
    // From the body's own axes (origin in its centre of mass, along its principal axes) to the frame in which the file describes it.
    Pose principal;

    bool is_sphere() const { return semi_axes.x == semi_axes.y && semi_axes.y == semi_axes.z; }
    double radius() const { return semi_axes.x; }  // m, of a sphere
    // Radius of the sphere with the same volume.
    double mean_radius() const { return is_sphere() ? semi_axes.x : std::cbrt(semi_axes.x * semi_axes.y * semi_axes.z); }
    double least_radius() const { return std::min({semi_axes.x, semi_axes.y, semi_axes.z}); }  // m, of the largest sphere inside it
    double reach() const { return std::max({semi_axes.x, semi_axes.y, semi_axes.z}); }         // m, of the smallest sphere about it
    // Largest distance of a point that touches from the centre of mass, m.
    double touching_reach() const {
        double most = colliders.empty() ? reach() : 0;
        for (const Collider& collider : colliders) most = std::fmax(most, reach_of(collider));
        return most;
    }
};

// J^-1 t of a body, world axes.
inline Vec3 inverse_inertia_times(const BodyKind& body, const Quat& q_WB, const Vec3& t) {
    if (body.is_sphere()) return t / body.inertia.x;
    const Vec3 b = rotate(conjugate(q_WB), t);
    return rotate(q_WB, {b.x / body.inertia.x, b.y / body.inertia.y, b.z / body.inertia.z});
}

// A sphere with moments I = inertia_factor m r^2.
inline BodyKind sphere_kind(double radius, double mass, double inertia_factor = 0.4) {
    const double inertia = inertia_factor * mass * radius * radius;
    return {.mass = mass, .semi_axes = {radius, radius, radius}, .inertia = {inertia, inertia, inertia}, .inertia_factor = inertia_factor};
}

// Rows whose energies and heat are told together, of one kind: bodies of one name where there are many, else a single one.
struct Group {
    std::uint32_t first = 0;
    std::uint32_t count = 1;
};
inline constexpr std::size_t most_told_one_by_one = 64;  // bodies of one name

// A body that is told by itself.
struct NamedBody {
    std::uint32_t row = 0;
    std::string name;
};

struct BodyTable {
    std::vector<BodyKind> kinds;
    std::vector<std::uint32_t> kind;   // of each row
    std::vector<Group> groups;         // in the order of rows
    std::vector<std::uint32_t> group;  // of each row

    std::size_t size() const { return kind.size(); }
    const BodyKind& operator[](std::size_t row) const { return kinds[kind[row]]; }
    auto rows() const {
        return kind | std::views::transform([this](std::uint32_t k) -> const BodyKind& { return kinds[k]; });
    }
    void add(const BodyKind& body, std::size_t count = 1) {
        const auto first = static_cast<std::uint32_t>(kind.size());
        kind.insert(kind.end(), count, static_cast<std::uint32_t>(kinds.size()));
        kinds.push_back(body);
        const bool is_together = count > most_told_one_by_one;
        for (std::uint32_t k = 0; k < count; ++k) {
            if (k == 0 || !is_together) groups.push_back({first + k, is_together ? static_cast<std::uint32_t>(count) : 1});
            group.push_back(static_cast<std::uint32_t>(groups.size() - 1));
        }
    }
    // kg
    double mass_of_group(std::size_t g) const { return groups[g].count * kinds[kind[groups[g].first]].mass; }
    bool has_groups() const { return groups.size() < kind.size(); }
    bool has_only_spheres() const { return std::ranges::all_of(kinds, &BodyKind::is_sphere); }
    bool has_sunlight() const {
        return std::ranges::any_of(kinds, [](const BodyKind& body) { return body.yorp != Vec3{}; });
    }
};

// Pairs of n bodies are numbered (0,1), (0,2), ..., (0,n-1), (1,2), ...: i < j.
constexpr std::size_t pair_index(std::size_t i, std::size_t j, std::size_t n) { return i * n - i * (i + 1) / 2 + (j - i - 1); }
constexpr std::size_t pairs_of_bodies(std::size_t n) { return n * (n - 1) / 2; }

}  // namespace asperity::model
