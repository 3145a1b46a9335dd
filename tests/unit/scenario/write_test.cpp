#include "asperity/scenario/write.h"

#include <bit>
#include <map>
#include <optional>
#include <variant>

#include "asperity/scenario/study.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::write_test {
namespace {

// Every value of a scenario as bits, by a visitor of its own: the text of the writer is not asked whether it is right.
class Flattener {
public:
    std::vector<std::string> bits;

    template <class T, class... Rest>
    void required(const char*, const T& value, const Rest&...) {
        add(value);
    }
    template <class T, class... Rest>
    void optional(const char*, const T& value, const Rest&...) {
        add(value);
    }
    template <class T, class... Rest>
    void optional(const char*, const std::optional<T>& value, const Rest&...) {
        add(value.has_value());
        if (value) add(*value);
    }
    template <class Variant, class Names>
    void kinds(const char*, Variant& value, const Names&, const char*) {
        add(static_cast<std::int64_t>(value.index()));
        std::visit([&](auto& alternative) { describe(*this, alternative); }, value);
    }
    template <class T>
    void section(const char*, T& value, const char*) {
        describe(*this, value);
    }
    template <class T>
    void optional_section(const char*, std::optional<T>& value, const char*) {
        add(value.has_value());
        if (value) describe(*this, *value);
    }
    template <class T>
    void list(const char*, std::vector<T>& values, const char*) {
        add(static_cast<std::int64_t>(values.size()));
        for (T& value : values) describe(*this, value);
    }
    template <class Variant, class Names>
    void one_of(Variant& value, const Names&, const char*) {
        kinds("", value, value, "");
    }
    template <class T>
    void tables(const char*, std::vector<T>& values, const char*, const char*) {
        add(static_cast<std::int64_t>(values.size()));
        for (T& value : values) add(value.name), describe(*this, value);
    }
    template <class Fields>
    void scatter(const Fields& fields) {
        fields(*this);
    }
    template <class When, class Fields>
    void loaded(When, const Fields& fields) {
        fields(*this);
    }
    template <class Fields>
    void when(bool is_there, const Fields& fields) {
        if (is_there) fields(*this);
    }
    void expectations(const char*, const std::vector<Expectation>&, const char*) {}  // compared by ==
    void include(const char*, const char*) {}

private:
    void add(const std::string& value) { bits.push_back(value); }
    void add(const Path& value) { bits.push_back(value.text); }
    void add(const Loose& value) { bits.push_back(value.text); }
    void add(const std::vector<Loose>& values) {
        for (const Loose& value : values) add(value);
    }
    void add(double value) { bits.push_back(std::to_string(std::bit_cast<std::uint64_t>(value))); }
    void add(std::int64_t value) { bits.push_back(std::to_string(value)); }
    void add(int value) { bits.push_back(std::to_string(value)); }
    void add(bool value) { bits.push_back(value ? "true" : "false"); }
    void add(const Vec3& value) { add(value.x), add(value.y), add(value.z); }
    void add(const std::vector<Vec3>& values) {
        add(static_cast<std::int64_t>(values.size()));
        for (const Vec3& value : values) add(value);
    }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void add(Enum value) { add(static_cast<std::int64_t>(value)); }
};

std::vector<std::string> flattened(Scenario scenario) {
    Flattener flattener;
    describe(flattener, scenario);
    return flattener.bits;
}

void expect_round_trip(const Scenario& scenario) {
    const std::string text = resolved_toml(scenario);
    const Scenario back = read_scenario_text(text, "elsewhere.toml");
    EXPECT_EQ(flattened(back), flattened(scenario)) << text;
    EXPECT_EQ(back.expect, scenario.expect) << text;
    EXPECT_EQ(resolved_toml(back), text);
}

TEST(ResolvedToml, reads_back_to_the_same_bits_for_every_shipped_scenario) {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ASPERITY_SOURCE_DIR "/scenarios")) {
        if (entry.path().extension() != ".toml" || is_study(entry.path())) continue;
        SCOPED_TRACE(entry.path().filename().string());
        expect_round_trip(read_scenario(entry.path().string()));
        ++count;
    }
    EXPECT_GE(count, 10);
}

TEST(ResolvedToml, reads_back_where_every_key_is_unlike_its_default) {
    const std::string text = R"(
name = "quotes \" and \\ and é"
description = """two
lines and \u0007"""
seed = 9223372036854775807
[body.ground]
shape = { surface = "spike", side = "1.1 km", cells = 7, height = "0.1 m", rim = "-0 m", seed = 3 }
fixed = true
material = "ground"
[gravity]
uniform = ["1e-300 m/s^2", "-0 m/s^2", "-999999999.9999999 m/s^2"]
[body.lander]
shape = { sphere = "0.1 cm" }
mass = "3 g"
inertia_factor = 0.6666666666666666
material = "lander"
[body.lander.start]
position = ["0.1 m", "0.2 m", "0.3 km"]
velocity = ["1 km/h", "1 cm/d", "1 m/yr"]
spin = ["1 deg/s", "33 deg/h", "1 rad/min"]
position_sigma = ["1 mm", "2 mm", "3 mm"]
velocity_sigma = ["1 mm/s", "2 mm/s", "3 mm/s"]
spin_sigma = ["1 rad/s", "2 rad/s", "3 rad/s"]
position_spread = ["7 nm", "8 um", "9 mm"]
velocity_spread = ["1 nm/s", "2 um/s", "3 mm/s"]
above_surface = "0 m"
[contact."lander/ground"]
restitution = 0.1
friction = 0.30000000000000004
rolling_resistance = 5e-324
spinning_resistance = 0.7
rolling_law = "thesis"
impact_friction = false
completion = "virtual"
bounce_end_speed = "1e-5 m/s"
bounce_end_height = 1e-3
regularisation_speed = "1e-6 m/s"
regularised_end_speed = "1e-9 m/s"
rest_below_speed = "1e-5 m/s"
rest_below_slope = "33 deg"
[[phase]]
name = "one"
integrator = "rk4"
tolerance = 1e-3
error_ratio_min = 0.2
error_ratio_max = 0.3
step_min = "1 ms"
step_max = "2 ms"
duration = "3 ms"
[[phase]]
[end]
time = "12.1324 h"
step_budget = 5
[output]
sample_every = "7.7 s"
checkpoint_every = "1 h"
[expect]
outcome = "rest"
impacts = 3
stop_time = "5 h"
impact_time = [{ index = 0, value = "1 h", within = "1 us" }, { length = 4 }]
energy_balance = { at_least = -0.0, at_most = 5, below = 6, above = -1 }
)";
    expect_round_trip(read_scenario_text(text, "a.toml"));
}

TEST(ResolvedToml, has_every_default_written_out) {
    const std::string text = resolved_toml(read_scenario_text(complete, "a.toml"));
    EXPECT_EQ(first_lines(text, 6),
              "name = \"a\"\nseed = 1\nspin_transport = true\n\n[gravity]\nuniform = [\"0 m/s^2\", \"0 m/s^2\", \"-0.0001 m/s^2\"]");
    for (const char* line : {"mass = \"1 kg\"\n", "rolling_law = \"coupled\"\n", "tolerance = 1e-12\n", "sample_every = \"0.72 s\"\n",
                             "[[phase]]\nname = \"phase 1\"\nmethod = \"event-driven\"\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line;
    }
}

TEST(ScenarioHash, depends_on_what_is_meant_not_on_how_it_is_written) {
    const std::string hash = scenario_hash(read_scenario_text(complete, "a.toml"));
    EXPECT_EQ(hash.size(), 32u);
    EXPECT_EQ(scenario_hash(read_scenario_text(replaced(complete, "\"5 cm\" }", "\"0.05 m\" } # radius"), "a.toml")), hash);
    EXPECT_EQ(scenario_hash(read_scenario_text(complete + "completion = \"series\"\n", "a.toml")), hash);
    EXPECT_NE(scenario_hash(read_scenario_text(replaced(complete, "\"5 cm\"", "\"0.05000000000000001 m\""), "a.toml")), hash);
    EXPECT_NE(scenario_hash(read_scenario_text(complete, "a.toml", {.seed = 2})), hash);
}

}  // namespace
}  // namespace asperity::scenario::write_test
