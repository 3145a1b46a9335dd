// The laws of soft contact besides the normal force: each has its own header and one line in the list below.
//
// A law is the struct of its parameters, as [contact."a/b"] has them, default-constructed without effect, with
//   acts()                                          whether it does anything
//   is_soft_alone                                   whether rigid methods must refuse it: it is physics that they do not have
//   describe(visitor, law)                          its keys
//   respond(contact, touch, memory, response)       adds its force and torque to a response whose normal force is known
//   energy(radius, overlap)                         J, if it stores energy by effective radius and overlap alone; its force is then in
//                                                   response.elastic too
//   ends_in_a_jump                                  if its force does not fall to zero with the overlap: respond() is then asked past the
//                                                   separation too, up to which a located step carries it on
// and, where it remembers something of a contact,
//   memory_vectors                                  how many vectors, in world axes; whoever keeps them turns them with the normal
//   rate(contact, touch, memory, rate)              their rates, integrated with the motion
//   settle(contact, touch, response, memory)        after an accepted step: clips them, and says what they store
// All pure, host and device. What respond() takes from the motion counts as heat at first; what is stored is taken back when it settles.
#pragma once
#include <cstddef>
#include <tuple>

#include "asperity/core/host_device.h"
#include "asperity/laws/contact/cohesion.h"
#include "asperity/laws/contact/sliding_springs.h"
#include "asperity/laws/contact/soft.h"

namespace asperity::laws {

using SoftForces = std::tuple<SlidingSprings, Cohesion>;

template <class Law>
constexpr std::size_t memory_vectors_of() {
    if constexpr (requires { Law::memory_vectors; })
        return Law::memory_vectors;
    else
        return 0;
}

namespace detail {

template <class... Laws>
constexpr std::size_t memory_vectors_of_all(const std::tuple<Laws...>*) {
    return (memory_vectors_of<Laws>() + ...);
}

}  // namespace detail

// Of all laws of the list, one after the other.
inline constexpr std::size_t memory_vectors = detail::memory_vectors_of_all(static_cast<const SoftForces*>(nullptr));

// visit(law, first of its memory vectors) of every law that acts.
template <class Visit>
ASPERITY_HD void for_each_acting(const SoftForces& forces, const Visit& visit) {
    std::size_t at = 0;
    std::apply(
        [&](const auto&... law) {
            const auto one = [&](const auto& of) {
                if (of.acts()) visit(of, at);
                at += memory_vectors_of<std::remove_cvref_t<decltype(of)>>();
            };
            (one(law), ...);
        },
        forces);
}

ASPERITY_HD inline bool any_acts(const SoftForces& forces) {
    bool found = false;
    for_each_acting(forces, [&](const auto&, std::size_t) { found = true; });
    return found;
}

ASPERITY_HD inline bool any_remembers(const SoftForces& forces) {
    bool found = false;
    for_each_acting(forces, [&]<class Law>(const Law&, std::size_t) { found = found || memory_vectors_of<Law>() > 0; });
    return found;
}

// Whether a law acts that rigid contact does not have.
ASPERITY_HD inline bool any_is_soft_alone(const SoftForces& forces) {
    bool found = false;
    for_each_acting(forces, [&]<class Law>(const Law&, std::size_t) { found = found || Law::is_soft_alone; });
    return found;
}

template <class Law>
constexpr bool ends_in_a_jump() {
    return requires { Law::ends_in_a_jump; };
}

ASPERITY_HD inline bool any_ends_in_a_jump(const SoftForces& forces) {
    bool found = false;
    for_each_acting(forces, [&]<class Law>(const Law&, std::size_t) { found = found || ends_in_a_jump<Law>(); });
    return found;
}

ASPERITY_HD inline double energy_of(const SoftForces& forces, double radius, double overlap) {
    double sum = 0;
    for_each_acting(forces, [&]<class Law>(const Law& law, std::size_t) {
        if constexpr (requires { law.energy(radius, overlap); }) sum += law.energy(radius, overlap);
    });
    return sum;
}

ASPERITY_HD inline void respond(const SoftForces& forces, const SoftContact& contact, const SoftTouch& touch, const Vec3* memory,
                                SoftResponse& response) {
    for_each_acting(forces, [&](const auto& law, std::size_t at) { law.respond(contact, touch, memory + at, response); });
}

// Of a contact without overlap in a step that ends at its separation.
ASPERITY_HD inline void respond_past_separation(const SoftForces& forces, const SoftContact& contact, const SoftTouch& touch,
                                                SoftResponse& response) {
    for_each_acting(forces, [&]<class Law>(const Law& law, std::size_t) {
        if constexpr (ends_in_a_jump<Law>()) law.respond(contact, touch, nullptr, response);
    });
}

ASPERITY_HD inline void rate(const SoftForces& forces, const SoftContact& contact, const SoftTouch& touch, const Vec3* memory, Vec3* out) {
    for_each_acting(forces, [&]<class Law>(const Law& law, std::size_t at) {
        if constexpr (memory_vectors_of<Law>() > 0) law.rate(contact, touch, memory + at, out + at);
    });
}

// pressed: that of the contact's response.
ASPERITY_HD inline Stored settle(const SoftForces& forces, const SoftContact& contact, const SoftTouch& touch, double pressed,
                                 Vec3* memory) {
    Stored sum;
    for_each_acting(forces, [&]<class Law>(const Law& law, std::size_t at) {
        if constexpr (memory_vectors_of<Law>() > 0) sum += law.settle(contact, touch, pressed, memory + at);
    });
    return sum;
}

}  // namespace asperity::laws
