#include "asperity/scenario/explain.h"

#include <set>
#include <sstream>

#include "unit/scenario/scenario_test_tools.h"

namespace asperity::scenario::explain_test {
namespace {

TEST(Explain, one_key) {
    EXPECT_EQ(explain("contact.lander/ground.restitution"),
              "contact.A/B.restitution   number, between 0 and 1; required\n  Normal speed after an impact over the one before. Method "
              "\"penalty\" takes less than 0.0025 for 0.0025.\n");
    EXPECT_EQ(explain("inertia_factor"),
              "body.NAME.inertia_factor   number, above 0 and at most 0.666667; default: 0.4\n  Moment of inertia of a sphere over m r^2; "
              "0.4 for a homogeneous one.\n");
    EXPECT_EQ(
        explain("depth"),
        "body.NAME.shape.depth   length, between 1e-9 and 1e9 m; default: \"4 m\"\n  only with surface = \"pit\"\n  Depth of the "
        "lowest vertex.\n\n"
        "contact.A/B.rest_penetration.depth   length, above 0 m and at most 1e12 m; required\n  How deep the body presses a contact in at "
        "rest.\n");
    EXPECT_EQ(explain("body.ground.shape.unit"),
              "body.NAME.shape.unit   one of m, km, cm, mm; default: none: a file needs it\n  Unit of length of a mesh file.\n"
              "    m            The file is in metres.\n    km           The file is in kilometres.\n"
              "    cm           The file is in centimetres.\n    mm           The file is in millimetres.\n");
    EXPECT_EQ(
        explain("output"),
        "[output]   may be left out\n  What the record keeps.\n\n"
        "output.sample_every   time, above 0 s and at most 1e15 s; default: end.time / 5000\n  Time between samples of the record.\n\n"
        "output.checkpoint_every   time, above 0 s and at most 1e15 s; default: none are kept\n  Time between states from which a run can "
        "go on.\n\n"
        "[output.group.NAME]   may be left out\n  Of the bodies of one name, where there are more than 64: they have no rows of samples, "
        "but "
        "energies of all together at each sample, and frames of 32-bit floats.\n\n"
        "output.group.NAME.every   integer, at least 1; default: such that there are about 300\n  A frame with the positions of its bodies "
        "at every so manyth sample.\n\n"
        "output.group.NAME.stride   integer, at least 1; default: 1\n  Only every so manyth of its bodies is in the frames.\n\n"
        "output.group.NAME.orientation   true or false; default: false\n  Whether frames hold how bodies are turned.\n\n"
        "output.group.NAME.velocity   true or false; default: false\n  Whether frames hold velocities.\n\n"
        "output.group.NAME.spin   true or false; default: false\n  Whether frames hold angular velocities.\n");
}

TEST(Explain, all_of_them) {
    const std::string all = explain("");
    for (const KeyEntry& key : scenario_schema().keys) EXPECT_NE(all.find(key.path() + "   "), std::string::npos) << key.path();
}

TEST(Explain, study_has_all_keys_of_study_files) {
    const std::string all = explain("study");
    for (const KeyEntry& key : study_schema().keys) EXPECT_NE(all.find(key.path() + "   "), std::string::npos) << key.path();
    EXPECT_NE(explain("vary.distribution").find("log-normal"), std::string::npos);
    EXPECT_NE(explain("").find("asperity explain study"), std::string::npos);
}

TEST(Explain, an_unknown_key_gets_a_suggestion) {
    try {
        explain("restitutoin");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "error: there is no key or section `restitutoin`\n  did you mean `restitution`?\n\n1 error. Nothing was run.");
    }
    try {
        explain("zzz");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "error: there is no key or section `zzz`\n  `asperity explain` lists all of them\n\n1 error. Nothing was run.");
    }
}

TEST(Schema, every_key_says_what_it_means_and_what_holds_without_it) {
    std::set<std::string> seen;
    for (const Schema& schema : {scenario_schema(), study_schema()}) {
        for (const KeyEntry& key : schema.keys) {
            EXPECT_TRUE(seen.insert(key.kind + ":" + key.path()).second) << key.path() << " is described twice";
            EXPECT_FALSE(key.sentence.empty()) << key.path();
            EXPECT_NE(key.is_required, !key.default_text.empty()) << key.path();
            EXPECT_EQ(key.choices.size(), key.choice_sentences.size());
        }
        seen.clear();
    }
}

// Kinds that share a key do not repeat what can be chosen for it; a key of another section has its own list.
TEST(ReferencePage, tells_the_choices_of_a_key_once_in_a_section) {
    const std::string text = reference_page(), list = "\n`surface`:\n";
    const std::size_t begin = text.find("\n## [body.NAME.shape]"), end = text.find("\n## ", begin + 1);
    const std::string shape = text.substr(begin, end - begin);
    const std::size_t first = shape.find(list);
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(shape.find(list, first + 1), std::string::npos);
}

// What a phase has that says nothing comes from the list of methods.
TEST(Explain, says_what_the_methods_have_by_default) {
    EXPECT_NE(explain("phase.method").find("default: event-driven where there is ground, else constraint"), std::string::npos);
    EXPECT_NE(explain("phase.integrator").find("default: dopri5; impulse and dvi: leapfrog; constraint and secular: symplectic4"),
              std::string::npos);
    EXPECT_NE(explain("phase.tolerance").find("default: 1e-09; event-driven: 1e-12; impulse and dvi: 0.001"), std::string::npos);
}

TEST(Explain, says_what_contact_takes_of_a_tolerance) {
    EXPECT_NE(explain("phase.tolerance").find("in contact at most 1e-9"), std::string::npos);
}

std::string page(const std::string& name) {
    std::ifstream file(std::string(ASPERITY_SOURCE_DIR "/docs/reference/") + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(ReferencePage, is_up_to_date) {
    EXPECT_EQ(page("scenario.md"), reference_page()) << "write the page anew from reference_page()";
    EXPECT_EQ(page("study.md"), study_reference_page()) << "write the page anew from study_reference_page()";
}

}  // namespace
}  // namespace asperity::scenario::explain_test
