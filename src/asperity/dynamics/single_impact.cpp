#include "asperity/dynamics/single_impact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "asperity/numerics/bracket.h"
#include "asperity/numerics/runge_kutta.h"

namespace asperity::dynamics {
namespace {

constexpr double rounding = 1e-13;   // of the velocity: slower slip has ended; slip that turns by less is straight
constexpr double tolerance = 1e-12;  // of the velocity, an error of a step
constexpr double of_slip = 1e-4;     // the same, of slip that comes to its end
constexpr int most_steps = 100000;
constexpr double endless = std::numeric_limits<double>::infinity();

double slip_of(const Vec3& u) { return std::hypot(u.y, u.z); }
Vec3 across(const Vec3& u) { return {0, u.y, u.z}; }

// (W_tt + c 1) x = b across the normal.
Vec3 solved_across(const CoulombBlock& w, double part, double c, const Vec3& b) {
    const double zz = w.is_central ? w.yy : w.zz, yy = part * w.yy + c, z2 = part * zz + c, yz = part * w.yz;
    const double determinant = yy * z2 - yz * yz;
    return {0, (z2 * b.y - yz * b.z) / determinant, (yy * b.z - yz * b.y) / determinant};
}

class Path {
public:
    Path(const CoulombBlock& w, const Vec3& before, const ImpactLaw& law)
        : w_(w), law_(law), speed_(norm(before)), before_(before), u_(before) {}

    // Whether it has come to its end.
    bool run() {
        step_ = 0.1 / std::fmax(w_.nn, norm(w_.times({0, law_.friction, law_.friction})));
        for (int n = 0; n < most_steps && std::isfinite(squared_norm(p_)); ++n) {
            speed_ = std::fmax(speed_, norm(u_));
            const double slip = slip_of(u_);
            if (!(law_.friction > 0)) return go_straight({1, 0, 0}, endless);
            if (slip <= rounding * speed_) return go_from_standstill();
            const Vec3 along = across(u_) / slip, way = Vec3{1, 0, 0} - law_.friction * along, change = w_.times(way);
            const double grows = dot(across(change), along), turns = norm(across(change) - grows * along), size = norm(change);
            if (turns <= rounding * size || (grows < 0 && turns * slip <= rounding * size * speed_)) {
                if (go_straight(way, grows < 0 ? -slip / grows : endless)) return true;
                u_.y = u_.z = 0;
                continue;
            }
            if (turn()) return true;
        }
        return false;
    }
    SingleImpact result() const { return {.impulse = p_, .heat = work_in_ - work_out_}; }

private:
    // (3), (4)
    bool go_from_standstill() {
        const Vec3 coupled{0, w_.is_central ? 0 : w_.ny, w_.is_central ? 0 : w_.nz};
        const Vec3 holding = -solved_across(w_, 1, 0, coupled);
        if (norm(holding) <= law_.friction) return go_straight(Vec3{1, 0, 0} + holding, endless);
        const auto excess = [&](double c) { return norm(solved_across(w_, law_.friction, c, coupled)) - 1; };
        const double most = norm(coupled), c = numerics::bracketed_root(excess, 0, most, excess(0), excess(most));
        return go_straight(Vec3{1, 0, 0} - law_.friction * unit(solved_across(w_, law_.friction, c, coupled)), endless);
    }

    // What restitution still has to do at this normal speed: m/s, N s, J.
    double left(double speed, double rebounded, double work) const {
        const double e = law_.restitution;
        switch (law_.restitution_law) {
            case laws::RestitutionLaw::newton: return e * -before_.x - speed;
            case laws::RestitutionLaw::poisson: return e * compressed_ - rebounded;
            case laws::RestitutionLaw::stronge: return e * e * work_in_ - work;
        }
        return 0;
    }

    // How much more p_n restitution takes where the normal speed changes by `rate` for each; endless where it does not end so.
    double way_to_end(double rate) const {
        const double wanted = left(u_.x, rebounded_, work_out_);
        if (!(wanted > 0)) return 0;
        if (law_.restitution_law == laws::RestitutionLaw::newton) return rate > 0 ? wanted / rate : endless;
        if (law_.restitution_law == laws::RestitutionLaw::poisson) return wanted;
        const double square = u_.x * u_.x + 2 * rate * wanted;
        return square > 0 ? 2 * wanted / (u_.x + std::sqrt(square)) : endless;
    }

    void advance(const Vec3& way, const Vec3& change, double by) {
        const double work = by * (u_.x + 0.5 * by * change.x);
        (is_rebounding_ ? rebounded_ : compressed_) += by;
        (is_rebounding_ ? work_out_ : work_in_) += is_rebounding_ ? work : -work;
        p_ += by * way;
        u_ += by * change;
    }

    // Along a straight line, no farther than `limit` of p_n; whether the impact ends there.
    bool go_straight(const Vec3& way, double limit) {
        const Vec3 change = w_.times(way);
        if (!is_rebounding_) {
            const double by = change.x > 0 ? -u_.x / change.x : endless;
            if (!(by <= limit)) {
                advance(way, change, limit);
                return false;
            }
            advance(way, change, by);
            limit -= by;
            turn_round();
        }
        const double by = way_to_end(change.x);
        const double falls = change.x < 0 ? u_.x / -change.x : endless;  // until it is compressed again
        if (by <= std::fmin(limit, falls)) {
            advance(way, change, by);
            return true;
        }
        if (falls < limit) {
            advance(way, change, falls);
            turn_round();
            limit -= falls;
        }
        advance(way, change, limit);
        return false;
    }

    void turn_round() {
        u_.x = 0;
        is_rebounding_ = !is_rebounding_;
    }

    // Slip that turns, a step of it, no farther than to the end of compression or of the impact; whether that ends.
    bool turn() {
        using State = numerics::Vector<4>;  // change of p, along n, y, z; work of p_n
        const auto rate = [&](const State& y) {
            const Vec3 u = u_ + w_.times(y.three(0));
            const double slip = slip_of(u);
            return State{slip, -law_.friction * u.y, -law_.friction * u.z, u.x * slip};
        };
        const State start{}, first = rate(start);
        if (!is_rebounding_ && u_.x >= 0 && w_.times(first.three(0)).x >= 0) {  // it is not driven in
            turn_round();
            return !(left(0, rebounded_, work_out_) > 0);
        }
        const auto stepped = [&](double h) { return numerics::Dopri5::step(rate, start, first, h); };
        while (true) {
            const numerics::Step<4> taken = stepped(step_);
            const double allowed = std::fmin(tolerance * speed_, of_slip * slip_of(u_));
            const double error = norm(w_.times(taken.error.three(0))) / allowed, h = step_;
            if (!std::isfinite(error)) return false;
            step_ *= error > 0 ? std::clamp(0.9 * std::pow(error, -0.2), 0.2, 4.0) : 4.0;
            if (error <= 1) return take(taken.y1, h, [&](double part) { return stepped(part).y1; });
        }
    }

    template <class Stepped>
    bool take(numerics::Vector<4> y, double h, const Stepped& stepped) {
        const auto speed_at = [&](const numerics::Vector<4>& at) { return u_.x + w_.times(at.three(0)).x; };
        // Above zero until compression ends; until the impact ends, or compression begins again.
        const auto before_event = [&](const numerics::Vector<4>& at) {
            const double speed = speed_at(at);
            if (!is_rebounding_) return -speed;
            return speed < 0 ? speed : left(speed, rebounded_ + at[0], work_out_ + at[3]);
        };
        const double now = before_event({}), then = before_event(y);
        const bool is_event = then <= 0;
        if (is_event && now == 0) {  // driven in from zero, and back within the step
            step_ = 0.25 * h;
            return false;
        }
        bool has_ended = is_rebounding_ && speed_at(y) >= 0;
        if (is_event) {
            const double part = numerics::bracketed_root([&](double s) { return before_event(stepped(s)); }, 0, h, now, then);
            y = stepped(part);
            has_ended = is_rebounding_ && speed_at(y) > rounding * speed_;  // else it is compressed again
        }
        (is_rebounding_ ? rebounded_ : compressed_) += y[0];
        (is_rebounding_ ? work_out_ : work_in_) += is_rebounding_ ? y[3] : -y[3];
        p_ += y.three(0);
        u_ += w_.times(y.three(0));
        if (!is_event) return false;
        if (has_ended) return true;
        turn_round();
        return is_rebounding_ && !(left(0, rebounded_, work_out_) > 0);
    }

    const CoulombBlock& w_;
    const ImpactLaw& law_;
    double speed_;  // m/s, the scale
    Vec3 before_, u_;
    Vec3 p_;
    bool is_rebounding_ = false;
    double compressed_ = 0, rebounded_ = 0;  // N s, of p_n
    double work_in_ = 0, work_out_ = 0;      // J
    double step_ = 0;                        // kg, of dp_n / |u_t|
};

}  // namespace

std::optional<SingleImpact> single_impact(const CoulombBlock& w, const Vec3& before, const ImpactLaw& law) {
    Path path(w, before, law);
    if (!path.run() || !std::isfinite(squared_norm(path.result().impulse))) return std::nullopt;
    return path.result();
}

}  // namespace asperity::dynamics
