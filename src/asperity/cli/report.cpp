#include "asperity/report/report.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "asperity/cli/verbs.h"
#include "asperity/core/errors.h"

namespace asperity::cli {
namespace {

namespace fs = std::filesystem;

// The record itself may be given for its folder.
std::filesystem::path folder_of(const std::filesystem::path& given) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(given, error)) return given;
    if (given.filename() == "record.h5") return given.has_parent_path() ? given.parent_path() : std::filesystem::path(".");
    throw InputError(fmt::format("{} is a file", given.string()), "give the folder of a run, which holds record.h5");
}

// The program that is found in PATH, and may be run.
fs::path found(const char* name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((fs::path(folder) / name).c_str(), X_OK) == 0) return fs::path(folder) / name;
    return {};
}

// A picture of a page, by a browser without a window.
void draw(const fs::path& browser, const std::string& address, const fs::path& picture) {
    std::vector<std::string> words{browser.string(),
                                   "--headless",
                                   "--disable-gpu",
                                   "--enable-unsafe-swiftshader",
                                   "--hide-scrollbars",
                                   "--no-first-run",
                                   "--window-size=1280,720",
                                   "--virtual-time-budget=1500",
                                   fmt::format("--screenshot={}", fs::absolute(picture).string()),
                                   address};
    if (geteuid() == 0) words.insert(words.begin() + 1, "--no-sandbox");  // which it refuses to be without, as root
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (const int stream : {1, 2}) posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    int status = posix_spawn(&child, browser.c_str(), &quiet, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&quiet);
    if (status == 0) waitpid(child, &status, 0);
    if (status != 0 || !fs::exists(picture)) throw RuntimeError(fmt::format("{} did not draw {}", browser.string(), picture.string()));
}

// The picture of the page at equal steps of time; the page shows nothing else where its address says so (report/page/motion.js).
void write_frames(const fs::path& page, const fs::path& out, int count) {
    const fs::path browser = found("chromium");
    if (browser.empty()) throw RuntimeError("there is no chromium here, which draws the frames (Debian package chromium)");
    fs::create_directories(out);
    for (int k = 0; k < count; ++k)
        draw(browser, fmt::format("file://{}#frame={:.9g}", fs::absolute(page).string(), count > 1 ? k / (count - 1.0) : 1.0),
             out / fmt::format("frame-{:04}.png", k));
}

}  // namespace

void add_report(CLI::App& app, Action& chosen) {
    auto folder = std::make_shared<std::string>(), frames = std::make_shared<std::string>();
    auto count = std::make_shared<int>(60);
    CLI::App* verb = app.add_subcommand("report", "Write DIR/report.html again, from DIR/record.h5");
    verb->add_option("DIR", *folder, "Folder of a run")->required();
    verb->add_option("--frames", *frames, "Also write the picture at equal steps of time as PNG files into this folder (needs chromium)");
    verb->add_option("--count", *count, "How many frames (60)")->check(CLI::Range(1, 100000));
    verb->callback([folder, frames, count, &chosen] {
        chosen = [folder, frames, count] {
            const fs::path page = report::write_report(folder_of(*folder));
            fmt::print("wrote {}\n", page.string());
            if (!frames->empty()) {
                write_frames(page, *frames, *count);
                fmt::print("wrote {} frames into {}\n", *count, *frames);
            }
            return exit_done;
        };
    });
}

}  // namespace asperity::cli
