// shape = { ... } of a body or of a collider: a sphere, an ellipsoid, a built-in asteroid, a mesh from a file, a surface that is
// generated, a half-space, points, a box, a cylinder, a cone, a capsule, or the convex hull of points.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "asperity/core/describe.h"
#include "asperity/core/units.h"
#include "asperity/core/vec3.h"
#include "asperity/geometry/worlds.h"
#include "asperity/scenario/bounds.h"
#include "asperity/scenario/solids.h"

namespace asperity::scenario {

// Under which circumstances a change of a key changes what is loaded.
enum class Loaded { always, with_rock_field, with_drawn_surface };

struct SphereShape {
    double radius = 0;  // m
};

struct EllipsoidShape {
    Vec3 semi_axes;  // m
};

struct BuiltinShape {
    std::string name;
    std::int64_t facets = 49152;  // about
};

enum class MeshUnit : std::int64_t { metre, kilometre, centimetre, millimetre };

struct MeshShape {
    Path file;
    std::optional<MeshUnit> unit;  // a file has none of its own
};

// Heights are drawn for the seed of the run, unless the surface is given its own.
struct SpikeSurface {
    geometry::SpikeWorld shape;  // its seed is not used
    std::optional<std::int64_t> seed;
};

struct SurfaceShape {
    std::variant<geometry::FlatWorld, geometry::TableWorld, geometry::GutterWorld, geometry::PitWorld, SpikeSurface> kind;
};

struct HalfSpaceShape {
    Vec3 normal;  // out of it; of any length
};

// Each touches by itself: wheels, legs.
struct MarkersShape {
    std::vector<Vec3> points;  // m
};

struct Shape {
    std::variant<SphereShape, EllipsoidShape, BuiltinShape, MeshShape, SurfaceShape, HalfSpaceShape, MarkersShape, BoxShape, CylinderShape,
                 ConeShape, CapsuleShape, HullShape>
        is;

    template <class T>
    const T* get() const {
        return std::get_if<T>(&is);
    }
    // A surface of facets, which is loaded.
    bool has_facets() const { return get<BuiltinShape>() || get<MeshShape>() || get<SurfaceShape>(); }
    // A sphere or an ellipsoid, which touches, and attracts, as what it is.
    bool has_volume() const { return get<SphereShape>() || get<EllipsoidShape>(); }
    // From which mass and moments of inertia follow.
    bool is_solid() const {
        return has_volume() || get<BoxShape>() || get<CylinderShape>() || get<ConeShape>() || get<CapsuleShape>() || get<HullShape>();
    }
};

// What can be a part of a body that touches.
struct ColliderShape {
    std::variant<SphereShape, EllipsoidShape, HalfSpaceShape, MarkersShape, BoxShape, CylinderShape, ConeShape, CapsuleShape, HullShape> is;

    template <class T>
    const T* get() const {
        return std::get_if<T>(&is);
    }
    bool is_solid() const { return !get<HalfSpaceShape>() && !get<MarkersShape>(); }
};

inline constexpr auto collider_shape_keys = std::to_array<Kind>({
    {"sphere", "A sphere, by its radius."},
    {"ellipsoid", "An ellipsoid, by its semi-axes."},
    {"half_space", "Everything below a plane."},
    {"markers", "Points that touch."},
    {"box", "A box, by its edges."},
    {"cylinder", "A cylinder about z."},
    {"cone", "A cone about z."},
    {"capsule", "A cylinder about z with round ends."},
    {"hull", "The convex hull of points."},
});

inline constexpr auto shape_keys = std::to_array<Kind>({
    {"sphere", "A sphere, by its radius."},
    {"ellipsoid", "An ellipsoid, by its semi-axes."},
    {"builtin", "An asteroid that comes with the program."},
    {"mesh", "A triangle mesh from a file."},
    {"surface", "A surface that is generated."},
    {"half_space", "Everything below a plane."},
    {"markers", "Points that touch."},
    {"box", "A box, by its edges."},
    {"cylinder", "A cylinder about z."},
    {"cone", "A cone about z."},
    {"capsule", "A cylinder about z with round ends."},
    {"hull", "The convex hull of points."},
});

inline constexpr auto surface_kinds = std::to_array<Kind>({
    {"plain", "A square plain, centred on the origin."},
    {"table", "A plateau and a plain, joined by a vertical wall along y."},
    {"gutter", "A V-shaped channel along y, first inclined, then flat, with walls around it."},
    {"pit", "A three-sided pit inside a ring of peaks."},
    {"spike", "A square of random heights."},
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
inline constexpr Bounds surface_lengths = between(1e-9, 1e9);
inline constexpr Bounds surface_slopes = above_up_to(0, 1e3);
inline constexpr Range body_facets = from_to(20, 200000);

// How many facets a generated surface will have; 0 for every other shape.
double facet_estimate(const Shape& shape);

template <class Visitor>
void describe(Visitor& v, geometry::FlatWorld& w) {
    v.optional("side", w.side, si::metre, surface_lengths, "Side of the square.");
    v.optional("cells", w.cells, cell_counts, "Cells per side; a cell is two facets.");
}

template <class Visitor>
void describe(Visitor& v, geometry::TableWorld& w) {
    v.optional("side", w.side, si::metre, surface_lengths, "Side of the square, seen from above.");
    v.optional("cells", w.cells, cell_counts, "Cells per side; a cell is two facets.");
    v.optional("wall", w.wall, si::metre, between(-1e9, 1e9),
               "Where the wall stands: x of the ridge. The plateau is on the side of smaller x.");
    v.optional("height", w.height, si::metre, surface_lengths, "Height of the plateau above the plain, which is z = 0.");
}

template <class Visitor>
void describe(Visitor& v, geometry::GutterWorld& w) {
    v.optional("half_width", w.half_width, si::metre, surface_lengths, "Half the width of the channel.");
    v.optional("flat_length", w.flat_length, si::metre, surface_lengths, "Length of the flat section, y < 0.");
    v.optional("inclined_length", w.inclined_length, si::metre, surface_lengths, "Length of the inclined section, y > 0.");
    v.optional("incline", w.incline, si::one, surface_slopes, "Slope dz/dy of the inclined section.");
    v.optional("side_slope", w.side_slope, si::one, surface_slopes, "Slope dz/|dx| of the two sides.");
    v.optional("cell", w.cell, si::metre, surface_lengths, "Length of a cell, about; lengths are cut into whole cells.");
    v.optional("wall_height", w.wall_height, si::metre, surface_lengths, "Height of the walls above the highest point of the channel.");
}

template <class Visitor>
void describe(Visitor& v, geometry::PitWorld& w) {
    v.optional("radius", w.radius, si::metre, surface_lengths, "Radius of the lip; the peaks stand at twice, the rim at three times that.");
    v.optional("depth", w.depth, si::metre, surface_lengths, "Depth of the lowest vertex.");
    v.optional("peak", w.peak, si::metre, surface_lengths, "Height of the highest peak.");
    v.optional("rim", w.rim, si::metre, surface_lengths, "Height of the rim; higher than the peaks.");
}

template <class Visitor>
void describe(Visitor& v, SpikeSurface& w) {
    v.optional("side", w.shape.side, si::metre, surface_lengths, "Side of the square.");
    v.optional("cells", w.shape.cells, cell_counts, "Cells per side; a cell is two facets.");
    v.optional("height", w.shape.height, si::metre, surface_lengths, "Heights are uniform in a band of this width around zero.");
    v.optional("rim", w.shape.rim, si::metre, between(-1e9, 1e9), "Height of the outer points.");
    v.optional("seed", w.seed, at_least(0), "Seed of the heights.", "the seed of the run");
}

template <class Visitor>
void describe(Visitor& v, SphereShape& s) {
    v.required("sphere", s.radius, si::metre, between(1e-9, 1e12), "Radius of a sphere.");
}

template <class Visitor>
void describe(Visitor& v, EllipsoidShape& s) {
    v.required("ellipsoid", s.semi_axes, si::metre, above_up_to(0, 1e12), "Semi-axes of an ellipsoid, along its own axes.");
}

template <class Visitor>
void describe(Visitor& v, BuiltinShape& s) {
    v.loaded(Loaded::always, [&s](auto& w) {
        w.required("builtin", s.name,
                   "Name of an asteroid that comes with the program (`asperity list shapes`); its centre of mass is the origin.");
        w.optional("facets", s.facets, body_facets, "Facets of a built-in shape, about.");
    });
}

template <class Visitor>
void describe(Visitor& v, MeshShape& s) {
    v.loaded(Loaded::always, [&s](auto& w) {
        w.required(
            "mesh", s.file,
            "Mesh file (Wavefront OBJ, PLY, STL, or a PDS plate table), relative to this file: facets whose corners run "
            "anticlockwise seen from outside. Triangles; convex polygons are cut into triangles. Where the body has a `density` or a "
            "`mass` it must be closed, and is moved so that its centre of mass is the origin.");
        w.optional("unit", s.unit, mesh_units, "Unit of length of a mesh file.", "none: a file needs it");
    });
}

template <class Visitor>
void describe(Visitor& v, SurfaceShape& s) {
    v.loaded(Loaded::always, [&s](auto& w) { w.kinds("surface", s.kind, surface_kinds, "What surface is generated."); });
}

template <class Visitor>
void describe(Visitor& v, HalfSpaceShape& s) {
    v.required("half_space", s.normal, si::one, between(-1e9, 1e9),
               "Everything below the plane through the origin of the body, or of the collider, that has this outward normal; the length "
               "of the normal does not matter.");
}

template <class Visitor>
void describe(Visitor& v, MarkersShape& s) {
    v.required("markers", s.points, si::metre, lengths, "Points that touch, each by itself: wheels, legs.");
}

template <class Visitor>
void describe(Visitor& v, Shape& s) {
    v.one_of(s.is, shape_keys, "What the body looks like.");
}

template <class Visitor>
void describe(Visitor& v, ColliderShape& s) {
    v.one_of(s.is, collider_shape_keys, "What touches.");
}

}  // namespace asperity::scenario
