#include "asperity/study/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "asperity/core/errors.h"
#include "asperity/core/tell.h"
#include "asperity/scenario/compile.h"

namespace asperity::study {
namespace {

std::string duration_text(double seconds) {
    if (!(seconds < 360000)) return "> 100 h";
    const auto whole = static_cast<long>(seconds + 0.5);
    if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
    if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} s", whole);
}

}  // namespace

Progress::Progress(std::string title, bool is_quiet)
    : title_(std::move(title)), is_quiet_(is_quiet), is_terminal_(isatty(STDERR_FILENO) != 0), begin_(Clock::now()) {
    next_ = begin_ + std::chrono::milliseconds(is_terminal_ ? 500 : 10000);
}

Progress::~Progress() {
    if (has_shown_ && is_terminal_) tell("\r\033[K");
}

void Progress::show(double done, double total, const std::string& unit, const std::string& note) {
    if (is_quiet_) return;
    const Clock::time_point now = Clock::now();
    if (!first_) {
        first_ = done;
        begin_ = now;
    }
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(is_terminal_ ? 200 : 10000);
    has_shown_ = true;
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    const double part = total > 0 ? std::clamp(done / total, 0.0, 1.0) : 0;
    const double rate = elapsed > 0 ? (done - *first_) / elapsed : 0;
    const std::string left = rate > 0 ? duration_text((total - done) / rate) : "?";
    // Counts are whole; a time is told to three figures of its end.
    const bool is_count = done == std::floor(done) && total == std::floor(total);
    const int digits = is_count || !(total > 0) ? 0 : std::clamp(2 - static_cast<int>(std::floor(std::log10(total))), 0, 12);
    const std::string text = fmt::format("{:.{}f} of {:.{}f} {}, {:.3g} a second, at most {} left{}{}", done, digits, total, digits, unit,
                                         rate, left, note.empty() ? "" : ", ", note);
    if (is_terminal_) {
        constexpr int width = 24;
        const int full = static_cast<int>(part * width);
        tell("\r\033[K{} [{:=<{}}{: <{}}] {:3.0f}%  {}", title_, "", full, "", width - full, 100 * part, text);
    } else {
        tell("{}: {:.0f}%, {}\n", title_, 100 * part, text);
    }
}

model::Assets load_assets(const scenario::Scenario& scenario, bool is_quiet, const std::atomic<bool>* stop) {
    Progress progress("building the gravity field", is_quiet);
    try {
        return scenario::load_assets(scenario, [&](double done) {
            if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Stopped{};
            progress.show(100 * done, 100, "%");
        });
    } catch (const Stopped&) {
        throw RuntimeError("stopped while the gravity field was built; nothing was run, and nothing was written");
    }
}

}  // namespace asperity::study
