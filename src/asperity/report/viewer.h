// The script that draws in three dimensions (viewer/): a global `viewer`. Made at build time.
#pragma once
#include <string>
#include <string_view>

namespace asperity::report {

extern const std::string_view viewer_script;

// The script as an element; nothing for pages without a picture to turn.
inline std::string viewer_html(bool is_wanted) { return is_wanted ? "<script>\n" + std::string(viewer_script) + "</script>\n" : ""; }

}  // namespace asperity::report
