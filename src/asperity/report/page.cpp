#include "asperity/report/page.h"

#include <fmt/format.h>

#include "asperity/core/version.h"
#include "asperity/report/embedded.h"
#include "asperity/report/html.h"

namespace asperity::report {
namespace {

std::string warnings_html(const std::vector<std::string>& warnings) {
    if (warnings.empty()) return {};
    std::string out =
        fmt::format("<section class=\"warnings\"><h2>{} warning{}</h2><ul>\n", warnings.size(), warnings.size() > 1 ? "s" : "");
    for (const std::string& warning : warnings) out += fmt::format("<li>{}</li>\n", escaped(warning));
    return out + "</ul></section>\n";
}

std::string made_html(const Page& page) {
    std::string out;
    for (const auto& [term, text] : page.facts)
        if (!text.empty()) out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", escaped(term), escaped(text));
    return out.empty() ? "" : "<section><h2>How it was made</h2><dl class=\"facts\">" + out + "</dl></section>\n";
}

}  // namespace

std::string page_text(const Page& page) {
    std::string body = warnings_html(page.warnings) + page.body;
    if (!page.source.empty())
        body += fmt::format("<section><h2>{}</h2><pre class=\"scenario\">{}</pre></section>\n", page.source_name, escaped(page.source));
    const std::string version = page.version.empty() ? fmt::format("{} ({})", asperity::version(), commit()) : page.version;
    return fmt::format(
        page_html, fmt::arg("title", escaped(page.title)), fmt::arg("version", escaped(version)), fmt::arg("css", page_css),
        fmt::arg("description", page.description.empty() ? "" : fmt::format("<p class=\"question\">{}</p>\n", escaped(page.description))),
        fmt::arg("answer", page.answer), fmt::arg("body", body + made_html(page)), fmt::arg("data", page.data),
        fmt::arg("script", page_script));
}

std::string facts_html(const std::vector<std::string>& facts) {
    std::string out;
    for (const std::string& fact : facts) out += fmt::format("<p class=\"outcome\">{}</p>\n", escaped(fact));
    return out;
}

std::string table_html(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& lines, std::size_t numbers) {
    const auto row = [&](const char* tag, const std::vector<std::string>& cells) {
        std::string out = "<tr>";
        for (std::size_t k = 0; k < cells.size(); ++k)
            out += fmt::format("<{0}{1}>{2}</{0}>", tag, k >= numbers ? " class=\"number\"" : "", escaped(cells[k]));
        return out + "</tr>\n";
    };
    std::string out = "<div class=\"scroll\"><table><thead>" + row("th", heads) + "</thead><tbody>\n";
    for (const auto& line : lines) out += row("td", line);
    return out + "</tbody></table></div>";
}

}  // namespace asperity::report
