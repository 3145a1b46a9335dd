#include "asperity/record/paraview.h"

#include <gtest/gtest.h>

#include <sstream>

#include "asperity/record/text_file.h"
#include "unit/record/bouncing_ball.h"

namespace asperity::record::paraview_test {
namespace {

// The numbers of the data array of that name.
std::vector<double> numbers(const std::string& text, const std::string& name) {
    const std::size_t tag = text.find("Name=\"" + name + "\"");
    if (tag == std::string::npos) return {};
    const std::size_t begin = text.find('>', tag) + 1;
    std::istringstream in(text.substr(begin, text.find("</DataArray>", begin) - begin));
    std::vector<double> values;
    for (double value = 0; in >> value;) values.push_back(value);
    return values;
}

// Every tag that opens is closed, in order.
bool is_well_formed(const std::string& text) {
    std::vector<std::string> open;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
        if (text[at + 1] == '?') continue;
        const bool closes = text[at + 1] == '/';
        const std::size_t begin = at + (closes ? 2 : 1);
        const std::string name = text.substr(begin, text.find_first_of(" >", begin) - begin);
        if (!closes) {
            open.push_back(name);
        } else if (open.empty() || open.back() != name) {
            return false;
        } else {
            open.pop_back();
        }
    }
    return open.empty();
}

TEST(Paraview, FilesHoldEveryPointExactly) {
    const auto folder = test::fresh_folder("paraview");
    const Record record = test::bouncing_record(1);
    write_paraview(record, folder / "vtk");
    const std::string trajectory = read_text_file(folder / "vtk" / "trajectory.vtp");
    const auto points = numbers(trajectory, "Points");
    const auto speed = numbers(trajectory, "speed");
    ASSERT_EQ(points.size(), 3 * record.samples.size());
    ASSERT_EQ(speed.size(), record.samples.size());
    for (std::size_t i = 0; i < record.samples.size(); ++i) {
        EXPECT_EQ(points[3 * i + 2], record.samples[i].position.z);
        EXPECT_EQ(speed[i], norm(record.samples[i].velocity));
    }
    EXPECT_EQ(numbers(trajectory, "connectivity").size(), record.samples.size());
    EXPECT_EQ(numbers(trajectory, "offsets"), std::vector<double>{static_cast<double>(record.samples.size())});
    const std::string surface = read_text_file(folder / "vtk" / "surface.vtp");
    EXPECT_EQ(numbers(surface, "connectivity").size(), 3 * record.surface.facets.size());
    EXPECT_EQ(numbers(surface, "offsets").back(), 3.0 * static_cast<double>(record.surface.facets.size()));
    const std::string events = read_text_file(folder / "vtk" / "events.vtp");
    EXPECT_EQ(numbers(events, "kind").size(), record.events.size());
    EXPECT_TRUE(is_well_formed(trajectory) && is_well_formed(surface) && is_well_formed(events));
}

TEST(Paraview, EachBodyHasItsOwnLine) {
    const auto folder = test::fresh_folder("paraview_bodies");
    Record record;
    for (const std::int64_t body : {0, 1, 0, 1, 1}) record.samples.push_back({.time = 1, .body = body});
    write_paraview(record, folder);
    const std::string text = read_text_file(folder / "trajectory.vtp");
    EXPECT_EQ(numbers(text, "connectivity"), (std::vector<double>{0, 2, 1, 3, 4}));
    EXPECT_EQ(numbers(text, "offsets"), (std::vector<double>{2, 5}));
}

TEST(Paraview, AnEmptyRecordWritesNothing) {
    const auto folder = test::fresh_folder("paraview_empty");
    write_paraview({}, folder);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

}  // namespace
}  // namespace asperity::record::paraview_test
