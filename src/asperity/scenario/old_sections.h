// Migration of old scenario files: sections from before bodies, materials and gravity were written the same way for all worlds.
#pragma once
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/scenario/document.h"

namespace asperity::scenario {

// One problem per old section, which shows its new form with the values of the file; none where the document has no such section.
std::vector<Problem> old_sections(const Document& document);

}  // namespace asperity::scenario
