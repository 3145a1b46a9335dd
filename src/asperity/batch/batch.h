// The only batch scheduler of the program: numbered runs, computed on the threads of any number of processes, with their rows gathered in
// rank 0. Scheduling is dynamic; the result of a run is a function of its number alone.
// Rank 0 hands out runs on demand (runs differ in length by orders of magnitude) and computes as well. Each rank sends heartbeats; one that
// is silent for `lost_after` ends the batch with an error that names it.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/batch/pool.h"
#include "asperity/batch/ranks.h"

namespace asperity::batch {

// The distribution of the work, for the progress line and the status file.
struct RankLoad {
    std::string host;
    int threads = 0;
    std::uint64_t done = 0;   // runs
    double busy_seconds = 0;  // of all its threads
};

struct Load {
    std::vector<RankLoad> ranks;
    double seconds = 0;  // since the start

    int threads() const;
    double busy() const;   // part of the threads' time that was spent in runs, 0 to 1
    double least() const;  // the same, of the rank with the least
};

// The callbacks by which rank 0 steers; all calls come from one thread.
struct Steering {
    std::function<std::optional<std::uint64_t>()> next;                      // the next run to compute; none: none at present
    std::function<void(std::uint64_t run, std::string_view row)> take;       // once for each run, in any order
    std::function<void()> commit = [] {};                                    // after a bunch of take(): they are safe once it returns
    std::function<bool()> is_over;                                           // nothing more is wanted; runs in flight are still taken
    std::function<std::uint64_t()> left = [] { return std::uint64_t(-1); };  // how many runs next() may still give, about
    std::function<void(const Load&)> tick = [](const Load&) {};              // several times a second
};

struct BatchOptions {
    int threads = 1;         // of this rank
    double lost_after = 60;  // s
};

// Rank 0 steers and computes, the others compute until it says that all is done. Throws what an evaluation or the steering throws, and
// RuntimeError where a rank is lost.
void run_batch(Ranks& ranks, const BatchOptions& options, const MakeEvaluate& make_evaluate, const Steering& steering);

// 0: its share of the cores of its host.
int threads_of_rank(const Ranks& ranks, int asked);

}  // namespace asperity::batch
