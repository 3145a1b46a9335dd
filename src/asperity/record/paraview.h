// A record as files for ParaView: surface.vtp (the facets), trajectory.vtp (one line per body with time, speed, spin, mode, slip and
// energies at its points), events.vtp (a point per event). VTK XML PolyData, ASCII, 17 digits: exact.
#pragma once
#include <filesystem>

#include "asperity/record/record.h"

namespace asperity::record {

// Creates the folder where it is missing. A file whose data the record lacks is not written. Throws RuntimeError where the machine refuses.
void write_paraview(const Record& record, const std::filesystem::path& folder);

}  // namespace asperity::record
