#include "asperity/record/recorder.h"

#include <cmath>

#include "asperity/core/errors.h"

namespace asperity::record {
namespace {

double multiple(std::int64_t n, double interval) {
    return std::isfinite(interval) ? static_cast<double>(n) * interval : std::numeric_limits<double>::infinity();
}

std::chrono::steady_clock::duration wall_pause(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

std::int64_t first_multiple_after(double time, double interval) {
    if (!(time >= 0)) return 0;
    // the quotient may be off by a rounding either way; the products decide
    auto n = static_cast<std::int64_t>(std::floor(time / interval));
    while (static_cast<double>(n) * interval <= time) ++n;
    while (n > 0 && static_cast<double>(n - 1) * interval > time) --n;
    return n;
}

Recorder::Recorder(RecordWriter* writer, const Intervals& intervals, std::vector<FrameInterval> frames)
    : writer_(writer), intervals_(intervals), frames_(std::move(frames)) {
    ASPERITY_REQUIRE(intervals.sample > 0 && intervals.checkpoint > 0, "intervals {} s and {} s", intervals.sample, intervals.checkpoint);
    if (writer == nullptr) return;
    if (std::isfinite(intervals.wall)) next_wall_ = Clock::now() + wall_pause(intervals.wall);
    const RecordWriter::Begun& begun = writer->begun();
    events_ = begun.events;
    if (begun.last_sample_time && std::isfinite(intervals.sample))
        next_sample_ = first_multiple_after(*begun.last_sample_time, intervals.sample);
    if (begun.last_checkpoint_time && std::isfinite(intervals.checkpoint))
        next_checkpoint_ = first_multiple_after(*begun.last_checkpoint_time, intervals.checkpoint);
}

double Recorder::next_sample() const { return multiple(next_sample_, intervals_.sample); }

void Recorder::sample(const model::Look& look) {
    rows_.clear();
    if (writer_ != nullptr) model::append_samples(look, rows_);
    for (const model::Sample& row : rows_) writer_->add_sample(row);
    if (writer_ != nullptr && !look.signals.empty()) writer_->add_signal_row(look.time, look.signals);
    const bool is_due = look.time >= next_sample();
    add_groups(look, is_due);
    closing_samples_ = is_due ? 0 : closing_samples_ + static_cast<std::int64_t>(rows_.size());
    closing_looks_ = is_due ? 0 : closing_looks_ + 1;
    if (std::isfinite(intervals_.sample)) next_sample_ = first_multiple_after(look.time, intervals_.sample);
}

// A frame is due where a multiple of its interval lies among the samples that this one stands for; the end of the run has one too.
void Recorder::add_groups(const model::Look& look, bool is_due) {
    if (writer_ == nullptr) return;
    std::size_t number = 0;
    for (std::size_t g = 0; g < look.groups.size(); ++g) {
        if (look.groups[g].count == 1) continue;
        writer_->add_group_sample(number, {.time = look.time, .ledger = look.ledger[g]});
        const std::int64_t every = frames_[number].every;
        const std::int64_t last = is_due ? first_multiple_after(look.time, intervals_.sample) - 1 : 0;
        if (!is_due || last / every * every >= next_sample_) writer_->add_frame(number, look);
        ++number;
    }
}

void Recorder::event(const model::Event& event) {
    if (writer_ != nullptr) writer_->add_event(event);
    events_.push_back(event);
}

// Asked at every step, so that the clock is read only now and then: sixteen steps take far less than a minute.
bool Recorder::is_wall_due() const {
    constexpr int pause = 16;
    if (writer_ == nullptr || !std::isfinite(intervals_.wall) || ++asked_ < pause) return false;
    if (Clock::now() >= next_wall_ && writer_->may_publish()) return true;
    asked_ = 0;
    return false;
}

double Recorder::next_checkpoint() const {
    return is_wall_due() ? -std::numeric_limits<double>::infinity() : multiple(next_checkpoint_, intervals_.checkpoint);
}

void Recorder::checkpoint(const model::State& state) {
    if (state.clock.time() >= multiple(next_checkpoint_, intervals_.checkpoint)) {
        if (writer_ != nullptr) writer_->add_checkpoint(state);
        if (std::isfinite(intervals_.checkpoint)) next_checkpoint_ = first_multiple_after(state.clock.time(), intervals_.checkpoint);
    }
    if (!is_wall_due()) return;
    writer_->publish_checkpoint(state);
    asked_ = 0;
    next_wall_ = Clock::now() + wall_pause(intervals_.wall);
}

void Recorder::stop(const model::State& state) {
    if (writer_ != nullptr) writer_->add_stop_checkpoint(state, closing_samples_, closing_looks_);
}

}  // namespace asperity::record
