#include <fmt/format.h>

#include <memory>

#include "asperity/batch/status_file.h"
#include "asperity/cli/verbs.h"

namespace asperity::cli {

void add_status(CLI::App& app, Action& chosen) {
    auto folder = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("status", "Say how the study in a folder stands: running, complete, interrupted");
    verb->add_option("DIR", *folder, "Folder of a study")->required();
    verb->callback([folder, &chosen] {
        chosen = [folder] {
            fmt::print("{}\n", batch::study_status(*folder));
            return exit_done;
        };
    });
}

}  // namespace asperity::cli
