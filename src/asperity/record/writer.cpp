#include "asperity/record/writer.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/record/columns.h"

namespace asperity::record {
namespace {

// Rows held before they go to disk as one block.
constexpr std::size_t block_rows = 4096;

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) throw RuntimeError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
}

void make_columns(Hdf5File& file, const std::string& group, const std::vector<Column>& columns) {
    file.make_group(group);
    for (const Column& column : columns) file.make_extendible(fmt::format("{}/{}", group, column.name), column);
}

template <class Row>
void append_rows(Hdf5File& file, const std::string& group, std::vector<Row>& rows) {
    if (rows.empty()) return;
    for (const Column& column : columns_of(rows)) file.append(fmt::format("{}/{}", group, column.name), column);
    rows.clear();
}

Column single(std::string name, Values value, std::string unit, std::string description) {
    return {std::move(name), std::move(unit), std::move(description), std::move(value), 1, true};
}

void write_checkpoint(Hdf5File& file, std::int64_t index, const Checkpoint& checkpoint) {
    const std::string group = fmt::format("/checkpoints/{}", index);
    file.make_group(group);
    file.write(group + "/time", single("time", std::vector<double>{checkpoint.time}, "s", "Time of the state."));
    file.write(group + "/samples", single("samples", std::vector<std::int64_t>{checkpoint.samples}, "", "Rows of samples before it."));
    file.write(group + "/events", single("events", std::vector<std::int64_t>{checkpoint.events}, "", "Rows of events before it."));
    for (const Table& block : tables_of(checkpoint.state)) {
        file.make_group(fmt::format("{}/{}", group, block.name));
        for (const Column& column : block.columns) file.write(fmt::format("{}/{}/{}", group, block.name, column.name), column);
    }
}

Column metric_column(const Metric& metric) {
    Column column{.name = metric.name, .unit = metric.unit, .is_single = true};
    if (const auto* number = std::get_if<double>(&metric.value)) column.values = std::vector<double>{*number};
    if (const auto* text = std::get_if<std::string>(&metric.value)) column.values = std::vector<std::string>{*text};
    if (const auto* numbers = std::get_if<std::vector<double>>(&metric.value)) {
        column.values = *numbers;
        column.is_single = false;
    }
    return column;
}

}  // namespace

RecordWriter::RecordWriter(const std::filesystem::path& path, const Header& header, std::string_view scenario)
    : file_((make_folder(path.parent_path()), Hdf5File::create(path))) {
    file_.write_attribute("/", "format", format_version);
    file_.write_attribute("/", "asperity_version", header.asperity_version);
    file_.write_attribute("/", "git_commit", header.git_commit);
    file_.write_attribute("/", "compiler", header.compiler);
    file_.write_attribute("/", "compiler_flags", header.compiler_flags);
    file_.write_attribute("/", "scenario_name", header.scenario_name);
    file_.write_attribute("/", "scenario_hash", header.scenario_hash);
    file_.write("/scenario", single("scenario", std::vector<std::string>{std::string(scenario)}, "", "The resolved scenario, as run."));
    make_columns(file_, "/samples", columns_of(samples_));
    make_columns(file_, "/events", columns_of(events_));
    file_.make_group("/checkpoints");
    file_.make_group("/tables");
    file_.make_group("/metrics");
    file_.make_group("/warnings");
    file_.flush();
}

RecordWriter RecordWriter::continue_from(const std::filesystem::path& old_record, std::int64_t checkpoint_index,
                                         const std::filesystem::path& new_path, const std::optional<Header>& header) {
    Record old = read_record(old_record);
    if (checkpoint_index < 0 || checkpoint_index >= static_cast<std::int64_t>(old.checkpoints.size()))
        throw InputError(
            fmt::format("{} has {} checkpoints, there is no checkpoint {}", old_record.string(), old.checkpoints.size(), checkpoint_index));
    old.checkpoints.resize(static_cast<std::size_t>(checkpoint_index) + 1);
    const Checkpoint& last = old.checkpoints.back();
    old.samples.resize(static_cast<std::size_t>(last.samples));  // read_record made sure that there are as many
    old.events.resize(static_cast<std::size_t>(last.events));

    RecordWriter writer(new_path, header.value_or(old.header), old.scenario);
    writer.add_surface(old.surface);
    for (const model::Sample& sample : old.samples) writer.add_sample(sample);
    for (const model::Event& event : old.events) writer.add_event(event);
    append_rows(writer.file_, "/samples", writer.samples_);
    append_rows(writer.file_, "/events", writer.events_);
    for (const Checkpoint& checkpoint : old.checkpoints) write_checkpoint(writer.file_, writer.checkpoints_++, checkpoint);
    writer.file_.flush();

    if (!old.samples.empty()) writer.begun_.last_sample_time = old.samples.back().time;
    writer.begun_.last_checkpoint_time = last.time;
    writer.begun_.events = std::move(old.events);
    return writer;
}

RecordWriter::~RecordWriter() {
    if (!file_.is_open()) return;
    try {
        close();
    } catch (const std::exception&) {
        // a destructor cannot report it; who needs to know calls close()
    }
}

void RecordWriter::add_surface(const Surface& surface) {
    if (surface.facets.empty()) return;
    std::vector<double> vertices;
    for (const Vec3& vertex : surface.vertices) put(vertices, vertex);
    std::vector<std::int64_t> facets;
    for (const auto& facet : surface.facets) facets.insert(facets.end(), facet.begin(), facet.end());
    file_.make_group("/surface");
    file_.write("/surface/vertices", {"vertices", "m", "Corners of the surface.", std::move(vertices), 3});
    file_.write("/surface/facets", {"facets", "", "Rows of vertices, counter-clockwise from outside.", std::move(facets), 3});
}

void RecordWriter::add_sample(const model::Sample& sample) {
    samples_.push_back(sample);
    ++sample_rows_;
    if (samples_.size() >= block_rows) flush();
}

void RecordWriter::add_event(const model::Event& event) {
    events_.push_back(event);
    ++event_rows_;
    if (events_.size() >= block_rows) flush();
}

void RecordWriter::add_checkpoint(const model::State& state) {
    append_rows(file_, "/samples", samples_);
    append_rows(file_, "/events", events_);
    write_checkpoint(file_, checkpoints_++, {.time = state.clock.time(), .samples = sample_rows_, .events = event_rows_, .state = state});
    file_.flush();
}

void RecordWriter::add_table(const Table& table) {
    const std::string group = "/tables/" + link_name(table.name);
    file_.make_group(group);
    file_.write_attribute(group, "name", table.name);
    file_.write_attribute(group, "description", table.description);
    for (const Column& column : table.columns) {
        ASPERITY_REQUIRE(column.rows() == table.rows(), "table {}: column {} has {} rows, the first has {}", table.name, column.name,
                         column.rows(), table.rows());
        file_.write(group + "/" + link_name(column.name), column);
    }
}

void RecordWriter::add_metric(const Metric& metric) { file_.write("/metrics/" + link_name(metric.name), metric_column(metric)); }

void RecordWriter::add_warning(const std::string& text) {
    const std::string number = fmt::format("{}", warnings_++);
    file_.write("/warnings/" + number, single(number, std::vector<std::string>{text}, "", "What the user should know."));
}

void RecordWriter::set_outcome(const model::Outcome& outcome) {
    file_.make_group("/outcome");
    file_.write("/outcome/kind", single("kind", std::vector<std::string>{name(outcome.kind)}, "", "How the run ended."));
    file_.write("/outcome/time", single("time", std::vector<double>{outcome.time}, "s", "When."));
    file_.write("/outcome/body", single("body", std::vector<std::int64_t>{outcome.body}, "", "Index of the body that ended it."));
    file_.write("/outcome/message", single("message", std::vector<std::string>{outcome.message}, "", "In words."));
}

void RecordWriter::flush() {
    append_rows(file_, "/samples", samples_);
    append_rows(file_, "/events", events_);
    file_.flush();
}

void RecordWriter::close() {
    flush();
    file_.close();
}

void write_record(const std::filesystem::path& path, const Record& record) {
    RecordWriter writer(path, record.header, record.scenario);
    writer.add_surface(record.surface);
    std::size_t sample = 0;
    std::size_t event = 0;
    for (const Checkpoint& checkpoint : record.checkpoints) {
        while (sample < static_cast<std::size_t>(checkpoint.samples)) writer.add_sample(record.samples.at(sample++));
        while (event < static_cast<std::size_t>(checkpoint.events)) writer.add_event(record.events.at(event++));
        writer.add_checkpoint(checkpoint.state);
    }
    while (sample < record.samples.size()) writer.add_sample(record.samples[sample++]);
    while (event < record.events.size()) writer.add_event(record.events[event++]);
    for (const Table& table : record.tables) writer.add_table(table);
    for (const Metric& metric : record.metrics) writer.add_metric(metric);
    for (const std::string& warning : record.warnings) writer.add_warning(warning);
    if (record.outcome) writer.set_outcome(*record.outcome);
    writer.close();
}

}  // namespace asperity::record
