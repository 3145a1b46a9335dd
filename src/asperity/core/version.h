// The version of the program and the commit that it was built from ("unknown" outside a git checkout).
#pragma once

namespace asperity {

const char* version();      // "0.1.0"
const char* commit();       // "1a2b3c4d5e6f", "-dirty" after it where the tree had changes
const char* build_flags();  // of the compiler

}  // namespace asperity
