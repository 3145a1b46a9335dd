// The data of a map of the amended potential in the plane z = 0 (1-landers, Figs. 7.1 and 10.1): its values on a grid, the outlines of the
// bodies there, and the ridge line, along which it is largest over the distance from the body. All is in the axes of the orbit.
#pragma once
#include <vector>

#include "asperity/analysis/equilibria.h"
#include "asperity/geometry/mesh.h"

namespace asperity::analysis {

struct AmendedMap {
    double half_width = 0;       // m: x and y go from minus this to plus this
    int side = 0;                // points a row, and rows
    std::vector<double> values;  // m^2/s^2, by rows from the smallest y; not a number inside a body
};
AmendedMap amended_map(const SteadyField& field, const IsInside& is_inside, double half_width, int side);

// For each of so many longitudes the outermost place where the radial acceleration vanishes; those without one are left out.
std::vector<Vec3> ridge_line(const SteadyField& field, const IsInside& is_inside, int longitudes);

// The closed curves in which a closed surface meets the plane z = 0, in its own axes.
std::vector<std::vector<Vec3>> section(const geometry::SurfaceMesh& mesh);

}  // namespace asperity::analysis
