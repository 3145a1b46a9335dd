// Several contacts at once: what impact.h and newton.h find must satisfy the laws, whatever way it was found.
#include <gtest/gtest.h>

#include <cmath>

#include "asperity/laws/contact/impact.h"
#include "unit/laws/random_contacts.h"

namespace asperity::laws::test::several_contacts_test {
namespace {

constexpr unsigned seed = 20261117;

// How far the impulses are from the laws (4)-(6) of impact.h, in the unit of the speeds. Written from the laws, not from the solver:
// complementarity, the cone, zero slip inside it, the direction of maximal dissipation on it; likewise for the rolling torque.
double deviation(const RandomImpact& impact, const Vec3& load, const Limits& limits, const Impulses& got) {
    const double r = impact.ball.radius, inertia = impact.ball.inertia_factor * r * r;
    Vec3 v = impact.motion.v + load, w = impact.motion.w + got.rolling / inertia;
    double worst = 0, sum = 0, size = norm(v) + r * norm(impact.motion.w);
    for (int i = 0; i < impact.touch.count; ++i) {
        const Vec3& n = impact.touch.normal[i];
        v += got.normal[i] * n + got.friction[i];
        w -= (r / inertia) * cross(n, got.friction[i]);
        sum += got.normal[i];
    }
    const auto note = [&](double error) { worst = std::fmax(worst, error); };
    note(norm(v - got.after.v));
    note(r * norm(w - got.after.w));
    for (int i = 0; i < impact.touch.count; ++i) {
        const Vec3& n = impact.touch.normal[i];
        const double gap = dot(n, v) - impact.touch.target[i], limit = limits.friction * got.normal[i];
        note(-got.normal[i]);
        note(-gap);
        note(std::fmin(got.normal[i], std::fabs(gap)));
        note(std::fabs(dot(got.friction[i], n)));
        note(norm(got.friction[i]) - limit);
        const Vec3 u = tangential(slip(got.after, n, r), n);
        note(norm(u) * std::fmin(1.0, (limit - norm(got.friction[i])) / size));  // slips: the limit is reached
        note((limit * norm(u) + dot(got.friction[i], u)) / size);                // and friction points against the slip
    }
    const double most = limits.rolling * r * sum;
    note((norm(got.rolling) - most) / r);
    note((most * norm(got.after.w) + dot(got.rolling, got.after.w)) / size);
    return worst / size;
}

Limits random_limits(Draw& draw) {
    Limits limits{.friction = draw.power(0.01, 3), .rolling = draw.power(1e-3, 1)};
    if (draw.whole(0, 9) == 0) limits.friction = 0;
    if (draw.whole(0, 9) == 0) limits.rolling = 0;
    return limits;
}

// What the solver calls converged satisfies the laws: 1e-11 of the speeds, since it ends at a residual of 1e-12 that four contacts add up.
// What it gives up it must say, and must not have solved; it gives up none of these.
void expect_laws(unsigned seed_here, double steepest, double tolerance) {
    constexpr int rounds = 10000, most_unsolved = 0;
    Draw draw(seed_here);
    int unsolved = 0;
    for (int round = 0; round < rounds; ++round) {
        const RandomImpact impact = several_impact(draw, steepest);
        const Limits limits = random_limits(draw);
        const Vec3 load = draw.whole(0, 1) * norm(impact.motion.v) * draw.direction();
        const Impulses got = resolve(impact.touch, impact.motion, load, impact.ball, limits);
        const double off = deviation(impact, load, limits, got);
        if (got.is_converged) {
            ASSERT_LE(off, tolerance) << "seed " << seed_here << ", round " << round;
        } else {
            ++unsolved;
            ASSERT_GT(off, 1e-12) << "given up though solved: seed " << seed_here << ", round " << round;
        }
    }
    EXPECT_LE(unsolved, most_unsolved) << "of " << rounds << ", seed " << seed_here;
}

TEST(SeveralContacts, ImpulsesSatisfyTheLawsBetweenRandomWalls) { expect_laws(seed, 0.3, 1e-11); }

// Walls up to 1.1 degrees from vertical: friction can wedge the ball, and impulses are large.
TEST(SeveralContacts, ImpulsesSatisfyTheLawsInSteepWedges) { expect_laws(seed + 1, 0.02, 1e-10); }

// A step of contact motion of a ball at rest: all that moves is the load, and the answer is held or creeps.
TEST(SeveralContacts, TheLoadOfOneStepOnABallAtRestSatisfiesTheLaws) {
    Draw draw(seed + 2);
    for (int round = 0; round < 10000; ++round) {
        RandomImpact impact = several_impact(draw, 0.1);
        const Vec3 load = impact.motion.v;
        impact.motion = {};
        const Limits limits{.friction = draw.between(0.1, 1.5), .rolling = draw.power(1e-3, 0.3)};
        const Impulses got = resolve(impact.touch, impact.motion, load, impact.ball, limits);
        ASSERT_TRUE(got.is_converged) << "seed " << seed + 2 << ", round " << round;
        ASSERT_LE(deviation(impact, load, limits, got), 1e-11) << "seed " << seed + 2 << ", round " << round;
    }
}

// The derivative that Newton's method uses, against central differences of the residual, away from the kinks.
TEST(SeveralContacts, TheDerivativeOfTheResidualIsExact) {
    Draw draw(seed + 3);
    int compared = 0;
    for (int round = 0; round < 300; ++round) {
        const RandomImpact impact = round % 3 == 0 ? single_impact(draw, 0.5) : several_impact(draw, 0.2);
        Limits limits = random_limits(draw);
        limits.spinning = draw.whole(0, 1) * 0.1;
        const detail::ImpulseProblem problem{impact.touch, impact.motion, impact.ball, limits};
        const double speed = norm(impact.motion.v), h = 1e-6;
        const int n = 3 * impact.touch.count + 3;
        detail::Unknowns z, dz, plus, minus, high, low, rate;
        for (int k = 0; k < n; ++k) {
            z.at[k] = speed * draw.between(-1, 1);
            dz.at[k] = draw.between(-1, 1);
            plus.at[k] = z.at[k] + h * speed * dz.at[k];
            minus.at[k] = z.at[k] - h * speed * dz.at[k];
        }
        problem.residual(plus, high);
        problem.residual(minus, low);
        problem.residual_rate(z, dz, rate);
        double worst = 0, kink = 0;
        detail::Unknowns middle;
        problem.residual(z, middle);
        for (int k = 0; k < n; ++k) {
            worst = std::fmax(worst, std::fabs((high.at[k] - low.at[k]) / (2 * h * speed) - rate.at[k]));
            kink = std::fmax(kink, std::fabs(high.at[k] - 2 * middle.at[k] + low.at[k]) / (h * speed));
        }
        if (kink > 1e-3) continue;  // the step crosses from one piece to another
        ++compared;
        EXPECT_LT(worst, 1e-4) << "seed " << seed + 3 << ", round " << round;
    }
    EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace asperity::laws::test::several_contacts_test
