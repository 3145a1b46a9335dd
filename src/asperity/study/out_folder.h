// Protection of output folders: a command never overwrites the results of something else.
#pragma once
#include <filesystem>

#include "asperity/record/record.h"

namespace asperity::study {

// Throws InputError, which names --force, where the folder holds a record of another scenario (another name or hash), a record of this one
// that can still be gone on from, or a file of the same name that is no part of a record. A finished record of the same scenario may be
// written again, and files of other names are not touched. `restart`: the record that the run goes on from, which may be replaced.
void require_own_folder(const std::filesystem::path& folder, const record::Header& mine, const std::filesystem::path& restart = {});

}  // namespace asperity::study
