#include "asperity/reproduce/closed_form.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/scenario/roles.h"

namespace asperity::reproduce {
namespace {

using laws::Completion;
using laws::RollingLaw;
using scenario::Scenario;

constexpr Real never = std::numeric_limits<Real>::infinity();
constexpr Real degrees_real = 57.29577951308232087679815481410517033L;

Real sign(Real a) { return a > 0 ? 1.0L : a < 0 ? -1.0L : 0.0L; }

struct LevelNumbers {
    Real g, r, j, e, f, c;
    RollingLaw law;

    bool is_coupled() const { return law == RollingLaw::coupled; }
    bool holds(const Moment& m) const { return m.rim == 0 && f <= c; }                      // the torque of friction
    Real push(bool is_held) const { return is_coupled() ? 0 : (is_held ? f : c) * g / j; }  // D
    Real slowing() const { return is_coupled() ? c * g / (1 + j) : c * g / j; }             // (6)
};

LevelNumbers numbers_of(const Scenario& s) {
    const scenario::Body& body = *scenario::first_moving(s);
    const laws::PairLaw& law = scenario::ground_contact(s).law;
    return {.g = -static_cast<Real>(s.gravity.uniform.value_or(Vec3{}).z),
            .r = scenario::radius_of(body),
            .j = body.inertia_factor.value_or(0.4),
            .e = law.restitution,
            .f = law.friction,
            .c = law.rolling_resistance,
            .law = law.rolling_law};
}

struct Track {
    Real x, y;  // unit vector

    Real spin_y(Real rim, const LevelNumbers& n) const { return rim / n.r * x; }  // the axis is z cross track
};

Track track_of(const Scenario& s) {
    const Real vx = scenario::first_start(s).given_velocity().x, vy = scenario::first_start(s).given_velocity().y,
               speed = std::sqrt(vx * vx + vy * vy);
    if (!(speed > 0)) return {1, 0};
    return {vx / speed, vy / speed};
}

// (3): the spin about the contact point, v + j q, loses C N; friction makes the ball roll if it can.
void strike_coupled(const LevelNumbers& n, Real normal, Real& v, Real& q) {
    const Real about = v + n.j * q, resist = n.c * normal, most = n.f * normal;
    const Real rolling = sign(about) * std::max(std::abs(about) - resist, 0.0L) / (1 + n.j);
    if (std::abs(v - rolling) <= most) {
        v = q = rolling;
        return;
    }
    const Real friction = sign(v - q) * most, turned = q + friction / n.j;
    v -= friction;
    q = sign(turned) * std::max(std::abs(turned) - resist / n.j, 0.0L);
}

// (2), (3)
void strike(const LevelNumbers& n, Real normal, Real& v, Real& q) {
    if (n.is_coupled()) return strike_coupled(n, normal, v, q);
    const Real hold = (v - q) / (1 + 1 / n.j), most = n.f * normal;
    const Real friction = std::abs(hold) > most ? sign(hold) * most : hold;
    v -= friction;
    q += friction / n.j;
    const Real factor = n.law == RollingLaw::published ? std::abs(q) / n.r : 1.0L;
    const Real turning = sign(q) * std::min(n.c * normal * factor, n.j * std::abs(q));
    q -= turning / n.j;
    const Real slowed = v - turning / n.j;
    v = v * slowed < 0 ? 0 : slowed;  // the force at the centre stops it at most
}

// (1)-(4): fills bounces and settle.
void bounce(const Scenario& s, const LevelNumbers& n, LevelRun& run) {
    const Real vz = scenario::first_start(s).given_velocity().z, height = scenario::first_start(s).given_position().z - n.r;
    Moment now = run.settle;
    Real fall = (vz + std::sqrt(vz * vz + 2 * n.g * height)) / n.g;
    Real speed = n.g * fall - vz;
    const Real end_speed = scenario::ground_contact(s).law.bounce_end_speed > 0
                               ? static_cast<Real>(scenario::ground_contact(s).law.bounce_end_speed)
                               : std::sqrt(2 * n.g * n.r * static_cast<Real>(scenario::ground_contact(s).law.bounce_end_height));
    const auto hit = [&](Real flight, Real normal) {
        now.time += flight;
        now.way += now.speed * flight;
        if (scenario::ground_contact(s).law.impact_friction) strike(n, normal, now.speed, now.rim);
    };
    Real flight = fall;
    do {
        hit(flight, (1 + n.e) * speed);
        speed *= n.e;
        run.bounces.push_back({now, speed});
        flight = 2 * speed / n.g;
    } while (speed >= end_speed);
    if (scenario::ground_contact(s).law.completion == Completion::virtual_) hit(0, (1 + n.e) * speed / (1 - n.e));
    if (scenario::ground_contact(s).law.completion == Completion::series) {
        for (const Real first = speed; speed > 1e-24L * first; speed *= n.e) hit(2 * speed / n.g, (1 + n.e) * speed);
        hit(2 * speed / (n.g * (1 - n.e)), (1 + n.e) * speed / (1 - n.e));
    }
    run.settle = now;
}

Moment after(const Stretch& s, Real t) {
    return {s.start.time + t, s.start.way + s.start.speed * t + s.speed_rate * t * t / 2, s.start.speed + s.speed_rate * t,
            s.start.rim + s.rim_rate * t};
}

Real time_to_zero(Real value, Real rate) { return value * rate < 0 ? -value / rate : never; }

// (5): until the slip is zero. The spin may pass through zero on the way.
Moment slide(const LevelNumbers& n, Moment now, std::vector<Stretch>& stretches) {
    while (std::abs(now.speed - now.rim) > 1e-16L * (std::abs(now.speed) + std::abs(now.rim))) {
        const bool is_held = n.holds(now);
        const Real u = now.speed - now.rim, turn = now.rim != 0 ? sign(now.rim) : sign(u);
        Stretch s{.start = now,
                  .speed_rate = -n.f * n.g * sign(u) - n.push(is_held) * turn,
                  .rim_rate = is_held ? 0 : (n.f * n.g * sign(u) - n.c * n.g * turn) / n.j};
        const Real to_sync = time_to_zero(u, s.speed_rate - s.rim_rate), to_turn = time_to_zero(now.rim, s.rim_rate);
        s.duration = std::min(to_sync, to_turn);
        ASPERITY_REQUIRE(s.duration < never, "the slide has no end");
        now = after(s, s.duration);
        if (to_turn <= to_sync) now.rim = 0;
        if (to_sync <= to_turn) now.rim = now.speed;
        stretches.push_back(s);
    }
    return now;
}

// (8)
template <class F>
Real falling_root(const F& f, Real low, Real high) {
    for (int i = 0; i < 200; ++i) {
        const Real middle = low + (high - low) / 2;
        (f(middle) > 0 ? low : high) = middle;
    }
    return low;
}

Real edge_angle(const Scenario& s) {
    const LevelNumbers n = numbers_of(s);
    const Real v0 = scenario::first_start(s).given_velocity().x, y0 = v0 * v0 / (n.g * n.r), f = n.f;
    const auto rolling = [&](Real a) { return y0 + 4 * std::sin(a / 2) * std::sin(a / 2) / (1 + n.j); };
    const auto load = [&](Real a) { return std::cos(a) - rolling(a); };
    const Real limit = std::acos((2 + (1 + n.j) * y0) / (3 + n.j));  // where a ball that never slips leaves
    const Real slip = falling_root([&](Real a) { return f * load(a) - std::sin(a) * n.j / (1 + n.j); }, 0, limit);
    const Real scale = 1 + 4 * f * f, p = -6 * f / scale, q = (4 * f * f - 2) / scale;
    const Real rest = rolling(slip) - p * std::sin(slip) - q * std::cos(slip);
    const auto left = [&](Real a) { return std::cos(a) - rest * std::exp(2 * f * (a - slip)) - p * std::sin(a) - q * std::cos(a); };
    return falling_root(left, slip, limit) * degrees_real;
}

// y0 + b x + c x^2 over 0 <= x <= 1.
struct Parabola {
    Real y0, b, c;
};

Parabola through(Real start, Real middle, Real end) { return {start, 4 * middle - 3 * start - end, 2 * (start - 2 * middle + end)}; }

// The largest rise of a quantity above its least value so far.
Real rise(const std::vector<Parabola>& pieces) {
    Real least = never, most = 0;
    for (const auto& [y0, b, c] : pieces) {
        const Real turn = c != 0 ? std::clamp(-b / (2 * c), 0.0L, 1.0L) : 0;
        for (const Real x : {0.0L, turn, 1.0L}) {
            const Real y = y0 + b * x + c * x * x;
            least = std::min(least, y);
            most = std::max(most, y - least);
        }
    }
    return most;
}

Real energy(const Moment& m, const LevelNumbers& n) { return (m.speed * m.speed + n.j * m.rim * m.rim) / 2; }

Real energy_rise(const LevelRun& run, const LevelNumbers& n) {
    std::vector<Parabola> pieces;
    for (const Stretch& s : run.stretches)
        pieces.push_back(through(energy(s.start, n), energy(after(s, s.duration / 2), n), energy(after(s, s.duration), n)));
    return rise(pieces) / energy(run.settle, n);
}

// Rolling resistance takes C g |q| + D v sign q: negative where D pushes forwards on backspin.
Real rolling_heat_drop(const LevelRun& run, const LevelNumbers& n) {
    std::vector<Parabola> pieces;
    Real heat = 0;
    for (const Stretch& s : run.stretches) {
        const Moment halfway = after(s, s.duration / 2);
        const Real turn = sign(halfway.rim != 0 ? halfway.rim : halfway.speed), push = n.push(n.holds(halfway));
        const auto taken = [&](Real t) {  // the rate is linear in time: its mean is that of the middle
            const Moment middle = after(s, t / 2);
            return t * turn * (n.c * n.g * middle.rim + push * middle.speed);
        };
        pieces.push_back(through(-heat, -heat - taken(s.duration / 2), -heat - taken(s.duration)));
        heat += taken(s.duration);
    }
    return rise(pieces) / energy(run.settle, n);
}

std::optional<Real> of_bounce(const Bounce& b, std::string_view name, const Scenario& s) {
    const Track track = track_of(s);
    if (name == "impact_time") return b.after.time;
    if (name == "impact_position_x") return scenario::first_start(s).given_position().x + track.x * b.after.way;
    if (name == "impact_velocity_x") return track.x * b.after.speed;
    if (name == "impact_normal_speed_out") return b.normal_out;
    if (name == "impact_spin_y") return track.spin_y(b.after.rim, numbers_of(s));
    return {};
}

std::optional<Real> of_moment(const std::optional<Moment>& m, std::string_view name, const Scenario& s) {
    if (!m) return {};
    const Track track = track_of(s);
    if (name == "time") return m->time;
    if (name == "position_x") return scenario::first_start(s).given_position().x + track.x * m->way;
    if (name == "position_y") return scenario::first_start(s).given_position().y + track.y * m->way;
    if (name == "velocity_x") return track.x * m->speed;
    if (name == "spin_y") return track.spin_y(m->rim, numbers_of(s));
    return {};
}

// The approach speed at the wall of a ball that rolls there after its bounces, from the start.
std::optional<Real> approach_of(const Scenario& s) {
    const scenario::Body* ground = scenario::roles_of(s).ground;
    const auto* surface = ground != nullptr ? ground->as<scenario::SurfaceShape>() : nullptr;
    const auto* table = surface != nullptr ? std::get_if<geometry::TableWorld>(&surface->kind) : nullptr;
    const LevelRun run = level_run(s);
    if (table == nullptr || !run.sync) return {};
    const LevelNumbers n = numbers_of(s);
    const Real way = (scenario::first_start(s).given_position().x - (table->wall + n.r)) - run.sync->way;
    const Real squared = run.sync->speed * run.sync->speed - 2 * n.slowing() * way;
    if (!(way > 0) || !(squared > 0)) return {};
    return std::sqrt(squared);
}

std::optional<Real> of_wall(const Scenario& s, std::string_view name) {
    const auto approach = approach_of(s);
    if (!approach) return {};
    const WallImpact wall = wall_impact(s, *approach);
    if (name == "velocity_x") return wall.velocity_x;
    if (name == "velocity_z") return wall.velocity_z;
    if (name == "spin_y") return wall.spin_y;
    if (name == "height_max") return wall.height_max;
    return {};
}

// Quantities of the law alone.
std::optional<Real> of_law(const Scenario& s, std::string_view name) {
    const LevelNumbers n = numbers_of(s);
    if (name == "rest_slope") return std::min(n.f, n.c) * (n.is_coupled() ? 1 : 1 + 1 / n.j);  // (9)
    if (name == "roll_deceleration") return n.slowing();
    if (name == "separation_angle") return edge_angle(s);
    if (name == "separation_angle_limit") return std::acos(2 / (3 + n.j)) * degrees_real;
    if (name == "energy_rise" && n.is_coupled()) return 0.0L;
    return {};
}

}  // namespace

LevelRun level_run(const Scenario& s) {
    const LevelNumbers n = numbers_of(s);
    const Track track = track_of(s);
    const scenario::BodyStart& start = scenario::first_start(s);
    const Vec3 v = start.given_velocity(), w = start.spin.value_or(Vec3{});
    LevelRun run;
    run.settle = {.speed = track.x * v.x + track.y * v.y, .rim = n.r * (track.x * w.y - track.y * w.x)};
    if (!scenario::first_start(s).in_contact) bounce(s, n, run);
    run.sync = slide(n, run.settle, run.stretches);
    if (n.slowing() > 0) {
        const Real rate = -sign(run.sync->speed) * n.slowing();
        run.stretches.push_back({*run.sync, std::abs(run.sync->speed) / n.slowing(), rate, rate});
        run.stop = after(run.stretches.back(), run.stretches.back().duration);
    }
    return run;
}

WallImpact wall_impact(const Scenario& s, Real approach) {
    const LevelNumbers n = numbers_of(s);
    Real up = 0, rim = approach;  // up along the wall, a ball that rolls towards it would climb
    strike(n, (1 + n.e) * approach, up, rim);
    return {.velocity_x = n.e * approach, .velocity_z = up, .spin_y = -rim / n.r, .height_max = n.r + up * up / (2 * n.g)};
}

std::optional<Real> closed_form(const Scenario& s, std::string_view quantity) {
    if (const auto law = of_law(s, quantity)) return law;
    if (quantity.starts_with("wall_")) return of_wall(s, quantity.substr(5));
    const LevelRun run = level_run(s);
    if (quantity == "energy_rise" || quantity == "rolling_heat_drop") {
        if (!scenario::first_start(s).in_contact) return {};
        return quantity == "energy_rise" ? energy_rise(run, numbers_of(s)) : rolling_heat_drop(run, numbers_of(s));
    }
    if (const std::size_t bracket = quantity.find('['); bracket != std::string_view::npos) {
        const std::string index(quantity.substr(bracket + 1, quantity.size() - bracket - 2));
        const std::size_t k = index == "last" ? run.bounces.size() - 1 : std::stoul(index);
        if (k >= run.bounces.size()) return {};
        return of_bounce(run.bounces[k], quantity.substr(0, bracket), s);
    }
    for (const auto& [name, moment] :
         {std::pair<std::string_view, std::optional<Moment>>{"settle_", run.settle}, {"sync_", run.sync}, {"stop_", run.stop}})
        if (quantity.starts_with(name)) return of_moment(moment, quantity.substr(name.size()), s);
    return {};
}

}  // namespace asperity::reproduce
