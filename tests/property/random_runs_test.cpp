#include "property/random_runs.h"

namespace asperity::dynamics::test {
namespace {

TEST(RandomRuns, EndAtRestWithAClosedLedgerAndWithoutOverlap) { expect_good_ends(1, 100); }

}  // namespace
}  // namespace asperity::dynamics::test
