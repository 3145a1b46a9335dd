#include "asperity/record/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "asperity/core/errors.h"

namespace asperity::record {
namespace {

namespace fs = std::filesystem;

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

void rename_to(const std::filesystem::path& from, const std::filesystem::path& to) {
    if (std::rename(from.c_str(), to.c_str()) < 0) refuse("write", to, errno);
}

fs::path with_suffix(fs::path path, const char* suffix) { return path += suffix; }

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
        if (descriptor < 0) refuse("create", part, errno);
        struct flock lock {};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        // a file system that knows no locks leaves the file unguarded rather than unwritten
        const bool is_taken = ::fcntl(descriptor, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES);
        if (!is_taken && is_same_file(descriptor, part)) return descriptor;
        ::close(descriptor);
        if (is_taken) {
            throw InputError(fmt::format("another run is writing into {}", folder_of(place).string()),
                             "wait until it is done, or give another folder with --out");
        }
    }
}

// The copy for file systems that cannot share blocks.
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
    if (to < 0) refuse("create", path, errno);
    loff_t at = 0;
    ssize_t copied = 0;
    do {
        copied = ::copy_file_range(from, &at, to, nullptr, std::size_t{1} << 30, 0);
        if (copied < 0 && (errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL || errno == EXDEV))
            copied = copy_through_memory(from, at, to);
    } while (copied > 0);
    const int error = copied < 0 ? errno : 0;
    const int close_error = ::close(to) != 0 ? errno : 0;
    if (error != 0 || close_error != 0) refuse("write", path, error != 0 ? error : close_error);
}

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
    rename_to(name_, path_);
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

void replace_file(const fs::path& path, std::string_view text, bool is_synced) {
    PartName part(path);
    {
        DurableFile file = DurableFile::create(part.name());
        file.write(0, text);
        if (is_synced) file.sync();
    }
    part.put_in_place();
}

PartFile::PartFile(fs::path place)
    : place_(std::move(place)), part_(with_suffix(place_, ".part")), copy_(with_suffix(place_, ".part.copy")) {
    make_folder(place_.parent_path());
    // found out now, not after the run
    if (std::error_code error; fs::is_directory(place_, error)) refuse("write", place_, EISDIR);
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
