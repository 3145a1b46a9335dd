// Fast gravity of a homogeneous polyhedron: the facets near a point summed exactly, all others in one polynomial; with a bound on its
// error.
//
//   U(p) = sum_{f near} 1/2 h_f phi_f(p) + sum_{ijk} c_ijk T_i(x) T_j(y) T_k(z),   g = grad U, term by term       (1)
//   |g - g_exact| <= bound() |g_exact|   at every point outside the body and up to `depth_inside` below its surface   (2)
//
// Space around the body is an octree of cubes; x, y, z are coordinates in the leaf cube that holds p, in half-sides; near are facets within
// three half-sides of its centre. Farther out the attraction is a series of solid harmonics about the centre of mass.
// Deeper inside than asked for all facets are summed, slowly and exactly.
// G rho = 1: for a density multiply both by G rho; for a body k times as large sample at p / k and multiply by k^2 and k.
// Derivation, bound and measurements: docs/theory/fast-field.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "asperity/core/huge_pages.h"
#include "asperity/core/vec3.h"
#include "asperity/geometry/mesh.h"
#include "asperity/gravity/facet_block.h"

namespace asperity::gravity {

inline constexpr int series_order = 13;  // the highest, of the potential; the attraction has one more

struct FastFieldOptions {
    double tolerance = 1e-6;  // of the local attraction, 1e-10 to 0.1
    double depth_inside = 0;  // m, valid so far below the surface; at least 2 % of the radius of a ball of the same volume
};

// For G rho = 1.
struct FieldSample {
    double potential = 0;  // m^2
    Vec3 acceleration;     // m
};

// What the buffer begins with; all else follows at these offsets.
struct FastFieldHeader {
    char magic[8] = {};
    std::uint64_t version = 0;
    std::uint64_t key[2] = {};                                     // of mesh and options
    std::uint64_t checksum[2] = {};                                // of all bytes but these
    std::uint64_t bytes = 0;                                       // of everything
    std::uint64_t cells = 0, facets = 0, leaves = 0, moments = 0;  // offsets, bytes
    std::uint64_t cell_count = 0, leaf_count = 0, facet_count = 0;
    Vec3 centre;                           // m, of the root cube: the centre of mass
    double half = 0;                       // m, half-side of the root cube
    double series[series_order + 1] = {};  // m, from here on the series up to an order is good enough; the last one ends the cells
    double tolerance = 0, depth_inside = 0;
    double bound = 0;                 // (2)
    double mean_near = 0;             // facets summed exactly, a leaf that has any
    double mean_terms = 0;            // coefficients a leaf
    std::int32_t is_wide = 0;         // coefficients in double precision
    std::int32_t highest_degree = 0;  // of a leaf
};

// Plain pointers into a buffer that someone else keeps: may be copied and shared by threads.
struct FastFieldView {
    const FastFieldHeader* header = nullptr;
    const std::uint64_t* cells = nullptr;
    const FacetRecord* facets = nullptr;  // the last one stands for nothing
    const std::byte* leaves = nullptr;
    const double* moments = nullptr;  // V, Gx, Gy, Gz (real, then imaginary parts) for each l, m

    // No allocation; the same bits wherever it is called.
    FieldSample sample(const Vec3& p) const;

    // Whether p lies in a cell that was not built: deep inside. There `sample` sums all facets.
    bool is_slow(const Vec3& p) const;
};

class FastField {
public:
    using Progress = std::function<void(double fraction)>;

    // Throws InputError where the surface is open or the options are out of range. Progress may be empty; it is called by one
    // thread at a time, many times a second. What it throws ends the build at once: that is how a build is stopped.
    static FastField build(const geometry::SurfaceMesh& mesh, const FastFieldOptions& options, const Progress& progress = {});

    FastFieldView view() const { return view_of(bytes()); }
    double bound() const { return view().header->bound; }
    std::span<const std::byte> bytes() const { return {reinterpret_cast<const std::byte*>(memory_.data()), size_}; }

    // Room for the bytes of a field, to be filled in.
    static FastField room_for(std::size_t bytes);
    std::span<std::byte> writable_bytes() { return {reinterpret_cast<std::byte*>(memory_.data()), size_}; }

    // Of a buffer that holds a field; its address must be a multiple of 32.
    static FastFieldView view_of(std::span<const std::byte> bytes);

    // What keeps a buffer from being the field with this key ("is damaged"); empty where nothing does.
    static std::string damage(std::span<const std::byte> bytes, const std::uint64_t (&key)[2]);

private:
    // What the header has places for.
    struct Sections {
        std::span<const std::byte> cells, facets, moments, leaves;
    };
    static FastField packed(FastFieldHeader header, const Sections& sections);

    struct alignas(32) Chunk {
        std::byte bytes[32];
    };
    std::vector<Chunk, HugePages<Chunk>> memory_;
    std::size_t size_ = 0;
};

// The number by which a field for this mesh and these options is known.
void set_field_key(const geometry::SurfaceMesh& mesh, const FastFieldOptions& options, std::uint64_t (&key)[2]);

// The checksum that the header of a buffer should have.
void set_field_checksum(std::span<const std::byte> bytes, std::uint64_t (&checksum)[2]);

inline constexpr char fast_field_magic[9] = "ASPFIELD";
// Of the code that builds and reads fields: a hash of its sources, since a cached field of other code may not be read.
std::uint64_t fast_field_version();

}  // namespace asperity::gravity
