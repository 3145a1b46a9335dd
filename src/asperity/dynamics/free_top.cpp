#include "asperity/dynamics/free_top.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "asperity/numerics/elliptic.h"

namespace asperity::dynamics {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double least_complementary = 1e-300;  // on the separatrix the period is as long as doubles tell

// Gauss and Legendre's ten points on [-1, 1], the positive ones.
constexpr std::array<double, 5> nodes{0.1488743389816312109, 0.4333953941292471908, 0.6794095682990244062, 0.8650633666889845107,
                                      0.9739065285171717201};
constexpr std::array<double, 5> weights{0.2955242247147528702, 0.2692667193099963551, 0.2190863625159820440, 0.1494513491505805931,
                                        0.0666713443086881376};
constexpr double short_way = 0.5;  // of u: up to it these are exact to rounding, dn having no pole nearer than pi / 2

double& component(Vec3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
double component(const Vec3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

// The smallest rotation that takes the unit vector l to n, which is not opposite.
Quat smallest_rotation(const Vec3& l, const Vec3& n) {
    const Vec3 axis = cross(l, n);
    return unit({1 + dot(l, n), axis.x, axis.y, axis.z});
}

Vec3 axis_of(int k, double side) {
    Vec3 n;
    component(n, k) = side;
    return n;
}

}  // namespace

FreeTop::FreeTop(const Vec3& inertia, const Quat& q_WB, const Vec3& w) : inertia_(inertia), start_(q_WB), spin_(w) {
    const Vec3 of_body = rotate(conjugate(q_WB), w);
    const Vec3 body_momentum{inertia.x * of_body.x, inertia.y * of_body.y, inertia.z * of_body.z};
    momentum_ = rotate(q_WB, body_momentum);
    size_ = norm(body_momentum);
    if (!(size_ > 0)) return;
    std::array<int, 3> order{0, 1, 2};
    std::ranges::stable_sort(order, {}, [&](int k) { return component(inertia, k); });
    b_ = order[1];
    const auto of = [&](int k) { return component(of_body, k); };
    const auto j = [&](int k) { return component(inertia, k); };
    // G^2 - 2 E J_b: about the largest axis where it is positive
    const double least = j(order[0]), most = j(order[2]), middle = j(b_);
    const double separatrix = most * (most - middle) * of(order[2]) * of(order[2]) - least * (middle - least) * of(order[0]) * of(order[0]);
    c_ = separatrix > 0 ? order[2] : order[0];
    a_ = order[0] + order[2] - c_;
    const double ja = j(a_), jb = middle, jc = j(c_), ca = std::fabs(jc - ja), cb = std::fabs(jc - jb), ba = std::fabs(jb - ja);
    const double x = std::sqrt(ja * ca) * of(a_), y = std::sqrt(jb * cb) * of(b_), A2 = x * x + y * y;  // |2 E J_c - G^2|
    const double B2 = jb * ba * of(b_) * of(b_) + jc * ca * of(c_) * of(c_);                            // |G^2 - 2 E J_a|
    side_ = of(c_) < 0 ? -1 : 1;
    // w_b = +sn with w_a = cn, w_c = dn solves Euler's equations where a, b, c is a right-handed order of ascending moments, or a
    // left-handed one of descending; two signs may change together.
    const bool is_even = (a_ + 1) % 3 == b_;
    sense_ = side_ * ((is_even == (jc >= ja)) ? 1 : -1);
    complementary_ = cb * B2 > 0 ? std::clamp(ca * std::fabs(separatrix) / (cb * B2), least_complementary, 1.0) : 1;
    rate_ = std::sqrt(cb * B2 / (ja * jb * jc));
    of_a_ = ca > 0 ? std::sqrt(ja * A2 / ca) / size_ : std::fabs(ja * of(a_)) / size_;
    of_b_ = cb > 0 ? std::sqrt(jb * A2 / cb) / size_ : 0;
    of_c_ = ca > 0 ? std::sqrt(jc * B2 / ca) / size_ : std::fabs(jc * of(c_)) / size_;
    const double energy2 = ja * of(a_) * of(a_) + jb * of(b_) * of(b_) + jc * of(c_) * of(c_);
    fastest_ = std::min(size_ / least, std::sqrt(energy2 / least));
    is_steady_ = !(rate_ > 0 && A2 > 0);
    steady_ = is_steady_ ? (energy2 + size_ * std::fabs(of(c_))) / (size_ + jc * std::fabs(of(c_))) : size_ / jc;
    if (!is_steady_) {
        const double amplitude = std::sqrt(A2), s = sense_ * y / amplitude, c = x / amplitude;  // sn and cn of u_0
        half_period_ = 2 * numerics::carlson_rf(0, complementary_, 1);
        const double u = s * numerics::carlson_rf(c * c, complementary_ * s * s + c * c, 1);
        phase_ = c >= 0 ? u : std::copysign(half_period_, s) - u;
        swing_ = (jc > ja ? 1 : -1) * A2 / (jc * size_);
        nu_ = jc * ba / (ja * cb);
        const double to_size = (jc > ja ? 1 : -1) * ca / (ja * jc);  // A^2 / (J_c L_a^2), signed
        third_ = size_ * to_size / rate_;
        arc_ = size_ * of_c_ * to_size / (rate_ * std::sqrt(1 + nu_));
        whole_third_ = numerics::carlson_rf(0, complementary_, 1) - nu_ / 3 * numerics::carlson_rj(0, complementary_, 1, 1 + nu_);
    }
    const At now = at(phase_);
    angle_0_ = now.angle;
    from_start_ = q_WB * conjugate(smallest_rotation(now.l, axis_of(c_, side_)));
}

FreeTop::At FreeTop::at(double u) const {
    if (is_steady_) return {.l = (1 / size_) * rotate(conjugate(start_), momentum_), .angle = 0};
    const double turns = std::round(u / half_period_), rest = u - turns * half_period_;
    const numerics::JacobiFunctions f = numerics::jacobi_functions(rest, complementary_);
    const double sign = std::fmod(turns, 2) == 0 ? 1 : -1;
    At out;
    component(out.l, a_) = sign * of_a_ * f.cn;
    component(out.l, b_) = sign * sense_ * of_b_ * f.sn;
    component(out.l, c_) = side_ * of_c_ * f.dn;
    out.l = unit(out.l);
    const double s2 = f.sn * f.sn, c2 = f.cn * f.cn, d2 = f.dn * f.dn;
    const double third = f.sn * (numerics::carlson_rf(c2, d2, 1) - nu_ / 3 * s2 * numerics::carlson_rj(c2, d2, 1, 1 + nu_ * s2));
    const double arc = std::atan2(std::sqrt(1 + nu_) * f.sn, f.cn);
    out.angle = third_ * (third + 2 * turns * whole_third_) - arc_ * (arc + turns * pi);
    return out;
}

// Of (2) without the steady part, from the start on. The difference of two integrals has few digits where u hardly moves.
double FreeTop::angle_after(double t, double end) const {
    const double way = rate_ * t;
    if (is_steady_) return 0;
    if (std::fabs(way) > short_way) return end - angle_0_;
    const auto rate_at = [&](double part) {
        return 1 / (1 + of_c_ * numerics::jacobi_functions(phase_ + 0.5 * way * (1 + part), complementary_).dn);
    };
    double sum = 0;
    for (std::size_t k = 0; k < nodes.size(); ++k) sum += weights[k] * (rate_at(nodes[k]) + rate_at(-nodes[k]));
    return 0.5 * t * sum * swing_;
}

FreeTop::Turned FreeTop::after(double t) const {
    if (!(size_ > 0)) return {start_, spin_};
    const At now = at(phase_ + rate_ * t);
    const Vec3 n = axis_of(c_, side_);
    const double angle = steady_ * t + angle_after(t, now.angle);
    const Quat q = unit(from_start_ * rotation(angle * n) * smallest_rotation(now.l, n));
    const Vec3 l = rotate(conjugate(q), momentum_);
    return {q, rotate(q, {l.x / inertia_.x, l.y / inertia_.y, l.z / inertia_.z})};
}

FreeTop::Turned FreeTop::after(double t, const Vec3& rate) const {
    const Turned turned = after(t);
    if (rate == Vec3{}) return turned;
    const Quat back = rotation(-t * rate);
    return {unit(back * turned.q_WB), rotate(back, turned.w) - rate};
}

}  // namespace asperity::dynamics
