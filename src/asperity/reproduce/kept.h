// Results of tables of kind "batch", kept as text beside the table: papers/<family>/results/<table>.txt. A whole batch takes hours; a short
// one, whose runs have the same draws, is held against what was kept.
//
//   at rest K of N, then mean and interval of each quantity, then the first runs: stop time and first impact (h), "-" where it did not rest
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "asperity/reproduce/batch_runs.h"

namespace asperity::reproduce {

std::filesystem::path kept_file(const PublishedTable& table);

std::string kept_text(const PublishedTable& table, const BatchResult& result);
// Empty where there is no such file. Throws InputError where the text is not what kept_text() writes.
std::vector<KeptCell> read_kept(const std::filesystem::path& file);

// Adds to every cell how it stands to what was kept; nothing where nothing was. Equal runs agree; others may differ, as on another machine,
// where success and mean stop time lie within four standard errors of both.
void compare_with_kept(const PublishedTable& table, const std::vector<KeptCell>& kept, BatchResult& result);

// Writes the file. Throws InputError where that is not possible.
void keep(const PublishedTable& table, const BatchResult& result);

}  // namespace asperity::reproduce
