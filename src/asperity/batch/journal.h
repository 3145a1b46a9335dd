// The journal of a study: an append-only file with a checksummed row for every finished run, which is on the disk before the run counts.
//
//   head    64 bytes: "asperity journal", format (u64), identity of the study (32 hexadecimal digits), XXH3-64 of these 56 bytes
//   record  marker (8), run (u64), length of the row (u32), low half of h (u32), c (u64), row
//
//     h = XXH3-64(run and length; seed s)     s = offset of the record in the file + first half of the identity (mod 2^64)   (1)
//     c = XXH3-64(row; seed h)                                                                                               (2)
//
// Little-endian. A record therefore checks out only at its own place in the journal of its own study: neither a copy of a record inside
// a row nor an old block of the disk is taken for one. h alone lets a length be believed before the row is read.
// The rows are bytes, which only the caller interprets. Source: xxhash.com, XXH3.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/record/durable_file.h"

namespace asperity::batch {

inline constexpr std::uint64_t journal_format = 2;
inline constexpr std::size_t longest_row = std::size_t{16} << 20;  // bytes; a length above is damage

// A set of run indices, kept as intervals: runs finish nearly in order, so that a set of millions is a handful of intervals.
class RunSet {
public:
    bool insert(std::uint64_t run);  // false where it was there
    bool contains(std::uint64_t run) const;
    std::uint64_t count() const { return count_; }
    std::uint64_t first_missing(std::uint64_t from = 0) const;  // at or after `from`

private:
    std::map<std::uint64_t, std::uint64_t> end_of_;  // first run of an interval -> one past its last
    std::uint64_t count_ = 0;
};

// A place in the middle of a journal with a wrong checksum; its runs have to be repeated.
struct Damage {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> run;  // where that much can be read
};

struct JournalReport {
    RunSet runs;                   // those with a good record
    std::uint64_t records = 0;     // good ones
    std::uint64_t duplicates = 0;  // records of a run that had one
    std::uint64_t damaged = 0;     // places that do not check out, with a good record after them
    std::vector<Damage> damages;   // the first of them, at most most_damages
    std::uint64_t good_end = 0;    // bytes up to the end of the last good record
    std::uint64_t bytes_torn = 0;  // behind it: what a writer left that was killed

    static constexpr std::size_t most_damages = 100;
};

// The row is valid during the call.
using VisitRow = std::function<void(std::uint64_t run, std::string_view row, std::uint64_t offset)>;

// Visits every good record in the order of the file, with memory that does not grow with their number. A torn end is normal, a damaged
// place is skipped and reported. Throws InputError where the file is no journal, of another format, or of another study.
JournalReport read_journal(const std::filesystem::path& path, const std::string& identity, const VisitRow& visit = {});

// Fetches single records of a journal by the offset that read_journal() gave.
class JournalRows {
public:
    JournalRows(const std::filesystem::path& path, const std::string& identity);

    // Valid until the next call. Throws RuntimeError where there is no good record of this run: the file changed since it was read.
    std::string_view row(std::uint64_t run, std::uint64_t offset);

private:
    std::string_view view_at(std::uint64_t offset, std::size_t size);

    record::DurableFile file_;
    std::uint64_t seed_;
    std::uint64_t size_;
    std::uint64_t begin_ = 0;  // offset of window_ in the file
    std::uint64_t last_ = 0;   // offset asked for before
    std::string window_;       // neighbours of the last rows
    std::string single_;       // a row far from them
};

class JournalWriter {
public:
    // A new journal. Throws InputError where there is one.
    static JournalWriter create(const std::filesystem::path& path, const std::string& identity);

    // Goes on behind the last good record; a torn end is cut off. Reads the journal, under its lock, as read_journal() does.
    static JournalWriter open_to_append(const std::filesystem::path& path, const std::string& identity, const VisitRow& visit = {});

    // The content of the journal when it was opened.
    const JournalReport& report() const { return report_; }

    // Keeps the row in memory until commit().
    void append(std::uint64_t run, std::string_view row);

    // Returns when everything appended is on the disk. Where the machine refuses: RuntimeError that says how many runs are safe and how to
    // go on; the file ends with its last good record, and this writer writes no more.
    void commit();

    std::uint64_t safe_runs() const { return safe_runs_; }
    std::size_t pending_bytes() const { return pending_.size(); }

private:
    JournalWriter(record::DurableFile file, const std::string& identity);

    record::DurableFile file_;
    std::uint64_t seed_;
    JournalReport report_;
    std::uint64_t safe_end_ = 0;
    std::uint64_t safe_runs_ = 0;
    std::uint64_t pending_records_ = 0;
    std::string pending_;
    std::string failure_;  // why this writer writes no more
};

}  // namespace asperity::batch
