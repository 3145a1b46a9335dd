#include "asperity/analysis/equilibria.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "asperity/analysis/amended_map.h"
#include "asperity/assets/mesh_file.h"
#include "asperity/core/errors.h"
#include "asperity/geometry/closed_check.h"
#include "asperity/geometry/closest.h"
#include "asperity/geometry/mass_properties.h"
#include "unit/geometry/shapes.h"
#include "unit/gravity/reference.h"

namespace asperity::analysis::equilibria_test {
namespace {

constexpr double pi = 3.14159265358979323846;

bool nowhere(const Vec3&) { return false; }

// Two point masses of total G m = n^2 a^3 in their plane, turned and placed anyhow; the target is the lighter one or the heavier.
gravity::SmallBody two_points(double share, bool is_target_lighter, double rate = 1e-4, double distance = 2548) {
    gravity::SmallBody body;
    const double total = rate * rate * std::pow(distance, 3);
    body.has_companion = true;
    body.target.field.volume = body.companion.field.volume = 1;
    body.target.field.strength = total * (is_target_lighter ? share : 1 - share);
    body.companion.field.strength = total * (is_target_lighter ? 1 - share : share);
    body.target.spin_rate = body.companion.spin_rate = rate;
    body.target.attitude = 0.7;
    body.orbit = {.semi_major_axis = distance, .mean_motion = rate, .mean_anomaly = 0.3, .periapsis = 0.1};
    return body;
}

// The largest real part of the eigenvalues, and the largest imaginary part of those without a real one, in units of the rate.
struct Rates {
    double real = 0, imaginary = 0;
};
Rates rates(const Equilibrium& e, double rate) {
    Rates out;
    for (const std::complex<double>& s : e.eigenvalues) {
        out.real = std::fmax(out.real, s.real() / rate);
        if (std::fabs(s.real()) < 1e-9 * rate) out.imaginary = std::fmax(out.imaginary, s.imag() / rate);
    }
    return out;
}

// What holds at every equilibrium outside masses: sum of s^2 = -2 tr H - 8 w^2 with tr H = -2 w^2, and eigenvalues in pairs s, -s.
void expect_invariants(const std::vector<Equilibrium>& list, double rate) {
    for (const Equilibrium& e : list) {
        std::complex<double> squares = 0, sum = 0;
        for (const std::complex<double>& s : e.eigenvalues) {
            squares += s * s;
            sum += s;
        }
        EXPECT_NEAR(squares.real() / (rate * rate), -4, 1e-8) << e.name;
        EXPECT_NEAR(std::abs(sum) / rate, 0, 1e-9) << e.name;
        EXPECT_LE(e.residual, 1e-10) << e.name;
        EXPECT_NEAR(norm(e.manifold), e.has_manifold ? 1 : 0, 1e-14) << e.name;
        EXPECT_LE(dot(e.manifold, e.position), 0) << e.name;
    }
}

// 50-digit roots of the collinear equation and of s^4 + (2 - c) s^2 + (1 + 2 c)(1 - c) = 0 for the mass fraction 0.0543 of 1999 KW4.
TEST(Equilibria, lagrange_points_of_two_point_masses) {
    struct Collinear {
        double x, real, imaginary, slope;  // slope: dy / dx of the unstable manifold
    };
    constexpr Collinear wanted[] = {{0.70485340842301458573, 3.2254148102968059942, 2.5209279182831917005, -0.41748824856963158570},
                                    {1.2323111886322867296, 1.9414389652591007760, 1.7374785440138743392, -0.70347868845947439380},
                                    {-1.0226160120011733537, 0.37213760836162403396, 1.0439172549223500884, -3.9756260356686603702}};
    for (const bool is_target_lighter : {true, false}) {
        const SteadyField field = steady_field(two_points(0.0543, is_target_lighter));
        const auto list = equilibria(field, nowhere);
        ASSERT_EQ(list.size(), 5u);
        expect_invariants(list, 1e-4);
        for (std::size_t i = 0; i < 3; ++i) {
            const Equilibrium& e = list[i];
            EXPECT_EQ(e.name, "L" + std::to_string(i + 1));
            EXPECT_EQ(e.kind, EquilibriumKind::saddle);
            EXPECT_NEAR(e.orbit_position.x / 2548, wanted[i].x, 1e-13);
            EXPECT_NEAR(e.orbit_position.y / 2548, 0, 1e-13);
            EXPECT_NEAR(rates(e, 1e-4).real / wanted[i].real, 1, 1e-9);
            EXPECT_NEAR(rates(e, 1e-4).imaginary / wanted[i].imaginary, 1, 1e-9);
            EXPECT_EQ(e.growth_rate, e.eigenvalues[0].real());
            const Vec3 m = field.to_orbit_axes(e.manifold);
            EXPECT_NEAR(m.y / m.x / wanted[i].slope, 1, 1e-8);
            EXPECT_NEAR(norm(field.from_orbit(e.orbit_position) - e.position), 0, 1e-9);
        }
        for (const std::size_t i : {3u, 4u}) {
            EXPECT_EQ(list[i].kind, EquilibriumKind::maximum);
            EXPECT_NEAR(list[i].orbit_position.x / 2548, 0.5 - 0.0543, 1e-13);
            EXPECT_NEAR(list[i].orbit_position.y / 2548, (i == 3 ? 0.5 : -0.5) * std::sqrt(3.0), 1e-13);  // L4 leads
            EXPECT_FALSE(list[i].is_stable);
            EXPECT_FALSE(list[i].has_manifold);  // it leaves in a spiral
            EXPECT_NEAR(list[i].growth_rate / 1e-4, 0.21064984377708726438, 1e-9);
        }
        EXPECT_NEAR(norm(field.lighter() - field.heavier()), 2548, 1e-9);
        EXPECT_NEAR(norm(field.from_orbit(field.target())), 0, 1e-9);
    }
}

// Routh: L4 and L5 are stable below (1 - sqrt(23/27)) / 2 = 0.03852.
TEST(Equilibria, triangular_points_are_stable_below_the_mass_ratio_of_routh) {
    for (const double share : {0.0385, 0.0386}) {
        const auto list = equilibria(steady_field(two_points(share, true)), nowhere);
        ASSERT_EQ(list.size(), 5u);
        EXPECT_EQ(list[3].is_stable, share < 0.03852) << share;
        EXPECT_EQ(list[4].is_stable, share < 0.03852) << share;
        EXPECT_EQ(list[3].growth_rate > 0, share > 0.03852);
    }
}

// 1999 KW4 as point masses 2548 m apart: 1796, 3140 and -2606 m, where the thesis's Table 10.2 has 1777, 3140, -2594.
TEST(Equilibria, kw4_as_point_masses) {
    gravity::SmallBody body = two_points(0.135 / 2.488, true);
    const auto list = equilibria(steady_field(body), nowhere);
    ASSERT_EQ(list.size(), 5u);
    EXPECT_NEAR(list[0].orbit_position.x, 1796, 0.5);
    EXPECT_NEAR(list[1].orbit_position.x, 3140, 0.5);
    EXPECT_NEAR(list[2].orbit_position.x, -2606, 0.5);
}

TEST(Equilibria, two_equal_masses_have_one_in_the_middle) {
    const auto list = equilibria(steady_field(two_points(0.5, false)), nowhere);
    ASSERT_EQ(list.size(), 5u);
    EXPECT_NEAR(list[0].orbit_position.x, 0, 1e-9);
    EXPECT_NEAR(list[1].orbit_position.x / 2548, 1.1984061445549200040, 1e-13);
    EXPECT_NEAR(list[2].orbit_position.x / 2548, -1.1984061445549200040, 1e-13);
}

TEST(Equilibria, a_tiny_companion_has_its_points_within_its_hill_sphere) {
    constexpr double share = 1e-12;
    const double hill = std::cbrt(share / 3);
    const auto list = equilibria(steady_field(two_points(share, true)), nowhere);
    ASSERT_EQ(list.size(), 5u);
    // L1, L2 = 1 -+ h (1 -+ h / 3 ...)
    EXPECT_NEAR((1 - share - list[0].orbit_position.x / 2548) / hill, 1 - hill / 3, 1e-6);
    EXPECT_NEAR((list[1].orbit_position.x / 2548 - 1 + share) / hill, 1 + hill / 3, 1e-6);
}

TEST(Equilibria, those_inside_a_body_are_left_out) {
    const SteadyField field = steady_field(two_points(0.0543, true));
    const auto list = equilibria(field, [&](const Vec3& p) { return norm(p) < 700; });  // the lighter one reaches beyond L1, 633 m
    ASSERT_EQ(list.size(), 4u);
    EXPECT_EQ(list[0].name, "L2");
}

TEST(Equilibria, a_target_that_is_not_synchronous_counts_as_a_point_mass) {
    gravity::SmallBody body = two_points(0.0543, false);
    body.target.field.kind = gravity::FieldKind::exact;  // without a field: it must not be asked
    body.target.spin_rate *= 6;
    const SteadyField field = steady_field(body);
    EXPECT_FALSE(field.is_target_synchronous);
    const auto list = equilibria(field, nowhere);
    ASSERT_EQ(list.size(), 5u);
    EXPECT_NEAR(list[0].orbit_position.x / 2548, 0.70485340842301458573, 1e-13);
}

struct Solid {
    geometry::SurfaceMesh mesh;
    gravity::PolyhedronGravity field;

    explicit Solid(geometry::RawMesh raw) : mesh(geometry::make_closed_surface(std::move(raw))), field(mesh) {}

    gravity::SmallBody spinning(double strength, double rate) const {
        gravity::SmallBody body;
        body.target.field = {
            .kind = gravity::FieldKind::exact, .exact = &field, .volume = geometry::mass_properties(mesh).volume, .strength = strength};
        body.target.spin_rate = rate;
        return body;
    }
    IsInside inside() const {
        return [this](const Vec3& p) { return geometry::signed_distance(mesh, p) <= 0; };
    }
};

geometry::RawMesh stretched(geometry::RawMesh mesh, double x, double y, double z) {
    for (Vec3& v : mesh.vertices) v = {x * v.x, y * v.y, z * v.z};
    return mesh;
}

// A body with three planes of symmetry: saddles on its long axis, maxima on the middle one. There the attraction, in 50 digits, is what
// keeps a circle.
TEST(Equilibria, of_a_symmetric_body_lie_on_its_axes) {
    const geometry::RawMesh raw = stretched(geometry::test::ball(2), 250, 140, 120);
    const Solid solid(raw);
    constexpr double strength = 1.3e-7, rate = 1.4e-4;
    const auto list = equilibria(steady_field(solid.spinning(strength, rate)), solid.inside());
    ASSERT_EQ(list.size(), 4u);
    expect_invariants(list, rate);
    const char* names[] = {"saddle-1", "saddle-2", "maximum-1", "maximum-2"};
    for (std::size_t i = 0; i < 4; ++i) {
        const Equilibrium& e = list[i];
        EXPECT_EQ(e.name, names[i]);
        const double along = i < 2 ? e.position.x : e.position.y, across = i < 2 ? e.position.y : e.position.x;
        EXPECT_GT(i % 2 == 0 ? along : -along, 300);  // of equal energy, by longitude
        EXPECT_NEAR(across, 0, 1e-9);
        EXPECT_NEAR(e.position.z, 0, 1e-9);
        const auto wanted = gravity::test::reference(raw, e.position);
        const auto pull = static_cast<double>(i < 2 ? wanted.acceleration[0] : wanted.acceleration[1]) * strength;
        EXPECT_NEAR(pull / (-rate * rate * along), 1, 1e-11);
    }
    EXPECT_LT(list[1].energy, list[2].energy);
}

TEST(Equilibria, names_are_found_or_the_nearest_is_suggested) {
    const Solid solid(stretched(geometry::test::ball(1), 250, 140, 120));
    const auto list = equilibria(steady_field(solid.spinning(1.3e-7, 1.4e-4)), solid.inside());
    EXPECT_EQ(find_equilibrium(list, "equilibrium saddle-lowest").name, "saddle-1");
    EXPECT_EQ(find_equilibrium(list, "equilibrium maximum-2").name, "maximum-2");
    try {
        find_equilibrium(list, "equilibrium sadle-lowest");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problems.at(0).hint, "did you mean `equilibrium saddle-lowest`?");
    }
    EXPECT_THROW(find_equilibrium(list, "L2"), InputError);
    EXPECT_THROW(find_equilibrium(list, "equilibrium saddle-3"), InputError);
}

TEST(Equilibria, what_has_none_is_refused) {
    gravity::SmallBody round;
    round.target.field = {.volume = 1, .strength = 2};
    EXPECT_THROW(steady_field(round), InputError);  // does not rotate
    round.target.spin_rate = 1e-3;
    EXPECT_THROW(equilibria(steady_field(round), nowhere), InputError);  // every place of a circle
    gravity::SmallBody oval = two_points(0.1, true);
    oval.orbit.eccentricity = 0.01;
    EXPECT_THROW(steady_field(oval), InputError);
}

// 1-landers, Table 7.1, column Computed, made with a mesh of about 13,000 facets in its own axes, 12.1324 h and 1.98 g/cm^3. Three of its
// points are those of this mesh within 0.2 m; (-509.7, 38.5, -4.7) is none: |a| there is 3.6e-3 of the centrifugal acceleration, and the
// saddle lies at y = 50.3 (docs/theory/equilibria.md).
TEST(Equilibria, itokawa_table_7_1) {
    const std::string file = geometry::test::data_file("shapes/itokawa_32.obj");
    if (file.empty()) GTEST_SKIP() << "shapes/itokawa_32.obj is not there: set ASPERITY_DATA";
    const Solid solid(assets::read_mesh(file, 1000));
    const double rate = 2 * pi / (12.1324 * 3600);
    const gravity::SmallBody body = solid.spinning(6.6743e-11 * 1980, rate);
    const auto list = equilibria(steady_field(body), solid.inside());
    ASSERT_EQ(list.size(), 4u);
    expect_invariants(list, rate);
    const Vec3 wanted[] = {{519.7, -5.3, -8.4}, {-508.9, 50.3, -4.6}, {13.8, -471.0, 1.3}, {57.8, 464.7, 2.0}};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(list[i].kind, i < 2 ? EquilibriumKind::saddle : EquilibriumKind::maximum);
        EXPECT_LT(norm(list[i].position - wanted[i]), 0.2) << list[i].name;
        EXPECT_FALSE(list[i].is_stable);
    }
    EXPECT_GT(norm(body.acceleration({-509.7, 38.5, -4.7}, {}, 0)), 3e-3 * rate * rate * 511);
}

TEST(AmendedMap, a_section_of_a_cube_is_a_square) {
    const auto curves = section(geometry::make_closed_surface(stretched(geometry::test::cube(), 3, 2, 1)));
    ASSERT_EQ(curves.size(), 1u);
    double area = 0;
    for (std::size_t i = 0; i < curves[0].size(); ++i) {
        const Vec3 &a = curves[0][i], &b = curves[0][(i + 1) % curves[0].size()];
        EXPECT_NEAR(a.z, 0, 1e-15);
        area += 0.5 * (a.x * b.y - a.y * b.x);
    }
    EXPECT_NEAR(std::fabs(area), 24, 1e-12);
}

TEST(AmendedMap, the_ridge_of_a_point_mass_is_its_synchronous_circle) {
    gravity::SmallBody body;
    body.target.field = {.volume = 1, .strength = 2};
    body.target.spin_rate = 1e-3;
    const SteadyField field = steady_field(body);
    const auto line = ridge_line(field, nowhere, 12);
    ASSERT_EQ(line.size(), 12u);
    for (const Vec3& p : line) EXPECT_NEAR(norm(p) / std::cbrt(2e6), 1, 1e-8);
    const AmendedMap map = amended_map(
        field, [](const Vec3& p) { return norm(p) < 50; }, 200, 5);
    ASSERT_EQ(map.values.size(), 25u);
    EXPECT_TRUE(std::isnan(map.values[12]));
    EXPECT_NEAR(map.values[14], -2.0 / 200 - 0.5e-6 * 200 * 200, 1e-12);                   // (200, 0)
    EXPECT_NEAR(map.values[20], -2.0 / (200 * std::sqrt(2.0)) - 1e-6 * 200 * 200, 1e-12);  // (-200, 200)
}

}  // namespace
}  // namespace asperity::analysis::equilibria_test
