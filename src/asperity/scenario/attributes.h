// The attributes that describe() gives to fields besides their type: files, scatter, and keys that change the loaded assets.
#pragma once
#include <string>
#include <vector>

#include "asperity/scenario/scenario.h"
#include "asperity/scenario/study.h"

namespace asperity::scenario {

// The files that the scenario names, as paths that can be opened; those that do not exist are left out.
std::vector<std::string> named_files(const Scenario& scenario);

// A path that an included file names is relative to that file; from here on it is relative to the file that was read.
void rebase_paths(Scenario& scenario);
void rebase_paths(Study& study);

// Whether a key changes what is loaded, and not only what a run does with it.
bool changes_assets(const Scenario& scenario, const std::string& key);

// The scenario with every scatter set to zero. Rocks of the stochastic model are still met by chance: they are a property of the ground.
Scenario without_scatter(Scenario scenario);

// Whether runs of one study differ though no key does: scatter, or rocks that are drawn.
bool draws_by_run(const Scenario& scenario);

}  // namespace asperity::scenario
