// status.json of a study: its progress, for scripts, renewed every second and always complete.
//
// A process that is killed cannot say so. Every version of the file therefore says until when its word holds, `alive_until`: a thread of
// its own renews it in time, whatever the study is busy with. A study that is `running` past that time was killed; the next command that
// opens its folder says `interrupted`.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "asperity/batch/batch.h"

namespace asperity::batch {

inline constexpr int status_alive_for = 60;  // s after `updated`

struct Status {
    std::string state = "running";  // or complete, interrupted, too many failures
    std::uint64_t done = 0;         // runs
    std::uint64_t total = 0;
    std::uint64_t failed = 0;
    std::uint64_t before = 0;  // of `done`, those of earlier processes: no part of the rate
    Load load;
};

// The text of status.json, with times and process id.
std::string status_text(const Status& status);

class StatusFile {
public:
    explicit StatusFile(std::filesystem::path path);
    ~StatusFile();  // a study that still runs is interrupted
    StatusFile(const StatusFile&) = delete;
    StatusFile& operator=(const StatusFile&) = delete;

    // Written at once where the state changes, else once a second. A file that cannot be written never ends a study.
    void show(const Status& status);

private:
    using Clock = std::chrono::steady_clock;
    void write();  // with the lock held
    void renew(const std::stop_token& stop);

    std::filesystem::path path_;
    std::mutex lock_;
    std::condition_variable_any wake_;
    std::optional<Status> last_;
    Clock::time_point written_;
    std::jthread renewer_;  // last: it uses all of the above
};

// The status of the study in a folder, in one line. If its process was killed, status.json says `interrupted` from here on. Throws
// InputError where there is no study.
std::string study_status(const std::filesystem::path& folder);

}  // namespace asperity::batch
