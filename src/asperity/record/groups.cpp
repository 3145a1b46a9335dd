#include "asperity/record/groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "asperity/core/errors.h"
#include "asperity/record/columns.h"

namespace asperity::record {
namespace {

std::string place_of(std::size_t index) { return fmt::format("/groups/{}", index); }

Vec3 rounded(const Vec3& a) {
    return {static_cast<double>(static_cast<float>(a.x)), static_cast<double>(static_cast<float>(a.y)),
            static_cast<double>(static_cast<float>(a.z))};
}
Quat rounded(const Quat& q) {
    return {static_cast<double>(static_cast<float>(q.w)), static_cast<double>(static_cast<float>(q.x)),
            static_cast<double>(static_cast<float>(q.y)), static_cast<double>(static_cast<float>(q.z))};
}

template <class T>
std::vector<T> picked(const GroupHead& head, bool is_wanted, std::span<const T> all) {
    std::vector<T> out;
    if (!is_wanted) return out;
    out.reserve(static_cast<std::size_t>(head.shown()));
    for (std::int64_t k = 0; k < head.count; k += head.stride) out.push_back(rounded(all[static_cast<std::size_t>(head.first + k)]));
    return out;
}

// Visits the columns that frames of a group have: on(name, unit, sentence, column).
template <class FrameOrConst, class On>
void for_each_column(const GroupHead& head, FrameOrConst& frame, const On& on) {
    on("position", "m", "Centres of mass, one frame after the other.", frame.position);
    if (head.has_orientation) on("orientation", "", "Quaternions from body to world, w x y z.", frame.orientation);
    if (head.has_velocity) on("velocity", "m/s", "Velocities of the centres of mass.", frame.velocity);
    if (head.has_spin) on("spin", "rad/s", "Angular velocities, world frame.", frame.spin);
}

template <class T>
Column column_of(const char* name, const char* unit, const char* sentence, const std::vector<T>& rows) {
    std::vector<double> numbers;
    numbers.reserve(rows.size() * static_cast<std::size_t>(width_of<T>));
    for (const T& row : rows) put(numbers, row);
    return {.name = name, .unit = unit, .description = sentence, .values = std::move(numbers), .width = width_of<T>, .is_short = true};
}

std::int64_t read_whole(const Hdf5File& file, const std::string& place) {
    const Column column = file.read(place);
    const auto* numbers = std::get_if<std::vector<std::int64_t>>(&column.values);
    if (numbers == nullptr || numbers->size() != 1) throw InputError(fmt::format("`{}` is not a whole number", place));
    return numbers->front();
}

GroupHead read_head(const Hdf5File& file, const std::string& place) {
    GroupHead head{.name = file.read_text_attribute(place, "name"),
                   .first = read_whole(file, place + "/first"),
                   .count = read_whole(file, place + "/count"),
                   .stride = read_whole(file, place + "/stride"),
                   .has_orientation = file.has(place + "/frames/orientation"),
                   .has_velocity = file.has(place + "/frames/velocity"),
                   .has_spin = file.has(place + "/frames/spin")};
    if (head.first < 0 || head.count < 1 || head.stride < 1) throw InputError(fmt::format("`{}` has no rows", place));
    return head;
}

void add(Hasher& hasher, const Frame& frame) {
    hasher.add(frame.time).add(frame.position).add(frame.orientation).add(frame.velocity).add(frame.spin);
}

}  // namespace

Frame frame_of(const GroupHead& head, const model::Look& look) {
    return {.time = look.time,
            .position = picked(head, true, look.position),
            .orientation = picked(head, head.has_orientation, look.orientation),
            .velocity = picked(head, head.has_velocity, look.velocity),
            .spin = picked(head, head.has_spin, look.spin)};
}

std::vector<std::size_t> shown_frames(std::size_t frames, std::int64_t bodies) {
    constexpr std::int64_t most_places = 3'000'000;
    const auto most = static_cast<std::size_t>(std::clamp<std::int64_t>(most_places / std::max<std::int64_t>(bodies, 1), 2, 300));
    std::vector<std::size_t> shown;
    for (std::size_t k = 0; k < std::min(frames, most); ++k) shown.push_back(frames <= most ? k : k * (frames - 1) / (most - 1));
    return shown;
}

void make_group(Hdf5File& file, std::size_t index, const GroupHead& head) {
    const std::string place = place_of(index);
    if (index == 0) file.make_group("/groups");
    file.make_group(place);
    file.write_attribute(place, "name", head.name);
    const auto whole = [&](const char* name, std::int64_t value, const char* sentence) {
        file.write(place + "/" + name,
                   {.name = name, .description = sentence, .values = std::vector<std::int64_t>{value}, .is_single = true});
    };
    whole("first", head.first, "Row of its first body.");
    whole("count", head.count, "How many bodies there are, in rows that follow each other.");
    whole("stride", head.stride, "Every so manyth of them is in the frames.");
    file.make_group(place + "/samples");
    for (const Column& column : columns_of(std::vector<GroupSample>{})) file.make_extendible(place + "/samples/" + column.name, column);
    file.make_group(place + "/frames");
    file.make_extendible(place + "/frames/time",
                         {.name = "time", .unit = "s", .description = "Time of the frame.", .values = std::vector<double>{}});
    const Frame none;
    for_each_column(head, none, [&](const char* name, const char* unit, const char* sentence, const auto& rows) {
        file.make_extendible(place + "/frames/" + name, column_of(name, unit, sentence, rows), head.shown());
    });
}

void append(Hdf5File& file, std::size_t index, std::vector<GroupSample>& samples) {
    if (samples.empty()) return;
    for (const Column& column : columns_of(samples)) file.append(fmt::format("{}/samples/{}", place_of(index), column.name), column);
    samples.clear();
}

void append(Hdf5File& file, std::size_t index, const GroupHead& head, const Frame& frame) {
    const std::string place = place_of(index) + "/frames/";
    file.append(place + "time", {.name = "time", .values = std::vector<double>{frame.time}});
    for_each_column(head, frame, [&](const char* name, const char* unit, const char* sentence, const auto& rows) {
        file.append(place + name, column_of(name, unit, sentence, rows));
    });
}

Frame read_frame(const Hdf5File& file, std::size_t index, const GroupHead& head, std::int64_t number) {
    const std::string place = place_of(index) + "/frames/";
    Frame frame;
    frame.time = std::get<std::vector<double>>(file.read_rows(place + "time", number, 1).values)[0];
    for_each_column(head, frame, [&](const char* name, const char*, const char*, auto& rows) {
        using Row = typename std::remove_reference_t<decltype(rows)>::value_type;
        const Column column = file.read_rows(place + name, number * head.shown(), head.shown());
        const auto* numbers = std::get_if<std::vector<double>>(&column.values);
        if (numbers == nullptr || column.width != width_of<Row>)
            throw InputError(fmt::format("`{}{}` has the wrong type or width", place, name));
        rows.resize(static_cast<std::size_t>(head.shown()));
        for (std::size_t i = 0; i < rows.size(); ++i) take(numbers->data() + i * static_cast<std::size_t>(width_of<Row>), rows[i]);
    });
    return frame;
}

std::vector<Group> read_groups(const Hdf5File& file) {
    std::vector<Group> groups;
    for (std::size_t i = 0; file.has(place_of(i)); ++i) {
        const std::string place = place_of(i);
        Group group{.head = read_head(file, place), .samples = {}, .frame_times = {}, .shown = {}, .frames_hash = {}};
        std::vector<Column> columns;
        for (const std::string& child : file.children(place + "/samples")) columns.push_back(file.read(place + "/samples/" + child));
        group.samples = rows_of<GroupSample>(columns, place + "/samples");
        const Column times = file.read(place + "/frames/time");
        if (const auto* numbers = std::get_if<std::vector<double>>(&times.values)) group.frame_times = *numbers;
        const std::vector<std::size_t> shown = shown_frames(group.frame_times.size(), group.head.shown());
        Hasher hasher;  // frame by frame: all of them need not fit into memory
        for (std::size_t k = 0; k < group.frame_times.size(); ++k) {
            Frame frame = read_frame(file, i, group.head, static_cast<std::int64_t>(k));
            add(hasher, frame);
            if (std::ranges::binary_search(shown, k)) group.shown.push_back(std::move(frame));
        }
        group.frames_hash = hasher.value();
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace asperity::record
