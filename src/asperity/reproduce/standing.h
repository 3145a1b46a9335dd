// The standing of our number against the one that it is compared with: what a published table declares, and whether the run confirms it.
#pragma once
#include <array>
#include <string>

#include "asperity/core/describe.h"

namespace asperity::reproduce {

// The basis that a number is compared with.
enum class Basis { print, closed_form, own };
inline constexpr std::size_t bases = 3;
const char* name(Basis basis);

enum class Standing {
    agrees,   // within the stated tolerance
    refuted,  // print is wrong: ours agrees with what proves it, and not with print
    open,     // differs by a stated amount, cause not known
};
inline constexpr std::size_t standings = 3;
inline constexpr std::array<Choice<Standing>, standings> standing_names = {{
    {"agrees", Standing::agrees, "Within the stated tolerance."},
    {"refuted", Standing::refuted, "Print is wrong, and that is proved."},
    {"open", Standing::open, "It differs, and the cause is not known."},
}};
const char* name(Standing standing);

// One comparison: the declared standing, and why the run contradicts it; empty where it does not.
struct Finding {
    Basis basis = Basis::print;
    Standing standing = Standing::agrees;
    std::string contradiction{};

    bool holds() const { return contradiction.empty(); }
};

struct Count {
    std::array<std::array<int, standings>, bases> held{};  // by basis, then by standing
    std::array<int, bases> contradicted{};                 // by basis

    void add(const Finding& finding);
    int all(Standing standing) const;
    int all_contradicted() const;
};

}  // namespace asperity::reproduce
