// The attraction of one body of constant density by any of the ways there are to compute it. Plain data that points at assets.
//
//   U(p) = G rho s^2 U1(p / s),   grad U(p) = G rho s grad U1(p / s)        U1: of the stored shape, for G rho = 1        (1)
//
// so that density and scale vary without touching what is stored. U > 0: the attraction is its gradient.
#pragma once
#include <cstdint>

#include "asperity/core/vec3.h"
#include "asperity/gravity/fast_field.h"
#include "asperity/gravity/linearised.h"
#include "asperity/gravity/polyhedron.h"

namespace asperity::gravity {

// Values are stored in records: append only.
enum class FieldKind : std::int64_t {
    fast = 0,        // polynomials in cells, nearest facets exact
    exact = 1,       // every facet and edge
    linearised = 2,  // 1-landers 4.12: from a reference point near by
    point = 3,       // all mass in the centre
};

struct Attraction {
    double potential = 0;  // m^2/s^2
    Vec3 acceleration;     // m/s^2
};

struct BodyField {
    FieldKind kind = FieldKind::point;
    FastFieldView fast;                        // where the kind is fast
    const PolyhedronGravity* exact = nullptr;  // where it is exact or linearised
    Linearised* linear = nullptr;              // of the run, where the kind is linearised
    double volume = 0;                         // m^3, of the stored shape
    double strength = 0;                       // G rho, 1/s^2
    double scale = 1;                          // s

    double gravitational_parameter() const { return strength * volume * scale * scale * scale; }  // G m, m^3/s^2

    Attraction at(const Vec3& p) const {
        const Vec3 q = (1 / scale) * p;
        if (kind == FieldKind::fast) {
            const FieldSample value = fast.sample(q);
            return scaled(value.potential, value.acceleration);
        }
        if (kind == FieldKind::point) {
            const double distance = norm(q);
            return scaled(volume / distance, (-volume / (distance * distance * distance)) * q);
        }
        if (kind == FieldKind::linearised && linear != nullptr && linear->covers(q)) {
            const Linearised::Value value = linear->evaluate(q);
            return scaled(value.potential, value.acceleration);
        }
        const FieldValue value = exact->evaluate(q);
        return scaled(value.potential, value.acceleration);
    }

    // Between steps: a linearised field takes a new reference where the old one does not reach.
    void begin_step(const Vec3& p, const Vec3& v) const {
        if (linear != nullptr && !linear->covers((1 / scale) * p)) *linear = rebased(*exact, *linear, (1 / scale) * p, v);
    }

private:
    Attraction scaled(double potential, const Vec3& acceleration) const {  // (1)
        return {strength * scale * scale * potential, (strength * scale) * acceleration};
    }
};

}  // namespace asperity::gravity
