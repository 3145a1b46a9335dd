// The page of `asperity equilibria`: a table of the equilibria, and a map of the amended potential in the plane z = 0 with the bodies, the
// ridge line and the zero-velocity curves through the equilibria (1-landers, Figs. 7.1 and 10.1). Plain data in, one HTML file out.
#pragma once
#include <string>
#include <vector>

namespace asperity::report {

struct MapPoint {
    double x = 0, y = 0;  // m
};

struct EquilibriumShown {
    std::string name;
    std::string kind;
    MapPoint at;
    double energy = 0;               // m^2/s^2
    std::vector<std::string> cells;  // of the table, after the name, as `heads` says
};

struct EquilibriaPage {
    std::string title;
    std::string description;
    std::vector<std::string> facts;  // a sentence each
    std::vector<std::string> heads;
    std::vector<EquilibriumShown> equilibria;
    double half_width = 0;                      // m, of the map
    int side = 0;                               // points a row, and rows
    std::vector<double> values;                 // m^2/s^2, by rows from the smallest y; not a number inside a body
    std::vector<std::vector<MapPoint>> bodies;  // outlines, closed
    std::vector<MapPoint> ridge;                // closed; empty: none
    std::string axes;                           // what x and y are
    std::string scenario;                       // as read
};

std::string equilibria_page_text(const EquilibriaPage& page);

}  // namespace asperity::report
