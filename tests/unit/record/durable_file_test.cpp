#include "asperity/record/durable_file.h"

#include <gtest/gtest.h>

#include <optional>

#include "asperity/core/errors.h"
#include "asperity/record/text_file.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::record::durable_file_test {
namespace {

namespace fs = std::filesystem;
using test::fresh_folder;

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

TEST(PartFile, TakesItsPlaceAtOnceOrNotAtAll) {
    const fs::path folder = fresh_folder("part");
    write_text_file(folder / "a", "old");
    {
        PartFile part(folder / "a");
        write_text_file(folder / "dropped", "");
        EXPECT_EQ(part.path(), folder / "a.part");
        EXPECT_EQ(read_text_file(folder / "a"), "old");
    }
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"a", "dropped"}));
    EXPECT_EQ(read_text_file(folder / "a"), "old");
    PartFile part(folder / "a");
    fs::resize_file(part.path(), 7);
    part.put();
    EXPECT_FALSE(part.is_held());
    EXPECT_EQ(read_text_file(folder / "a"), std::string(7, '\0'));
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"a", "dropped"}));
}

TEST(PartFile, ACopyTakesThePlaceWhileThePartGoesOn) {
    const fs::path folder = fresh_folder("part_copy");
    PartFile part(folder / "a");
    fs::resize_file(part.path(), 3'000'000);  // more than one block, whoever copies
    const fs::path copy = part.make_copy();
    EXPECT_FALSE(fs::exists(folder / "a"));
    EXPECT_EQ(fs::file_size(copy), 3'000'000u);
    part.put_copy();
    fs::resize_file(part.path(), 5);
    EXPECT_EQ(fs::file_size(folder / "a"), 3'000'000u);
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"a", "a.part"}));
}

TEST(PartFile, IsOneProcessesAtATime) {
    const fs::path folder = fresh_folder("part_lock");
    std::optional<PartFile> first(std::in_place, folder / "a");
    const PartFile moved(std::move(*first));
    EXPECT_FALSE(first->is_held());
    first.reset();  // the one that it was moved to holds on
    try {
        PartFile second(folder / "a");
        FAIL() << "two at a time";
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems.front().what, "another run is writing into " + folder.string());
        EXPECT_EQ(error.problems.front().hint, "wait until it is done, or give another folder with --out");
    }
    EXPECT_TRUE(fs::exists(folder / "a.part"));
    EXPECT_NO_THROW(PartFile(folder / "b"));
}

TEST(PartFile, WhatAKilledProcessLeftIsTakenOver) {
    const fs::path folder = fresh_folder("part_left");
    write_text_file(folder / "a.part", "left");
    write_text_file(folder / "a.part.copy", "left");
    { PartFile part(folder / "a"); }
    EXPECT_EQ(names_in(folder), std::vector<std::string>{});
}

TEST(PartFile, APlaceThatCannotBeTakenIsFoundOutAtOnce) {
    const fs::path folder = fresh_folder("part_refused");
    fs::create_directory(folder / "a");
    EXPECT_THROW(PartFile(folder / "a"), RuntimeError);
    write_text_file(folder / "file", "");
    EXPECT_THROW(PartFile(folder / "file" / "a"), RuntimeError);
    fs::create_directory(folder / "b.part");
    EXPECT_THROW(PartFile(folder / "b"), RuntimeError);
}

}  // namespace
}  // namespace asperity::record::durable_file_test
