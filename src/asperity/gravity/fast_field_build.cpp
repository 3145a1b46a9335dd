#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>

#include "asperity/core/errors.h"
#include "asperity/core/hash.h"
#include "asperity/core/index.h"
#include "asperity/core/parallel.h"
#include "asperity/geometry/mass_properties.h"
#include "asperity/gravity/fast_field.h"
#include "asperity/gravity/fast_field_cell.h"
#include "asperity/gravity/fast_field_leaf.h"

namespace asperity::gravity {
namespace {

// ---- leaves

// A part of the tree, with places counted from its own beginnings.
struct Part {
    std::vector<std::uint64_t> cells;
    std::vector<std::byte> leaves;
    double bound = 0;  // relative
    std::uint64_t leaf_count = 0, near_leaves = 0, near_facets = 0, terms = 0;
    int highest_degree = 0;
};

template <class T>
void append(std::vector<std::byte>& bytes, const T* values, std::size_t count) {
    const auto* const first = reinterpret_cast<const std::byte*>(values);
    bytes.insert(bytes.end(), first, first + count * sizeof(T));
}

// Coefficients in the order of the leaf, and the gradient that rounding them may change.
template <class Number>
double coefficients_of(const CubePolynomial& far, std::vector<Number>& out) {
    double lost = 0;
    out.clear();
    for_each_coefficient(far.degree(), [&](int i, int j, int k) {
        const double c = i + j + k <= 1 ? 0.0 : far.coefficient(i, j, k);
        out.push_back(static_cast<Number>(c));
        lost += std::fabs(c - static_cast<double>(out.back())) * std::sqrt(double(i * i * i * i + j * j * j * j + k * k * k * k));
    });
    return lost;
}

template <class Number>
void write_leaf(const FieldPlan& plan, const Cell& cell, Part& part) {
    const std::vector<double> dropped = cell.far.dropped_gradients();
    std::vector<Number> coefficients;
    // All that is left may go into the cut.
    const double whole = plan.tolerance * cell.gravity;
    int degree = 0;
    double lost = 0;
    for (; degree <= cell.far.degree(); ++degree) {
        if (degree < cell.far.degree() && cell.bound + dropped[at(degree)] / cell.half > whole) continue;
        lost = dropped[at(degree)] + coefficients_of(cell.far.cut(degree), coefficients);
        if (cell.bound + lost / cell.half <= whole || degree == cell.far.degree()) break;
    }
    part.bound = std::max(part.bound, (cell.bound + lost / cell.half) / cell.gravity);
    LeafHead head{
        .low = {cell.far.coefficient(0, 0, 0)}, .degree = degree, .near = static_cast<std::int32_t>((cell.near.size() + 3) / 4 * 4)};
    if (degree > 0) {
        head.low[1] = cell.far.coefficient(1, 0, 0);
        head.low[2] = cell.far.coefficient(0, 1, 0);
        head.low[3] = cell.far.coefficient(0, 0, 1);
    }
    append(part.leaves, &head, 1);
    append(part.leaves, cell.near.data(), cell.near.size());
    const auto nothing = static_cast<std::int32_t>(plan.tree.facets.size() - 1);
    for (std::size_t i = cell.near.size(); i % 4 != 0; ++i) append(part.leaves, &nothing, 1);
    append(part.leaves, coefficients.data(), coefficients.size());
    part.leaves.resize((part.leaves.size() + 7) / 8 * 8);
    ++part.leaf_count;
    part.near_leaves += cell.near.empty() ? 0 : 1;
    part.near_facets += cell.near.size();
    part.terms += coefficients.size();
    part.highest_degree = std::max(part.highest_degree, degree);
}

// ---- the tree

// Tells how far the build is, from any thread; the caller may throw there to end it.
class Teller {
public:
    explicit Teller(const FastField::Progress& progress) : progress_(progress) {}

    void operator()(double fraction) {
        const std::lock_guard lock(mutex_);
        fraction_ = fraction;
        if (progress_) progress_(fraction_);
    }
    void tick() {  // often: it does not wait for other threads
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (lock && progress_) progress_(fraction_);
    }
    void advance(double part) {
        const std::lock_guard lock(mutex_);
        fraction_ += part;
        if (progress_) progress_(fraction_);
    }

private:
    const FastField::Progress& progress_;
    std::mutex mutex_;
    double fraction_ = 0;
};

bool is_wide(const FieldPlan& plan) { return plan.tolerance < 1e-7; }

std::uint64_t put_leaf(const FieldPlan& plan, const Cell& cell, Part& part) {
    const std::uint64_t place = part.leaves.size() / 8;
    if (is_wide(plan))
        write_leaf<double>(plan, cell, part);
    else
        write_leaf<float>(plan, cell, part);
    return leaf_bit | place;
}

// Fills cells[slot] with all that is below.
void put_cell(const FieldPlan& plan, const Cell& cell, std::size_t slot, Part& part) {
    plan.poll();
    if (is_leaf(plan, cell)) {
        part.cells[slot] = put_leaf(plan, cell, part);
        return;
    }
    const std::size_t first = part.cells.size();
    part.cells[slot] = first;
    part.cells.resize(first + 8);
    for (int octant = 0; octant < 8; ++octant) {
        const Child child = child_of(plan, cell, octant);
        if (child.is_absent)
            part.cells[first + at(octant)] = absent_cell;
        else
            put_cell(plan, child.cell, first + at(octant), part);
    }
}

// The upper levels, one after the other; and the cells at which the rest hangs, each a part of its own.
struct Top {
    Part part;
    std::vector<Cell> open;
    std::vector<std::size_t> slots;  // of the open cells
};

Top make_top(const FieldPlan& plan, Cell root, Teller& tell) {
    constexpr std::size_t enough = 512;  // parts that fill many threads evenly
    constexpr int levels = 7;
    Top top;
    top.part.cells.push_back(absent_cell);
    top.open.push_back(std::move(root));
    top.slots.push_back(0);
    for (int level = 0; level < levels && top.open.size() < enough; ++level) {
        std::vector<Child> children(8 * top.open.size());
        parallel_blocks(children.size(), 1, [&](std::size_t i, std::size_t) {
            if (is_leaf(plan, top.open[i / 8])) return;
            children[i] = child_of(plan, top.open[i / 8], static_cast<int>(i % 8));
        });
        std::vector<Cell> open;
        std::vector<std::size_t> slots;
        for (std::size_t c = 0; c < top.open.size(); ++c) {
            if (is_leaf(plan, top.open[c])) {
                top.part.cells[top.slots[c]] = put_leaf(plan, top.open[c], top.part);
                continue;
            }
            const std::size_t first = top.part.cells.size();
            top.part.cells[top.slots[c]] = first;
            top.part.cells.resize(first + 8, absent_cell);
            for (std::size_t octant = 0; octant < 8; ++octant) {
                Child& child = children[8 * c + octant];
                if (child.is_absent) continue;
                open.push_back(std::move(child.cell));
                slots.push_back(first + octant);
            }
        }
        top.open = std::move(open);
        top.slots = std::move(slots);
        tell(0.05 + 0.05 * level / levels);
    }
    return top;
}

// Appends a part whose first cell belongs into `slot`.
void join(const Part& part, std::size_t slot, Part& whole) {
    const std::uint64_t shift_cells = whole.cells.size() - 1, shift_leaves = whole.leaves.size() / 8;
    const auto moved = [&](std::uint64_t cell) {
        if (cell == absent_cell) return cell;
        return (cell & leaf_bit) != 0 ? cell + shift_leaves : cell + shift_cells;
    };
    whole.cells[slot] = moved(part.cells[0]);
    for (std::size_t i = 1; i < part.cells.size(); ++i) whole.cells.push_back(moved(part.cells[i]));
    whole.leaves.insert(whole.leaves.end(), part.leaves.begin(), part.leaves.end());
    whole.bound = std::max(whole.bound, part.bound);
    whole.leaf_count += part.leaf_count;
    whole.near_leaves += part.near_leaves;
    whole.near_facets += part.near_facets;
    whole.terms += part.terms;
    whole.highest_degree = std::max(whole.highest_degree, part.highest_degree);
}

Part make_cells(const FieldPlan& plan, Cell root, Teller& tell) {
    Top top = make_top(plan, std::move(root), tell);
    std::vector<Part> parts(top.open.size());
    tell(0.1);
    parallel_blocks(parts.size(), 1, [&](std::size_t i, std::size_t) {
        parts[i].cells.push_back(absent_cell);
        put_cell(plan, top.open[i], 0, parts[i]);
        tell.advance(0.89 / static_cast<double>(parts.size()));
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        join(parts[i], top.slots[i], top.part);
        parts[i] = {};
    }
    return std::move(top.part);
}

// ---- far away

struct Series {
    double from[series_order + 1] = {};  // m
    std::vector<double> moments;
};
static_assert(series_order == SourceTree::order - 1);

// V_l = int |s|^l dV = 1 / (l + 3) surface integral |s|^l n.s dS, from above.
double size_moment(const geometry::SurfaceMesh& mesh, const Vec3& centre, int l) {
    double sum = 0;
    for (const geometry::Facet& facet : mesh.facets) {
        Vec3 r[3];
        double farthest = 0;
        for (int k = 0; k < 3; ++k) {
            r[k] = mesh.vertices[at(facet.vertex[k])] - centre;
            farthest = std::max(farthest, norm(r[k]));
        }
        sum += 0.5 * std::fabs(dot(r[0], cross(r[1] - r[0], r[2] - r[0]))) * std::pow(farthest, l);
    }
    return sum / (l + 3);
}

// The nearest radius where what the orders above P leave out, at most sum_l>P (l + 1) V_l / r^(l+2), is half of what is allowed.
Series make_series(const FieldPlan& plan, const geometry::MassProperties& mass) {
    double radius = 0;
    for (const Vec3& v : plan.mesh.vertices) radius = std::max(radius, norm(v - mass.centre));
    double sizes[SourceTree::order + 1];
    for (int l = 0; l <= SourceTree::order; ++l) sizes[l] = (l + 1) * size_moment(plan.mesh, mass.centre, l);
    const auto relative_error = [&](double r, int order) {
        // Above the last moment: V_l+1 <= R V_l.
        const double ratio = radius / r * (SourceTree::order + 2.0) / (SourceTree::order + 1.0);
        if (!(ratio < 1)) return HUGE_VAL;
        double lost = sizes[SourceTree::order] / std::pow(r, SourceTree::order + 2) / (1 - ratio);
        double others = lost;  // all but the attraction of a point; of order 1 there is none
        for (int l = 2; l < SourceTree::order; ++l) {
            const double size = sizes[l] / std::pow(r, l + 2);
            others += size;
            if (l > order) lost += size;
        }
        const double gravity = mass.volume / (r * r) - others;
        return gravity > 0 ? lost / gravity : HUGE_VAL;
    };
    Series series;
    double r = 1.2 * radius;
    for (int order = series_order; order >= 0; --order) {
        // Order 1 vanishes about the centre of mass: 0 is as good.
        while (relative_error(r, order) > 0.5 * plan.tolerance) r *= 1.02;
        series.from[order] = r;
    }
    const std::vector<SourceTree::Moment> moments = body_moments(plan.tree, mass.centre);
    for (int l = 0; l <= SourceTree::order; ++l)
        for (int m = 0; m <= l; ++m) {
            const SourceTree::Moment& moment = moments[at(l * (l + 1) / 2 + m)];
            // The normals of a closed surface sum up to zero; what rounding leaves of that would win far away.
            const double v = 1.0 / (l + 3), g = l > 0 ? -1 : 0;
            for (const double* part : {moment.re, moment.im})
                series.moments.insert(series.moments.end(), {v * part[0], g * part[1], g * part[2], g * part[3]});
        }
    return series;
}

void check(const geometry::SurfaceMesh& mesh, const FastFieldOptions& options) {
    if (!mesh.is_closed) throw InputError("the surface is open and bounds no solid");
    if (!(options.tolerance >= 1e-10 && options.tolerance <= 0.1))
        throw InputError(fmt::format("the bound of the field is {}", options.tolerance), "give one from 1e-10 to 0.1 of local gravity");
    if (!(options.depth_inside >= 0 && std::isfinite(options.depth_inside)))
        throw InputError(fmt::format("the field is to be valid {} m inside", options.depth_inside), "give a depth that is not negative");
}

FieldPlan make_plan(const geometry::SurfaceMesh& mesh, const SourceTree& tree, HarmonicFits& fits, const FastFieldOptions& options) {
    const geometry::MassProperties mass = geometry::mass_properties(mesh);
    const double ball = std::cbrt(0.75 * mass.volume / std::numbers::pi);
    FieldPlan plan{.mesh = mesh,
                   .tree = tree,
                   .fits = fits,
                   .tolerance = options.tolerance,
                   .depth_inside = std::max(options.depth_inside, 0.02 * ball)};
    plan.centre = mass.centre;
    const double facet = mass.area / static_cast<double>(mesh.facets.size());
    // Over level ground a cell has so many near; half as many more are allowed, since ground may be tilted and facets smaller than others.
    constexpr double usual_facets = 34;
    plan.leaf_half = (std::sqrt(usual_facets) - 1.2) * std::sqrt(facet) / (2 * plan.near_distance);
    plan.smallest_half = std::min(1e-3 * ball, 0.1 * plan.leaf_half);
    return plan;
}

}  // namespace

void set_field_key(const geometry::SurfaceMesh& mesh, const FastFieldOptions& options, std::uint64_t (&key)[2]) {
    Hasher hasher;
    hasher.add(fast_field_version()).add(mesh.vertices);
    for (const geometry::Facet& facet : mesh.facets)
        for (const std::int32_t v : facet.vertex) hasher.add(v);
    hasher.add(options.tolerance).add(options.depth_inside);
    const Hash128 hash = hasher.value();
    key[0] = hash.high;
    key[1] = hash.low;
}

FastField FastField::packed(FastFieldHeader header, const Sections& sections) {
    const std::span<const std::byte> parts[4] = {sections.cells, sections.facets, sections.moments, sections.leaves};
    std::uint64_t* const places[4] = {&header.cells, &header.facets, &header.moments, &header.leaves};
    std::uint64_t end = sizeof(FastFieldHeader);
    for (std::size_t i = 0; i < 4; ++i) {
        *places[i] = (end + 31) / 32 * 32;
        end = *places[i] + parts[i].size();
    }
    constexpr std::uint64_t room = 32;  // for the last row, which is read in fours
    header.bytes = (end + room + 31) / 32 * 32;
    FastField field = room_for(header.bytes);
    std::byte* const bytes = field.writable_bytes().data();
    for (std::size_t i = 0; i < 4; ++i) std::memcpy(bytes + *places[i], parts[i].data(), parts[i].size());
    std::memcpy(bytes, &header, sizeof(header));
    set_field_checksum(field.bytes(), header.checksum);
    std::memcpy(bytes, &header, sizeof(header));
    return field;
}

FastField FastField::build(const geometry::SurfaceMesh& mesh, const FastFieldOptions& options, const Progress& progress) {
    check(mesh, options);
    Teller tell(progress);
    tell(0);
    const std::function<void()> poll = [&] { tell.tick(); };
    const SourceTree tree = make_source_tree(mesh, poll);
    const geometry::MassProperties mass = geometry::mass_properties(mesh);
    HarmonicFits fits;
    FieldPlan plan = make_plan(mesh, tree, fits, options);
    plan.poll = poll;
    const Series series = make_series(plan, mass);
    poll();
    plan.series = series.from[series_order];
    plan.weakest = mass.volume / (plan.series * plan.series);
    // A power of two of the cells at the surface, so that those of a mesh with facets of one size have as many near ones as allowed.
    double half = plan.leaf_half;
    while (half < plan.series) half *= 2;
    const Part part = make_cells(plan, root_cell(plan, mass.centre, half), tell);

    constexpr double rounding = 1e-12;  // of the sums, measured: docs/theory/polyhedron-gravity.md
    FastFieldHeader header{.version = fast_field_version(),
                           .cell_count = part.cells.size(),
                           .leaf_count = part.leaf_count,
                           .facet_count = tree.facets.size() - 1,
                           .centre = mass.centre,
                           .half = half,
                           .tolerance = options.tolerance,
                           .depth_inside = plan.depth_inside,
                           .bound = std::max(part.bound, 0.5 * plan.tolerance) + rounding,
                           .mean_near = static_cast<double>(part.near_facets) / std::max(1.0, static_cast<double>(part.near_leaves)),
                           .mean_terms = static_cast<double>(part.terms) / static_cast<double>(part.leaf_count),
                           .is_wide = is_wide(plan) ? 1 : 0,
                           .highest_degree = part.highest_degree};
    std::memcpy(header.magic, fast_field_magic, 8);
    set_field_key(mesh, options, header.key);
    std::copy(series.from, series.from + series_order + 1, header.series);
    FastField field = packed(header, {.cells = std::as_bytes(std::span(part.cells)),
                                      .facets = std::as_bytes(std::span(tree.facets)),
                                      .moments = std::as_bytes(std::span(series.moments)),
                                      .leaves = part.leaves});
    tell(1);
    return field;
}

}  // namespace asperity::gravity
