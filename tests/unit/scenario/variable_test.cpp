// A key that a study varies is found in every scenario that has it, and setting it changes that value and nothing else.
#include "asperity/scenario/variable.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "asperity/scenario/explain.h"
#include "asperity/scenario/roles.h"
#include "asperity/scenario/study.h"
#include "asperity/scenario/write.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::variable_test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The lines of the resolved text, each with its section in front: "[end] time = ...".
std::vector<std::string> values_of(const Scenario& scenario) {
    std::vector<std::string> values;
    std::string section;
    std::map<std::string, int> counts;  // of [[phase]], [[body]]
    for (const std::string& line : lines_of(resolved_toml(scenario))) {
        if (line.starts_with("[[")) {
            const std::string name = line.substr(2, line.size() - 4);
            section = "[" + name + "." + std::to_string(counts[name]++) + "] ";
        } else if (line.starts_with("[")) {
            section = line + " ";
        } else if (!line.empty()) {
            values.push_back(section + line);
        }
    }
    return values;
}

std::vector<std::string> without(const std::vector<std::string>& values, const std::vector<std::string>& others) {
    std::vector<std::string> left;
    std::copy_if(values.begin(), values.end(), std::back_inserter(left),
                 [&](const std::string& value) { return std::find(others.begin(), others.end(), value) == others.end(); });
    return left;
}

std::string assigned(Scenario& scenario, const std::string& path, double value) {
    return assign(scenario, find_variable(scenario, path), value);
}

// Sections of a scenario that one of the reference stands for, as the resolved text has them, with their key paths.
struct Concrete {
    std::string heading;  // "[contact.\"shell/ground\"] "
    std::string path;     // "contact.shell/ground."
};

std::vector<Concrete> concrete(const Scenario& scenario, const std::string& section) {
    if (section.empty()) return {{"", ""}};
    if (section == "phase") return {{"[phase.0] ", "phase.0."}};
    if (section.starts_with("body.NAME.collider")) return {};  // a list: its keys have numbers
    if (section.starts_with("phase.")) return {};              // guards are text
    std::vector<Concrete> out;
    const auto add = [&](const std::string& name, const std::string& written) {
        const std::size_t at = section.find('.'), next = section.find('.', at + 1);
        const std::string tail = next == std::string::npos ? "" : section.substr(next);
        out.push_back({"[" + section.substr(0, at + 1) + written + tail + "] ", section.substr(0, at + 1) + name + tail + "."});
    };
    if (section.starts_with("body.")) {
        for (const Body& body : scenario.bodies) add(body.name, body.name);
    } else if (section.starts_with("contact.")) {
        for (const Contact& contact : scenario.contacts) add(contact.name, "\"" + contact.name + "\"");
    } else {
        out.push_back({"[" + section + "] ", section + "."});
    }
    return out;
}

// Which keys a scenario has depends on its sections and kinds: those that the resolved text has, and others of such a section.
bool has(const std::string& text, const std::vector<std::string>& values, const Concrete& at, const KeyEntry& key) {
    const auto is_written = [&](const std::string& begin) {
        return std::any_of(values.begin(), values.end(), [&](const std::string& value) { return value.starts_with(begin); });
    };
    if (!at.heading.empty() && !key.section.starts_with("phase") &&
        text.find("\n" + at.heading.substr(0, at.heading.size() - 1) + "\n") == std::string::npos)
        return false;
    if (!key.kind.empty()) return is_written(at.heading + key.kind_key + " = \"" + key.kind + "\"");
    if (key.section == "body.NAME.shape" && key.name == "facets") return is_written(at.heading + "builtin = ");
    if (key.section == "body.NAME.shape" && key.name == "unit") return is_written(at.heading + "mesh = ");
    if (key.section == "body.NAME.shape") return is_written(at.heading + key.name + " = ");
    if (key.section == "body.NAME") return is_written(at.heading + "count = ");  // one of several has its start alone
    return key.section != "body.NAME.patch";
}

// The number that a value of the resolved text holds, in SI; of a vector, its component.
double number_in(const std::string& line, std::size_t component) {
    std::string text = line.substr(line.find(" = ") + 3);
    if (text.starts_with("[")) {
        text = text.substr(1, text.size() - 2);
        for (; component > 0; --component) text = text.substr(text.find(", ") + 2);
        text = text.substr(0, text.find(", "));
    }
    text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    EXPECT_EQ(error, std::errc{}) << line;
    return value;
}

// Two values within the bounds of the key.
std::vector<double> values_within(const KeyEntry& key) {
    if (key.name == "facets") return {30, 170};
    if (key.name == "icosphere") return {3, 5};
    if (key.name == "bound") return {0.0025, 1e-8};
    if (key.name == "exponent") return {2.5, 3};
    return key.type == "integer" ? std::vector<double>{3, 17} : std::vector<double>{0.0625, 0.03};
}

struct Checked {
    int numbers = 0, names = 0, texts = 0;
};

// Setting `path`, written as `name` in `section` of the resolved text, to `value` changes that line alone, to just that value.
void expect_sets(const Scenario& scenario, const Variable& variable, const KeyEntry& key, const Concrete& at, std::size_t component,
                 double value) {
    Scenario changed = scenario;
    const std::vector<std::string> before = values_of(scenario);
    EXPECT_EQ(assign(changed, variable, value), "") << variable.path;
    const std::vector<std::string> after = values_of(changed);
    const std::string begin = at.heading + key.name + " = ";
    std::string line;
    for (const std::string& candidate : after)
        if (candidate.starts_with(begin)) line = candidate;
    ASSERT_FALSE(line.empty()) << begin;
    if (variable.names.empty()) {
        EXPECT_EQ(number_in(line, component), value) << line;
    } else {
        const std::string& name = variable.names[static_cast<std::size_t>(value)];
        EXPECT_TRUE(line == begin + name || line == begin + "\"" + name + "\"") << line;
    }
    const std::vector<std::string> gone = without(before, after), come = without(after, before);
    EXPECT_LE(gone.size(), 1u);
    EXPECT_LE(come.size(), 1u);
    for (const std::string& other : gone) EXPECT_TRUE(other.starts_with(begin)) << variable.path << " changes " << other;
    for (const std::string& other : come) EXPECT_TRUE(other.starts_with(begin)) << variable.path << " changes " << other;
    for (std::size_t k = 0; k < 3 && gone.size() == 1 && come.size() == 1 && key.type.starts_with("three"); ++k)
        EXPECT_EQ(number_in(come[0], k), k == component ? value : number_in(gone[0], k)) << variable.path;
    // and back: the scenario is the one that it was
    if (variable.names.empty() && !gone.empty()) {
        EXPECT_EQ(assign(changed, variable, number_in(gone[0], component)), "");
        EXPECT_EQ(resolved_toml(changed), resolved_toml(scenario)) << variable.path;
    }
}

void check_key(const Scenario& scenario, const KeyEntry& key, const Concrete& at, Checked& checked) {
    const std::string path = at.path + key.name;
    if (key.type == "text" || key.type == "file" || key.name == "surface" || key.name == "kind") {
        EXPECT_THROW(find_variable(scenario, path), InputError) << path;
        ++checked.texts;
        return;
    }
    const bool is_vector = key.type.starts_with("three");
    for (std::size_t component = 0; component < (is_vector ? 3 : 1); ++component) {
        const std::string whole = is_vector ? path + "." + "xyz"[component] : path;
        SCOPED_TRACE(whole);
        const Variable variable = find_variable(scenario, whole);
        EXPECT_EQ(variable.path, whole);
        EXPECT_EQ(variable.sentence, key.sentence);
        EXPECT_EQ(variable.is_whole, key.type == "integer");
        EXPECT_EQ(variable.names.empty(), key.choices.empty() && key.type != "true or false") << key.type;
        EXPECT_TRUE(key.choices.empty() || variable.names == key.choices);
        for (std::size_t i = 0; i < variable.names.size(); ++i) expect_sets(scenario, variable, key, at, component, static_cast<double>(i));
        if (variable.names.empty()) {
            for (const double value : values_within(key)) {
                expect_sets(scenario, variable, key, at, component, value);
            }
            ++checked.numbers;
        } else {
            ++checked.names;
        }
    }
}

TEST(Variable, every_key_of_every_shipped_scenario_is_found_and_sets_that_value_alone) {
    Checked checked;
    int scenarios = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ASPERITY_SOURCE_DIR "/scenarios")) {
        if (entry.path().extension() != ".toml" || is_study(entry.path().string())) continue;
        SCOPED_TRACE(entry.path().filename().string());
        const Scenario scenario = read_scenario(entry.path().string());
        const std::vector<std::string> values = values_of(scenario);
        const std::string text = resolved_toml(scenario);
        for (const KeyEntry& key : scenario_schema().keys)
            for (const Concrete& at : concrete(scenario, key.section))
                if (key.name != "include" && key.section != "expect" && has(text, values, at, key)) check_key(scenario, key, at, checked);
        ++scenarios;
    }
    EXPECT_GE(scenarios, 10);
    EXPECT_GE(checked.numbers, 40 * scenarios);
    EXPECT_GE(checked.names, 5 * scenarios);
    EXPECT_GE(checked.texts, 4 * scenarios);
}

Scenario small() { return read_scenario_text(complete, "a.toml"); }

TEST(Variable, says_what_the_key_is) {
    const Variable radius = find_variable(small(), "body.lander.shape.sphere");
    EXPECT_EQ(radius.unit, "m");
    EXPECT_EQ(radius.dimension, si::metre.dimension);
    EXPECT_EQ(find_variable(small(), "body.lander.start.spin.z").unit, "rad/s");
    EXPECT_EQ(find_variable(small(), "contact.lander/ground.friction").unit, "");
    EXPECT_EQ(find_variable(small(), "contact.lander/ground.rolling_law").names,
              (std::vector<std::string>{"coupled", "thesis", "published"}));
    EXPECT_EQ(find_variable(small(), "contact.lander/ground.impact_friction").names, (std::vector<std::string>{"false", "true"}));
    EXPECT_TRUE(find_variable(small(), "seed").is_whole);
    EXPECT_TRUE(find_variable(small(), "body.ground.shape.cells").is_whole);
}

TEST(Variable, integers_are_rounded) {
    Scenario scenario = small();
    EXPECT_EQ(assigned(scenario, "seed", 41.6), "");
    EXPECT_EQ(scenario.seed, 42);
    EXPECT_EQ(assigned(scenario, "end.step_budget", 0.4), "`end.step_budget` must be at least 1, got 0");
    EXPECT_EQ(scenario.end.step_budget, End{}.step_budget);
    EXPECT_EQ(assigned(scenario, "body.ground.shape.cells", 1e300), "`body.ground.shape.cells` must be between 1 and 512, got 1e+300");
    EXPECT_EQ(assigned(scenario, "seed", -1), "`seed` must not be negative, got -1");
}

TEST(Variable, truth_is_one_or_zero_and_a_name_is_its_place) {
    Scenario scenario = small();
    EXPECT_EQ(assigned(scenario, "contact.lander/ground.impact_friction", 0), "");
    EXPECT_FALSE(scenario.contacts[0].law.impact_friction);
    EXPECT_EQ(assigned(scenario, "contact.lander/ground.impact_friction", 1), "");
    EXPECT_TRUE(scenario.contacts[0].law.impact_friction);
    EXPECT_EQ(assigned(scenario, "contact.lander/ground.rolling_law", 2), "");
    EXPECT_EQ(scenario.contacts[0].law.rolling_law, laws::RollingLaw::published);
    EXPECT_EQ(assigned(scenario, "contact.lander/ground.rolling_law", 3),
              "`contact.lander/ground.rolling_law` has 3 choices, there is no number 3");
    EXPECT_EQ(assigned(scenario, "contact.lander/ground.rolling_law", -1),
              "`contact.lander/ground.rolling_law` has 3 choices, there is no number -1");
    EXPECT_EQ(scenario.contacts[0].law.rolling_law, laws::RollingLaw::published);
}

TEST(Variable, a_key_that_was_not_given_is_given_by_setting_it) {
    Scenario scenario = small();
    ASSERT_FALSE(first_start(scenario).above_surface);
    EXPECT_EQ(assigned(scenario, "body.lander.start.above_surface", 5), "");
    EXPECT_EQ(first_start(scenario).above_surface, 5.0);
    EXPECT_EQ(assigned(scenario, "body.lander.start.above_surface", -1),
              "`body.lander.start.above_surface` must be between 0 and 1e12 m, got -1 m");
    EXPECT_EQ(first_start(scenario).above_surface, 5.0);
    Scenario spike = read_scenario_text(replaced(complete, "\"plain\"", "\"spike\""), "a.toml");
    EXPECT_EQ(assigned(spike, "body.ground.shape.seed", 7), "");
    EXPECT_EQ(std::get<SpikeSurface>(spike.bodies[0].as<SurfaceShape>()->kind).seed, 7);
}

TEST(Variable, of_the_second_phase_leaves_the_first_alone) {
    Scenario scenario = read_scenario_text(complete + "[[phase]]\nduration = \"1 s\"\n[[phase]]\n", "a.toml");
    const double before = scenario.phases[0].tolerance;
    EXPECT_EQ(assigned(scenario, "phase.1.tolerance", 1e-6), "");
    EXPECT_EQ(scenario.phases[1].tolerance, 1e-6);
    EXPECT_EQ(scenario.phases[0].tolerance, before);
    EXPECT_THROW(find_variable(scenario, "phase.2.tolerance"), InputError);
    EXPECT_THROW(find_variable(scenario, "phase.tolerance"), InputError);
}

TEST(Variable, a_value_out_of_bounds_is_refused_and_changes_nothing) {
    Scenario scenario = small();
    const std::string before = resolved_toml(scenario);
    EXPECT_EQ(assigned(scenario, "contact.lander/ground.restitution", 1.2),
              "`contact.lander/ground.restitution` must be between 0 and 1, got 1.2");
    EXPECT_EQ(assigned(scenario, "body.lander.shape.sphere", 0), "`body.lander.shape.sphere` must be between 1e-9 and 1e12 m, got 0 m");
    EXPECT_EQ(assigned(scenario, "body.lander.start.velocity_sigma.y", -0.5),
              "`body.lander.start.velocity_sigma.y` must be between 0 and 3e8 m/s, got -0.5 m/s");
    EXPECT_EQ(assigned(scenario, "body.lander.mass", std::numeric_limits<double>::infinity()),
              "`body.lander.mass` must be finite, got inf kg");
    EXPECT_EQ(assigned(scenario, "contact.lander/ground.friction", std::numeric_limits<double>::quiet_NaN()),
              "`contact.lander/ground.friction` must be finite, got nan");
    EXPECT_EQ(resolved_toml(scenario), before);
}

std::string error_of(const std::string& path) {
    try {
        find_variable(small(), path);
        return {};
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems.size(), 1u);
        return error.problems[0].what + " | " + error.problems[0].hint;
    }
}

TEST(Variable, an_unknown_key_gets_a_suggestion) {
    EXPECT_EQ(error_of("contact.lander/ground.frction"),
              "the scenario has no key `contact.lander/ground.frction` | did you mean `contact.lander/ground.friction`?");
    EXPECT_EQ(error_of("phase.0.tolerence"), "the scenario has no key `phase.0.tolerence` | did you mean `phase.0.tolerance`?");
    EXPECT_EQ(error_of("body.ground.shape.depth").substr(0, 49), "the scenario has no key `body.ground.shape.depth`");  // of another kind
    EXPECT_EQ(error_of("zzzzzzzzzzzz"), "the scenario has no key `zzzzzzzzzzzz` | ");
    EXPECT_EQ(error_of(""), "the scenario has no key `` | ");
    EXPECT_EQ(error_of("contact"), "the scenario has no key `contact` | ");
    EXPECT_EQ(error_of("contact."), "the scenario has no key `contact.` | ");
    EXPECT_EQ(error_of("expect.outcome").substr(0, 40), "the scenario has no key `expect.outcome`");
}

TEST(Variable, three_numbers_are_varied_one_by_one) {
    EXPECT_EQ(
        error_of("body.lander.start.spin_sigma"),
        "the scenario has no key `body.lander.start.spin_sigma` | three numbers are varied one by one: `body.lander.start.spin_sigma.x`, "
        "`body.lander.start.spin_sigma.y`, `body.lander.start.spin_sigma.z`");
    EXPECT_NE(error_of("body.lander.start.position.w"), "");
}

TEST(Variable, text_cannot_be_drawn) {
    for (const char* path : {"name", "description", "phase.0.name", "body.ground.shape.surface", "body.lander.material"})
        EXPECT_EQ(error_of(path), std::string("`") + path + "` holds text, which a study cannot draw | ");
}

}  // namespace
}  // namespace asperity::scenario::variable_test
