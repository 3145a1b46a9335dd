// Distance from a point to a triangle surface: exact up to rounding, with the feature (facet, edge or vertex) that is nearest.
//
//   facet:   s = (p - a) . n,                distance |s|, if p lies above the inside of all three sides   (1)
//   edge:    t = (p - a) . u, 0 < t < l,     nearest point a + t u                                          (2)
//   vertex:  t <= 0 or t >= l,               nearest point the vertex itself                                (3)
//
// n unit normal of the facet, u unit direction and l length of an edge, a a vertex of it. Outside (1), the nearest of the three sides
// counts. An edge is always computed from its own stored direction, so that both its facets report the same bits; a point exactly above a
// side belongs to the edge. A false decision at the border of two regions, by rounding, changes the distance by rounding only, for
// slivers too: no quotient is formed that could blow up.
//
// Rocks (rock_view.h) belong to the surface where the view has them: spheres, distance |p - c| - a, not below zero. A rock is reported as
// the facet -2 - index.
//
// Every query is a function of the surface and the point only: among facets at bit-equal squared distance the lowest index wins.
// Validity: finite points; a point that is not finite, or so far that its squared distance overflows, finds nothing (facet = -1).
#pragma once
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "asperity/core/host_device.h"
#include "asperity/core/vec3.h"
#include "asperity/geometry/bvh.h"
#include "asperity/geometry/mesh.h"

namespace asperity::geometry {

struct ClosestPoint {
    Vec3 point;                  // m, on the surface
    Vec3 offset;                 // m, p - point; exactly along the normal above a facet
    double distance = HUGE_VAL;  // m, never negative
    Feature feature;             // which region of the facet, by mesh index
    std::int32_t facet = -1;     // -1: nothing found

    ASPERITY_HD bool found() const { return facet != -1; }
};

namespace detail {

// No facet is nearer than a negative limit, none at an infinite squared distance counts.
ASPERITY_HD inline double squared_limit(double limit) {
    if (!(limit >= 0)) return -1;
    return limit * limit < DBL_MAX ? limit * limit : DBL_MAX;
}

// The nearest point of an edge; `distance` holds the squared distance.
ASPERITY_HD inline ClosestPoint squared_to_edge(const SurfaceView& view, std::int32_t index, const Vec3& p) {
    const Edge& edge = view.edges[index];
    ClosestPoint found;
    for (int end = 0; end < 2; ++end) {
        const Vec3 from_end = p - view.vertices[edge.vertex[end]];
        const double along = dot(from_end, edge.direction);
        if (end == 0 ? along <= 0 : along >= 0) {  // (3)
            found.point = view.vertices[edge.vertex[end]];
            found.offset = from_end;
            found.feature = {FeatureKind::vertex, edge.vertex[end]};
            break;
        }
        if (end == 0) {  // (2), unless the other end says otherwise
            found.point = view.vertices[edge.vertex[0]] + along * edge.direction;
            found.offset = from_end - along * edge.direction;
            found.feature = {FeatureKind::edge, index};
        }
    }
    found.distance = squared_norm(found.offset);
    return found;
}

// closest_point, but `distance` holds the squared distance: comparisons need no root.
ASPERITY_HD inline ClosestPoint squared_to_facet(const SurfaceView& view, std::int32_t index, const Vec3& p) {
    const Facet& facet = view.facets[index];
    bool is_above = true;
    for (int k = 0; k < 3 && is_above; ++k) {
        const Edge& edge = view.edges[facet.edge[k]];
        const double left = dot(cross(facet.normal, edge.direction), p - view.vertices[edge.vertex[0]]);
        is_above = facet.vertex[k] == edge.vertex[0] ? left > 0 : left < 0;
    }
    ClosestPoint found;
    if (is_above) {  // (1)
        const double height = dot(p - view.vertices[facet.vertex[0]], facet.normal);
        found.offset = height * facet.normal;
        found.point = p - found.offset;
        found.distance = height * height;
        found.feature = {FeatureKind::facet, index};
    } else {
        for (int k = 0; k < 3; ++k) {
            // Just past the end of an edge, its line and that end are equally near in double precision: then it is the line.
            const ClosestPoint side = squared_to_edge(view, facet.edge[k], p);
            const double favour = side.feature.kind == found.feature.kind  ? 1
                                  : side.feature.kind == FeatureKind::edge ? 1 + 1e-15
                                                                           : 1 - 1e-15;
            if (side.distance < favour * found.distance) found = side;
        }
    }
    found.facet = index;
    return found;
}

}  // namespace detail

// Finds the nearest point of a rock.
ASPERITY_HD inline ClosestPoint closest_on_rock(const RockView& rocks, std::int32_t index, const Vec3& p) {
    const Vec3 from_centre = p - rocks.centres[index];
    const double distance = norm(from_centre), radius = rocks.radii[index];
    ClosestPoint found;
    found.distance = std::fmax(distance - radius, 0.0);
    found.offset = (found.distance / distance) * from_centre;
    found.point = p - found.offset;
    found.feature = {FeatureKind::rock, index};
    found.facet = -2 - index;
    return found;
}

// The nearest point of one facet, or rock.
ASPERITY_HD inline ClosestPoint closest_point(const SurfaceView& view, std::int32_t facet, const Vec3& p) {
    if (facet < -1) return closest_on_rock(view.rocks, -2 - facet, p);
    ClosestPoint found = detail::squared_to_facet(view, facet, p);
    found.distance = std::sqrt(found.distance);
    return found;
}

// The nearest point of the surface, if it is not farther than `limit`. If `visited` is given, it receives the number of BVH nodes visited.
ASPERITY_HD inline ClosestPoint nearest_within(const SurfaceView& view, const Vec3& p, double limit, int* visited = nullptr) {
    ClosestPoint best;
    best.distance = detail::squared_limit(limit);  // squared, until the end
    const int nodes = visit_near(
        view.nodes, p, [&] { return best.distance; },
        [&](std::int32_t first, std::int32_t count) {
            for (std::int32_t k = first; k < first + count; ++k) {
                const ClosestPoint found = detail::squared_to_facet(view, view.order[k], p);
                const bool is_tie = found.distance == best.distance && (!best.found() || found.facet < best.facet);
                if (found.distance < best.distance || is_tie) best = found;
            }
        });
    if (visited != nullptr) *visited = nodes;
    best.distance = best.found() ? std::sqrt(best.distance) : HUGE_VAL;
    if (view.rocks.class_count == 0) return best;
    const NearRock rock = nearest_rock_within(view.rocks, p, std::fmin(limit, best.distance));
    return rock.index >= 0 && rock.distance < best.distance ? closest_on_rock(view.rocks, rock.index, p) : best;
}

ASPERITY_HD inline ClosestPoint nearest(const SurfaceView& view, const Vec3& p) { return nearest_within(view, p, HUGE_VAL); }

// visit(const ClosestPoint&) for each facet, then for each rock, whose distance to p is <= radius; an edge or a vertex comes once for each
// facet that reports it. In the order of the BVH: the same for the same surface and point, but not sorted.
template <class Visit>
ASPERITY_HD void for_each_within(const SurfaceView& view, const Vec3& p, double radius, Visit&& visit) {
    const double limit = detail::squared_limit(radius);
    visit_near(
        view.nodes, p, [&] { return limit; },
        [&](std::int32_t first, std::int32_t count) {
            for (std::int32_t k = first; k < first + count; ++k) {
                ClosestPoint found = detail::squared_to_facet(view, view.order[k], p);
                if (!(found.distance <= limit)) continue;
                found.distance = std::sqrt(found.distance);
                visit(static_cast<const ClosestPoint&>(found));
            }
        });
    for_each_rock_within(view.rocks, p, radius, [&](std::int32_t index, const Vec3&, double) {
        visit(static_cast<const ClosestPoint&>(closest_on_rock(view.rocks, index, p)));
    });
}

// Whether the distance to p, over the surface, has a local minimum at the point: a facet's always has; an edge's if both its facets
// report that edge; a vertex's if all its facets report that vertex. A ball touches the surface exactly at such points.
ASPERITY_HD inline bool is_local_minimum(const SurfaceView& view, const ClosestPoint& closest, const Vec3& p) {
    const Feature feature = closest.feature;
    if (feature.kind == FeatureKind::facet || feature.kind == FeatureKind::rock) return true;
    if (feature.kind == FeatureKind::edge) {
        for (const std::int32_t facet : view.edges[feature.index].facet)
            if (facet >= 0 && facet != closest.facet && !(detail::squared_to_facet(view, facet, p).feature == feature)) return false;
        return true;
    }
    for (std::int32_t k = view.vertex_facet_begin[feature.index]; k < view.vertex_facet_begin[feature.index + 1]; ++k) {
        const std::int32_t facet = view.vertex_facets[k];
        if (facet != closest.facet && !(detail::squared_to_facet(view, facet, p).feature == feature)) return false;
    }
    return true;
}

// visit(const ClosestPoint&) once for each local minimum of the distance that is <= radius: the contacts of a ball around p.
// Each is reported through the lowest facet that has the feature.
template <class Visit>
ASPERITY_HD void for_each_minimum_within(const SurfaceView& view, const Vec3& p, double radius, Visit&& visit) {
    for_each_within(view, p, radius, [&](const ClosestPoint& found) {
        std::int32_t first = found.facet;
        if (found.feature.kind == FeatureKind::edge) first = view.edges[found.feature.index].facet[0];
        if (found.feature.kind == FeatureKind::vertex) first = view.vertex_facets[view.vertex_facet_begin[found.feature.index]];
        if (found.facet == first && is_local_minimum(view, found, p)) visit(found);
    });
}

// The outward normal (for edges and vertices: the pseudo-normal) of a feature.
ASPERITY_HD inline Vec3 feature_normal(const SurfaceView& view, const Feature& feature) {
    if (feature.kind == FeatureKind::facet) return view.facets[feature.index].normal;
    if (feature.kind == FeatureKind::rock) return {};  // depends on the point: from the centre to it
    return feature.kind == FeatureKind::edge ? view.edge_normals[feature.index] : view.vertex_normals[feature.index];
}

// Positive outside, negative inside a closed surface; over an open one, positive on the side to which the normals point.
ASPERITY_HD inline double signed_distance(const SurfaceView& view, const Vec3& p) {
    const ClosestPoint found = nearest(view, p);
    return found.found() && dot(found.offset, feature_normal(view, found.feature)) < 0 ? -found.distance : found.distance;
}
inline double signed_distance(const SurfaceMesh& mesh, const Vec3& p) { return signed_distance(mesh.view(), p); }

}  // namespace asperity::geometry
