#include "asperity/cli/verbs.h"

#include <fmt/format.h>

#include "asperity/core/errors.h"
#include "asperity/core/version.h"

namespace asperity::cli {
namespace {

int report_errors(const Action& action) {
    try {
        return action();
    } catch (const InputError& error) {
        fmt::print(stderr, "{}\n", error.what());
        return exit_input;
    } catch (const RuntimeError& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return exit_environment;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "error: the machine has no memory left for this\n");
        return exit_environment;
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: this is a bug of asperity {} ({}), please report it with the scenario and the record\n  {}\n", version(),
                   commit(), error.what());
        return exit_bug;
    }
}

}  // namespace

int run_program(int argc, char** argv) {
    CLI::App app{
        "Asperity: contact dynamics for space missions, from orbit to rest.\n"
        "Exit status: 0 done, 1 an expectation or a verdict failed, 2 input, 3 the numbers went wrong, 4 the machine refused, 70 our bug.",
        "asperity"};
    app.set_version_flag("--version", fmt::format("asperity {} ({})", version(), commit()));
    app.require_subcommand(1);
    app.fallthrough(false);
    Action chosen;
    add_run(app, chosen);
    add_check(app, chosen);
    add_reproduce(app, chosen);
    add_report(app, chosen);
    add_shape(app, chosen);
    add_explain(app, chosen);
    add_list(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? exit_done : exit_input;
    }
    return report_errors(chosen);
}

}  // namespace asperity::cli
