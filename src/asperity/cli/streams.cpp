#include "asperity/cli/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace asperity::cli {

void prepare_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        // open() gives the lowest free number, which is this one, since those below are open by now
        [[maybe_unused]] const int opened = ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    }
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

}  // namespace asperity::cli
