// 64 seeds of each world: what must be shown for this part of the project; the fast tests look at 16.
#include "unit/dynamics/worlds.h"

namespace asperity::dynamics::test::worlds_test {
namespace {

TEST(WorldsOf64Seeds, EveryBallInAGutterComesToRestWithAClosedLedger) { expect_clean_rest("gutter", 64); }
TEST(WorldsOf64Seeds, EveryBallInAPitComesToRestWithAClosedLedger) { expect_clean_rest("pit", 64); }
TEST(WorldsOf64Seeds, EveryBallOnSpikesComesToRestWithAClosedLedger) { expect_clean_rest("spike", 64); }

}  // namespace
}  // namespace asperity::dynamics::test::worlds_test
