#!/usr/bin/env python3
"""`asperity shape` from outside, on meshes of each kind. ASPERITY names the binary."""

import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest

DONE, INPUT = 0, 2

# a box of 3 x 2 x 1 around (10, 0, 0)
BOX = """\
v 8.5 -1 -0.5\nv 11.5 -1 -0.5\nv 11.5 1 -0.5\nv 8.5 1 -0.5\nv 8.5 -1 0.5\nv 11.5 -1 0.5\nv 11.5 1 0.5\nv 8.5 1 0.5
f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8
"""
TETRAHEDRON = "v 0 0 0\nv 90 0 0\nv 0 90 0\nv 0 0 90\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


class Shape(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.write("box.obj", BOX)

    def shape(self, *arguments, code=DONE):
        got = subprocess.run(
            [os.environ["ASPERITY"], "shape", *map(str, arguments)],
            cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
        )
        self.assertEqual(got.returncode, code, f"shape {arguments}\n{got.stdout}\n{got.stderr}")
        return got.stdout if code == DONE else got.stderr

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def test_info_of_a_box_is_what_one_can_work_out_by_hand(self):
        text = self.shape("info", "box.obj")
        for line in (
            "vertices  8",
            "edges     18",
            "facets    12",
            "Euler     2 (vertices - edges + facets)",
            "size      3 x 2 x 1 m",
            "box       (8.5, -1, -0.5) to (11.5, 1, 0.5) m",
            "lengths   1 to 3.60555 m, mean 2.33377 m, of edges",  # 12 sides: 24; diagonals: 2 (13^.5 + 10^.5 + 5^.5)
            "area      22 m^2",
            "surface   closed",
            "faces     outwards",
            "volume    6 m^3",
            "radius    1.12725 m, of a ball of that volume",  # (18 / 4 pi)^(1/3)
            "centre    (10, 0, 0) m",
            "axis 1    (1, 0, 0) with moment 2.5 m^5 (times density: kg m^2)",
            "axis 2    (0, 1, 0) with moment 5 m^5 (times density: kg m^2)",
            "axis 3    (0, 0, 1) with moment 6.5 m^5 (times density: kg m^2)",
            "solid     sound: one shell, nowhere touching itself",
            "unit      the shape is 3.74 m across: are these kilometres?",
        ):
            self.assertIn(f"  {line}\n", text)
        text = self.shape("info", "box.obj", "--unit", "km", "--center", "--scale", "2")
        self.assertIn("  size      6000 x 4000 x 2000 m\n", text)
        self.assertIn("  volume    4.8e+10 m^3\n", text)
        self.assertRegex(text, r"centre    \(-?[0-9.e-]+, -?[0-9.e-]+, -?[0-9.e-]+\) m\n")
        self.assertNotIn("are these", text)

    def test_every_format_is_written_and_read_back(self):
        for name in ("a.ply", "b.stl", "c.obj"):
            last = {"a.ply": "box.obj", "b.stl": "a.ply", "c.obj": "b.stl"}[name]
            self.assertEqual(self.shape("convert", last, name), f"wrote {name} (in metres, 12 facets)\n")
            self.assertEqual(self.shape("info", name).split("\n")[1:], self.shape("info", "box.obj").split("\n")[1:])
        self.assertTrue((self.folder / "a.ply").read_bytes().startswith(b"ply\nformat binary_little_endian 1.0\n"))
        self.assertTrue((self.folder / "b.stl").read_bytes().startswith(b"solid "))

    def test_principal_axes_come_to_lie_along_x_y_and_z(self):
        turned = re.sub(r"v (\S+) (\S+) (\S+)", r"v \3 \1 \2", BOX)  # x is where z was
        self.write("turned.obj", turned)
        self.shape("convert", "turned.obj", "straight.obj", "--principal-axes")
        text = self.shape("info", "straight.obj")
        self.assertIn("  size      3 x 2 x 1 m\n", text)
        self.assertIn("  volume    6 m^3\n", text)

    def test_resampling_keeps_the_volume_or_says_what_density_would(self):
        for arguments, facets in ((["--icosphere", "3"], "1280"), (["--icosphere", "0"], "20"), (["--decimate", "12"], "12")):
            self.shape("resample", "box.obj", "less.ply", *arguments)
            text = self.shape("info", "less.ply")
            self.assertIn(f"  facets    {facets}\n", text)
            self.assertIn("  volume    6 m^3\n", text)
        text = self.shape("resample", "box.obj", "less.ply", "--icosphere", "1", "--keep-size")
        part, density = map(float, re.search(r"was (\S+) of the original's: the same mass needs (\S+) times the density", text).groups())
        self.assertAlmostEqual(part * density, 1, delta=1e-5)
        self.assertLess(part, 1)

    def test_what_cannot_be_resampled_is_told_before_anything_is_written(self):
        self.assertEqual(
            self.shape("resample", "box.obj", "x.obj", code=INPUT),
            "error: how many facets?\n  give --icosphere LEVEL (20 * 4^LEVEL facets) or --decimate FACETS\n\n1 error. Nothing was run.\n",
        )
        self.write("open.obj", TETRAHEDRON.rsplit("f", 1)[0])
        got = self.shape("resample", "open.obj", "x.obj", "--icosphere", "1", code=INPUT)
        self.assertIn("open.obj", got)
        self.assertIn("the surface is open: edges with one facet: vertices 2-3 (line 5), vertices 2-4 (line 6), vertices 3-4 (line 7)", got)
        for name in ("x.tab", "x.xyz"):
            self.assertIn(f"`{name}` is not the name of a mesh that can be written", self.shape("convert", "box.obj", name, code=INPUT))
        self.assertIn("`box.obj` would be written over itself", self.shape("convert", "box.obj", "box.obj", code=INPUT))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["box.obj", "open.obj"])

    def test_a_built_in_shape_needs_no_file(self):
        text = self.shape("info", "itokawa", "--facets", "5000")
        for line in (
            "facets    5120",
            "volume    17785603.6 m^3",
            "solid     sound: one shell, nowhere touching itself",
            "fit       2401 harmonics, off by 0.437 m rms, 4.41 m at most, at 200000 facets",
            "mass      3.51e+10 kg",
            "period    12.1324 h, of rotation about z",
        ):
            self.assertIn(f"  {line}\n", text)
        self.assertEqual(self.shape("generate", "kw4_beta", "b.obj", "--facets", "700"), "wrote b.obj (in metres, 720 facets)\n")
        self.assertIn("  volume    48034509.4 m^3\n", self.shape("info", "b.obj"))
        self.assertIn("became 80; the volume was", self.shape("resample", "kw4_alpha", "a.obj", "--facets", "2000", "--icosphere", "1"))
        self.shape("convert", "kw4_alpha", "a.stl", "--facets", "20", "--scale", "0.5")
        self.shape("repair", "kw4_alpha", "r.obj", "--facets", "20")

    def test_a_built_in_shape_that_is_not_there_is_told(self):
        for verb in (["info", "itokava"], ["generate", "itokava", "x.obj"]):
            text = self.shape(*verb, code=INPUT)
            self.assertIn("there is neither a file nor a built-in shape `itokava`", text)
            self.assertIn("did you mean `itokawa`?", text)
        self.assertIn("`itokawa` cannot be meshed with 7 facets", self.shape("info", "itokawa", "--facets", "7", code=INPUT))
        self.assertIn("the built-in shape `itokawa` is in metres", self.shape("info", "itokawa", "--unit", "km", code=INPUT))
        self.assertIn("`box.obj` has the facets that it has", self.shape("info", "box.obj", "--facets", "80", code=INPUT))
        self.assertIn("has no values to change", self.shape("generate", "itokawa", "x.obj", "--seed", "1", code=INPUT))
        self.write("itokawa", BOX)  # a file of that name wins
        self.assertIn("  facets    12\n", self.shape("info", "itokawa"))

    def test_binary_garbage_is_refused(self):
        (self.folder / "a.stl").write_bytes(bytes(range(256)) * 3)
        self.assertIn("is it cut off, or of another kind?", self.shape("info", "a.stl", code=INPUT))
        (self.folder / "a.bin").write_bytes(bytes(range(256)) * 3)
        self.assertIn("not a mesh of a kind that is read", self.shape("info", "a.bin", code=INPUT))
        head = b"ply\nformat binary_big_endian 1.0\nelement vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\n"
        head += b"element face 1\nproperty list uchar int vertex_indices\nend_header\n"
        (self.folder / "a.ply").write_bytes(head + struct.pack(">3f", 1, 2, 3))
        self.assertIn("2000000000 rows of `vertex` are promised", self.shape("info", "a.ply", code=INPUT))

    def test_a_zero_based_plate_table_is_read(self):
        lines = TETRAHEDRON.split("\n")
        corners = [" ".join(str(int(n) - 1) for n in line.split()[1:]) for line in lines if line.startswith("f")]
        self.write("a.tab", "\n".join([line for line in lines if line.startswith("v")] + ["f " + c for c in corners]) + "\n")
        self.assertIn("  volume    121500 m^3\n", self.shape("info", "a.tab"))


if __name__ == "__main__":
    unittest.main()
