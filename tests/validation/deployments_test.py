#!/usr/bin/env python3
"""Ten thousand deployments each to Itokawa and to 1999 KW4 Beta: none fails, none ends inside the body, every energy balance closes, and the
table is the same with one thread and with two. ASPERITY names the binary, RUNS another number of runs."""

import collections
import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

LANDERS = pathlib.Path(__file__).resolve().parents[2] / "scenarios" / "landers"
RUNS = int(os.environ.get("RUNS", "10000"))
STUDY = """\
name = "many"
scenario = "{scenario}"
runs = {runs}
metrics = ["first_impact_time", "stop_time", "max_penetration", "energy_balance"]

[success]
outcome = "rest"
"""


class Deployments(unittest.TestCase):
    def table(self, folder, scenario, threads):
        study = pathlib.Path(folder) / "many.toml"
        study.write_text(STUDY.format(scenario=LANDERS / scenario, runs=RUNS))
        out = pathlib.Path(folder) / f"threads-{threads}"
        subprocess.run([os.environ["ASPERITY"], "campaign", study, "--out", out, "--threads", str(threads)], check=True)
        return (out / "table.csv").read_bytes()

    def check(self, scenario, radius):
        with tempfile.TemporaryDirectory() as folder:
            one, two = (self.table(folder, scenario, threads) for threads in (1, 2))
        self.assertEqual(one, two)
        rows = list(csv.DictReader(one.decode().splitlines()))
        self.assertEqual(len(rows), RUNS)
        outcomes = collections.Counter(row["outcome"] for row in rows)
        worst = max(float(row["energy_balance"]) for row in rows)
        deepest = max(float(row["max_penetration [m]"]) for row in rows)
        print(f"{scenario}: {dict(outcomes)}, energy balance within {worst:.1e}, deepest overlap {deepest:.1e} m")
        self.assertLessEqual(set(outcomes), {"rest", "escaped", "timed_out", "orbiting", "companion"})
        self.assertEqual([row["error"] for row in rows if row["error"]], [])
        self.assertLessEqual(worst, 1e-6)
        self.assertLessEqual(deepest, 1e-6 * radius)

    def test_itokawa(self):
        self.check("itokawa-full.toml", 0.125)

    def test_beta(self):
        self.check("kw4-beta.toml", 0.125)


if __name__ == "__main__":
    unittest.main()
