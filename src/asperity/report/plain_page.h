// A page without data for scripts: title, facts, and finished sections.
#pragma once
#include <string>
#include <vector>

namespace asperity::report {

struct PlainPage {
    std::string title, description;
    std::vector<std::string> facts;
    std::string style;  // CSS, after that of studies
    std::string body;   // HTML
};
std::string plain_page_html(const PlainPage& page);

}  // namespace asperity::report
