#include "asperity/core/cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "asperity/core/version.h"

namespace asperity::cpu_test {
namespace {

// The kernel's own list is the second opinion. (All machines that can run this test binary have them all.)
TEST(Cpu, missing_features_agree_with_the_kernel) {
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string line;
    while (std::getline(cpuinfo, line) && !line.starts_with("flags")) {
    }
    if (!line.starts_with("flags")) GTEST_SKIP() << "/proc/cpuinfo shows no flags here";
    std::istringstream words(line);
    const std::vector<std::string> flags{std::istream_iterator<std::string>(words), {}};
    const auto missing = missing_cpu_features();
    for (const char* name : {"avx2", "fma", "bmi1", "bmi2"}) {
        const bool kernel_has = std::find(flags.begin(), flags.end(), name) != flags.end();
        const bool we_miss = std::find(missing.begin(), missing.end(), name) != missing.end();
        EXPECT_NE(kernel_has, we_miss) << name;
    }
}

TEST(Cpu, complaint_names_what_is_missing_and_a_way_out) {
    EXPECT_EQ(cpu_complaint({}), "");
    EXPECT_EQ(cpu_complaint({"avx2", "fma"}),
              "error: this CPU lacks avx2, fma\n"
              "  Asperity is built for x86-64-v3 (Intel from 2013, AMD from 2015), so that every machine computes the same bits.\n"
              "  Use a newer machine, or a virtual machine that passes these features through.\n");
}

TEST(Version, is_three_numbers_and_the_commit_is_known_or_says_so) {
    EXPECT_STREQ(version(), "0.1.0");
    EXPECT_GE(std::string(commit()).size(), 7U);
}

}  // namespace
}  // namespace asperity::cpu_test
