// The thread pool of one process: threads take runs from a queue and hand back rows.
// Runs differ in length by orders of magnitude, so a thread takes one run at a time, or, if runs are short, as many as fill a few
// milliseconds, so that the lock does not dominate.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace asperity::batch {

// Computes the row of a run: bytes that mean something to whoever steers. What it throws ends the batch.
using Evaluate = std::function<std::string(std::uint64_t run)>;
// Makes one for each thread, so that it can own a workspace.
using MakeEvaluate = std::function<Evaluate()>;

struct Finished {
    std::uint64_t run = 0;
    std::string row;
};

class Pool {
public:
    Pool(int threads, const MakeEvaluate& make_evaluate);
    ~Pool();  // waits for the runs in flight; those in the queue are dropped
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void give(const std::vector<std::uint64_t>& runs);
    // The finished runs; waits at most `patience` if there are none. Rethrows the exception of an evaluation.
    std::vector<Finished> collect(std::chrono::microseconds patience);

    void drop_queue();  // takes no more runs; those in flight go on
    bool is_idle();     // nothing in the queue, in flight, or to collect

    int threads() const { return static_cast<int>(threads_.size()); }
    // The number of further runs that the queue should hold so that no thread waits. Where runs are long, none but for threads that have
    // nothing to do: a long run in the queue would wait while other ranks have none.
    std::size_t room();
    double busy_seconds();  // of all threads together, since the start

private:
    using Clock = std::chrono::steady_clock;
    void work(const Evaluate& evaluate);
    std::vector<std::uint64_t> take();
    std::size_t runs_in(double seconds) const;  // how many fill that time, at least one; with the lock held
    std::size_t stock() const;                  // for each thread; with the lock held

    std::mutex lock_;
    std::condition_variable has_runs_;
    std::condition_variable has_finished_;
    std::deque<std::uint64_t> queue_;
    std::vector<Finished> finished_;
    std::exception_ptr failure_;
    std::size_t busy_threads_ = 0;
    double busy_seconds_ = 0;
    std::uint64_t done_ = 0;
    bool is_dropping_ = false;
    bool is_closing_ = false;
    std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace asperity::batch
