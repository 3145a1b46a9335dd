// The figures of a run over time: height, speeds, energies and heat of its bodies; energies of groups of many; named signals.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "asperity/record/record.h"
#include "asperity/report/figure.h"

namespace asperity::report {

// The place of the bodies of a record (ground, body, space), which decides the figures.
enum class Place { plane, on_body, space };

// Of one body: `rows` are its samples, and for positions its events, where paths have corners.
std::vector<Figure> body_figures(std::int64_t body, const std::vector<model::Sample>& samples, const std::vector<model::Sample>& rows,
                                 Place place);

// Sections; empty where the record has none.
std::string groups_html(const record::Record& record);
std::string signals_html(const record::Record& record);

// The largest error of the energies' sum, as part of the largest energy in any one form: the sum alone may be near zero, since the zero of
// the potential is arbitrary.
double ledger_error(std::span<const model::Sample> samples);

}  // namespace asperity::report
