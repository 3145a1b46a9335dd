#include "asperity/core/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "asperity/core/errors.h"

namespace asperity {

namespace detail {

std::size_t block_count(std::size_t count, std::size_t block) {
    ASPERITY_REQUIRE(block > 0, "{} items in blocks of none", count);
    return count / block + (count % block != 0);
}

#ifndef __SANITIZE_THREAD__

void run_blocks(std::size_t count, std::size_t block, void* context, void (*call)(void*, std::size_t, std::size_t)) {
    const auto run = [=](std::size_t i) { call(context, i * block, i * block + std::min(block, count - i * block)); };
    // simple_partitioner: any block may go to an idle thread, even the last of a few long ones.
    tbb::parallel_for(std::size_t{0}, block_count(count, block), run, tbb::simple_partitioner());
}

#else

// Debian's TBB is not built for the thread sanitizer, which takes each hand-over for a race; to suppress those would hide ours,
// since TBB is on every stack. Plain threads let it see our blocks, and them alone. Each takes every n-th block: a shared counter
// would order the blocks in the eyes of the sanitizer, and hide races between them.
void run_blocks(std::size_t count, std::size_t block, void* context, void (*call)(void*, std::size_t, std::size_t)) {
    const std::size_t blocks = block_count(count, block);
    const auto threads = static_cast<std::size_t>(thread_count());
    std::vector<std::exception_ptr> failures(threads);
    const auto work = [&](std::size_t thread) {
        try {
            for (std::size_t i = thread; i < blocks; i += threads) call(context, i * block, i * block + std::min(block, count - i * block));
        } catch (...) {
            failures[thread] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (std::size_t thread = 1; thread < threads; ++thread) helpers.emplace_back(work, thread);
        work(0);
    }
    for (const auto& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

#endif

}  // namespace detail

int thread_count() { return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism)); }

struct ThreadLimit::Control {
    tbb::global_control limit;
};

ThreadLimit::ThreadLimit(int threads) {
    ASPERITY_REQUIRE(threads >= 0, "threads = {}", threads);
    if (threads == 0) return;
    control_.reset(new Control{{tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)}});
}

ThreadLimit::~ThreadLimit() = default;

}  // namespace asperity
