#include "asperity/geometry/patches.h"

#include <gtest/gtest.h>

#include <numbers>

#include "unit/geometry/shapes.h"

namespace asperity::geometry::test::patches_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

Vec3 at(double lat, double lon, double distance = 3) {
    return distance *
           Vec3{std::cos(lat * degree) * std::cos(lon * degree), std::cos(lat * degree) * std::sin(lon * degree), std::sin(lat * degree)};
}

LatLonPatch patch(double lat_min, double lat_max, double lon_min, double lon_max) {
    return {lat_min * degree, lat_max * degree, lon_min * degree, lon_max * degree};
}

TEST(Patches, LatitudeAndLongitudeOfAPoint) {
    for (const double lat : {-89.0, -30.0, 0.0, 45.0, 89.9})
        for (const double lon : {-179.0, -90.0, 0.0, 12.5, 179.9}) {
            EXPECT_NEAR(latitude(at(lat, lon, 270)), lat * degree, 1e-13);
            EXPECT_NEAR(longitude(at(lat, lon, 270)), lon * degree, 1e-13);
        }
    EXPECT_EQ(latitude({0, 0, -5}), -std::numbers::pi / 2);
    EXPECT_EQ(longitude({0, 0, 5}), 0);
    EXPECT_EQ(latitude({}), 0);
}

TEST(Patches, LongitudesRunEastwardsThroughEveryMeridian) {
    const auto holds = [](const LatLonPatch& p, double lon) { return contains(p, at(10, lon)); };
    EXPECT_TRUE(holds(patch(0, 20, -10, 10), 5) && holds(patch(0, 20, -10, 10), -5));
    EXPECT_FALSE(holds(patch(0, 20, -10, 10), 11) || holds(patch(0, 20, -10, 10), -170));
    for (const LatLonPatch& wraps : {patch(0, 20, 170, -170), patch(0, 20, 170, 190), patch(0, 20, -190, -170)}) {
        EXPECT_TRUE(holds(wraps, 175) && holds(wraps, -175) && holds(wraps, 180) && holds(wraps, -180));
        EXPECT_FALSE(holds(wraps, 169) || holds(wraps, -169) || holds(wraps, 0));
    }
    EXPECT_TRUE(holds(patch(0, 20, 10, -10), 180) && !holds(patch(0, 20, 10, -10), 0));  // the long way round
    for (const LatLonPatch& all : {patch(0, 20, -180, 180), patch(0, 20, 0, 360), patch(0, 20, 0, 1000)})
        for (double lon = -180; lon <= 180; lon += 7.5) EXPECT_TRUE(holds(all, lon)) << lon;
    EXPECT_FALSE(contains(patch(0, 20, -180, 180), at(21, 0)) || contains(patch(0, 20, -180, 180), at(-1, 0)));
    const Vec3 p = at(10, 33);
    EXPECT_TRUE(contains({latitude(p), latitude(p), longitude(p), longitude(p)}, p));  // borders belong to it
}

TEST(Patches, AFacetBelongsToTheLastPatchThatHoldsItsCentroid) {
    const SurfaceMesh mesh = make_surface(ball(3));
    const std::vector<LatLonPatch> patches{patch(0, 90, -180, 180), patch(30, 60, 170, -100), patch(-90, -60, -180, 180)};
    const std::vector<std::uint8_t> found = patch_of_facets(mesh, patches);
    std::vector<int> count(4, 0);
    for (std::size_t f = 0; f < mesh.facets.size(); ++f) {
        Vec3 c;
        for (const std::int32_t v : mesh.facets[f].vertex) c += mesh.vertices[static_cast<std::size_t>(v)] / 3;
        const double lat = std::asin(c.z / norm(c)) / degree, lon = std::atan2(c.y, c.x) / degree;
        const int wanted = lat < -60 ? 3 : lat > 30 && lat < 60 && (lon > 170 || lon < -100) ? 2 : lat > 0 ? 1 : 0;
        EXPECT_EQ(found[f], wanted) << lat << ' ' << lon;
        ++count[found[f]];
    }
    for (const int k : count) EXPECT_GT(k, 10);
    EXPECT_EQ(patch_of_facets(mesh, {}), std::vector<std::uint8_t>(mesh.facets.size(), 0));
}

TEST(Patches, SaysWhatIsWrong) {
    const SurfaceMesh mesh = make_surface(cube());
    const auto error = [&](const std::vector<LatLonPatch>& patches) -> std::string {
        try {
            patch_of_facets(mesh, patches);
        } catch (const InputError& e) {
            std::string list;
            for (const Problem& p : e.problems) list += fmt::format("{} | {}\n", p.what, p.hint);
            return list;
        }
        return "no error";
    };
    EXPECT_EQ(error({{0.5, 0.25, 0, 1}, {-1, 2, 0, NAN}}),
              "patch 1: latitudes from 0.5 to 0.25 rad | they ascend, and lie between -90 deg and 90 deg\n"
              "patch 2: a longitude is not a finite number | \n"
              "patch 2: latitudes from -1 to 2 rad | they ascend, and lie between -90 deg and 90 deg\n");
    EXPECT_EQ(error({patch(-90, 90, 0, 1)}), "no error");
    EXPECT_EQ(error(std::vector<LatLonPatch>(256)), "256 patches, but at most 255 can be told apart | \n");
}

}  // namespace
}  // namespace asperity::geometry::test::patches_test
