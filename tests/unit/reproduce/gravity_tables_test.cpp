#include "asperity/reproduce/gravity_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asperity/assets/mesh_file.h"
#include "asperity/geometry/builtin_shapes.h"
#include "asperity/geometry/mass_properties.h"
#include "unit/geometry/shapes.h"

namespace asperity::reproduce::gravity_tables_test {
namespace {

using geometry::test::data_file;

// 1-landers, Table 7.2: D / R_V, and what was found.
constexpr double ratios[] = {1.0 / 200, 1.0 / 100, 1.0 / 75, 1.0 / 50, 1.0 / 25, 1.0 / 10};

std::vector<LinearisationError> table_7_2(const geometry::RawMesh& mesh, double radius, double first, double last) {
    std::vector<double> reaches;
    for (const double ratio : ratios) reaches.push_back(ratio * radius);
    // 501 points on both lines: for Alpha the text says steps of 0.1 m, but only 0.08 m gives its numbers
    return linearisation_errors(gravity::PolyhedronGravity(geometry::make_surface(mesh)), points_between({0, first, 0}, {0, last, 0}, 501),
                                reaches);
}

TEST(GravityTables, LinearisationOfItokawa) {
    const std::string file = data_file("shapes/itokawa_f49152.obj");
    if (file.empty()) GTEST_SKIP() << "there is no shapes/itokawa_f49152.obj in ../shared/data";
    const double published[] = {3.7254e-6, 1.5592e-5, 2.7246e-5, 6.2170e-5, 2.4711e-4, 1.5252e-3};
    const auto got = table_7_2(assets::read_mesh(file, 1000), 62.393, 200, 210);
    // another mesh, with four times the facets: 0.5 % in every row, 0.8 % in the first
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(published[k] / got[k].largest, 1.0046, k == 0 ? 0.006 : 2e-4) << k;
}

TEST(GravityTables, LinearisationOfAlpha) {
    const std::string file = data_file("shapes/kw4_alpha.obj");
    if (file.empty()) GTEST_SKIP() << "there is no shapes/kw4_alpha.obj in ../shared/data";
    const double published[] = {5.4177e-6, 2.3089e-5, 4.2319e-5, 9.4947e-5, 3.7658e-4, 2.3096e-3};
    const auto got = table_7_2(assets::read_mesh(file, 1000), 253.360, 1000, 1040);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(published[k] / got[k].largest, 0.9663, 0.001) << k;
}

// For a point mass, moving outwards from r: | |g_lin| - |g| | / |g(r)| = |1 - 2 x - 1 / (1 + x)^2| with x = d / r, largest at the end.
TEST(GravityTables, LinearisationOfABallInClosedForm) {
    const gravity::PolyhedronGravity gravity(geometry::make_surface(geometry::test::ball(3)));
    const double r = 30;
    const double reaches[] = {0.5, 2, 20};
    const auto got = linearisation_errors(gravity, points_between({0, 0, r}, {0, 0, r + 4}, 401), reaches);
    const double x = 4 / r;
    EXPECT_NEAR(got[2].largest, std::fabs(1 - 2 * x - 1 / ((1 + x) * (1 + x))), 1e-3 * got[2].largest);
    EXPECT_GT(got[2].largest_vector, got[2].largest) << "g falls outwards, and it is divided by the local one";
    // the first reference covers 0.5; each later one starts 0.01 farther and covers 1.95 times 0.5
    EXPECT_EQ(got[2].references, 1u);
    EXPECT_EQ(got[0].references, 5u);
    EXPECT_NEAR(got[1].largest / got[0].largest, 16, 1.5);
}

std::vector<Vec3> points_of_table_7_4() {
    std::vector<Vec3> points;
    for (const double x : {300, 350, 400, 450, 500}) points.push_back({x, 0, 0});
    for (const double y : {150, 200, 250, 300, 350}) points.push_back({0, -y, 0});
    for (const double z : {100, 150, 200, 250, 300}) points.push_back({0, 0, -z});
    return points;
}

// Table 7.5 by levels 4 to 0, in percent.
constexpr double published_7_5[15][5] = {
    {0.54, 0.91, 5.55, 17.65, 52.58}, {0.12, 1.34, 5.65, 23.15, 39.22},  {0.10, 1.20, 5.07, 18.14, 29.51},
    {0.18, 1.04, 4.24, 14.16, 22.82}, {0.20, 0.88, 3.52, 11.26, 18.11},  {0.37, 0.28, 6.16, 16.27, 22.89},
    {0.61, 0.77, 4.82, 13.02, 21.86}, {0.49, 0.69, 3.75, 10.24, 17.59},  {0.39, 0.59, 2.98, 8.14, 13.96},
    {0.31, 0.50, 2.39, 6.56, 11.16},  {1.99, 3.78, 15.28, 39.27, 96.31}, {1.55, 3.00, 11.48, 32.02, 63.75},
    {1.18, 2.36, 8.70, 23.33, 41.40}, {0.88, 1.82, 6.55, 17.19, 28.73},  {0.65, 1.40, 4.97, 12.91, 20.90}};

void expect_like_table_7_5(const geometry::RawMesh& mesh) {
    const int levels[] = {4, 3, 2, 1, 0};
    const ResolutionErrors got = resolution_errors(geometry::make_surface(mesh), levels, points_of_table_7_4());
    ASSERT_EQ(got.models.size(), 5u);
    for (std::size_t level = 2; level < 5; ++level) {
        // Its icosahedron is turned some other way: at a point within 35 % (15 % in the mean), but for the point at the end of the body.
        double sum = 0;
        for (std::size_t k = 1; k < 15; ++k) {
            const double ratio = 100 * got.models[level].errors[k] / published_7_5[k][level];
            EXPECT_GT(ratio, 0.65) << level << " P" << k + 1;
            EXPECT_LT(ratio, 1.55) << level << " P" << k + 1;
            sum += ratio / 14;
        }
        EXPECT_NEAR(sum, 1, 0.15) << level;
    }
    for (const ResolutionModel& model : got.models) {
        EXPECT_EQ(model.facets, std::size_t{20} << 2 * model.level);
        EXPECT_NEAR(model.volume * model.density_factor / got.volume, 1, 1e-15);
        for (std::size_t k = 10; k < 14; ++k) EXPECT_GT(model.errors[k], model.errors[k + 1]) << "they fall outwards";
    }
    for (std::size_t k = 0; k + 1 < 5; ++k) EXPECT_LT(got.models[k].errors[10], got.models[k + 1].errors[10]) << "and with facets";
}

TEST(GravityTables, ResolutionOfItokawa) {
    const std::string file = data_file("shapes/itokawa_f49152.obj");
    if (file.empty()) GTEST_SKIP() << "there is no shapes/itokawa_f49152.obj in ../shared/data";
    expect_like_table_7_5(assets::read_mesh(file, 1000));
}

TEST(GravityTables, ResolutionOfTheBuiltinItokawa) { expect_like_table_7_5(geometry::builtin_shape("itokawa", 20'000)); }

// All of a ball's mass counts at its centre, whatever the model: only what it lacks of a ball is left.
TEST(GravityTables, MassIsKept) {
    const int levels[] = {2};
    const Vec3 far[] = {{0, 0, 40}, {25, 30, -10}};
    const ResolutionErrors got = resolution_errors(geometry::make_surface(geometry::test::ball(4)), levels, far);
    EXPECT_LT(got.models[0].volume, got.volume);
    for (const double error : got.models[0].errors) EXPECT_LT(error, 1e-6);
}

}  // namespace
}  // namespace asperity::reproduce::gravity_tables_test
