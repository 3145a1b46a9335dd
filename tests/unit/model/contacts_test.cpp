// The list of active contacts, and how methods that look at every pair take it in and give it back.
#include "asperity/model/contacts.h"

#include <gtest/gtest.h>

#include "asperity/dynamics/pair_modes.h"

namespace asperity::model::contacts_test {
namespace {

TEST(Contacts, AFeatureOfAMeshComesBack) {
    using geometry::FeatureKind;
    for (const FeatureKind kind : {FeatureKind::facet, FeatureKind::edge, FeatureKind::vertex, FeatureKind::rock})
        for (const std::int32_t index : {0, 1, 49151, (1 << 29) - 1}) {
            const geometry::Feature feature{kind, index};
            EXPECT_EQ(mesh_feature(contact_feature(feature)), feature);
            EXPECT_GE(contact_feature(feature), 0);
        }
    EXPECT_EQ(contact_feature(geometry::Feature{}), no_feature);
    EXPECT_EQ(mesh_feature(no_feature).index, -1);
}

TEST(Contacts, FeaturesAreInTheOrderOfTheirColliders) {
    EXPECT_LT(contact_feature(0, 0, 7), contact_feature(0, 1, 0));
    EXPECT_LT(contact_feature(0, 9, 7), contact_feature(1, 0, 0));
}

TEST(Contacts, OfABodyAreThoseThatItIsStillIn) {
    Contacts contacts;
    EXPECT_EQ(contacts.mode_of(0), Mode::flight);
    contacts.add(0, ground, 5, Mode::left);
    EXPECT_EQ(contacts.mode_of(0), Mode::flight);
    contacts.add(1, 2, 0, Mode::touching);
    EXPECT_EQ(contacts.mode_of(0), Mode::flight);
    EXPECT_EQ(contacts.mode_of(1), Mode::touching);
    EXPECT_EQ(contacts.mode_of(2), Mode::touching);
}

TEST(Contacts, PairsThatAreApartTakeNoRoom) {
    constexpr std::size_t bodies = 5;
    dynamics::PairModes modes(pairs_of_bodies(bodies), dynamics::open);
    modes[pair_index(1, 4, bodies)] = Mode::parting;
    modes[pair_index(1, 2, bodies)] = Mode::touching;
    modes[pair_index(0, 3, bodies)] = Mode::touching;
    Contacts contacts;
    contacts.memory_width = 3;  // left by a method whose laws remember something; these have none
    dynamics::store(modes, bodies, contacts);
    EXPECT_EQ(contacts.a, (std::vector<std::int32_t>{0, 1, 1}));
    EXPECT_EQ(contacts.b, (std::vector<std::int32_t>{3, 2, 4}));
    EXPECT_EQ(contacts.mode, (std::vector<Mode>{Mode::touching, Mode::touching, Mode::parting}));
    EXPECT_EQ(contacts.memory_width, 0);
    EXPECT_TRUE(contacts.memory.empty());
    EXPECT_EQ(dynamics::pair_modes(contacts, bodies), modes);
}

}  // namespace
}  // namespace asperity::model::contacts_test
