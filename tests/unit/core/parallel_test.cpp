#include "asperity/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"

namespace asperity::parallel_test {
namespace {

// Suites named Threads... also run under the thread sanitizer.
TEST(Threads, every_index_is_visited_once_in_blocks_that_depend_on_the_size_alone) {
    for (const int threads : {1, 2, 7}) {
        const ThreadLimit limit(threads);
        for (const std::size_t count : {0UL, 1UL, 9UL, 10UL, 11UL, 1000UL}) {
            std::vector<int> visits(count, 0);
            std::mutex mutex;
            std::set<std::pair<std::size_t, std::size_t>> blocks;
            parallel_blocks(count, 10, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) ++visits[i];
                const std::scoped_lock lock(mutex);
                blocks.insert({begin, end});
            });
            EXPECT_EQ(visits, std::vector<int>(count, 1));
            EXPECT_EQ(blocks.size(), (count + 9) / 10);
            for (const auto& [begin, end] : blocks) {
                EXPECT_EQ(begin % 10, 0U);
                EXPECT_EQ(end, std::min(begin + 10, count));
            }
        }
    }
}

// Addends of very different size: another order of adding gives other bits, so that a wrong order cannot pass.
TEST(Threads, a_reduction_gives_the_same_bits_with_any_number_of_threads) {
    constexpr DrawKey key{.seed = 22};
    std::vector<double> values(10000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::exp(20 * random_normal(key, i));
    const auto part = [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += values[i];
        return sum;
    };
    double expected = 0, reversed = 0;
    for (std::size_t i = 0; i < values.size(); i += 64) expected += part(i, std::min(i + 64, values.size()));
    for (std::size_t i = values.size() / 64 + 1; i-- > 0;) reversed += part(i * 64, std::min(i * 64 + 64, values.size()));
    ASSERT_NE(expected, reversed);
    for (const int threads : {1, 2, 7, 16}) {
        const ThreadLimit limit(threads);
        for (int repeat = 0; repeat < 10; ++repeat) EXPECT_EQ(reduce_blocks(values.size(), 64, 0.0, part), expected) << threads;
    }
}

TEST(Threads, the_limit_holds_while_it_lives_and_no_longer) {
    const int before = thread_count();
    {
        const ThreadLimit limit(1);
        EXPECT_EQ(thread_count(), 1);
        const auto caller = std::this_thread::get_id();
        std::atomic<int> elsewhere = 0;
        parallel_blocks(1000, 1, [&](std::size_t, std::size_t) { elsewhere += std::this_thread::get_id() != caller; });
        EXPECT_EQ(elsewhere, 0);
    }
    EXPECT_EQ(thread_count(), before);
    const ThreadLimit none(0);
    EXPECT_EQ(thread_count(), before);
}

TEST(Threads, two_threads_do_run_at_once) {
    if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core";
    const ThreadLimit limit(2);
    // Each block waits for the other: this ends only if both run at the same time.
    std::atomic<int> here = 0;
    parallel_blocks(2, 1, [&](std::size_t, std::size_t) {
        ++here;
        while (here < 2) std::this_thread::yield();
    });
    EXPECT_EQ(here, 2);
}

TEST(Threads, an_exception_of_a_block_arrives_at_the_caller) {
    EXPECT_THROW(parallel_blocks(100, 10,
                                 [](std::size_t begin, std::size_t) {
                                     if (begin == 50) throw RuntimeError("disk full");
                                 }),
                 RuntimeError);
}

TEST(Threads, blocks_of_nothing_are_a_bug) {
    EXPECT_THROW(parallel_blocks(5, 0, [](std::size_t, std::size_t) {}), Bug);
    EXPECT_THROW(reduce_blocks(5, 0, 0.0, [](std::size_t, std::size_t) { return 0.0; }), Bug);
}

}  // namespace
}  // namespace asperity::parallel_test
