#include "asperity/core/tell.h"

#include <cstdio>

namespace asperity {

void tell_text(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace asperity
