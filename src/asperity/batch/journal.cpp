#include "asperity/batch/journal.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <iterator>
#include <limits>
#include <thread>
#include <utility>

#include "asperity/core/errors.h"

namespace asperity::batch {
namespace {

constexpr std::string_view magic = "asperity journal";
constexpr std::size_t identity_size = 32;
constexpr std::size_t head_size = magic.size() + 8 + identity_size + 8;
// High bit, line ends and the end-of-file of old systems: what text conversions would spoil, and what text does not hold.
constexpr std::string_view marker = "\x89run\r\n\x1a\xa5";
constexpr std::size_t record_head = marker.size() + 8 + 4 + 4 + 8;
constexpr std::size_t window_size = std::size_t{256} << 10;

// Bytes of a number; little-endian on every machine that we run on (core/hash.h).
template <class T>
void put(std::string& bytes, T number) {
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    bytes.append(raw, sizeof number);
}

template <class T>
T number_at(std::string_view bytes, std::size_t offset) {
    T number;
    std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}

std::string head_of(const std::string& identity) {
    std::string head(magic);
    put(head, journal_format);
    head += identity;
    put(head, XXH3_64bits(head.data(), head.size()));
    return head;
}

std::uint64_t seed_of(const std::string& identity) {
    std::uint64_t seed = 0;
    const char* middle = identity.data() + identity_size / 2;
    ASPERITY_REQUIRE(identity.size() == identity_size && std::from_chars(identity.data(), middle, seed, 16).ptr == middle,
                     "the identity of a study is {} hexadecimal digits, not `{}`", identity_size, identity);
    return seed;
}

void require_head(const record::DurableFile& file, const std::string& identity) {
    const std::string path = file.path().string();
    std::string head(head_size, '\0');
    head.resize(file.read(0, head));
    if (head.empty()) throw InputError(fmt::format("{} is empty: it is not the journal of a study", path));
    if (head.substr(0, magic.size()) != magic.substr(0, head.size()))
        throw InputError(fmt::format("{} is not the journal of a study", path));
    if (head.size() < head_size) throw InputError(fmt::format("{} is cut off in its head: it holds no runs", path), "remove it");
    const std::string_view view = head;
    if (number_at<std::uint64_t>(view, head_size - 8) != XXH3_64bits(head.data(), head_size - 8))
        throw InputError(fmt::format("the head of {} is damaged: which study it belongs to cannot be told", path),
                         "begin again in another folder with --out");
    const auto format = number_at<std::uint64_t>(view, magic.size());
    if (format != journal_format)
        throw InputError(fmt::format("{} has format {}, this program reads format {}", path, format, journal_format),
                         "go on with the version of asperity that began the study");
    const std::string_view found = view.substr(magic.size() + 8, identity_size);
    if (found != identity)
        throw InputError(fmt::format("{} belongs to another study: its identity is {}, not {}", path, found, identity),
                         "go on with the study file that it was begun with, or begin again in another folder with --out");
}

// The first numbers of a record, believed.
struct RecordHead {
    std::uint64_t run = 0;
    std::size_t length = 0;   // of the row
    std::uint64_t hash = 0;   // h, (1)
    std::uint64_t check = 0;  // c, (2)
};

std::optional<RecordHead> record_head_in(std::string_view bytes, std::uint64_t seed) {
    if (bytes.size() < record_head || !bytes.starts_with(marker)) return std::nullopt;
    const RecordHead head{.run = number_at<std::uint64_t>(bytes, 8),
                          .length = number_at<std::uint32_t>(bytes, 16),
                          .hash = XXH3_64bits_withSeed(bytes.data() + 8, 12, seed),
                          .check = number_at<std::uint64_t>(bytes, 24)};
    const bool is_good = static_cast<std::uint32_t>(head.hash) == number_at<std::uint32_t>(bytes, 20);
    if (!is_good || head.length > longest_row || head.run == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
    return head;
}

bool checks_out(const RecordHead& head, std::string_view row) {
    return row.size() == head.length && XXH3_64bits_withSeed(row.data(), row.size(), head.hash) == head.check;
}

// Walks through the file once, forwards, with a buffer that is as large as the longest record.
class Reader {
public:
    Reader(const record::DurableFile& file, const std::string& identity, const VisitRow& visit)
        : file_(file), seed_(seed_of(identity)), size_(file.size()), visit_(visit) {}

    JournalReport read() {
        std::uint64_t offset = report_.good_end = head_size;
        while (offset < size_) {
            const std::optional<RecordHead> head = record_head_in(view_at(offset, record_head), seed_ + offset);
            const std::uint64_t end = head ? offset + record_head + head->length : size_ + 1;
            if (end > size_) {
                const std::uint64_t next = next_marker(offset + 1);
                note({.offset = offset, .bytes = next - offset, .run = head ? std::optional(head->run) : std::nullopt});
                offset = next;
                continue;
            }
            const std::string_view row = view_at(offset + record_head, head->length);
            if (checks_out(*head, row)) {
                accept(head->run, row, offset);
                report_.good_end = end;
            } else {
                note({.offset = offset, .bytes = end - offset, .run = head->run});
            }
            offset = end;
        }
        report_.duplicates = report_.records - report_.runs.count();
        report_.bytes_torn = size_ - report_.good_end;
        return std::move(report_);
    }

private:
    // What does not check out is damage if something good follows, else the torn end.
    void note(Damage damage) {
        ++suspects_;
        if (report_.damages.size() + suspected_.size() < JournalReport::most_damages) suspected_.push_back(damage);
    }

    void accept(std::uint64_t run, std::string_view row, std::uint64_t offset) {
        report_.damaged += std::exchange(suspects_, 0);
        report_.damages.insert(report_.damages.end(), suspected_.begin(), suspected_.end());
        suspected_.clear();
        ++report_.records;
        report_.runs.insert(run);
        if (visit_) visit_(run, row, offset);
    }

    // Where the next marker is that may begin a record, or the end of the file.
    std::uint64_t next_marker(std::uint64_t offset) {
        while (offset + record_head <= size_) {
            const std::string_view bytes = view_at(offset, window_size / 4);  // less than a window: most calls find it there
            const std::size_t found = bytes.find(marker);
            if (found != std::string_view::npos) return offset + found;
            if (bytes.size() < marker.size()) break;  // somebody made the file shorter
            offset += bytes.size() - (marker.size() - 1);
        }
        return size_;
    }

    // Up to `size` bytes from there, fewer at the end of the file; valid until the next call.
    std::string_view view_at(std::uint64_t offset, std::size_t size) {
        size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - offset));
        if (offset < begin_ || offset + size > begin_ + buffer_.size()) {
            buffer_.resize(std::max(size, window_size));
            buffer_.resize(file_.read(offset, buffer_));
            begin_ = offset;
        }
        return std::string_view(buffer_).substr(static_cast<std::size_t>(offset - begin_), size);
    }

    const record::DurableFile& file_;
    std::uint64_t seed_;
    std::uint64_t size_;
    const VisitRow& visit_;
    JournalReport report_;
    std::uint64_t suspects_ = 0;
    std::vector<Damage> suspected_;
    std::uint64_t begin_ = 0;
    std::string buffer_;
};

[[noreturn]] void refuse_second_writer(const std::filesystem::path& path) {
    throw RuntimeError(
        fmt::format("another campaign is writing {}\n  wait for its end, or choose another folder with --out", path.string()));
}

// A writer that was killed keeps its lock until the system has cleared it away: under load, moments after its parent knows.
bool lock_soon(record::DurableFile& file) {
    constexpr int most = 30;
    for (int round = 0; round < most; ++round) {
        if (file.lock()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
}

}  // namespace

bool RunSet::insert(std::uint64_t run) {
    ASPERITY_REQUIRE(run < std::numeric_limits<std::uint64_t>::max(), "the last run index has no end");
    const auto after = end_of_.upper_bound(run);
    const auto before = after == end_of_.begin() ? end_of_.end() : std::prev(after);
    if (before != end_of_.end() && run < before->second) return false;
    const bool joins_before = before != end_of_.end() && before->second == run;
    const bool joins_after = after != end_of_.end() && after->first == run + 1;
    const std::uint64_t end = joins_after ? after->second : run + 1;
    if (joins_after) end_of_.erase(after);
    if (joins_before)
        before->second = end;
    else
        end_of_[run] = end;
    ++count_;
    return true;
}

bool RunSet::contains(std::uint64_t run) const { return first_missing(run) != run; }

std::uint64_t RunSet::first_missing(std::uint64_t from) const {
    const auto after = end_of_.upper_bound(from);
    if (after == end_of_.begin()) return from;
    return std::max(from, std::prev(after)->second);  // intervals never touch: one past an end is missing
}

JournalReport read_journal(const std::filesystem::path& path, const std::string& identity, const VisitRow& visit) {
    const record::DurableFile file = record::DurableFile::open_to_read(path);
    require_head(file, identity);
    return Reader(file, identity, visit).read();
}

JournalRows::JournalRows(const std::filesystem::path& path, const std::string& identity)
    : file_(record::DurableFile::open_to_read(path)), seed_(seed_of(identity)), size_(file_.size()) {
    require_head(file_, identity);
}

std::string_view JournalRows::row(std::uint64_t run, std::uint64_t offset) {
    // A row is rarely longer than this: one read will do.
    constexpr std::size_t guess = 1024;
    std::string_view bytes = view_at(offset, guess);
    const std::optional<RecordHead> head = record_head_in(bytes, seed_ + offset);
    if (head && record_head + head->length > bytes.size()) bytes = view_at(offset, record_head + head->length);
    const std::string_view row = bytes.substr(std::min(record_head, bytes.size()), head ? head->length : 0);
    if (!head || head->run != run || !checks_out(*head, row))
        throw RuntimeError(fmt::format("{} changed while it was read: run {} is no longer at byte {}\n  run the same command with --resume",
                                       file_.path().string(), run, offset));
    return row;
}

// Rows lie nearly in the order of their runs. So a window around the last row serves most; it moves when two rows in a row miss it
// close to each other, and a lone row from far away (a run that took long, or was done again) does not.
std::string_view JournalRows::view_at(std::uint64_t offset, std::size_t size) {
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - std::min(offset, size_)));
    const auto is_in_window = [&] { return offset >= begin_ && offset + size <= begin_ + window_.size(); };
    const std::uint64_t distance = std::max(offset, last_) - std::min(offset, last_);
    if (!is_in_window() && distance < window_size && size <= window_size / 2) {
        begin_ = offset - std::min<std::uint64_t>(offset, window_size / 4);
        window_.resize(window_size);
        window_.resize(file_.read(begin_, window_));
    }
    last_ = offset;
    if (is_in_window()) return std::string_view(window_).substr(static_cast<std::size_t>(offset - begin_), size);
    single_.resize(size);
    single_.resize(file_.read(offset, single_));
    return single_;
}

JournalWriter::JournalWriter(record::DurableFile file, const std::string& identity) : file_(std::move(file)), seed_(seed_of(identity)) {}

JournalWriter JournalWriter::create(const std::filesystem::path& path, const std::string& identity) {
    const auto refuse_existing = [&] {
        throw InputError(fmt::format("there is already a journal at {}", path.string()),
                         "go on with --resume, or choose another folder with --out");
    };
    std::error_code error;
    if (std::filesystem::exists(path, error)) refuse_existing();
    // It appears under its name with its head, whole and locked: a process killed here leaves nothing that a later one would stumble over.
    JournalWriter writer(record::DurableFile::create_beside(path), identity);
    try {
        if (!writer.file_.lock()) refuse_second_writer(path);
        writer.file_.write(0, head_of(identity));
        writer.file_.sync();
    } catch (...) {
        writer.file_.unlink();
        throw;
    }
    if (!writer.file_.link_as(path)) refuse_existing();
    record::sync_folder_of(path);
    writer.safe_end_ = writer.report_.good_end = head_size;
    return writer;
}

JournalWriter JournalWriter::open_to_append(const std::filesystem::path& path, const std::string& identity, const VisitRow& visit) {
    JournalWriter writer(record::DurableFile::open_to_write(path), identity);
    require_head(writer.file_, identity);
    if (!lock_soon(writer.file_)) refuse_second_writer(path);
    writer.report_ = Reader(writer.file_, identity, visit).read();
    writer.safe_end_ = writer.report_.good_end;
    writer.safe_runs_ = writer.report_.runs.count();
    if (writer.report_.bytes_torn > 0) writer.file_.truncate(writer.safe_end_);
    // also where nothing was cut off: the writer that was killed may not have come to it
    writer.file_.sync();
    return writer;
}

void JournalWriter::append(std::uint64_t run, std::string_view row) {
    ASPERITY_REQUIRE(row.size() <= longest_row, "the row of run {} has {} bytes, more than {}", run, row.size(), longest_row);
    ASPERITY_REQUIRE(run < std::numeric_limits<std::uint64_t>::max(), "the last run index has no end");
    const std::uint64_t offset = safe_end_ + pending_.size();
    const std::size_t begin = pending_.size();
    pending_ += marker;
    put(pending_, run);
    put(pending_, static_cast<std::uint32_t>(row.size()));
    const std::uint64_t hash = XXH3_64bits_withSeed(pending_.data() + begin + 8, 12, seed_ + offset);  // (1)
    put(pending_, static_cast<std::uint32_t>(hash));
    put(pending_, static_cast<std::uint64_t>(XXH3_64bits_withSeed(row.data(), row.size(), hash)));  // (2)
    pending_ += row;
    ++pending_records_;
}

void JournalWriter::commit() {
    if (!failure_.empty()) throw RuntimeError(failure_);
    if (pending_.empty()) return;
    try {
        file_.write(safe_end_, pending_);
        file_.sync();
    } catch (const RuntimeError& error) {
        // Not tried again here: after a sync that failed the system may call pages clean that never reached the disk.
        failure_ = fmt::format("{}, then run the same command with --resume: {} finished runs are safe", error.what(), safe_runs_);
        try {
            file_.truncate(safe_end_);
        } catch (const RuntimeError&) {  // then the next reader finds a torn end, which is normal
        }
        throw RuntimeError(failure_);
    }
    safe_end_ += pending_.size();
    safe_runs_ += std::exchange(pending_records_, 0);
    pending_.clear();
}

}  // namespace asperity::batch
