#include "asperity/batch/batch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "asperity/core/errors.h"

// One rank; several are in tests/mpi.
namespace asperity::batch::batch_test {
namespace {

const MakeEvaluate squares = [] { return [](std::uint64_t run) { return std::to_string(run * run); }; };

// Hands out runs 0 ... count - 1, at most `ahead` before the first that is missing, and writes down what it is told.
struct Book {
    std::uint64_t count = 0;
    std::uint64_t ahead = ~std::uint64_t{0};
    std::uint64_t enough = ~std::uint64_t{0};
    std::uint64_t next = 0;
    std::set<std::uint64_t> taken;
    std::uint64_t twice = 0, wrong = 0, uncommitted = 0;

    std::uint64_t first_missing() const {
        std::uint64_t run = 0;
        for (const std::uint64_t done : taken) {
            if (done != run) break;
            ++run;
        }
        return run;
    }

    Steering steering() {
        return {
            .next = [this]() -> std::optional<std::uint64_t> {
                if (next == count || (ahead < count && next >= first_missing() + ahead)) return {};
                return next++;
            },
            .take =
                [this](std::uint64_t run, std::string_view row) {
                    twice += taken.insert(run).second ? 0 : 1;
                    wrong += row == std::to_string(run * run) ? 0 : 1;
                    ++uncommitted;
                },
            .commit = [this] { uncommitted = 0; },
            .is_over = [this] { return taken.size() >= std::min(count, enough); },
            .left = [this] { return count - next; },
        };
    }
};

TEST(ThreadsBatch, every_run_is_taken_once_and_committed) {
    for (const int threads : {1, 2, 5}) {
        Ranks ranks;
        Book book{.count = 5000};
        run_batch(ranks, {.threads = threads}, squares, book.steering());
        EXPECT_EQ(book.taken.size(), 5000U);
        EXPECT_EQ(*book.taken.rbegin(), 4999U);
        EXPECT_EQ(book.twice, 0U);
        EXPECT_EQ(book.wrong, 0U);
        EXPECT_EQ(book.uncommitted, 0U);
    }
}

TEST(ThreadsBatch, a_steering_that_has_no_run_at_present_is_asked_again) {
    Ranks ranks;
    Book book{.count = 60, .ahead = 3};
    run_batch(ranks, {.threads = 4}, squares, book.steering());
    EXPECT_EQ(book.taken.size(), 60U);
    EXPECT_EQ(book.twice, 0U);
}

TEST(ThreadsBatch, what_is_in_flight_at_the_end_is_kept) {
    Ranks ranks;
    Book book{.count = 1000000, .enough = 10};
    std::atomic<std::uint64_t> begun = 0;
    run_batch(
        ranks, {.threads = 4},
        [&]() -> Evaluate {
            return [&](std::uint64_t run) {
                ++begun;
                return std::to_string(run * run);
            };
        },
        book.steering());
    EXPECT_GE(book.taken.size(), 10U);
    EXPECT_LT(book.taken.size(), 1000000U);
    EXPECT_EQ(book.taken.size(), begun);
    EXPECT_EQ(book.twice, 0U);
    EXPECT_EQ(book.uncommitted, 0U);
}

TEST(ThreadsBatch, what_an_evaluation_throws_ends_it) {
    Ranks ranks;
    Book book{.count = 1000};
    const auto throws = [](auto error) -> MakeEvaluate {
        return [error]() -> Evaluate {
            return [error](std::uint64_t run) -> std::string {
                if (run == 300) throw error;
                return std::to_string(run * run);
            };
        };
    };
    EXPECT_THROW(run_batch(ranks, {.threads = 2}, throws(RuntimeError("no memory")), book.steering()), RuntimeError);
    book = {.count = 1000};
    EXPECT_THROW(run_batch(ranks, {.threads = 2}, throws(Bug("two and two")), book.steering()), Bug);
}

TEST(ThreadsBatch, what_the_steering_throws_ends_it) {
    Ranks ranks;
    Book book{.count = 1000};
    Steering steering = book.steering();
    steering.commit = [] { throw RuntimeError("the disk is full"); };
    EXPECT_THROW(run_batch(ranks, {.threads = 2}, squares, steering), RuntimeError);
}

TEST(Batch, load_is_the_part_of_the_threads_time_that_runs_took) {
    const Load load{
        .ranks = {{.host = "a", .threads = 3, .done = 1, .busy_seconds = 24}, {.host = "b", .threads = 1, .done = 1, .busy_seconds = 6}},
        .seconds = 10};
    EXPECT_EQ(load.threads(), 4);
    EXPECT_DOUBLE_EQ(load.busy(), 30.0 / 40);
    EXPECT_DOUBLE_EQ(load.least(), 0.6);
    EXPECT_EQ(Load{}.busy(), 0);
}

TEST(Batch, threads_that_are_asked_for_are_given) {
    const Ranks ranks;
    EXPECT_EQ(threads_of_rank(ranks, 7), 7);
    EXPECT_GE(threads_of_rank(ranks, 0), 1);
}

}  // namespace
}  // namespace asperity::batch::batch_test
