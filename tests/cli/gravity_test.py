#!/usr/bin/env python3
"""`asperity gravity` from outside. ASPERITY names the binary."""

import math
import os
import pathlib
import subprocess
import tempfile
import unittest

DONE, INPUT = 0, 2
G = 6.67430e-11
COLUMNS = "x [m],y [m],z [m],potential [m^2/s^2],ax [m/s^2],ay [m/s^2],az [m/s^2]"

# a cube of side 2
CUBE = """\
v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8
"""


class Gravity(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.write("cube.obj", CUBE)
        self.write("p.csv", "x,y,z\n0,0,0\n1000,0,0\n0,0,1\n")

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def gravity(self, *arguments, code=DONE):
        got = subprocess.run(
            [os.environ["ASPERITY"], "gravity", *map(str, arguments)],
            cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300,
            env={**os.environ, "ASPERITY_CACHE": str(self.folder / "cache")},
        )
        self.assertEqual(got.returncode, code, f"gravity {arguments}\n{got.stdout}\n{got.stderr}")
        return got

    def rows(self, text, columns):
        lines = text.splitlines()
        self.assertEqual(lines[0], columns)
        return [[float(word) for word in line.split(",")] for line in lines[1:]]

    def test_a_cube_at_places_with_known_gravity(self):
        got = self.gravity("cube.obj", "--density", 2000, "--points", "p.csv")
        middle, far, face = self.rows(got.stdout, COLUMNS)
        self.assertEqual(middle[:3], [0, 0, 0])
        # the potential at the middle of a cube of side s is 3 (ln(2 + 3^.5) - pi/6) 2 (s/2)^2
        known = 8 / 4 * 3 * (math.log(2 + math.sqrt(3)) - math.pi / 6) * 2
        self.assertAlmostEqual(-middle[3] / (G * 2000) / known, 1, 12)
        self.assertLess(max(map(abs, middle[4:])), 1e-20)
        mass = 8 * 2000
        self.assertAlmostEqual(far[3] / (-G * mass / 1000), 1, 9)
        self.assertAlmostEqual(far[4] / (-G * mass / 1000**2), 1, 9)
        self.assertLess(face[6], 0)

    def test_the_gradient_and_its_trace(self):
        got = self.gravity("cube.obj", "--density", 2000, "--points", "p.csv", "--gradient", "--unit", "km")
        rows = self.rows(got.stdout, COLUMNS + "".join(f",{name} [1/s^2]" for name in "gxx gyy gzz gxy gxz gyz laplacian".split()))
        for row in rows[:1] + rows[2:]:  # in km all of them but one, on the surface, are inside
            self.assertAlmostEqual(row[13] / (-4 * math.pi * G * 2000), 1, 9)
            self.assertAlmostEqual((row[7] + row[8] + row[9]) / row[13], 1, 9)

    def test_the_field_is_within_its_bound_and_kept(self):
        self.write("q.csv", "".join(f"{1.0 + 0.02 * i},{0.3 + 0.11 * i},{-0.5 + 0.07 * i}\n" for i in range(60)))
        exact = self.rows(self.gravity("cube.obj", "--density", 1000, "--points", "q.csv").stdout, COLUMNS)
        for how in ("built", "from the cache"):
            got = self.gravity("cube.obj", "--density", 1000, "--points", "q.csv", "--field", "--bound", "1e-2")
            self.assertRegex(got.stderr, rf"^field: off by at most 0\.0[01][0-9]* of local gravity, down to 0\.0248 m below the surface \({how}\)\n$")
            for a, b in zip(exact, self.rows(got.stdout, COLUMNS)):
                off = math.dist(a[4:], b[4:]) / math.hypot(*a[4:])
                self.assertLess(off, 1e-2, a)
        self.assertEqual(len(list((self.folder / "cache").iterdir())), 1)

    def test_errors_say_what_and_where(self):
        def error(*arguments):
            return self.gravity(*arguments, code=INPUT).stderr

        self.write("bad.csv", "x,y,z\n1,2,3\n4,five,6\n")
        text = error("cube.obj", "--density", 1, "--points", "bad.csv")
        self.assertIn("bad.csv:3:3", text)
        self.assertIn("`five` is not a finite number", text)
        self.assertIn("nowhere.csv", error("cube.obj", "--density", 1, "--points", "nowhere.csv"))
        self.assertIn("--density", error("cube.obj", "--points", "p.csv"))
        self.assertIn("--density", error("cube.obj", "--density", -5, "--points", "p.csv"))
        self.assertIn("--density", error("cube.obj", "--density", "heavy", "--points", "p.csv"))
        self.assertIn("needs a density, got a speed", error("cube.obj", "--density", "5 m/s", "--points", "p.csv"))
        in_units = self.gravity("cube.obj", "--density", "2 g/cm^3", "--points", "p.csv").stdout
        self.assertEqual(in_units, self.gravity("cube.obj", "--density", 2000, "--points", "p.csv").stdout)
        self.assertIn("--field", error("cube.obj", "--density", 1, "--points", "p.csv", "--bound", "1e-3"))
        self.assertIn("has no gradient", error("cube.obj", "--density", 1, "--points", "p.csv", "--field", "--gradient"))
        self.write("open.obj", "\n".join(CUBE.split("\n")[:-2]))
        self.assertIn("open.obj", error("open.obj", "--density", 1, "--points", "p.csv"))


if __name__ == "__main__":
    unittest.main()
