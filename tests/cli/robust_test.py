#!/usr/bin/env python3
"""Runs that must not be lost: every signal and every broken stream in the middle of a run and of a study, then the way on to the same
bits. ASPERITY names the binary."""

import json
import os
import pty
import re
import resource
import signal
import subprocess
import time
import unittest

from cli_test import DONE, ENVIRONMENT, FLAT, INPUT, LANDERS, ROOT, SPIKE, Program

TRIPLE = ROOT / "scenarios" / "ternary" / "1994-cc.toml"
SCATTER = LANDERS / "spike-scatter.toml"
RESULTS = ["table.csv", "table.h5", "summary.json", "report.html"]
STOPPING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU]
IGNORED = [signal.SIGPIPE, signal.SIGXFSZ]


def as_started_by_a_shell(close=(), file_limit=None):
    """For the child: signals as a shell in the foreground has them (Python itself ignores SIGPIPE and SIGXFSZ), streams closed, files cut
    off."""

    def prepare():
        for number in (*STOPPING, *IGNORED):
            signal.signal(number, signal.SIG_DFL)
        for stream in close:
            os.close(stream)
        if file_limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, resource.RLIM_INFINITY))

    return prepare


class Disturbed(Program):
    def start(self, *arguments, close=(), file_limit=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=None):
        process = subprocess.Popen(
            [os.environ["ASPERITY"], *map(str, arguments)],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=env,
            text=True,
            preexec_fn=as_started_by_a_shell(close, file_limit),
        )
        self.addCleanup(lambda: process.stdout and process.stdout.close())
        self.addCleanup(lambda: process.stderr and process.stderr.close())
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, process, is_reached, what):
        deadline = time.monotonic() + 240
        while not is_reached():
            self.assertIsNone(process.poll(), f"it ended before {what}")
            self.assertLess(time.monotonic(), deadline, f"no {what}")
            time.sleep(0.01)

    def code_of(self, process):
        return process.wait(timeout=600)


class WhateverTheStreams:
    """What a run and a study share: started(), assert_done() as if nothing had happened, assert_goes_on() to the same bits."""

    def test_signals_of_writing_change_nothing(self):
        process = self.started()
        for number in IGNORED:
            process.send_signal(number)
        self.assertEqual(self.code_of(process), DONE)
        self.assert_done()

    def test_standard_error_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            reader, gone = os.pipe()
            os.close(reader)
            for name, number, options in (
                ("a full disk", signal.SIGINT, {"stderr": full}),
                ("closed", signal.SIGTERM, {"close": [2]}),
                ("a pipe whose reader is gone", signal.SIGINT, {"stderr": gone}),
                ("all closed", signal.SIGTERM, {"close": [0, 1, 2]}),
            ):
                with self.subTest(stderr=name):
                    process = self.started(**options)
                    process.send_signal(number)
                    self.assertEqual(self.code_of(process), ENVIRONMENT)
                    self.assert_goes_on()
                    self.take_all()
            os.close(gone)

    def test_a_terminal_that_is_closed_while_progress_is_shown(self):
        terminal, child_side = pty.openpty()
        process = self.started(stderr=child_side)
        os.close(child_side)
        os.close(terminal)
        self.assertEqual(self.code_of(process), DONE)
        self.assert_done()

    def test_standard_output_without_a_reader_is_4_and_everything_is_on_the_disk(self):
        process = self.started()
        process.stdout.close()
        err = process.stderr.read()
        self.assertEqual(self.code_of(process), ENVIRONMENT, err)
        self.assertIn("Broken pipe", err)
        self.assert_done()


class Run(WhateverTheStreams, Disturbed):
    """Three bodies in orbit: a few seconds without events, a checkpoint at any step. All tests go on to the record of the undisturbed run."""

    ARGUMENTS = ["run", TRIPLE, "--set", "end.time=150 d", "--set", "output.sample_every=0.03 d", "--wall-checkpoint", 0.05]
    undisturbed = None

    def setUp(self):
        super().setUp()
        if Run.undisturbed is None:
            got = self.asperity(*self.ARGUMENTS, "--out", "whole")
            Run.undisturbed = (self.hash_in(got.stdout), (self.folder / "whole" / "record.h5").read_bytes())

    def hash_in(self, text):
        return re.search(r"^record hash ([0-9a-f]{32})$", text, re.M).group(1)

    def record(self):
        return self.folder / "x" / "record.h5"

    def started(self, **options):
        """A run that has a checkpoint on the disk."""
        process = self.start(*self.ARGUMENTS, "--out", "x", **options)
        self.wait_for(process, self.record().exists, "a checkpoint")
        return process

    def assert_done(self):
        self.assertEqual(self.record().read_bytes(), self.undisturbed[1])
        self.assertEqual(sorted(path.name for path in (self.folder / "x").iterdir()), ["record.h5", "report.html", "summary.json"])
        self.assertEqual(self.summary("x")["outcome"]["kind"], "completed")

    def assert_goes_on(self):
        got = self.asperity(*self.ARGUMENTS, "--out", "x", "--restart", "x/record.h5")
        self.assertEqual(self.hash_in(got.stdout), self.undisturbed[0])

    def test_signals_that_stop(self):
        for number in STOPPING:
            with self.subTest(signal=number.name):
                process = self.started()
                process.send_signal(number)
                _, err = process.communicate(timeout=600)
                self.assertEqual(process.returncode, ENVIRONMENT, err)
                self.assertRegex(err, r"stopped at \S+ s; go on with: asperity run .* --restart x/record.h5\n$")
                self.assert_goes_on()
                self.take_all()

    def test_a_signal_that_comes_again_and_again_does_not_end_it_halfway(self):
        for number in (signal.SIGHUP, signal.SIGXCPU):
            process = self.started()
            for _ in range(20):
                process.send_signal(number)
            self.assertEqual(self.code_of(process), ENVIRONMENT)
            self.assert_goes_on()
            self.take_all()

    def test_kill(self):
        process = self.started()
        process.kill()
        self.assertEqual(self.code_of(process), -signal.SIGKILL)
        self.assert_goes_on()

    def test_a_limit_on_the_size_of_files(self):
        """Half of the record fits: the last checkpoint that did stays, and nothing torn beside it."""
        process = self.started(file_limit=len(self.undisturbed[1]) // 2)
        err = process.stderr.read()
        self.assertEqual(self.code_of(process), ENVIRONMENT, err)
        self.assertRegex(err, r"error: [^\n]*x/record\.h5[^\n]*File too large\n$")
        self.assertEqual([path.name for path in (self.folder / "x").iterdir()], ["record.h5"])
        self.assert_goes_on()


class Study(WhateverTheStreams, Disturbed):
    ARGUMENTS = ["campaign", SCATTER, "--runs", 120, "--threads", 2, "--out", "o", "--resume"]
    undisturbed = None

    def setUp(self):
        super().setUp()
        if Study.undisturbed is None:
            self.asperity(*self.ARGUMENTS, "--quiet")
            Study.undisturbed = self.results()
            self.take_all()

    def results(self):
        return {name: (self.folder / "o" / name).read_bytes() for name in RESULTS}

    def status(self):
        return json.loads((self.folder / "o" / "status.json").read_text(encoding="utf-8"))

    def started(self, **options):
        """A study with some runs in its journal."""
        process = self.start(*self.ARGUMENTS, **options)
        journal = self.folder / "o" / "journal"
        self.wait_for(process, lambda: journal.exists() and journal.stat().st_size > 64, "a finished run")
        return process

    def assert_done(self):
        for name, data in self.results().items():
            self.assertTrue(data == self.undisturbed[name], f"{name} is another one")
        self.assertEqual(self.status()["state"], "complete")

    def assert_goes_on(self):
        self.asperity(*self.ARGUMENTS, "--quiet")
        self.assert_done()

    def test_signals_that_stop(self):
        for number in STOPPING:
            with self.subTest(signal=number.name):
                process = self.started()
                process.send_signal(number)
                out, err = process.communicate(timeout=600)
                self.assertEqual(process.returncode, ENVIRONMENT, err)
                self.assertIn("go on with the same command and --resume", out)
                self.assertEqual(self.status()["state"], "interrupted")
                self.assert_goes_on()
                self.take_all()

    def test_kill_and_what_the_status_says_of_it(self):
        process = self.started()
        status = self.status()
        self.assertEqual([status["state"], status["pid"]], ["running", process.pid])
        self.assertLess(status["updated"], status["alive_until"])
        got = self.asperity("status", "o")
        self.assertRegex(got.stdout, rf"^running: \d+ of 120 runs, 0 failed; process {process.pid} on \S+\n$")
        process.kill()
        self.assertEqual(self.code_of(process), -signal.SIGKILL)
        self.assertEqual(self.status()["state"], "running", "nobody was left to say so")
        got = self.asperity("status", "o")
        self.assertRegex(got.stdout, r"^interrupted: \d+ of 120 runs, 0 failed; its process was killed, go on with --resume\n$")
        self.assertEqual(self.status()["state"], "interrupted")
        self.assertNotIn("alive_until", self.status())
        self.assert_goes_on()
        self.assertRegex(self.asperity("status", "o").stdout, r"^complete: 120 of 120 runs, \d+ failed\n$")
        self.assertIn("there is no study in .", self.asperity("status", ".", code=INPUT).stderr)

    def test_a_limit_on_the_size_of_files(self):
        process = self.started(file_limit=8192)
        err = process.stderr.read()
        self.assertEqual(self.code_of(process), ENVIRONMENT, err)
        self.assertRegex(err, r"error: cannot write o/\S+: File too large\n  raise the limit on the size of files \(ulimit -f\)")
        self.assertEqual(self.status()["state"], "interrupted")
        self.assert_goes_on()


class Streams(Disturbed):
    """What a program says of a slip must not become another end of it."""

    def test_errors_have_their_code_whatever_the_stream(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for options in ({"stderr": full}, {"close": [2]}, {"close": [0, 1, 2]}):
                self.assertEqual(self.code_of(self.start("run", "none.toml", **options)), INPUT)
                self.assertEqual(self.code_of(self.start("nothing", **options)), INPUT)

    def test_results_that_nobody_can_read_are_4(self):
        self.assertEqual(self.code_of(self.start("list", "laws", close=[1])), ENVIRONMENT)

    def test_a_file_never_takes_the_number_of_a_closed_stream(self):
        """Else progress would be written into the record."""
        self.assertEqual(self.code_of(self.start("run", FLAT, "--out", "x", "--quiet", close=[0, 1, 2])), DONE)
        self.asperity("run", FLAT, "--out", "y", "--quiet")
        self.assertEqual((self.folder / "x" / "record.h5").read_bytes(), (self.folder / "y" / "record.h5").read_bytes())


class GravityField(Disturbed):
    """A field that takes minutes to build is given up at once, and the cache holds no part of it."""

    def test_signals_while_a_gravity_field_is_built(self):
        cache = self.folder / "cache"
        for number in STOPPING:
            with self.subTest(signal=number.name):
                terminal, child_side = pty.openpty()
                process = self.start(
                    "run", LANDERS / "itokawa-full.toml", "--out", "x", stderr=child_side, env={**os.environ, "ASPERITY_CACHE": str(cache)}
                )
                os.close(child_side)
                shown = b""
                while b"building the gravity field" not in shown:
                    shown += os.read(terminal, 4096)
                process.send_signal(number)
                with self.assertRaises(OSError):  # the other side is closed
                    while True:
                        shown += os.read(terminal, 4096)
                os.close(terminal)
                self.assertEqual(self.code_of(process), ENVIRONMENT)
                self.assertIn(b"error: stopped while the gravity field was built; nothing was run, and nothing was written", shown)
                self.assertFalse((self.folder / "x").exists())
                self.assertFalse(cache.exists() and list(cache.iterdir()))


class OutFolder(Program):
    def test_results_of_another_scenario_are_not_overwritten(self):
        self.asperity("run", FLAT, "--out", "x", "--quiet")
        before = (self.folder / "x" / "record.h5").read_bytes()
        self.asperity("run", FLAT, "--out", "x", "--quiet")  # its own
        hint = "  give another folder with --out, or overwrite it with --force\n"
        for arguments, told in (
            ([SPIKE], "error: x holds the results of something else: `flat`\n"),
            ([FLAT, "--set", "contact.shell/ground.friction=0.5"], "error: x holds the results of `flat` with other values\n"),
        ):
            got = self.asperity("run", *arguments, "--out", "x", code=INPUT)
            self.assertIn(told + hint, got.stderr)
            self.assertEqual((self.folder / "x" / "record.h5").read_bytes(), before)
        self.asperity("run", SPIKE, "--out", "x", "--quiet", "--force")
        self.assertNotEqual((self.folder / "x" / "record.h5").read_bytes(), before)

    def test_what_is_not_ours_is_not_overwritten(self):
        (self.folder / "x").mkdir()
        self.write("x/notes.txt", "stays")
        self.asperity("run", FLAT, "--out", "x", "--quiet")
        for name, told in (
            ("record.h5", "x/record.h5 is no record that asperity wrote, or it is damaged"),
            ("report.html", "x holds a report.html that is not of a run"),
            ("summary.json", "x holds a summary.json that is not of a run"),
        ):
            self.take_all()
            (self.folder / "x").mkdir()
            self.write(f"x/{name}", "somebody's")
            self.assertIn(told, self.asperity("run", FLAT, "--out", "x", code=INPUT).stderr)
            self.assertEqual((self.folder / "x" / name).read_text(), "somebody's")
            self.asperity("run", FLAT, "--out", "x", "--quiet", "--force")

    def test_a_run_that_can_go_on_is_not_thrown_away(self):
        process = Disturbed.start(self, *Run.ARGUMENTS, "--out", "x")
        Disturbed.wait_for(self, process, (self.folder / "x" / "record.h5").exists, "a checkpoint")
        process.kill()
        process.wait()
        got = self.asperity(*Run.ARGUMENTS, "--out", "x", code=INPUT)
        self.assertRegex(got.stderr, r"^error: x holds a run that was stopped and can go on from \S+ s\n  go on with --restart x/record.h5, or begin anew with --force\n")

    def test_reproduce(self):
        out = self.folder / "x"
        self.asperity("run", FLAT, "--out", out, "--quiet")
        tables = ["reproduce", "--quiet", "--out", out]
        got = self.asperity(*tables, "landers/8.2", cwd=ROOT, code=INPUT)
        self.assertIn(f"error: {out} holds the results of something else: `flat`\n", got.stderr)
        self.asperity(*tables, "landers/8.2", "--force", cwd=ROOT)
        self.asperity(*tables, "landers/8.2", cwd=ROOT)
        got = self.asperity(*tables, "landers/8.3", cwd=ROOT, code=INPUT)
        self.assertIn(f"error: {out} holds the results of `Published tables` with other values\n", got.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
