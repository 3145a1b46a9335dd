#include "asperity/study/out_folder.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "asperity/core/errors.h"
#include "asperity/record/durable_file.h"

namespace asperity::study {
namespace {

namespace fs = std::filesystem;

bool stands(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
}

bool is_same(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return !b.empty() && fs::equivalent(a, b, error);
}

std::optional<record::Brief> brief_of(const fs::path& path) {
    try {
        return record::read_brief(path);
    } catch (const InputError&) {
        return {};
    }
}

}  // namespace

void require_own_folder(const fs::path& folder, const record::Header& mine, const fs::path& restart) {
    const fs::path path = folder / "record.h5";
    const char* const others = "give another folder with --out, or overwrite it with --force";
    if (!stands(path)) {
        for (const char* const name : {"summary.json", "report.html"})
            if (stands(folder / name)) throw InputError(fmt::format("{} holds a {} that is not of a run", folder.string(), name), others);
        return;
    }
    if (is_same(path, restart)) return;
    { const record::PartFile nobody_else_writes(path); }
    const std::optional<record::Brief> old = brief_of(path);
    if (!old) throw InputError(fmt::format("{} is no record that asperity wrote, or it is damaged", path.string()), others);
    if (old->header.scenario_name != mine.scenario_name)
        throw InputError(fmt::format("{} holds the results of something else: `{}`", folder.string(), old->header.scenario_name), others);
    if (old->header.scenario_hash != mine.scenario_hash)
        throw InputError(fmt::format("{} holds the results of `{}` with other values", folder.string(), mine.scenario_name), others);
    if (!old->has_outcome && old->last_checkpoint_time)
        throw InputError(
            fmt::format("{} holds a run that was stopped and can go on from {:.9g} s", folder.string(), *old->last_checkpoint_time),
            fmt::format("go on with --restart {}, or begin anew with --force", path.string()));
}

}  // namespace asperity::study
