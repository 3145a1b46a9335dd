#include "asperity/dynamics/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asperity::dynamics {
namespace {

constexpr int most_interior_steps = 60;
constexpr int patience = 10;              // steps without less of a residual
constexpr double first_proximal = 1e-10;  // e of the first attempt
constexpr double more_proximal = 10;      // times as much in the next, and as far inside the cones
constexpr double part_of_way = 0.99;      // to the boundary
constexpr double short_step = 0.1;        // after steps shorter than this the next one goes to the middle
constexpr double least_centre = 1e-6;     // of m, that a step aims at
constexpr double resolved_part_of = 0.1;  // of the tolerance
constexpr std::size_t six = numerics::BlockLu::side;

using SixRows = std::array<std::array<double, six>, 6>;

// The largest a with x + a d in the cone |x_1, x_2| <= x_0, from inside.
double way_inside(const std::array<double, 3>& x, const std::array<double, 3>& d) {
    const double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    const double c = x[0] * x[0] - x[1] * x[1] - x[2] * x[2], square = b * b - a * c;
    double way = d[0] < 0 ? -x[0] / d[0] : std::numeric_limits<double>::infinity();
    if (!(square >= 0)) return way;
    const double q = -(b + std::copysign(std::sqrt(square), b));  // a s^2 + 2 b s + c = 0
    for (const double root : {q / a, c / q})
        if (root > 0) way = std::fmin(way, root);
    return way;
}

// x with m x = right, all columns at once; n unknowns, Gauss's elimination with exchange of rows.
template <std::size_t most, std::size_t columns>
void solve_dense(std::array<std::array<double, most>, most>& m, std::array<std::array<double, columns>, most>& right, std::size_t n,
                 std::size_t first) {
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
        std::swap(m[k], m[pivot]);
        std::swap(right[k], right[pivot]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = m[i][k] / m[k][k];
            if (factor == 0) continue;
            for (std::size_t j = k + 1; j < n; ++j) m[i][j] -= factor * m[k][j];
            for (std::size_t j = first; j < columns; ++j) right[i][j] -= factor * right[k][j];
        }
    }
    for (std::size_t k = n; k-- > 0;)
        for (std::size_t j = first; j < columns; ++j) {
            for (std::size_t i = k + 1; i < n; ++i) right[k][j] -= m[k][i] * right[i][j];
            right[k][j] /= m[k][k];
        }
}

Vec3 direction_of(const HeldContact& held, std::size_t i) { return i == 3 ? held.n : i == 4 ? held.y : held.z; }

// A row of J, of the body at its side a or b.
std::array<double, six> column_of(const contact::Row& row, bool is_a) {
    const Vec3 linear = is_a ? row.linear : -row.linear, angular = is_a ? row.angular_a : -row.angular_b;
    return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}
std::array<double, six> column_of(const HeldContact& held, std::size_t i, bool is_a) {
    if (i < 3) return column_of(i == 0 ? held.normal : i == 1 ? held.along_y : held.along_z, is_a);
    const Vec3 angular = is_a ? direction_of(held, i) : -direction_of(held, i);
    return {0, 0, 0, angular.x, angular.y, angular.z};
}

}  // namespace

bool InteriorPoint::plan(std::span<const HeldContact> contacts, const JointHold& joints, const model::Bodies& bodies, std::size_t most) {
    node_.assign(bodies.position.size(), -1);
    edges_.clear();
    nodes_ = 0;
    const auto node_of = [&](std::int32_t row, double inverse_mass) {
        if (!(inverse_mass > 0)) return -1;
        std::int32_t& number = node_[static_cast<std::size_t>(row)];
        if (number < 0) number = static_cast<std::int32_t>(nodes_++);
        return number;
    };
    const auto join = [&](std::int32_t a, std::int32_t b) {
        if (a >= 0 && b >= 0 && a != b) edges_.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    };
    for (const HeldContact& held : contacts) join(node_of(held.a.row, held.a.inverse_mass), node_of(held.b.row, held.b.inverse_mass));
    for (const JointRow& joint : joints.rows())
        join(node_of(joint.row.a, joint.row.inverse_mass_a), node_of(joint.row.b, joint.row.inverse_mass_b));
    motion_.resize(nodes_);
    return matrix_.plan(nodes_, edges_, most);
}

std::int32_t InteriorPoint::node(const contact::Side& side) const {
    return side.inverse_mass > 0 ? node_[static_cast<std::size_t>(side.row)] : -1;
}

// Parts without a bound are zero. Where there is none, p_n >= 0 is a cone of its own.
void InteriorPoint::set_cones(const HeldContact& held, Point& point) const {
    const double across = held.block.is_central ? held.block.yy : std::fmax(held.block.yy, held.block.zz);
    point.rows = held.resists_turning() ? 6 : 3;
    point.cones = 0;
    const auto add = [&](const Cone& cone) {
        if (cone.bound > 0) point.cone[point.cones++] = cone;
    };
    add({1, 2, held.friction, across});
    add({4, 2, held.rolling, held.turning});
    add({3, 1, held.spinning, held.turning});
    if (point.cones == 0) add({0, 0, 1, held.block.nn});
}

// All products of (2) alike, in the middle of the cones, from the velocities that contacts have without impulses.
void InteriorPoint::begin(std::span<HeldContact> contacts, double inside, model::Bodies& bodies) {
    for (const HeldContact& held : contacts) apply(held, -held.impulse, -held.torque, bodies);
    double speed = 0;
    for (const HeldContact& held : contacts) speed = std::fmax(speed, norm(relative_velocity(held, bodies)));
    for (const HeldContact& held : contacts) speed = std::fmax(speed, std::fabs(held.before.x));
    speed *= inside;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        HeldContact& held = contacts[k];
        Point& point = points_[k];
        if (!point.wanted.is_given) {
            held.impulse = {speed / (point.cone[0].bound * held.block.nn), 0, 0};
            held.torque = {};
            for (std::size_t i = 0; i < point.cones; ++i)
                point.dual0[i] = speed * speed / (held.block.nn * point.cone[i].bound * held.impulse.x);
            point.dual = {};
        }
        apply(held, held.impulse, held.torque, bodies);
    }
}

void InteriorPoint::look(std::span<const HeldContact> contacts, const Law& law, const model::Bodies& bodies) {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const HeldContact& held = contacts[k];
        Point& point = points_[k];
        point.wanted = law(k);
        const Vec3 u = relative_velocity(held, bodies);
        point.impulse = {held.impulse.x, held.impulse.y, held.impulse.z};
        point.velocity = {u.x, u.y, u.z};
        if (point.rows == 3) continue;
        const Vec3 w = relative_spin(held, bodies);
        for (std::size_t i = 3; i < 6; ++i) {
            point.impulse[i] = dot(held.torque, direction_of(held, i));
            point.velocity[i] = dot(w, direction_of(held, i));
        }
    }
}

// Of p_n = max(0, z_n), p_i = z_i cut off at c_i max(0, z_n), with z = p - D^-1 u, u_n less what (1) asks for.
double InteriorPoint::residual(std::span<const HeldContact> contacts) const {
    double worst = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Point& point = points_[k];
        if (point.wanted.is_given) continue;
        const HeldContact& held = contacts[k];
        const Values &p = point.impulse, &u = point.velocity;
        double asked = point.wanted.speed;
        for (std::size_t i = 0; i < point.cones; ++i) {
            const Cone& cone = point.cone[i];
            double square = 0;
            for (std::size_t r = cone.first; r < cone.first + cone.count; ++r) square += u[r] * u[r];
            asked += (1 - friction_part_) * cone.bound * std::sqrt(square);
        }
        const double own = held.block.nn, bound = std::fmax(0.0, p[0] - (u[0] - asked) / own);
        double off = own * own * (p[0] - bound) * (p[0] - bound), turned = 0;
        for (std::size_t i = 0; i < point.cones; ++i) {
            const Cone& cone = point.cone[i];
            Values z{};
            double square = 0;
            for (std::size_t r = cone.first; r < cone.first + cone.count; ++r) {
                z[r] = p[r] - u[r] / cone.diagonal;
                square += z[r] * z[r];
            }
            const double far = std::sqrt(square), most = cone.bound * bound, shorter = far > most ? most / far : 1;
            for (std::size_t r = cone.first; r < cone.first + cone.count; ++r) {
                const double change = cone.diagonal * (p[r] - shorter * z[r]);
                (r < 3 ? off : turned) += change * change;
            }
        }
        const double scale = held.scale();
        if (scale > 0) worst = std::fmax(worst, std::fmax(std::sqrt(off), held.arm() * std::sqrt(turned)) / scale);
    }
    return worst;
}

// m of (2) after a part of the step, the mean of all cones.
double InteriorPoint::complementarity(double way) const {
    double sum = 0;
    std::size_t count = 0;
    for (const Point& point : points_) {
        if (point.wanted.is_given) continue;
        for (std::size_t i = 0; i < point.cones; ++i) {
            const Cone& cone = point.cone[i];
            sum += cone.bound * (point.impulse[0] + way * point.impulse_way[0]) * (point.dual0[i] + way * point.dual0_way[i]);
            for (std::size_t r = cone.first; r < cone.first + cone.count; ++r)
                sum += (point.impulse[r] + way * point.impulse_way[r]) * (point.dual[r] + way * point.dual_way[r]);
            ++count;
        }
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

// Unknowns of a contact: dp, then ds_i; y_i is u_i after the step, with the proximal term.
void InteriorPoint::linearise(const HeldContact& held, Point& point, double centre, bool corrects, bool with_matrix) const {
    constexpr std::size_t most = most_rows + most_cones, last = most_rows;  // the right hand sides: of du, then what is left
    point.c = {};
    if (with_matrix) point.k = {};
    if (point.wanted.is_given) return;
    std::array<std::array<double, most>, most> m{};
    std::array<std::array<double, most_rows + 1>, most> right{};
    const Values &p = point.impulse, &u = point.velocity, &y = point.dual;
    const std::size_t n = point.rows;
    for (std::size_t r = 1; r < n; ++r) {  // parts without a bound
        m[r][r] = 1;
        right[r][last] = -p[r];
    }
    m[0][0] = proximal_ * held.block.nn;
    right[0][0] = -1;
    right[0][last] = point.wanted.speed - u[0];
    for (std::size_t i = 0; i < point.cones; ++i) {
        const Cone& cone = point.cone[i];
        const std::size_t begin = cone.first, end = cone.first + cone.count, s = n + i;
        const double c = cone.bound, give = proximal_ * cone.diagonal, z0 = c * p[0], s0 = point.dual0[i];
        double size = 0;
        for (std::size_t r = begin; r < end; ++r) size += y[r] * y[r];
        size = std::sqrt(size);
        m[0][s] = -c;
        right[0][last] += c * s0;
        m[s][0] = c * s0;
        m[s][s] = z0;
        right[s][last] = centre - z0 * s0;
        if (corrects) right[s][last] -= c * point.impulse_way[0] * point.dual0_way[i];
        for (std::size_t r = begin; r < end; ++r) {
            const double along = size > 0 ? friction_part_ * c * y[r] / size : 0;  // k c_i d_i
            m[0][r] += along * give;
            right[0][r] -= along;
            right[0][last] -= along * u[r];
            m[s][r] = y[r] + p[r] * give;
            right[s][r] = -p[r];
            right[s][last] -= p[r] * u[r];
            m[r][r] = s0 + z0 * give;
            m[r][0] = c * y[r];
            m[r][s] = p[r];
            right[r][r] = -z0;
            right[r][last] = -z0 * u[r] - s0 * p[r];
            if (corrects) {
                right[s][last] -= point.impulse_way[r] * point.dual_way[r];
                right[r][last] -= c * point.impulse_way[0] * point.dual_way[r] + point.dual0_way[i] * point.impulse_way[r];
            }
        }
    }
    solve_dense(m, right, n + point.cones, with_matrix ? 0 : last);
    for (std::size_t r = 0; r < n; ++r) {
        point.c[r] = right[r][last];
        if (with_matrix)
            for (std::size_t l = 0; l < n; ++l) point.k[six * r + l] = -right[r][l];
    }
}

// What goes with dp and du; s_i from (2), in the row that is larger than the others inside the cone.
void InteriorPoint::find_duals(Point& point) const {
    if (point.wanted.is_given) return;
    const Values& p = point.impulse;
    for (std::size_t i = 0; i < point.cones; ++i) {
        const Cone& cone = point.cone[i];
        for (std::size_t r = cone.first; r < cone.first + cone.count; ++r)
            point.dual_way[r] =
                point.velocity[r] - point.dual[r] + point.velocity_way[r] + proximal_ * cone.diagonal * point.impulse_way[r];
        double sum = point.right[i] - cone.bound * point.dual0[i] * point.impulse_way[0];
        for (std::size_t r = cone.first; r < cone.first + cone.count; ++r)
            sum -= point.dual[r] * point.impulse_way[r] + p[r] * point.dual_way[r];
        point.dual0_way[i] = sum / (cone.bound * p[0]);
    }
}

void InteriorPoint::linearise_all(std::span<const HeldContact> contacts, double centre, bool corrects, bool with_matrix) {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        Point& point = points_[k];
        for (std::size_t i = 0; i < point.cones; ++i) {
            const Cone& cone = point.cone[i];
            point.right[i] = centre - cone.bound * point.impulse[0] * point.dual0[i];
            if (corrects) point.right[i] -= cone.bound * point.impulse_way[0] * point.dual0_way[i];
            for (std::size_t r = cone.first; r < cone.first + cone.count; ++r) {
                point.right[i] -= point.impulse[r] * point.dual[r];
                if (corrects) point.right[i] -= point.impulse_way[r] * point.dual_way[r];
            }
        }
        linearise(contacts[k], point, centre, corrects, with_matrix);
    }
}

void InteriorPoint::add_matrix(const HeldContact& held, const Point& point) {
    std::array<SixRows, 2> j{}, kj{};
    const std::array<std::int32_t, 2> nodes{node(held.a), node(held.b)};
    for (std::size_t s = 0; s < 2; ++s) {
        if (nodes[s] < 0) continue;
        for (std::size_t i = 0; i < point.rows; ++i) j[s][i] = column_of(held, i, s == 0);
        for (std::size_t i = 0; i < point.rows; ++i)
            for (std::size_t l = 0; l < point.rows; ++l)
                for (std::size_t m = 0; m < six; ++m) kj[s][i][m] += point.k[six * i + l] * j[s][l][m];
    }
    for (std::size_t s = 0; s < 2; ++s)
        for (std::size_t t = 0; t < 2 && nodes[s] >= 0; ++t) {
            if (nodes[t] < 0) continue;
            Matrix& block = matrix_.at(static_cast<std::size_t>(nodes[s]), static_cast<std::size_t>(nodes[t]));
            for (std::size_t i = 0; i < point.rows; ++i)
                for (std::size_t m = 0; m < six; ++m)
                    for (std::size_t l = 0; l < six; ++l) block[six * m + l] += j[s][i][m] * kj[t][i][l];
        }
}

void InteriorPoint::add_masses(const SmoothWorld& smooth, const model::Bodies& bodies) {
    for (std::size_t row = 0; row < node_.size(); ++row) {
        if (node_[row] < 0) continue;
        Matrix& block = matrix_.at(static_cast<std::size_t>(node_[row]), static_cast<std::size_t>(node_[row]));
        for (std::size_t i = 0; i < 3; ++i) block[six * i + i] += smooth.mass_of(row);
        const Quat& q_WB = bodies.orientation[row];
        const Vec3 axes[] = {rotate(q_WB, {1, 0, 0}), rotate(q_WB, {0, 1, 0}), rotate(q_WB, {0, 0, 1})};
        const Vec3& inertia = smooth.kind(row).inertia;
        const double moments[] = {inertia.x, inertia.y, inertia.z};
        for (std::size_t a = 0; a < 3; ++a) {
            const double x[] = {axes[a].x, axes[a].y, axes[a].z};
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t l = 0; l < 3; ++l) block[six * (3 + i) + 3 + l] += moments[a] * x[i] * x[l];
        }
    }
}

void InteriorPoint::add_joints(const JointHold& joints) {
    for (const JointRow& joint : joints.rows()) {
        const contact::Row& row = joint.row;
        const double give = joint.compliance + proximal_ * contact::coupling(row, row);
        const std::int32_t nodes[] = {row.inverse_mass_a > 0 ? node_[static_cast<std::size_t>(row.a)] : -1,
                                      row.inverse_mass_b > 0 ? node_[static_cast<std::size_t>(row.b)] : -1};
        const std::array<double, six> j[] = {column_of(row, true), column_of(row, false)};
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t t = 0; t < 2 && nodes[s] >= 0; ++t) {
                if (nodes[t] < 0) continue;
                Matrix& block = matrix_.at(static_cast<std::size_t>(nodes[s]), static_cast<std::size_t>(nodes[t]));
                for (std::size_t m = 0; m < six; ++m)
                    for (std::size_t l = 0; l < six; ++l) block[six * m + l] += j[s][m] * j[t][l] / give;
            }
    }
}

bool InteriorPoint::factor(const StepTask& task, std::span<const HeldContact> contacts, const model::Bodies& bodies) {
    matrix_.set_zero();
    add_masses(task.smooth, bodies);
    add_joints(task.joints);
    for (std::size_t k = 0; k < contacts.size(); ++k)
        if (!points_[k].wanted.is_given) add_matrix(contacts[k], points_[k]);
    return matrix_.factor();
}

// (3)
bool InteriorPoint::find_way(std::span<const HeldContact> contacts) {
    std::ranges::fill(motion_, numerics::BlockLu::Column{});
    for (std::size_t k = 0; k < contacts.size(); ++k)
        for (const bool is_a : {true, false}) {
            const std::int32_t of = node(is_a ? contacts[k].a : contacts[k].b);
            for (std::size_t i = 0; i < points_[k].rows && of >= 0; ++i) {
                const std::array<double, six> j = column_of(contacts[k], i, is_a);
                for (std::size_t m = 0; m < six; ++m) motion_[static_cast<std::size_t>(of)][m] += j[m] * points_[k].c[i];
            }
        }
    matrix_.solve(motion_);
    bool is_finite = true;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        Point& point = points_[k];
        point.velocity_way = {};
        for (const bool is_a : {true, false}) {
            const std::int32_t of = node(is_a ? contacts[k].a : contacts[k].b);
            for (std::size_t i = 0; i < point.rows && of >= 0; ++i) {
                const std::array<double, six> j = column_of(contacts[k], i, is_a);
                for (std::size_t m = 0; m < six; ++m) point.velocity_way[i] += j[m] * motion_[static_cast<std::size_t>(of)][m];
            }
        }
        for (std::size_t i = 0; i < point.rows; ++i) {
            point.impulse_way[i] = point.c[i];
            for (std::size_t l = 0; l < point.rows; ++l) point.impulse_way[i] -= point.k[six * i + l] * point.velocity_way[l];
            is_finite = is_finite && std::isfinite(point.impulse_way[i]);
        }
        find_duals(point);
    }
    return is_finite;
}

double InteriorPoint::way_to_boundary() const {
    double way = std::numeric_limits<double>::infinity();
    for (const Point& point : points_) {
        if (point.wanted.is_given) continue;
        for (std::size_t i = 0; i < point.cones; ++i) {
            const Cone& cone = point.cone[i];
            std::array<double, 3> z{cone.bound * point.impulse[0]}, dz{cone.bound * point.impulse_way[0]}, s{point.dual0[i]},
                ds{point.dual0_way[i]};
            for (std::size_t r = 0; r < cone.count; ++r) {
                z[r + 1] = point.impulse[cone.first + r];
                dz[r + 1] = point.impulse_way[cone.first + r];
                s[r + 1] = point.dual[cone.first + r];
                ds[r + 1] = point.dual_way[cone.first + r];
            }
            way = std::fmin(way, std::fmin(way_inside(z, dz), way_inside(s, ds)));
        }
    }
    return way;
}

void InteriorPoint::go(double part, const StepTask& task, std::span<HeldContact> contacts, model::Bodies& bodies) {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        HeldContact& held = contacts[k];
        Point& point = points_[k];
        if (point.wanted.is_given) continue;
        const Values& way = point.impulse_way;
        const Vec3 impulse = part * Vec3{way[0], way[1], way[2]};
        const Vec3 torque = point.rows == 6 ? part * (way[3] * held.n + way[4] * held.y + way[5] * held.z) : Vec3{};
        apply(held, impulse, torque, bodies);
        held.impulse += impulse;
        held.torque += torque;
        for (std::size_t i = 0; i < point.cones; ++i) point.dual0[i] += part * point.dual0_way[i];
        for (std::size_t r = 1; r < point.rows; ++r) point.dual[r] += part * point.dual_way[r];
    }
    if (!task.joints.is_empty()) task.joints.solve(bodies);
}

void InteriorPoint::keep(std::span<const HeldContact> contacts) {
    best_.clear();
    for (const HeldContact& held : contacts) {
        best_.push_back(held.impulse);
        best_.push_back(held.torque);
    }
}

void InteriorPoint::restore(const StepTask& task, std::span<HeldContact> contacts, model::Bodies& bodies) const {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        HeldContact& held = contacts[k];
        apply(held, best_[2 * k] - held.impulse, best_[2 * k + 1] - held.torque, bodies);
        held.impulse = best_[2 * k];
        held.torque = best_[2 * k + 1];
    }
    if (!task.joints.is_empty()) task.joints.solve(bodies);
}

Solved InteriorPoint::solve(const StepTask& task, std::span<HeldContact> contacts, const Law& law, bool is_convex, int attempt,
                            model::Bodies& bodies) {
    friction_part_ = is_convex ? 0 : 1;
    const double farther = std::pow(more_proximal, attempt);
    proximal_ = first_proximal * farther;
    points_.resize(contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) set_cones(contacts[k], points_[k]);
    look(contacts, law, bodies);
    keep(contacts);
    const double goal = resolved_part_of * task.phase.tolerance;
    double least = residual(contacts), least_since = std::numeric_limits<double>::infinity(), last_way = 1;
    begin(contacts, farther, bodies);
    if (!task.joints.is_empty()) task.joints.solve(bodies);
    int step = 0;
    for (int since = 0; step < most_interior_steps && since < patience; ++step, ++since) {
        look(contacts, law, bodies);
        const double now = residual(contacts);
        if (now < 0.9 * least_since) {
            since = 0;
            least_since = now;
        }
        if (now < least) {
            least = now;
            keep(contacts);
            if (least <= goal) break;
        }
        const double centre = complementarity(0);
        linearise_all(contacts, 0, false, true);
        if (!(centre > 0) || !factor(task, contacts, bodies) || !find_way(contacts)) break;
        const double after = std::fmax(0.0, complementarity(std::fmin(1.0, way_to_boundary()))) / centre;
        double aim = std::fmin(1.0, std::fmax(after * after * after, least_centre));
        if (last_way < short_step) aim = std::fmax(aim, 0.5);
        linearise_all(contacts, aim * centre, true, false);
        if (!find_way(contacts)) break;
        last_way = std::fmin(1.0, part_of_way * way_to_boundary());
        go(last_way, task, contacts, bodies);
    }
    restore(task, contacts, bodies);
    return {.residual = least, .has_converged = least <= task.phase.tolerance, .iterations = step};
}

}  // namespace asperity::dynamics
