// The geometry of a ball on one feature of a surface, and the set of features that it touches.
#pragma once
#include "asperity/dynamics/event_driven/first_contact.h"
#include "asperity/laws/contact/rolling.h"

namespace asperity::event_driven {

using geometry::Feature;
using geometry::FeatureKind;
using geometry::SurfaceView;

// The foot of p on the feature, as if the facet or edge had no end.
ASPERITY_HD inline Vec3 foot(const SurfaceView& view, const Feature& feature, const Vec3& p) {
    if (feature.kind == FeatureKind::facet) {
        const geometry::Facet& facet = view.facets[feature.index];
        return p - dot(p - view.vertices[facet.vertex[0]], facet.normal) * facet.normal;
    }
    if (feature.kind == FeatureKind::edge) {
        const geometry::Edge& edge = view.edges[feature.index];
        const Vec3& a = view.vertices[edge.vertex[0]];
        return a + dot(p - a, edge.direction) * edge.direction;
    }
    if (feature.kind == FeatureKind::rock) {
        const Vec3& centre = view.rocks.centres[feature.index];
        return centre + view.rocks.radii[feature.index] * unit(p - centre);
    }
    return view.vertices[feature.index];
}

// Normal and its rate (1-landers 4.15): none on a facet, turning about the edge, the vertex or the centre of the rock elsewhere.
ASPERITY_HD inline laws::Touch touch_on(const SurfaceView& view, const Feature& feature, const Vec3& p, const Vec3& v) {
    if (feature.kind == FeatureKind::facet) {
        const geometry::Facet& facet = view.facets[feature.index];
        const bool is_above = dot(p - view.vertices[facet.vertex[0]], facet.normal) >= 0;
        return {.normal = is_above ? facet.normal : -facet.normal, .normal_rate = {}};
    }
    const Vec3 offset = p - (feature.kind == FeatureKind::rock ? view.rocks.centres[feature.index] : foot(view, feature, p));
    const double distance = norm(offset);
    const Vec3 n = offset / distance;
    Vec3 turning = v;
    if (feature.kind == FeatureKind::edge) turning = tangential(v, view.edges[feature.index].direction);
    return {.normal = n, .normal_rate = tangential(turning, n) / distance};
}

// How far (m) p is inside the side k of a facet.
ASPERITY_HD inline double inside_side(const SurfaceView& view, const geometry::Facet& facet, int k, const Vec3& p) {
    return dot(inwards(view, facet, k), p - view.vertices[view.edges[facet.edge[k]].vertex[0]]);
}

// How far (m) p is inside the region in which the feature is the nearest of its surroundings; negative outside.
ASPERITY_HD inline double inside(const SurfaceView& view, const Feature& feature, const Vec3& p) {
    double least = HUGE_VAL;
    if (feature.kind == FeatureKind::rock) return least;  // it ends where something else is touched
    if (feature.kind == FeatureKind::facet) {
        for (int k = 0; k < 3; ++k) least = std::fmin(least, inside_side(view, view.facets[feature.index], k, p));
        return least;
    }
    if (feature.kind == FeatureKind::edge) {
        const geometry::Edge& edge = view.edges[feature.index];
        const Vec3 from_start = p - view.vertices[edge.vertex[0]];
        const double along = dot(from_start, edge.direction);
        least = std::fmin(along, edge.length - along);
        for (const std::int32_t index : edge.facet) {
            if (index < 0) continue;
            const geometry::Facet& facet = view.facets[index];
            const double left = dot(cross(facet.normal, edge.direction), from_start);
            for (int k = 0; k < 3; ++k)
                if (facet.edge[k] == feature.index) least = std::fmin(least, facet.vertex[k] == edge.vertex[0] ? -left : left);
        }
        return least;
    }
    for (std::int32_t k = view.vertex_facet_begin[feature.index]; k < view.vertex_facet_begin[feature.index + 1]; ++k) {
        const geometry::Facet& facet = view.facets[view.vertex_facets[k]];
        for (int side = 0; side < 3; ++side) {
            const geometry::Edge& edge = view.edges[facet.edge[side]];
            const double along = dot(p - view.vertices[feature.index], edge.direction);
            if (edge.vertex[0] == feature.index) least = std::fmin(least, -along);
            if (edge.vertex[1] == feature.index) least = std::fmin(least, along);
        }
    }
    return least;
}

// Whether no point of the facet lies more than slack above the plane through `a` with that normal.
ASPERITY_HD inline bool is_below(const SurfaceView& view, const geometry::Facet& facet, const Vec3& a, const Vec3& normal, double slack) {
    for (const std::int32_t vertex : facet.vertex)
        if (dot(view.vertices[vertex] - a, normal) > slack) return false;
    return true;
}

// Whether a facet has a corner in common with another facet, or with an edge.
ASPERITY_HD inline bool meets(const SurfaceView& view, const geometry::Facet& facet, const Feature& feature) {
    const bool is_edge = feature.kind == FeatureKind::edge;
    const std::int32_t* corners = is_edge ? view.edges[feature.index].vertex : view.facets[feature.index].vertex;
    for (int k = 0; k < (is_edge ? 2 : 3); ++k)
        for (const std::int32_t corner : facet.vertex)
            if (corner == corners[k]) return true;
    return false;
}

// Whether a facet cannot be hit by a ball that stays on `feature` and inside its region: on a facet, all that lies on or below its plane;
// on an edge, all that lies on or below the planes of both its facets (the normal of the contact is between theirs); on an edge or a
// vertex, the facets that meet there. And those next to a facet or an edge, at a side or a corner, that rise by less than `level`: they are
// touched r level / 2 before the border, which is as good as at it.
ASPERITY_HD inline bool is_behind(const SurfaceView& view, const Feature& feature, const Vec3& p, double radius, std::int32_t facet_index) {
    if (facet_index < 0 || feature.kind == FeatureKind::rock) return feature.kind == FeatureKind::rock && facet_index == -2 - feature.index;
    const geometry::Facet& facet = view.facets[facet_index];
    const double slack = 1e-12 * radius;
    const auto is_level = [&](const Vec3& n) {
        constexpr double level = 1e-6;  // rad
        return squared_norm(cross(facet.normal, n)) < level * level && meets(view, facet, feature);
    };
    if (feature.kind == FeatureKind::facet) {
        const Vec3& a = view.vertices[view.facets[feature.index].vertex[0]];
        const Vec3 n = touch_on(view, feature, p, {}).normal;
        return facet_index == feature.index || is_below(view, facet, a, n, slack) || is_level(n);
    }
    for (int k = 0; k < 3; ++k) {
        if (feature.kind == FeatureKind::edge && facet.edge[k] == feature.index) return true;
        if (feature.kind == FeatureKind::vertex && facet.vertex[k] == feature.index) return true;
    }
    if (feature.kind == FeatureKind::vertex) return false;
    const geometry::Edge& edge = view.edges[feature.index];
    const Vec3& a = view.vertices[edge.vertex[0]];
    bool is_under_both = true;
    for (const std::int32_t side : edge.facet) {
        if (side < 0) return false;
        const Vec3 n = view.facets[side].normal;
        is_under_both = is_under_both && is_below(view, facet, a, dot(n, p - a) >= 0 ? n : -n, slack);
    }
    return is_under_both || is_level(touch_on(view, feature, p, {}).normal);
}

// Whether `other` is an edge or a vertex at the end of a facet, or a vertex at the end of an edge.
ASPERITY_HD inline bool is_at_border(const SurfaceView& view, const Feature& feature, const Feature& other) {
    const bool has_border = feature.kind == FeatureKind::facet || feature.kind == FeatureKind::edge;
    if (!has_border || other.kind == FeatureKind::facet || other.kind == FeatureKind::rock) return false;
    if (feature.kind == FeatureKind::edge) {
        const geometry::Edge& edge = view.edges[feature.index];
        return other.kind == FeatureKind::vertex && (edge.vertex[0] == other.index || edge.vertex[1] == other.index);
    }
    const geometry::Facet& facet = view.facets[feature.index];
    for (int k = 0; k < 3; ++k)
        if ((other.kind == FeatureKind::edge ? facet.edge[k] : facet.vertex[k]) == other.index) return true;
    return false;
}

// An edge or vertex whose facet lies in the tangent plane is no feature of its own: rolling along the seam of two coplanar facets is
// rolling on a facet.
ASPERITY_HD inline Feature simplest(const SurfaceView& view, const Feature& feature, const Vec3& normal, const Vec3& p, double slack) {
    const auto fits = [&](std::int32_t index) {
        const double along = dot(view.facets[index].normal, normal);
        const bool is_parallel = squared_norm(cross(view.facets[index].normal, normal)) < 1e-20 && along != 0;
        return is_parallel && inside(view, {FeatureKind::facet, index}, p) > -slack;
    };
    if (feature.kind == FeatureKind::edge) {
        for (const std::int32_t index : view.edges[feature.index].facet)
            if (index >= 0 && fits(index)) return {FeatureKind::facet, index};
    }
    if (feature.kind == FeatureKind::vertex) {
        for (std::int32_t k = view.vertex_facet_begin[feature.index]; k < view.vertex_facet_begin[feature.index + 1]; ++k)
            if (fits(view.vertex_facets[k])) return {FeatureKind::facet, view.vertex_facets[k]};
    }
    return feature;
}

// The feature of a nearest point. Within 3e-8 r of a vertex, all that meets there is equally near in double precision, and the one that was
// found is any of them: where p is outside its region, it is the one in whose region p is.
ASPERITY_HD inline Feature feature_at(const SurfaceView& view, const Feature& found, const Vec3& p, double slack) {
    if (found.kind != FeatureKind::edge && found.kind != FeatureKind::vertex) return found;
    double deepest = inside(view, found, p);
    Feature best = found;
    if (deepest >= 0) return simplest(view, found, touch_on(view, found, p, {}).normal, p, slack);
    const auto try_one = [&](const Feature& other) {
        const double depth = inside(view, other, p);
        if (depth <= deepest) return;
        deepest = depth;
        best = other;
    };
    std::int32_t vertex = found.index;
    if (found.kind == FeatureKind::edge) {
        const geometry::Edge& edge = view.edges[found.index];
        vertex = edge.vertex[dot(p - view.vertices[edge.vertex[0]], edge.direction) < 0.5 * edge.length ? 0 : 1];
    }
    try_one({FeatureKind::vertex, vertex});
    for (std::int32_t k = view.vertex_facet_begin[vertex]; k < view.vertex_facet_begin[vertex + 1]; ++k) {
        try_one({FeatureKind::facet, view.vertex_facets[k]});
        for (const std::int32_t edge : view.facets[view.vertex_facets[k]].edge)
            if (view.edges[edge].vertex[0] == vertex || view.edges[edge].vertex[1] == vertex) try_one({FeatureKind::edge, edge});
    }
    return simplest(view, best, touch_on(view, best, p, {}).normal, p, slack);
}

// The normal of a contact on `feature` = feature_at(near.feature): the direction to the nearest point, but that of the feature where it is
// another one. The direction to a border is tilted by rounding, and a ball that bounces on a vertex would double the tilt at every hop.
ASPERITY_HD inline Vec3 normal_of(const SurfaceView& view, const Feature& feature, const geometry::ClosestPoint& near, const Vec3& p) {
    return feature == near.feature ? near.offset / near.distance : touch_on(view, feature, p, {}).normal;
}

// The features that a ball at p touches, each a local minimum of the distance, no two with the same normal.
struct TouchSet {
    laws::Touching touching;
    Feature feature[laws::max_touching];
    double gap[laws::max_touching] = {};
    bool is_overfull = false;
};

// The normal of an edge or a vertex turns as the ball moves around it: to where the ball will be.
ASPERITY_HD inline void turn_normals(const SurfaceView& view, const Vec3& ahead, TouchSet& set) {
    for (int i = 0; i < set.touching.count; ++i)
        if (set.feature[i].kind != FeatureKind::facet) set.touching.normal[i] = unit(ahead - foot(view, set.feature[i], ahead));
}

ASPERITY_HD inline TouchSet touched_features(const SurfaceView& view, const Vec3& p, double radius, double slack) {
    TouchSet set;
    geometry::for_each_minimum_within(view, p, radius + slack, [&](const geometry::ClosestPoint& near) {
        const Feature feature = feature_at(view, near.feature, p, slack);
        const Vec3 n = normal_of(view, feature, near, p);
        for (int i = 0; i < set.touching.count; ++i)
            if (squared_norm(n - set.touching.normal[i]) < 1e-18) return;
        if (set.touching.count == laws::max_touching) {
            set.is_overfull = true;
            return;
        }
        const int i = set.touching.count++;
        set.feature[i] = feature;
        set.touching.normal[i] = n;
        set.gap[i] = near.distance - radius;
    });
    return set;
}

}  // namespace asperity::event_driven
