// Penalty with cohesion: balls that hang, stick and come apart, against closed forms.
#include "asperity/laws/contact/cohesion.h"

#include <cmath>
#include <string>

#include "asperity/laws/contact/soft_law.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "unit/dynamics/soft_scene.h"

namespace asperity::dynamics::cohesion_test {
namespace {

constexpr model::Integrator integrators[] = {model::Integrator::dopri5, model::Integrator::rk4, model::Integrator::leapfrog};
constexpr laws::NormalLaw normal_laws[] = {laws::NormalLaw::hooke, laws::NormalLaw::hertz};

// Bodies with this effective radius attract each other with this force.
void attract(laws::PairLaw& law, double force, double radius) {
    const laws::VanDerWaals one{.hamaker = 1};
    std::get<laws::Cohesion>(law.forces).attraction = laws::VanDerWaals{.hamaker = force / one.force(radius)};
}

void set_steps(Scene& scene, model::Integrator integrator, double step) {
    scene.phase.integrator = integrator;
    scene.phase.tolerance = 1e-12;
    if (integrator != model::Integrator::dopri5) scene.phase.step_max = step;
}

// m, where a ball of 10 cm on flat ground bears this force.
double overlap_under(const laws::PairLaw& law, double force) {
    return law.normal_law == laws::NormalLaw::hooke ? force / law.stiffness
                                                    : std::pow(force / (4.0 / 3 * law.modulus * std::sqrt(0.1)), 2.0 / 3);
}

laws::PairLaw soft_law(laws::NormalLaw normal, double restitution) {
    return {.restitution = restitution, .normal_law = normal, .stiffness = 1e4, .modulus = 1e6};
}

// 4.3e-20 / 48 / (1.5e-10)^2 = 3.98e-2 N/m; 5-anchoring rounds it to 3.6e-2.
TEST(Cohesion, ItsForceIsThatOfTheGapInQuestion) {
    laws::VanDerWaals moon{.hamaker = 4.3e-20, .cleanliness = 0.1, .gap = laws::CohesiveGap::published};
    EXPECT_NEAR(moon.force(0.01), 3.9815e-6, 1e-10);
    moon.gap = laws::CohesiveGap::two_layers;
    EXPECT_NEAR(moon.force(0.01), 2 * 3.9815e-6, 1e-10);
    moon.gap = laws::CohesiveGap::one_layer;
    EXPECT_NEAR(moon.force(0.01), 8 * 3.9815e-6, 1e-9);
    moon.cleanliness = 1;
    EXPECT_NEAR(moon.force(0.02), 1600 * 3.9815e-6, 1e-7);
}

// The force is what the energy says: F = -dU/dx at rest.
TEST(Cohesion, TheForceAtRestIsTheSlopeOfTheEnergy) {
    for (const laws::NormalLaw normal : normal_laws) {
        laws::PairLaw pair = soft_law(normal, 0.5);
        attract(pair, 0.3, 0.1);
        const laws::SoftLaw law(pair);
        const laws::SoftContact contact = law.between(1, 0.1);
        for (const double x : {1e-6, 1e-5, 1e-4}) {
            const laws::SoftTouch touch{.normal = {0, 0, 1}, .overlap = x, .velocity = {}, .spin = {}, .radius = 0.1};
            laws::SoftResponse out = contact(touch);
            laws::respond(pair.forces, contact, touch, nullptr, out);
            const double slope = (law.elastic_energy(0.1, 1.001 * x) - law.elastic_energy(0.1, 0.999 * x)) / (0.002 * x);
            EXPECT_NEAR(out.force.z, slope, 1e-6);
            EXPECT_EQ(out.normal, out.elastic);
        }
        EXPECT_EQ(law.elastic_energy(0.1, 0), 0);
    }
}

// Below a ceiling, that is over a plane with gravity away from it: what the pull bears stays, one part in a million more falls.
TEST(Cohesion, ABallHangsBelowAPlaneUpToAWeightOfThePull) {
    const double g = 1e-2;
    for (const laws::NormalLaw normal : normal_laws)
        for (const model::Integrator integrator : integrators)
            for (const double part : {1 + 1e-6, 1 - 1e-6}) {
                laws::PairLaw law = soft_law(normal, 0.5);
                const double overlap = part > 1 ? overlap_under(law, (part - 1) * g) : 1e-13;
                Scene scene = ball_over_plane({0, 0, g}, {0, 0, 0.1 - overlap}, {});
                attract(law, part * g, 0.1);
                scene.law() = law;
                set_steps(scene, integrator, 1e-4);
                Books books(1e9);
                scene.run(1, books);
                const double z = scene.state.bodies.position[0].z, fallen = z - 0.1;
                const std::string what = std::to_string(static_cast<int>(integrator)) + " " + std::to_string(part);
                if (part > 1) {
                    EXPECT_NEAR(fallen, -overlap, 0.01 * overlap) << what;
                } else {
                    EXPECT_NEAR(fallen, 0.5 * g, 0.01 * g) << what;
                }
            }
}

// On a plane the ball sinks in by what its weight and the pull press it.
TEST(Cohesion, TheOverlapAtRestBearsWeightAndPull) {
    const double g = 1.5, pull = 2.5;
    for (const laws::NormalLaw normal : normal_laws)
        for (const model::Integrator integrator : integrators) {
            Scene scene = ball_over_plane({0, 0, -g}, {0, 0, 0.1}, {0, 0, -1e-3});
            scene.law() = soft_law(normal, 0.05);
            attract(scene.law(), pull, 0.1);
            set_steps(scene, integrator, 1e-4);
            Books books(1e9);
            scene.run(1, books);
            const double overlap = overlap_under(scene.law(), g + pull);
            EXPECT_NEAR((0.1 - scene.state.bodies.position[0].z) / overlap, 1, 1e-6) << static_cast<int>(integrator);
        }
}

// Two balls that touch and turn about each other need m w^2 r: they part where that is more than the pull.
TEST(Cohesion, ATouchingPairFliesApartAboveTheRateThatThePullHolds) {
    const double pull = 0.5, r = 0.1, k = 1e4;
    for (const double part : {0.999, 1.001}) {
        const double tension = part * pull, overlap = std::fmax(1e-12, (pull - tension) / k), d = 2 * r - overlap;
        const double w = std::sqrt(2 * tension / d);
        Scene scene;
        scene.world().bodies = rows({model::sphere_kind(r, 1), model::sphere_kind(r, 1)});
        scene.law() = {.restitution = 1, .stiffness = k};
        attract(scene.law(), pull, 0.5 * r);
        scene.state = state_of({{-0.5 * d, 0, 0}, {0.5 * d, 0, 0}});
        scene.state.bodies.velocity = {{0, -0.5 * w * d, 0}, {0, 0.5 * w * d, 0}};
        set_steps(scene, model::Integrator::dopri5, 0);
        Books books(0.1);
        scene.run(3, books);
        const Vec3 apart = scene.state.bodies.position[1] - scene.state.bodies.position[0];
        EXPECT_EQ(norm(apart) > 2 * r, part > 1);
        EXPECT_LT(norm(scene.state.bodies.velocity[0] + scene.state.bodies.velocity[1]), 1e-12);
        EXPECT_LT(books.drift(), 1e-9);
        if (part < 1) {
            EXPECT_NEAR((2 * r - norm(apart)) / overlap, 1, 1e-3);
        }
    }
}

// Without damper, x'' = F_c / m - k x / m: the ball goes in by x_c + sqrt(x_c^2 + v^2 m / k), x_c = F_c / k, and leaves as fast as it came
// after (pi + 2 atan(x_c sqrt(k / m) / v)) sqrt(m / k).
TEST(Cohesion, AnElasticCollisionLastsLongerAndTakesNoEnergy) {
    const double v = 0.02, k = 1e4, pull = 3, centre = pull / k, rate = std::sqrt(k);
    for (const model::Integrator integrator : integrators) {
        Scene scene = ball_over_plane({}, {0, 0, 0.1 + 1e-3}, {0, 0, -v});
        scene.law() = soft_law(laws::NormalLaw::hooke, 1);
        attract(scene.law(), pull, 0.1);
        const double step = 5e-6;
        set_steps(scene, integrator, step);
        Books books(1e-3);
        scene.run(0.2, books);
        const bool is_located = integrator == model::Integrator::dopri5;
        // fixed steps feel the jump of the force up to a step too late, at the speed v
        const double energy = is_located ? 1e-9 : 2 * pull * step / v;
        EXPECT_LT(books.drift(), energy) << static_cast<int>(integrator);
        EXPECT_EQ(books.heat.back(), 0);
        EXPECT_NEAR(scene.state.bodies.velocity[0].z / v, 1, energy);
        EXPECT_NEAR(scene.state.tallies.deepest_overlap[0] / (centre + std::hypot(centre, v / rate)), 1, 2e-3);
        ASSERT_EQ(books.events.size(), 2u);
        const double lasts = (pi + 2 * std::atan(centre * rate / v)) / rate, seen = books.events[1].time - books.events[0].time;
        EXPECT_NEAR(seen, lasts, is_located ? 1e-6 * lasts : 4 * step) << static_cast<int>(integrator);
    }
}

// m x'' = F_c - max(0, k x + c x') from x = 0 with m = 1, in closed form until the pressure ends; from there F_c alone. Whether it gets
// out.
bool leaves(double speed, double pull, double k, double z) {
    const double b = z * std::sqrt(k), w = std::sqrt(k) * std::sqrt(1 - z * z), centre = pull / k;
    const auto x = [&](double t) {
        return centre + std::exp(-b * t) * (-centre * std::cos(w * t) + (speed - b * centre) / w * std::sin(w * t));
    };
    const auto rate = [&](double t) {
        return std::exp(-b * t) * (speed * std::cos(w * t) + (w * centre - b / w * (speed - b * centre)) * std::sin(w * t));
    };
    for (double t = 0; t < 2 * pi / w; t += 1e-4 / w)
        if (k * x(t) + 2 * b * rate(t) < 0) return 0.5 * rate(t) * rate(t) > pull * x(t);
    return false;
}

// With a damper a slow ball stays: the speed below which it does is that of the closed form.
TEST(Cohesion, ASlowBallSticksAndAFastOneDoesNot) {
    const double k = 1e4, pull = 1;
    for (const double e : {0.9, 0.5, 0.2}) {
        double low = 0, high = 1;
        for (int i = 0; i < 30; ++i)
            (leaves(0.5 * (low + high), pull, k, laws::damping_ratio_of_restitution(e)) ? high : low) = 0.5 * (low + high);
        for (const model::Integrator integrator : integrators)
            for (const double part : {0.99, 1.01}) {
                Scene scene = ball_over_plane({}, {0, 0, 0.1 + 1e-6}, {0, 0, -part * low});
                scene.law() = soft_law(laws::NormalLaw::hooke, e);
                attract(scene.law(), pull, 0.1);
                set_steps(scene, integrator, 2e-5);
                Books books(1e-2);
                scene.run(0.3, books);
                EXPECT_EQ(scene.state.bodies.position[0].z > 0.1, part > 1) << e << " " << static_cast<int>(integrator);
                for (std::size_t i = 0; i < books.mechanical.size(); ++i)
                    EXPECT_NEAR((books.mechanical[i] + books.heat[i] - books.mechanical[0]) / (pull * pull / k), 0,
                                integrator == model::Integrator::dopri5 ? 1e-6 : 3e-2)
                        << e << " " << i;
            }
    }
}

// Friction goes with the pressed force: mu (m g + F_c).
TEST(Cohesion, FrictionIsLargerByThatOfThePull) {
    const double g = 1, pull = 3, mu = 0.2, k = 1e4;
    Scene scene = ball_over_plane({0, 0, -g}, {0, 0, 0.1 - (g + pull) / k}, {5, 0, 0});
    scene.law() = {.restitution = 0.5, .friction = mu, .stiffness = k, .slip_speed = 1e-4};
    attract(scene.law(), pull, 0.1);
    set_steps(scene, model::Integrator::dopri5, 0);
    Books books(1e9);
    scene.run(0.5, books);
    EXPECT_NEAR(scene.state.bodies.velocity[0].x, 5 - mu * (g + pull) * 0.5, 1e-9);
}

// Saved while they touch: a ball that sinks in and swings.
TEST(Cohesion, ARunThatGoesOnFromACheckpointHasTheSameBits) {
    for (const model::Integrator integrator : integrators) {
        Scene scene = ball_over_plane({}, {0, 0, 0.1 + 1e-6}, {0.003, 0, -0.01});
        scene.law() = {.restitution = 0.8, .friction = 0.3, .stiffness = 1e4, .slip_speed = 1e-4};
        attract(scene.law(), 1, 0.1);
        set_steps(scene, integrator, 1e-5);
        scene.world().step_budget = 100000000;
        Scene again = scene;
        Books books(1e9, 0.03), rest(1e9);
        scene.run(0.1, books);
        ASSERT_TRUE(books.saved);
        ASSERT_EQ(books.saved->contacts.size(), 1u);
        again.state = *books.saved;
        const Advance got = find_method("penalty")->make(again.model, again.phase)->advance(again.state, {.time = 0.1}, rest);
        ASSERT_FALSE(got.ended);
        again.state.balance = scene.state.balance;  // the test sets no energy of the start
        EXPECT_EQ(again.state, scene.state) << static_cast<int>(integrator);
    }
}

const std::string hanging = R"([gravity]
uniform = ["0 m/s^2", "0 m/s^2", "1e-4 m/s^2"]
[body.ground]
shape = { half_space = [0, 0, 1] }
fixed = true
material = "regolith"
[body.grain]
shape = { sphere = "1 cm" }
density = "3 g/cm^3"
material = "regolith"
[body.grain.start]
position = ["0 m", "0 m", "1 cm"]
velocity = ["0 m/s", "0 m/s", "-0.1 mm/s"]
[contact."regolith/regolith"]
restitution = 0.5
stiffness = "10 N/m"
cohesion = { hamaker = "4.3e-20 J", cleanliness = 0.1 }
[[phase]]
method = "penalty"
[end]
time = "10 s"
)";

TEST(Cohesion, AFileSaysItInOneKeyAndOnlyPenaltyTakesIt) {
    scenario::Scenario file = scenario::read_scenario_text(hanging, "hanging.toml", {});
    const scenario::Compiled compiled = scenario::compile(file, {});
    const auto& cohesion = std::get<laws::Cohesion>(compiled.model.parameters.laws.of(0, 0).forces);
    ASSERT_TRUE(cohesion.attraction);
    EXPECT_EQ(*cohesion.attraction, (laws::VanDerWaals{.hamaker = 4.3e-20, .cleanliness = 0.1}));
    const model::Census census = model::census_of(compiled.model);
    EXPECT_EQ(find_method("penalty")->carries(census, compiled.model.parameters.phases[0]), "");
    for (const char* method : {"event-driven", "constraint", "lcp", "secular"})
        EXPECT_NE(find_method(method)->carries(census, compiled.model.parameters.phases[0]), "") << method;
    std::string wrong = hanging;
    wrong.replace(wrong.find("4.3e-20 J"), 9, "4.3e-20 N");
    wrong.replace(wrong.find("cleanliness = 0.1"), 17, "cleanliness = 1.5");
    try {
        scenario::read_scenario_text(wrong, "hanging.toml", {});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("hamaker"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("cleanliness"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace asperity::dynamics::cohesion_test
