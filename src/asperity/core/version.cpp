#include "asperity/core/version.h"

#include "asperity_version.h"

namespace asperity {

const char* version() { return ASPERITY_VERSION; }
const char* commit() { return ASPERITY_COMMIT; }
const char* build_flags() { return ASPERITY_BUILD_FLAGS; }

}  // namespace asperity
