#include "asperity/study/rest_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "asperity/batch/result_table.h"
#include "asperity/core/units.h"
#include "asperity/geometry/patches.h"
#include "asperity/record/paraview.h"
#include "asperity/record/text_file.h"
#include "asperity/scenario/compile.h"
#include "asperity/scenario/ground.h"
#include "asperity/study/surface_of.h"

namespace asperity::study {
namespace {

using statistics::ColumnSource;

constexpr std::uint8_t no_band = 255;

// Which of `count` equal parts of low ... high a value lies in; both ends belong to it.
int part_of(double value, double low, double high, int count) {
    return std::clamp(static_cast<int>(std::floor(count * (value - low) / (high - low))), 0, count - 1);
}

std::string csv_text(const record::Surface& surface, const std::vector<std::uint64_t>& counts, std::uint64_t runs, double confidence) {
    std::string text = "facet,latitude [deg],longitude [deg],area [m^2],count,probability,low,high\n";
    for (std::size_t f = 0; f < counts.size(); ++f) {
        if (counts[f] == 0) continue;
        const auto at = [&](std::size_t k) { return surface.vertices[static_cast<std::size_t>(surface.facets[f][k])]; };
        const Vec3 centre = (at(0) + at(1) + at(2)) / 3;
        const statistics::Interval interval = statistics::wilson(counts[f], runs, confidence);
        fmt::format_to(std::back_inserter(text), "{},{:.6f},{:.6f},{:.6g},{},{:.9g},{:.9g},{:.9g}\n", f,
                       geometry::latitude(centre) * degrees, geometry::longitude(centre) * degrees,
                       0.5 * norm(cross(at(1) - at(0), at(2) - at(0))), counts[f],
                       static_cast<double>(counts[f]) / static_cast<double>(runs), interval.low, interval.high);
    }
    return text;
}

}  // namespace

bool has_rest_map(const Plan& plan) {
    return plan.scenario && scenario::has_whole_ground(*plan.scenario) &&
           std::any_of(plan.columns.begin(), plan.columns.end(), [](const batch::Column& column) { return column.name == "stop_facet"; });
}

std::vector<std::uint64_t> rests_per_facet(const ColumnSource& facet, std::size_t facets) {
    std::vector<std::uint64_t> counts(facets, 0);
    facet([&](std::span<const double> block) {
        for (const double f : block)
            if (f >= 0 && f < static_cast<double>(facets)) ++counts[static_cast<std::size_t>(f)];
    });
    return counts;
}

std::vector<std::uint64_t> rests_per_cell(const ColumnSource& facet, const ColumnSource& latitude_deg, const ColumnSource& longitude_deg) {
    std::vector<std::uint8_t> bands;  // of each run: a byte, so that three columns need not be held at once
    facet([&](std::span<const double> block) {
        for (const double f : block) bands.push_back(std::isnan(f) ? no_band : 0);
    });
    std::size_t run = 0;
    latitude_deg([&](std::span<const double> block) {
        for (const double latitude : block) {
            std::uint8_t& band = bands[run++];
            if (band == no_band) continue;
            band = std::isnan(latitude) ? no_band : static_cast<std::uint8_t>(part_of(std::sin(latitude / degrees), -1, 1, rest_latitudes));
        }
    });
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(rest_longitudes) * rest_latitudes, 0);
    run = 0;
    longitude_deg([&](std::span<const double> block) {
        for (const double longitude : block) {
            const std::uint8_t band = bands[run++];
            if (band != no_band)
                ++counts[static_cast<std::size_t>(band * rest_longitudes + part_of(longitude, -180, 180, rest_longitudes))];
        }
    });
    return counts;
}

void write_rest_map(const Plan& plan, const std::filesystem::path& folder, std::uint64_t runs) {
    if (!has_rest_map(plan)) return;
    const record::Surface surface = surface_of(plan);
    const ColumnSource facet = [table = folder / "table.h5"](const statistics::BlockReader& read) {
        batch::read_table_column(table, "stop_facet", read);
    };
    const std::vector<std::uint64_t> counts = rests_per_facet(facet, surface.facets.size());
    record::write_text_file(folder / "rest.csv", csv_text(surface, counts, runs, plan.study.confidence));
    std::vector<record::FacetNumbers> numbers{{"count", {}}, {"probability", {}}};
    for (const std::uint64_t count : counts) {
        numbers[0].values.push_back(static_cast<double>(count));
        numbers[1].values.push_back(static_cast<double>(count) / static_cast<double>(runs));
    }
    record::write_facet_numbers(folder / "rest.vtp", surface, numbers);
}

}  // namespace asperity::study
