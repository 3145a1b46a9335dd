// Method event-driven: smooth motion by a Runge-Kutta method with dense output, every contact event located to rounding.
//
// Carries one ball on a fixed triangle surface under gravity. Refuses everything else, and says why (carries()).
// The core (run.h, flight.h, single.h, several.h, impacts.h, completion.h, first_contact.h) is header-only and fixed-size, without
// allocation or exception, so that a GPU thread can run a trajectory with the same code.
#pragma once
#include <memory>
#include <string>

#include "asperity/dynamics/method.h"

namespace asperity::dynamics::event_driven {

inline constexpr const char* method_name = "event-driven";
inline constexpr const char* method_text =
    "smooth motion by dopri5 or rk4 with dense output; impacts, slips, stops and releases located to rounding";

// Empty where the method can run this phase of the model; else what it refuses and why.
std::string carries(const model::Model& model, const model::Phase& phase);

std::unique_ptr<Method> make(const model::Model& model, const model::Phase& phase);
std::unique_ptr<Method> make_for_small_body(const model::Model& model, const model::Phase& phase);  // small_body.cpp

}  // namespace asperity::dynamics::event_driven
