// Named signals on the page of a run: a curve over time for each.
#pragma once
#include <string>

#include "asperity/record/record.h"

namespace asperity::report {

std::string signals_html(const record::Record& record);

}  // namespace asperity::report
