#include "asperity/dynamics/penalty/contact_memory.h"

#include <algorithm>
#include <limits>

namespace asperity::dynamics {
namespace {

constexpr std::size_t numbers = 2 + 3 * (2 + ContactMemory::vectors);  // of a row in State: stored, normal, point, vectors

void put(const Vec3& v, double*& to) {
    *to++ = v.x;
    *to++ = v.y;
    *to++ = v.z;
}

Vec3 take(const double*& from) {
    const Vec3 v{from[0], from[1], from[2]};
    from += 3;
    return v;
}

std::int64_t colliders(std::int64_t feature) { return feature >> 32; }

}  // namespace

void ContactMemory::load(const model::Contacts& contacts) {
    rows.clear();
    values.clear();
    if (contacts.memory_width != static_cast<std::int64_t>(numbers)) return;
    rows.reserve(contacts.size());
    values.reserve(contacts.size() * vectors);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double* from = contacts.memory.data() + k * numbers;
        MemoryRow row{.a = contacts.a[k], .b = contacts.b[k], .feature = contacts.feature[k], .stored = {from[0], from[1]}};
        from += 2;
        row.normal = take(from);
        row.point = take(from);
        rows.push_back(row);
        for (std::size_t v = 0; v < vectors; ++v) values.push_back(take(from));
    }
}

void ContactMemory::store(model::Contacts& contacts) const {
    contacts.memory_width = numbers;
    contacts.memory.assign(contacts.size() * numbers, 0);
    std::size_t row = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const std::tuple key{contacts.a[k], contacts.b[k], contacts.feature[k]};
        while (row < rows.size() && rows[row].key() < key) ++row;
        if (row == rows.size() || rows[row].key() != key) continue;
        double* to = contacts.memory.data() + k * numbers;
        *to++ = rows[row].stored.sliding;
        *to++ = rows[row].stored.rolling;
        put(rows[row].normal, to);
        put(rows[row].point, to);
        for (std::size_t v = 0; v < vectors; ++v) put(values[row * vectors + v], to);
    }
}

void ContactMemory::match(const contact::ContactList& contacts, std::vector<std::int32_t>& row_of) {
    row_of.assign(contacts.size(), -1);
    is_taken_.assign(rows.size(), 0);
    bool is_any_new = false;
    std::size_t row = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        while (row < rows.size() && rows[row].key() < contacts[k].key()) ++row;
        if (row < rows.size() && rows[row].key() == contacts[k].key()) {
            row_of[k] = static_cast<std::int32_t>(row);
            is_taken_[row] = 1;
        } else {
            is_any_new = true;
        }
    }
    if (!is_any_new) return;
    for (std::size_t k = 0; k < contacts.size(); ++k)
        if (row_of[k] < 0) inherit(contacts[k], row_of[k]);
}

void ContactMemory::inherit(const contact::ContactPoint& c, std::int32_t& row) {
    const auto pair = [](const auto& x) { return std::pair{x.a, x.b}; };
    auto at = std::ranges::lower_bound(rows, pair(c), {}, pair);
    double nearest = std::numeric_limits<double>::infinity();
    for (; at != rows.end() && pair(*at) == pair(c); ++at) {
        const auto index = static_cast<std::size_t>(at - rows.begin());
        const double distance = squared_norm(at->point - c.point);
        if (is_taken_[index] != 0 || colliders(at->feature) != colliders(c.feature) || !(distance < nearest)) continue;
        nearest = distance;
        row = static_cast<std::int32_t>(index);
    }
    if (row >= 0) is_taken_[static_cast<std::size_t>(row)] = 1;
}

}  // namespace asperity::dynamics
