#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "asperity/assets/field_cache.h"
#include "asperity/cli/table.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"

namespace asperity::cli {
namespace {

std::string size_text(std::uintmax_t bytes) {
    constexpr double mega = 1e6;
    return fmt::format("{:.4g} MB", static_cast<double>(bytes) / mega);
}

std::string time_text(std::filesystem::file_time_type time) {
    const auto system = std::chrono::file_clock::to_sys(time);
    return fmt::format(
        "{:%Y-%m-%d %H:%M} UTC",
        fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(system))));
}

std::filesystem::path folder_of_fields() {
    const std::filesystem::path folder = assets::field_folder();
    if (folder.empty())
        throw InputError("the environment names no folder for the cache", "set ASPERITY_CACHE, XDG_CACHE_HOME or HOME to a folder");
    return folder;
}

int show_cache() {
    const std::filesystem::path folder = folder_of_fields();
    const std::vector<assets::CachedField> fields = assets::cached_fields(folder);
    std::uintmax_t total = 0;
    std::vector<std::vector<std::string>> lines{{"gravity field", "facets", "bound", "size", "last used"}};
    for (const assets::CachedField& field : fields) {
        total += field.bytes;
        lines.push_back({field.path.filename().string(), std::to_string(field.facets), fmt::format("{:.2g}", field.bound),
                         size_text(field.bytes), time_text(field.used)});
    }
    fmt::print("folder  {}  (ASPERITY_CACHE names another)\n", folder.string());
    fmt::print("holds   {} in {} fields, at most {} (ASPERITY_CACHE_SIZE)\n", size_text(total), fields.size(),
               size_text(assets::field_cache_limit()));
    if (fields.empty()) return exit_done;
    fmt::print("\n");
    print_table(lines, 1);
    return exit_done;
}

int clear_cache() {
    const std::filesystem::path folder = folder_of_fields();
    fmt::print("removed {} files from {}\n", assets::clear_cached_fields(folder), folder.string());
    return exit_done;
}

}  // namespace

void add_cache(CLI::App& app, Action& chosen) {
    auto is_clearing = std::make_shared<bool>(false);
    CLI::App* verb = app.add_subcommand("cache", "Show the gravity fields that are kept on disk, or remove them");
    verb->add_flag("--clear", *is_clearing, "Remove them all; each is built again when it is needed");
    verb->callback([is_clearing, &chosen] { chosen = [is_clearing] { return *is_clearing ? clear_cache() : show_cache(); }; });
}

}  // namespace asperity::cli
