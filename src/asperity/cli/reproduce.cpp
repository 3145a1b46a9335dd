#include "asperity/reproduce/reproduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "asperity/cli/on_ranks.h"
#include "asperity/cli/verbs.h"
#include "asperity/core/tell.h"
#include "asperity/reproduce/kept.h"

namespace asperity::cli {
namespace {

int list(const reproduce::ReproduceRequest& request) {
    const std::vector<std::string> ids = reproduce::published_ids(request.papers);
    std::size_t width = 0;
    for (const std::string& id : ids) width = std::max(width, id.size());
    for (const std::string& id : ids) {
        const reproduce::PublishedTable table = reproduce::read_published_table(request.papers / (id + ".toml"), id);
        fmt::print("{:<{}}  {}{}\n", id, width, table.title, table.is_slow() ? " (slow)" : "");
    }
    return exit_done;
}

int reproduce_and_tell(batch::Ranks& ranks, const reproduce::ReproduceRequest& request, bool is_kept) {
    const std::vector<reproduce::TableResult> results = reproduce::reproduce(ranks, request);
    if (!ranks.is_first()) return exit_done;
    if (!request.out.empty()) reproduce::write_reproduce(results, request.out);
    fmt::print("{}", reproduce::reproduce_text(results));
    if (!request.out.empty()) tell("wrote {}/report.html, record.h5 and reproduce.json\n", request.out);
    if (is_kept)
        for (const reproduce::TableResult& result : results)
            if (result.batch) {
                reproduce::keep(result.table, *result.batch);
                tell("kept {}\n", reproduce::kept_file(result.table).string());
            }
    return reproduce::count(results).all_contradicted() > 0 ? exit_failed : exit_done;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& chosen) {
    auto request = std::make_shared<reproduce::ReproduceRequest>();
    auto papers = std::make_shared<std::string>("papers");
    auto is_list = std::make_shared<bool>(false);
    auto is_quiet = std::make_shared<bool>(false);
    auto is_kept = std::make_shared<bool>(false);
    CLI::App* verb = app.add_subcommand("reproduce", "Compare published tables with our runs and with closed forms");
    verb->add_option("ID", request->ids, "Table, such as landers/8.2; without it all that are quick");
    verb->add_flag("--slow", request->with_slow, "Without ID: also the tables that are statistics over many runs; hours");
    CLI::Option* runs = verb->add_option("--runs", request->runs, "Runs of each group of those, in the place of what the table says")
                            ->check(CLI::Range(2, 1000000));
    verb->add_flag("--keep", *is_kept, "Keep the results of those as text beside the table, for later runs to be held against")
        ->excludes(runs);
    verb->add_flag("--quiet", *is_quiet, "No progress on stderr");
    verb->add_flag("--list", *is_list, "List the tables, run nothing");
    verb->add_option("--papers", *papers, "Folder of the published tables (papers)");
    verb->add_option("--out", request->out, "Folder for record.h5, report.html and reproduce.json; without it they are not written");
    add_force(*verb, request->is_forced);
    verb->add_option("--threads", request->threads, "Number of threads (all cores)")->check(CLI::Range(1, 4096));
    verb->callback([request, papers, is_list, is_quiet, is_kept, &chosen] {
        chosen = [request, papers, is_list, is_quiet, is_kept] {
            request->papers = *papers;
            request->is_quiet = *is_quiet;
            return *is_list ? list(*request)
                            : exit_code_on_ranks([&](batch::Ranks& ranks) { return reproduce_and_tell(ranks, *request, *is_kept); });
        };
    });
}

}  // namespace asperity::cli
