#include "asperity/cli/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "asperity/cli/streams.h"
#include "asperity/core/errors.h"
#include "asperity/core/suggest.h"
#include "asperity/core/tell.h"
#include "asperity/core/version.h"
#include "asperity/scenario/shape.h"

namespace asperity::cli {
namespace {

std::vector<std::string> names_of_verbs(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(verb->get_name());
    return names;
}

// The verb that the arguments name, and below it (`shape repair`) the next; `path` is how it is called.
const CLI::App* named_verb(const CLI::App& app, int argc, char** argv, std::string& path) {
    const CLI::App* verb = &app;
    for (int i = 1; i < argc; ++i) {
        const auto next = verb->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == argv[i]; });
        if (next.empty()) break;
        verb = next[0];
        path += verb->get_name() + " ";
    }
    return verb;
}

std::vector<std::string> names_of_options(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

// "there is no option `--outt`", with what may have been meant; empty where every option exists.
std::string unknown_option(const CLI::App& verb, int argc, char** argv) {
    const std::vector<std::string> known = names_of_options(verb);
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const std::string name(argument.substr(0, argument.find('=')));
        if (name == "--" || !name.starts_with("--") || std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string hint = did_you_mean(name, known);
        return fmt::format("there is no option `{}`\n  {}", name, hint.empty() ? "known here: " + joined(known) : hint);
    }
    return {};
}

// What the arguments should have been: told the way that errors in files are.
int tell_usage(const CLI::App& app, int argc, char** argv, const CLI::ParseError& error) {
    const std::vector<std::string> verbs = names_of_verbs(app);
    const std::string first = argc > 1 ? argv[1] : "";
    const bool is_verb = std::find(verbs.begin(), verbs.end(), first) != verbs.end();
    if (is_verb || first.starts_with("-")) {
        std::string path;
        const CLI::App* verb = named_verb(app, argc, argv, path);
        // what is unknown may also stand where something required is missing
        const bool may_be_unknown = dynamic_cast<const CLI::ExtrasError*>(&error) || dynamic_cast<const CLI::RequiredError*>(&error);
        std::string unknown = may_be_unknown ? unknown_option(*verb, argc, argv) : std::string{};
        const std::vector<std::string> below = names_of_verbs(*verb);
        if (unknown.empty() && is_verb && !below.empty())
            unknown = fmt::format("what should asperity {}do?\n  known here: {}", path, joined(below));
        tell("error: {}\n  asperity {}--help tells what can be given\n", unknown.empty() ? error.what() : unknown, path);
    } else if (first.empty()) {
        tell("error: what should asperity do?\n  known here: {}\n  asperity --help tells more\n", joined(verbs));
    } else {
        const std::string hint = did_you_mean(first, verbs);
        tell("error: there is no verb `{}`\n{}  known here: {}\n", first, hint.empty() ? "" : "  " + hint + "\n", joined(verbs));
    }
    return exit_input;
}

// An argument that is there but empty is a slip, such as a variable of the shell that was never set: no default stands in for it.
void require_values(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options())
        for (const std::string& value : option->results())
            if (value.empty()) throw InputError(fmt::format("`{}` is empty", option->get_name()), "give it a value, or leave it out");
    for (const CLI::App* verb : app.get_subcommands()) require_values(*verb);
}

}  // namespace

void add_seed(CLI::App& verb, std::optional<std::int64_t>& seed) {
    const auto read = [&seed](const std::string& text) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size() || value < 0)
            throw CLI::ValidationError("--seed", fmt::format("wants a whole number from 0 to 2^63 - 1, got {}", text));
        seed = value;
    };
    verb.add_option_function<std::string>("--seed", read, "Seed of random numbers, instead of the scenario's")->type_name("N");
}

void add_force(CLI::App& verb, bool& is_forced) {
    verb.add_flag("--force", is_forced, "Overwrite the results of something else that stand in the folder");
}

double length_of(const std::string& unit) {
    for (const auto& choice : scenario::mesh_units)
        if (choice.name == unit) return scenario::metres(choice.value);
    ASPERITY_REQUIRE(false, "the parser let the unit {} pass", unit);
}

int run_program(int argc, char** argv) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 19);  // bytes; arrays of many contacts grow, and what they leave goes back to the system
#endif
    prepare_streams();
    CLI::App app{
        "Asperity: contact dynamics for space missions, from orbit to rest.\n"
        "Exit status: 0 done, 1 an expectation or a verdict failed, 2 input, 3 the numbers went wrong, 4 the machine refused or the run "
        "was stopped, 70 our bug.",
        "asperity"};
    app.set_version_flag("--version", fmt::format("asperity {} ({})", version(), commit()));
    app.require_subcommand(1);
    app.fallthrough(false);
    Action chosen;
    add_run(app, chosen);
    add_check(app, chosen);
    add_compare(app, chosen);
    add_campaign(app, chosen);
    add_design(app, chosen);
    add_reproduce(app, chosen);
    add_report(app, chosen);
    add_shape(app, chosen);
    add_gravity(app, chosen);
    add_equilibria(app, chosen);
    add_explain(app, chosen);
    add_list(app, chosen);
    add_status(app, chosen);
    add_cache(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) return tell_usage(app, argc, argv, error);
        return exit_code_of([&] { return app.exit(error); });  // --help and --version
    }
    return exit_code_of([&] {
        require_values(app);
        return chosen();
    });
}

}  // namespace asperity::cli
