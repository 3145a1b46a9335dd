#include "asperity/dynamics/dvi/cone_solvers.h"

#include <algorithm>
#include <cmath>

#include "asperity/core/parallel.h"

namespace asperity::dynamics {
namespace {

constexpr std::size_t contacts_a_block = 256, bodies_a_block = 512;
constexpr double scaling_of_jacobi = 0.3, scaling_of_gauss_seidel = 1;  // where the phase says none
constexpr std::int64_t plain_iterations = 300;                          // before the interior-point method
constexpr std::size_t most_products_of_cones = 5000000;                 // of blocks, in one of its steps
constexpr double less_curvature = 0.9;                                  // Mazhar et al.: L falls by this much an iteration

ConeImpulse operator+(const ConeImpulse& a, const ConeImpulse& b) { return {a.linear + b.linear, a.angular + b.angular}; }
ConeImpulse operator-(const ConeImpulse& a, const ConeImpulse& b) { return {a.linear - b.linear, a.angular - b.angular}; }
ConeImpulse operator*(double s, const ConeImpulse& a) { return {s * a.linear, s * a.angular}; }

// a . D b
double product(const Cone& cone, const ConeImpulse& a, const ConeImpulse& b) {
    return cone.of_normal * a.linear.x * b.linear.x + cone.of_tangent * (a.linear.y * b.linear.y + a.linear.z * b.linear.z) +
           cone.of_torque * dot(a.angular, b.angular);
}

// x - step D^-1 g, taken to the cone.
ConeImpulse step_of(const HeldContact& held, const Cone& cone, const ConeImpulse& x, const Vec3& velocity, const Vec3& spin, double step) {
    const double t = step / cone.of_tangent;
    ConeImpulse to{.linear = x.linear - Vec3{step / cone.of_normal * (velocity.x + cone.b), t * velocity.y, t * velocity.z},
                   .angular = x.angular};
    if (held.resists_turning()) to.angular -= (step / cone.of_torque) * spin;
    return cone.nearest(to, held.n);
}

// What a change of the impulse means as a velocity, of the scale of the contact.
double as_velocity(const HeldContact& held, const Cone& cone, const ConeImpulse& change) {
    const Vec3 p{cone.of_normal * change.linear.x, cone.of_tangent * change.linear.y, cone.of_tangent * change.linear.z};
    const double turned = held.resists_turning() ? held.arm() * cone.of_torque * norm(change.angular) : 0;
    const double scale = held.scale();
    return scale > 0 ? std::fmax(norm(p), turned) / scale : 0;
}

void take_motion(model::Bodies& to, const model::Bodies& from) {
    to.velocity.assign(from.velocity.begin(), from.velocity.end());
    to.spin.assign(from.spin.begin(), from.spin.end());
}

}  // namespace

template <class F>
double ConeSolvers::sum(std::size_t count, const F& of) {
    parts_.assign(count / contacts_a_block + 1, 0);
    parallel_blocks(count, contacts_a_block, [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t k = begin; k < end; ++k) part += of(k);
        parts_[begin / contacts_a_block] = part;
    });
    double all = 0;
    for (const double part : parts_) all += part;
    return all;
}

template <class F>
double ConeSolvers::largest(std::size_t count, const F& of) {
    parts_.assign(count / contacts_a_block + 1, 0);
    parallel_blocks(count, contacts_a_block, [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t k = begin; k < end; ++k) part = std::fmax(part, of(k));
        parts_[begin / contacts_a_block] = part;
    });
    return *std::ranges::max_element(parts_);
}

// Impulses of contacts that take no part stay as they are, and nothing asks for their velocities.
void ConeSolvers::load(const ConeStack& stack, const model::Bodies& bodies) {
    const std::size_t count = stack.contacts.size();
    x_.x.resize(count);
    for (Point* point : {&x_, &y_, &next_}) {
        point->x.resize(count);
        point->velocity.assign(count, {});
        point->spin.assign(count, {});
    }
    pushes_.resize(count);
    take_motion(free_, bodies);
    take_motion(moved_, bodies);
    for (std::size_t k = 0; k < count; ++k) {
        const HeldContact& held = stack.contacts[k];
        x_.x[k] = {held.impulse, held.torque};
        if (joints_ == nullptr) apply(held, -held.impulse, -held.torque, free_);
    }
    number_sides(stack);
    if (joints_ == nullptr) return;
    // what contacts have given, joints included, is taken off
    take_motion(moved_, bodies);
    for (std::size_t i = 0; i < free_.velocity.size(); ++i) free_.velocity[i] = free_.spin[i] = {};
    for (std::size_t k = 0; k < count; ++k) apply(stack.contacts[k], -stack.contacts[k].impulse, -stack.contacts[k].torque, free_);
    joints_->bend({free_.velocity, free_.spin});
    for (std::size_t i = 0; i < free_.velocity.size(); ++i) {
        free_.velocity[i] += moved_.velocity[i];
        free_.spin[i] += moved_.spin[i];
    }
}

void ConeSolvers::bend() {
    if (joints_ == nullptr) return;
    for (std::size_t i = 0; i < free_.velocity.size(); ++i) {
        moved_.velocity[i] -= free_.velocity[i];
        moved_.spin[i] -= free_.spin[i];
    }
    joints_->bend({moved_.velocity, moved_.spin});
    for (std::size_t i = 0; i < free_.velocity.size(); ++i) {
        moved_.velocity[i] += free_.velocity[i];
        moved_.spin[i] += free_.spin[i];
    }
}

void ConeSolvers::store(const ConeStack& stack, model::Bodies& bodies) {
    for (std::size_t k = 0; k < stack.contacts.size(); ++k) {
        stack.contacts[k].impulse = x_.x[k].linear;
        stack.contacts[k].torque = x_.x[k].angular;
    }
    take_motion(bodies, moved_);
}

void ConeSolvers::number_sides(const ConeStack& stack) {
    first_.assign(free_.velocity.size() + 1, 0);
    const auto each_side = [&](auto call) {
        for (std::size_t k = 0; k < stack.contacts.size(); ++k) {
            const HeldContact& held = stack.contacts[k];
            if (held.a.kind != nullptr) call(static_cast<std::size_t>(held.a.row), static_cast<std::uint32_t>(2 * k));
            if (held.b.kind != nullptr) call(static_cast<std::size_t>(held.b.row), static_cast<std::uint32_t>(2 * k + 1));
        }
    };
    each_side([&](std::size_t row, std::uint32_t) { ++first_[row + 1]; });
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    sides_.resize(first_.back());
    each_side([&](std::size_t row, std::uint32_t side) { sides_[first_[row]++] = side; });
    for (std::size_t i = first_.size() - 1; i > 0; --i) first_[i] = first_[i - 1];  // each has gone on to the next
    first_[0] = 0;
}

double ConeSolvers::most_of_a_body() const {
    std::uint32_t most = 1;
    for (std::size_t i = 1; i < first_.size(); ++i) most = std::max(most, first_[i] - first_[i - 1]);
    return most;
}

void ConeSolvers::multiply(const ConeStack& stack, Point& point) {
    const std::size_t count = stack.contacts.size();
    parallel_blocks(count, contacts_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const HeldContact& held = stack.contacts[k];
            const auto& [p, torque] = point.x[k];
            const Vec3 push = p.x * held.n + p.y * held.y + p.z * held.z;
            const contact::Row &n = held.normal, &y = held.along_y, &z = held.along_z;
            Push& out = pushes_[k];
            out.velocity_a = n.inverse_mass_a * push;
            out.velocity_b = -(n.inverse_mass_b * push);
            out.spin_a = p.x * n.turned_a + p.y * y.turned_a + p.z * z.turned_a + held.a.turned(torque);
            out.spin_b = -(p.x * n.turned_b + p.y * y.turned_b + p.z * z.turned_b + held.b.turned(torque));
        }
    });
    parallel_blocks(free_.velocity.size(), bodies_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Vec3 velocity, spin;
            for (std::uint32_t s = first_[i]; s < first_[i + 1]; ++s) {
                const Push& by = pushes_[sides_[s] / 2];
                velocity += sides_[s] % 2 == 0 ? by.velocity_a : by.velocity_b;
                spin += sides_[s] % 2 == 0 ? by.spin_a : by.spin_b;
            }
            moved_.velocity[i] = free_.velocity[i] + velocity;
            moved_.spin[i] = free_.spin[i] + spin;
        }
    });
    bend();
    parallel_blocks(count, contacts_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            if (!stack.cones[k].takes_part) continue;
            point.velocity[k] = relative_velocity(stack.contacts[k], moved_);
            if (stack.contacts[k].resists_turning()) point.spin[k] = relative_spin(stack.contacts[k], moved_);
        }
    });
}

ConeImpulse ConeSolvers::stepped(const ConeStack& stack, const Point& from, std::size_t k, double step) const {
    if (!stack.cones[k].takes_part) return from.x[k];
    return step_of(stack.contacts[k], stack.cones[k], from.x[k], from.velocity[k], from.spin[k], step);
}

double ConeSolvers::residual(const ConeStack& stack, const Point& at) {
    return largest(stack.contacts.size(), [&](std::size_t k) {
        HeldContact& held = stack.contacts[k];
        held.impulse = at.x[k].linear;  // of its scale
        return as_velocity(held, stack.cones[k], stepped(stack, at, k, 1) - at.x[k]);
    });
}

// (2)
Solved ConeSolvers::gauss_seidel(const StepTask& task, const ConeStack& stack, std::int64_t& left, model::Bodies& bodies) {
    const model::Phase& phase = task.phase;
    const double s = phase.scaling > 0 ? phase.scaling : scaling_of_gauss_seidel;
    const std::size_t count = stack.contacts.size();
    Solved solved{.residual = 0, .has_converged = false};
    for (bool is_back = false; !solved.has_converged && left > 0; is_back = !is_back, --left) {
        double change = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t k = is_back ? count - 1 - i : i;
            HeldContact& held = stack.contacts[k];
            if (!stack.cones[k].takes_part) continue;
            const Vec3 spin = held.resists_turning() ? relative_spin(held, bodies) : Vec3{};
            const ConeImpulse before{held.impulse, held.torque};
            const ConeImpulse after = step_of(held, stack.cones[k], before, relative_velocity(held, bodies), spin, s);
            const ConeImpulse step = after - before;
            apply(held, step.linear, step.angular, bodies);
            held.impulse = after.linear;
            held.torque = after.angular;
            if (joints_ != nullptr) joints_->follow(held, bodies);
            change = std::fmax(change, as_velocity(held, stack.cones[k], step) / s);
        }
        solved = {.residual = change, .has_converged = change <= phase.tolerance};
    }
    return solved;
}

// (1)
Solved ConeSolvers::jacobi(const model::Phase& phase, const ConeStack& stack, std::int64_t& left) {
    const double s = phase.scaling > 0 ? phase.scaling : scaling_of_jacobi;
    Solved solved{.residual = 0, .has_converged = false};
    for (; !solved.has_converged && left > 0; --left) {
        multiply(stack, x_);
        const double change = largest(stack.contacts.size(), [&](std::size_t k) {
            HeldContact& held = stack.contacts[k];
            held.impulse = x_.x[k].linear;  // of its scale
            next_.x[k] = stepped(stack, x_, k, s);
            return as_velocity(held, stack.cones[k], next_.x[k] - x_.x[k]) / s;
        });
        solved = {.residual = change, .has_converged = change <= phase.tolerance};
        std::swap(x_.x, next_.x);
    }
    multiply(stack, x_);
    return solved;
}

void ConeSolvers::descend(const ConeStack& stack, double& curvature) {
    const std::size_t count = stack.contacts.size();
    const double most = most_of_a_body();
    while (true) {
        parallel_blocks(count, contacts_a_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) next_.x[k] = stepped(stack, y_, k, 1 / curvature);
        });
        multiply(stack, next_);
        if (curvature >= most) return;
        // (x' - y) . W (x' - y) against L (x' - y) . D (x' - y)
        const double above = sum(count, [&](std::size_t k) {
            const ConeImpulse way = next_.x[k] - y_.x[k];
            return curvature * product(stack.cones[k], way, way) - dot(way.linear, next_.velocity[k] - y_.velocity[k]) -
                   dot(way.angular, next_.spin[k] - y_.spin[k]);
        });
        if (above >= 0) return;
        curvature = std::fmin(2 * curvature, most);
    }
}

// (3)
Solved ConeSolvers::accelerated(const model::Phase& phase, const ConeStack& stack, std::int64_t& left) {
    const std::size_t count = stack.contacts.size();
    multiply(stack, x_);
    y_ = x_;
    Solved solved{.residual = 0, .has_converged = false};
    double theta = 1, curvature = 1;
    for (; !solved.has_converged && left > 0; --left) {
        descend(stack, curvature);
        const double uphill = sum(count, [&](std::size_t k) {
            const ConeImpulse way = next_.x[k] - x_.x[k];
            return way.linear.x * (y_.velocity[k].x + stack.cones[k].b) + way.linear.y * y_.velocity[k].y +
                   way.linear.z * y_.velocity[k].z + dot(way.angular, y_.spin[k]);
        });
        const double next_theta = 0.5 * theta * (std::sqrt(theta * theta + 4) - theta);
        const double c = uphill > 0 ? 0 : theta * (1 - theta) / (theta * theta + next_theta);
        theta = uphill > 0 ? 1 : next_theta;
        solved.residual = residual(stack, next_);
        solved.has_converged = solved.residual <= phase.tolerance;
        parallel_blocks(count, contacts_a_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {  // W is linear: no product for y
                y_.x[k] = next_.x[k] + c * (next_.x[k] - x_.x[k]);
                y_.velocity[k] = next_.velocity[k] + c * (next_.velocity[k] - x_.velocity[k]);
                y_.spin[k] = next_.spin[k] + c * (next_.spin[k] - x_.spin[k]);
            }
        });
        std::swap(x_, next_);
        curvature *= less_curvature;
    }
    return solved;
}

Solved ConeSolvers::iterate(const StepTask& task, const ConeStack& stack, std::int64_t& left, model::Bodies& bodies) {
    const model::Phase& phase = task.phase;
    if (phase.solver == model::ConeSolver::gauss_seidel) return gauss_seidel(task, stack, left, bodies);
    load(stack, bodies);
    const Solved solved = phase.solver == model::ConeSolver::jacobi ? jacobi(phase, stack, left) : accelerated(phase, stack, left);
    store(stack, bodies);
    return solved;
}

Solved ConeSolvers::solve(const StepTask& task, const ConeStack& stack, std::int64_t& left, model::Bodies& bodies) {
    if (stack.contacts.empty()) return {};
    joints_ = task.joints.is_empty() ? nullptr : &task.joints;
    const bool may_plan = joints_ == nullptr && left > plain_iterations;
    const auto law = [&](std::size_t k) {
        return InteriorPoint::Wanted{.speed = -stack.cones[k].b, .is_given = !stack.cones[k].takes_part};
    };
    std::int64_t part = may_plan ? plain_iterations : left;
    for (int attempt = 0;; ++attempt, part *= 2) {
        std::int64_t now = std::min(part, left);
        left -= now;
        const Solved solved = iterate(task, stack, now, bodies);
        left += now;
        if (solved.has_converged || left <= 0) return solved;
        if (attempt == 0 && !interior_.plan(stack.contacts, task.joints, bodies, most_products_of_cones)) part = left;
        if (part == left) continue;
        left = std::max<std::int64_t>(1, left - interior_.solve(task, stack.contacts, law, true, attempt % 4, bodies).iterations);
    }
}

}  // namespace asperity::dynamics
