// Requests to stop, such as Ctrl-C and kill: on the first one a run ends at its next step and keeps what it has.
#pragma once
#include <array>
#include <atomic>
#include <csignal>

namespace asperity::cli {

// Ctrl-C, kill, a terminal that was closed, and the soft limit on CPU time (ulimit -t, batch systems).
inline constexpr std::array stop_signals{SIGINT, SIGTERM, SIGHUP, SIGXCPU};

// Listens for these signals while it lives; one object at a time. A signal that was ignored from outside (nohup) stays ignored.
// A second SIGINT or SIGTERM ends the program at once. The other two come by themselves more than once (the kernel repeats SIGXCPU every
// second, and a closing terminal sends SIGHUP from several places) and never do.
class StopSignal {
public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    const std::atomic<bool>& is_asked() const;

private:
    std::array<struct sigaction, stop_signals.size()> old_{};
};

}  // namespace asperity::cli
