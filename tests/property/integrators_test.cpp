// Every integrator: measured order against declared order, on three problems. A new integrator is tested by being listed in `Integrators`.
#include <boost/numeric/odeint.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "asperity/numerics/runge_kutta.h"

namespace asperity::numerics::test::integrators_test {
namespace {

struct Motion {
    Vec3 p;
    Vec3 v;
};
using Force = std::function<Vec3(const Vec3& p, const Vec3& v)>;

struct Problem {
    Force acceleration;
    Motion start;
    double duration = 0;
    int fewest_steps = 0;
    bool depends_on_velocity = false;
};

template <class Method>
struct RungeKuttaSteps {
    static int declared_order(const Problem&) { return Method::order; }
    static Motion run(const Problem& problem, int steps) {
        const auto rhs = [&](const Vector<6>& y) {
            Vector<6> rate;
            rate.set_three(0, y.three(3));
            rate.set_three(3, problem.acceleration(y.three(0), y.three(3)));
            return rate;
        };
        Vector<6> y;
        y.set_three(0, problem.start.p);
        y.set_three(3, problem.start.v);
        for (int k = 0; k < steps; ++k) y = Method::step(rhs, y, rhs(y), problem.duration / steps).y1;
        return {y.three(0), y.three(3)};
    }
};

// A Kepler orbit, semi-major axis 1, eccentricity 0.3, over half a turn: velocities and place are known there.
Problem smooth() {
    return {.acceleration = [](const Vec3& p, const Vec3&) { return -1.0 / std::pow(norm(p), 3) * p; },
            .start = {{0.7, 0, 0}, {0, std::sqrt(1.3 / 0.7), 0}},
            .duration = M_PI,
            .fewest_steps = 60};
}
Motion smooth_end() { return {{-1.3, 0, 0}, {0, -std::sqrt(0.7 / 1.3), 0}}; }

// v' = W x v - k v: a spiral.
constexpr double turning = 1.3, drag = 0.4, spiral_time = 2.0;
Problem velocity_dependent() {
    return {.acceleration =
                [](const Vec3&, const Vec3& v) {
                    return cross(Vec3{0, 0, turning}, v) - drag * v;
                },
            .start = {{}, {1, 0, 0.5}},
            .duration = spiral_time,
            .fewest_steps = 20,
            .depends_on_velocity = true};
}
Motion spiral_end() {
    const double fade = std::exp(-drag * spiral_time), c = std::cos(turning * spiral_time), s = std::sin(turning * spiral_time);
    const double size = turning * turning + drag * drag;  // the integral of exp((i W - k) t)
    const double x = (drag - drag * fade * c + turning * fade * s) / size, y = (turning - turning * fade * c - drag * fade * s) / size;
    return {{x, y, 0.5 * (1 - fade) / drag}, {fade * c, fade * s, 0.5 * fade}};
}

// Inside a Hertz contact with Hunt-Crossley damping, before the deepest point: F = k d^(3/2) (1 + c d'), d = -z. The order is looked at
// inside, and the start is inside too: d^(3/2) is not smooth where the touch begins. A rebound speed would hide the loss of order.
constexpr double stiffness = 100, damping = 0.8;
double hertz(double z, double vz) { return stiffness * std::pow(-z, 1.5) * (1 - damping * vz); }
Problem damped_contact() {
    return {.acceleration =
                [](const Vec3& p, const Vec3& v) {
                    return Vec3{0, 0, hertz(p.z, v.z)};
                },
            .start = {{0, 0, -0.05}, {0, 0, -1}},
            .duration = 0.15,
            .fewest_steps = 20,
            .depends_on_velocity = true};
}
Motion damped_contact_end() {  // by another hand: Boost's order 7(8), to 1e-15
    using Flat = std::array<double, 2>;
    Flat y{-0.05, -1};
    namespace odeint = boost::numeric::odeint;
    odeint::integrate_adaptive(
        odeint::make_controlled(1e-15, 1e-15, odeint::runge_kutta_fehlberg78<Flat>()),
        [](const Flat& at, Flat& out, double) {
            out = {at[1], hertz(at[0], at[1])};
        },
        y, 0.0, 0.15, 1e-4);
    return {{0, 0, y[0]}, {0, 0, y[1]}};
}

template <class Integrator>
void expect_declared_order(const Problem& problem, const Motion& end) {
    const auto error = [&](int steps) {
        const Motion got = Integrator::run(problem, steps);
        return norm(got.p - end.p) + norm(got.v - end.v);
    };
    double last = error(problem.fewest_steps);
    for (int steps = 2 * problem.fewest_steps; steps <= 8 * problem.fewest_steps; steps *= 2) {
        const double now = error(steps);
        if (now < 1e-13) break;  // rounding
        EXPECT_NEAR(std::log2(last / now), Integrator::declared_order(problem), 0.2) << steps << " steps, error " << now;
        last = now;
    }
    EXPECT_LT(last, 0.03);
}

template <class Integrator>
class EveryIntegrator : public testing::Test {};
using Integrators = testing::Types<RungeKuttaSteps<Dopri5>, RungeKuttaSteps<Rk4>>;
TYPED_TEST_SUITE(EveryIntegrator, Integrators);

TYPED_TEST(EveryIntegrator, HasItsDeclaredOrderOnASmoothForce) { expect_declared_order<TypeParam>(smooth(), smooth_end()); }

TYPED_TEST(EveryIntegrator, HasItsDeclaredOrderOnAForceThatDependsOnVelocity) {
    expect_declared_order<TypeParam>(velocity_dependent(), spiral_end());
}

TYPED_TEST(EveryIntegrator, HasItsDeclaredOrderInsideADampedContact) {
    expect_declared_order<TypeParam>(damped_contact(), damped_contact_end());
}

}  // namespace
}  // namespace asperity::numerics::test::integrators_test
