#include "asperity/geometry/exact_sign.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

namespace asperity::geometry {
namespace {

constexpr double rounding = DBL_EPSILON / 2;

int sign(double x) { return (x > 0) - (x < 0); }

// A sum of doubles that do not overlap, from small to large: holds every digit of what was put in.
using Expansion = std::vector<double>;

void add(double b, Expansion& sum) {
    double q = b;
    for (double& part : sum) {
        const double total = q + part;
        const double of_part = total - q;
        part = (q - (total - of_part)) + (part - of_part);
        q = total;
    }
    sum.push_back(q);
}

Expansion difference(double a, double b) {
    Expansion result{a};
    add(-b, result);
    return result;
}

Expansion product(const Expansion& a, const Expansion& b) {
    Expansion result;
    for (const double x : a)
        for (const double y : b) {
            if (x == 0 || y == 0) continue;
            const double high = x * y;
            add(std::fma(x, y, -high), result);
            add(high, result);
        }
    return result;
}

Expansion minus(Expansion a, const Expansion& b) {
    for (const double y : b) add(-y, a);
    return a;
}

int sign(const Expansion& a) {
    for (auto part = a.rbegin(); part != a.rend(); ++part)
        if (*part != 0) return sign(*part);
    return 0;
}

struct Difference3 {
    Expansion x, y, z;
    Difference3(const Vec3& a, const Vec3& d) : x(difference(a.x, d.x)), y(difference(a.y, d.y)), z(difference(a.z, d.z)) {}
};

int exact_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Difference3 p(a, d), q(b, d), r(c, d);
    Expansion sum = product(p.z, minus(product(q.x, r.y), product(r.x, q.y)));
    for (const double part : product(q.z, minus(product(r.x, p.y), product(p.x, r.y)))) add(part, sum);
    for (const double part : product(r.z, minus(product(p.x, q.y), product(q.x, p.y)))) add(part, sum);
    return sign(sum);
}

// Without the coordinate along which the triangle's area is seen largest.
struct Flat {
    int dropped;
    Vec2 operator()(const Vec3& p) const { return dropped == 0 ? Vec2{p.y, p.z} : dropped == 1 ? Vec2{p.z, p.x} : Vec2{p.x, p.y}; }
};

Flat flat(const Vec3 (&t)[3]) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    return {x >= y && x >= z ? 0 : y >= z ? 1 : 2};
}

bool is_inside(const Vec2& p, const Vec2 (&t)[3]) {
    const int a = turn(t[0], t[1], p), b = turn(t[1], t[2], p), c = turn(t[2], t[0], p);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

bool is_between(double x, double a, double b) { return std::min(a, b) <= x && x <= std::max(a, b); }
bool is_in_box(const Vec2& p, const Vec2& a, const Vec2& b) { return is_between(p.x, a.x, b.x) && is_between(p.y, a.y, b.y); }

bool segments_meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const int c_side = turn(a, b, c), d_side = turn(a, b, d), a_side = turn(c, d, a), b_side = turn(c, d, b);
    if (c_side * d_side < 0 && a_side * b_side < 0) return true;
    return (c_side == 0 && is_in_box(c, a, b)) || (d_side == 0 && is_in_box(d, a, b)) || (a_side == 0 && is_in_box(a, c, d)) ||
           (b_side == 0 && is_in_box(b, c, d));
}

}  // namespace

int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 p = a - d, q = b - d, r = c - d;
    const double qr = q.x * r.y, rq = r.x * q.y, rp = r.x * p.y, pr = p.x * r.y, pq = p.x * q.y, qp = q.x * p.y;
    const double value = p.z * (qr - rq) + q.z * (rp - pr) + r.z * (pq - qp);
    const double size = (std::abs(qr) + std::abs(rq)) * std::abs(p.z) + (std::abs(rp) + std::abs(pr)) * std::abs(q.z) +
                        (std::abs(pq) + std::abs(qp)) * std::abs(r.z);
    return std::abs(value) > (7 + 56 * rounding) * rounding * size ? sign(value) : exact_side(a, b, c, d);
}

int turn(const Vec2& a, const Vec2& b, const Vec2& c) {
    const double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
    const double value = left - right;
    if (std::abs(value) > (3 + 16 * rounding) * rounding * (std::abs(left) + std::abs(right))) return sign(value);
    return sign(minus(product(difference(a.x, c.x), difference(b.y, c.y)), product(difference(a.y, c.y), difference(b.x, c.x))));
}

bool meets(const Vec3& from, const Vec3& to, const Vec3 (&t)[3]) {
    const int from_side = side(t[0], t[1], t[2], from), to_side = side(t[0], t[1], t[2], to);
    if (from_side * to_side > 0) return false;
    if (from_side != 0 && to_side != 0) {
        // It crosses the plane; where, the sides of the triangle tell, seen along it.
        const int a = side(from, to, t[0], t[1]), b = side(from, to, t[1], t[2]), c = side(from, to, t[2], t[0]);
        return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
    }
    const Flat seen = flat(t);
    const Vec2 corners[3] = {seen(t[0]), seen(t[1]), seen(t[2])};
    if (from_side == 0 && is_inside(seen(from), corners)) return true;
    if (to_side == 0 && is_inside(seen(to), corners)) return true;
    if (from_side != 0 || to_side != 0) return false;
    for (int k = 0; k < 3; ++k)
        if (segments_meet(seen(from), seen(to), corners[k], corners[(k + 1) % 3])) return true;
    return false;
}

}  // namespace asperity::geometry
