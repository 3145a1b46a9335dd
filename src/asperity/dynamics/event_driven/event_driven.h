// Method event-driven: smooth motion by a Runge-Kutta method with dense output, and event location to rounding for every change of contact.
// It carries one ball on a fixed triangle surface under gravity, and refuses everything else with the reason (carries()).
// The core (run.h, flight.h, single.h, several.h, impacts.h, completion.h, first_contact.h) is header-only and fixed-size, without
// allocation or exception, so that a GPU thread can run a trajectory with the same code.
#pragma once
#include <memory>
#include <string>

#include "asperity/dynamics/guard_watch.h"
#include "asperity/dynamics/method.h"

namespace asperity::event_driven {

using dynamics::Advance;
using dynamics::GuardWatch;
using dynamics::Method;
using dynamics::Stop;

extern const dynamics::MethodEntry method;

std::unique_ptr<Method> make_for_small_body(const model::Model& model, const model::Phase& phase);  // small_body.cpp

}  // namespace asperity::event_driven
