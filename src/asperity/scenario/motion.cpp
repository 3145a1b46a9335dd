#include "asperity/scenario/motion.h"

#include <numbers>

namespace asperity::scenario {
namespace {

struct Given {
    model::GivenMotion operator()(const SineMotion& m) const {
        return model::Sine{.centre = m.position,
                           .amplitude = m.amplitude * unit(m.direction),
                           .rate = 2 * std::numbers::pi * m.frequency,
                           .phase = m.phase};
    }
    model::GivenMotion operator()(const TurningMotion& m) const {
        return model::Turning{.centre = m.position, .rate = m.rate * unit(m.axis), .attitude = rotation(m.attitude)};
    }
    model::GivenMotion operator()(const CourseMotion& m) const {
        model::Course course;
        for (const CoursePoint& point : m.points) {
            course.times.push_back(point.time);
            course.positions.push_back(point.position);
        }
        return course;
    }
};

}  // namespace

model::GivenMotion given_motion(const Motion& motion) { return std::visit(Given{}, motion.is); }

}  // namespace asperity::scenario
