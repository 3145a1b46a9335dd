#!/usr/bin/env python3
"""Computes the closed forms of these tables afresh and compares them with the files.

    closed_forms.py [FOLDER]        exit 1 where a file has another number

Units d = m = G = 1 (docs/theory/ternary.md): H2 is H-bar^2, energies in G m^2 / d, rates in (G m / d^3)^(1/2). Three equal spheres of
4 km and 2 g/cm^3, G of the thesis, spring 1e13 N/m, k2 = 1e-5, Q = 100.
"""

import math
import pathlib
import sys
import tomllib

G, DIAMETER, DENSITY, SPRING, LOVE, QUALITY = 6.67384e-11, 4e3, 2e3, 1e13, 1e-5, 100
MASS = DENSITY * math.pi / 6 * DIAMETER**3
RATE, ENERGY, FORCE = math.sqrt(G * MASS / DIAMETER**3), G * MASS**2 / DIAMETER, G * MASS**2 / DIAMETER**2
LAGRANGE, EULER = 1.3, 2.3  # moments of inertia: three spheres around each other, three in a line
DIGITS = 1e-9  # relative: what a file must have


def aligned_inertia(size):
    return 0.8 + 2 * size * size / 3


def aligned_rate2(size):
    """Of Aligned Mixed with the third body at `size` from the middle of the pair."""
    return 3 / (2 * size) * (1 / (size - 0.5) ** 2 + 1 / (size + 0.5) ** 2)


def aligned_momentum2(size):
    return aligned_inertia(size) ** 2 * aligned_rate2(size)


def aligned_energy(size):
    return aligned_momentum2(size) / (2 * aligned_inertia(size)) - 1 - 1 / (size - 0.5) - 1 / (size + 0.5)


def root(function, low, high):
    """By halving: function rises from low to high."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if function(middle) > 0 else (middle, high)
    return low


def least(function, low, high):
    """Where the function is least: by the sign of its slope."""
    step = 1e-6
    return root(lambda x: function(x + step) - function(x - step), low, high)


ALIGNED_SIZE = least(aligned_momentum2, 1.6, 4)  # where Aligned Mixed begins
EQUAL_SIZE = root(lambda s: (aligned_momentum2(s) / (2 * EULER) - 2.5) - aligned_energy(s), ALIGNED_SIZE, 5)
TRANSVERSE_SIZE = math.sqrt(2.6)


def moved(inertia, momentum2, speed):
    """H2 after a body was moved by 1e-3 d along x and kept its velocity, `speed` times the rate along y."""
    rate = math.sqrt(momentum2) / inertia
    return (inertia * rate + 1e-3 * speed * rate) ** 2


LR_ER = moved(LAGRANGE, 5.2, 0.5)
ER_LR = moved(EULER, 1.8, 1)
ER_AM = moved(EULER, 6.7, 1)
ER_AM_SIZE = root(lambda s: aligned_momentum2(s) - ER_AM, ALIGNED_SIZE, 20)
AM_ER = 0.99**2 * aligned_momentum2(2.33696)


def torque(distance):
    """(7) of ternary.md for two of the spheres."""
    return 1.5 * LOVE * G * MASS**2 * (DIAMETER / 2) ** 5 / (distance * DIAMETER) ** 6 / math.sqrt(1 + QUALITY**2)


def spin_acceleration(*distances):
    return sum(torque(r) for r in distances) / (0.4 * MASS * (DIAMETER / 2) ** 2)


def verlet_error():
    """Largest change of the energy of Earth and Moon as one body around the Sun, over the energy: velocity Verlet with steps of h keeps
    H + h^2 (v U'' v / 12 - U'^2 / (24 m)); from perihelion to aphelion."""
    parameter, axis, e, h = 6.6743e-11 * (1.98841e30 + 5.97217e24 + 7.34579e22), 149598023.1e3, 0.0167086, 80.0
    shadow = lambda r, v2: v2 * parameter / r**3 / 12 - (parameter / r**2) ** 2 / 24  # at an apse v is across r: v U'' v = v^2 mu / r^3
    near, far = axis * (1 - e), axis * (1 + e)
    speed2 = lambda r: parameter * (2 / r - 1 / axis)
    return h * h * abs(shadow(far, speed2(far)) - shadow(near, speed2(near))) / (parameter / (2 * axis))


CLOSED = {
    "lr-static": {"metric.orbit_rate": RATE / LAGRANGE, "metric.end_penetration": FORCE * (1 - 1 / LAGRANGE**2 / 3) / SPRING},
    "er-static": {"metric.orbit_rate": RATE * math.sqrt(3.5) / EULER, "metric.end_penetration": FORCE * (1.25 - 3.5 / EULER**2) / SPRING,
                  "form_angle[2]": 180},
    "am-static": {"metric.orbit_rate": RATE * math.sqrt(aligned_rate2(3.6)),
                  "metric.end_penetration": FORCE * (1 + 1 / 4.1**2 - (1.2 + 0.5) * aligned_rate2(3.6)) / SPRING},
    "lr-to-er": {"required_rate": RATE * math.sqrt(LR_ER) / EULER, "metric.ground_energy": ENERGY * (LR_ER / (2 * EULER) - 2.5),
                 "spin_acceleration[outer]": -spin_acceleration(1, 2), "spin_acceleration[middle]": -spin_acceleration(1, 1)},
    "er-to-lr": {"required_rate": RATE * math.sqrt(ER_LR) / LAGRANGE, "metric.ground_energy": ENERGY * (ER_LR / (2 * LAGRANGE) - 3),
                 "spin_acceleration[any]": spin_acceleration(1, 1)},
    "er-to-am": {"required_rate": RATE * math.sqrt(aligned_rate2(ER_AM_SIZE)), "metric.ground_energy": ENERGY * aligned_energy(ER_AM_SIZE)},
    "am-to-er": {"required_rate": RATE * math.sqrt(AM_ER) / EULER, "metric.ground_energy": ENERGY * (AM_ER / (2 * EULER) - 2.5),
                 "spin_acceleration[outer]": spin_acceleration(1, 2), "spin_acceleration[middle]": spin_acceleration(1, 1)},
    "sun-earth-moon": {"metric.energy_error": verlet_error()},
    "thresholds": {"threshold.euler_resting_stable": 3 * EULER**2 / 8, "threshold.lagrange_equals_euler": 0.5 / (1 / 2.6 - 1 / 4.6),
                   "threshold.lagrange_resting_ends": 3 * LAGRANGE**2, "threshold.aligned_mixed": aligned_momentum2(ALIGNED_SIZE),
                   "threshold.aligned_mixed_size": ALIGNED_SIZE, "threshold.euler_equals_aligned": aligned_momentum2(EQUAL_SIZE),
                   "threshold.euler_resting_ends": 1.25 * EULER**2, "threshold.transverse_mixed_size": TRANSVERSE_SIZE,
                   "threshold.transverse_mixed": 3 * aligned_inertia(TRANSVERSE_SIZE) ** 2 / (TRANSVERSE_SIZE**2 + 0.25) ** 1.5},
}


def known(table, quantity):
    """The closed forms that a quantity can have; an acceleration that of an outer or of the middle body."""
    forms = CLOSED.get(table, {})
    return [forms[quantity]] if quantity in forms else [v for k, v in forms.items() if k.split("[")[0] == quantity.split("[")[0]]


def check(path):
    table, findings, rows = tomllib.loads(path.read_text(encoding="utf-8")), [], 0
    for group in table["group"]:
        for row in group["row"]:
            stored = row.get("closed_form")
            if stored is None or float(stored) == 0:  # zero: what is conserved
                continue
            rows += 1
            values = known(path.stem, row["quantity"])
            if not any(abs(float(stored) - value) <= DIGITS * abs(value) for value in values):
                findings.append(f"{path.name}: {group['name']}: {row['quantity']}: the file has {stored}, the closed form is {values}")
    return findings, rows


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
    import check_tables

    sys.exit(check_tables.main(check, pathlib.Path(__file__).parent))
