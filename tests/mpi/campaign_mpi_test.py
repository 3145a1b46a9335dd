#!/usr/bin/env python3
"""A study gives the same bytes on any number of threads and ranks, and however often it is killed. ASPERITY names the binary.

    campaign_mpi_test.py [Same | Killed | Trouble]

Needs mpirun (Open MPI); without it every test is skipped.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCATTER = ROOT / "scenarios" / "landers" / "spike-scatter.toml"
RESULTS = ["table.csv", "table.h5", "summary.json", "report.html"]
MPIRUN = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
DONE, INPUT, NUMERICAL, ENVIRONMENT = 0, 2, 3, 4

EXPRESSIONS = """\
name = "expressions"
runs = 30000

[[vary]]
name = "a"
distribution = "uniform"
low = -3
high = 3

[[vary]]
name = "b"
distribution = "log-normal"
median = 2
sigma_log = 0.5

[[metric]]
name = "y"
expression = "sin(a) + 7 * sin(b)^2 + 0.1 * b^4 * sin(a)"

[[metric]]
name = "is_high"
expression = "if(y > 3, 1, 0)"

[success]
y = { below = 3 }
"""

# More runs than any machine finishes before a test interrupts it. Drawn one by one, they are the same in a study of fewer: that is how it
# then goes on.
ENDLESS = """\
name = "endless"
scenario = "{scenario}"
design = "monte-carlo"
runs = 1000000
metrics = ["stop_time", "stop_position"]

[[vary]]
key = "contact.shell/ground.restitution"
distribution = "uniform"
low = 0.3
high = 0.6
"""


def journal_runs(path):
    """The runs of all records, in the order of the file: the layout of journal.h, spelled out a second time."""
    data = path.read_bytes()
    runs, at = [], 64
    while at + 32 <= len(data):
        if data[at : at + 8] != b"\x89run\r\n\x1a\xa5":
            raise ValueError(f"no record at byte {at}")
        run, length = struct.unpack_from("<QI", data, at + 8)
        if at + 32 + length > len(data):
            break  # the torn end that a killed writer leaves
        runs.append(run)
        at += 32 + length
    return runs


def children(pid):
    """All processes below this one, by rank where they have one."""
    parent_of = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent_of[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue  # it has just ended
    found, fresh = [], [pid]
    while fresh:
        fresh = [child for child, parent in parent_of.items() if parent in fresh]
        found += fresh
    return found


def rank_of(pid):
    try:
        for item in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            if item.startswith(b"OMPI_COMM_WORLD_RANK="):
                return int(item.split(b"=")[1])
    except OSError:
        pass
    return None


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun here")
class Job(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.expressions = self.write("expressions.toml", EXPRESSIONS)
        self.endless = self.write("endless.toml", ENDLESS.format(scenario=SCATTER.with_name("spike.toml")))

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def command(self, ranks, *arguments):
        launcher = [*MPIRUN, "-n", str(ranks)] if ranks else []
        return [*launcher, os.environ["ASPERITY"], "campaign", *map(str, arguments)]

    def run_job(self, ranks, *arguments, code=DONE, **options):
        """ranks: 0 without mpirun."""
        got = subprocess.run(self.command(ranks, *arguments), cwd=self.folder, text=True, capture_output=True, timeout=300, **options)
        self.assertEqual(got.returncode, code, f"{ranks} ranks, {arguments}\n{got.stdout}\n{got.stderr}")
        return got

    def results(self, out):
        return {name: (self.folder / out / name).read_bytes() for name in RESULTS}

    def assert_same(self, out, reference, runs):
        """The results are those of the reference, and no run was computed twice."""
        for name, data in self.results(out).items():
            self.assertTrue(data == reference[name], f"{name} of {out} is another one")
        done = journal_runs(self.folder / out / "journal")
        self.assertEqual(len(done), len(set(done)), "a run was computed twice")
        self.assertLessEqual(set(range(runs)), set(done))


class Same(Job):
    def compare(self, study, runs):
        common = [study, "--quiet", "--runs", runs]
        self.run_job(0, *common, "--threads", 1, "--out", "one")
        reference = self.results("one")
        for ranks, threads in [(0, 2), (0, 5), (1, 1), (2, 1), (3, 1), (4, 1), (2, 2)]:
            out = f"ranks-{ranks}-threads-{threads}"
            with self.subTest(out):
                self.run_job(ranks, *common, "--threads", threads, "--out", out)
                self.assert_same(out, reference, runs)

    def test_scatter(self):
        self.compare(SCATTER, 24)

    def test_expressions(self):
        self.compare(self.expressions, 20000)

    def test_until_ends_at_the_same_run(self):
        study = self.write("until.toml", EXPRESSIONS + '\n[until]\nmetric = "success"\nhalf_width = 0.015\nfirst = 50\n')
        self.run_job(0, study, "--quiet", "--threads", 1, "--out", "one")
        reference = self.results("one")
        rows = reference["table.csv"].decode().splitlines()
        runs = sum(1 for row in rows if row[:1].isdigit())
        self.assertIn(runs, [50 * 2**k for k in range(1, 10)])
        for ranks, threads in [(0, 2), (2, 1), (3, 2)]:
            out = f"ranks-{ranks}-threads-{threads}"
            with self.subTest(out):
                self.run_job(ranks, study, "--quiet", "--threads", threads, "--out", out)
                self.assert_same(out, reference, runs)


class Killed(Job):
    KILLS = 20

    def begin(self, ranks, arguments):
        return subprocess.Popen(
            self.command(ranks, *arguments), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )

    def strike(self, process, ranks, kills):
        """kill -9 of the whole job, of rank 0, of another rank, in turn; returns what was killed."""
        below = children(process.pid)
        by_rank = {rank_of(pid): pid for pid in below if rank_of(pid) is not None}
        rank = [None, 0, ranks - 1][kills % 3]
        if ranks and rank in by_rank:
            kill(by_rank[rank])
            return "rank 0" if rank == 0 else "another rank"
        for pid in [process.pid, *below]:
            kill(pid)
        return "all"

    def wait_to_strike(self, process, journal, luck):
        """Half of the time at any moment, else soon after the first new run is safe."""
        if luck.random() < 0.5:
            time.sleep(luck.uniform(0, 2))
            return
        size = journal.stat().st_size if journal.exists() else 0
        deadline = time.monotonic() + 20
        while process.poll() is None and time.monotonic() < deadline:
            if journal.exists() and journal.stat().st_size > max(size, 64):
                break
            time.sleep(0.005)
        time.sleep(luck.uniform(0, 0.2))

    def interrupt(self, study, runs, seed):
        common = [study, "--quiet", "--runs", runs]
        self.run_job(0, *common, "--threads", 2, "--out", "whole")
        reference = self.results("whole")
        luck = random.Random(seed)
        kills, campaigns, grown, told = 0, 0, 0, {}
        while kills < self.KILLS:
            campaigns += 1
            out = f"killed-{campaigns}"
            journal = self.folder / out / "journal"
            before = 0
            while True:
                ranks = luck.choice([0, 2, 3, 4])
                process = self.begin(ranks, [*common, "--threads", luck.choice([1, 2]), "--out", out, "--resume"])
                if kills < self.KILLS:
                    self.wait_to_strike(process, journal, luck)
                    if process.poll() is None:
                        what = self.strike(process, ranks, kills)
                        told[what] = told.get(what, 0) + 1
                        kills += 1
                code = process.wait(timeout=300)
                done = len(set(journal_runs(journal))) if journal.exists() else 0
                self.assertGreaterEqual(done, before, "a finished run was lost")
                grown += before < done < runs
                before = done
                if code == DONE:
                    break
            self.assert_same(out, reference, runs)
        self.assertGreater(grown, 3, "too few were killed in the middle: the study is too short for this machine")
        print(f"{study.name}: {kills} kills ({told}), {grown} of them with new runs, in {campaigns} campaigns: the same bytes")

    def test_scatter(self):
        self.interrupt(SCATTER, 400, seed=3)

    def test_expressions(self):
        self.interrupt(self.expressions, 400000, seed=4)


class Trouble(Job):
    def test_wrong_study_is_told_once(self):
        study = self.write("wrong.toml", EXPRESSIONS.replace("high = 3", "high = -9"))
        got = self.run_job(3, study, "--out", "wrong", code=INPUT)
        self.assertEqual(got.stderr.count("Nothing was run"), 1, got.stderr)
        self.assertFalse((self.folder / "wrong").exists())

    def test_full_disk(self):
        # for the ranks alone, and without files of Open MPI for shared memory: mpirun would fail first
        limit = ["--mca", "btl", "tcp,self", "env", "--ignore-signal=XFSZ", "prlimit", "--fsize=400000"]
        command = self.command(2, self.expressions, "--quiet", "--out", "full")
        command[command.index(os.environ["ASPERITY"]) :] = limit + command[command.index(os.environ["ASPERITY"]) :]
        got = subprocess.run(command, cwd=self.folder, text=True, capture_output=True, timeout=300)
        self.assertEqual(got.returncode, ENVIRONMENT, got.stderr)
        self.assertRegex(got.stderr, r"cannot write full/journal: File too large\n.*--resume: \d+ finished runs are safe")
        safe = len(journal_runs(self.folder / "full" / "journal"))
        self.assertIn(f"{safe} finished runs are safe", got.stderr)
        self.run_job(2, self.expressions, "--quiet", "--out", "full", "--resume")
        self.run_job(0, self.expressions, "--quiet", "--out", "whole")
        self.assert_same("full", self.results("whole"), 30000)

    def test_interrupt(self):
        command = self.command(2, self.endless, "--threads", 1, "--out", "o")
        command[1:1] = ["--mca", "odls_base_sigkill_timeout", "4"]  # s that mpirun gives the ranks; 1 is little on a busy machine
        process = subprocess.Popen(
            command, cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell starts background jobs with it ignored
        )
        journal = self.folder / "o" / "journal"
        while not journal.exists() or journal.stat().st_size == 64:
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=300)[0]
        self.assertNotEqual(process.returncode, DONE)
        done = journal_runs(journal)
        self.assertIn(f"interrupted after {len(done)} of 1000000 runs; go on with the same command and --resume", text)
        self.assertEqual(json.loads((self.folder / "o" / "status.json").read_text())["state"], "interrupted")
        runs = max(done) + 20
        self.run_job(2, self.endless, "--runs", runs, "--threads", 1, "--out", "o", "--quiet", "--resume")
        self.run_job(0, self.endless, "--runs", runs, "--quiet", "--out", "whole")
        self.assert_same("o", self.results("whole"), runs)


if __name__ == "__main__":
    unittest.main()
