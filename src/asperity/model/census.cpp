#include "asperity/model/census.h"

#include <algorithm>
#include <vector>

namespace asperity::model {
namespace {

using Cut = std::vector<bool>;  // of each cable

// What is cut where a phase begins whichever way it is entered: of all ways the least, found by going through the phases until nothing
// changes. A phase that is never entered has no cable.
std::vector<Cut> cut_where_phases_begin(const Parameters& world) {
    const std::size_t cables = world.cables.size();
    std::vector<Cut> cut(world.phases.size(), Cut(cables, true));
    cut[0].assign(cables, false);
    bool is_changed = true;
    const auto enter = [&](std::size_t next, const Cut& before) {
        for (std::size_t c = 0; c < cables; ++c) {
            if (!cut[next][c] || before[c]) continue;
            cut[next][c] = false;
            is_changed = true;
        }
    };
    while (is_changed) {
        is_changed = false;
        for (std::size_t p = 0; p < world.phases.size(); ++p) {
            if (p + 1 < world.phases.size() && std::isfinite(world.phases[p].duration)) enter(p + 1, cut[p]);
            for (const Guard& guard : world.phases[p].guards) {
                if (guard.next < 0) continue;
                Cut after = cut[p];
                for (const Action& action : guard.actions)
                    if (action.kind == ActionKind::cut) after[action.target] = true;
                enter(static_cast<std::size_t>(guard.next), after);
            }
        }
    }
    return cut;
}

}  // namespace

bool has_signal(const Parameters& world, SignalKind kind) {
    const auto is = [kind](const auto& of) { return of.signal.kind == kind; };
    const auto asks = [&](const Guard& guard) {
        return std::ranges::any_of(guard.conditions, [&](const Condition& condition) { return !condition.is_named && is(condition); });
    };
    const auto looks = [&](const Controller& controller) {
        const auto* law = std::get_if<Proportional>(&controller.law);
        return law != nullptr && is(*law);
    };
    return std::ranges::any_of(world.signals, is) || std::ranges::any_of(world.controllers, looks) ||
           std::ranges::any_of(world.phases, [&](const Phase& phase) { return std::ranges::any_of(phase.guards, asks); });
}

Census census_of(const Model& model, std::size_t phase) {
    Census census = census_of(model);
    if (!census.has_cables) return census;
    const Cut cut = cut_where_phases_begin(model.parameters)[phase];
    census.has_cables = std::find(cut.begin(), cut.end(), false) != cut.end();
    return census;
}

}  // namespace asperity::model
