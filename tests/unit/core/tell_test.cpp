#include "asperity/core/tell.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace asperity::tell_test {
namespace {

// Runs with the standard error stream on another descriptor, then puts it back.
template <class Action>
void with_standard_error(int descriptor, const Action& action) {
    const int kept = ::dup(STDERR_FILENO);
    if (descriptor >= 0)
        ::dup2(descriptor, STDERR_FILENO);
    else
        ::close(STDERR_FILENO);
    action();
    ::dup2(kept, STDERR_FILENO);
    ::close(kept);
}

TEST(Tell, WritesTheText) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    with_standard_error(ends[1], [] { tell("{} of {}\n", 3, "four"); });
    char text[32] = {};
    EXPECT_EQ(::read(ends[0], text, sizeof text - 1), 10);
    EXPECT_EQ(std::string(text), "3 of four\n");
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Tell, AStreamThatCannotBeWrittenIsNoError) {
    const int full = ::open("/dev/full", O_WRONLY);
    const int read_only = ::open("/dev/null", O_RDONLY);
    ASSERT_GE(full, 0);
    for (const int descriptor : {full, read_only, -1}) EXPECT_NO_THROW(with_standard_error(descriptor, [] { tell("lost {}\n", 1); }));
    ::close(full);
    ::close(read_only);
    with_standard_error(::dup(STDERR_FILENO), [] { tell("{}", ""); });  // and the stream works again
}

}  // namespace
}  // namespace asperity::tell_test
