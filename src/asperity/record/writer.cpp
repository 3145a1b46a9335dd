#include "asperity/record/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/record/columns.h"

namespace asperity::record {
namespace {

// The number of rows that are held before they go to disk as one block.
constexpr std::size_t block_rows = 4096;

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

template <class Row>
void write_table(Hdf5File& file, const std::string& group, const std::vector<Row>& rows) {
    file.make_group(group);
    for (const Column& column : columns_of(rows)) file.write(fmt::format("{}/{}", group, column.name), column);
}

Column single(std::string name, Values value, std::string unit, std::string description) {
    return {std::move(name), std::move(unit), std::move(description), std::move(value), 1, true};
}

void append_signals(Hdf5File& file, std::vector<Column>& held) {
    for (Column& column : held) {
        file.append("/signals/" + link_name(column.name), column);
        std::get<std::vector<double>>(column.values).clear();
    }
}

std::string place_of_checkpoint(std::int64_t index) { return fmt::format("/checkpoints/{}", index); }

// `checkpoint`: all of it but the state.
void write_group(Hdf5File& file, std::int64_t index, const Checkpoint& checkpoint, const model::State& state, bool has_signals) {
    const std::string group = place_of_checkpoint(index);
    file.make_group(group);
    file.write(group + "/time", single("time", std::vector<double>{checkpoint.time}, "s", "Time of the state."));
    file.write(group + "/samples", single("samples", std::vector<std::int64_t>{checkpoint.samples}, "", "Rows of samples before it."));
    file.write(group + "/events", single("events", std::vector<std::int64_t>{checkpoint.events}, "", "Rows of events before it."));
    if (!checkpoint.groups.empty())
        file.write(group + "/groups", {"groups", "", "Of each group, rows of samples and frames before it.", checkpoint.groups});
    if (has_signals)
        file.write(group + "/signals", single("signals", std::vector<std::int64_t>{checkpoint.signals}, "", "Rows of signals before it."));
    if (checkpoint.is_stop)
        file.write(group + "/is_stop", single("is_stop", std::vector<std::int64_t>{1}, "", "1 where it was kept since the run stopped."));
    std::string block;
    for_each_column(
        state,
        [&](const char* name) {
            block = fmt::format("{}/{}", group, name);
            file.make_group(block);
        },
        [&](const Column& column) { file.write(fmt::format("{}/{}", block, column.name), column); });
}

Hash128 hash_of(const model::State& state) {
    Hasher hasher;
    for_each_column(
        state, [](const char*) {},
        [&](const Column& column) {
            if (const auto* numbers = std::get_if<std::vector<double>>(&column.values)) hasher.add(*numbers);
            if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&column.values)) hasher.add(*numbers);
        });
    return hasher.value();
}

Column metric_column(const Metric& metric) {
    Column column{.name = metric.name, .unit = metric.unit, .description = metric.description, .is_single = true};
    if (const auto* number = std::get_if<double>(&metric.value)) column.values = std::vector<double>{*number};
    if (const auto* text = std::get_if<std::string>(&metric.value)) column.values = std::vector<std::string>{*text};
    if (const auto* numbers = std::get_if<std::vector<double>>(&metric.value)) {
        column.values = *numbers;
        column.is_single = false;
    }
    return column;
}

std::chrono::steady_clock::duration seconds(double count) {
    constexpr double most = 1e9;  // what the clock can hold, and longer than any run
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(std::min(count, most)));
}

}  // namespace

RecordWriter::RecordWriter(const std::filesystem::path& path, const Header& header, std::string_view scenario, const Publishing& publishing)
    : part_(path),
      file_(Hdf5File::create(part_.path())),
      publishing_(publishing),
      next_copy_(Clock::now() + seconds(publishing.least_pause)) {
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
                                         const std::filesystem::path& new_path, const Continuation& continuation) {
    Record old = read_record(old_record);
    if (checkpoint_index < 0 || checkpoint_index >= static_cast<std::int64_t>(old.checkpoints.size()))
        throw InputError(
            fmt::format("{} has {} checkpoints, there is no checkpoint {}", old_record.string(), old.checkpoints.size(), checkpoint_index));
    old.checkpoints.resize(static_cast<std::size_t>(checkpoint_index) + 1);
    const Checkpoint last = old.checkpoints.back();
    old.samples.resize(static_cast<std::size_t>(last.samples));  // read_record made sure that there are as many
    old.events.resize(static_cast<std::size_t>(last.events));
    std::erase_if(old.checkpoints, [](const Checkpoint& checkpoint) { return checkpoint.is_stop; });
    const Hdf5File old_file = Hdf5File::open(old_record);  // for its frames, one by one

    RecordWriter writer(new_path, continuation.header.value_or(old.header), continuation.scenario.value_or(old.scenario),
                        continuation.publishing);
    writer.is_held_back_ = true;
    writer.add_surface(old.surface);
    writer.add_bodies(old.bodies);
    writer.add_shapes(old.shapes);
    for (std::size_t g = 0; g < old.groups.size(); ++g) {
        writer.add_group(old.groups[g].head);
        const auto samples = static_cast<std::size_t>(last.groups[2 * g]);
        for (std::size_t k = 0; k < samples; ++k) writer.add_group_sample(g, old.groups[g].samples[k]);
        writer.append_frames_of(old_file, g, last.groups[2 * g + 1]);
        if (samples > 0) writer.begun_.last_sample_time = old.groups[g].samples[samples - 1].time;
    }
    writer.add_signals(old.signals);
    for (std::int64_t k = 0; k < last.signals; ++k) {
        const auto row = [&](const Column& column) { return std::get<std::vector<double>>(column.values)[static_cast<std::size_t>(k)]; };
        std::vector<double> values;
        for (std::size_t i = 1; i < old.signals.size(); ++i) values.push_back(row(old.signals[i]));
        writer.add_signal_row(row(old.signals.front()), values);
    }
    for (const model::Sample& sample : old.samples) writer.add_sample(sample);
    for (const model::Event& event : old.events) writer.add_event(event);
    writer.write_rows();
    for (const Checkpoint& checkpoint : old.checkpoints) writer.write_checkpoint(checkpoint, checkpoint.state);
    writer.file_.flush();
    // without the one it goes on from, a copy would be worth less than the old record: it waits for the next
    writer.is_held_back_ = last.is_stop;

    if (!old.samples.empty()) writer.begun_.last_sample_time = old.samples.back().time;
    writer.begun_.last_checkpoint_time = last.time;
    writer.begun_.events = std::move(old.events);
    return writer;
}

RecordWriter::~RecordWriter() {
    if (!part_.is_held() || !file_.is_open() || !is_whole_ || is_held_back_) return;
    try {
        publish();
    } catch (const std::exception&) {
        // the copy before it stays; a destructor cannot report it
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
    if (!surface.rock_centres.empty()) {
        std::vector<double> centres;
        for (const Vec3& centre : surface.rock_centres) put(centres, centre);
        file_.write("/surface/rock_centres", {"rock_centres", "m", "Centres of rocks that stand on it.", std::move(centres), 3});
        file_.write("/surface/rock_radii", {"rock_radii", "m", "Their radii.", surface.rock_radii});
    }
    file_.flush();
}

void RecordWriter::add_bodies(const Bodies& bodies) {
    if (bodies.is_empty()) return;
    file_.make_group("/bodies");
    for (const Column& column : columns_of(bodies.rows)) file_.write("/bodies/" + column.name, column);
    file_.write("/bodies/gravitational_constant", single("gravitational_constant", std::vector<double>{bodies.gravitational_constant},
                                                         "m^3/(kg s^2)", "Constant of gravitation of the run."));
    file_.flush();
}

void RecordWriter::add_shapes(const Shapes& shapes) {
    if (shapes.rows.empty()) return;
    write_table(file_, "/shapes", shapes.rows);
    if (!shapes.points.empty()) {
        std::vector<double> points;
        for (const Vec3& point : shapes.points) put(points, point);
        file_.write("/shapes/corners", {"corners", "m", "Points of all rows, in the axes of the shape.", std::move(points), 3});
    }
    if (!shapes.facets.empty()) {
        std::vector<std::int64_t> facets;
        for (const auto& facet : shapes.facets) facets.insert(facets.end(), facet.begin(), facet.end());
        file_.write("/shapes/triangles", {"triangles", "", "Triangles of all rows, of points of the same row.", std::move(facets), 3});
    }
    file_.flush();
}

void RecordWriter::add_given(const std::vector<GivenRow>& rows) {
    next_copy_ = earliest_copy_ = Clock::time_point::max();
    if (!rows.empty()) write_table(file_, "/given", rows);
}

void RecordWriter::add_cables(const std::vector<CableRow>& rows) {
    next_copy_ = earliest_copy_ = Clock::time_point::max();
    if (!rows.empty()) write_table(file_, "/cables", rows);
}

void RecordWriter::add_group(const GroupHead& head) {
    make_group(file_, groups_.size(), head);
    groups_.push_back({.head = head, .held = {}});
    file_.flush();
}

void RecordWriter::add_group_sample(std::size_t group, const GroupSample& sample) {
    groups_[group].held.push_back(sample);
    ++groups_[group].samples;
    if (groups_[group].held.size() >= block_rows) write_rows();
    publish_from(next_copy_);
}

// Frames go to disk at once, since they are large.
void RecordWriter::add_frame(std::size_t group, const model::Look& look) {
    is_whole_ = false;
    append(file_, group, groups_[group].head, frame_of(groups_[group].head, look));
    ++groups_[group].frames;
    write_rows();
    publish_from(next_copy_);
}

void RecordWriter::append_frames_of(const Hdf5File& old, std::size_t group, std::int64_t count) {
    const GroupHead& head = groups_[group].head;
    for (std::int64_t k = 0; k < count; ++k) append(file_, group, head, read_frame(old, group, head, k));
    groups_[group].frames += count;
}

std::vector<std::int64_t> RecordWriter::group_counts(std::int64_t without) const {
    std::vector<std::int64_t> counts;
    for (const GroupRows& group : groups_) counts.insert(counts.end(), {group.samples - without, group.frames - without});
    return counts;
}

void RecordWriter::add_sample(const model::Sample& sample) {
    samples_.push_back(sample);
    ++sample_rows_;
    if (samples_.size() >= block_rows) write_rows();
    publish_from(next_copy_);
}

void RecordWriter::add_signals(const std::vector<Column>& columns) {
    if (columns.empty()) return;
    signals_ = columns;
    file_.make_group("/signals");
    for (Column& column : signals_) {
        std::get<std::vector<double>>(column.values).clear();
        file_.make_extendible("/signals/" + link_name(column.name), column);
    }
    file_.flush();
}

void RecordWriter::add_signal_row(double time, std::span<const double> values) {
    ASPERITY_REQUIRE(values.size() + 1 == signals_.size(), "{} signals in a record of {}", values.size() + 1, signals_.size());
    std::get<std::vector<double>>(signals_.front().values).push_back(time);
    for (std::size_t i = 0; i < values.size(); ++i) std::get<std::vector<double>>(signals_[i + 1].values).push_back(values[i]);
    ++signal_rows_;
    if (signals_.front().rows() >= static_cast<std::int64_t>(block_rows)) write_rows();
}

void RecordWriter::add_event(const model::Event& event) {
    events_.push_back(event);
    ++event_rows_;
    if (events_.size() >= block_rows) write_rows();
    publish_from(next_copy_);
}

void RecordWriter::add_checkpoint(const model::State& state) {
    append_held_rows();
    write_checkpoint(checkpoint_at(state.clock.time()), state);
    file_.flush();
    is_held_back_ = false;
    publish_from(next_copy_);
}

void RecordWriter::publish_checkpoint(const model::State& state) {
    if (last_checkpoint_ == hash_of(state)) return;
    is_held_back_ = false;
    passing_ = &state;
    publish_from(earliest_copy_);
    passing_ = nullptr;
}

// Of this moment, but for the state.
Checkpoint RecordWriter::checkpoint_at(double time) const {
    return {.time = time, .samples = sample_rows_, .events = event_rows_, .groups = group_counts(), .signals = signal_rows_, .state = {}};
}

void RecordWriter::add_stop_checkpoint(const model::State& state, std::int64_t closing_samples, std::int64_t closing_looks) {
    if (last_checkpoint_ == hash_of(state)) return;
    append_held_rows();
    write_checkpoint({.time = state.clock.time(),
                      .samples = sample_rows_ - closing_samples,
                      .events = event_rows_,
                      .groups = group_counts(closing_looks),
                      .signals = signals_.empty() ? 0 : signal_rows_ - closing_looks,
                      .is_stop = true,
                      .state = {}},
                     state);
    file_.flush();
}

void RecordWriter::write_checkpoint(const Checkpoint& checkpoint, const model::State& state) {
    is_whole_ = false;
    write_group(file_, checkpoints_++, checkpoint, state, !signals_.empty());
    is_whole_ = true;
    last_checkpoint_ = hash_of(state);
    has_passing_ = false;
}

void RecordWriter::add_table(const Table& table) {
    next_copy_ = earliest_copy_ = Clock::time_point::max();
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

void RecordWriter::add_metric(const Metric& metric) {
    next_copy_ = earliest_copy_ = Clock::time_point::max();
    file_.write("/metrics/" + link_name(metric.name), metric_column(metric));
}

void RecordWriter::add_warning(const std::string& text) {
    next_copy_ = earliest_copy_ = Clock::time_point::max();
    const std::string number = fmt::format("{}", warnings_.size());
    warnings_.push_back(text);
    file_.write("/warnings/" + number, single(number, std::vector<std::string>{text}, "", "What the user should know."));
}

void RecordWriter::set_outcome(const model::Outcome& outcome) {
    next_copy_ = earliest_copy_ = Clock::time_point::max();
    file_.make_group("/outcome");
    file_.write("/outcome/kind", single("kind", std::vector<std::string>{outcome.label()}, "", "How the run ended."));
    file_.write("/outcome/time", single("time", std::vector<double>{outcome.time}, "s", "When."));
    file_.write("/outcome/body", single("body", std::vector<std::int64_t>{outcome.body}, "", "Index of the body that ended it."));
    file_.write("/outcome/message", single("message", std::vector<std::string>{outcome.message}, "", "In words."));
}

void RecordWriter::append_held_rows() {
    is_whole_ = false;
    for (std::size_t g = 0; g < groups_.size(); ++g) append(file_, g, groups_[g].held);
    append_rows(file_, "/samples", samples_);
    append_rows(file_, "/events", events_);
    if (!signals_.empty() && signals_.front().rows() > 0) append_signals(file_, signals_);
    is_whole_ = true;
}

void RecordWriter::write_rows() {
    append_held_rows();
    is_whole_ = false;
    file_.flush();
    is_whole_ = true;
}

void RecordWriter::publish_from(Clock::time_point due) {
    const Clock::time_point begin = Clock::now();
    if (is_held_back_ || begin < due) return;
    try {
        publish();
    } catch (const RuntimeError& error) {
        // the run itself may still come to its end, since that needs no room for a copy; and there may be room again
        if (!std::exchange(is_warned_, true))
            add_warning(fmt::format("the record could not be copied into its place before the end of the run: {}", error.what()));
    }
    const Clock::time_point end = Clock::now();
    earliest_copy_ = end + seconds(std::chrono::duration<double>(end - begin).count() / publishing_.most_part);
    next_copy_ = std::max(earliest_copy_, end + seconds(publishing_.least_pause));
}

void RecordWriter::publish() {
    Hdf5File copy = Hdf5File::reopen(part_.make_copy());
    std::vector<model::Sample> samples = samples_;
    std::vector<model::Event> events = events_;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        std::vector<GroupSample> held = groups_[g].held;
        append(copy, g, held);
    }
    append_rows(copy, "/samples", samples);
    append_rows(copy, "/events", events);
    std::vector<Column> signals = signals_;
    if (!signals.empty() && signals.front().rows() > 0) append_signals(copy, signals);
    if (passing_ != nullptr) {
        Checkpoint checkpoint = checkpoint_at(passing_->clock.time());
        checkpoint.is_stop = true;
        write_group(copy, checkpoints_, checkpoint, *passing_, !signals_.empty());
    } else if (has_passing_) {
        keep_passing(copy);
    }
    copy.close();
    part_.put_copy();
    has_passing_ = has_passing_ || passing_ != nullptr;
    remove_stale();
}

// The state of a passing checkpoint may be large: the copy in place holds it, and hands it on to the next one.
void RecordWriter::keep_passing(Hdf5File& copy) {
    try {
        copy.take_group(Hdf5File::open(part_.place()), place_of_checkpoint(checkpoints_));
    } catch (const InputError&) {
        has_passing_ = false;  // someone took the record away, and the checkpoint with it
    }
}

void RecordWriter::remove_stale() {
    for (const std::filesystem::path& path : std::exchange(publishing_.stale, {})) {
        std::error_code error;
        std::filesystem::remove(path, error);
        if (error) throw RuntimeError(fmt::format("cannot remove {}, which tells of an older run: {}", path.string(), error.message()));
    }
}

void RecordWriter::close() {
    write_rows();
    file_.close();
    part_.put();
    remove_stale();
}

}  // namespace asperity::record
