#include "property/random_runs.h"

namespace asperity::dynamics::test::random_runs_test {
namespace {

TEST(ThousandRandomRuns, EndAtRestWithAClosedLedgerAndWithoutOverlap) { expect_good_ends(101, 1100); }

}  // namespace
}  // namespace asperity::dynamics::test::random_runs_test
