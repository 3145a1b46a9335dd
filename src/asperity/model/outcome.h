// How a run ended.
#pragma once
#include <cstdint>
#include <string>

namespace asperity::model {

// The last is an end that a scenario has given a name of its own. Append only: [expect] and tables hold the names.
enum class OutcomeKind { rest, escaped, timed_out, orbiting, companion, stalled, non_finite, overlap, completed, locked, named };
inline constexpr int outcome_kinds = 10;  // those with a name of ours
const char* name(OutcomeKind kind);

struct Outcome {
    OutcomeKind kind = OutcomeKind::timed_out;
    double time = 0;  // s
    std::int64_t body = 0;
    std::string message;
    std::string given_name = {};  // of kind `named`

    bool is_trouble() const { return kind == OutcomeKind::stalled || kind == OutcomeKind::non_finite || kind == OutcomeKind::overlap; }
    std::string label() const { return kind == OutcomeKind::named ? given_name : name(kind); }
};

}  // namespace asperity::model
