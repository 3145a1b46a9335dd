#include "asperity/batch/table_hdf5.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "asperity/batch/journal.h"
#include "asperity/core/errors.h"
#include "asperity/record/hdf5_file.h"
#include "asperity/record/hdf5_handle.h"

namespace asperity::batch {

using record::fixed_text_type;
using record::Handle;
using record::Quiet;
using record::reason;

namespace {

constexpr std::size_t most_block_rows = 4096;
constexpr std::size_t most_block_bytes = std::size_t{256} << 10;  // of texts
constexpr std::int64_t no_whole_number = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t table_format = 1;

std::size_t block_rows(std::size_t row_bytes) { return std::clamp<std::size_t>(most_block_bytes / row_bytes, 1, most_block_rows); }

std::int64_t whole_number(double value) { return std::isnan(value) ? no_whole_number : static_cast<std::int64_t>(value); }

}  // namespace

TextSpool::TextSpool(const std::filesystem::path& beside) : file_(record::DurableFile::create_beside(beside)) { file_.unlink(); }

void TextSpool::add(const std::string& text) {
    longest_ = std::max(longest_, text.size());
    const auto size = static_cast<std::uint32_t>(text.size());
    pending_.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
    if (pending_.size() < most_block_bytes) return;
    file_.write(written_, pending_);
    written_ += pending_.size();
    pending_.clear();
}

void TextSpool::for_each_block(std::size_t rows, const std::function<void(std::span<const std::string>)>& visit) {
    file_.write(written_, pending_);
    written_ += pending_.size();
    pending_.clear();
    std::vector<std::string> block;
    std::string buffer;
    std::uint64_t offset = 0;  // of what follows the buffer
    std::size_t used = 0;
    const auto take = [&](std::size_t size) {
        if (used + size > buffer.size()) {
            buffer.erase(0, std::exchange(used, 0));
            const std::size_t had = buffer.size();
            buffer.resize(had + std::max(size, most_block_bytes));
            const std::size_t got = file_.read(offset, std::span(buffer).subspan(had));
            buffer.resize(had + got);
            offset += got;
        }
        used += size;
        return buffer.data() + used - size;
    };
    while (offset - (buffer.size() - used) < written_) {
        std::uint32_t size = 0;
        std::memcpy(&size, take(sizeof size), sizeof size);
        block.emplace_back(take(size), size);
        if (block.size() == rows) {
            visit(block);
            block.clear();
        }
    }
    if (!block.empty()) visit(block);
}

std::int64_t TableHdf5::check(std::int64_t result) const {
    if (result >= 0) return result;
    throw RuntimeError(fmt::format("cannot write {}: {}\n  mend that (is the disk full?), then run the same command with --resume",
                                   path_.string(), reason()));
}

TableHdf5::TableHdf5(const std::filesystem::path& path, const std::vector<Column>& columns) : path_(path), columns_(columns) {
    record::start_library();  // see ~TableHdf5()
    const Quiet quiet;
    const Handle creation = record::file_creation();
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    // Every structure of version 1.10 carries a checksum. Those of 1.8, which records use because they can be read without having been
    // closed, lack one in the list of blocks: one changed bit there, and a column is read as zeros.
    check(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
    file_ = check(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access));
    record::write_integer_attribute(file_, "format", table_format, checked());
    for (const Column& column : columns_) {
        if (column.kind == ColumnKind::text)
            parts_.emplace_back(TextSpool(path));
        else
            parts_.emplace_back(Numbers{.dataset = make_dataset(column, 0)});
    }
}

// The library cannot close a file that it failed to write: it takes the program down, there or at its exit. So a table that was not
// closed stays open to the end of the process, and the library is kept from closing anything then.
TableHdf5::~TableHdf5() = default;

std::int64_t TableHdf5::make_dataset(const Column& column, std::size_t text_size) const {
    const bool is_text = column.kind == ColumnKind::text;
    const hsize_t none = 0;
    const hsize_t unlimited = H5S_UNLIMITED;
    const hsize_t chunk = block_rows(is_text ? text_size : sizeof(double));
    const Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
    const Handle creation = record::growing_creation({&chunk, 1}, is_text, checked());
    // blocks are written whole: a cache of one chunk will do
    const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    check(H5Pset_chunk_cache(access, 1, chunk * (is_text ? text_size : sizeof(double)), 1));
    const Handle type = is_text                                   ? fixed_text_type(text_size)
                        : column.kind == ColumnKind::whole_number ? Handle(H5Tcopy(H5T_STD_I64LE), H5Tclose)
                                                                  : Handle(H5Tcopy(H5T_IEEE_F64LE), H5Tclose);
    if (column.kind == ColumnKind::whole_number) check(H5Pset_fill_value(creation, H5T_NATIVE_INT64, &no_whole_number));
    const hid_t dataset = check(H5Dcreate_anon(file_, type, space, creation, access));
    record::write_text_attribute(dataset, "unit", column.unit, checked());
    record::write_text_attribute(dataset, "description", column.text, checked());
    if (record::link_name(column.name) != column.name) record::write_text_attribute(dataset, "name", column.name, checked());
    return dataset;
}

void TableHdf5::append(std::int64_t dataset, const void* values, std::int64_t type, std::size_t count) const {
    record::append_rows(dataset, count, 1, checked(), [&](hid_t memory_space, hid_t file_space) {
        return H5Dwrite(dataset, type, memory_space, file_space, H5P_DEFAULT, values);
    });
}

void TableHdf5::flush(const Column& column, Numbers& numbers) const {
    if (numbers.pending.empty()) return;
    if (column.kind == ColumnKind::whole_number) {
        std::vector<std::int64_t> whole;
        for (const double value : numbers.pending) whole.push_back(whole_number(value));
        append(numbers.dataset, whole.data(), H5T_NATIVE_INT64, whole.size());
    } else {
        append(numbers.dataset, numbers.pending.data(), H5T_NATIVE_DOUBLE, numbers.pending.size());
    }
    numbers.pending.clear();
}

void TableHdf5::add(std::span<const double> numbers, std::span<const std::string> texts) {
    const Quiet quiet;
    std::size_t number = 0;
    std::size_t text = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (auto* spool = std::get_if<TextSpool>(&parts_[i])) {
            spool->add(texts[text++]);
            continue;
        }
        auto& part = std::get<Numbers>(parts_[i]);
        part.pending.push_back(numbers[number++]);
        if (part.pending.size() == block_rows(sizeof(double))) flush(columns_[i], part);
    }
}

std::int64_t TableHdf5::write_texts(const Column& column, TextSpool& spool) const {
    const std::size_t size = spool.longest();
    const hid_t dataset = make_dataset(column, size);
    const Handle type = fixed_text_type(size);
    std::string bytes;
    spool.for_each_block(block_rows(size), [&](std::span<const std::string> texts) {
        bytes.clear();
        for (const std::string& text : texts) bytes.append(text).append(size - text.size(), '\0');
        append(dataset, bytes.data(), type, texts.size());
    });
    return dataset;
}

void TableHdf5::close() {
    const Quiet quiet;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        auto* numbers = std::get_if<Numbers>(&parts_[i]);
        if (numbers != nullptr) flush(columns_[i], *numbers);
        const hid_t dataset = numbers != nullptr ? numbers->dataset : write_texts(columns_[i], std::get<TextSpool>(parts_[i]));
        // Named only now, so that the file lists its columns in their order although texts come last.
        check(H5Olink(dataset, file_, record::link_name(columns_[i].name).c_str(), H5P_DEFAULT, H5P_DEFAULT));
        check(H5Dclose(dataset));
    }
    check(H5Fflush(file_, H5F_SCOPE_LOCAL));
    check(H5Fclose(file_));
    record::DurableFile::open_to_write(path_).sync();
}

struct TableHdf5Reader::Opened {
    Handle dataset;
    Handle type;
    hsize_t rows = 0;
};

void TableHdf5Reader::fail(const std::string& what) const {
    throw InputError(fmt::format("cannot read {}: {}", path_.string(), what), "the table is damaged: run the same study with --resume");
}

std::int64_t TableHdf5Reader::check(std::int64_t result) const {
    if (result < 0) fail(reason());
    return result;
}

TableHdf5Reader::TableHdf5Reader(const std::filesystem::path& path) : path_(path) {
    record::start_library();
    const Quiet quiet;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) throw InputError(fmt::format("no table at {}", path.string()));
    if (H5Fis_hdf5(path.c_str()) == 0) fail("it is not an HDF5 file");
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    file_ = check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
}

TableHdf5Reader::~TableHdf5Reader() {
    const Quiet quiet;
    H5Fclose(file_);
}

TableHdf5Reader::Opened TableHdf5Reader::open(const std::string& link) const {
    Handle dataset(check(H5Dopen2(file_, link.c_str(), H5P_DEFAULT)), H5Dclose);
    Handle type(check(H5Dget_type(dataset)), H5Tclose);
    const Handle space(check(H5Dget_space(dataset)), H5Sclose);
    if (check(H5Sget_simple_extent_ndims(space)) != 1) fail(fmt::format("`{}` is not a column", link));
    hsize_t rows = 0;
    check(H5Sget_simple_extent_dims(space, &rows, nullptr));
    const std::size_t size = H5Tget_size(type);
    const bool is_plain = H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER ||
                          (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size <= longest_row);
    if (!is_plain) fail(fmt::format("`{}` holds neither numbers nor texts of fixed length", link));
    const double bytes = static_cast<double>(rows) * static_cast<double>(size);
    if (record::claims_too_much(dataset, bytes)) fail(fmt::format("`{}` claims {} rows but holds fewer", link, rows));
    return {std::move(dataset), std::move(type), rows};
}

std::string TableHdf5Reader::text_attribute(std::int64_t dataset, const char* name) const {
    const std::optional<std::string> text = record::text_attribute(dataset, name, [this](std::int64_t result) { return check(result); });
    if (!text) fail(fmt::format("attribute `{}` is not a text", name));
    return *text;
}

TableShape TableHdf5Reader::shape() const {
    const Quiet quiet;
    TableShape shape;
    H5G_info_t info{};
    check(H5Gget_info(file_, &info));
    for (hsize_t i = 0; i < info.nlinks; ++i) {
        std::array<char, 1024> link{};
        check(H5Lget_name_by_idx(file_, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, link.data(), link.size(), H5P_DEFAULT));
        const Opened opened = open(link.data());
        if (i > 0 && opened.rows != shape.rows)
            fail(fmt::format("`{}` has {} rows, other columns {}", link.data(), opened.rows, shape.rows));
        shape.rows = opened.rows;
        const bool is_renamed = H5Aexists(opened.dataset, "name") > 0;
        const H5T_class_t kind = H5Tget_class(opened.type);
        shape.columns.push_back({.name = is_renamed ? text_attribute(opened.dataset, "name") : link.data(),
                                 .unit = text_attribute(opened.dataset, "unit"),
                                 .text = text_attribute(opened.dataset, "description"),
                                 .kind = kind == H5T_FLOAT     ? ColumnKind::number
                                         : kind == H5T_INTEGER ? ColumnKind::whole_number
                                                               : ColumnKind::text});
    }
    return shape;
}

TableHdf5Reader::Opened TableHdf5Reader::open_kind(const std::string& name, bool is_text) const {
    const std::string link = record::link_name(name);
    if (H5Lexists(file_, link.c_str(), H5P_DEFAULT) <= 0) throw InputError(fmt::format("{} has no column `{}`", path_.string(), name));
    Opened opened = open(link);
    if ((H5Tget_class(opened.type) == H5T_STRING) != is_text)
        throw InputError(fmt::format("column `{}` of {} holds {}", name, path_.string(), is_text ? "numbers" : "texts"));
    return opened;
}

template <class Visit>
void TableHdf5Reader::for_each_block(const Opened& opened, const Visit& visit) const {
    const std::size_t most = block_rows(H5Tget_size(opened.type));
    for (hsize_t start = 0; start < opened.rows; start += most) {
        const hsize_t count = std::min<hsize_t>(most, opened.rows - start);
        const Handle file_space(check(H5Dget_space(opened.dataset)), H5Sclose);
        check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &start, nullptr, &count, nullptr));
        const Handle memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const auto read = [&](hid_t type, void* values) {
            check(H5Dread(opened.dataset, type, memory_space, file_space, H5P_DEFAULT, values));
        };
        visit(static_cast<std::size_t>(count), read);
    }
}

void TableHdf5Reader::read(const std::string& name, const std::function<void(std::span<const double>)>& visit) const {
    const Quiet quiet;
    const Opened opened = open_kind(name, false);
    const bool is_whole = H5Tget_class(opened.type) == H5T_INTEGER;
    std::vector<double> numbers;
    std::vector<std::int64_t> whole;
    for_each_block(opened, [&](std::size_t count, const auto& read_values) {
        numbers.resize(count);
        whole.resize(is_whole ? count : 0);
        if (is_whole)
            read_values(H5T_NATIVE_INT64, whole.data());
        else
            read_values(H5T_NATIVE_DOUBLE, numbers.data());
        std::transform(whole.begin(), whole.end(), numbers.begin(), [](std::int64_t value) {
            return value == no_whole_number ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(value);
        });
        visit(numbers);
    });
}

void TableHdf5Reader::read(const std::string& name, const std::function<void(std::span<const std::string>)>& visit) const {
    const Quiet quiet;
    const Opened opened = open_kind(name, true);
    const std::size_t size = H5Tget_size(opened.type);
    const Handle type = fixed_text_type(size);
    std::string bytes;
    std::vector<std::string> texts;
    for_each_block(opened, [&](std::size_t count, const auto& read_values) {
        bytes.resize(count * size);
        read_values(type, bytes.data());
        texts.resize(count);
        for (std::size_t i = 0; i < count; ++i) texts[i] = bytes.substr(i * size, size).c_str();  // up to the padding
        visit(texts);
    });
}

}  // namespace asperity::batch
