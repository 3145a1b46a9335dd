// The HDF5 side of a table (result_table.h): columns that grow, with bytes that depend on what is written alone.
// It uses the same calls as record/hdf5_file (record/hdf5_handle.h), but is a separate class because a table needs features that records do
// not: structures of version 1.10, texts of unknown length added one by one, columns named at the end, and reading block by block.
// Every failing call throws: RuntimeError while writing, InputError while reading.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "asperity/batch/result_table.h"
#include "asperity/record/durable_file.h"

namespace asperity::batch {

// Texts of one column, kept on the disk until the longest is known: they lie in the table side by side, each as long as that one.
// (Texts of variable length were turned down in record/hdf5_file.cpp.)
class TextSpool {
public:
    explicit TextSpool(const std::filesystem::path& beside);  // in a file without a name
    void add(const std::string& text);
    std::size_t longest() const { return longest_; }
    // All of them, at most `rows` at a time.
    void for_each_block(std::size_t rows, const std::function<void(std::span<const std::string>)>& visit);

private:
    record::DurableFile file_;
    std::uint64_t written_ = 0;
    std::string pending_;
    std::size_t longest_ = 1;
};

class TableHdf5 {
public:
    TableHdf5(const std::filesystem::path& path, const std::vector<Column>& columns);  // replaces a file of that name
    ~TableHdf5();
    TableHdf5(const TableHdf5&) = delete;
    TableHdf5& operator=(const TableHdf5&) = delete;

    void add(std::span<const double> numbers, std::span<const std::string> texts);
    void close();  // with all rows in the file, on the disk

private:
    struct Numbers {
        std::int64_t dataset = -1;
        std::vector<double> pending;
    };
    std::int64_t make_dataset(const Column& column, std::size_t text_size) const;
    void append(std::int64_t dataset, const void* values, std::int64_t type, std::size_t count) const;
    void flush(const Column& column, Numbers& numbers) const;
    std::int64_t write_texts(const Column& column, TextSpool& spool) const;
    std::int64_t check(std::int64_t result) const;
    auto checked() const {
        return [this](std::int64_t result) { return check(result); };
    }

    std::filesystem::path path_;
    std::vector<Column> columns_;
    std::vector<std::variant<Numbers, TextSpool>> parts_;  // one for each column
    std::int64_t file_ = -1;
};

// Implement the functions of result_table.h.
class TableHdf5Reader {
public:
    explicit TableHdf5Reader(const std::filesystem::path& path);
    ~TableHdf5Reader();
    TableHdf5Reader(const TableHdf5Reader&) = delete;
    TableHdf5Reader& operator=(const TableHdf5Reader&) = delete;

    TableShape shape() const;
    void read(const std::string& name, const std::function<void(std::span<const double>)>& visit) const;
    void read(const std::string& name, const std::function<void(std::span<const std::string>)>& visit) const;

private:
    struct Opened;
    Opened open(const std::string& link) const;
    Opened open_kind(const std::string& name, bool is_text) const;
    std::string text_attribute(std::int64_t dataset, const char* name) const;
    template <class Visit>
    void for_each_block(const Opened& opened, const Visit& visit) const;
    [[noreturn]] void fail(const std::string& what) const;
    std::int64_t check(std::int64_t result) const;

    std::filesystem::path path_;
    std::int64_t file_ = -1;
};

}  // namespace asperity::batch
