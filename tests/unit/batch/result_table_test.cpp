#include "asperity/batch/result_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>

#include "asperity/batch/journal.h"
#include "asperity/batch/run_order.h"
#include "asperity/record/hdf5_file.h"
#include "unit/batch/file_tools.h"

namespace asperity::batch::result_table_test {
namespace {

using namespace asperity::test;
using Path = std::filesystem::path;

const std::string identity = "00112233445566778899aabbccddeeff";
constexpr double none = std::numeric_limits<double>::quiet_NaN();

const std::vector<Column> few_columns{{"run", "", "Index of the run.", ColumnKind::whole_number},
                                      {"outcome", "", "How it ended.", ColumnKind::text},
                                      {"body.ball.v/x", "m/s", "Speed along x.", ColumnKind::number},
                                      {"impacts", "", "Number of impacts.", ColumnKind::whole_number},
                                      {"error", "", "Why it failed.", ColumnKind::text}};

struct Row {
    std::vector<double> numbers;
    std::vector<std::string> texts;
};

// A function of the run alone, with empty cells, odd characters and texts of many lengths.
Row row_of(std::uint64_t run) {
    std::mt19937_64 random(run + 1);
    const bool has_failed = run % 11 == 3;
    const double speed = std::ldexp(static_cast<double>(random()), -70) * (run % 2 == 0 ? 1 : -1);
    return {{static_cast<double>(run), has_failed ? none : speed, has_failed ? none : static_cast<double>(random() % 50)},
            {has_failed ? "failed" : "rest", has_failed ? fmt::format("run {}: \"{}\", stalled\n", run, std::string(run % 97, 'x')) : ""}};
}

// As a campaign could pack it: numbers, then texts with their lengths.
std::string packed(const Row& row) {
    std::string bytes(reinterpret_cast<const char*>(row.numbers.data()), row.numbers.size() * sizeof(double));
    for (const std::string& text : row.texts) bytes += fmt::format("{:08}", text.size()) + text;
    return bytes;
}

Row unpacked(std::string_view bytes) {
    Row row{std::vector<double>(3), {}};
    std::memcpy(row.numbers.data(), bytes.data(), 24);
    bytes.remove_prefix(24);
    while (!bytes.empty()) {
        const auto size = static_cast<std::size_t>(std::stoul(std::string(bytes.substr(0, 8))));
        row.texts.emplace_back(bytes.substr(8, size));
        bytes.remove_prefix(8 + size);
    }
    return row;
}

struct TableBytes {
    std::string csv;
    std::string h5;
    friend bool operator==(const TableBytes&, const TableBytes&) = default;
};

TableBytes table_of(const Path& journal, std::uint64_t run_count, OrderReport* report = nullptr) {
    const Path csv = journal.parent_path() / "table.csv";
    const Path h5 = journal.parent_path() / "table.h5";
    TableWriter writer(csv, h5, few_columns);
    OrderReport got = for_each_in_order(journal, identity, run_count, [&](std::uint64_t, std::optional<std::string_view> bytes) {
        if (!bytes) return;
        const Row row = unpacked(*bytes);
        writer.add(row.numbers, row.texts);
    });
    writer.finish();
    if (report != nullptr) *report = std::move(got);
    return {bytes_of(csv), bytes_of(h5)};
}

void write_journal(const Path& path, const std::vector<std::uint64_t>& runs) {
    JournalWriter writer = JournalWriter::create(path, identity);
    for (const std::uint64_t run : runs) writer.append(run, packed(row_of(run)));
    writer.commit();
}

// Straight from the rows, without a journal.
TableBytes direct_table(const Path& folder, std::uint64_t run_count) {
    TableWriter writer(folder / "direct.csv", folder / "direct.h5", few_columns);
    for (std::uint64_t run = 0; run < run_count; ++run) {
        const Row row = row_of(run);
        writer.add(row.numbers, row.texts);
    }
    writer.finish();
    return {bytes_of(folder / "direct.csv"), bytes_of(folder / "direct.h5")};
}

TEST(ResultTable, TheCsvIsWhatRfc4180Says) {
    const Path folder = fresh_study_folder("table_csv");
    TableWriter writer(
        folder / "t.csv", folder / "t.h5",
        {{"run", "", "", ColumnKind::whole_number}, {"v, \"x\"", "m/s", "", ColumnKind::number}, {"note", "", "", ColumnKind::text}});
    const auto add = [&](double run, double speed, const std::string& note) { writer.add(std::vector{run, speed}, std::vector{note}); };
    add(0, 0.1, "plain text");
    add(1, none, "");
    add(2, -0.0, "a,b");
    add(9007199254740992, 1e300, "say \"so\"");
    add(4, std::numeric_limits<double>::infinity(), "two\nlines\r");
    add(none, 5e-324, "ü");
    writer.finish();
    EXPECT_EQ(bytes_of(folder / "t.csv"),
              "run,\"v, \"\"x\"\" [m/s]\",note\n"
              "0,0.1,plain text\n"
              "1,,\n"
              "2,-0,\"a,b\"\n"
              "9007199254740992,1e+300,\"say \"\"so\"\"\"\n"
              "4,inf,\"two\nlines\r\"\n"
              ",5e-324,ü\n");
}

// Any bits: strtod of the C library gives the same double back, and no number with fewer digits does.
TEST(ResultTable, NumbersInTheCsvComeBackBitForBit) {
    const Path folder = fresh_study_folder("table_digits");
    TableWriter writer(folder / "t.csv", folder / "t.h5", {{"x", "", "", ColumnKind::number}});
    std::mt19937_64 random(41);
    std::vector<double> numbers;
    while (numbers.size() < 20000) {
        const double number = std::bit_cast<double>(random());
        if (!std::isfinite(number)) continue;
        numbers.push_back(number);
        writer.add(std::span(&number, 1), {});
    }
    writer.finish();
    const std::string csv = bytes_of(folder / "t.csv");
    const char* at = csv.c_str() + 2;
    for (const double number : numbers) {
        char* end = nullptr;
        ASSERT_EQ(std::strtod(at, &end), number);
        const std::string text(at, static_cast<const char*>(end));
        const std::string mantissa = text.substr(0, text.find('e'));
        const auto digits = std::count_if(mantissa.begin(), mantissa.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (mantissa != text && digits > 1) {
            ASSERT_NE(std::strtod(fmt::format("{:.{}e}", number, digits - 2).c_str(), nullptr), number) << text;
        }
        at = end + 1;
    }
    EXPECT_EQ(*at, '\0');
}

// Read with the code that reads records, which shares nothing with the writer of tables.
TEST(ResultTable, TheHdf5FileHoldsTheColumnsWithTheirUnits) {
    const Path folder = fresh_study_folder("table_h5");
    constexpr std::uint64_t count = 10000;  // more than two blocks
    direct_table(folder, count);
    const auto file = record::Hdf5File::open(folder / "direct.h5");
    EXPECT_EQ(file.children("/"), (std::vector<std::string>{"run", "outcome", "body.ball.v_x", "impacts", "error"}));
    EXPECT_EQ(file.read_integer_attribute("/", "format"), 1);
    const record::Column speed = file.read("/body.ball.v_x");
    EXPECT_EQ(speed.name, "body.ball.v/x");
    EXPECT_EQ(speed.unit, "m/s");
    EXPECT_EQ(speed.description, "Speed along x.");
    const record::Column run_column = file.read("/run");
    const record::Column speeds_column = file.read("/body.ball.v_x");
    const record::Column impacts_column = file.read("/impacts");
    const record::Column error_column = file.read("/error");
    const auto& speeds = std::get<std::vector<double>>(speeds_column.values);
    const auto& impacts = std::get<std::vector<std::int64_t>>(impacts_column.values);
    const auto& errors = std::get<std::vector<std::string>>(error_column.values);
    ASSERT_EQ(speeds.size(), count);
    ASSERT_EQ(errors.size(), count);
    for (std::uint64_t run = 0; run < count; ++run) {
        const Row row = row_of(run);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(speeds[run]), std::bit_cast<std::uint64_t>(row.numbers[1]));
        ASSERT_EQ(impacts[run], std::isnan(row.numbers[2]) ? std::numeric_limits<std::int64_t>::min() : std::llround(row.numbers[2]));
        ASSERT_EQ(errors[run], row.texts[1]);
    }
    EXPECT_EQ(run_column.rows(), static_cast<std::int64_t>(count));
}

TEST(ResultTable, ColumnsCanBeReadInBlocks) {
    const Path folder = fresh_study_folder("table_blocks");
    constexpr std::uint64_t count = 9000;
    direct_table(folder, count);
    const Path path = folder / "direct.h5";
    const TableShape shape = read_table_shape(path);
    EXPECT_EQ(shape.rows, count);
    EXPECT_EQ(shape.columns, few_columns);
    for (std::size_t number = 0; const char* name : {"run", "body.ball.v/x", "impacts"}) {
        std::uint64_t run = 0;
        read_table_column(path, name, [&](std::span<const double> block) {
            ASSERT_LE(block.size(), 4096u);
            for (const double value : block) {
                const double wanted = row_of(run++).numbers[number];
                ASSERT_TRUE(value == wanted || (std::isnan(value) && std::isnan(wanted))) << name << " of run " << run - 1;
            }
        });
        EXPECT_EQ(run, count);
        ++number;
    }
    std::uint64_t run = 0;
    read_table_texts(path, "error", [&](std::span<const std::string> block) {
        for (const std::string& text : block) ASSERT_EQ(text, row_of(run++).texts[1]);
    });
    EXPECT_EQ(run, count);
    const auto ignore_numbers = [](std::span<const double>) {};
    EXPECT_EQ(error_of([&] { read_table_column(path, "hight", ignore_numbers); }), "input: " + path.string() + " has no column `hight`");
    EXPECT_EQ(error_of([&] { read_table_column(path, "error", ignore_numbers); }),
              "input: column `error` of " + path.string() + " holds texts");
    EXPECT_EQ(error_of([&] { read_table_texts(path, "run", [](std::span<const std::string>) {}); }),
              "input: column `run` of " + path.string() + " holds numbers");
    EXPECT_EQ(error_of([&] { read_table_shape(folder / "none.h5"); }), "input: no table at " + (folder / "none.h5").string());
    EXPECT_EQ(error_of([&] { read_table_shape(folder / "direct.csv"); }),
              "input: cannot read " + (folder / "direct.csv").string() +
                  ": it is not an HDF5 file | the table is damaged: run the same study with --resume");
}

TEST(ResultTable, ATableWithoutRowsIsATable) {
    const Path folder = fresh_study_folder("table_empty");
    direct_table(folder, 0);
    EXPECT_EQ(bytes_of(folder / "direct.csv"), "run,outcome,body.ball.v/x [m/s],impacts,error\n");
    EXPECT_EQ(read_table_shape(folder / "direct.h5").rows, 0u);
    EXPECT_EQ(read_table_shape(folder / "direct.h5").columns, few_columns);
}

TEST(ResultTable, NoObjectInTheFileKnowsTheTime) {
    const Path folder = fresh_study_folder("table_times");
    direct_table(folder, 10);
    const hid_t file = H5Fopen((folder / "direct.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    for (const char* place : {"/", "/run", "/outcome", "/body.ball.v_x", "/impacts", "/error"}) {
        H5O_info_t info{};
        ASSERT_GE(H5Oget_info_by_name2(file, place, &info, H5O_INFO_TIME, H5P_DEFAULT), 0);
        EXPECT_EQ(info.atime + info.mtime + info.ctime + info.btime, 0) << place;
    }
    H5Fclose(file);
}

TEST(ResultTable, RowsInAnyOrderGiveTheSameBytes) {
    const Path folder = fresh_study_folder("table_order");
    constexpr std::uint64_t count = 5000;  // two blocks
    const TableBytes wanted = direct_table(folder, count);
    std::vector<std::uint64_t> runs(count);
    std::iota(runs.begin(), runs.end(), 0u);
    std::mt19937_64 random(43);
    for (int trial = 0; trial < 20; ++trial) {
        std::shuffle(runs.begin(), runs.end(), random);
        std::filesystem::remove(folder / "journal");
        write_journal(folder / "journal", trial == 0 ? order_of_completion(count, 47) : runs);
        OrderReport report;
        EXPECT_TRUE(table_of(folder / "journal", count, &report) == wanted) << "trial " << trial;
        EXPECT_EQ(report.missing + report.contradictions, 0u);
    }
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"direct.csv", "direct.h5", "journal", "table.csv", "table.h5"}));
}

// Killed anywhere and resumed, in another order: the same table. (journal_test cuts at every byte.)
TEST(ResultTable, CutAnywhereAndResumedItIsTheSameTable) {
    const Path folder = fresh_study_folder("table_cut");
    constexpr std::uint64_t count = 8;
    const TableBytes wanted = direct_table(folder, count);
    write_journal(folder / "whole", {5, 0, 3, 1, 7, 2, 6, 4});
    const std::string whole = bytes_of(folder / "whole");
    for (std::size_t size = 64; size <= whole.size(); size += 7) {
        put_bytes(folder / "journal", whole.substr(0, size));
        {
            JournalWriter writer = JournalWriter::open_to_append(folder / "journal", identity);
            for (std::uint64_t run = count; run-- > 0;)
                if (!writer.report().runs.contains(run)) writer.append(run, packed(row_of(run)));
            writer.commit();
        }
        ASSERT_TRUE(table_of(folder / "journal", count) == wanted) << "cut at " << size;
    }
}

TEST(RunOrder, MissingDuplicateAndLaterRunsAreKnown) {
    const Path path = fresh_study_folder("order_odd") / "journal";
    {
        JournalWriter writer = JournalWriter::create(path, identity);
        for (const auto& [run, row] : std::vector<std::pair<std::uint64_t, std::string>>{{2, "two"},
                                                                                         {0, "zero"},
                                                                                         {2, "two"},
                                                                                         {9, "beyond"},
                                                                                         {std::uint64_t{1} << 62, "far beyond"},
                                                                                         {4, "four"},
                                                                                         {4, "FOUR"},
                                                                                         {0, "zero"},
                                                                                         {4, "vier"}})
            writer.append(run, row);
        writer.commit();
    }
    std::vector<std::string> seen;
    const OrderReport report = for_each_in_order(path, identity, 6, [&](std::uint64_t run, std::optional<std::string_view> row) {
        EXPECT_EQ(run, seen.size());
        seen.emplace_back(row.value_or("-"));
    });
    EXPECT_EQ(seen, (std::vector<std::string>{"zero", "-", "two", "-", "four", "-"}));
    EXPECT_EQ(report.missing, 3u);
    EXPECT_EQ(report.journal.duplicates, 4u);
    EXPECT_EQ(report.contradictions, 2u);
    EXPECT_EQ(report.contradicted, (std::vector<std::uint64_t>{4, 4}));
    EXPECT_EQ(names_in(path.parent_path()), std::vector<std::string>{"journal"});
}

// A run index far away makes the index file long, not large: it has holes.
TEST(RunOrder, AFarRunTakesNoRoom) {
    const Path path = fresh_study_folder("order_far") / "journal";
    constexpr std::uint64_t far = 10000000;
    write_journal(path, {far, 1});
    std::uint64_t rows = 0;
    const OrderReport report = for_each_in_order(path, identity, far + 1, [&](std::uint64_t, std::optional<std::string_view> row) {
        if (row) ++rows;
    });
    EXPECT_EQ(rows, 2u);
    EXPECT_EQ(report.missing, far - 1);
}

// 8 MB would be a single word for every run. A tenth of the runs first, so that every buffer has its size.
TEST(RunOrder, MemoryIsFlatInTheNumberOfRuns) {
    if (has_own_allocator) GTEST_SKIP() << "the sanitizer's memory is not ours";
    const Path folder = fresh_study_folder("order_memory");
    for (const std::uint64_t count : {std::uint64_t{100000}, std::uint64_t{1000000}}) {
        JournalWriter writer = JournalWriter::create(folder / fmt::format("journal_{}", count), identity);
        for (const std::uint64_t run : order_of_completion(count, 53)) {
            writer.append(run, "tiny");
            if (writer.pending_bytes() > 1000000) writer.commit();
        }
        writer.commit();
    }
    const std::string text = in_child([&] {
        const auto make_table = [&](std::uint64_t count) {
            TableWriter writer(folder / "t.csv", folder / "t.h5", {few_columns[0], few_columns[1]});
            std::uint64_t tiny = 0;
            for_each_in_order(folder / fmt::format("journal_{}", count), identity, count,
                              [&](std::uint64_t run, std::optional<std::string_view> row) {
                                  tiny += row == "tiny" ? 1 : 0;
                                  writer.add(std::vector{static_cast<double>(run)}, std::vector<std::string>{"rest"});
                              });
            writer.finish();
            read_table_column(folder / "t.h5", "run", [&](std::span<const double> block) { tiny -= block.size(); });
            return tiny;
        };
        if (make_table(100000) != 0) return std::string("rows lost");
        const std::int64_t before = most_memory();
        if (make_table(1000000) != 0) return std::string("rows lost");
        const std::int64_t grown = most_memory() - before;
        return grown < 4000000 ? std::string("flat") : fmt::format("grew by {} bytes", grown);
    });
    EXPECT_EQ(text, "flat");
    std::filesystem::remove_all(folder);
}

TEST(ResultTable, AnUnfinishedTableLeavesTheOlderOneAlone) {
    const Path folder = fresh_study_folder("table_unfinished");
    const TableBytes older = direct_table(folder, 20);
    {
        TableWriter writer(folder / "direct.csv", folder / "direct.h5", few_columns);
        const Row row = row_of(3);
        for (int i = 0; i < 10000; ++i) writer.add(row.numbers, row.texts);
    }
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"direct.csv", "direct.h5"}));
    EXPECT_EQ(bytes_of(folder / "direct.csv"), older.csv);
    EXPECT_EQ(bytes_of(folder / "direct.h5"), older.h5);
    EXPECT_TRUE(direct_table(folder, 20) == older);  // and in the same process a new one can be made
    // what a killed process leaves is in nobody's way
    put_bytes(folder / "direct.csv.part", "half a ta");
    put_bytes(folder / "direct.h5.part", "half a ta");
    EXPECT_TRUE(direct_table(folder, 20) == older);
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"direct.csv", "direct.h5"}));
}

TEST(ResultTable, AFullDiskLeavesTheOlderTableAlone) {
    const Path folder = fresh_study_folder("table_full");
    const TableBytes older = direct_table(folder, 20);
    for (const std::uint64_t limit : {std::uint64_t{30000}, std::uint64_t{1000}}) {
        const std::string message = in_child([&] {
            limit_file_size(limit);
            std::string text = error_of([&] { direct_table(folder, 5000); });
            limit_file_size(RLIM_INFINITY);
            if (!(direct_table(folder, 20) == older)) text += " and no new table after it";
            return text;
        });
        EXPECT_TRUE(message.starts_with("runtime: cannot write " + (folder / "direct.").string())) << message;
        EXPECT_NE(message.find(": File too large\n"), std::string::npos) << message;
        EXPECT_EQ(message.find("and no new table"), std::string::npos) << message;
        EXPECT_EQ(names_in(folder), (std::vector<std::string>{"direct.csv", "direct.h5"}));
    }
    // the HDF5 side alone: a row of many columns takes more room there
    const std::string message = in_child([&] {
        limit_file_size(8000);
        std::vector<Column> columns;
        for (int i = 0; i < 50; ++i) columns.push_back({fmt::format("x{}", i), "m", "", ColumnKind::number});
        return error_of([&] {
            TableWriter writer(folder / "direct.csv", folder / "direct.h5", columns);
            writer.add(std::vector<double>(50), {});
            writer.finish();
        });
    });
    EXPECT_EQ(message, "runtime: cannot write " + (folder / "direct.h5.part").string() +
                           ": File too large\n  mend that (is the disk full?), then run the same command with --resume");
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"direct.csv", "direct.h5"}));
    EXPECT_EQ(bytes_of(folder / "direct.h5"), older.h5);
}

TEST(ResultTable, AFolderThatRefusesIsNamed) {
    const Path folder = fresh_study_folder("table_refused");
    put_bytes(folder / "file", "");
    const auto make = [&](const Path& place) { return error_of([&] { TableWriter(place / "t.csv", place / "t.h5", few_columns); }); };
    EXPECT_EQ(make(folder / "none"), "runtime: cannot create " + (folder / "none" / "t.csv.part").string() +
                                         ": No such file or directory\n  make the folder, or choose another one with --out");
    EXPECT_EQ(make(folder / "file"), "runtime: cannot create " + (folder / "file" / "t.csv.part").string() +
                                         ": Not a directory\n  make the folder, or choose another one with --out");
    const std::string read_only = in_child([&] {  // permissions do not bind root: become nobody
        std::filesystem::permissions(folder, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
        if (::geteuid() == 0 && ::setuid(65534) != 0) return std::string("cannot become another user");
        return make(folder);
    });
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    EXPECT_EQ(read_only, "runtime: cannot create " + (folder / "t.csv.part").string() +
                             ": Permission denied\n  make the folder writable, or choose another one with --out");
    // a folder where the table should go: nothing half done
    std::filesystem::create_directories(folder / "t.csv" / "x");
    EXPECT_EQ(error_of([&] { TableWriter(folder / "t.csv", folder / "t.h5", few_columns).finish(); }),
              "runtime: cannot write " + (folder / "t.csv").string() + ": Is a directory\n  mend that");
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"file", "t.csv"}));
}

TEST(ResultTable, WhatCannotBeATableIsRefused) {
    const Path folder = fresh_study_folder("table_bad");
    EXPECT_EQ(error_of([&] {
                  TableWriter(folder / "t.csv", folder / "t.h5", {{"a/b", "", "", {}}, {"a_b", "", "", {}}});
              }),
              "input: two columns of the table have the name `a_b`");
    TableWriter writer(folder / "t.csv", folder / "t.h5", few_columns);
    const std::vector<std::string> texts{"", ""};
    EXPECT_THROW(writer.add(std::vector<double>{0, 1}, texts), Bug);
    EXPECT_THROW(writer.add(std::vector<double>{0, 1, 2, 3}, std::vector<std::string>{""}), Bug);
    EXPECT_THROW(writer.add(std::vector<double>{0.5, 1, 2}, texts), Bug);
    EXPECT_THROW(writer.add(std::vector<double>{1e16, 1, 2}, texts), Bug);
    EXPECT_EQ(error_of([&] {
                  writer.add(std::vector<double>{0, 1, 2}, std::vector<std::string>{"", std::string("a\0b", 3)});
              }),
              "input: column `error`: a text with a NUL character cannot be written");
}

// Cut short or with a changed byte: the right rows or an InputError, nothing else. In a child, since the HDF5 library drops memory on its
// way out of a damaged file, which a leak checker would report.
TEST(ResultTable, ADamagedTableIsFoundOut) {
    const Path folder = fresh_study_folder("table_damaged");
    const std::string whole = direct_table(folder, 30).h5;
    const Path path = folder / "t.h5";
    const auto contents = [&] {
        std::string text;
        const TableShape shape = read_table_shape(path);
        for (const Column& column : shape.columns) {
            text += column.name + column.unit;
            if (column.kind == ColumnKind::text)
                read_table_texts(path, column.name,
                                 [&](std::span<const std::string> block) { text += fmt::format("{}", fmt::join(block, "|")); });
            else
                read_table_column(path, column.name,
                                  [&](std::span<const double> block) { text += fmt::format("{}", fmt::join(block, "|")); });
        }
        return text;
    };
    put_bytes(path, whole);
    const std::string wanted = contents();
    const std::string result = in_child([&] {
        for (std::size_t size = 0; size < whole.size(); size += 37) {
            put_bytes(path, whole.substr(0, size));
            const std::string error = error_of(contents);
            if (!error.starts_with("input: cannot read ")) return fmt::format("cut at {}: {}", size, error);
        }
        int found_out = 0;
        for (std::size_t at = 0; at < whole.size(); at += 3) {
            std::string bytes = whole;
            bytes[at] ^= 0x10;
            put_bytes(path, bytes);
            std::string got = wanted;
            if (error_of([&] { got = contents(); }) != "no error") ++found_out;
            if (got != wanted) return fmt::format("byte {} changed: wrong rows", at);
        }
        return fmt::format("{}", found_out > 100 ? "found out" : "hardly ever found out");
    });
    EXPECT_EQ(result, "found out");
}

}  // namespace
}  // namespace asperity::batch::result_table_test
