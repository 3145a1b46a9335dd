#include "asperity/record/shapes.h"

#include <algorithm>
#include <cmath>

namespace asperity::record {
namespace {

constexpr double most_given_times = 4000;  // of one body

// Kind and size of a shape; its points and triangles go behind those that there are.
struct Describe {
    const model::Model& model;
    ShapeRow& row;
    Shapes& shapes;

    void say(const char* kind, const Vec3& size = {}) const { row.kind = kind, row.size = size; }
    void add_points(const std::vector<Vec3>& points) const {
        shapes.points.insert(shapes.points.end(), points.begin(), points.end());
        row.points = static_cast<std::int64_t>(points.size());
    }

    void operator()(const model::Sphere& s) const { say("sphere", {s.radius, s.radius, s.radius}); }
    void operator()(const model::Ellipsoid& e) const { say("ellipsoid", e.semi_axes); }
    void operator()(const model::Box& b) const { say("box", b.half); }
    void operator()(const model::Cylinder& c) const { say("cylinder", {c.radius, c.radius, c.half_height}); }
    void operator()(const model::Cone& c) const { say("cone", {c.radius, c.radius, c.height}); }
    void operator()(const model::Capsule& c) const { say("capsule", {c.radius, c.radius, c.half_length}); }
    void operator()(const model::HalfSpace&) const { say("half-space"); }
    void operator()(const model::Markers& m) const {
        say("markers");
        add_points(m.points);
    }
    void operator()(const model::Hull& h) const {
        say("hull");
        add_points(h.vertices);
        for (std::size_t f = 0; f < h.faces(); ++f)  // a fan of triangles
            for (std::int32_t k = h.face_begin[f] + 2; k < h.face_begin[f + 1]; ++k) {
                const auto corner = [&](std::int32_t at) { return std::int64_t{h.corners[static_cast<std::size_t>(at)]}; };
                shapes.facets.push_back({corner(h.face_begin[f]), corner(k - 1), corner(k)});
                ++row.facets;
            }
    }
    void operator()(const model::MeshShape& m) const {
        if (m.surface == 0) return say("ground");
        say("mesh");
        const geometry::SurfaceMesh& mesh = model.surface(m.surface);
        add_points(mesh.vertices);
        for (const geometry::Facet& f : mesh.facets) shapes.facets.push_back({f.vertex[0], f.vertex[1], f.vertex[2]});
        row.facets = static_cast<std::int64_t>(mesh.facets.size());
    }
};

}  // namespace

void add_shape(const model::Model& model, const model::Collider& collider, const ShapeRow& head, Shapes& shapes) {
    ShapeRow row = head;
    row.position = collider.pose.p;
    row.orientation = collider.pose.q;
    std::visit(Describe{model, row, shapes}, collider.shape);
    shapes.rows.push_back(std::move(row));
}

std::vector<GivenRow> given_rows(const std::vector<GivenBody>& bodies, std::size_t first, double interval, double end) {
    std::vector<double> times;
    const double stride = std::max(1.0, std::ceil(end / (interval * most_given_times)));  // of no samples: the start
    for (double n = 0; n * interval < end && std::isfinite(interval); n += stride) times.push_back(n * interval);
    if (times.empty()) times.push_back(0);
    if (end > times.back()) times.push_back(end);
    std::vector<GivenRow> rows;
    for (const double time : times)
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            const Pose pose = model::place_at(bodies[k].motion, time).pose;
            rows.push_back({.time = time, .body = static_cast<std::int64_t>(first + k), .position = pose.p, .orientation = pose.q});
        }
    return rows;
}

std::vector<CableRow> cable_rows(const std::vector<model::Cable>& cables, const model::Cables& at_end) {
    std::vector<CableRow> rows;
    for (std::size_t i = 0; i < cables.size(); ++i)
        rows.push_back({.from = cables[i].from.body,
                        .from_at = cables[i].from.at,
                        .to = cables[i].to.body,
                        .to_at = cables[i].to.at,
                        .is_cut = at_end.is_cut[i]});
    return rows;
}

}  // namespace asperity::record
