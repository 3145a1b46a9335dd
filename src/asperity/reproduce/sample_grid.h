// Samples of a run at equal distances in time, kept in memory.
#pragma once
#include <limits>
#include <vector>

#include "asperity/model/observer.h"

namespace asperity::reproduce {

// `count` + 1 samples from begin to end. One that comes before its time, the end of a run that ends early, is left out.
class SampleGrid final : public model::Observer {
public:
    SampleGrid(double begin, double end, int count) : begin_(begin), end_(end), count_(count) {}

    double next_sample() const override {
        return next_ > count_ ? std::numeric_limits<double>::infinity() : begin_ + (end_ - begin_) * next_ / count_;
    }
    void sample(const model::Sample& sample) override {
        if (sample.time < next_sample()) return;
        samples.push_back(sample);
        ++next_;
    }
    void event(const model::Event&) override {}
    double next_checkpoint() const override { return std::numeric_limits<double>::infinity(); }
    void checkpoint(const model::State&) override {}

    std::vector<model::Sample> samples;

private:
    double begin_, end_;
    int count_, next_ = 0;
};

}  // namespace asperity::reproduce
