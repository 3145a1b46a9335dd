#include "asperity/assets/mesh_obj.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "asperity/core/errors.h"
#include "asperity/geometry/mesh.h"

namespace asperity::assets::mesh_obj_test {
namespace {

constexpr unsigned seed = 4711;

// "line:column what | hint", one per problem.
std::string error_of(std::string_view text, double unit = 1) {
    try {
        parse_obj(text, "a.obj", unit);
    } catch (const InputError& error) {
        std::string list;
        for (const Problem& p : error.problems) list += fmt::format("{}:{}:{} {} | {}\n", p.file, p.line, p.column, p.what, p.hint);
        return list;
    }
    return "no error";
}

TEST(MeshObj, ReadsVerticesAndTriangles) {
    const geometry::RawMesh mesh = parse_obj(
        "\xef\xbb\xbf# a comment\r\nmtllib x.mtl\r\no thing\r\nv 1 +2 -3e0\r\nv 4 5 6 1\r\n\tv 7 8 9 0.5 0.5 0.5 # red\r\nvn 0 0 1\r\nvt 0 "
        "0\r\n"
        "g a b\r\ns off\r\nusemtl m\r\nf 1 2 3\r\nf 3/1 2/1 1/1\r\nf -3//1 -2//1 -1//1\r\nf 1/1/1 +2/1/1 4/-1/-1\r\n\r\nv 0 0 .5",
        "a.obj", 1000);
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{1000, 2000, -3000}, {4000, 5000, 6000}, {7000, 8000, 9000}, {0, 0, 500}}));
    EXPECT_EQ(mesh.facets, (std::vector<geometry::Corners>{{0, 1, 2}, {2, 1, 0}, {0, 1, 2}, {0, 1, 3}}));
}

TEST(MeshObj, NamesTheLineAndColumnOfEveryError) {
    EXPECT_EQ(error_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2\nf 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"),
              "a.obj:5:1 a facet with 2 corners | a facet has at least three\n"
              "a.obj:6:1 a facet with 33 corners | cut it: at most 32 are read\n");
    EXPECT_EQ(error_of("v 0 0\nv 1 nan 0\nv 1 0 inf\nv 1 0x3 0\nv 1e999 0 0\nv 0 0 0 2\nv 1 --2 +-3\n"),
              "a.obj:1:1 a vertex with 2 numbers | write `v x y z`\n"
              "a.obj:2:5 not a finite number | write for example `0.125`\n"
              "a.obj:3:7 not a finite number | write for example `0.125`\n"
              "a.obj:4:5 not a finite number | write for example `0.125`\n"
              "a.obj:5:3 not a finite number | write for example `0.125`\n"
              "a.obj:6:9 a vertex with a weight other than 1 | weights belong to curves, not to triangles\n"
              "a.obj:7:5 not a finite number | write for example `0.125`\n");
    const std::string corner = "not a corner of a facet | write for example `7`, `7/2`, `7//3` or `7/2/3`; vertices count from 1\n";
    EXPECT_EQ(
        error_of("v 0 0 0\nf 0 1 1\nf 1 x 1\nf 1 1 1/\nf 1/1/1/1 1 1\nf 99999999999999999999 1 1\nf / 1 1\nf 1 1//2/ 1\nf 1/ 1// 1\n"),
        "a.obj:2:3 " + corner + "a.obj:3:5 " + corner + "a.obj:4:7 " + corner + "a.obj:5:3 " + corner + "a.obj:6:3 " + corner +
            "a.obj:7:3 " + corner + "a.obj:8:5 " + corner + "a.obj:9:3 " + corner);
    EXPECT_EQ(error_of("v 0 0 0\nf 1 1 9223372036854775807\nf 1 -2 1\n"),
              "a.obj:2:7 a vertex that does not exist | 1 vertices stand above this line\n"
              "a.obj:3:5 a vertex that does not exist | 1 vertices stand above this line\n");
    EXPECT_EQ(error_of("v 0 0 0\n# x\nf 1 1 1\nf 1 2147483646 1\n"), "a.obj:4:5 a vertex that does not exist | the file has 1 vertices\n");
    EXPECT_EQ(error_of("v 0 0 0\nsurf 0 1\n"),
              "a.obj:2:1 not a line of a triangle mesh in Wavefront OBJ | lines start with `v`, `f`, `#` or a key that is skipped\n");
    EXPECT_EQ(error_of(""), "a.obj:0:0 the mesh has no facets | is it a Wavefront OBJ file?\n");
    EXPECT_EQ(error_of("v 1e300 0 0\n", 1e10),
              "a.obj:1:3 a coordinate that is not finite in units of 10000000000 m | is the unit right?\n");
    EXPECT_EQ(error_of("v 0 0 0\n", 0), ":0:0 the unit of `a.obj` is 0 m, but must be positive | \n");
}

TEST(MeshObj, CutsConvexPolygonsIntoTriangles) {
    // vertices may follow; the second facet has its corner 5 in the middle of a side, so that the fan must start elsewhere
    const geometry::RawMesh mesh =
        parse_obj("f 1 2 3 4\n\nf 1 4 6 5\nf 7 8 3 2\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 0 0\nv -2 0 0\nv 2 0 0\nv 2 1 1\n", "a.obj");
    EXPECT_EQ(mesh.facets, (std::vector<geometry::Corners>{{0, 1, 2}, {0, 2, 3}, {3, 5, 4}, {3, 4, 0}, {6, 7, 2}, {6, 2, 1}}));
    EXPECT_EQ(mesh.lines, (std::vector<std::int32_t>{1, 1, 3, 3, 4, 4}));
    EXPECT_EQ(geometry::make_surface(mesh).facets.size(), 6u);
    const std::string wrong = " corners that is not convex, or has no area | cut it into triangles; most modellers can (\"triangulate\")\n";
    const std::string points = "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nv 4 4 0\n";
    EXPECT_EQ(error_of(points + "f 1 2 3 4\n"), "a.obj:6:1 a facet with 4" + wrong) << "an arrow";
    EXPECT_EQ(error_of(points + "f 1 5 2 4\n"), "a.obj:6:1 a facet with 4" + wrong) << "a bow tie";
    EXPECT_EQ(error_of(points + "f 1 2 2 1\n"), "a.obj:6:1 a facet with 4" + wrong);
    EXPECT_EQ(error_of("v 1 0 0\nv 0.309 0.951 0\nv -0.809 0.588 0\nv -0.809 -0.588 0\nv 0.309 -0.951 0\nf 1 3 5 2 4\n"),
              "a.obj:6:1 a facet with 5" + wrong)
        << "a pentagram, which turns left everywhere";
}

TEST(MeshObj, WhatItWritesReadsBackToTheSameNumbers) {
    std::mt19937_64 random(seed);
    geometry::RawMesh mesh;
    for (int k = 0; k < 300; ++k)
        mesh.vertices.push_back({std::ldexp(static_cast<double>(random()), -40), -static_cast<double>(random() % 1000) / 3,
                                 1e-300 / static_cast<double>(1 + random() % 9)});
    for (std::int32_t k = 0; k < 298; ++k) mesh.facets.push_back({k, k + 1, k + 2});
    const std::string path = testing::TempDir() + "asperity_mesh_obj_test.obj";
    write_obj(path, mesh);
    const geometry::RawMesh back = read_obj(path);
    EXPECT_EQ(back.vertices, mesh.vertices);
    EXPECT_EQ(back.facets, mesh.facets);
    std::filesystem::remove(path);
    EXPECT_EQ(format_obj({{{1000, -500, 0.25}}, {{0, 0, 0}}}, 1000), "v 1 -0.5 0.00025\nf 1 1 1\n");
}

TEST(MeshObj, FilesThatCannotBeOpenedOrWritten) {
    try {
        read_obj("no/such/file.obj");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems[0].what, "cannot read the mesh");
        EXPECT_EQ(error.problems[0].file, "no/such/file.obj");
    }
    EXPECT_THROW(read_obj("/"), InputError);
    try {
        write_obj("no/such/folder/file.obj", {});
        FAIL();
    } catch (const RuntimeError& error) {
        EXPECT_STREQ(error.what(), "cannot write `no/such/folder/file.obj`: there is no folder `no/such/folder`");
    }
}

// Mutated, truncated and random files: an InputError or a mesh whose indices are in range; never a crash (run under asan too).
TEST(MeshObj, SurvivesHostileFiles) {
    const std::string sound =
        "# cube\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1 3 2\nf 1/1/1 2/2/2 4/4/4\nf -4//1 -1//1 -2//1\r\nf 2 3 4\n";
    const std::string spice = std::string("\n\r /-+.eE0123456789vfn#\\\xff\x80") + '\0';
    std::mt19937_64 random(seed);
    int refused = 0, read = 0;
    for (int k = 0; k < 20000; ++k) {
        std::string text = sound;
        if (k % 10 == 0) {
            text.clear();
            for (int i = 0; i < 200; ++i) text += static_cast<char>(random());
        }
        for (std::uint64_t i = 1 + random() % 4; i > 0; --i) {
            const std::size_t place = random() % text.size();
            switch (random() % 4) {
                case 0: text[place] = spice[random() % spice.size()]; break;
                case 1: text.insert(place, 1 + random() % 30, spice[random() % spice.size()]); break;
                case 2: text.erase(place, 1 + random() % 8); break;
                default: text.resize(place + 1);
            }
            if (text.empty()) text = "v";
        }
        try {
            const geometry::RawMesh mesh = parse_obj(text, "a.obj");
            for (const geometry::Corners& facet : mesh.facets)
                for (const std::int32_t v : facet) ASSERT_TRUE(v >= 0 && static_cast<std::size_t>(v) < mesh.vertices.size());
            ++read;
            geometry::make_surface(mesh);
        } catch (const InputError& error) {
            ASSERT_FALSE(error.problems.empty());
            ASSERT_LE(error.problems.size(), 20u);
            ++refused;
        }
    }
    EXPECT_GT(refused, 5000);
    EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace asperity::assets::mesh_obj_test
