// The observer that fills a record: samples at n * interval from time 0 on, checkpoints at the first step boundary past each
// n * interval, and every event, which it also keeps in memory for the metrics.
//
// Times are n * interval, never a running sum, so that a restarted run asks for the same times to the bit.
#pragma once
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "asperity/model/observer.h"
#include "asperity/record/writer.h"

namespace asperity::record {

struct Intervals {
    double sample = std::numeric_limits<double>::infinity();      // s; infinity: no samples
    double checkpoint = std::numeric_limits<double>::infinity();  // s; infinity: no checkpoints
    // s of wall time, after which a copy of the record gets a checkpoint (RecordWriter::publish_checkpoint); infinity: never.
    double wall = std::numeric_limits<double>::infinity();
};

// The output of one group of many bodies: a frame at every n-th sample.
struct FrameInterval {
    std::int64_t every = 1;
};

class Recorder final : public model::Observer {
public:
    // Goes on where the writer's record ends if the writer continues another record. Without a writer only events are kept.
    // `frames`: of each group that the writer has.
    Recorder(RecordWriter* writer, const Intervals& intervals, std::vector<FrameInterval> frames = {});

    double next_sample() const override;
    model::Wants wants() const override { return {.contacts = writer_ != nullptr}; }
    void sample(const model::Look& look) override;
    void event(const model::Event& event) override;
    double next_checkpoint() const override;
    void checkpoint(const model::State& state) override;  // kept where one is due, and otherwise ignored
    // The run ends here before its end: a state to go on from.
    void stop(const model::State& state);

    // All events since the start of the run, those before a restart included.
    const std::vector<model::Event>& events() const { return events_; }

private:
    using Clock = std::chrono::steady_clock;
    bool is_wall_due() const;
    void add_groups(const model::Look& look, bool is_due);

    RecordWriter* writer_;
    Intervals intervals_;
    Clock::time_point next_wall_;
    mutable int asked_ = 0;         // times since the clock was read
    std::int64_t next_sample_ = 0;  // the n of n * interval
    std::vector<FrameInterval> frames_;
    std::int64_t closing_looks_ = 0;    // instants since the last that was due
    std::int64_t closing_samples_ = 0;  // rows since the last that was due: the end of the run
    std::int64_t next_checkpoint_ = 1;  // none at 0: the scenario says how the run starts
    std::vector<model::Sample> rows_;   // workspace
    std::vector<model::Event> events_;
};

// The smallest n >= 0 for which n * interval > time.
std::int64_t first_multiple_after(double time, double interval);

}  // namespace asperity::record
