#include "asperity/scenario/equilibria.h"

#include <cmath>

#include "asperity/scenario/compile.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::equilibria_test {
namespace {

const std::string octahedron =
    "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
    "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";

// Alpha and Beta of 1999 KW4 as point masses; the ball starts at L1.
std::string binary(const std::string& period) {
    return R"(frame = "asteroid"
[body.asteroid]
shape = { mesh = "o.obj", unit = "m" }
scale = 600
mass = "2.353e12 kg"
spin_phase = "20 deg"
attracts = { field = "point" }
material = "ground"
)" + period +
           R"(
[body.companion]
shape = { mesh = "o.obj", unit = "m" }
scale = 200
mass = "0.135e12 kg"
attracts = { field = "point" }
orbit = { about = "asteroid", separation = "2548 m", direction = "70 deg" }
[body.lander]
shape = { sphere = "5 cm" }
mass = "1 kg"
material = "shell"
[body.lander.start]
at = "L1"
position = ["10 m", "0 m", "5 m"]
velocity = ["1 cm/s", "0 m/s", "0 m/s"]
[contact."shell/ground"]
restitution = 0.5
friction = 0.6
rolling_resistance = 0.04
[end]
time = "1 h"
)";
}

struct Started {
    Scenario scenario;
    model::Assets assets;
    Compiled compiled;

    Started(const Folder& folder, const std::string& text)
        : scenario(read_scenario(folder.write("a.toml", text), {})), assets(load_assets(scenario)), compiled(compile(scenario, assets)) {}
    Vec3 position() const { return compiled.state.bodies.position[0]; }
    Vec3 velocity() const { return compiled.state.bodies.velocity[0]; }
    const gravity::SmallBody& body() const { return std::get<gravity::SmallBody>(compiled.model.parameters.environment.field); }
};

std::string error_of(const Folder& folder, const std::string& text) {
    try {
        Started(folder, text);
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

// In the inertial frame a ball at an equilibrium goes round the common centre with the orbit, whatever the target does.
TEST(StartAtEquilibrium, moves_with_the_orbit) {
    Folder folder;
    folder.write("o.obj", octahedron);
    for (const char* period : {"", "spin_period = \"2.765 h\""}) {
        const Started started(folder, binary(period));
        const double n = started.body().orbit.mean_motion;
        const Vec3 offset{10, 0, 5}, p = started.position();
        const auto place = started.body().to_inertial(p, started.velocity(), 0);
        const auto equilibrium = started.body().to_inertial(p - offset, {}, 0);
        EXPECT_NEAR(norm(equilibrium.position), 1796.2, 0.1);
        const Vec3 direction = unit(equilibrium.position);
        EXPECT_NEAR(std::atan2(direction.y, direction.x), 70 * 0.017453292519943295, 1e-9);
        const double c = std::cos(20 * 0.017453292519943295), s = std::sin(20 * 0.017453292519943295);
        const Vec3 wanted = Vec3{-n * place.position.y, n * place.position.x, 0} + 0.01 * Vec3{c, s, 0};
        EXPECT_LT(norm(place.velocity - wanted), 1e-12 * norm(place.velocity)) << period;
    }
}

// A velocity given in the inertial frame is that velocity there, at whatever place the scatter of the position puts the ball.
TEST(StartVelocity, in_the_inertial_frame_does_not_depend_on_the_drawn_position) {
    Folder folder;
    folder.write("o.obj", octahedron);
    const std::string text = replaced(replaced(binary("spin_period = \"2.765 h\""), "at = \"L1\"\n", "velocity_in = \"inertial\"\n"),
                                      "position = [\"10 m\", \"0 m\", \"5 m\"]",
                                      "position = [\"-2456 m\", \"30 m\", \"5 m\"]\nposition_sigma = [\"40 m\", \"40 m\", \"40 m\"]");
    const double c = std::cos(20 * 0.017453292519943295), s = std::sin(20 * 0.017453292519943295);
    const Started started(folder, text);
    for (std::uint64_t run = 0; run < 3; ++run) {
        const model::State state = compile(started.scenario, started.assets, run).state;
        const Vec3 p = state.bodies.position[0], v = state.bodies.velocity[0];
        EXPECT_GT(norm(p - Vec3{-2456, 30, 5}), 1) << "drawn";
        // 1.5 m/s of the turning axes cancel: what is left is rounding of that
        EXPECT_LT(norm(started.body().to_inertial(p, v, 0).velocity - 0.01 * Vec3{c, s, 0}), 1e-15 * 1.6) << run;
    }
    // one body: v - w x p, written out
    const std::size_t companion = text.find("[body.companion]"), ball = text.find("[body.lander]");
    const Started alone(folder, text.substr(0, companion) + text.substr(ball));
    const double w = 6.283185307179586 / (2.765 * 3600);
    const Vec3 p = alone.position();
    EXPECT_LT(norm(alone.velocity() - Vec3{0.01 + w * p.y, -w * p.x, 0}), 1e-15 * 1.6);
    // and in an inertial frame of the run it is what was written
    const Started still(folder, replaced(text, "frame = \"asteroid\"\n", ""));
    EXPECT_EQ(still.velocity(), (Vec3{0.01, 0, 0}));
}

TEST(StartVelocity, in_the_inertial_frame_needs_a_frame_that_turns_and_a_ball_in_flight) {
    Folder folder;
    folder.write("o.obj", octahedron);
    const std::string inertial = "velocity_in = \"inertial\"\n";
    EXPECT_EQ(one_error_of(replaced(complete, "[body.lander.start]\n", "[body.lander.start]\n" + inertial)),
              "error: velocity_in = \"inertial\" needs a body that `attracts`: else no frame turns\n"
              "  a.toml:9:15   [body.lander.start]\n"
              "  9 | velocity_in = \"inertial\"\n"
              "    |               ^^^^^^^^^^ leave `velocity_in` out");
    EXPECT_NE(error_of(folder, replaced(binary(""), "at = \"L1\"\n", "at = \"L1\"\n" + inertial))
                  .find("`at` and velocity_in = \"inertial\" exclude each other"),
              std::string::npos);
    EXPECT_NE(error_of(folder, replaced(binary(""), "at = \"L1\"\n", "in_contact = true\n" + inertial))
                  .find("`in_contact` and velocity_in = \"inertial\" exclude each other"),
              std::string::npos);
}

TEST(StartAtEquilibrium, along_the_manifold) {
    Folder folder;
    folder.write("o.obj", octahedron);
    const std::string along =
        replaced(binary(""), "velocity = [\"1 cm/s\", \"0 m/s\", \"0 m/s\"]", "direction = \"manifold\"\nspeed = \"3 cm/s\"");
    const Started started(folder, along);
    EXPECT_NEAR(norm(started.velocity()), 0.03, 1e-15);
    EXPECT_LT(dot(started.velocity(), started.position()), 0);
    const auto list = equilibria_of(started.scenario, started.assets).list;
    EXPECT_LT(norm(started.velocity() - 0.03 * analysis::find_equilibrium(list, "L1").manifold), 1e-15);
    EXPECT_NE(error_of(folder, replaced(along, "\"L1\"", "\"L4\"")).find("a body leaves it in a spiral"), std::string::npos);
}

TEST(StartAtEquilibrium, what_does_not_fit_is_told) {
    Folder folder;
    folder.write("o.obj", octahedron);
    const auto told = [&](const std::string& from, const std::string& to) { return error_of(folder, replaced(binary(""), from, to)); };
    const std::string velocity = "velocity = [\"1 cm/s\", \"0 m/s\", \"0 m/s\"]";
    EXPECT_NE(told("\"L1\"", "\"L6\"").find("there is no equilibrium \"L6\" outside the bodies"), std::string::npos);
    EXPECT_NE(told("frame = \"asteroid\"\n", "").find("needs the frame of the body that attracts"), std::string::npos);
    EXPECT_NE(told(velocity, "").find("missing key `velocity`"), std::string::npos);
    EXPECT_NE(told(velocity, "direction = \"manifold\"").find("direction \"manifold\" needs `speed`"), std::string::npos);
    EXPECT_NE(told(velocity, velocity + "\nspeed = \"1 m/s\"").find("`speed` needs direction = \"manifold\""), std::string::npos);
    EXPECT_NE(told(velocity, velocity + "\ndirection = \"manifold\"\nspeed = \"1 m/s\"").find("exclude each other"), std::string::npos);
    EXPECT_NE(told("separation", "eccentricity = 0.1, separation").find("equilibria need a circular mutual orbit"), std::string::npos);
    EXPECT_NE(errors_of(replaced(complete, "[body.lander.start]", "[body.lander.start]\nat = \"L1\"")).find("needs a body that `attracts`"),
              std::string::npos);
}

}  // namespace
}  // namespace asperity::scenario::equilibria_test
