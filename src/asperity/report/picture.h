// A still picture of the trajectory, from the side and from above: what the page shows before its script runs, or without it.
#pragma once
#include <string>

#include "asperity/record/record.h"

namespace asperity::report {

// An <svg> element; empty where the record has no samples.
std::string static_picture(const record::Record& record);

}  // namespace asperity::report
