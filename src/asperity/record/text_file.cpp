#include "asperity/record/text_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "asperity/core/errors.h"

namespace asperity::record {

std::string read_text_file(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) throw InputError(fmt::format("no file at {}", path.string()));
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file.is_open() && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
    if (!file.is_open() || file.bad() || text.fail())
        throw InputError(fmt::format("cannot read {}: {}", path.string(), errno != 0 ? std::strerror(errno) : "it is not a file"));
    return std::move(text).str();
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
    std::error_code error;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
    if (error) throw RuntimeError(fmt::format("cannot make the folder {}: {}", path.parent_path().string(), error.message()));
    // the process id keeps two processes that write the same file out of each other's way; the last one wins
    std::filesystem::path temporary = path;
    temporary += fmt::format(".{}.tmp", ::getpid());
    errno = 0;
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (file.fail()) {
        const std::string reason = errno != 0 ? std::strerror(errno) : "writing failed";
        std::filesystem::remove(temporary, error);
        throw RuntimeError(fmt::format("cannot write {}: {}", path.string(), reason));
    }
    std::filesystem::rename(temporary, path, error);
    if (error) {
        const std::string reason = error.message();
        std::filesystem::remove(temporary, error);
        throw RuntimeError(fmt::format("cannot write {}: {}", path.string(), reason));
    }
}

}  // namespace asperity::record
