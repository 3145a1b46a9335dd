// The arguments of `asperity design`, checked against the scenario.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "asperity/report/design_page.h"
#include "asperity/scenario/variable.h"

namespace asperity::study {

// Sets keys of the scenario of a run.
using Change = std::function<void(scenario::Scenario&)>;

// Scatter of the start of the first body, as the study has it.
struct Scatter {
    std::string key;
    std::string unit;
    Vec3 scenario::BodyStart::*vector = nullptr;  // this or the number
    double scenario::BodyStart::*number = nullptr;
    scenario::BodyStart start;

    std::vector<double> values(double factor) const;  // one or three, times a factor
    std::string text(double factor) const;            // the same with their unit
};

// Throws InputError where a key is no scatter of the start, or where that is zero.
std::vector<Scatter> read_scatters(const std::vector<std::string>& keys, const scenario::Scenario& scenario);

// All of them times a factor.
Change scaled(const std::vector<Scatter>& scatters, double factor);

// A key and the values it takes. The speed of the start is the length of its velocity, whose direction stays.
struct CorridorAxis {
    std::string key;
    scenario::Variable variable;  // without a path: the speed
    std::vector<double> values;

    std::string unit() const { return variable.unit; }
};

// From two "key:low:high:count". Throws InputError where a part is missing, or the scenario cannot have a value.
std::vector<CorridorAxis> read_corridor(const std::vector<std::string>& texts, const scenario::Scenario& scenario);

Change at_values(const CorridorAxis& x, double a, const CorridorAxis& y, double b);

// The grid for a terminal, y upwards: success in percent, with + where it is sure and - where it is below.
std::string corridor_text(const std::vector<report::CorridorCell>& cells, const std::vector<double>& x, const std::vector<double>& y);

}  // namespace asperity::study
