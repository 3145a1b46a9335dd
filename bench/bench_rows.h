// What the benchmarks share: processor time, and rows for scripts beside the text for people.
#pragma once
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "asperity/core/hash.h"
#include "asperity/core/tell.h"

namespace asperity::bench {

// Of this thread, in s: on a shared machine the others' share does not count.
inline double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline std::string short_text(const Hash128& hash) { return hex_text(hash).substr(0, 12); }

// The words of the command line, without `--rows FILE`: a line for each row goes to that file, for tools/compare_builds.py.
//     scene <tab> row <tab> seconds <tab> error <tab> hash
class Rows {
public:
    std::vector<std::string> words;

    Rows(int count, char** arguments) : words(arguments + 1, arguments + count) {
        const auto option = std::find(words.begin(), words.end(), "--rows");
        if (option == words.end()) return;
        if (option + 1 == words.end()) refuse("--rows needs a file");
        file_.open(option[1]);
        if (!file_) refuse(fmt::format("cannot write {}", option[1]));
        words.erase(option, option + 2);
    }

    void add(std::string_view scene, std::string_view row, double seconds, double error, const Hash128& hash) {
        if (file_.is_open()) file_ << fmt::format("{}\t{}\t{}\t{}\t{}\n", scene, row, seconds, error, short_text(hash)) << std::flush;
    }

    [[noreturn]] static void refuse(std::string_view what) {
        tell("error: {}\n", what);
        std::exit(2);
    }

private:
    std::ofstream file_;
};

// Of a family. Scenes are read from the tree in which the benchmark is started: two builds can be measured on the scenes of each.
inline std::string scenario_folder(const std::string& family) {
    const std::string folder = "scenarios/" + family + "/";
    if (!std::filesystem::is_directory(folder))
        Rows::refuse(fmt::format("there is no {} here: start this in the root of the project", folder));
    return folder;
}

}  // namespace asperity::bench
