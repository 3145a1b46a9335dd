// The columns of samples, events and bodies, and the visitors that turn rows and State into columns and back.
//
// describe() lists every field once; the file, the content hash and docs/format.md follow from it. Fields are numbers, enums (as
// integers), texts, Vec3 (three numbers a row), Quat (four), and in State also vectors of these.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "asperity/core/errors.h"
#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/sample.h"
#include "asperity/model/state.h"
#include "asperity/record/column.h"
#include "asperity/record/groups.h"
#include "asperity/record/record.h"

namespace asperity::record {

template <class Visitor>
void describe(Visitor& v, model::Ledger& l) {
    v.field("kinetic", l.kinetic, "J", "Energy of translation.");
    v.field("rotational", l.rotational, "J", "Energy of rotation.");
    v.field("potential", l.potential, "J", "Energy in the field of gravity.");
    v.field("heat_impact", l.heat_impact, "J", "Heat from restitution, since the start.");
    v.field("heat_friction", l.heat_friction, "J", "Heat from friction, since the start.");
    v.field("heat_rolling", l.heat_rolling, "J", "Heat from rolling and spinning resistance, since the start.");
    v.field("heat_tide", l.heat_tide, "J", "Heat from tides, since the start.");
    v.field("work", l.work, "J",
            "Work done on the body from outside since the start, by bodies that move in the frame, sunlight, engines or winches.");
}

template <class Visitor>
void describe(Visitor& v, GroupSample& s) {
    v.field("time", s.time, "s", "Time of the sample.");
    describe(v, s.ledger);
}

template <class Visitor>
void describe(Visitor& v, model::Sample& s) {
    v.field("time", s.time, "s", "Time of the sample.");
    v.field("body", s.body, "", "Index of the body.");
    v.field("position", s.position, "m", "Centre of mass.");
    v.field("velocity", s.velocity, "m/s", "Velocity of the centre of mass.");
    v.field("spin", s.spin, "rad/s", "Angular velocity, world frame.");
    v.field("orientation", s.orientation, "", "Quaternion from body to world, w x y z.");
    v.field("mode", s.mode, "", "0 flight, 1 slide, 2 roll, 3 several contacts, 4 rest, 5 touching another body.");
    v.field("slip_speed", s.slip_speed, "m/s", "Speed of the contact point over the surface; 0 in flight.");
    describe(v, s.ledger);
    v.field("configuration", s.configuration, "",
            "Of two or three free spheres together: 0 Lagrange Resting, 1 Euler Resting, 2 V-Rest, 3 Aligned Mixed, 4 Transverse Mixed, "
            "5 Lagrange Orbiting, 6 Euler Orbiting, 7 Resting Pair, 8 Orbiting Pair, 9 bound with one contact, 10 bound with none, "
            "11 escaping pair, 12 dispersing; -1 of others.");
}

template <class Visitor>
void describe(Visitor& v, model::Event& e) {
    v.field("kind", e.kind, "",
            "0 impact, 1 settle, 2 slide, 3 roll, 4 transfer, 5 separation, 6 gather, 7 rest, 8 phase, 9 rock, 10 lock.");
    v.field("time", e.time, "s", "Time of the event.");
    v.field("a", e.a, "", "Row of the body that it happened to.");
    v.field("b", e.b, "", "Row of the other body; -1: the ground, or none.");
    v.field("feature", e.feature, "", "Of the contact, as in contacts of /checkpoints; -1: none.");
    v.field("position", e.position, "m", "Centre of mass of a.");
    v.field("velocity", e.velocity, "m/s", "Velocity of the centre of mass of a, after.");
    v.field("spin", e.spin, "rad/s", "Angular velocity of a, world frame, after.");
    v.field("normal", e.normal, "", "Normal, from b towards a.");
    v.field("normal_speed_in", e.normal_speed_in, "m/s", "Normal speed before; positive: approaching.");
    v.field("normal_speed_out", e.normal_speed_out, "m/s",
            "Normal speed after; positive: parting; nan: the impact lasts, and its separation tells.");
    v.field("heat", e.heat, "J", "Heat that this event set free.");
    v.field("mode", e.mode, "", "Mode after: 0 flight, 1 slide, 2 roll, 3 several contacts, 4 rest, 5 touching another body.");
}

template <class Visitor>
void describe(Visitor& v, BodyRow& b) {
    v.field("name", b.name, "", "What the scenario calls it.");
    v.field("shape", b.shape, "",
            "\"sphere\" or \"ellipsoid\"; \"colliders\" where it touches with shapes of its own, and that of the same moments is told.");
    v.field("mass", b.mass, "kg", "Mass.");
    v.field("semi_axes", b.semi_axes, "m", "Semi-axes, along the body's own axes; of a sphere three times its radius.");
    v.field("inertia", b.inertia, "kg m^2", "Principal moments of inertia, about these axes.");
    v.field("material", b.material, "", "Number of the material of its surface.");
    v.field("group", b.group, "",
            "Number of the group whose energies are told together: bodies of one name, where there are more than 64; else each is one.");
}

template <class Visitor>
void describe(Visitor& v, ShapeRow& s) {
    v.field("body", s.body, "",
            "Row of the first body that has it; -1: the ground; from the number of bodies on: bodies whose motion is given.");
    v.field("count", s.count, "", "So many bodies have it, in rows that follow each other.");
    v.field("name", s.name, "", "What the scenario calls them.");
    v.field("kind", s.kind, "",
            "\"sphere\", \"ellipsoid\", \"box\", \"cylinder\", \"cone\", \"capsule\", \"hull\", \"markers\" (points), \"half-space\", "
            "\"mesh\" (triangles), "
            "\"ground\" (the surface of the record).");
    v.field("size", s.size, "m",
            "Semi-axes; half of each edge of a box; radius, radius, and along z half the height of a cylinder, the height of a cone, half "
            "the straight part of a capsule; else 0.");
    v.field("position", s.position, "m",
            "Of its own origin, in the axes of the body: its middle; of a cone the centre of mass; of a half-space a point of the plane.");
    v.field("orientation", s.orientation, "",
            "Quaternion from its own axes to those of the body, w x y z. Cylinders, cones (apex above) and capsules are about z, "
            "half-spaces below it.");
    v.field("points", s.points, "", "So many rows of `corners` are its own, after those of the rows before it.");
    v.field("facets", s.facets, "", "Likewise of `triangles`.");
}

template <class Visitor>
void describe(Visitor& v, GivenRow& g) {
    v.field("time", g.time, "s", "Time of the row.");
    v.field("body", g.body, "", "Row of the body, as in `/shapes`.");
    v.field("position", g.position, "m", "Origin of its axes.");
    v.field("orientation", g.orientation, "", "Quaternion from body to world, w x y z.");
}

template <class Visitor>
void describe(Visitor& v, CableRow& c) {
    v.field("from", c.from, "", "Row of the body at one end; -1: the ground.");
    v.field("from_at", c.from_at, "m", "Where it is fixed there, in the body's own axes.");
    v.field("to", c.to, "", "Row of the body at the other end; -1: the ground.");
    v.field("to_at", c.to_at, "m", "Where it is fixed there.");
    v.field("is_cut", c.is_cut, "", "1 where it was cut before the end of the run.");
}

// How a field lies in a row of numbers.
template <class T>
using Number = std::conditional_t<std::is_same_v<T, std::string>, std::string,
                                  std::conditional_t<std::is_integral_v<T> || std::is_enum_v<T>, std::int64_t, double>>;
template <class T>
inline constexpr std::int64_t width_of = 1;
template <>
inline constexpr std::int64_t width_of<Vec3> = 3;
template <>
inline constexpr std::int64_t width_of<Quat> = 4;

inline void put(std::vector<std::string>& row, const std::string& a) { row.push_back(a); }
inline void put(std::vector<double>& row, double a) { row.push_back(a); }
inline void put(std::vector<double>& row, const Vec3& a) { row.insert(row.end(), {a.x, a.y, a.z}); }
inline void put(std::vector<double>& row, const Quat& a) { row.insert(row.end(), {a.w, a.x, a.y, a.z}); }
template <class T>
void put(std::vector<std::int64_t>& row, T a) {
    row.push_back(static_cast<std::int64_t>(a));
}

inline void take(const std::string* row, std::string& a) { a = row[0]; }
inline void take(const double* row, double& a) { a = row[0]; }
inline void take(const double* row, Vec3& a) { a = {row[0], row[1], row[2]}; }
inline void take(const double* row, Quat& a) { a = {row[0], row[1], row[2], row[3]}; }
template <class T>
void take(const std::int64_t* row, T& a) {
    a = static_cast<T>(row[0]);
}

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

// Visits rows, one after the other; each adds a row to every column. A first visit without rows makes the columns.
class RowsToColumns {
public:
    std::vector<Column> columns;
    bool is_naming = true;  // the visit that makes the columns
    std::size_t next = 0;

    template <class T>
    void field(const char* name, T& value, const char* unit, const char* description) {
        if (is_naming) {
            columns.push_back({name, unit, description, std::vector<Number<T>>{}, width_of<T>});
        } else {
            put(std::get<std::vector<Number<T>>>(columns[next++].values), value);
        }
    }
};

template <class Row>
std::vector<Column> columns_of(const std::vector<Row>& rows) {
    RowsToColumns visitor;
    Row none;
    describe(visitor, none);
    visitor.is_naming = false;
    for (Row row : rows) {
        visitor.next = 0;
        describe(visitor, row);
    }
    return std::move(visitor.columns);
}

// The column of that name and kind; the message names the place that lacks it.
template <class T>
const Column& find_column(const std::vector<Column>& columns, std::string_view name, const std::string& place) {
    for (const Column& column : columns) {
        if (column.name != name) continue;
        if (!std::holds_alternative<std::vector<Number<T>>>(column.values) || column.width != width_of<T>)
            throw InputError(fmt::format("`{}/{}` has the wrong type or width", place, name));
        return column;
    }
    throw InputError(fmt::format("`{}/{}` is missing", place, name));
}

class ColumnsToRow {
public:
    const std::vector<Column>& columns;
    const std::string& place;
    std::size_t row = 0;

    template <class T>
    void field(const char* name, T& value, const char*, const char*) {
        const Column& column = find_column<T>(columns, name, place);
        if (static_cast<std::size_t>(column.rows()) <= row)
            throw InputError(fmt::format("`{}/{}` has {} rows, more were expected", place, name, column.rows()));
        take(std::get<std::vector<Number<T>>>(column.values).data() + row * static_cast<std::size_t>(width_of<T>), value);
    }
};

template <class Row>
std::vector<Row> rows_of(const std::vector<Column>& columns, const std::string& place) {
    std::size_t count = 0;
    for (const Column& column : columns) count = std::max(count, static_cast<std::size_t>(column.rows()));
    std::vector<Row> rows(count);
    for (std::size_t i = 0; i < count; ++i) {
        ColumnsToRow visitor{columns, place, i};
        describe(visitor, rows[i]);
    }
    return rows;
}

// State, column by column: vectors become columns, numbers single values. Each is dropped before the next is made, since the State of many
// bodies is large. on_block(name), then on_column(column) of each of its own.
template <class OnBlock, class OnColumn>
class StateToColumns {
public:
    const OnBlock& on_block;
    const OnColumn& on_column;

    template <class Block>
    void block(const char* name, Block& block) {
        on_block(name);
        describe(*this, block);
    }
    template <class T>
    void field(const char* name, T& value, const char* unit, const char* description) {
        if constexpr (is_vector<T>) {
            using Item = typename T::value_type;
            std::vector<Number<Item>> numbers;
            numbers.reserve(value.size() * static_cast<std::size_t>(width_of<Item>));
            for (const Item& item : value) put(numbers, item);
            on_column(Column{name, unit, description, std::move(numbers), width_of<Item>});
        } else {
            std::vector<Number<T>> number;
            put(number, value);
            on_column(Column{name, unit, description, std::move(number), width_of<T>, true});
        }
    }
};

template <class OnBlock, class OnColumn>
void for_each_column(const model::State& state, const OnBlock& on_block, const OnColumn& on_column) {
    StateToColumns<OnBlock, OnColumn> visitor{on_block, on_column};
    describe(visitor, const_cast<model::State&>(state));  // it lists fields for reading and for writing alike; this visitor only reads
}

class TablesToState {
public:
    const std::vector<Table>& tables;
    const std::string& place;
    std::string block_place;
    const Table* table = nullptr;

    template <class Block>
    void block(const char* name, Block& block) {
        block_place = fmt::format("{}/{}", place, name);
        table = nullptr;
        for (const Table& t : tables) table = t.name == name ? &t : table;
        if (table == nullptr) throw InputError(fmt::format("`{}` is missing", block_place));
        describe(*this, block);
    }
    template <class T>
    void field(const char* name, T& value, const char*, const char*) {
        if constexpr (is_vector<T>) {
            using Item = typename T::value_type;
            const Column& column = find_column<Item>(table->columns, name, block_place);
            const auto& numbers = std::get<std::vector<Number<Item>>>(column.values);
            value.resize(static_cast<std::size_t>(column.rows()));
            for (std::size_t i = 0; i < value.size(); ++i) take(numbers.data() + i * static_cast<std::size_t>(width_of<Item>), value[i]);
        } else {
            const Column& column = find_column<T>(table->columns, name, block_place);
            if (column.rows() != 1) throw InputError(fmt::format("`{}/{}` has {} values, not one", block_place, name, column.rows()));
            take(std::get<std::vector<Number<T>>>(column.values).data(), value);
        }
    }
};

// A table per block.
inline std::vector<Table> tables_of(const model::State& state) {
    std::vector<Table> tables;
    for_each_column(
        state, [&](const char* name) { tables.push_back({.name = name}); },
        [&](Column&& column) { tables.back().columns.push_back(std::move(column)); });
    return tables;
}

inline model::State state_of(const std::vector<Table>& tables, const std::string& place) {
    model::State state;
    TablesToState visitor{tables, place, {}};
    describe(visitor, state);
    return state;
}

}  // namespace asperity::record
