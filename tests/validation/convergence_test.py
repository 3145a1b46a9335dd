#!/usr/bin/env python3
"""Soft contact comes to rigid contact, at the orders that docs/theory/soft-contact.md states: impacts and the places after them with the duration
of a contact, pi sqrt(m / k), so order 1/2 in the stiffness; a stop that friction below the slip speed delays at order 1 in that. ASPERITY names
the binary. Tolerance: next terms of the error are of order 1 in the stiffness, a part of sqrt(k_least / k_most) = 0.03; of the stop, what the stiffness
leaves is a third of its error at the least slip speed: 0.1 of an order."""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HALF = "0.47:0.53"


class Convergence(unittest.TestCase):
    def check(self, world, *arguments, folder="matrix"):
        done = subprocess.run([sys.executable, "-B", ROOT / "tools/convergence.py", ROOT / f"scenarios/{folder}/{world}.toml", "--asperity", os.environ["ASPERITY"], *arguments])
        self.assertEqual(done.returncode, 0)

    def test_a_plain(self):
        self.check("plain", "--stiffness", "1e3", "1e4", "1e5", "1e6", "--slip-speed", "1e-3", "1e-4", "1e-5",
                   "--require", f"impact_time:2={HALF}", f"impact_time:3={HALF}", "slip-speed/stop_time=0.9:1.1")

    def test_a_wall(self):
        self.check("wall", "--stiffness", "1e3", "1e4", "1e5", "1e6", "--slip-speed", "1e-5", "--set", "contact.shell/ground.rolling_resistance=0",
                   "--set", "end.time=100 s", "--metrics", "impact_time:12", "impact_time:13", "stop_position",
                   "--require", f"impact_time:12={HALF}", f"impact_time:13={HALF}", f"stop_position={HALF}")

    def test_a_gutter(self):
        self.check("gutter", "--stiffness", "1e3", "1e4", "1e5", "1e6", "--slip-speed", "1e-5", "--set", "contact.shell/ground.rolling_resistance=0",
                   "--set", "end.time=44 s", "--metrics", "impact_time:2", "impact_time:3", "stop_position",
                   "--require", f"impact_time:2={HALF}", f"impact_time:3={HALF}", f"stop_position={HALF}")

    # Rigid steps: order one in the step, docs/theory/rigid-steps.md and dvi.md. From 1 to 0.1 s; what a step does to a corner that it meets late
    # is a quarter of an order.
    def test_a_ball_on_itokawa(self):
        for method in "impulse", "dvi":
            self.check("itokawa-soft", "--stepped", method, "--step", "1", "0.3", "0.1", "--set", "phase.0.flight_tolerance=1e-12", "--set", "phase.0.tolerance=1e-13",
                       "--set", "end.time=20000 s", "--metrics", "stop_position", "stop_velocity", "--require", "step/stop_position=0.75:1.3", "step/stop_velocity=0.75:1.25", folder="landers")

    def test_two_spheres(self):
        self.check("two-spheres", "--reference", "constraint", "--contact", "rock/rock", "--stiffness", "1e4", "1e5", "1e6", "1e7",
                   "--set", "phase.0.tolerance=1e-12", "--metrics", "collision_time:2", "energy",
                   "--require", f"collision_time:2={HALF}", f"energy={HALF}")


if __name__ == "__main__":
    unittest.main()
