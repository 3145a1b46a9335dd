#include "asperity/geometry/ray_cast.h"

#include <algorithm>

#include "asperity/core/index.h"

namespace asperity::geometry {
namespace {

// Along which a box is met: t in [first, last]; empty where first > last.
struct Ray {
    double origin[3];
    double direction[3];
};

bool meets(const Ray& ray, const BvhNode& node, int child) {
    double first = 0, last = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        const double lower = static_cast<double>(node.lower[child][k]) - ray.origin[k];
        const double upper = static_cast<double>(node.upper[child][k]) - ray.origin[k];
        if (ray.direction[k] == 0) {
            if (lower > 0 || upper < 0) return false;
            continue;
        }
        const double a = lower / ray.direction[k], b = upper / ray.direction[k];
        first = std::max(first, std::min(a, b));
        last = std::min(last, std::max(a, b));
    }
    return first <= last;
}

struct Caster {
    const SurfaceMesh& mesh;
    Vec3 centre;

    // d . (a x b), with the smaller vertex first whichever facet asks, so that both facets of an edge get the same bits.
    double edge_term(const Vec3& d, std::int32_t from, std::int32_t to) const {
        const Vec3 low = mesh.vertices[at(std::min(from, to))] - centre;
        const Vec3 high = mesh.vertices[at(std::max(from, to))] - centre;
        const double term = dot(d, cross(low, high));
        return from < to ? term : -term;
    }

    void meet_facet(const Vec3& d, const Facet& facet, RayHits& hits) const {
        double term[3];
        for (int k = 0; k < 3; ++k) term[k] = edge_term(d, facet.vertex[k], facet.vertex[(k + 1) % 3]);
        const bool is_through = (term[0] >= 0 && term[1] >= 0 && term[2] >= 0) || (term[0] <= 0 && term[1] <= 0 && term[2] <= 0);
        const double sum = term[0] + term[1] + term[2];
        if (!is_through || sum == 0) return;
        const Vec3 a = mesh.vertices[at(facet.vertex[0])] - centre, b = mesh.vertices[at(facet.vertex[1])] - centre,
                   c = mesh.vertices[at(facet.vertex[2])] - centre;
        const double t = dot(a, cross(b, c)) / sum;  // (1)
        if (!(t > 0)) return;
        hits.nearest = std::min(hits.nearest, t);
        hits.farthest = std::max(hits.farthest, t);
    }

    RayHits cast(const Vec3& d) const {
        const Ray ray{{centre.x, centre.y, centre.z}, {d.x, d.y, d.z}};
        RayHits hits;
        std::int32_t stack[bvh_stack_size] = {0};
        int size = 1;
        while (size > 0) {
            const BvhNode& node = mesh.bvh.nodes[at(stack[--size])];
            for (int child = 0; child < 2; ++child) {
                if (!meets(ray, node, child)) continue;
                if (node.count[child] == 0)
                    stack[size++] = node.first[child];
                else
                    for (std::int32_t k = node.first[child]; k < node.first[child] + node.count[child]; ++k)
                        meet_facet(d, mesh.facets[at(mesh.bvh.order[at(k)])], hits);
            }
        }
        return hits;
    }
};

}  // namespace

RayHits cast_ray(const SurfaceMesh& mesh, const Vec3& origin, const Vec3& direction) {
    return Caster{.mesh = mesh, .centre = origin}.cast(direction);
}

}  // namespace asperity::geometry
