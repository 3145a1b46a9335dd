// The figures of a system of bodies: curves over time with collisions as ticks on the axis, and small pictures of the bodies.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "asperity/record/record.h"
#include "asperity/report/system_history.h"

namespace asperity::report {

// Seconds, hours, days or years (365.25 d), whichever gives numbers of a few digits over such a span.
struct TimeUnit {
    const char* name = "s";
    double size = 1;  // s
};
TimeUnit time_unit(double span);

struct SystemCurve {
    std::string name;
    std::vector<double> values;  // one per time; not a number: a gap
    bool is_faint = false;       // in the colour of the next, which lies on it
};

struct SystemPlot {
    std::string title;
    std::string unit;
    std::string note;  // below, "" where there is nothing to say
    std::vector<SystemCurve> curves;
    std::vector<double> marks;  // values marked by dashed lines
};

struct TimeAxis {
    std::vector<double> times;       // s
    std::vector<double> collisions;  // s
    std::vector<double> changes;     // s, of the configuration
};

// A figure with its title, key and note.
std::string system_plot_html(const SystemPlot& plot, const TimeAxis& axis);

// The configurations over time, with a lane for each that occurred. Empty where none was named. end: the valley that the bodies are in at
// the end, "" where it is not known.
std::string configurations_html(const SystemHistory& history, const TimeAxis& axis, const std::string& end);

// Rows of the times to show bodies at: the first, the last, those at or after the first collisions and changes of the configuration, where
// several that follow each other closely count as one, and then the middle of the longest stretches between. In order, not more than
// `count`.
std::vector<std::size_t> shown_rows(const TimeAxis& axis, std::size_t count);

// The bodies at those rows, seen along the angular momentum, all to one scale; a line in each shows how it has turned.
std::string system_frames_html(const record::Record& record, const SystemHistory& history, const std::vector<std::size_t>& rows);

// The style's variable for the colour of a curve or body.
std::string system_colour(std::size_t index);

}  // namespace asperity::report
