// Groups of many bodies in a record: which samples have a frame, what a frame holds, and that a continued record is the same.
#include "asperity/record/groups.h"

#include <gtest/gtest.h>

#include "asperity/record/paraview.h"
#include "asperity/record/recorder.h"
#include "asperity/record/text_file.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::record::groups_test {
namespace {

constexpr std::uint32_t many = 100;

// A lander, row 0, and grains.
struct Shown {
    std::vector<model::Group> groups{{0, 1}, {1, many}};
    std::vector<Vec3> position{many + 1}, velocity{many + 1}, spin{many + 1};
    std::vector<Quat> orientation{many + 1};
    std::vector<model::Ledger> ledger{2};
};

void show(double time, Recorder& recorder) {
    Shown shown;
    for (std::size_t i = 0; i <= many; ++i) shown.position[i] = {static_cast<double>(i), time, 0.1};
    for (std::size_t i = 0; i <= many; ++i) shown.velocity[i] = {0, 1, static_cast<double>(i)};
    shown.ledger[0].kinetic = 7;
    shown.ledger[1].kinetic = time;
    recorder.sample({.time = time,
                     .position = shown.position,
                     .velocity = shown.velocity,
                     .spin = shown.spin,
                     .orientation = shown.orientation,
                     .ledger = shown.ledger,
                     .groups = shown.groups});
}

const GroupHead grains{.name = "grain", .first = 1, .count = many, .stride = 3, .has_velocity = true};

RecordWriter new_writer(const std::filesystem::path& path) {
    RecordWriter writer(path, {}, "");
    writer.add_group(grains);
    return writer;
}

TEST(RecordGroups, AFrameStandsAtEverySoManythSampleAndAtTheEnd) {
    const auto path = test::fresh_folder("group_frames") / "record.h5";
    RecordWriter writer = new_writer(path);
    Recorder recorder(&writer, {.sample = 0.5}, {{.every = 4}});
    for (int n = 0; n <= 10; ++n) show(0.5 * n, recorder);
    show(5.2, recorder);
    writer.close();
    const Record record = read_record(path);
    ASSERT_EQ(record.groups.size(), 1u);
    const Group& group = record.groups[0];
    EXPECT_EQ(group.head, grains);
    EXPECT_EQ(group.frame_times, (std::vector<double>{0, 2, 4, 5.2}));
    ASSERT_EQ(group.samples.size(), 12u);
    EXPECT_EQ(group.samples[3].time, 1.5);
    EXPECT_EQ(group.samples[3].ledger.kinetic, 1.5);
    ASSERT_EQ(record.samples.size(), 12u);  // the lander alone has rows
    EXPECT_EQ(record.samples[5].body, 0);
    EXPECT_EQ(record.samples[5].ledger.kinetic, 7);
}

TEST(RecordGroups, AFrameHoldsEverySoManythBodyAsShortFloats) {
    const auto path = test::fresh_folder("group_rows") / "record.h5";
    RecordWriter writer = new_writer(path);
    Recorder recorder(&writer, {.sample = 0.5}, {{.every = 1}});
    for (int n = 0; n <= 2; ++n) show(0.5 * n, recorder);
    writer.close();
    const Group group = read_record(path).groups[0];
    ASSERT_EQ(group.shown.back().position.size(), 34u);  // 1, 4, ..., 100
    EXPECT_EQ(group.shown.back().position[2], (Vec3{7, 1, static_cast<double>(0.1F)}));
    EXPECT_EQ(group.shown.back().velocity[33], (Vec3{0, 1, 100}));
    EXPECT_TRUE(group.shown.back().spin.empty());
    EXPECT_EQ(group.shown.front().position[2].y, 0);
    EXPECT_EQ(read_frame(Hdf5File::open(path), 0, grains, 1).position[0], (Vec3{1, 0.5, static_cast<double>(0.1F)}));
}

// Without an end that a run that goes on does not have.
TEST(RecordGroups, AContinuedRecordHasTheSameHash) {
    const auto folder = test::fresh_folder("group_restart");
    model::State state = test::state_at(test::BallMotion(test::BouncingBall{}).at(1), 1);
    state.clock.time_in_phase = 2.25;
    const auto play = [](int from, int to, Recorder& recorder) {
        for (int n = from; n <= to; ++n) show(0.5 * n, recorder);
    };
    {
        RecordWriter whole = new_writer(folder / "whole.h5");
        Recorder recorder(&whole, {.sample = 0.5}, {{.every = 3}});
        play(0, 12, recorder);
        whole.close();
    }
    {
        RecordWriter first = new_writer(folder / "first.h5");
        Recorder recorder(&first, {.sample = 0.5}, {{.every = 3}});
        play(0, 4, recorder);
        show(2.25, recorder);
        recorder.stop(state);
        first.close();
    }
    {
        RecordWriter second = RecordWriter::continue_from(folder / "first.h5", 0, folder / "second.h5");
        Recorder recorder(&second, {.sample = 0.5}, {{.every = 3}});
        EXPECT_EQ(recorder.next_sample(), 2.5);
        play(5, 12, recorder);
        second.close();
    }
    EXPECT_EQ(record_hash(folder / "second.h5"), record_hash(folder / "whole.h5"));
    EXPECT_NE(record_hash(folder / "first.h5"), record_hash(folder / "whole.h5"));
}

TEST(RecordGroups, ParaViewGetsAFileForEachFrame) {
    const auto folder = test::fresh_folder("group_paraview");
    RecordWriter writer = new_writer(folder / "record.h5");
    Recorder recorder(&writer, {.sample = 0.5}, {{.every = 2}});
    for (int n = 0; n <= 4; ++n) show(0.5 * n, recorder);
    writer.close();
    write_paraview_groups(folder / "record.h5", read_record(folder / "record.h5"), folder);
    EXPECT_NE(read_text_file(folder / "group-0.pvd").find("timestep=\"2\" file=\"group-0-00002.vtp\""), std::string::npos);
    EXPECT_NE(read_text_file(folder / "group-0-00002.vtp").find("NumberOfPoints=\"34\""), std::string::npos);
}

}  // namespace
}  // namespace asperity::record::groups_test
