// Groups of many bodies on the page of a run: the last frame from the side and from above, and the history of their energies.
#pragma once
#include <string>

#include "asperity/record/record.h"

namespace asperity::report {

std::string groups_html(const record::Record& record);

}  // namespace asperity::report
