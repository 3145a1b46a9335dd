// What a run leaves where it is stopped, and from which records it goes on.
#include "asperity/study/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/errors.h"
#include "asperity/record/record.h"
#include "asperity/record/text_file.h"
#include "asperity/study/restart.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::study::run_test {
namespace {

namespace fs = std::filesystem;

RunRequest flat_request(const fs::path& out, std::vector<std::string> sets = {}) {
    sets.insert(sets.begin(), {"output.checkpoint_every=200 s", "output.sample_every=1 s"});
    return {.file = ASPERITY_SOURCE_DIR "/scenarios/landers/flat.toml", .sets = std::move(sets), .out = out.string(), .is_quiet = true};
}

RunRequest restarted(RunRequest request, const fs::path& record) {
    request.restart = record.string();
    return request;
}

template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.problems.front().what;
    }
    return "no InputError";
}

// Stopped at every step, and gone on from there: the record of the run that was left alone.
TEST(Stop, AtEveryStepChangesNothing) {
    const fs::path folder = test::fresh_folder("stop");
    const RunResult whole = run(flat_request(folder / "whole"));
    const std::atomic<bool> stop = true;
    RunRequest request = flat_request(folder / "parts");
    request.stop = &stop;
    RunResult part = run(request);
    std::int64_t stops = 0;
    for (; part.is_stopped; ++stops) {
        ASSERT_LT(stops, 2 * whole.summary.steps);
        const record::Record record = record::read_record(folder / "parts" / "record.h5");
        EXPECT_FALSE(record.outcome);
        EXPECT_EQ(record.checkpoints.back().time, part.summary.outcome_time);
        EXPECT_FALSE(fs::exists(folder / "parts" / "summary.json"));
        part = run(restarted(request, folder / "parts" / "record.h5"));
    }
    EXPECT_GT(stops, 10);
    EXPECT_EQ(part.record_hash, whole.record_hash);
    EXPECT_EQ(part.summary.metrics, whole.summary.metrics);
    EXPECT_TRUE(fs::exists(folder / "parts" / "summary.json"));
}

// The same of a scenario with named signals, which stand in the record at each sample and whose extremes are metrics.
TEST(Stop, WithNamedSignalsChangesNothing) {
    const fs::path folder = test::fresh_folder("stop_signals");
    record::write_text_file(folder / "signals.toml", "include = \"" ASPERITY_SOURCE_DIR
                                                     "/scenarios/landers/flat.toml\"\nname = \"signals\"\n"
                                                     "[signal.height]\nis = \"height over ground\"\n[signal.pace]\nis = \"speed\"\n");
    RunRequest request = flat_request(folder / "whole");
    request.file = (folder / "signals.toml").string();
    const RunResult whole = run(request);
    const record::Record record = record::read_record(folder / "whole" / "record.h5");
    ASSERT_EQ(record.signals.size(), 3U);
    EXPECT_EQ(record.signals[1].name, "height");
    EXPECT_EQ(record.signals[1].unit, "m");
    const auto& times = std::get<std::vector<double>>(record.signals[0].values);
    const auto& speeds = std::get<std::vector<double>>(record.signals[2].values);
    ASSERT_EQ(times.size(), record.samples.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
        EXPECT_EQ(times[k], record.samples[k].time);
        EXPECT_EQ(speeds[k], norm(record.samples[k].velocity));
    }
    const auto metric = [&](const char* name) {
        const auto found = std::ranges::find(record.metrics, name, &record::Metric::name);
        return found != record.metrics.end() ? std::get<double>(found->value) : std::nan("");
    };
    EXPECT_GE(metric("pace.most"), *std::ranges::max_element(speeds));
    EXPECT_EQ(metric("pace.end"), 0);
    EXPECT_GT(metric("height.mean"), 0);
    const std::atomic<bool> stop = true;
    request.out = (folder / "parts").string();
    request.stop = &stop;
    RunResult part = run(request);
    for (int stops = 0; part.is_stopped; ++stops) {
        ASSERT_LT(stops, 2 * whole.summary.steps);
        part = run(restarted(request, folder / "parts" / "record.h5"));
    }
    EXPECT_EQ(part.record_hash, whole.record_hash);
    EXPECT_EQ(part.summary.metrics, whole.summary.metrics);
    const RunResult plain = run(flat_request(folder / "plain"));
    EXPECT_EQ(plain.summary.state_hash, whole.summary.state_hash);
    EXPECT_EQ(plain.summary.sample_hash, whole.summary.sample_hash);
}

TEST(Stop, WithoutCheckpointsThereIsOneToGoOnFrom) {
    const fs::path folder = test::fresh_folder("stop_without");
    const std::atomic<bool> stop = true;
    RunRequest request = flat_request(folder);
    request.sets.clear();
    request.stop = &stop;
    EXPECT_TRUE(run(request).is_stopped);
    request.stop = nullptr;
    EXPECT_EQ(run(restarted(request, folder / "record.h5")).summary.outcome_kind, "rest");
}

TEST(Stop, AnOldReportAndSummaryGoWithTheirRecord) {
    const fs::path folder = test::fresh_folder("stop_stale");
    run(flat_request(folder));
    const std::atomic<bool> stop = true;
    RunRequest request = flat_request(folder);
    request.stop = &stop;
    run(request);
    EXPECT_FALSE(fs::exists(folder / "summary.json"));
    EXPECT_FALSE(fs::exists(folder / "report.html"));
    EXPECT_FALSE(record::read_record(folder / "record.h5").outcome);
}

TEST(GoOn, WithALargerBudgetFromWhereItRanOut) {
    const fs::path folder = test::fresh_folder("budget");
    const RunResult whole = run(flat_request(folder / "whole"));
    const RunResult part = run(flat_request(folder / "part", {"end.step_budget=11"}));
    EXPECT_EQ(part.summary.outcome_kind, "stalled");
    const record::Record record = record::read_record(folder / "part" / "record.h5");
    EXPECT_EQ(record.checkpoints.back().state.clock.steps, 11);
    const RunResult rest = run(restarted(flat_request(folder / "part"), folder / "part" / "record.h5"));
    EXPECT_EQ(rest.record_hash, whole.record_hash);
}

TEST(GoOn, ToALaterEndAndWithOtherOutput) {
    const fs::path folder = test::fresh_folder("later");
    const RunResult whole = run(flat_request(folder / "whole"));
    const RunResult part = run(flat_request(folder / "part", {"end.time=1000 s", "name=short", "expect.impacts=1"}));
    EXPECT_EQ(part.summary.outcome_kind, "timed_out");
    RunRequest request = restarted(flat_request(folder / "rest"), folder / "part" / "record.h5");
    // not to the bit: the end cut the last step short
    EXPECT_NEAR(run(request).summary.outcome_time, whole.summary.outcome_time, 1e-9);
    request.sets = {"output.sample_every=100 s"};
    request.is_forced = true;
    EXPECT_NEAR(run(request).summary.outcome_time, whole.summary.outcome_time, 1e-9);
}

TEST(GoOn, NotToAnEndThatHasPassed) {
    const fs::path folder = test::fresh_folder("passed");
    run(flat_request(folder / "whole"));
    const RunRequest request = restarted(flat_request(folder / "part", {"end.time=500 s"}), folder / "whole" / "record.h5");
    const std::string message = message_of([&] { run(request); });
    EXPECT_EQ(message.find("end.time is 500 s, but the run would go on from 22"), 0u) << message;
    EXPECT_FALSE(fs::exists(folder / "part"));
}

TEST(GoOn, NamesTheKeysThatDiffer) {
    const fs::path folder = test::fresh_folder("differ");
    run(flat_request(folder));
    const fs::path record = folder / "record.h5";
    RunRequest request =
        restarted(flat_request(folder / "x", {"contact.shell/ground.friction=0.5", "body.lander.start.above_surface=3 m"}), record);
    request.seed = 7;
    EXPECT_EQ(message_of([&] { run(request); }),
              "the record " + record.string() +
                  " was made from another scenario: body.lander.start.above_surface is not set there and "
                  "\"3 m\" here; contact.shell/ground.friction is 0.6 there and 0.5 here; seed is 1 there and 7 here");
}

TEST(GoOn, ListsAreComparedEntryByEntry) {
    const std::string there = "seed = 1\n\n[[phase]]\nname = \"a = b\"\n\n[[phase]]\nname = \"c\"\n\n[end]\ntime = \"1 s\"\n";
    const std::string here = "seed = 1\n\n[[phase]]\nname = \"a = b\"\n\n[[phase]]\nname = \"d\"\n\n[end]\ntime = \"2 s\"\n";
    EXPECT_EQ(differences_in_the_past(there, here), (std::vector<Difference>{{"phase.1.name", "\"c\"", "\"d\""}}));
    EXPECT_EQ(differences_in_the_past(there, there), std::vector<Difference>{});
}

TEST(GoOn, NotOnAMeshThatHasChanged) {
    const fs::path folder = test::fresh_folder("mesh");
    const auto write_mesh = [&](const std::string& corner) {
        record::write_text_file(folder / "ground.obj",
                                "v -100 -100 0\nv 100 -100 0\nv 100 100 " + corner + "\nv -100 100 0\nf 1 2 3\nf 1 3 4\n");
    };
    write_mesh("0");
    record::write_text_file(folder / "mesh.toml",
                            "include = \"" ASPERITY_SOURCE_DIR
                            "/scenarios/landers/flat.toml\"\n[body.ground]\nshape = { mesh = \"ground.obj\", unit = \"m\" }\n");
    RunRequest request = flat_request(folder / "x");
    request.file = (folder / "mesh.toml").string();
    const RunResult whole = run(request);
    const fs::path record = folder / "x" / "record.h5";
    EXPECT_EQ(run(restarted(request, record)).record_hash, whole.record_hash);
    write_mesh("1");
    EXPECT_EQ(
        message_of([&] { run(restarted(request, record)); }),
        "the record " + record.string() + " was made on another surface: 2 facets and 4 vertices there, 2 and 4 here, at other places");
}

// By the clock on the wall: with one every few steps the finished file is the same, byte for byte.
TEST(Run, CheckpointsByTheClockLeaveNoTrace) {
    const fs::path folder = test::fresh_folder("by_the_clock");
    RunRequest request = flat_request(folder / "without");
    const RunResult without = run(request);
    request.out = (folder / "with").string();
    request.wall_checkpoint = 1e-9;
    const RunResult with = run(request);
    EXPECT_EQ(with.record_hash, without.record_hash);
    EXPECT_TRUE(record::read_text_file(folder / "with" / "record.h5") == record::read_text_file(folder / "without" / "record.h5"));
}

TEST(Run, EveryMetricOfARecordSaysWhatItIs) {
    const fs::path folder = test::fresh_folder("described");
    run(flat_request(folder));
    const record::Record record = record::read_record(folder / "record.h5");
    EXPECT_GT(record.metrics.size(), 5u);
    for (const record::Metric& metric : record.metrics) EXPECT_FALSE(metric.description.empty()) << metric.name;
}

// Heat of the bodies is that of all together; their metrics are in the summary and not in the record.
TEST(Run, EachOfSeveralBodiesHasItsMetricsByName) {
    const fs::path folder = test::fresh_folder("of_bodies");
    RunRequest request = flat_request(folder, {"end.time=25 s"});
    request.file = ASPERITY_SOURCE_DIR "/scenarios/matrix/ten-balls.toml";
    const RunResult result = run(request);
    const auto find = [](const std::vector<record::Metric>& all, const std::string& name) -> const record::Metric* {
        const auto found = std::ranges::find(all, name, &record::Metric::name);
        return found != all.end() ? &*found : nullptr;
    };
    const record::Record record = record::read_record(folder / "record.h5");
    for (const char* heat : {"heat_impact", "heat_friction", "heat_rolling"}) {
        double sum = 0;
        for (int k = 1; k <= 10; ++k) {
            const std::string name = fmt::format("ball-{}.{}", k, heat);
            const record::Metric* metric = find(result.summary.metrics, name);
            ASSERT_NE(metric, nullptr) << name;
            EXPECT_TRUE(metric->is_detail);
            EXPECT_EQ(metric->unit, "J");
            EXPECT_EQ(find(record.metrics, name), nullptr);
            sum += std::get<double>(metric->value);
        }
        const double all = std::get<double>(find(record.metrics, heat)->value);
        EXPECT_NEAR(sum, all, 1e-14 * all) << heat;
    }
    const model::Sample& last = record.samples.back();  // of the last body, at the end
    EXPECT_EQ(std::get<std::vector<double>>(find(result.summary.metrics, "ball-10.stop_position")->value),
              (std::vector<double>{last.position.x, last.position.y, last.position.z}));
    double first = 1e9, fastest = 0;
    for (const model::Event& event : record.events) {
        if (event.kind != model::EventKind::impact || (event.a != 3 && event.b != 3)) continue;
        first = std::min(first, event.time);
        fastest = std::max(fastest, event.normal_speed_in);
    }
    EXPECT_EQ(std::get<double>(find(result.summary.metrics, "ball-4.first_impact_time")->value), first);
    EXPECT_EQ(std::get<double>(find(result.summary.metrics, "ball-4.max_impact_speed")->value), fastest);
    EXPECT_GE(std::get<double>(find(result.summary.metrics, "ball-4.impacts")->value), 1);
}

TEST(Run, TellsTheReleaseThatWasDrawn) {
    const fs::path folder = test::fresh_folder("drawn");
    const RunResult sharp = run(flat_request(folder / "sharp"));
    const RunResult drawn = run(flat_request(folder / "drawn", {"body.lander.start.velocity_sigma=[\"1 mm/s\", \"0 m/s\", \"0 m/s\"]"}));
    const auto find = [](const RunResult& result, const std::string& name) {
        for (const record::Metric& metric : result.summary.metrics)
            if (metric.name == name) return std::get<std::vector<double>>(metric.value);
        return std::vector<double>{};
    };
    EXPECT_EQ(find(sharp, "start_position"), (std::vector<double>{-80, 2, 20}));
    EXPECT_EQ(find(drawn, "start_position"), (std::vector<double>{-80, 2, 20}));
    EXPECT_EQ(find(sharp, "start_spin").size(), 3u);
    const std::vector<double> before = find(sharp, "start_velocity"), after = find(drawn, "start_velocity");
    ASSERT_EQ(before.size(), 3u);
    EXPECT_NE(after[0], before[0]);
    EXPECT_NEAR(after[0], before[0], 0.01);
    EXPECT_EQ(after[1], before[1]);
}

}  // namespace
}  // namespace asperity::study::run_test
