// Writes a record during the run, so that a complete and readable record is in place at every moment.
//
// The file grows under the name `record.h5.part` (durable_file.h). From time to time a copy of it, completed by the rows that are still
// held, takes the place of `record.h5` at once; at the end the file itself does. The part is flushed at moments that depend on the rows
// alone and copies do not touch it, so that the finished file has the same bytes however often it was copied.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/hash.h"
#include "asperity/record/durable_file.h"
#include "asperity/record/hdf5_file.h"
#include "asperity/record/record.h"

namespace asperity::record {

// The schedule of the copies that replace the record. Their cost is proportional to the record, so that the pause grows with it.
struct Publishing {
    double least_pause = 2;   // s of wall time between two copies; infinity: none are made
    double most_part = 0.05;  // of the time of the run that copies may take
    // Files that tell of the record in its place: they go when another takes it.
    std::vector<std::filesystem::path> stale = {};
};

// The parts of a continued record that may differ from the old one; unset parts are taken from there.
struct Continuation {
    std::optional<Header> header = {};
    std::optional<std::string> scenario = {};
    Publishing publishing = {};
};

class RecordWriter {
public:
    // Makes the folder where it is missing. Throws InputError where another run writes this record, RuntimeError where the machine
    // refuses.
    RecordWriter(const std::filesystem::path& path, const Header& header, std::string_view scenario, const Publishing& publishing = {});

    // A new record that begins with all that the old one held at that checkpoint, that checkpoint included unless it was kept only because
    // the run stopped there: the finished record has the content hash of an uninterrupted run. The paths may be equal; the old record then
    // stays until the new one holds at least as many checkpoints.
    static RecordWriter continue_from(const std::filesystem::path& old_record, std::int64_t checkpoint_index,
                                      const std::filesystem::path& new_path, const Continuation& continuation = {});

    RecordWriter(RecordWriter&&) = default;
    RecordWriter& operator=(RecordWriter&&) = delete;
    ~RecordWriter();  // without close(), where a run failed: what it had takes its place, with the last checkpoint

    void add_surface(const Surface& surface);  // at most once, before any row
    void add_bodies(const Bodies& bodies);     // likewise
    void add_shapes(const Shapes& shapes);     // likewise
    void add_group(const GroupHead& head);     // before any row
    // The columns of named signals, without rows, the first of them the time. Before any row.
    void add_signals(const std::vector<Column>& columns);
    void add_signal_row(double time, std::span<const double> values);
    void add_sample(const model::Sample& sample);
    void add_group_sample(std::size_t group, const GroupSample& sample);
    void add_frame(std::size_t group, const model::Look& look);
    void add_event(const model::Event& event);
    void add_checkpoint(const model::State& state);
    // Where a run stops before its end: a checkpoint to go on from, if there is none at this state. The last `closing_samples` rows show
    // the state of the stop itself; a run that goes on does not have them.
    // `closing_looks`: so many instants they are, each with a sample and a frame of every group.
    void add_stop_checkpoint(const model::State& state, std::int64_t closing_samples = 0, std::int64_t closing_looks = 0);
    // A checkpoint that only the copies hold, for a run that is killed before its end. The finished record leaves it out: its content must
    // not depend on how fast the machine was. Makes a copy at once; none, and no checkpoint, where one may not be made yet.
    void publish_checkpoint(const model::State& state);
    bool may_publish() const { return Clock::now() >= earliest_copy_; }  // copies have not taken their part of the time
    // These belong to the end of a run: no copies are made after them.
    void add_given(const std::vector<GivenRow>& rows);  // at most once
    void add_cables(const std::vector<CableRow>& rows);
    void add_table(const Table& table);
    void add_metric(const Metric& metric);
    void add_warning(const std::string& text);
    void set_outcome(const model::Outcome& outcome);  // at most once
    void close();                                     // the record takes its place; nothing may be added after it

    // The content of the record when a continued run began, from which the Recorder continues.
    struct Begun {
        std::optional<double> last_sample_time;      // s
        std::optional<double> last_checkpoint_time;  // s
        std::vector<model::Event> events;
    };
    const Begun& begun() const { return begun_; }
    std::size_t groups() const { return groups_.size(); }
    const std::vector<std::string>& warnings() const { return warnings_; }

private:
    using Clock = std::chrono::steady_clock;

    struct GroupRows {
        GroupHead head;
        std::vector<GroupSample> held;  // samples that are not yet on disk
        std::int64_t samples = 0;       // added so far
        std::int64_t frames = 0;
    };

    std::vector<std::int64_t> group_counts(std::int64_t without = 0) const;
    void append_held_rows();
    void write_rows();
    void append_frames_of(const Hdf5File& old, std::size_t group, std::int64_t count);
    Checkpoint checkpoint_at(double time) const;
    void write_checkpoint(const Checkpoint& checkpoint, const model::State& state);
    void keep_passing(Hdf5File& copy);
    void publish_from(Clock::time_point due);  // where that time has come
    void publish();
    void remove_stale();

    PartFile part_;
    Hdf5File file_;
    Publishing publishing_;
    Clock::time_point next_copy_;         // when the next one is due
    Clock::time_point earliest_copy_;     // before it, copies would take more than their part of the time
    bool is_warned_ = false;              // of a copy that failed
    bool is_held_back_ = false;           // what was continued is not there yet
    bool is_whole_ = true;                // the part is; not where a write failed in the middle
    std::vector<model::Sample> samples_;  // not yet on disk
    std::vector<model::Event> events_;
    std::vector<GroupRows> groups_;
    std::vector<Column> signals_;   // rows not yet on disk
    std::int64_t signal_rows_ = 0;  // added so far
    std::int64_t sample_rows_ = 0;  // added so far, on disk or not
    std::int64_t event_rows_ = 0;
    std::int64_t checkpoints_ = 0;
    std::optional<Hash128> last_checkpoint_;  // of its state
    const model::State* passing_ = nullptr;   // of a checkpoint that the copy to be made holds, and the record does not
    bool has_passing_ = false;                // the copy in place holds one, later than the last one of the record
    std::vector<std::string> warnings_;
    Begun begun_;
};

}  // namespace asperity::record
