#include "asperity/geometry/bvh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "asperity/core/errors.h"

namespace asperity::geometry {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float rounded_down(double x) {
    if (x < -static_cast<double>(FLT_MAX)) return -infinity;
    if (x >= static_cast<double>(FLT_MAX)) return FLT_MAX;
    const float f = static_cast<float>(x);
    return static_cast<double>(f) <= x ? f : std::nextafterf(f, -infinity);
}

float rounded_up(double x) { return -rounded_down(-x); }

double component(const Vec3& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

Vec3 smaller(const Vec3& a, const Vec3& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3 larger(const Vec3& a, const Vec3& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

struct Builder {
    const std::vector<BoundingBox>& boxes;
    double pad;
    Bvh bvh;

    Vec3 centre(std::int32_t facet) const {
        const BoundingBox& box = boxes[static_cast<std::size_t>(facet)];
        return 0.5 * box.lower + 0.5 * box.upper;
    }

    int longest_axis(std::int32_t begin, std::int32_t end) const {
        Vec3 lower = centre(bvh.order[static_cast<std::size_t>(begin)]);
        Vec3 upper = lower;
        for (std::int32_t k = begin; k < end; ++k) {
            const Vec3 c = centre(bvh.order[static_cast<std::size_t>(k)]);
            lower = smaller(lower, c);
            upper = larger(upper, c);
        }
        const Vec3 size = upper - lower;
        return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    }

    // Puts the half of the facets that lies lower along the longest axis first; the halves are sets that the mesh alone decides.
    std::int32_t halve(std::int32_t begin, std::int32_t end) {
        const int axis = longest_axis(begin, end);
        const std::int32_t middle = begin + (end - begin) / 2;
        std::nth_element(bvh.order.begin() + begin, bvh.order.begin() + middle, bvh.order.begin() + end,
                         [&](std::int32_t a, std::int32_t b) {
                             const double x = component(centre(a), axis);
                             const double y = component(centre(b), axis);
                             return x != y ? x < y : a < b;
                         });
        return middle;
    }

    void set_box(BvhNode& node, int child, std::int32_t begin, std::int32_t end) const {
        BoundingBox all = boxes[static_cast<std::size_t>(bvh.order[static_cast<std::size_t>(begin)])];
        for (std::int32_t k = begin; k < end; ++k) {
            const BoundingBox& box = boxes[static_cast<std::size_t>(bvh.order[static_cast<std::size_t>(k)])];
            all.lower = smaller(all.lower, box.lower);
            all.upper = larger(all.upper, box.upper);
        }
        for (int axis = 0; axis < 3; ++axis) {
            node.lower[child][axis] = rounded_down(component(all.lower, axis) - pad);
            node.upper[child][axis] = rounded_up(component(all.upper, axis) + pad);
        }
    }

    // The node over [begin, end), at least two facets (or one, at the root); children of more than a leaf get nodes of their own.
    std::int32_t add_node(std::int32_t begin, std::int32_t end) {
        const auto index = static_cast<std::int32_t>(bvh.nodes.size());
        BvhNode node{};
        bvh.nodes.push_back(node);
        const std::int32_t middle = end - begin > 1 ? halve(begin, end) : end;
        for (int child = 0; child < 2; ++child) {
            const std::int32_t from = child == 0 ? begin : middle;
            const std::int32_t to = child == 0 ? middle : end;
            if (from == to) {  // the second child of a root over one facet: nowhere
                std::fill_n(node.lower[child], 3, infinity);
                std::fill_n(node.upper[child], 3, -infinity);
                continue;
            }
            set_box(node, child, from, to);
            const bool is_leaf = to - from <= bvh_leaf_size;
            if (is_leaf) std::sort(bvh.order.begin() + from, bvh.order.begin() + to);
            node.first[child] = is_leaf ? from : add_node(from, to);
            node.count[child] = is_leaf ? to - from : 0;
        }
        bvh.nodes[static_cast<std::size_t>(index)] = node;
        return index;
    }
};

}  // namespace

Bvh build_bvh(const std::vector<BoundingBox>& boxes) {
    ASPERITY_REQUIRE(!boxes.empty(), "a tree needs at least one facet");
    double largest = 0;
    for (const BoundingBox& box : boxes)
        for (int axis = 0; axis < 3; ++axis)
            largest = std::max({largest, std::abs(component(box.lower, axis)), std::abs(component(box.upper, axis))});
    Builder builder{.boxes = boxes, .pad = 0x1p-44 * largest, .bvh = {}};
    builder.bvh.order.resize(boxes.size());
    std::iota(builder.bvh.order.begin(), builder.bvh.order.end(), 0);
    builder.add_node(0, static_cast<std::int32_t>(boxes.size()));
    return std::move(builder.bvh);
}

}  // namespace asperity::geometry
