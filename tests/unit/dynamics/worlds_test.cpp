#include "unit/dynamics/worlds.h"

namespace asperity::dynamics::test::worlds_test {
namespace {

TEST(Worlds, EveryBallInAGutterComesToRestWithAClosedLedger) { expect_clean_rest("gutter", 16); }
TEST(Worlds, EveryBallInAPitComesToRestWithAClosedLedger) { expect_clean_rest("pit", 16); }
TEST(Worlds, EveryBallOnSpikesComesToRestWithAClosedLedger) { expect_clean_rest("spike", 16); }

}  // namespace
}  // namespace asperity::dynamics::test::worlds_test
