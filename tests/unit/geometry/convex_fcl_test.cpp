// Second opinion on distances of convex shapes: the Flexible Collision Library (FCL 0.7, Pan, Chitta, Manocha, ICRA 2012).
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/distance.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "asperity/geometry/convex_gap.h"
#include "unit/geometry/convex_reference.h"

namespace asperity::geometry::convex_fcl_test {
namespace {

using test::AnyConvex;

using FclShape = std::shared_ptr<fcl::CollisionGeometry<double>>;

struct Translate {
    FclShape operator()(const Sphere& s) const { return std::make_shared<fcl::Sphere<double>>(s.radius); }
    FclShape operator()(const Box& b) const { return std::make_shared<fcl::Box<double>>(2 * b.half.x, 2 * b.half.y, 2 * b.half.z); }
    FclShape operator()(const Cylinder& c) const { return std::make_shared<fcl::Cylinder<double>>(c.radius, 2 * c.half_height); }
    FclShape operator()(const Cone& c) const { return std::make_shared<fcl::Cone<double>>(c.radius, c.height); }
    FclShape operator()(const Capsule& c) const { return std::make_shared<fcl::Capsule<double>>(c.radius, 2 * c.half_length); }
    FclShape operator()(const Hull& h) const {
        auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
        for (const Vec3& v : h.vertices) vertices->emplace_back(v.x, v.y, v.z);
        auto faces = std::make_shared<std::vector<int>>();
        for (std::size_t f = 0; f < h.faces(); ++f) {
            faces->push_back(h.face_begin[f + 1] - h.face_begin[f]);
            for (std::int32_t k = h.face_begin[f]; k < h.face_begin[f + 1]; ++k) faces->push_back(h.corners[static_cast<std::size_t>(k)]);
        }
        return std::make_shared<fcl::Convex<double>>(vertices, static_cast<int>(h.faces()), faces, false);
    }
};

// The origin of their cone is in the middle of its height.
fcl::Transform3d placed_there(const AnyConvex& shape, const Pose& pose) {
    Vec3 origin = pose.p;
    if (const auto* cone = std::get_if<Cone>(&shape)) origin = pose * Vec3{0, 0, 0.25 * cone->height};
    fcl::Transform3d out = fcl::Transform3d::Identity();
    out.linear() = Eigen::Quaterniond(pose.q.w, pose.q.x, pose.q.y, pose.q.z).toRotationMatrix();
    out.translation() = fcl::Vector3d(origin.x, origin.y, origin.z);
    return out;
}

double distance_of_fcl(const AnyConvex& a, const Pose& at_a, const AnyConvex& b, const Pose& at_b) {
    const FclShape first = std::visit(Translate{}, a), second = std::visit(Translate{}, b);
    const fcl::CollisionObjectd one(first, placed_there(a, at_a)), other(second, placed_there(b, at_b));
    fcl::DistanceRequestd request;
    request.gjk_solver_type = fcl::GST_LIBCCD;
    request.distance_tolerance = 1e-9;
    fcl::DistanceResultd result;
    return fcl::distance(&one, &other, request, result);
}

// FCL stops where its own bounds meet to 1e-9 in the units it is given: sizes about one. It gives distances of bodies that are apart.
TEST(ConvexFcl, DistancesAgree) {
    test::Draw draw(20261122);
    double largest = 0;
    int compared = 0;
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j)
            for (int run = 0; run < 30; ++run) {
                const AnyConvex a = draw.shape(i, 1, 5), b = draw.shape(j, 1, 5);
                const Pose at_b{draw.direction(), draw.turn()}, at_a{at_b.p + draw(1, 5) * draw.direction(), draw.turn()};
                const ConvexGap got = convex_gap(test::placed(a, at_a), test::placed(b, at_b));
                const double theirs = distance_of_fcl(a, at_a, b, at_b);
                if (got.gap < -1e-3) {
                    EXPECT_LE(theirs, 0) << test::convex_names[i] << " " << test::convex_names[j] << " " << run;
                }
                if (!(got.gap > 1e-3)) continue;
                ++compared;
                largest = std::fmax(largest, std::fabs(theirs - got.gap));
                EXPECT_NEAR(theirs, got.gap, 1e-6) << test::convex_names[i] << " " << test::convex_names[j] << " " << run;
            }
    EXPECT_GT(compared, 400);
    RecordProperty("largest_difference", fmt::format("{:.2e}", largest));
}

}  // namespace
}  // namespace asperity::geometry::convex_fcl_test
