// What the tests of files need: folders of their own, bytes, children that may be refused, killed, or short of space.
#pragma once
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "asperity/core/errors.h"

namespace asperity::test {

inline std::filesystem::path fresh_study_folder(const std::string& name) {
    const auto folder = std::filesystem::path(ASPERITY_BINARY_DIR) / "test_output" / "study" / name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.is_open()) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void put_bytes(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::remove(path);  // to overwrite makes some file systems wait for the disk
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

// What the call throws: "input: ..." with the hint after a bar, "runtime: ...".
inline std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const InputError& error) {
        const Problem& problem = error.problems.front();
        return "input: " + problem.what + (problem.hint.empty() ? "" : " | " + problem.hint);
    } catch (const RuntimeError& error) {
        return std::string("runtime: ") + error.what();
    }
    return "no error";
}

// What the function returns in a process of its own; "died" where it did not come to that.
inline std::string in_child(const std::function<std::string()>& call) {
    int ends[2];
    if (::pipe(ends) != 0) return "no pipe";
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        const std::string text = call() + "\n";
        _exit(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    std::string text;
    char part[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && !text.empty() ? text.substr(0, text.size() - 1) : "died";
}

// From here on the process cannot make a file longer than that.
inline void limit_file_size(std::uint64_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

// Puts a file system with that much room on the folder, for this process alone. False where the machine does not allow it.
inline bool mount_small_disk(const std::filesystem::path& folder, std::uint64_t bytes) {
    const int spaces = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS;
    if (::unshare(spaces) != 0) return false;
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
    return ::mount("tmpfs", folder.c_str(), "tmpfs", 0, ("size=" + std::to_string(bytes)).c_str()) == 0;
}

// Memory that the process has needed at most so far, in bytes.
inline std::int64_t most_memory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{1024} * usage.ru_maxrss;
}

inline std::string random_row(std::mt19937_64& random, std::size_t size) {
    std::string row(size, '\0');
    for (char& byte : row) byte = static_cast<char>(random());
    return row;
}

// Runs in the order in which a campaign finishes them: neighbours in any order, and every thousandth long after the others.
inline std::vector<std::uint64_t> order_of_completion(std::uint64_t count, std::uint64_t seed) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> finish;
    std::mt19937_64 random(seed);
    for (std::uint64_t run = 0; run < count; ++run) finish.emplace_back(run + random() % 64 + (run % 1000 == 7 ? 20000 : 0), run);
    std::sort(finish.begin(), finish.end());
    std::vector<std::uint64_t> runs;
    for (const auto& [time, run] : finish) runs.push_back(run);
    return runs;
}

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool has_own_allocator = true;
#else
inline constexpr bool has_own_allocator = false;
#endif

}  // namespace asperity::test
