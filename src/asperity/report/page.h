// Every page of the program is built here: one HTML file that needs nothing else. What is on it follows from what is put in: the question,
// warnings, the answer in words, sections, and at its end how it was made. A section is HTML, with figures as data (figure.h).
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asperity::report {

extern const std::string_view page_script;  // of all pages; made at build time of page/ and viewer/

struct Page {
    std::string title = {}, description = {};
    std::string version = {};  // of the program that computed it; empty: this one
    std::string answer = {};   // HTML
    std::vector<std::string> warnings = {};
    std::string body = {};                                        // HTML
    std::string data = "null";                                    // JSON for the picture in three dimensions
    std::string source_name = {}, source = {};                    // "Scenario as run", and its text
    std::vector<std::pair<std::string, std::string>> facts = {};  // how it was made; of those without text nothing is said
};

std::string page_text(const Page& page);

// Sentences, a paragraph each.
std::string facts_html(const std::vector<std::string>& facts);

// A table of texts; in the columns from `numbers` on they are numbers.
std::string table_html(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& lines, std::size_t numbers);

}  // namespace asperity::report
