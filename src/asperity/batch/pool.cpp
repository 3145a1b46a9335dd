#include "asperity/batch/pool.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace asperity::batch {
namespace {

constexpr double handful = 0.002;  // s of work that a thread takes at once
constexpr double in_stock = 0.05;  // s of work for each thread that waits in the queue
constexpr double is_long = 0.5;    // s; the few milliseconds until the next one comes do not count beside such a run
constexpr double most_runs = 20000;

}  // namespace

Pool::Pool(int threads, const MakeEvaluate& make_evaluate) {
    for (int i = 0; i < std::max(1, threads); ++i) threads_.emplace_back([this, evaluate = make_evaluate()] { work(evaluate); });
}

Pool::~Pool() {
    {
        const std::lock_guard guard(lock_);
        is_closing_ = true;
        queue_.clear();
    }
    has_runs_.notify_all();
}

void Pool::give(const std::vector<std::uint64_t>& runs) {
    if (runs.empty()) return;
    {
        const std::lock_guard guard(lock_);
        if (is_dropping_) return;
        queue_.insert(queue_.end(), runs.begin(), runs.end());
    }
    has_runs_.notify_all();
}

std::vector<Finished> Pool::collect(std::chrono::microseconds patience) {
    std::unique_lock guard(lock_);
    has_finished_.wait_for(guard, patience, [&] { return !finished_.empty() || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    return std::exchange(finished_, {});
}

std::size_t Pool::runs_in(double seconds) const {
    if (done_ == 0 || !(busy_seconds_ > 0)) return 1;
    return static_cast<std::size_t>(std::clamp(seconds * static_cast<double>(done_) / busy_seconds_, 1.0, most_runs));
}

std::size_t Pool::room() {
    const std::lock_guard guard(lock_);
    const std::size_t wanted = threads_.size() - busy_threads_ + threads_.size() * stock();
    return queue_.size() < wanted ? wanted - queue_.size() : 0;
}

std::size_t Pool::stock() const {
    const bool are_long = done_ == 0 || busy_seconds_ > is_long * static_cast<double>(done_);
    return are_long ? 0 : runs_in(in_stock);
}

void Pool::drop_queue() {
    const std::lock_guard guard(lock_);
    is_dropping_ = true;
    queue_.clear();
}

bool Pool::is_idle() {
    const std::lock_guard guard(lock_);
    return queue_.empty() && busy_threads_ == 0 && finished_.empty() && !failure_;
}

double Pool::busy_seconds() {
    const std::lock_guard guard(lock_);
    return busy_seconds_;
}

std::vector<std::uint64_t> Pool::take() {
    std::unique_lock guard(lock_);
    has_runs_.wait(guard, [&] { return !queue_.empty() || is_closing_; });
    // no more than a fair share: near the end the others want some too
    const std::size_t share = queue_.size() / threads_.size() + 1;
    const std::size_t count = std::min({runs_in(handful), share, queue_.size()});
    std::vector<std::uint64_t> runs(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(count));
    queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(count));
    if (count > 0) ++busy_threads_;
    return runs;
}

void Pool::work(const Evaluate& evaluate) {
    try {
        while (true) {
            const std::vector<std::uint64_t> runs = take();
            if (runs.empty()) return;
            std::vector<Finished> done;
            Clock::time_point begin = Clock::now();
            for (const std::uint64_t run : runs) {
                done.push_back({.run = run, .row = evaluate(run)});
                const Clock::time_point now = Clock::now();
                const double seconds = std::chrono::duration<double>(now - begin).count();
                if (run != runs.back() && seconds < handful) continue;
                const std::lock_guard guard(lock_);
                busy_seconds_ += seconds;
                done_ += done.size();
                std::move(done.begin(), done.end(), std::back_inserter(finished_));
                done.clear();
                begin = now;
                const bool is_last = run == runs.back() || is_dropping_;
                if (is_last) --busy_threads_;
                has_finished_.notify_one();
                if (is_closing_) return;
                if (is_last) break;
            }
        }
    } catch (...) {
        const std::lock_guard guard(lock_);
        failure_ = std::current_exception();
        has_finished_.notify_one();
    }
}

}  // namespace asperity::batch
