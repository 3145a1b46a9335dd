// Rigid spheres in empty space: impulses, held contacts, located touches, and the numbers of 3-ternary.
#include "asperity/dynamics/constraint/constraint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "asperity/dynamics/collision.h"
#include "asperity/dynamics/constraint/hand_over.h"
#include "asperity/dynamics/constraint/rattle.h"
#include "asperity/dynamics/forces.h"
#include "asperity/dynamics/lcp/lcp.h"
#include "asperity/dynamics/penalty/penalty.h"
#include "asperity/dynamics/touching.h"
#include "unit/dynamics/rows.h"
#include "unit/numerics/projection.h"

namespace asperity::dynamics::constraint_test {
namespace {

constexpr double d = 4000, g = 6.67384e-11;  // 3-ternary: diameter, and the G that it used
const double mass = 2000 * 4.0 / 3 * std::numbers::pi * 2000.0 * 2000.0 * 2000.0;

model::Model world_of(std::size_t n, model::Integrator integrator = model::Integrator::symplectic4, double tolerance = 1e-8) {
    model::Model model;
    model::Parameters& world = model.parameters;
    world.environment.mutual.constant = g;
    const double inertia = 0.4 * mass * 2000 * 2000;
    const model::BodyKind body{.mass = mass,
                               .semi_axes = {2000, 2000, 2000},
                               .inertia = {inertia, inertia, inertia},
                               .tidal = {.love_number = 1e-5, .sin_double_lag = 1 / std::hypot(1.0, 100.0)}};
    world.bodies = rows(std::vector<model::BodyKind>(n, body));
    model.parameters.phases.assign(1, {.method = "constraint", .integrator = integrator, .tolerance = tolerance});
    model.parameters.step_budget = 1000000;
    return model;
}

model::State state_of(const Motion& motion) {
    model::State state;
    const std::size_t n = motion.bodies.size();
    state.bodies.position.resize(n);
    state.bodies.velocity.resize(n);
    state.bodies.spin.resize(n);
    state.bodies.orientation.resize(n);
    model::Tallies& t = state.tallies;
    t.heat_impact = t.heat_friction = t.heat_rolling = t.heat_tide = t.work = t.deepest_overlap = std::vector<double>(n);
    t.impacts.assign(n, 0);
    t.last_touch.assign(n, -1);
    store(motion, state);
    return state;
}

// Equal spheres that turn as one about z at this H2 = H^2 / (G m^3 d), times a factor.
Motion turning(std::vector<Vec3> places, double h2, double factor = 1) {
    Motion motion;
    const auto n = static_cast<double>(places.size());
    Vec3 middle;
    for (const Vec3& p : places) middle += p / n;
    double inertia = 0;
    for (const Vec3& p : places) inertia += mass * (squared_norm(p - middle) + 0.4 * 2000 * 2000);
    const Vec3 w{0, 0, factor * std::sqrt(h2 * g * mass * mass * mass * d) / inertia};
    for (const Vec3& p : places) motion.bodies.push_back({.p = p - middle, .v = cross(w, p - middle), .w = w});
    motion.heat.resize(places.size());
    return motion;
}

const std::vector<Vec3> lagrange{
    {-0.5 * d, -std::sqrt(3.0) / 6 * d, 0}, {0, std::sqrt(3.0) / 3 * d, 0}, {0.5 * d, -std::sqrt(3.0) / 6 * d, 0}};
const std::vector<Vec3> euler{{0, 0, 0}, {d, 0, 0}, {-d, 0, 0}};

// Energy with heat, momenta and events of a run, at every step boundary.
struct Book : model::Observer {
    explicit Book(const model::Model& m) : model(m) {}
    double next_sample() const override { return next; }
    void sample(const model::Look& s) override {
        mechanical = heat = 0, angular = {}, linear = {};
        for (std::size_t i = 0; i < s.position.size(); ++i) {
            const model::BodyKind& body = model.parameters.bodies[i];
            mechanical += s.ledger[i].kinetic + s.ledger[i].rotational + s.ledger[i].potential;
            heat += s.ledger[i].heat();
            linear += body.mass * s.velocity[i];
            angular += body.mass * cross(s.position[i], s.velocity[i]) + body.inertia.x * s.spin[i];
        }
        if (times.empty()) first_total = mechanical + heat, first_angular = angular;
        if (!times.empty()) greatest_rise = std::fmax(greatest_rise, (mechanical - last_mechanical) / std::fabs(first_total));
        last_mechanical = mechanical;
        worst = std::fmax(worst, std::fabs((mechanical + heat) / first_total - 1));
        worst_angular = std::fmax(worst_angular, norm(angular - first_angular) / norm(first_angular));
        times.push_back(s.time);
        next = std::nextafter(s.time, std::numeric_limits<double>::infinity());
    }
    void event(const model::Event& e) override { events.push_back(e); }
    double next_checkpoint() const override { return checkpoint_at; }
    void checkpoint(const model::State& state) override {
        kept = state;
        checkpoint_at = std::numeric_limits<double>::infinity();
    }

    const model::Model& model;
    double next = 0, checkpoint_at = std::numeric_limits<double>::infinity();
    double mechanical = 0, heat = 0, first_total = 0, last_mechanical = 0, greatest_rise = 0, worst = 0, worst_angular = 0;
    Vec3 linear, angular, first_angular;
    std::vector<double> times;
    std::vector<model::Event> events;
    model::State kept;
};

Advance run(const model::Model& model, model::State& state, double end, Book& book) {
    return constraint.make(model, model.parameters.phases[0])->advance(state, {.time = end}, book);
}

double kinetic(const model::Parameters& world, const Motion& motion) {
    double sum = 0;
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        sum += 0.5 * world.bodies[i].mass * squared_norm(motion.bodies[i].v) +
               0.5 * dot(motion.bodies[i].w, spin_momentum(world.bodies[i], motion.bodies[i]));
    return sum;
}

TEST(Collision, TwoSpheresByHand) {
    model::Model model = world_of(2);
    model::Parameters& world = model.parameters;
    for (const double friction : {0.0, 0.02, 5.0}) {
        world.laws.laws[0].friction = friction;
        Motion motion;  // along x, slipping along y
        motion.bodies = {{.p = {d, 0, 0}, .v = {-1, 0.3, 0}}, {.p = {0, 0, 0}, .v = {}}};
        motion.heat.resize(2);
        const double before = kinetic(world, motion);
        const Contact contact = contact_of_spheres(world, motion, 0, 1);
        const double e = 0.4;
        const Bounces got = collide(world, {&contact, 1}, {&e, 1}, motion);
        const double impulse = 1.4 * 0.5 * mass;  // (1 + e) u m / 2
        const double stick = 0.3 * mass / 7;      // slip over 2/m + 2 R^2 / (2/5 m R^2)
        const double along = std::fmin(friction * impulse, stick);
        EXPECT_NEAR(got[0].impulse / impulse, 1, 1e-14);
        EXPECT_NEAR(got[0].speed_out, 0.4, 1e-14);
        EXPECT_NEAR(motion.bodies[0].v.y, 0.3 - along / mass, 1e-14);
        EXPECT_NEAR(motion.bodies[1].w.z * 0.4 * 2000, along / mass, 1e-14);  // both turn the same way
        EXPECT_NEAR(motion.bodies[0].w.z, motion.bodies[1].w.z, 1e-18);
        const double heat = mass * (motion.heat[0].impact + motion.heat[0].friction + motion.heat[1].impact + motion.heat[1].friction);
        EXPECT_NEAR((before - kinetic(world, motion)) / heat, 1, 1e-12);
        EXPECT_NEAR(got[0].heat / heat, 1, 1e-12);
    }
}

TEST(Collision, AHeldContactPassesTheBlowOn) {
    const model::Model model = world_of(3);
    Motion motion;
    motion.bodies = {{.p = {d, 0, 0}, .v = {-1, 0, 0}}, {.p = {0, 0, 0}}, {.p = {-d, 0, 0}}};
    motion.heat.resize(3);
    const std::array<Contact, 2> contacts{contact_of_spheres(model.parameters, motion, 0, 1),
                                          contact_of_spheres(model.parameters, motion, 1, 2)};
    const std::array<double, 2> e{1, 0};
    const Bounces got = collide(model.parameters, contacts, e, motion);
    // 2 f1 - f2 = 2, 2 f2 = f1
    EXPECT_NEAR(got[0].impulse / mass, 4.0 / 3, 1e-14);
    EXPECT_NEAR(got[1].impulse / mass, 2.0 / 3, 1e-14);
    EXPECT_TRUE(got[1].is_resting);
    EXPECT_NEAR(motion.heat[0].impact, 0, 1e-15);
}

TEST(Collision, AnythingKeepsMomentumAndLosesEnergy) {  // ellipsoids too: arms and normal at random
    std::uint64_t seed = 7;
    const auto random = [&seed] {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(seed >> 11) * 0x1p-52 - 1;
    };
    const auto vector = [&] { return Vec3{random(), random(), random()}; };
    model::Parameters world;
    world.bodies = rows({{.mass = 1, .semi_axes = {1, 0.7, 0.5}, .inertia = {0.15, 0.25, 0.3}},
                         {.mass = 3, .semi_axes = {1, 1, 0.9}, .inertia = {1.1, 1.1, 1.2}},
                         {.mass = 2, .semi_axes = {1, 0.9, 0.5}, .inertia = {0.4, 0.5, 0.7}}});
    for (int trial = 0; trial < 200; ++trial) {
        world.laws.laws[0].friction = 0.5 * (1 + random());
        world.laws.laws[0].rolling_resistance = 0.1 * (1 + random());
        Motion motion;
        for (int i = 0; i < 3; ++i)
            motion.bodies.push_back({vector(), vector(), vector(), unit(Quat{random(), random(), random(), random()})});
        motion.heat.resize(3);
        std::array<Contact, 3> contacts;
        const std::array<std::array<std::size_t, 2>, 3> pairs{{{0, 1}, {0, 2}, {1, 2}}};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 point = vector();
            contacts[k] = {
                pairs[k][0], pairs[k][1], unit(vector()), point - motion.bodies[pairs[k][0]].p, point - motion.bodies[pairs[k][1]].p, 0.5};
        }
        const std::array<double, 3> e{0.5, 0.5, 0.5};
        const Momenta momenta_before = momenta(world, motion);
        const double before = kinetic(world, motion);
        const Bounces got = collide(world, contacts, e, motion);
        const Momenta momenta_after = momenta(world, motion);
        EXPECT_NEAR(norm(momenta_after.linear - momenta_before.linear), 0, 1e-13);
        EXPECT_NEAR(norm(momenta_after.angular() - momenta_before.angular()), 0, 1e-13);
        double heat = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            heat += world.bodies[i].mass * (motion.heat[i].impact + motion.heat[i].friction + motion.heat[i].rolling);
            EXPECT_GE(motion.heat[i].rolling, -1e-14);
        }
        EXPECT_NEAR(before - kinetic(world, motion), heat, 1e-12);
        EXPECT_GE(heat, -1e-14);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_GE(dot(contacts[k].normal, slip_of(contacts[k], motion)), -1e-12);
        for (std::size_t k = 0; k < 3; ++k) EXPECT_GE(got[k].impulse, 0);
    }
}

TEST(Rattle, OrderTwoAndFour) {  // two contacts held, bent: a V that swings
    const model::Model model = world_of(3);
    Motion first = turning({{0, 0, 0}, {d * std::cos(0.4), d * std::sin(0.4), 0}, {-d, 0, 0}}, 3.5);
    first.bodies[0].v.z = 0;
    const PairModes mode{model::Mode::touching, model::Mode::touching, open};
    for (const bool is_fourth : {false, true}) {
        std::array<Motion, 3> at;
        for (std::size_t k = 0; k < 3; ++k) {
            Rattle rattle(model.parameters);
            rattle.hold(mode);
            at[k] = first;
            const int steps = 20 << k;
            for (int i = 0; i < steps; ++i) ASSERT_TRUE(rattle.step(at[k], 8000.0 / steps, is_fourth));
            for (const std::size_t other : {1, 2}) EXPECT_NEAR(norm(at[k].bodies[other].p - at[k].bodies[0].p) / d, 1, 1e-15);
        }
        const double coarse = norm(at[0].bodies[2].p - at[1].bodies[2].p), fine = norm(at[1].bodies[2].p - at[2].bodies[2].p);
        EXPECT_NEAR(std::log2(coarse / fine), is_fourth ? 4 : 2, 0.25);
    }
}

TEST(Rattle, ForcesOfAnEquilibrium) {  // held pair: m/2 (2 G m / d^2 - w^2 d)
    const model::Model model = world_of(2);
    const Motion motion = turning({{0, 0, 0}, {d, 0, 0}}, 0.3);
    Rattle rattle(model.parameters);
    rattle.hold(PairModes{model::Mode::touching});
    const double w = motion.bodies[0].w.z;
    EXPECT_NEAR(rattle.forces(motion)[0] / (0.5 * mass * (2 * g * mass / (d * d) - w * w * d)), 1, 1e-13);
}

TEST(Constraint, StaticConfigurations) {
    struct Case {
        std::vector<Vec3> places;
        double h2;
        double rate;
    };
    // the errata's rates; AM at R = 3.6 has H2 = 6.0726
    const double r = 3.6, spin_part = 3 * 0.1, am_rate2 = (1 / ((r - 0.5) * (r - 0.5)) + 1 / ((r + 0.5) * (r + 0.5))) * 1.5 / r;
    const double am_inertia = 0.5 + 2.0 / 3 * r * r + spin_part;
    for (const Case& c : {Case{lagrange, 1, 2.03357e-4}, Case{euler, 3.5, 2.15035e-4},
                          Case{{{-0.5 * d, 0, 0}, {0.5 * d, 0, 0}, {r * d, 0, 0}}, am_inertia * am_inertia * am_rate2, 6.90109e-5}}) {
        const model::Model model = world_of(3);
        const Motion first = turning(c.places, c.h2);
        EXPECT_NEAR(first.bodies[0].w.z / c.rate, 1, 5e-6);
        model::State state = state_of(first);
        Book book(model);
        const double end = 100000;
        EXPECT_FALSE(run(model, state, end, book).ended);
        EXPECT_EQ(state.clock.time_in_phase, end);
        EXPECT_LT(book.worst, 1e-12);
        EXPECT_LT(book.worst_angular, 1e-12);
        EXPECT_LT(state.tallies.deepest_overlap[0], 1e-14 * d);
        EXPECT_TRUE(book.events.empty());
        const Vec3 a = unit(c.places[1] - c.places[0]), b = unit(state.bodies.position[1] - state.bodies.position[0]);
        EXPECT_NEAR(std::remainder(std::atan2(cross(a, b).z, dot(a, b)) - first.bodies[0].w.z * end, 2 * std::numbers::pi), 0, 1e-6);
    }
}

// Two spheres that fall towards each other from rest: the time to r from r0 is sqrt(r0^3 / (2 G M)) (acos(sqrt x) + sqrt(x (1 - x))), x = r
// / r0.
TEST(Constraint, ATouchIsLocatedToTheErrorOfTheStep) {
    const model::Model model = world_of(2, model::Integrator::symplectic4, 1e-14);
    Motion motion;
    motion.bodies = {{.p = {-d, 0, 0}}, {.p = {d, 0, 0}}};
    motion.heat.resize(2);
    model::State state = state_of(motion);
    Book book(model);
    run(model, state, 10000, book);
    ASSERT_EQ(book.events.size(), 1U);  // e = 0: it stays
    const double x = 0.5, wanted = std::sqrt(8 * d * d * d / (4 * g * mass)) * (std::acos(std::sqrt(x)) + std::sqrt(x * (1 - x)));
    EXPECT_NEAR(book.events[0].time / wanted, 1, 1e-11);
    const double speed = std::sqrt(4 * g * mass * (1 / d - 1 / (2 * d)));
    EXPECT_NEAR(book.events[0].normal_speed_in / speed, 1, 1e-11);
    EXPECT_NEAR(book.events[0].heat / (0.25 * mass * speed * speed), 1, 1e-10);
    EXPECT_EQ(pair_modes(state.contacts, state.bodies.position.size())[0], model::Mode::touching);
}

TEST(Constraint, BouncesFallByTheSquareOfTheRestitution) {
    model::Model model = world_of(2);
    model.parameters.laws.laws[0].restitution = 0.5;
    Motion motion;
    motion.bodies = {{.p = {-0.55 * d, 0, 0}}, {.p = {0.55 * d, 0, 0}}};
    motion.heat.resize(2);
    model::State state = state_of(motion);
    Book book(model);
    run(model, state, 20000, book);
    ASSERT_GT(book.events.size(), 5U);
    for (std::size_t k = 0; k + 1 < book.events.size(); ++k) {
        EXPECT_NEAR(book.events[k].normal_speed_out / book.events[k].normal_speed_in, 0.5, 1e-12);
        EXPECT_NEAR(book.events[k + 1].normal_speed_in / book.events[k].normal_speed_out, 1, 1e-6);
    }
    // the last hop is below a millionth of the effective radius, the one before not
    const double field = 2 * g * mass / (d * d), lowest = 1e-6 * 1000;
    const double last = 0.5 * book.events.back().normal_speed_in;
    EXPECT_EQ(book.events.back().normal_speed_out, 0);
    EXPECT_LT(last * last / (2 * field), lowest);
    EXPECT_GT(4 * last * last / (2 * field), lowest);
    EXPECT_EQ(pair_modes(state.contacts, state.bodies.position.size())[0], model::Mode::touching);
    EXPECT_LT(book.worst, 1e-8);
}

// First contacts, s: errata of 3-ternary. The displaced body keeps the velocity of its undisturbed place.
TEST(Constraint, FirstContactsOfTheTransitions) {
    struct Case {
        std::vector<Vec3> places;
        double h2;
        int moved;
        double factor;
        double wanted;
        double after;  // s; before it the displaced body falls back over its 4 m
    };
    for (const Case& c : {Case{lagrange, 5.2, 2, 1, 12290, 0}, Case{euler, 1.8, 1, 1, 108121, 1000}, Case{euler, 6.7, 1, 1, 8892, 0},
                          Case{{{-0.5 * d, 0, 0}, {0.5 * d, 0, 0}, {2.33696 * d, 0, 0}}, 5.32416, -1, 0.99, 64397, 0}}) {
        model::Model model = world_of(3);
        model.parameters.environment.tides.law = model::TideLaw::constant_angle;
        Motion motion = turning(c.places, c.h2, c.factor);
        if (c.moved >= 0) motion.bodies[static_cast<std::size_t>(c.moved)].p.x += 1e-3 * d;
        model::State state = state_of(motion);
        Book book(model);
        run(model, state, 1.01 * c.wanted, book);
        double first = 0;
        for (const model::Event& e : book.events)
            if (first == 0 && e.kind == model::EventKind::impact && e.time > c.after) first = e.time;
        EXPECT_NEAR(first / c.wanted, 1, 2e-3);
    }
}

TEST(Constraint, TheEnergyErrorFollowsTheTolerance) {  // LR -> ER, with tides, through touches and partings
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
        model::Model model = world_of(3, model::Integrator::symplectic4, tolerance);
        model.parameters.environment.tides.law = model::TideLaw::constant_angle;
        Motion motion = turning(lagrange, 5.2);
        motion.bodies[2].p.x += 1e-3 * d;
        model::State state = state_of(motion);
        Book book(model);
        EXPECT_FALSE(run(model, state, 120000, book).ended);
        EXPECT_LT(book.worst, 2 * tolerance);
        EXPECT_GT(book.worst, 0.05 * tolerance);
        EXPECT_GE(book.events.size(), 6U);
        EXPECT_LT(state.tallies.deepest_overlap[0], 1e-9 * d);
    }
}

TEST(Constraint, WithEverythingOnMomentumStaysAndEnergyOnlyFalls) {
    model::Model model = world_of(3, model::Integrator::symplectic4, 1e-10);
    model::Parameters& world = model.parameters;
    world.environment.tides.law = model::TideLaw::constant_angle;
    world.environment.tides.factor = 1e5;
    world.laws.laws[0] = {.restitution = 0.4, .friction = 0.5, .rolling_resistance = 0.02};
    Motion motion = turning(lagrange, 5.2);
    motion.bodies[2].p.x += 1e-3 * d;
    motion.bodies[0].w = {1e-4, -5e-5, 2e-4};  // inclined
    motion.bodies[1].w = {-3e-5, 1e-4, -1e-4};
    model::State state = state_of(motion);
    Book book(model);
    EXPECT_FALSE(run(model, state, 100000, book).ended);
    EXPECT_LT(book.worst, 1e-9);
    EXPECT_LT(book.worst_angular, 1e-12);
    EXPECT_LT(book.greatest_rise, 1e-10);  // that of the step
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_GT(state.tallies.heat_friction[i], 0);
        EXPECT_GT(state.tallies.heat_rolling[i], 0);
        EXPECT_GT(state.tallies.heat_tide[i], 0);
    }
}

TEST(Constraint, TidalHeatOfAHeldPair) {  // errata: Gamma = 3.513e5 N m
    model::Model model = world_of(2);
    model.parameters.environment.tides.law = model::TideLaw::constant_angle;
    Motion motion = turning({{0, 0, 0}, {d, 0, 0}}, 0.3);
    const double relative = 1e-5;
    for (BodyMotion& body : motion.bodies) body.w.z += relative;
    model::State state = state_of(motion);
    Book book(model);
    run(model, state, 100000, book);
    EXPECT_NEAR(mass * state.tallies.heat_tide[0] / (3.513e5 * relative * 1e5), 1, 2e-4);
    EXPECT_LT(book.worst, 1e-12);

    model.parameters.environment.tides.factor = 1e7;  // within the run it locks, and stays: no shaking about zero
    state = state_of(motion);
    Book locked(model);
    run(model, state, 100000, locked);
    const double orbit =
        cross(state.bodies.position[1] - state.bodies.position[0], state.bodies.velocity[1] - state.bodies.velocity[0]).z / (d * d);
    EXPECT_NEAR(state.bodies.spin[0].z / orbit, 1, 1e-9);
    EXPECT_LT(locked.greatest_rise, 1e-13);
    EXPECT_LT(locked.worst, 1e-12);
}

TEST(Constraint, SunlightIsWork) {
    model::Model model = world_of(2);
    model.parameters.bodies.kinds[0].yorp = {0, 0, 1e-10};
    model::State state = state_of(turning({{0, 0, 0}, {d, 0, 0}}, 0.3));
    const double w = state.bodies.spin[0].z, inertia = 0.4 * 2000 * 2000;
    Book book(model);
    run(model, state, 100000, book);
    EXPECT_NEAR(state.bodies.spin[0].z, w + 1e-5, 1e-16);
    EXPECT_NEAR(state.tallies.work[0], 0.5 * inertia * (1e-5 + 2 * w) * 1e-5, 1e-12);
}

TEST(Constraint, ARestartGivesTheSameBits) {
    model::Model model = world_of(3, model::Integrator::symplectic4, 1e-7);
    model.parameters.environment.tides.law = model::TideLaw::constant_angle;
    model.parameters.laws.laws[0] = {.restitution = 0.3, .friction = 0.4, .rolling_resistance = 0.01};
    Motion motion = turning(lagrange, 5.2);
    motion.bodies[2].p.x += 1e-3 * d;
    model::State whole = state_of(motion);
    Book all(model);
    run(model, whole, 60000, all);
    ASSERT_FALSE(all.events.empty());
    for (const double at : {1234.0, 12290.0, 20000.0, 43210.0}) {
        model::State state = state_of(motion);
        Book book(model);
        book.checkpoint_at = at;
        run(model, state, 60000, book);
        model::State again = book.kept;
        EXPECT_GE(again.clock.time(), at);
        Book rest(model);
        run(model, again, 60000, rest);
        EXPECT_TRUE(again == whole) << at;
    }
}

TEST(Constraint, RefusesAndSaysWhy) {
    model::Model model = world_of(2);
    model::Phase phase = model.parameters.phases[0];
    EXPECT_EQ(constraint.carries(model::census_of(model), phase), "");
    phase.integrator = model::Integrator::dopri5;
    EXPECT_EQ(constraint.carries(model::census_of(model), phase),
              "constraint steps by RATTLE: its integrators are verlet (order 2) and symplectic4");
    phase.integrator = model::Integrator::verlet;
    model.parameters.environment.mutual = {};
    EXPECT_EQ(constraint.carries(model::census_of(model), phase), "constraint needs bodies in empty space");
}

TEST(Constraint, AnOverlapAtTheStartIsTrouble) {
    const model::Model model = world_of(2);
    model::State state = state_of(turning({{0, 0, 0}, {d - 1, 0, 0}}, 0.3));
    Book book(model);
    const Advance got = run(model, state, 100, book);
    ASSERT_TRUE(got.ended.has_value());
    EXPECT_EQ(got.ended->kind, model::OutcomeKind::stalled);
    EXPECT_EQ(got.ended->message, "bodies 1 and 2 overlap by 1 m where `constraint` begins: it holds rigid bodies");
}

// Spheres that springs of 1e13 N/m hold at millimetres of overlap, as `penalty` leaves them; a fourth, far away, is left alone.
TEST(Constraint, TakesOverSoftContacts) {
    model::Model model = world_of(4);
    model::Parameters& world = model.parameters;
    for (const double overlap : {1.5e-3, 3e-2}) {
        for (const double stiffness : {1e13, 1e15}) {
            world.laws.laws[0].stiffness = stiffness;
            std::vector<Vec3> places = lagrange;
            for (Vec3& p : places) p *= 1 - overlap / d;
            places.push_back({0, 0, 7 * d});
            Motion motion = turning(places, 1);
            motion.bodies[1].w += Vec3{1e-5, 2e-5, 0};
            motion.bodies[2].v.z += 1e-3;
            const Momenta before = momenta(world, motion);
            const double energy = mechanical_energy(world, motion);
            const Vec3 far = motion.bodies[3].p;
            EXPECT_EQ(take_out_overlaps(world, motion), 3U);
            const Momenta after = momenta(world, motion);
            for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(norm(motion.bodies[i].p - motion.bodies[(i + 1) % 3].p), d, 2e-12);
            EXPECT_EQ(motion.bodies[3].p, far);
            EXPECT_LT(norm(after.linear - before.linear), 1e-15 * mass);
            EXPECT_LT(norm(after.angular() - before.angular()), 1e-15 * norm(before.angular()));
            double heat = 0, work = 0;
            for (const BodyHeat& h : motion.heat) heat += mass * h.impact, work += mass * h.work;
            EXPECT_NEAR((mechanical_energy(world, motion) + heat - work - energy) / energy, 0, 1e-15);
            // springs 3 k x^2 / 2 set free, gravity 3 G m^2 / d^2 x put in, and the bodies turn more slowly about each other
            const double springs = 1.5 * stiffness * overlap * overlap, lift = 3 * g * mass * mass / (d * d) * overlap;
            const double w = norm(motion.bodies[0].w), slower = mass * w * w * d * overlap;
            EXPECT_NEAR(heat - work, springs - lift + slower, 0.02 * (springs + lift));
            EXPECT_EQ(heat > 0, springs > lift);
        }
    }
}

TEST(Constraint, APhaseAfterPenaltyGoesOnWithItsContacts) {
    model::Model model = world_of(3);
    model::Parameters& world = model.parameters;
    world.laws.laws[0].stiffness = 1e13;
    world.laws.laws[0].damping = 1e13;
    const model::Phase soft{.name = "", .method = "penalty", .integrator = model::Integrator::dopri5, .tolerance = 1e-9};
    Motion motion = turning(euler, 3.5);
    model::State state = state_of(motion);
    Book settling(model);
    EXPECT_FALSE(penalty.make(model, soft)->advance(state, {.time = 500}, settling).ended);
    const double momentum = norm(momenta(world, motion_of(state)).angular());
    EXPECT_GT(d - norm(state.bodies.position[1] - state.bodies.position[0]), 1e-3);
    state.clock = {.phase = 1, .phase_start = 500, .time_in_phase = 0, .steps = state.clock.steps};
    Book book(model);
    EXPECT_FALSE(run(model, state, 20500, book).ended);
    EXPECT_TRUE(book.events.empty());
    EXPECT_EQ(pair_modes(state.contacts, 3)[0], model::Mode::touching);
    EXPECT_EQ(pair_modes(state.contacts, 3)[1], model::Mode::touching);
    EXPECT_NEAR(norm(state.bodies.position[1] - state.bodies.position[0]), d, 1e-11);
    EXPECT_NEAR(norm(momenta(world, motion_of(state)).angular()) / momentum, 1, 1e-13);
    EXPECT_EQ(state.settled.time, 500);
}

// Tides of a step below half an ulp of the velocities: without compensation they would be lost, 1e-12 of H in these steps.
TEST(Constraint, SmallTidesAddUp) {
    model::Model model = world_of(3, model::Integrator::verlet, 1e-8);
    model.parameters.environment.tides.law = model::TideLaw::constant_angle;
    const Motion motion = turning({{-0.5 * d, 0, 0}, {0.5 * d, 0, 0}, {3.6 * d, 0, 0}}, 6.0726);
    model::State state = state_of(motion);
    Book book(model);
    book.next = std::numeric_limits<double>::infinity();
    for (Vec3& w : state.bodies.spin) w.z += 2e-5;
    const Vec3 before = momenta(model.parameters, motion_of(state)).angular();
    run(model, state, 20000 * constraint_step(model.parameters, model.parameters.phases[0]), book);
    EXPECT_GT(norm(state.bodies.spin[0] - motion.bodies[0].w - Vec3{0, 0, 2e-5}), 0);
    EXPECT_LT(norm(momenta(model.parameters, motion_of(state)).angular() - before), 1e-13 * norm(before));
}

// 3-ternary Fig. 4.3: LR -> ER over 2e6 s with pivoting and Dormand-Prince. Contacts are held by acceleration only: gaps grow, and contact
// forces that push across a gap do work. `constraint` on the same world does not.
TEST(Lcp, GainsEnergyAsItsGapsGrow) {
    model::Model model = world_of(3, model::Integrator::dopri5, 1e-5);
    Motion motion = turning(lagrange, 5.2);
    motion.bodies[2].p.x += 1e-3 * d;
    model::State drifting = state_of(motion);
    Book gaining(model);
    EXPECT_FALSE(lcp.make(model, model.parameters.phases[0])->advance(drifting, {.time = 2e6}, gaining).ended);
    EXPECT_GT((gaining.mechanical + gaining.heat - gaining.first_total) / std::fabs(gaining.first_total), 1e-2);
    double largest = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = i + 1; j < 3; ++j)
            if (pair_modes(drifting.contacts, 3)[model::pair_index(i, j, 3)] != open)
                largest = std::fmax(largest, norm(drifting.bodies.position[i] - drifting.bodies.position[j]) / d - 1);
    EXPECT_GT(largest, 1e-2);

    model.parameters.phases[0].integrator = model::Integrator::symplectic4;
    model::State held = state_of(motion);
    Book book(model);
    EXPECT_FALSE(run(model, held, 2e6, book).ended);
    EXPECT_LT(book.worst, 2e-5);
}

TEST(Lcp, AgreesWithConstraintWhileItIsShort) {
    const model::Model pivoting = world_of(3, model::Integrator::dopri5, 1e-12),
                       rattling = world_of(3, model::Integrator::symplectic4, 1e-13);
    Motion motion = turning(lagrange, 5.2);
    motion.bodies[2].p.x += 1e-3 * d;
    model::State a = state_of(motion), b = state_of(motion);
    Book book_a(pivoting), book_b(rattling);
    lcp.make(pivoting, pivoting.parameters.phases[0])->advance(a, {.time = 30000}, book_a);
    run(rattling, b, 30000, book_b);
    ASSERT_EQ(book_a.events.size(), book_b.events.size());
    EXPECT_GE(book_a.events.size(), 4U);  // touches, and a parting
    for (std::size_t k = 0; k < book_a.events.size(); ++k) {
        EXPECT_EQ(book_a.events[k].kind, book_b.events[k].kind);
        const bool is_located = book_a.events[k].kind == model::EventKind::impact;  // partings are seen at the end of a step of lcp
        EXPECT_NEAR(book_a.events[k].time / book_b.events[k].time, 1, is_located ? 1e-9 : 1e-2);
    }
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(norm(a.bodies.position[i] - b.bodies.position[i]), 1e-6 * d);
}

// The problems that a run of lcp meets, step by step.
struct Problems : Book {
    explicit Problems(const model::Model& m) : Book(m), touching(m.parameters) { next = std::numeric_limits<double>::infinity(); }
    double next_checkpoint() const override { return 0; }
    void checkpoint(const model::State& state) override {
        const model::Parameters& world = model.parameters;
        const Motion motion = motion_of(state);
        Loads loads(world.bodies.size());
        add_gravity(world, motion, loads);
        for (Vec3& f : loads.force) f = f / mass;
        const numerics::Complementarity problem =
            touching.problem(std::span<const Vec3>(loads.force), motion, pair_modes(state.contacts, world.bodies.size()));
        if (problem.n > 0) all.push_back(problem);
    }
    Touching touching;
    std::vector<numerics::Complementarity> all;
};

// 3-ternary A.1: the least f A f / 2 + b f over f >= 0, by another algorithm. Forces are unique: no contact depends on others here.
TEST(Lcp, PivotingAgreesWithAQuadraticProgram) {
    model::Model three = world_of(3, model::Integrator::dopri5, 1e-8), six = world_of(6, model::Integrator::dopri5, 1e-8);
    Motion transition = turning(lagrange, 5.2);
    transition.bodies[2].p.x += 1e-3 * d;
    Motion heap;  // six that fall together
    for (const Vec3& p : {Vec3{1, 0.1, 0}, Vec3{-1, 0, 0.1}, Vec3{0, 1.05, 0}, Vec3{0.1, -1, 0}, Vec3{0, 0.1, 1}, Vec3{0, 0, -1.1}})
        heap.bodies.push_back({.p = 1.1 * d * p, .v = cross({0, 0, 2e-5}, 1.1 * d * p)});
    heap.heat.resize(6);
    Problems met_by_three(three), met_by_six(six);
    model::State a = state_of(transition), b = state_of(heap);
    EXPECT_FALSE(lcp.make(three, three.parameters.phases[0])->advance(a, {.time = 500000}, met_by_three).ended);
    EXPECT_FALSE(lcp.make(six, six.parameters.phases[0])->advance(b, {.time = 60000}, met_by_six).ended);
    EXPECT_GT(met_by_three.all.size(), 1000U);
    EXPECT_GE(std::max_element(met_by_six.all.begin(), met_by_six.all.end(), [](auto& x, auto& y) { return x.n < y.n; })->n, 8);
    for (const std::vector<numerics::Complementarity>* problems : {&met_by_three.all, &met_by_six.all})
        for (const numerics::Complementarity& problem : *problems) {
            const numerics::ComplementaritySolution pivoted = numerics::pivoting(problem), projected = numerics::projection(problem);
            ASSERT_TRUE(pivoted.is_solved && projected.is_solved);
            double force = 0, acceleration = 0;
            for (const double value : projected.f) force = std::fmax(force, value);
            for (const double value : problem.b) acceleration = std::fmax(acceleration, std::fabs(value));
            for (std::size_t k = 0; k < static_cast<std::size_t>(problem.n); ++k) {
                EXPECT_NEAR(pivoted.a[k], projected.a[k], 1e-12 * acceleration);
                EXPECT_NEAR(pivoted.f[k], projected.f[k], 1e-12 * force);
            }
        }
}

TEST(Lcp, ARestartGivesTheSameBits) {
    for (const model::Integrator integrator : {model::Integrator::dopri5, model::Integrator::verlet}) {
        model::Model model = world_of(3, integrator, 1e-7);
        model.parameters.environment.tides.law = model::TideLaw::constant_angle;
        Motion motion = turning(lagrange, 5.2);
        motion.bodies[2].p.x += 1e-3 * d;
        model::State whole = state_of(motion);
        Book book(model);
        book.checkpoint_at = 15000;
        lcp.make(model, model.parameters.phases[0])->advance(whole, {.time = 40000}, book);
        model::State again = book.kept;
        Book rest(model);
        lcp.make(model, model.parameters.phases[0])->advance(again, {.time = 40000}, rest);
        EXPECT_TRUE(again == whole);
    }
}

TEST(Lcp, RefusesAndSaysWhy) {
    model::Model model = world_of(2, model::Integrator::dopri5);
    model::Phase phase = model.parameters.phases[0];
    EXPECT_EQ(lcp.carries(model::census_of(model), phase), "");
    model.parameters.laws.laws[0].friction = 0.1;
    EXPECT_EQ(lcp.carries(model::census_of(model), phase),
              "lcp has no friction: pivoting solves for normal forces; use constraint or penalty");
    model.parameters.laws.laws[0].friction = 0;
    phase.integrator = model::Integrator::symplectic4;
    EXPECT_EQ(lcp.carries(model::census_of(model), phase), "lcp needs dopri5 or verlet");
    EXPECT_EQ(lcp.carries(model::census_of(world_of(7)), phase), "lcp carries two to six bodies: pivoting is written for 16 contacts");
}

}  // namespace
}  // namespace asperity::dynamics::constraint_test
