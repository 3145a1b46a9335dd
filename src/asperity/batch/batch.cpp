#include "asperity/batch/batch.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "asperity/batch/bytes.h"
#include "asperity/core/errors.h"
#include "asperity/core/tell.h"

namespace asperity::batch {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Not heard of for too long.
class LostRank : public RuntimeError {
public:
    using RuntimeError::RuntimeError;
};

// What a rank tells rank 0: how it is, how many runs it has room for, what it has finished; or why it gave up.
struct Report {
    std::string host;
    std::int32_t threads = 0;
    double busy_seconds = 0;
    std::uint64_t room = 0;
    bool is_last = false;
    bool is_bug = false;
    std::string failure;
    std::vector<Finished> finished;
};

std::string packed(const Report& report) {
    Packer out;
    out.add_text(report.host);
    out.add(report.threads);
    out.add(report.busy_seconds);
    out.add(report.room);
    out.add(report.is_last);
    out.add(report.is_bug);
    out.add_text(report.failure);
    out.add(static_cast<std::uint64_t>(report.finished.size()));
    for (const Finished& f : report.finished) {
        out.add(f.run);
        out.add_text(f.row);
    }
    return std::move(out.bytes);
}

Report unpacked(std::string_view bytes) {
    Unpacker in(bytes);
    Report report;
    report.host = in.get_text();
    report.threads = in.get<std::int32_t>();
    report.busy_seconds = in.get<double>();
    report.room = in.get<std::uint64_t>();
    report.is_last = in.get<bool>();
    report.is_bug = in.get<bool>();
    report.failure = in.get_text();
    report.finished.resize(in.get<std::uint64_t>());
    for (Finished& f : report.finished) {
        f.run = in.get<std::uint64_t>();
        f.row = in.get_text();
    }
    return report;
}

// What rank 0 answers: runs, none (it lives), or the end.
constexpr std::uint64_t the_end = ~std::uint64_t{0};

std::string packed_runs(const std::vector<std::uint64_t>& runs) {
    return {reinterpret_cast<const char*>(runs.data()), runs.size() * sizeof(std::uint64_t)};
}

std::vector<std::uint64_t> unpacked_runs(std::string_view bytes) {
    std::vector<std::uint64_t> runs(bytes.size() / sizeof(std::uint64_t));
    std::memcpy(runs.data(), bytes.data(), runs.size() * sizeof(std::uint64_t));
    return runs;
}

// A rank but the first: computes what it is given.
class Server {
public:
    Server(Ranks& ranks, const BatchOptions& options, const MakeEvaluate& make_evaluate)
        : ranks_(ranks), options_(options), pool_(options.threads, make_evaluate) {}

    void run() {
        Report report{.host = ranks_.host(), .threads = pool_.threads()};
        while (!report.is_last) {
            listen();
            collect(report);
            report.room = has_asked_ || is_ending_ ? 0 : pool_.room();
            report.is_last = is_ending_ && pool_.is_idle();
            const bool has_news = !report.finished.empty() || report.room > 0 || report.is_last || failure_;
            if (!has_news && seconds_since(told_) < 1) continue;
            report.busy_seconds = pool_.busy_seconds();
            has_asked_ = has_asked_ || report.room > 0;
            ranks_.send(0, packed(report));
            told_ = Clock::now();
            if (failure_) std::rethrow_exception(failure_);
        }
    }

private:
    void listen() {
        while (const std::optional<Message> message = ranks_.receive()) {
            heard_ = Clock::now();
            const std::vector<std::uint64_t> runs = unpacked_runs(message->bytes);
            if (runs.empty()) continue;  // it lives
            is_ending_ = is_ending_ || runs.front() == the_end;
            if (is_ending_) pool_.drop_queue();
            pool_.give(runs);
            has_asked_ = false;
        }
        if (seconds_since(heard_) > options_.lost_after)
            throw LostRank(fmt::format("rank {} on {} has not heard of rank 0 for {:.0f} s: it ends", ranks_.rank(), ranks_.host(),
                                       options_.lost_after));
    }

    void collect(Report& report) {
        try {
            report.finished = pool_.collect(2ms);
        } catch (const std::exception& error) {
            report.failure = error.what();
            report.is_bug = dynamic_cast<const std::logic_error*>(&error) != nullptr;
            failure_ = std::current_exception();
        }
    }

    Ranks& ranks_;
    const BatchOptions& options_;
    Clock::time_point heard_ = Clock::now(), told_ = Clock::now() - 1h;
    bool has_asked_ = false;  // and not been given runs
    bool is_ending_ = false;
    std::exception_ptr failure_;
    Pool pool_;
};

// Rank 0: keeps its own pool and all other ranks busy.
class Conductor {
public:
    Conductor(Ranks& ranks, const BatchOptions& options, const MakeEvaluate& make_evaluate, const Steering& steering)
        : ranks_(ranks), options_(options), steering_(steering), pool_(options.threads, make_evaluate) {
        const auto count = static_cast<std::size_t>(ranks.size());
        others_.resize(count);
        load_.ranks.resize(count);
        load_.ranks[0] = {.host = ranks.host(), .threads = pool_.threads()};
    }

    void run() {
        bool has_news = false;
        while (!steering_.is_over()) {
            pool_.give(some_runs(pool_.room()));
            for (std::size_t rank = 1; rank < others_.size(); ++rank) answer(rank);
            if (has_news) steering_.commit();  // while all are at work
            if (seconds_since(ticked_) > 0.2) tick();
            has_news = hear_all();
        }
        end();
        steering_.commit();
        tick();
    }

private:
    struct Other {
        std::uint64_t room = 0;
        Clock::time_point heard = Clock::now();
        Clock::time_point told = Clock::now();
        bool is_done = false;
    };

    // Runs in flight are waited for and kept: a thread cannot be stopped, and what it computed is good.
    void end() {
        is_ending_ = true;
        pool_.drop_queue();
        for (int rank = 1; rank < ranks_.size(); ++rank) ranks_.send(rank, packed_runs({the_end}));
        while (!pool_.is_idle() || std::any_of(others_.begin() + 1, others_.end(), [](const Other& other) { return !other.is_done; })) {
            if (hear_all()) steering_.commit();
            for (std::size_t rank = 1; rank < others_.size(); ++rank) answer(rank);
            if (seconds_since(ticked_) > 0.2) tick();
        }
    }

    // Whether a run has been finished.
    bool hear_all() {
        bool has_news = take(0, pool_.collect(has_others() ? 1ms : 20ms));
        while (const std::optional<Message> message = ranks_.receive()) has_news = hear(*message) || has_news;
        return has_news;
    }

    bool has_others() const { return others_.size() > 1; }

    bool take(std::size_t rank, const std::vector<Finished>& finished) {
        for (const Finished& f : finished) steering_.take(f.run, f.row);
        load_.ranks[rank].done += finished.size();
        return !finished.empty();
    }

    // At the end of the batch no rank gets more than its part, else the last runs would wait in one queue.
    std::vector<std::uint64_t> some_runs(std::uint64_t room) {
        const std::uint64_t part = steering_.left() / static_cast<std::uint64_t>(ranks_.size()) + 1;
        std::vector<std::uint64_t> runs;
        while (runs.size() < std::min(room, part)) {
            const std::optional<std::uint64_t> run = steering_.next();
            if (!run) break;
            runs.push_back(*run);
        }
        return runs;
    }

    bool hear(const Message& message) {
        const auto rank = static_cast<std::size_t>(message.from);
        const Report report = unpacked(message.bytes);
        const std::string failure = fmt::format("rank {} on {} gave up: {}", rank, report.host, report.failure);
        if (report.is_bug) throw Bug(failure);
        if (!report.failure.empty()) throw RuntimeError(failure);
        others_[rank].heard = Clock::now();
        others_[rank].is_done = report.is_last;
        if (report.room > 0) others_[rank].room = report.room;
        RankLoad& load = load_.ranks[rank];
        load.host = report.host;
        load.threads = report.threads;
        load.busy_seconds = report.busy_seconds;
        return take(rank, report.finished);
    }

    void answer(std::size_t rank) {
        Other& other = others_[rank];
        if (other.is_done) return;
        if (seconds_since(other.heard) > options_.lost_after)
            throw LostRank(fmt::format("rank {}{}{} has not been heard of for {:.0f} s: its host or the network is gone", rank,
                                       load_.ranks[rank].host.empty() ? "" : " on ", load_.ranks[rank].host, options_.lost_after));
        std::vector<std::uint64_t> runs;
        if (other.room > 0 && !is_ending_) runs = some_runs(other.room);
        if (runs.empty() && seconds_since(other.told) < 1) return;
        if (!runs.empty()) other.room = 0;
        ranks_.send(static_cast<int>(rank), packed_runs(runs));
        other.told = Clock::now();
    }

    void tick() {
        ticked_ = Clock::now();
        load_.seconds = seconds_since(begin_);
        load_.ranks[0].busy_seconds = pool_.busy_seconds();
        steering_.tick(load_);
    }

    Ranks& ranks_;
    const BatchOptions& options_;
    const Steering& steering_;
    std::vector<Other> others_;  // by rank; the first is this one and not used
    Load load_;
    Clock::time_point begin_ = Clock::now(), ticked_ = Clock::now();
    bool is_ending_ = false;
    Pool pool_;
};

}  // namespace

int Load::threads() const {
    int sum = 0;
    for (const RankLoad& rank : ranks) sum += rank.threads;
    return sum;
}

double Load::busy() const {
    double sum = 0;
    for (const RankLoad& rank : ranks) sum += rank.busy_seconds;
    return seconds > 0 && threads() > 0 ? sum / (seconds * threads()) : 0;
}

double Load::least() const {
    double least = 1;
    for (const RankLoad& rank : ranks)
        least = std::min(least, seconds > 0 && rank.threads > 0 ? rank.busy_seconds / (seconds * rank.threads) : 0);
    return least;
}

void run_batch(Ranks& ranks, const BatchOptions& options, const MakeEvaluate& make_evaluate, const Steering& steering) {
    constexpr int environment = 4;  // cli/exit.h
    // MPI_Abort makes mpirun send to all hosts, and then wait for the lost one as long as TCP tries, a quarter of an hour. Where it may
    // find out by itself that a host is gone (oob_tcp_keepalive_time), it ends at once, so it is given the time.
    constexpr auto patience = 30s;
    if (!ranks.is_first()) {
        Server server(ranks, options, make_evaluate);
        try {
            return server.run();
        } catch (const LostRank& error) {
            std::this_thread::sleep_for(patience);
            tell("error: {}\n", error.what());  // not before: its way is through the host of rank 0, which TCP would wait for
            ranks.abort(environment);
        }
    }
    Conductor conductor(ranks, options, make_evaluate, steering);
    if (ranks.size() == 1) return conductor.run();
    // Not further out: the conductor would first wait for its own threads, and the other ranks for it.
    try {
        conductor.run();
    } catch (const LostRank& error) {
        tell("error: {}; finished runs are kept, go on with --resume\n", error.what());
        std::this_thread::sleep_for(patience);
        ranks.abort(environment);
    } catch (const RuntimeError& error) {
        tell("error: {}\n", error.what());
        ranks.abort(environment);
    }
}

int threads_of_rank(const Ranks& ranks, int asked) {
    if (asked > 0) return asked;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? std::max(1, CPU_COUNT(&allowed)) : 1;
    // mpirun binds ranks to cores unless it is told not to: those are then its own. Where it does not, the ranks of a host share them.
    const auto all = static_cast<int>(std::thread::hardware_concurrency());
    return cores < all ? cores : std::max(1, cores / ranks.on_this_host());
}

}  // namespace asperity::batch
