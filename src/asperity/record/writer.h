// Writes a record while the run goes on.
//
// The file is written in place, and only in whole blocks followed by a flush, so that a run that fails leaves a record that can be
// read and restarted up to its last block. A temporary name was turned down: it would hide exactly the record that one then needs.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/record/hdf5_file.h"
#include "asperity/record/record.h"

namespace asperity::record {

class RecordWriter {
public:
    // Creates the file, and its folder where that is missing. Throws RuntimeError where the machine refuses.
    RecordWriter(const std::filesystem::path& path, const Header& header, std::string_view scenario);

    // A new record that begins with all that the old one held at that checkpoint, that checkpoint included: the finished record has
    // the content hash of an uninterrupted run. The paths may be equal. Without a header, the old one's is copied.
    static RecordWriter continue_from(const std::filesystem::path& old_record, std::int64_t checkpoint_index,
                                      const std::filesystem::path& new_path, const std::optional<Header>& header = {});

    RecordWriter(RecordWriter&&) = default;
    RecordWriter& operator=(RecordWriter&&) = default;
    ~RecordWriter();  // writes what is still held; errors show only in close()

    void add_surface(const Surface& surface);  // at most once
    void add_sample(const model::Sample& sample);
    void add_event(const model::Event& event);
    void add_checkpoint(const model::State& state);  // and everything so far goes to disk
    void add_table(const Table& table);
    void add_metric(const Metric& metric);
    void add_warning(const std::string& text);
    void set_outcome(const model::Outcome& outcome);  // at most once
    void flush();
    void close();  // flushes; nothing may be added after it

    // What the record already held when a continued run began, for the Recorder to go on from.
    struct Begun {
        std::optional<double> last_sample_time;      // s
        std::optional<double> last_checkpoint_time;  // s
        std::vector<model::Event> events;
    };
    const Begun& begun() const { return begun_; }

private:
    Hdf5File file_;
    std::vector<model::Sample> samples_;  // not yet on disk
    std::vector<model::Event> events_;
    std::int64_t sample_rows_ = 0;  // added so far, on disk or not
    std::int64_t event_rows_ = 0;
    std::int64_t checkpoints_ = 0;
    std::int64_t warnings_ = 0;
    Begun begun_;
};

// Writes a whole record at once.
void write_record(const std::filesystem::path& path, const Record& record);

}  // namespace asperity::record
