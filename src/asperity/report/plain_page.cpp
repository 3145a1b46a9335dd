#include "asperity/report/plain_page.h"

#include <fmt/format.h>

#include "asperity/report/embedded.h"
#include "asperity/report/html.h"

namespace asperity::report {

std::string plain_page_html(const PlainPage& page) {
    std::string facts;
    for (const std::string& fact : page.facts) facts += fmt::format("<p class=\"note\">{}</p>\n", escaped(fact));
    return fmt::format(
        page_html, fmt::arg("title", escaped(page.title)), fmt::arg("css", std::string(campaign_css) + page.style),
        fmt::arg("outcome", page.description.empty() ? "" : fmt::format("<p class=\"outcome\">{}</p>", escaped(page.description))),
        fmt::arg("facts", facts), fmt::arg("body", page.body), fmt::arg("data", "{\"command\":\"\",\"maps\":[]}"), fmt::arg("viewer", ""),
        fmt::arg("script", campaign_script));
}

}  // namespace asperity::report
