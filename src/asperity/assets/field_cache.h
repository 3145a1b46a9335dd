// The disk cache of fast gravity fields: a field is built once for a shape, and found again by the hash of its inputs.
//
// A field is one file, DIR/field-HASH.bin, the image of its memory; threads share one copy, processes have their own, in large pages, which
// a mapped file cannot have. DIR: $ASPERITY_CACHE, else $XDG_CACHE_HOME/asperity, else ~/.cache/asperity. The hash is over vertices,
// facets, options and the version of the format. A new file is written under a name of its own and renamed: whoever reads sees a whole file
// or none, and two processes that build the same field at once do so in vain but in peace. A file that is cut short or damaged (length,
// checksum) is built again. Where the folder cannot be written the field stays in memory.
//
// The folder holds at most $ASPERITY_CACHE_SIZE ("500 MB", "4 GiB", 4 GiB where it is not set; 0 keeps nothing): a new field replaces
// those that were not used for the longest time. The time of last use is the modification time of the file; access times were turned down,
// since many file systems do not keep them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "asperity/geometry/mesh.h"
#include "asperity/gravity/fast_field.h"

namespace asperity::assets {

struct LoadedField {
    gravity::FastField field;
    std::vector<std::string> warnings;  // why the cache could not be used: for the user
    bool was_cached = false;            // nothing had to be built
};

// The folder; empty where the environment names none.
std::filesystem::path field_folder();
std::filesystem::path field_path(const std::filesystem::path& folder, const geometry::SurfaceMesh& mesh,
                                 const gravity::FastFieldOptions& options);

// Bytes that the folder may hold. Throws InputError where the environment gives no size.
std::uintmax_t field_cache_limit();

struct CachedField {
    std::filesystem::path path;
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type used;  // last
    std::uint64_t facets = 0;
    double bound = 0;  // of local gravity
};

// The fields in the folder, the most recently used first.
std::vector<CachedField> cached_fields(const std::filesystem::path& folder);

// Removes all fields, and what a killed process left of one; how many files. Other files stay. Throws RuntimeError.
std::size_t clear_cached_fields(const std::filesystem::path& folder);

// Throws InputError where FastField::build and field_cache_limit() do, and where the proven bound misses the tolerance; what the file
// system refuses is a warning.
LoadedField load_field(const geometry::SurfaceMesh& mesh, const gravity::FastFieldOptions& options = {},
                       const gravity::FastField::Progress& progress = {});

}  // namespace asperity::assets
