// What bodies look like where their semi-axes do not tell it: shapes with which they and the ground touch, bodies whose motion is given,
// and cables, for the report to draw.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/model.h"

namespace asperity::record {

struct ShapeRow {
    std::int64_t body = model::ground;  // the first row of the bodies that have it; their rows follow each other
    std::int64_t count = 1;             // so many they are
    std::string name;                   // what the scenario calls them
    std::string kind;                   // as in docs/format.md
    Vec3 size;                          // m, by kind
    Vec3 position;                      // m, in the body's own axes
    Quat orientation;
    std::int64_t points = 0;  // so many rows of Shapes::points are its own, after those of the rows before it
    std::int64_t facets = 0;  // likewise of Shapes::facets

    friend bool operator==(const ShapeRow&, const ShapeRow&) = default;
};

struct Shapes {
    std::vector<ShapeRow> rows;
    std::vector<Vec3> points;                         // m, in the axes of the shape
    std::vector<std::array<std::int64_t, 3>> facets;  // of points of the same row, from 0 on; counter-clockwise from outside

    friend bool operator==(const Shapes&, const Shapes&) = default;
};

// Where a body is whose motion is given.
struct GivenRow {
    double time = 0;  // s
    std::int64_t body = 0;
    Vec3 position;  // m
    Quat orientation;

    friend bool operator==(const GivenRow&, const GivenRow&) = default;
};

struct CableRow {
    std::int64_t from = model::ground;  // row of the body
    Vec3 from_at;                       // m, in its axes
    std::int64_t to = model::ground;
    Vec3 to_at;               // m
    std::int64_t is_cut = 0;  // at the end of the run

    friend bool operator==(const CableRow&, const CableRow&) = default;
};

// A body whose motion is given: it has the rows of shapes that name it, and no sample.
struct GivenBody {
    std::string name;
    std::vector<model::Collider> colliders;
    model::GivenMotion motion;
};

// Adds a row; a mesh of the model brings its triangles, but for the ground, which is the surface of the record.
void add_shape(const model::Model& model, const model::Collider& collider, const ShapeRow& head, Shapes& shapes);

// At the times of samples, or every so manyth where there are many, and at the end; the first body has the row `first`.
std::vector<GivenRow> given_rows(const std::vector<GivenBody>& bodies, std::size_t first, double interval, double end);

std::vector<CableRow> cable_rows(const std::vector<model::Cable>& cables, const model::Cables& at_end);

}  // namespace asperity::record
