// Quantities of published tables of free bodies that are no metrics: rates of the ground state, form angles and relative spins
// (3-ternary 5.1, 5.2, 5.6, 5.7). papers/README.md says what each one is.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/model/model.h"
#include "asperity/scenario/scenario.h"
#include "asperity/study/trial.h"

namespace asperity::reproduce {

std::vector<std::string> free_quantity_names();

// Whether a text such as "required_rate" or "spin_lack[0]" names one.
bool is_free_quantity(std::string_view text);

// Of a run of three free spheres; nothing where it has no such thing.
std::optional<double> free_quantity(const scenario::Scenario& scenario, const model::Assets& assets, const study::Trial& trial,
                                    std::string_view text);

}  // namespace asperity::reproduce
