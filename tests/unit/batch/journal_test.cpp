#include "asperity/batch/journal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#define XXH_INLINE_ALL  // the header alone, not the library that the program uses
#include <xxhash.h>

#include <cstring>
#include <set>

#include "asperity/record/text_file.h"
#include "unit/batch/file_tools.h"

namespace asperity::batch::journal_test {
namespace {

using namespace asperity::test;
using Path = std::filesystem::path;

const std::string identity = "0123456789abcdeffedcba9876543210";
const std::string other_identity = "0123456789abcdeffedcba9876543211";
constexpr std::size_t head_bytes = 64;
constexpr std::size_t record_bytes = 32;

struct Row {
    std::uint64_t run;
    std::string bytes;
    std::uint64_t offset = 0;
    friend bool operator==(const Row&, const Row&) = default;
};

std::vector<Row> rows_of(const Path& path, JournalReport* report = nullptr) {
    std::vector<Row> rows;
    JournalReport got = read_journal(path, identity, [&](std::uint64_t run, std::string_view row, std::uint64_t offset) {
        rows.push_back({run, std::string(row), offset});
    });
    if (report != nullptr) *report = std::move(got);
    return rows;
}

void write_rows(const Path& path, const std::vector<Row>& rows) {
    JournalWriter writer = JournalWriter::create(path, identity);
    for (const Row& row : rows) writer.append(row.run, row.bytes);
    writer.commit();
}

template <class T>
std::string raw(T number) {
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

// The layout of journal.h, spelled out a second time.
std::string head_by_hand(std::uint64_t format, const std::string& id) {
    const std::string head = "asperity journal" + raw(format) + id;
    return head + raw<std::uint64_t>(XXH3_64bits(head.data(), head.size()));
}

std::string record_by_hand(std::uint64_t run, std::uint32_t length, const std::string& row, std::uint64_t offset) {
    const std::string numbers = raw(run) + raw(length);
    const std::uint64_t hash = XXH3_64bits_withSeed(numbers.data(), numbers.size(), 0x0123456789abcdef + offset);
    return "\x89run\r\n\x1a\xa5" + numbers + raw(static_cast<std::uint32_t>(hash)) +
           raw<std::uint64_t>(XXH3_64bits_withSeed(row.data(), row.size(), hash)) + row;
}

// Six rows, not in order: empty, short, one that holds a marker, and one that holds the beginning of this very journal.
std::vector<Row> small_rows() {
    std::mt19937_64 random(5);
    std::vector<Row> rows{
        {3, "abc"}, {0, ""}, {7, random_row(random, 41)}, {1, "x\x89run\r\n\x1a\xa5y"}, {2, ""}, {9, random_row(random, 17)}};
    rows[4].bytes = head_by_hand(2, identity) + record_by_hand(3, 3, "abc", head_bytes);
    std::uint64_t offset = head_bytes;
    for (Row& row : rows) {
        row.offset = offset;
        offset += record_bytes + row.bytes.size();
    }
    return rows;
}

TEST(Journal, HasTheLayoutThatThePageGives) {
    const std::string page = record::read_text_file(std::filesystem::path(ASPERITY_SOURCE_DIR) / "docs" / "format.md");
    EXPECT_NE(page.find(fmt::format("| 8 | format: {} |", journal_format)), std::string::npos);
    const Path path = fresh_study_folder("journal_layout") / "journal";
    const std::vector<Row> rows = small_rows();
    write_rows(path, rows);
    std::string wanted = head_by_hand(2, identity);
    for (const Row& row : rows) wanted += record_by_hand(row.run, static_cast<std::uint32_t>(row.bytes.size()), row.bytes, row.offset);
    EXPECT_EQ(bytes_of(path), wanted);
    JournalReport report;
    EXPECT_EQ(rows_of(path, &report), rows);
    EXPECT_EQ(report.records, 6u);
    EXPECT_EQ(report.runs.count(), 6u);
    EXPECT_EQ(report.duplicates + report.damaged + report.bytes_torn, 0u);
    EXPECT_EQ(report.good_end, wanted.size());
    EXPECT_EQ(names_in(path.parent_path()), std::vector<std::string>{"journal"});
}

TEST(Journal, OnlyWhatIsCommittedIsInTheFile) {
    const Path path = fresh_study_folder("journal_commit") / "journal";
    JournalWriter writer = JournalWriter::create(path, identity);
    writer.append(0, "zero");
    EXPECT_TRUE(rows_of(path).empty());
    EXPECT_EQ(writer.safe_runs(), 0u);
    writer.commit();
    writer.append(1, "one");
    EXPECT_EQ(rows_of(path).size(), 1u);
    EXPECT_EQ(writer.safe_runs(), 1u);
}

// Cut off at every byte: all complete records come back, and a writer that goes on ends with the very same file.
TEST(Journal, CutAnywhereItKeepsEveryCompleteRecordAndGoesOn) {
    const Path folder = fresh_study_folder("journal_cut");
    const std::vector<Row> rows = small_rows();
    write_rows(folder / "whole", rows);
    const std::string whole = bytes_of(folder / "whole");
    const Path path = folder / "journal";
    for (std::size_t size = head_bytes; size <= whole.size(); ++size) {
        put_bytes(path, whole.substr(0, size));
        std::vector<Row> complete;
        for (const Row& row : rows)
            if (row.offset + record_bytes + row.bytes.size() <= size) complete.push_back(row);
        const std::uint64_t end = complete.empty() ? head_bytes : complete.back().offset + record_bytes + complete.back().bytes.size();
        JournalReport report;
        ASSERT_EQ(rows_of(path, &report), complete) << "cut at " << size;
        ASSERT_EQ(report.good_end, end);
        ASSERT_EQ(report.bytes_torn, size - end);
        ASSERT_EQ(report.damaged, 0u);

        JournalWriter writer = JournalWriter::open_to_append(path, identity);
        ASSERT_EQ(writer.safe_runs(), complete.size());
        for (const Row& row : rows)
            if (!writer.report().runs.contains(row.run)) writer.append(row.run, row.bytes);
        writer.commit();
        ASSERT_EQ(bytes_of(path), whole) << "cut at " << size;
    }
}

// A torn end that is longer than what follows must not show behind it.
TEST(Journal, ATornEndIsCutOffBeforeAnythingIsAppended) {
    const Path path = fresh_study_folder("journal_torn") / "journal";
    write_rows(path, {{0, "zero"}, {1, std::string(1000, 'x')}});
    const std::string whole = bytes_of(path);
    put_bytes(path, whole.substr(0, whole.size() - 1));
    {
        JournalWriter writer = JournalWriter::open_to_append(path, identity);
        EXPECT_EQ(writer.report().bytes_torn, record_bytes + 999);
        EXPECT_EQ(bytes_of(path).size(), writer.report().good_end);
        writer.append(2, "two");
        writer.commit();
    }
    JournalReport report;
    EXPECT_EQ(rows_of(path, &report).size(), 2u);
    EXPECT_EQ(report.bytes_torn, 0u);
}

// The search for the next record reads 64 KiB at a time: markers across such an edge are found too.
TEST(Journal, TheNextRecordIsFoundWhereverItBegins) {
    const Path path = fresh_study_folder("journal_edge") / "journal";
    for (std::size_t back = 0; back <= 10; ++back) {
        std::filesystem::remove(path);
        const std::size_t size = 65536 + 1 - record_bytes - back;
        write_rows(path, {{0, std::string(size, 'x')}, {1, "one"}});
        std::string bytes = bytes_of(path);
        bytes[head_bytes] = '?';
        put_bytes(path, bytes);
        EXPECT_EQ(rows_of(path), (std::vector<Row>{{1, "one", head_bytes + record_bytes + size}})) << back;
    }
}

TEST(Journal, TemporaryNamesThatAreTakenAreLeftAlone) {
    const Path folder = fresh_study_folder("journal_names");
    const Path taken = folder / fmt::format("journal.{}-0.tmp", ::getpid());
    put_bytes(taken, "somebody's");
    write_rows(folder / "journal", {{0, "zero"}});
    EXPECT_EQ(bytes_of(taken), "somebody's");
    EXPECT_EQ(rows_of(folder / "journal").size(), 1u);
}

// Every byte changed in three ways: no row that was not written, the other records all there, and the loss reported with its place.
TEST(Journal, AChangedByteCostsItsRecordAndNoOther) {
    const Path folder = fresh_study_folder("journal_flip");
    const std::vector<Row> rows = small_rows();
    write_rows(folder / "whole", rows);
    const std::string whole = bytes_of(folder / "whole");
    const Path path = folder / "journal";
    for (std::size_t at = head_bytes; at < whole.size(); ++at) {
        for (const char change : {'\x01', '\x80', '\xff'}) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ change);
            put_bytes(path, bytes);
            std::vector<Row> others;
            Row hit;
            for (const Row& row : rows)
                if (at >= row.offset && at < row.offset + record_bytes + row.bytes.size())
                    hit = row;
                else
                    others.push_back(row);
            JournalReport report;
            ASSERT_EQ(rows_of(path, &report), others) << "byte " << at;
            const std::uint64_t lost = record_bytes + hit.bytes.size();
            if (hit.run == rows.back().run) {
                ASSERT_EQ(report.bytes_torn, lost) << "byte " << at;
            } else {
                ASSERT_GE(report.damaged, 1u) << "byte " << at;
                ASSERT_EQ(report.damages.front().offset, hit.offset);
                ASSERT_EQ(report.damages.front().run.value_or(hit.run), hit.run);
                std::uint64_t bytes_damaged = 0;
                for (const Damage& damage : report.damages) bytes_damaged += damage.bytes;
                ASSERT_EQ(bytes_damaged, lost);
                ASSERT_EQ(report.bytes_torn, 0u);
            }
            ASSERT_FALSE(report.runs.contains(hit.run));
        }
    }
}

TEST(Journal, ADamagedPlaceInTheMiddleStaysAndTheRunIsDoneAgain) {
    const Path path = fresh_study_folder("journal_again") / "journal";
    const std::vector<Row> rows = small_rows();
    write_rows(path, rows);
    std::string bytes = bytes_of(path);
    bytes[rows[2].offset + record_bytes + 5] ^= 1;
    put_bytes(path, bytes);
    {
        JournalWriter writer = JournalWriter::open_to_append(path, identity);
        EXPECT_EQ(writer.report().damaged, 1u);
        EXPECT_EQ(writer.report().damages[0].run, 7u);  // its head is whole: the run is known
        writer.append(7, rows[2].bytes);
        writer.commit();
    }
    JournalReport report;
    EXPECT_EQ(rows_of(path, &report).back().bytes, rows[2].bytes);
    EXPECT_EQ(report.damaged, 1u);
    EXPECT_EQ(report.runs.count(), 6u);
}

TEST(Journal, ManyDamagedPlacesAreAllCountedAndTheFirstAreListed) {
    const Path path = fresh_study_folder("journal_many") / "journal";
    std::vector<Row> rows;
    for (std::uint64_t run = 0; run < 501; ++run) rows.push_back({run, "row", head_bytes + run * (record_bytes + 3)});
    write_rows(path, rows);
    std::string bytes = bytes_of(path);
    for (std::size_t i = 1; i < 500; i += 2) bytes[rows[i].offset] = '?';
    put_bytes(path, bytes);
    JournalReport report;
    EXPECT_EQ(rows_of(path, &report).size(), 251u);
    EXPECT_EQ(report.damaged, 250u);
    ASSERT_EQ(report.damages.size(), 100u);
    EXPECT_EQ(report.damages[99].offset, rows[199].offset);
    EXPECT_EQ(report.runs.first_missing(), 1u);
}

TEST(Journal, CountsDuplicates) {
    const Path path = fresh_study_folder("journal_duplicates") / "journal";
    write_rows(path, {{4, "a"}, {5, "b"}, {4, "a"}, {4, "a"}});
    const JournalReport report = read_journal(path, identity);
    EXPECT_EQ(report.records, 4u);
    EXPECT_EQ(report.duplicates, 2u);
}

TEST(Journal, RowsOfAnyLengthComeBack) {
    const Path path = fresh_study_folder("journal_long") / "journal";
    std::mt19937_64 random(11);
    std::vector<Row> rows;
    std::uint64_t offset = head_bytes;
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{300000}, std::size_t{262144 - 32}, std::size_t{1}, longest_row, std::size_t{5}}) {
        rows.push_back({rows.size(), random_row(random, size), offset});
        offset += record_bytes + size;
    }
    write_rows(path, rows);
    EXPECT_TRUE(rows_of(path) == rows);
    JournalRows fetched(path, identity);
    for (const Row& row : rows) EXPECT_TRUE(fetched.row(row.run, row.offset) == row.bytes) << row.run;
    EXPECT_THROW(JournalWriter::open_to_append(path, identity).append(9, std::string(longest_row + 1, 'x')), Bug);
}

TEST(Journal, ARowThatIsNoLongerWhereItWasIsAnError) {
    const Path path = fresh_study_folder("journal_moved") / "journal";
    write_rows(path, {{4, "abc"}, {5, "def"}});
    JournalRows rows(path, identity);
    EXPECT_EQ(rows.row(5, head_bytes + 35), "def");
    const std::string wanted = "runtime: " + path.string() + " changed while it was read: run 4 is no longer at byte 99\n" +
                               "  run the same command with --resume";
    EXPECT_EQ(error_of([&] { rows.row(4, head_bytes + 35); }), wanted);
    EXPECT_NE(error_of([&] { rows.row(4, head_bytes + 1); }), "no error");
    EXPECT_NE(error_of([&] { rows.row(4, 1000000); }), "no error");
}

TEST(Journal, SaysWhatIsWrongWithAFileThatIsNoJournalOfThisStudy) {
    const Path folder = fresh_study_folder("journal_wrong");
    const Path path = folder / "journal";
    const std::string name = path.string();
    const auto error_with = [&](const std::string& bytes) {
        put_bytes(path, bytes);
        const std::string reading = error_of([&] { read_journal(path, identity); });
        EXPECT_EQ(error_of([&] { JournalWriter::open_to_append(path, identity); }), reading);
        EXPECT_EQ(bytes_of(path), bytes);  // and leaves it as it is
        return reading;
    };
    const std::string head = head_by_hand(2, identity);
    EXPECT_EQ(error_of([&] { read_journal(folder / "none", identity); }), "input: no file at " + (folder / "none").string());
    EXPECT_EQ(error_of([&] { read_journal(folder, identity); }), "input: " + folder.string() + " is not a file");
    EXPECT_EQ(error_with(""), "input: " + name + " is empty: it is not the journal of a study");
    EXPECT_EQ(error_with("time,height\n0,1\n"), "input: " + name + " is not the journal of a study");
    for (std::size_t size = 1; size < head_bytes; ++size)
        EXPECT_EQ(error_with(head.substr(0, size)), "input: " + name + " is cut off in its head: it holds no runs | remove it");
    EXPECT_EQ(error_with(head_by_hand(1, identity)), "input: " + name +
                                                         " has format 1, this program reads format 2 | go on with the version of asperity "
                                                         "that began the study");
    EXPECT_EQ(error_with(head_by_hand(2, other_identity)),
              "input: " + name + " belongs to another study: its identity is " + other_identity + ", not " + identity +
                  " | go on with the study file that it was begun with, or begin again in another folder with --out");
    for (std::size_t at = 16; at < head_bytes; ++at) {
        std::string bytes = head;
        bytes[at] ^= 4;
        EXPECT_EQ(error_with(bytes),
                  "input: the head of " + name +
                      " is damaged: which study it belongs to cannot be told | begin again in another folder with --out");
    }
}

// Lengths that no file has, with heads that check out; nothing but markers; noise. No row, no crash, and no memory to speak of.
TEST(Journal, HostileFilesGiveNoRowAndTakeNoMemory) {
    const Path path = fresh_study_folder("journal_hostile") / "journal";
    const std::string head = head_by_hand(2, identity);
    std::mt19937_64 random(3);
    std::vector<std::string> files;
    for (const std::uint32_t length : {std::uint32_t{4}, std::uint32_t{1} << 24, (std::uint32_t{1} << 24) + 1, ~std::uint32_t{0}})
        files.push_back(head + record_by_hand(0, length, "abc", head_bytes));
    files.push_back(head + record_by_hand(0, static_cast<std::uint32_t>(longest_row + 1), std::string(longest_row + 1, 'x'), head_bytes));
    files.push_back(head + record_by_hand(~std::uint64_t{0}, 3, "abc", head_bytes));
    files.push_back(head);
    for (int i = 0; i < 200000; ++i) files.back() += "\x89run\r\n\x1a\xa5";
    for (int i = 0; i < 50; ++i) files.push_back(head + random_row(random, random() % 5000));
    const std::int64_t before = most_memory();
    for (const std::string& bytes : files) {
        put_bytes(path, bytes);
        JournalReport report;
        EXPECT_TRUE(rows_of(path, &report).empty());
        EXPECT_EQ(report.good_end, head_bytes);
        EXPECT_EQ(report.bytes_torn, bytes.size() - head_bytes);
    }
    EXPECT_LT(most_memory() - before, std::int64_t{64} << 20);  // a length that was believed would take 4 GiB
}

// A good journal with random stretches overwritten, removed and inserted: every row that is accepted was written.
TEST(Journal, NoDamageMakesARow) {
    const Path path = fresh_study_folder("journal_fuzz") / "journal";
    const std::vector<Row> rows = small_rows();
    write_rows(path, rows);
    const std::string whole = bytes_of(path);
    std::mt19937_64 random(17);
    for (int trial = 0; trial < 2000; ++trial) {
        std::string bytes = whole;
        const std::size_t at = head_bytes + random() % (bytes.size() - head_bytes);
        const std::size_t size = random() % 60;
        const std::size_t copy_from = random() % bytes.size();
        bytes.replace(at, trial % 3 == 0 ? 0 : size, trial % 3 == 1 ? "" : whole.substr(copy_from, size));
        put_bytes(path, bytes);
        for (const Row& row : rows_of(path)) ASSERT_NE(std::find(rows.begin(), rows.end(), row), rows.end()) << "trial " << trial;
    }
}

TEST(Journal, TwoWritersRefuseEachOther) {
    const Path path = fresh_study_folder("journal_lock") / "journal";
    const std::string refused =
        "runtime: another campaign is writing " + path.string() + "\n  wait for its end, or choose another folder with --out";
    const auto open_again = [&] { return error_of([&] { JournalWriter::open_to_append(path, identity); }); };
    {
        JournalWriter writer = JournalWriter::create(path, identity);
        EXPECT_EQ(open_again(), refused);
        EXPECT_EQ(in_child(open_again), refused);
        EXPECT_EQ(error_of([&] { JournalWriter::create(path, identity); }),
                  "input: there is already a journal at " + path.string() + " | go on with --resume, or choose another folder with --out");
        EXPECT_TRUE(rows_of(path).empty());  // reading is free
    }
    JournalWriter writer = JournalWriter::open_to_append(path, identity);
    EXPECT_EQ(open_again(), refused);
    EXPECT_EQ(names_in(path.parent_path()), std::vector<std::string>{"journal"});
}

// A process that writes as fast as it can and says what was committed; killed; the next goes on.
TEST(Journal, KilledAtAnyMomentItHoldsWhatWasCommitted) {
    const Path path = fresh_study_folder("journal_kill") / "journal";
    JournalWriter::create(path, identity);
    std::mt19937_64 random(23);
    std::uint64_t told = 0;
    for (int round = 0; round < 20; ++round) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            JournalWriter writer = JournalWriter::open_to_append(path, identity);
            for (std::uint64_t run = writer.safe_runs();; ++run) {
                writer.append(run, fmt::format("row of run {}", run));
                if (run % 7 != 0) continue;
                writer.commit();
                const std::uint64_t safe = run + 1;
                if (::write(ends[1], &safe, sizeof safe) != sizeof safe) _exit(1);
            }
        }
        ::close(ends[1]);
        std::uint64_t number = 0;
        const std::uint64_t messages = 1 + random() % 40;
        for (std::uint64_t i = 0; i < messages && ::read(ends[0], &number, sizeof number) == sizeof number; ++i) told = number;
        ::kill(child, SIGKILL);
        while (::read(ends[0], &number, sizeof number) == sizeof number) told = number;
        ::close(ends[0]);
        ::waitpid(child, nullptr, 0);
        const std::vector<Row> rows = rows_of(path);
        ASSERT_GE(rows.size(), told);
        for (std::size_t run = 0; run < rows.size(); ++run) {
            ASSERT_EQ(rows[run].run, run);
            ASSERT_EQ(rows[run].bytes, fmt::format("row of run {}", run));
        }
    }
    EXPECT_GT(told, 100u);
}

// Commits of ten runs until the machine refuses; what was committed before is there and nothing else, and a later writer goes on.
std::string fill_disk(const Path& path) {
    std::uint64_t safe = 0;
    std::string message;
    {
        JournalWriter writer = JournalWriter::create(path, identity);
        for (std::uint64_t run = 0; message.empty(); ++run) {
            writer.append(run, std::string(100, 'x'));
            if (run % 10 != 9) continue;
            message = error_of([&] { writer.commit(); });
            if (message != "no error") break;
            message.clear();
            safe = run + 1;
        }
        if (writer.safe_runs() != safe) return "counts wrong";
        if (error_of([&] { writer.commit(); }) != message) return "goes on after a failure";
    }
    const JournalReport report = read_journal(path, identity);
    if (report.records != safe || report.bytes_torn != 0 || report.damaged != 0) return "lost something";
    const std::string count = fmt::format(": {} finished runs are safe", safe);
    return safe > 100 && message.ends_with(count) ? message.substr(0, message.size() - count.size()) : message;
}

void expect_resumes(const Path& path) {
    JournalWriter writer = JournalWriter::open_to_append(path, identity);
    const std::uint64_t before = writer.safe_runs();
    EXPECT_GT(before, 100u);
    writer.append(before, "more");
    writer.commit();
    EXPECT_EQ(read_journal(path, identity).records, before + 1);
}

TEST(Journal, AFileThatMayNotGrowLosesNothing) {
    const Path path = fresh_study_folder("journal_limit") / "journal";
    EXPECT_EQ(in_child([&] {
                  limit_file_size(20000);
                  return fill_disk(path);
              }),
              "runtime: cannot write " + path.string() +
                  ": File too large\n  raise the limit on the size of files (ulimit -f), then run the same command with --resume");
    expect_resumes(path);
}

TEST(Journal, AFullDiskLosesNothing) {
    const Path folder = fresh_study_folder("journal_full");
    const std::string text = in_child([&] {
        if (!mount_small_disk(folder, 65536)) return std::string("no mount");
        const std::string message = fill_disk(folder / "journal");
        std::filesystem::copy_file(folder / "journal", folder.parent_path() / "journal_from_full");
        return message;
    });
    if (text == "no mount") GTEST_SKIP() << "this machine lets nobody mount a small file system; see AFileThatMayNotGrowLosesNothing";
    EXPECT_EQ(text, "runtime: cannot write " + (folder / "journal").string() +
                        ": No space left on device\n  free some space, then run the same command with --resume");
    expect_resumes(folder.parent_path() / "journal_from_full");
    std::filesystem::remove(folder.parent_path() / "journal_from_full");
}

TEST(Journal, AFolderThatRefusesIsNamed) {
    const Path folder = fresh_study_folder("journal_refused");
    put_bytes(folder / "file", "");
    const std::string no_folder = error_of([&] { JournalWriter::create(folder / "none" / "journal", identity); });
    EXPECT_TRUE(no_folder.starts_with("runtime: cannot create " + (folder / "none" / "journal").string())) << no_folder;
    EXPECT_TRUE(no_folder.ends_with(": No such file or directory\n  make the folder, or choose another one with --out")) << no_folder;
    const std::string in_file = error_of([&] { JournalWriter::create(folder / "file" / "journal", identity); });
    EXPECT_TRUE(in_file.ends_with(": Not a directory\n  make the folder, or choose another one with --out")) << in_file;
    // permissions do not bind root: become nobody
    const std::string read_only = in_child([&] {
        std::filesystem::permissions(folder, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
        if (::geteuid() == 0 && ::setuid(65534) != 0) return std::string("cannot become another user");
        return error_of([&] { JournalWriter::create(folder / "journal", identity); });
    });
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    EXPECT_TRUE(read_only.ends_with(": Permission denied\n  make the folder writable, or choose another one with --out")) << read_only;
    EXPECT_EQ(names_in(folder), std::vector<std::string>{"file"});
}

TEST(Journal, ASetOfRunsIsASet) {
    std::mt19937_64 random(29);
    RunSet set;
    std::set<std::uint64_t> wanted;
    for (int i = 0; i < 3000; ++i) {
        const std::uint64_t run = random() % 1000;
        ASSERT_EQ(set.insert(run), wanted.insert(run).second);
        ASSERT_EQ(set.count(), wanted.size());
        const std::uint64_t asked = random() % 1010;
        ASSERT_EQ(set.contains(asked), wanted.contains(asked));
        std::uint64_t missing = asked;
        while (wanted.contains(missing)) ++missing;
        ASSERT_EQ(set.first_missing(asked), missing);
    }
}

// 8 MB would be a single word for every run. What may grow is what the order of completion leaves open, which does not depend on the count.
TEST(Journal, MemoryIsFlatInTheNumberOfRuns) {
    if (has_own_allocator) GTEST_SKIP() << "the sanitizer's memory is not ours";
    const Path path = fresh_study_folder("journal_memory") / "journal";
    const std::vector<std::uint64_t> order = order_of_completion(1000000, 31);
    const std::string text = in_child([&] {
        const auto write_and_read = [&](std::size_t from, std::size_t to) {
            {
                JournalWriter writer = JournalWriter::open_to_append(path, identity);
                for (std::size_t i = from; i < to; ++i) {
                    writer.append(order[i], "tiny");
                    if (i % 1000 == 999) writer.commit();
                }
                writer.commit();
            }
            return read_journal(path, identity).runs.count();
        };
        JournalWriter::create(path, identity);
        write_and_read(0, 30000);
        const std::int64_t before = most_memory();
        const std::uint64_t count = write_and_read(30000, order.size());
        const std::int64_t grown = most_memory() - before;
        return fmt::format("{} {}", count, grown < 2000000 ? "flat" : fmt::format("grew by {} bytes", grown));
    });
    EXPECT_EQ(text, "1000000 flat");
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace asperity::batch::journal_test
