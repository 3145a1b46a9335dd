// Grains that settle in a box under `penalty` by leapfrog: cost of a grain-step and memory of a grain against their number, with the error
// of energy and the hash of the final state beside them; linear and Hertz.
//
//   asperity_bench_grains [--rows FILE]
//
// The floor: a grain of a settled bed has six neighbours, three contacts of its own. Positions, velocities and spins of both sides, the
// contact and its response are some 700 bytes a grain-step and 400 flops: 30 ns at the bandwidth of one core, where rows are in spatial
// order.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "asperity/analysis/energy.h"
#include "asperity/analysis/ledger.h"
#include "asperity/core/hash.h"
#include "asperity/core/parallel.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/first_state.h"
#include "asperity/model/value_hash.h"
#include "bench_rows.h"

namespace {

using namespace asperity;

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

// Glass beads of 1 cm, on a slightly disturbed lattice above the floor of a box whose ground is `across` grains wide.
Bed bed_of(int across, int high, laws::NormalLaw normal) {
    Bed bed;
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> noise(-0.05, 0.05);
    constexpr double r = 0.005, pi = 3.14159265358979;
    std::vector<Vec3> position;
    for (int k = 0; k < high; ++k)
        for (int j = 0; j < across; ++j)
            for (int i = 0; i < across; ++i)
                position.push_back(r *
                                   Vec3{2.2 * (i + 0.6) + noise(engine), 2.2 * (j + 0.6) + noise(engine), 2.2 * (k + 0.6) + noise(engine)});
    const std::size_t n = position.size();
    model::Parameters& world = bed.model.parameters;
    world.bodies.add(model::sphere_kind(r, 2500 * 4.0 / 3 * pi * r * r * r), n);
    const double width = r * 2.2 * (across + 0.2);
    const auto wall = [](const Vec3& p, const Vec3& axis, double angle) {
        return model::Collider{.shape = model::HalfSpace{}, .pose = {p, rotation(angle * axis)}};
    };
    world.ground = {wall({}, {0, 1, 0}, 0), wall({}, {0, 1, 0}, pi / 2), wall({width, 0, 0}, {0, 1, 0}, -pi / 2),
                    wall({}, {1, 0, 0}, -pi / 2), wall({0, width, 0}, {1, 0, 0}, pi / 2)};
    world.environment.field = gravity::Uniform{{0, 0, -9.81}};
    world.laws.laws[0] = {.restitution = 0.5, .friction = 0.4, .normal_law = normal, .stiffness = 2e3, .modulus = 2e6, .slip_speed = 1e-3};
    world.phases = {{.name = "settle", .method = "penalty", .integrator = model::Integrator::leapfrog, .step_max = 2e-5}};
    world.step_budget = 1000000000;
    bed.state = model::first_state(std::move(position), world.bodies.groups.size());
    bed.state.balance.start = analysis::energies(bed.model, bed.state.bodies, 0).mechanical();
    return bed;
}

// Of all threads, s.
double all_processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

int main(int argc, char** argv) {
    bench::Rows rows(argc, argv);
    const double before = peak_bytes();
    fmt::print("{:>7} {:>7} {:>8} {:>14} {:>12} {:>12} {:>12}  {}\n", "grains", "law", "threads", "ns/grain-step", "bytes/grain",
               "contacts", "energy error", "hash");
    for (const laws::NormalLaw normal : {laws::NormalLaw::hooke, laws::NormalLaw::hertz})
        for (const auto& [across, high] : {std::pair{10, 20}, std::pair{22, 42}})
            for (const int threads : {1, 2}) {
                if (threads == 2 && across == 10) continue;
                const ThreadLimit limit(threads);
                Bed bed = bed_of(across, high, normal);
                const model::State first = bed.state;
                Silent silent;
                bed.model.parameters.end_time = 0.06;  // they have fallen and lie on each other
                dynamics::simulate(bed.model, bed.state, silent);
                const std::int64_t steps = bed.state.clock.steps;
                const double begin = all_processor_seconds();
                bed.model.parameters.end_time = 0.066;
                dynamics::simulate(bed.model, bed.state, silent);
                const double seconds = all_processor_seconds() - begin;
                const auto n = static_cast<double>(bed.state.bodies.position.size());
                const double taken = static_cast<double>(bed.state.clock.steps - steps);
                const double error = std::fabs(analysis::energy_change(bed.model, first, bed.state)) /
                                     analysis::contact_heat(bed.model.parameters, bed.state.tallies);
                const Hash128 hash = model::state_hash(bed.state);
                const char* law = normal == laws::NormalLaw::hooke ? "hooke" : "hertz";
                rows.add("grains", fmt::format("{} {} {}", n, law, threads), seconds, error, hash);
                fmt::print("{:>7} {:>7} {:>8} {:>14.1f} {:>12.0f} {:>12.2f} {:>12.2e}  {}\n", n, law, threads, 1e9 * seconds / (n * taken),
                           (peak_bytes() - before) / n, static_cast<double>(bed.state.contacts.size()) / n, error, bench::short_text(hash));
                std::fflush(stdout);
            }
    return 0;
}
