// A made record: a ball that bounces over a plane and then rolls to rest, in closed form. No method computes it, so that records and
// reports are tested without one.
#pragma once
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "asperity/record/record.h"

namespace asperity::test {

// A folder of its own for each test, empty, inside the build folder.
inline std::filesystem::path fresh_folder(const std::string& name) {
    const auto folder = std::filesystem::path(ASPERITY_BINARY_DIR) / "test_output" / name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

struct BouncingBall {
    double radius = 0.05;   // m
    double mass = 0.5;      // kg
    double gravity = 0.01;  // m/s^2
    double height = 2;      // m, of the lowest point at the start
    double speed = 0.04;    // m/s, along x; friction does not act
    double restitution = 0.65;
    double roll_deceleration = 2e-4;  // m/s^2, from the last bounce on
    int bounces = 12;
};

// Heights of the centre between impacts: z = r + h0 - g t^2 / 2 at first, then parabolas with rebound speed e^k v1.
class BallMotion {
public:
    explicit BallMotion(const BouncingBall& ball) : ball_(ball) {
        const double first = std::sqrt(2 * ball.height / ball.gravity);
        impact_time = {first};
        speed_in = {ball.gravity * first};
        for (int k = 1; k <= ball.bounces; ++k) {
            const double out = ball.restitution * speed_in.back();
            impact_time.push_back(impact_time.back() + 2 * out / ball.gravity);
            speed_in.push_back(out);
        }
        stop_time = impact_time.back() + ball.speed / ball.roll_deceleration;
    }

    model::Sample at(double time) const {
        model::Sample s{.time = time};
        const double first_energy = ball_.mass * (ball_.gravity * (ball_.height + ball_.radius) + 0.5 * ball_.speed * ball_.speed);
        double z = ball_.radius + ball_.height - 0.5 * ball_.gravity * time * time;
        double vz = -ball_.gravity * time;
        for (std::size_t k = 0; k + 1 < impact_time.size(); ++k) {
            if (time < impact_time[k]) break;
            const double t = time - impact_time[k];
            vz = ball_.restitution * speed_in[k] - ball_.gravity * t;
            z = ball_.radius + (ball_.restitution * speed_in[k] - 0.5 * ball_.gravity * t) * t;
        }
        double x = ball_.speed * time;
        double vx = ball_.speed;
        if (time >= impact_time.back()) {
            const double t = std::min(time, stop_time) - impact_time.back();
            z = ball_.radius;
            vz = 0;
            vx = ball_.speed - ball_.roll_deceleration * t;
            x = ball_.speed * impact_time.back() + (ball_.speed - 0.5 * ball_.roll_deceleration * t) * t;
            s.mode = time >= stop_time ? model::Mode::rest : t < 40 ? model::Mode::slide : model::Mode::roll;
            s.spin = {0, std::min(1.0, t / 40) * vx / ball_.radius, 0};
            s.slip_speed = std::max(0.0, 1 - t / 40) * vx;
        }
        s.position = {x, 0.3 * x, z};
        s.velocity = {vx, 0.3 * vx, vz};
        s.ledger.kinetic = 0.5 * ball_.mass * (vx * vx + vz * vz);
        s.ledger.rotational = 0.2 * ball_.mass * std::pow(ball_.radius * s.spin.y, 2);
        s.ledger.potential = ball_.mass * ball_.gravity * z;
        const double heat = first_energy - s.ledger.kinetic - s.ledger.rotational - s.ledger.potential;
        s.ledger.heat_impact =
            time < impact_time.back() ? heat : first_energy - ball_.mass * (0.5 * ball_.speed * ball_.speed + ball_.gravity * ball_.radius);
        s.ledger.heat_friction = 0.4 * (heat - s.ledger.heat_impact);
        s.ledger.heat_rolling = heat - s.ledger.heat_impact - s.ledger.heat_friction;
        return s;
    }

    std::vector<double> impact_time;  // s
    std::vector<double> speed_in;     // m/s
    double stop_time = 0;             // s

private:
    BouncingBall ball_;
};

// Gives every field of State one row, or a value, of its own: through describe(), so that a field that is new is tested by being listed.
class FillState {
public:
    explicit FillState(const model::Sample& sample) : sample_(sample) {}

    template <class Block>
    void block(const char*, Block& block) {
        describe(*this, block);
    }
    template <class T>
    void field(const char*, std::vector<T>& values, const char*, const char*) {
        values.resize(1);
        field("", values[0], "", "");
    }
    void field(const char*, double& value, const char*, const char*) { value = sample_.time + ++fields_; }
    template <class Integer>
    requires std::is_integral_v<Integer> || std::is_enum_v<Integer>
    void field(const char*, Integer& value, const char*, const char*) { value = static_cast<Integer>(++fields_); }
    void field(const char*, Vec3& value, const char*, const char*) { value = sample_.position * ++fields_; }
    void field(const char*, Quat& value, const char*, const char*) { value = {0.5, 0.25, 0.125, 1.0 * ++fields_}; }

private:
    model::Sample sample_;
    int fields_ = 0;
};

// A state of a run without phases, as far as the clock goes; the rest is made up.
inline model::State state_at(const model::Sample& s, std::int64_t steps) {
    model::State state;
    FillState fill(s);
    describe(fill, state);
    state.clock = {.phase = 0, .phase_start = 0, .time_in_phase = s.time, .steps = steps};
    state.contacts.a = {0};
    state.contacts.b = {model::ground};
    state.contacts.memory_width = 1;
    return state;
}

// A square of bumpy ground, n x n cells.
inline record::Surface ground(int n, double size, double bump) {
    record::Surface surface;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            surface.vertices.push_back(
                {size * (i - 0.2 * n) / n, size * (j - 0.4 * n) / n, bump * (std::sin(1.7 * i) + std::cos(1.3 * j) - 2)});
    for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t a = j * (n + 1) + i;
            surface.facets.push_back({a, a + 1, a + n + 2});
            surface.facets.push_back({a, a + n + 2, a + n + 1});
        }
    return surface;
}

inline record::Record bouncing_record(double interval) {
    const BouncingBall ball;
    const BallMotion motion(ball);
    record::Record record;
    record.header = {.asperity_version = "0.1.0",
                     .git_commit = "0123456789ab",
                     .compiler = "g++ 12",
                     .compiler_flags = "-O2",
                     .scenario_name = "bouncing ball",
                     .scenario_hash = "00112233445566778899aabbccddeeff"};
    record.scenario = "# A ball falls, bounces and rolls to rest.\n[run]\nend = \"2 h\"\n\n[contact]\nrestitution = 0.65\n";
    record.surface = ground(24, 40, 0.2);
    const double end = motion.stop_time + 20;
    for (std::int64_t n = 0; static_cast<double>(n) * interval <= end; ++n)
        record.samples.push_back(motion.at(static_cast<double>(n) * interval));
    for (std::size_t k = 0; k < motion.impact_time.size(); ++k) {
        const bool is_last = k + 1 == motion.impact_time.size();
        const model::Sample s = motion.at(motion.impact_time[k]);
        const double out = is_last ? 0 : ball.restitution * motion.speed_in[k];
        record.events.push_back({.kind = is_last ? model::EventKind::settle : model::EventKind::impact,
                                 .time = s.time,
                                 .feature = static_cast<std::int64_t>(3 * k),
                                 .position = s.position,
                                 .velocity = s.velocity,
                                 .spin = s.spin,
                                 .normal = {0, 0, 1},
                                 .normal_speed_in = motion.speed_in[k],
                                 .normal_speed_out = out,
                                 .heat = 0.5 * ball.mass * (motion.speed_in[k] * motion.speed_in[k] - out * out),
                                 .mode = s.mode});
    }
    for (const auto& [kind, time] :
         {std::pair{model::EventKind::roll, motion.impact_time.back() + 40}, {model::EventKind::rest, motion.stop_time}}) {
        const model::Sample s = motion.at(time);
        record.events.push_back({.kind = kind,
                                 .time = time,
                                 .feature = 40,
                                 .position = s.position,
                                 .velocity = s.velocity,
                                 .spin = s.spin,
                                 .normal = {0, 0, 1},
                                 .mode = s.mode});
    }
    for (const double time : {10.0, 45.0, 120.0}) {
        record::Checkpoint checkpoint{.time = time, .state = state_at(motion.at(time), static_cast<std::int64_t>(time))};
        for (const auto& s : record.samples) checkpoint.samples += s.time <= time ? 1 : 0;
        for (const auto& e : record.events) checkpoint.events += e.time <= time ? 1 : 0;
        record.checkpoints.push_back(checkpoint);
    }
    record.tables.push_back({.name = "landers/8.2",
                             .description = "Published value, ours, difference, verdict.",
                             .columns = {{"quantity", "", "", std::vector<std::string>{"t1", "z'"}},
                                         {"published", "", "", std::vector<double>{19.25, 0.19}},
                                         {"rows in the paper", "", "", std::vector<std::int64_t>{1, 2}},
                                         {"verdict", "", "", std::vector<std::string>{"ok", "failed"}}}});
    record.metrics = {{"stop_time", motion.stop_time, "s"},
                      {"impact_time", motion.impact_time, "s"},
                      {"configuration", std::string("on a facet"), ""},
                      {"only_one", std::vector<double>{1.5}, "m"},
                      {"none", std::vector<double>{}, "m"}};
    record.outcome = model::Outcome{.kind = model::OutcomeKind::rest, .time = motion.stop_time, .message = "at rest in equilibrium"};
    record.warnings = {"a made record"};
    return record;
}

}  // namespace asperity::test
