#include "asperity/assets/field_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "asperity/core/errors.h"
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

// What the file holds; empty where it cannot be read.
FastField read_bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) return {};
    FastField field = FastField::room_for(static_cast<std::size_t>(in.tellg()));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(field.writable_bytes().data()), static_cast<std::streamsize>(field.bytes().size()));
    return in ? std::move(field) : FastField();
}

// A whole field, or why not; empty where there is no file.
struct Found {
    FastField field;
    std::string damage;
};

Found find(const fs::path& path, const std::uint64_t (&key)[2]) {
    Found found;
    std::error_code error;
    if (!fs::exists(path, error)) return found;
    found.field = read_bytes(path);
    found.damage = found.field.bytes().empty() ? "cannot be read" : FastField::damage(found.field.bytes(), key);
    if (!found.damage.empty()) found.field = {};
    return found;
}

}  // namespace

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
        loaded.field = std::move(found.field);
    }
    loaded.was_cached = !loaded.field.bytes().empty();
    if (!loaded.was_cached) {
        loaded.field = FastField::build(mesh, options, progress);
        const std::string problem = folder.empty() ? "no folder is named" : publish(path, loaded.field.bytes());
        if (!problem.empty())
            loaded.warnings.push_back(
                fmt::format("the gravity field is not kept for the next time in {}: {} (ASPERITY_CACHE names another folder)",
                            folder.empty() ? "a cache" : folder.string(), problem));
    }
    // The proof adds its own rounding, at most a hundredth of the smallest tolerance. On shapes with sharp creases it cannot reach a small
    // one.
    if (const double bound = loaded.field.bound(); bound > 1.02 * options.tolerance)
        throw InputError(
            fmt::format("the error of the fast field of this shape is proven to {:.2g} of local gravity, not to the bound of {:g}", bound,
                        options.tolerance),
            fmt::format("ask for a bound of {:.2g} or more, or for the exact sum", 1.05 * bound));
    return loaded;
}

}  // namespace asperity::assets
