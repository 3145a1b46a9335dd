// A flat vector of fixed size for the integrators: plain data, host and device, no allocation.
#pragma once
#include "asperity/core/host_device.h"
#include "asperity/core/vec3.h"

namespace asperity::numerics {

template <int N>
struct Vector {
    double at[N] = {};

    ASPERITY_HD double& operator[](int i) { return at[i]; }
    ASPERITY_HD double operator[](int i) const { return at[i]; }

    // Three consecutive entries as a Vec3.
    ASPERITY_HD Vec3 three(int first) const { return {at[first], at[first + 1], at[first + 2]}; }
    ASPERITY_HD void set_three(int first, const Vec3& a) {
        at[first] = a.x;
        at[first + 1] = a.y;
        at[first + 2] = a.z;
    }
};

}  // namespace asperity::numerics
