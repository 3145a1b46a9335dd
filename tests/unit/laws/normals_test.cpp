#include "asperity/laws/contact/normals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/laws/random_contacts.h"

namespace asperity::laws::test::normals_test {
namespace {

constexpr unsigned seed = 20261116;

// The conditions of Karush, Kuhn and Tucker, which are enough: the problem is convex. Rounding grows with the impulses, which are large
// where two walls are nearly parallel; the worst of these sets reaches 1e-14.
void expect_projection(const Vec3* normal, const double* target, int count, const Vec3& v, double scale) {
    double impulse[max_touching], sum = 0;
    project_on_normals(normal, target, count, v, scale, impulse);
    Vec3 after = v;
    for (int i = 0; i < count; ++i) {
        after += impulse[i] * normal[i];
        sum += impulse[i];
    }
    const double rounding = 4e-14 * (scale + sum);
    for (int i = 0; i < count; ++i) {
        const double gap = dot(normal[i], after) - target[i];
        EXPECT_GE(impulse[i], 0) << i;
        EXPECT_GE(gap, -rounding) << i;
        EXPECT_LE(impulse[i] > 0 ? gap : 0, rounding) << i;
    }
}

struct Set {
    int count = 0;
    Vec3 normal[max_touching];
    double target[max_touching] = {};
};

void expect_projections(const char* what, int rounds, Set (*make)(Draw&)) {
    Draw draw(seed);
    for (int round = 0; round < rounds; ++round) {
        SCOPED_TRACE(testing::Message() << what << ", seed " << seed << ", round " << round);
        const double scale = draw.power(1e-6, 10);
        Set set = make(draw);
        for (double& target : set.target) target *= scale;
        expect_projection(set.normal, set.target, set.count, scale * draw.direction(), scale);
        if (testing::Test::HasFailure()) return;
    }
}

// Normals with a common direction (so that a solution exists for every target), and targets of restitution.
Set open_walls(Draw& draw) {
    Set set;
    set.count = draw.whole(1, max_touching);
    const Vec3 up = draw.direction();
    for (int i = 0; i < set.count; ++i) {
        Vec3 n = draw.direction();
        if (dot(n, up) < 0) n = -n;
        set.normal[i] = unit(n + 0.05 * up);
        set.target[i] = draw.whole(0, 1) * draw.between(0, 1);
    }
    return set;
}

TEST(ProjectOnNormals, RandomWallsSatisfyTheOptimalityConditions) { expect_projections("open walls", 5000, open_walls); }

TEST(ProjectOnNormals, ParallelWallsSatisfyTheOptimalityConditions) {
    expect_projections("parallel", 2000, [](Draw& draw) {
        Set set = open_walls(draw);
        for (int i = 1; i < set.count; ++i)
            if (draw.whole(0, 1)) set.normal[i] = set.normal[draw.whole(0, i - 1)];
        return set;
    });
}

TEST(ProjectOnNormals, NearlyParallelWallsSatisfyTheOptimalityConditions) {
    expect_projections("nearly parallel", 2000, [](Draw& draw) {
        Set set = open_walls(draw);
        for (int i = 1; i < set.count; ++i) {
            set.normal[i] = unit(set.normal[0] + draw.power(1e-9, 1e-2) * draw.direction());
            set.target[i] = set.target[0];
        }
        return set;
    });
}

TEST(ProjectOnNormals, DependentWallsSatisfyTheOptimalityConditions) {
    expect_projections("in one plane", 2000, [](Draw& draw) {
        Set set = open_walls(draw);
        const Vec3 axis = draw.direction(), up = unit(tangential(draw.direction(), axis));
        for (int i = 0; i < set.count; ++i) set.normal[i] = unit(tangential(set.normal[i], axis) + 1.1 * up);
        return set;
    });
}

TEST(ProjectOnNormals, WallsFaceToFaceHoldABallWithoutTargets) {
    expect_projections("face to face", 2000, [](Draw& draw) {
        Set set = open_walls(draw);
        for (int i = 0; i < set.count; ++i) {
            set.target[i] = 0;
            if (i > 0 && draw.whole(0, 1)) set.normal[i] = -set.normal[i - 1];
        }
        return set;
    });
}

TEST(ProjectOnNormals, NoWallAndNoApproachNeedNoImpulse) {
    const Vec3 n{0, 0, 1};
    const double target = 0;
    double impulse[max_touching] = {9};
    project_on_normals(&n, &target, 0, {0, 0, -1}, 1, impulse);
    project_on_normals(&n, &target, 1, {1, 0, 0.5}, 1, impulse);
    EXPECT_EQ(impulse[0], 0);
}

// Two walls at +-a from the vertical, the ball falls between them: N1 = N2 = v / (2 cos a) by symmetry.
TEST(ProjectOnNormals, ASymmetricWedgeSharesTheImpulse) {
    const double a = 1.2;
    const Vec3 n[2] = {{std::sin(a), 0, std::cos(a)}, {-std::sin(a), 0, std::cos(a)}};
    const double target[2] = {};
    double impulse[max_touching];
    project_on_normals(n, target, 2, {0.3, 0, -2}, 2, impulse);
    // along x: N1 - N2 = -0.3 / sin a
    EXPECT_NEAR(impulse[0] + impulse[1], 2 / std::cos(a), 1e-14);
    EXPECT_NEAR(impulse[0] - impulse[1], -0.3 / std::sin(a), 1e-14);
}

}  // namespace
}  // namespace asperity::laws::test::normals_test
