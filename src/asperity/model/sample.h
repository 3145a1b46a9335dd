// A sample: one body of a Look, as a row of the record.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "asperity/model/observer.h"

namespace asperity::model {

struct Sample {
    double time = 0;  // s
    std::int64_t body = 0;
    Vec3 position;                                      // m
    Vec3 velocity;                                      // m/s
    Vec3 spin;                                          // rad/s
    Quat orientation;                                   // q_WB
    Mode mode = Mode::flight;                           // of its first contact
    double slip_speed = 0;                              // m/s, the largest of its contacts; 0 in flight
    Ledger ledger;                                      // of its group
    Configuration configuration = Configuration::none;  // that the bodies are in together
};

// A row for each body that is told by itself, in their order.
inline void append_samples(const Look& look, std::vector<Sample>& rows) {
    const std::size_t first = rows.size();
    const auto add = [&](std::size_t i, const Ledger& ledger) {
        rows.push_back({.time = look.time,
                        .body = static_cast<std::int64_t>(i),
                        .position = look.position[i],
                        .velocity = look.velocity[i],
                        .spin = look.spin[i],
                        .orientation = look.orientation[i],
                        .ledger = ledger,
                        .configuration = look.configuration});
    };
    for (std::size_t i = 0; look.groups.empty() && i < look.position.size(); ++i) add(i, look.ledger[i]);
    for (std::size_t g = 0; g < look.groups.size(); ++g)
        if (look.groups[g].count == 1) add(look.groups[g].first, look.ledger[g]);
    for (const ContactRow& contact : look.contacts)
        for (const std::int32_t body : {contact.a, contact.b}) {
            const auto at = std::lower_bound(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), std::int64_t{body},
                                             [](const Sample& row, std::int64_t wanted) { return row.body < wanted; });
            if (body == ground || at == rows.end() || at->body != body) continue;
            Sample& row = *at;
            if (row.mode == Mode::flight) row.mode = contact.mode;
            if (row.slip_speed < contact.slip_speed) row.slip_speed = contact.slip_speed;
        }
}

}  // namespace asperity::model
