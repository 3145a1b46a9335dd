// A file that is written under another name and takes its place only when it is whole: `record.h5` while `record.h5.part` grows.
//
// Whoever holds the part holds its lock, so that two processes never write the same file. The lock is on the part itself, and on its open
// file, not on the process: it goes with a process that is killed, and what that one left is overwritten by the next. Writing in place was
// turned down: an HDF5 file that is killed between two flushes is torn.
#pragma once
#include <filesystem>

namespace asperity::record {

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
