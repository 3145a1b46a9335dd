#include "asperity/cli/stop_signal.h"

namespace asperity::cli {
namespace {

// The one variable that is not local: a signal handler can reach no other.
std::atomic<bool> asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void listen(int signal, struct sigaction& old) {
    ::sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) return;
    struct sigaction action {};
    action.sa_handler = [](int) { asked.store(true, std::memory_order_relaxed); };
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    if (signal == SIGINT || signal == SIGTERM) action.sa_flags |= static_cast<int>(SA_RESETHAND);  // the second one does what it always did
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignal::StopSignal() {
    asked = false;
    for (std::size_t i = 0; i < stop_signals.size(); ++i) listen(stop_signals[i], old_[i]);
}

StopSignal::~StopSignal() {
    for (std::size_t i = 0; i < stop_signals.size(); ++i) ::sigaction(stop_signals[i], &old_[i], nullptr);
}

const std::atomic<bool>& StopSignal::is_asked() const { return asked; }

}  // namespace asperity::cli
