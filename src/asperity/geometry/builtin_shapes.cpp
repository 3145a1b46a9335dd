#include "asperity/geometry/builtin_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/core/suggest.h"
#include "asperity/geometry/mass_properties.h"

namespace asperity::geometry {
namespace {

// What tools/fit_shape writes: the fit, and then the coefficients.
struct Fit {
    int degree;
    Vec3 axes;            // m
    double volume;        // m^3
    double rms, largest;  // m
};

#include "asperity/geometry/builtin_itokawa.inc"
#include "asperity/geometry/builtin_kw4_alpha.inc"
#include "asperity/geometry/builtin_kw4_beta.inc"

constexpr double hour = 3600;

constexpr BuiltinShape fitted(BuiltinShape shape, const Fit& fit, std::span<const std::int32_t> millionths) {
    shape.degree = fit.degree;
    shape.axes = fit.axes;
    shape.volume = fit.volume;
    shape.fit_rms = fit.rms;
    shape.fit_largest = fit.largest;
    shape.millionths = millionths;
    return shape;
}

constexpr std::array shapes = {
    fitted({.name = "itokawa",
            .text = "25143 Itokawa: two lobes and a neck, 561 x 305 x 243 m.",
            .source = "Gaskell et al., Itokawa shape model V1.0, NASA Planetary Data System (2008), 49,152 facets",
            .density = 1980,
            .mass = 3.51e10,
            .rotation_period = 12.1324 * hour},
           itokawa_fit, itokawa_millionths),
    fitted({.name = "kw4_alpha",
            .text = "Primary of the binary 66391 (1999 KW4): a top with a ridge around its equator, 1531 x 1494 x 1348 m.",
            .source = "Ostro et al., Science 314 (2006), 9,168 facets",
            .density = 1970,
            .mass = 2.353e12,
            .rotation_period = 2.765 * hour},
           kw4_alpha_fit, kw4_alpha_millionths),
    fitted({.name = "kw4_beta",
            .text = "Secondary of the binary 66391 (1999 KW4), always turned to the primary: 571 x 463 x 349 m.",
            .source = "Ostro et al., Science 314 (2006), 2,292 facets",
            .density = 2810,
            .mass = 0.135e12,
            .rotation_period = 17.4223 * hour},
           kw4_beta_fit, kw4_beta_millionths),
};
static_assert(std::ranges::all_of(shapes, [](const BuiltinShape& s) { return s.millionths.size() == harmonic_count(s.degree); }));

// Of 20 f^2.
int nearest_frequency(std::int64_t facets) {
    int f = 1;
    while (std::abs(20 * (f + 1) * (f + 1) - facets) < std::abs(20 * f * f - facets)) ++f;
    return f;
}

}  // namespace

std::span<const BuiltinShape> builtin_shapes() { return shapes; }

const BuiltinShape* find_builtin_shape(std::string_view name) {
    const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const BuiltinShape& shape) { return shape.name == name; });
    return found == shapes.end() ? nullptr : &*found;
}

HarmonicShape harmonic_shape(const BuiltinShape& shape) {
    HarmonicShape sum{.axes = shape.axes, .degree = shape.degree};
    for (const std::int32_t c : shape.millionths) sum.coefficients.push_back(c / 1e6);
    return sum;
}

RawMesh with_volume(RawMesh mesh, double volume) {
    const MassProperties now = mass_properties(make_surface(mesh));
    const double scale = std::cbrt(volume / now.volume);
    for (Vec3& v : mesh.vertices) v = scale * (v - now.centre);
    return mesh;
}

RawMesh builtin_shape(const BuiltinShape& shape, std::int64_t facets) {
    if (facets < 20 || facets > highest_builtin_facets)
        throw InputError(fmt::format("`{}` cannot be meshed with {} facets", shape.name, facets),
                         fmt::format("ask for 20 to {}", highest_builtin_facets));
    return with_volume(mesh_of(harmonic_shape(shape), nearest_frequency(facets)), shape.volume);
}

RawMesh builtin_shape(std::string_view name, std::int64_t facets) {
    if (const BuiltinShape* shape = find_builtin_shape(name)) return builtin_shape(*shape, facets);
    std::vector<std::string> names;
    for (const BuiltinShape& shape : shapes) names.emplace_back(shape.name);
    throw InputError({Problem{.what = fmt::format("there is no built-in shape `{}`", name),
                              .hint = did_you_mean(name, names),
                              .note = "known here: " + joined(names)}});
}

}  // namespace asperity::geometry
