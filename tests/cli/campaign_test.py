#!/usr/bin/env python3
"""`asperity campaign` from outside: what it refuses and how it says so, that it loses nothing, and where [until] ends. ASPERITY names the
binary."""

import csv
import json
import math
import os
import pathlib
import re
import signal
import struct
import subprocess
import time
import unittest

from cli_test import DONE, ENVIRONMENT, INPUT, LANDERS, NUMERICAL, Program, outside

SCATTER = LANDERS / "spike-scatter.toml"
FLAT = LANDERS / "flat.toml"
RESULTS = ["table.csv", "table.h5", "summary.json", "report.html"]

STUDY = """\
name = "coin"
runs = 4000

[[vary]]
name = "a"
distribution = "uniform"
low = 0
high = 1

[[metric]]
name = "y"
expression = "a^2"

[success]
y = { below = 0.25 }
"""

FAILING = f"""\
runs = 1000
scenario = "{FLAT}"

[[vary]]
key = "contact.shell/ground.restitution"
distribution = "uniform"
low = 0.5
high = 1.5
"""


def records(path):
    """(offset, run, length of the row) of every record of a journal: the layout of journal.h, spelled out a second time."""
    data = path.read_bytes()
    found, at = [], 64
    while at + 32 <= len(data):
        run, length = struct.unpack_from("<QI", data, at + 8)
        found.append((at, run, length))
        at += 32 + length
    return found


class Campaign(Program):
    def setUp(self):
        super().setUp()
        self.study = self.write("coin.toml", STUDY)

    def campaign(self, *arguments, **options):
        return self.asperity("campaign", *arguments, **options)

    def results(self, out):
        return {name: (self.folder / out / name).read_bytes() for name in RESULTS}

    def assert_same(self, out, other):
        for name, data in self.results(out).items():
            self.assertTrue(data == self.results(other)[name], f"{name} of {out} is not that of {other}")

    def assert_each_run_once(self, out, runs):
        self.assertEqual(sorted(run for _, run, _ in records(self.folder / out / "journal")), list(range(runs)))

    def rows(self, out):
        lines = (self.folder / out / "table.csv").read_text(encoding="utf-8").splitlines()
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))


class Wrong(Campaign):
    """Studies that are refused before anything is written."""

    def refuse(self, text, *expected):
        self.write("wrong.toml", text)
        got = self.campaign("wrong.toml", "--out", "wrong", code=INPUT)
        for part in expected:
            self.assertIn(part, got.stderr)
        self.assertRegex(got.stderr, r"(?m)^  wrong\.toml:\d+:\d+\b")
        self.assertRegex(got.stderr, r"\d+ errors?\. Nothing was run\.\n$")
        self.assertEqual(got.stdout, "")
        self.assertFalse((self.folder / "wrong").exists())

    def test_unknown_parameter(self):
        self.refuse(FAILING.replace("contact.shell/ground.restitution", "contact.shell/ground.restituton"), "did you mean", "contact.shell/ground.restitution")

    def test_negative_sigma(self):
        self.refuse(STUDY.replace('"uniform"\nlow = 0\nhigh = 1', '"normal"\nmean = 0\nsigma = -1'), "`sigma` = -1 is negative")

    def test_low_above_high(self):
        self.refuse(STUDY.replace("low = 0\n", "low = 2\n"), "`low`", "`high`")

    def test_truncation_that_leaves_nothing(self):
        self.refuse(STUDY.replace('"uniform"\nlow = 0\nhigh = 1', '"normal"\nmean = 0\nsigma = 1\nlow = 60\nhigh = 61'), "no probability is left within [60, 61]")

    def test_wrong_unit(self):
        self.refuse(FAILING.replace("contact.shell/ground.restitution", "body.lander.start.velocity.x").replace("0.5", '"1 kg"').replace("1.5", '"2 kg"'), "m/s")

    def test_missing_unit(self):
        self.refuse(FAILING.replace("contact.shell/ground.restitution", "body.lander.start.velocity.x"), "`low` has no unit", "`high` has no unit")

    def test_unknown_metric(self):
        self.refuse(FAILING.replace("runs = 1000", 'runs = 1000\nmetrics = ["stop_tiem"]'), "there is no metric `stop_tiem`", "stop_time")

    def test_unknown_metric_of_success(self):
        self.refuse(STUDY.replace("y = { below", "yy = { below"), "there is no metric `yy`", "did you mean `y`?")

    def test_unknown_name_in_an_expression(self):
        self.refuse(STUDY.replace("a^2", "b^2"), 'in "b^2", character 1: unknown name `b`')

    def test_cycle_of_expressions(self):
        # names come before their use, so that a cycle begins with a name that is not there yet
        text = STUDY.replace("[[metric]]", '[[derive]]\nname = "p"\nexpression = "q"\n[[derive]]\nname = "q"\nexpression = "p"\n[[metric]]')
        self.refuse(text, "unknown name `q`", "unknown name `p`")

    def test_expression_of_itself(self):
        self.refuse(STUDY.replace("a^2", "y + 1"), "unknown name `y`")

    def test_unknown_key(self):
        self.refuse(STUDY.replace("runs", "rnus"), "unknown key `rnus`", "did you mean `runs`?")

    def test_until_without_a_width(self):
        self.refuse(STUDY + '[until]\nmetric = "y"\n', "how narrow")

    def test_until_of_an_unknown_column(self):
        self.refuse(STUDY + '[until]\nmetric = "z"\nhalf_width = 0.1\n', "there is no column `z`")

    def test_every_problem_is_told_at_once(self):
        self.refuse(STUDY.replace("low = 0\n", "low = 2\n").replace("a^2", "b"), "`low` = 2 is not below `high` = 1", "unknown name `b`")


class Folder(Campaign):
    def test_folder_that_cannot_be_made(self):
        self.write("file", "")
        got = self.campaign(self.study, "--out", "file/deep", code=ENVIRONMENT)
        self.assertIn("cannot make the folder file/deep: Not a directory; give another one with --out", got.stderr)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_without_permission(self):
        closed = self.folder / "closed"
        closed.mkdir(mode=0o555)
        got = self.campaign(self.study, "--out", "closed", code=ENVIRONMENT)
        self.assertIn("Permission denied", got.stderr)

    def test_read_only_file_system(self):
        got = self.campaign(self.study, "--out", "/proc/asperity", code=ENVIRONMENT)
        self.assertIn("cannot make the folder /proc/asperity", got.stderr)

    def test_second_start_is_refused(self):
        self.campaign(self.study, "--out", "o", "--quiet")
        before = self.results("o")
        got = self.campaign(self.study, "--out", "o", code=INPUT)
        self.assertIn("there is a study in o already", got.stderr)
        self.assertIn("--resume", got.stderr)
        self.assertEqual(self.results("o"), before)

    def test_resume_where_there_is_nothing_begins(self):
        self.campaign(self.study, "--out", "o", "--quiet", "--resume")
        self.assert_each_run_once("o", 4000)

    def test_resume_of_a_complete_study_computes_nothing(self):
        self.campaign(self.study, "--out", "o", "--quiet")
        before = self.results("o")
        self.campaign(self.study, "--out", "o", "--quiet", "--resume")
        self.assertEqual(self.results("o"), before)
        self.assert_each_run_once("o", 4000)

    def test_changed_study_is_refused_with_a_diff(self):
        self.campaign(self.study, "--out", "o", "--quiet")
        before = self.results("o")
        self.write("coin.toml", STUDY.replace("high = 1", "high = 2"))
        got = self.campaign("coin.toml", "--out", "o", "--resume", code=INPUT)
        self.assertIn('  [[vary]] name = "a"\n  - high = "1"\n  + high = "2"\n', got.stderr)
        self.assertNotIn("low", got.stderr)
        self.assertEqual(self.results("o"), before)

    def test_more_runs_go_on_with_the_same_study(self):
        self.campaign(self.study, "--out", "o", "--quiet", "--runs", "1000")
        self.campaign(self.study, "--out", "o", "--quiet", "--runs", "4000", "--resume")
        self.campaign(self.study, "--out", "whole", "--quiet", "--runs", "4000")
        self.assert_same("o", "whole")
        self.assert_each_run_once("o", 4000)

    def test_fewer_runs_lose_none_that_is_finished(self):
        self.campaign(self.study, "--out", "o", "--quiet", "--runs", "32")
        before = self.results("o")
        got = self.campaign(self.study, "--out", "o", "--runs", "8", "--resume")
        self.assertIn("32 runs of the study in o are finished: all of them stay, though 8 were asked for\n", got.stderr)
        self.assertIn("coin: 32 runs", got.stdout)
        self.assert_each_run_once("o", 32)
        self.assertEqual(self.results("o")["table.csv"], before["table.csv"])
        self.assertEqual(json.loads(self.results("o")["summary.json"])["runs"], 32)
        self.assertEqual(self.campaign(self.study, "--out", "o", "--runs", "8", "--resume", "--quiet").stderr, "")
        # a design whose points depend on the number of runs is another study
        cube = self.write("cube.toml", 'design = "latin-hypercube"\n' + STUDY)
        self.campaign(cube, "--out", "cube", "--quiet", "--runs", "32")
        got = self.campaign(cube, "--out", "cube", "--runs", "8", "--resume", code=INPUT)
        self.assertIn("the study in cube is another one", got.stderr)

    def test_two_runs_say_what_cannot_be_said(self):
        study = self.write("two.toml", f'scenario = "{FLAT}"\nruns = 2\n[[vary]]\nkey = "contact.shell/ground.restitution"\ndistribution = "uniform"\nlow = 0.3\nhigh = 0.7\n[success]\noutcome = "rest"\n')
        for runs in ("1", "2"):
            got = self.campaign(study, "--out", runs, "--runs", runs)
            self.assertRegex(got.stdout, r"max_impact_speed_50_percent \[m/s\] +- \(too few runs to say; needs 6 runs\)")
            for text in (got.stdout, (self.folder / runs / "summary.json").read_text(encoding="utf-8")):
                self.assertNotRegex(text, r"(?i)\b-?(inf|nan)\b")
            report = (self.folder / runs / "report.html").read_text(encoding="utf-8")
            self.assertIn("too few runs to say", report)
            self.assertNotIn("∞", report)

    def test_two_at_once(self):
        arguments = [os.environ["ASPERITY"], "campaign", str(SCATTER), "--runs", "4000", "--quiet", "--out", "o"]
        first = subprocess.Popen(arguments, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(first.communicate)
        self.addCleanup(first.kill)
        while not (self.folder / "o" / "journal").exists():
            self.assertIsNone(first.poll())
            time.sleep(0.01)
        got = self.campaign(SCATTER, "--runs", "4000", "--out", "o", "--resume", code=ENVIRONMENT)
        self.assertIn("another campaign is writing o/journal\n  wait for its end, or choose another folder with --out", got.stderr)
        got = self.campaign(SCATTER, "--runs", "4000", "--out", "o", code=INPUT)
        self.assertIn("there is a study in o already", got.stderr)
        self.assertIsNone(first.poll(), "the first one was to go on")


class Damaged(Campaign):
    def test_flipped_bytes_are_reported_and_computed_again(self):
        self.campaign(self.study, "--out", "whole", "--quiet")
        self.campaign(self.study, "--out", "o", "--quiet", "--threads", "1")
        journal = self.folder / "o" / "journal"
        found = records(journal)
        data = bytearray(journal.read_bytes())
        hurt = [found[100], found[2000]]
        for offset, _, _ in hurt:
            data[offset + 40] ^= 0x10
        journal.write_bytes(data)
        got = self.campaign(self.study, "--out", "o", "--quiet", "--resume")
        runs = ", ".join(str(run) for _, run, _ in hurt)
        self.assertIn(f"warning: 2 damaged places in the journal (run {runs}); their runs are computed again", got.stderr)
        self.assert_same("o", "whole")
        again = [run for _, run, _ in records(journal)[4000:]]
        self.assertEqual(sorted(again), sorted(run for _, run, _ in hurt))

    def test_torn_end(self):
        self.campaign(self.study, "--out", "whole", "--quiet")
        self.campaign(self.study, "--out", "o", "--quiet")
        journal = self.folder / "o" / "journal"
        journal.write_bytes(journal.read_bytes()[:-7])
        self.campaign(self.study, "--out", "o", "--quiet", "--resume")
        self.assert_same("o", "whole")
        self.assert_each_run_once("o", 4000)

    def test_damaged_head(self):
        self.campaign(self.study, "--out", "o", "--quiet")
        journal = self.folder / "o" / "journal"
        data = bytearray(journal.read_bytes())
        data[30] ^= 1
        journal.write_bytes(data)
        got = self.campaign(self.study, "--out", "o", "--resume", code=INPUT)
        self.assertIn("the head of o/journal is damaged", got.stderr)
        self.assertEqual(journal.read_bytes(), data)


class FullDisk(Campaign):
    def check(self, got, out, file):
        self.assertRegex(got.stderr, rf"^error: cannot write {out}/{file}[^\n]*: (File too large|No space left on device)\n")
        self.assertEqual(got.stderr.count("error:"), 1, got.stderr)
        self.assertNotIn("HDF5", got.stderr)
        self.campaign(self.study, "--out", out, "--quiet", "--resume")
        self.assert_same(out, "whole")
        self.assert_each_run_once(out, 4000)

    def test_file_limit_in_the_journal(self):
        self.campaign(self.study, "--out", "whole", "--quiet")
        got = self.campaign(self.study, "--out", "o", "--quiet", preexec_fn=outside(100_000), code=ENVIRONMENT)
        safe = len(records(self.folder / "o" / "journal"))
        self.assertIn(f"--resume: {safe} finished runs are safe", got.stderr)
        self.check(got, "o", "journal")

    def test_file_limit_in_the_tables(self):
        self.campaign(self.study, "--out", "whole", "--quiet")
        sizes = {name: len(data) for name, data in self.results("whole").items()}
        journal = (self.folder / "whole" / "journal").stat().st_size
        self.assertGreater(journal, sizes["table.csv"], "the limit would hit the journal first")
        # the journal is there; what is written after it meets the limit, file by file
        for name in ["table.csv", "table.h5", "summary.json", "report.html"]:
            with self.subTest(name):
                self.campaign(self.study, "--out", name + ".o", "--quiet")
                for other in RESULTS:
                    (self.folder / (name + ".o") / other).unlink()
                got = self.campaign(
                    self.study, "--out", name + ".o", "--quiet", "--resume", preexec_fn=outside(sizes[name] - 1),
                    code=DONE if sizes[name] - 1 >= max(sizes.values()) else ENVIRONMENT,
                )
                self.assertFalse((self.folder / (name + ".o") / name).exists())
                self.assertEqual(list((self.folder / (name + ".o")).glob("*.part")), [])
                self.assertRegex(got.stderr, r"^error: ")
                self.campaign(self.study, "--out", name + ".o", "--quiet", "--resume")
                self.assert_same(name + ".o", "whole")

    @unittest.skipUnless(os.geteuid() == 0, "only root can mount a small disk")
    def test_small_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "none", disk], capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest(f"cannot mount a small disk here: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", disk])
        self.campaign(self.study, "--out", "whole", "--quiet")
        got = self.campaign(self.study, "--out", "disk/o", "--quiet", code=ENVIRONMENT)
        self.assertIn("free some space", got.stderr)
        subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
        self.check(got, "disk/o", "")


class Failing(Campaign):
    def test_too_many_failures_stop_the_study(self):
        self.write("failing.toml", FAILING)
        got = self.campaign("failing.toml", "--out", "o", code=NUMERICAL)
        self.assertRegex(got.stderr, r"error: 11 of \d+ runs failed: the study was stopped")
        rows = self.rows("o")
        failed = [row for row in rows if row["outcome"] == "failed"]
        self.assertEqual(len(failed), 11)
        self.assertEqual(rows[-1]["outcome"], "failed")
        for row in rows:  # uniform on 0.5 ... 1.5, and a restitution is at most 1
            self.assertEqual(row["outcome"] == "failed", float(row["contact.shell/ground.restitution"]) > 1)
        self.assertIn(f"asperity campaign failing.toml --only {failed[0]['run']}", got.stdout)
        self.assertIn("must be between 0 and 1", failed[0]["error"])
        self.assertEqual(json.loads((self.folder / "o" / "status.json").read_text())["state"], "too many failures")
        # it depends on the runs alone, and is told again
        self.campaign("failing.toml", "--out", "two", "--threads", "3", code=NUMERICAL)
        self.campaign("failing.toml", "--out", "o", "--resume", code=NUMERICAL)
        self.assert_same("o", "two")

    def test_a_few_failures_do_not(self):
        self.write("failing.toml", FAILING.replace("high = 1.5", "high = 1.02").replace("1000", "200"))
        got = self.campaign("failing.toml", "--out", "o")
        rows = self.rows("o")
        self.assertEqual(len(rows), 200)
        failed = sum(row["outcome"] == "failed" for row in rows)
        self.assertGreater(failed, 0)
        self.assertIn(f"200 runs, {failed} failed", got.stdout)


class Stopped(Campaign):
    def test_interrupt_and_resume(self):
        arguments = [os.environ["ASPERITY"], "campaign", str(SCATTER), "--runs", "300", "--out", "o", "--threads", "2"]
        for signal_number in [signal.SIGINT, signal.SIGTERM]:
            journal = self.folder / "o" / "journal"
            size = journal.stat().st_size if journal.exists() else 64
            process = subprocess.Popen(
                [*arguments, "--resume"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell starts background jobs with it ignored
            )
            self.addCleanup(process.kill)
            while not journal.exists() or journal.stat().st_size <= size:
                self.assertIsNone(process.poll(), "it ended before it could be stopped")
                time.sleep(0.01)
            process.send_signal(signal_number)
            out, err = process.communicate(timeout=300)
            self.assertEqual(process.returncode, ENVIRONMENT, err)
            done = len(records(journal))
            self.assertIn(f"interrupted after {done} of 300 runs; go on with the same command and --resume", out)
            status = json.loads((self.folder / "o" / "status.json").read_text())
            self.assertEqual([status["state"], status["done"], status["total"]], ["interrupted", done, 300])
            self.assertFalse((self.folder / "o" / "table.csv").exists())
        self.campaign(SCATTER, "--runs", "300", "--out", "o", "--quiet", "--resume")
        self.campaign(SCATTER, "--runs", "300", "--out", "whole", "--quiet")
        self.assert_same("o", "whole")
        self.assert_each_run_once("o", 300)


def wilson_half_width(successes, count):
    """Of the 95 % interval of Wilson (1927)."""
    z, p = 1.959963984540054, successes / count
    return z / (1 + z * z / count) * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))


class Until(Campaign):
    def test_success_rate(self):
        half_width, first = 0.02, 100
        self.write("coin.toml", STUDY.replace("4000", "100000") + f'\n[until]\nmetric = "success"\nhalf_width = {half_width}\nfirst = {first}\n')
        self.campaign("coin.toml", "--out", "o", "--quiet", "--threads", "2")
        good = [int(row["success"]) for row in self.rows("o")]
        sizes = [first * 2**k for k in range(20)]
        self.assertIn(len(good), sizes)
        # narrow there, and at no size before
        narrow = [n for n in sizes if n <= len(good) and wilson_half_width(sum(good[:n]), n) <= half_width]
        self.assertEqual(narrow, [len(good)])
        self.campaign("coin.toml", "--out", "one", "--quiet", "--threads", "1")
        self.assert_same("o", "one")

    def test_mean(self):
        self.write("coin.toml", STUDY.replace("4000", "100000") + '\n[until]\nmetric = "y"\nrelative = 0.02\nfirst = 500\n')
        self.campaign("coin.toml", "--out", "o", "--quiet")
        values = [float(row["y"]) for row in self.rows("o")]
        narrow = []
        for n in [500 * 2**k for k in range(10)]:
            if n <= len(values):
                mean = math.fsum(values[:n]) / n
                deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values[:n]) / (n - 1))
                # Student's t at these n is the normal quantile to 0.3 %: no case is that close
                width = 1.96 * deviation / math.sqrt(n) / mean
                self.assertGreater(abs(width / 0.02 - 1), 0.005)
                narrow += [n] if width <= 0.02 else []
        self.assertEqual(narrow, [len(values)])

    def test_runs_are_the_most(self):
        self.write("coin.toml", STUDY.replace("4000", "777") + '\n[until]\nmetric = "success"\nhalf_width = 0.0001\n')
        self.campaign("coin.toml", "--out", "o", "--quiet")
        self.assertEqual(len(self.rows("o")), 777)


if __name__ == "__main__":
    unittest.main()
