// Quantities of gravity and frames in published tables, on bodies of few facets.
#include "asperity/reproduce/field_quantities.h"

#include <gtest/gtest.h>

#include "asperity/scenario/read.h"

namespace asperity::reproduce::field_quantities_test {
namespace {

const std::string scenarios = std::string(ASPERITY_SOURCE_DIR) + "/scenarios/landers/";

FieldMeasured measured(const std::string& file, std::vector<std::string> sets) {
    return FieldMeasured(scenario::read_scenario(scenarios + file, {.sets = std::move(sets)}));
}

TEST(FieldQuantities, AreKnownByName) {
    for (const char* text : {"linearisation_error", "frame_distance", "companion_frame_distance", "model_volume[0]", "resolution_error[7]"})
        EXPECT_TRUE(is_field_quantity(text)) << text;
    for (const char* text :
         {"linearisation_error[1]", "model_volume", "model_volume[8]", "model_volume[12]", "model_volume[]", "stop_time", ""})
        EXPECT_FALSE(is_field_quantity(text)) << text;
}

TEST(FieldQuantities, OneOrbitIsTheSameInEveryFrame) {
    EXPECT_LT(measured("itokawa-orbit.toml", {"body.itokawa.shape.facets=80", "end.time=3 h"}).value("frame_distance").value(), 1e-8);
    const FieldMeasured binary = measured("kw4-orbit.toml", {"body.alpha.shape.facets=80", "body.beta.shape.facets=80", "end.time=2 h"});
    EXPECT_LT(binary.value("frame_distance").value(), 1e-7);
    EXPECT_LT(binary.value("companion_frame_distance").value(), 1e-7);
    EXPECT_GT(binary.value("frame_distance").value(), 0) << "two integrations, not one looked at twice";
}

TEST(FieldQuantities, RunsThatEndEarlyHaveNoDistance) {
    // straight down
    EXPECT_FALSE(measured("itokawa-orbit.toml",
                          {"body.itokawa.shape.facets=80", "end.time=3 h", "body.lander.start.position=['300 m', '0 m', '0 m']",
                           "body.lander.start.velocity=['-1 m/s', '0 m/s', '0 m/s']"})
                     .value("frame_distance"));
    EXPECT_FALSE(measured("itokawa-orbit.toml", {"body.itokawa.shape.facets=80"}).value("companion_frame_distance"))
        << "there is no companion";
}

TEST(FieldQuantities, LinearisationOfAFarBodyInClosedForm) {
    // from far a point mass: |1 - 2 x - 1 / (1 + x)^2| with x = d / r at the end of the line, one reference for all of it
    const double got = measured("itokawa-orbit.toml", {"body.itokawa.shape.facets=80", "body.lander.start.position=['0 m', '20 km', '0 m']",
                                                       "body.lander.start.velocity=['0 m/s', '2 m/s', '0 m/s']", "end.time=500 s",
                                                       "body.itokawa.attracts.linear_reach=2 km"})
                           .value("linearisation_error")
                           .value();
    const double x = 0.05, want = 1 / ((1 + x) * (1 + x)) - (1 - 2 * x);
    EXPECT_NEAR(got / want, 1, 2e-3);
}

TEST(FieldQuantities, ModelKeepsTheMass) {
    const FieldMeasured body = measured("itokawa-orbit.toml", {"body.itokawa.shape.facets=1280", "body.itokawa.density=2 g/cm^3"});
    const double mass = body.value("model_volume[1]").value() * body.value("model_density[1]").value();
    EXPECT_NEAR(mass, body.value("model_volume[3]").value() * body.value("model_density[3]").value(), 1e-9 * mass);
    EXPECT_GT(body.value("resolution_error[0]").value(), body.value("resolution_error[2]").value());
}

}  // namespace
}  // namespace asperity::reproduce::field_quantities_test
