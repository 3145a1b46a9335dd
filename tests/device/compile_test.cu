// Compiles the numerics and the laws for a GPU thread: what a trajectory on the device will be made of. Not linked, not run.
#include "asperity/laws/contact/rolling.h"
#include "asperity/numerics/bracket.h"
#include "asperity/numerics/runge_kutta.h"
#include "asperity/numerics/step_control.h"

using namespace asperity;

struct Fall {
    __host__ __device__ numerics::Vector<2> operator()(const numerics::Vector<2>& y) const { return {{y[1], -1e-4}}; }
};

struct Height {
    const numerics::Dense<2>& dense;
    __host__ __device__ double operator()(double s) const { return dense.value(0, s); }
};

template <class Method>
__device__ double time_of_fall(double height) {
    const numerics::Vector<2> y{{height, 0}};
    const numerics::Step<2> step = Method::step(Fall{}, y, Fall{}(y), 1000.0);
    const Height f{step.dense};
    return numerics::bracketed_root(f, 0.0, 1.0, f(0.0), f(1.0));
}

__global__ void integrate(double* out) {
    out[0] = time_of_fall<numerics::Dopri5>(20);
    out[1] = time_of_fall<numerics::Rk4>(20);
    out[2] = numerics::choose_step(0.5, 1.0, numerics::Dopri5::order, {.step_max = 10}).next;
}

__global__ void touch(laws::Touching touching, laws::Motion motion, laws::BallShape ball, laws::PairLaw surface, double* out) {
    const laws::Impulses several = laws::resolve(touching, motion, {}, ball, {.friction = 0.5, .rolling = 0.1});
    const laws::Impulses impact = laws::resolve_impact(touching, motion, ball, surface);
    out[0] = several.heat() + impact.heat();
    const laws::SingleContact law{.ball = ball, .friction = surface.friction, .rolling = surface.rolling_resistance};
    const laws::Touch here{.normal = touching.normal[0]};
    out[1] = law.slide(motion, here, {0, 0, -1e-4}, {}, false).normal + law.roll(motion, here, {0, 0, -1e-4}, {}).normal + law.rest_slope();
}
