#include "asperity/geometry/pairs/convex_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "asperity/geometry/manifold.h"

namespace asperity::geometry {
namespace {

constexpr double flat_edge = 1e-6;                   // sine of the angle between facets that are one plane
constexpr double rocking = 0.1;                      // sine of the angle by which a facet may rise along the normal of a face of the body,
constexpr double strictly = 1e-9;                    // and along any other normal
constexpr double same_normal = 5e-7;                 // 1 - cosine of the angle between normals of one manifold: 1e-3 of a radian
constexpr double most_beside = 0.1;                  // of the reach: sharp wedges that have just met
constexpr double across_edge = 1e-9;                 // sine: a normal this near to perpendicular is that of the whole edge
constexpr std::uint32_t repeated_part = 0x01000000;  // a low point that touches another facet too
constexpr std::uint32_t rock_part = 0x20000000, vertex_part = 0x40000000, edge_part = 0x80000000;

// Which way a facet lies from one of its edges: unit, in its plane, across the edge.
Vec3 inwards(const SurfaceView& mesh, std::int32_t facet, std::int32_t edge) {
    const Facet& f = mesh.facets[facet];
    for (int k = 0; k < 3; ++k)
        if (f.edge[k] == edge)
            return cross(f.normal, f.vertex[k] == mesh.edges[edge].vertex[0] ? mesh.edges[edge].direction : -mesh.edges[edge].direction);
    return {};
}

// How far the second facet of an edge rises over the plane of the first: below zero on a ridge, above in a valley; -1 at a rim.
double rise_at(const SurfaceView& mesh, std::int32_t edge) {
    const Edge& e = mesh.edges[edge];
    return e.facet[1] < 0 ? -1 : dot(mesh.facets[e.facet[0]].normal, inwards(mesh, e.facet[1], edge));
}

bool stands_out(const SurfaceView& mesh, std::int32_t edge) { return rise_at(mesh, edge) < -flat_edge; }
bool is_flat(const SurfaceView& mesh, std::int32_t edge) { return std::fabs(rise_at(mesh, edge)) <= flat_edge; }

// visit(edge) for the two edges of a facet that meet at a vertex.
template <class Visit>
void for_each_edge_at(const SurfaceView& mesh, std::int32_t vertex, const Visit& visit) {
    for (std::int32_t k = mesh.vertex_facet_begin[vertex]; k < mesh.vertex_facet_begin[vertex + 1]; ++k)
        for (const std::int32_t edge : mesh.facets[mesh.vertex_facets[k]].edge)
            if (mesh.edges[edge].vertex[0] == vertex || mesh.edges[edge].vertex[1] == vertex) visit(edge);
}

class Search {
public:
    Search(const Convex& body, const SurfaceView& mesh, double margin) : body_(body), mesh_(mesh), margin_(margin) {
        mesh_.rocks = {};  // they come by themselves
        for (int k = 0; k < 3; ++k) {
            const Vec3 d{k == 0 ? 1.0 : 0, k == 1 ? 1.0 : 0, k == 2 ? 1.0 : 0};
            const double pad = body.rounding + std::fmax(margin, 0.0);
            upper_[k] = dot(support(body, d), d) + pad;
            lower_[k] = dot(support(body, -d), d) - pad;
        }
    }

    int run(const SurfaceView& with_rocks, TouchPoint* out) {
        found_.clear(), edges_.clear(), facets_.clear();
        visit_boxes();
        for (const std::int32_t facet : facets_) add_low_points(facet);
        std::sort(edges_.begin(), edges_.end());
        edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
        for (const std::int32_t edge : edges_) add_edge(edge);
        if (found_.empty() && is_beside_) add_beside();
        for_each_rock_within(with_rocks.rocks, body_.centre, body_.reach + std::fmax(margin_, 0.0),
                             [&](std::int32_t index, const Vec3&, double) { add_rock(with_rocks.rocks, index); });
        return merged(out);
    }

private:
    void visit_boxes() {
        std::int32_t stack[bvh_stack_size];
        int size = 0;
        stack[size++] = 0;
        while (size > 0) {
            const BvhNode& node = mesh_.nodes[stack[--size]];
            for (int child = 0; child < 2; ++child) {
                bool meets = true;
                for (int k = 0; k < 3; ++k)
                    meets = meets && lower_[k] <= static_cast<double>(node.upper[child][k]) &&
                            upper_[k] >= static_cast<double>(node.lower[child][k]);
                if (!meets) continue;
                if (node.count[child] == 0) stack[size++] = node.first[child];
                for (std::int32_t k = 0; k < node.count[child]; ++k) add_facet(mesh_.order[node.first[child] + k]);
            }
        }
    }

    void add_facet(std::int32_t index) {
        const Facet& facet = mesh_.facets[index];
        const Vec3& origin = mesh_.vertices[facet.vertex[0]];
        const auto height = [&](const Vec3& p) { return dot(p - origin, facet.normal); };
        if (!(height(support(body_, -facet.normal)) - body_.rounding < margin_)) return;
        for (const std::int32_t edge : facet.edge)
            if (stands_out(mesh_, edge)) edges_.push_back(edge);
        if (height(support(body_, facet.normal)) + body_.rounding >= 0) facets_.push_back(index);  // else the body is wholly behind it
    }

    void add_low_points(std::int32_t index) {
        const Facet& facet = mesh_.facets[index];
        for_each_low_point(body_, -facet.normal, [&](const Vec3& p, std::uint32_t part) {
            const double h = dot(p - mesh_.vertices[facet.vertex[0]], facet.normal);
            if (h - body_.rounding < margin_ && h > -2 * body_.reach) add_low_point(index, p, h, part);
        });
    }

    // Whether a point is inside, where its nearest point is no farther than that: below the plane of a facet is also what stands beside it
    // over lower ground, however far off.
    bool is_below(const Vec3& p, double limit) const {
        const ClosestPoint nearest = nearest_within(mesh_, p, limit);
        return nearest.found() && dot(nearest.offset, feature_normal(mesh_, nearest.feature)) < 0;
    }

    // Of the facets that the body can touch from outside; the far side of a thin wedge is none.
    ClosestPoint nearest_of_facets(const Vec3& p, ClosestPoint best) const {
        for (const std::int32_t facet : facets_) {
            const ClosestPoint found = closest_point(mesh_, facet, p);
            if (found.distance < best.distance || (found.distance == best.distance && facet < best.facet)) best = found;
        }
        return best;
    }

    // (1)
    void add_low_point(std::int32_t facet, const Vec3& p, double height, std::uint32_t part) {
        const ClosestPoint near = closest_point(mesh_, facet, p);
        const Vec3& normal = mesh_.facets[facet].normal;
        if (near.feature.kind == FeatureKind::facet && height > 0) return add(p, normal, height, part, facet);
        if (touches_ridge(near.feature)) return;
        if (height > 0) {
            if (is_plane(near.feature) && facet == first_of(near.feature) && is_local_minimum(mesh_, near, p))
                add(p, normal, height, part, facet);
            return;
        }
        if (is_plane(near.feature) && near.distance > -height * (1 + across_edge)) return;  // beside the facet: its neighbour has it
        const ClosestPoint nearest = nearest_of_facets(p, near);
        if (nearest.facet != facet) return;
        const bool is_of_facet = nearest.feature.kind == FeatureKind::facet || is_plane(nearest.feature) || !(nearest.distance > 0);
        if (!is_of_facet && !is_below(p, nearest.distance)) return;
        const Vec3 n = is_of_facet ? normal : -1 / nearest.distance * nearest.offset;
        add(p, n, is_of_facet ? height : -nearest.distance, part, facet);
    }

    void add(const Vec3& p, const Vec3& n, double height, std::uint32_t part, std::int32_t facet) {
        TouchPoint touch;
        touch.gap = height - body_.rounding;
        touch.normal = n;
        touch.point = p - (body_.rounding + 0.5 * touch.gap) * n;
        touch.part = part;
        touch.facet = facet;
        found_.push_back(touch);
    }

    std::int32_t first_of(const Feature& feature) const {
        if (feature.kind == FeatureKind::edge) return mesh_.edges[feature.index].facet[0];
        return mesh_.vertex_facets[mesh_.vertex_facet_begin[feature.index]];
    }

    bool is_plane(const Feature& feature) const {
        if (feature.kind == FeatureKind::edge) return is_flat(mesh_, feature.index);
        bool all = true;
        if (feature.kind == FeatureKind::vertex)
            for_each_edge_at(mesh_, feature.index, [&](std::int32_t edge) { all = all && is_flat(mesh_, edge); });
        return all;
    }

    // Points above one belong to (2), points below one to a facet beside it.
    bool touches_ridge(const Feature& feature) const {
        if (feature.kind == FeatureKind::edge) return stands_out(mesh_, feature.index);
        bool any = false, all = true;
        if (feature.kind != FeatureKind::vertex) return false;
        for_each_edge_at(mesh_, feature.index, [&](std::int32_t edge) {
            const bool is_ridge = stands_out(mesh_, edge);
            any = any || is_ridge, all = all && (is_ridge || is_flat(mesh_, edge));
        });
        return any && all;
    }

    // (2)
    void add_edge(std::int32_t index) {
        const Edge& edge = mesh_.edges[index];
        const Vec3 &from = mesh_.vertices[edge.vertex[0]], &to = mesh_.vertices[edge.vertex[1]];
        const Convex segment = convex_segment(from, to);
        const double reach = body_.reach + std::fmax(margin_, 0.0),
                     t = std::clamp(dot(body_.centre - from, edge.direction), 0.0, edge.length);
        if (squared_norm(body_.centre - (from + t * edge.direction)) > reach * reach) return;
        const ConvexGap gap = laid_flat(convex_gap(body_, segment));
        // a corner that pokes into a face of the body has its normal, also where the body rocks on it; others have none but their own
        if (!(gap.gap < margin_)) return;
        if (!is_normal_of(index, gap.normal, gap.reference == Reference::of_a ? rocking : strictly)) {
            is_beside_ = true;
            return;
        }
        add_touches(index, segment, gap);
    }

    // An edge that lies in a face of the body to within the angle of one manifold touches along its line, and not where it crosses the rim
    // of that face alone: else contact jumps from one end to the other, and neither carries the body. What touches first is the same.
    ConvexGap laid_flat(ConvexGap gap) const {
        if (gap.reference != Reference::none) return gap;
        const Vec3 face = nearest_flat(body_, -gap.normal);
        if (face == Vec3{} || 1 + dot(face, gap.normal) > same_normal) return gap;
        gap.normal = -face;
        gap.reference = Reference::of_a;
        return gap;
    }

    // Sharp wedges that have met: the shortest way past each edge leads out on its far side. Of all normals that edges have of their own,
    // the one along which the overlap is least.
    void add_beside() {
        TouchPoint best;
        best.gap = -HUGE_VAL;
        std::int32_t on = -1;
        for (const std::int32_t index : edges_) {
            const Edge& edge = mesh_.edges[index];
            const Convex segment = convex_segment(mesh_.vertices[edge.vertex[0]], mesh_.vertices[edge.vertex[1]]);
            TouchPoint touches[most_in_manifold];
            if (edge.facet[1] < 0 || manifold(body_, segment, 0, touches) == 0) continue;
            const Vec3 n = best_normal_of(edge, segment);
            const double gap = separation(segment, n);
            if (gap > best.gap) best = touches[0], best.gap = gap, best.normal = n, on = index;
        }
        if (on < 0 || !(best.gap < margin_) || -best.gap > most_beside * body_.reach) return;
        const Edge& edge = mesh_.edges[on];
        add_on_edge(on, convex_segment(mesh_.vertices[edge.vertex[0]], mesh_.vertices[edge.vertex[1]]), best);
    }

    double separation(const Convex& segment, const Vec3& n) const {
        return dot(support(body_, -n) - support(segment, n), n) - body_.rounding;
    }

    // Between the normals of its facets: the best of a few, then ever nearer to it.
    Vec3 best_normal_of(const Edge& edge, const Convex& segment) const {
        constexpr int steps = 16;
        const Vec3 &n1 = mesh_.facets[edge.facet[0]].normal, &n2 = mesh_.facets[edge.facet[1]].normal;
        const auto normal_at = [&](double t) { return unit((1 - t) * n1 + t * n2); };
        double t = 0, most = -HUGE_VAL;
        for (int k = 0; k <= steps; ++k)
            if (const double s = separation(segment, normal_at(1.0 * k / steps)); s > most) most = s, t = 1.0 * k / steps;
        for (double step = 0.5 / steps; step > 1e-12; step *= 0.7)
            for (const double other : {std::fmax(0.0, t - step), std::fmin(1.0, t + step)})
                if (const double s = separation(segment, normal_at(other)); s > most) most = s, t = other;
        return normal_at(t);
    }

    void add_touches(std::int32_t index, const Convex& segment, const ConvexGap& gap) {
        TouchPoint touches[most_in_manifold];
        const int count = manifold(body_, segment, gap, margin_, touches);
        for (int k = 0; k < count; ++k) add_on_edge(index, segment, touches[k]);
    }

    void add_on_edge(std::int32_t index, const Convex& segment, TouchPoint touch) {
        const Edge& edge = mesh_.edges[index];
        const double along = dot(touch.point - 0.5 * touch.gap * touch.normal - segment.centre, edge.direction),
                     end = 0.5 * edge.length * (1 - across_edge);
        const bool is_corner = std::fabs(along) >= end;
        touch.facet = edge.facet[0];
        touch.part = is_corner ? vertex_part | static_cast<std::uint32_t>(edge.vertex[along > 0 ? 1 : 0])
                               : edge_part | (2 * static_cast<std::uint32_t>(index)) | (touch.part & 1u);
        for (TouchPoint& other : found_) {
            if (other.part != touch.part) continue;
            if (is_corner) return;  // an earlier edge has it
            touch.part ^= 1u;
        }
        found_.push_back(touch);
    }

    bool is_normal_of(std::int32_t index, const Vec3& n, double rise) const {
        const Edge& edge = mesh_.edges[index];
        const double along = dot(edge.direction, n);
        bool falls = true;
        if (std::fabs(along) <= std::fmax(rise, across_edge)) {
            for (const std::int32_t facet : edge.facet) falls = falls && (facet < 0 || dot(inwards(mesh_, facet, index), n) <= rise);
            return falls && dot(mesh_.edge_normals[index], n) > 0;
        }
        const std::int32_t vertex = edge.vertex[along > 0 ? 1 : 0];
        for_each_edge_at(mesh_, vertex, [&](std::int32_t other) {
            const Edge& e = mesh_.edges[other];
            falls = falls && dot(e.direction, n) * (e.vertex[0] == vertex ? 1 : -1) <= rise;
        });
        return falls && dot(mesh_.vertex_normals[vertex], n) > 0;
    }

    void add_rock(const RockView& rocks, std::int32_t index) {
        TouchPoint touch[most_in_manifold];
        const Convex rock = convex(Sphere{rocks.radii[index]}, Pose{rocks.centres[index], {}});
        const int count = manifold(body_, rock, margin_, touch);
        for (int k = 0; k < count; ++k) {
            touch[k].part = rock_part | static_cast<std::uint32_t>(index);
            touch[k].facet = -2 - index;
            found_.push_back(touch[k]);
        }
    }

    // One manifold for each normal; parts that occur twice get numbers of their own.
    int merged(TouchPoint* out) {
        std::sort(found_.begin(), found_.end(),
                  [](const TouchPoint& a, const TouchPoint& b) { return a.part != b.part ? a.part < b.part : a.facet < b.facet; });
        for (std::size_t k = 1, times = 0; k < found_.size(); ++k) {
            const std::uint32_t last = found_[k - 1].part - static_cast<std::uint32_t>(times) * repeated_part;
            times = found_[k].part == last ? times + 1 : 0;
            found_[k].part += static_cast<std::uint32_t>(times) * repeated_part;
        }
        kept_.clear();
        while (!found_.empty()) {
            const Vec3 n = found_.front().normal;
            const auto others = std::stable_partition(found_.begin(), found_.end(),
                                                      [&](const TouchPoint& t) { return 1 - dot(t.normal, n) <= same_normal; });
            const int count = reduced_manifold(found_.data(), static_cast<int>(others - found_.begin()));
            kept_.insert(kept_.end(), found_.begin(), found_.begin() + count);
            found_.erase(found_.begin(), others);
        }
        if (kept_.size() > std::size_t{most_touches_of_convex_on_mesh}) {
            std::stable_sort(kept_.begin(), kept_.end(), [](const TouchPoint& a, const TouchPoint& b) { return a.gap < b.gap; });
            kept_.resize(most_touches_of_convex_on_mesh);
        }
        std::sort(kept_.begin(), kept_.end(), [](const TouchPoint& a, const TouchPoint& b) { return a.part < b.part; });
        std::copy(kept_.begin(), kept_.end(), out);
        return static_cast<int>(kept_.size());
    }

    const Convex& body_;
    SurfaceView mesh_;
    double margin_;
    double lower_[3], upper_[3];
    bool is_beside_ = false;  // it overlaps an edge along a normal that is not one of its own
    // kept between calls: no allocation in the long run
    static thread_local std::vector<TouchPoint> found_, kept_;
    static thread_local std::vector<std::int32_t> edges_, facets_;
};

thread_local std::vector<TouchPoint> Search::found_, Search::kept_;
thread_local std::vector<std::int32_t> Search::edges_, Search::facets_;

}  // namespace

int touch(const Convex& body, const SurfaceView& mesh, double margin, TouchPoint* out) { return Search(body, mesh, margin).run(mesh, out); }

}  // namespace asperity::geometry
