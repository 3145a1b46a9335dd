// The history variables of soft contacts (elastic slips), carried from one step to the next.
//
// A row is a contact of the last accepted step: what it stores, and vectors in world axes that belong to its normal there. Later, at a
// stage or at the end of the next step, they are turned with the normal, by the least rotation,
//   v <- v + a x v + a x (a x v) / (1 + n0 . n),   a = n0 x n                                                                    (1)
// A contact has the row of the same bodies and feature. Where there is none, it inherits: the row of the same pair of colliders that no
// contact has any more and that was nearest to it (ties: lowest feature), so that a ball that rolls from a facet over an edge remembers;
// else it is born, with nothing. Each row is inherited once: energy is not doubled.
#pragma once
#include <cstdint>
#include <vector>

#include "asperity/contact/contact_list.h"
#include "asperity/laws/contact/soft_forces.h"
#include "asperity/model/contacts.h"

namespace asperity::dynamics {

// (1)
inline Vec3 turned_with_normal(const Vec3& v, const Vec3& from, const Vec3& to) {
    const Vec3 a = cross(from, to), across = cross(a, v);
    return v + across + cross(a, across) / (1 + dot(from, to));
}

struct MemoryRow {
    std::int32_t a = 0;
    std::int32_t b = 0;
    std::int64_t feature = 0;
    laws::Stored stored;  // J
    Vec3 normal;          // that the vectors belong to
    Vec3 point;           // m

    std::tuple<std::int32_t, std::int32_t, std::int64_t> key() const { return {a, b, feature}; }
};

class ContactMemory {
public:
    static constexpr std::size_t vectors = laws::memory_vectors;  // of a row

    // As State::contacts has them; nothing where it was written without memory.
    void load(const model::Contacts& contacts);
    // The memory of contacts that are listed already.
    void store(model::Contacts& contacts) const;

    // row_of[k]: row of the contact k, -1: it is born.
    void match(const contact::ContactList& contacts, std::vector<std::int32_t>& row_of);

    std::vector<MemoryRow> rows;  // sorted by key
    std::vector<Vec3> values;     // `vectors` of each row

private:
    void inherit(const contact::ContactPoint& contact, std::int32_t& row);

    std::vector<std::uint8_t> is_taken_;  // workspace of match
};

}  // namespace asperity::dynamics
