#include "asperity/record/hdf5_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <new>
#include <string_view>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/record/hdf5_handle.h"

namespace asperity::record {
namespace {

constexpr hsize_t chunk_rows = 1024;
// Texts of a column lie side by side, each as long as the longest. Texts of variable length were turned down: HDF5 keeps them in a heap
// without checksums, and a damaged one takes the program down instead of giving an error.
std::size_t longest(const std::vector<std::string>& texts) {
    std::size_t size = 1;
    for (const std::string& text : texts) size = std::max(size, text.size());
    return size;
}

// Type of a column on disk: little-endian, whatever the machine.
Handle disk_type(const Column& column) {
    if (column.is_short) return {H5Tcopy(H5T_IEEE_F32LE), H5Tclose};
    if (std::holds_alternative<std::vector<double>>(column.values)) return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    if (std::holds_alternative<std::vector<std::int64_t>>(column.values)) return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    return fixed_text_type(longest(std::get<std::vector<std::string>>(column.values)));
}

void require_no_nul(const std::string& text, const std::string& place) {
    if (text.find('\0') != std::string::npos) throw InputError(fmt::format("`{}`: a text with a NUL character cannot be recorded", place));
}

std::string parent_of(const std::string& place) {
    const std::size_t slash = place.rfind('/');
    return slash == 0 ? "/" : place.substr(0, slash);
}

// Nothing in a file says when it was written: equal records have equal bytes.
Handle data_set_creation() {
    Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation, false);
    return creation;
}

Handle writing_access() {
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    // The structures of version 1.8 carry checksums, which the default ones lack, so that damage is found; those of 1.10 would mark a
    // file that is still open as unreadable, and a copy of it must be readable (writer.h).
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
    // Who writes a file guards it (durable_file.h); the library's lock comes too late, after the old content is gone.
    H5Pset_file_locking(access, false, true);
    return access;
}

struct Extent {
    std::vector<hsize_t> sizes;
    hsize_t rows() const { return sizes.empty() ? 1 : sizes[0]; }
    hsize_t width() const { return sizes.size() < 2 ? 1 : sizes[1]; }
};

// Writes values into a selection of a data set.
herr_t write_values(hid_t dataset, hid_t memory_space, hid_t file_space, const Column& column) {
    if (const auto* numbers = std::get_if<std::vector<double>>(&column.values))
        return H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, numbers->data());
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&column.values))
        return H5Dwrite(dataset, H5T_NATIVE_INT64, memory_space, file_space, H5P_DEFAULT, numbers->data());
    const auto& texts = std::get<std::vector<std::string>>(column.values);
    const std::size_t size = longest(texts);
    std::string bytes;
    for (const std::string& text : texts) bytes.append(text).append(size - text.size(), '\0');
    return H5Dwrite(dataset, fixed_text_type(size), memory_space, file_space, H5P_DEFAULT, bytes.data());
}

}  // namespace

std::string link_name(const std::string& name) {
    if (name.empty() || name == ".") return "_";
    std::string link = name;
    std::replace(link.begin(), link.end(), '/', '_');
    return link;
}

Hdf5File::Hdf5File(std::filesystem::path path, std::int64_t id) : path_(std::move(path)), id_(id) {}

Hdf5File::Hdf5File(Hdf5File&& other) noexcept : path_(std::move(other.path_)), id_(std::exchange(other.id_, -1)) {}

Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(id_, other.id_);
    return *this;
}

Hdf5File::~Hdf5File() {
    if (!is_open()) return;
    const Quiet quiet;
    H5Fclose(id_);
}

void Hdf5File::fail(const std::string& what) const {
    throw InputError(fmt::format("cannot read {}: {}", path_.string(), what), "the record is damaged or incomplete");
}

std::int64_t Hdf5File::check(std::int64_t result, std::string_view what, const std::string& place) const {
    if (result < 0) fail(fmt::format("{} `{}`: {}", what, place, reason()));
    return result;
}

std::int64_t Hdf5File::check_write(std::int64_t result, std::string_view what, const std::string& place) {
    if (result >= 0) return result;
    const std::string why = reason();
    // The library cannot close a file that it failed to write: it takes the program down, there or at its exit. So the file stays open to
    // the end of the process, and start_library() keeps the library from closing anything then.
    id_ = -1;
    throw RuntimeError(fmt::format("cannot write {}: {} `{}`: {}", path_.string(), what, place, why));
}

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
    start_library();
    const Quiet quiet;
    const Handle creation = file_creation();
    const Handle access = writing_access();  // closed after reason() is asked for, which a call in between would forget
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
    if (id < 0) throw RuntimeError(fmt::format("cannot create {}: {}", path.string(), reason()));
    return {path, id};
}

Hdf5File Hdf5File::reopen(const std::filesystem::path& path) {
    start_library();
    const Quiet quiet;
    const Handle access = writing_access();
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
    if (id < 0) throw RuntimeError(fmt::format("cannot write {}: {}", path.string(), reason()));
    return {path, id};
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
    start_library();
    const Quiet quiet;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) throw InputError(fmt::format("no record at {}", path.string()));
    const htri_t is_hdf5 = H5Fis_hdf5(path.c_str());
    if (is_hdf5 < 0) throw InputError(fmt::format("cannot open {}: {}", path.string(), reason()));
    if (is_hdf5 == 0) throw InputError(fmt::format("{} is not a record: it is not an HDF5 file", path.string()));
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
    if (id < 0) throw InputError(fmt::format("cannot open {}: {}", path.string(), reason()), "the record is damaged or incomplete");
    return {path, id};
}

void Hdf5File::make_group(const std::string& place) {
    const Quiet quiet;
    const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(creation, false);
    const Handle group(check_write(H5Gcreate2(id_, place.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), "group", place), H5Gclose);
}

void Hdf5File::write(const std::string& place, const Column& column) {
    const Quiet quiet;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values))
        for (const std::string& text : *texts) require_no_nul(text, place);
    const std::array<hsize_t, 2> sizes{static_cast<hsize_t>(column.rows()), static_cast<hsize_t>(column.width)};
    const Handle space(column.is_single ? H5Screate(H5S_SCALAR) : H5Screate_simple(column.width > 1 ? 2 : 1, sizes.data(), nullptr),
                       H5Sclose);
    const Handle creation = data_set_creation();
    {
        const Handle dataset(
            check_write(H5Dcreate2(id_, place.c_str(), disk_type(column), space, H5P_DEFAULT, creation, H5P_DEFAULT), "data set", place),
            H5Dclose);
        if (column.rows() > 0) check_write(write_values(dataset, H5S_ALL, H5S_ALL, column), "data set", place);
    }
    write_attribute(place, "unit", column.unit);
    write_attribute(place, "description", column.description);
    if (place.substr(place.rfind('/') + 1) != column.name) write_attribute(place, "name", column.name);
}

void Hdf5File::make_extendible(const std::string& place, const Column& column, std::int64_t rows_at_once) {
    const Quiet quiet;
    const int rank = column.width > 1 ? 2 : 1;
    const auto width = static_cast<hsize_t>(column.width);
    const std::array<hsize_t, 2> sizes{0, width};
    const std::array<hsize_t, 2> most{H5S_UNLIMITED, width};
    const std::array<hsize_t, 2> chunk{rows_at_once > 0 ? static_cast<hsize_t>(rows_at_once) : chunk_rows, width};
    const Handle space(H5Screate_simple(rank, sizes.data(), most.data()), H5Sclose);
    const Handle creation = growing_creation(std::span(chunk).first(static_cast<std::size_t>(rank)), false,
                                             [&](std::int64_t result) { return check_write(result, "data set", place); });
    {
        const Handle dataset(
            check_write(H5Dcreate2(id_, place.c_str(), disk_type(column), space, H5P_DEFAULT, creation, H5P_DEFAULT), "data set", place),
            H5Dclose);
    }
    write_attribute(place, "unit", column.unit);
    write_attribute(place, "description", column.description);
    if (place.substr(place.rfind('/') + 1) != column.name) write_attribute(place, "name", column.name);
}

void Hdf5File::append(const std::string& place, const Column& rows) {
    const Quiet quiet;
    if (rows.rows() == 0) return;
    ASPERITY_REQUIRE(!std::holds_alternative<std::vector<std::string>>(rows.values), "{}: texts have no fixed length to extend", place);
    const Handle dataset(check_write(H5Dopen2(id_, place.c_str(), H5P_DEFAULT), "data set", place), H5Dclose);
    append_rows(
        dataset, static_cast<hsize_t>(rows.rows()), static_cast<hsize_t>(rows.width),
        [&](std::int64_t result) { return check_write(result, "data set", place); },
        [&](hid_t memory_space, hid_t file_space) { return write_values(dataset, memory_space, file_space, rows); });
}

void Hdf5File::take_group(const Hdf5File& from, const std::string& place) {
    if (!from.has(place)) from.fail(fmt::format("`{}` is missing", place));
    const Quiet quiet;
    check_write(H5Ocopy(from.id_, place.c_str(), id_, place.c_str(), H5P_DEFAULT, H5P_DEFAULT), "group", place);
}

void Hdf5File::write_attribute(const std::string& place, const std::string& name, const std::string& text) {
    const Quiet quiet;
    require_no_nul(text, place);
    const auto checked = [&](std::int64_t result) { return check_write(result, name, place); };
    const Handle object(checked(H5Oopen(id_, place.c_str(), H5P_DEFAULT)), H5Oclose);
    write_text_attribute(object, name.c_str(), text, checked);
}

void Hdf5File::write_attribute(const std::string& place, const std::string& name, std::int64_t number) {
    const Quiet quiet;
    const auto checked = [&](std::int64_t result) { return check_write(result, name, place); };
    const Handle object(checked(H5Oopen(id_, place.c_str(), H5P_DEFAULT)), H5Oclose);
    write_integer_attribute(object, name.c_str(), number, checked);
}

void Hdf5File::flush() {
    const Quiet quiet;
    check_write(H5Fflush(id_, H5F_SCOPE_LOCAL), "flush", "/");
}

void Hdf5File::close() {
    const Quiet quiet;
    flush();
    check_write(H5Fclose(std::exchange(id_, -1)), "close", "/");
}

bool Hdf5File::has(const std::string& place) const {
    const Quiet quiet;
    // every group on the way must be there before the library may be asked about the last part
    if (place != "/" && parent_of(place) != "/" && !has(parent_of(place))) return false;
    return place == "/" || H5Lexists(id_, place.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Hdf5File::children(const std::string& place) const {
    const Quiet quiet;
    const Handle group(check(H5Gopen2(id_, place.c_str(), H5P_DEFAULT), "group", place), H5Gclose);
    H5G_info_t info{};
    check(H5Gget_info(group, &info), "group", place);
    const Handle creation(H5Gget_create_plist(group), H5Pclose);
    unsigned order = 0;
    H5Pget_link_creation_order(creation, &order);
    const H5_index_t index = (order & H5P_CRT_ORDER_INDEXED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    std::vector<std::string> names;
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        const auto size = check(H5Lget_name_by_idx(group, ".", index, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT), "group", place);
        std::string name(static_cast<std::size_t>(size) + 1, '\0');
        check(H5Lget_name_by_idx(group, ".", index, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT), "group", place);
        name.pop_back();
        names.push_back(std::move(name));
    }
    return names;
}

namespace {

std::vector<std::string> read_texts(hid_t dataset, hid_t type, std::size_t count, herr_t& result) {
    std::vector<std::string> texts(count);
    const std::size_t size = H5Tget_size(type);
    std::string bytes(size * count, '\0');
    result = count == 0 ? 0 : H5Dread(dataset, fixed_text_type(size), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
    for (std::size_t i = 0; i < count; ++i) texts[i] = bytes.substr(i * size, size).c_str();  // up to the padding
    return texts;
}

}  // namespace

Column Hdf5File::read(const std::string& place) const {
    const Quiet quiet;
    const Handle dataset(check(H5Dopen2(id_, place.c_str(), H5P_DEFAULT), "data set", place), H5Dclose);
    const Handle type(check(H5Dget_type(dataset), "data set", place), H5Tclose);
    const Handle space(check(H5Dget_space(dataset), "data set", place), H5Sclose);
    const auto rank = check(H5Sget_simple_extent_ndims(space), "data set", place);
    if (rank > 2) fail(fmt::format("data set `{}` has {} dimensions", place, rank));
    Extent extent{std::vector<hsize_t>(static_cast<std::size_t>(rank))};
    if (rank > 0) check(H5Sget_simple_extent_dims(space, extent.sizes.data(), nullptr), "data set", place);

    const double bytes = static_cast<double>(extent.rows()) * static_cast<double>(extent.width()) * static_cast<double>(H5Tget_size(type));
    if (claims_too_much(dataset, bytes)) fail(fmt::format("data set `{}` claims {} rows but holds fewer", place, extent.rows()));
    if (extent.width() == 0) fail(fmt::format("data set `{}` has rows of no numbers", place));
    const std::size_t count = static_cast<std::size_t>(extent.rows() * extent.width());

    Column column{.width = static_cast<std::int64_t>(extent.width()), .is_single = rank == 0};
    herr_t result = 0;
    const H5T_class_t kind = H5Tget_class(type);
    if (kind == H5T_FLOAT) {
        std::vector<double> numbers(count);
        if (count > 0) result = H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        column.values = std::move(numbers);
    } else if (kind == H5T_INTEGER) {
        std::vector<std::int64_t> numbers(count);
        if (count > 0) result = H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        column.values = std::move(numbers);
    } else if (kind == H5T_STRING && H5Tis_variable_str(type) == 0) {
        column.values = read_texts(dataset, type, count, result);
    } else {
        fail(fmt::format("data set `{}` holds neither numbers nor texts of fixed length", place));
    }
    check(result, "data set", place);
    column.unit = read_text_attribute(place, "unit");
    column.description = read_text_attribute(place, "description");
    const bool is_renamed = H5Aexists_by_name(id_, place.c_str(), "name", H5P_DEFAULT) > 0;
    column.name = is_renamed ? read_text_attribute(place, "name") : place.substr(place.rfind('/') + 1);
    return column;
}

Column Hdf5File::read_rows(const std::string& place, std::int64_t first, std::int64_t rows) const {
    const Quiet quiet;
    const Handle dataset(check(H5Dopen2(id_, place.c_str(), H5P_DEFAULT), "data set", place), H5Dclose);
    const Handle type(check(H5Dget_type(dataset), "data set", place), H5Tclose);
    const Handle space(check(H5Dget_space(dataset), "data set", place), H5Sclose);
    const auto rank = check(H5Sget_simple_extent_ndims(space), "data set", place);
    if (rank < 1 || rank > 2 || H5Tget_class(type) != H5T_FLOAT) fail(fmt::format("data set `{}` holds no rows of numbers", place));
    Extent extent{std::vector<hsize_t>(static_cast<std::size_t>(rank))};
    check(H5Sget_simple_extent_dims(space, extent.sizes.data(), nullptr), "data set", place);
    const auto begin = static_cast<hsize_t>(first), count = static_cast<hsize_t>(rows);
    if (first < 0 || rows < 0 || begin + count > extent.rows())
        fail(fmt::format("data set `{}` has {} rows, more were expected", place, extent.rows()));
    std::vector<double> numbers(count * extent.width());
    const std::array<hsize_t, 2> start{begin, 0}, size{count, extent.width()};
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr), "data set", place);
    const Handle memory(H5Screate_simple(static_cast<int>(rank), size.data(), nullptr), H5Sclose);
    if (!numbers.empty()) check(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers.data()), "data set", place);
    return {.name = place.substr(place.rfind('/') + 1), .values = std::move(numbers), .width = static_cast<std::int64_t>(extent.width())};
}

std::string Hdf5File::read_text_attribute(const std::string& place, const std::string& name) const {
    const Quiet quiet;
    const auto checked = [&](std::int64_t result) { return check(result, name, place); };
    const Handle object(checked(H5Oopen(id_, place.c_str(), H5P_DEFAULT)), H5Oclose);
    const std::optional<std::string> text = text_attribute(object, name.c_str(), checked);
    if (!text) fail(fmt::format("attribute `{}` of `{}` is not a text", name, place));
    return *text;
}

std::int64_t Hdf5File::read_integer_attribute(const std::string& place, const std::string& name) const {
    const Quiet quiet;
    const Handle attribute(check(H5Aopen_by_name(id_, place.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), name, place), H5Aclose);
    const Handle type(check(H5Aget_type(attribute), name, place), H5Tclose);
    const Handle space(check(H5Aget_space(attribute), name, place), H5Sclose);
    if (H5Tget_class(type) != H5T_INTEGER || H5Sget_simple_extent_npoints(space) != 1)
        fail(fmt::format("attribute `{}` of `{}` is not an integer", name, place));
    std::int64_t number = 0;
    check(H5Aread(attribute, H5T_NATIVE_INT64, &number), name, place);
    return number;
}

}  // namespace asperity::record
