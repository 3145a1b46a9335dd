// The content of a record, as plain structs, and its readers. docs/format.md shows the file on one page.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "asperity/core/vec3.h"
#include "asperity/model/model.h"
#include "asperity/model/sample.h"
#include "asperity/model/state.h"
#include "asperity/record/column.h"
#include "asperity/record/groups.h"
#include "asperity/record/shapes.h"

namespace asperity::record {

inline constexpr std::int64_t format_version = 2;

// Who wrote the record, from what. Not part of the content hash.
struct Header {
    std::string asperity_version;
    std::string git_commit;
    std::string compiler;
    std::string compiler_flags;
    std::string scenario_name;
    std::string scenario_hash;

    friend bool operator==(const Header&, const Header&) = default;
};

// The surface that the bodies touch, for the report to draw; empty where there is none.
struct Surface {
    std::vector<Vec3> vertices;                       // m
    std::vector<std::array<std::int64_t, 3>> facets;  // counter-clockwise from outside
    std::vector<Vec3> rock_centres;                   // m, of rocks that stand on it
    std::vector<double> rock_radii;                   // m

    friend bool operator==(const Surface&, const Surface&) = default;
};

// The bodies that move, with what the report needs to draw and weigh them.
struct BodyRow {
    std::string name;
    std::string shape;          // "sphere", "ellipsoid"
    double mass = 0;            // kg
    Vec3 semi_axes;             // m, along the body's own axes; a sphere: three times its radius
    Vec3 inertia;               // kg m^2, principal moments, about these axes
    std::int64_t material = 0;  // of its surface, a number
    std::int64_t group = 0;     // bodies whose energies are told together

    friend bool operator==(const BodyRow&, const BodyRow&) = default;
};
struct Bodies {
    std::vector<BodyRow> rows;          // by index of the body
    double gravitational_constant = 0;  // m^3/(kg s^2)

    bool is_empty() const { return rows.empty(); }
    friend bool operator==(const Bodies&, const Bodies&) = default;
};

struct Checkpoint {
    double time = 0;                   // s
    std::int64_t samples = 0;          // rows of samples written before it
    std::int64_t events = 0;           // rows of events written before it
    std::vector<std::int64_t> groups;  // of each group, rows of samples and frames written before it
    std::int64_t signals = 0;          // rows of signals written before it
    bool is_stop = false;              // kept only since the run stopped here; a record that goes on from it leaves it out
    model::State state;

    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

using MetricValue = std::variant<double, std::vector<double>, std::string>;

struct Metric {
    std::string name;
    MetricValue value;
    std::string unit;              // "" where it has none
    std::string description = {};  // one sentence
    bool is_detail = false;        // in the summary alone: neither in a record nor shown where it is not asked for

    friend bool operator==(const Metric&, const Metric&) = default;
};

struct Record {
    Header header;
    std::string scenario;  // the resolved scenario, as run
    Surface surface;
    Bodies bodies;
    Shapes shapes;                       // where semi-axes do not tell them; none in records of older programs
    std::vector<GivenRow> given;         // bodies whose motion is given; none before the end of a run
    std::vector<CableRow> cables;        // likewise
    std::vector<model::Sample> samples;  // of bodies that are told one by one
    std::vector<Group> groups;           // the others
    std::vector<Column> signals;         // time, and each named signal; empty where there are none
    std::vector<model::Event> events;
    std::vector<Checkpoint> checkpoints;
    std::vector<Table> tables;
    std::vector<Metric> metrics;
    std::optional<model::Outcome> outcome;  // none where the run did not reach its end, or where nothing was simulated
    std::vector<std::string> warnings;
};

// Everything. Throws InputError where the file is missing, is not a record, is damaged, or is of a newer format.
Record read_record(const std::filesystem::path& path);

// The identity and progress of a record, without its rows. Throws InputError as read_record() does.
struct Brief {
    Header header;
    bool has_outcome = false;
    std::optional<double> last_checkpoint_time;  // s; none where there is no checkpoint
};
Brief read_brief(const std::filesystem::path& path);

// The index of the last checkpoint, and of the last one at or before `time`. Throw InputError where there is none.
std::int64_t last_checkpoint(const std::filesystem::path& path);
std::int64_t last_checkpoint_before(const std::filesystem::path& path, double time);

// The content hash, in hexadecimal: names, units and all values of scenario text, surface, bodies, samples, events, checkpoints,
// tables, metrics and outcome. Two runs that computed the same have the same hash, whoever compiled, on whichever number of threads, and
// whether or not they were interrupted; header, descriptions, warnings and the bytes of the file do not count.
std::string record_hash(const Record& record);
std::string record_hash(const std::filesystem::path& path);

}  // namespace asperity::record
