#include "property/random_runs.h"

namespace asperity::dynamics::test::random_runs_test {
namespace {

TEST(RandomRuns, EndAtRestWithAClosedLedgerAndWithoutOverlap) { expect_good_ends(1, 100); }

// Two that once did not end. In 346 the ball spins in a pit of three facets, about the normal of one of them, and stops in 1e-9 s: what
// begins to slip there was asked of a step far longer than that. In 376 it begins to slip on both walls of a valley by far less than it
// moves, in steps so short that it was taken to stand again after each of them.
TEST(RandomRuns, SmallSlipsThatBeginDoNotHoldUpARun) {
    expect_good_ends(346, 346);
    expect_good_ends(376, 376);
}

}  // namespace
}  // namespace asperity::dynamics::test::random_runs_test
