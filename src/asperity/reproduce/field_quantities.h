// Quantities of published tables that are measured on bodies and their gravity, not on a landing: Tables 7.2, 7.3, 7.5 and the
// figures 7.6, 7.9. papers/README.md says what each one is.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/model/model.h"
#include "asperity/scenario/scenario.h"

namespace asperity::reproduce {

std::vector<std::string> field_quantity_names();

// Whether a text such as "linearisation_error" or "resolution_error[2]" names one; the index is the level of an icosphere, 0 to 7.
bool is_field_quantity(std::string_view text);

// A scenario with gravity of kind body, as far as its fields go.
class FieldMeasured {
public:
    explicit FieldMeasured(scenario::Scenario scenario);  // throws InputError

    // Nothing where the scenario has no such thing.
    std::optional<double> value(std::string_view quantity) const;

private:
    std::optional<double> linearisation_error() const;
    std::optional<double> of_model(std::string_view name, int level) const;
    std::optional<double> frame_distance() const;
    std::optional<double> companion_frame_distance() const;

    scenario::Scenario scenario_;
    model::Assets assets_;
};

}  // namespace asperity::reproduce
