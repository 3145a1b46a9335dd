// The page of `asperity equilibria` for bodies in empty space: the relative equilibria at their angular momentum, which there are at any
// other, and their energies (3-ternary, Figs. 2.4 and 2.5). Plain data in, one HTML file out.
#pragma once
#include <string>
#include <vector>

namespace asperity::report {

// One configuration, stable or not, over the square of the angular momentum.
struct RestingCurve {
    std::string name;
    bool is_stable = false;
    std::vector<double> momentum2;  // H^2 / (G m^3 d); neighbours more than a step apart are not joined
    std::vector<double> energy;     // E d / (G m^2)
    std::vector<bool> is_ground;    // the stable one of least energy there
};

// A threshold at which the list of configurations changes.
struct RestingThreshold {
    std::string text;
    double momentum2 = 0;
};

struct RestingPage {
    std::string title;
    std::string description;
    std::vector<std::string> facts;               // a sentence each
    std::vector<std::string> heads;               // of the table
    std::vector<std::vector<std::string>> lines;  // its cells
    std::vector<RestingCurve> curves;
    double step = 0;       // of momentum2
    double momentum2 = 0;  // of the scenario; marked
    std::vector<RestingThreshold> thresholds;
    std::string scenario;  // as read
};

std::string resting_page_text(const RestingPage& page);

}  // namespace asperity::report
