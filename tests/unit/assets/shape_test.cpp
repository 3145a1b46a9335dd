#include "asperity/assets/shape.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace asperity::assets::shape_test {
namespace {

Problem problem_of(const std::string& name, const ShapeOptions& options = {}) {
    try {
        read_shape(name, options);
    } catch (const InputError& error) {
        return error.problems.front();
    }
    return {};
}

TEST(ReadShape, TakesBuiltinNamesAndFiles) {
    EXPECT_EQ(read_shape("kw4_beta", {.facets = 180}).facets.size(), 180u);
    EXPECT_EQ(read_shape("kw4_beta").facets.size(), 50'000u);
    const std::string file = testing::TempDir() + "read_shape_test.obj";
    std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    EXPECT_EQ(builtin_meant(file), nullptr);
    EXPECT_EQ(read_shape(file, {.unit = 1000}).vertices[1].x, 1000);
    EXPECT_EQ(problem_of(file, {.facets = 20}).what, fmt::format("`{}` has the facets that it has", file));
    std::filesystem::remove(file);
}

TEST(ReadShape, AFileOfThatNameWins) {
    const std::filesystem::path before = std::filesystem::current_path(), folder = std::filesystem::path(testing::TempDir()) / "read_shape";
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
    std::ofstream("itokawa") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    EXPECT_EQ(builtin_meant("itokawa"), nullptr);
    EXPECT_EQ(read_shape("itokawa").facets.size(), 1u);
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
    EXPECT_NE(builtin_meant("itokawa"), nullptr);
}

TEST(ReadShape, TellsWhatIsWrong) {
    const Problem slip = problem_of("itokava");
    EXPECT_EQ(slip.what, "there is neither a file nor a built-in shape `itokava`");
    EXPECT_EQ(slip.hint, "did you mean `itokawa`?");
    EXPECT_EQ(problem_of("itokava", {.facets = 80}).hint, slip.hint);
    EXPECT_EQ(problem_of("itokawa.obj").what, "cannot read the mesh");
    EXPECT_EQ(problem_of("itokawa", {.unit = 1000}).what, "the built-in shape `itokawa` is in metres");
}

}  // namespace
}  // namespace asperity::assets::shape_test
