// The same for tests that build and run worlds.
#pragma once
#include <nlohmann/json.hpp>

#include "asperity/scenario/compile.h"
#include "precompiled.h"
