// Checks whether a run may restart from a record: up to that time it must be the same run.
#pragma once
#include <string>
#include <vector>

#include "asperity/record/record.h"
#include "asperity/scenario/scenario.h"

namespace asperity::study {

// A key with two values, as the resolved scenario writes them; "not set" where one lacks it.
struct Difference {
    std::string key;  // "contact.friction", "phase.0.tolerance"
    std::string there;
    std::string here;

    friend bool operator==(const Difference&, const Difference&) = default;
};

// Of two resolved scenarios (scenario/write.h), the keys that differ and that change what has already happened. end.time, end.step_budget,
// output, expect, name and description do not.
std::vector<Difference> differences_in_the_past(const std::string& there, const std::string& here);

// Throws InputError where the record at `path` is another scenario's, where its surface is another one (the mesh file was changed), or
// where the scenario ends before `time`, from which the run is to go on.
void require_same_run(const std::string& path, const record::Record& old, double time, const scenario::Scenario& scenario,
                      const record::Surface& surface);

}  // namespace asperity::study
