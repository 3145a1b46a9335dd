// The CPU baseline x86-64-v3 (AVX2, FMA, BMI2, ...: Intel from 2013, AMD from 2015), checked at start so that an older machine
// gets a sentence instead of "illegal instruction".
#pragma once
#include <string>
#include <vector>

namespace asperity {

// Instruction sets of the baseline that this CPU lacks, named as in /proc/cpuinfo; empty if it can run the program.
std::vector<std::string> missing_cpu_features();

// The message for the user; empty if nothing is missing.
std::string cpu_complaint(const std::vector<std::string>& missing);

}  // namespace asperity
