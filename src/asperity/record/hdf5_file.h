// An HDF5 file of columns and texts. Beside it, batch/table_hdf5 alone calls the HDF5 library.
//
// Every failing call throws: RuntimeError while writing (the machine refused), InputError while reading (the file is not what it
// should be), with the path of the file, the object inside it, and the library's reason.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/record/column.h"

namespace asperity::record {

class Hdf5File {
public:
    static Hdf5File create(const std::filesystem::path& path);  // replaces a file of that name
    static Hdf5File open(const std::filesystem::path& path);    // to read
    static Hdf5File reopen(const std::filesystem::path& path);  // to write on; one that was made here and flushed

    Hdf5File(Hdf5File&& other) noexcept;
    Hdf5File& operator=(Hdf5File&& other) noexcept;
    ~Hdf5File();

    // Objects are named by their place: "/samples/time". A part of a place may hold any character but '/': see link_name().
    void make_group(const std::string& place);
    void write(const std::string& place, const Column& column);  // as it is, whole
    // Creates a column of numbers without rows. rows_at_once: rows per chunk; 0: a size that suits rows added one by one.
    void make_extendible(const std::string& place, const Column& column, std::int64_t rows_at_once = 0);
    void append(const std::string& place, const Column& rows);
    void take_group(const Hdf5File& from, const std::string& place);  // copies it from the same place of another file
    void write_attribute(const std::string& place, const std::string& name, const std::string& text);
    void write_attribute(const std::string& place, const std::string& name, std::int64_t number);
    void flush();
    void close();

    bool has(const std::string& place) const;
    std::vector<std::string> children(const std::string& place) const;  // in the order in which they were made
    Column read(const std::string& place) const;
    Column read_rows(const std::string& place, std::int64_t first, std::int64_t rows) const;  // of numbers; without unit and description
    std::string read_text_attribute(const std::string& place, const std::string& name) const;
    std::int64_t read_integer_attribute(const std::string& place, const std::string& name) const;

    bool is_open() const { return id_ >= 0; }
    const std::filesystem::path& path() const { return path_; }

private:
    Hdf5File(std::filesystem::path path, std::int64_t id);
    [[noreturn]] void fail(const std::string& what) const;
    std::int64_t check(std::int64_t result, std::string_view what, const std::string& place) const;
    std::int64_t check_write(std::int64_t result, std::string_view what, const std::string& place);

    std::filesystem::path path_;
    std::int64_t id_ = -1;
};

// A name as a link in the file: '/' and the lone '.' mean something to HDF5 and become '_'; the true name is kept as an attribute.
std::string link_name(const std::string& name);

}  // namespace asperity::record
