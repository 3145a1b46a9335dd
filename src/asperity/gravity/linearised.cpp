#include "asperity/gravity/linearised.h"

namespace asperity::gravity {

bool Linearised::covers(const Vec3& p) const { return norm(p - reference) <= reach; }

Linearised::Value Linearised::evaluate(const Vec3& p) const {
    const Vec3 d = p - reference;
    const Sym3& g = gradient;
    const Vec3 change{g.xx * d.x + g.xy * d.y + g.xz * d.z, g.xy * d.x + g.yy * d.y + g.yz * d.z, g.xz * d.x + g.yz * d.y + g.zz * d.z};
    return {.potential = potential + dot(d, acceleration) + 0.5 * dot(d, change), .acceleration = acceleration + change};
}

Linearised linearised_at(const PolyhedronGravity& gravity, const Vec3& p, double reach) {
    const FieldValue value = gravity.evaluate(p);
    return {.reference = p, .reach = reach, .potential = value.potential, .acceleration = value.acceleration, .gradient = value.gradient};
}

Linearised rebased(const PolyhedronGravity& gravity, const Linearised& before, const Vec3& p, const Vec3& v) {
    return linearised_at(gravity, p + linearised_ahead * before.reach * unit(v), before.reach);
}

}  // namespace asperity::gravity
