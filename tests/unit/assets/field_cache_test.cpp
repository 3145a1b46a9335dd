#include "asperity/assets/field_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "asperity/core/errors.h"
#include "unit/geometry/shapes.h"

namespace asperity::assets::test::field_cache_test {
namespace {

namespace fs = std::filesystem;
constexpr gravity::FastFieldOptions rough{.tolerance = 0.1};  // quickly built

class FieldCache : public testing::Test {
protected:
    void SetUp() override {
        folder = fs::path(testing::TempDir()) / ("field_cache_" + std::to_string(::getpid()));
        fs::remove_all(folder);
        ::setenv("ASPERITY_CACHE", folder.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("ASPERITY_CACHE");
        fs::remove_all(folder);
    }

    fs::path file() const { return field_path(folder, mesh, rough); }
    void expect_works(const LoadedField& loaded) const {
        const gravity::FieldSample sample = loaded.field.view().sample({10, 0, 0});
        EXPECT_NEAR(sample.potential, 0.8, 0.08);  // a cube of side 2 is nearly a point there
        EXPECT_LT(sample.acceleration.x, 0);
    }
    void change_byte(std::uint64_t place) const {
        std::fstream stream(file(), std::ios::binary | std::ios::in | std::ios::out);
        stream.seekg(static_cast<std::streamoff>(place));
        const char byte = static_cast<char>(stream.get() ^ 1);
        stream.seekp(static_cast<std::streamoff>(place));
        stream.put(byte);
    }

    fs::path folder;
    geometry::SurfaceMesh mesh = geometry::make_surface(geometry::test::cube());
};

TEST_F(FieldCache, BuildsOnceAndFindsTheSameBytes) {
    int told = 0;
    const LoadedField first = load_field(mesh, rough, [&](double) { ++told; });
    EXPECT_FALSE(first.was_cached);
    EXPECT_TRUE(first.warnings.empty());
    EXPECT_GT(told, 0);
    expect_works(first);
    EXPECT_EQ(fs::file_size(file()), first.field.view().header->bytes);

    const LoadedField second = load_field(mesh, rough, [](double) { FAIL() << "built again"; });
    EXPECT_TRUE(second.was_cached);
    EXPECT_TRUE(second.warnings.empty());
    const gravity::FastField built = gravity::FastField::build(mesh, rough);
    ASSERT_EQ(built.bytes().size(), second.field.bytes().size());
    EXPECT_TRUE(std::equal(built.bytes().begin(), built.bytes().end(), second.field.bytes().begin()));
    int files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++files;
    EXPECT_EQ(files, 1) << "a temporary file is left";
}

TEST_F(FieldCache, MeshAndOptionsNameTheFile) {
    const fs::path name = file();
    EXPECT_NE(name, field_path(folder, mesh, {.tolerance = 0.05}));
    EXPECT_NE(name, field_path(folder, mesh, {.tolerance = 0.1, .depth_inside = 0.1}));
    geometry::RawMesh other = geometry::test::cube();
    other.vertices[0].x = -1.0000000000000002;
    EXPECT_NE(name, field_path(folder, geometry::make_surface(other), rough));
    EXPECT_EQ(name, field_path(folder, geometry::make_surface(geometry::test::cube()), rough));
}

TEST_F(FieldCache, ADamagedFileIsBuiltAgain) {
    load_field(mesh, rough);
    const std::uint64_t size = fs::file_size(file());
    for (const std::uint64_t place : {std::uint64_t{3}, std::uint64_t{50}, size / 2, size - 1}) {
        change_byte(place);
        const LoadedField loaded = load_field(mesh, rough);
        EXPECT_FALSE(loaded.was_cached) << place;
        ASSERT_EQ(loaded.warnings.size(), 1U) << place;
        EXPECT_TRUE(loaded.warnings[0].ends_with("it is built again")) << loaded.warnings[0];
        expect_works(loaded);
        EXPECT_TRUE(load_field(mesh, rough).was_cached) << place;
    }
}

// A bound that the proof cannot give is refused, and the message says which one it can.
TEST_F(FieldCache, ABoundThatIsNotProvenIsRefused) {
    load_field(mesh, rough);
    // no small shape misses its bound: the file of one that does
    gravity::FastField field = gravity::FastField::build(mesh, rough);
    gravity::FastFieldHeader header = *field.view().header;
    header.bound = 0.25;
    std::memcpy(field.writable_bytes().data(), &header, sizeof(header));
    gravity::set_field_checksum(field.bytes(), header.checksum);
    std::memcpy(field.writable_bytes().data(), &header, sizeof(header));
    std::ofstream(file(), std::ios::binary)
        .write(reinterpret_cast<const char*>(field.bytes().data()), static_cast<std::streamsize>(field.bytes().size()));
    try {
        load_field(mesh, rough);
        FAIL() << "taken";
    } catch (const InputError& error) {
        ASSERT_EQ(error.problems.size(), 1u);
        EXPECT_EQ(error.problems[0].what,
                  "the error of the fast field of this shape is proven to 0.25 of local gravity, not to the bound of 0.1");
        EXPECT_EQ(error.problems[0].hint, "ask for a bound of 0.26 or more, or for the exact sum");
    }
}

TEST_F(FieldCache, AFileThatIsCutShortIsBuiltAgain) {
    load_field(mesh, rough);
    const std::uint64_t size = fs::file_size(file());
    for (const std::uint64_t left : {size - 1, size / 2, std::uint64_t{10}, std::uint64_t{0}}) {
        fs::resize_file(file(), left);
        const LoadedField loaded = load_field(mesh, rough);
        ASSERT_EQ(loaded.warnings.size(), 1U) << left;
        EXPECT_EQ(loaded.warnings[0], file().string() + (left > 0 ? " is cut short" : " cannot be read") + ": it is built again");
        expect_works(loaded);
        EXPECT_EQ(fs::file_size(file()), size);
    }
}

TEST_F(FieldCache, AFolderThatCannotBeMadeOnlyMeansNoCache) {
    std::ofstream(folder) << "a file where the folder should be";
    const LoadedField loaded = load_field(mesh, rough);
    EXPECT_FALSE(loaded.was_cached);
    ASSERT_EQ(loaded.warnings.size(), 1U);
    EXPECT_EQ(loaded.warnings[0], "the gravity field is not kept for the next time in " + folder.string() +
                                      ": Not a directory (ASPERITY_CACHE names another folder)");
    expect_works(loaded);
}

TEST_F(FieldCache, AFieldStaysWhereItIsWhenItIsMoved) {
    gravity::FastField field = load_field(mesh, rough).field;
    const gravity::FastFieldView view = field.view();
    const gravity::FastField moved = std::move(field);
    EXPECT_EQ(moved.view().header, view.header);
}

TEST_F(FieldCache, ABuildThatIsStoppedLeavesNothing) {
    struct Enough {};
    for (const double when : {0.0, 0.1, 0.5, 0.98})
        EXPECT_THROW(load_field(mesh, rough,
                                [&](double done) {
                                    if (done >= when) throw Enough{};
                                }),
                     Enough);
    EXPECT_FALSE(fs::exists(folder));
}

TEST_F(FieldCache, ANewFieldReplacesThoseThatWereNotUsedForTheLongestTime) {
    const auto options = [](int i) { return gravity::FastFieldOptions{.tolerance = 0.1, .depth_inside = 0.01 * i}; };
    const auto is_kept = [&](int i) { return fs::exists(field_path(folder, mesh, options(i))); };
    std::uintmax_t size = 0;
    for (int i = 0; i < 3; ++i) {
        size += load_field(mesh, options(i)).field.bytes().size();
        fs::last_write_time(field_path(folder, mesh, options(i)), fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
    }
    EXPECT_TRUE(load_field(mesh, options(0)).was_cached);  // the oldest is used again
    std::ofstream(folder / "field-0123.bin.abcdef") << "left by a process that was killed";
    fs::last_write_time(folder / "field-0123.bin.abcdef", fs::file_time_type::clock::now() - std::chrono::hours(2));
    std::ofstream(folder / "notes.txt") << "not ours";
    ::setenv("ASPERITY_CACHE_SIZE", std::to_string(size).c_str(), 1);
    load_field(mesh, options(3));
    EXPECT_TRUE(is_kept(3) && is_kept(0));
    EXPECT_FALSE(is_kept(1)) << "the one that was not used for the longest time";
    EXPECT_FALSE(fs::exists(folder / "field-0123.bin.abcdef"));
    const std::vector<CachedField> fields = cached_fields(folder);
    EXPECT_EQ(fields.front().path, field_path(folder, mesh, options(3)));
    EXPECT_EQ(fields.front().facets, mesh.facets.size());
    std::uintmax_t total = 0;
    for (const CachedField& field : fields) total += field.bytes;
    EXPECT_LE(total, size);
    EXPECT_EQ(clear_cached_fields(folder), fields.size());
    EXPECT_TRUE(fs::exists(folder / "notes.txt"));
    ::unsetenv("ASPERITY_CACHE_SIZE");
}

TEST_F(FieldCache, TheEnvironmentBoundsIt) {
    EXPECT_EQ(field_cache_limit(), std::uintmax_t{4} << 30);
    for (const auto& [text, bytes] : {std::pair{"1000", 1000u}, {"2 kB", 2000u}, {"2KiB", 2048u}, {"0.5 GB", 500000000u}, {"0", 0u}}) {
        ::setenv("ASPERITY_CACHE_SIZE", text, 1);
        EXPECT_EQ(field_cache_limit(), bytes) << text;
    }
    const LoadedField loaded = load_field(mesh, rough);  // the last one: nothing is kept
    ASSERT_EQ(loaded.warnings.size(), 1u);
    EXPECT_NE(loaded.warnings[0].find("bytes, and ASPERITY_CACHE_SIZE allows 0"), std::string::npos) << loaded.warnings[0];
    EXPECT_FALSE(fs::exists(file()));
    for (const char* text : {"lots", "4 GiBs", "-1", "1e99"}) {
        ::setenv("ASPERITY_CACHE_SIZE", text, 1);
        EXPECT_THROW(load_field(mesh, rough), InputError) << text;
    }
    ::unsetenv("ASPERITY_CACHE_SIZE");
}

TEST_F(FieldCache, TheEnvironmentNamesTheFolder) {
    EXPECT_EQ(field_folder(), folder);
    ::unsetenv("ASPERITY_CACHE");
    ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
    EXPECT_EQ(field_folder(), "/somewhere/asperity");
    ::unsetenv("XDG_CACHE_HOME");
    const std::string home = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
    ::setenv("HOME", "/anywhere", 1);
    EXPECT_EQ(field_folder(), "/anywhere/.cache/asperity");
    ::unsetenv("HOME");
    EXPECT_EQ(field_folder(), "");
    if (!home.empty()) ::setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace asperity::assets::test::field_cache_test
