// No step of the event-driven method allocates. This file replaces the global operator new, so it is an executable of its own.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

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

}  // namespace
}  // namespace asperity::dynamics::test
