// Compiled for plain x86-64 (src/CMakeLists.txt), and without fmt: this code runs on the machines that it complains about.
#include "asperity/core/cpu.h"

namespace asperity {

std::vector<std::string> missing_cpu_features() {
    std::vector<std::string> missing;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) missing.emplace_back("avx2");
    if (!__builtin_cpu_supports("fma")) missing.emplace_back("fma");
    if (!__builtin_cpu_supports("bmi")) missing.emplace_back("bmi1");
    if (!__builtin_cpu_supports("bmi2")) missing.emplace_back("bmi2");
    return missing;
}

std::string cpu_complaint(const std::vector<std::string>& missing) {
    if (missing.empty()) return {};
    std::string text = "error: this CPU lacks";
    for (std::size_t i = 0; i < missing.size(); ++i) text += (i > 0 ? ", " : " ") + missing[i];
    text +=
        "\n  Asperity is built for x86-64-v3 (Intel from 2013, AMD from 2015), so that every machine computes the same bits."
        "\n  Use a newer machine, or a virtual machine that passes these features through.\n";
    return text;
}

}  // namespace asperity
