#include "asperity/assets/points_file.h"

#include <gtest/gtest.h>

#include "asperity/core/errors.h"

namespace asperity::assets::test::points_file_test {
namespace {

TEST(PointsFile, ReadsCommasBlanksCommentsAndAHeader) {
    const std::vector<Vec3> points = parse_points("# of a lander\nx,y,z,name\n\n1,2,3,here\r\n-4.5e1  +5\t.5\n", "a.csv");
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(points[1], (Vec3{-45, 5, 0.5}));
}

std::vector<Problem> problems_of(std::string_view text) {
    try {
        parse_points(text, "p.csv");
    } catch (const InputError& error) {
        return error.problems;
    }
    return {};
}

TEST(PointsFile, NamesEveryLineThatIsWrong) {
    const std::vector<Problem> problems = problems_of("x,y,z\n1,2\n1,2,3\n1,two,3\n7\n1,inf,2\n");
    ASSERT_EQ(problems.size(), 4U);
    EXPECT_EQ(problems[0].what, "two columns where a point has three coordinates");
    EXPECT_EQ(problems[0].line, 2);
    EXPECT_EQ(problems[0].file, "p.csv");
    EXPECT_EQ(problems[0].hint, "a line has x, y, z in metres: 12.5, -3, 0.25");
    EXPECT_EQ(problems[1].what, "`two` is not a finite number");
    EXPECT_EQ(problems[1].line, 4);
    EXPECT_EQ(problems[1].column, 3);
    EXPECT_EQ(problems[2].what, "one column where a point has three coordinates");
    EXPECT_EQ(problems[3].what, "`inf` is not a finite number");
}

TEST(PointsFile, AHeaderStandsInTheFirstLineAlone) {
    const std::vector<Problem> problems = problems_of("1,2,3\nx,y,z\n");
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].line, 2);
}

TEST(PointsFile, NoPointIsAnError) {
    for (const char* text : {"", "\n\n", "x,y,z\n", "# nothing\n"}) {
        const std::vector<Problem> problems = problems_of(text);
        ASSERT_EQ(problems.size(), 1U) << text;
        EXPECT_EQ(problems[0].what, "there is no point in it");
    }
    EXPECT_THROW(read_points("/nowhere/points.csv"), InputError);
}

}  // namespace
}  // namespace asperity::assets::test::points_file_test
