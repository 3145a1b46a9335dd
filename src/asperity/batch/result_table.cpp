#include "asperity/batch/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "asperity/batch/table_hdf5.h"
#include "asperity/core/errors.h"
#include "asperity/record/durable_file.h"
#include "asperity/record/hdf5_file.h"

namespace asperity::batch {
namespace {

constexpr std::size_t csv_block = std::size_t{64} << 10;

// RFC 4180: quotes around what holds a comma, a quote or a line end; a quote inside is doubled.
void append_field(std::string& line, const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        line += text;
        return;
    }
    line += '"';
    for (const char character : text) line.append(character == '"' ? 2 : 1, character);
    line += '"';
}

void require_distinct(const std::vector<Column>& columns) {
    std::set<std::string> links;
    for (const Column& column : columns)
        if (!links.insert(record::link_name(column.name)).second)
            throw InputError(fmt::format("two columns of the table have the name `{}`", record::link_name(column.name)));
}

bool is_whole(double value) {
    constexpr double most = 9007199254740992;  // 2^53: beyond, a double does not hold every whole number
    return std::isnan(value) || (value == std::trunc(value) && std::abs(value) <= most);
}

void require_row(const std::vector<Column>& columns, std::span<const double> numbers, std::span<const std::string> texts) {
    ASPERITY_REQUIRE(numbers.size() + texts.size() == columns.size(), "{} numbers and {} texts for {} columns", numbers.size(),
                     texts.size(), columns.size());
    std::size_t number = 0;
    std::size_t text = 0;
    for (const Column& column : columns) {
        if (column.kind == ColumnKind::text) {
            ASPERITY_REQUIRE(text < texts.size(), "column `{}` has no text", column.name);
            if (texts[text++].find('\0') != std::string::npos)
                throw InputError(fmt::format("column `{}`: a text with a NUL character cannot be written", column.name));
        } else {
            ASPERITY_REQUIRE(number < numbers.size(), "column `{}` has no number", column.name);
            const double value = numbers[number++];
            ASPERITY_REQUIRE(column.kind == ColumnKind::number || is_whole(value), "column `{}`: {} is not a whole number", column.name,
                             value);
        }
    }
}

}  // namespace

// The CSV side of a table.
class TableCsv {
public:
    TableCsv(const std::filesystem::path& path, const std::vector<Column>& columns) : file_(record::DurableFile::create(path)) {
        for (const Column& column : columns) {
            begin_field(kinds_.size());
            append_field(pending_, column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit));
            kinds_.push_back(column.kind);
        }
        pending_ += '\n';
    }

    void add(std::span<const double> numbers, std::span<const std::string> texts) {
        std::size_t number = 0;
        std::size_t text = 0;
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            begin_field(i);
            if (kinds_[i] == ColumnKind::text)
                append_field(pending_, texts[text++]);
            else if (const double value = numbers[number++]; !std::isnan(value))
                fmt::format_to(std::back_inserter(pending_), "{}", value);
        }
        pending_ += '\n';
        if (pending_.size() >= csv_block) flush();
    }

    void close() {
        flush();
        file_.sync();
    }

private:
    void begin_field(std::size_t i) {
        if (i > 0) pending_ += ',';
    }

    void flush() {
        file_.write(written_, pending_);
        written_ += pending_.size();
        pending_.clear();
    }

    record::DurableFile file_;
    std::vector<ColumnKind> kinds_;
    std::uint64_t written_ = 0;
    std::string pending_;
};

TableWriter::TableWriter(const std::filesystem::path& path_csv, const std::filesystem::path& path_h5, std::vector<Column> columns)
    : path_csv_(path_csv), path_h5_(path_h5), columns_(std::move(columns)), part_csv_(path_csv), part_h5_(path_h5) {
    require_distinct(columns_);
    csv_ = std::make_unique<TableCsv>(part_csv_.name(), columns_);
    hdf5_ = std::make_unique<TableHdf5>(part_h5_.name(), columns_);
}

TableWriter::~TableWriter() = default;

void TableWriter::add(std::span<const double> numbers, std::span<const std::string> texts) {
    require_row(columns_, numbers, texts);
    csv_->add(numbers, texts);
    hdf5_->add(numbers, texts);
}

void TableWriter::finish() {
    csv_->close();
    hdf5_->close();
    part_csv_.put_in_place();
    part_h5_.put_in_place();
    record::sync_folder_of(path_csv_);
    if (path_h5_.parent_path() != path_csv_.parent_path()) record::sync_folder_of(path_h5_);
}

TableShape read_table_shape(const std::filesystem::path& path_h5) { return TableHdf5Reader(path_h5).shape(); }

void read_table_column(const std::filesystem::path& path_h5, const std::string& name,
                       const std::function<void(std::span<const double>)>& visit) {
    TableHdf5Reader(path_h5).read(name, visit);
}

void read_table_texts(const std::filesystem::path& path_h5, const std::string& name,
                      const std::function<void(std::span<const std::string>)>& visit) {
    TableHdf5Reader(path_h5).read(name, visit);
}

}  // namespace asperity::batch
