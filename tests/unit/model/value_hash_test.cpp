// The hashes that hold two builds against each other: the values in their order, spelled out a second time, and nothing else.
#include "asperity/model/value_hash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace asperity::model::value_hash_test {
namespace {

State two_bodies() {
    State state;
    state.clock = {.phase = 1, .phase_start = 100, .time_in_phase = 0.5, .steps = 77};
    state.bodies = {.position = {{1, 2, 3}, {4, 5, 6}},
                    .orientation = {{0.1, 0.2, 0.3, 0.4}, {0.5, 0.6, 0.7, 0.8}},
                    .velocity = {{7, 8, 9}, {10, 11, 12}},
                    .spin = {{13, 14, 15}, {16, 17, 18}}};
    state.tallies.heat_impact = {19, 20};
    state.tallies.heat_friction = {21, 22};
    state.tallies.heat_rolling = {23, 24};
    state.tallies.heat_tide = {25, 26};
    state.tallies.work = {27, 28};
    state.tallies.impacts = {3, 4};
    return state;
}

Event an_impact() {
    return {.kind = EventKind::rock,
            .time = 1,
            .a = 2,
            .position = {3, 4, 5},
            .velocity = {6, 7, 8},
            .spin = {9, 10, 11},
            .normal = {12, 13, 14},
            .normal_speed_in = 15,
            .normal_speed_out = 16,
            .heat = 17};
}

Sample a_sample() {
    return {.time = 1,
            .body = 1,
            .position = {2, 3, 4},
            .velocity = {5, 6, 7},
            .spin = {8, 9, 10},
            .orientation = {11, 12, 13, 14},
            .ledger = {.kinetic = 15,
                       .rotational = 16,
                       .potential = 17,
                       .heat_impact = 18,
                       .heat_friction = 19,
                       .heat_rolling = 20,
                       .heat_tide = 21,
                       .work = 22}};
}

TEST(ValueHash, OfAStateIsThatOfItsValuesInTheirOrder) {
    Hasher wanted;
    wanted.add(std::int64_t{1}).add(100.5).add(std::int64_t{77});
    for (const double x : {1., 2., 3., 0.1, 0.2, 0.3, 0.4, 7., 8., 9., 13., 14., 15.}) wanted.add(x);
    for (const double x : {4., 5., 6., 0.5, 0.6, 0.7, 0.8, 10., 11., 12., 16., 17., 18.}) wanted.add(x);
    for (const double x : {19., 21., 23., 25., 27.}) wanted.add(x);
    wanted.add(std::int64_t{3});
    for (const double x : {20., 22., 24., 26., 28.}) wanted.add(x);
    wanted.add(std::int64_t{4});
    EXPECT_EQ(state_hash(two_bodies()), wanted.value());
}

TEST(ValueHash, OfEventsIsThatOfTheirValuesInTheirOrder) {
    Hasher wanted;
    for (int k = 0; k < 2; ++k) {
        wanted.add(std::int64_t{9}).add(1.).add(std::int64_t{2});
        for (int i = 3; i <= 17; ++i) wanted.add(static_cast<double>(i));
    }
    EXPECT_EQ(event_hash(std::vector<Event>{an_impact(), an_impact()}), wanted.value());
}

TEST(ValueHash, OfSamplesIsThatOfTheirValuesInTheirOrder) {
    Hasher wanted;
    for (int k = 0; k < 2; ++k)
        for (int i = 1; i <= 22; ++i) wanted.add(static_cast<double>(i));
    EXPECT_EQ(sample_hash(std::vector<Sample>{a_sample(), a_sample()}), wanted.value());
}

TEST(ValueHash, OfAStateDoesNotSeeHowContactsAndStepsAreKept) {
    State state = two_bodies();
    state.contacts.add(0, ground, no_feature, Mode::roll);
    state.contacts.slip_direction = {{1, 0, 0}};
    state.draws.counter = {5};
    state.stepper.next_step = 3;
    state.settled.energy = 4;
    state.balance.error = 5;
    state.clock.phase_start = 50;
    state.clock.time_in_phase = 50.5;
    EXPECT_EQ(state_hash(state), state_hash(two_bodies()));
    state.tallies.heat_tide.clear();
    State without_tides = two_bodies();
    without_tides.tallies.heat_tide = {0, 0};
    EXPECT_EQ(state_hash(state), state_hash(without_tides)) << "what is not kept is 0";
}

TEST(ValueHash, OfEventsAndSamplesDoesNotSeeFeaturesAndModes) {
    Event event = an_impact();
    event.b = 2;
    event.feature = 3;
    event.mode = Mode::roll;
    EXPECT_EQ(event_hash(std::vector{event}), event_hash(std::vector{an_impact()}));
    Sample sample = a_sample();
    sample.mode = Mode::roll;
    sample.configuration = Configuration::euler_resting;
    EXPECT_EQ(sample_hash(std::vector{sample}), sample_hash(std::vector{a_sample()}));
}

TEST(ValueHash, SeesTheLastBitButNotTheSignOfZeroNorThatOfNotANumber) {
    const auto with_x = [](double x) {
        State state = two_bodies();
        state.bodies.position[1].x = x;
        return state_hash(state);
    };
    EXPECT_NE(with_x(4), with_x(std::nextafter(4, 5)));
    EXPECT_EQ(with_x(0.0), with_x(-0.0));
    EXPECT_EQ(with_x(std::nan("")), with_x(-std::nan("7")));
    EXPECT_NE(with_x(std::nan("")), with_x(0));
}

}  // namespace
}  // namespace asperity::model::value_hash_test
