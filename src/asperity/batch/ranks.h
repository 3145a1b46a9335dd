// The processes of one study: a single one, or the ranks of an MPI job. No other part knows MPI.
//
// Under mpirun (or srun) the processes find each other; started by hand there is one rank and no MPI at all, which would cost a tenth of a
// second at every start. Messages are bytes between rank 0, which steers, and one other rank. Only the thread that made the object may
// call.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace asperity::batch {

struct Message {
    int from = 0;
    std::string bytes;
};

class Ranks {
public:
    Ranks();
    ~Ranks();  // leaves, if it has not left
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    int on_this_host() const { return on_this_host_; }  // ranks that share its cores
    bool is_first() const { return rank_ == 0; }
    std::string host() const;

    void send(int to, std::string bytes);  // returns at once; the bytes are kept until they are sent
    std::optional<Message> receive();      // one that has arrived, or none

    // Ends MPI, once all ranks come here; each then goes on alone. Where they do not come to rank 0 within a minute, it ends the process.
    void leave();

    // Ends the whole job with this exit status; waits for nobody, since a rank may be lost.
    [[noreturn]] void abort(int status);

private:
    struct Mpi;
    int rank_ = 0;
    int size_ = 1;
    int on_this_host_ = 1;
    std::unique_ptr<Mpi> mpi_;  // none where there is one process, or the others were left
};

}  // namespace asperity::batch
