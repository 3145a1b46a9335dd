// Messages to the user on the standard error stream: progress, warnings and errors.
//
// Nobody may be watching: the stream can be closed, on a full disk, or a pipe whose reader is gone. A message that cannot be written is
// dropped, so that it never ends a run; fmt::print(stderr, ...) was rejected because it throws there.
#pragma once
#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace asperity {

void tell_text(std::string_view text) noexcept;

template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
    tell_text(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace asperity
