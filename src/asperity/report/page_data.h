// The data of a run's page: paths, bands, events and the surface as JSON, and figures over time, all thinned to what a screen can show.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "asperity/record/record.h"
#include "asperity/report/figure.h"

namespace asperity::report {

struct PageData {
    std::string json;
    std::vector<Figure> figures;     // of its bodies
    std::vector<std::string> notes;  // what was left out
};

PageData page_data(const record::Record& record);

// ---- what the viewer draws beside the paths: bodies, cables, rocks, frames of many bodies (scene_data.cpp)

// Members of an object, without braces. Figures are those of the first `named` bodies, of groups, of the ground and of given bodies.
std::string scene_json(const record::Record& record, std::size_t named, std::vector<std::string>& notes);

// Coordinates as steps of 1/4095 of the box from `low` on, each as two letters of base64, x y z of one point after the other; a point that
// is not finite as that of the box's lower corner.
std::string packed(const std::vector<Vec3>& points, const Vec3& low, const Vec3& size);

// ---- figures over time: height, speeds, energies and heat of bodies; energies of groups of many; named signals (run_figures.cpp)

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

// Contact modes over time: each begins where the one before ends.
struct Band {
    double begin = 0;  // s
    double end = 0;    // s
    std::int64_t mode = 0;
};
std::vector<Band> mode_bands(const std::vector<model::Sample>& samples, const std::vector<model::Event>& events);
// The first, and at most so many others: those that last longest, each up to the next.
std::vector<Band> longest_bands(const std::vector<Band>& bands, std::size_t most);

}  // namespace asperity::report
