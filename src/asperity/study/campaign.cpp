#include "asperity/study/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "asperity/batch/batch.h"
#include "asperity/batch/journal.h"
#include "asperity/batch/run_order.h"
#include "asperity/batch/status_file.h"
#include "asperity/core/errors.h"
#include "asperity/core/tell.h"
#include "asperity/record/durable_file.h"
#include "asperity/statistics/statistics.h"
#include "asperity/study/campaign_results.h"
#include "asperity/study/column_reading.h"
#include "asperity/study/difference.h"
#include "asperity/study/progress.h"
#include "asperity/study/shell_word.h"

namespace asperity::study {
namespace {

using batch::ColumnKind;
using batch::JournalWriter;

namespace fs = std::filesystem;

constexpr std::uint64_t widest_window = 1 << 17;  // runs that may be out of order: what is kept of them in memory

std::string text_of_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

// Decides which runs are computed and when it is enough; rank 0 only.
class Conduct {
public:
    explicit Conduct(const Plan& plan) : plan_(plan), total_(plan.design.runs()) {
        if (!plan.study.until) return;
        const scenario::Until& until = *plan.study.until;
        for (std::size_t i = 0; i < plan.columns.size(); ++i)
            if (plan.columns[i].name == until.metric) watched_ = i;
        half_width_ = half_width_of(plan);
        next_look_ = std::min(total_, static_cast<std::uint64_t>(until.first));
    }

    // A finished run: one that the journal has, or a new one.
    void take(std::uint64_t run, std::string_view bytes) {
        if (!done_.insert(run) || end_) return;
        const Row row = unpacked_row(bytes);
        waiting_[run] = {row.is_success, row.is_failed(), watched_ ? watched_value(row) : statistics::no_value};
        while (!end_ && !waiting_.empty() && waiting_.begin()->first == frontier_) {  // what was decided stays decided
            pass(waiting_.begin()->second);
            waiting_.erase(waiting_.begin());
        }
    }

    std::optional<std::uint64_t> next() {
        cursor_ = done_.first_missing(cursor_);
        if (end_ || cursor_ >= horizon()) return {};
        return cursor_++;
    }

    std::uint64_t left() const { return cursor_ < horizon() ? horizon() - cursor_ : 0; }
    bool is_over() const { return end_.has_value(); }
    std::uint64_t end() const { return end_.value_or(frontier_); }  // runs that count
    std::uint64_t total() const { return total_; }
    std::uint64_t done() const { return done_.count(); }
    std::uint64_t failed() const { return failed_; }
    bool has_too_many_failures() const { return has_too_many_failures_; }

private:
    struct Brief {
        bool is_success = false;
        bool is_failed = false;
        double watched = statistics::no_value;
    };

    static double half_width_of(const Plan& plan);

    double watched_value(const Row& row) const {
        return value_for_mean(nature_of(plan_, *watched_), row.outcome, row.values[*watched_], end_time_of(plan_, row.values));
    }

    // Runs ahead of the next look are computed while it waits for the last ones before it: they are needed more often than not.
    std::uint64_t horizon() const {
        const std::uint64_t ahead = plan_.study.until ? std::min(total_, 2 * next_look_) : total_;
        return std::min(ahead, frontier_ + widest_window);
    }

    void pass(const Brief& brief) {
        ++frontier_;
        failed_ += brief.is_failed ? 1 : 0;
        rate_.add(brief.is_success);
        mean_.add(brief.watched);
        const scenario::Failures& limit = plan_.study.failures;
        if (failed_ > static_cast<std::uint64_t>(limit.at_least) &&
            static_cast<double>(failed_) > limit.most * static_cast<double>(frontier_)) {
            has_too_many_failures_ = true;
            end_ = frontier_;
        } else if (frontier_ == total_) {
            end_ = total_;
        } else if (plan_.study.until && frontier_ == next_look_) {
            if (is_narrow()) end_ = frontier_;
            next_look_ = std::min(total_, 2 * next_look_);
        }
    }

    bool is_narrow() const {
        const scenario::Until& until = *plan_.study.until;
        const double confidence = plan_.study.confidence;
        const double width = watched_ ? mean_.half_width(confidence) : rate_.half_width(confidence);
        const double mean = watched_ ? mean_.mean() : rate_.rate();
        return (!until.half_width || width <= half_width_) && (!until.relative || width <= *until.relative * std::fabs(mean));
    }

    const Plan& plan_;
    std::uint64_t total_ = 0;
    std::uint64_t cursor_ = 0;    // no run before it is free
    std::uint64_t frontier_ = 0;  // all runs before it are done and have been passed
    std::uint64_t next_look_ = 0;
    std::optional<std::uint64_t> end_;
    batch::RunSet done_;
    std::map<std::uint64_t, Brief> waiting_;  // done, but not yet in order
    std::optional<std::size_t> watched_;
    double half_width_ = 0;
    statistics::RunningMean mean_;
    statistics::RunningRate rate_;
    std::uint64_t failed_ = 0;
    bool has_too_many_failures_ = false;
};

double Conduct::half_width_of(const Plan& plan) {
    const std::optional<Loose>& text = plan.study.until->half_width;
    if (!text) return 0;
    const auto quantity = parse_quantity(text->text);  // checked by make_plan()
    return std::holds_alternative<Quantity>(quantity) ? std::get<Quantity>(quantity).value : std::stod(text->text);
}

JournalWriter open_journal(const CampaignRequest& request, const Plan& plan, const fs::path& folder, Conduct& conduct) {
    const fs::path journal = folder / "journal";
    if (!fs::exists(journal)) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            throw RuntimeError(fmt::format("cannot make the folder {}: {}; give another one with --out", folder.string(), error.message()));
        JournalWriter writer = JournalWriter::create(journal, plan.identity());
        record::replace_file(folder / "study.toml", plan.text());  // under the lock of the journal: two that begin at once do not mix
        return writer;
    }
    if (!request.is_resume)
        throw InputError(fmt::format("there is a study in {} already", folder.string()),
                         "go on with it: --resume; or give another folder: --out DIR");
    try {
        JournalWriter writer = JournalWriter::open_to_append(
            journal, plan.identity(), [&](std::uint64_t run, std::string_view row, std::uint64_t) { conduct.take(run, row); });
        // the number of runs may be another one; or the process was killed before it wrote the file
        if (text_of_file(folder / "study.toml") != plan.text()) record::replace_file(folder / "study.toml", plan.text());
        return writer;
    } catch (const InputError& error) {
        const std::string changed = difference(text_of_file(folder / "study.toml"), plan.text());
        if (changed.empty()) throw;
        tell("{0}/study.toml (-) and {1} (+) differ in:{2}\n\n", folder.string(), request.file, changed);
        throw InputError(fmt::format("the study in {} is another one", folder.string()),
                         "undo the change to go on with it, or begin anew in another folder: --out DIR");
    }
}

batch::Status status_of(const Conduct& conduct, std::uint64_t before, const batch::Load& load, const char* state) {
    return {.state = state, .done = conduct.done(), .total = conduct.total(), .failed = conduct.failed(), .before = before, .load = load};
}

void write_table(const Plan& plan, const fs::path& folder, std::uint64_t runs) {
    std::vector<batch::Column> columns{{"run", "", "Number of the run.", ColumnKind::whole_number},
                                       {"outcome", "", "How the run ended; failed: it could not start.", ColumnKind::text},
                                       {"success", "", "1 where the run meets [success], else 0.", ColumnKind::whole_number}};
    columns.insert(columns.end(), plan.columns.begin(), plan.columns.end());
    columns.insert(columns.end(), plan.text_columns.begin(), plan.text_columns.end());
    columns.push_back({"error", "", "Why the run failed.", ColumnKind::text});
    batch::TableWriter table(folder / "table.csv", folder / "table.h5", columns);
    std::vector<double> numbers;
    std::vector<std::string> texts;
    batch::for_each_in_order(folder / "journal", plan.identity(), runs, [&](std::uint64_t run, std::optional<std::string_view> bytes) {
        ASPERITY_REQUIRE(bytes, "run {} is not in the journal", run);
        const Row row = unpacked_row(*bytes);
        numbers = {static_cast<double>(run), row.is_success ? 1.0 : 0.0};
        numbers.insert(numbers.end(), row.values.begin(), row.values.end());
        texts = {row.outcome};
        texts.insert(texts.end(), row.texts.begin(), row.texts.end());
        texts.push_back(row.error);
        table.add(numbers, texts);
    });
    table.finish();
}

std::string damage_text(const batch::JournalReport& report) {
    if (report.damaged == 0) return {};
    std::string runs;
    for (const batch::Damage& damage : report.damages)
        if (damage.run) runs += (runs.empty() ? " (run " : ", ") + std::to_string(*damage.run);
    return fmt::format("{} damaged places in the journal{}; their runs are computed again", report.damaged, runs.empty() ? "" : runs + ")");
}

struct Finished {
    std::uint64_t count = 0;
    std::uint64_t end = 0;  // one past the last of them
};

// The finished runs of the study in the folder, where some lie beyond the number asked for: none is thrown away.
std::optional<Finished> finished_beyond(const CampaignRequest& request, const Plan& plan, const fs::path& folder) {
    const fs::path journal = folder / "journal";
    const bool is_another_number = plan.design.is_extendable() && text_of_file(folder / "study.toml") != plan.text();
    if (!request.is_resume || !is_another_number || !fs::exists(journal)) return {};
    Finished finished;
    try {
        const batch::JournalReport report = batch::read_journal(
            journal, plan.identity(),
            [&](std::uint64_t run, std::string_view, std::uint64_t) { finished.end = std::max(finished.end, run + 1); });
        finished.count = report.runs.count();
    } catch (const InputError&) {
        return {};  // open_journal() says why it cannot be gone on with
    }
    return finished.end > plan.design.runs() ? std::optional(finished) : std::nullopt;
}

void set_runs(std::uint64_t runs, CampaignRequest& request, Plan& plan) {
    request.runs = plan.study.runs = static_cast<std::int64_t>(runs);
    statistics::DesignSpec spec = plan.design.spec();
    spec.runs = runs;
    plan.design = statistics::Design(spec);
}

// Progress is told by one rank alone.
Plan plan_of(const CampaignRequest& request, bool is_teller = true) {
    return make_plan(request.file, {.sets = request.sets,
                                    .seed = request.seed,
                                    .runs = request.runs,
                                    .is_quiet = request.is_quiet || !is_teller,
                                    .stop = request.stop});
}

}  // namespace

std::string folder_of(const CampaignRequest& request, const Plan& plan) {
    return request.out.empty() ? (fs::path("out") / plan.study.name).string() : request.out;
}

std::string command_for_run(const CampaignRequest& request, std::uint64_t run) {
    std::string sets;
    for (const std::string& set : request.sets) sets += " --set " + shell_word(set);
    if (request.seed) sets += fmt::format(" --seed {}", *request.seed);
    if (request.runs) sets += fmt::format(" --runs {}", *request.runs);
    return fmt::format("asperity campaign {}{} --only {}", shell_word(request.file), sets, run);
}

RunResult run_one(const CampaignRequest& request, std::uint64_t number) {
    const Plan plan = plan_of(request);
    if (!plan.scenario) throw InputError("the study has no scenario: a run of it is its row in the table, and has no record");
    if (number >= plan.design.runs())
        throw InputError(fmt::format("there is no run {}: the study has {}, counted from 0", number, plan.design.runs()));
    scenario::Scenario scenario = *plan.scenario;
    set_parameters(plan, parameter_values(plan, number), scenario);
    scenario.name = fmt::format("{}, run {}", plan.study.name, number);
    scenario.expect.clear();  // those of the undisturbed run; success is judged in the table
    const RunRequest run{.file = scenario.file,
                         .out = (fs::path(folder_of(request, plan)) / fmt::format("run-{}", number)).string(),
                         .is_quiet = request.is_quiet,
                         .is_forced = request.is_forced,
                         .stop = request.stop};
    return run_scenario(run, scenario, number);
}

CampaignResult campaign(batch::Ranks& ranks, CampaignRequest request) {
    Plan plan = plan_of(request, ranks.is_first());
    const batch::BatchOptions options{.threads = batch::threads_of_rank(ranks, request.threads), .lost_after = request.lost_after};
    const batch::MakeEvaluate make_evaluate = [&plan]() -> batch::Evaluate {
        return [maker = RowMaker(plan)](std::uint64_t run) mutable { return packed(maker.make(run)); };
    };
    if (!ranks.is_first()) {
        batch::run_batch(ranks, options, make_evaluate, {});
        ranks.leave();
        return {};
    }

    for (const std::string& warning : plan.assets.warnings) tell("warning: {}\n", warning);
    const fs::path folder = folder_of(request, plan);
    if (const auto finished = finished_beyond(request, plan, folder)) {
        if (!request.is_quiet)
            tell("{} runs of the study in {} are finished: all of them stay, though {} were asked for\n", finished->count, folder.string(),
                 plan.design.runs());
        set_runs(finished->end, request, plan);
    }
    Conduct conduct(plan);
    JournalWriter journal = open_journal(request, plan, folder, conduct);
    if (const std::string text = damage_text(journal.report()); !text.empty()) tell("warning: {}\n", text);
    batch::StatusFile status(folder / "status.json");
    const std::uint64_t before = conduct.done();
    batch::Load last;
    status.show(status_of(conduct, before, last, "running"));
    {
        Progress progress(plan.study.name, request.is_quiet);
        const batch::Steering steering{
            .next = [&] { return conduct.next(); },
            .take =
                [&](std::uint64_t run, std::string_view row) {
                    journal.append(run, row);
                    conduct.take(run, row);
                },
            .commit = [&] { journal.commit(); },
            .is_over = [&] { return conduct.is_over() || (request.stop != nullptr && *request.stop); },
            .left = [&] { return conduct.left(); },
            .tick =
                [&](const batch::Load& load) {
                    last = load;
                    progress.show(static_cast<double>(conduct.done()), static_cast<double>(conduct.total()), "runs",
                                  fmt::format("{} failed, {} threads {:.0f}% busy{}", conduct.failed(), load.threads(), 100 * load.busy(),
                                              ranks.size() > 1 ? fmt::format(" (least {:.0f}%)", 100 * load.least()) : ""));
                    status.show(status_of(conduct, before, load, "running"));
                },
        };
        batch::run_batch(ranks, options, make_evaluate, steering);
    }
    CampaignResult result{.folder = folder.string(), .runs = conduct.end(), .failed = conduct.failed()};
    if (!conduct.is_over()) {
        status.show(status_of(conduct, before, last, "interrupted"));
        result.end = CampaignEnd::interrupted;
        result.text = fmt::format("{}: interrupted after {} of {} runs; go on with the same command and --resume\n", plan.study.name,
                                  conduct.done(), conduct.total());
        return result;
    }
    // What follows needs nobody else. Not before: where mpirun was asked to stop, ranks do not find each other to leave.
    ranks.leave();
    write_table(plan, folder, result.runs);
    result.text = write_results(request, plan, folder);
    if (conduct.has_too_many_failures()) result.end = CampaignEnd::too_many_failures;
    status.show(status_of(conduct, before, last, conduct.has_too_many_failures() ? "too many failures" : "complete"));
    return result;
}

}  // namespace asperity::study
