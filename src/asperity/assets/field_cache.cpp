#include "asperity/assets/field_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>
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

// Writes the bytes to a temporary file, then renames it. Returns the error, or nothing.
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
    // mkstemp makes files that nobody else can read.
    if (problem.empty() && ::fchmod(file, 0644) != 0) problem = reason();
    if (::close(file) != 0 && problem.empty()) problem = reason();
    if (problem.empty() && std::rename(name.c_str(), path.c_str()) != 0) problem = reason();
    if (!problem.empty()) ::unlink(name.c_str());
    return problem;
}

bool is_field(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with("field-") && name.ends_with(".bin");
}

// The temporary file of publish(); a process that is killed before the rename leaves it behind.
bool is_temporary(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with("field-") && name.find(".bin.") != std::string::npos;
}

std::vector<fs::path> files_in(const fs::path& folder, bool (*is_wanted)(const fs::path&)) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (is_wanted(it->path())) files.push_back(it->path());
    return files;
}

void mark_as_used(const fs::path& path) {
    std::error_code error;
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);
}

// Evicts fields, the least recently used first, to make room for the newest one.
void make_room(const fs::path& folder, const fs::path& newest, std::uintmax_t limit) {
    std::error_code error;
    constexpr auto abandoned = std::chrono::hours(1);  // nobody writes a file for so long
    for (const fs::path& path : files_in(folder, is_temporary))
        if (fs::file_time_type::clock::now() - fs::last_write_time(path, error) > abandoned && !error) fs::remove(path, error);
    std::vector<CachedField> fields = cached_fields(folder);
    std::uintmax_t total = 0;
    for (const CachedField& field : fields) total += field.bytes;
    for (; total > limit && !fields.empty(); fields.pop_back()) {
        if (fields.back().path == newest) continue;
        if (fs::remove(fields.back().path, error)) total -= fields.back().bytes;
    }
}

// The content of the file; empty if it cannot be read.
FastField read_bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) return {};
    FastField field = FastField::room_for(static_cast<std::size_t>(in.tellg()));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(field.writable_bytes().data()), static_cast<std::streamsize>(field.bytes().size()));
    return in ? std::move(field) : FastField();
}

// A complete field, or the reason why there is none; empty if there is no file.
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

std::uintmax_t field_cache_limit() {
    constexpr std::uintmax_t usual = std::uintmax_t{4} << 30;
    const std::string text = variable("ASPERITY_CACHE_SIZE");
    if (text.empty()) return usual;
    constexpr std::array<std::pair<std::string_view, double>, 8> units{
        {{"", 1}, {"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}}};
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    const auto found = std::find_if(units.begin(), units.end(), [&](const auto& known) { return known.first == unit; });
    if (problem != std::errc{} || found == units.end() || !(number >= 0) || !(number * found->second < 0x1p62))
        throw InputError(fmt::format("the environment variable ASPERITY_CACHE_SIZE is no size: `{}`", text),
                         "write for example 4 GiB, 500 MB, or 0 to keep no gravity field");
    return static_cast<std::uintmax_t>(number * found->second);
}

std::vector<CachedField> cached_fields(const fs::path& folder) {
    std::vector<CachedField> fields;
    for (const fs::path& path : files_in(folder, is_field)) {
        std::error_code error;
        CachedField field{.path = path, .bytes = fs::file_size(path, error), .used = {}};
        if (!error) field.used = fs::last_write_time(path, error);
        if (error) continue;  // another process has removed it
        gravity::FastFieldHeader header;
        std::ifstream in(path, std::ios::binary);
        if (in.read(reinterpret_cast<char*>(&header), sizeof header)) {
            field.facets = header.facet_count;
            field.bound = header.bound;
        }
        fields.push_back(std::move(field));
    }
    std::sort(fields.begin(), fields.end(),
              [](const CachedField& a, const CachedField& b) { return std::pair(b.used, a.path) < std::pair(a.used, b.path); });
    return fields;
}

std::size_t clear_cached_fields(const fs::path& folder) {
    std::size_t count = 0;
    for (const fs::path& path : files_in(folder, [](const fs::path& p) { return is_field(p) || is_temporary(p); })) {
        std::error_code error;
        if (fs::remove(path, error)) ++count;
        if (error) throw RuntimeError(fmt::format("cannot remove {}: {}", path.string(), error.message()));
    }
    return count;
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
    if (loaded.was_cached) {
        mark_as_used(path);
    } else {
        const std::uintmax_t limit = field_cache_limit();  // a slip there is told before the minutes of the build
        loaded.field = FastField::build(mesh, options, progress);
        std::string problem = folder.empty() ? "no folder is named" : "";
        if (problem.empty() && loaded.field.bytes().size() > limit)
            problem = fmt::format("it has {} bytes, and ASPERITY_CACHE_SIZE allows {}", loaded.field.bytes().size(), limit);
        if (problem.empty()) problem = publish(path, loaded.field.bytes());
        if (problem.empty()) make_room(folder, path, limit);
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
