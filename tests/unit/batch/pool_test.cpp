#include "asperity/batch/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <map>
#include <numeric>
#include <thread>

#include "asperity/core/errors.h"

namespace asperity::batch::pool_test {
namespace {

using namespace std::chrono_literals;

std::vector<std::uint64_t> runs_from_to(std::uint64_t begin, std::uint64_t end) {
    std::vector<std::uint64_t> runs(end - begin);
    std::iota(runs.begin(), runs.end(), begin);
    return runs;
}

// An evaluation that holds run 0 until it is let go.
class Gate {
public:
    MakeEvaluate make_evaluate() {
        return [this] {
            return [this](std::uint64_t run) {
                if (run == 0) {
                    has_come_.set_value();
                    opened_.get_future().wait();
                }
                return std::to_string(run);
            };
        };
    }
    void wait_for_run() { has_come_.get_future().wait(); }
    void open() { opened_.set_value(); }

private:
    std::promise<void> has_come_, opened_;
};

std::vector<Finished> collect_all(Pool& pool) {
    std::vector<Finished> all;
    while (!pool.is_idle())
        for (Finished& f : pool.collect(1ms)) all.push_back(std::move(f));
    return all;
}

// Suites named Threads... also run under the thread sanitizer.
TEST(ThreadsPool, every_run_is_computed_once_and_its_row_is_its_own) {
    for (const int threads : {1, 2, 7}) {
        Pool pool(threads, [] { return [](std::uint64_t run) { return std::to_string(run * run); }; });
        EXPECT_EQ(pool.threads(), threads);
        std::map<std::uint64_t, int> times;
        for (std::uint64_t begin = 0; begin < 3000; begin += 1000) {
            pool.give(runs_from_to(begin, begin + 1000));
            for (const Finished& f : collect_all(pool)) {
                ++times[f.run];
                EXPECT_EQ(f.row, std::to_string(f.run * f.run));
            }
        }
        ASSERT_EQ(times.size(), 3000U);
        for (const auto& [run, count] : times) EXPECT_EQ(count, 1) << run;
    }
}

TEST(ThreadsPool, each_thread_has_an_evaluation_of_its_own) {
    std::atomic<int> made = 0;
    const Pool pool(5, [&made]() -> Evaluate {
        ++made;
        return [](std::uint64_t) { return std::string(); };
    });
    EXPECT_EQ(made, 5);
}

TEST(ThreadsPool, what_an_evaluation_throws_comes_out_of_collect) {
    Pool pool(2, []() -> Evaluate {
        return [](std::uint64_t run) -> std::string {
            if (run == 17) throw RuntimeError("run 17 cannot be");
            return {};
        };
    });
    pool.give(runs_from_to(0, 100));
    try {
        while (!pool.is_idle()) pool.collect(1ms);
        FAIL() << "it was to throw";
    } catch (const RuntimeError& error) {
        EXPECT_STREQ(error.what(), "run 17 cannot be");
    }
}

TEST(ThreadsPool, a_dropped_queue_leaves_the_run_in_flight) {
    Gate gate;
    Pool pool(1, gate.make_evaluate());
    pool.give({0, 1, 2});
    gate.wait_for_run();
    pool.drop_queue();
    pool.give({3});
    EXPECT_FALSE(pool.is_idle());
    gate.open();
    const std::vector<Finished> all = collect_all(pool);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].run, 0U);
    EXPECT_EQ(all[0].row, "0");
}

// A run that nobody can begin would wait here while other ranks have none.
TEST(ThreadsPool, has_room_for_idle_threads_alone_until_runs_are_known_to_be_short) {
    Gate gate;
    Pool pool(3, gate.make_evaluate());
    EXPECT_EQ(pool.room(), 3U);
    pool.give({0});
    gate.wait_for_run();
    EXPECT_EQ(pool.room(), 2U);
    pool.give(runs_from_to(1, 200));
    std::size_t done = 0;
    while (done < 199) done += pool.collect(1ms).size();
    // 199 runs of next to no time: the stock is 0.05 s of them for each thread
    EXPECT_GT(pool.room(), 100U);
    gate.open();
    EXPECT_EQ(collect_all(pool).size(), 1U);
}

TEST(ThreadsPool, counts_the_time_in_runs) {
    Pool pool(2, [] {
        return [](std::uint64_t) {
            std::this_thread::sleep_for(3ms);
            return std::string();
        };
    });
    EXPECT_EQ(pool.busy_seconds(), 0);
    pool.give(runs_from_to(0, 10));
    collect_all(pool);
    EXPECT_GE(pool.busy_seconds(), 0.030);
}

TEST(ThreadsPool, its_end_waits_for_the_run_in_flight_and_drops_the_rest) {
    std::atomic<int> done = 0;
    std::promise<void> has_come;
    {
        Pool pool(1, [&]() -> Evaluate {
            return [&](std::uint64_t run) {
                if (run == 0) {
                    has_come.set_value();
                    std::this_thread::sleep_for(500ms);  // long enough for a busy machine to come to the end of the scope
                }
                ++done;
                return std::string();
            };
        });
        pool.give({0, 1, 2});
        has_come.get_future().wait();
    }
    EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace asperity::batch::pool_test
