// A record as files for ParaView: surface.vtp (the facets), trajectory.vtp (one line per body with time, speed, spin, mode, slip and
// energies at its points), events.vtp (a point per event); group-N.pvd (frames of a group of many, group-N-K.vtp). VTK XML PolyData, ASCII,
// 17 digits: exact.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "asperity/record/record.h"

namespace asperity::record {

// Creates the folder where it is missing. A file whose data the record lacks is not written. Throws RuntimeError where the machine refuses.
void write_paraview(const Record& record, const std::filesystem::path& folder);

// The frames of its groups, which are read from the file one by one. Throws InputError as read_record() does.
void write_paraview_groups(const std::filesystem::path& path, const Record& record, const std::filesystem::path& folder);

// Numbers of the facets of a surface, under a name.
struct FacetNumbers {
    std::string name;
    std::vector<double> values;  // one for each facet
};

// The surface with numbers on its facets, to be coloured by them.
void write_facet_numbers(const std::filesystem::path& path, const Surface& surface, const std::vector<FacetNumbers>& numbers);

}  // namespace asperity::record
