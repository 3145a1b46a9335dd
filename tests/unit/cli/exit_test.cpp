// Which failure ends in which exit code, and what it says. Codes 1 and 3 are results of a run: tests/cli sees them from outside.
#include "asperity/cli/exit.h"

#include <gtest/gtest.h>

#include <new>
#include <system_error>

#include "asperity/core/errors.h"

namespace asperity::cli::exit_test {
namespace {

struct Told {
    int code = 0;
    std::string text;
};

Told told(const Action& action) {
    testing::internal::CaptureStderr();
    const int code = exit_code_of(action);
    return {code, testing::internal::GetCapturedStderr()};
}

TEST(Exit, an_action_says_its_code) {
    for (const int code : {0, 1, 3}) {
        const Told got = told([code] { return code; });
        EXPECT_EQ(got.code, code);
        EXPECT_EQ(got.text, "");
    }
}

TEST(Exit, input_is_2) {
    const Told got = told([]() -> int { throw InputError("no such thing", "try another"); });
    EXPECT_EQ(got.code, 2);
    EXPECT_EQ(got.text, "error: no such thing\n  try another\n\n1 error. Nothing was run.\n");
}

TEST(Exit, the_machine_is_4) {
    const Told disk = told([]() -> int { throw RuntimeError("the disk is full"); });
    EXPECT_EQ(disk.code, 4);
    EXPECT_EQ(disk.text, "error: the disk is full\n");
    const Told memory = told([]() -> int { throw std::bad_alloc(); });
    EXPECT_EQ(memory.code, 4);
    EXPECT_EQ(memory.text, "error: the machine has no memory left for this\n");
    const Told system = told([]() -> int { throw std::system_error(std::make_error_code(std::errc::no_space_on_device), "out"); });
    EXPECT_EQ(system.code, 4);
    EXPECT_EQ(system.text, "error: out: No space left on device\n");
}

TEST(Exit, our_bug_is_70) {
    const Told broken = told([]() -> int {
        ASPERITY_REQUIRE(1 + 1 == 3, "it is {}", 2);
        return 0;
    });
    EXPECT_EQ(broken.code, 70);
    EXPECT_TRUE(broken.text.starts_with("error: this is a bug of asperity ")) << broken.text;
    EXPECT_NE(broken.text.find("1 + 1 == 3: it is 2\n"), std::string::npos) << broken.text;
    EXPECT_EQ(told([]() -> int { throw std::out_of_range("vector"); }).code, 70);
}

}  // namespace
}  // namespace asperity::cli::exit_test
