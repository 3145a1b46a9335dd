#include "asperity/record/recorder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asperity/core/errors.h"
#include "unit/record/bouncing_ball.h"
#include "unit/record/write_record.h"

namespace asperity::record::recorder_test {
namespace {

using test::BallMotion;
using test::fresh_folder;

void show(const model::Sample& s, Recorder& recorder) {
    const model::ContactRow contact{.mode = s.mode, .slip_speed = s.slip_speed};
    const bool has_contact = recorder.wants().contacts && s.mode != model::Mode::flight;
    recorder.sample({.time = s.time,
                     .position = {&s.position, 1},
                     .velocity = {&s.velocity, 1},
                     .spin = {&s.spin, 1},
                     .orientation = {&s.orientation, 1},
                     .ledger = {&s.ledger, 1},
                     .signals = {},
                     .contacts = {&contact, has_contact ? 1U : 0U},
                     .configuration = s.configuration});
}

// Plays a method on the closed form: fixed steps of `step` from `state` on, samples and checkpoints as the observer asks for them.
model::State play(const BallMotion& motion, const Record& made, std::int64_t first_step, std::int64_t last_step, Recorder& recorder) {
    const double step = 0.37;
    model::State state;
    for (std::int64_t n = first_step; n <= last_step; ++n) {
        const double time = static_cast<double>(n) * step;
        const double before = static_cast<double>(n - 1) * step;
        for (const model::Event& event : made.events)
            if (event.time <= time && (event.time > before || n == 0)) recorder.event(event);
        while (recorder.next_sample() <= time) show(motion.at(recorder.next_sample()), recorder);
        state = test::state_at(motion.at(time), n);
        if (time >= recorder.next_checkpoint()) recorder.checkpoint(state);
    }
    return state;
}

void finish(RecordWriter& writer, const Recorder& recorder) {
    std::vector<double> impacts;
    for (const model::Event& event : recorder.events())
        if (event.kind == model::EventKind::impact) impacts.push_back(event.time);
    writer.add_metric({"impact_time", impacts, "s"});
    writer.set_outcome({.kind = model::OutcomeKind::rest, .time = 1, .message = "rest"});
    writer.close();
}

TEST(Recorder, SampleTimesAreMultiplesOfTheInterval) {
    Recorder recorder(nullptr, {.sample = 0.1, .checkpoint = 7});
    for (int n = 0; n < 1000; ++n) {
        EXPECT_EQ(recorder.next_sample(), n * 0.1);  // to the bit: 0.1 + 0.1 + ... is not
        recorder.sample({.time = recorder.next_sample()});
    }
    EXPECT_EQ(recorder.next_checkpoint(), 7);
    model::State state;
    state.clock.time_in_phase = 21.5;
    recorder.checkpoint(state);
    EXPECT_EQ(recorder.next_checkpoint(), 28);
}

TEST(Recorder, KeepsACheckpointOnlyWhereOneIsDue) {
    const auto path = fresh_folder("due") / "record.h5";
    RecordWriter writer(path, {}, "");
    Recorder recorder(&writer, {.checkpoint = 7});
    model::State state;
    for (const double time : {3.0, 7.5, 8.0, 15.0, 16.0}) {
        state.clock.time_in_phase = time;
        recorder.checkpoint(state);
    }
    recorder.stop(state);
    writer.close();
    std::vector<std::pair<double, bool>> kept;
    for (const Checkpoint& checkpoint : read_record(path).checkpoints) kept.emplace_back(checkpoint.time, checkpoint.is_stop);
    EXPECT_EQ(kept, (std::vector<std::pair<double, bool>>{{7.5, false}, {15, false}, {16, true}}));
}

TEST(Recorder, AnExtraSampleOffTheGridDoesNotShiftIt) {
    Recorder recorder(nullptr, {.sample = 0.1});
    recorder.sample({.time = 0});
    recorder.sample({.time = 0.25});
    EXPECT_EQ(recorder.next_sample(), 3 * 0.1);
}

TEST(Recorder, WithoutIntervalsItAsksForNothing) {
    Recorder recorder(nullptr, {});
    EXPECT_EQ(recorder.next_sample(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(recorder.next_checkpoint(), std::numeric_limits<double>::infinity());
    EXPECT_THROW(Recorder(nullptr, {.sample = 0}), Bug);
}

TEST(Recorder, TheNextMultipleIsExactlyTheNextOne) {
    for (const double interval : {0.1, 1.0 / 3, 7e-9, 1e12})
        for (std::int64_t n = 0; n < 2000; n += 7) {
            const double time = static_cast<double>(n) * interval;
            EXPECT_EQ(first_multiple_after(time, interval), n + 1);
            EXPECT_EQ(first_multiple_after(std::nextafter(time, 1e300), interval), n + 1);
            EXPECT_EQ(first_multiple_after(std::nextafter(time, -1.0), interval), n);
        }
}

// Interrupted at each checkpoint and continued: the finished record has the content hash of the uninterrupted one.
TEST(Recorder, AContinuedRecordHasTheSameHash) {
    const auto folder = fresh_folder("continued");
    const BallMotion motion{test::BouncingBall{}};
    const Record made = test::bouncing_record(1);
    const Intervals intervals{.sample = 0.5, .checkpoint = 30};
    const std::int64_t steps = 900;
    {
        RecordWriter writer(folder / "whole.h5", made.header, made.scenario);
        writer.add_surface(made.surface);
        Recorder recorder(&writer, intervals);
        play(motion, made, 0, steps, recorder);
        finish(writer, recorder);
    }
    const Record whole = read_record(folder / "whole.h5");
    ASSERT_GT(whole.checkpoints.size(), 8u);
    ASSERT_GT(whole.events.size(), 10u);
    for (std::int64_t index = 0; index < static_cast<std::int64_t>(whole.checkpoints.size()); ++index) {
        const model::State& state = whole.checkpoints[static_cast<std::size_t>(index)].state;
        RecordWriter writer = RecordWriter::continue_from(folder / "whole.h5", index, folder / "part.h5");
        Recorder recorder(&writer, intervals);
        play(motion, made, state.clock.steps + 1, steps, recorder);
        finish(writer, recorder);
        EXPECT_EQ(record_hash(folder / "part.h5"), record_hash(whole)) << "checkpoint " << index;
        EXPECT_EQ(read_record(folder / "part.h5").header, made.header);
    }
}

TEST(Recorder, ARecordMayContinueInItsOwnPlace) {
    const auto path = fresh_folder("own_place") / "record.h5";
    const Record made = test::bouncing_record(1);
    write_record(path, made);
    Header header = made.header;
    header.git_commit = "another";
    RecordWriter::continue_from(path, 1, path, {.header = header}).close();
    const Record got = read_record(path);
    EXPECT_EQ(got.header, header);
    EXPECT_EQ(got.checkpoints.size(), 2u);
    EXPECT_EQ(got.samples.size(), static_cast<std::size_t>(made.checkpoints[1].samples));
    EXPECT_TRUE(got.metrics.empty());  // they belong to a finished run
}

}  // namespace
}  // namespace asperity::record::recorder_test
