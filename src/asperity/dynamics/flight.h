// Flights of bodies that touch nothing, by Dormand-Prince 5(4) with dense output, up to the first touch: continuous collision detection by
// conservative advancement on the exact gaps.
//
// Motion. Places and velocities are integrated; rotation is the closed form of free_top.h where no torque acts, in inertial axes and seen
// from the frame of the run, else integrated too. Errors count in reaches of the body, and in the largest of its speed, that of its surface
// and sqrt(a R), a its acceleration; a step is accepted below the tolerance of flights. A step covers at most four times clearance and
// reach.
//
// First touch. A gap is 1-Lipschitz: it falls by no more than the ways of the two bodies. With w a bound of those ways over the whole step,
// from the coefficients of the dense output and the largest rate of turning,
//   s += max(gap / w, d / w),    d = a thousandth of the reach of the smaller body                                            (1)
// passes over no touch but one that begins and ends within a way of d: nothing tunnels, however long the step. Far off, the gap is the
// distance of the centre less the reach, one query of a point; nearer than a quarter of the reach it is that of the narrow phase. A gap
// that has become negative is bracketed, and the step taken anew up to the touch, until
//   -2 delta < gap < 0,   delta = 8 eps (|p| + R)                                                                               (2)
// A body that has just bounced starts at a gap of about zero, and touches again where it comes no farther off.
#pragma once
#include <vector>

#include "asperity/contact/detector.h"
#include "asperity/dynamics/free_top.h"
#include "asperity/dynamics/smooth_world.h"
#include "asperity/numerics/flat_dopri5.h"

namespace asperity::dynamics {

class Flight {
public:
    // smooth: with parts set (SmoothWorld::set_parts).
    Flight(const model::Model& model, SmoothWorld& smooth, const contact::Detector& detector);

    // Whether flights pay: few bodies, none of which is held by a cable or a joint.
    static bool suits(const model::Parameters& world);

    struct Step {
        double length = 0;  // s
        double next = 0;    // s, to try then
        bool touches = false;
        bool is_whole = false;  // as long as was allowed
    };
    // From these bodies; `wanted` and `longest` in seconds.
    Step step(const model::Phase& phase, const model::Clock& clock, double wanted, double longest, const model::Bodies& bodies,
              const std::vector<BodyHeat>& heat);
    // At part s of the last step, with driven rows in place; valid until the next call.
    const model::Bodies& bodies_at(double s);
    void heat_at(double s, std::vector<BodyHeat>& out) const;  // J/kg, of each group

    // Whether gaps are wider than a fall of two steps of h: smaller ones are those of contacts that open and close.
    bool is_clear(const model::Bodies& bodies, double time, double h);
    // m, gaps below this are touches, (2).
    double slack(const model::Bodies& bodies) const;

private:
    static constexpr std::size_t place_width = 6, turn_width = 7, heat_width = sizeof(BodyHeat) / sizeof(double);

    struct Touch {
        std::int32_t a = 0, b = model::ground;
        double at = 2;  // part of the step; above 1: none
    };

    std::size_t moving() const { return world_.bodies.size(); }
    std::size_t width() const { return place_width + (turns_freely_ ? 0 : turn_width) + heat_width; }
    double start_time() const { return phase_start_ + dopri_.y0.back(); }
    void begin(const model::Clock& clock, const model::Bodies& bodies, const std::vector<BodyHeat>& heat);
    void slope_at(const std::vector<double>& y, std::vector<double>& slope);
    void unpack(const std::vector<double>& y, model::Bodies& out) const;
    void set_turned(std::size_t i, double t, model::Bodies& out) const;
    void set_scale(const model::Bodies& bodies);
    double error_ratio(double tolerance) const;
    double time_at(double s) const;
    Pose pose_at(std::size_t row, double s) const;
    double longest_for(const model::Bodies& bodies) const;

    double way(std::size_t i) const;
    double way_of_driven(std::size_t i, const model::Driven& driven) const;
    double ground_gap(std::size_t i, const Pose& pose, double limit, double margin) const;
    double pair_gap(std::size_t i, std::size_t j, const Pose& a, const Pose& b, double limit, double margin) const;
    double gap_of(const Touch& pair, double s, double limit, double margin) const;
    double touch_of(const Touch& pair, double way) const;
    Touch first_touch() const;
    double located(const Touch& touch, double taken, double longest);

    const model::Model& model_;
    const model::Parameters& world_;
    SmoothWorld& smooth_;
    const contact::Detector& detector_;
    bool turns_freely_ = true;
    numerics::FlatDopri5 dopri_;
    model::Bodies stage_;
    std::vector<FreeTop> tops_;                             // of each body, from the start of the step, in inertial axes
    std::vector<double> reach_;                             // m
    std::vector<bool> is_round_;                            // whose gap does not depend on its orientation
    std::vector<double> scale_;                             // of errors
    double phase_start_ = 0, jump_ = 0, last_of_step_ = 0;  // s, of the run; when the velocity of a driven body jumps, and just before that
    mutable contact::ContactList probe_;
};

}  // namespace asperity::dynamics
