#include "asperity/gravity/fast_field.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "asperity/core/hash.h"
#include "asperity/gravity/fast_field_leaf.h"

namespace asperity::gravity {
namespace {

// The cell that holds a point, and the point in it.
struct Place {
    std::uint64_t cell;
    Vec3 x;       // half-sides
    double half;  // m
};

Place place_of(const FastFieldView& view, Vec3 x) {
    double half = view.header->half;
    std::uint64_t cell = view.cells[0];
    while ((cell & leaf_bit) == 0) {
        const bool up_x = x.x >= 0, up_y = x.y >= 0, up_z = x.z >= 0;
        cell = view.cells[cell + (up_x ? 1U : 0U) + (up_y ? 2U : 0U) + (up_z ? 4U : 0U)];
        x = {2 * x.x - (up_x ? 1 : -1), 2 * x.y - (up_y ? 1 : -1), 2 * x.z - (up_z ? 1 : -1)};
        half *= 0.5;
    }
    return {cell, x, half};
}

FieldSample sum_of(const Double4& potential, const Lanes3& gradient) {
    return {detail::lane_sum(potential), {detail::lane_sum(gradient.x), detail::lane_sum(gradient.y), detail::lane_sum(gradient.z)}};
}

// All facets, as close as doubles get.
FieldSample whole_sum(const FastFieldView& view, const Vec3& p) {
    const Lanes3 lanes{splat(p.x), splat(p.y), splat(p.z)};
    Double4 potential{};
    Lanes3 gradient{};
    const std::uint64_t count = view.header->facet_count;
    const auto facet = [&](std::uint64_t f) -> const FacetRecord& { return view.facets[f < count ? f : count]; };
    for (std::uint64_t f = 0; f < count; f += 4)
        add_facets(side_by_side(facet(f), facet(f + 1), facet(f + 2), facet(f + 3)), lanes, potential, gradient);
    return sum_of(potential, gradient);
}

// U and g share the irregular solid harmonics; the derivative of one of order l is one of order l + 1, so that g has an order more.
FieldSample series_sample(const FastFieldView& view, const Vec3& d) {
    const double squared = squared_norm(d);
    const double* const from = view.header->series;
    int highest = series_order;
    while (highest > 0 && squared >= from[highest - 1] * from[highest - 1]) --highest;
    const int order = highest + 1;
    const double inverse = 1 / squared;
    const Vec3 turn = inverse * d;
    Double4 sums{};
    double first_re = std::sqrt(inverse), first_im = 0;
    for (int m = 0; m <= order; ++m) {
        double re = first_re, im = first_im, last_re = 0, last_im = 0;
        for (int l = m; l <= order; ++l) {
            const double* const moment = view.moments + 8 * (l * (l + 1) / 2 + m);
            Double4 real = _mm256_loadu_pd(moment), imaginary = _mm256_loadu_pd(moment + 4);
            if (l > highest) real[0] = imaginary[0] = 0;  // no potential of that order
            sums = fused(real, splat(re), fused(imaginary, splat(im), sums));
            const double up = (2 * l + 1) * turn.z, down = (m * m - l * l) * inverse;
            const double next_re = up * re + down * last_re, next_im = up * im + down * last_im;
            last_re = re;
            last_im = im;
            re = next_re;
            im = next_im;
        }
        const double re_m = first_re;
        first_re = (2 * m + 1) * (turn.x * re_m - turn.y * first_im);
        first_im = (2 * m + 1) * (turn.x * first_im + turn.y * re_m);
    }
    return {sums[0], {sums[1], sums[2], sums[3]}};
}

template <class Number>
FieldSample leaf_sample(const FastFieldView& view, const Place& place, const Vec3& p) {
    const std::byte* const leaf = view.leaves + 8 * (place.cell & ~leaf_bit);
    const auto* const head = reinterpret_cast<const LeafHead*>(leaf);
    const auto* const near = reinterpret_cast<const std::int32_t*>(leaf + sizeof(LeafHead));
    const auto* const coefficients = reinterpret_cast<const Number*>(near + head->near);
    // Facets lie all over a table that is larger than the caches: they come while something else is computed.
    const auto fetch = [&](std::int32_t i) {
        const auto* const record = reinterpret_cast<const char*>(view.facets + near[i]);
        for (int line = 0; line < 3; ++line) __builtin_prefetch(record + 64 * line);
    };
    constexpr std::int32_t ahead = 16;
    for (std::int32_t i = 0; i < std::min(ahead, head->near); ++i) fetch(i);
    const PolynomialValue far = polynomial_value(head->degree, coefficients, place.x);

    const Lanes3 lanes{splat(p.x), splat(p.y), splat(p.z)};
    Double4 potential{};
    Lanes3 gradient{};
    for (std::int32_t i = 0; i < head->near; i += 4) {
        if (i + ahead < head->near)
            for (std::int32_t k = 0; k < 4; ++k) fetch(i + ahead + k);
        const auto facet = [&](int k) -> const FacetRecord& { return view.facets[near[i + k]]; };
        add_facets(side_by_side(facet(0), facet(1), facet(2), facet(3)), lanes, potential, gradient);
    }
    FieldSample sample = sum_of(potential, gradient);
    const double* const low = head->low;
    const Vec3& x = place.x;
    sample.potential += low[0] + (far.value + (low[1] * x.x + low[2] * x.y + low[3] * x.z));
    sample.acceleration += (far.slope + Vec3{low[1], low[2], low[3]}) / place.half;
    return sample;
}

}  // namespace

FieldSample FastFieldView::sample(const Vec3& p) const {
    const Vec3 d = p - header->centre;
    // The root cube holds the ball; what is not a number finds no cell either.
    if (!(squared_norm(d) < header->series[series_order] * header->series[series_order])) return series_sample(*this, d);
    const Place place = place_of(*this, d / header->half);
    if (place.cell == absent_cell) return whole_sum(*this, p);
    return header->is_wide != 0 ? leaf_sample<double>(*this, place, p) : leaf_sample<float>(*this, place, p);
}

bool FastFieldView::is_slow(const Vec3& p) const {
    const Vec3 d = p - header->centre;
    return squared_norm(d) < header->series[series_order] * header->series[series_order] &&
           place_of(*this, d / header->half).cell == absent_cell;
}

void set_field_checksum(std::span<const std::byte> bytes, std::uint64_t (&checksum)[2]) {
    FastFieldHeader header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    header.checksum[0] = header.checksum[1] = 0;
    const Hash128 hash = Hasher().add_bytes(std::as_bytes(std::span(&header, 1))).add_bytes(bytes.subspan(sizeof(header))).value();
    checksum[0] = hash.high;
    checksum[1] = hash.low;
}

std::uint64_t fast_field_version() { return ASPERITY_FIELD_SOURCES; }

std::string FastField::damage(std::span<const std::byte> bytes, const std::uint64_t (&key)[2]) {
    FastFieldHeader header;
    if (bytes.size() < sizeof(header)) return "is cut short";
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (std::memcmp(header.magic, fast_field_magic, 8) != 0 || header.version != fast_field_version()) return "is no field of this version";
    if (header.key[0] != key[0] || header.key[1] != key[1]) return "is the field of another body";
    if (bytes.size() != header.bytes) return bytes.size() < header.bytes ? "is cut short" : "is too long";
    std::uint64_t checksum[2];
    set_field_checksum(bytes, checksum);
    return header.checksum[0] == checksum[0] && header.checksum[1] == checksum[1] ? "" : "is damaged";
}

FastField FastField::room_for(std::size_t bytes) {
    FastField field;
    field.size_ = bytes;
    field.memory_.resize((bytes + sizeof(Chunk) - 1) / sizeof(Chunk));
    return field;
}

FastFieldView FastField::view_of(std::span<const std::byte> bytes) {
    const auto* const header = reinterpret_cast<const FastFieldHeader*>(bytes.data());
    return {.header = header,
            .cells = reinterpret_cast<const std::uint64_t*>(bytes.data() + header->cells),
            .facets = reinterpret_cast<const FacetRecord*>(bytes.data() + header->facets),
            .leaves = bytes.data() + header->leaves,
            .moments = reinterpret_cast<const double*>(bytes.data() + header->moments)};
}

}  // namespace asperity::gravity
