#include "property/seams.h"

namespace asperity::dynamics::test::seams_test {
namespace {

// 770 paths for each of 13 bends: ten thousand.
TEST(TenThousandSeams, VerticesAndEdgesOfAPlaneDoNotShowAndBentOnesShowByTheirBend) { expect_seams_do_not_show(41, 810); }

}  // namespace
}  // namespace asperity::dynamics::test::seams_test
