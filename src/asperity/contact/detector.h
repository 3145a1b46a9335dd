// Collision detection: broad phase, then narrow phase, then a sorted list of the active contacts.
//
// Broad phase. Up to 64 bodies: all pairs. Beyond, a list of candidates that are closer than their reaches and a skin, kept until a body
// has moved by half the skin: a cell list (cells as wide as two of the largest small bodies and the skin) for bodies up to 4 median
// reaches, and all pairs with the few that are larger. The skin is a quarter of the median reach: wider ones cost in the narrow phase what
// they save here. Where gaps are wanted too the skin is wider by twice the largest that was, at first.
// Narrow phase. contact/shape_pairs.h, on poses of the instant: a contact is in the list where its gap is below the margin, whatever
// candidates there were. So skin and broad phase change no result, and a restart, which builds its candidates anew, goes on with the same
// bits.
//
// Driven bodies have rows behind those that move, in the positions given too; they are compared with all that move, but with neither each
// other nor the ground.
//
// Two bodies that a joint holds do not touch each other, unless it says so.
//
// Blocks of rows are gathered in parallel, a batch of blocks at a time, and appended in order: beside the caller's list there are those of
// one batch, and none of all contacts.
//
// Cost: O(n) a call, O(n log n) where candidates are built; memory O(n).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "asperity/contact/contact_list.h"
#include "asperity/contact/shape_pairs.h"
#include "asperity/model/contacts.h"
#include "asperity/model/model.h"

namespace asperity::contact {

// The first two shapes of the model that can touch and have no narrow phase, as a sentence; empty where there are none.
std::string missing_pair(const model::Model& model);

class Detector {
public:
    explicit Detector(const model::Model& model);

    // Sets the list to all contacts of bodies at these places with a gap below `margin`, sorted; driven bodies stand behind those that
    // move.
    void detect(std::span<const Vec3> position, std::span<const Quat> orientation, ContactList& out, double margin = 0);
    // take(contact) of each that overlaps, in the same order: for sums, which need no list.
    template <class Take>
    void for_each(std::span<const Vec3> position, std::span<const Quat> orientation, const Take& take);

    // Appends the contacts of one body with the ground, those with a gap below `margin`, sorted.
    void with_ground(std::size_t row, const Pose& pose, double margin, ContactList& out) const;
    // Appends the contacts of two bodies, a < b, those with a gap below `margin`.
    void of_pair(std::size_t a, std::size_t b, const Pose& pose_a, const Pose& pose_b, double margin, ContactList& out) const;

    // m, how far a point is at least from the ground, and at most `limit`; negative below it.
    double height(const Vec3& point, double limit) const;

    // The same over the driven body of a row that stands there.
    double height_over(std::size_t row, const Pose& body, const Vec3& point, double limit) const;

    static constexpr std::size_t most_in_all_pairs = 64;  // bodies

private:
    static constexpr std::size_t rows_a_block = 256, blocks_a_batch = 16;

    // Rows of equal colliders share a Part.
    struct Part {
        std::vector<model::Collider> colliders;
        std::vector<double> radius;  // contact_radius of each
        double reach = 0;            // m
        bool is_ball = false;        // one sphere about the centre of mass
    };

    std::size_t moving() const { return kind_.size(); }
    const Part& part(std::size_t row) const { return row < kind_.size() ? parts_[kind_[row]] : driven_[row - kind_.size()]; }
    const geometry::SurfaceView* mesh_of(const model::Shape& shape) const;
    void add(std::size_t a, std::int32_t b, const ShapePair& pair, std::pair<std::size_t, std::size_t> colliders,
             std::pair<const Part*, const Part*> parts, ContactList& out) const;
    // The poses of an instant, and the gaps that are wanted of them.
    struct Wanted {
        std::span<const Vec3> position;
        std::span<const Quat> orientation;
        double margin = 0;  // m
    };
    bool is_stale(std::span<const Vec3> position, double margin) const;
    void refresh(std::span<const Vec3> position, double margin);
    void find_candidates(std::span<const Vec3> position);
    void gather(std::size_t begin, std::size_t end, const Wanted& wanted, ContactList& out) const;
    std::span<const ContactList> gather_batch(std::size_t begin, const Wanted& wanted);

    bool is_joined(std::size_t a, std::size_t b) const {
        return !joined_.empty() &&
               std::ranges::binary_search(joined_, std::pair{static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
    }

    const model::Model& model_;
    std::vector<std::pair<std::int32_t, std::int32_t>> joined_;  // rows a < b of bodies that a joint keeps from touching, sorted
    std::array<geometry::SurfaceView, 2> surfaces_;              // of the ground, of the companion
    std::vector<Part> parts_, driven_;
    std::span<const std::uint32_t> kind_;
    Part ground_;
    double skin_ = 0;                      // m
    double widened_ = 0;                   // m, by which the skin of the candidates is wider, at least the margin that is wanted
    double largest_ = 0;                   // m, reach of the largest body that goes into cells
    std::vector<Vec3> built_at_;           // positions of the candidates; empty: none yet
    std::vector<std::uint32_t> first_;     // of each row in partners_
    std::vector<std::uint32_t> partners_;  // rows above, ascending
    std::vector<std::uint8_t> is_near_ground_;
    std::array<ContactList, blocks_a_batch> blocks_;  // of a batch
};

template <class Take>
void Detector::for_each(std::span<const Vec3> position, std::span<const Quat> orientation, const Take& take) {
    refresh(position, 0);
    for (std::size_t begin = 0; begin < position.size(); begin += rows_a_block * blocks_a_batch)
        for (const ContactList& block : gather_batch(begin, {position, orientation}))
            for (const ContactPoint& contact : block) take(contact);
}

}  // namespace asperity::contact
