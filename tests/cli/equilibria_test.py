#!/usr/bin/env python3
"""`asperity equilibria` from outside. ASPERITY names the binary."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

DONE, INPUT = 0, 2

# an octahedron of half axes 250, 140 and 120 m
BODY = """\
v 250 0 0\nv -250 0 0\nv 0 140 0\nv 0 -140 0\nv 0 0 120\nv 0 0 -120
f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6
"""
SCENARIO = """\
frame = "asteroid"

[body.asteroid]
shape = { mesh = "body.obj", unit = "m" }
density = "2 g/cm^3"
spin_period = "12.1324 h"
attracts = { field = "exact" }
material = "ground"

[body.lander]
shape = { sphere = "5 cm" }
mass = "1 kg"
material = "shell"

[body.lander.start]
at = "equilibrium saddle-lowest"
position = ["0 m", "0 m", "0 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]

[contact."shell/ground"]
restitution = 0.5
friction = 0.6
rolling_resistance = 0.04

[end]
time = "1 h"
"""
COMPANION = """\

[body.companion]
shape = { mesh = "body.obj", unit = "m" }
mass = "1e9 kg"
attracts = {}
orbit = { about = "asteroid", separation = "3 km" }
"""


class Equilibria(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "body.obj").write_text(BODY, encoding="utf-8")
        (self.folder / "a.toml").write_text(SCENARIO, encoding="utf-8")

    def asperity(self, *arguments, code=DONE):
        got = subprocess.run(
            [os.environ["ASPERITY"], *map(str, arguments)],
            cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
        )
        self.assertEqual(got.returncode, code, f"{arguments}\n{got.stdout}\n{got.stderr}")
        return got.stdout if code == DONE else got.stderr

    def page(self, folder):
        """What the page holds, without the script that all pages share."""
        text = (self.folder / folder / "equilibria.html").read_text(encoding="utf-8")
        return text[:text.index('<script type="application/json" id="data">')]

    def test_one_body_has_saddles_and_maxima_and_a_map(self):
        text = self.asperity("equilibria", "a.toml")
        for word in ("saddle-1", "saddle-2", "maximum-1", "maximum-2", "manifold"):
            self.assertIn(word, text)
        got = json.loads((self.folder / "out/a-equilibria/equilibria.json").read_text())
        self.assertEqual([e["kind"] for e in got["equilibria"]], ["saddle", "saddle", "maximum", "maximum"])
        for e in got["equilibria"]:
            self.assertEqual(len(e["eigenvalues"]), 6)
            self.assertLess(e["residual"], 1e-10)
            self.assertAlmostEqual(e["position"][1 if e["kind"] == "saddle" else 0], 0, delta=1e-6)
        page = self.page("out/a-equilibria")
        for part in ('"name":"ridge line"', '"name":"bodies"', '"levels":[', '"texts":["saddle-1",'):
            self.assertIn(part, page)
        self.assertNotIn("://", page)

    def test_a_ball_at_rest_at_an_equilibrium_is_where_the_table_says(self):
        self.asperity("equilibria", "a.toml", "--out", "e")
        wanted = json.loads((self.folder / "e/equilibria.json").read_text())["equilibria"][0]["position"]
        self.assertIn("({:.9g}, {:.9g}, {:.9g}) m".format(*wanted), self.asperity("check", "a.toml"))

    def test_a_binary_has_five_told_from_each_body(self):
        binary = SCENARIO.replace('"equilibrium saddle-lowest"', '"L2"').replace('spin_period = "12.1324 h"\n', "")
        (self.folder / "b.toml").write_text(binary + COMPANION, encoding="utf-8")
        text = self.asperity("equilibria", "b.toml", "--out", "b")
        self.assertIn("x from the companion [m]", text)
        got = json.loads((self.folder / "b/equilibria.json").read_text())["equilibria"]
        self.assertEqual([e["name"] for e in got], ["L1", "L2", "L3", "L4", "L5"])
        for e in got:
            self.assertAlmostEqual(e["from_target"][0] - e["from_companion"][0], 3000, delta=1e-6)
        self.assertNotIn("ridge line", self.page("b"))

    def test_what_has_none_is_told(self):
        self.assertIn("no equilibrium \"equilibrium sadle-1\"", self.asperity("check", "a.toml", "--set", "body.lander.start.at=equilibrium sadle-1", code=INPUT))
        text = SCENARIO.replace('spin_period = "12.1324 h"\n', "")
        (self.folder / "still.toml").write_text(text, encoding="utf-8")
        self.assertIn("does not rotate", self.asperity("equilibria", "still.toml", code=INPUT))
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main()
