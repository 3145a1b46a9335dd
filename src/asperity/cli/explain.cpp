#include "asperity/scenario/explain.h"

#include <fmt/format.h>

#include <memory>

#include "asperity/cli/verbs.h"

namespace asperity::cli {

void add_explain(CLI::App& app, Action& chosen) {
    auto key = std::make_shared<std::string>();
    CLI::App* verb = app.add_subcommand("explain", "What a key of a scenario file means, its unit, bounds and default");
    verb->add_option("KEY", *key, "Key (body.lander.mass), section (contact) or name; all of them without it");
    verb->callback([key, &chosen] {
        chosen = [key] {
            fmt::print("{}", scenario::explain(*key));
            return exit_done;
        };
    });
}

}  // namespace asperity::cli
