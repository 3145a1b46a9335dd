// Durable, atomic files: bytes that are on the disk once sync() returns, and temporary names under which a file grows until it replaces the
// old one.
//
// Every call that the system refuses throws RuntimeError: the path, the system's reason, and what can be done about it. A file that is
// not there to be read is an InputError. Source: POSIX.1-2017, pread, pwrite, fdatasync, rename; flock(2).
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace asperity::record {

class DurableFile {
public:
    static DurableFile open_to_read(const std::filesystem::path& path);
    static DurableFile open_to_write(const std::filesystem::path& path);  // one that exists; reads too
    static DurableFile create(const std::filesystem::path& path);         // replaces a file of that name
    static DurableFile create_beside(const std::filesystem::path& path);  // a new file under a name of its own in the same folder

    DurableFile(DurableFile&& other) noexcept;
    DurableFile& operator=(DurableFile&& other) noexcept;
    ~DurableFile();

    std::uint64_t size() const;
    // Reads fewer bytes than requested only at the end of the file.
    std::size_t read(std::uint64_t offset, std::span<char> bytes) const;
    void write(std::uint64_t offset, std::string_view bytes);
    void truncate(std::uint64_t size);
    void sync();  // returns when the bytes and the size are on the disk

    // Held until the file is closed, also by a process that is killed. False where another process, or another part of this one, holds it.
    bool lock();

    // Gives a file from create_beside() its place. False, and the file has no name at all, where there is already one of that name.
    bool link_as(const std::filesystem::path& path);
    void unlink();  // the file stays usable until it is closed

    const std::filesystem::path& path() const { return path_; }

private:
    DurableFile(std::filesystem::path path, int descriptor);

    std::filesystem::path path_;
    int descriptor_ = -1;
};

// The name beside `path` under which a file grows until it is whole. The same for every process: what one that was killed left behind,
// the next one replaces.
class PartName {
public:
    explicit PartName(const std::filesystem::path& path);
    ~PartName();  // removes the file unless it was put in place
    PartName(const PartName&) = delete;
    PartName& operator=(const PartName&) = delete;

    const std::filesystem::path& name() const { return name_; }
    // Replaces `path` in one step: a reader sees the old file or the new one. On the disk after sync_folder_of(path).
    void put_in_place();

private:
    std::filesystem::path path_;
    std::filesystem::path name_;
};

void sync_folder_of(const std::filesystem::path& path);

// The text takes the place of the file at once. is_synced: its bytes are on the disk by then.
void replace_file(const std::filesystem::path& path, std::string_view text, bool is_synced = true);

// A part that one process at a time writes, and of which copies may take the place while it goes on: `record.h5` while `record.h5.part`
// grows. Whoever holds the part holds its lock. The lock is on the part itself, and on its open file, not on the process: it goes with a
// process that is killed, and what that one left is overwritten by the next. Writing in place was turned down: an HDF5 file that is killed
// between two flushes is torn.
class PartFile {
public:
    // Makes the folder where it is missing, takes the lock, and leaves a part, empty or not, for the caller to overwrite.
    // Throws InputError where another process writes there, RuntimeError where the machine refuses.
    explicit PartFile(std::filesystem::path place);

    PartFile(PartFile&& other) noexcept;
    PartFile& operator=(PartFile&&) = delete;
    ~PartFile();  // a part that did not take its place is removed

    bool is_held() const { return lock_ >= 0; }
    const std::filesystem::path& path() const { return part_; }    // of the part
    const std::filesystem::path& place() const { return place_; }  // where it will stand

    // A copy of the part as it is now, for the caller to finish; put_copy() puts it in place, at once. On file systems that share blocks
    // the copy costs nothing.
    std::filesystem::path make_copy() const;
    void put_copy() const;

    // The part itself takes its place; nothing is held after it.
    void put();

private:
    void release() noexcept;

    std::filesystem::path place_;
    std::filesystem::path part_;
    std::filesystem::path copy_;
    int lock_ = -1;  // descriptor that holds the lock
};

}  // namespace asperity::record
