// Solvers for the impulses of a step, on contact problems of beds of grains: how many iterations and how much processor time each takes to
// a residual (of the natural map, as velocities, largest of all contacts), from the same first guess; and whole runs under each.
//
//   asperity_bench_contacts [--grains N] [--time S] [--threads N] [--solver NAME]
//
// The bed is that of grains.cpp, the world of scenarios/grains/box-20000.toml with N grains: it falls, and stands from the floor upwards. A
// run goes to S seconds under each solver with steps of 0.2 ms and a tolerance of 1e-3. The problem is that of the last step under the
// accelerated one. `impulse` solves another problem on the same contacts, Coulomb's law without the relaxation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/parallel.h"
#include "asperity/dynamics/dvi/cone_problem.h"
#include "asperity/dynamics/dvi/cone_solvers.h"
#include "asperity/dynamics/impulse/contact_solve.h"
#include "asperity/dynamics/rigid_steps.h"
#include "asperity/model/first_state.h"

namespace {

using namespace asperity;
using dynamics::Solved;

struct Silent final : model::Observer {
    double next_sample() const override { return std::numeric_limits<double>::infinity(); }
    void sample(const model::Look&) override {}
    void event(const model::Event&) override {}
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}
};

struct Bed {
    model::Model model;
    model::State state;
};

Bed bed_of(int grains) {
    constexpr double r = 0.005, pi = 3.14159265358979, spacing = 0.011;
    Bed bed;
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> noise(-0.04, 0.04);
    const int across = std::max(2, static_cast<int>(std::lround(std::cbrt(0.53 * grains))));  // as high as the box of 20,000: 22, 22, 42
    std::vector<Vec3> position;
    for (int n = 0; n < grains; ++n)
        position.push_back(spacing * Vec3{n % across + 0.6 + noise(engine), n / across % across + 0.6 + noise(engine),
                                          n / (across * across) + 0.6 + noise(engine)});
    model::Parameters& world = bed.model.parameters;
    world.bodies.add(model::sphere_kind(r, 2500 * 4.0 / 3 * pi * r * r * r), position.size());
    const double width = spacing * (across + 0.2);
    const auto wall = [](const Vec3& p, const Vec3& axis, double angle) {
        return model::Collider{.shape = model::HalfSpace{}, .pose = {p, rotation(angle * axis)}};
    };
    world.ground = {wall({}, {0, 1, 0}, 0), wall({}, {0, 1, 0}, pi / 2), wall({width, 0, 0}, {0, 1, 0}, -pi / 2),
                    wall({}, {1, 0, 0}, -pi / 2), wall({0, width, 0}, {1, 0, 0}, pi / 2)};
    world.environment.field = gravity::Uniform{{0, 0, -9.81}};
    world.laws.laws[0] = {.restitution = 0.5, .friction = 0.4, .rolling_resistance = 0.01};
    world.step_budget = 1000000000;
    bed.state = model::first_state(std::move(position), world.bodies.groups.size());
    return bed;
}

// Of all threads, s.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Solver {
    const char* name;
    bool is_coulomb = false;
    model::ConeSolver cones = model::ConeSolver::jacobi;
};
constexpr Solver solvers[] = {{"impulse", true},
                              {"jacobi", false, model::ConeSolver::jacobi},
                              {"gauss-seidel", false, model::ConeSolver::gauss_seidel},
                              {"accelerated", false, model::ConeSolver::accelerated}};

// One solve of a problem, with workspace of its own.
class Solving {
public:
    Solved operator()(const Solver& solver, dynamics::StepTask task, dynamics::HeldContacts& contacts, model::Bodies& bodies) {
        if (solver.is_coulomb) return coulomb_.solve(task, contacts, bodies);
        model::Phase phase = task.phase;
        phase.solver = solver.cones;
        return problem_.solve({task.h, phase, task.smooth, task.joints}, contacts, cones_, bodies);
    }

private:
    dynamics::ContactSolve coulomb_;
    dynamics::ConeProblem problem_;
    dynamics::ConeSolvers cones_;
};

void compare(const dynamics::StepTask& task, const dynamics::HeldContacts& contacts, const model::Bodies& bodies) {
    fmt::print("\none step with {} contacts\n{:>14} {:>9} {:>11} {:>12} {:>10}\n", contacts.all().size(), "solver", "tolerance",
               "iterations", "seconds", "residual");
    for (const Solver& solver : solvers)
        for (const double tolerance : {1e-1, 1e-2, 1e-3, 1e-4}) {
            dynamics::HeldContacts mine = contacts;
            model::Bodies moved = bodies;
            Solving solving;
            model::Phase phase = task.phase;
            phase.tolerance = tolerance;
            const double begin = processor_seconds();
            const Solved solved = solving(solver, {task.h, phase, task.smooth, task.joints}, mine, moved);
            fmt::print("{:>14} {:>9.0e} {:>11} {:>12.4f} {:>10.2e}\n", solver.name, tolerance, solved.iterations,
                       processor_seconds() - begin, solved.residual);
            std::fflush(stdout);
            if (!solved.has_converged) break;
        }
}

struct Wanted {
    int grains = 2000;
    double time = 0.1;  // s
    int threads = 1;
    std::string_view solver;  // empty: all
};

// A run under one solver; `compares`: looks at its last step.
void run(const Wanted& wanted, const Solver& solver, bool compares) {
    Bed bed = bed_of(wanted.grains);
    const model::Phase phase{
        .method = solver.is_coulomb ? "impulse" : "dvi", .integrator = model::Integrator::leapfrog, .tolerance = 1e-3, .step_max = 2e-4};
    std::int64_t iterations = 0, most = 0, step = 0;
    const auto last = static_cast<std::int64_t>(std::lround(wanted.time / phase.step_max));
    const auto solve = [&, solving = Solving()](const dynamics::StepTask& task, dynamics::HeldContacts& contacts,
                                                model::Bodies& bodies) mutable {
        if (++step == last && compares) compare(task, contacts, bodies);
        const Solved solved = solving(solver, task, contacts, bodies);
        iterations += solved.iterations;
        most = std::max(most, solved.iterations);
        return solved;
    };
    const auto why = [](std::size_t, double, const model::Phase&) { return std::string("stalled"); };
    const auto method = dynamics::rigid_steps(bed.model, phase, {.looks_ahead = !solver.is_coulomb, .solve = solve, .why_stalled = why});
    Silent silent;
    const double begin = processor_seconds();
    const dynamics::Advance got = method->advance(bed.state, {.time = wanted.time}, silent);
    const double seconds = processor_seconds() - begin;
    if (compares) return;
    const auto steps = static_cast<double>(bed.state.clock.steps);
    fmt::print("{:>14} {:>7} {:>9} {:>12.1f} {:>8} {:>12.4f} {:>10.2e}  {}\n", solver.name, bed.state.clock.steps,
               bed.state.contacts.size(), static_cast<double>(iterations) / steps, most, seconds / steps, bed.state.stepper.residual,
               got.ended ? got.ended->message : "done");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    Wanted wanted;
    for (int k = 1; k + 1 < argc; k += 2) {
        const std::string_view key = argv[k];
        if (key == "--grains") wanted.grains = std::atoi(argv[k + 1]);
        if (key == "--time") wanted.time = std::atof(argv[k + 1]);
        if (key == "--threads") wanted.threads = std::atoi(argv[k + 1]);
        if (key == "--solver") wanted.solver = argv[k + 1];
    }
    const ThreadLimit limit(wanted.threads);
    fmt::print("{} grains, {} s, {} threads\n{:>14} {:>7} {:>9} {:>12} {:>8} {:>12} {:>10}\n", wanted.grains, wanted.time, wanted.threads,
               "solver", "steps", "contacts", "iterations", "most", "s/step", "residual");
    for (const Solver& solver : solvers)
        if (wanted.solver.empty() || wanted.solver == solver.name) run(wanted, solver, false);
    if (wanted.solver.empty()) run(wanted, solvers[3], true);
    return 0;
}
