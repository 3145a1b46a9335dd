#include "asperity/report/report.h"

#include <fmt/format.h>

#include <memory>

#include "asperity/cli/verbs.h"

namespace asperity::cli {

void add_report(CLI::App& app, Action& chosen) {
    auto folder = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("report", "Write DIR/report.html again, from DIR/record.h5");
    verb->add_option("DIR", *folder, "Folder of a run")->required();
    verb->callback([folder, &chosen] {
        chosen = [folder] {
            fmt::print("wrote {}\n", report::write_report(*folder).string());
            return exit_done;
        };
    });
}

}  // namespace asperity::cli
