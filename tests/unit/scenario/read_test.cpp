#include "asperity/scenario/read.h"

#include "asperity/scenario/attributes.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/variable.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::read_test {
namespace {

TEST(ReadScenario, values_arrive_in_si) {
    const Scenario s = read_scenario_text(complete, "folder/drop.toml");
    EXPECT_EQ(s.name, "drop");
    EXPECT_EQ(s.seed, 1);
    ASSERT_EQ(s.bodies.size(), 2u);
    EXPECT_EQ(s.bodies[0].name, "ground");
    EXPECT_EQ(s.bodies[1].name, "lander");
    EXPECT_EQ(std::get<geometry::FlatWorld>(s.bodies[0].as<SurfaceShape>()->kind).cells, geometry::FlatWorld{}.cells);
    EXPECT_TRUE(s.bodies[0].fixed);
    EXPECT_EQ(s.gravity.uniform, (Vec3{0, 0, -1e-4}));
    EXPECT_EQ(radius_of(s.bodies[1]), 0.05);
    EXPECT_EQ(s.bodies[1].mass, 1);
    EXPECT_EQ(s.bodies[1].surface_material(), "lander");
    EXPECT_EQ(first_start(s).position, (Vec3{0, 0, 20}));
    EXPECT_EQ(first_start(s).velocity, (Vec3{0.01, 0, 0}));
    EXPECT_FALSE(first_start(s).above_surface.has_value());
    EXPECT_EQ(ground_contact(s).law.restitution, 0.5);
    EXPECT_EQ(ground_contact(s).law.rolling_law, laws::RollingLaw::coupled);
    EXPECT_EQ(ground_contact(s).law.completion, laws::Completion::series);
    EXPECT_EQ(s.end.time, 3600);
    EXPECT_EQ(s.end.step_budget, 10000000);
    EXPECT_EQ(s.output.sample_every, 0.72);
    EXPECT_FALSE(s.output.checkpoint_every.has_value());
    ASSERT_EQ(s.phases.size(), 1u);
    EXPECT_EQ(s.phases[0].method, "event-driven");
    EXPECT_EQ(s.phases[0].name, "phase 1");
    EXPECT_TRUE(s.expect.empty());
}

TEST(ReadScenario, every_kind_of_world_takes_its_own_keys) {
    const auto world = [](const std::string& text) {
        return read_scenario_text(replaced(complete, "surface = \"plain\"", text), "a.toml").bodies[0];
    };
    const auto surface = [&](const std::string& text) { return world("surface = " + text).as<SurfaceShape>()->kind; };
    EXPECT_EQ(std::get<geometry::FlatWorld>(surface("\"plain\", side = \"2 km\", cells = 3")).side, 2000);
    EXPECT_EQ(std::get<geometry::TableWorld>(surface("\"table\", wall = \"-3 m\"")).wall, -3);
    EXPECT_EQ(std::get<geometry::GutterWorld>(surface("\"gutter\", incline = 0.25")).incline, 0.25);
    EXPECT_EQ(std::get<geometry::PitWorld>(surface("\"pit\", depth = \"5 m\"")).depth, 5);
    EXPECT_EQ(std::get<SpikeSurface>(surface("\"spike\"")).seed, std::nullopt);
    EXPECT_EQ(std::get<SpikeSurface>(surface("\"spike\", seed = 7")).seed, 7);
    const auto mesh = *world("mesh = \"rock.obj\", unit = \"km\"").as<MeshShape>();
    EXPECT_EQ(mesh.file.text, "rock.obj");
    EXPECT_EQ(mesh.unit, MeshUnit::kilometre);
}

TEST(ReadScenario, phases_come_in_order) {
    const Scenario s = read_scenario_text(
        complete +
            "[[phase]]\nname = \"coarse\"\nintegrator = \"rk4\"\nstep_max = \"2 s\"\nduration = \"10 min\"\n[[phase]]\ntolerance = 1e-9\n",
        "a.toml");
    ASSERT_EQ(s.phases.size(), 2u);
    EXPECT_EQ(s.phases[0].name, "coarse");
    EXPECT_EQ(s.phases[0].integrator, model::Integrator::rk4);
    EXPECT_EQ(s.phases[0].step_max, 2);
    EXPECT_EQ(s.phases[0].duration, 600);
    EXPECT_EQ(s.phases[1].name, "phase 2");
    EXPECT_EQ(s.phases[1].tolerance, 1e-9);
}

TEST(ReadScenario, overrides_win_over_the_file_and_later_ones_over_earlier_ones) {
    const Scenario s =
        read_scenario_text(complete + "[[phase]]\ntolerance = 1e-9\n", "a.toml",
                           {.sets = {"contact.lander/ground.friction=0.1", "contact.lander/ground.friction=0.2", "end.time=5 h",
                                     "body.lander.mass=\"3 kg\"", "contact.lander/ground.rolling_law=published",
                                     "output.sample_every=1 min", "body.lander.start.spin=[\"1 rad/s\", \"0 rad/s\", \"90 deg/s\"]",
                                     "phase.0.tolerance=1e-6", "contact.lander/ground.impact_friction=false", "description=a = b"},
                            .seed = 9});
    EXPECT_EQ(ground_contact(s).law.friction, 0.2);
    EXPECT_EQ(s.end.time, 5 * 3600);
    EXPECT_EQ(s.bodies[1].mass, 3);
    EXPECT_EQ(ground_contact(s).law.rolling_law, laws::RollingLaw::published);
    EXPECT_EQ(s.output.sample_every, 60);
    EXPECT_DOUBLE_EQ(first_start(s).spin->z, 1.5707963267948966);
    EXPECT_EQ(s.phases[0].tolerance, 1e-6);
    EXPECT_FALSE(ground_contact(s).law.impact_friction);
    EXPECT_EQ(s.description, "a = b");
    EXPECT_EQ(s.seed, 9);
}

TEST(ReadScenario, an_override_sets_one_component_as_a_study_does) {
    const Scenario s = read_scenario_text(
        complete, "a.toml",
        {.sets = {"body.lander.start.position.z=7 m", "body.lander.start.spin.y=2 rad/s", "gravity.uniform.2=\"-1 m/s^2\""}});
    EXPECT_EQ(first_start(s).position->z, 7);
    EXPECT_EQ(first_start(s).spin->x, 0) << "the file has no spin: the other components keep their default";
    EXPECT_EQ(first_start(s).spin->y, 2);
    EXPECT_EQ(find_variable(s, "body.lander.start.spin.y").path, "body.lander.start.spin.y");
}

TEST(ReadScenario, a_component_that_there_is_not_is_told) {
    EXPECT_EQ(one_error_of(complete, {.sets = {"body.lander.start.spin.w=2 rad/s"}}),
              "error: there is no key `body.lander.start.spin.w`\n  --set body.lander.start.spin.w=2 rad/s   [body.lander.start]\n  `spin` "
              "has x, y and z");
    EXPECT_EQ(first_lines(one_error_of(complete, {.sets = {"body.lander.start.spin.x=2 m"}}), 1),
              "error: `spin.x` needs an angular rate, got a length");
}

TEST(ReadScenario, every_path_of_an_included_file_is_relative_to_that_file) {
    const Folder folder;
    folder.write("below/rock.obj", "");
    folder.write("below/other.obj", "");
    folder.write("below/values.csv", "");
    const std::string bodies = R"(frame = "rock"
[body.rock]
shape = { mesh = "rock.obj", unit = "m" }
facet_values = "values.csv"
density = "2000 kg/m^3"
attracts = {}
[body.other]
shape = { mesh = "other.obj", unit = "m" }
mass = "1 kg"
attracts = {}
orbit = { about = "rock", separation = "1 km" }
)";
    folder.write("below/base.toml", bodies + replaced(complete.substr(complete.find("[body.lander]")), "lander/ground", "lander/rock"));
    const Scenario s = read_scenario(folder.write("top.toml", "include = \"below/base.toml\"\n"));
    EXPECT_EQ(s.bodies[0].as<MeshShape>()->file.text, "below/rock.obj");
    EXPECT_EQ(s.bodies[0].facet_values.text, "below/values.csv");
    EXPECT_EQ(s.bodies[1].as<MeshShape>()->file.text, "below/other.obj");
    EXPECT_EQ(named_files(s),
              (std::vector<std::string>{folder.path("below/rock.obj"), folder.path("below/values.csv"), folder.path("below/other.obj")}));
}

// The base of an include first, then in the order of the file; one of several takes its own start, the others that of all.
TEST(ReadScenario, bodies_are_rows_in_the_order_of_the_file) {
    const Folder folder;
    folder.write("base.toml", R"(gravity.mutual = "points"
[body.grain]
count = 3
shape = { sphere = "1 m" }
mass = "2 kg"
[body.grain.start]
position = ["0 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
[contact."*/*"]
restitution = 0
[end]
time = "1 h"
)");
    const Scenario s = read_scenario(folder.write("top.toml", R"(include = "base.toml"
[body.planet]
shape = { sphere = "9 m" }
mass = "1000 kg"
start = { position = ["0 m", "99 m", "0 m"], velocity = ["0 m/s", "0 m/s", "0 m/s"] }
[body.grain-2.start]
position = ["5 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]
)"));
    std::vector<std::string> names;
    for (const MovingRow& row : moving_rows(s)) names.push_back(row.name);
    EXPECT_EQ(names, (std::vector<std::string>{"grain-1", "grain-2", "grain-3", "planet"}));
    const std::vector<MovingRow> rows = moving_rows(s);
    EXPECT_EQ(rows[0].start->position, (Vec3{0, 0, 0}));
    EXPECT_EQ(rows[1].start->position, (Vec3{5, 0, 0}));
    EXPECT_EQ(rows[1].path, "body.grain-2.start");
    EXPECT_EQ(rows[2].start->position, (Vec3{0, 0, 0}));
}

TEST(ReadScenario, attributes_of_keys_come_from_describe) {
    const Scenario s = read_scenario_text(complete + "[rocks]\nmodel = \"stochastic\"\n", "a.toml");
    for (const char* key : {"body.ground.shape.side", "body.ground.shape.cells", "rocks.model", "body.ground.principal_axes"})
        EXPECT_TRUE(changes_assets(s, key)) << key;
    for (const char* key : {"body.lander.shape.sphere", "seed", "rocks.smallest", "body.ground.scale", "contact.lander/ground.friction"})
        EXPECT_FALSE(changes_assets(s, key)) << key;
    EXPECT_TRUE(changes_assets(read_scenario_text(replaced(complete, "\"plain\"", "\"spike\""), "a.toml"), "seed"));
    EXPECT_TRUE(find_variable(s, "body.lander.start.position_sigma.x").is_scatter);
    EXPECT_FALSE(find_variable(s, "body.lander.start.position.x").is_scatter);
    const Scenario scattered =
        read_scenario_text(complete, "a.toml", {.sets = {"body.lander.start.position_sigma.x=1 m", "body.lander.start.speed_sigma=1 m/s"}});
    EXPECT_TRUE(draws_by_run(scattered));
    EXPECT_FALSE(draws_by_run(without_scatter(scattered)));
    EXPECT_EQ(first_start(without_scatter(scattered)).position, first_start(scattered).position);
}

// Whole tables, in the order "a/b", "a/*", "b/*", "*/*".
TEST(ReadScenario, the_law_of_two_materials_is_the_nearest_table) {
    const auto friction = [](const std::string& contacts) {
        const std::string text = complete.substr(0, complete.find("[contact"));
        return ground_contact(read_scenario_text(text + contacts, "a.toml")).law.friction;
    };
    const auto table = [](const char* name, double value) {
        return std::string("[contact.\"") + name + "\"]\nrestitution = 0.5\nfriction = " + std::to_string(value) + "\n";
    };
    const std::string all = table("*/*", 0.1), of_ground = table("*/ground", 0.2), of_lander = table("lander/*", 0.3),
                      both = table("ground/lander", 0.4);
    EXPECT_EQ(friction(all), 0.1);
    EXPECT_EQ(friction(all + of_ground), 0.2);
    EXPECT_EQ(friction(all + of_ground + of_lander), 0.3);
    EXPECT_EQ(friction(all + of_ground + of_lander + both), 0.4);
    const auto error = [](const std::string& contacts) {
        return first_lines(one_error_of(complete.substr(0, complete.find("[contact")) + contacts), 1);
    };
    EXPECT_EQ(error(""), "error: nothing says how `lander` and `ground` touch");
    EXPECT_EQ(error(table("lander/ground", 1) + table("ground/lander", 1)),
              "error: \"ground/lander\" and \"lander/ground\" are the same pair");
    EXPECT_EQ(error(both + table("lander/gruond", 1)), "error: no body is of material `gruond`");
    EXPECT_EQ(error(both + table("lander", 1)), "error: \"lander\" does not name two materials");
}

TEST(ReadScenario, an_included_file_holds_where_the_including_one_is_silent) {
    const Folder folder;
    folder.write("base/base.toml", complete + "[expect]\noutcome = \"rest\"\nimpacts = { at_least = 1, at_most = 9 }\n");
    folder.write("middle.toml", "include = \"base/base.toml\"\n[contact.\"lander/ground\"]\nfriction = 0.1\nrestitution = 0.2\n");
    const std::string top = folder.write(
        "top.toml", "include = \"middle.toml\"\n[contact.\"lander/ground\"]\nfriction = 0.9\n[expect]\nimpacts = { below = 5 }\n");
    const Scenario s = read_scenario(top);
    EXPECT_EQ(s.name, "top");
    EXPECT_EQ(ground_contact(s).law.friction, 0.9);             // top
    EXPECT_EQ(ground_contact(s).law.restitution, 0.2);          // middle
    EXPECT_EQ(ground_contact(s).law.rolling_resistance, 0.04);  // base
    ASSERT_EQ(s.expect.size(), 2u);
    EXPECT_EQ(s.expect[0].text, "rest");
    EXPECT_FALSE(s.expect[1].at_least.has_value()) << "a table in braces is replaced as a whole";
    EXPECT_EQ(s.expect[1].below->value, 5);
    EXPECT_EQ(s.places.at("contact.lander/ground.restitution").file, folder.path("middle.toml"));
    EXPECT_EQ(s.places.at("body.lander.shape.sphere").line, 6);
}

TEST(ReadScenario, a_mesh_of_an_included_file_is_relative_to_that_file) {
    const Folder folder;
    folder.write("base/base.toml", replaced(complete, "surface = \"plain\"", "mesh = \"shapes/rock.obj\", unit = \"m\""));
    const Scenario s = read_scenario(folder.write("runs/top.toml", "include = \"../base/base.toml\"\n"));
    EXPECT_EQ(s.bodies[0].as<MeshShape>()->file.text, "../base/shapes/rock.obj");
}

}  // namespace
}  // namespace asperity::scenario::read_test
