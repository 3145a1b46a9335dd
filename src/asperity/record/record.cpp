#include "asperity/record/record.h"

#include <fmt/format.h>

#include <cmath>
#include <new>
#include <span>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/core/hash.h"
#include "asperity/record/columns.h"
#include "asperity/record/hdf5_file.h"

namespace asperity::record {
namespace {

Hdf5File open_record(const std::filesystem::path& path) {
    Hdf5File file = Hdf5File::open(path);
    if (!file.has("/samples") || !file.has("/scenario"))
        throw InputError(fmt::format("{} is an HDF5 file, but not a record of Asperity", path.string()));
    const std::int64_t format = file.read_integer_attribute("/", "format");
    if (format != format_version)
        throw InputError(fmt::format("{} is a record of format {}; this program reads format {}", path.string(), format, format_version),
                         fmt::format("read it with {} version of Asperity", format > format_version ? "a newer" : "an older"));
    return file;
}

std::vector<Column> read_columns(const Hdf5File& file, const std::string& group) {
    std::vector<Column> columns;
    for (const std::string& child : file.children(group)) columns.push_back(file.read(group + "/" + child));
    return columns;
}

std::string read_text(const Hdf5File& file, const std::string& place) {
    const Column column = file.read(place);
    const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
    if (texts == nullptr || texts->size() != 1) throw InputError(fmt::format("`{}` is not a text", place));
    return texts->front();
}

template <class T>
T read_number(const Hdf5File& file, const std::string& place) {
    const Column column = file.read(place);
    const auto* numbers = std::get_if<std::vector<T>>(&column.values);
    if (numbers == nullptr || numbers->size() != 1) throw InputError(fmt::format("`{}` is not a number", place));
    return numbers->front();
}

std::vector<Vec3> read_points(const Hdf5File& file, const std::string& group, const char* name) {
    const std::vector<Column> columns{file.read(fmt::format("{}/{}", group, name))};
    const Column& column = find_column<Vec3>(columns, name, group);
    std::vector<Vec3> points(static_cast<std::size_t>(column.rows()));
    for (std::size_t i = 0; i < points.size(); ++i) take(std::get<std::vector<double>>(column.values).data() + 3 * i, points[i]);
    return points;
}

using Triangles = std::vector<std::array<std::int64_t, 3>>;

Triangles read_triangles(const Hdf5File& file, const std::string& place) {
    const Column column = file.read(place);
    const auto* indices = std::get_if<std::vector<std::int64_t>>(&column.values);
    if (indices == nullptr || column.width != 3) throw InputError(fmt::format("`{}` has the wrong type or width", place));
    Triangles facets(indices->size() / 3);
    for (std::size_t i = 0; i < indices->size(); ++i) facets[i / 3][i % 3] = (*indices)[i];
    return facets;
}

void require_corners(std::span<const std::array<std::int64_t, 3>> facets, std::int64_t count, const char* place) {
    for (const auto& facet : facets)
        for (const std::int64_t corner : facet)
            if (corner < 0 || corner >= count) throw InputError(fmt::format("`{}` names vertex {} of {}", place, corner, count));
}

Surface read_surface(const Hdf5File& file) {
    if (!file.has("/surface")) return {};
    Surface surface{.vertices = read_points(file, "/surface", "vertices"), .facets = read_triangles(file, "/surface/facets")};
    require_corners(surface.facets, static_cast<std::int64_t>(surface.vertices.size()), "/surface/facets");
    if (!file.has("/surface/rock_centres")) return surface;
    surface.rock_centres = read_points(file, "/surface", "rock_centres");
    const Column radii = file.read("/surface/rock_radii");
    const auto* numbers = std::get_if<std::vector<double>>(&radii.values);
    if (numbers == nullptr || numbers->size() != surface.rock_centres.size())
        throw InputError("`/surface/rock_radii` does not fit to the centres of rocks");
    surface.rock_radii = *numbers;
    return surface;
}

template <class Row>
std::vector<Row> read_rows(const Hdf5File& file, const std::string& group) {
    return file.has(group) ? rows_of<Row>(read_columns(file, group), group) : std::vector<Row>{};
}

Shapes read_shapes(const Hdf5File& file) {
    if (!file.has("/shapes")) return {};
    std::vector<Column> columns = read_columns(file, "/shapes");
    std::erase_if(columns, [](const Column& column) { return column.name == "corners" || column.name == "triangles"; });
    Shapes shapes{.rows = rows_of<ShapeRow>(columns, "/shapes")};
    if (file.has("/shapes/corners")) shapes.points = read_points(file, "/shapes", "corners");
    if (file.has("/shapes/triangles")) shapes.facets = read_triangles(file, "/shapes/triangles");
    std::size_t points = 0, facets = 0;
    for (const ShapeRow& row : shapes.rows) {
        const auto left = static_cast<std::int64_t>(shapes.points.size() - points);
        const auto facets_left = static_cast<std::int64_t>(shapes.facets.size() - facets);
        if (row.points < 0 || row.points > left || row.facets < 0 || row.facets > facets_left || row.body < -1 || row.count < 1)
            throw InputError("`/shapes` counts rows that there are not");
        require_corners(std::span(shapes.facets).subspan(facets, static_cast<std::size_t>(row.facets)), row.points, "/shapes/triangles");
        points += static_cast<std::size_t>(row.points), facets += static_cast<std::size_t>(row.facets);
    }
    return shapes;
}

Bodies read_bodies(const Hdf5File& file) {
    if (!file.has("/bodies")) return {};
    return {.rows = rows_of<BodyRow>(read_columns(file, "/bodies"), "/bodies"),
            .gravitational_constant = read_number<double>(file, "/bodies/gravitational_constant")};
}

std::vector<Column> read_signals(const Hdf5File& file) {
    if (!file.has("/signals")) return {};
    std::vector<Column> columns = read_columns(file, "/signals");
    for (const Column& column : columns)
        if (!std::holds_alternative<std::vector<double>>(column.values) || column.rows() != columns.front().rows() || column.width != 1)
            throw InputError("the columns of `/signals` are no numbers, or differ in length");
    return columns;
}

// Methods follow the rows of contacts without a look.
void require_rows(const model::State& state, const std::string& group) {
    const model::Contacts& c = state.contacts;
    const std::size_t n = c.size(), bodies = state.bodies.position.size();
    const auto fits = [n](const auto& column) { return column.empty() || column.size() == n; };
    const bool are_equal = c.b.size() == n && c.feature.size() == n && c.mode.size() == n && fits(c.slip_direction) && fits(c.roll_axis) &&
                           fits(c.spin_locked) && fits(c.drilling) && c.memory_width >= 0 &&
                           c.memory.size() == n * static_cast<std::size_t>(c.memory_width) &&
                           c.slip_direction.size() == c.roll_axis.size() && c.roll_axis.size() == c.spin_locked.size() &&
                           c.spin_locked.size() == c.drilling.size();
    if (!are_equal) throw InputError(fmt::format("the columns of `{}/contacts` differ in length", group));
    for (std::size_t i = 0; i < n; ++i) {
        const bool is_ground = c.b[i] == model::ground, is_pair = c.b[i] > c.a[i] && static_cast<std::size_t>(c.b[i]) < bodies;
        if (c.a[i] < 0 || static_cast<std::size_t>(c.a[i]) >= bodies || !(is_ground || is_pair))
            throw InputError(fmt::format("`{}/contacts` names a body that there is not", group));
    }
}

model::State read_state(const Hdf5File& file, const std::string& group) {
    std::vector<Table> blocks;
    for (const std::string& child : file.children(group)) {
        if (child == "time" || child == "samples" || child == "events" || child == "groups" || child == "signals" || child == "is_stop")
            continue;
        blocks.push_back({.name = child, .columns = read_columns(file, group + "/" + child)});
    }
    model::State state = state_of(blocks, group);
    require_rows(state, group);
    return state;
}

// Rows of samples and frames of each group before a checkpoint.
std::vector<std::int64_t> read_group_counts(const Hdf5File& file, const std::string& place, const std::vector<Group>& groups) {
    if (groups.empty()) return {};
    const Column column = file.read(place);
    const auto* counts = std::get_if<std::vector<std::int64_t>>(&column.values);
    if (counts == nullptr || counts->size() != 2 * groups.size()) throw InputError(fmt::format("`{}` does not fit to the groups", place));
    for (std::size_t i = 0; i < counts->size(); ++i) {
        const Group& group = groups[i / 2];
        const std::size_t rows = i % 2 == 0 ? group.samples.size() : group.frame_times.size();
        if ((*counts)[i] < 0 || (*counts)[i] > static_cast<std::int64_t>(rows))
            throw InputError(fmt::format("`{}` counts {} rows of a group that has {}", place, (*counts)[i], rows));
    }
    return *counts;
}

std::vector<Checkpoint> read_checkpoints(const Hdf5File& file, const Record& record) {
    const std::size_t samples = record.samples.size(), events = record.events.size();
    const std::int64_t signals = record.signals.empty() ? 0 : record.signals.front().rows();
    std::vector<Checkpoint> checkpoints;
    for (std::size_t i = 0; file.has(fmt::format("/checkpoints/{}", i)); ++i) {
        const std::string group = fmt::format("/checkpoints/{}", i);
        Checkpoint checkpoint{.time = read_number<double>(file, group + "/time"),
                              .samples = read_number<std::int64_t>(file, group + "/samples"),
                              .events = read_number<std::int64_t>(file, group + "/events"),
                              .groups = read_group_counts(file, group + "/groups", record.groups),
                              .signals = record.signals.empty() ? 0 : read_number<std::int64_t>(file, group + "/signals"),
                              .is_stop = file.has(group + "/is_stop"),
                              .state = read_state(file, group)};
        if (checkpoint.samples < 0 || checkpoint.samples > static_cast<std::int64_t>(samples) || checkpoint.events < 0 ||
            checkpoint.events > static_cast<std::int64_t>(events))
            throw InputError(fmt::format("`{}` counts {} samples and {} events, the record holds {} and {}", group, checkpoint.samples,
                                         checkpoint.events, samples, events));
        if (checkpoint.signals < 0 || checkpoint.signals > signals)
            throw InputError(fmt::format("`{}` counts {} rows of signals, the record holds {}", group, checkpoint.signals, signals));
        checkpoints.push_back(std::move(checkpoint));
    }
    return checkpoints;
}

std::vector<Metric> read_metrics(const Hdf5File& file) {
    std::vector<Metric> metrics;
    for (const Column& column : read_columns(file, "/metrics")) {
        Metric metric{.name = column.name, .value = {}, .unit = column.unit, .description = column.description};
        const auto* numbers = std::get_if<std::vector<double>>(&column.values);
        const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
        if (texts != nullptr && column.is_single) {
            metric.value = texts->front();
        } else if (numbers != nullptr && column.is_single) {
            metric.value = numbers->front();
        } else if (numbers != nullptr) {
            metric.value = *numbers;
        } else {
            throw InputError(fmt::format("`/metrics/{}` is neither a number, nor numbers, nor a text", column.name));
        }
        metrics.push_back(std::move(metric));
    }
    return metrics;
}

std::optional<model::Outcome> read_outcome(const Hdf5File& file) {
    if (!file.has("/outcome")) return {};
    model::Outcome outcome{.time = read_number<double>(file, "/outcome/time"),
                           .body = read_number<std::int64_t>(file, "/outcome/body"),
                           .message = read_text(file, "/outcome/message")};
    const std::string kind = read_text(file, "/outcome/kind");
    using enum model::OutcomeKind;
    for (const model::OutcomeKind known :
         {rest, escaped, timed_out, orbiting, companion, stalled, non_finite, overlap, completed, locked}) {
        if (kind != name(known)) continue;
        outcome.kind = known;
        return outcome;
    }
    outcome.kind = named;
    outcome.given_name = kind;
    return outcome;
}

Header read_header(const Hdf5File& file) {
    return {.asperity_version = file.read_text_attribute("/", "asperity_version"),
            .git_commit = file.read_text_attribute("/", "git_commit"),
            .compiler = file.read_text_attribute("/", "compiler"),
            .compiler_flags = file.read_text_attribute("/", "compiler_flags"),
            .scenario_name = file.read_text_attribute("/", "scenario_name"),
            .scenario_hash = file.read_text_attribute("/", "scenario_hash")};
}

Record read_all(const Hdf5File& file) {
    Record record{.header = read_header(file),
                  .scenario = read_text(file, "/scenario"),
                  .surface = read_surface(file),
                  .bodies = read_bodies(file),
                  .shapes = read_shapes(file),
                  .given = read_rows<GivenRow>(file, "/given"),
                  .cables = read_rows<CableRow>(file, "/cables"),
                  .samples = rows_of<model::Sample>(read_columns(file, "/samples"), "/samples"),
                  .groups = read_groups(file),
                  .signals = read_signals(file),
                  .events = rows_of<model::Event>(read_columns(file, "/events"), "/events")};
    record.checkpoints = read_checkpoints(file, record);
    for (const std::string& child : file.children("/tables")) {
        const std::string group = "/tables/" + child;
        Table table{.name = file.read_text_attribute(group, "name"),
                    .description = file.read_text_attribute(group, "description"),
                    .columns = read_columns(file, group)};
        for (const Column& column : table.columns)
            if (column.rows() != table.rows()) throw InputError(fmt::format("the columns of `{}` differ in length", group));
        record.tables.push_back(std::move(table));
    }
    record.metrics = read_metrics(file);
    record.outcome = read_outcome(file);
    for (const std::string& child : file.children("/warnings")) record.warnings.push_back(read_text(file, "/warnings/" + child));
    return record;
}

// Runs a reader and puts the path in front of its errors.
template <class Read>
auto reading(const std::filesystem::path& path, const Read& read) {
    const Hdf5File file = open_record(path);
    try {
        return read(file);
    } catch (const InputError& error) {
        Problem problem = error.problems.front();
        if (problem.what.find(path.string()) == std::string::npos)
            problem.what = fmt::format("cannot read {}: {}", path.string(), problem.what);
        if (problem.hint.empty()) problem.hint = "the record is damaged or incomplete";
        throw InputError(std::vector<Problem>{problem});
    } catch (const std::bad_alloc&) {
        throw RuntimeError(fmt::format("cannot read {}: it does not fit into memory", path.string()));
    }
}

void add(Hasher& hasher, const Column& column) {
    hasher.add(column.name).add(column.unit).add(column.width).add(column.is_single).add(column.values.index());
    if (const auto* numbers = std::get_if<std::vector<double>>(&column.values)) hasher.add(*numbers);
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&column.values)) hasher.add(*numbers);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values)) {
        hasher.add(texts->size());
        for (const std::string& text : *texts) hasher.add(text);
    }
}

void add(Hasher& hasher, std::string_view name, const std::vector<Column>& columns) {
    hasher.add(name).add(columns.size());
    for (const Column& column : columns) add(hasher, column);
}

}  // namespace

Record read_record(const std::filesystem::path& path) { return reading(path, read_all); }

Brief read_brief(const std::filesystem::path& path) {
    return reading(path, [](const Hdf5File& file) {
        Brief brief{.header = read_header(file), .has_outcome = file.has("/outcome"), .last_checkpoint_time = {}};
        for (std::int64_t i = 0; file.has(fmt::format("/checkpoints/{}", i)); ++i)
            brief.last_checkpoint_time = read_number<double>(file, fmt::format("/checkpoints/{}/time", i));
        return brief;
    });
}

std::int64_t last_checkpoint(const std::filesystem::path& path) {
    return last_checkpoint_before(path, std::numeric_limits<double>::infinity());
}

std::int64_t last_checkpoint_before(const std::filesystem::path& path, double time) {
    std::int64_t found = -1;
    std::int64_t count = 0;
    reading(path, [&](const Hdf5File& file) {
        for (; file.has(fmt::format("/checkpoints/{}", count)); ++count)
            if (read_number<double>(file, fmt::format("/checkpoints/{}/time", count)) <= time) found = count;
        return 0;
    });
    if (count == 0)
        throw InputError(fmt::format("{} holds no checkpoints", path.string()), "run it with checkpoints to be able to restart");
    if (found < 0) throw InputError(fmt::format("{} holds no checkpoint at or before {} s", path.string(), time));
    return found;
}

std::string record_hash(const Record& record) {
    Hasher hasher;
    hasher.add(record.scenario);
    hasher.add(record.surface.vertices).add(record.surface.facets);
    // records without what follows keep the hash that they always had
    if (!record.surface.rock_centres.empty()) hasher.add("rocks").add(record.surface.rock_centres).add(record.surface.rock_radii);
    if (!record.bodies.is_empty()) {
        add(hasher, "bodies", columns_of(record.bodies.rows));
        hasher.add(record.bodies.gravitational_constant);
    }
    if (!record.shapes.rows.empty()) {
        add(hasher, "shapes", columns_of(record.shapes.rows));
        hasher.add(record.shapes.points).add(record.shapes.facets);
    }
    if (!record.given.empty()) add(hasher, "given", columns_of(record.given));
    if (!record.cables.empty()) add(hasher, "cables", columns_of(record.cables));
    add(hasher, "samples", columns_of(record.samples));
    for (const Group& group : record.groups) {
        hasher.add(group.head.name).add(group.head.first).add(group.head.count).add(group.head.stride);
        add(hasher, "group", columns_of(group.samples));
        hasher.add(group.frame_times).add(group.frames_hash.high).add(group.frames_hash.low);
    }
    if (!record.signals.empty()) add(hasher, "signals", record.signals);
    add(hasher, "events", columns_of(record.events));
    hasher.add(record.checkpoints.size());
    for (const Checkpoint& checkpoint : record.checkpoints) {
        hasher.add(checkpoint.time).add(checkpoint.samples).add(checkpoint.events);
        for (const Table& block : tables_of(checkpoint.state)) add(hasher, block.name, block.columns);
    }
    hasher.add(record.tables.size());
    for (const Table& table : record.tables) add(hasher, table.name, table.columns);
    hasher.add(record.metrics.size());
    for (const Metric& metric : record.metrics) {
        hasher.add(metric.name).add(metric.unit).add(metric.value.index());
        std::visit([&](const auto& value) { hasher.add(value); }, metric.value);
    }
    hasher.add(record.outcome.has_value());
    if (record.outcome)
        hasher.add(record.outcome->label()).add(record.outcome->time).add(record.outcome->body).add(record.outcome->message);
    return hex_text(hasher.value());
}

std::string record_hash(const std::filesystem::path& path) { return record_hash(read_record(path)); }

}  // namespace asperity::record
