// What the tests of the scenario layer share.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/scenario/read.h"

namespace asperity::scenario {

// Lines 1 to 15: a complete scenario; whatever a test appends begins on line 16.
inline const std::string minimal = R"(gravity.uniform = ["0 m/s^2", "0 m/s^2", "-1e-4 m/s^2"]
[body.ground]
shape = { surface = "plain" }
fixed = true
[body.lander]
shape = { sphere = "5 cm" }
mass = "1 kg"
[body.lander.start]
position = ["0 m", "0 m", "20 m"]
velocity = ["1 cm/s", "0 m/s", "0 m/s"]
[end]
time = "1 h"
[contact."lander/ground"]
rolling_resistance = 0.04
friction = 0.6
)";

inline const std::string complete = minimal + "restitution = 0.5\n";

// The text with its first `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) ADD_FAILURE() << "no `" << from << "` in the scenario";
    return text.replace(at, from.size(), to);
}

// What the user would see; empty where the text is accepted.
inline std::string errors_of(const std::string& text, const ReadOptions& options = {}) {
    try {
        read_scenario_text(text, "a.toml", options);
        return {};
    } catch (const InputError& error) {
        EXPECT_FALSE(error.problems.empty());
        return error.what();
    }
}

// The same without the closing count, for files with one error.
inline std::string one_error_of(const std::string& text, const ReadOptions& options = {}) {
    const std::string all = errors_of(text, options);
    const std::string end = "\n\n1 error. Nothing was run.";
    EXPECT_TRUE(all.ends_with(end)) << all;
    return all.substr(0, all.size() - std::min(end.size(), all.size()));
}

// The first lines of a message, for those whose tail is a long list.
inline std::string first_lines(const std::string& text, int count) {
    std::size_t end = 0;
    for (int i = 0; i < count && end != std::string::npos; ++i) end = text.find('\n', end == 0 ? 0 : end + 1);
    return text.substr(0, end);
}

// A folder for the files of one test, removed with it.
class Folder {
public:
    Folder()
        : path_(std::filesystem::path(::testing::TempDir()) /
                ("asperity_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string write(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = path_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }
    std::string path(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace asperity::scenario
