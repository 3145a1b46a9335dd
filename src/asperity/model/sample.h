// A sample: one body of a Look, as a row of the record.
#pragma once
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

// A row for each body, in their order.
inline void append_samples(const Look& look, std::vector<Sample>& rows) {
    const std::size_t first = rows.size();
    for (std::size_t i = 0; i < look.position.size(); ++i)
        rows.push_back({.time = look.time,
                        .body = static_cast<std::int64_t>(i),
                        .position = look.position[i],
                        .velocity = look.velocity[i],
                        .spin = look.spin[i],
                        .orientation = look.orientation[i],
                        .ledger = look.ledger[i],
                        .configuration = look.configuration});
    for (const ContactRow& contact : look.contacts)
        for (const std::int32_t body : {contact.a, contact.b}) {
            if (body == ground || static_cast<std::size_t>(body) >= look.position.size()) continue;  // or driven
            Sample& row = rows[first + static_cast<std::size_t>(body)];
            if (row.mode == Mode::flight) row.mode = contact.mode;
            if (row.slip_speed < contact.slip_speed) row.slip_speed = contact.slip_speed;
        }
}

}  // namespace asperity::model
