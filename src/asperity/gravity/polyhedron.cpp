#include "asperity/gravity/polyhedron.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/core/errors.h"
#include "asperity/core/index.h"
#include "asperity/core/parallel.h"

namespace asperity::gravity {
namespace {

using Tables = PolyhedronGravity::Tables;
using VertexBlock = PolyhedronGravity::VertexBlock;
using EdgeBlock = PolyhedronGravity::EdgeBlock;
using FacetBlock = PolyhedronGravity::FacetBlock;

// ---- 113 bits: for the tables, and for the few edges and facets that a point is close to

__extension__ using Wide = __float128;

struct Wide3 {
    Wide x, y, z;
};

Wide3 difference(const Vec3& a, const Vec3& b) { return {Wide(a.x) - Wide(b.x), Wide(a.y) - Wide(b.y), Wide(a.z) - Wide(b.z)}; }
Wide dot(const Wide3& a, const Wide3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Wide3 cross(const Wide3& a, const Wide3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

// Two steps of Newton double the digits of a double twice.
Wide root(Wide x) {
    if (!(x > 0)) return x;
    Wide y = std::sqrt(static_cast<double>(x));
    y = (y + x / y) / 2;
    return (y + x / y) / 2;
}
Wide length(const Wide3& a) { return root(dot(a, a)); }

// a b + a.b for vectors of lengths a, b: (a + b)^2 - l^2 = 2 (a b + a.b), without cancellation where they are nearly opposite.
Wide product_and_dot(const Wide3& a, const Wide3& b, Wide lengths) {
    const Wide inner = dot(a, b);
    if (inner >= 0) return lengths + inner;
    const Wide3 outer = cross(a, b);
    return dot(outer, outer) / (lengths - inner);
}

// L of an edge that the point is close to; 0 on the edge, where it has no value and E r L none to add.
double close_log(const Vec3& p, const Vec3& from, const Vec3& to) {
    const Wide3 a = difference(from, p);
    const Wide3 b = difference(to, p);
    const Wide size_a = length(a);
    const Wide size_b = length(b);
    const Wide gap = product_and_dot(a, b, size_a * size_b);
    if (gap == 0) return 0;
    const Wide sum = size_a + size_b + length(difference(to, from));
    return std::log(static_cast<double>(sum * sum / (2 * gap)));
}

// w of a facet that the point is close to; 0 in its plane.
double close_angle(const Vec3& p, const Vec3 (&corners)[3]) {
    const Wide3 a = difference(corners[0], p);
    const Wide3 b = difference(corners[1], p);
    const Wide3 c = difference(corners[2], p);
    const Wide triple = dot(a, cross(b, c));
    if (triple == 0) return 0;
    const Wide size_a = length(a);
    const Wide size_b = length(b);
    const Wide size_c = length(c);
    const Wide along = size_a * size_b * size_c + size_a * dot(b, c) + size_b * dot(c, a) + size_c * dot(a, b);
    // Only their ratio counts; scaled, since products of lengths may leave the range of a double.
    const Wide scale = root(triple * triple + along * along);
    return 2 * std::atan2(static_cast<double>(triple / scale), static_cast<double>(along / scale));
}

// ---- tables

// Twice the area along the normal.
Wide3 area_vector(const geometry::SurfaceMesh& mesh, const geometry::Facet& facet) {
    const Vec3& corner = mesh.vertices[at(facet.vertex[0])];
    return cross(difference(mesh.vertices[at(facet.vertex[1])], corner), difference(mesh.vertices[at(facet.vertex[2])], corner));
}

void set_vertices(const geometry::SurfaceMesh& mesh, Tables& tables) {
    tables.vertices.resize((mesh.vertices.size() + 3) / 4, VertexBlock{});
    for (std::size_t v = 0; v < 4 * tables.vertices.size(); ++v) {
        const Vec3& vertex = mesh.vertices[std::min(v, mesh.vertices.size() - 1)];
        VertexBlock& block = tables.vertices[v / 4];
        block.x[v % 4] = vertex.x;
        block.y[v % 4] = vertex.y;
        block.z[v % 4] = vertex.z;
    }
}

// E, E q and q.E q of one edge, in its lane.
void set_edge(const geometry::SurfaceMesh& mesh, const geometry::Edge& edge, const Vec3& centre, std::size_t lane, EdgeBlock& block) {
    const Wide3 span = difference(mesh.vertices[at(edge.vertex[1])], mesh.vertices[at(edge.vertex[0])]);
    const Wide size = length(span);
    Wide e[3][3] = {};
    for (const std::int32_t f : edge.facet) {
        const geometry::Facet& facet = mesh.facets[at(f)];
        const auto walks = [&](int k) { return facet.vertex[k] == edge.vertex[0] && facet.vertex[(k + 1) % 3] == edge.vertex[1]; };
        const bool is_forward = walks(0) || walks(1) || walks(2);
        const Wide3 n = area_vector(mesh, facet);
        const Wide3 m = cross(span, n);
        const Wide factor = (is_forward ? 1 : -1) / (size * dot(n, n));
        const Wide ns[3] = {n.x * factor, n.y * factor, n.z * factor};
        const Wide ms[3] = {m.x, m.y, m.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) e[i][j] += ns[i] * ms[j];
    }
    const Wide3 q = difference(mesh.vertices[at(edge.vertex[0])], centre);
    const Wide eq[3] = {e[0][0] * q.x + e[0][1] * q.y + e[0][2] * q.z, e[1][0] * q.x + e[1][1] * q.y + e[1][2] * q.z,
                        e[2][0] * q.x + e[2][1] * q.y + e[2][2] * q.z};
    const Wide coefficients[9] = {
        e[0][0], e[1][1], e[0][1], e[0][2], e[1][2], eq[0], eq[1], eq[2], q.x * eq[0] + q.y * eq[1] + q.z * eq[2]};
    block.length[lane] = static_cast<double>(size);
    for (std::size_t k = 0; k < 9; ++k) block.coefficients[k][lane] = static_cast<double>(coefficients[k]);
    block.vertex[0][lane] = edge.vertex[0];
    block.vertex[1][lane] = edge.vertex[1];
}

void set_facet(const geometry::SurfaceMesh& mesh, const geometry::Facet& facet, std::size_t lane, FacetBlock& block) {
    const Wide3 n = area_vector(mesh, facet);
    const Wide size = length(n);
    const Vec3& corner = mesh.vertices[at(facet.vertex[0])];
    const double normal[3] = {static_cast<double>(n.x / size), static_cast<double>(n.y / size), static_cast<double>(n.z / size)};
    const double place[3] = {corner.x, corner.y, corner.z};
    block.four_areas[lane] = static_cast<double>(2 * size);
    for (std::size_t k = 0; k < 3; ++k) {
        const Wide3 side = difference(mesh.vertices[at(facet.vertex[(k + 2) % 3])], mesh.vertices[at(facet.vertex[(k + 1) % 3])]);
        block.normal[k][lane] = normal[k];
        block.corner[k][lane] = place[k];
        block.sides[k][lane] = static_cast<double>(dot(side, side));
        block.vertex[k][lane] = facet.vertex[k];
    }
}

Tables make_tables(const geometry::SurfaceMesh& mesh) {
    Tables tables;
    tables.centre = 0.5 * (mesh.lower + mesh.upper);
    set_vertices(mesh, tables);
    tables.edges.resize((mesh.edges.size() + 3) / 4, EdgeBlock{});
    tables.facets.resize((mesh.facets.size() + 3) / 4, FacetBlock{});
    constexpr std::size_t block = 1024;  // a multiple of four: no two threads write to the same block of lanes
    parallel_blocks(mesh.edges.size(), block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t e = begin; e < end; ++e) set_edge(mesh, mesh.edges[e], tables.centre, e % 4, tables.edges[e / 4]);
    });
    parallel_blocks(mesh.facets.size(), block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t f = begin; f < end; ++f) set_facet(mesh, mesh.facets[f], f % 4, tables.facets[f / 4]);
    });
    return tables;
}

Vec3 vertex_of(const Tables& tables, std::int32_t index) {
    const VertexBlock& block = tables.vertices[at(index) / 4];
    const std::size_t lane = at(index) % 4;
    return {block.x[lane], block.y[lane], block.z[lane]};
}

// ---- sums

// What the four lanes stand for. One point: four edges or facets, a block in one step.
struct OnePoint {
    using Radius = double;
    static constexpr std::size_t steps = 1;
    static Double4 pick(const Double4& block, std::size_t) { return block; }
    static Double4 radius(const double* radii, const std::int32_t (&vertex)[4], std::size_t) {
        return Double4{radii[vertex[0]], radii[vertex[1]], radii[vertex[2]], radii[vertex[3]]};
    }
    static std::size_t item(std::size_t, std::size_t lane) { return lane; }
};

// Four points: one edge or facet, a block in four steps; nothing to gather.
struct FourPoints {
    using Radius = Double4;
    static constexpr std::size_t steps = 4;
    static Double4 pick(const Double4& block, std::size_t step) { return splat(block[step]); }
    static Double4 radius(const Double4* radii, const std::int32_t (&vertex)[4], std::size_t step) { return radii[vertex[step]]; }
    static std::size_t item(std::size_t step, std::size_t) { return step; }
};

struct Points {
    Vec3 place[4];
    Double4 x, y, z;
};

Points points_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return {.place = {a, b, c, d}, .x = Double4{a.x, b.x, c.x, d.x}, .y = Double4{a.y, b.y, c.y, d.y}, .z = Double4{a.z, b.z, c.z, d.z}};
}

// Sums of parts of a few hundred terms, with the rounding of each addition kept (Knuth's two-sum): terms of a closed surface
// nearly cancel, the more the farther away.
template <std::size_t n>
struct Sums {
    Double4 high[n] = {};
    Double4 low[n] = {};

    void add(const Double4 (&part)[n]) {
        for (std::size_t k = 0; k < n; ++k) {
            const Double4 sum = high[k] + part[k];
            const Double4 added = sum - high[k];
            low[k] += (high[k] - (sum - added)) + (part[k] - added);
            high[k] = sum;
        }
    }
    long double lane(std::size_t k, std::size_t lane) const { return static_cast<long double>(high[k][lane]) + low[k][lane]; }
    long double all_lanes(std::size_t k) const { return (lane(k, 0) + lane(k, 1)) + (lane(k, 2) + lane(k, 3)); }
};
using EdgeSums = Sums<9>;    // coefficients times L
using FacetSums = Sums<10>;  // w; n n w: xx yy xy xz yz; h n w; h^2 w
constexpr std::size_t part_blocks = 32;

// A double loses 8 of its 53 bits before we look again.
template <class Lanes>
[[gnu::cold, gnu::noinline]] void mend_logs(const Tables& tables, const EdgeBlock& block, const Points& points, std::size_t step,
                                            Mask4 is_close, Double4& log) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
        if (!is_close[lane]) continue;
        const std::size_t item = Lanes::item(step, lane);
        log[lane] = close_log(points.place[lane], vertex_of(tables, block.vertex[0][item]), vertex_of(tables, block.vertex[1][item]));
    }
}

template <class Lanes>
EdgeSums sum_edges(const Tables& tables, const Points& points, const typename Lanes::Radius* radii) {
    EdgeSums sums;
    for (std::size_t begin = 0; begin < tables.edges.size(); begin += part_blocks) {
        Double4 part[9] = {};
        const std::size_t end = std::min(begin + part_blocks, tables.edges.size());
        for (std::size_t b = begin; b < end; ++b) {
            const EdgeBlock& block = tables.edges[b];
            for (std::size_t step = 0; step < Lanes::steps; ++step) {
                const Double4 length = Lanes::pick(block.length, step);
                const Double4 sum = Lanes::radius(radii, block.vertex[0], step) + Lanes::radius(radii, block.vertex[1], step);
                Double4 log = log_ratio(sum, length);
                const Mask4 is_clear = sum - length > 0x1p-8 * sum;
                if (any(~is_clear)) [[unlikely]]
                    mend_logs<Lanes>(tables, block, points, step, ~is_clear, log);
#pragma GCC unroll 9
                for (std::size_t k = 0; k < 9; ++k) part[k] = fused(Lanes::pick(block.coefficients[k], step), log, part[k]);
            }
        }
        sums.add(part);
    }
    return sums;
}

// Close to an edge both arguments of the arc tangent are small differences; inside the facet, close to its plane, the sign of h decides
// between 2 pi and -2 pi.
template <class Lanes>
[[gnu::cold, gnu::noinline]] void mend_angles(const Tables& tables, const FacetBlock& block, const Points& points, std::size_t step,
                                              Mask4 is_close, Double4& angle) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
        if (!is_close[lane]) continue;
        const std::size_t item = Lanes::item(step, lane);
        const Vec3 corners[3] = {vertex_of(tables, block.vertex[0][item]), vertex_of(tables, block.vertex[1][item]),
                                 vertex_of(tables, block.vertex[2][item])};
        angle[lane] = close_angle(points.place[lane], corners);
    }
}

template <class Lanes>
Double4 solid_angle(const Tables& tables, const FacetBlock& block, const Points& points, std::size_t step,
                    const typename Lanes::Radius* radii, Double4 h) {
    const Double4 a = Lanes::radius(radii, block.vertex[0], step);
    const Double4 b = Lanes::radius(radii, block.vertex[1], step);
    const Double4 c = Lanes::radius(radii, block.vertex[2], step);
    const Double4 product = (a + b) * (b + c) * (c + a);
    const Double4 across = Lanes::pick(block.four_areas, step) * h;
    const Double4 taken =
        fused(a, Lanes::pick(block.sides[0], step), fused(b, Lanes::pick(block.sides[1], step), c * Lanes::pick(block.sides[2], step)));
    const Double4 along = product - taken;
    Double4 w = 2.0 * angle(across, along);
    const Double4 small = 0x1p-5 * product;
    if (any(~(along > small))) [[unlikely]] {
        const Mask4 is_clear = (absolute(across) > small) | (absolute(along) > small);
        const Mask4 is_sure = (along > Double4{}) | (absolute(across) > 0x1p-45 * product);
        if (any(~(is_clear & is_sure))) mend_angles<Lanes>(tables, block, points, step, ~(is_clear & is_sure), w);
    }
    return w;
}

template <class Lanes>
FacetSums sum_facets(const Tables& tables, const Points& points, const typename Lanes::Radius* radii) {
    FacetSums sums;
    for (std::size_t begin = 0; begin < tables.facets.size(); begin += part_blocks) {
        Double4 part[10] = {};
        const std::size_t end = std::min(begin + part_blocks, tables.facets.size());
        for (std::size_t b = begin; b < end; ++b) {
            const FacetBlock& block = tables.facets[b];
            for (std::size_t step = 0; step < Lanes::steps; ++step) {
                const Double4 nx = Lanes::pick(block.normal[0], step);
                const Double4 ny = Lanes::pick(block.normal[1], step);
                const Double4 nz = Lanes::pick(block.normal[2], step);
                const Double4 x = Lanes::pick(block.corner[0], step) - points.x;
                const Double4 y = Lanes::pick(block.corner[1], step) - points.y;
                const Double4 z = Lanes::pick(block.corner[2], step) - points.z;
                const Double4 h = fused(nx, x, fused(ny, y, nz * z));
                const Double4 w = solid_angle<Lanes>(tables, block, points, step, radii, h);
                const Double4 hw = h * w;
                const Double4 wx = w * nx;
                const Double4 wy = w * ny;
                const Double4 terms[9][2] = {{wx, nx}, {wy, ny}, {wx, ny}, {wx, nz}, {wy, nz}, {hw, nx}, {hw, ny}, {hw, nz}, {hw, h}};
                part[0] += w;
#pragma GCC unroll 9
                for (std::size_t k = 0; k < 9; ++k) part[k + 1] = fused(terms[k][0], terms[k][1], part[k + 1]);
            }
        }
        sums.add(part);
    }
    return sums;
}

void set_radii(const Tables& tables, const Points& points, double* radii) {
    for (std::size_t b = 0; b < tables.vertices.size(); ++b) {
        const VertexBlock& block = tables.vertices[b];
        const Double4 x = block.x - points.x;
        const Double4 y = block.y - points.y;
        const Double4 z = block.z - points.z;
        const Double4 r = square_root(fused(x, x, fused(y, y, z * z)));
        for (std::size_t lane = 0; lane < 4; ++lane) radii[4 * b + lane] = r[lane];
    }
}

void set_radii(const Tables& tables, const Points& points, Double4* radii) {
    for (std::size_t b = 0; b < tables.vertices.size(); ++b) {
        const VertexBlock& block = tables.vertices[b];
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const Double4 x = block.x[lane] - points.x;
            const Double4 y = block.y[lane] - points.y;
            const Double4 z = block.z[lane] - points.z;
            radii[4 * b + lane] = square_root(fused(x, x, fused(y, y, z * z)));
        }
    }
}

// (1) to (4) from the sums: E r = E q - E p and r.E r = q.E q - 2 p.E q + p.E p, with p from the centre.
FieldValue assemble(const std::array<long double, 9>& e, const std::array<long double, 10>& f, const Vec3& point, const Vec3& centre) {
    const long double p[3] = {static_cast<long double>(point.x) - centre.x, static_cast<long double>(point.y) - centre.y,
                              static_cast<long double>(point.z) - centre.z};
    const long double zz = -(e[0] + e[1]);
    const long double ep[3] = {e[0] * p[0] + e[2] * p[1] + e[3] * p[2], e[2] * p[0] + e[1] * p[1] + e[4] * p[2],
                               e[3] * p[0] + e[4] * p[1] + zz * p[2]};
    long double twice = e[8] - f[9];
    for (std::size_t k = 0; k < 3; ++k) twice += p[k] * (ep[k] - 2 * e[5 + k]);
    const auto pull = [&](std::size_t k) { return static_cast<double>(ep[k] - e[5 + k] + f[6 + k]); };
    const auto tensor = [&](std::size_t k) { return static_cast<double>(e[k] - f[1 + k]); };
    return {.potential = static_cast<double>(twice / 2),
            .acceleration = {pull(0), pull(1), pull(2)},
            .gradient = {.xx = tensor(0),
                         .yy = tensor(1),
                         .zz = static_cast<double>(zz - (f[0] - f[1] - f[2])),
                         .xy = tensor(2),
                         .xz = tensor(3),
                         .yz = tensor(4)},
            .laplacian = static_cast<double>(-f[0])};
}

// An array with the alignment of its lanes and no first value.
struct Radii4 {
    Double4 value;
};

}  // namespace

PolyhedronGravity::PolyhedronGravity(const geometry::SurfaceMesh& mesh) {
    if (!mesh.is_closed) {
        const auto rim = std::count_if(mesh.edges.begin(), mesh.edges.end(), [](const geometry::Edge& edge) { return edge.facet[1] < 0; });
        throw InputError(fmt::format("the surface is open and bounds no solid: {} of its {} edges have one facet", rim, mesh.edges.size()));
    }
    tables_ = make_tables(mesh);
}

FieldValue PolyhedronGravity::evaluate(const Vec3& p) const {
    const Points points = points_of(p, p, p, p);
    std::vector<double> radii(4 * tables_.vertices.size());
    set_radii(tables_, points, radii.data());
    const EdgeSums edges = sum_edges<OnePoint>(tables_, points, radii.data());
    const FacetSums facets = sum_facets<OnePoint>(tables_, points, radii.data());
    std::array<long double, 9> e{};
    std::array<long double, 10> f{};
    for (std::size_t k = 0; k < e.size(); ++k) e[k] = edges.all_lanes(k);
    for (std::size_t k = 0; k < f.size(); ++k) f[k] = facets.all_lanes(k);
    return assemble(e, f, p, tables_.centre);
}

void PolyhedronGravity::evaluate_many(std::span<const Vec3> points, std::span<FieldValue> values) const {
    ASPERITY_REQUIRE(points.size() == values.size(), "{} points, {} values", points.size(), values.size());
    constexpr std::size_t block = 16;
    parallel_blocks(points.size(), block, [&](std::size_t begin, std::size_t end) {
        std::vector<Radii4> memory(4 * tables_.vertices.size());
        Double4* const radii = &memory.front().value;
        for (std::size_t i = begin; i < end; i += 4) {
            // The last four are filled up with the last point.
            const auto point = [&](std::size_t lane) { return points[std::min(i + lane, end - 1)]; };
            const Points four = points_of(point(0), point(1), point(2), point(3));
            set_radii(tables_, four, radii);
            const EdgeSums edges = sum_edges<FourPoints>(tables_, four, radii);
            const FacetSums facets = sum_facets<FourPoints>(tables_, four, radii);
            for (std::size_t lane = 0; lane < std::min<std::size_t>(4, end - i); ++lane) {
                std::array<long double, 9> e{};
                std::array<long double, 10> f{};
                for (std::size_t k = 0; k < e.size(); ++k) e[k] = edges.lane(k, lane);
                for (std::size_t k = 0; k < f.size(); ++k) f[k] = facets.lane(k, lane);
                values[i + lane] = assemble(e, f, four.place[lane], tables_.centre);
            }
        }
    });
}

}  // namespace asperity::gravity
