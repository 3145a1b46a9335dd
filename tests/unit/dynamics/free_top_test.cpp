// The free top: in closed form against Jacobi's elliptic functions of Boost and against Euler's equations integrated in long double, and
// under the methods, in inertial frames and frames that turn.
#include "asperity/dynamics/free_top.h"

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <boost/numeric/odeint.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "asperity/gravity/small_body.h"
#include "unit/dynamics/stepped_scene.h"

namespace asperity::dynamics::free_top_test {
namespace {

using Seven = std::array<long double, 7>;  // q, spin in body axes

// Euler's equations and q' = q w / 2, by Fehlberg's 7(8) in long double.
FreeTop::Turned integrated(const Vec3& inertia, const Quat& q, const Vec3& w, double end) {
    const Vec3 b = rotate(conjugate(q), w);
    Seven y{q.w, q.x, q.y, q.z, b.x, b.y, b.z};
    const auto slope = [&](const Seven& s, Seven& d, long double) {
        const auto [qw, qx, qy, qz, wx, wy, wz] = s;
        d = {-(qx * wx + qy * wy + qz * wz) / 2,
             (qw * wx + qy * wz - qz * wy) / 2,
             (qw * wy + qz * wx - qx * wz) / 2,
             (qw * wz + qx * wy - qy * wx) / 2,
             (inertia.y - inertia.z) / inertia.x * wy * wz,
             (inertia.z - inertia.x) / inertia.y * wz * wx,
             (inertia.x - inertia.y) / inertia.z * wx * wy};
    };
    namespace odeint = boost::numeric::odeint;
    using Stepper = odeint::runge_kutta_fehlberg78<Seven, long double, Seven, long double>;
    odeint::integrate_adaptive(odeint::make_controlled<Stepper>(1e-18L, 1e-18L), slope, y, 0.0L, static_cast<long double>(end), 0.01L);
    const Quat out = unit({static_cast<double>(y[0]), static_cast<double>(y[1]), static_cast<double>(y[2]), static_cast<double>(y[3])});
    return {out, rotate(out, {static_cast<double>(y[4]), static_cast<double>(y[5]), static_cast<double>(y[6])})};
}

double apart(const Quat& a, const Quat& b) {  // rad, nearly
    const Quat d = conjugate(a) * b;
    return 2 * std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

TEST(FreeTop, IsTheSolutionOfEulersEquationsForAnyMomentsAndStart) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> draw;
    for (int n = 0; n < 60; ++n) {
        Vec3 s{std::fabs(draw(random)) + 0.1, std::fabs(draw(random)) + 0.1, std::fabs(draw(random)) + 0.1};
        if (n % 6 == 1) s.y = s.x;
        if (n % 6 == 2) s.z = s.y;
        if (n % 6 == 3) s = {1, 1, 1};
        const Vec3 inertia{s.y + s.z, s.x + s.z, s.x + s.y};
        const Quat q = unit({draw(random), draw(random), draw(random), draw(random)});
        Vec3 b{draw(random), draw(random), draw(random)};
        if (n % 5 == 0) b = {0, 0, b.z};
        if (n % 5 == 1) b.x = b.z = 0;
        if (n % 10 == 2) b.z = 0;
        const Vec3 w = rotate(q, b);
        const double end = 3 + 10 * std::fabs(draw(random));
        const FreeTop::Turned is = FreeTop(inertia, q, w).after(end), wanted = integrated(inertia, q, w, end);
        // what rounding of the start has become: along the middle axis it grows exponentially
        const double grows = n % 5 == 1 ? 1e4 : 1;
        EXPECT_LT(apart(is.q_WB, wanted.q_WB), grows * 1e-13 * (1 + end * norm(w))) << n;
        EXPECT_LT(norm(is.w - wanted.w), grows * 1e-13 * (1 + end * norm(w)) * norm(w)) << n;
    }
}

// 3, 2 and 1 times 1 kg m^2, thrown askew: its spin by Boost's elliptic functions (Landau and Lifshitz 37.10), in body axes.
struct Askew {
    Vec3 inertia{1, 2, 3};
    Vec3 start{0.4, 0, 1};  // rad/s, where sn = 0

    Vec3 after(double t) const {
        const double e2 = inertia.x * start.x * start.x + inertia.z * start.z * start.z,
                     g2 = std::pow(inertia.x * start.x, 2) + std::pow(inertia.z * start.z, 2);
        const double rate = std::sqrt((inertia.z - inertia.y) * (g2 - e2 * inertia.x) / (inertia.x * inertia.y * inertia.z));
        const double k = std::sqrt((inertia.y - inertia.x) * (e2 * inertia.z - g2) / ((inertia.z - inertia.y) * (g2 - e2 * inertia.x)));
        double cn = 0, dn = 0;
        const double sn = boost::math::jacobi_elliptic(k, rate * t, &cn, &dn);
        return {start.x * cn, std::sqrt((e2 * inertia.z - g2) / (inertia.y * (inertia.z - inertia.y))) * sn, start.z * dn};
    }
    double end() const { return 100 * 2 * pi; }  // a hundred turns
};

TEST(FreeTop, AsymmetricTopIsThatOfJacobiAfterAHundredTurns) {
    const Askew top;
    const Quat start = rotation({0.3, -0.7, 0.2});
    const FreeTop::Turned end = FreeTop(top.inertia, start, rotate(start, top.start)).after(top.end());
    EXPECT_LT(norm(rotate(conjugate(end.q_WB), end.w) - top.after(top.end())), 1e-12);
}

// Dzhanibekov: it turns over again and again, by Boost's K.
TEST(FreeTop, FlipsAboutTheIntermediateAxisInTheTimeOfTheTheory) {
    const Vec3 inertia{1, 2, 3};
    const double small = 1e-5;
    const FreeTop top(inertia, {}, {0, 1, small});
    // cn = 0 at the start: from there u advances by 2 K to the other side
    const double e2 = 2 + 3 * small * small, g2 = 4 + 9 * small * small, k2 = (e2 * 3 - g2) / (g2 - e2);
    const double half = boost::math::ellint_1(std::sqrt(k2)) * 2 / std::sqrt((g2 - e2) / 6);
    const auto along_middle = [&](double t) {
        const FreeTop::Turned now = top.after(t);
        return rotate(conjugate(now.q_WB), now.w).y;
    };
    EXPECT_NEAR(along_middle(half), -1, 1e-9);
    EXPECT_NEAR(along_middle(2 * half), 1, 1e-9);
    EXPECT_LT(std::fabs(along_middle(0.5 * half)), 1e-4);
    EXPECT_GT(along_middle(0.25 * half), 0.9);  // for most of the time it seems to turn steadily
}

Scene free_body(const Vec3& inertia, const Vec3& spin) {
    Scene scene;
    model::BodyKind body = ellipsoid({0.3, 0.2, 0.1}, 1);
    body.inertia = inertia;
    scene.world().bodies = rows({body});
    scene.state = state_of({{0, 0, 0}});
    scene.state.bodies.spin = {spin};
    scene.law().stiffness = 1e4;  // of penalty; nothing touches
    return scene;
}

// rad/s in body axes, and the attitude, at the end of a run.
Scene turned(Scene scene, const char* method, double end) {
    Books books(never);
    scene.phase = {.name = "phase 1", .method = method, .integrator = model::Integrator::leapfrog, .tolerance = 1e-14, .step_max = 0.1};
    if (scene.phase.method == "penalty") {
        scene.phase.integrator = model::Integrator::dopri5;
        scene.phase.step_max = never;
    }
    scene.phase.flight_tolerance = 1e-12;
    scene.world().step_budget = 100000000;
    EXPECT_EQ(find_method(method)->carries(model::census_of(scene.model), scene.phase), "");
    EXPECT_FALSE(find_method(method)->make(scene.model, scene.phase)->advance(scene.state, {.time = end}, books).ended);
    return scene;
}

constexpr const char* methods[] = {"impulse", "dvi", "penalty"};

// In closed form, from step to step: a body turns freely where nothing touches it and no torque acts.
TEST(FreeTop, IsThatOfJacobiAfterAHundredTurnsUnderEveryMethod) {
    const Askew top;
    for (const char* method : methods) {
        const Scene end = turned(free_body(top.inertia, top.start), method, top.end());
        const model::Bodies& now = end.state.bodies;
        EXPECT_LT(norm(rotate(conjugate(now.orientation[0]), now.spin[0]) - top.after(top.end())), 1e-12) << method;
        const FreeTop::Turned wanted = FreeTop(top.inertia, {}, top.start).after(top.end());
        EXPECT_LT(apart(now.orientation[0], wanted.q_WB), 2e-12) << method;
    }
}

// The spin of State is relative to the frame: seen from one that turns, the top is the same one.
TEST(FreeTop, IsTheSameInAFrameThatTurnsAndNearACompanion) {
    const Askew top;
    const double rate = 2e-3, end = 300;
    for (const bool has_companion : {false, true})
        for (const char* method : methods) {
            Scene scene = free_body(top.inertia, top.start - Vec3{0, 0, rate});
            gravity::SmallBody field;
            field.target.field = {.kind = gravity::FieldKind::point, .volume = 1e3, .strength = 1e-6};
            field.target.spin_rate = rate;
            field.companion = field.target;
            field.has_companion = has_companion;
            field.orbit = {.semi_major_axis = 400, .mean_motion = 1e-4};
            scene.world().environment.field = field;
            scene.state.bodies.position = {{80, 5, 3}};
            const Scene now = turned(scene, method, end);
            const Quat to_inertial = rotation({0, 0, rate * end});
            const Quat q = to_inertial * now.state.bodies.orientation[0];
            const Vec3 spin = rotate(to_inertial, now.state.bodies.spin[0] + Vec3{0, 0, rate});
            const FreeTop::Turned wanted = FreeTop(top.inertia, {}, top.start).after(end);
            EXPECT_LT(apart(q, wanted.q_WB), 1e-9) << method << has_companion;
            EXPECT_LT(norm(spin - wanted.w), 1e-9) << method << has_companion;
        }
}

}  // namespace
}  // namespace asperity::dynamics::free_top_test
