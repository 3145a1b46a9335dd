// What the tests of the readers share: errors as text, and files that are bent at random.
#pragma once
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "asperity/core/errors.h"
#include "asperity/geometry/raw_mesh.h"

namespace asperity::assets::test {

// "line:column what | hint", one per problem.
template <class Parse>
std::string error_of(Parse&& parse) {
    try {
        parse();
    } catch (const InputError& error) {
        std::string list;
        for (const Problem& p : error.problems) list += fmt::format("{}:{}:{} {} | {}\n", p.file, p.line, p.column, p.what, p.hint);
        return list;
    }
    return "no error";
}

// One sound file, changed in one to four places; every tenth is random bytes throughout.
inline std::string bent(const std::string& sound, std::string_view spice, int index, std::mt19937_64& random) {
    std::string text = sound;
    if (index % 10 == 0)
        for (char& byte : text) byte = static_cast<char>(random());
    for (std::uint64_t i = 1 + random() % 4; i > 0; --i) {
        const std::size_t place = random() % text.size();
        switch (random() % 5) {
            case 0: text[place] = spice[random() % spice.size()]; break;
            case 1: text[place] = static_cast<char>(random()); break;
            case 2: text.insert(place, 1 + random() % 30, spice[random() % spice.size()]); break;
            case 3: text.erase(place, 1 + random() % 8); break;
            default: text.resize(place + 1);
        }
        if (text.empty()) text = "v";
    }
    return text;
}

struct Survived {
    int read = 0;
    int refused = 0;
};

// Bent files: an InputError, with a file and not too many problems, or a mesh whose indices are in range; never a crash (run under asan).
template <class Parse>
Survived survive(const std::string& sound, std::string_view spice, int count, Parse&& parse) {
    std::mt19937_64 random(4711);
    Survived survived;
    for (int k = 0; k < count; ++k) {
        const std::string text = bent(sound, spice, k, random);
        try {
            const geometry::RawMesh mesh = parse(text);
            EXPECT_TRUE(geometry::unusable_parts(mesh).empty());
            EXPECT_TRUE(mesh.lines.empty() || mesh.lines.size() == mesh.facets.size());
            ++survived.read;
        } catch (const InputError& error) {
            EXPECT_FALSE(error.problems.empty());
            EXPECT_LE(error.problems.size(), 21u);
            EXPECT_FALSE(error.problems.front().file.empty());
            ++survived.refused;
        }
    }
    return survived;
}

}  // namespace asperity::assets::test
