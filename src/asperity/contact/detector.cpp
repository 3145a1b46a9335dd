#include "asperity/contact/detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asperity/contact/ground_height.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/pairs/convex_half_space.h"
#include "asperity/geometry/pairs/sphere_sphere.h"

namespace asperity::contact {
namespace {

constexpr double large = 4;         // median reaches: larger bodies stay out of the cells
constexpr double skin_part = 0.25;  // of the median reach

std::vector<model::Collider> colliders_of(const model::BodyKind& kind) {
    if (!kind.colliders.empty()) return kind.colliders;
    const model::Shape shape =
        kind.is_sphere() ? model::Shape{model::Sphere{kind.radius()}} : model::Shape{model::Ellipsoid{kind.semi_axes}};
    return {{.shape = shape, .pose = {}, .material = kind.material}};
}

// Flat on flat touches at corners and edges, which have no radius: as markers.
double effective_radius(double a, double b) {
    if (std::isinf(a) && std::isinf(b)) return 0;
    if (std::isinf(a)) return b;
    if (std::isinf(b)) return a;
    return a + b > 0 ? a * b / (a + b) : 0;
}

// Cells of a grid, in the order of their coordinates.
struct CellKey {
    std::int64_t x = 0, y = 0, z = 0;
    std::uint32_t row = 0;

    auto operator<=>(const CellKey&) const = default;
    std::tuple<std::int64_t, std::int64_t, std::int64_t> cell() const { return {x, y, z}; }
};

}  // namespace

std::string missing_pair(const model::Model& model) {
    const model::Parameters& p = model.parameters;
    const auto text = [](const model::Shape& a, const model::Shape& b) {
        return fmt::format("{} and {} can touch, but there is no narrow phase for this pair of shapes: where they do is not known", name(a),
                           name(b));
    };
    for (std::size_t i = 0; i < p.bodies.kinds.size(); ++i)
        for (const model::Collider& a : colliders_of(p.bodies.kinds[i])) {
            for (const model::Collider& b : p.ground)
                if (!has_narrow_phase(a.shape, b.shape)) return text(a.shape, b.shape);
            for (const model::Driven& driven : p.driven)
                for (const model::Collider& b : driven.colliders)
                    if (!has_narrow_phase(a.shape, b.shape)) return text(a.shape, b.shape);
            for (std::size_t j = i; j < p.bodies.kinds.size(); ++j) {
                if (i == j && std::ranges::count(p.bodies.kind, static_cast<std::uint32_t>(i)) < 2) continue;
                for (const model::Collider& b : colliders_of(p.bodies.kinds[j]))
                    if (!has_narrow_phase(a.shape, b.shape)) return text(a.shape, b.shape);
            }
        }
    return {};
}

Detector::Detector(const model::Model& model) : model_(model), kind_(model.parameters.bodies.kind) {
    const model::Parameters& p = model.parameters;
    const auto part_of = [](std::vector<model::Collider> colliders) {
        Part part{.colliders = std::move(colliders), .radius = {}};
        for (const model::Collider& collider : part.colliders) {
            part.radius.push_back(contact_radius(collider.shape));
            part.reach = std::fmax(part.reach, model::reach_of(collider));
        }
        part.is_ball = part.colliders.size() == 1 && std::holds_alternative<model::Sphere>(part.colliders[0].shape) &&
                       part.colliders[0].pose == Pose{};
        return part;
    };
    joined_ = model::kept_apart(p);
    for (const model::BodyKind& kind : p.bodies.kinds) parts_.push_back(part_of(colliders_of(kind)));
    for (const model::Driven& driven : p.driven) driven_.push_back(part_of(driven.colliders));
    ground_ = part_of(p.ground);
    const auto add_surfaces = [&](const std::vector<model::Collider>& colliders) {
        for (const model::Collider& collider : colliders) {
            const auto* mesh = std::get_if<model::MeshShape>(&collider.shape);
            if (mesh == nullptr) continue;
            surfaces_[mesh->surface] = model.surface(mesh->surface).view();
            if (mesh->surface == 0 && !model.assets->rocks.centres.empty()) surfaces_[0].rocks = model.assets->rocks.view();
        }
    };
    add_surfaces(p.ground);
    for (const model::Driven& driven : p.driven) add_surfaces(driven.colliders);
    if (kind_.empty()) return;
    std::vector<double> reach(kind_.size());
    for (std::size_t i = 0; i < kind_.size(); ++i) reach[i] = part(i).reach;
    const auto middle = reach.begin() + static_cast<std::ptrdiff_t>(reach.size() / 2);
    std::nth_element(reach.begin(), middle, reach.end());
    const double median = *middle;
    skin_ = skin_part * median;
    for (const double r : reach)
        if (r <= large * median) largest_ = std::fmax(largest_, r);
}

const geometry::SurfaceView* Detector::mesh_of(const model::Shape& shape) const {
    const auto* mesh = std::get_if<model::MeshShape>(&shape);
    return mesh != nullptr ? &surfaces_[mesh->surface] : nullptr;
}

double Detector::height(const Vec3& point, double limit) const {
    const auto surface_of = [&](const model::MeshShape& mesh) -> const geometry::SurfaceView& { return surfaces_[mesh.surface]; };
    return ground_height(ground_.colliders, surface_of, point, limit);
}

double Detector::height_over(std::size_t row, const Pose& body, const Vec3& point, double limit) const {
    const auto surface_of = [&](const model::MeshShape& mesh) -> const geometry::SurfaceView& { return surfaces_[mesh.surface]; };
    return ground_height(part(row).colliders, surface_of, rotate(conjugate(body.q), point - body.p), limit);
}

void Detector::add(std::size_t a, std::int32_t b, const ShapePair& pair, std::pair<std::size_t, std::size_t> colliders,
                   std::pair<const Part*, const Part*> parts, ContactList& out) const {
    geometry::TouchPoint found[most_touches];
    const int count = touches(pair, found);
    for (int k = 0; k < count; ++k) {
        std::uint16_t material = parts.second->colliders[colliders.second].material;
        const auto* mesh = std::get_if<model::MeshShape>(&pair.b);
        if (mesh == nullptr || mesh->surface != 0) found[k].facet = -1;  // patches and values are those of the ground's facets
        if (found[k].facet >= 0 && !model_.assets->patch_of_facet.empty())
            material = model_.parameters.ground_materials[model_.assets->patch_of_facet[static_cast<std::size_t>(found[k].facet)]];
        out.push_back({.a = static_cast<std::int32_t>(a),
                       .b = b,
                       .feature = model::contact_feature(static_cast<std::uint16_t>(colliders.first),
                                                         static_cast<std::uint16_t>(colliders.second), found[k].part),
                       .facet = found[k].facet,
                       .material_a = parts.first->colliders[colliders.first].material,
                       .material_b = material,
                       .gap = found[k].gap,
                       .radius = effective_radius(parts.first->radius[colliders.first], parts.second->radius[colliders.second]),
                       .normal = found[k].normal,
                       .point = found[k].point});
    }
}

void Detector::with_ground(std::size_t row, const Pose& pose, double margin, ContactList& out) const {
    const Part& body = part(row);
    for (std::size_t i = 0; i < body.colliders.size(); ++i)
        for (std::size_t j = 0; j < ground_.colliders.size(); ++j)
            add(row, model::ground,
                {body.colliders[i].shape, pose * body.colliders[i].pose, ground_.colliders[j].shape, ground_.colliders[j].pose,
                 mesh_of(ground_.colliders[j].shape), margin},
                {i, j}, {&body, &ground_}, out);
}

void Detector::of_pair(std::size_t a, std::size_t b, const Pose& pose_a, const Pose& pose_b, double margin, ContactList& out) const {
    const Part &first = part(a), &second = part(b);
    if (is_joined(a, b)) return;
    if (first.is_ball && second.is_ball) {  // the case of grains: nothing to look up
        const double sum = first.reach + second.reach;
        if (!(squared_norm(pose_a.p - pose_b.p) < (sum + margin) * (sum + margin))) return;
        const geometry::TouchPoint touch = geometry::touch(model::Sphere{first.reach}, pose_a.p, model::Sphere{second.reach}, pose_b.p);
        if (!(touch.gap < margin)) return;
        out.push_back({.a = static_cast<std::int32_t>(a),
                       .b = static_cast<std::int32_t>(b),
                       .material_a = first.colliders[0].material,
                       .material_b = second.colliders[0].material,
                       .gap = touch.gap,
                       .radius = first.reach * second.reach / sum,
                       .normal = touch.normal,
                       .point = touch.point});
        return;
    }
    for (std::size_t i = 0; i < first.colliders.size(); ++i)
        for (std::size_t j = 0; j < second.colliders.size(); ++j)
            add(a, static_cast<std::int32_t>(b),
                {first.colliders[i].shape, pose_a * first.colliders[i].pose, second.colliders[j].shape, pose_b * second.colliders[j].pose,
                 mesh_of(second.colliders[j].shape), margin},
                {i, j}, {&first, &second}, out);
}

bool Detector::is_stale(std::span<const Vec3> position, double margin) const {
    if (built_at_.size() != position.size() || margin > widened_) return true;
    const double limit = 0.25 * skin_ * skin_;
    for (std::size_t i = 0; i < position.size(); ++i)
        if ((i < moving() || std::isfinite(part(i).reach)) && !(squared_norm(position[i] - built_at_[i]) < limit)) return true;
    return false;
}

void Detector::find_candidates(std::span<const Vec3> position) {
    const std::size_t n = position.size();
    built_at_.assign(position.begin(), position.end());
    is_near_ground_.assign(n, 0);
    if (!ground_.colliders.empty())
        parallel_blocks(n, rows_a_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < std::min(end, moving()); ++i) {
                const double limit = part(i).reach + skin_ + widened_;
                is_near_ground_[i] = height(position[i], limit) < limit ? 1 : 0;
            }
        });
    struct Pair {
        std::uint32_t below, above;
    };
    std::vector<Pair> pairs;
    const auto consider = [&](std::uint32_t i, std::uint32_t j) {
        if (std::min(i, j) >= moving()) return;
        const double reach = part(i).reach + part(j).reach + skin_ + widened_;
        if (squared_norm(position[i] - position[j]) < reach * reach) pairs.push_back({std::min(i, j), std::max(i, j)});
    };
    std::vector<std::uint32_t> beyond;  // those too large for cells
    std::vector<CellKey> cells;
    cells.reserve(moving());
    const double width = 2 * largest_ + skin_ + widened_;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (i >= moving() || part(i).reach > largest_) {
            beyond.push_back(i);
            continue;
        }
        const auto at = [&](double coordinate) { return static_cast<std::int64_t>(std::floor(coordinate / width)); };
        cells.push_back({at(position[i].x), at(position[i].y), at(position[i].z), i});
    }
    for (std::size_t k = 0; k < beyond.size(); ++k)
        for (std::uint32_t j = 0; j < n; ++j)
            if ((j < moving() && part(j).reach <= largest_) || j > beyond[k]) consider(beyond[k], j);
    std::ranges::sort(cells);
    // Half of the 26 neighbours of a cell, and itself: each pair of cells comes once. Rows along x are neighbours in the sorted order.
    for (std::size_t begin = 0; begin < cells.size();) {
        std::size_t end = begin;
        while (end < cells.size() && cells[end].cell() == cells[begin].cell()) ++end;
        for (std::size_t k = begin; k < end; ++k)
            for (std::size_t l = k + 1; l < end; ++l) consider(cells[k].row, cells[l].row);
        for (std::int64_t dx = 0; dx <= 1; ++dx)
            for (std::int64_t dy = dx == 0 ? 0 : -1; dy <= 1; ++dy)
                for (std::int64_t dz = dx == 0 && dy == 0 ? 1 : -1; dz <= 1; ++dz) {
                    const CellKey wanted{cells[begin].x + dx, cells[begin].y + dy, cells[begin].z + dz, 0};
                    auto other = std::lower_bound(cells.begin() + static_cast<std::ptrdiff_t>(end), cells.end(), wanted);
                    for (; other != cells.end() && other->cell() == wanted.cell(); ++other)
                        for (std::size_t k = begin; k < end; ++k) consider(cells[k].row, other->row);
                }
        begin = end;
    }
    first_.assign(n + 1, 0);
    for (const Pair& pair : pairs) ++first_[pair.below];
    std::inclusive_scan(first_.begin(), first_.end(), first_.begin());
    partners_.resize(pairs.size());
    for (const Pair& pair : pairs) partners_[--first_[pair.below]] = pair.above;  // first_ ends where each row begins
    for (std::size_t i = 0; i < n; ++i) std::sort(partners_.begin() + first_[i], partners_.begin() + first_[i + 1]);
}

void Detector::gather(std::size_t begin, std::size_t end, const Wanted& wanted, ContactList& out) const {
    const auto& [position, orientation, margin] = wanted;
    const std::size_t n = position.size();
    const bool takes_all = moving() <= most_in_all_pairs;
    for (std::size_t i = begin; i < std::min(end, moving()); ++i) {
        const Pose here{position[i], orientation[i]};
        if (!ground_.colliders.empty() && (takes_all || is_near_ground_[i] != 0)) with_ground(i, here, margin, out);
        if (takes_all)
            for (std::size_t j = i + 1; j < n; ++j) of_pair(i, j, here, {position[j], orientation[j]}, margin, out);
        else
            for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k)
                of_pair(i, partners_[k], here, {position[partners_[k]], orientation[partners_[k]]}, margin, out);
    }
}

void Detector::refresh(std::span<const Vec3> position, double margin) {
    if (moving() <= most_in_all_pairs || !is_stale(position, margin)) return;
    if (margin > widened_) widened_ = 2 * margin;  // so that one that grows a little at a time does not ask anew each time
    find_candidates(position);
}

// The contacts of the rows of one batch, block by block.
std::span<const ContactList> Detector::gather_batch(std::size_t first, const Wanted& wanted) {
    const std::size_t rows = std::min(wanted.position.size() - first, rows_a_block * blocks_a_batch);
    parallel_blocks(rows, rows_a_block, [&](std::size_t begin, std::size_t end) {
        ContactList& block = blocks_[begin / rows_a_block];
        block.clear();
        gather(first + begin, first + end, wanted, block);
    });
    return std::span(blocks_).first((rows + rows_a_block - 1) / rows_a_block);
}

void Detector::detect(std::span<const Vec3> position, std::span<const Quat> orientation, ContactList& out, double margin) {
    const std::size_t n = position.size();
    const Wanted wanted{position, orientation, margin};
    out.clear();
    refresh(position, margin);
    if (n <= rows_a_block) return gather(0, n, wanted, out);
    for (std::size_t begin = 0; begin < n; begin += rows_a_block * blocks_a_batch)
        for (const ContactList& block : gather_batch(begin, wanted)) out.insert(out.end(), block.begin(), block.end());
}

}  // namespace asperity::contact
