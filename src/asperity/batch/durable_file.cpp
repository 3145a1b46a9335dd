#include "asperity/batch/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "asperity/core/errors.h"

namespace asperity::batch {
namespace {

constexpr mode_t everybody = 0666;  // less what the user's umask takes away

std::string remedy(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT: return "free some space";
        case EFBIG: return "raise the limit on the size of files (ulimit -f)";
        case EROFS:
        case EACCES:
        case EPERM: return "make the folder writable, or choose another one with --out";
        case ENOENT:
        case ENOTDIR: return "make the folder, or choose another one with --out";
        case EIO: return "check the disk";
        case ENOSYS:
        case ENOLCK:
        case EOPNOTSUPP: return "choose a folder on a file system with locks with --out";
        default: return "mend that";
    }
}

[[noreturn]] void refuse(std::string_view what, const std::filesystem::path& path, int error) {
    throw RuntimeError(fmt::format("cannot {} {}: {}\n  {}", what, path.string(), std::strerror(error), remedy(error)));
}

// A call that a signal may interrupt.
template <class Call>
auto again(const Call& call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

std::filesystem::path folder_of(const std::filesystem::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

}  // namespace

DurableFile::DurableFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

DurableFile::DurableFile(DurableFile&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

DurableFile& DurableFile::operator=(DurableFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

DurableFile::~DurableFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

DurableFile DurableFile::open_to_read(const std::filesystem::path& path) {
    std::error_code error;
    // asked first: to open a pipe would wait for its other end
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) throw InputError(fmt::format("no file at {}", path.string()));
    if (!error && !std::filesystem::is_regular_file(status)) throw InputError(fmt::format("{} is not a file", path.string()));
    const int descriptor = again([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (descriptor < 0) throw InputError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
    return {path, descriptor};
}

DurableFile DurableFile::open_to_write(const std::filesystem::path& path) {
    const DurableFile readable = open_to_read(path);  // for its errors
    const int descriptor = again([&] { return ::open(path.c_str(), O_RDWR | O_CLOEXEC); });
    if (descriptor < 0) refuse("write", path, errno);
    return {path, descriptor};
}

DurableFile DurableFile::create(const std::filesystem::path& path) {
    const int descriptor = again([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, everybody); });
    if (descriptor < 0) refuse("create", path, errno);
    return {path, descriptor};
}

// mkstemp() was turned down: its files can be read by their owner alone, and they may keep their place.
DurableFile DurableFile::create_beside(const std::filesystem::path& path) {
    for (int number = 0;; ++number) {
        std::filesystem::path name = path;
        name += fmt::format(".{}-{}.tmp", ::getpid(), number);
        const int descriptor = again([&] { return ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, everybody); });
        if (descriptor >= 0) return {name, descriptor};
        if (errno != EEXIST) refuse("create", name, errno);
    }
}

std::uint64_t DurableFile::size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) < 0) refuse("read", path_, errno);
    return static_cast<std::uint64_t>(status.st_size);
}

std::size_t DurableFile::read(std::uint64_t offset, std::span<char> bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got =
            again([&] { return ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done)); });
        if (got < 0) refuse("read", path_, errno);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void DurableFile::write(std::uint64_t offset, std::string_view bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t put =
            again([&] { return ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done)); });
        if (put < 0) refuse("write", path_, errno);
        if (put == 0) refuse("write", path_, ENOSPC);  // POSIX leaves this case open; to try again could go on for ever
        done += static_cast<std::size_t>(put);
    }
}

void DurableFile::truncate(std::uint64_t size) {
    if (again([&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)); }) < 0) refuse("write", path_, errno);
}

void DurableFile::sync() {
    if (again([&] { return ::fdatasync(descriptor_); }) < 0) refuse("write", path_, errno);
}

bool DurableFile::lock() {
    if (again([&] { return ::flock(descriptor_, LOCK_EX | LOCK_NB); }) == 0) return true;
    if (errno == EWOULDBLOCK) return false;
    refuse("lock", path_, errno);
}

bool DurableFile::link_as(const std::filesystem::path& path) {
    bool is_linked = ::link(path_.c_str(), path.c_str()) == 0;
    const int error = is_linked ? 0 : errno;
    std::error_code ignored;
    if (!is_linked && error != EEXIST && !std::filesystem::exists(path, ignored)) {
        // a file system without hard links
        is_linked = std::rename(path_.c_str(), path.c_str()) == 0;
        if (!is_linked) {
            unlink();
            refuse("create", path, error);
        }
    } else {
        unlink();
    }
    path_ = path;
    return is_linked;
}

void DurableFile::unlink() { ::unlink(path_.c_str()); }

PartName::PartName(const std::filesystem::path& path) : path_(path), name_(path) { name_ += ".part"; }

PartName::~PartName() {
    if (!name_.empty()) ::unlink(name_.c_str());
}

void PartName::put_in_place() {
    if (std::rename(name_.c_str(), path_.c_str()) < 0) refuse("write", path_, errno);
    name_.clear();
}

void sync_folder_of(const std::filesystem::path& path) {
    const std::filesystem::path folder = folder_of(path);
    const int descriptor = again([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (descriptor < 0) refuse("write", folder, errno);
    const int result = again([&] { return ::fsync(descriptor); });
    const int error = errno;
    ::close(descriptor);
    // file systems that cannot sync a folder say so with EINVAL; their names are on the disk when rename returns
    if (result < 0 && error != EINVAL) refuse("write", folder, error);
}

}  // namespace asperity::batch
