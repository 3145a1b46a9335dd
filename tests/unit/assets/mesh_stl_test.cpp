#include "asperity/assets/mesh_stl.h"

#include <gtest/gtest.h>

#include <bit>

#include "unit/assets/bad_file.h"

namespace asperity::assets::mesh_stl_test {
namespace {

using geometry::Corners;
using geometry::RawMesh;
using test::error_of;

std::string error_in(const std::string& bytes) {
    return error_of([&] { parse_stl(bytes, "a.stl"); });
}

const RawMesh tetrahedron{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0.1}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {2, 1, 3}}};

std::string binary(const RawMesh& mesh, const std::string& head = {}) {
    std::string bytes = head + std::string(80 - head.size(), ' ');
    const auto append = [&](std::uint32_t bits) {
        for (int k = 0; k < 4; ++k) bytes += static_cast<char>(bits >> 8 * k & 255);
    };
    append(static_cast<std::uint32_t>(mesh.facets.size()));
    for (const Corners& facet : mesh.facets) {
        bytes += std::string(12, '\x7f');  // normals are not read: these are not even numbers
        for (const std::int32_t v : facet) {
            const Vec3& place = mesh.vertices[static_cast<std::size_t>(v)];
            for (const double x : {place.x, place.y, place.z}) append(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
        }
        bytes += "ab";
    }
    return bytes;
}

const std::string one_facet =
    "solid a b\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n endfacet\nendsolid a b\n";

TEST(MeshStl, ReadsTextAndBinaryAndMergesEqualCorners) {
    const RawMesh text = parse_stl(format_stl(tetrahedron), "a.stl");
    EXPECT_EQ(text.vertices, tetrahedron.vertices);
    EXPECT_EQ(text.facets, tetrahedron.facets);
    EXPECT_EQ(text.lines, (std::vector<std::int32_t>{2, 9, 16, 23}));
    // "solid" at the head of a binary file, as some programs write it
    for (const char* head : {"", "solid of bytes"}) {
        const RawMesh bytes = parse_stl(binary(tetrahedron, head), "a.stl", 1000);
        EXPECT_EQ(bytes.facets, tetrahedron.facets);
        EXPECT_EQ(bytes.vertices[3], (Vec3{0, 0, 1000 * static_cast<double>(0.1f)}));
        EXPECT_TRUE(bytes.lines.empty());
    }
}

// By bits, without tolerance; -0 is 0. A facet with two equal corners stays, for others to name.
TEST(MeshStl, MergesByBitsOnly) {
    std::string text = one_facet;
    text.replace(text.find("1 0 0"), 5, "0 0.0 0e5");
    text.replace(text.find("0 0 0"), 5, "-0 -0.0 -0");
    const RawMesh mesh = parse_stl(text + one_facet, "a.stl");
    EXPECT_EQ(mesh.facets, (std::vector<Corners>{{0, 0, 1}, {0, 2, 1}}));
    EXPECT_FALSE(std::signbit(mesh.vertices[0].x));
    text = one_facet;
    text.replace(text.find("1 0 0"), 5, "1.0000000000000002 0 0");
    EXPECT_EQ(parse_stl(text + one_facet, "a.stl").vertices.size(), 4u);
}

TEST(MeshStl, NamesWhatIsWrong) {
    const auto with = [](const std::string& from, const std::string& to) {
        std::string text = one_facet;
        return text.replace(text.find(from), from.size(), to);
    };
    const std::string order = " | this is the order of the lines of an STL file\n";
    EXPECT_EQ(error_in(with(" facet normal", " facett normal")), "a.stl:2:2 expected `facet normal` or `endsolid`" + order);
    EXPECT_EQ(error_in(with("outer loop", "outer hoop")), "a.stl:3:3 expected `outer loop`" + order);
    EXPECT_EQ(error_in(with("   vertex 0 1 0\n", "")), "a.stl:6:3 expected `vertex`" + order);
    EXPECT_EQ(error_in(with("endfacet", "vertex 1 1 1")), "a.stl:8:2 expected `endfacet`" + order);
    EXPECT_EQ(error_in(with("0 1 0\n", "0 1 0\nvertex 1 1 1\n")),
              "a.stl:7:1 a facet with more than three corners | a facet has three lines `vertex x y z`\n");
    EXPECT_EQ(error_in(with("0 1 0", "0 1")), "a.stl:6:4 a vertex without three numbers | a facet has three lines `vertex x y z`\n");
    EXPECT_EQ(error_in(with("0 1 0", "0 inf 0")), "a.stl:6:13 not a finite number | write for example `0.125`\n");
    EXPECT_EQ(error_in(with("endsolid a b\n", "")), "a.stl:8:1 the file ends before `endsolid` | is it cut off?\n");
    EXPECT_EQ(error_in("solid\nendsolid\n"), "a.stl:0:0 the mesh has no facets | is it an STL file?\n");
    EXPECT_EQ(error_in("garbage"),
              "a.stl:0:0 not an STL file: 7 bytes that do not begin with `solid` | is it cut off, or of another kind?\n");
    const std::string whole = binary(tetrahedron);
    EXPECT_EQ(
        error_in(whole.substr(0, 200)),
        "a.stl:0:0 200 bytes, but a binary STL file of 4 facets, as bytes 80 to 83 say, has 284 | is it cut off, or of another kind?\n");
    std::string bent = whole;
    bent.replace(80, 4, "\xff\xff\xff\xff");
    EXPECT_EQ(
        error_in(bent),
        "a.stl:0:0 284 bytes, but a binary STL file of 4294967295 facets, as bytes 80 to 83 say, has 214748364834 | is it cut off, or of "
        "another kind?\n");
    bent = whole;
    bent.replace(84 + 50 + 24, 4, std::string("\0\0\xc0\x7f", 4));
    EXPECT_EQ(error_in(bent),
              "a.stl:0:0 facet 2 has a corner that is not finite, at byte 158 | every coordinate must be a finite number\n");
}

TEST(MeshStl, SurvivesHostileFiles) {
    const auto parse = [](const std::string& text) { return parse_stl(text, "a.stl"); };
    const test::Survived text = test::survive(format_stl(tetrahedron), "\n\r -+.e0123456789vfs\xff", 20000, parse);
    EXPECT_GT(text.read, 500);
    EXPECT_GT(text.refused, 5000);
    const test::Survived bytes = test::survive(binary(tetrahedron), std::string_view("\0\xff\x7f\x80\x01", 5), 20000, parse);
    EXPECT_GT(bytes.read, 500);
    EXPECT_GT(bytes.refused, 5000);
}

}  // namespace
}  // namespace asperity::assets::mesh_stl_test
