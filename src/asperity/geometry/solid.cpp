#include "asperity/geometry/solid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace asperity::geometry {
namespace {

using std::numbers::pi;

Matrix3 diagonal(double x, double y, double z) { return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

void add_square(const Vec3& v, double weight, Matrix3& sum) {
    const double x[3] = {v.x, v.y, v.z};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) sum[i][j] += weight * x[i] * x[j];
}

std::array<Vec3, 3> columns(const Quat& q) { return {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})}; }

Matrix3 turned(const Matrix3& m, const Quat& q) {
    const std::array<Vec3, 3> c = columns(q);
    const double r[3][3] = {{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}};
    Matrix3 out{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t l = 0; l < 3; ++l) out[i][j] += r[i][k] * m[k][l] * r[j][l];
    return out;
}

// Turns `a` and the columns of `axes` in the plane (p, q) so that a[p][q] is 0.
void rotate_in_plane(std::size_t p, std::size_t q, Matrix3& a, Matrix3& axes) {
    if (a[p][q] == 0) return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::hypot(theta, 1.0)), c = 1 / std::hypot(t, 1.0), s = t * c;
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const double x = a[p][k], y = a[q][k], u = axes[k][p], v = axes[k][q];
        a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        axes[k][p] = c * u - s * v, axes[k][q] = s * u + c * v;
    }
    a[p][q] = a[q][p] = 0;
}

// Of a rotation matrix; the largest of the four components first, so that no root of a small number is divided by.
Quat quaternion(const Matrix3& r) {
    const double w = r[0][0] + r[1][1] + r[2][2], x = r[0][0] - r[1][1] - r[2][2], y = r[1][1] - r[2][2] - r[0][0],
                 z = r[2][2] - r[0][0] - r[1][1], most = std::max({w, x, y, z});
    const double a = r[2][1] - r[1][2], b = r[0][2] - r[2][0], c = r[1][0] - r[0][1];
    const double d = r[0][1] + r[1][0], e = r[0][2] + r[2][0], f = r[1][2] + r[2][1];
    if (most == w) return unit(Quat{1 + w, a, b, c});
    if (most == x) return unit(Quat{a, 1 + x, d, e});
    if (most == y) return unit(Quat{b, d, 1 + y, f});
    return unit(Quat{c, e, f, 1 + z});
}

}  // namespace

Solid solid(const Sphere& s) { return solid(Ellipsoid{{s.radius, s.radius, s.radius}}); }

Solid solid(const Ellipsoid& e) {
    const Vec3& a = e.semi_axes;
    const double v = 4 * pi / 3 * a.x * a.y * a.z;
    return {v, {}, diagonal(v * a.x * a.x / 5, v * a.y * a.y / 5, v * a.z * a.z / 5)};
}

Solid solid(const Box& b) {
    const Vec3& a = b.half;
    const double v = 8 * a.x * a.y * a.z;
    return {v, {}, diagonal(v * a.x * a.x / 3, v * a.y * a.y / 3, v * a.z * a.z / 3)};
}

Solid solid(const Cylinder& c) {
    const double r = c.radius, h = c.half_height, v = 2 * pi * r * r * h;
    return {v, {}, diagonal(v * r * r / 4, v * r * r / 4, v * h * h / 3)};
}

Solid solid(const Cone& c) {
    const double r = c.radius, h = c.height, v = pi * r * r * h / 3;
    return {v, {}, diagonal(3 * v * r * r / 20, 3 * v * r * r / 20, 3 * v * h * h / 80)};
}

Solid solid(const Capsule& c) {
    const double r = c.radius, l = c.half_length, v = 2 * pi * r * r * l, ball = 4 * pi / 3 * r * r * r, middle = 3 * r / 8;
    // two half-spheres: about the plane of their flat sides r^2 / 5 along the axis, moved out by l
    const double along = v * l * l / 3 + ball * (r * r / 5 - middle * middle + (l + middle) * (l + middle));
    const double across = v * r * r / 4 + ball * r * r / 5;
    return {v + ball, {}, diagonal(across, across, along)};
}

Solid solid(const Hull& hull) {
    Vec3 inside;
    for (const Vec3& v : hull.vertices) inside += v / static_cast<double>(hull.vertices.size());
    double volume = 0;
    Vec3 first;
    Matrix3 second{};
    for (std::size_t f = 0; f < hull.faces(); ++f) {
        const auto corner = [&](std::int32_t k) {
            return hull.vertices[static_cast<std::size_t>(hull.corners[static_cast<std::size_t>(k)])] - inside;
        };
        for (std::int32_t k = hull.face_begin[f] + 1; k + 1 < hull.face_begin[f + 1]; ++k) {
            const Vec3 a = corner(hull.face_begin[f]), b = corner(k), c = corner(k + 1);
            const double v = dot(a, cross(b, c)) / 6;
            volume += v;
            first += 0.25 * v * (a + b + c);
            for (const Vec3& x : {a, b, c, a + b + c}) add_square(x, v / 20, second);
        }
    }
    const Vec3 centre = first / volume;
    add_square(centre, -volume, second);
    return {volume, inside + centre, second};
}

Solid placed(const Solid& solid, const Pose& pose) { return {solid.volume, pose * solid.centre, turned(solid.second, pose.q)}; }

Solid together(const Solid& one, const Solid& other) {
    Solid out{one.volume + other.volume, {}, one.second};
    out.centre = one.centre + (other.volume / out.volume) * (other.centre - one.centre);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) out.second[i][j] += other.second[i][j];
    add_square(one.centre - out.centre, one.volume, out.second);
    add_square(other.centre - out.centre, other.volume, out.second);
    return out;
}

PrincipalFrame principal_frame(const Matrix3& second, const Vec3& centre, double size) {
    constexpr double rounding = 1e-12;
    Matrix3 p = second, axes = diagonal(1, 1, 1);
    const double trace = p[0][0] + p[1][1] + p[2][2];
    PrincipalFrame out;
    if (norm(centre) > rounding * size) out.pose.p = centre;
    if (std::max({std::fabs(p[0][1]), std::fabs(p[0][2]), std::fabs(p[1][2])}) > rounding * trace) {
        for (int sweep = 0; sweep < 12; ++sweep)
            rotate_in_plane(0, 1, p, axes), rotate_in_plane(0, 2, p, axes), rotate_in_plane(1, 2, p, axes);
        out.pose.q = quaternion(axes);
        if (out.pose.q.w < 0) out.pose.q = {-out.pose.q.w, -out.pose.q.x, -out.pose.q.y, -out.pose.q.z};
    }
    out.second = {p[0][0], p[1][1], p[2][2]};
    return out;
}

}  // namespace asperity::geometry
