#include "property/seams.h"

namespace asperity::dynamics::test {
namespace {

// 840 paths for each of 12 bends: ten thousand.
TEST(TenThousandSeams, VerticesAndEdgesOfAPlaneDoNotShowAndBentOnesShowByTheirBend) { expect_seams_do_not_show(41, 880); }

}  // namespace
}  // namespace asperity::dynamics::test
