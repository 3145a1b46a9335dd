#include "property/seams.h"

namespace asperity::dynamics::test {
namespace {

// 1250 paths for each of 8 bends: ten thousand.
TEST(TenThousandSeams, VerticesAndEdgesOfAPlaneDoNotShowAndBentOnesShowByTheirBend) { expect_seams_do_not_show(31, 1280); }

}  // namespace
}  // namespace asperity::dynamics::test
