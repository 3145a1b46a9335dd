#include "asperity/geometry/rock_field.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "asperity/core/errors.h"
#include "asperity/core/parallel.h"
#include "asperity/core/random.h"

namespace asperity::geometry {
namespace {

constexpr std::size_t facets_per_block = 256;
constexpr std::size_t rocks_per_block = 4096;

double component(const Vec3& a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

float rounded_up(double x) {
    const float f = static_cast<float>(x);
    return static_cast<double>(f) >= x ? f : std::nextafterf(f, std::numeric_limits<float>::infinity());
}

void check(const RockPopulation& rocks, std::span<const double> factors, std::size_t facets) {
    std::vector<Problem> problems;
    const auto need = [&](bool is_right, std::string what) {
        if (!is_right) problems.push_back({.what = std::move(what)});
    };
    const auto is_positive = [](double x) { return x > 0 && std::isfinite(x); };
    need(rocks.number_per_area >= 0 && std::isfinite(rocks.number_per_area),
         fmt::format("the number of rocks per area is {}, but must be 0 or more", rocks.number_per_area));
    need(is_positive(rocks.reference_diameter),
         fmt::format("the reference diameter of rocks is {} m, but must be positive", rocks.reference_diameter));
    need(is_positive(rocks.exponent), fmt::format("the exponent of the rocks' sizes is {}, but must be positive", rocks.exponent));
    need(is_positive(rocks.smallest), fmt::format("the smallest rocks measure {} m, but must be larger than 0", rocks.smallest));
    need(is_positive(rocks.largest) && !(rocks.largest < rocks.smallest),
         fmt::format("the largest rocks measure {} m, the smallest {} m", rocks.largest, rocks.smallest));
    need(factors.empty() || factors.size() == facets, fmt::format("{} density factors of rocks for {} facets", factors.size(), facets));
    for (std::size_t f = 0; f < factors.size() && problems.empty(); ++f)
        need(factors[f] >= 0 && std::isfinite(factors[f]),
             fmt::format("the density factor of rocks on facet {} is {}, but must be 0 or more", f, factors[f]));
    if (!problems.empty()) throw InputError(std::move(problems));
}

[[noreturn]] void refuse(double expected, double smallest) {
    throw InputError(fmt::format("there would be {:.4g} rocks, but at most {} are kept", expected, most_rocks),
                     fmt::format("raise `smallest`, {} m now: the number grows steeply towards small rocks", smallest));
}

// The two edges of a facet from its first corner, and its area.
struct FacetFrame {
    Vec3 corner, side, other;
    double area;

    FacetFrame(const SurfaceMesh& mesh, std::size_t f) {
        const auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(mesh.facets[f].vertex[k])]; };
        corner = at(0);
        side = at(1) - corner;
        other = at(2) - corner;
        area = 0.5 * norm(cross(side, other));
    }
};

// Calls rock(k, number per area that this rock's diameter has above it) for the rocks of a facet.
template <class F>
void rocks_of_facet(const RockPopulation& rocks, std::uint64_t seed, std::size_t facet, double weight, F&& rock) {
    const DrawKey gaps{.seed = seed, .run = facet, .stream = rock_stream};
    const double expected = weight * rocks_per_area(rocks, rocks.smallest);
    double sum = 0;
    for (std::uint64_t k = 0; expected > 0; ++k) {
        sum -= std::log(1 - random_uniform(gaps, k));
        if (!(sum < expected)) return;
        rock(k, sum / weight);  // (1)
    }
}

Vec3 place_in(const FacetFrame& facet, std::uint64_t seed, std::size_t f, std::uint64_t k) {
    double u = random_uniform({.seed = seed, .run = f, .stream = rock_stream + 1}, k);
    double v = random_uniform({.seed = seed, .run = f, .stream = rock_stream + 2}, k);
    if (u + v > 1) {  // the other half of the parallelogram, turned into this one
        u = 1 - u;
        v = 1 - v;
    }
    return facet.corner + u * facet.side + v * facet.other;
}

// Rocks facet by facet, as they are drawn.
RockField placed(const SurfaceMesh& mesh, const RockPopulation& rocks, std::uint64_t seed, const std::vector<double>& weight) {
    const std::size_t facets = mesh.facets.size();
    std::vector<std::size_t> begin(facets + 1);
    parallel_blocks(facets, facets_per_block, [&](std::size_t from, std::size_t to) {
        for (std::size_t f = from; f < to; ++f) rocks_of_facet(rocks, seed, f, weight[f], [&](std::uint64_t, double) { ++begin[f + 1]; });
    });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    const std::size_t count = begin[facets];
    if (count > most_rocks) refuse(static_cast<double>(count), rocks.smallest);
    RockField field;
    field.centres.resize(count);
    field.radii.resize(count);
    field.facets.resize(count);
    parallel_blocks(facets, facets_per_block, [&](std::size_t from, std::size_t to) {
        for (std::size_t f = from; f < to; ++f) {
            const FacetFrame frame(mesh, f);
            rocks_of_facet(rocks, seed, f, weight[f], [&](std::uint64_t k, double number) {
                const std::size_t index = begin[f] + k;
                field.centres[index] = place_in(frame, seed, f, k);
                field.radii[index] = 0.5 * rock_diameter(rocks, number);
                field.facets[index] = static_cast<std::int32_t>(f);
            });
        }
    });
    return field;
}

struct Entry {
    Vec3 place;
    std::size_t index;
};

// Puts rocks that are near each other into the same leaf, and leaves into the same node above: cut across the longest axis, again and
// again, the first part as large as leaves fit into it by a power of two. The parts are sets that the rocks alone decide.
void arrange(std::span<Entry> rocks) {
    std::size_t half = rock_leaf;
    if (rocks.size() <= half) {
        std::sort(rocks.begin(), rocks.end(), [](const Entry& a, const Entry& b) { return a.index < b.index; });
        return;
    }
    while (2 * half < rocks.size()) half *= 2;
    Vec3 lower = rocks[0].place, upper = lower;
    for (const Entry& rock : rocks) {
        lower = {std::min(lower.x, rock.place.x), std::min(lower.y, rock.place.y), std::min(lower.z, rock.place.z)};
        upper = {std::max(upper.x, rock.place.x), std::max(upper.y, rock.place.y), std::max(upper.z, rock.place.z)};
    }
    const Vec3 size = upper - lower;
    const auto axis = size.x >= size.y && size.x >= size.z ? &Vec3::x : size.y >= size.z ? &Vec3::y : &Vec3::z;
    const auto middle = rocks.begin() + static_cast<std::ptrdiff_t>(half);
    std::nth_element(rocks.begin(), middle, rocks.end(), [axis](const Entry& a, const Entry& b) {
        return a.place.*axis != b.place.*axis ? a.place.*axis < b.place.*axis : a.index < b.index;
    });
    arrange(rocks.first(half));
    arrange(rocks.subspan(half));
}

std::size_t class_of(double radius, double largest) {
    std::size_t k = 0;
    for (double limit = 0.5 * largest; k + 1 < rock_classes && radius <= limit; limit *= 0.5) ++k;
    return k;
}

// The rocks of `from` in the order of the search; how many each class has goes into `counts`.
RockField sorted(const RockField& from, double largest, std::vector<std::size_t>& counts) {
    const std::size_t count = from.centres.size();
    counts.assign(rock_classes, 0);
    for (const double radius : from.radii) ++counts[class_of(radius, largest)];
    std::vector<std::size_t> next(rock_classes);
    std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::size_t{0});
    std::vector<Entry> order(count);
    for (std::size_t i = 0; i < count; ++i) order[next[class_of(from.radii[i], largest)]++] = {from.centres[i], i};
    parallel_blocks(rock_classes, 1,
                    [&](std::size_t k, std::size_t) { arrange(std::span(order).subspan(next[k] - counts[k], counts[k])); });
    RockField to;
    to.centres.resize(count);
    to.radii.resize(count);
    to.facets.resize(count);
    parallel_blocks(count, rocks_per_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            to.centres[i] = from.centres[order[i].index];
            to.radii[i] = from.radii[order[i].index];
            to.facets[i] = from.facets[order[i].index];
        }
    });
    return to;
}

RockNode leaf_over(const RockField& field, std::int32_t begin, std::int32_t end) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    RockNode node{.lower = {infinity, infinity, infinity}, .upper = {-infinity, -infinity, -infinity}, .radius = 0};
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            const double x = component(field.centres[i], axis);
            node.lower[axis] = std::min(node.lower[axis], -rounded_up(-x));
            node.upper[axis] = std::max(node.upper[axis], rounded_up(x));
        }
        node.radius = std::max(node.radius, rounded_up(field.radii[i]));
    }
    return node;
}

RockNode node_over(const RockNode* children, std::int32_t count) {
    RockNode node = children[0];
    for (std::int32_t k = 1; k < count; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            node.lower[axis] = std::min(node.lower[axis], children[k].lower[axis]);
            node.upper[axis] = std::max(node.upper[axis], children[k].upper[axis]);
        }
        node.radius = std::max(node.radius, children[k].radius);
    }
    return node;
}

void add_tree(RockField& field, std::int32_t first, std::int32_t count) {
    RockClass tree{.first = first, .count = count};
    const auto next = [&] { return static_cast<std::int32_t>(field.nodes.size()); };
    tree.node[0] = next();
    for (std::int32_t i = 0; i < count; i += rock_leaf)
        field.nodes.push_back(leaf_over(field, first + i, first + std::min(count, i + rock_leaf)));
    tree.nodes[0] = next() - tree.node[0];
    tree.levels = 1;
    while (tree.nodes[tree.levels - 1] > 1) {
        const std::int32_t begin = tree.node[tree.levels - 1], below = tree.nodes[tree.levels - 1];
        tree.node[tree.levels] = next();
        for (std::int32_t i = 0; i < below; i += 4)
            field.nodes.push_back(node_over(&field.nodes[static_cast<std::size_t>(begin + i)], std::min(4, below - i)));
        tree.nodes[tree.levels] = next() - tree.node[tree.levels];
        ++tree.levels;
    }
    field.classes.push_back(tree);
}

}  // namespace

RockView RockField::view() const {
    return {.centres = centres.data(),
            .radii = radii.data(),
            .nodes = nodes.data(),
            .classes = classes.data(),
            .class_count = static_cast<std::int32_t>(classes.size())};
}

RockField make_rock_field(const SurfaceMesh& mesh, const RockPopulation& rocks, std::uint64_t seed,
                          std::span<const double> density_factor) {
    check(rocks, density_factor, mesh.facets.size());
    if (rocks.number_per_area == 0) return {};
    std::vector<double> weight(mesh.facets.size());
    for (std::size_t f = 0; f < weight.size(); ++f) weight[f] = (density_factor.empty() ? 1 : density_factor[f]) * FacetFrame(mesh, f).area;
    const double expected = rocks_per_area(rocks, rocks.smallest) * std::accumulate(weight.begin(), weight.end(), 0.0);
    if (!(expected <= static_cast<double>(most_rocks))) refuse(expected, rocks.smallest);
    std::vector<std::size_t> counts;
    RockField field = sorted(placed(mesh, rocks, seed, weight), 0.5 * rocks.largest, counts);
    field.nodes.reserve(field.centres.size() / 6 + 64);
    std::int32_t first = 0;
    for (const std::size_t size : counts) {
        const auto count = static_cast<std::int32_t>(size);
        if (count > 0) add_tree(field, first, count);
        first += count;
    }
    return field;
}

}  // namespace asperity::geometry
