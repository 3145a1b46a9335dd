#include "asperity/dynamics/flight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "asperity/dynamics/contact_run.h"
#include "asperity/numerics/bracket.h"
#include "asperity/numerics/step_control.h"

namespace asperity::dynamics {
namespace {

constexpr double near_part = 0.25;       // of the reach: nearer gaps are those of the narrow phase
constexpr double least_way = 1e-3;       // of the reach, between two looks
constexpr double clearances = 4;         // that a step covers
constexpr double falls = 2;              // that bodies must be apart to fly: the way of a free fall within two steps
constexpr double rounding_part = 1e-15;  // of a value: errors below it are none
constexpr std::size_t most_flying = 64;  // bodies, all pairs of which are looked at

Vec3 three(const std::vector<double>& y, std::size_t at) { return {y[at], y[at + 1], y[at + 2]}; }

void put(const Vec3& v, std::vector<double>& y, std::size_t at) { y[at] = v.x, y[at + 1] = v.y, y[at + 2] = v.z; }

}  // namespace

bool Flight::suits(const model::Parameters& world) {
    const gravity::SmallBody* body = model::small_body(world.environment);
    const bool turns_as_inertia_says = body == nullptr || body->transports_spin;
    return !world.bodies.has_groups() && world.bodies.size() <= most_flying && world.cables.empty() && world.joints.empty() &&
           turns_as_inertia_says;
}

Flight::Flight(const model::Model& model, SmoothWorld& smooth, const contact::Detector& detector)
    : model_(model), world_(model.parameters), smooth_(smooth), detector_(detector), dopri_(0) {
    turns_freely_ = !smooth.has_loads();
    dopri_.resize(moving() * width() + 1);
    scale_.resize(dopri_.y0.size());
    tops_.resize(moving());
    for (const model::BodyKind& body : world_.bodies.rows()) {
        reach_.push_back(body.touching_reach());
        is_round_.push_back(body.is_sphere() && body.colliders.empty());
    }
    const std::size_t rows = moving() + world_.driven.size();
    stage_.position.resize(rows);
    stage_.orientation.resize(rows);
    stage_.velocity.resize(rows);
    stage_.spin.resize(rows);
}

void Flight::begin(const model::Clock& clock, const model::Bodies& bodies, const std::vector<BodyHeat>& heat) {
    phase_start_ = clock.phase_start;
    jump_ = std::numeric_limits<double>::infinity();
    for (const model::Driven& driven : world_.driven) jump_ = std::min(jump_, model::next_jump(driven.motion, clock.time()));
    last_of_step_ = model::just_before(jump_);
    std::vector<double>& y = dopri_.y0;
    for (std::size_t i = 0; i < moving(); ++i) {
        const std::size_t at = i * width();
        put(bodies.position[i], y, at);
        put(bodies.velocity[i], y, at + 3);
        std::memcpy(y.data() + at + width() - heat_width, &heat[world_.bodies.group[i]], sizeof(BodyHeat));
        if (turns_freely_) {
            tops_[i] = FreeTop(world_.bodies[i].inertia, bodies.orientation[i], bodies.spin[i] + smooth_.frame_rate());
            continue;
        }
        put(bodies.spin[i], y, at + 6);
        std::memcpy(y.data() + at + 9, &bodies.orientation[i], sizeof(Quat));
    }
    y.back() = clock.time_in_phase;
    dopri_.start([this](const std::vector<double>& at, std::vector<double>& slope) { slope_at(at, slope); });
    set_scale(bodies);
}

// Orientation and spin of a body t seconds after the start of the step, in axes that have turned by t times the rate of the frame.
void Flight::set_turned(std::size_t i, double t, model::Bodies& out) const {
    const FreeTop::Turned turned = tops_[i].after(t, smooth_.frame_rate());
    out.orientation[i] = turned.q_WB;
    out.spin[i] = turned.w;
}

void Flight::unpack(const std::vector<double>& y, model::Bodies& out) const {
    for (std::size_t i = 0; i < moving(); ++i) {
        const std::size_t at = i * width();
        out.position[i] = three(y, at);
        out.velocity[i] = three(y, at + 3);
        if (turns_freely_) {
            set_turned(i, y.back() - dopri_.y0.back(), out);
            continue;
        }
        out.spin[i] = three(y, at + 6);
        out.orientation[i] = {y[at + 9], y[at + 10], y[at + 11], y[at + 12]};
    }
    model::place_driven(world_.driven, moving(), std::min(phase_start_ + y.back(), last_of_step_), out);
}

void Flight::slope_at(const std::vector<double>& y, std::vector<double>& slope) {
    smooth_.set_time(std::min(phase_start_ + y.back(), last_of_step_));
    // Where nothing acts but the field, which pulls at the centre, orientations do not matter.
    if (turns_freely_) {
        for (std::size_t i = 0; i < moving(); ++i) {
            stage_.position[i] = three(y, i * width());
            stage_.velocity[i] = three(y, i * width() + 3);
        }
    } else {
        unpack(y, stage_);
        smooth_.set_loads(stage_);
    }
    smooth_.set_rates(stage_, [](std::size_t, Vec3&, Vec3&) {});
    if (!turns_freely_) smooth_.add_heat(stage_);
    const BodyRates& rates = smooth_.rates();
    for (std::size_t i = 0; i < moving(); ++i) {
        const std::size_t at = i * width();
        put(stage_.velocity[i], slope, at);
        put(rates.acceleration[i], slope, at + 3);
        std::memcpy(slope.data() + at + width() - heat_width, &rates.heat[i], sizeof(BodyHeat));
        if (turns_freely_) continue;
        put(rates.turning[i], slope, at + 6);
        const Vec3 half = 0.5 * stage_.spin[i];
        const Quat turning = Quat{0, half.x, half.y, half.z} * stage_.orientation[i];
        std::memcpy(slope.data() + at + 9, &turning, sizeof(Quat));
    }
    slope.back() = 1;
}

void Flight::set_scale(const model::Bodies& bodies) {
    for (std::size_t i = 0; i < moving(); ++i) {
        const double a = norm(smooth_.rates().acceleration[i]);
        const double speed = std::max({norm(bodies.velocity[i]), reach_[i] * norm(bodies.spin[i]), std::sqrt(a * reach_[i])});
        const double length = 1 / reach_[i], per_speed = speed > 0 ? 1 / speed : 1 / reach_[i];
        const auto at = scale_.begin() + static_cast<std::ptrdiff_t>(i * width());
        std::fill_n(at, 3, length);
        std::fill_n(at + 3, 3, per_speed);
        if (!turns_freely_) {
            std::fill_n(at + 6, 3, reach_[i] * per_speed);
            std::fill_n(at + 9, 4, 1.0);
        }
        std::fill_n(at + static_cast<std::ptrdiff_t>(width() - heat_width), heat_width, per_speed * per_speed);
    }
    scale_.back() = 0;
}

double Flight::error_ratio(double tolerance) const {
    double largest = 0;
    for (std::size_t i = 0; i < scale_.size(); ++i) {
        const double error = std::fabs(dopri_.error[i]) - rounding_part * std::fabs(dopri_.y0[i]);
        const double counted = error * scale_[i];
        if (!(counted <= largest)) largest = counted;  // what is not a number is the worst
    }
    return largest / tolerance;
}

double Flight::time_at(double s) const { return std::min(start_time() + s * dopri_.length(), last_of_step_); }

Pose Flight::pose_at(std::size_t row, double s) const {
    if (row >= moving()) return model::place_at(world_.driven[row - moving()].motion, time_at(s)).pose;
    const std::size_t at = row * width();
    const auto value = [&](std::size_t k) { return dopri_.value(at + k, s); };
    const Vec3 p{value(0), value(1), value(2)};
    if (is_round_[row]) return {p, {}};
    if (!turns_freely_) return {p, unit(Quat{value(9), value(10), value(11), value(12)})};
    return {p, tops_[row].after(s * dopri_.length(), smooth_.frame_rate()).q_WB};
}

const model::Bodies& Flight::bodies_at(double s) {
    for (std::size_t i = 0; i < moving(); ++i) {
        const std::size_t at = i * width();
        const auto value = [&](std::size_t k) { return dopri_.value(at + k, s); };
        stage_.position[i] = {value(0), value(1), value(2)};
        stage_.velocity[i] = {value(3), value(4), value(5)};
        if (turns_freely_) {
            set_turned(i, s * dopri_.length(), stage_);
            continue;
        }
        stage_.spin[i] = {value(6), value(7), value(8)};
        stage_.orientation[i] = unit(Quat{value(9), value(10), value(11), value(12)});
    }
    model::place_driven(world_.driven, moving(), time_at(s), stage_);
    return stage_;
}

void Flight::heat_at(double s, std::vector<BodyHeat>& out) const {
    for (std::size_t i = 0; i < moving(); ++i) {
        double values[heat_width];
        for (std::size_t k = 0; k < heat_width; ++k) values[k] = dopri_.value(i * width() + width() - heat_width + k, s);
        std::memcpy(static_cast<void*>(&out[world_.bodies.group[i]]), values, sizeof(BodyHeat));
    }
}

// s, in which no body covers more than a few times its clearance and its reach.
double Flight::longest_for(const model::Bodies& bodies) const {
    double longest = std::numeric_limits<double>::infinity();
    if (world_.ground.empty()) return longest;
    for (std::size_t i = 0; i < moving(); ++i) {
        const double height = detector_.height(bodies.position[i], std::numeric_limits<double>::max());
        const double allowed = clearances * (std::fmax(height - reach_[i], 0.0) + reach_[i]);
        const double v = norm(bodies.velocity[i]), a = norm(smooth_.rates().acceleration[i]);
        const double root = v + std::sqrt(v * v + 2 * a * allowed);
        if (root > 0) longest = std::min(longest, 2 * allowed / root);
    }
    return longest;
}

Flight::Step Flight::step(const model::Phase& phase, const model::Clock& clock, double wanted, double longest, const model::Bodies& bodies,
                          const std::vector<BodyHeat>& heat) {
    const numerics::StepBounds bounds{phase.error_ratio_min, phase.error_ratio_max, 0, HUGE_VAL};
    const auto rhs = [this](const std::vector<double>& y, std::vector<double>& slope) { slope_at(y, slope); };
    begin(clock, bodies, heat);
    const double most = std::min({longest, longest_for(bodies), jump_ - clock.time()});
    while (true) {
        const double h = std::min(wanted, most);
        dopri_.trial(rhs, h);
        const double ratio = error_ratio(phase.flight_tolerance);
        const numerics::StepChoice choice = numerics::choose_step(std::isfinite(ratio) ? ratio : 1e10, h, 5, bounds);
        if (!choice.is_accepted && clock.time_in_phase + 0.1 * h > clock.time_in_phase) {
            wanted = choice.next;
            continue;
        }
        Step out{.length = h, .next = h < wanted ? std::max(wanted, choice.next) : choice.next, .is_whole = h == longest};
        const Touch touch = first_touch();
        if (touch.at > 1) return out;
        out.touches = true;
        out.is_whole = false;
        out.length = touch.at > 0 ? located(touch, touch.at * h, h) : 0;
        if (out.length == 0) dopri_.trial(rhs, 0);
        return out;
    }
}

// m, no point of the body moves farther in the step: of the polynomial of the dense output, y_0 + s (r2 + (1 - s) (r3 + s (r4 + (1 - s)
// r5))), and of the fastest turning.
double Flight::way(std::size_t i) const {
    const std::size_t at = i * width();
    const Vec3 bound{dopri_.way_bound(at), dopri_.way_bound(at + 1), dopri_.way_bound(at + 2)};
    if (is_round_[i]) return norm(bound);
    double turning = norm(smooth_.frame_rate());
    if (turns_freely_)
        turning += tops_[i].fastest();
    else
        turning += 1.5 * std::max(norm(three(dopri_.y0, at + 6)), norm(three(dopri_.y1, at + 6)));
    return norm(bound) + reach_[i] * turning * dopri_.length();
}

// Likewise of the material points of a driven body near body i.
double Flight::way_of_driven(std::size_t i, const model::Driven& driven) const {
    double speed = 0;
    for (const double s : {0.0, 0.5, 1.0}) {
        const model::GivenPlace place = model::place_at(driven.motion, time_at(s));
        speed = std::max(speed, norm(place.velocity) + norm(place.spin) * (norm(pose_at(i, s).p - place.pose.p) + reach_[i]));
    }
    return 1.5 * speed * dopri_.length();
}

// A lower bound of the gap up to `limit`, exact where it is small; margin: m, above the gap that is expected.
double Flight::ground_gap(std::size_t i, const Pose& pose, double limit, double margin) const {
    const double bound = detector_.height(pose.p, limit + reach_[i]) - reach_[i];
    if (bound >= std::fmin(near_part * reach_[i], limit)) return bound;
    probe_.clear();
    detector_.with_ground(i, pose, margin, probe_);
    double least = margin;
    for (const contact::ContactPoint& c : probe_) least = std::min(least, c.gap);
    return std::fmax(least, bound);
}

double Flight::pair_gap(std::size_t i, std::size_t j, const Pose& a, const Pose& b, double limit, double margin) const {
    double bound = 0;
    if (j < moving())
        bound = norm(a.p - b.p) - reach_[i] - reach_[j];
    else
        bound = detector_.height_over(j, b, a.p, limit + reach_[i]) - reach_[i];
    if (bound >= std::fmin(near_part * reach_[i], limit)) return bound;
    probe_.clear();
    detector_.of_pair(i, j, a, b, margin, probe_);
    double least = margin;
    for (const contact::ContactPoint& c : probe_) least = std::min(least, c.gap);
    return std::fmax(least, bound);
}

double Flight::gap_of(const Touch& pair, double s, double limit, double margin) const {
    const auto a = static_cast<std::size_t>(pair.a);
    if (pair.b == model::ground) return ground_gap(a, pose_at(a, s), limit, margin);
    const auto b = static_cast<std::size_t>(pair.b);
    return pair_gap(a, b, pose_at(a, s), pose_at(b, s), limit, margin);
}

// (1): part of the step up to which the pair does not touch; above 1: not in this step. way: m, of both.
double Flight::touch_of(const Touch& pair, double way) const {
    const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
    const double size = pair.b != model::ground && b < moving() ? std::min(reach_[a], reach_[b]) : reach_[a];
    double margin = 2 * near_part * reach_[a], s = 0, value = gap_of(pair, 0, way, margin);
    if (!(value < way)) return 2;
    const double least = std::min(0.125, least_way * size / way);
    bool has_parted = value > 0;
    while (s < 1) {
        const double next = std::min(1.0, s + std::max(value / way, least));
        margin = std::min(2 * near_part * reach_[a], std::max(value, 0.0) + 2 * (next - s) * way);
        const double after = gap_of(pair, next, way, margin);
        if (after < 0 && has_parted)
            return numerics::bracketed_root([&](double at) { return gap_of(pair, at, way, margin); }, s, next, value, after);
        if (after < 0 && !(after > value)) return s;
        has_parted = has_parted || after > 0;
        s = next;
        value = after;
    }
    return 2;
}

Flight::Touch Flight::first_touch() const {
    Touch first;
    const auto look = [&](std::size_t a, std::int32_t b, double ways) {
        Touch pair{.a = static_cast<std::int32_t>(a), .b = b};
        pair.at = touch_of(pair, ways);
        if (pair.at < first.at) first = pair;
    };
    for (std::size_t i = 0; i < moving(); ++i) {
        const double of_i = way(i);
        if (!world_.ground.empty()) look(i, model::ground, of_i);
        for (std::size_t j = i + 1; j < moving(); ++j) look(i, static_cast<std::int32_t>(j), of_i + way(j));
        for (std::size_t d = 0; d < world_.driven.size(); ++d)
            look(i, static_cast<std::int32_t>(moving() + d), of_i + way_of_driven(i, world_.driven[d]));
    }
    return first;
}

// Takes the step anew until it ends at the touch, (2). Returns its length.
double Flight::located(const Touch& touch, double taken, double longest) {
    constexpr int most_rounds = 8;
    const auto rhs = [this](const std::vector<double>& y, std::vector<double>& slope) { slope_at(y, slope); };
    const auto a = static_cast<std::size_t>(touch.a);
    dopri_.trial(rhs, taken);
    for (int round = 0; round < most_rounds; ++round) {
        const model::Bodies& there = bodies_at(1);
        const double margin = least_way * reach_[a], delta = 0.5 * slack(there);
        probe_.clear();
        const Pose here{there.position[a], there.orientation[a]};
        if (touch.b == model::ground)
            detector_.with_ground(a, here, margin, probe_);
        else
            detector_.of_pair(a, static_cast<std::size_t>(touch.b), here,
                              {there.position[static_cast<std::size_t>(touch.b)], there.orientation[static_cast<std::size_t>(touch.b)]},
                              margin, probe_);
        if (probe_.empty()) return taken;
        const contact::ContactPoint nearest = *std::ranges::min_element(probe_, {}, &contact::ContactPoint::gap);
        if (nearest.gap < 0 && nearest.gap > -2 * delta) return taken;
        const double speed = dot(slip_of(nearest, there), nearest.normal), next = taken - (nearest.gap + delta) / speed;
        if (!(speed < 0) || !(next > 0 && next <= longest)) return taken;
        dopri_.trial(rhs, taken = next);
    }
    return taken;
}

double Flight::slack(const model::Bodies& bodies) const {
    double farthest = 0;
    for (std::size_t i = 0; i < moving(); ++i) farthest = std::max(farthest, norm(bodies.position[i]) + reach_[i]);
    return 16 * std::numeric_limits<double>::epsilon() * farthest;
}

bool Flight::is_clear(const model::Bodies& bodies, double time, double h) {
    smooth_.set_time(time);
    smooth_.set_loads(bodies);
    smooth_.set_rates(bodies, [](std::size_t, Vec3&, Vec3&) {});
    const double least = slack(bodies);
    const auto fall = [&](std::size_t row) { return row < moving() ? falls * h * h * norm(smooth_.rates().acceleration[row]) : 0; };
    const auto pose = [&](std::size_t row) { return Pose{bodies.position[row], bodies.orientation[row]}; };
    for (std::size_t i = 0; i < moving(); ++i) {
        const double of_ground = fall(i) + least;
        if (!world_.ground.empty() && !(ground_gap(i, pose(i), 2 * of_ground, 2 * of_ground) > of_ground)) return false;
        for (std::size_t j = i + 1; j < bodies.position.size(); ++j) {
            const double of_pair = of_ground + fall(j);
            if (!(pair_gap(i, j, pose(i), pose(j), 2 * of_pair, 2 * of_pair) > of_pair)) return false;
        }
    }
    return true;
}

}  // namespace asperity::dynamics
