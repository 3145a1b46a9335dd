// The quantities of published tables, measured in runs of the simulator. papers/README.md says what each one is.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/model/model.h"
#include "asperity/scenario/scenario.h"
#include "asperity/study/trial.h"

namespace asperity::reproduce {

// The names, without an index.
std::vector<std::string> quantity_names();

// Whether a text such as "impact_time[0]", "impact_time[last]" or "stop_time" names a quantity.
bool is_quantity(std::string_view text);

// Whether we derive one (reproduce/closed_form.h). False for metrics, thresholds, equilibria and quantities of free bodies.
bool has_closed_form(std::string_view text);

// "equilibrium.NAME.WHAT": of an equilibrium of the scenario, for which nothing has to run. WHAT: x, y, z (of a binary in the axes of the
// orbit, from the common centre of mass), target_x, companion_x (from these bodies), growth_rate (zero where it is stable).
bool is_equilibrium_quantity(std::string_view text);

// In the order of the names; nothing where the scenario has no such equilibrium. Throws InputError.
std::vector<std::optional<double>> equilibrium_values(const scenario::Scenario& scenario, const std::vector<std::string>& quantities);

// A scenario that was run once; some quantities need further runs of variants of it.
class Measured {
public:
    explicit Measured(scenario::Scenario scenario);  // runs it; throws InputError where it cannot start

    const scenario::Scenario& scenario() const { return scenario_; }
    const study::Trial& trial() const { return trial_; }

    // In the unit of the table; nothing where the run has no such thing.
    std::optional<double> value(std::string_view quantity) const;

    // Speed (m/s) at which the ball came to its first impact with a horizontal normal.
    std::optional<double> wall_approach() const;

private:
    std::optional<double> of_impact(std::string_view name, std::string_view index) const;
    std::optional<double> of_sync(std::string_view name) const;
    std::optional<double> of_wall(std::string_view name) const;
    std::optional<double> roll_deceleration() const;
    double rest_slope() const;
    double energy_rise() const;
    double rolling_heat_drop() const;

    scenario::Scenario scenario_;
    model::Assets assets_;
    study::Trial trial_;
};

}  // namespace asperity::reproduce
