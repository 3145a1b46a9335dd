// Impacts at several points at once, under impulse and dvi: Poisson's hypothesis against its two problems solved by hand, and energy.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "unit/dynamics/stepped_scene.h"

namespace asperity::dynamics::several_impacts_test {
namespace {

using laws::RestitutionLaw;
using Three = std::array<double, 3>;

// 0 <= x _|_ W x + q >= 0, by trying all sets of contacts that press.
Three pressed(const std::array<Three, 3>& w, const Three& q) {
    for (unsigned set = 0; set < 8; ++set) {
        Three x{};
        for (int sweep = 0; sweep < 4000; ++sweep)
            for (std::size_t i = 0; i < 3; ++i)
                if (set >> i & 1) {
                    double rest = q[i];
                    for (std::size_t k = 0; k < 3; ++k)
                        if (k != i) rest += w[i][k] * x[k];
                    x[i] = -rest / w[i][i];
                }
        bool solves = true;
        for (std::size_t i = 0; i < 3; ++i) {
            double u = q[i];
            for (std::size_t k = 0; k < 3; ++k) u += w[i][k] * x[k];
            solves = solves && x[i] >= -1e-12 && u >= -1e-9;
        }
        if (solves) return x;
    }
    ADD_FAILURE() << "no set of contacts";
    return {};
}

// A body that touches the plane with these points, deeper than a step moves them.
constexpr double step = 1e-9;
Scene on_points(const std::vector<Vec3>& points, const Vec3& velocity, const Vec3& spin, const laws::PairLaw& law, const char* method) {
    Scene scene = on_slope(0, 0, points);
    scene.law() = law;
    scene.state.bodies.position = {{0, 0, -points[0].z - 100 * step}};
    scene.state.bodies.velocity = {velocity};
    scene.state.bodies.spin = {spin};
    scene.phase.method = method;
    scene.phase.iterations = 1000000;
    return scene;
}

TEST(SeveralImpacts, PoissonsHypothesisIsTwoProblemsOneAfterTheOther) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> draw(-1, 1);
    for (const char* method : {"impulse", "dvi"}) {
        int differ = 0;
        for (int n = 0; n < 100; ++n) {
            std::vector<Vec3> points;
            for (int k = 0; k < 3; ++k) points.push_back({draw(random), draw(random), -0.3});
            const double flat = norm(cross(points[1] - points[0], points[2] - points[0]));
            if (flat < 0.3) continue;
            const double e = 0.5 + 0.4 * draw(random);
            const Vec3 velocity{0, 0, -0.5 + 0.4 * draw(random)}, spin{2 * draw(random), 2 * draw(random), 0};
            const Scene scene = on_points(points, velocity, spin, {.restitution = e, .restitution_law = RestitutionLaw::poisson}, method);
            const model::BodyKind& body = scene.model.parameters.bodies[0];
            std::array<Three, 3> w;
            Three u;
            std::array<Vec3, 3> turned;
            for (std::size_t i = 0; i < 3; ++i) {
                const Vec3 arm = cross(points[i], Vec3{0, 0, 1});
                turned[i] = {arm.x / body.inertia.x, arm.y / body.inertia.y, arm.z / body.inertia.z};
                u[i] = velocity.z + dot(spin, arm);
                for (std::size_t k = 0; k < 3; ++k) w[i][k] = 1 / body.mass + dot(turned[i], cross(points[k], Vec3{0, 0, 1}));
            }
            // what parts may fall back no faster than it parts
            Three q = u;
            for (std::size_t i = 0; i < 3; ++i) q[i] += std::fmax(0.0, u[i]);
            const Three c = pressed(w, q);
            Three after = u, again, back{};
            bool newton_differs = false;
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t k = 0; k < 3; ++k) after[i] += w[i][k] * c[k];
            for (std::size_t i = 0; i < 3; ++i) {
                newton_differs = newton_differs || (u[i] < 0 && after[i] > 1e-6);
                if (u[i] < 0) back[i] = e * c[i];
            }
            for (std::size_t i = 0; i < 3; ++i) {
                again[i] = after[i] + std::fmax(0.0, after[i]);
                for (std::size_t k = 0; k < 3; ++k) again[i] += w[i][k] * back[k];
            }
            const Three more = pressed(w, again);
            Vec3 v = velocity, s = spin;
            for (std::size_t i = 0; i < 3; ++i) {
                const double p = c[i] + back[i] + more[i];
                v.z += p / body.mass;
                s += p * turned[i];
            }
            const Stepped run = stepped(scene, step, step, never, 1e-11);
            EXPECT_LT(norm(run.bodies().velocity[0] - v) + norm(run.bodies().spin[0] - s), 1e-6) << method << " " << n;
            differ += newton_differs;
        }
        EXPECT_GT(differ, 5) << "Newton's law asks for a bounce where nothing was pressed";
    }
}

// Bodies that strike with four points at once, slipping fast, much friction and restitution: under Newton's law by name they gain energy.
TEST(SeveralImpacts, EnergyNeverGrowsWithFrictionButUnderNewtonsLawByName) {
    for (const char* method : {"impulse", "dvi"})
        for (const RestitutionLaw law : {RestitutionLaw::stronge, RestitutionLaw::poisson, RestitutionLaw::newton}) {
            std::mt19937_64 random(17);
            std::uniform_real_distribution<double> draw(-1, 1);
            int grown = 0;
            double worst = 0;
            for (int n = 0; n < 60; ++n) {
                std::vector<Vec3> points;
                for (int k = 0; k < 4; ++k) points.push_back({draw(random), draw(random), -0.9});
                const Scene scene = on_points(
                    points, {2 * draw(random), 2 * draw(random), -0.4}, {2 * draw(random), 2 * draw(random), draw(random)},
                    {.restitution = 0.6 + 0.4 * draw(random), .restitution_law = law, .friction = 0.8 + 0.7 * draw(random)}, method);
                const double before = energy_of(scene.model.parameters, scene.state.bodies);
                const Stepped run = stepped(scene, step, step, never, 1e-8);
                const double gained = energy_of(run.scene.model.parameters, run.bodies()) / before - 1;
                worst = std::fmax(worst, gained);
                grown += gained > 1e-6;
            }
            RecordProperty(std::string(method) + std::to_string(static_cast<int>(law)),
                           std::to_string(worst) + " " + std::to_string(grown));
            if (law == RestitutionLaw::newton)
                EXPECT_GT(grown, 0) << method;
            else
                EXPECT_EQ(grown, 0) << method << " " << worst;
        }
}

}  // namespace
}  // namespace asperity::dynamics::several_impacts_test
