#!/usr/bin/env python3
"""tools/compare_builds.py says `same` of a build against itself, and sees what is changed in one of two trees. ASPERITY names the program."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "compare_builds.py"
sys.path.insert(0, str(TOOL.parent))
import compare_builds  # noqa: E402

SAME, DIFFERS, USAGE = 0, 1, 2
STUDY = 'scenario = "flat.toml"\nruns = 100\n[[vary]]\nkey = "body.lander.start.velocity.x"\ndistribution = "uniform"\nlow = "1 cm/s"\nhigh = "2 cm/s"\n'


class TwoBuilds(unittest.TestCase):
    """Two folders with the program and a small tree each."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for build in ("old", "new"):
            for name in ("scenarios/landers/flat.toml", "scenarios/landers/flat-sliding.toml", "papers/landers/8.2.toml"):
                self.write(f"{build}/{name}", (ROOT / name).read_text(encoding="utf-8"))
            self.write(f"{build}/scenarios/landers/many.toml", STUDY)
            (self.folder / build / "asperity").symlink_to(os.environ["ASPERITY"])

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def change(self, name, old, new):
        text = (self.folder / name).read_text(encoding="utf-8")
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))

    def bench(self, build, name, *rows):
        lines = "\\n".join("\\t".join(map(str, row)) for row in rows)
        self.write(f"{build}/bench/{name}", f"#!/bin/sh\nprintf '{lines}\\n' > \"$2\"\n").chmod(0o755)

    def compare(self, *arguments, code):
        """{what: (ratio or empty, verdict)} and what the last line says."""
        command = [sys.executable, "-B", TOOL, "old", "new", *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        *lines, self.last = done.stdout.splitlines() or [""]
        self.said = done.stderr
        return {what.strip(): rest for what, _, rest in (line.partition("  ") for line in lines)}

    def test_a_build_is_the_same_as_itself(self):
        rows = self.compare("--only", "scenario|table", code=SAME)
        self.assertEqual({what: rest.strip() for what, rest in rows.items()}, dict.fromkeys(["scenario landers/flat", "scenario landers/flat-sliding", "table landers/8.2"], "same"))
        self.assertRegex(self.last, r"^3 same, 0 differ, 0 failed, 0 left out; ")
        self.assertRegex(self.said, r"(?m)^\[3/3\] ")

    def test_a_study_is_the_same_on_threads_and_ranks_and_when_killed(self):
        rows = self.compare("--only", "study", code=SAME)
        self.assertEqual([what for what in rows], [f"study landers/many, {way}" for way in compare_builds.WAYS])

    def test_another_restitution_differs_in_all_that_it_touches(self):
        self.change("new/scenarios/landers/flat.toml", "restitution = 0.5", "restitution = 0.5000001")
        rows = self.compare("--only", "scenario|table|1 thread", code=DIFFERS)
        self.assertRegex(rows["scenario landers/flat"], r"differs: (exit 0 -> 1; )?state hash; event hash; sample hash; outcome `time` by .*; metric `\w+` by \d.* and \d+ other of \d+")
        self.assertIn("differs: ", rows["table landers/8.2"])
        self.assertRegex(rows["study landers/many, 1 thread"], r"differs: column `.*` by .* and \d+ other of \d+$")
        self.assertRegex(self.last, r"^1 same, 3 differ, ")  # flat-sliding begins in contact

    def test_what_fails_is_a_row_and_the_others_go_on(self):
        self.write("new/scenarios/landers/flat-sliding.toml", "[nothing]\n")
        rows = self.compare("--only", "scenario", code=DIFFERS)
        self.assertRegex(rows["scenario landers/flat-sliding"], r"failed: new: exit 2 without summary.json: error: unknown ")
        self.assertEqual(rows["scenario landers/flat"].strip(), "same")
        (self.folder / "new" / "scenarios" / "landers" / "flat.toml").unlink()
        self.assertIn("failed: new: exit 2", self.compare("--only", "scenario landers/flat$", code=DIFFERS)["scenario landers/flat"])

    def test_names_that_have_changed_are_told(self):
        landers = self.folder / "new" / "scenarios" / "landers"
        shutil.move(landers / "flat-sliding.toml", landers / "slide.toml")
        renames = self.write("renames", "# a file that moved\nlanders/flat-sliding = landers/slide\nlanders/flat =\n")
        rows = self.compare("--only", "scenario", "--renames", renames, code=SAME)
        self.assertEqual(list(rows), ["scenario landers/flat-sliding"])

    def test_benchmarks_are_compared_by_hash_and_by_their_best_time(self):
        self.bench("old", "asperity_bench", ("a", "x", 2.0, 0, "1f"), ("a", "y", 1.0, 0, "2f"), ("a", "z", 1, 0, "3f"))
        self.bench("new", "asperity_bench", ("a", "x", 3.0, 0, "1f"), ("a", "y", 0.5, 0, "2e"))
        rows = self.compare("--only", "bench asperity_bench$", code=DIFFERS)
        self.assertEqual(rows["bench a: x"].split(), ["1.500", "same"])
        self.assertEqual(rows["bench a: y"].split(None, 1), ["0.500", "differs: hash 2f -> 2e"])
        self.assertEqual(rows["bench a: z"].split(None, 1), ["nan", "differs: hash 3f -> no such row"])
        self.assertIn("; 1 slower by more than 5 %; ", self.last)
        self.assertIn("failed: old: there is no asperity_bench_ternary", self.compare("--only", "bench .*ternary", code=DIFFERS)["bench asperity_bench_ternary"])

    def test_nothing_to_compare_and_wrong_use_are_no_success(self):
        self.compare("--only", "no such thing", code=DIFFERS)
        (self.folder / "new" / "asperity").unlink()
        self.compare(code=USAGE)
        self.assertIn("there is no program `asperity` in new", self.said)


class Differences(unittest.TestCase):
    def renames(self, text=""):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "renames"
            path.write_text(text, encoding="utf-8")
            return compare_builds.Renames(path)

    def test_tables_may_have_other_heads_if_they_are_told(self):
        old, new = 'run,stop [s]\n0,"a, b"\n', 'run,end [s]\n0,"a, b"\n'
        self.assertEqual(compare_builds.table_difference(old, new, self.renames()), ["2 -> 2 columns `stop [s]` -> `end [s]`"])
        for told in ("stop = end", "stop [s] = end [s]"):
            self.assertEqual(compare_builds.table_difference(old, new, self.renames(told)), [])

    def test_tables_of_other_bytes_differ(self):
        for new, said in [
            ("a,b\n1,2.5\n", "column `b` by 2.0e-01"),
            ("a,b\n1,x\n", "column `b`"),
            ("a,b\n1.0,2\n", "the bytes, not the values"),
            ("a,b\n1,2\n1,2\n", "column `a` and 1 other of 2"),
        ]:
            self.assertEqual(compare_builds.table_difference("a,b\n1,2\n", new, self.renames()), [said])

    def test_the_last_bit_and_what_is_no_number_count(self):
        self.assertEqual(compare_builds.apart([1.0, None], [1.0, None]), 0)
        self.assertGreater(compare_builds.apart([1.0, 2.0], [1.0, 2.0000000000000004]), 0)
        self.assertEqual(compare_builds.apart(1.0, None), float("inf"))
        self.assertEqual(compare_builds.difference({"a": 1}, {"b": 1}, "metric"), ["no metric `a`"])
        self.assertEqual(compare_builds.difference({"a": 1, "c": 2}, {"b": 1}, "metric", self.renames("a = b\nc =")), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
