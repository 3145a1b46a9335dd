#include "asperity/reproduce/standing.h"

#include <numeric>

namespace asperity::reproduce {

const char* name(Basis basis) {
    switch (basis) {
        case Basis::print: return "print";
        case Basis::closed_form: return "closed forms";
        case Basis::own: return "our own numbers";
    }
    return "";
}

const char* name(Standing standing) { return standing_names[static_cast<std::size_t>(standing)].name; }

void Count::add(const Finding& finding) {
    const auto basis = static_cast<std::size_t>(finding.basis);
    ++(finding.holds() ? held[basis][static_cast<std::size_t>(finding.standing)] : contradicted[basis]);
}

int Count::all(Standing standing) const {
    int sum = 0;
    for (const auto& of_basis : held) sum += of_basis[static_cast<std::size_t>(standing)];
    return sum;
}

int Count::all_contradicted() const { return std::accumulate(contradicted.begin(), contradicted.end(), 0); }

}  // namespace asperity::reproduce
