// The size-frequency distribution of the rocks on a surface: one power law, for rocks that are drawn anew at each contact
// (laws/contact/rocks.h) and for rocks that are placed once (geometry/rock_field.h).
//
//   N(>D) = N_ref (D / D_ref)^-q          rocks of a diameter above D, per area, for smallest <= D < largest                    (1)
//   n(a)  = q N(>2a) / a                  their density in the radius a = D / 2                                                (2)
//   M_k(a0) = int_{a0} n a^k da + N(>largest) a_l^k,   a_l = largest / 2                                                       (3)
// Rocks that the law puts above `largest` count as rocks of that size, so that (1) holds for every D below it, and smallest = largest
// describes rocks of a single size. Defaults: Itokawa, 373 boulders of 5 m and more on 0.393 km^2; measured from 5 m to 20 m, the rest is
// the law continued. Source: Michikami et al., Size-frequency statistics of boulders on global surface of asteroid 25143 Itokawa, EPS 60
// (2008).
#pragma once
#include <cmath>

#include "asperity/core/host_device.h"

namespace asperity {

struct RockPopulation {
    double number_per_area = 9.5e-4;  // N_ref, 1/m^2; 0: no rocks
    double reference_diameter = 5;    // D_ref, m
    double exponent = 3.1;            // q
    double smallest = 0.5;            // m, diameter
    double largest = 20;              // m, diameter
};

ASPERITY_HD inline double rocks_per_area(const RockPopulation& rocks, double diameter) {
    return rocks.number_per_area * std::exp(-rocks.exponent * std::log(diameter / rocks.reference_diameter));  // (1)
}

// The diameter that `number` rocks per area exceed: the inverse of (1), cut at `largest`.
ASPERITY_HD inline double rock_diameter(const RockPopulation& rocks, double number) {
    const double diameter = rocks.reference_diameter * std::exp(-std::log(number / rocks.number_per_area) / rocks.exponent);
    return diameter < rocks.largest ? diameter : rocks.largest;
}

// The k-th moment of the rocks with a radius of at least `least`: each is weighted by a^k.
class RockMoment {
public:
    ASPERITY_HD RockMoment(const RockPopulation& rocks, double least, int k) : most_(0.5 * rocks.largest) {
        least_ = least > 0.5 * rocks.smallest ? least : 0.5 * rocks.smallest;
        if (!(least_ <= most_) || !(rocks.number_per_area > 0)) return;
        power_ = k - rocks.exponent;
        octaves_ = std::log(most_ / least_);
        const double weight = k == 0 ? 1 : k == 1 ? least_ : least_ * least_;
        const double number = rocks_per_area(rocks, 2 * least_) * weight;
        growth_ = std::expm1(power_ * octaves_);
        law_ = number * rocks.exponent * (power_ != 0 ? growth_ / power_ : octaves_);
        total_ = law_ + number * (growth_ + 1);  // (3)
    }

    ASPERITY_HD double total() const { return total_; }  // M_k, 1/m^2 m^k

    // The radius below which a part u of the weight lies, 0 <= u < 1.
    ASPERITY_HD double radius(double u) const {
        if (u * total_ >= law_) return most_;
        const double part = u * total_ / law_;
        return least_ * std::exp(power_ != 0 ? std::log1p(part * growth_) / power_ : part * octaves_);
    }

private:
    double least_ = 0;
    double most_;
    double power_ = 0;
    double octaves_ = 0;  // ln(most / least)
    double growth_ = 0;   // (most / least)^power - 1
    double law_ = 0;      // the integral of (3)
    double total_ = 0;
};

// Fraction of the ground that the rocks' discs cover; above 1 they must overlap.
ASPERITY_HD inline double rock_coverage(const RockPopulation& rocks) { return 3.141592653589793238463 * RockMoment(rocks, 0, 2).total(); }

}  // namespace asperity
