#include "fuzz/fuzz_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "asperity/core/errors.h"
#include "asperity/core/random.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/census.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/read.h"
#include "asperity/scenario/write.h"

namespace asperity::fuzz {
namespace {

// Draws of one mutation.
class Dice {
public:
    Dice(std::uint64_t seed, std::uint64_t index) : key_{.seed = seed, .run = index} {}
    // 0 .. n - 1; 0 for n = 0.
    std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_bits(key_, counter_++) % n); }
    template <class List>
    const auto& one_of(const List& list) {
        return list[below(std::size(list))];
    }

private:
    DrawKey key_;
    std::uint64_t counter_ = 0;
};

constexpr std::array extremes{"0",
                              "-0",
                              "1",
                              "-1",
                              "1e308",
                              "-1e308",
                              "1e-308",
                              "5e-324",
                              "1e400",
                              "inf",
                              "-inf",
                              "nan",
                              "+1",
                              "0x10",
                              "9223372036854775807",
                              "9223372036854775808",
                              "-9223372036854775808",
                              "1e9",
                              "1e-9",
                              "0.1",
                              "512",
                              "513",
                              "1_000",
                              "1e",
                              ".",
                              "1.",
                              "2147483648",
                              "4294967296",
                              "1e20",
                              "0.66666666666666674"};
constexpr std::array tokens{"=",
                            "[",
                            "]",
                            "[[",
                            "]]",
                            "{",
                            "}",
                            ",",
                            ".",
                            "\"",
                            "'",
                            "\"\"\"",
                            "'''",
                            "\n",
                            "\r\n",
                            "\t",
                            " ",
                            "#",
                            "\\",
                            "\\u0000",
                            "\xff",
                            "\xef\xbb\xbf",
                            "true",
                            "false",
                            "1979-05-27",
                            "surface = ",
                            "mesh = \"body.obj\"",
                            "\"pit\"",
                            "\"table\"",
                            "\"gutter\"",
                            "\"spike\"",
                            "\"plain\"",
                            "[body.ground]",
                            "[body.lander]",
                            "[contact.\"*/*\"]",
                            "[[phase]]",
                            "[expect]",
                            "include = \"flat.toml\"",
                            "include = \"table.toml\"",
                            "in_contact = true",
                            "above_surface = \"1 m\"",
                            "integrator = \"rk4\"",
                            "step_max = \"1 s\"",
                            "completion = \"none\"",
                            "m",
                            "kg",
                            "m/s",
                            "deg",
                            "m^9",
                            "seed = 5",
                            "cells = 512",
                            "cell = \"1 cm\"",
                            "regularisation_speed = \"1e-5 m/s\"",
                            "regularised_end_speed = \"1e-8 m/s\"",
                            "\"0 m\"",
                            "rolling_law = \"thesis\""};

struct Span {
    std::size_t begin = 0;
    std::size_t length = 0;
};

bool is_number_character(char c) { return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e'; }

// A run of characters that looks like a number; empty where there is none after a random place.
Span number_in(const std::string& text, Dice& dice) {
    std::size_t begin = dice.below(text.size() + 1);
    while (begin < text.size() && !(text[begin] >= '0' && text[begin] <= '9')) ++begin;
    while (begin > 0 && is_number_character(text[begin - 1])) --begin;
    std::size_t end = begin;
    while (end < text.size() && is_number_character(text[end])) ++end;
    return {begin, end - begin};
}

Span line_in(const std::string& text, Dice& dice) {
    const std::size_t at = dice.below(text.size() + 1);
    const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    return {begin, std::min(end + 1, text.size()) - begin};
}

void swap_spans(std::string& text, Span a, Span b) {
    if (a.begin > b.begin) std::swap(a, b);
    if (a.begin + a.length > b.begin) return;  // they overlap
    const std::string first = text.substr(a.begin, a.length);
    const std::string second = text.substr(b.begin, b.length);
    text.replace(b.begin, b.length, first);
    text.replace(a.begin, a.length, second);
}

std::string nesting(Dice& dice) {
    static constexpr std::array openings{"[", "{a=", "a.", "[{a=", "{a.b=", "[[", "\"\"\""};
    const std::string opening = dice.one_of(openings);
    const std::size_t depth = std::size_t{1} << dice.below(15);
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += opening;
    return text;
}

void mutate(std::string& text, const std::vector<std::string>& texts, Dice& dice) {
    switch (dice.below(12)) {
        case 0:  // flip a bit
            if (!text.empty()) {
                char& c = text[dice.below(text.size())];
                c = static_cast<char>(static_cast<unsigned char>(c) ^ (1u << dice.below(8)));
            }
            break;
        case 1: text.insert(dice.below(text.size() + 1), 1, static_cast<char>(dice.below(256))); break;
        case 2: text.erase(dice.below(text.size() + 1), 1 + dice.below(8)); break;
        case 3:
        case 4: {  // a number becomes an extreme one
            const Span number = number_in(text, dice);
            text.replace(number.begin, number.length, dice.one_of(extremes));
            break;
        }
        case 5: {  // the same within quotes keeps its unit
            const Span a = number_in(text, dice);
            const Span b = number_in(text, dice);
            swap_spans(text, a, b);
            break;
        }
        case 6: {  // a line goes
            const Span line = line_in(text, dice);
            text.erase(line.begin, line.length);
            break;
        }
        case 7: {  // a line comes twice
            const Span line = line_in(text, dice);
            text.insert(line_in(text, dice).begin, text.substr(line.begin, line.length));
            break;
        }
        case 8: swap_spans(text, line_in(text, dice), line_in(text, dice)); break;
        case 9:
            text.insert(dice.below(2) == 0 ? dice.below(text.size() + 1) : line_in(text, dice).begin,
                        std::string(dice.one_of(tokens)) + (dice.below(2) == 0 ? "\n" : ""));
            break;
        case 10: {  // the head of one file, the tail of another
            const std::string& other = dice.one_of(texts);
            text = text.substr(0, line_in(text, dice).begin) + other.substr(line_in(other, dice).begin);
            break;
        }
        default: text.insert(dice.below(text.size() + 1), nesting(dice)); break;
    }
}

bool are_finite(const model::Bodies& bodies) {
    const auto all = [](const std::vector<Vec3>& values) {
        return std::all_of(values.begin(), values.end(), [](const Vec3& v) { return is_finite(v); });
    };
    return all(bodies.position) && all(bodies.velocity) && all(bodies.spin) &&
           std::all_of(bodies.orientation.begin(), bodies.orientation.end(),
                       [](const Quat& q) { return std::isfinite(q.w + q.x + q.y + q.z); });
}

// What a caller may rely on after compile; the message of the first thing that is wrong, or nothing.
std::string defect(const scenario::Scenario& scenario, const scenario::Compiled& compiled) {
    const model::Parameters& p = compiled.model.parameters;
    const std::size_t count = p.bodies.size();
    const bool has_bodies = std::ranges::all_of(p.bodies.kinds, [](const model::BodyKind& b) {
        return b.mass > 0 && b.semi_axes.x > 0 && b.semi_axes.y > 0 && b.semi_axes.z > 0 && b.inertia.x > 0 && is_finite(b.inertia);
    });
    if (count == 0 || !has_bodies) return "a body without size, mass or inertia";
    if (!(p.end_time > 0 && std::isfinite(p.end_time))) return "no end";
    if (p.phases.empty() || p.step_budget < 1) return "nothing to run";
    const auto* uniform = std::get_if<gravity::Uniform>(&p.environment.field);
    if (uniform != nullptr && !is_finite(uniform->acceleration_vector)) return "gravity is not finite";
    const model::Bodies& bodies = compiled.state.bodies;
    if (bodies.position.size() != count || !are_finite(bodies)) return "a start that is not finite";
    if (compiled.state.contacts.size() > 1) return "more than one contact at the start";
    const std::string text = resolved_toml(scenario);
    if (resolved_toml(scenario::read_scenario_text(text, "again.toml")) != text) return "the resolved text reads back as another scenario";
    return {};
}

// Looks on: what a run shows must be finite at every moment of it, not only at its end.
struct Checker final : model::Observer {
    explicit Checker(double end) : every(end / 97) {}
    double next_sample() const override { return samples < 100 ? every * static_cast<double>(samples) : never; }
    void sample(const model::Look& look) override {
        ++samples;
        for (const auto& column : {look.position, look.velocity, look.spin})
            for (const Vec3& value : column)
                if (!is_finite(value)) wrong = "a sample is not finite";
        if (!(look.time >= latest)) wrong = "a sample comes before an earlier one";
        latest = look.time;
    }
    void event(const model::Event& event) override {
        if (!is_finite(event.position) || !is_finite(event.velocity) || !is_finite(event.spin)) wrong = "an event is not finite";
        if (!std::isfinite(event.normal_speed_in + event.normal_speed_out + event.heat)) wrong = "an event has numbers that are not finite";
    }
    double next_checkpoint() const override { return 0; }
    void checkpoint(const model::State&) override {}

    static constexpr double never = std::numeric_limits<double>::infinity();
    double every = 0;  // s; 0 where the end is nearer than 97 numbers
    double latest = 0;
    std::int64_t samples = 0;
    std::string wrong;
};

bool is_finite_state(const model::State& state) {
    const model::Tallies& t = state.tallies;
    bool is_finite = std::isfinite(state.clock.time()) && are_finite(state.bodies) && !std::isnan(state.stepper.next_step);
    for (const auto* values :
         {&t.heat_impact, &t.heat_friction, &t.heat_rolling, &t.heat_tide, &t.work, &t.rolled_distance, &t.deepest_overlap})
        for (const double value : *values) is_finite = is_finite && std::isfinite(value);
    return is_finite;
}

// Runs a few steps; the message of the first thing that is wrong, or nothing.
std::string run_defect(model::Model model, model::State& state, std::int64_t steps, Tally& tally) {
    model.parameters.step_budget = std::min(model.parameters.step_budget, steps);
    Checker checker(model.parameters.end_time);
    const model::Outcome outcome = dynamics::simulate(model, state, checker);
    ++tally.outcomes.at(static_cast<std::size_t>(outcome.kind));
    if (outcome.message.empty()) return fmt::format("the outcome {} says nothing", name(outcome.kind));
    if (outcome.kind == model::OutcomeKind::non_finite) return {};
    if (!checker.wrong.empty()) return checker.wrong;
    if (!is_finite_state(state)) return fmt::format("the outcome is {}, the state is not finite", name(outcome.kind));
    // The budget is looked at between moves, and a move may be several steps.
    if (state.clock.steps > model.parameters.step_budget + 10)
        return fmt::format("{} steps, {} were allowed", state.clock.steps, model.parameters.step_budget);
    if (!(outcome.time >= 0 && outcome.time <= model.parameters.end_time)) return fmt::format("it ended at {} s", outcome.time);
    return {};
}

// Bodies with few facets that attract as points: their fields would take minutes to build, and are none of what is tested here.
void make_quick(scenario::Scenario& scenario) {
    for (scenario::Body& body : scenario.bodies) {
        auto* shape = body.shape ? std::get_if<scenario::BuiltinShape>(&body.shape->is) : nullptr;
        if (shape != nullptr) shape->facets = std::min<std::int64_t>(shape->facets, 320);
        if (body.attracts) body.attracts->field = gravity::FieldKind::point;
    }
    if (scenario.rocks) scenario.rocks->number_per_area = std::min(scenario.rocks->number_per_area, 1e-3);
}

void try_text(const std::string& text, const std::string& folder, const Settings& settings, Tally& tally) {
    try {
        scenario::Scenario scenario = scenario::read_scenario_text(text, folder + "/mutant.toml");
        make_quick(scenario);
        double facets = 0;
        for (const scenario::Body& body : scenario.bodies)
            if (body.shape) facets += scenario::facet_estimate(*body.shape);
        if (facets > settings.most_facets) {
            ++tally.too_large;
            return;
        }
        const model::Assets assets = scenario::load_assets(scenario);
        scenario::Compiled compiled = scenario::compile(scenario, assets);
        const std::string wrong = defect(scenario, compiled);
        if (!wrong.empty()) throw std::logic_error(wrong);
        ++tally.valid;
        const std::string went_wrong = run_defect(compiled.model, compiled.state, settings.steps, tally);
        if (!went_wrong.empty()) throw std::logic_error(went_wrong);
    } catch (const InputError& error) {
        if (error.problems.empty() || error.problems[0].what.empty()) throw std::logic_error("refused without a problem");
        ++tally.refused;
    }
}

}  // namespace

Corpus shipped_texts(const std::string& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    Corpus corpus{.folder = folder, .texts = {}};
    for (const auto& path : paths) {
        std::ifstream stream(path, std::ios::binary);
        corpus.texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return corpus;
}

std::string mutated_text(const std::vector<std::string>& texts, std::uint64_t seed, std::uint64_t index) {
    Dice dice(seed, index);
    std::string text = dice.one_of(texts);
    const std::size_t mutations = 1 + dice.below(dice.below(4) == 0 ? 20 : 3);
    for (std::size_t i = 0; i < mutations; ++i) mutate(text, texts, dice);
    return text;
}

Tally fuzz(const std::vector<Corpus>& corpora, const Settings& settings) {
    Tally tally;
    for (std::uint64_t index = settings.first; index < settings.first + static_cast<std::uint64_t>(settings.count); ++index) {
        settings.begins(index);
        const Corpus& corpus = corpora[index % corpora.size()];
        const std::string text = mutated_text(corpus.texts, settings.seed, index);
        if (settings.shows_texts) {
            fmt::print("--- seed {}, index {}\n{}\n", settings.seed, index, text);
            std::fflush(stdout);
        }
        try {
            try_text(text, corpus.folder, settings, tally);
        } catch (const std::exception& error) {
            tally.failures.push_back(fmt::format("seed {}, index {}: {}", settings.seed, index, error.what()));
        }
    }
    return tally;
}

}  // namespace asperity::fuzz
