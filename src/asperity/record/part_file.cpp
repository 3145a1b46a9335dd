#include "asperity/record/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "asperity/core/errors.h"

namespace asperity::record {
namespace {

namespace fs = std::filesystem;

fs::path with_suffix(fs::path path, const char* suffix) { return path += suffix; }

RuntimeError refused(const char* what, const fs::path& path, int error) {
    return RuntimeError(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    if (!folder.empty()) fs::create_directories(folder, error);
    if (error) throw RuntimeError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
}

bool is_same_file(int descriptor, const fs::path& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

// The descriptor of the part, with its lock. Between opening and locking, the process that held it may have put it in its place: then it
// is another file's name, and the next try makes a new one.
int locked(const fs::path& part, const fs::path& place) {
    while (true) {
        const int descriptor = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (descriptor < 0) throw refused("create", part, errno);
        struct flock lock {};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        // a file system that knows no locks leaves the file unguarded rather than unwritten
        const bool is_taken = ::fcntl(descriptor, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES);
        if (!is_taken && is_same_file(descriptor, part)) return descriptor;
        ::close(descriptor);
        if (is_taken) {
            const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
            throw InputError(fmt::format("another run is writing into {}", folder.string()),
                             "wait until it is done, or give another folder with --out");
        }
    }
}

// For file systems that cannot copy by themselves.
ssize_t copy_through_memory(int from, loff_t& at, int to) {
    std::array<char, 1 << 16> bytes;
    const ssize_t got = ::pread(from, bytes.data(), bytes.size(), at);
    ssize_t written = 0;
    while (written < got) {
        const ssize_t now = ::write(to, bytes.data() + written, static_cast<std::size_t>(got - written));
        if (now < 0) return now;
        written += now;
    }
    at += written;
    return got;
}

void copy_bytes(int from, const fs::path& path) {
    const int to = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (to < 0) throw refused("create", path, errno);
    loff_t at = 0;
    ssize_t copied = 0;
    do {
        copied = ::copy_file_range(from, &at, to, nullptr, std::size_t{1} << 30, 0);
        if (copied < 0 && (errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL || errno == EXDEV))
            copied = copy_through_memory(from, at, to);
    } while (copied > 0);
    const int error = copied < 0 ? errno : 0;
    const int close_error = ::close(to) != 0 ? errno : 0;
    if (error != 0 || close_error != 0) throw refused("write", path, error != 0 ? error : close_error);
}

void rename_to(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error) throw RuntimeError(fmt::format("cannot write {}: {}", to.string(), error.message()));
}

}  // namespace

PartFile::PartFile(fs::path place)
    : place_(std::move(place)), part_(with_suffix(place_, ".part")), copy_(with_suffix(place_, ".part.copy")) {
    make_folder(place_.parent_path());
    // found out now, not after the run
    if (std::error_code error; fs::is_directory(place_, error)) throw refused("write", place_, EISDIR);
    lock_ = locked(part_, place_);
    std::error_code error;
    fs::remove(copy_, error);  // of a process that was killed
}

PartFile::PartFile(PartFile&& other) noexcept
    : place_(std::move(other.place_)),
      part_(std::move(other.part_)),
      copy_(std::move(other.copy_)),
      lock_(std::exchange(other.lock_, -1)) {}

PartFile::~PartFile() {
    if (!is_held()) return;
    std::error_code error;
    fs::remove(copy_, error);
    fs::remove(part_, error);  // while the lock is held: nobody else's
    release();
}

fs::path PartFile::make_copy() const {
    try {
        copy_bytes(lock_, copy_);
    } catch (const RuntimeError&) {
        std::error_code error;
        fs::remove(copy_, error);
        throw;
    }
    return copy_;
}

void PartFile::put_copy() const { rename_to(copy_, place_); }

void PartFile::put() {
    rename_to(part_, place_);
    release();
}

void PartFile::release() noexcept { ::close(std::exchange(lock_, -1)); }

}  // namespace asperity::record
