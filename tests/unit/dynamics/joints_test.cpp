// Joints, motors, limits, springs, dampers and loads, against closed forms and motions integrated by Boost.Odeint.
#include <boost/numeric/odeint.hpp>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

#include "asperity/contact/detector.h"
#include "asperity/core/parallel.h"
#include "unit/dynamics/joint_scene.h"

namespace asperity::dynamics::joints_test {
namespace {

using model::ground;
using model::JointKind;

const model::BodyKind bar = ellipsoid({0.5, 0.1, 0.2}, 3);

// Integrated to 1e-13 by the method of Dormand and Prince of Boost.
template <std::size_t N, class Slope>
std::array<double, N> integrated(std::array<double, N> y, double end, const Slope& slope) {
    namespace odeint = boost::numeric::odeint;
    odeint::integrate_adaptive(
        odeint::make_controlled<odeint::runge_kutta_dopri5<std::array<double, N>>>(1e-13, 1e-13),
        [&](const std::array<double, N>& x, std::array<double, N>& dx, double t) { slope(x, dx, t); }, y, 0.0, end, 1e-3);
    return y;
}

// How an error falls with the step, between two steps.
double order_of(double coarse, double fine, double ratio) { return std::log(std::fabs(coarse / fine)) / std::log(ratio); }

TEST(Joints, APendulumOnAHingeMovesAsTheIntegratedOneToSecondOrder) {
    const double g = 9.81, l = 0.5, amplitude = 2, end = 5;
    const double moment = bar.inertia.y + bar.mass * l * l;
    const auto exact = integrated<2>({amplitude, 0}, end, [&](const auto& x, auto& dx, double) {
        dx = {x[1], -bar.mass * g * l / moment * std::sin(x[0])};
    });
    double last = 0;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
        JointScene scene({0, 0, -g});
        scene.add(bar, {l * std::sin(amplitude), 0, -l * std::cos(amplitude)});
        scene.join(JointKind::hinge, 0, ground, {}, {0, 1, 0});
        scene.go(h, end);
        const double turned = scene.signal(model::SignalKind::joint_angle, 0), error = -turned - (exact[0] - amplitude);
        EXPECT_LT(std::fabs(error), 200 * h * h) << h;
        EXPECT_LT(scene.opening(), 1e-14);
        EXPECT_LT(std::fabs(scene.ledger_error()), 1e-11 * bar.mass * g * l);
        EXPECT_LT(std::fabs(scene.state.tallies.heat_impact[0]), 10 * h * h * g * l) << h;
        // at the lowest place: its weight, and what holds it on its circle
        const double fastest2 = 2 * bar.mass * g * l * (1 - std::cos(amplitude)) / moment;
        EXPECT_NEAR(scene.state.forces.most_joint.at(0), bar.mass * (g + fastest2 * l), 100 * h * bar.mass * g) << h;
        if (last != 0) {
            EXPECT_NEAR(order_of(last, error, 2), 2, 0.1);
        }
        last = error;
    }
}

// Planar double pendulum of two bars; angles from the vertical, Lagrange's equations.
TEST(Joints, ADoublePendulumMovesAsTheIntegratedOneToSecondOrder) {
    const double g = 9.81, l = 0.5, end = 2, m = bar.mass, moment = bar.inertia.y;
    const auto exact = integrated<4>({1.2, 0.4, 0, 0}, end, [&](const auto& x, auto& dx, double) {
        const double c = std::cos(x[0] - x[1]), s = std::sin(x[0] - x[1]);
        const double a11 = moment + m * l * l + m * 4 * l * l, a22 = moment + m * l * l, a12 = m * 2 * l * l * c;
        const double b1 = -m * 2 * l * l * s * x[3] * x[3] - (m * l + 2 * m * l) * g * std::sin(x[0]);
        const double b2 = m * 2 * l * l * s * x[2] * x[2] - m * g * l * std::sin(x[1]);
        const double det = a11 * a22 - a12 * a12;
        dx = {x[2], x[3], (b1 * a22 - b2 * a12) / det, (b2 * a11 - b1 * a12) / det};
    });
    double last = 0;
    for (const double h : {2e-3, 1e-3, 5e-4}) {
        JointScene scene({0, 0, -g});
        const Vec3 first{std::sin(1.2), 0, -std::cos(1.2)}, second{std::sin(0.4), 0, -std::cos(0.4)};
        scene.add(bar, l * first);
        scene.add(bar, 2 * l * first + l * second);
        scene.join(JointKind::hinge, 0, ground, {}, {0, 1, 0});
        scene.join(JointKind::hinge, 1, 0, 2 * l * first, {0, 1, 0});
        scene.go(h, end);
        const Vec3 tip = scene.state.bodies.position[1];
        const Vec3 wanted{2 * l * std::sin(exact[0]) + l * std::sin(exact[1]), 0, -2 * l * std::cos(exact[0]) - l * std::cos(exact[1])};
        const double error = norm(tip - wanted);
        EXPECT_LT(scene.opening(), 1e-13);
        EXPECT_LT(std::fabs(scene.ledger_error()), 1e-10 * m * g * l);
        if (last != 0) {
            EXPECT_NEAR(order_of(last, error, 2), 2, 0.15) << h;
        }
        last = error;
    }
    EXPECT_LT(last, 1e-4);
}

// Two bodies tumble in space, with a ball joint, and with a hinge: nothing changes momentum.
TEST(Joints, AnIsolatedPairKeepsItsMomentaToRounding) {
    for (const JointKind kind :
         {JointKind::ball, JointKind::hinge, JointKind::weld, JointKind::slider, JointKind::cylindrical, JointKind::screw}) {
        JointScene scene;
        scene.add(bar, {0.5, 0.1, 0}, {0.3, -0.1, 0.2}, {1, 2, -0.5});
        scene.add(ellipsoid({0.2, 0.3, 0.25}, 1.5), {-0.3, 0, 0.1}, {-0.2, 0.4, 0.1}, {-1, 0.7, 3});
        scene.join(kind, 0, 1, {0.1, 0.05, 0}, {0.3, 0.2, 1}).pitch = 0.05;
        const JointMomenta before = momenta_of(scene);
        scene.go(2e-3, 10);
        const JointMomenta after = momenta_of(scene);
        EXPECT_LT(norm(after.linear - before.linear), 1e-13) << static_cast<int>(kind);
        EXPECT_LT(norm(after.angular - before.angular), 1e-13 * 1e2) << static_cast<int>(kind);
        EXPECT_LT(scene.opening(), 1e-14) << static_cast<int>(kind);
        EXPECT_LT(std::fabs(scene.ledger_error()), 4e-6 * scene.energy()) << static_cast<int>(kind);  // h^2: of the free turning
    }
}

// After the velocities of the start have come to suit the joint, energy stays: what steps take or give falls with their square.
TEST(Joints, WhatStepsDoToTheEnergyFallsWithTheirSquare) {
    double last = 0;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
        JointScene scene;
        scene.add(bar, {0.5, 0.1, 0}, {}, {1, 2, -0.5});
        scene.add(ellipsoid({0.2, 0.3, 0.25}, 1.5), {-0.3, 0, 0.1}, {}, {-1, 0.7, 3});
        scene.join(JointKind::ball, 0, 1, {0.1, 0.05, 0});
        scene.go(h, h);
        const double start = scene.energy();
        JointScene on = scene;
        on.go(h, 4);
        const double change = std::fabs(on.energy() - start) / start;
        EXPECT_LT(change, 2e3 * h * h) << h;
        if (last > 0) {
            EXPECT_GT(order_of(last, change, 2), 1.5) << h;
        }
        last = change;
    }
}

// What welds the second body on gives it its part of the push: m_b F / (m_a + m_b), and what turns it.
TEST(Joints, AWeldTellsTheForceThatCarriesTheSecondBody) {
    const Vec3 g{0, 0, -3}, push{2, -1, 4};
    JointScene scene(g);
    scene.add(ellipsoid({0.2, 0.2, 0.2}, 3), {});
    scene.add(ellipsoid({0.3, 0.2, 0.1}, 2), {1, 0, 0});
    scene.join(JointKind::weld, 1, 0, {0.5, 0, 0});
    const Vec3 centre{0.4, 0, 0};  // of mass of both
    scene.load({.body = 0, .at = centre, .force = push});
    scene.name("held", model::SignalKind::joint_force, 0);
    scene.go(1e-2, 1);
    EXPECT_LT(norm(scene.state.forces.joint[0] - 0.4 * push), 1e-12);
    EXPECT_LT(norm(scene.state.forces.joint_torque[0] - cross(Vec3{0.5, 0, 0}, 0.4 * push)), 1e-12);
    EXPECT_LT(norm(scene.state.bodies.velocity[1] - (push / 5 + g)), 1e-12);
    EXPECT_LT(norm(scene.state.bodies.spin[1]), 1e-13);
    EXPECT_NEAR(scene.signal(model::SignalKind::joint_force, 0), 0.4 * norm(push), 1e-12);
}

// A crank of 0.3 m turns a rod of 1 m, whose end slides on the x axis: x = r cos a + sqrt(l^2 - r^2 sin^2 a). Energy of all three bodies is
// that of the start, which gives the rate of the crank at any angle in closed form.
TEST(Joints, ASliderCrankHasItsClosedFormAndItsEnergy) {
    const double r = 0.3, l = 1, rate = 3, end = 3;
    const model::BodyKind crank = ellipsoid({0.15, 0.05, 0.05}, 1), rod = ellipsoid({0.5, 0.05, 0.05}, 2),
                          block = ellipsoid({0.1, 0.1, 0.1}, 3);
    const auto energy = [&](double a, double w) {  // planar: places and speeds by the angle
        const double b = std::asin(r * std::sin(a) / l), wb = r * std::cos(a) * w / (l * std::cos(b));
        const double v = -r * std::sin(a) * w - l * std::sin(b) * wb;
        const Vec3 of_rod{-r * std::sin(a) * w - 0.5 * l * std::sin(b) * wb, 0, 0.5 * l * std::cos(b) * wb};  // of its middle: x, z
        return 0.5 * (crank.inertia.y + crank.mass * 0.25 * r * r) * w * w + 0.5 * rod.inertia.y * wb * wb +
               0.5 * rod.mass * squared_norm(of_rod) + 0.5 * block.mass * v * v;
    };
    double last = 0;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
        JointScene scene;
        scene.add(crank, {0.5 * r, 0, 0}, {0, 0, 0.5 * r * rate}, {0, -rate, 0});
        scene.add(rod, {r + 0.5 * l, 0, 0}, {0, 0, 0.5 * r * rate}, {0, r * rate / l, 0});
        scene.add(block, {r + l, 0, 0});
        scene.join(JointKind::hinge, 0, ground, {}, {0, 1, 0});
        scene.join(JointKind::hinge, 1, 0, {r, 0, 0}, {0, 1, 0});
        scene.join(JointKind::hinge, 2, 1, {r + l, 0, 0}, {0, 1, 0});
        scene.join(JointKind::slider, 2, ground, {r + l, 0, 0}, {1, 0, 0});
        const double start = scene.energy();
        scene.go(h, end);
        const double a = -scene.signal(model::SignalKind::joint_angle, 0), w = -scene.state.bodies.spin[0].y;
        EXPECT_NEAR(scene.state.bodies.position[2].x, r * std::cos(a) + std::sqrt(l * l - r * r * std::sin(a) * std::sin(a)), 1e-13);
        EXPECT_NEAR(scene.signal(model::SignalKind::joint_travel, 3), scene.state.bodies.position[2].x - (r + l), 1e-13);
        EXPECT_LT(scene.opening(), 1e-13);
        EXPECT_NEAR(energy(a, w), start, 40 * h * h * start) << h;
        EXPECT_LT(std::fabs(scene.ledger_error()), 1e-12 * start);
        const double error = energy(a, w) - start;
        if (last != 0) {
            EXPECT_GT(order_of(last, error, 2), 1.5) << h;
        }
        last = error;
    }
}

// Four bars of one plane on four hinges: 20 rows hold 17 of 18 motions, so that three say what others say. The angles close the loop, and
// the pendulum has the energy of its start; with equal bars it is a parallelogram, whose motion is that of a pendulum of all three bars.
TEST(Joints, AClosedLoopOfFourHingesSwingsAsAPendulum) {
    const double g = 9.81, end = 3, a0 = 0.8;
    const model::BodyKind link = ellipsoid({0.1, 0.1, 0.5}, 2), coupler = ellipsoid({0.5, 0.1, 0.1}, 3);
    const double moment = 2 * (link.inertia.y + link.mass * 0.25) + coupler.mass, weight = (2 * link.mass * 0.5 + coupler.mass) * g;
    const auto exact = integrated<2>({a0, 0}, end, [&](const auto& x, auto& dx, double) {
        dx = {x[1], -weight / moment * std::sin(x[0])};
    });
    double last = 0;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
        JointScene scene({0, 0, -g});
        const Vec3 down{std::sin(a0), 0, -std::cos(a0)}, across{1.2, 0, 0};
        scene.add(link, 0.5 * down);
        scene.add(link, across + 0.5 * down);
        scene.add(coupler, 0.5 * across + down);
        scene.join(JointKind::hinge, 0, ground, {}, {0, 1, 0});
        scene.join(JointKind::hinge, 1, ground, across, {0, 1, 0});
        scene.join(JointKind::hinge, 2, 0, down, {0, 1, 0});
        scene.join(JointKind::hinge, 2, 1, across + down, {0, 1, 0});
        scene.go(h, end);
        const Vec3 p = scene.state.bodies.position[2] - 0.5 * across;
        const double error = norm(p - Vec3{std::sin(exact[0]), 0, -std::cos(exact[0])});
        EXPECT_LT(scene.opening(), 1e-13);
        EXPECT_LT(norm(scene.state.bodies.spin[2]), 20 * h * h * h);  // the next step takes that out first
        EXPECT_LT(std::fabs(scene.ledger_error()), 1e-11 * weight);
        if (last != 0) {
            EXPECT_NEAR(order_of(last, error, 2), 2, 0.15) << h;
        }
        last = error;
    }
    EXPECT_LT(last, 1e-4);
}

// RSSR: a crank and a rocker on hinges of askew axes, and a coupler on two balls between their ends. One angle tells all places, so that
// the energy of the start is an equation of first order for it; the coupler does not turn about its own axis, about which nothing acts.
struct Rssr {
    Vec3 crank_axis{0, 0, 1}, crank_end{0.3, 0, 0}, rocker_foot{1, 0, 0.2}, rocker_axis{0.6, 0.8, 0}, rocker_end{0, 0, 0.8};
    double g = 9.81;
    model::BodyKind crank = model::sphere_kind(0.1, 2), rocker = model::sphere_kind(0.2, 1), coupler = ellipsoid({0.05, 0.05, 0.6}, 2);

    struct At {
        Vec3 a, b;          // m, ends of the coupler
        Vec3 va, vb;        // m/s for a rate of the crank of one
        double turned = 0;  // of the rocker
        double inertia = 0, potential = 0;
    };
    // near: a turn of the rocker from which its own is found.
    At at(double angle, double near) const {
        const double length2 = squared_norm(rocker_foot + rocker_end - crank_end);
        At out{.a = rotate(rotation(angle * crank_axis), crank_end), .turned = near};
        for (int k = 0; k < 30; ++k) {
            out.b = rocker_foot + rotate(rotation(out.turned * rocker_axis), rocker_end);
            const Vec3 d = out.b - out.a;
            out.turned -= (squared_norm(d) - length2) / (2 * dot(d, cross(rocker_axis, out.b - rocker_foot)));
        }
        const Vec3 d = out.b - out.a, along = cross(rocker_axis, out.b - rocker_foot);
        out.va = cross(crank_axis, out.a);
        const double rate = dot(d, out.va) / dot(d, along);
        out.vb = rate * along;
        out.inertia = crank.inertia.x + 0.25 * crank.mass * squared_norm(crank_end) +
                      (rocker.inertia.x + 0.25 * rocker.mass * squared_norm(rocker_end)) * rate * rate +
                      0.25 * coupler.mass * squared_norm(out.va + out.vb) + coupler.inertia.x * squared_norm(out.vb - out.va) / length2;
        out.potential = g * (0.5 * rocker.mass * (out.b.z + rocker_foot.z) + 0.5 * coupler.mass * (out.a.z + out.b.z));
        return out;
    }
};

TEST(Joints, ASpatialLoopOfHingesAndBallsMovesAsTheIntegratedOneToSecondOrder) {
    const Rssr loop;
    const double rate = 4, end = 1.5;
    const Rssr::At start = loop.at(0, 0);
    const double energy = 0.5 * start.inertia * rate * rate + start.potential;
    double near = 0;
    const double angle = integrated<1>({0}, end, [&](const auto& x, auto& dx, double) {
        const Rssr::At at = loop.at(x[0], near);
        near = at.turned;
        dx = {std::sqrt(2 * (energy - at.potential) / at.inertia)};
    })[0];
    EXPECT_GT(angle, 3);
    const Rssr::At exact = loop.at(angle, near);
    const auto error = [&](const char* method, double h) {
        JointScene scene({0, 0, -loop.g});
        const Vec3 d = start.b - start.a;
        scene.add(loop.crank, 0.5 * start.a, 0.5 * rate * start.va, rate * loop.crank_axis);
        const double of_rocker = dot(start.vb, cross(loop.rocker_axis, loop.rocker_end)) / squared_norm(loop.rocker_end);
        scene.add(loop.rocker, 0.5 * (start.b + loop.rocker_foot), 0.5 * rate * start.vb, rate * of_rocker * loop.rocker_axis);
        scene.add(loop.coupler, 0.5 * (start.a + start.b), 0.5 * rate * (start.va + start.vb),
                  rate * cross(d, start.vb - start.va) / squared_norm(d));
        scene.state.bodies.orientation[2] = from_z(d);
        scene.join(JointKind::hinge, 0, ground, {}, loop.crank_axis);
        scene.join(JointKind::hinge, 1, ground, loop.rocker_foot, loop.rocker_axis);
        scene.join(JointKind::ball, 2, 0, start.a);
        scene.join(JointKind::ball, 2, 1, start.b);
        scene.phase.method = method;
        if (scene.phase.method == "penalty") {
            scene.law().stiffness = 1e4;
            scene.phase.integrator = model::Integrator::rk4;
        }
        EXPECT_NEAR(scene.energy(), energy, 1e-12 * energy);
        scene.go(h, end);
        EXPECT_LT(scene.opening(), 1e-12);
        const Vec3 a = rotate(scene.state.bodies.orientation[0], loop.crank_end);
        const Vec3 b = loop.rocker_foot + rotate(scene.state.bodies.orientation[1], loop.rocker_end);
        return norm(a - exact.a) + norm(b - exact.b);
    };
    for (const char* method : {"impulse", "dvi"}) {
        const double coarse = error(method, 4e-3), fine = error(method, 1e-3);
        EXPECT_NEAR(order_of(coarse, fine, 4), 2, 0.15) << method;
        EXPECT_LT(fine, 1e-4) << method;
    }
    EXPECT_LT(error("penalty", 2e-3), 1e-8);
}

// A door on three hinges of one line, which hold 15 of 5 motions: each bears a third of the weight, together they bear its moment and turn
// it.
TEST(Joints, WhatIsHeldTwiceIsShared) {
    const double g = 9.81, l = 0.4, rate = 2;
    const model::BodyKind door = ellipsoid({l, 0.02, 0.9}, 20);
    JointScene scene({0, 0, -g});
    scene.add(door, {l, 0, 0}, {0, l * rate, 0}, {0, 0, rate});
    for (const double z : {-0.7, 0.0, 0.7}) scene.join(JointKind::hinge, 0, ground, {0, 0, z}, {0, 0, 1});
    scene.name("held", model::SignalKind::joint_force, 0);
    scene.go(1e-3, 1);
    Vec3 force, torque;
    const Vec3 centre = scene.state.bodies.position[0], out = unit(centre);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& f = scene.state.forces.joint[k];
        EXPECT_NEAR(f.z, door.mass * g / 3, 1e-7 * door.mass * g);  // 1e-8 is the part of a proximal step
        force += f;
        torque += scene.state.forces.joint_torque[k] + cross(Vec3{0, 0, 0.7 * (static_cast<double>(k) - 1)} - centre, f);
    }
    // forces are those of the middle of the step, places those of its end, half a step of the turn from there
    const double turned = 1e-3 * rate;
    EXPECT_LT(norm(force - Vec3{0, 0, door.mass * g} + door.mass * l * rate * rate * out), turned * door.mass * l * rate * rate);
    EXPECT_LT(norm(torque), turned * door.mass * g * l);
    EXPECT_NEAR(scene.signal(model::SignalKind::joint_angle, 0), rate, 1e-5);
    EXPECT_LT(scene.opening(), 1e-14);
}

// A chain of many links on ball joints hangs still as it was put, and each joint tells the weight below it.
TEST(Joints, AChainThatHangsTellsTheWeightBelowEachJoint) {
    constexpr std::size_t links = 60;
    const double g = 2;
    JointScene scene({0, 0, -g});
    for (std::size_t i = 0; i < links; ++i) scene.add(ellipsoid({0.05, 0.05, 0.1}, 0.5), {0, 0, -0.1 - 0.2 * static_cast<double>(i)});
    for (std::size_t i = 0; i < links; ++i)
        scene.join(JointKind::ball, static_cast<std::int32_t>(i), static_cast<std::int32_t>(i) - 1, {0, 0, -0.2 * static_cast<double>(i)});
    scene.name("held", model::SignalKind::joint_force, 0);
    scene.go(1e-2, 1);
    for (std::size_t i = 0; i < links; ++i) EXPECT_NEAR(scene.state.forces.joint[i].z, 0.5 * g * static_cast<double>(links - i), 1e-9);
    EXPECT_LT(norm(scene.state.bodies.velocity[links - 1]), 1e-12);
}

// A nut of moment I and mass m on an upright screw of p metres a radian falls with g / (1 + I / (m p^2)).
TEST(Joints, AScrewTurnsAsItTravels) {
    const double g = 3, p = 0.02, end = 2;
    for (const double hand : {1.0, -1.0}) {
        JointScene scene({0, 0, -g});
        scene.add(ellipsoid({0.1, 0.1, 0.05}, 2), {0, 0, 1});
        scene.join(JointKind::screw, 0, ground, {0, 0, 1}).pitch = hand * p;
        const double a = g / (1 + scene.world().bodies[0].inertia.z / (2 * p * p));
        scene.go(1e-2, end);
        EXPECT_NEAR(scene.state.bodies.position[0].z, 1 - 0.5 * a * end * end, 1e-12);
        EXPECT_NEAR(scene.state.bodies.velocity[0].z, -a * end, 1e-12);
        EXPECT_NEAR(scene.signal(model::SignalKind::joint_angle, 0), -0.5 * a * end * end / (hand * p), 1e-10);
        EXPECT_GT(std::fabs(scene.signal(model::SignalKind::joint_angle, 0)), 2 * pi);  // whole turns count
        EXPECT_LT(std::fabs(scene.ledger_error()), 1e-12);
    }
}

// With at most a torque T it speeds up by T / I, until it has the rate; the work of the motor is the energy of the wheel.
TEST(Joints, AMotorComesToItsRateWithItsLargestTorque) {
    const double moment = bar.inertia.z, most = 0.5, rate = 2, reached = rate * moment / most;
    for (const double part : {0.6, 3.0}) {
        JointScene scene;
        scene.add(bar, {0, 0, 0});
        scene.join(JointKind::hinge, 0, ground, {}).motor = {{.rate = rate, .effort = most}};
        scene.name("driven", model::SignalKind::joint_torque, 0);
        const double h = reached / 1000;
        scene.go(h, part * reached);
        const double wanted = part < 1 ? part * rate : rate;
        EXPECT_NEAR(scene.state.bodies.spin[0].z, wanted, 1e-12);
        EXPECT_NEAR(bar.mass * scene.state.tallies.work[0], 0.5 * moment * wanted * wanted, 1e-12);
        EXPECT_NEAR(scene.signal(model::SignalKind::joint_torque, 0), part < 1 ? most : 0, 1e-12);
    }
}

// A motor that gives a torque between two free bodies turns them against each other: work is their energy, momentum stays nothing.
TEST(Joints, AMotorWithATorqueTurnsTwoBodiesAgainstEachOther) {
    JointScene scene;
    scene.add(bar, {0, 0, 0.1});
    scene.add(ellipsoid({0.3, 0.3, 0.1}, 2), {0, 0, -0.1});
    scene.join(JointKind::hinge, 0, 1, {}).motor = {{.is_of_turn = true, .rate = {}, .effort = 0.3}};
    scene.go(1e-2, 2);
    const double own = bar.inertia.z, other = scene.world().bodies[1].inertia.z;
    EXPECT_NEAR(scene.state.bodies.spin[0].z, 0.3 * 2 / own, 1e-11);
    EXPECT_NEAR(scene.state.bodies.spin[1].z, -0.3 * 2 / other, 1e-11);
    EXPECT_LT(norm(momenta_of(scene).angular), 1e-14);
    EXPECT_LT(std::fabs(scene.ledger_error()), 1e-12);
}

// m x'' + c x' + k x = 0 from rest at x0: x0 e^(-b t) (cos w t + b / w sin w t). A stiff damper is stable too: it is implicit.
TEST(Joints, ASpringAndADamperSwingAsTheClosedForm) {
    const double m = 2, k = 50, c = 3, x0 = 0.1, end = 2, b = c / (2 * m), w = std::sqrt(k / m - b * b);
    const double exact = x0 * std::exp(-b * end) * (std::cos(w * end) + b / w * std::sin(w * end));
    double last = 0;
    for (const double h : {1e-2, 5e-3, 2.5e-3}) {
        JointScene scene;
        scene.add(ellipsoid({0.1, 0.1, 0.1}, m), {x0, 0, 0});
        model::Joint& joint = scene.join(JointKind::slider, 0, ground, {}, {1, 0, 0});
        joint.travel = {.stiffness = k, .rest = -x0, .damping = c};
        scene.go(h, end);
        const double error = scene.state.bodies.position[0].x - exact;
        EXPECT_LT(std::fabs(error), 10 * x0 * h * h);
        EXPECT_LT(std::fabs(scene.ledger_error()), 10 * h * h * 0.5 * k * x0 * x0);
        EXPECT_GT(m * scene.state.tallies.heat_friction[0], 0.9 * 0.5 * k * x0 * x0);
        if (last != 0) {
            EXPECT_NEAR(order_of(last, error, 2), 2, 0.2) << h;
        }
        last = error;
    }
    JointScene stiff;
    stiff.add(ellipsoid({0.1, 0.1, 0.1}, m), {}, {1, 0, 0});
    stiff.join(JointKind::slider, 0, ground, {}, {1, 0, 0}).travel = {.damping = 1e6};
    stiff.go(1e-2, 1);
    EXPECT_LT(std::fabs(stiff.state.bodies.velocity[0].x), 1);
    EXPECT_NEAR(stiff.state.tallies.heat_friction[0] + 0.5 * squared_norm(stiff.state.bodies.velocity[0]), 0.5, 1e-12);
}

// A pendulum falls onto its stop, stays there, and the stop bears the torque of its weight.
TEST(Joints, ALimitStopsWithoutABounceAndBearsWhatPresses) {
    const double g = 5, l = 0.4;
    JointScene scene({0, 0, -g});
    scene.add(bar, {l, 0, 0});
    scene.join(JointKind::hinge, 0, ground, {}, {0, 1, 0}).turn.most = 0.5;  // about y: downwards
    scene.name("held", model::SignalKind::joint_torque, 0);
    const model::Outcome outcome = scene.go(1e-3, 5);
    EXPECT_EQ(outcome.kind, model::OutcomeKind::rest);
    const double angle = scene.signal(model::SignalKind::joint_angle, 0);
    EXPECT_NEAR(angle, 0.5, 1e-5);
    EXPECT_GE(angle, 0.5);
    EXPECT_NEAR(scene.signal(model::SignalKind::joint_torque, 0), bar.mass * g * l * std::cos(0.5), 1e-3);
    EXPECT_NEAR(bar.mass * scene.state.tallies.heat_impact[0], bar.mass * g * l * std::sin(0.5), 1e-3);
    EXPECT_LT(std::fabs(scene.ledger_error()), 1e-12);
}

// A light foot under a heavy body stands on the ground: contact and joint carry the weight, at once and without creeping.
void expect_to_stand(const char* method, model::ConeSolver solver) {
    for (const double mass : {1.0, 1000.0}) {
        const double g = 3;
        JointScene scene({0, 0, -g});
        scene.phase.method = method;
        scene.phase.solver = solver;
        scene.phase.tolerance = 1e-10;
        scene.world().ground = {{.shape = model::HalfSpace{}}};
        scene.law() = {.friction = 0.5};
        scene.add(model::sphere_kind(0.1, 0.1), {0, 0, 0.1});
        scene.add(model::sphere_kind(0.2, mass), {0, 0, 0.4});
        scene.join(JointKind::weld, 1, 0, {0, 0, 0.2});
        scene.name("force", model::SignalKind::contact_force, 0);
        scene.name("held", model::SignalKind::joint_force, 0);
        scene.go(1e-3, 0.05);
        EXPECT_NEAR(scene.signal(model::SignalKind::contact_force, 0), (mass + 0.1) * g, 1e-8 * mass) << mass;
        EXPECT_NEAR(scene.signal(model::SignalKind::joint_force, 0), mass * g, 1e-8 * mass) << mass;
        EXPECT_LT(norm(scene.state.bodies.velocity[1]), 1e-10) << mass;
        EXPECT_NEAR(scene.state.bodies.position[1].z, 0.4, 1e-5) << mass;
    }
}
TEST(Joints, AHeavyBodyStandsOnALightFoot) {
    expect_to_stand("impulse", {});
    for (const model::ConeSolver solver : {model::ConeSolver::accelerated, model::ConeSolver::gauss_seidel, model::ConeSolver::jacobi})
        expect_to_stand("dvi", solver);
}

// It falls onto its foot: the overlap of the impact is taken out by the motion of both, and what fell is heat.
TEST(Joints, AHeavyBodyLandsOnALightFoot) {
    for (const char* method : {"impulse", "dvi"}) {
        JointScene scene({0, 0, -3});
        scene.phase.method = method;
        scene.world().ground = {{.shape = model::HalfSpace{}}};
        scene.law() = {.friction = 0.5};
        scene.add(model::sphere_kind(0.1, 0.1), {0, 0, 0.2});
        scene.add(model::sphere_kind(0.2, 1000), {0, 0, 0.5});
        scene.join(JointKind::weld, 1, 0, {0, 0, 0.3});
        const double h = 1e-3;
        scene.go(h, 0.5);
        EXPECT_NEAR(scene.state.bodies.position[0].z, 0.1, 10 * 3 * h * h) << method;
        EXPECT_LT(norm(scene.state.bodies.velocity[1]), 1e-9) << method;
        const model::Tallies& t = scene.state.tallies;
        EXPECT_NEAR(0.1 * t.heat_impact[0] + 1000 * t.heat_impact[1], 1000.1 * 3 * 0.1, 1000.1 * 3 * 4 * h) << method;
        EXPECT_LT(std::fabs(scene.ledger_error()), 1e-9) << method;
    }
}

// Three legs on hinges that a motor holds with all its torque, on rough ground: under both methods the same, momentum of forces and all.
TEST(Joints, AStoolWithMotorsStandsAlikeUnderImpulseAndDvi) {
    std::array<Vec3, 2> where;
    for (std::size_t k = 0; k < 2; ++k) {
        JointScene scene({0, 0, -2});
        scene.phase.method = k == 0 ? "impulse" : "dvi";
        scene.phase.tolerance = 1e-8;
        scene.world().ground = {{.shape = model::HalfSpace{}}};
        scene.law() = {.friction = 0.8};
        scene.add(model::sphere_kind(0.2, 5), {0, 0, 0.5});
        for (int leg = 0; leg < 3; ++leg)
            scene.add(model::sphere_kind(0.05, 0.2), {0.4 * std::cos(2.1 * leg), 0.4 * std::sin(2.1 * leg), 0.06});
        for (int leg = 0; leg < 3; ++leg) {
            const Vec3 out{std::cos(2.1 * leg), std::sin(2.1 * leg), 0};
            scene.join(JointKind::hinge, leg + 1, 0, Vec3{0, 0, 0.5} + 0.2 * out, {-out.y, out.x, 0}).motor = {{.rate = 0, .effort = 2}};
        }
        scene.name("force", model::SignalKind::contact_force, 1);
        scene.go(1e-3, 1);
        double carried = 0;
        for (std::size_t i = 1; i < 4; ++i) carried += scene.state.forces.contact[i].z;
        EXPECT_NEAR(carried, 5.6 * 2, 1e-5);
        EXPECT_LT(std::fabs(scene.ledger_error()), 1e-9);
        where[k] = scene.state.bodies.position[0];
    }
    EXPECT_LT(norm(where[0] - where[1]), 2e-3);
}

// Accelerations are held: a pendulum under rk4 has its order, under dopri5 the tolerance; places and velocities are closed after each step.
TEST(Joints, UnderPenaltyAPendulumHasTheOrderOfItsIntegrator) {
    const double g = 9.81, l = 0.5, amplitude = 2, end = 2, moment = bar.inertia.y + bar.mass * l * l;
    const auto exact = integrated<2>({amplitude, 0}, end, [&](const auto& x, auto& dx, double) {
        dx = {x[1], -bar.mass * g * l / moment * std::sin(x[0])};
    });
    const auto error = [&](model::Integrator integrator, double h) {
        JointScene scene({0, 0, -g});
        scene.add(bar, {l * std::sin(amplitude), 0, -l * std::cos(amplitude)});
        scene.join(JointKind::hinge, 0, ground, {}, {0, 1, 0});
        scene.name("held", model::SignalKind::joint_force, 0);
        scene.law().stiffness = 1e4;
        scene.phase.method = "penalty";
        scene.phase.integrator = integrator;
        scene.phase.tolerance = 1e-11;
        scene.go(h, end);
        EXPECT_LT(scene.opening(), 1e-13);
        EXPECT_LT(std::fabs(scene.ledger_error()), (integrator == model::Integrator::rk4 ? 100 * h * h * h * h : 1e-8) * bar.mass * g * l);
        EXPECT_GT(scene.signal(model::SignalKind::joint_force, 0), 1);
        return -scene.signal(model::SignalKind::joint_angle, 0) - (exact[0] - amplitude);
    };
    const double coarse = error(model::Integrator::rk4, 1e-2), fine = error(model::Integrator::rk4, 5e-3);
    EXPECT_NEAR(order_of(coarse, fine, 2), 4, 0.3);
    EXPECT_LT(std::fabs(error(model::Integrator::dopri5, never)), 1e-8);
}

// Tumbling in space under penalty: momenta to rounding, energy to the tolerance.
TEST(Joints, UnderPenaltyAnIsolatedPairKeepsItsMomenta) {
    for (const JointKind kind :
         {JointKind::ball, JointKind::hinge, JointKind::weld, JointKind::slider, JointKind::cylindrical, JointKind::screw}) {
        JointScene scene;
        scene.add(bar, {0.5, 0.1, 0}, {0.3, -0.1, 0.2}, {1, 2, -0.5});
        scene.add(ellipsoid({0.2, 0.3, 0.25}, 1.5), {-0.3, 0, 0.1}, {-0.2, 0.4, 0.1}, {-1, 0.7, 3});
        scene.join(kind, 0, 1, {0.1, 0.05, 0}, {0.3, 0.2, 1}).pitch = 0.05;
        scene.law().stiffness = 1e4;
        scene.phase.method = "penalty";
        scene.phase.integrator = model::Integrator::rk4;
        const JointMomenta before = momenta_of(scene);
        scene.go(2e-3, 4);
        const JointMomenta after = momenta_of(scene);
        EXPECT_LT(norm(after.linear - before.linear), 1e-12) << static_cast<int>(kind);
        EXPECT_LT(norm(after.angular - before.angular), 1e-8) << static_cast<int>(kind);  // of rk4
        EXPECT_LT(scene.opening(), 1e-13) << static_cast<int>(kind);
        EXPECT_LT(std::fabs(scene.ledger_error()), 1e-8) << static_cast<int>(kind);
    }
}

// Bodies that a joint holds do not touch, unless it says so.
TEST(Joints, JoinedBodiesTouchOnlyWhereTheyAreToldTo) {
    for (const bool touching : {false, true}) {
        JointScene scene({0, 0, -1});
        scene.add(model::sphere_kind(0.1, 1), {0, 0, 0});
        scene.add(model::sphere_kind(0.1, 1), {0.15, 0, 0});
        scene.join(JointKind::ball, 0, ground, {0, 0, 0});
        scene.join(JointKind::ball, 1, 0, {0.15, 0, 0}).touching = touching;
        contact::ContactList contacts;
        contact::Detector(scene.model).detect(scene.state.bodies.position, scene.state.bodies.orientation, contacts);
        EXPECT_EQ(contacts.size(), touching ? 1u : 0u);
    }
}

// sin, ramp and steps: the impulse of each is known.
TEST(Loads, HaveTheirCourse) {
    const double m = 2;
    const auto speed = [&](const model::LoadCourse& course, double end) {
        JointScene scene;
        scene.add(model::sphere_kind(0.1, m), {});
        scene.load({.body = 0, .force = {3, 0, 0}, .course = course});
        scene.go(1e-3, end);
        EXPECT_NEAR(m * scene.state.tallies.work[0], scene.energy(), 1e-12);
        return scene.state.bodies.velocity[0].x;
    };
    EXPECT_NEAR(speed(model::SteadyLoad{}, 2), 3 / m * 2, 1e-12);
    EXPECT_NEAR(speed(model::RampedLoad{0.5}, 2), 3 / m * (0.25 + 1.5), 1e-12);
    EXPECT_NEAR(speed(model::SteppedLoad{{0.3337, 1}, {1, -2}}, 2), 3 / m * (1 - 0.3337 - 2), 1e-12);
    EXPECT_NEAR(speed(model::WavingLoad{.rate = 2, .phase = 0}, 2), 3 / m * (1 - std::cos(4.0)) / 2, 1e-6);
}

// Torque in the axes of the body, force at a point of it: of a bar that turns about its axis, with it.
TEST(Loads, TurnWithTheBodyWhereTheySaySo) {
    JointScene scene;
    scene.add(bar, {}, {}, {0, 0, 1});
    scene.load({.body = 0, .force = {2, 0, 0}, .turns_with_body = true});
    scene.go(1e-3, 1.5);
    EXPECT_NEAR(scene.state.bodies.velocity[0].x, 2 / bar.mass * std::sin(1.5), 1e-6);
    EXPECT_NEAR(scene.state.bodies.velocity[0].y, 2 / bar.mass * (1 - std::cos(1.5)), 1e-6);
    EXPECT_LT(std::fabs(scene.ledger_error()), 1e-10);
}

struct KeepsOne final : model::Observer {
    explicit KeepsOne(double at) : at(at) {}
    double at;
    std::optional<model::State> state;
    double next_sample() const override { return never; }
    void sample(const model::Look&) override {}
    void event(const model::Event&) override {}
    double next_checkpoint() const override { return state ? never : at; }
    void checkpoint(const model::State& s) override { state = s; }
};

// With turns counted, limits, a motor, dampers and a load on.
TEST(Joints, ARunGoesOnFromACheckpointToTheSameBits) {
    JointScene scene({0, 0, -3});
    scene.world().ground = {{.shape = model::HalfSpace{}}};
    scene.law() = {.restitution = 0.2, .friction = 0.5};
    scene.add(bar, {0, 0, 0.6});
    scene.add(ellipsoid({0.2, 0.3, 0.25}, 1.5), {0.6, 0, 0.6});
    scene.join(JointKind::hinge, 1, 0, {0.4, 0, 0.6}, {0.1, 1, 0}).motor = {{.rate = 9, .effort = 1}};
    scene.world().joints[0].turn = {.most = 8, .stiffness = 0.1, .damping = 0.01};
    scene.load({.body = 0, .force = {1, 0, 0}, .course = model::SteppedLoad{{0.2, 0.7}, {1, 0}}});
    scene.phase.tolerance = 1e-9;
    scene.phase.step_max = 2e-3;
    scene.world().phases = {scene.phase};
    scene.world().end_time = 1.5;
    scene.world().step_budget = 1000000;
    model::State whole = scene.state;
    KeepsOne keeps(0.9001);
    const model::Outcome outcome = simulate(scene.model, whole, keeps);
    EXPECT_FALSE(outcome.is_trouble()) << outcome.message;
    ASSERT_TRUE(keeps.state);
    Books books(never);
    simulate(scene.model, *keeps.state, books);
    EXPECT_TRUE(*keeps.state == whole);
    EXPECT_GT(whole.joints.angle[0], 6.3);
}

// Many bodies, so that there is something to share out, and a chain among them that falls onto the ground.
TEST(Threads, JointsHaveTheSameBits) {
    for (const char* method : {"impulse", "dvi"}) {
        const auto after = [&](int threads) {
            const ThreadLimit limit(threads);
            JointScene scene({0, 0, -3});
            scene.phase.method = method;
            scene.phase.tolerance = 1e-6;
            scene.world().ground = {{.shape = model::HalfSpace{}}};
            scene.law() = {.friction = 0.5};
            std::vector<model::BodyKind> kinds(1500, model::sphere_kind(0.05, 1));
            std::vector<Vec3> places;
            for (int i = 0; i < 1500; ++i) places.push_back({0.2 * (i % 40), 0.2 * (i / 40), i < 8 ? 0.06 : 0.5});
            scene.world().bodies = rows(kinds);
            scene.state = state_of(places);
            for (int i = 1; i < 8; ++i) scene.join(JointKind::ball, i, i - 1, {0.2 * i - 0.1, 0, 0.06});
            scene.go(2e-3, 0.2);
            return scene.state;
        };
        EXPECT_EQ(after(1), after(2)) << method;
    }
}

}  // namespace
}  // namespace asperity::dynamics::joints_test
