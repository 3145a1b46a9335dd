// The search structure of a field of rocks: plain data, so that queries compile for a GPU thread. rock_field.h makes and keeps it.
#pragma once
#include <cmath>
#include <cstdint>

#include "asperity/core/host_device.h"
#include "asperity/core/vec3.h"

namespace asperity::geometry {

inline constexpr int rock_levels = 12;  // 8 4^11 rocks are more than most_rocks
inline constexpr int rock_leaf = 8;

struct RockNode {
    float lower[3];
    float upper[3];
    float radius;  // the largest
};

// The rocks [first, first + count), and the nodes above them: level k from node[k] on, nodes[k] of them; the last level has one.
struct RockClass {
    std::int32_t first = 0;
    std::int32_t count = 0;
    std::int32_t levels = 0;
    std::int32_t node[rock_levels] = {};
    std::int32_t nodes[rock_levels] = {};
};

struct RockView {
    const Vec3* centres = nullptr;
    const double* radii = nullptr;
    const RockNode* nodes = nullptr;
    const RockClass* classes = nullptr;
    std::int32_t class_count = 0;
};

namespace detail {

// Whether all centres of rocks in the node are farther than `reach` from p; the bound is widened so that rounding hides no rock.
ASPERITY_HD inline bool is_beyond(const RockNode& node, const Vec3& p, double reach) {
    const double coordinate[3] = {p.x, p.y, p.z};
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double below = static_cast<double>(node.lower[k]) - coordinate[k];
        const double above = coordinate[k] - static_cast<double>(node.upper[k]);
        double outside = below > above ? below : above;
        outside = outside > 0 ? outside : 0;  // without a branch; fmax would be a call
        sum += outside * outside;
    }
    const double radius = static_cast<double>(node.radius);
    const double limit = reach + radius + 0x1p-40 * (std::fabs(reach) + radius);
    return !(limit >= 0) || sum > limit * limit * (1 + 0x1p-40);
}

}  // namespace detail

// Calls visit(index, centre, radius) for all rocks of one class with |p - centre| - radius <= reach(), which may shrink on the way.
template <class Reach, class Visit>
ASPERITY_HD void visit_rocks(const RockView& view, const RockClass& rocks, const Vec3& p, Reach&& reach, Visit&& visit) {
    std::int32_t level = rocks.levels - 1, i = 0;
    while (true) {
        if (!detail::is_beyond(view.nodes[rocks.node[level] + i], p, reach())) {
            if (level > 0) {
                --level;
                i *= 4;
                continue;
            }
            const std::int32_t begin = rocks.first + i * rock_leaf, rest = rocks.first + rocks.count;
            const std::int32_t end = begin + rock_leaf < rest ? begin + rock_leaf : rest;
            for (std::int32_t rock = begin; rock < end; ++rock)
                if (norm(p - view.centres[rock]) - view.radii[rock] <= reach()) visit(rock, view.centres[rock], view.radii[rock]);
        }
        if (++i == rocks.nodes[level]) return;
        for (; i % 4 == 0; i /= 4) ++level;  // past the last of four: on with the node that follows their parent
    }
}

// All rocks whose surface is within reach of p, large ones first, in an order that depends on the field alone. A negative reach: rocks
// that p is as deep inside.
template <class Visit>
ASPERITY_HD void for_each_rock_within(const RockView& view, const Vec3& p, double reach, Visit&& visit) {
    for (std::int32_t k = 0; k < view.class_count; ++k)
        visit_rocks(
            view, view.classes[k], p, [=] { return reach; }, visit);
}

struct NearRock {
    std::int32_t index = -1;  // -1: none within the limit
    double distance = 0;      // from p to the surface of the rock, m; negative inside
};

// The rock whose surface is nearest, and not farther than limit; of equally near ones the first.
ASPERITY_HD inline NearRock nearest_rock_within(const RockView& view, const Vec3& p, double limit) {
    NearRock near{.index = -1, .distance = limit};
    for (std::int32_t k = 0; k < view.class_count; ++k)
        visit_rocks(
            view, view.classes[k], p, [&] { return near.distance; },
            [&](std::int32_t rock, const Vec3& centre, double radius) {
                const double distance = norm(p - centre) - radius;
                if (near.index < 0 || distance < near.distance) near = {rock, distance};
            });
    return near;
}

}  // namespace asperity::geometry
