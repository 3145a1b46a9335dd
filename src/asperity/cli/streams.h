// The three standard streams and the signals of writing, set once when the program begins, so that no stream and no limit on files ends it.
#pragma once

namespace asperity::cli {

// A standard stream that the caller closed is opened on /dev/null: otherwise the next file that the program opens, such as a record, would
// take its number, and messages would be written into that file. Standard output is opened for reading, so that results that cannot be
// written are still an error. SIGPIPE and SIGXFSZ are ignored: the write that caused them fails instead (EPIPE, EFBIG), which is handled
// like a full disk.
void prepare_streams();

}  // namespace asperity::cli
