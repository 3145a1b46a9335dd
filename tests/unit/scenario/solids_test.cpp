// Boxes, cylinders, cones, capsules, hulls and compounds in scenario files: mass, moments, principal axes, starts, errors.
#include <numbers>

#include "asperity/contact/detector.h"
#include "asperity/scenario/compile.h"
#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::solids_test {
namespace {

using std::numbers::pi;

// The body stands in the place of BODY, its start in that of START.
std::string world(const std::string& body, const std::string& start = "position = [\"0 m\", \"0 m\", \"20 m\"]\n") {
    return "[gravity]\nuniform = [\"0 m/s^2\", \"0 m/s^2\", \"-1 m/s^2\"]\n[body.ground]\nshape = { half_space = [0, 0, 1] }\nfixed = "
           "true\n"
           "[body.thing]\n" +
           body + "[body.thing.start]\nvelocity = [\"0 m/s\", \"0 m/s\", \"0 m/s\"]\n" + start +
           "[contact.\"*/*\"]\nrestitution = 0.5\nstiffness = \"1e5 N/m\"\n[[phase]]\nmethod = \"penalty\"\n[end]\ntime = \"1 s\"\n";
}

Compiled compiled(const std::string& text) { return compile(read_scenario_text(text, "a.toml", {}), {}); }
model::BodyKind kind_of(const std::string& body) { return compiled(world(body)).model.parameters.bodies[0]; }

void expect_kind(const std::string& shape, double volume, const Vec3& per_mass) {
    SCOPED_TRACE(shape);
    const model::BodyKind kind = kind_of("shape = { " + shape + " }\ndensity = \"2 kg/m^3\"\n");
    EXPECT_NEAR(kind.mass, 2 * volume, 1e-12 * volume);
    EXPECT_NEAR(norm(kind.inertia - kind.mass * per_mass), 0, 1e-12 * kind.mass * norm(per_mass));
    EXPECT_EQ(kind.principal, Pose{});
    ASSERT_EQ(kind.colliders.size(), 1u);
    const model::BodyKind given = kind_of("shape = { " + shape + " }\nmass = \"3 kg\"\n");
    EXPECT_EQ(given.mass, 3);
    EXPECT_NEAR(norm(given.inertia - 3 * per_mass), 0, 1e-12 * norm(per_mass));
}

TEST(Solids, HaveTheMassAndMomentsOfTheirShape) {
    expect_kind("box = [\"1 m\", \"2 m\", \"3 m\"]", 6, Vec3{13, 10, 5} / 12);
    expect_kind("cylinder = { radius = \"2 m\", height = \"3 m\" }", 12 * pi, {1 + 0.75, 1 + 0.75, 2});
    expect_kind("cone = { radius = \"2 m\", height = \"4 m\" }", 16 * pi / 3, {0.6 + 0.6, 0.6 + 0.6, 1.2});
    const double v = 2 * pi, ball = 4 * pi / 3, m = v + ball, across = v * (1.0 / 4 + 4.0 / 12) + ball * (2.0 / 5 + 1 + 2 * 3.0 / 8);
    expect_kind("capsule = { radius = \"1 m\", length = \"2 m\" }", m, {across / m, across / m, (v / 2 + ball * 2 / 5) / m});
    expect_kind(
        "hull = [[\"-1 m\", \"-1 m\", \"-1 m\"], [\"1 m\", \"-1 m\", \"-1 m\"], [\"-1 m\", \"1 m\", \"-1 m\"], [\"1 m\", \"1 m\", \"-1 "
        "m\"], "
        "[\"-1 m\", \"-1 m\", \"1 m\"], [\"1 m\", \"-1 m\", \"1 m\"], [\"-1 m\", \"1 m\", \"1 m\"], [\"1 m\", \"1 m\", \"1 m\"]]",
        8, {2.0 / 3, 2.0 / 3, 2.0 / 3});
}

// A hull is written down in any axes: the body starts where the file has it, whatever its own axes are.
TEST(Solids, KeepTheirPlaceWhereThePrincipalAxesAreOthers) {
    const std::string hull =
        "shape = { hull = [[\"1 m\", \"1 m\", \"0 m\"], [\"4 m\", \"2 m\", \"0 m\"], [\"1 m\", \"3 m\", \"0 m\"], [\"3 m\", \"3 m\", "
        "\"2 m\"]] }\ndensity = \"1 kg/m^3\"\n";
    const Compiled got =
        compiled(world(hull, "position = [\"1 m\", \"2 m\", \"20 m\"]\nattitude = [\"0.3 rad\", \"0.2 rad\", \"-0.5 rad\"]\n"));
    const model::BodyKind& kind = got.model.parameters.bodies[0];
    EXPECT_GT(norm(kind.principal.p), 1);
    EXPECT_NE(kind.principal.q, Quat{});
    const Vec3 centre = 0.25 * (Vec3{1, 1, 0} + Vec3{4, 2, 0} + Vec3{1, 3, 0} + Vec3{3, 3, 2});
    EXPECT_NEAR(norm(kind.principal.p - centre), 0, 1e-14);
    const Pose file{{1, 2, 20}, rotation({0.3, 0.2, -0.5})}, body{got.state.bodies.position[0], got.state.bodies.orientation[0]};
    EXPECT_NEAR(norm(body.p - file * centre), 0, 1e-14);
    const model::Collider& collider = kind.colliders[0];
    for (const Vec3& v : std::get<model::Hull>(collider.shape).vertices) EXPECT_NEAR(norm(body * (collider.pose * v) - file * v), 0, 1e-14);
}

TEST(Solids, ACompoundOfEightBoxesIsTheBox) {
    std::string parts;
    for (int k = 0; k < 8; ++k)
        parts += fmt::format(
            "[[body.thing.collider]]\nshape = {{ box = [\"1 m\", \"2 m\", \"3 m\"] }}\nposition = [\"{} m\", \"{} m\", \"{} m\"]\n",
            k & 1 ? 1.5 : 0.5, k & 2 ? 2.0 : 0.0, k & 4 ? 1.5 : -1.5);
    const model::BodyKind sum = kind_of("density = \"2 kg/m^3\"\n" + parts),
                          box = kind_of("shape = { box = [\"2 m\", \"4 m\", \"6 m\"] }\ndensity = \"2 kg/m^3\"\n");
    EXPECT_NEAR(sum.mass, box.mass, 1e-11);
    EXPECT_NEAR(norm(sum.inertia - box.inertia), 0, 1e-10);
    EXPECT_NEAR(norm(sum.principal.p - Vec3{1, 1, 0}), 0, 1e-14);
    EXPECT_EQ(sum.principal.q, Quat{});
    EXPECT_EQ(sum.colliders.size(), 8u);
}

TEST(Solids, GivenMomentsOverride) {
    const std::string box = "shape = { box = [\"1 m\", \"1 m\", \"1 m\"] }\nmass = \"6 kg\"\n";
    const model::BodyKind plain = kind_of(box + "inertia = [\"2 kg*m^2\", \"3 kg*m^2\", \"4 kg*m^2\"]\n");
    EXPECT_EQ(plain.inertia, (Vec3{2, 3, 4}));
    EXPECT_EQ(plain.principal, Pose{});
    const model::BodyKind moved =
        kind_of(box + "inertia = [\"2 kg*m^2\", \"3 kg*m^2\", \"4 kg*m^2\"]\ncentre_of_mass = [\"0 m\", \"0 m\", \"-20 cm\"]\n");
    EXPECT_EQ(moved.principal.p, (Vec3{0, 0, -0.2}));
    EXPECT_EQ(moved.colliders[0].pose.p, (Vec3{0, 0, 0.2}));
    // the matrix ((3, 1), (1, 3)) has the moments 2 and 4 along the diagonals of x and y
    const model::BodyKind turned = kind_of(
        box + "inertia = [\"3 kg*m^2\", \"3 kg*m^2\", \"4.5 kg*m^2\"]\nproducts_of_inertia = [\"1 kg*m^2\", \"0 kg*m^2\", \"0 kg*m^2\"]\n");
    EXPECT_NEAR(std::min(turned.inertia.x, turned.inertia.y), 2, 1e-14);
    EXPECT_NEAR(std::max(turned.inertia.x, turned.inertia.y), 4, 1e-14);
    EXPECT_NEAR(turned.inertia.z, 4.5, 1e-14);
    const Vec3 axis = rotate(turned.principal.q, turned.inertia.x < 3 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
    EXPECT_NEAR(std::fabs(dot(axis, unit(Vec3{1, -1, 0}))), 1, 1e-14);
}

TEST(Solids, WhatCannotBeIsRefused) {
    const auto expect_error = [](const std::string& body, const std::string& what) {
        const std::string got = errors_of(world(body));
        EXPECT_NE(got.find(what), std::string::npos) << got;
    };
    expect_error(
        "shape = { hull = [[\"0 m\", \"0 m\", \"0 m\"], [\"1 m\", \"0 m\", \"0 m\"], [\"0 m\", \"1 m\", \"0 m\"], [\"1 m\", \"1 m\", \"0 "
        "m\"]] }\nmass = \"1 kg\"\n",
        "the 4 points of the hull lie in one plane: they bound no solid");
    expect_error("shape = { hull = [[\"0 m\", \"0 m\", \"0 m\"]] }\nmass = \"1 kg\"\n", "a hull needs at least four points, not 1");
    expect_error("shape = { box = [\"0 m\", \"1 m\", \"1 m\"] }\nmass = \"1 kg\"\n", "box");
    expect_error("shape = { box = [\"1 m\", \"1 m\", \"1 m\"] }\n", "`density` or `mass` is missing");
    expect_error("shape = { cylinder = { radius = \"1 m\" } }\nmass = \"1 kg\"\n", "height");
    expect_error("shape = { box = [\"1 m\", \"1 m\", \"1 m\"] }\nmass = \"1 kg\"\ninertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"3 kg*m^2\"]\n",
                 "no body has the principal moments 1, 1 and 3 kg*m^2");
    expect_error(
        "shape = { box = [\"1 m\", \"1 m\", \"1 m\"] }\nmass = \"1 kg\"\ninertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"1 "
        "kg*m^2\"]\nproducts_of_inertia = [\"2 kg*m^2\", \"0 kg*m^2\", \"0 kg*m^2\"]\n",
        "no body has the principal moments");
    expect_error("shape = { box = [\"1 m\", \"1 m\", \"1 m\"] }\nmass = \"1 kg\"\ncentre_of_mass = [\"1 m\", \"0 m\", \"0 m\"]\n",
                 "it says more about a given `inertia`");
    expect_error(
        "shape = { box = [\"1 m\", \"1 m\", \"1 m\"] }\ndensity = \"1 kg/m^3\"\ninertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"1 kg*m^2\"]\n",
        "`mass` is missing");
}

TEST(Solids, TouchTheGround) {
    const std::string body = "shape = { box = [\"1 m\", \"2 m\", \"3 m\"] }\nmass = \"6 kg\"\n";
    const Compiled got = compiled(world(body, "position = [\"0 m\", \"0 m\", \"1.5 m\"]\n"));
    contact::Detector detector(got.model);
    std::vector<Vec3> position = got.state.bodies.position;
    position[0].z -= 1e-3;
    contact::ContactList list;
    detector.detect(position, got.state.bodies.orientation, list);
    ASSERT_EQ(list.size(), 4u);
    for (const contact::ContactPoint& c : list) {
        EXPECT_NEAR(c.gap, -1e-3, 1e-15);
        EXPECT_EQ(c.radius, 0);  // flat on flat
    }
    EXPECT_THROW(compiled(world(body, "position = [\"0 m\", \"0 m\", \"1 m\"]\n")), InputError);
}

}  // namespace
}  // namespace asperity::scenario::solids_test
