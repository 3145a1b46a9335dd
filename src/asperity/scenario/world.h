// [world]: the surface, generated or read from a file.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "asperity/core/constants.h"
#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/geometry/worlds.h"
#include "asperity/scenario/free_bodies.h"

namespace asperity::scenario {

// A spike world is drawn for the seed of the run, unless it is given its own.
struct SpikeWorld {
    geometry::SpikeWorld shape;  // its seed is not used
    std::optional<std::int64_t> seed;
};

enum class MeshUnit : std::int64_t { metre, kilometre, centimetre, millimetre };

struct MeshWorld {
    std::string file;              // relative to the scenario file
    std::optional<MeshUnit> unit;  // a file has none of its own
};

// A closed body, with its centre of mass in the origin.
struct BodyWorld {
    std::string shape;             // name of a built-in shape, or a mesh file, relative to the scenario file
    std::optional<MeshUnit> unit;  // a file has none of its own
    std::int64_t facets = 49152;   // of a built-in shape, about
    bool principal_axes = false;
    double scale = 1;
    std::string facet_values;  // file, relative to the scenario file; empty: none
};

// No surface: the bodies are [[body]].
struct FreeWorld {
    double gravitational_constant = asperity::gravitational_constant;  // m^3/(kg s^2)
    model::MutualLaw gravity = model::MutualLaw::points;
};

struct World {
    std::variant<geometry::FlatWorld, geometry::TableWorld, geometry::GutterWorld, geometry::PitWorld, SpikeWorld, MeshWorld, BodyWorld,
                 FreeWorld>
        shape;
    bool is_free() const { return std::holds_alternative<FreeWorld>(shape); }
};

inline constexpr auto world_kinds = std::to_array<Kind>({
    {"flat", "A square plain, centred on the origin."},
    {"table", "A plateau and a plain, joined by a vertical wall along y."},
    {"gutter", "A V-shaped channel along y, first inclined, then flat, with walls around it."},
    {"pit", "A three-sided pit inside a ring of peaks."},
    {"spike", "A square of random heights."},
    {"mesh", "A triangle mesh from a file."},
    {"body", "A whole asteroid: a built-in shape or a closed mesh, centre of mass in the origin, axes fixed to it."},
    {"free", "Empty space: bodies that attract each other, raise tides and touch."},
});

inline constexpr auto mesh_units = std::to_array<Choice<MeshUnit>>({
    {"m", MeshUnit::metre, "The file is in metres."},
    {"km", MeshUnit::kilometre, "The file is in kilometres."},
    {"cm", MeshUnit::centimetre, "The file is in centimetres."},
    {"mm", MeshUnit::millimetre, "The file is in millimetres."},
});

// The length in m of one unit of the file.
constexpr double metres(MeshUnit unit) {
    switch (unit) {
        case MeshUnit::metre: return 1;
        case MeshUnit::kilometre: return 1000;
        case MeshUnit::centimetre: return 0.01;
        case MeshUnit::millimetre: return 0.001;
    }
    return 1;
}

// The length in m of one unit of a mesh file. Throws InputError where it is not given, with the size that the file has in each unit.
double length_of_unit(const std::optional<MeshUnit>& unit, const std::string& file);

// Bounds of what is generated: beyond them a typing error would fill the memory.
inline constexpr Range cell_counts = from_to(1, 512);
inline constexpr double most_facets = 1 << 20;
inline constexpr Bounds world_lengths = between(1e-9, 1e9);
inline constexpr Bounds world_slopes = above_up_to(0, 1e3);

// How many facets a world will have; 0 for a mesh, which nobody has read yet.
double facet_estimate(const World& world);

template <class Visitor>
void describe(Visitor& v, geometry::FlatWorld& w) {
    v.optional("side", w.side, si::metre, world_lengths, "Side of the square.");
    v.optional("cells", w.cells, cell_counts, "Cells per side; a cell is two facets.");
}

template <class Visitor>
void describe(Visitor& v, geometry::TableWorld& w) {
    v.optional("side", w.side, si::metre, world_lengths, "Side of the square, seen from above.");
    v.optional("cells", w.cells, cell_counts, "Cells per side; a cell is two facets.");
    v.optional("wall", w.wall, si::metre, between(-1e9, 1e9),
               "Where the wall stands: x of the ridge. The plateau is on the side of smaller x.");
    v.optional("height", w.height, si::metre, world_lengths, "Height of the plateau above the plain, which is z = 0.");
}

template <class Visitor>
void describe(Visitor& v, geometry::GutterWorld& w) {
    v.optional("half_width", w.half_width, si::metre, world_lengths, "Half the width of the channel.");
    v.optional("flat_length", w.flat_length, si::metre, world_lengths, "Length of the flat section, y < 0.");
    v.optional("inclined_length", w.inclined_length, si::metre, world_lengths, "Length of the inclined section, y > 0.");
    v.optional("incline", w.incline, si::one, world_slopes, "Slope dz/dy of the inclined section.");
    v.optional("side_slope", w.side_slope, si::one, world_slopes, "Slope dz/|dx| of the two sides.");
    v.optional("cell", w.cell, si::metre, world_lengths, "Length of a cell, about; lengths are cut into whole cells.");
    v.optional("wall_height", w.wall_height, si::metre, world_lengths, "Height of the walls above the highest point of the channel.");
}

template <class Visitor>
void describe(Visitor& v, geometry::PitWorld& w) {
    v.optional("radius", w.radius, si::metre, world_lengths, "Radius of the lip; the peaks stand at twice, the rim at three times that.");
    v.optional("depth", w.depth, si::metre, world_lengths, "Depth of the lowest vertex.");
    v.optional("peak", w.peak, si::metre, world_lengths, "Height of the highest peak.");
    v.optional("rim", w.rim, si::metre, world_lengths, "Height of the rim; higher than the peaks.");
}

template <class Visitor>
void describe(Visitor& v, SpikeWorld& w) {
    v.optional("side", w.shape.side, si::metre, world_lengths, "Side of the square.");
    v.optional("cells", w.shape.cells, cell_counts, "Cells per side; a cell is two facets.");
    v.optional("height", w.shape.height, si::metre, world_lengths, "Heights are uniform in a band of this width around zero.");
    v.optional("rim", w.shape.rim, si::metre, between(-1e9, 1e9), "Height of the outer points.");
    v.optional("seed", w.seed, at_least(0), "Seed of the heights.", "the seed of the run");
}

template <class Visitor>
void describe(Visitor& v, MeshWorld& w) {
    v.required("file", w.file,
               "Mesh file (Wavefront OBJ, PLY, STL, or a PDS plate table), relative to this file: facets whose corners run anticlockwise "
               "seen from outside, where the ball is. "
               "Triangles; "
               "convex polygons are cut into triangles.");
    v.optional("unit", w.unit, mesh_units, "Unit of length of the file.", "none: it must be given");
}

inline constexpr Bounds scales = between(1e-6, 1e6);
inline constexpr Range body_facets = from_to(20, 200000);

template <class Visitor>
void describe(Visitor& v, BodyWorld& w) {
    v.required("shape", w.shape,
               "Name of a built-in shape (`asperity list shapes`), or a closed mesh file (OBJ, PLY, STL, PDS plate table), relative to "
               "this file. It is moved so that its centre of mass is the origin.");
    v.optional("unit", w.unit, mesh_units, "Unit of length of a mesh file.", "none: a file needs it");
    v.optional("facets", w.facets, body_facets, "Facets of a built-in shape, about.");
    v.optional("principal_axes", w.principal_axes, "Turn the body so that x is its longest and z its shortest principal axis.");
    v.optional("scale", w.scale, si::one, scales, "Factor on all lengths of the shape; the density stays.");
    v.optional("facet_values", w.facet_values,
               "CSV file with a row per facet: facet,restitution,friction,rolling_resistance,rock_density; any of the columns, any of the "
               "facets.",
               "none");
}

template <class Visitor>
void describe(Visitor& v, FreeWorld& w) {
    v.optional("gravitational_constant", w.gravitational_constant, unit_of_g, above_up_to(0, 1e6), "G.");
    v.optional("gravity", w.gravity, mutual_gravities, "How the bodies attract each other.");
}

template <class Visitor>
void describe(Visitor& v, World& w) {
    v.kinds("kind", w.shape, world_kinds, "What the surface is.");
}

}  // namespace asperity::scenario
