#include "asperity/geometry/harmonics.h"

#include <cmath>
#include <numbers>

#include "asperity/core/errors.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/icosphere.h"
#include "asperity/geometry/ray_cast.h"

namespace asperity::geometry {
namespace {

struct Node {
    double z = 0;
    double weight = 0;  // they add up to 2
};

// Gauss-Legendre nodes, by Newton's method from a guess that is good to 1e-3 of their distance.
std::vector<Node> gauss_legendre(int count) {
    std::vector<Node> nodes;
    for (int i = 0; i < count; ++i) {
        double z = std::cos(std::numbers::pi * (i + 0.75) / (count + 0.5)), slope = 0;
        for (int pass = 0; pass < 8; ++pass) {
            double before = 1, now = z;  // P_0, P_1
            for (int n = 2; n <= count; ++n) {
                const double next = ((2 * n - 1) * z * now - (n - 1) * before) / n;
                before = now;
                now = next;
            }
            slope = count * (z * now - before) / (z * z - 1);
            z -= now / slope;
        }
        nodes.push_back({.z = z, .weight = 2 / ((1 - z * z) * slope * slope)});
    }
    return nodes;
}

Vec3 scaled(const Vec3& axes, const Vec3& u) { return {axes.x * u.x, axes.y * u.y, axes.z * u.z}; }

}  // namespace

Harmonics::Harmonics(int degree) : degree_(degree), start_{1} {
    ASPERITY_REQUIRE(degree >= 0 && degree <= 200, "degree {}", degree);
    for (int m = 0; m <= degree; ++m) {
        if (m > 0) start_.push_back(start_.back() * (m == 1 ? std::sqrt(3.0) : std::sqrt((2.0 * m + 1) / (2.0 * m))));
        for (int n = m + 1; n <= degree; ++n) {
            const double gap = (n - m) * (n + m), last = (n - 1 - m) * (n - 1 + m);
            steps_.push_back({.a = std::sqrt((4.0 * n * n - 1) / gap), .b = std::sqrt((2 * n + 1) * last / ((2 * n - 3) * gap))});
        }
    }
}

// Calls visit(n, m, Re, Im) with both harmonics of (1), for m = 0, 1, ... and n = m, m + 1, ...
template <class Visit>
void Harmonics::for_each(const Vec3& u, Visit&& visit) const {
    double re = 1, im = 0;
    const Step* step = steps_.data();
    for (int m = 0; m <= degree_; ++m) {
        double before = 0, now = start_[static_cast<std::size_t>(m)];
        visit(m, m, now * re, now * im);
        for (int n = m + 1; n <= degree_; ++n, ++step) {
            const double next = step->a * u.z * now - step->b * before;
            before = now;
            now = next;
            visit(n, m, now * re, now * im);
        }
        const double turned = re * u.x - im * u.y;
        im = re * u.y + im * u.x;
        re = turned;
    }
}

double Harmonics::sum(std::span<const double> coefficients, const Vec3& u) const {
    double total = 0;
    for_each(u, [&](int n, int m, double re, double im) {
        const auto at = static_cast<std::size_t>(n * n + 2 * m);
        total += m == 0 ? coefficients[at] * re : coefficients[at - 1] * re + coefficients[at] * im;
    });
    return total;
}

void Harmonics::values(const Vec3& u, std::span<double> y) const {
    for_each(u, [&](int n, int m, double re, double im) {
        const auto at = static_cast<std::size_t>(n * n + 2 * m);
        y[at] = m == 0 ? re : im;
        if (m > 0) y[at - 1] = re;
    });
}

RawMesh mesh_of(const HarmonicShape& shape, int frequency) {
    RawMesh mesh = divided_icosphere(frequency);
    const Harmonics harmonics(shape.degree);
    parallel_blocks(mesh.vertices.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Vec3 u = mesh.vertices[k];
            mesh.vertices[k] = harmonics.sum(shape.coefficients, u) * scaled(shape.axes, u);
        }
    });
    return mesh;
}

HarmonicShape fit_harmonics(const SurfaceMesh& mesh, const Vec3& centre, int degree, int rows) {
    const Vec3 half = 0.5 * (mesh.upper - mesh.lower);
    HarmonicShape shape{.axes = {std::ceil(half.x), std::ceil(half.y), std::ceil(half.z)}, .degree = degree};
    const Harmonics harmonics(degree);
    const std::vector<Node> nodes = gauss_legendre(rows);
    std::vector<std::vector<double>> parts(nodes.size(), std::vector<double>(harmonic_count(degree)));
    const int columns = 2 * rows;
    parallel_blocks(nodes.size(), 1, [&](std::size_t row, std::size_t) {
        const auto [z, weight] = nodes[row];
        const double across = std::sqrt(1 - z * z);
        std::vector<double> y(harmonic_count(degree));
        for (int column = 0; column < columns; ++column) {
            const double angle = 2 * std::numbers::pi * column / columns;
            const Vec3 u{across * std::cos(angle), across * std::sin(angle), z};
            const double rho = cast_ray(mesh, centre, scaled(shape.axes, u)).farthest;
            if (rho < 0)
                throw InputError(fmt::format("a ray from the centre along ({:.3g}, {:.3g}, {:.3g}) meets no facet", u.x, u.y, u.z),
                                 "the centre lies outside the solid: no star-shaped body is like it");
            harmonics.values(u, y);
            for (std::size_t k = 0; k < y.size(); ++k) parts[row][k] += 0.5 * weight / columns * rho * y[k];
        }
    });
    shape.coefficients.resize(harmonic_count(degree));
    for (const std::vector<double>& part : parts)
        for (std::size_t k = 0; k < part.size(); ++k) shape.coefficients[k] += part[k];
    return shape;
}

}  // namespace asperity::geometry
