#include "asperity/analysis/resting_changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace asperity::analysis::resting_changes_test {
namespace {

double momentum2_of(const std::vector<RestingChange>& list, const std::string& text) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const RestingChange& c) { return c.text == text; });
    return found == list.end() ? -1 : found->momentum2;
}

// The sweep knows nothing of the closed forms of equal spheres.
TEST(RestingChanges, OfEqualSpheresAreTheirThresholds) {
    const std::array<Sphere, 3> equal{{{1, 0.5}, {1, 0.5}, {1, 0.5}}};
    const EqualSphereThresholds t = equal_sphere_thresholds();
    const std::vector<RestingChange> list = resting_changes(equal, 1);
    EXPECT_NEAR(momentum2_of(list, "Euler Resting 1-2-3 is stable above"), t.euler_resting_stable, 1e-9);
    EXPECT_NEAR(momentum2_of(list, "V-Rest 1-2-3 exists above, unstable"), t.euler_resting_stable, 1e-9);
    EXPECT_NEAR(momentum2_of(list, "Lagrange Resting 1-2-3 has the least energy below, Euler Resting 2-1-3 above"), t.lagrange_equals_euler,
                1e-9);
    EXPECT_NEAR(momentum2_of(list, "Transverse Mixed 1-2-3 exists above, unstable"), t.transverse_mixed, 1e-9);
    EXPECT_NEAR(momentum2_of(list, "Lagrange Resting 1-2-3 exists below, stable"), t.lagrange_resting_ends, 1e-9);
    EXPECT_NEAR(momentum2_of(list, "Aligned Mixed 1-2-3 exists above, one branch stable, one not"), t.aligned_mixed, 1e-9);
    EXPECT_NEAR(momentum2_of(list, "Euler Resting 2-1-3 has the least energy below, Aligned Mixed 1-2-3 above"), t.euler_equals_aligned,
                1e-9);
    EXPECT_NEAR(momentum2_of(list, "Euler Resting 1-2-3 exists below, stable"), t.euler_resting_ends, 1e-9);
    EXPECT_NEAR(momentum2_of(list, "Aligned Mixed 1-2-3 has 2 branches below, 1 above: an unstable one ends"), t.euler_resting_ends, 1e-9);
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.momentum2 < b.momentum2; }));
}

// Whoever asks where a configuration exists reads what happens to it, not the sentence.
TEST(RestingChanges, SayWhatHappensToWhich) {
    const std::array<Sphere, 3> equal{{{1, 0.5}, {1, 0.5}, {1, 0.5}}};
    const std::vector<RestingChange> list = resting_changes(equal, 1);
    const auto is_told = [&](ChangeKind kind, Configuration configuration, const std::string& text) {
        return std::any_of(list.begin(), list.end(), [&](const RestingChange& change) {
            return change.kind == kind && change.configuration == configuration && change.text == text;
        });
    };
    EXPECT_TRUE(is_told(ChangeKind::begins, Configuration::v_rest, "V-Rest 1-2-3 exists above, unstable"));
    EXPECT_TRUE(is_told(ChangeKind::ends, Configuration::euler_resting, "Euler Resting 1-2-3 exists below, stable"));
    EXPECT_TRUE(is_told(ChangeKind::branches, Configuration::aligned_mixed,
                        "Aligned Mixed 1-2-3 has 2 branches below, 1 above: an unstable one ends"));
    EXPECT_TRUE(is_told(ChangeKind::stability, Configuration::euler_resting, "Euler Resting 1-2-3 is stable above"));
    EXPECT_TRUE(is_told(ChangeKind::ground, Configuration::lagrange_resting,
                        "Lagrange Resting 1-2-3 has the least energy below, Euler Resting 2-1-3 above"));
}

// Two spheres rest on each other up to the rate of a contact orbit, H^2 = I^2 G M / d^3, and orbit from the least H of any orbit on, where
// mu d^2 = 3 (spin inertia): Scheeres (2009).
TEST(RestingChanges, OfTwoUnequalSpheresAreInClosedForm) {
    const std::array<Sphere, 2> pair{{{3, 0.7}, {0.5, 0.4}}};
    const double g = 2, mass = 3.5, mu = 3 * 0.5 / mass, d = 1.1, spin = 0.4 * (3 * 0.49 + 0.5 * 0.16);
    const double contact = std::pow(spin + mu * d * d, 2) * g * mass / (d * d * d);
    const double turn = std::sqrt(3 * spin / mu), least = std::pow(4 * spin, 2) * g * mass / (turn * turn * turn);
    ASSERT_GT(turn, d);  // orbits inside it are unstable
    const std::vector<RestingChange> list = resting_changes(pair, g);
    EXPECT_NEAR(momentum2_of(list, "Resting Pair 1-2 exists below, stable"), contact, 1e-11 * contact);
    EXPECT_NEAR(momentum2_of(list, "Orbiting Pair 1-2 exists above, one branch stable, one not"), least, 1e-11 * least);
}

// Whatever the ratios. The force between two bodies that are 1e-12 of a third's mass is lost in rounding near where it ends: it may end
// twice.
TEST(RestingChanges, OfSpheresOfAnySizesAreFew) {
    for (const double small : {0.5, 1e-2, 1e-3, 1e-4, 1e-6})
        for (const double other : {1.0, 0.7}) {
            const std::array<Sphere, 3> spheres{
                {{4e12, 1000}, {4e12 * small * small * small, 1000 * small}, {3e12 * std::pow(other * small, 3), 1000 * other * small}}};
            const std::vector<RestingChange> list = resting_changes(spheres, 6.67384e-11);
            EXPECT_GE(list.size(), 30u) << small;
            EXPECT_LE(list.size(), 60u) << small;
            EXPECT_GT(momentum2_of(list, "Lagrange Resting 1-2-3 exists below, stable"), 0) << small;
            std::map<std::string, int> told;
            for (const RestingChange& change : list) EXPECT_LE(++told[change.text], small < 1e-3 ? 2 : 1) << small << ": " << change.text;
        }
}

}  // namespace
}  // namespace asperity::analysis::resting_changes_test
