// The fast field of Itokawa with 49,152 facets against the exact sum at 10^6 points, in parts of 10^5: on the surface, just below it, and
// up to 10 radii above it. The field is built by the part that comes first and kept beside the build.
#include <gtest/gtest.h>

#include <cstdlib>

#include "asperity/assets/field_cache.h"
#include "asperity/assets/mesh_file.h"
#include "asperity/geometry/closest.h"
#include "asperity/gravity/polyhedron.h"
#include "unit/geometry/shapes.h"
#include "unit/gravity/lumpy.h"

namespace asperity::gravity::test::fast_field_test {
namespace {

class FastFieldOfItokawa : public testing::TestWithParam<int> {};

TEST_P(FastFieldOfItokawa, IsWithinItsBound) {
    const std::string path = geometry::test::data_file("shapes/itokawa_f49152.obj");
    if (path.empty()) GTEST_SKIP() << "skipped: the shapes of the shared data are not here (ASPERITY_DATA names their folder)";
    ::setenv("ASPERITY_CACHE", ASPERITY_BINARY_DIR "/test_output/field_cache", 1);
    const geometry::SurfaceMesh mesh = geometry::make_surface(assets::read_mesh(path, 1000));
    const assets::LoadedField field = assets::load_field(mesh, {.tolerance = 1e-6});
    const FastFieldHeader& header = *field.field.view().header;
    EXPECT_LE(header.bound, 1.01e-6);
    EXPECT_LT(header.bytes, 256ULL << 20);

    double radius = 0;
    for (const Vec3& v : mesh.vertices) radius = std::max(radius, norm(v - header.centre));
    PointDraw draw{mesh, std::mt19937_64(static_cast<unsigned>(GetParam()))};
    std::vector<Vec3> points;
    for (int i = 0; i < 100'000; ++i) {
        const double heights[4] = {0, 10 * radius * std::pow(1e-6, draw.uniform()), -header.depth_inside * draw.uniform(),
                                   10 * radius * std::pow(1e-3, draw.uniform())};
        points.push_back(draw.near_surface(i % 3, heights[i / 3 % 4]));
    }
    std::vector<FieldValue> exact(points.size());
    PolyhedronGravity(mesh).evaluate_many(points, exact);
    double worst = 0, worst_potential = 0;
    int slow = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const FieldSample got = field.field.view().sample(points[i]);
        worst = std::max(worst, norm(got.acceleration - exact[i].acceleration) / norm(exact[i].acceleration));
        worst_potential = std::max(worst_potential, std::fabs(got.potential / exact[i].potential - 1));
        slow += field.field.view().is_slow(points[i]) ? 1 : 0;
    }
    RecordProperty("worst_attraction", fmt::format("{:.2e}", worst));
    RecordProperty("worst_potential", fmt::format("{:.2e}", worst_potential));
    EXPECT_LT(worst, header.bound);
    EXPECT_LT(worst_potential, header.bound);
    EXPECT_EQ(slow, 0);
}

INSTANTIATE_TEST_SUITE_P(Parts, FastFieldOfItokawa, testing::Range(0, 10));

}  // namespace
}  // namespace asperity::gravity::test::fast_field_test
