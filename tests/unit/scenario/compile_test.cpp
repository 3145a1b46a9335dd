#include "asperity/scenario/compile.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "asperity/geometry/closest.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/study.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::compile_test {
namespace {

struct Built {
    Scenario scenario;
    model::Assets assets;
    Compiled compiled;
};

Built built(const std::string& text, const ReadOptions& options = {}) {
    Built result{.scenario = read_scenario_text(text, "a.toml", options)};
    result.assets = load_assets(result.scenario);
    result.compiled = compile(result.scenario, result.assets);
    result.compiled.model.assets = nullptr;  // the result moves
    return result;
}

std::string compile_error(const std::string& text, const ReadOptions& options = {}) {
    try {
        built(text, options);
        return {};
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(Compile, fills_model_and_state_for_one_ball) {
    const Scenario scenario = read_scenario_text(complete, "a.toml");
    const model::Assets assets = load_assets(scenario);
    EXPECT_EQ(assets.surface.facets.size(), 648u);
    const Compiled compiled = compile(scenario, assets);
    const model::Model& model = compiled.model;
    const model::State& state = compiled.state;
    EXPECT_EQ(model.assets, &assets);
    EXPECT_EQ(model.parameters.bodies[0].radius(), 0.05);
    EXPECT_EQ(std::get<gravity::Uniform>(model.parameters.environment.field).acceleration_vector, (Vec3{0, 0, -1e-4}));
    EXPECT_EQ(model.parameters.laws.laws[0].friction, 0.6);
    EXPECT_EQ(model.parameters.end_time, 3600);
    EXPECT_EQ(model.parameters.step_budget, 10000000);
    EXPECT_EQ(model.parameters.phases.size(), 1u);
    EXPECT_EQ(state.bodies.position, std::vector<Vec3>({{0, 0, 20}}));
    EXPECT_EQ(state.bodies.velocity, std::vector<Vec3>({{0.01, 0, 0}}));
    EXPECT_EQ(state.bodies.orientation, std::vector<Quat>({Quat{}}));
    EXPECT_TRUE(state.contacts.is_empty());
    EXPECT_EQ(state.tallies.impacts, std::vector<std::int64_t>({0}));
    for (const std::size_t size : {state.bodies.spin.size(), state.tallies.heat_rolling.size(), state.tallies.deepest_overlap.size()})
        EXPECT_EQ(size, 1u);
}

TEST(Compile, every_shipped_scenario_compiles_for_many_runs) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ASPERITY_SOURCE_DIR "/scenarios")) {
        if (entry.path().extension() != ".toml" || is_study(entry.path())) continue;
        if (entry.path().stem().string().ends_with("-full")) continue;  // its gravity field takes minutes to build
        SCOPED_TRACE(entry.path().filename().string());
        const Scenario scenario = read_scenario(entry.path().string());
        const model::Assets assets = load_assets(scenario);
        for (std::uint64_t run = 0; run < 64; ++run) {
            const Compiled compiled = compile(scenario, assets, run);
            const Vec3 position = compiled.state.bodies.position[0];
            EXPECT_TRUE(doubts(compiled).empty()) << run;
            if (roles_of(scenario).ground == nullptr) continue;  // compile() itself refuses bodies that overlap
            EXPECT_GE(geometry::signed_distance(assets.surface, position), radius_of(*first_moving(scenario)) * (1 - 1e-9)) << run;
        }
    }
}

TEST(Compile, a_start_in_the_ground_is_refused_with_its_place) {
    EXPECT_EQ(compile_error(replaced(complete, "\"20 m\"", "\"3 cm\"")),
              "error: the body starts overlapping the surface by 0.02 m; its radius is 0.05 m\n"
              "  a.toml:9:12   [body.lander.start]\n"
              "  9 | position = [\"0 m\", \"0 m\", \"3 cm\"]\n"
              "    |            ^^^^^^^^^^^^^^^^^^^^^^ move `position`, or use above_surface = \"...\" to say how far above the surface it "
              "starts\n"
              "\n"
              "1 error. Nothing was run.");
    EXPECT_EQ(first_lines(compile_error(replaced(complete, "\"20 m\"", "\"-2 m\"")), 1),
              "error: the body starts inside the surface: its centre is 2 m below it");
    EXPECT_EQ(compile_error(replaced(complete, "\"20 m\"", "\"5 cm\"")), "") << "touching is not overlapping";
}

TEST(Compile, a_start_above_the_surface_that_is_none_is_refused_with_the_reason) {
    // gravity along x: from the wall side of the plateau the ball comes through the back of the wall
    std::string text = replaced(replaced(complete, "surface = \"plain\"", "surface = \"table\""), "[body.lander.start]",
                                "[body.lander.start]\nabove_surface = \"1 m\"");
    text = replaced(text, "[\"0 m/s^2\", \"0 m/s^2\", \"-1e-4 m/s^2\"]", "[\"1e-4 m/s^2\", \"0 m/s^2\", \"0 m/s^2\"]");
    const std::string error = compile_error(replaced(text, "\"20 m\"", "\"8 m\""));
    EXPECT_EQ(first_lines(error, 1), "error: the body starts inside the surface: its centre is 1.05 m below it");
    EXPECT_NE(error.find("along gravity, the line through `position` meets the back of the surface first: give `position` alone"),
              std::string::npos)
        << error;
}

TEST(Compile, scatter_is_drawn_by_seed_and_run_and_has_the_size_that_was_asked_for) {
    const std::string scatter = replaced(
        complete, "[body.lander.start]",
        "[body.lander.start]\nposition_sigma = [\"1 m\", \"2 m\", \"0 m\"]\nvelocity_spread = [\"1 mm/s\", \"0 m/s\", \"3 mm/s\"]");
    const Scenario scenario = read_scenario_text(scatter, "a.toml");
    const model::Assets assets = load_assets(scenario);
    constexpr int runs = 20000;
    double squares_x = 0, squares_y = 0, largest = 0, sum = 0;
    std::set<double> seen;
    for (std::uint64_t run = 0; run < runs; ++run) {
        const model::State state = compile(scenario, assets, run).state;
        const Vec3 p = state.bodies.position[0];
        const Vec3 v = state.bodies.velocity[0];
        EXPECT_EQ(p.z, 20);
        EXPECT_EQ(v.y, 0);
        squares_x += p.x * p.x;
        squares_y += p.y * p.y;
        sum += v.z;
        largest = std::max({largest, std::abs(v.z), 3 * std::abs(v.x - 0.01)});
        seen.insert(p.x);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(runs));
    // The variance of n normal draws scatters by sqrt(2/n) = 1%; five of those.
    EXPECT_NEAR(squares_x / runs, 1, 0.05);
    EXPECT_NEAR(squares_y / runs, 4, 0.2);
    EXPECT_LE(largest, 3e-3 * (1 + 1e-9));
    EXPECT_GT(largest, 2.99e-3);
    EXPECT_NEAR(sum / runs, 0, 5 * 3e-3 / std::sqrt(3.0 * runs));
    // The same run is the same draw; another seed is another.
    EXPECT_EQ(compile(scenario, assets, 7).state, compile(scenario, assets, 7).state);
    EXPECT_NE(compile(scenario, assets, 7).state, compile(read_scenario_text(scatter, "a.toml", {.seed = 2}), assets, 7).state);
}

TEST(Compile, a_height_above_the_surface_is_the_free_fall_along_gravity) {
    const std::string above = replaced(complete, "[body.lander.start]", "[body.lander.start]\nabove_surface = \"2 m\"");
    EXPECT_NEAR(built(above).compiled.state.bodies.position[0].z, 2.05, 1e-12);
    // On the side of the gutter, z = 0.58 |x|, the centre of a touching ball is r / cos(slope) above the plane.
    const std::string gutter =
        replaced(replaced(above, "\"plain\"", "\"gutter\""), "[\"0 m\", \"0 m\", \"20 m\"]", "[\"3.1 m\", \"-7.3 m\", \"0 m\"]");
    const Vec3 p = built(gutter).compiled.state.bodies.position[0];
    EXPECT_EQ(p.x, 3.1);
    EXPECT_EQ(p.y, -7.3);
    EXPECT_NEAR(p.z, 0.58 * 3.1 + 0.05 * std::sqrt(1 + 0.58 * 0.58) + 2, 1e-11);
    EXPECT_EQ(first_lines(compile_error(replaced(above, "[\"0 m\", \"0 m\", \"20 m\"]", "[\"99 m\", \"0 m\", \"20 m\"]")), 2),
              "error: there is no surface below (99, 0, 20) m\n  a.toml:9:17   [body.lander.start]");
}

TEST(Compile, a_in_contact_touches_exactly_and_has_no_normal_velocity) {
    // rounding of the velocity is not a normal velocity
    const std::string text = replaced(replaced(complete, "[body.lander.start]", "[body.lander.start]\nin_contact = true"),
                                      "\"1 cm/s\", \"0 m/s\", \"0 m/s\"", "\"1 cm/s\", \"0 m/s\", \"-1e-12 m/s\"");
    const model::State slide = built(replaced(text, "\"0 m\", \"0 m\", \"20 m\"", "\"1 m\", \"2 m\", \"0.5 m\"")).compiled.state;
    EXPECT_EQ(slide.bodies.position[0], (Vec3{1, 2, 0.05}));
    EXPECT_EQ(slide.bodies.velocity[0], (Vec3{0.01, 0, 0}));
    ASSERT_EQ(slide.contacts.size(), 1u);
    EXPECT_EQ(slide.contacts.b[0], model::ground);
    EXPECT_EQ(slide.contacts.mode[0], model::Mode::touching);
    EXPECT_EQ(model::mesh_feature(slide.contacts.feature[0]).kind, geometry::FeatureKind::facet);
}

// Ten radii of 5 cm, from either side.
TEST(Compile, a_in_contact_refuses_a_ball_that_is_far_from_the_ground) {
    const std::string text = replaced(complete, "[body.lander.start]", "[body.lander.start]\nin_contact = true");
    EXPECT_EQ(
        compile_error(text),
        "error: a body that starts in contact is 20 m from the ground, 400 of its radii; at most 10 count as contact\n"
        "  a.toml:10:12   [body.lander.start]\n"
        "  10 | position = [\"0 m\", \"0 m\", \"20 m\"]\n"
        "     |            ^^^^^^^^^^^^^^^^^^^^^^ write position = [\"0 m\", \"0 m\", \"0.05 m\"], where it touches the nearest ground, or "
        "leave `in_contact` out\n\n1 error. Nothing was run.");
    const auto at = [&](const std::string& height) { return replaced(text, "\"20 m\"", "\"" + height + "\""); };
    EXPECT_NE(compile_error(at("0.51 m")), "");
    EXPECT_NE(compile_error(at("-0.51 m")).find("is 0.51 m below the ground"), std::string::npos);
    EXPECT_EQ(built(at("-0.4 m")).compiled.state.bodies.position[0], (Vec3{0, 0, 0.05}));
}

TEST(Compile, a_in_contact_refuses_a_velocity_that_leaves_the_surface) {
    const std::string text =
        replaced(replaced(complete, "[body.lander.start]", "[body.lander.start]\nin_contact = true"), "\"20 m\"", "\"5 cm\"");
    const auto moving = [&](const std::string& normal) { return replaced(text, "\"0 m/s\"]", "\"" + normal + "\"]"); };
    EXPECT_EQ(compile_error(moving("-3 cm/s")),
              "error: a body that starts in contact cannot move into the surface at 0.03 m/s\n"
              "  a.toml:11:12   [body.lander.start]\n"
              "  11 | velocity = [\"1 cm/s\", \"0 m/s\", \"-3 cm/s\"]\n"
              "     |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ write velocity = [\"0.01 m/s\", \"0 m/s\", \"0 m/s\"], or leave "
              "`in_contact` "
              "out\n\n1 error. Nothing was run.");
    EXPECT_EQ(first_lines(compile_error(moving("3 cm/s")), 1),
              "error: a body that starts in contact cannot move away from the surface at 0.03 m/s");
    // scatter is drawn for every axis; what of it leaves the surface does not count
    const std::string scattered =
        replaced(text, "[body.lander.start]", "[body.lander.start]\nvelocity_sigma = [\"1 cm/s\", \"1 cm/s\", \"1 cm/s\"]");
    const Vec3 v = built(scattered).compiled.state.bodies.velocity[0];
    EXPECT_NE(v.x, 0.01);
    EXPECT_EQ(v.z, 0);
}

TEST(Compile, spinning_resistance_under_a_law_that_has_none_is_doubted) {
    const auto doubt = [](const std::string& law) {
        const Scenario scenario = read_scenario_text(
            replaced(complete, "rolling_resistance = 0.04", "rolling_resistance = 0.04\nspinning_resistance = 0.01\nrolling_law = " + law),
            "a.toml");
        const model::Assets assets = load_assets(scenario);
        EXPECT_EQ(compile(scenario, assets).model.parameters.laws.laws[0].spinning_resistance, 0.01);
        return doubts(compile(scenario, assets));
    };
    EXPECT_TRUE(doubt("\"coupled\"").empty());
    for (const char* law : {"\"thesis\"", "\"published\""})
        EXPECT_EQ(doubt(law),
                  std::vector<std::string>{"spinning_resistance acts under rolling_law = \"coupled\" only: the torque of the law "
                                           "chosen here opposes all of the spin, that about the normal included"});
}

// Each of several by itself, whatever the first has below it.
TEST(Compile, of_several_bodies_the_one_with_nothing_below_it_is_doubted) {
    const std::string two = R"(gravity.uniform = ["0 m/s^2", "0 m/s^2", "-1e-4 m/s^2"]
end.time = "10 s"
[body.plain]
shape = { surface = "plain" }
fixed = true
material = "ground"
[body.ball]
count = 2
shape = { sphere = "5 cm" }
mass = "1 kg"
material = "shell"
[body.ball-1.start]
position = ["0 m", "0 m", "20 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[body.ball-2.start]
position = ["5000 m", "0 m", "20 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."*/*"]
restitution = 0.5
friction = 0.1
stiffness = "1e3 N/m"
slip_speed = "1 mm/s"
[[phase]]
method = "penalty"
)";
    const Scenario scenario = read_scenario_text(two, "a.toml");
    const model::Assets assets = load_assets(scenario);
    const std::vector<std::string> got = doubts(compile(scenario, assets));
    ASSERT_EQ(got.size(), 1U);
    EXPECT_TRUE(got[0].starts_with("nothing lies below body 2 along gravity")) << got[0];
}

TEST(Compile, a_ball_with_nothing_below_it_is_doubted) {
    const auto doubt = [](const std::string& text) {
        const Scenario scenario = read_scenario_text(text, "a.toml");
        const model::Assets assets = load_assets(scenario);
        return doubts(compile(scenario, assets));
    };
    const std::string said = " m/s^2: it will fall for ever, unless its velocity takes it over the surface";
    const auto up = [](const std::string& text) { return replaced(text, "\"-1e-4 m/s^2\"", "\"1e-4 m/s^2\""); };
    const auto nothing = [&](const char* gravity) {
        return std::vector<std::string>{fmt::format("nothing lies below the body along gravity, ({}){}", gravity, said)};
    };
    const std::string in_contact =
        replaced(replaced(complete, "[body.lander.start]", "[body.lander.start]\nin_contact = true"), "\"20 m\"", "\"5 cm\"");
    EXPECT_TRUE(doubt(complete).empty());
    EXPECT_TRUE(doubt(in_contact).empty());
    EXPECT_TRUE(doubt(replaced(complete, "\"-1e-4 m/s^2\"", "\"0 m/s^2\"")).empty()) << "without gravity nothing is below anything";
    EXPECT_EQ(doubt(up(complete)), nothing("0, 0, 0.0001"));
    EXPECT_EQ(doubt(up(in_contact)), nothing("0, 0, 0.0001"));
    EXPECT_EQ(doubt(replaced(complete, "[\"0 m\", \"0 m\", \"20 m\"]", "[\"99 m\", \"0 m\", \"20 m\"]")), nothing("0, 0, -0.0001"));
    // on the edge of the square the ball still catches it, by less than its radius
    EXPECT_TRUE(doubt(replaced(complete, "[\"0 m\", \"0 m\", \"20 m\"]", "[\"80.04 m\", \"0 m\", \"20 m\"]")).empty());
}

TEST(Compile, the_edge_scenario_starts_on_the_ridge) {
    const Scenario scenario = read_scenario(ASPERITY_SOURCE_DIR "/scenarios/landers/edge.toml");
    const model::Assets assets = load_assets(scenario);
    const model::State state = compile(scenario, assets).state;
    ASSERT_EQ(state.contacts.size(), 1u);
    const geometry::Feature feature = model::mesh_feature(state.contacts.feature[0]);
    ASSERT_EQ(feature.kind, geometry::FeatureKind::edge);
    const geometry::Edge& edge = assets.surface.edges[static_cast<std::size_t>(feature.index)];
    EXPECT_EQ(std::abs(edge.direction.y), 1);
    EXPECT_EQ(assets.surface.vertices[static_cast<std::size_t>(edge.vertex[0])].x, -11.111);
    EXPECT_NEAR(state.bodies.position[0].z, 50.0 / 3 + 0.05, 1e-14);
}

TEST(LoadAssets, a_spike_world_follows_the_seed_of_the_run_unless_it_has_its_own) {
    const std::string spike = replaced(complete, "\"plain\"", "\"spike\"");
    const auto heights = [](const std::string& text, std::int64_t seed) {
        return load_assets(read_scenario_text(text, "a.toml", {.seed = seed})).surface.vertices;
    };
    EXPECT_EQ(heights(spike, 3), heights(spike, 3));
    EXPECT_NE(heights(spike, 3), heights(spike, 4));
    const std::string own = replaced(spike, "\"spike\"", "\"spike\", seed = 3");
    EXPECT_EQ(heights(own, 8), heights(spike, 3));
}

TEST(LoadAssets, a_mesh_is_found_from_the_scenario_file) {
    const Folder folder;
    folder.write("shapes/square.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n");
    const std::string text = replaced(complete, "surface = \"plain\"", "mesh = \"shapes/square.obj\", unit = \"km\"");
    const model::Assets assets = load_assets(read_scenario(folder.write("a.toml", text)));
    EXPECT_EQ(assets.surface.facets.size(), 2u);
    EXPECT_EQ(assets.surface.upper.x, 1000);
    const std::string missing = folder.write("b.toml", replaced(text, "square", "round"));
    EXPECT_THROW(load_assets(read_scenario(missing)), InputError);
}

TEST(LoadAssets, a_mesh_in_centimetres_is_read_to_the_nearest_number) {
    const Folder folder;
    folder.write("square.obj", "v -7 -7 0\nv 7 -7 0\nv 7 7 0\nv -7 7 0\nf 1 2 3 4\n");
    const std::string text = replaced(complete, "surface = \"plain\"", "mesh = \"square.obj\", unit = \"cm\"");
    EXPECT_EQ(load_assets(read_scenario(folder.write("a.toml", text))).surface.upper.x, 0.07);
    EXPECT_EQ(load_assets(read_scenario(folder.write("b.toml", replaced(text, "\"cm\"", "\"mm\"")))).surface.upper.x, 0.007);
    folder.write("square.obj", "v 0 0 0\nv 7e300 0 0\nv 0 7e300 0\nf 1 2 3\n");
    try {
        load_assets(read_scenario(folder.write("a.toml", text)));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems[0].what, "the surface reaches to 7e+298 m; lengths must be between -1e12 and 1e12 m");
        EXPECT_EQ(error.problems[0].line, 3);
    }
}

// 6.9 units across: an asteroid in km, or a stone in m? The file does not say.
TEST(LoadAssets, a_mesh_without_a_unit_is_refused_with_its_size_in_each) {
    const Folder folder;
    folder.write("square.obj", "v 0 0 0\nv 6.9 0 0\nv 6.9 2 0\nv 0 2 0\nf 1 2 3 4\n");
    const std::string text = replaced(complete, "surface = \"plain\"", "mesh = \"square.obj\"");
    try {
        load_assets(read_scenario(folder.write("a.toml", text)));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems[0].what, "nothing says in which unit square.obj is");
        EXPECT_EQ(error.problems[0].hint,
                  "it is 6.9 m across with unit = \"m\", 6.9 km with \"km\", 6.9 cm with \"cm\", 6.9 mm with \"mm\": write the one that is "
                  "right");
        EXPECT_EQ(error.problems[0].line, 3);
    }
}

// All facets wound the other way: the surface is sound, but shows its back to the ball.
TEST(LoadAssets, a_mesh_that_faces_down_is_named_as_the_cause) {
    const Folder folder;
    folder.write("square.obj", "v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 4 3 2 1\n");
    const std::string text = replaced(complete, "surface = \"plain\"", "mesh = \"square.obj\", unit = \"m\"");
    const auto hint = [&](const std::string& of) {
        const Scenario scenario = read_scenario(folder.write("a.toml", of));
        const model::Assets assets = load_assets(scenario);
        try {
            compile(scenario, assets);
        } catch (const InputError& error) {
            return error.problems[0].hint;
        }
        return std::string("no error");
    };
    const std::string cause = "the facets face down, away from the body: turn them around with `asperity shape repair IN OUT --flip`";
    EXPECT_EQ(hint(text), cause);
    EXPECT_EQ(hint(replaced(text, "[body.lander.start]", "[body.lander.start]\nabove_surface = \"1 m\"")), cause);
    folder.write("square.obj", "v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 1 2 3 4\n");
    EXPECT_EQ(hint(text), "no error");
    EXPECT_EQ(hint(replaced(text, "\"20 m\"", "\"-2 m\"")),
              "move `position`, or use above_surface = \"...\" to say how far above the surface it starts");
}

}  // namespace
}  // namespace asperity::scenario::compile_test
