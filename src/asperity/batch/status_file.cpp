#include "asperity/batch/status_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/record/durable_file.h"
#include "asperity/record/text_file.h"

namespace asperity::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// UTC as ISO 8601, which sorts as it reads.
std::string utc_text(std::time_t time) {
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Whether a process holds the journal: a lock goes with its process, however that ends.
bool is_held(const fs::path& journal) {
    record::DurableFile file = record::DurableFile::open_to_read(journal);
    return !file.lock();
}

}  // namespace

std::string status_text(const Status& status) {
    const Load& load = status.load;
    const double rate = load.seconds > 0 ? static_cast<double>(status.done - status.before) / load.seconds : 0;
    const std::time_t now = std::time(nullptr);
    Json json{{"state", status.state},   {"done", status.done},     {"total", status.total}, {"failed", status.failed},
              {"seconds", load.seconds}, {"runs_per_second", rate}, {"busy", load.busy()}};
    if (rate > 0) json["seconds_left"] = static_cast<double>(status.total - std::min(status.total, status.done)) / rate;
    for (const RankLoad& rank : load.ranks)
        json["ranks"].push_back({{"host", rank.host}, {"threads", rank.threads}, {"done", rank.done}, {"busy_seconds", rank.busy_seconds}});
    json["host"] = host_name();
    json["pid"] = ::getpid();
    json["updated"] = utc_text(now);
    if (status.state == "running") json["alive_until"] = utc_text(now + status_alive_for);
    return json.dump(1) + "\n";
}

StatusFile::StatusFile(fs::path path) : path_(std::move(path)), renewer_([this](const std::stop_token& stop) { renew(stop); }) {}

StatusFile::~StatusFile() {
    renewer_.request_stop();
    renewer_.join();
    if (!last_ || last_->state != "running") return;
    last_->state = "interrupted";
    write();
}

void StatusFile::show(const Status& status) {
    const std::lock_guard guard(lock_);
    const bool is_new = !last_ || last_->state != status.state;
    last_ = status;
    if (is_new || Clock::now() - written_ > std::chrono::seconds(1)) write();
}

void StatusFile::write() {
    written_ = Clock::now();
    try {
        record::replace_file(path_, status_text(*last_), false);
    } catch (const RuntimeError&) {  // of a full disk the journal tells, which matters
    }
}

void StatusFile::renew(const std::stop_token& stop) {
    std::unique_lock guard(lock_);
    while (!stop.stop_requested()) {
        wake_.wait_for(guard, stop, std::chrono::seconds(status_alive_for / 6), [] { return false; });
        if (!stop.stop_requested() && last_ && last_->state == "running") write();
    }
}

std::string study_status(const fs::path& folder) {
    const fs::path path = folder / "status.json";
    if (!fs::exists(folder / "journal"))
        throw InputError(fmt::format("there is no study in {}", folder.string()), "give the folder of a study, which holds a journal");
    Json json;
    try {
        json = Json::parse(record::read_text_file(path));
        const bool was_killed = json.at("state") == "running" && !is_held(folder / "journal");
        if (was_killed) {
            json["state"] = "interrupted";
            json.erase("alive_until");
            record::replace_file(path, json.dump(1) + "\n", false);
        }
        const std::string text =
            fmt::format("{}: {} of {} runs, {} failed", json.at("state").get<std::string>(), json.at("done").get<std::uint64_t>(),
                        json.at("total").get<std::uint64_t>(), json.at("failed").get<std::uint64_t>());
        if (was_killed) return text + "; its process was killed, go on with --resume";
        return json.at("state") == "running"
                   ? fmt::format("{}; process {} on {}", text, json.at("pid").get<int>(), json.at("host").get<std::string>())
                   : text;
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("cannot read {}: {}", path.string(), error.what()));
    }
}

}  // namespace asperity::batch
