// Groups of many bodies in a record: their energies at every sample, and frames, which hold columns of their rows as 32-bit floats.
//
//   /groups/0            attribute name; first, count, stride: rows first, first + stride, ... below first + count are in the frames
//   /groups/0/samples    time and the ledger of the group, a row a sample
//   /groups/0/frames     time, a row a frame; position and what else was wanted, so many rows a frame as it shows bodies
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "asperity/core/hash.h"
#include "asperity/core/quat.h"
#include "asperity/core/vec3.h"
#include "asperity/model/observer.h"
#include "asperity/record/hdf5_file.h"

namespace asperity::record {

struct GroupHead {
    std::string name;
    std::int64_t first = 0, count = 0, stride = 1;  // rows
    bool has_orientation = false, has_velocity = false, has_spin = false;

    std::int64_t shown() const { return (count + stride - 1) / stride; }  // bodies in a frame
    friend bool operator==(const GroupHead&, const GroupHead&) = default;
};

struct GroupSample {
    double time = 0;       // s
    model::Ledger ledger;  // of the group
};

// Columns that are not kept are empty. Numbers are those of 32-bit floats.
struct Frame {
    double time = 0;                // s
    std::vector<Vec3> position;     // m
    std::vector<Quat> orientation;  // q_WB
    std::vector<Vec3> velocity;     // m/s
    std::vector<Vec3> spin;         // rad/s
};
Frame frame_of(const GroupHead& head, const model::Look& look);

struct Group {
    GroupHead head;
    std::vector<GroupSample> samples;
    std::vector<double> frame_times;  // s
    std::vector<Frame> shown;         // some of the frames, the first and the last among them; the others stay in the file
    Hash128 frames_hash;              // of all of them
};

// Frames to look at: fewer of many bodies, so that they fit into a page.
std::vector<std::size_t> shown_frames(std::size_t frames, std::int64_t bodies);

// These write into a file that is still open.
void make_group(Hdf5File& file, std::size_t index, const GroupHead& head);
void append(Hdf5File& file, std::size_t index, std::vector<GroupSample>& samples);  // and clears them
void append(Hdf5File& file, std::size_t index, const GroupHead& head, const Frame& frame);

// Throw InputError.
std::vector<Group> read_groups(const Hdf5File& file);
Frame read_frame(const Hdf5File& file, std::size_t index, const GroupHead& head, std::int64_t number);

}  // namespace asperity::record
