// No step of the event-driven method allocates, nor of dvi once its workspace has grown. This file replaces the global operator new, so it
// is an executable of its own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "unit/dynamics/soft_scene.h"
#include "unit/dynamics/worlds.h"

namespace {
long allocations = 0;

void* counted(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace asperity::dynamics::test {
namespace {

// Looks at everything and keeps nothing.
struct Silent : model::Observer {
    double sample_time = 0;
    long seen = 0;
    double next_sample() const override { return sample_time; }
    void sample(const model::Look&) override { sample_time += 10, ++seen; }
    void event(const model::Event&) override { ++seen; }
    double next_checkpoint() const override { return 0; }
    void checkpoint(const model::State&) override { ++seen; }
};

TEST(Allocation, TheCounterCounts) {
    const long before = allocations;
    auto* memory = new double[3];
    EXPECT_EQ(allocations, before + 1);
    delete[] memory;
}

// Flights, slides, rolls and several contacts, up to a stop; a run that ends by itself may allocate its message and a copy of it.
TEST(Allocation, NoStepOfTheEventDrivenMethodAllocates) {
    for (const char* world : {"gutter", "pit", "spike"}) {
        BallRun ball = dropped_into(world, 3);
        ball.state.contacts.reserve(1);  // the list takes its room once a run
        Silent observer;
        const auto method = find_method("event-driven")->make(ball.model, ball.model.parameters.phases[0]);
        long taken = 0;
        for (double time = 100; time < 5000; time += 100) {
            const long before = allocations;
            const Advance got = method->advance(ball.state, {.time = time}, observer);
            const long now = allocations - before;
            if (got.ended) {
                EXPECT_LE(now, 2) << world;
                break;
            }
            taken += now;
        }
        EXPECT_EQ(taken, 0) << world;
        EXPECT_GT(ball.state.clock.steps, 100) << world;
        EXPECT_GT(observer.seen, 100) << world;
    }
}

// A segment loads and stores; forty steps of it take no more than twenty.
TEST(Allocation, NoStepOfDviAllocates) {
    for (const model::ConeSolver solver : {model::ConeSolver::jacobi, model::ConeSolver::gauss_seidel, model::ConeSolver::accelerated}) {
        Scene scene = ball_over_plane({0, 0, -9.81}, {}, {});
        std::vector<Vec3> places;
        for (int k = 0; k < 10; ++k) places.push_back({0, 0, 0.1 + 0.2 * k});
        scene.world().bodies = rows(std::vector<model::BodyKind>(10, model::sphere_kind(0.1, 1)));
        scene.law() = {.friction = 0.5, .rolling_resistance = 0.01};
        scene.state = state_of(places);
        scene.world().step_budget = 1000;
        scene.phase.method = "dvi";
        scene.phase.solver = solver;
        scene.phase.step_max = 1e-3;
        scene.phase.tolerance = 1e-6;
        Books books(std::numeric_limits<double>::infinity());
        const auto method = find_method("dvi")->make(scene.model, scene.phase);
        const auto taken = [&](double time) {
            const long before = allocations;
            EXPECT_FALSE(method->advance(scene.state, {.time = time}, books).ended);
            return allocations - before;
        };
        taken(0.03);
        const long of_twenty = taken(0.05), of_forty = taken(0.09);
        EXPECT_EQ(of_forty, of_twenty);
        EXPECT_EQ(scene.state.clock.steps, 90);
        EXPECT_EQ(scene.state.contacts.size(), 10u);
    }
}

}  // namespace
}  // namespace asperity::dynamics::test
