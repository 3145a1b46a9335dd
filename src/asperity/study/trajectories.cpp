#include "asperity/study/trajectories.h"

#include <limits>

#include "asperity/core/errors.h"
#include "asperity/core/parallel.h"
#include "asperity/dynamics/simulate.h"
#include "asperity/model/observer.h"
#include "asperity/model/only_row.h"
#include "asperity/record/recorder.h"
#include "asperity/report/figure.h"
#include "asperity/scenario/compile.h"

namespace asperity::study {
namespace {

constexpr double samples_per_run = 1000;  // of the longest run there may be; impacts add their own

// Keeps the positions of the ball at fixed times and at events, in order of time.
class PathObserver final : public model::Observer {
public:
    explicit PathObserver(double interval) : interval_(interval) {}

    double next_sample() const override { return static_cast<double>(next_) * interval_; }
    void sample(const model::Look& look) override {
        points.push_back(look.position[model::only_row(look.position.size())]);
        next_ = record::first_multiple_after(look.time, interval_);
    }
    void event(const model::Event& event) override {
        if (event.kind == model::EventKind::transfer) return;
        points.push_back(event.position);
        if (event.kind == model::EventKind::impact && !first_impact) first_impact = event.position;
    }
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}

    std::vector<Vec3> points;
    std::optional<Vec3> first_impact;

private:
    double interval_;
    std::int64_t next_ = 0;
};

std::vector<Vec3> thinned(const std::vector<Vec3>& points, std::size_t most) {
    std::vector<std::vector<double>> series(3);
    for (const Vec3& p : points) {
        series[0].push_back(p.x);
        series[1].push_back(p.y);
        series[2].push_back(p.z);
    }
    std::vector<Vec3> out;
    for (const std::size_t row : report::thinned_rows(series, most)) out.push_back(points[row]);
    return out;
}

Trajectory trajectory_of(const Plan& plan, std::uint64_t run, std::size_t most_points) {
    Trajectory out{.run = run, .points = {}, .first_impact = {}};
    scenario::Scenario scenario = *plan.scenario;
    try {
        set_parameters(plan, parameter_values(plan, run), scenario);
        const model::Assets own = plan.varies_world ? scenario::load_assets(scenario) : model::Assets{};
        scenario::Compiled compiled = scenario::compile(scenario, plan.varies_world ? own : plan.assets, run);
        PathObserver observer(scenario.end.time / samples_per_run);
        const std::size_t row = model::only_row(compiled.model.parameters);
        const Vec3 first = compiled.state.bodies.position[row];
        dynamics::simulate(compiled.model, compiled.state, observer);
        observer.points.insert(observer.points.begin(), first);
        observer.points.push_back(compiled.state.bodies.position[row]);
        out.points = thinned(observer.points, most_points);
        out.first_impact = observer.first_impact;
    } catch (const InputError&) {
        // a run that could not start has no path; the table says why
    }
    return out;
}

}  // namespace

std::vector<Trajectory> sampled_trajectories(const Plan& plan, std::uint64_t count, std::size_t most_points) {
    std::vector<Trajectory> out(count);
    parallel_blocks(count, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) out[i] = trajectory_of(plan, i, most_points);
    });
    return out;
}

}  // namespace asperity::study
