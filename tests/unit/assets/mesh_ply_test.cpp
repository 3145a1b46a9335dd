#include "asperity/assets/mesh_ply.h"

#include <gtest/gtest.h>

#include <bit>

#include "unit/assets/bad_file.h"

namespace asperity::assets::mesh_ply_test {
namespace {

using geometry::Corners;
using geometry::RawMesh;
using test::error_of;

std::string error_in(const std::string& bytes) {
    return error_of([&] { parse_ply(bytes, "a.ply"); });
}

// A number byte by byte, by shifts: not by the code under test.
template <class Number>
std::string bytes_of(Number value, bool is_little) {
    std::uint64_t bits = 0;
    if constexpr (std::is_same_v<Number, float>)
        bits = std::bit_cast<std::uint32_t>(value);
    else if constexpr (std::is_same_v<Number, double>)
        bits = std::bit_cast<std::uint64_t>(value);
    else
        bits = static_cast<std::uint64_t>(value);
    std::string text;
    for (std::size_t k = 0; k < sizeof value; ++k) {
        const std::size_t shift = 8 * (is_little ? k : sizeof value - 1 - k);
        text += static_cast<char>(bits >> shift & 255);
    }
    return text;
}

const std::string ascii_head =
    "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nelement vertex 5\r\nproperty float nx\r\nproperty double z\r\nproperty int x\r\n"
    "property list uchar float extra\r\nproperty float y\r\nelement edge 1\r\nproperty int a\r\nelement face 2\r\nproperty uchar red\r\n"
    "property list uchar int vertex_index\r\nend_header\r\n";

TEST(MeshPly, ReadsTextInAnyOrderOfProperties) {
    const RawMesh mesh = parse_ply(
        ascii_head + "nan 0.5 1 2 9 9 +2\n0 0 0 0 0\n0 0 1 0 0\n\n0 0 1 1 7 1\n0 0 0 0 1\n77\n255 3 0 1 2\n0 4 1 2 3 4\n", "a.ply", 1000);
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{1000, 2000, 500}, {0, 0, 0}, {1000, 0, 0}, {1000, 1000, 0}, {0, 1000, 0}}));
    EXPECT_EQ(mesh.facets, (std::vector<Corners>{{0, 1, 2}, {1, 2, 3}, {1, 3, 4}}));
    EXPECT_EQ(mesh.lines, (std::vector<std::int32_t>{23, 24, 24}));
}

// Faces before vertices, lists and elements to skip, each integer type.
template <class Count, class Index>
void read_binary(bool is_little, const char* count_type, const char* index_type) {
    std::string bytes = fmt::format(
        "ply\nformat binary_{}_endian 1.0\nelement face 2\nproperty list {} {} vertex_indices\nproperty short flag\nelement skip 1\n"
        "property list uint8 float64 values\nelement vertex 4\nproperty uchar red\nproperty double x\nproperty float y\nproperty short "
        "z\nend_header\n",
        is_little ? "little" : "big", count_type, index_type);
    for (const auto& ring : {std::vector<int>{0, 1, 2}, std::vector<int>{0, 1, 2, 3}}) {
        bytes += bytes_of(static_cast<Count>(ring.size()), is_little);
        for (const int v : ring) bytes += bytes_of(static_cast<Index>(v), is_little);
        bytes += bytes_of(std::int16_t{-5}, is_little);
    }
    bytes += bytes_of(std::uint8_t{2}, is_little) + bytes_of(1.0, is_little) + bytes_of(2.0, is_little);
    for (const Vec3& v : {Vec3{0.1, -2, -3}, Vec3{4, -2, -3}, Vec3{4, 1.5, -3}, Vec3{0.1, 1.5, -3}})
        bytes += "r" + bytes_of(v.x, is_little) + bytes_of(static_cast<float>(v.y), is_little) +
                 bytes_of(static_cast<std::int16_t>(v.z), is_little);
    const RawMesh mesh = parse_ply(bytes, "a.ply");
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0.1, -2, -3}, {4, -2, -3}, {4, 1.5, -3}, {0.1, 1.5, -3}}));
    EXPECT_EQ(mesh.facets, (std::vector<Corners>{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}}));
    EXPECT_TRUE(mesh.lines.empty());
    for (std::size_t size = bytes.find("end_header") + 11; size < bytes.size(); ++size)
        EXPECT_THROW(parse_ply(std::string_view(bytes).substr(0, size), "a.ply"), InputError) << "cut off at " << size;
}

TEST(MeshPly, ReadsBinaryOfEitherByteOrderAndEveryIntegerType) {
    for (const bool is_little : {true, false}) {
        read_binary<std::uint8_t, std::int32_t>(is_little, "uchar", "int");
        read_binary<std::int8_t, std::uint32_t>(is_little, "char", "uint32");
        read_binary<std::uint16_t, std::uint8_t>(is_little, "ushort", "uint8");
        read_binary<std::int16_t, std::int8_t>(is_little, "int16", "char");
        read_binary<std::uint32_t, std::int16_t>(is_little, "uint", "short");
        read_binary<std::int32_t, std::uint16_t>(is_little, "int32", "uint16");
    }
}

TEST(MeshPly, NamesWhatIsWrongInTheHeader) {
    EXPECT_EQ(error_in(""), "a.ply:0:0 the header of the PLY file has no end | it ends with the line `end_header`; is the file cut off?\n");
    EXPECT_EQ(error_in("v 0 0 0\n"), "a.ply:1:1 not a PLY file | its first line is `ply`\n");
    EXPECT_EQ(error_in("ply\nformat ascii 2.0\nelement vertex\nproperty float x\nelement vertex -1\nnonsense\nend_header\n"),
              "a.ply:2:8 not a format of PLY | write `format ascii 1.0`, binary_little_endian or binary_big_endian\n"
              "a.ply:3:9 not an element of a PLY file | write for example `element vertex 8`\n"
              "a.ply:4:16 not a property of an element | write for example `property float x` or `property list uchar int vertex_indices`, "
              "below its element\n"
              "a.ply:5:16 not an element of a PLY file | write for example `element vertex 8`\n"
              "a.ply:6:1 not a line of the header of a PLY file | known here: format, element, property, comment, end_header\n");
    EXPECT_EQ(error_in("ply\nend_header\n"),
              "a.ply:0:0 the header has no line `format` | write for example `format ascii 1.0`\n"
              "a.ply:0:0 the header declares no vertices with x, y and z | it needs `element vertex` with these three properties\n"
              "a.ply:0:0 the header declares no faces with vertex_indices | it needs `element face` with a list of vertex numbers\n");
    EXPECT_EQ(error_in("ply\nformat ascii 1.0\nelement face 1\nproperty list uchar float vertex_indices\nend_header\n"),
              "a.ply:4:21 vertex numbers that are not whole | give them an integer type\n");
}

std::string binary_head(std::int64_t vertices, std::int64_t faces) {
    return fmt::format(
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\nelement face {}\n"
        "property list uchar int vertex_indices\nend_header\n",
        vertices, faces);
}

TEST(MeshPly, BelievesNoCountThatTheFileCannotHold) {
    EXPECT_EQ(
        error_in(binary_head(4000000000000, 1) + std::string(47, '\0')),
        "a.ply:3:1 4000000000000 rows of `vertex` are promised, but the file has room for 4 at most | is the file cut off, or its header "
        "wrong?\n");
    EXPECT_EQ(
        error_in("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement face 0\n"
                 "property list uchar int vertex_indices\nelement nothing 9000000000000000000\nend_header\n"),
        "a.ply:9:1 9000000000000000000 rows of `nothing` are promised, but the file has room for 0 at most | is the file cut off, or its "
        "header wrong?\n");
    std::string skipped = binary_head(0, 0);
    skipped.insert(skipped.find("end_header"), "element more 1\nproperty list uint double values\n");
    EXPECT_EQ(
        error_in(skipped + "\xff\xff\xff\xff"),
        fmt::format(
            "a.ply:0:0 a list of 4294967295 values, where the file has room for 0, at byte {} | is the file cut off, or the byte order "
            "wrong?\n",
            skipped.size()));
}

TEST(MeshPly, NamesWhatIsWrongInTheRows) {
    const std::string head =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 2\n"
        "property list uchar int vertex_indices\nend_header\n";
    EXPECT_EQ(error_in(head + "0 0 nan\n1 0\n0 1 0 5\n3 0 1 x\n2 0 1\n"),
              "a.ply:10:5 not a finite number | write for example `0.125`\n"
              "a.ply:11:1 a row with too few numbers | write for example `0.125`\n"
              "a.ply:12:7 a row with too many numbers | one row of an element is one line\n"
              "a.ply:13:7 not the number of a vertex | write a whole number; vertices count from 0\n"
              "a.ply:14:1 a facet with 2 corners | a facet has at least three\n");
    const std::string points = "0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_EQ(error_in(head + points + "3 0 1 2\n"), "a.ply:13:1 the file ends after 1 of 2 rows of `face` | is it cut off?\n");
    EXPECT_EQ(error_in(head + points + "3 0 1 3\n3 -1 0 1\n"),
              "a.ply:13:1 a vertex that does not exist | the file has 3 vertices, counted from 0\n"
              "a.ply:14:1 a vertex that does not exist | the file has 3 vertices, counted from 0\n");
    EXPECT_EQ(error_in(head + points + "3 0 1 2\n4 0 1 2 0\n"),
              "a.ply:14:1 a facet with 4 corners that is not convex, or has no area | cut it into triangles; most modellers can "
              "(\"triangulate\")\n");
    const std::string nan = "\x01\x01\xc0\x7f";
    EXPECT_EQ(
        error_in(binary_head(2, 0) + std::string(16, '\0') + nan + std::string(4, '\0')),
        fmt::format("a.ply:0:0 vertex 2 has a coordinate that is not finite, at byte {} | every coordinate must be a finite number; is the "
                    "byte order right?\n",
                    binary_head(2, 0).size() + 16));
    EXPECT_EQ(error_in(binary_head(1, 0) + std::string(12, '\0')), "a.ply:0:0 the mesh has no facets | it may be a cloud of points\n");
}

TEST(MeshPly, WhatItWritesReadsBackToTheSameBits) {
    std::mt19937_64 random(11);
    RawMesh mesh;
    for (int k = 0; k < 300; ++k) mesh.vertices.push_back({std::ldexp(static_cast<double>(random()), -70), -1.0 / 3, 1e-300});
    for (std::int32_t k = 0; k < 298; ++k) mesh.facets.push_back({k, k + 1, k + 2});
    const RawMesh back = parse_ply(format_ply(mesh), "a.ply");
    EXPECT_EQ(back.vertices, mesh.vertices);
    EXPECT_EQ(back.facets, mesh.facets);
    EXPECT_EQ(parse_ply(format_ply({{{2000, 0, 0}}, {{0, 0, 0}}}, 1000), "a.ply").vertices[0].x, 2);
}

TEST(MeshPly, SurvivesHostileFiles) {
    const auto parse = [](const std::string& text) { return parse_ply(text, "a.ply"); };
    const std::string text = ascii_head + "0 0.5 1 2 9 9 2\n0 0 0 0 0\n0 0 1 0 0\n0 0 1 1 7 1\n0 0 0 0 1\n77\n255 3 0 1 2\n0 4 1 2 3 4\n";
    const test::Survived ascii = test::survive(text, "\n\r -+.e0123456789xyz\xff", 20000, parse);
    EXPECT_GT(ascii.read, 500);
    EXPECT_GT(ascii.refused, 5000);
    const std::string binary = format_ply({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
    const test::Survived bytes = test::survive(binary, std::string_view("\0\xff\x7f\x80\n 0123456789", 16), 20000, parse);
    EXPECT_GT(bytes.read, 500);
    EXPECT_GT(bytes.refused, 5000);
}

}  // namespace
}  // namespace asperity::assets::mesh_ply_test
