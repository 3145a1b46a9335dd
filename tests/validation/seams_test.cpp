#include "property/seams.h"

namespace asperity::dynamics::test {
namespace {

// 910 paths for each of 11 bends: ten thousand.
TEST(TenThousandSeams, VerticesAndEdgesOfAPlaneDoNotShowAndBentOnesShowByTheirBend) { expect_seams_do_not_show(41, 950); }

}  // namespace
}  // namespace asperity::dynamics::test
