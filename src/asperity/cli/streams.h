// Set-up of the three standard streams and of the signals of writing at program start, so that neither a closed stream nor a file size
// limit ends the program.
#pragma once

namespace asperity::cli {

// A standard stream that the caller closed is opened on /dev/null: otherwise the next file that the program opens, such as a record, would
// take its number, and messages would be written into that file. Standard output is opened for reading, so that results that cannot be
// written are still an error. SIGPIPE and SIGXFSZ are ignored: the write that caused them fails instead (EPIPE, EFBIG), which is handled
// like a full disk.
void prepare_streams();

}  // namespace asperity::cli
