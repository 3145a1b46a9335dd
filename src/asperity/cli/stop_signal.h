// Ctrl-C and kill: asked for once, a run ends at its next step and keeps what it has; asked for twice, the program ends at once.
#pragma once
#include <atomic>
#include <csignal>

namespace asperity::cli {

// Listens for SIGINT and SIGTERM while it lives; one at a time. A signal that was ignored from outside (nohup) stays ignored.
class StopSignal {
public:
    StopSignal();
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

    const std::atomic<bool>& is_asked() const;

private:
    struct sigaction old_interrupt_ {};
    struct sigaction old_terminate_ {};
};

}  // namespace asperity::cli
