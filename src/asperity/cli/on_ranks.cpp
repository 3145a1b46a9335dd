#include "asperity/cli/on_ranks.h"

#include <chrono>
#include <thread>

#include "asperity/cli/exit.h"

namespace asperity::cli {

int exit_code_on_ranks(const std::function<int(batch::Ranks&)>& action) {
    batch::Ranks ranks;
    bool is_orderly = false;
    const auto act = [&] {
        const int status = action(ranks);
        is_orderly = true;
        return status;
    };
    if (ranks.is_first()) {
        const int status = exit_code_of(act);
        if (!is_orderly && ranks.size() > 1) ranks.abort(status);
        return status;
    }
    try {
        return act();
    } catch (const std::exception&) {
        std::this_thread::sleep_for(std::chrono::seconds(2));
        ranks.abort(exit_code_of([]() -> int { throw; }));
    }
}

}  // namespace asperity::cli
