// The parts of make_plan() that compile the parameters, metrics and demands of a study file; each problem gets its place in the file.
#pragma once
#include <string>
#include <vector>

#include "asperity/study/plan.h"

namespace asperity::study {

// Collects the problems of a study, with places.
struct PlanReading {
    const scenario::Study& study;
    std::vector<Problem> problems;

    void fail(const std::string& path, std::string what, std::string hint = {}, std::string note = {});
    // Problems of an InputError that know no place of their own.
    void fail_at(const std::string& path, const InputError& error);
};

// Parameters and their columns, in the order of the file.
void read_parameters(PlanReading& reading, Plan& plan);
// Columns of metrics, asked for or all, and of derived ones.
void read_metrics(PlanReading& reading, Plan& plan);
// Success and [until], which name columns and metrics.
void check_demands(PlanReading& reading, const Plan& plan);

}  // namespace asperity::study
