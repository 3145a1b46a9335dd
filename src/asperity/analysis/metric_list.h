// Metrics as they are collected: each name must be one of all_metrics(), which knows its unit.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "asperity/analysis/metrics.h"
#include "asperity/core/vec3.h"

namespace asperity::analysis {

const char* unit_of_metric(std::string_view name);

struct MetricList {
    std::vector<Metric> all;

    template <class T>
    void add(const char* name, T value) {
        all.push_back({.name = name, .value = std::move(value), .unit = unit_of_metric(name)});
    }
    void add(const char* name, const Vec3& value) { add(name, std::vector<double>{value.x, value.y, value.z}); }
};

}  // namespace asperity::analysis
