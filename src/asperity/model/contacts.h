// The active contacts (the active set): which bodies touch, on which features, and the history that a restart needs.
//
// A contact is between the bodies of rows a and b, with the normal from b to a; where b is `ground`, between a and what stands still in the
// frame of the run. Two bodies are named by a < b. `feature` tells the contacts of one pair apart. Sorted by (a, b, feature).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"

namespace asperity::model {

inline constexpr std::int32_t ground = -1;      // stands in the place of a row
inline constexpr std::int64_t no_feature = -1;  // the contact is found anew from positions

// What a contact does now. Values are stored in records: append only.
enum class Mode : std::uint8_t {
    flight = 0,    // the body has no contact; no contact has this mode
    slide = 1,     // it slips
    roll = 2,      // it does not slip
    several = 3,   // on several features at once, which are found anew from the position
    rest = 4,      // at rest, in equilibrium
    touching = 5,  // in contact; the method does not tell slip from roll, or is yet to do so
    parting = 6,   // separating: bodies still overlap, without force
    left = 7,      // just separated: no contact, but the search for the next one must not find this feature at once
};
const char* name(Mode mode);

// A feature packs the collider of a (16 bits), the collider of b (16) and the part (32).
constexpr std::int64_t contact_feature(std::uint16_t collider_a, std::uint16_t collider_b, std::uint32_t part) {
    return static_cast<std::int64_t>((std::uint64_t{collider_a} << 48) | (std::uint64_t{collider_b} << 32) | part);
}

// A facet, edge or vertex of a mesh as a part: kind (3 bits), then index (29 bits).
constexpr std::int64_t contact_feature(const geometry::Feature& feature) {
    if (feature.index < 0) return no_feature;
    return contact_feature(0, 0, (static_cast<std::uint32_t>(feature.kind) << 29) | static_cast<std::uint32_t>(feature.index));
}
constexpr geometry::Feature mesh_feature(std::int64_t feature) {
    if (feature == no_feature) return {};
    const auto part = static_cast<std::uint32_t>(feature);
    return {static_cast<geometry::FeatureKind>(part >> 29), static_cast<std::int32_t>(part & 0x1fffffffu)};
}

// The active contacts. Columns have equal length; those that no method of the run keeps are empty.
struct Contacts {                          // written by the method
    std::vector<std::int32_t> a;           // row of the body
    std::vector<std::int32_t> b;           // row of the other one, or `ground`
    std::vector<std::int64_t> feature;     // or no_feature
    std::vector<Mode> mode;                // never flight
    std::int64_t memory_width = 0;         // numbers that laws remember of a contact
    std::vector<double> memory;            // so many for each contact; the first two, J: what it stores by sliding and by rolling
    std::vector<Vec3> slip_direction;      // unit; the direction in which a slide that starts from no slip goes
    std::vector<Vec3> roll_axis;           // unit; the axis about which a roll that starts from no spin turns
    std::vector<std::int8_t> spin_locked;  // 1 where rolling resistance keeps the body from turning across the normal
    std::vector<std::int8_t> drilling;     // side to which it turns about the normal, -1 or 1; 0: held, or not resisted

    std::size_t size() const { return a.size(); }
    bool is_empty() const { return a.empty(); }
    void clear() {
        a.clear(), b.clear(), feature.clear(), mode.clear(), memory.clear(), memory_width = 0;
        slip_direction.clear(), roll_axis.clear(), spin_locked.clear(), drilling.clear();
    }
    void reserve(std::size_t count) {
        a.reserve(count), b.reserve(count), feature.reserve(count), mode.reserve(count);
        memory.reserve(count * static_cast<std::size_t>(memory_width));
        slip_direction.reserve(count), roll_axis.reserve(count), spin_locked.reserve(count), drilling.reserve(count);
    }
    // Appends a contact; callers add them in the order of the list. Its memory is zero; other columns stay empty.
    void add(std::int32_t row, std::int32_t other, std::int64_t which, Mode now) {
        a.push_back(row);
        b.push_back(other);
        feature.push_back(which);
        mode.push_back(now);
        memory.resize(a.size() * static_cast<std::size_t>(memory_width));
    }
    // The mode of the first contact of a body that has not been left; flight where there is none.
    Mode mode_of(std::int32_t row) const {
        for (std::size_t i = 0; i < size(); ++i)
            if ((a[i] == row || b[i] == row) && mode[i] != Mode::left) return mode[i];
        return Mode::flight;
    }

    friend bool operator==(const Contacts&, const Contacts&) = default;
};

template <class Visitor>
void describe(Visitor& v, Contacts& c) {
    v.field("a", c.a, "", "Row of the body.");
    v.field("b", c.b, "", "Row of the other body; -1: the ground.");
    v.field("feature", c.feature, "",
            "Collider of a (16 bits), of b (16), part (32); of a mesh the part is 0 facet, 1 edge, 2 vertex, 3 rock (3 bits) and its index "
            "(29 bits); -1: found anew from positions.");
    v.field("mode", c.mode, "", "1 slide, 2 roll, 3 several contacts, 4 rest, 5 touching, 6 parting, 7 just left.");
    v.field("memory_width", c.memory_width, "", "Numbers that laws remember of a contact.");
    v.field("memory", c.memory, "", "These numbers, of one contact after the other.");
    v.field("slip_direction", c.slip_direction, "", "Direction in which a slide from no slip starts; empty where no method keeps it.");
    v.field("roll_axis", c.roll_axis, "", "Axis about which a roll from no spin starts; likewise.");
    v.field("spin_locked", c.spin_locked, "", "1 where rolling resistance keeps the body from turning across the normal; likewise.");
    v.field("drilling", c.drilling, "",
            "Side to which spinning resistance sees it turn about the normal, -1 or 1; 0: held, or no resistance; likewise.");
}

}  // namespace asperity::model
