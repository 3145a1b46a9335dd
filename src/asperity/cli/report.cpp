#include "asperity/report/report.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"

namespace asperity::cli {
namespace {

// The record itself may be given for its folder.
std::filesystem::path folder_of(const std::filesystem::path& given) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(given, error)) return given;
    if (given.filename() == "record.h5") return given.has_parent_path() ? given.parent_path() : std::filesystem::path(".");
    throw InputError(fmt::format("{} is a file", given.string()), "give the folder of a run, which holds record.h5");
}

}  // namespace

void add_report(CLI::App& app, Action& chosen) {
    auto folder = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("report", "Write DIR/report.html again, from DIR/record.h5");
    verb->add_option("DIR", *folder, "Folder of a run")->required();
    verb->callback([folder, &chosen] {
        chosen = [folder] {
            fmt::print("wrote {}\n", report::write_report(folder_of(*folder)).string());
            return exit_done;
        };
    });
}

}  // namespace asperity::cli
