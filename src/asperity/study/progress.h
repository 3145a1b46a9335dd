// Progress of long computations on stderr: a bar with rate and remaining time on a terminal, plain lines otherwise, nothing when quiet.
#pragma once
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <string>

#include "asperity/model/observer.h"
#include "asperity/scenario/scenario.h"

namespace asperity::study {

class Progress {
public:
    Progress(std::string title, bool is_quiet);
    ~Progress();  // ends the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // done of total, in `unit`; shows at most a few times a second, and not before half a second has passed.
    void show(double done, double total, const std::string& unit, const std::string& note = {});

private:
    using Clock = std::chrono::steady_clock;
    std::string title_;
    bool is_quiet_;
    bool is_terminal_;
    bool has_shown_ = false;
    Clock::time_point begin_;      // of the first call of show()
    std::optional<double> first_;  // what was done then, maybe by an earlier process: no part of the rate
    Clock::time_point next_;
};

// scenario::load_assets, with progress while a gravity field is built: minutes, the first time. Throws RuntimeError where `stop` becomes
// true meanwhile; the cache is then as it was.
model::Assets load_assets(const scenario::Scenario& scenario, bool is_quiet, const std::atomic<bool>* stop = nullptr);

// Thrown at the step boundary at which a run was asked to stop; the State that simulate was given is complete then.
struct Stopped {};

// Passes everything on to another observer, tells Progress how far the run is, and ends the run where that is asked for.
class WatchedObserver final : public model::Observer {
public:
    // stop: asked at every step boundary; none: never.
    WatchedObserver(model::Observer& inner, Progress& progress, double end_time, const std::atomic<bool>* stop)
        : inner_(inner), progress_(progress), end_time_(end_time), stop_(stop) {}

    double next_sample() const override { return inner_.next_sample(); }
    model::Wants wants() const override { return inner_.wants(); }
    void sample(const model::Look& look) override {
        inner_.sample(look);
        configuration_ = look.configuration;
        show(look.time, look.contacts.empty() ? model::Mode::flight : look.contacts.back().mode);
    }
    void event(const model::Event& event) override {
        inner_.event(event);
        show(event.time, event.mode);
    }
    double next_checkpoint() const override {
        return is_stop_wanted() ? -std::numeric_limits<double>::infinity() : inner_.next_checkpoint();
    }
    void checkpoint(const model::State& state) override {
        inner_.checkpoint(state);
        if (is_stop_wanted()) throw Stopped{};
    }

private:
    // What several bodies are in together says more than whether the last of them touches.
    void show(double time, model::Mode mode) {
        const bool is_named = configuration_ != model::Configuration::none;
        progress_.show(time, end_time_, "s simulated", is_named ? name(configuration_) : name(mode));
    }
    bool is_stop_wanted() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

    model::Observer& inner_;
    Progress& progress_;
    double end_time_;
    const std::atomic<bool>* stop_;
    model::Configuration configuration_ = model::Configuration::none;
};

}  // namespace asperity::study
