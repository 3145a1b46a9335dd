#include "asperity/cli/exit.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

#include "asperity/core/errors.h"
#include "asperity/core/tell.h"
#include "asperity/core/version.h"

namespace asperity::cli {

int exit_code_of(const Action& action) {
    try {
        const int code = action();
        if (std::fflush(stdout) != 0) throw RuntimeError(fmt::format("cannot write to the standard output: {}", std::strerror(errno)));
        return code;
    } catch (const InputError& error) {
        tell("{}\n", error.what());
        return exit_input;
    } catch (const RuntimeError& error) {
        tell("error: {}\n", error.what());
        return exit_environment;
    } catch (const std::bad_alloc&) {
        tell("error: the machine has no memory left for this\n");
        return exit_environment;
    } catch (const std::system_error& error) {  // a stream, a file, a thread that the system refused
        tell("error: {}\n", error.what());
        return exit_environment;
    } catch (const std::exception& error) {
        tell("error: this is a bug of asperity {} ({}), please report it with the scenario and the record\n  {}\n", version(), commit(),
             error.what());
        return exit_bug;
    }
}

}  // namespace asperity::cli
