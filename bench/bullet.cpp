// The same worlds under our rigid methods and under Bullet, in one run: errors against closed forms, and processor time. A second opinion
// never enters the program; this is built only where libbullet-dev is installed.
//
//   asperity_bench_bullet [--boxes N] [--seconds S]
//
// Boxes on a plane or on a hilly mesh, without restitution, all with the same fixed steps (no flights, nobody sleeps, no damping):
//   slide    a box with v slides v^2 / (2 f g)
//   fall     a box that falls flat, z = z_0 - g t^2 / 2 until it lands; then it stands at half its height
//   tower    ten boxes that stand on each other stay where they are
//   heap     N boxes fall on a hilly mesh, tumble and come to rest: the energy of motion and height never grows
// Bullet has its defaults (sequential impulses, 10 iterations, a collision margin of 1 mm, single precision as Debian builds it), and with
// 100 iterations. Ours has its default tolerance, 1e-3 (tower: 1e-6).
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#include "asperity/core/parallel.h"
#include "asperity/dynamics/all.h"
#include "asperity/geometry/mesh.h"
#include "asperity/model/first_state.h"
#include "bench_rows.h"

namespace {

using namespace asperity;
using bench::processor_seconds;
constexpr double g = 9.81;  // m/s^2

struct Silent final : model::Observer {
    double next_sample() const override { return std::numeric_limits<double>::infinity(); }
    void sample(const model::Look&) override {}
    void event(const model::Event&) override {}
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}
};

struct Motion {
    Vec3 position, velocity, spin;
    Quat orientation;
};

struct World {
    Vec3 half;  // m
    double mass = 1, friction = 0.5, tolerance = 1e-3;
    std::vector<Motion> bodies;
    std::vector<Vec3> vertices;  // of the mesh; none: the plane z = 0
    std::vector<std::array<std::int32_t, 3>> facets;

    Vec3 inertia() const {
        const Vec3 a2{half.x * half.x, half.y * half.y, half.z * half.z};
        return mass / 3 * Vec3{a2.y + a2.z, a2.x + a2.z, a2.x + a2.y};
    }
    // J: of motion, and of height.
    double kinetic(const std::vector<Motion>& bodies) const {
        double sum = 0;
        const Vec3 j = inertia();
        for (const Motion& body : bodies) {
            const Vec3 w = rotate(conjugate(body.orientation), body.spin);
            sum += 0.5 * (mass * squared_norm(body.velocity) + j.x * w.x * w.x + j.y * w.y * w.y + j.z * w.z * w.z);
        }
        return sum;
    }
    double energy(const std::vector<Motion>& bodies) const {
        double sum = kinetic(bodies);
        for (const Motion& body : bodies) sum += mass * g * body.position.z;
        return sum;
    }
};

using Look = std::function<void(const std::vector<Motion>&)>;

// Processor time of the steps, s.
double run_ours(const char* method, const World& world, double h, int steps, const Look& look) {
    model::Assets assets;
    model::Model model;
    model::Parameters& parameters = model.parameters;
    const model::BodyKind kind{.mass = world.mass,
                               .semi_axes = std::sqrt(5.0 / 3) * world.half,
                               .inertia = world.inertia(),
                               .colliders = {{.shape = model::Box{world.half}}}};
    parameters.bodies.add(kind, world.bodies.size());
    if (world.vertices.empty()) {
        parameters.ground = {{.shape = model::HalfSpace{}}};
    } else {
        assets.surface = geometry::make_surface(world.vertices, world.facets);
        model.assets = &assets;
        parameters.ground = {{.shape = model::MeshShape{}}};
    }
    parameters.ground_materials = {0};
    parameters.environment.field = gravity::Uniform{{0, 0, -g}};
    parameters.laws.laws[0] = {.friction = world.friction};
    parameters.step_budget = 1000000000;
    std::vector<Vec3> position;
    for (const Motion& body : world.bodies) position.push_back(body.position);
    model::State state = model::first_state(position, position.size());
    state.bodies.velocity.assign(position.size(), {});
    for (std::size_t i = 0; i < position.size(); ++i) {
        state.bodies.velocity[i] = world.bodies[i].velocity;
        state.bodies.spin[i] = world.bodies[i].spin;
        state.bodies.orientation[i] = world.bodies[i].orientation;
    }
    model::Phase phase{.method = method, .integrator = model::Integrator::leapfrog, .tolerance = world.tolerance, .step_max = h};
    phase.flight_tolerance = 0;
    phase.iterations = 20000;
    const std::unique_ptr<dynamics::Method> running = dynamics::find_method(method)->make(model, phase);
    Silent silent;
    std::vector<Motion> now = world.bodies;
    double seconds = 0;
    for (int k = 1; k <= steps; ++k) {
        state.stepper.slow_since = -1;  // rest ends nothing
        const double begin = processor_seconds();
        const dynamics::Advance got = running->advance(state, {.time = k * h}, silent);
        seconds += processor_seconds() - begin;
        if (got.ended) fmt::print("    {}\n", got.ended->message);
        if (got.ended) return seconds;
        for (std::size_t i = 0; i < now.size(); ++i)
            now[i] = {state.bodies.position[i], state.bodies.velocity[i], state.bodies.spin[i], state.bodies.orientation[i]};
        look(now);
    }
    return seconds;
}

btVector3 given(const Vec3& v) { return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)}; }
Vec3 got(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

double run_bullet(int iterations, const World& world, double h, int steps, const Look& look) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld bullet(&dispatcher, &broad_phase, &solver, &configuration);
    bullet.setGravity(given({0, 0, -g}));
    bullet.getSolverInfo().m_numIterations = iterations;
    btStaticPlaneShape plane({0, 0, 1}, 0);
    btTriangleMesh triangles;
    for (const auto& f : world.facets)
        triangles.addTriangle(given(world.vertices[static_cast<std::size_t>(f[0])]), given(world.vertices[static_cast<std::size_t>(f[1])]),
                              given(world.vertices[static_cast<std::size_t>(f[2])]));
    std::unique_ptr<btBvhTriangleMeshShape> mesh;
    if (!world.facets.empty()) mesh = std::make_unique<btBvhTriangleMeshShape>(&triangles, true);
    btCollisionShape& ground_shape = mesh ? static_cast<btCollisionShape&>(*mesh) : plane;
    btBoxShape box(given(world.half));
    for (btCollisionShape* shape : {static_cast<btCollisionShape*>(&box), &ground_shape}) shape->setMargin(btScalar(1e-3));
    std::vector<std::unique_ptr<btDefaultMotionState>> states;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    const auto add = [&](double mass, const Vec3& inertia, btCollisionShape& shape, const Motion& at) {
        const Quat& q = at.orientation;
        const btQuaternion turn(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y), static_cast<btScalar>(q.z),
                                static_cast<btScalar>(q.w));
        states.push_back(std::make_unique<btDefaultMotionState>(btTransform(turn, given(at.position))));
        btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), states.back().get(), &shape, given(inertia));
        info.m_friction = static_cast<btScalar>(std::sqrt(world.friction));  // that of a pair is the product
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setLinearVelocity(given(at.velocity));
        bodies.back()->setAngularVelocity(given(at.spin));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        bullet.addRigidBody(bodies.back().get());
    };
    add(0, {}, ground_shape, {});
    for (const Motion& body : world.bodies) add(world.mass, world.inertia(), box, body);
    std::vector<Motion> now = world.bodies;
    double seconds = 0;
    for (int k = 0; k < steps; ++k) {
        const double begin = processor_seconds();
        bullet.stepSimulation(static_cast<btScalar>(h), 0);
        seconds += processor_seconds() - begin;
        for (std::size_t i = 0; i < now.size(); ++i) {
            const btRigidBody& body = *bodies[i + 1];
            const btQuaternion q = body.getWorldTransform().getRotation();
            now[i] = {got(body.getWorldTransform().getOrigin()), got(body.getLinearVelocity()), got(body.getAngularVelocity()),
                      Quat{q.w(), q.x(), q.y(), q.z()}};
        }
        look(now);
    }
    for (const std::unique_ptr<btRigidBody>& body : bodies) bullet.removeRigidBody(body.get());
    return seconds;
}

struct Program {
    const char* name;
    std::function<double(const World&, double h, int steps, const Look&)> run;
};

std::vector<Program> programs() {
    const auto ours = [](const char* method) {
        return [method](const World& world, double h, int steps, const Look& look) { return run_ours(method, world, h, steps, look); };
    };
    const auto bullet = [](int iterations) {
        return [iterations](const World& world, double h, int steps, const Look& look) {
            return run_bullet(iterations, world, h, steps, look);
        };
    };
    return {{"impulse", ours("impulse")}, {"dvi", ours("dvi")}, {"bullet 10", bullet(10)}, {"bullet 100", bullet(100)}};
}

constexpr std::array step_sizes{1.0 / 60, 1.0 / 240, 1.0 / 960};

void slide_and_fall() {
    World slide{.half = {0.1, 0.1, 0.05}, .friction = 0.3};
    slide.bodies = {{.position = {0, 0, 0.05}, .velocity = {1, 0, 0}, .spin = {}, .orientation = {}}};
    World fall = slide;
    fall.bodies = {{.position = {0, 0, 1.05}, .velocity = {}, .spin = {}, .orientation = {}}};
    const double whole = 1 / (2 * slide.friction * g);
    fmt::print(
        "slide: error of {:.4f} m; fall: largest error in flight, m, and of the height in the end\n{:>12} {:>8} {:>11} {:>11} {:>11}\n",
        whole, "", "h, s", "slide", "flight", "stands");
    for (const Program& program : programs())
        for (const double h : step_sizes) {
            double way = 0, flight = 0, stands = 0, time = 0;
            program.run(slide, h, static_cast<int>(1 / h), [&](const std::vector<Motion>& now) { way = now[0].position.x; });
            program.run(fall, h, static_cast<int>(1.5 / h), [&](const std::vector<Motion>& now) {
                time += h;
                const double z = fall.bodies[0].position.z - 0.5 * g * time * time;
                if (z > 0.15) flight = std::fmax(flight, std::fabs(now[0].position.z - z));
                stands = now[0].position.z - fall.half.z;
            });
            fmt::print("{:>12} {:>8.5f} {:>11.2e} {:>11.2e} {:>11.2e}\n", program.name, h, way - whole, flight, stands);
        }
}

void tower(double seconds) {
    World world{.half = {0.1, 0.1, 0.05}, .tolerance = 1e-6};
    for (int n = 0; n < 10; ++n)
        world.bodies.push_back({.position = {0, 0, (2 * n + 1) * world.half.z}, .velocity = {}, .spin = {}, .orientation = {}});
    fmt::print(
        "tower of ten boxes, {} s: how far one has moved aside and sunk, m; energy gained, of m g a height of a box; ms a step\n"
        "{:>12} {:>8} {:>11} {:>11} {:>11} {:>9}\n",
        seconds, "", "h, s", "aside", "sunk", "energy", "ms");
    for (const Program& program : programs())
        for (const double h : step_sizes) {
            double aside = 0, sunk = 0, gained = 0;
            const double start = world.energy(world.bodies);
            const int steps = static_cast<int>(seconds / h);
            const double spent = program.run(world, h, steps, [&](const std::vector<Motion>& now) {
                for (std::size_t n = 0; n < now.size(); ++n) {
                    const Vec3 moved = now[n].position - world.bodies[n].position;
                    aside = std::fmax(aside, std::hypot(moved.x, moved.y));
                    sunk = std::fmax(sunk, -moved.z);
                }
                gained = std::fmax(gained, (world.energy(now) - start) / (world.mass * g * 2 * world.half.z));
            });
            fmt::print("{:>12} {:>8.5f} {:>11.2e} {:>11.2e} {:>11.2e} {:>9.3f}\n", program.name, h, aside, sunk, gained,
                       1e3 * spent / steps);
        }
}

// A grid of hills, and its height at a place.
struct Hills {
    static constexpr int across = 40;
    static constexpr double cell = 0.25;
    std::vector<double> height;

    explicit Hills(std::mt19937_64& random) {
        std::uniform_real_distribution<double> draw(-0.06, 0.06);
        for (int k = 0; k < (across + 1) * (across + 1); ++k) height.push_back(draw(random));
    }
    double corner(int i, int j) const { return height[static_cast<std::size_t>(j * (across + 1) + i)]; }
    // Two triangles a cell, parted by the diagonal from its first corner.
    double at(double x, double y) const {
        const double a = x / cell + across / 2, b = y / cell + across / 2;
        const int i = static_cast<int>(std::floor(a)), j = static_cast<int>(std::floor(b));
        if (i < 0 || j < 0 || i >= across || j >= across) return -std::numeric_limits<double>::infinity();
        const double s = a - i, t = b - j, z = corner(i, j), far = corner(i + 1, j + 1);
        return s > t ? z + s * (corner(i + 1, j) - z) + t * (far - corner(i + 1, j))
                     : z + t * (corner(i, j + 1) - z) + s * (far - corner(i, j + 1));
    }
    void add_to(World& world) const {
        for (int j = 0; j <= across; ++j)
            for (int i = 0; i <= across; ++i) world.vertices.push_back({cell * (i - across / 2), cell * (j - across / 2), corner(i, j)});
        for (int j = 0; j < across; ++j)
            for (int i = 0; i < across; ++i) {
                const std::int32_t k = j * (across + 1) + i, up = k + across + 1;
                world.facets.push_back({k, k + 1, up + 1});
                world.facets.push_back({k, up + 1, up});
            }
    }
};

void heap(int boxes, double seconds) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> draw(-1, 1);
    const auto any = [&] {
        const double x = draw(random), y = draw(random);
        return Vec3{x, y, draw(random)};
    };
    const Hills hills(random);
    World world{.half = {0.12, 0.1, 0.08}, .mass = 2};
    hills.add_to(world);
    for (int n = 0; n < boxes; ++n)
        world.bodies.push_back({.position = Vec3{0.45 * (n % 5 - 2), 0.45 * (n / 5 % 5 - 2), 0.4 + 0.45 * (n / 25)} + 0.03 * any(),
                                .velocity = 0.5 * any(),
                                .spin = any(),
                                .orientation = rotation(any())});
    fmt::print(
        "{} boxes on a mesh of {} facets, {} s: largest growth of energy in a step, of the start; energy of motion in the end, likewise;\n"
        "deepest corner below the mesh, m; ms a step\n{:>12} {:>8} {:>11} {:>11} {:>11} {:>9}\n",
        boxes, world.facets.size(), seconds, "", "h, s", "growth", "motion", "deepest", "ms");
    for (const Program& program : programs())
        for (const double h : {step_sizes[0], step_sizes[1]}) {
            const double start = world.energy(world.bodies);
            double last = start, growth = 0, motion = 0, deepest = 0;
            const int steps = static_cast<int>(seconds / h);
            const double spent = program.run(world, h, steps, [&](const std::vector<Motion>& now) {
                const double energy = world.energy(now);
                growth = std::fmax(growth, (energy - last) / start);
                last = energy;
                motion = world.kinetic(now) / start;
                for (const Motion& body : now)
                    for (int c = 0; c < 8; ++c) {
                        const Vec3 local{c & 1 ? world.half.x : -world.half.x, c & 2 ? world.half.y : -world.half.y,
                                         c & 4 ? world.half.z : -world.half.z};
                        const Vec3 p = body.position + rotate(body.orientation, local);
                        deepest = std::fmax(deepest, hills.at(p.x, p.y) - p.z);
                    }
            });
            fmt::print("{:>12} {:>8.5f} {:>11.2e} {:>11.2e} {:>11.2e} {:>9.3f}\n", program.name, h, growth, motion, deepest,
                       1e3 * spent / steps);
            std::fflush(stdout);
        }
}

}  // namespace

int main(int argc, char** argv) {
    int boxes = 100;
    double seconds = 10;
    for (int k = 1; k + 1 < argc; k += 2) {
        const std::string_view key = argv[k];
        if (key == "--boxes") boxes = std::atoi(argv[k + 1]);
        if (key == "--seconds") seconds = std::atof(argv[k + 1]);
    }
    const ThreadLimit limit(1);
    slide_and_fall();
    tower(seconds);
    heap(boxes, 0.5 * seconds);
    return 0;
}
