#include "asperity/analysis/resting_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace asperity::analysis {
namespace {

constexpr double change_accuracy = 1e-12;  // of H^2
constexpr double points_a_decade = 300;    // of the sweep
constexpr double extreme = 1e30;           // H^2 that is very much, over that of spheres in touch

// How many branches of a configuration of bodies in this order there are.
struct Branches {
    int stable = 0, unstable = 0;
    int all() const { return stable + unstable; }
    bool operator==(const Branches&) const = default;
};
using Kind = std::pair<Configuration, std::array<int, 3>>;

struct Present {
    std::map<Kind, Branches> kinds;
    std::vector<Kind> grounds;  // of the least energy, to rounding
    bool has_ground(const Kind& kind) const { return std::find(grounds.begin(), grounds.end(), kind) != grounds.end(); }
    Branches of(const Kind& kind) const {
        const auto found = kinds.find(kind);
        return found == kinds.end() ? Branches{} : found->second;
    }
};

Present present_at(std::span<const Sphere> spheres, double momentum2, double g) {
    const std::vector<RestingEquilibrium> list = resting_equilibria(spheres, momentum2, g);
    const RestingEquilibrium& ground = ground_state(list);
    Present out;
    for (const RestingEquilibrium& q : list) {
        const Kind kind{q.configuration, q.order};
        ++(q.is_stable ? out.kinds[kind].stable : out.kinds[kind].unstable);
        if (is_ground(q, ground)) out.grounds.push_back(kind);
    }
    return out;
}

std::string kind_text(const Kind& kind, std::size_t count) {
    return fmt::format("{} {}", name(kind.first), bodies_text({.order = kind.second}, count));
}

ChangeKind change_kind(const Branches& below, const Branches& above) {
    if (below.all() == 0) return ChangeKind::begins;
    if (above.all() == 0) return ChangeKind::ends;
    return below.all() != above.all() ? ChangeKind::branches : ChangeKind::stability;
}

const char* stability_text(const Branches& there) {
    return there.unstable == 0 ? "stable" : there.stable == 0 ? "unstable" : "one branch stable, one not";
}

RestingChange change_of(const Kind& kind, const Branches& below, const Branches& above, double momentum2, std::size_t count) {
    RestingChange change{.momentum2 = momentum2, .kind = change_kind(below, above), .configuration = kind.first};
    change.text = kind_text(kind, count);
    switch (change.kind) {
        case ChangeKind::begins: change.text += fmt::format(" exists above, {}", stability_text(above)); break;
        case ChangeKind::ends: change.text += fmt::format(" exists below, {}", stability_text(below)); break;
        case ChangeKind::branches:
            change.text +=
                fmt::format(" has {} branches below, {} above: {} one {}", below.all(), above.all(),
                            below.stable != above.stable ? "a stable" : "an unstable", below.all() > above.all() ? "ends" : "begins");
            break;
        case ChangeKind::stability: change.text += fmt::format(" is stable {}", above.stable > below.stable ? "above" : "below"); break;
        case ChangeKind::ground: break;  // of two configurations: add_changes()
    }
    return change;
}

// What the sweep has come to: where several have the least energy, the one that had it first goes on to be the ground state.
struct Reached {
    Present present;
    Kind ground;
    explicit Reached(Present now) : present(std::move(now)), ground(present.grounds.front()) {}
    bool goes_on_in(const Present& next) const { return present.kinds == next.kinds && next.has_ground(ground); }
    void come_to(Present next) {
        present = std::move(next);
        if (!present.has_ground(ground)) ground = present.grounds.front();
    }
};

void add_changes(std::vector<RestingChange>& out, const Reached& reached, const Present& above, double momentum2, std::size_t count) {
    const Present& below = reached.present;
    std::map<Kind, Branches> kinds = below.kinds;
    kinds.insert(above.kinds.begin(), above.kinds.end());
    for (const auto& [kind, unused] : kinds)
        if (below.of(kind) != above.of(kind)) out.push_back(change_of(kind, below.of(kind), above.of(kind), momentum2, count));
    if (!above.has_ground(reached.ground))
        out.push_back({.momentum2 = momentum2,
                       .kind = ChangeKind::ground,
                       .configuration = reached.ground.first,
                       .text = fmt::format("{} has the least energy below, {} above", kind_text(reached.ground, count),
                                           kind_text(above.grounds.front(), count))});
}

// From where the list is still that of hardly any momentum to where it is that of very much.
std::pair<double, double> range_of(std::span<const Sphere> spheres, double g) {
    double mass = 0, spin = 0, size = 0;
    for (const Sphere& s : spheres) mass += s.m, spin += 0.4 * s.m * s.r * s.r, size += 2 * s.r;
    const double unit = spin * spin * g * mass / (size * size * size);
    const std::map<Kind, Branches> least = present_at(spheres, unit / extreme, g).kinds,
                                   most = present_at(spheres, unit * extreme, g).kinds;
    double low = unit, high = unit;
    while (low > unit / extreme && present_at(spheres, low, g).kinds != least) low /= 10;
    while (high < unit * extreme && present_at(spheres, high, g).kinds != most) high *= 10;
    return {low / 10, 10 * high};  // energies may cross a little further out
}

}  // namespace

std::vector<RestingChange> resting_changes(std::span<const Sphere> spheres, double g) {
    const auto at = [&](double momentum2) { return present_at(spheres, momentum2, g); };
    const auto [low, high] = range_of(spheres, g);
    const int points = static_cast<int>(std::ceil(points_a_decade * std::log10(high / low)));
    std::vector<RestingChange> out;
    double from = low;
    Reached here(at(from));
    for (int k = 1; k <= points; ++k) {
        const double to = low * std::pow(high / low, static_cast<double>(k) / points);
        const Present there = at(to);
        while (!here.goes_on_in(there)) {
            double a = from, b = to;
            Present above = there;
            while (b - a > change_accuracy * b) {
                const double middle = 0.5 * (a + b);
                Present now = at(middle);
                if (here.goes_on_in(now)) {
                    a = middle;
                } else {
                    b = middle;
                    above = std::move(now);
                }
            }
            add_changes(out, here, above, b, spheres.size());
            here.come_to(std::move(above));
            from = b;
        }
        from = to;
    }
    return out;
}

std::string bodies_text(const RestingEquilibrium& equilibrium, std::size_t count) {
    std::string text;
    for (std::size_t k = 0; k < count; ++k) text += fmt::format("{}{}", k == 0 ? "" : "-", equilibrium.order[k] + 1);
    return text;
}

}  // namespace asperity::analysis
