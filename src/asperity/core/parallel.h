// Deterministic parallel loops: work is cut into blocks that depend on its size alone, never on the number of threads.
//
// The only place that knows TBB. A block may run on any thread, in any order; what it writes must be its own. Sums go through
// reduce_blocks, which adds the blocks' results in index order. An exception that a block throws arrives at the caller.
#pragma once
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace asperity {

namespace detail {
std::size_t block_count(std::size_t count, std::size_t block);
void run_blocks(std::size_t count, std::size_t block, void* context, void (*call)(void*, std::size_t, std::size_t));
}  // namespace detail

// Calls f(begin, end) for [0, block), [block, 2 block), ..., the last one cut at count.
template <class F>
void parallel_blocks(std::size_t count, std::size_t block, F&& f) {
    using Function = std::remove_reference_t<F>;
    detail::run_blocks(count, block, const_cast<void*>(static_cast<const void*>(&f)),
                       [](void* context, std::size_t begin, std::size_t end) { (*static_cast<Function*>(context))(begin, end); });
}

// first + f(block 0) + f(block 1) + ..., in this order: the same bits with any number of threads. T needs a default value and +.
template <class T, class F>
T reduce_blocks(std::size_t count, std::size_t block, T first, F&& f) {
    std::vector<T> parts(detail::block_count(count, block));
    parallel_blocks(count, block, [&](std::size_t begin, std::size_t end) { parts[begin / block] = f(begin, end); });
    for (const T& part : parts) first = first + part;
    return first;
}

// The number of threads in use: all cores of the machine unless a ThreadLimit is alive.
int thread_count();

// Limits the threads to `threads`, the calling one included, for as long as this object lives (--threads N). 0 sets no limit.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    struct Control;
    std::unique_ptr<Control> control_;
};

}  // namespace asperity
