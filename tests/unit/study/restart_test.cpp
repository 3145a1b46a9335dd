// A run that goes on from a checkpoint ends like the run that was never interrupted: same record, same summary, bit for bit. In each mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "asperity/core/errors.h"
#include "asperity/record/record.h"
#include "asperity/record/text_file.h"
#include "asperity/study/run.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::study::restart_test {
namespace {

struct Case {
    std::string scenario;
    std::string every;            // time between checkpoints
    std::vector<model::Mode> of;  // modes in which checkpoints must fall
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.scenario; }

class Restart : public testing::TestWithParam<Case> {};

RunRequest request_of(const Case& c, const std::filesystem::path& out) {
    return {.file = std::string(ASPERITY_SOURCE_DIR "/scenarios/landers/") + c.scenario + ".toml",
            .sets = {"output.checkpoint_every=" + c.every},
            .out = out.string(),
            .is_quiet = true};
}

// All of the summary but the time that it took.
void expect_equal(record::Summary whole, record::Summary parts) {
    whole.wall_seconds = parts.wall_seconds = 0;
    EXPECT_EQ(whole.steps, parts.steps);
    EXPECT_EQ(whole.outcome_kind, parts.outcome_kind);
    EXPECT_EQ(whole.outcome_time, parts.outcome_time);
    EXPECT_EQ(whole.metrics, parts.metrics);
    EXPECT_EQ(summary_text(whole), summary_text(parts));
}

// Checkpoints of one mode that are tried: the first, one in the middle, the last.
std::vector<std::size_t> some_of(const std::vector<std::size_t>& all) {
    std::vector<std::size_t> some{all.front(), all[all.size() / 2], all.back()};
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
}

TEST_P(Restart, ends_like_the_run_that_was_not_interrupted) {
    const auto folder = test::fresh_folder("restart_" + GetParam().scenario);
    const RunResult whole = run(request_of(GetParam(), folder / "whole"));
    const record::Record record = record::read_record(folder / "whole" / "record.h5");
    std::map<model::Mode, std::vector<std::size_t>> checkpoints;
    for (std::size_t i = 0; i < record.checkpoints.size(); ++i) checkpoints[record.checkpoints[i].state.contacts.mode_of(0)].push_back(i);
    for (const model::Mode mode : GetParam().of) {
        ASSERT_FALSE(checkpoints[mode].empty()) << "no checkpoint in mode " << name(mode);
        for (const std::size_t index : some_of(checkpoints[mode])) {
            SCOPED_TRACE(fmt::format("{} at {} s", name(mode), record.checkpoints[index].time));
            RunRequest request = request_of(GetParam(), folder / "parts");
            request.restart = (folder / "whole" / "record.h5").string();
            request.restart_time = record.checkpoints[index].time;
            const RunResult parts = run(request);
            EXPECT_EQ(parts.record_hash, whole.record_hash);
            expect_equal(whole.summary, parts.summary);
        }
    }
}

using enum model::Mode;
INSTANTIATE_TEST_SUITE_P(EachMode, Restart,
                         testing::Values(Case{"flat", "50 s", {flight, roll}}, Case{"flat-sliding", "5 s", {slide, roll}},
                                         Case{"spike", "150 s", {flight, roll, several}}, Case{"gutter-1", "100 s", {flight, several}}),
                         [](const auto& info) {
                             std::string text = info.param.scenario;
                             std::replace(text.begin(), text.end(), '-', '_');
                             return text;
                         });

// The phase of the averaged evolution runs on a faster clock than its state tells: a run that is stopped in it stops where it is.
TEST(RestartOfFreeBodies, goes_on_in_the_averaged_evolution) {
    const auto folder = test::fresh_folder("restart_secular");
    RunRequest request{.file = ASPERITY_SOURCE_DIR "/scenarios/ternary/er-to-lr-lock.toml",
                       .sets = {"output.checkpoint_every=100 yr"},
                       .out = (folder / "whole").string(),
                       .is_quiet = true};
    const RunResult whole = run(request);
    EXPECT_EQ(whole.summary.outcome_kind, "locked");
    const double late = 250 * 31557600.0;  // s
    const std::atomic<bool> stop = true;
    request.out = (folder / "stopped").string();
    request.restart = (folder / "whole" / "record.h5").string();
    request.restart_time = late;
    request.stop = &stop;
    const RunResult stopped = run(request);
    EXPECT_TRUE(stopped.is_stopped);
    EXPECT_NEAR(stopped.summary.outcome_time, 200 * 31557600.0, 0.1 * late);
    request.out = (folder / "parts").string();
    request.restart = (folder / "stopped" / "record.h5").string();
    request.restart_time.reset();
    request.stop = nullptr;
    const RunResult parts = run(request);
    EXPECT_EQ(parts.record_hash, whole.record_hash);
    expect_equal(whole.summary, parts.summary);
}

// Signals are looked at in true time, and stand in the record in it.
TEST(RestartOfFreeBodies, goes_on_with_named_signals_in_the_averaged_evolution) {
    const auto folder = test::fresh_folder("restart_secular_signals");
    record::write_text_file(folder / "signals.toml", "include = \"" ASPERITY_SOURCE_DIR
                                                     "/scenarios/ternary/er-to-lr-lock.toml\"\nname = \"signals\"\n"
                                                     "[signal.time]\n"
                                                     "is = \"spin\"\nof = \"sphere-1\"\n");
    EXPECT_THROW(run({.file = (folder / "signals.toml").string(), .out = (folder / "wrong").string(), .is_quiet = true}), InputError);
    record::write_text_file(folder / "signals.toml", "include = \"" ASPERITY_SOURCE_DIR
                                                     "/scenarios/ternary/er-to-lr-lock.toml\"\nname = \"signals\"\n"
                                                     "[signal.clock]\nis = \"time\"\n[signal.turning]\n"
                                                     "is = \"spin\"\nof = \"sphere-1\"\n");
    RunRequest request{.file = (folder / "signals.toml").string(),
                       .sets = {"output.checkpoint_every=100 yr"},
                       .out = (folder / "whole").string(),
                       .is_quiet = true};
    const RunResult whole = run(request);
    const record::Record record = record::read_record(folder / "whole" / "record.h5");
    EXPECT_EQ(record.signals.at(0).values, record.signals.at(1).values);  // the clock tells the time
    EXPECT_EQ(3 * static_cast<std::size_t>(record.signals[0].rows()), record.samples.size());
    const auto metric = [&](const char* name) {
        const auto found = std::ranges::find(whole.summary.metrics, name, &record::Metric::name);
        return found != whole.summary.metrics.end() ? std::get<double>(found->value) : std::nan("");
    };
    EXPECT_EQ(metric("clock.end"), whole.summary.outcome_time);
    EXPECT_NEAR(metric("clock.mean"), 0.5 * whole.summary.outcome_time, 1e-9 * whole.summary.outcome_time);
    request.restart = (folder / "whole" / "record.h5").string();
    request.out = (folder / "parts").string();
    for (std::size_t k = 0; k < record.checkpoints.size(); k += 1 + record.checkpoints.size() / 4) {
        request.restart_time = record.checkpoints[k].time;
        const RunResult parts = run(request);
        EXPECT_EQ(parts.record_hash, whole.record_hash) << "checkpoint " << k;
    }
}

// From orbit to rest by guards: timers, winch, the cut cable and what one method leaves to the next are in the checkpoints of every phase.
TEST(RestartOfPhases, goes_on_in_the_middle_of_each) {
    const auto folder = test::fresh_folder("restart_phases");
    RunRequest request{.file = ASPERITY_SOURCE_DIR "/scenarios/matrix/descent-on-a-cable.toml",
                       .sets = {"output.checkpoint_every=5 min"},
                       .out = (folder / "whole").string(),
                       .is_quiet = true};
    const RunResult whole = run(request);
    EXPECT_EQ(whole.summary.outcome_kind, "landed");
    const record::Record record = record::read_record(folder / "whole" / "record.h5");
    std::map<std::int64_t, std::vector<std::size_t>> checkpoints;
    for (std::size_t i = 0; i < record.checkpoints.size(); ++i) checkpoints[record.checkpoints[i].state.clock.phase].push_back(i);
    ASSERT_EQ(checkpoints.size(), 3U);
    request.out = (folder / "parts").string();
    request.restart = (folder / "whole" / "record.h5").string();
    for (const auto& [phase, list] : checkpoints) {
        request.restart_time = record.checkpoints[list[list.size() / 2]].time;
        SCOPED_TRACE(fmt::format("phase {} at {} s", phase, *request.restart_time));
        const RunResult parts = run(request);
        EXPECT_EQ(parts.record_hash, whole.record_hash);
        expect_equal(whole.summary, parts.summary);
    }
}

}  // namespace
}  // namespace asperity::study::restart_test
