// A number as printed, digit for digit.
#pragma once
#include <string>

namespace asperity::study {

struct Printed {
    std::string text;
    long double value = 0;
};

}  // namespace asperity::study
