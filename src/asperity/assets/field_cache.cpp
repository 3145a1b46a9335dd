#include "asperity/assets/field_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "asperity/core/hash.h"

namespace asperity::assets {
namespace {

namespace fs = std::filesystem;
using gravity::FastField;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::string reason() { return std::strerror(errno); }

// Writes the bytes under a name of their own, then renames. What went wrong, or nothing.
std::string publish(const fs::path& path, std::span<const std::byte> bytes) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return error.message();
    std::string name = path.string() + ".XXXXXX";
    const int file = ::mkstemp(name.data());
    if (file < 0) return reason();
    std::string problem;
    while (!bytes.empty() && problem.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno != EINTR) problem = reason();
            continue;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    // mkstemp lets nobody else read.
    if (problem.empty() && ::fchmod(file, 0644) != 0) problem = reason();
    if (::close(file) != 0 && problem.empty()) problem = reason();
    if (problem.empty() && std::rename(name.c_str(), path.c_str()) != 0) problem = reason();
    if (!problem.empty()) ::unlink(name.c_str());
    return problem;
}

// A whole field, or why not; empty where there is no file.
struct Found {
    MappedFile file;
    std::string damage;
};

Found find(const fs::path& path, const std::uint64_t (&key)[2]) {
    Found found;
    std::error_code error;
    if (!fs::exists(path, error)) return found;
    found.file = MappedFile(path);
    found.damage = found.file.bytes().empty() ? "cannot be read" : FastField::damage(found.file.bytes(), key);
    if (!found.damage.empty()) found.file = {};
    return found;
}

}  // namespace

MappedFile::MappedFile(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status {};
    if (::fstat(file, &status) == 0 && status.st_size > 0) {
        const auto size = static_cast<std::size_t>(status.st_size);
        void* const start = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
        if (start != MAP_FAILED) bytes_ = {static_cast<const std::byte*>(start), size};
    }
    ::close(file);
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

fs::path field_folder() {
    if (const std::string own = variable("ASPERITY_CACHE"); !own.empty()) return own;
    if (const std::string common = variable("XDG_CACHE_HOME"); !common.empty()) return fs::path(common) / "asperity";
    if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "asperity";
    return {};
}

fs::path field_path(const fs::path& folder, const geometry::SurfaceMesh& mesh, const gravity::FastFieldOptions& options) {
    std::uint64_t key[2];
    gravity::set_field_key(mesh, options, key);
    return folder / fmt::format("field-{}.bin", hex_text({.high = key[0], .low = key[1]}));
}

LoadedField load_field(const geometry::SurfaceMesh& mesh, const gravity::FastFieldOptions& options, const FastField::Progress& progress) {
    LoadedField loaded;
    const fs::path folder = field_folder();
    const fs::path path = field_path(folder, mesh, options);
    std::uint64_t key[2];
    gravity::set_field_key(mesh, options, key);
    if (!folder.empty()) {
        Found found = find(path, key);
        if (!found.damage.empty()) loaded.warnings.push_back(fmt::format("{} {}: it is built again", path.string(), found.damage));
        loaded.file = std::move(found.file);
    }
    loaded.was_cached = !loaded.file.bytes().empty();
    if (!loaded.was_cached) {
        loaded.field = FastField::build(mesh, options, progress);
        const std::string problem = folder.empty() ? "no folder is named" : publish(path, loaded.field.bytes());
        if (!problem.empty()) {
            loaded.warnings.push_back(
                fmt::format("the gravity field is not kept for the next time in {}: {} (ASPERITY_CACHE names another folder)",
                            folder.empty() ? "a cache" : folder.string(), problem));
        } else {
            // Shared with the other processes from now on.
            loaded.file = find(path, key).file;
            if (!loaded.file.bytes().empty()) loaded.field = {};
        }
    }
    loaded.view = FastField::view_of(loaded.file.bytes().empty() ? loaded.field.bytes() : loaded.file.bytes());
    return loaded;
}

}  // namespace asperity::assets
