// Quantities of published tables about spheres that orbit each other, beside the metrics: rates of the ground state, form angles and
// relative spins (3-ternary 5.1, 5.2, 5.6, 5.7). papers/README.md says what each one is.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/model/model.h"
#include "asperity/scenario/scenario.h"
#include "asperity/study/trial.h"

namespace asperity::reproduce {

std::vector<std::string> sphere_quantity_names();

// Whether a text such as "required_rate" or "spin_lack[0]" names one.
bool is_sphere_quantity(std::string_view text);

// Of a run of three spheres; nothing where the run has no such quantity.
std::optional<double> sphere_quantity(const scenario::Scenario& scenario, const model::Assets& assets, const study::Trial& trial,
                                      std::string_view text);

}  // namespace asperity::reproduce
