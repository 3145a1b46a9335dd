// While a run goes on, a whole record stands in its place; how often it was put there leaves no trace in the finished one.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limits>

#include "asperity/core/errors.h"
#include "asperity/record/text_file.h"
#include "asperity/record/writer.h"
#include "unit/record/bouncing_ball.h"
#include "unit/record/write_record.h"

namespace asperity::record::publish_test {
namespace {

namespace fs = std::filesystem;
using test::bouncing_record;
using test::fresh_folder;

constexpr double infinity = std::numeric_limits<double>::infinity();
const Publishing always{.least_pause = 0, .most_part = infinity};
const Publishing never{.least_pause = infinity};

void add_all(RecordWriter& writer, const Record& record) {
    writer.add_surface(record.surface);
    std::size_t sample = 0;
    for (const Checkpoint& checkpoint : record.checkpoints) {
        while (sample < static_cast<std::size_t>(checkpoint.samples)) writer.add_sample(record.samples[sample++]);
        writer.add_checkpoint(checkpoint.state);
    }
    for (const model::Event& event : record.events) writer.add_event(event);
    while (sample < record.samples.size()) writer.add_sample(record.samples[sample++]);
}

TEST(Publish, EveryRowIsInPlaceAsSoonAsItIsPublished) {
    const fs::path path = fresh_folder("publish_rows") / "record.h5";
    const Record record = bouncing_record(5);
    RecordWriter writer(path, record.header, record.scenario, always);
    EXPECT_FALSE(fs::exists(path));
    for (std::size_t i = 0; i < 20; ++i) {
        writer.add_sample(record.samples[i]);
        EXPECT_EQ(read_record(path).samples.size(), i + 1);
    }
    writer.add_event(record.events[0]);
    writer.add_checkpoint(record.checkpoints[0].state);
    const Record got = read_record(path);
    EXPECT_EQ(got.events.size(), 1u);
    EXPECT_EQ(got.checkpoints.at(0).samples, 20);
    EXPECT_FALSE(got.outcome);
}

TEST(Publish, HowOftenLeavesNoTrace) {
    const fs::path folder = fresh_folder("publish_bytes");
    const Record record = bouncing_record(2);
    for (const auto& [name, publishing] : {std::pair{"always", always}, {"never", never}}) {
        RecordWriter writer(folder / name, record.header, record.scenario, publishing);
        add_all(writer, record);
        writer.close();
    }
    EXPECT_TRUE(read_text_file(folder / "always") == read_text_file(folder / "never"));
}

TEST(Publish, NothingIsPublishedBeforeItsTime) {
    const fs::path path = fresh_folder("publish_never") / "record.h5";
    const Record record = bouncing_record(5);
    RecordWriter writer(path, record.header, record.scenario, never);
    add_all(writer, record);
    EXPECT_FALSE(fs::exists(path));
    writer.close();
    EXPECT_TRUE(fs::exists(path));
    EXPECT_FALSE(fs::exists(path.string() + ".part"));
}

// A writer in a child that never ends; a reader that looks all the time sees whole records only, and so does one after the kill.
TEST(Publish, AReaderAndAKillFindAWholeRecordAtEveryMoment) {
    const fs::path path = fresh_folder("publish_kill") / "record.h5";
    const Record record = bouncing_record(0.5);
    const pid_t child = fork();
    if (child == 0) {
        RecordWriter writer(path, record.header, record.scenario, always);
        for (std::size_t i = 0; i < 1'000'000; ++i) {  // never reached, but a test that is killed must not leave it behind for good
            writer.add_sample(record.samples[i % record.samples.size()]);
            if (i % 10 == 9) writer.add_checkpoint(record.checkpoints[0].state);
        }
        ::_exit(0);
    }
    while (!fs::exists(path) && waitpid(child, nullptr, WNOHANG) == 0) ::usleep(1000);
    std::size_t checkpoints = 0;
    for (int look = 0; look < 40; ++look) {
        Record got;
        EXPECT_NO_THROW(got = read_record(path));
        EXPECT_GE(got.checkpoints.size(), checkpoints);
        checkpoints = got.checkpoints.size();
    }
    ::kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_GE(read_record(path).checkpoints.size(), checkpoints);
    EXPECT_GT(checkpoints, 0u);
    write_record(path, record);  // and the next run takes over what it left
    EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1);
}

TEST(Publish, TwoWritersOfOneRecordAreOneTooMany) {
    const fs::path path = fresh_folder("publish_two") / "record.h5";
    const Record record = bouncing_record(5);
    RecordWriter writer(path, record.header, record.scenario);
    EXPECT_THROW(RecordWriter(path, record.header, record.scenario), InputError);
    add_all(writer, record);
    writer.close();
    EXPECT_EQ(read_record(path).samples.size(), record.samples.size());
}

TEST(Publish, WhatToldOfTheOldRecordGoesWithItAndNotBefore) {
    const fs::path folder = fresh_folder("publish_stale");
    const Record record = bouncing_record(5);
    write_record(folder / "record.h5", record);
    const auto make_stale = [&] {
        write_text_file(folder / "summary.json", "{}");
        Publishing publishing = always;
        publishing.stale = {folder / "summary.json", folder / "none.html"};
        return publishing;
    };
    {
        RecordWriter writer(folder / "record.h5", record.header, record.scenario, make_stale());
        EXPECT_TRUE(fs::exists(folder / "summary.json"));
        EXPECT_EQ(read_record(folder / "record.h5").samples.size(), record.samples.size());
        writer.add_sample(record.samples[0]);  // published
        EXPECT_FALSE(fs::exists(folder / "summary.json"));
        EXPECT_EQ(read_record(folder / "record.h5").samples.size(), 1u);
        write_text_file(folder / "summary.json", "of the new one");
        writer.close();
        EXPECT_TRUE(fs::exists(folder / "summary.json"));
    }
    RecordWriter(folder / "record.h5", record.header, record.scenario, make_stale()).close();
    EXPECT_FALSE(fs::exists(folder / "summary.json"));
}

// The copy has no room: told as a warning, and the run goes on to its end. A folder in the way plays the full disk.
TEST(Publish, ACopyThatFailsIsAWarning) {
    const fs::path folder = fresh_folder("publish_fails");
    const Record record = bouncing_record(5);
    RecordWriter writer(folder / "record.h5", record.header, record.scenario, always);
    fs::create_directories(folder / "record.h5.part.copy" / "x");
    add_all(writer, record);
    ASSERT_EQ(writer.warnings().size(), 1u);
    EXPECT_EQ(writer.warnings()[0].find("the record could not be copied into its place before the end of the run: cannot create"), 0u);
    writer.close();
    const Record got = read_record(folder / "record.h5");
    EXPECT_EQ(got.samples.size(), record.samples.size());
    EXPECT_EQ(got.warnings, writer.warnings());
}

TEST(Publish, AContinuedRecordStaysOldUntilTheNewOneIsWorthAsMuch) {
    const fs::path path = fresh_folder("publish_continued") / "record.h5";
    const Record record = bouncing_record(5);
    {
        RecordWriter writer(path, record.header, record.scenario, never);
        for (std::size_t i = 0; i < 20; ++i) writer.add_sample(record.samples[i]);
        writer.add_checkpoint(record.checkpoints[0].state);
        writer.add_stop_checkpoint(record.checkpoints[0].state);  // there is one already
        writer.add_sample(record.samples[20]);
        writer.add_stop_checkpoint(record.checkpoints[1].state);
        writer.close();
    }
    const Record stopped = read_record(path);
    ASSERT_EQ(stopped.checkpoints.size(), 2u);
    EXPECT_FALSE(stopped.checkpoints[0].is_stop);
    EXPECT_TRUE(stopped.checkpoints[1].is_stop);
    EXPECT_EQ(stopped.checkpoints[1].samples, 21);

    RecordWriter writer = RecordWriter::continue_from(path, 1, path, {.scenario = "longer", .publishing = always});
    writer.add_sample(record.samples[21]);
    EXPECT_EQ(record_hash(path), record_hash(stopped)) << "the old one is still there";
    writer.add_checkpoint(record.checkpoints[2].state);
    const Record got = read_record(path);
    EXPECT_EQ(got.samples.size(), 22u);
    ASSERT_EQ(got.checkpoints.size(), 2u);
    EXPECT_EQ(got.checkpoints[1].state, record.checkpoints[2].state);
    EXPECT_EQ(got.scenario, "longer");
}

// Checkpoints by the clock on the wall: a copy holds the last one, the finished record none, as if they had never been.
TEST(Publish, ACheckpointOfACopyLeavesNoTrace) {
    const fs::path folder = fresh_folder("publish_wall");
    const Record record = bouncing_record(2);
    for (const bool is_published : {true, false}) {
        RecordWriter writer(folder / (is_published ? "with" : "without"), record.header, record.scenario, always);
        writer.add_surface(record.surface);
        for (std::size_t i = 0; i < record.samples.size(); ++i) {
            writer.add_sample(record.samples[i]);
            if (is_published && i % 7 == 0) writer.publish_checkpoint(record.checkpoints[0].state);
        }
        writer.add_checkpoint(record.checkpoints[1].state);
        writer.close();
    }
    EXPECT_TRUE(read_text_file(folder / "with") == read_text_file(folder / "without"));
}

TEST(Publish, ACopyHoldsTheLastCheckpointByTheClockUntilAnotherOneComes) {
    const fs::path path = fresh_folder("publish_passing") / "record.h5";
    const Record record = bouncing_record(5);
    RecordWriter writer(path, record.header, record.scenario, always);
    for (std::size_t i = 0; i < 10; ++i) writer.add_sample(record.samples[i]);
    writer.publish_checkpoint(record.checkpoints[0].state);
    writer.add_sample(record.samples[10]);  // another copy
    Record got = read_record(path);
    ASSERT_EQ(got.checkpoints.size(), 1u);
    EXPECT_TRUE(got.checkpoints[0].is_stop);
    EXPECT_EQ(got.checkpoints[0].samples, 10);
    EXPECT_EQ(got.samples.size(), 11u);
    writer.add_checkpoint(record.checkpoints[1].state);
    got = read_record(path);
    ASSERT_EQ(got.checkpoints.size(), 1u);
    EXPECT_FALSE(got.checkpoints[0].is_stop);
}

// The copy in place hands the checkpoint on to the next; where someone takes it away the run goes on.
TEST(Publish, ARecordThatIsTakenAwayTakesItsCheckpointAlong) {
    const fs::path path = fresh_folder("publish_taken") / "record.h5";
    const Record record = bouncing_record(5);
    RecordWriter writer(path, record.header, record.scenario, always);
    writer.add_sample(record.samples[0]);
    writer.publish_checkpoint(record.checkpoints[0].state);
    for (std::size_t i = 1; i < 4; ++i) writer.add_sample(record.samples[i]);
    EXPECT_EQ(read_record(path).checkpoints.size(), 1u);
    EXPECT_EQ(read_record(path).checkpoints[0].state, record.checkpoints[0].state);
    fs::remove(path);
    writer.add_sample(record.samples[4]);
    EXPECT_EQ(read_record(path).samples.size(), 5u);
    EXPECT_TRUE(read_record(path).checkpoints.empty());
    writer.publish_checkpoint(record.checkpoints[0].state);
    EXPECT_EQ(read_record(path).checkpoints.size(), 1u);
}

TEST(Publish, WithoutTimeForACopyThereIsNoCheckpointByTheClock) {
    const fs::path path = fresh_folder("publish_rare") / "record.h5";
    const Record record = bouncing_record(5);
    RecordWriter writer(path, record.header, record.scenario, {.least_pause = 0, .most_part = 1e-9});
    EXPECT_TRUE(writer.may_publish());
    writer.add_sample(record.samples[0]);
    EXPECT_FALSE(writer.may_publish());
    writer.add_sample(record.samples[1]);
    writer.publish_checkpoint(record.checkpoints[0].state);
    EXPECT_EQ(read_record(path).samples.size(), 1u);
    EXPECT_TRUE(read_record(path).checkpoints.empty());
}

TEST(Publish, AWriterThatIsNeverClosedLeavesItsRowsAndItsCheckpoint) {
    const fs::path path = fresh_folder("publish_unclosed") / "record.h5";
    const Record record = bouncing_record(5);
    {
        RecordWriter writer(path, record.header, record.scenario, never);
        writer.add_sample(record.samples[0]);
        writer.publish_checkpoint(record.checkpoints[0].state);
        writer.add_sample(record.samples[1]);
    }
    const Record got = read_record(path);
    EXPECT_EQ(got.samples.size(), 2u);
    EXPECT_EQ(got.checkpoints.size(), 1u);
    EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), {}), 1) << "only the record";
}

}  // namespace
}  // namespace asperity::record::publish_test
