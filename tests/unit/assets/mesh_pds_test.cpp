#include "asperity/assets/mesh_pds.h"

#include <gtest/gtest.h>

#include "unit/assets/bad_file.h"

namespace asperity::assets::mesh_pds_test {
namespace {

using geometry::Corners;
using geometry::RawMesh;
using test::error_of;

std::string error_in(const std::string& text) {
    return error_of([&] { parse_pds(text, "a.tab"); });
}

const std::vector<Vec3> places{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.5}};
const std::vector<Corners> plates{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

// The tetrahedron in every form there is: counts on one line or two, numbers of vertices and plates from 0, from 1 or none, corners from 0
// or 1, with letters.
TEST(MeshPds, ReadsEveryForm) {
    for (const bool has_letters : {false, true})
        for (const bool has_both_counts : {false, true})
            for (const int number_from : {-1, 0, 1})
                for (const int corners_from : {0, 1}) {
                    std::string text = "# a comment\n";
                    if (!has_letters) text += has_both_counts ? "   4   4\r\n" : "   4\r\n";
                    for (std::size_t k = 0; k < 4; ++k) {
                        const Vec3& v = places[k];
                        if (has_letters) text += "v ";
                        if (!has_letters && number_from >= 0) text += fmt::format("{} ", static_cast<int>(k) + number_from);
                        text += fmt::format(" {} {:.2f} {}\r\n", v.x, v.y, v.z == 1.5 ? "0.15D+01" : "0");
                    }
                    if (!has_letters && !has_both_counts) text += "4\n";
                    for (std::size_t k = 0; k < 4; ++k) {
                        const Corners& c = plates[k];
                        if (has_letters) text += "f ";
                        if (!has_letters && number_from >= 0) text += fmt::format("{} ", static_cast<int>(k) + number_from);
                        text += fmt::format("{} {} {}\n", c[0] + corners_from, c[1] + corners_from, c[2] + corners_from);
                    }
                    const RawMesh mesh = parse_pds(text, "a.tab", 1000);
                    EXPECT_EQ(mesh.facets, plates) << text;
                    ASSERT_EQ(mesh.vertices.size(), 4u);
                    EXPECT_EQ(mesh.vertices[3], (Vec3{0, 0, 1500}));
                    EXPECT_EQ(mesh.lines.back(), static_cast<int>(std::count(text.begin(), text.end(), '\n')));
                }
}

TEST(MeshPds, TellsFromWhereCornersCountOrSaysThatItCannot) {
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 5 5 5\n";
    EXPECT_EQ(error_in(points + "f 1 2 3\n"),
              "a.tab:0:0 whether plates count from 0 or 1 cannot be told: none names vertex 0 or vertex 5 | drop the vertices that no "
              "plate uses, "
              "or write the mesh as Wavefront OBJ, which counts from 1\n");
    EXPECT_EQ(error_in(points + "f 1 2 3\nf 0 1 2\nf 1 2 5\n"),
              "a.tab:0:0 plates that name vertex 0 (line 7) and vertex 5 (line 8) | the file has 5 vertices, numbered from 0 to 4 or from "
              "1 to 5\n");
    EXPECT_EQ(error_in(points + "f 1 2 6\n"),
              "a.tab:6:1 a vertex that does not exist | the file has 5 vertices, numbered from 0 to 4 or from 1 to 5\n");
    // the number of the first vertex decides where the corners do not
    const std::string numbered = "4 1\n{0} 0 0 0\n{1} 1 0 0\n{2} 0 1 0\n{3} 9 9 9\n1 1 2 3\n";
    EXPECT_EQ(parse_pds(fmt::format(fmt::runtime(numbered), 1, 2, 3, 4), "a.tab").facets[0], (Corners{0, 1, 2}));
    EXPECT_EQ(parse_pds(fmt::format(fmt::runtime(numbered), 0, 1, 2, 3), "a.tab").facets[0], (Corners{1, 2, 3}));
}

TEST(MeshPds, NamesWhatIsWrong) {
    const std::string count =
        "not the count that begins a plate table | the first line holds the number of vertices, and may hold that of plates\n";
    EXPECT_EQ(error_in("abc\n"), "a.tab:1:1 " + count);
    EXPECT_EQ(error_in("-4 4\n"), "a.tab:1:1 " + count);
    EXPECT_EQ(error_in("4 0\n"), "a.tab:1:3 " + count);
    EXPECT_EQ(error_in("1 2 3\n"), "a.tab:1:1 " + count);
    EXPECT_EQ(error_in(""), "a.tab:0:0 the mesh has no facets | is it a plate table?\n");
    EXPECT_EQ(error_in("999999999 4\n1 0 0 0\n"), "a.tab:2:1 the file ends after 1 of 999999999 vertices | is it cut off?\n");
    EXPECT_EQ(error_in("1 2\n1 0 0 0\n1 1 1 1\n"), "a.tab:3:1 the file ends after 1 of 2 plates | is it cut off?\n");
    EXPECT_EQ(error_in("1\n1 0 0 0\n"), "a.tab:2:1 the file ends before the number of plates | is it cut off?\n");
    EXPECT_EQ(error_in("1\n1 0 0 0\n1 1 1 1\n"),
              "a.tab:3:1 expected the number of plates, alone on a line, after 1 vertices | is the number of vertices of the first line "
              "right?\n");
    EXPECT_EQ(error_in("2 1\n1 0 0 0\n3 0 0 0\n"), "a.tab:3:1 not the number of a vertex | 2 comes here\n");
    EXPECT_EQ(error_in("2 1\n7 0 0 0\n"), "a.tab:2:1 not the number of a vertex | numbers start from 0 or 1\n");
    EXPECT_EQ(error_in("2 1\n1 0 0 0\n0 0 0\n"),
              "a.tab:3:1 a vertex with 3 numbers | write `x y z`, or its number and these on every line\n");
    EXPECT_EQ(error_in("1 1\n1 0 0 0\n1 1 1 1\n2 1 1 1\n"),
              "a.tab:4:1 a line after the last of 1 plates | are the counts of the first line right?\n");
    EXPECT_EQ(error_in("v 0 nan 0\nv 0 0 1D\nf 1 -1 0\nf 1 2\nq 1 2 3\n"),
              "a.tab:1:5 not a finite number | write for example `0.125`\n"
              "a.tab:2:7 not a finite number | write for example `0.125`\n"
              "a.tab:3:5 not the number of a vertex | write a whole number, counted from 0 or from 1\n"
              "a.tab:4:1 not a line of a plate table | write `v x y z` or `f a b c`\n"
              "a.tab:5:1 not a line of a plate table | write `v x y z` or `f a b c`\n");
}

TEST(MeshPds, SurvivesHostileFiles) {
    const auto parse = [](const std::string& text) { return parse_pds(text, "a.tab"); };
    const std::string spice = "\n\r -+.eED0123456789vf#\xff";
    for (const char* sound : {"4 4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n1 1 3 2\n2 1 2 4\n3 1 4 3\n4 2 3 4\n",
                              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 0 2 1\nf 0 1 3\nf 0 3 2\nf 1 2 3\n"}) {
        const test::Survived survived = test::survive(sound, spice, 20000, parse);
        EXPECT_GT(survived.read, 500);
        EXPECT_GT(survived.refused, 5000);
    }
}

}  // namespace
}  // namespace asperity::assets::mesh_pds_test
