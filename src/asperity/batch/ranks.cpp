#include "asperity/batch/ranks.h"

#define OMPI_SKIP_MPICXX 1  // the C++ bindings of old, which do not compile without warnings
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <mutex>
#include <thread>

#include "asperity/core/errors.h"
#include "asperity/core/tell.h"

namespace asperity::batch {
namespace {

// Environment variables that launchers set: Open MPI's mpirun, PMIx (srun --mpi=pmix) and PMI (srun).
bool is_launched() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
        if (std::getenv(name) != nullptr) return true;
    return false;
}

void end_process_unless_stopped(const std::stop_token& stop) {
    std::mutex lock;
    std::unique_lock guard(lock);
    std::condition_variable_any nobody_wakes_it;
    nobody_wakes_it.wait_for(guard, stop, std::chrono::minutes(1), [] { return false; });
    if (stop.stop_requested()) return;
    tell("error: the other processes do not end MPI: a host or the network is gone; finished runs are kept\n");
    std::fflush(nullptr);
    std::_Exit(4);  // cli/exit.h
}

}  // namespace

struct Ranks::Mpi {
    struct Sending {
        std::string bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    std::list<Sending> sending;

    void drop_sent() {
        for (auto it = sending.begin(); it != sending.end();) {
            int is_sent = 0;
            MPI_Test(&it->request, &is_sent, MPI_STATUS_IGNORE);
            it = is_sent != 0 ? sending.erase(it) : std::next(it);
        }
    }
};

Ranks::Ranks() {
    if (!is_launched()) return;
    int given = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS || given < MPI_THREAD_FUNNELED)
        throw RuntimeError("MPI does not allow threads beside it; start one process without mpirun, or use another MPI");
    mpi_ = std::make_unique<Mpi>();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &on_this_host_);
    MPI_Comm_free(&host);
}

Ranks::~Ranks() { leave(); }

void Ranks::leave() {
    if (!mpi_) return;
    // A host that is lost just now would keep MPI_Finalize waiting for ever. Only rank 0 watches: others may have to wait for it for long.
    std::jthread watch;
    if (is_first()) watch = std::jthread(end_process_unless_stopped);
    while (!mpi_->sending.empty()) mpi_->drop_sent();
    MPI_Finalize();
    mpi_.reset();
}

std::string Ranks::host() const {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

void Ranks::send(int to, std::string bytes) {
    mpi_->drop_sent();
    Mpi::Sending& sending = mpi_->sending.emplace_back();
    sending.bytes = std::move(bytes);
    MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD, &sending.request);
}

std::optional<Message> Ranks::receive() {
    if (!mpi_) return {};
    mpi_->drop_sent();
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return {};
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{.from = status.MPI_SOURCE, .bytes = std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
}

void Ranks::abort(int status) {
    std::fflush(nullptr);
    if (mpi_) MPI_Abort(MPI_COMM_WORLD, status);
    std::_Exit(status);
}

}  // namespace asperity::batch
