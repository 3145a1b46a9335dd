#include "asperity/geometry/expansion.h"

#include <algorithm>
#include <cmath>

namespace asperity::geometry {
namespace {

constexpr int most_points = 160;
constexpr int most_faces = 2 * most_points;
constexpr double expansion_rounding = 1e-13;  // of the size

std::size_t nth(int index) { return static_cast<std::size_t>(index); }

struct Face {
    int vertex[3];
    int neighbour[3];  // across the side from vertex[k] to the next
    Vec3 normal;
    double height = 0;  // of the face over the origin, along its normal
    bool is_alive = true;
    bool is_final = false;  // no point of A - B lies beyond it
};

class Polytope {
public:
    std::array<Difference, most_points> points;
    std::array<Face, most_faces> faces;
    int point_count = 0;
    int face_count = 0;

    const Vec3& w(int k) const { return points[nth(k)].w; }

    int add_face(int a, int b, int c) {
        int index = face_count;
        for (int k = 0; free_ > 0 && k < face_count; ++k)
            if (!faces[nth(k)].is_alive) {
                index = k;
                --free_;
                break;
            }
        if (index == face_count) ++face_count;
        Face& face = faces[nth(index)];
        face = {.vertex = {a, b, c}, .neighbour = {-1, -1, -1}, .normal = unit(cross(w(b) - w(a), w(c) - w(a)))};
        face.height = dot(face.normal, w(a));
        // slivers without a normal are passed over
        face.is_final = !(squared_norm(face.normal) > 0);
        return index;
    }

    int nearest() const {
        int best = -1;
        for (int k = 0; k < face_count; ++k) {
            const Face& face = faces[nth(k)];
            if (face.is_alive && !face.is_final && (best < 0 || face.height < faces[nth(best)].height)) best = k;
        }
        return best;
    }

    bool is_full() const { return point_count == most_points || face_count - free_ + 64 > most_faces; }

    void remove(int face) {
        faces[nth(face)].is_alive = false;
        ++free_;
    }

    void join(int a, int side_a, int b, int side_b) {
        faces[nth(a)].neighbour[side_a] = b;
        faces[nth(b)].neighbour[side_b] = a;
    }

    // The side of a face whose neighbour is the other one.
    int side_to(int face, int other) const {
        for (int k = 0; k < 3; ++k)
            if (faces[nth(face)].neighbour[k] == other) return k;
        return 0;
    }

private:
    int free_ = 0;
};

// Sides between faces that a point sees and those that it does not, in their order about it.
struct Rim {
    static constexpr int most = 64;
    int count = 0;
    int face[most];  // that stays
    int side[most];
    int from[most];
    int to[most];
};

// Walks over all that the point sees, from a face that it sees; what it sees is marked dead. False where the rim is too long.
bool find_rim(Polytope& p, int seen, int entered, const Vec3& point, double tolerance, Rim& rim) {
    p.remove(seen);
    for (int turn = entered < 0 ? 0 : 1; turn < 3; ++turn) {
        const int side = entered < 0 ? turn : (entered + turn) % 3;
        const int next = p.faces[nth(seen)].neighbour[side];
        Face& beyond = p.faces[nth(next)];
        if (!beyond.is_alive) continue;
        if (dot(beyond.normal, point) - beyond.height > tolerance) {
            if (!find_rim(p, next, p.side_to(next, seen), point, tolerance, rim)) return false;
            continue;
        }
        if (rim.count == Rim::most) return false;
        const int k = rim.count++;
        rim.face[k] = next;
        rim.side[k] = p.side_to(next, seen);
        rim.from[k] = p.faces[nth(seen)].vertex[side];
        rim.to[k] = p.faces[nth(seen)].vertex[(side + 1) % 3];
    }
    return true;
}

// Replaces what the point sees. False where rounding leaves no closed rim: the polytope is of no more use then.
bool include(Polytope& p, int nearest, const Difference& found, double tolerance) {
    Rim rim;
    if (!find_rim(p, nearest, -1, found.w, tolerance, rim) || rim.count < 3) return false;
    for (int k = 0; k < rim.count; ++k)
        if (rim.to[k] != rim.from[(k + 1) % rim.count]) return false;
    const int point = p.point_count++;
    p.points[nth(point)] = found;
    int first = -1, last = -1;
    for (int k = 0; k < rim.count; ++k) {
        const int face = p.add_face(rim.from[k], rim.to[k], point);
        p.join(face, 0, rim.face[k], rim.side[k]);
        if (last >= 0) p.join(last, 1, face, 2);
        if (first < 0) first = face;
        last = face;
    }
    p.join(last, 1, first, 2);
    return true;
}

// A tetrahedron of support points, as wide as A - B.
bool start(const Convex& a, const Convex& b, Polytope& p) {
    const auto farther = [&](const Vec3& d, const auto& distance) {
        const Difference one = difference(a, b, d), other = difference(a, b, -d);
        return distance(one.w) >= distance(other.w) ? one : other;
    };
    const Vec3 line = a.centre - b.centre, first = squared_norm(line) > 0 ? line : Vec3{1, 0, 0};
    p.points[0] = difference(a, b, first);
    p.points[1] = difference(a, b, -first);
    const Vec3 along = unit(p.w(1) - p.w(0));
    const Vec3 across = unit(cross(along, std::fabs(along.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}));
    p.points[2] = farther(across, [&](const Vec3& w) { return squared_norm(cross(along, w - p.w(0))); });
    const Vec3 up = unit(cross(p.w(1) - p.w(0), p.w(2) - p.w(0)));
    p.points[3] = farther(up, [&](const Vec3& w) { return std::fabs(dot(up, w - p.w(0))); });
    p.point_count = 4;
    const double height = dot(up, p.w(3) - p.w(0));
    if (height == 0) return false;
    const int i = height > 0 ? 1 : 0;  // the third point lies above: the base is turned to face away from it
    p.add_face(i, 1 - i, 2), p.add_face(1 - i, i, 3), p.add_face(2, 1 - i, 3), p.add_face(i, 2, 3);
    p.join(0, 0, 1, 0), p.join(0, 1, 2, 0), p.join(0, 2, 3, 0);
    p.join(1, 1, 3, 2), p.join(1, 2, 2, 1), p.join(2, 2, 3, 1);
    return true;
}

void set_face(const Polytope& p, const Face& face, Overlap& out) {
    out.face.count = 3;
    for (std::size_t k = 0; k < 3; ++k) out.face.point[k] = p.points[nth(face.vertex[k])];
    const Vec3 foot = face.height * face.normal;
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 &u = out.face.point[(k + 1) % 3].w, &v = out.face.point[(k + 2) % 3].w;
        out.face.weight[k] = std::fmax(0.0, dot(face.normal, cross(u - foot, v - foot)));
        sum += out.face.weight[k];
    }
    for (std::size_t k = 0; k < 3; ++k) out.face.weight[k] = sum > 0 ? out.face.weight[k] / sum : 1.0 / 3;
}

}  // namespace

Overlap expand(const Convex& a, const Convex& b) {
    Polytope p;
    Overlap out{.outward = {1, 0, 0}, .depth = HUGE_VAL, .face = {}};
    if (!start(a, b, p)) return out;
    double size = 0;
    for (int k = 0; k < 4; ++k) size = std::fmax(size, norm(p.w(k) - p.w(0)));
    const double close = (a.has_rim() || b.has_rim() ? depth_tolerance : expansion_rounding) * size;
    while (true) {
        const int nearest = p.nearest();
        if (nearest < 0) return out;
        Face& face = p.faces[nth(nearest)];
        if (!(face.height < out.depth)) return out;  // (2): no other face can be better
        const Difference found = difference(a, b, face.normal);
        const double height = dot(face.normal, found.w);
        if (height < out.depth) {
            out.outward = face.normal, out.depth = height;
            set_face(p, face, out);
        }
        if (!(height - face.height > close)) {
            face.is_final = true;  // its depth is known; a face nearer than that may still be better by `close`
            if (!(out.depth - face.height > close)) return out;
            continue;
        }
        if (p.is_full() || !include(p, nearest, found, expansion_rounding * size)) return out;
    }
}

}  // namespace asperity::geometry
