// Samples of a run at equal distances in time, kept in memory.
#pragma once
#include <limits>
#include <vector>

#include "asperity/model/sample.h"

namespace asperity::reproduce {

// `count` + 1 samples from begin to end. One that comes before its time, the end of a run that ends early, is left out.
class SampleGrid final : public model::Observer {
public:
    SampleGrid(double begin, double end, int count) : begin_(begin), end_(end), count_(count) {}

    double next_sample() const override {
        return next_ > count_ ? std::numeric_limits<double>::infinity() : begin_ + (end_ - begin_) * next_ / count_;
    }
    model::Wants wants() const override { return {.contacts = true}; }
    void sample(const model::Look& look) override {
        if (look.time < next_sample()) return;
        model::append_samples(look, samples);
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
