#include "asperity/scenario/read.h"

#include "asperity/scenario/variable.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario {
namespace {

TEST(ReadScenario, values_arrive_in_si) {
    const Scenario s = read_scenario_text(complete, "folder/drop.toml");
    EXPECT_EQ(s.name, "drop");
    EXPECT_EQ(s.seed, 1);
    EXPECT_EQ(std::get<geometry::FlatWorld>(s.world.shape).cells, geometry::FlatWorld{}.cells);
    EXPECT_EQ(std::get<gravity::Uniform>(s.gravity.field).acceleration_vector, (Vec3{0, 0, -1e-4}));
    EXPECT_EQ(s.ball.radius, 0.05);
    EXPECT_EQ(s.ball.mass, 1);
    EXPECT_EQ(s.ball.inertia_factor, 0.4);
    EXPECT_EQ(s.release.position, (Vec3{0, 0, 20}));
    EXPECT_EQ(s.release.velocity, (Vec3{0.01, 0, 0}));
    EXPECT_FALSE(s.release.above_surface.has_value());
    EXPECT_EQ(s.contact.restitution, 0.5);
    EXPECT_EQ(s.contact.rolling_law, laws::RollingLaw::coupled);
    EXPECT_EQ(s.contact.completion, laws::Completion::series);
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
        return read_scenario_text(replaced(complete, "kind = \"flat\"\n", text), "a.toml").world.shape;
    };
    EXPECT_EQ(std::get<geometry::FlatWorld>(world("kind = \"flat\"\nside = \"2 km\"\ncells = 3\n")).side, 2000);
    EXPECT_EQ(std::get<geometry::TableWorld>(world("kind = \"table\"\nwall = \"-3 m\"\n")).wall, -3);
    EXPECT_EQ(std::get<geometry::GutterWorld>(world("kind = \"gutter\"\nincline = 0.25\n")).incline, 0.25);
    EXPECT_EQ(std::get<geometry::PitWorld>(world("kind = \"pit\"\ndepth = \"5 m\"\n")).depth, 5);
    EXPECT_EQ(std::get<SpikeWorld>(world("kind = \"spike\"\n")).seed, std::nullopt);
    EXPECT_EQ(std::get<SpikeWorld>(world("kind = \"spike\"\nseed = 7\n")).seed, 7);
    const auto mesh = std::get<MeshWorld>(world("kind = \"mesh\"\nfile = \"rock.obj\"\nunit = \"km\"\n"));
    EXPECT_EQ(mesh.file, "rock.obj");
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
    const Scenario s = read_scenario_text(
        complete + "[[phase]]\ntolerance = 1e-9\n", "a.toml",
        {.sets = {"contact.friction=0.1", "contact.friction=0.2", "end.time=5 h", "ball.mass=\"3 kg\"", "contact.rolling_law=published",
                  "output.sample_every=1 min", "release.spin=[\"1 rad/s\", \"0 rad/s\", \"90 deg/s\"]", "phase.0.tolerance=1e-6",
                  "contact.impact_friction=false", "description=a = b"},
         .seed = 9});
    EXPECT_EQ(s.contact.friction, 0.2);
    EXPECT_EQ(s.end.time, 5 * 3600);
    EXPECT_EQ(s.ball.mass, 3);
    EXPECT_EQ(s.contact.rolling_law, laws::RollingLaw::published);
    EXPECT_EQ(s.output.sample_every, 60);
    EXPECT_DOUBLE_EQ(s.release.spin.z, 1.5707963267948966);
    EXPECT_EQ(s.phases[0].tolerance, 1e-6);
    EXPECT_FALSE(s.contact.impact_friction);
    EXPECT_EQ(s.description, "a = b");
    EXPECT_EQ(s.seed, 9);
}

TEST(ReadScenario, an_override_sets_one_component_as_a_study_does) {
    const Scenario s = read_scenario_text(
        complete, "a.toml", {.sets = {"release.position.z=7 m", "release.spin.y=2 rad/s", "gravity.acceleration.2=\"-1 m/s^2\""}});
    EXPECT_EQ(s.release.position.z, 7);
    EXPECT_EQ(s.release.spin.x, 0) << "the file has no spin: the other components keep their default";
    EXPECT_EQ(s.release.spin.y, 2);
    EXPECT_EQ(find_variable(s, "release.spin.y").path, "release.spin.y");
}

TEST(ReadScenario, a_component_that_there_is_not_is_told) {
    EXPECT_EQ(one_error_of(complete, {.sets = {"release.spin.w=2 rad/s"}}),
              "error: there is no key `release.spin.w`\n  --set release.spin.w=2 rad/s   [release]\n  `spin` has x, y and z");
    EXPECT_EQ(first_lines(one_error_of(complete, {.sets = {"release.spin.x=2 m"}}), 1),
              "error: `spin.x` needs an angular rate, got a length");
}

TEST(ReadScenario, every_path_of_an_included_file_is_relative_to_that_file) {
    const Folder folder;
    folder.write("below/rock.obj", "");
    folder.write("below/itokawa", "");  // a file wins over the built-in shape of that name
    const std::string body =
        "[world]\nkind = \"body\"\nshape = \"rock.obj\"\nfacet_values = \"values.csv\"\n[companion]\nshape = \"SHAPE\"\nmass = "
        "\"1 kg\"\nseparation = \"1 km\"\nfacet_values = \"v.csv\"\n[gravity]\nkind = \"body\"\ndensity = \"2000 kg/m^3\"\n";
    const std::string rest = complete.substr(complete.find("[ball]"));
    for (const auto& [shape, read] :
         {std::pair{"itokawa", "below/itokawa"}, {"kw4_alpha", "kw4_alpha"}, {"other.obj", "below/other.obj"}}) {
        std::string text = body;
        folder.write("below/base.toml", text.replace(text.find("SHAPE"), 5, shape) + rest);
        const Scenario s = read_scenario(folder.write("top.toml", "include = \"below/base.toml\"\n"));
        const auto& world = std::get<BodyWorld>(s.world.shape);
        EXPECT_EQ(world.shape, "below/rock.obj");
        EXPECT_EQ(world.facet_values, "below/values.csv");
        EXPECT_EQ(s.companion->body.shape, read);
    }
}

TEST(ReadScenario, an_included_file_holds_where_the_including_one_is_silent) {
    const Folder folder;
    folder.write("base/base.toml", complete + "[expect]\noutcome = \"rest\"\nimpacts = { at_least = 1, at_most = 9 }\n");
    folder.write("middle.toml", "include = \"base/base.toml\"\n[contact]\nfriction = 0.1\nrestitution = 0.2\n");
    const std::string top =
        folder.write("top.toml", "include = \"middle.toml\"\n[contact]\nfriction = 0.9\n[expect]\nimpacts = { below = 5 }\n");
    const Scenario s = read_scenario(top);
    EXPECT_EQ(s.name, "top");
    EXPECT_EQ(s.contact.friction, 0.9);             // top
    EXPECT_EQ(s.contact.restitution, 0.2);          // middle
    EXPECT_EQ(s.contact.rolling_resistance, 0.04);  // base
    ASSERT_EQ(s.expect.size(), 2u);
    EXPECT_EQ(s.expect[0].text, "rest");
    EXPECT_FALSE(s.expect[1].at_least.has_value()) << "a table in braces is replaced as a whole";
    EXPECT_EQ(s.expect[1].below->value, 5);
    EXPECT_EQ(s.places.at("contact.restitution").file, folder.path("middle.toml"));
    EXPECT_EQ(s.places.at("ball.radius").line, 7);
}

TEST(ReadScenario, a_mesh_of_an_included_file_is_relative_to_that_file) {
    const Folder folder;
    folder.write("base/base.toml", replaced(complete, "kind = \"flat\"", "kind = \"mesh\"\nfile = \"shapes/rock.obj\"\nunit = \"m\""));
    const Scenario s = read_scenario(folder.write("runs/top.toml", "include = \"../base/base.toml\"\n"));
    EXPECT_EQ(std::get<MeshWorld>(s.world.shape).file, "../base/shapes/rock.obj");
}

}  // namespace
}  // namespace asperity::scenario
