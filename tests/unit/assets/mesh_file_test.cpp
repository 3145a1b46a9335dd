#include "asperity/assets/mesh_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "asperity/assets/mesh_obj.h"
#include "asperity/assets/mesh_ply.h"
#include "asperity/assets/mesh_stl.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/mass_properties.h"
#include "unit/assets/bad_file.h"
#include "unit/geometry/shapes.h"

namespace asperity::assets::mesh_file_test {
namespace {

using geometry::RawMesh;

TEST(MeshFile, ContentDecidesThenTheNameThenTheFirstLine) {
    const RawMesh cube = geometry::test::cube();
    const std::string ply = format_ply(cube), stl = format_stl(cube), obj = format_obj(cube);
    EXPECT_EQ(mesh_format(ply, "a.obj"), MeshFormat::ply);
    EXPECT_EQ(mesh_format(stl, "a"), MeshFormat::stl);
    EXPECT_EQ(mesh_format(std::string(80, 's') + std::string(4, '\0'), "a.obj"), MeshFormat::stl);
    EXPECT_EQ(mesh_format(obj, "a.obj"), MeshFormat::obj);
    EXPECT_EQ(mesh_format(obj, "a.OBJ"), MeshFormat::obj);
    EXPECT_EQ(mesh_format(obj, "a.TAB"), MeshFormat::pds);
    EXPECT_EQ(mesh_format("# hello\n\n" + obj, "a"), MeshFormat::obj);
    EXPECT_EQ(mesh_format(" 8 12\n 1 0 0 0\n", "a.txt"), MeshFormat::pds);
    for (const std::string& text : {std::string{}, std::string("[world]\n"), std::string("\x01\x02\x03\0", 4)})
        EXPECT_EQ(
            test::error_of([&] { mesh_format(text, "a.toml"); }),
            "a.toml:0:0 not a mesh of a kind that is read | Wavefront OBJ (.obj), PLY (.ply), STL (.stl) and PDS plate tables (.tab, .plt) "
            "are\n");
}

TEST(MeshFile, WritesByTheEndingOfTheName) {
    EXPECT_EQ(test::error_of([] { check_mesh_name("a.tab"); }),
              ":0:0 `a.tab` is not the name of a mesh that can be written | end it in .obj, .ply or .stl\n");
    EXPECT_THROW(check_mesh_name("a.b.txt"), InputError);
    for (const char* name : {"a", "a.obj", "a.PLY", "a.b/c", "a.stl", "/dev/full"}) EXPECT_NO_THROW(check_mesh_name(name)) << name;
}

// Corners of all facets by their coordinates: what a format that renumbers vertices must keep.
std::vector<Vec3> soup(const RawMesh& mesh) {
    std::vector<Vec3> list;
    for (const geometry::Corners& facet : mesh.facets)
        for (const std::int32_t v : facet) list.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    return list;
}

TEST(MeshFile, RoundTripsKeepEveryBit) {
    const std::string folder = testing::TempDir();
    for (const RawMesh& mesh : {geometry::test::cube(), geometry::test::ball(4, 0.7, 1.3)}) {
        RawMesh now = mesh;
        for (const char* name : {"asperity_trip.obj", "asperity_trip.ply", "asperity_trip.stl", "asperity_trip2.obj"}) {
            const std::string path = folder + name;
            write_mesh(path, now);
            now = read_mesh(path);
            std::filesystem::remove(path);
            EXPECT_EQ(soup(now), soup(mesh)) << name;
            EXPECT_EQ(now.vertices.size(), mesh.vertices.size()) << name;
        }
    }
}

// Volumes of the README of the shared data, in km^3, to the digits given there.
TEST(MeshFile, ReadsTheShapesOfTheSharedData) {
    struct Known {
        const char* file;
        std::size_t vertices, facets;
        double volume, rounding;
    };
    int found = 0;
    for (const Known& known : {Known{"itokawa_f49152.obj", 24578, 49152, 0.017786, 5e-7}, Known{"itokawa_8.obj", 386, 768, 0, 0},
                               Known{"itokawa_16.obj", 1538, 3072, 0, 0}, Known{"itokawa_32.obj", 6146, 12288, 0, 0},
                               Known{"kw4_alpha.obj", 4586, 9168, 1.19531, 5e-6}, Known{"kw4_beta.obj", 1148, 2292, 0.048035, 5e-7},
                               Known{"eros007790.tab", 3897, 7790, 0, 0}, Known{"67p.obj", 2895, 5786, 0, 0}}) {
        const std::string path = geometry::test::data_file(std::string("shapes/") + known.file);
        if (path.empty()) continue;
        ++found;
        const RawMesh mesh = read_mesh(path, 1000);
        EXPECT_EQ(mesh.vertices.size(), known.vertices) << known.file;
        EXPECT_EQ(mesh.facets.size(), known.facets) << known.file;
        const geometry::SurfaceMesh surface = geometry::make_closed_surface(mesh);
        const double volume = geometry::mass_properties(surface).volume / 1e9;
        if (known.rounding > 0) {
            EXPECT_NEAR(volume, known.volume, known.rounding) << known.file;
        }
        EXPECT_EQ(surface.vertices.size() + surface.facets.size(), surface.edges.size() + 2) << known.file << ": Euler";
    }
    if (found == 0) GTEST_SKIP() << "skipped: the shapes of the shared data are not here (ASPERITY_DATA names their folder)";
    EXPECT_EQ(found, 8);
}

}  // namespace
}  // namespace asperity::assets::mesh_file_test
