// The extremes of named signals: what is known of each of them from the start of the run up to the last look.
//
// They belong to State, so that they depend on steps alone: neither on when samples are taken, nor on interruptions. Who looks, and how
// closely, is said in dynamics/signal_watch.h.
#pragma once
#include <cstddef>
#include <limits>
#include <vector>

namespace asperity::model {

struct Extremes {                    // written by simulate and by the method; a row for each named signal, in their order
    std::vector<double> least;       // in the unit of the signal; infinity: never looked at
    std::vector<double> least_time;  // s
    std::vector<double> most;        // likewise; -infinity
    std::vector<double> most_time;   // s
    std::vector<double> integral;    // over time, since the first look, in seconds and the unit of the signal
    std::vector<double> last;        // at the last look
    double since = 0;                // s, of the first look
    double until = 0;                // s, of the last one
    double until_of_steps = 0;       // s, of the last one at signals of steps

    std::size_t size() const { return least.size(); }
    void begin(std::size_t signals, double time) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        least.assign(signals, infinity);
        most.assign(signals, -infinity);
        for (std::vector<double>* column : {&least_time, &most_time, &integral, &last}) column->assign(signals, 0);
        since = until = until_of_steps = time;
    }

    friend bool operator==(const Extremes&, const Extremes&) = default;
};

template <class Visitor>
void describe(Visitor& v, Extremes& e) {
    v.field("least", e.least, "", "Least value so far of each named signal, SI.");
    v.field("least_time", e.least_time, "s", "When it had it first.");
    v.field("most", e.most, "", "Largest value so far.");
    v.field("most_time", e.most_time, "s", "When it had it first.");
    v.field("integral", e.integral, "", "Integral over time, from `since` to `until`.");
    v.field("last", e.last, "", "Value at `until`.");
    v.field("since", e.since, "s", "When signals were looked at first.");
    v.field("until", e.until, "s", "When they were looked at last.");
    v.field("until_of_steps", e.until_of_steps, "s", "When signals that belong to a step were looked at last.");
}

}  // namespace asperity::model
