// Fast gravity fields on disk: built once for a shape, found again by the hash of what they were made from.
//
// A field is one file, DIR/field-HASH.bin, the image of its memory; it is mapped, read-only, so that all processes of a machine share one
// copy. DIR: $ASPERITY_CACHE, else $XDG_CACHE_HOME/asperity, else ~/.cache/asperity. The hash is over vertices, facets, options and the
// version of the format. A new file is written under a name of its own and renamed: whoever reads sees a whole file or none, and two
// processes that build the same field at once do so in vain but in peace. A file that is cut short or damaged (length, checksum) is built
// again. Where the folder cannot be written the field stays in memory.
#pragma once
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "asperity/geometry/mesh.h"
#include "asperity/gravity/fast_field.h"

namespace asperity::assets {

// A file's bytes in memory, read-only; given back at the end.
class MappedFile {
public:
    MappedFile() = default;
    // Nothing mapped (`bytes` is empty) where the file cannot be read.
    explicit MappedFile(const std::filesystem::path& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::span<const std::byte> bytes_;
};

// Keeps the field: its view is valid for as long as this lives, also when it is moved.
struct LoadedField {
    gravity::FastFieldView view;
    std::vector<std::string> warnings;  // why the cache was of no use: for the user to read
    bool was_cached = false;            // nothing had to be built

    MappedFile file;  // one of the two holds the bytes
    gravity::FastField field;
};

// The folder; empty where the environment names none.
std::filesystem::path field_folder();
std::filesystem::path field_path(const std::filesystem::path& folder, const geometry::SurfaceMesh& mesh,
                                 const gravity::FastFieldOptions& options);

// Throws InputError where FastField::build does; never because of the cache.
LoadedField load_field(const geometry::SurfaceMesh& mesh, const gravity::FastFieldOptions& options = {},
                       const gravity::FastField::Progress& progress = {});

}  // namespace asperity::assets
