// The table of a study: a row for every run, in the order of the run index, as CSV for people and as HDF5 for programs.
//
// CSV: RFC 4180 with LF at line ends; a heading `name [unit]`; numbers with the fewest digits that give the same double back; an empty
// cell where there is no number. HDF5: a data set of one dimension for each column, with attributes `unit` and `description`, in the order
// of the columns. Both files are a function of the columns and rows alone: no times, no names of machines, the same bytes always.
//
// They are written under other names, synced, and renamed into place at the end: a reader sees an old table or the new one, never half.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "asperity/record/durable_file.h"

namespace asperity::batch {

enum class ColumnKind {
    number,        // CSV: nothing where it is not a number
    whole_number,  // at most 2^53 in size; not a number where there is none
    text,
};

struct Column {
    std::string name;
    std::string unit;  // "" where it has none
    std::string text;  // what it is, one sentence
    ColumnKind kind = ColumnKind::number;

    friend bool operator==(const Column&, const Column&) = default;
};

class TableCsv;
class TableHdf5;

class TableWriter {
public:
    // Throws InputError where two columns have the same name, RuntimeError where the machine refuses.
    TableWriter(const std::filesystem::path& path_csv, const std::filesystem::path& path_h5, std::vector<Column> columns);
    ~TableWriter();  // without finish(): leaves nothing behind, and an older table as it was
    TableWriter(const TableWriter&) = delete;
    TableWriter& operator=(const TableWriter&) = delete;

    // The next row: numbers for the columns of numbers and whole numbers, texts for those of texts, each in the order of the columns.
    void add(std::span<const double> numbers, std::span<const std::string> texts);

    // Returns when both files are in place and on the disk.
    void finish();

private:
    std::filesystem::path path_csv_;
    std::filesystem::path path_h5_;
    std::vector<Column> columns_;
    record::PartName part_csv_;
    record::PartName part_h5_;
    std::unique_ptr<TableCsv> csv_;
    std::unique_ptr<TableHdf5> hdf5_;
};

// The shape of a table in HDF5. Throws InputError if the file is no such table.
struct TableShape {
    std::vector<Column> columns;
    std::uint64_t rows = 0;
};
TableShape read_table_shape(const std::filesystem::path& path_h5);

// Visits a column block by block: numbers and whole numbers (not a number where there is none), or texts.
void read_table_column(const std::filesystem::path& path_h5, const std::string& name,
                       const std::function<void(std::span<const double>)>& visit);
void read_table_texts(const std::filesystem::path& path_h5, const std::string& name,
                      const std::function<void(std::span<const std::string>)>& visit);

}  // namespace asperity::batch
