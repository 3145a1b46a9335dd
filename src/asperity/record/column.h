// A named column of numbers or texts, and tables of them: the one form in which all content of a record is written, read and hashed.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace asperity::record {

using Values = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;

struct Column {
    std::string name;
    std::string unit;         // "" where it has none
    std::string description;  // one sentence
    Values values;
    std::int64_t width = 1;  // numbers in a row: 3 for a vector (x y z), 4 for a quaternion (w x y z)
    bool is_single = false;  // one value, not a row of a table
    bool is_short = false;   // floats of 32 bits in the file

    std::int64_t rows() const;
    friend bool operator==(const Column&, const Column&) = default;
};

// Columns of equal length. The name may hold any character ("landers/8.2").
struct Table {
    std::string name;
    std::string description;
    std::vector<Column> columns;

    std::int64_t rows() const { return columns.empty() ? 0 : columns.front().rows(); }
    friend bool operator==(const Table&, const Table&) = default;
};

}  // namespace asperity::record
