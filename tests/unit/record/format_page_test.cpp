// docs/format.md against the code: every column in its tables is one that the code writes, with that unit and those words, and none is
// missing. The test prints what the page should say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asperity/record/columns.h"
#include "asperity/record/record.h"
#include "asperity/record/text_file.h"

namespace asperity::record::format_page_test {
namespace {

std::string type_of(const Column& column) {
    const char* kinds[] = {"number", "integer", "text"};
    const char* kind = kinds[column.values.index()];
    return column.width > 1 ? fmt::format("{} x {}", kind, column.width) : kind;
}

std::string page_table(const std::vector<Column>& columns) {
    std::string text = "| column | type | unit | meaning |\n|---|---|---|---|\n";
    for (const Column& column : columns)
        text += fmt::format("| `{}` | {} | {} | {} |\n", column.name, type_of(column), column.unit, column.description);
    return text;
}

// The part of the page below the heading, up to the next one.
std::string section(const std::string& page, const std::string& heading) {
    const std::size_t start = page.find("\n## " + heading + "\n");
    if (start == std::string::npos) return "no such heading";
    return page.substr(start, page.find("\n## ", start + 1) - start) + "\n";
}

void expect_on_page(const std::string& heading, const std::string& table) {
    const std::string page = read_text_file(std::filesystem::path(ASPERITY_SOURCE_DIR) / "docs" / "format.md");
    EXPECT_NE(section(page, heading).find("\n" + table + "\n"), std::string::npos) << "under " << heading << " the page should have\n"
                                                                                   << table;
}

TEST(FormatPage, ListsTheColumnsOfBodies) { expect_on_page("/bodies", page_table(columns_of(std::vector<BodyRow>{}))); }

TEST(FormatPage, ListsTheColumnsOfShapesGivenPlacesAndCables) {
    expect_on_page("/shapes", page_table(columns_of(std::vector<ShapeRow>{})));
    expect_on_page("/given", page_table(columns_of(std::vector<GivenRow>{})));
    expect_on_page("/cables", page_table(columns_of(std::vector<CableRow>{})));
}

TEST(FormatPage, ListsTheColumnsOfSamples) { expect_on_page("/samples", page_table(columns_of(std::vector<model::Sample>{}))); }

TEST(FormatPage, ListsTheColumnsOfGroups) { expect_on_page("/groups", page_table(columns_of(std::vector<GroupSample>{}))); }

TEST(FormatPage, ListsTheColumnsOfEvents) { expect_on_page("/events", page_table(columns_of(std::vector<model::Event>{}))); }

TEST(FormatPage, ListsTheBlocksOfCheckpoints) {
    for (const Table& block : tables_of(model::State{})) {
        std::vector<Column> columns = block.columns;
        for (Column& column : columns) column.name = block.name + "/" + column.name;
        std::string rows = page_table(columns);
        rows.erase(0, rows.find("| `"));  // one heading for all blocks
        expect_on_page("/checkpoints", rows.substr(0, rows.size() - 1));
    }
}

TEST(FormatPage, NamesTheFormat) {
    const std::string page = read_text_file(std::filesystem::path(ASPERITY_SOURCE_DIR) / "docs" / "format.md");
    EXPECT_NE(page.find(fmt::format("Format {}.", format_version)), std::string::npos);
}

}  // namespace
}  // namespace asperity::record::format_page_test
