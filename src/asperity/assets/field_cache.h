// Fast gravity fields on disk: built once for a shape, found again by the hash of what they were made from.
//
// A field is one file, DIR/field-HASH.bin, the image of its memory; threads share one copy, processes have their own, in large pages, which
// a mapped file cannot have. DIR: $ASPERITY_CACHE, else $XDG_CACHE_HOME/asperity, else ~/.cache/asperity. The hash is over vertices,
// facets, options and the version of the format. A new file is written under a name of its own and renamed: whoever reads sees a whole file
// or none, and two processes that build the same field at once do so in vain but in peace. A file that is cut short or damaged (length,
// checksum) is built again. Where the folder cannot be written the field stays in memory.
#pragma once
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
    std::vector<std::string> warnings;  // why the cache was of no use: for the user to read
    bool was_cached = false;            // nothing had to be built
};

// The folder; empty where the environment names none.
std::filesystem::path field_folder();
std::filesystem::path field_path(const std::filesystem::path& folder, const geometry::SurfaceMesh& mesh,
                                 const gravity::FastFieldOptions& options);

// Throws InputError where FastField::build does and where the proven bound misses the tolerance; never because of the cache.
LoadedField load_field(const geometry::SurfaceMesh& mesh, const gravity::FastFieldOptions& options = {},
                       const gravity::FastField::Progress& progress = {});

}  // namespace asperity::assets
