// The section of a report that shows bodies in empty space as one system: the figures of 3-ternary chapter 5, and whether its energy stays
// above the least that its angular momentum and places allow (3-ternary 2.6).
#pragma once
#include <string>
#include <vector>

#include "asperity/record/record.h"
#include "asperity/report/figure.h"
#include "asperity/report/system_history.h"

namespace asperity::report {

// Bodies are counted from 1 here, as in scenarios and in the thesis; in the record from 0. Empty where the record has no bodies or no time
// at which all of them have a sample.
std::string system_html(const record::Record& record);

// The figures of that section, with a lane for each configuration that occurred and, as ticks, the collisions. `end`: the valley that the
// bodies are in at the end, "" where it is not known.
std::vector<Figure> system_figures(const record::Bodies& bodies, const SystemHistory& history, const std::vector<double>& collisions,
                                   const std::string& end);

// The smallest E - E_m, where it is, and whether it is negative by more than rounding anywhere.
struct LeastExcess {
    double value = 0;     // J
    double rounding = 0;  // J, by how much it may be wrong
    double time = 0;      // s
    bool is_violated = false;
};
LeastExcess least_excess(const SystemHistory& history);

}  // namespace asperity::report
