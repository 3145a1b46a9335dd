#!/usr/bin/env python3
"""`asperity design` from outside: what it refuses, what it answers, and that it goes on after an interruption. ASPERITY names the binary."""

import csv
import json
import math
import os
import signal
import statistics
import subprocess
import time
import unittest

from cli_test import DONE, ENVIRONMENT, INPUT, LANDERS, SOUND, Program

# A ball that falls on a plain and stays where it falls; a success where it falls within 2 m of the middle along x.
DROP = SOUND.replace("restitution = 0.5", "restitution = 0").replace(
    'velocity = ["0 m/s", "0 m/s", "0 m/s"]',
    'velocity = ["0 m/s", "0 m/s", "0 m/s"]\nposition_sigma = ["1 m", "1 m", "0 m"]')
STUDY = """\
scenario = "drop.toml"
runs = 800

[[metric]]
name = "miss"
unit = "m"
expression = "abs(stop_position.x)"

[success]
miss = { below = "2 m" }
"""


def normal(x):
    return statistics.NormalDist().cdf(x)


class Design(Program):
    def setUp(self):
        super().setUp()
        self.write("drop.toml", DROP)
        self.write("study.toml", STUDY)

    def design(self, *arguments, **options):
        return self.asperity("design", "study.toml", *arguments, **options)

    def refuse(self, *arguments, says):
        got = self.design(*arguments, code=INPUT)
        for text in says:
            self.assertIn(text, got.stderr)
        self.assertEqual(got.stdout, "")
        self.assertFalse((self.folder / "out").exists())

    def answer(self, out="out/study-design"):
        return json.loads((self.folder / out / "design.json").read_text())


class Wrong(Design):
    def test_nothing_asked(self):
        self.refuse(says=["what should be asked?", "--grow body.lander.start.position_sigma"])

    def test_no_such_scatter(self):
        self.refuse("--grow", "body.lander.start.position_sgma", says=["`body.lander.start.position_sgma` is no scatter of the start", "did you mean `body.lander.start.position_sigma`?"])

    def test_scatter_of_zero(self):
        self.refuse("--grow", "body.lander.start.velocity_sigma", says=["`body.lander.start.velocity_sigma` is zero: no factor makes it grow"])

    def test_too_few_runs_to_be_sure(self):
        self.refuse("--grow", "body.lander.start.position_sigma", "--runs", 100,
                    says=["100 runs can never be sure of 99 % at 95 % confidence", "--runs 268 or more"])

    def test_no_success(self):
        self.write("study.toml", STUDY.split("[success]")[0])
        self.refuse("--grow", "body.lander.start.position_sigma", says=["the study does not say what a success is", "[success]"])

    def test_one_axis(self):
        self.refuse("--success", 0.5, "--corridor", "body.lander.start.position.x:0 m:4 m:3", says=["a corridor is over two keys, got 1"])

    def test_axis_without_a_count(self):
        self.refuse("--success", 0.5, "--corridor", "body.lander.start.position.x:0 m:4 m", "--corridor", "body.lander.start.position.z:1 m:2 m:2",
                    says=["it wants KEY:LOW:HIGH:COUNT", "from 2 to 101"])

    def test_axis_without_a_unit(self):
        self.refuse("--success", 0.5, "--corridor", "body.lander.start.position.x:0:4:3", "--corridor", "body.lander.start.position.z:1 m:2 m:2",
                    says=["0 has no unit", 'write for example "0 m"'])

    def test_axis_of_an_unknown_key(self):
        self.refuse("--success", 0.5, "--corridor", "body.lander.start.postion.x:0 m:4 m:3", "--corridor", "body.lander.start.position.z:1 m:2 m:2",
                    says=["no key `body.lander.start.postion.x`"])

    def test_axis_beyond_its_bounds(self):
        self.refuse("--success", 0.5, "--corridor", "contact.shell/ground.restitution:0:2:3", "--corridor", "body.lander.start.position.z:1 m:2 m:2",
                    says=["`contact.shell/ground.restitution` must be"])

    def test_success_of_more_than_all(self):
        self.refuse("--grow", "body.lander.start.position_sigma", "--success", 1.5, says=["--success"])


class Grow(Design):
    def test_factor_of_a_closed_form(self):
        """Success is 2 Phi(2 / k) - 1; 90 % is lost at k = 2 / 1.6449 = 1.216."""
        got = self.design("--grow", "body.lander.start.position_sigma", "--success", 0.9)
        answer = self.answer()["grow"]
        self.assertLess(answer["factor"], 1.216)
        self.assertGreater(answer["factor"], 1.0)  # 800 runs: sure from 91.6 % on, k = 1.15, less the step of the search
        self.assertAlmostEqual(answer["crossing"], 1.216, delta=0.08)
        self.assertGreater(answer["too_large"], answer["crossing"])
        self.assertIn("body.lander.start.position_sigma", got.stdout)
        largest = answer["largest"]["body.lander.start.position_sigma"]
        self.assertEqual(largest, {"value": [answer["factor"], answer["factor"], 0], "unit": "m"})  # of 1 m, 1 m, 0 m
        self.assertIn("(study: [1, 1, 0] m)", got.stdout)
        with open(self.folder / "out/study-design/grow.csv", newline="") as table:
            for row in csv.DictReader(table):
                k, share = float(row["factor"]), float(row["success"])
                expected = 2 * normal(2 / k) - 1
                self.assertAlmostEqual(share, expected, delta=5 * math.sqrt(expected * (1 - expected) / 800) + 0.002)
        self.assertIn("Largest release errors", (self.folder / "out/study-design/report.html").read_text())

    def test_requirement_that_cannot_be_met(self):
        self.write("study.toml", STUDY.replace("2 m", "-1 m"))
        got = self.design("--grow", "body.lander.start.position_sigma", "--success", 0.9)
        self.assertIn("none: not even without these errors", got.stdout)
        self.assertIsNone(self.answer()["grow"]["factor"])
        self.assertIsNone(self.answer()["grow"]["largest"]["body.lander.start.position_sigma"]["value"])

    def test_same_on_any_number_of_threads(self):
        for threads in (1, 3):
            self.design("--grow", "body.lander.start.position_sigma", "--success", 0.9, "--threads", threads, "--out", f"t{threads}")
        for name in ("design.json", "grow.csv", "report.html"):
            self.assertEqual((self.folder / "t1" / name).read_bytes(), (self.folder / "t3" / name).read_bytes(), name)


class Corridor(Design):
    def test_success_of_each_cell(self):
        """At x the success is Phi(2 - x) - Phi(-2 - x), whatever the height."""
        got = self.design("--success", 0.9, "--corridor", "body.lander.start.position.x:0 m:2 m:3", "--corridor", "body.lander.start.position.z:1 m:2 m:2")
        with open(self.folder / "out/study-design/corridor.csv", newline="") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual(len(rows), 6)
        for row in rows:
            x = float(row["body.lander.start.position.x [m]"])
            expected = normal(2 - x) - normal(-2 - x)
            self.assertAlmostEqual(float(row["success"]), expected, delta=5 * math.sqrt(expected * (1 - expected) / 800))
            self.assertEqual(row["verdict"], "sure" if x == 0 else "below")
        self.assertIn("2 of 6 cells sure", got.stdout)
        self.assertIn("Release corridor", (self.folder / "out/study-design/report.html").read_text())

    def test_speed_keeps_the_direction(self):
        self.write("drop.toml", DROP.replace('velocity = ["0 m/s", "0 m/s", "0 m/s"]', 'velocity = ["3 cm/s", "4 cm/s", "0 m/s"]'))
        self.design("--success", 0.9, "--corridor", "body.lander.start.speed:0.005 m/s:0.5 m/s:2", "--corridor", "body.lander.start.position.z:1 m:2 m:2", "--runs", 40)
        with open(self.folder / "out/study-design/corridor.csv", newline="") as table:
            shares = [float(row["success"]) for row in csv.DictReader(table)]
        self.assertGreater(shares[0], 0.7)  # 14 s of fall, and a little rolling: 5 cm along x
        self.assertEqual(shares[1], 0)  # 4 m, and then it rolls


class Resume(Design):
    ARGUMENTS = ["--grow", "body.lander.start.position_sigma", "--success", 0.9]

    def test_second_start_is_refused_and_resumed(self):
        self.design(*self.ARGUMENTS)
        first = (self.folder / "out/study-design/design.json").read_bytes()
        journal = (self.folder / "out/study-design/journal").stat().st_size
        got = self.design(*self.ARGUMENTS, code=INPUT)
        self.assertIn("there are answers in out/study-design already", got.stderr)
        self.design(*self.ARGUMENTS, "--resume")
        self.assertEqual((self.folder / "out/study-design/design.json").read_bytes(), first)
        self.assertEqual((self.folder / "out/study-design/journal").stat().st_size, journal)  # nothing was computed

    def test_another_question_is_not_mixed_in(self):
        self.design(*self.ARGUMENTS)
        self.design("--grow", "body.lander.start.position_sigma", "--success", 0.8, "--resume", code=INPUT)

    def test_interrupt_and_resume(self):
        self.design(*self.ARGUMENTS, "--out", "whole")
        command = [os.environ["ASPERITY"], "design", "study.toml", *map(str, self.ARGUMENTS), "--out", "parts", "--threads", "1"]
        child = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        journal = self.folder / "parts/journal"
        while child.poll() is None and not (journal.exists() and journal.stat().st_size > 64):
            time.sleep(0.001)
        child.send_signal(signal.SIGINT)
        printed, _ = child.communicate(timeout=60)
        self.assertIn(child.returncode, (DONE, ENVIRONMENT))  # a fast machine may be done before
        if child.returncode == ENVIRONMENT:
            self.assertIn("--resume", printed)
            self.assertFalse((self.folder / "parts/design.json").exists())
        self.design(*self.ARGUMENTS, "--out", "parts", "--resume")
        self.assertEqual((self.folder / "whole/design.json").read_bytes(), (self.folder / "parts/design.json").read_bytes())


if __name__ == "__main__":
    unittest.main()
