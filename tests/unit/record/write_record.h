// Writes a record that was made by hand.
#pragma once
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

#include "asperity/record/record.h"
#include "asperity/record/writer.h"

namespace asperity::record {

inline void write_record(const std::filesystem::path& path, const Record& record) {
    RecordWriter writer(path, record.header, record.scenario, {.least_pause = std::numeric_limits<double>::infinity()});
    writer.add_surface(record.surface);
    writer.add_bodies(record.bodies);
    writer.add_shapes(record.shapes);
    std::size_t sample = 0;
    std::size_t event = 0;
    for (const Checkpoint& checkpoint : record.checkpoints) {
        while (sample < static_cast<std::size_t>(checkpoint.samples)) writer.add_sample(record.samples.at(sample++));
        while (event < static_cast<std::size_t>(checkpoint.events)) writer.add_event(record.events.at(event++));
        checkpoint.is_stop ? writer.add_stop_checkpoint(checkpoint.state) : writer.add_checkpoint(checkpoint.state);
    }
    while (sample < record.samples.size()) writer.add_sample(record.samples[sample++]);
    while (event < record.events.size()) writer.add_event(record.events[event++]);
    writer.add_given(record.given);
    writer.add_cables(record.cables);
    for (const Table& table : record.tables) writer.add_table(table);
    for (const Metric& metric : record.metrics) writer.add_metric(metric);
    for (const std::string& warning : record.warnings) writer.add_warning(warning);
    if (record.outcome) writer.set_outcome(*record.outcome);
    writer.close();
}

}  // namespace asperity::record
