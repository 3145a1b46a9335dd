#include "asperity/contact/contact_system.h"

#include <algorithm>

namespace asperity::contact {

Row row_of(const Side& a, const Side& b, const Vec3& linear, const Vec3& angular) {
    Row row{.a = a.row, .b = b.row, .linear = linear, .inverse_mass_a = a.inverse_mass, .inverse_mass_b = b.inverse_mass};
    if (a.arm == Vec3{} && b.arm == Vec3{} && angular == Vec3{}) return row;
    if (a.row != model::ground) row.angular_a = cross(a.arm, linear) + angular;
    if (b.row != model::ground) row.angular_b = cross(b.arm, linear) + angular;
    row.turns = row.angular_a != Vec3{} || row.angular_b != Vec3{};
    if (!row.turns) return row;
    row.turned_a = a.turned(row.angular_a);
    row.turned_b = b.turned(row.angular_b);
    return row;
}

void assemble(std::span<const Row> of, std::span<const Row> by, numerics::DenseMatrix& out) {
    for (std::size_t k = 0; k < of.size(); ++k)
        for (std::size_t l = 0; l < by.size(); ++l) out.at(k, l) = coupling(of[k], by[l]);
}

numerics::DenseMatrix ContactSystem::dense() const {
    numerics::DenseMatrix out;
    for (std::size_t k = 0; k < rows_.size(); ++k)
        for (std::size_t l = 0; l <= k; ++l) out.at(k, l) = out.at(l, k) = coupling(rows_[k], rows_[l]);
    return out;
}

void ContactSystem::multiply(std::span<const double> x, std::span<double> out) {
    std::int32_t most = -1;
    for (const Row& row : rows_) most = std::max({most, row.a, row.b});
    motion_.linear.assign(static_cast<std::size_t>(most + 1), {});
    motion_.angular.assign(static_cast<std::size_t>(most + 1), {});
    apply(x, motion_);
    for (std::size_t k = 0; k < rows_.size(); ++k) out[k] = relative_velocity(k, motion_);
}

}  // namespace asperity::contact
