// Contact problems of our own runs, solved by our solvers and by Siconos in one run: processor time to a residual. Second opinions never
// enter the program; this is built only where libsiconos-numerics-dev and libfclib-dev are installed.
//
//   asperity_bench_friction_solvers [--problems N] [--out FOLDER]
//
// Problems are those of steps of boxes that fall on a heap and of grains in a box, without restitution and resistance to turning:
//   u = W r + q,   0 <= r_n  _|_  u_n >= 0,   |r_t| <= f r_n against u_t                                                       (1)
// in the units in which the mean of W_nn is one, so that r is a velocity too. `--out` writes each in the format of FCLIB (HDF5). All begin
// with r = 0. The residual is that of the natural map, |r - P(r - u - f |u_t| n)| / |q|, P the projection on Coulomb's cone, taken by one
// function for all solvers. A solver is asked for ever smaller tolerances of its own, a hundred times each; its time is that of the first
// answer whose residual is small enough. Solvers of the convex relaxation (dvi) are measured on theirs, the same without f |u_t| n.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fclib.h>
}

#include "asperity/core/parallel.h"
#include "asperity/dynamics/dvi/cone_solvers.h"
#include "asperity/dynamics/impulse/contact_solve.h"
#include "asperity/dynamics/rigid_steps.h"
#include "asperity/model/first_state.h"

namespace {

using namespace asperity;
using dynamics::HeldContact;

struct Silent final : model::Observer {
    double next_sample() const override { return std::numeric_limits<double>::infinity(); }
    void sample(const model::Look&) override {}
    void event(const model::Event&) override {}
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}
};

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Entry {
    int row = 0, column = 0;
    double value = 0;
};

// (1), scaled.
struct StepProblem {
    std::vector<Entry> w;
    std::vector<double> q, friction;
    double unit = 1;  // 1/kg: r of (1) over impulses, N s

    std::size_t contacts() const { return friction.size(); }
    // u = W r + q, by all entries.
    std::vector<double> velocity(const std::vector<double>& r) const {
        std::vector<double> u = q;
        for (const Entry& e : w) u[static_cast<std::size_t>(e.row)] += e.value * r[static_cast<std::size_t>(e.column)];
        return u;
    }
};

double target_of(const HeldContact& held) { return held.is_quiet ? 0 : std::fmin(0.0, -held.before.x); }

// `bodies` without impulses.
StepProblem problem_of(std::span<const HeldContact> contacts, const model::Bodies& bodies) {
    StepProblem out;
    double sum = 0;
    std::vector<std::vector<std::size_t>> of_row(bodies.velocity.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        sum += contacts[k].block.nn;
        for (const contact::Side* side : {&contacts[k].a, &contacts[k].b})
            if (side->kind != nullptr) of_row[static_cast<std::size_t>(side->row)].push_back(k);
    }
    out.unit = sum / static_cast<double>(contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const HeldContact& held = contacts[k];
        const Vec3 u = dynamics::relative_velocity(held, bodies);
        for (const double x : {u.x - target_of(held), u.y, u.z}) out.q.push_back(x);
        out.friction.push_back(held.friction);
        std::vector<std::size_t> partners;
        for (const contact::Side* side : {&held.a, &held.b})
            if (side->kind != nullptr)
                partners.insert(partners.end(), of_row[static_cast<std::size_t>(side->row)].begin(),
                                of_row[static_cast<std::size_t>(side->row)].end());
        std::sort(partners.begin(), partners.end());
        partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
        const contact::Row* of[] = {&held.normal, &held.along_y, &held.along_z};
        for (const std::size_t l : partners) {
            const contact::Row* by[] = {&contacts[l].normal, &contacts[l].along_y, &contacts[l].along_z};
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    out.w.push_back(
                        {3 * static_cast<int>(k) + i, 3 * static_cast<int>(l) + j, contact::coupling(*of[i], *by[j]) / out.unit});
        }
    }
    return out;
}

// Of the natural map; `dilates`: with f |u_t| n, Coulomb's law.
double residual(const StepProblem& problem, const std::vector<double>& r, bool dilates) {
    const std::vector<double> u = problem.velocity(r);
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < problem.contacts(); ++k) {
        const double f = problem.friction[k], *p = &r[3 * k], *v = &u[3 * k];
        dynamics::Cone cone{.friction = f, .of_normal = 1, .of_tangent = 1, .of_torque = 1};
        const double more = dilates ? f * std::hypot(v[1], v[2]) : 0;
        const Vec3 at{p[0] - v[0] - more, p[1] - v[1], p[2] - v[2]}, to = cone.nearest({.linear = at, .angular = {}}, {1, 0, 0}).linear;
        sum += squared_norm(Vec3{p[0], p[1], p[2]} - to);
        for (int i = 0; i < 3; ++i) size += problem.q[3 * k + static_cast<std::size_t>(i)] * problem.q[3 * k + static_cast<std::size_t>(i)];
    }
    return std::sqrt(sum / size);
}

void write(const StepProblem& problem, const std::string& path) {
    std::vector<int> row, column;
    std::vector<double> value, q = problem.q, friction = problem.friction;
    for (const Entry& e : problem.w) {
        row.push_back(e.row);
        column.push_back(e.column);
        value.push_back(e.value);
    }
    const int n = static_cast<int>(q.size()), entries = static_cast<int>(value.size());
    fclib_matrix w{};
    w.nzmax = w.nz = entries;
    w.m = w.n = n;
    w.p = row.data();
    w.i = column.data();
    w.x = value.data();
    std::string title = "a step of asperity", description = "rigid bodies, Coulomb friction", info = "W is positive semidefinite";
    fclib_info about{title.data(), description.data(), info.data()};
    fclib_local local{};
    local.W = &w;
    local.mu = friction.data();
    local.q = q.data();
    local.spacedim = 3;
    local.info = &about;
    if (fclib_write_local(&local, path.c_str()) != 1) fmt::print("cannot write {}\n", path);
}

// An answer to a tolerance, and the time it took.
struct Answer {
    std::vector<double> r;
    double seconds = 0;
};

class Theirs {
public:
    Theirs(const StepProblem& problem, int solver) : problem_(problem), solver_(solver) {
        const int n = static_cast<int>(problem.q.size());
        matrix_ = NM_create(NM_SPARSE, n, n);
        NM_triplet_alloc(matrix_, static_cast<CS_INT>(problem.w.size()));
        for (const Entry& e : problem.w) NM_entry(matrix_, e.row, e.column, e.value);
        blocks_ = NM_create(NM_SPARSE_BLOCK, n, n);
        blocks_->matrix1 = SBM_new();
        SBM_from_csparse(3, NM_csc(matrix_), blocks_->matrix1);
    }
    Theirs(const Theirs&) = delete;
    Theirs& operator=(const Theirs&) = delete;
    ~Theirs() {
        NM_clear(matrix_);
        std::free(matrix_);
        NM_clear(blocks_);
        std::free(blocks_);
    }
    Answer operator()(double tolerance) {
        std::vector<double> q = problem_.q, mu = problem_.friction, r(q.size(), 0), u = q;
        const bool sweeps = solver_ == SICONOS_FRICTION_3D_NSGS;
        FrictionContactProblem fc{3, static_cast<int>(problem_.contacts()), sweeps ? blocks_ : matrix_, q.data(), mu.data()};
        SolverOptions* options = solver_options_create(solver_);
        options->dparam[SICONOS_DPARAM_TOL] = tolerance;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = sweeps ? 20000 : 1000;
        const double begin = processor_seconds();
        fc3d_driver(&fc, r.data(), u.data(), options);
        const double seconds = processor_seconds() - begin;
        solver_options_delete(options);
        return {std::move(r), seconds};
    }

private:
    const StepProblem& problem_;
    int solver_;
    NumericsMatrix *matrix_ = nullptr, *blocks_ = nullptr;
};

struct Ours {
    const StepProblem& problem;
    const dynamics::HeldContacts& contacts;
    const model::Bodies& bodies;  // without impulses
    const dynamics::StepTask& task;
    const char* name;

    Answer operator()(double tolerance) const {
        dynamics::HeldContacts mine = contacts;
        model::Bodies moved = bodies;
        const bool is_coulomb = std::string_view(name) == "impulse";
        std::vector<dynamics::Cone> cones;
        for (HeldContact& held : mine.all()) {
            held.impulse = held.torque = {};
            dynamics::Cone cone = dynamics::cone_of(held);
            cone.b = -target_of(held);
            cones.push_back(cone);
        }
        model::Phase mine_phase = task.phase;
        mine_phase.tolerance = tolerance;
        mine_phase.solver = std::string_view(name) == "jacobi"         ? model::ConeSolver::jacobi
                            : std::string_view(name) == "gauss-seidel" ? model::ConeSolver::gauss_seidel
                                                                       : model::ConeSolver::accelerated;
        const dynamics::StepTask mine_task{task.h, mine_phase, task.smooth, task.joints};
        dynamics::ContactSolve coulomb;
        dynamics::ConeSolvers solvers;
        std::int64_t left = 20000;
        const double begin = processor_seconds();
        if (is_coulomb)
            coulomb.solve(mine_task, mine, moved);
        else
            solvers.solve(mine_task, {mine.all(), cones}, left, moved);
        Answer answer{{}, processor_seconds() - begin};
        for (const HeldContact& held : mine.all())
            for (const double x : {held.impulse.x, held.impulse.y, held.impulse.z}) answer.r.push_back(x * problem.unit);
        return answer;
    }
};

constexpr double wanted[] = {1e-6, 1e-10};
constexpr double most_seconds = 0.3;  // of a solve: after one that took longer no smaller tolerance is asked for
struct Tally {
    const char* name;
    bool dilates = true;
    std::size_t solved[2] = {0, 0};
    std::vector<double> seconds[2];  // of problems that it solves
};

void measure(const StepProblem& problem, const std::function<Answer(double)>& solve, Tally& tally) {
    int next = 0;
    for (double tolerance = 1e-5; next < 2 && tolerance > 1e-14; tolerance *= 0.01) {
        const Answer answer = solve(tolerance);
        const double got = residual(problem, answer.r, tally.dilates);
        for (; next < 2 && got <= wanted[next]; ++next) {
            ++tally.solved[next];
            tally.seconds[next].push_back(answer.seconds);
        }
        if (answer.seconds > most_seconds) return;
    }
}

struct World {
    const char* name;
    model::Model model;
    model::State state;
    model::Phase phase;
    double end;  // s
    int every;   // steps between problems
};

model::Collider wall(const Vec3& p, const Vec3& axis, double angle) {
    return {.shape = model::HalfSpace{}, .pose = {p, rotation(angle * axis)}};
}

World world_of(bool boxes, unsigned seed) {
    constexpr double half_turn = 3.14159265358979;
    World world{.name = boxes ? "boxes" : "grains",
                .model = {},
                .state = {},
                .phase = {.method = "dvi", .integrator = model::Integrator::leapfrog, .tolerance = 1e-5, .step_max = boxes ? 2e-3 : 4e-4},
                .end = boxes ? 2.0 : 0.3,
                .every = boxes ? 25 : 20};
    model::Parameters& parameters = world.model.parameters;
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> noise(-1, 1);
    std::vector<Vec3> position;
    const int count = boxes ? 20 : 150, across = boxes ? 2 : 5;
    const double spacing = boxes ? 0.4 : 0.011, width = spacing * (across + 0.2);
    for (int n = 0; n < count; ++n)
        position.push_back(spacing * Vec3{n % across + 0.6 + 0.04 * noise(engine), n / across % across + 0.6 + 0.04 * noise(engine),
                                          n / (across * across) + 0.6 + 0.04 * noise(engine)});
    model::BodyKind kind = model::sphere_kind(0.005, 1.3e-3);
    if (boxes) {
        const Vec3 half{0.12, 0.1, 0.08}, a2{half.x * half.x, half.y * half.y, half.z * half.z};
        kind = {.mass = 2,
                .semi_axes = std::sqrt(5.0 / 3) * half,
                .inertia = {2.0 / 3 * (a2.y + a2.z), 2.0 / 3 * (a2.x + a2.z), 2.0 / 3 * (a2.x + a2.y)}};
        kind.colliders = {{.shape = model::Box{half}}};
    }
    for (int n = 0; n < count; ++n) parameters.bodies.add(kind);
    parameters.ground = {wall({}, {0, 1, 0}, 0), wall({}, {0, 1, 0}, half_turn / 2), wall({width, 0, 0}, {0, 1, 0}, -half_turn / 2),
                         wall({}, {1, 0, 0}, -half_turn / 2), wall({0, width, 0}, {1, 0, 0}, half_turn / 2)};
    parameters.environment.field = gravity::Uniform{{0, 0, -9.81}};
    parameters.laws.laws[0] = {.friction = 0.4};
    parameters.step_budget = 1000000000;
    world.state = model::first_state(position, position.size());
    world.state.bodies.velocity.assign(position.size(), {});
    for (Quat& q : world.state.bodies.orientation) q = rotation(Vec3{noise(engine), noise(engine), noise(engine)});
    return world;
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t problems = 1000;
    std::string out;
    for (int k = 1; k + 1 < argc; k += 2) {
        const std::string_view key = argv[k];
        if (key == "--problems") problems = static_cast<std::size_t>(std::atoll(argv[k + 1]));
        if (key == "--out") out = argv[k + 1];
    }
    const ThreadLimit limit(1);
    std::vector<Tally> tallies{{"impulse"},       {"siconos nsgs"},        {"siconos nsn_ac"},
                               {"jacobi", false}, {"gauss-seidel", false}, {"accelerated", false}};
    std::size_t seen = 0, fewest = std::numeric_limits<std::size_t>::max(), most = 0;
    for (unsigned seed = 1; seen < problems; ++seed) {
        World world = world_of(seed % 2 == 1, seed);
        int step = 0;
        dynamics::ConeProblem cone_problem;
        dynamics::ConeSolvers cone_solvers;
        const auto solve = [&](const dynamics::StepTask& task, dynamics::HeldContacts& contacts, model::Bodies& bodies) {
            if (++step % world.every == 0 && contacts.all().size() >= 8 && seen < problems) {
                model::Bodies free = bodies;
                for (const HeldContact& held : contacts.all()) dynamics::apply(held, -held.impulse, -held.torque, free);
                const StepProblem problem = problem_of(contacts.all(), free);
                if (!out.empty()) write(problem, fmt::format("{}/{}-{:04}.hdf5", out, world.name, seen));
                ++seen;
                fewest = std::min(fewest, problem.contacts());
                most = std::max(most, problem.contacts());
                for (Tally& tally : tallies) {
                    const std::string_view name = tally.name;
                    if (name.starts_with("siconos"))
                        measure(
                            problem,
                            [theirs = std::make_shared<Theirs>(
                                 problem, name == "siconos nsgs" ? SICONOS_FRICTION_3D_NSGS : SICONOS_FRICTION_3D_NSN_AC)](
                                double tolerance) { return (*theirs)(tolerance); },
                            tally);
                    else
                        measure(problem, Ours{problem, contacts, free, task, tally.name}, tally);
                }
            }
            if (seen == problems) return dynamics::Solved{.residual = 0, .has_converged = false};  // ends the run
            return cone_problem.solve(task, contacts, cone_solvers, bodies);
        };
        const auto why = [](std::size_t, double, const model::Phase&) { return std::string("stalled"); };
        Silent silent;
        dynamics::rigid_steps(world.model, world.phase, {.looks_ahead = false, .solve = solve, .why_stalled = why})
            ->advance(world.state, {.time = world.end}, silent);
    }
    fmt::print("{} problems, {} to {} contacts; processor time in ms\n{:>15} {:>8}", seen, fewest, most, "solver", "law");
    for (const double r : wanted) fmt::print("   to {:.0e}: solved   median     mean", r);
    fmt::print("\n");
    for (Tally& tally : tallies) {
        fmt::print("{:>15} {:>8}", tally.name, tally.dilates ? "coulomb" : "convex");
        for (std::size_t k = 0; k < 2; ++k) {
            std::vector<double>& t = tally.seconds[k];
            std::sort(t.begin(), t.end());
            double sum = 0;
            for (const double s : t) sum += s;
            fmt::print(" {:>17} {:>9.3f} {:>8.3f}", tally.solved[k], t.empty() ? 0 : 1e3 * t[t.size() / 2],
                       t.empty() ? 0 : 1e3 * sum / static_cast<double>(t.size()));
        }
        fmt::print("\n");
    }
    return 0;
}
