#include "asperity/geometry/bvh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "asperity/assets/mesh_obj.h"
#include "asperity/geometry/closest.h"
#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::bvh_test {
namespace {

constexpr unsigned seed = 8152;

TEST(Bvh, EveryFacetIsInOneLeafAndInsideAllBoxesAboveIt) {
    for (const RawMesh& raw :
         {cube(), ball(4, 0.8, 1.2, seed), generate(SpikeWorld{.cells = 23}), RawMesh{tetrahedron().vertices, {{0, 1, 2}}}}) {
        const SurfaceMesh mesh = make_surface(raw);
        std::vector<int> seen(mesh.facets.size(), 0);
        int deepest = 0;
        const std::function<std::vector<std::int32_t>(std::int32_t, int)> facets_below = [&](std::int32_t index, int depth) {
            deepest = std::max(deepest, depth);
            const BvhNode& node = mesh.bvh.nodes[static_cast<std::size_t>(index)];
            std::vector<std::int32_t> all;
            for (int child = 0; child < 2; ++child) {
                if (!(node.lower[child][0] <= node.upper[child][0])) continue;  // absent
                std::vector<std::int32_t> below;
                if (node.count[child] > 0)
                    below.assign(mesh.bvh.order.begin() + node.first[child],
                                 mesh.bvh.order.begin() + node.first[child] + node.count[child]);
                else
                    below = facets_below(node.first[child], depth + 1);
                for (const std::int32_t f : below)
                    for (const std::int32_t v : mesh.facets[static_cast<std::size_t>(f)].vertex)
                        EXPECT_EQ(squared_distance(node, child, mesh.vertices[static_cast<std::size_t>(v)]), 0);
                if (node.count[child] > 0)
                    for (const std::int32_t f : below) ++seen[static_cast<std::size_t>(f)];
                all.insert(all.end(), below.begin(), below.end());
            }
            return all;
        };
        facets_below(0, 1);
        EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
        EXPECT_LE(deepest, std::max(1.0, std::ceil(std::log2(mesh.facets.size()))));
    }
}

TEST(Bvh, TheTreeDependsOnTheMeshOnly) {
    const RawMesh raw = generate(FlatWorld{.cells = 30});  // many equal centroids along an axis
    const SurfaceMesh a = make_surface(raw), b = make_surface(raw);
    EXPECT_EQ(a.bvh.order, b.bvh.order);
    ASSERT_EQ(a.bvh.nodes.size(), b.bvh.nodes.size());
}

// Nodes visited by a query near the surface, mean over points: a + b log2 n, far from n.
TEST(Bvh, AQueryVisitsOfTheOrderOfLogNNodes) {
    std::vector<double> mean;
    std::vector<std::size_t> size;
    for (const int level : {2, 4, 6}) {  // 128, 2048, 32768 facets
        const SurfaceMesh mesh = make_surface(ball(level, 0.99, 1.01, seed));
        std::mt19937_64 random(seed);
        double sum = 0;
        constexpr int count = 2000;
        for (int k = 0; k < count; ++k) {
            const Vec3 p = 1.02 * unit(random_point(random, {-1, -1, -1}, {1, 1, 1}));
            int visited = 0;
            nearest_within(mesh.view(), p, HUGE_VAL, &visited);
            sum += visited;
        }
        mean.push_back(sum / count);
        size.push_back(mesh.facets.size());
    }
    RecordProperty("nodes_128", std::to_string(mean[0]));
    RecordProperty("nodes_2048", std::to_string(mean[1]));
    RecordProperty("nodes_32768", std::to_string(mean[2]));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(mean[k], 4 * std::log2(static_cast<double>(size[k]))) << size[k];
    // 256 times the facets add a few levels, not a factor: sqrt(n) would be 16 times.
    EXPECT_LT(mean[2], 4 * mean[0]);
}

TEST(Bvh, NearestOnItokawaIsTheNearestOfAllFacets) {
    const std::string path = data_file("shapes/itokawa_f49152.obj");
    if (path.empty()) GTEST_SKIP() << "shapes/itokawa_f49152.obj is not there (set ASPERITY_DATA)";
    const SurfaceMesh mesh = make_surface(assets::read_obj(path, 1000));
    const SurfaceView view = mesh.view();
    EXPECT_EQ(view.facet_count, 49152);
    EXPECT_TRUE(mesh.is_closed);
    EXPECT_EQ(view.vertex_count - view.edge_count + view.facet_count, 2);
    std::mt19937_64 random(seed);
    double visited_sum = 0;
    constexpr int count = 60;
    for (int k = 0; k < count; ++k) {
        Vec3 p = random_point(random, 1.2 * mesh.lower, 1.2 * mesh.upper);
        if (k % 2 == 0) p = nearest(view, p).point + Vec3{0, 0, 0.05};  // a lander on the ground
        ClosestPoint best;
        for (std::int32_t f = 0; f < view.facet_count; ++f) {
            const ClosestPoint found = detail::squared_to_facet(view, f, p);
            if (found.distance < best.distance) best = found;
        }
        int visited = 0;
        const ClosestPoint found = nearest_within(view, p, HUGE_VAL, &visited);
        ASSERT_EQ(found.facet, best.facet);
        ASSERT_EQ(found.point, best.point);
        if (k % 2 == 0) visited_sum += visited;
    }
    EXPECT_LT(visited_sum / (count / 2), 4 * std::log2(49152.0));
    RecordProperty("nodes_itokawa", std::to_string(visited_sum / (count / 2)));
}

}  // namespace
}  // namespace asperity::geometry::test::bvh_test
