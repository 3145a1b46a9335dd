// The event-driven method under the gravity of asteroids; a file of its own, since it takes as long to compile as the rest.
#include "asperity/dynamics/event_driven/event_driven.h"
#include "asperity/dynamics/event_driven/event_driven_of.h"

namespace asperity::event_driven {

std::unique_ptr<Method> make_for_small_body(const model::Model& model, const model::Phase& phase) {
    return std::make_unique<EventDriven<gravity::SmallBody>>(model, phase);
}

}  // namespace asperity::event_driven
