// Contact problems of our own runs, solved by our solvers and by Siconos in one run: processor time to a residual. Second opinions never
// enter the program; this is built only where libsiconos-numerics-dev and libfclib-dev are installed.
//
//   asperity_bench_friction_solvers [--problems N] [--solver NAME] [--cap SECONDS] [--out FOLDER]
//
// Problems are those of steps of four worlds, as many of each: boxes that fall on a heap, grains in a box, a stack of ten boxes, and boxes
// that come down on a hilly mesh; without restitution and resistance to turning:
//   u = W r + q,   0 <= r_n  _|_  u_n >= 0,   |r_t| <= f r_n against u_t                                                       (1)
// in the units in which the mean of W_nn is one, so that r is a velocity too. `--out` writes each in the format of FCLIB (HDF5). All begin
// with r = 0. The residual is that of the natural map, |r - P(r - u - f |u_t| n)| / |q|, P the projection on Coulomb's cone, taken by one
// function for all solvers. A solver is asked for ever smaller tolerances of its own, ten times each; its time to a residual is that of the
// first answer whose residual is small enough, and what takes longer than the cap is not solved. Solvers of the convex relaxation (dvi) are
// measured on theirs, the same without f |u_t| n.
#include <fmt/format.h>

#include <algorithm>
#include <array>
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
#include "asperity/geometry/mesh.h"
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
    // Iterations are limited to those that fit below the cap.
    Theirs(const StepProblem& problem, int solver, double cap) : problem_(problem), solver_(solver) {
        const int n = static_cast<int>(problem.q.size());
        matrix_ = NM_create(NM_SPARSE, n, n);
        NM_triplet_alloc(matrix_, static_cast<CS_INT>(problem.w.size()));
        for (const Entry& e : problem.w) NM_entry(matrix_, e.row, e.column, e.value);
        blocks_ = NM_create(NM_SPARSE_BLOCK, n, n);
        blocks_->matrix1 = SBM_new();
        SBM_from_csparse(3, NM_csc(matrix_), blocks_->matrix1);
        constexpr int few = 5;
        const double seconds = solve(1e-16, few).seconds;
        most_ = static_cast<int>(std::clamp(1.2 * few * cap / seconds, 1.0 * few, 1e5));
    }
    Theirs(const Theirs&) = delete;
    Theirs& operator=(const Theirs&) = delete;
    ~Theirs() {
        NM_clear(matrix_);
        std::free(matrix_);
        NM_clear(blocks_);
        std::free(blocks_);
    }
    Answer operator()(double tolerance) { return solve(tolerance, most_); }

private:
    Answer solve(double tolerance, int iterations) {
        std::vector<double> q = problem_.q, mu = problem_.friction, r(q.size(), 0), u = q;
        const bool sweeps = solver_ == SICONOS_FRICTION_3D_NSGS;
        FrictionContactProblem fc{3, static_cast<int>(problem_.contacts()), sweeps ? blocks_ : matrix_, q.data(), mu.data()};
        SolverOptions* options = solver_options_create(solver_);
        options->dparam[SICONOS_DPARAM_TOL] = tolerance;
        options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
        const double begin = processor_seconds();
        fc3d_driver(&fc, r.data(), u.data(), options);
        const double seconds = processor_seconds() - begin;
        solver_options_delete(options);
        return {std::move(r), seconds};
    }

    const StepProblem& problem_;
    int solver_, most_ = 0;
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

constexpr std::array wanted{1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
struct Tally {
    const char* name;
    bool dilates = true;
    int siconos = 0;                                           // its number there; 0: ours
    std::array<std::vector<double>, wanted.size()> seconds{};  // of problems that it solves
};

void measure(const StepProblem& problem, const std::function<Answer(double)>& solve, double cap, Tally& tally) {
    std::size_t next = 0;
    for (double tolerance = 1e-2; next < wanted.size() && tolerance > 1e-15; tolerance *= 0.1) {
        const Answer answer = solve(tolerance);
        if (answer.seconds > cap) return;
        const double got = residual(problem, answer.r, tally.dilates);
        for (; next < wanted.size() && got <= wanted[next]; ++next) tally.seconds[next].push_back(answer.seconds);
    }
}

struct World {
    const char* name = "";
    std::unique_ptr<model::Assets> assets;
    model::Model model;
    model::State state;
    model::Phase phase{.method = "impulse", .integrator = model::Integrator::leapfrog, .tolerance = 1e-5, .flight_tolerance = 0};
    double end = 2;         // s
    int every = 20;         // steps between problems
    std::size_t least = 8;  // contacts of a problem
};

using Random = std::mt19937_64;
double draw(Random& random) { return std::uniform_real_distribution<double>(-1, 1)(random); }
Vec3 draw3(Random& random) {
    const double x = draw(random), y = draw(random);
    return {x, y, draw(random)};
}

model::Collider wall(const Vec3& p, const Vec3& axis, double angle) {
    return {.shape = model::HalfSpace{}, .pose = {p, rotation(angle * axis)}};
}

model::BodyKind box(double mass, const Vec3& half) {
    const Vec3 a2{half.x * half.x, half.y * half.y, half.z * half.z};
    return {.mass = mass,
            .semi_axes = std::sqrt(5.0 / 3) * half,
            .inertia = {mass / 3 * (a2.y + a2.z), mass / 3 * (a2.x + a2.z), mass / 3 * (a2.x + a2.y)},
            .colliders = {{.shape = model::Box{half}}}};
}

World world_with(const char* name, const model::BodyKind& kind, const std::vector<Vec3>& position, double friction) {
    World world{.name = name};
    model::Parameters& parameters = world.model.parameters;
    parameters.bodies.add(kind, position.size());
    parameters.ground = {wall({}, {0, 1, 0}, 0)};
    parameters.environment.field = gravity::Uniform{{0, 0, -9.81}};
    parameters.laws.laws[0] = {.friction = friction};
    parameters.step_budget = 1000000000;
    world.state = model::first_state(position, position.size());
    world.state.bodies.velocity.assign(position.size(), {});
    return world;
}

// Layers of `across` times `across` bodies in a box of their width.
World layers(const char* name, const model::BodyKind& kind, int count, int across, double spacing, Random& random) {
    std::vector<Vec3> position;
    for (int n = 0; n < count; ++n)
        position.push_back(spacing *
                           (Vec3{n % across + 0.6, n / across % across + 0.6, n / (across * across) + 0.6} + 0.04 * draw3(random)));
    World world = world_with(name, kind, position, 0.4);
    constexpr double quarter = 3.14159265358979 / 2;
    const double width = spacing * (across + 0.2);
    for (const model::Collider& side : {wall({}, {0, 1, 0}, quarter), wall({width, 0, 0}, {0, 1, 0}, -quarter),
                                        wall({}, {1, 0, 0}, -quarter), wall({0, width, 0}, {1, 0, 0}, quarter)})
        world.model.parameters.ground.push_back(side);
    for (Quat& q : world.state.bodies.orientation) q = rotation(draw3(random));
    return world;
}

World heap(Random& random) {
    World world = layers("heap", box(2, {0.12, 0.1, 0.08}), 20, 2, 0.4, random);
    world.phase.step_max = 2e-3;
    return world;
}

World grains(Random& random) {
    World world = layers("grains", model::sphere_kind(0.005, 1.3e-3), 150, 5, 0.011, random);
    world.phase.step_max = 4e-4;
    world.end = 0.3;
    return world;
}

// Set down a little askew, so that it rocks.
World stack(Random& random) {
    const Vec3 half{0.1, 0.1, 0.05};
    std::vector<Vec3> position;
    for (int n = 0; n < 10; ++n) position.push_back({0.01 * draw(random), 0.01 * draw(random), (2 * n + 1) * half.z + 1e-3 * n});
    World world = world_with("stack", box(1, half), position, 0.5);
    for (Quat& q : world.state.bodies.orientation) q = rotation(Vec3{0, 0, 0.3 * draw(random)});
    for (Vec3& v : world.state.bodies.velocity) v = 0.05 * draw3(random);
    world.phase.step_max = 2e-3;
    return world;
}

World landers(Random& random) {
    constexpr int across = 24;
    constexpr double cell = 0.15;
    std::vector<Vec3> vertices, position;
    std::vector<std::array<std::int32_t, 3>> facets;
    for (int j = 0; j <= across; ++j)
        for (int i = 0; i <= across; ++i) vertices.push_back({cell * (i - across / 2), cell * (j - across / 2), 0.04 * draw(random)});
    for (int j = 0; j < across; ++j)
        for (int i = 0; i < across; ++i) {
            const std::int32_t k = j * (across + 1) + i, up = k + across + 1;
            facets.push_back({k, k + 1, up + 1});
            facets.push_back({k, up + 1, up});
        }
    for (int n = 0; n < 9; ++n) position.push_back({0.5 * (n % 3 - 1), 0.5 * (n / 3 - 1), 0.4 + 0.1 * draw(random)});
    World world = world_with("landers", box(9.6, {0.146, 0.1375, 0.0975}), position, 0.6);
    world.assets = std::make_unique<model::Assets>();
    world.assets->surface = geometry::make_surface(std::move(vertices), std::move(facets));
    world.model.assets = world.assets.get();
    world.model.parameters.ground = {{.shape = model::MeshShape{}}};
    world.model.parameters.ground_materials = {0};
    for (Quat& q : world.state.bodies.orientation) q = rotation(draw3(random));
    for (Vec3& v : world.state.bodies.velocity) v = 0.5 * draw3(random);
    world.phase.step_max = 2e-3;
    world.every = 10;
    world.end = 1.5;
    return world;
}

// The problems of one world after the other, of several seeds, until there are enough.
using Visit = std::function<void(const World& world, const dynamics::StepTask& task, dynamics::HeldContacts& contacts,
                                 const model::Bodies& without_impulses)>;
void each_problem(World (*make)(Random&), std::size_t count, const Visit& visit) {
    std::size_t seen = 0;
    for (unsigned seed = 1; seen < count; ++seed) {
        Random random(seed);
        World world = make(random);
        int step = 0;
        dynamics::ContactSolve solver;
        const auto solve = [&](const dynamics::StepTask& task, dynamics::HeldContacts& contacts, model::Bodies& bodies) {
            if (seen == count) return dynamics::Solved{.residual = 0, .has_converged = false};  // ends the run
            if (++step % world.every == 0 && contacts.all().size() >= world.least) {
                model::Bodies free = bodies;
                for (const HeldContact& held : contacts.all()) dynamics::apply(held, -held.impulse, -held.torque, free);
                visit(world, task, contacts, free);
                ++seen;
            }
            dynamics::Solved solved = solver.solve(task, contacts, bodies);
            solved.has_converged = true;  // goes on whatever it leaves
            return solved;
        };
        const auto why = [](std::size_t, double, const model::Phase&) { return std::string("stalled"); };
        Silent silent;
        dynamics::rigid_steps(world.model, world.phase, {.looks_ahead = false, .solve = solve, .why_stalled = why})
            ->advance(world.state, {.time = world.end}, silent);
    }
}

void print(const std::vector<Tally>& tallies, std::size_t problems) {
    fmt::print("{:>15} {:>8}", "solver", "law");
    for (const double r : wanted) fmt::print("   to {:.0e}: solved  median    mean", r);
    fmt::print("\n");
    for (const Tally& tally : tallies) {
        fmt::print("{:>15} {:>8}", tally.name, tally.dilates ? "coulomb" : "convex");
        for (std::vector<double> t : tally.seconds) {
            std::ranges::sort(t);
            double sum = 0;
            for (const double s : t) sum += s;
            fmt::print("       {:>10.1f} % {:>7.2f} {:>7.2f}", 100.0 * static_cast<double>(t.size()) / static_cast<double>(problems),
                       t.empty() ? 0 : 1e3 * t[t.size() / 2], t.empty() ? 0 : 1e3 * sum / static_cast<double>(t.size()));
        }
        fmt::print("\n");
    }
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t problems = 1000;
    double cap = 0.2;
    std::string out, only;
    for (int k = 1; k + 1 < argc; k += 2) {
        const std::string_view key = argv[k];
        if (key == "--problems") problems = static_cast<std::size_t>(std::atoll(argv[k + 1]));
        if (key == "--cap") cap = std::atof(argv[k + 1]);
        if (key == "--solver") only = argv[k + 1];
        if (key == "--out") out = argv[k + 1];
    }
    const ThreadLimit limit(1);
    const std::vector<Tally> solvers{{"impulse"},
                                     {"siconos nsgs", true, SICONOS_FRICTION_3D_NSGS},
                                     {"siconos nsn_ac", true, SICONOS_FRICTION_3D_NSN_AC},
                                     {"siconos nsn_fb", true, SICONOS_FRICTION_3D_NSN_FB},
                                     {"siconos admm", true, SICONOS_FRICTION_3D_ADMM},
                                     {"jacobi", false},
                                     {"gauss-seidel", false},
                                     {"accelerated", false}};
    std::vector<Tally> all;
    for (const Tally& tally : solvers)
        if (only.empty() || std::string_view(tally.name).ends_with(only)) all.push_back(tally);
    constexpr std::array makers{heap, grains, stack, landers};
    const double begin = processor_seconds();
    for (const auto make : makers) {
        std::vector<Tally> tallies = all;
        for (Tally& tally : tallies)
            for (std::vector<double>& t : tally.seconds) t.clear();
        const std::size_t count = problems / makers.size();
        std::size_t seen = 0, fewest = std::numeric_limits<std::size_t>::max(), most = 0;
        const char* name = "";
        each_problem(make, count,
                     [&](const World& world, const dynamics::StepTask& task, dynamics::HeldContacts& contacts, const model::Bodies& free) {
                         name = world.name;
                         const StepProblem problem = problem_of(contacts.all(), free);
                         if (!out.empty()) write(problem, fmt::format("{}/{}-{:04}.hdf5", out, world.name, seen));
                         ++seen;
                         fewest = std::min(fewest, problem.contacts());
                         most = std::max(most, problem.contacts());
                         for (Tally& tally : tallies) {
                             if (tally.siconos != 0)
                                 measure(
                                     problem,
                                     [&, theirs = std::make_shared<Theirs>(problem, tally.siconos, cap)](double tolerance) {
                                         return (*theirs)(tolerance);
                                     },
                                     cap, tally);
                             else
                                 measure(problem, Ours{problem, contacts, free, task, tally.name}, cap, tally);
                         }
                     });
        fmt::print("{}: {} problems, {} to {} contacts; processor time in ms\n", name, seen, fewest, most);
        print(tallies, seen);
        for (std::size_t k = 0; k < all.size(); ++k)
            for (std::size_t r = 0; r < wanted.size(); ++r)
                all[k].seconds[r].insert(all[k].seconds[r].end(), tallies[k].seconds[r].begin(), tallies[k].seconds[r].end());
    }
    fmt::print("all: {} problems in {:.0f} s\n", problems / makers.size() * makers.size(), processor_seconds() - begin);
    print(all, problems / makers.size() * makers.size());
    return 0;
}
