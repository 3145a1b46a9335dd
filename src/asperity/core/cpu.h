// The CPU baseline x86-64-v3 (AVX2, FMA, BMI2, ...: Intel from 2013, AMD from 2015), checked at start so that an older machine
// gets a sentence instead of "illegal instruction".
#pragma once
#include <string>
#include <vector>

namespace asperity {

// Parts of the baseline that this CPU lacks, by the names of /proc/cpuinfo; empty where it can run the program.
std::vector<std::string> missing_cpu_features();

// What to tell the user; empty where nothing is missing.
std::string cpu_complaint(const std::vector<std::string>& missing);

}  // namespace asperity
