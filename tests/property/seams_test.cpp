#include "property/seams.h"

namespace asperity::dynamics::test::seams_test {
namespace {

TEST(Seams, VerticesAndEdgesOfAPlaneDoNotShowAndBentOnesShowByTheirBend) { expect_seams_do_not_show(1, 40); }

}  // namespace
}  // namespace asperity::dynamics::test::seams_test
