#include "asperity/assets/facet_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "unit/assets/bad_file.h"

namespace asperity::assets::facet_values_test {
namespace {

std::string error_in(const std::string& text, std::size_t facets = 4) {
    return test::error_of([&] { parse_facet_values(text, "v.csv", facets); });
}

// Numbers as text, so that unset ones compare equal.
std::string text_of(const std::vector<double>& values) {
    std::string text;
    for (const double x : values) text += std::isnan(x) ? "- " : fmt::format("{} ", x);
    return text;
}

TEST(FacetValues, ReadsRowsInAnyOrderAndLeavesTheRestUnset) {
    const FacetValues values = parse_facet_values(
        "\xef\xbb\xbf# made by hand\r\n\n facet, restitution,friction , rolling_resistance,rock_density\r\n"
        "3,0.65,0.8,0.02,1\r\n  # smooth\n0, 1 ,0,,2.5\n2,nan,1e2,NaN,0",
        "v.csv", 4);
    EXPECT_EQ(text_of(values.restitution), "1 - - 0.65 ");
    EXPECT_EQ(text_of(values.friction), "0 - 100 0.8 ");
    EXPECT_EQ(text_of(values.rolling_resistance), "- - - 0.02 ");
    EXPECT_EQ(text_of(values.rock_density), "2.5 - 0 1 ");
}

TEST(FacetValues, AnySubsetOfTheColumnsInAnyOrder) {
    const FacetValues values = parse_facet_values("friction,facet\n0.5,1\n", "v.csv", 2);
    EXPECT_EQ(text_of(values.friction), "- 0.5 ");
    EXPECT_TRUE(values.restitution.empty() && values.rolling_resistance.empty() && values.rock_density.empty());
    EXPECT_EQ(text_of(parse_facet_values("facet,rock_density", "v.csv", 2).rock_density), "- - ");
}

TEST(FacetValues, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(error_in(""),
              "v.csv:0:0 the table is empty | its first line names columns of facet, restitution, friction, rolling_resistance, "
              "rock_density\n");
    EXPECT_EQ(error_in("facet,colour\n1,2\n"),
              "v.csv:1:7 unknown column `colour` | known: facet, restitution, friction, rolling_resistance, rock_density\n");
    EXPECT_EQ(error_in("facet,friction,friction\n"), "v.csv:1:16 the column `friction` stands here twice | drop one of them\n");
    EXPECT_EQ(error_in("facet,friction,facet\n"), "v.csv:1:16 the column `facet` stands here twice | drop one of them\n");
    EXPECT_EQ(error_in("friction\n"), "v.csv:1:1 there is no column `facet` | it says which facet a row is about, counted from 0\n");
    EXPECT_EQ(error_in("facet\n"),
              "v.csv:1:1 there is no column of values | known: facet, restitution, friction, rolling_resistance, rock_density\n");
    EXPECT_EQ(error_in("facet,restitution,friction\n4,0,0\n-1,0,0\nx,0,0\n1.5,0,0\n2,1.1,-1\n3,a,inf\n1,0,0\n1,0,0\n0,1\n"),
              "v.csv:2:1 facet 4 does not exist | the mesh has 4 facets, counted from 0\n"
              "v.csv:3:1 facet -1 does not exist | the mesh has 4 facets, counted from 0\n"
              "v.csv:4:1 `x` is not the number of a facet | write a whole number, counted from 0\n"
              "v.csv:5:1 `1.5` is not the number of a facet | write a whole number, counted from 0\n"
              "v.csv:6:3 the restitution of facet 2 is 1.1 | it lies between 0 and 1\n"
              "v.csv:6:7 the friction of facet 2 is -1 | it lies between 0 and 1000\n"
              "v.csv:7:3 `a` is not a number | write a decimal, or nothing where it is not set\n"
              "v.csv:7:5 the friction of facet 3 is inf | it lies between 0 and 1000\n"
              "v.csv:9:1 facet 1 stands in line 8 already | drop one of the two rows\n"
              "v.csv:10:1 2 values in a table of 3 columns | leave a value empty where it is not set, but keep its comma\n");
}

TEST(FacetValues, CoefficientsHaveThePhysicalLimitOfTheScenario) {
    EXPECT_EQ(error_in("facet,friction,rolling_resistance,rock_density\n1,1e8,1001,1e8\n2,1000,1000,0\n"),
              "v.csv:2:3 the friction of facet 1 is 1e8 | it lies between 0 and 1000\n"
              "v.csv:2:7 the rolling_resistance of facet 1 is 1001 | it lies between 0 and 1000\n");
}

TEST(FacetValues, BentTablesAreReadOrRefused) {
    const std::string header = "facet,restitution,friction,rolling_resistance,rock_density\n",
                      rows = "0,0.65,0.8,0.02,1\n1,0.5,,,2\n2,1,0,nan,0\n";
    const std::string_view spice = ",,\n\n0123.-ena#";
    std::mt19937_64 random(4711);
    int read = 0;
    for (int k = 0; k < 5000; ++k) {
        try {
            const std::string text = k % 4 == 0 ? test::bent(header + rows, spice, k, random) : header + test::bent(rows, spice, k, random);
            const FacetValues values = parse_facet_values(text, "v.csv", 3);
            ++read;
            for (const double e : values.restitution) EXPECT_FALSE(e < 0 || e > 1);
            for (const double f : values.friction) EXPECT_FALSE(f < 0 || std::isinf(f));
        } catch (const InputError& error) {
            EXPECT_LE(error.problems.size(), 40u);
            EXPECT_EQ(error.problems.front().file, "v.csv");
        }
    }
    EXPECT_GT(read, 100);
    EXPECT_LT(read, 4500);
}

TEST(FacetValues, ReadsAFileAndSaysWhereThereIsNone) {
    const std::string path = testing::TempDir() + "asperity_facet_values.csv";
    std::ofstream(path) << "facet,friction\n0,0.25\n";
    EXPECT_EQ(text_of(read_facet_values(path, 1).friction), "0.25 ");
    EXPECT_THROW(read_facet_values(path + ".none", 1), InputError);
}

}  // namespace
}  // namespace asperity::assets::facet_values_test
