#include "asperity/study/requirement.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <map>

#include "asperity/batch/journal.h"
#include "asperity/batch/pool.h"
#include "asperity/core/errors.h"
#include "asperity/core/hash.h"
#include "asperity/core/parallel.h"
#include "asperity/core/version.h"
#include "asperity/record/text_file.h"
#include "asperity/report/design_page.h"
#include "asperity/study/plan.h"
#include "asperity/study/progress.h"
#include "asperity/study/requirement_reading.h"

namespace asperity::study {
namespace {

using batch::JournalWriter;
using statistics::Tried;

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

JournalWriter open_journal(const DesignRequest& request, const fs::path& folder, const std::string& identity,
                           const batch::VisitRow& visit) {
    const fs::path path = folder / "journal";
    if (!fs::exists(path)) {
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            throw RuntimeError(fmt::format("cannot make the folder {}: {}; give another one with --out", folder.string(), error.message()));
        return JournalWriter::create(path, identity);
    }
    if (!request.is_resume)
        throw InputError(fmt::format("there are answers in {} already", folder.string()),
                         "go on with them: --resume; or give another folder: --out DIR");
    return JournalWriter::open_to_append(path, identity, visit);
}

// Runs of a study at settings, one after another; what the journal has is not computed again.
class Trials {
public:
    Trials(const DesignRequest& request, const Plan& plan, const fs::path& folder, const std::string& identity)
        : request_(request),
          plan_(plan),
          runs_(plan.design.runs()),
          journal_(open_journal(request, folder, identity,
                                [this](std::uint64_t index, std::string_view row, std::uint64_t) { known_[index] = row == "1"; })),
          pool_(request.threads > 0 ? request.threads : thread_count(), [this]() -> batch::Evaluate {
              return [this, maker = RowMaker(plan_)](std::uint64_t index) mutable {
                  return std::string(maker.make(index % runs_, changes_[index / runs_]).is_success ? "1" : "0");
              };
          }) {}

    // How many runs succeed; none where it was asked to stop.
    std::optional<Tried> at(const Change& change, const std::string& title) {
        const std::uint64_t first = changes_.size() * runs_;
        changes_.push_back(change);  // while no run is in flight
        std::vector<std::uint64_t> missing;
        for (std::uint64_t run = 0; run < runs_; ++run)
            if (!known_.contains(first + run)) missing.push_back(first + run);
        pool_.give(missing);
        Progress progress(title, request_.is_quiet);
        for (std::size_t done = 0; done < missing.size();) {
            done += collect();
            progress.show(static_cast<double>(runs_ - missing.size() + done), static_cast<double>(runs_), "runs");
            if (request_.stop == nullptr || !*request_.stop) continue;
            pool_.drop_queue();
            while (!pool_.is_idle()) collect();
            return {};
        }
        Tried tried{.runs = runs_};
        for (std::uint64_t run = 0; run < runs_; ++run) tried.successes += known_.at(first + run) ? 1 : 0;
        return tried;
    }

private:
    std::size_t collect() {
        const std::vector<batch::Finished> finished = pool_.collect(std::chrono::milliseconds(200));
        for (const batch::Finished& f : finished) {
            journal_.append(f.run, f.row);
            known_[f.run] = f.row == "1";
        }
        if (!finished.empty()) journal_.commit();
        return finished.size();
    }

    const DesignRequest& request_;
    const Plan& plan_;
    std::uint64_t runs_;
    std::map<std::uint64_t, bool> known_;
    std::deque<Change> changes_;  // of each setting
    JournalWriter journal_;
    batch::Pool pool_;  // last: its threads use what stands above
};

struct Files {
    fs::path folder;
    Json json;
    std::string text;
    report::DesignPage page;
};

std::string grow_text(const DesignRequest& request, const statistics::Margin& margin, std::uint64_t runs) {
    std::string text = fmt::format("largest release errors for a success of {:g} % at {:g} % confidence, {} runs a factor\n",
                                   100 * request.requirement.success, 100 * request.requirement.confidence, runs);
    if (!margin.sure) return text + "  none: not even without these errors\n";
    if (margin.is_at_limit) return text + fmt::format("  factor {:.4g} and more: the search ends here\n", *margin.sure);
    text += fmt::format("  factor {:.4g}", *margin.sure);
    if (std::isfinite(margin.crossing)) text += fmt::format("; the success itself falls below at {:.4g}", margin.crossing);
    if (margin.hopeless) text += fmt::format("; surely below at {:.4g}", *margin.hopeless);
    return text + "\n";
}

// The factors tried: into the summary, the table and the page.
void write_curve(const statistics::Requirement& requirement, const statistics::Margin& margin, Files& files) {
    std::string csv = "factor,runs,successes,success,low,high,fitted\n";
    report::ResponseShown curve{.parameter = "factor", .name = "success", .unit = "%"};
    for (std::size_t i = 0; i < margin.curve.size(); ++i) {
        const Tried& t = margin.curve[i];
        const statistics::Interval range = statistics::bounds(t, requirement.confidence);
        const double rate = static_cast<double>(t.successes) / static_cast<double>(t.runs);
        files.json["grow"]["tried"].push_back(
            {{"factor", t.factor}, {"runs", t.runs}, {"successes", t.successes}, {"interval", {range.low, range.high}}});
        csv += fmt::format("{:.9g},{},{},{:.9g},{:.9g},{:.9g},{:.9g}\n", t.factor, t.runs, t.successes, rate, range.low, range.high,
                           margin.fitted[i]);
        curve.x.push_back(t.factor);
        curve.value.push_back(100 * rate);
        curve.low.push_back(100 * range.low);
        curve.high.push_back(100 * range.high);
    }
    record::write_text_file(files.folder / "grow.csv", csv);
    files.page.curve = std::move(curve);
}

// False where it was asked to stop.
bool answer_grow(const DesignRequest& request, const Plan& plan, Trials& trials, Files& files) {
    if (request.grow.empty()) return true;
    const std::vector<Scatter> scatters = read_scatters(request.grow, *plan.scenario);
    std::vector<Tried> tried;
    while (const std::optional<double> factor = statistics::next_factor(tried, request.requirement)) {
        std::optional<Tried> got = trials.at(scaled(scatters, *factor), fmt::format("errors times {:.4g}", *factor));
        if (!got) return false;
        got->factor = *factor;
        tried.push_back(*got);
    }
    const statistics::Margin margin = statistics::margin_of(std::move(tried), request.requirement);
    Json& json = files.json["grow"];
    json = {{"factor", number(margin.sure)}, {"crossing", number(margin.crossing)}, {"too_large", number(margin.hopeless)}};
    files.text += grow_text(request, margin, plan.design.runs());
    for (const Scatter& scatter : scatters) {
        const std::string values = margin.sure ? scatter.text(*margin.sure) : "none";
        files.text += fmt::format("  {:<42}{}   (study: {})\n", scatter.key, values, scatter.text(1));
        const std::vector<double> numbers = scatter.values(margin.sure.value_or(0));
        Json& largest = json["largest"][scatter.key];
        largest = {{"value", nullptr}, {"unit", scatter.unit}};
        if (margin.sure) largest["value"] = numbers.size() == 1 ? Json(numbers[0]) : Json(numbers);
        files.page.largest.emplace_back(scatter.key, fmt::format("{} (study: {})", values, scatter.text(1)));
    }
    write_curve(request.requirement, margin, files);
    return true;
}

bool answer_corridor(const DesignRequest& request, const Plan& plan, Trials& trials, Files& files) {
    if (request.corridor.empty()) return true;
    const std::vector<CorridorAxis> axes = read_corridor(request.corridor, *plan.scenario);
    const CorridorAxis &x = axes[0], &y = axes[1];
    report::CorridorShown shown{.x_name = x.key, .x_unit = x.unit(), .y_name = y.key, .y_unit = y.unit(), .x = x.values, .y = y.values};
    std::string csv = fmt::format("{} [{}],{} [{}],runs,successes,success,low,high,verdict\n", x.key, x.unit(), y.key, y.unit());
    std::size_t sure = 0;
    for (const double b : y.values)
        for (const double a : x.values) {
            const std::optional<Tried> t = trials.at(at_values(x, a, y, b), fmt::format("{} = {:.4g}, {} = {:.4g}", x.key, a, y.key, b));
            if (!t) return false;
            const statistics::Interval range = statistics::bounds(*t, request.requirement.confidence);
            const bool is_good = statistics::is_sure(*t, request.requirement), is_bad = statistics::is_hopeless(*t, request.requirement);
            const char* verdict = is_good ? "sure" : is_bad ? "below" : "open";
            const double rate = static_cast<double>(t->successes) / static_cast<double>(t->runs);
            sure += is_good ? 1 : 0;
            csv += fmt::format("{:.9g},{:.9g},{},{},{:.9g},{:.9g},{:.9g},{}\n", a, b, t->runs, t->successes, rate, range.low, range.high,
                               verdict);
            shown.cells.push_back({.success = rate, .interval = {range.low, range.high}, .verdict = verdict});
        }
    record::write_text_file(files.folder / "corridor.csv", csv);
    const std::size_t cells = shown.cells.size();
    files.json["corridor"] = {{"x", x.key}, {"y", y.key}, {"cells", cells}, {"sure", sure}, {"file", "corridor.csv"}};
    files.text +=
        fmt::format("release corridor over {} and {}: {} of {} cells sure of {:g} % at {:g} % confidence, {} runs a cell\n", x.key, y.key,
                    sure, cells, 100 * request.requirement.success, 100 * request.requirement.confidence, plan.design.runs());
    files.text += corridor_text(shown.cells, x.values, y.values);
    files.page.corridor = std::move(shown);
    return true;
}

// Also what could only be told after all runs.
void check(const DesignRequest& request, const Plan& plan) {
    if (!plan.scenario) throw InputError("the study has no scenario: there is no start to ask about");
    if (plan.study.success.empty())
        throw InputError("the study does not say what a success is", "add [success], for example outcome = \"rest\"");
    if (request.grow.empty() && request.corridor.empty())
        throw InputError("what should be asked?", "give --grow body.lander.start.position_sigma, or --corridor KEY:LOW:HIGH:COUNT twice");
    const std::uint64_t least = statistics::least_runs(request.requirement);
    if (plan.design.runs() < least)
        throw InputError(fmt::format("{} runs can never be sure of {:g} % at {:g} % confidence", plan.design.runs(),
                                     100 * request.requirement.success, 100 * request.requirement.confidence),
                         fmt::format("--runs {} or more; or ask for less: --success", least));
    read_scatters(request.grow, *plan.scenario);
    if (!request.corridor.empty()) read_corridor(request.corridor, *plan.scenario);
}

}  // namespace

DesignOutcome answer_design(const DesignRequest& request) {
    const Plan plan =
        make_plan(request.file,
                  {.sets = request.sets, .seed = request.seed, .runs = request.runs, .is_quiet = request.is_quiet, .stop = request.stop});
    check(request, plan);
    const std::string asked = fmt::format("{}\n{} runs, success {:.17g}, confidence {:.17g}\ngrow {}\ncorridor {}\n", plan.identity(),
                                          plan.design.runs(), request.requirement.success, request.requirement.confidence,
                                          fmt::join(request.grow, " "), fmt::join(request.corridor, " "));
    const std::string identity = hex_text(Hasher().add(asked).value());
    Files files{.folder = request.out.empty() ? fs::path("out") / (plan.study.name + "-design") : fs::path(request.out)};
    files.json = {{"asperity", version()},
                  {"study", {{"name", plan.study.name}, {"file", request.file}, {"hash", plan.identity()}}},
                  {"success", request.requirement.success},
                  {"confidence", request.requirement.confidence},
                  {"runs", plan.design.runs()}};
    files.page = {.title = plan.study.name + ": design",
                  .file = request.file,
                  .success = request.requirement.success,
                  .confidence = request.requirement.confidence,
                  .runs = plan.design.runs()};
    DesignOutcome outcome{.folder = files.folder.string()};
    Trials trials(request, plan, files.folder, identity);
    if (!answer_grow(request, plan, trials, files) || !answer_corridor(request, plan, trials, files)) {
        outcome.is_interrupted = true;
        outcome.text = fmt::format("{}: interrupted; go on with the same command and --resume\n", plan.study.name);
        return outcome;
    }
    record::write_text_file(files.folder / "design.json", files.json.dump(1) + "\n");
    record::write_text_file(files.folder / "report.html", report::design_page_text(files.page));
    outcome.text = std::move(files.text);
    return outcome;
}

}  // namespace asperity::study
