#include "asperity/gravity/source_tree.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "asperity/core/index.h"
#include "asperity/core/parallel.h"

namespace asperity::gravity {
namespace {

constexpr std::int32_t facets_of_moments = 16;  // fewer are summed as fast one by one

double coordinate(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
std::size_t term(int l, int m) { return static_cast<std::size_t>(l * (l + 1) / 2 + m); }

void extend(geometry::BoundingBox& box, const Vec3& v) {
    box.lower = {std::min(box.lower.x, v.x), std::min(box.lower.y, v.y), std::min(box.lower.z, v.z)};
    box.upper = {std::max(box.upper.x, v.x), std::max(box.upper.y, v.y), std::max(box.upper.z, v.z)};
}

struct Triangle {
    Vec3 corner[3];
    Vec3 normal;
    double area;
};

Triangle triangle_of(const geometry::SurfaceMesh& mesh, std::int32_t f) {
    const geometry::Facet& facet = mesh.facets[at(f)];
    Triangle t{};
    for (int k = 0; k < 3; ++k) t.corner[k] = mesh.vertices[at(facet.vertex[k])];
    const Vec3 twice = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
    t.normal = unit(twice);
    t.area = 0.5 * norm(twice);
    return t;
}

// Facets in the order of the leaves.
struct Splitter {
    const geometry::SurfaceMesh& mesh;
    std::vector<Vec3> middles;
    std::vector<std::int32_t> facets;
    std::vector<SourceNode> nodes;

    std::int32_t split(std::size_t begin, std::size_t end) {
        const auto index = static_cast<std::int32_t>(nodes.size());
        nodes.push_back({.first = static_cast<std::int32_t>(begin), .count = static_cast<std::int32_t>(end - begin)});
        if (end - begin <= 4) return index;
        geometry::BoundingBox box{middles[at(facets[begin])], middles[at(facets[begin])]};
        for (std::size_t i = begin; i < end; ++i) {
            extend(box, middles[at(facets[i])]);
        }
        const Vec3 size = box.upper - box.lower;
        const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        const std::size_t middle = begin + (end - begin + 1) / 2;
        const auto order = [&](std::int32_t a, std::int32_t b) {
            const double u = coordinate(middles[at(a)], axis), v = coordinate(middles[at(b)], axis);
            return u != v ? u < v : a < b;
        };
        const auto from = facets.begin();
        std::nth_element(from + std::ptrdiff_t(begin), from + std::ptrdiff_t(middle), from + std::ptrdiff_t(end), order);
        // The order within the halves must not depend on the library's nth_element.
        std::sort(from + std::ptrdiff_t(begin), from + std::ptrdiff_t(middle), order);
        std::sort(from + std::ptrdiff_t(middle), from + std::ptrdiff_t(end), order);
        const std::int32_t left = split(begin, middle);
        const std::int32_t right = split(middle, end);
        nodes[at(index)].child[0] = left;
        nodes[at(index)].child[1] = right;
        return index;
    }
};

FacetRecord record_of(const Triangle& t) {
    FacetRecord record{};
    for (int k = 0; k < 3; ++k) {
        const Vec3 side = t.corner[(k + 1) % 3] - t.corner[k];
        const Vec3 across = unit(cross(side, t.normal));
        for (int axis = 0; axis < 3; ++axis) {
            record.corner[k][axis] = coordinate(t.corner[k], axis);
            record.across[k][axis] = coordinate(across, axis);
        }
        record.normal[k] = coordinate(t.normal, k);
        record.length[k] = norm(side);
    }
    return record;
}

void measure(const geometry::SurfaceMesh& mesh, std::span<const std::int32_t> facets, SourceNode& node) {
    node.box = {mesh.vertices[at(mesh.facets[at(facets[0])].vertex[0])], mesh.vertices[at(mesh.facets[at(facets[0])].vertex[0])]};
    const auto corners = [&](auto&& visit) {
        for (const std::int32_t f : facets)
            for (const std::int32_t v : mesh.facets[at(f)].vertex) visit(mesh.vertices[at(v)]);
    };
    corners([&](const Vec3& v) { extend(node.box, v); });
    node.centre = 0.5 * (node.box.lower + node.box.upper);
    corners([&](const Vec3& v) { node.radius = std::max(node.radius, norm(v - node.centre)); });
    for (const std::int32_t f : facets) {
        const Triangle t = triangle_of(mesh, f);
        const double h = dot(t.normal, t.corner[0] - node.centre);
        const Vec3& n = t.normal;
        node.area += t.area;
        node.hh += t.area * h * h;
        node.hn += t.area * h * n;
        node.nn.xx += t.area * n.x * n.x;
        node.nn.yy += t.area * n.y * n.y;
        node.nn.zz += t.area * n.z * n.z;
        node.nn.xy += t.area * n.x * n.y;
        node.nn.xz += t.area * n.x * n.z;
        node.nn.yz += t.area * n.y * n.z;
    }
}

// ---- expansions

using Moment = SourceTree::Moment;

void moments_of_facets(const geometry::SurfaceMesh& mesh, std::span<const std::int32_t> facets, const Vec3& centre, Moment* moments) {
    const std::vector<TriangleNode> rule = triangle_rule();
    std::vector<Complex> harmonics(SourceTree::terms);
    for (const std::int32_t f : facets) {
        const Triangle t = triangle_of(mesh, f);
        const double weights[4] = {dot(t.normal, t.corner[0] - centre), t.normal.x, t.normal.y, t.normal.z};
        for (const TriangleNode& node : rule) {
            const Vec3 s = t.corner[0] + node.u * (t.corner[1] - t.corner[0]) + node.v * (t.corner[2] - t.corner[0]);
            regular_harmonics(s - centre, SourceTree::order, harmonics);
            for (std::size_t i = 0; i < harmonics.size(); ++i)
                for (int k = 0; k < 4; ++k) {
                    const double weight = 2 * t.area * node.weight * weights[k];
                    moments[i].re[k] += weight * harmonics[i].re;
                    moments[i].im[k] += weight * harmonics[i].im;
                }
        }
    }
}

// R_l,m of any m: R_l,-m = (-1)^m conj R_lm.
Complex any_order(const Complex* harmonics, int l, int m) {
    const Complex r = harmonics[term(l, std::abs(m))];
    if (m >= 0) return r;
    return m % 2 == 0 ? Complex{r.re, -r.im} : Complex{-r.re, r.im};
}

// Moments about another centre: R_lm(s + t) = sum R_jk(t) R_l-j,m-k(s).
void add_moved(const Moment* from, const Vec3& shift, Moment* to) {
    std::vector<Complex> t(SourceTree::terms);
    regular_harmonics(shift, SourceTree::order, t);
    std::vector<Complex> own[4];
    for (int k = 0; k < 4; ++k) {
        own[k].resize(SourceTree::terms);
        for (std::size_t i = 0; i < own[k].size(); ++i) own[k][i] = {from[i].re[k], from[i].im[k]};
    }
    // n.(s - o') = n.(s - o) + n.(o - o')
    for (std::size_t i = 0; i < own[0].size(); ++i) {
        own[0][i].re += shift.x * own[1][i].re + shift.y * own[2][i].re + shift.z * own[3][i].re;
        own[0][i].im += shift.x * own[1][i].im + shift.y * own[2][i].im + shift.z * own[3][i].im;
    }
    for (int l = 0; l <= SourceTree::order; ++l)
        for (int m = 0; m <= l; ++m)
            for (int j = 0; j <= l; ++j)
                for (int k = std::max(-j, m - (l - j)); k <= std::min(j, m + (l - j)); ++k) {
                    const Complex a = any_order(t.data(), j, k);
                    for (int c = 0; c < 4; ++c) {
                        const Complex b = any_order(own[c].data(), l - j, m - k);
                        to[term(l, m)].re[c] += a.re * b.re - a.im * b.im;
                        to[term(l, m)].im[c] += a.re * b.im + a.im * b.re;
                    }
                }
}

// Multiplies all with m > 0: 2 - d_m0 is put into the moments, or taken out again.
void scale_orders(Moment* moments, double factor) {
    for (int l = 1; l <= SourceTree::order; ++l)
        for (int m = 1; m <= l; ++m)
            for (int k = 0; k < 4; ++k) {
                moments[term(l, m)].re[k] *= factor;
                moments[term(l, m)].im[k] *= factor;
            }
}

void set_moments(const geometry::SurfaceMesh& mesh, const std::vector<std::int32_t>& facets, const std::function<void()>& poll,
                 SourceTree& tree) {
    std::int32_t count = 0;
    std::vector<std::size_t> lowest;  // patches whose children have no expansion
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        SourceNode& node = tree.nodes[i];
        if (i > 0 && node.count < facets_of_moments) continue;
        node.moments = count++;
        if (node.child[1] < 0 || tree.nodes[at(node.child[1])].count < facets_of_moments) lowest.push_back(i);
    }
    tree.moments.resize(at(count) * SourceTree::terms);
    const auto moments_of = [&](const SourceNode& node) { return tree.moments.data() + at(node.moments) * SourceTree::terms; };
    parallel_blocks(lowest.size(), 1, [&](std::size_t begin, std::size_t) {
        const SourceNode& node = tree.nodes[lowest[begin]];
        poll();
        moments_of_facets(mesh, {facets.data() + node.first, at(node.count)}, node.centre, moments_of(node));
    });
    std::vector<bool> is_set(tree.nodes.size());
    for (const std::size_t i : lowest) is_set[i] = true;
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {  // children before parents
        const SourceNode& node = tree.nodes[i];
        if (node.moments < 0 || is_set[i]) continue;
        poll();
        for (const std::int32_t child : node.child)
            add_moved(moments_of(tree.nodes[at(child)]), tree.nodes[at(child)].centre - node.centre, moments_of(node));
    }
    for (std::int32_t e = 0; e < count; ++e) scale_orders(tree.moments.data() + at(e) * SourceTree::terms, 2);
}

}  // namespace

std::vector<TriangleNode> triangle_rule() {
    // Gauss-Legendre on [0, 1], eight points, in both directions of the square that is folded into the triangle.
    constexpr double x[4] = {0.1834346424956498049395, 0.5255324099163289858177, 0.7966664774136267395916, 0.9602898564975362316836};
    constexpr double w[4] = {0.3626837833783619829652, 0.3137066458778872873380, 0.2223810344533744705444, 0.1012285362903762591525};
    std::vector<TriangleNode> rule;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            const double u = 0.5 + 0.5 * (i < 4 ? -x[i] : x[i - 4]);
            const double v = 0.5 + 0.5 * (j < 4 ? -x[j] : x[j - 4]);
            rule.push_back({u, (1 - u) * v, 0.25 * w[i % 4] * w[j % 4] * (1 - u)});
        }
    return rule;
}

void regular_harmonics(const Vec3& s, int order, std::vector<Complex>& harmonics) {
    const double rr = squared_norm(s);
    for (int m = 0; m <= order; ++m) {
        if (m == 0) {
            harmonics[0] = {1, 0};
        } else {
            const Complex last = harmonics[term(m - 1, m - 1)];
            harmonics[term(m, m)] = {(s.x * last.re - s.y * last.im) / (2 * m), (s.x * last.im + s.y * last.re) / (2 * m)};
        }
        for (int l = m; l < order; ++l) {
            const Complex now = harmonics[term(l, m)];
            const Complex last = l > m ? harmonics[term(l - 1, m)] : Complex{};
            const double divisor = (l + 1) * (l + 1) - m * m;
            harmonics[term(l + 1, m)] = {((2 * l + 1) * s.z * now.re - rr * last.re) / divisor,
                                         ((2 * l + 1) * s.z * now.im - rr * last.im) / divisor};
        }
    }
}

SourceTree make_source_tree(const geometry::SurfaceMesh& mesh, const std::function<void()>& poll) {
    Splitter splitter{.mesh = mesh};
    for (std::size_t f = 0; f < mesh.facets.size(); ++f) {
        const Triangle t = triangle_of(mesh, static_cast<std::int32_t>(f));
        splitter.middles.push_back((t.corner[0] + t.corner[1] + t.corner[2]) / 3);
    }
    splitter.facets.resize(mesh.facets.size());
    std::iota(splitter.facets.begin(), splitter.facets.end(), 0);
    splitter.split(0, splitter.facets.size());

    SourceTree tree{.nodes = std::move(splitter.nodes)};
    const std::vector<std::int32_t>& facets = splitter.facets;
    for (const std::int32_t f : facets) {
        const Triangle t = triangle_of(mesh, f);
        geometry::BoundingBox box{t.corner[0], t.corner[0]};
        for (const Vec3& v : t.corner) extend(box, v);
        tree.facets.push_back(record_of(t));
        tree.corners.push_back({mesh.facets[at(f)].vertex[0], mesh.facets[at(f)].vertex[1], mesh.facets[at(f)].vertex[2]});
        tree.boxes.push_back(box);
        tree.areas.push_back(t.area);
    }
    tree.facets.push_back(tree.facets.back());
    FacetRecord& nothing = tree.facets.back();
    for (int k = 0; k < 3; ++k) {
        nothing.normal[k] = 0;
        for (double& component : nothing.across[k]) component = 0;
    }
    parallel_blocks(tree.nodes.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            SourceNode& node = tree.nodes[i];
            measure(mesh, {facets.data() + node.first, at(node.count)}, node);
        }
    });
    set_moments(mesh, facets, poll, tree);
    return tree;
}

std::vector<Moment> body_moments(const SourceTree& tree, const Vec3& centre) {
    const SourceNode& root = tree.nodes[0];
    const auto first = tree.moments.begin() + root.moments * std::ptrdiff_t{SourceTree::terms};
    std::vector<Moment> own(first, first + SourceTree::terms), moved(SourceTree::terms, Moment{});
    scale_orders(own.data(), 0.5);
    add_moved(own.data(), root.centre - centre, moved.data());
    scale_orders(moved.data(), 2);
    return moved;
}

double weighted_heights(const SourceNode& node, const Vec3& p) {
    const Vec3 d = p - node.centre;
    const Sym3& n = node.nn;
    const double quadratic = d.x * (n.xx * d.x + 2 * n.xy * d.y + 2 * n.xz * d.z) + d.y * (n.yy * d.y + 2 * n.yz * d.z) + d.z * d.z * n.zz;
    return std::sqrt(node.area * std::max(0.0, node.hh - 2 * dot(d, node.hn) + quadratic));
}

void add_multipoles(const SourceTree& tree, const SourceNode& node, int order, const Vec3& c, const Lanes3 (&p)[2], SourceSums (&sums)[2]) {
    const Moment* const moments = tree.moments.data() + at(node.moments) * SourceTree::terms;
    Lanes3 d[2], turn[2];
    Double4 inverse[2], first_re[2], first_im[2] = {}, own[2][4] = {};  // first: I_mm
    for (int g = 0; g < 2; ++g) {
        d[g] = {p[g].x - node.centre.x, p[g].y - node.centre.y, p[g].z - node.centre.z};
        inverse[g] = 1.0 / detail::dot(d[g], d[g]);
        turn[g] = {d[g].x * inverse[g], d[g].y * inverse[g], d[g].z * inverse[g]};
        first_re[g] = square_root(inverse[g]);
    }
    for (int m = 0; m <= order; ++m) {
        Double4 re[2] = {first_re[0], first_re[1]}, im[2] = {first_im[0], first_im[1]}, last_re[2] = {}, last_im[2] = {};
        for (int l = m; l <= order; ++l) {
            const Moment& moment = moments[term(l, m)];
            const double up = 2 * l + 1, down = m * m - l * l;
#pragma GCC unroll 2
            for (int g = 0; g < 2; ++g) {
#pragma GCC unroll 4
                for (int k = 0; k < 4; ++k) own[g][k] = fused(splat(moment.re[k]), re[g], fused(splat(moment.im[k]), im[g], own[g][k]));
                // I_l+1,m = ((2 l + 1) z I_lm - (l^2 - m^2) I_l-1,m) / r^2
                const Double4 rise = up * turn[g].z, fall = down * inverse[g];
                const Double4 next_re = fused(rise, re[g], fall * last_re[g]), next_im = fused(rise, im[g], fall * last_im[g]);
                last_re[g] = re[g];
                last_im[g] = im[g];
                re[g] = next_re;
                im[g] = next_im;
            }
        }
        for (int g = 0; g < 2; ++g) {
            const Double4 re_m = first_re[g];
            first_re[g] = (2.0 * m + 1) * (turn[g].x * re_m - turn[g].y * first_im[g]);
            first_im[g] = (2.0 * m + 1) * (turn[g].x * first_im[g] + turn[g].y * re_m);
        }
    }
    const Vec3 shift = c - node.centre;  // h(c) = h(o) - n.(c - o)
    for (int g = 0; g < 2; ++g) {
        sums[g].heights += own[g][0] - shift.x * own[g][1] - shift.y * own[g][2] - shift.z * own[g][3];
        sums[g].normals.x += own[g][1];
        sums[g].normals.y += own[g][2];
        sums[g].normals.z += own[g][3];
    }
}

}  // namespace asperity::gravity
