#!/usr/bin/env python3
"""The program from outside: exit codes, what goes to which stream, and the files it leaves. ASPERITY names the binary."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANDERS = ROOT / "scenarios" / "landers"
FLAT = LANDERS / "flat.toml"
SPIKE = LANDERS / "spike.toml"
DONE, FAILED, INPUT, NUMERICAL, ENVIRONMENT = 0, 1, 2, 3, 4
VERBS = ["run", "check", "campaign", "design", "reproduce", "report", "shape", "gravity", "equilibria", "explain", "list", "status", "cache"]

SOUND = """\
[body.ground]
shape = { surface = "plain" }
fixed = true
material = "ground"

[gravity]
uniform = ["0 m/s^2", "0 m/s^2", "-1e-2 m/s^2"]

[body.lander]
shape = { sphere = "5 cm" }
mass = "1 kg"
material = "shell"

[body.lander.start]
position = ["0 m", "0 m", "1 m"]
velocity = ["0 m/s", "0 m/s", "0 m/s"]

[contact."shell/ground"]
restitution = 0.5
friction = 0.6
rolling_resistance = 0.04

[end]
time = "1 h"
"""


def outside(pid_limit):
    """For the child only: files end at pid_limit bytes, and writing on is an error that it is told, as on a full disk."""

    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (pid_limit, pid_limit))

    return prepare


class Program(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def asperity(self, *arguments, code=DONE, **options):
        options = {"cwd": self.folder, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 300, **options}
        got = subprocess.run([os.environ["ASPERITY"], *map(str, arguments)], text=True, stdin=subprocess.DEVNULL, **options)
        self.assertEqual(got.returncode, code, f"asperity {arguments}\n{got.stdout}\n{got.stderr}")
        return got

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def take_all(self):
        """The names of what stands in the folder; it is empty afterwards."""
        names = sorted(path.name for path in self.folder.iterdir())
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        return names

    def summary(self, out):
        return json.loads((self.folder / out / "summary.json").read_text(encoding="utf-8"))

    def run_into(self, out, *arguments, code=DONE):
        """Runs, returns the record's hash and the summary without what may differ between equal runs."""
        got = self.asperity("run", *arguments, "--out", out, code=code)
        summary = self.summary(out)
        del summary["threads"], summary["wall_seconds"]
        return re.search(r"^record hash ([0-9a-f]{32})$", got.stdout, re.M).group(1), summary


class Usage(Program):
    def test_version(self):
        self.assertRegex(self.asperity("--version").stdout, r"^asperity \d+\.\d+\.\d+ \(\S+\)\n$")

    def test_help_of_the_program_names_every_verb_and_exit_code(self):
        text = self.asperity("--help").stdout
        for verb in VERBS:
            self.assertRegex(text, rf"(?m)^  {verb} ")
        self.assertIn("0 done, 1 an expectation or a verdict failed, 2 input, 3 the numbers went wrong, 4 the machine refused or the run was stopped, 70 our bug", text)

    def test_help_of_every_verb(self):
        for verb in [[v] for v in VERBS] + [["shape", s] for s in ("info", "repair", "generate")]:
            with self.subTest(verb=verb):
                got = self.asperity(*verb, "--help")
                self.assertIn("Usage: asperity " + " ".join(verb), got.stdout)
                self.assertEqual(got.stderr, "")

    def test_no_verb(self):
        got = self.asperity(code=INPUT)
        self.assertEqual(got.stdout, "")
        self.assertEqual(
            got.stderr,
            "error: what should asperity do?\n  known here: run, check, compare, campaign, design, reproduce, report, shape, gravity, equilibria, explain, list, status, cache\n  asperity --help tells more\n",
        )

    def test_unknown_verb(self):
        got = self.asperity("rnu", FLAT, code=INPUT)
        self.assertEqual(
            got.stderr,
            "error: there is no verb `rnu`\n  did you mean `run`?\n  known here: run, check, compare, campaign, design, reproduce, report, shape, gravity, equilibria, explain, list, status, cache\n",
        )

    def test_unknown_option(self):
        got = self.asperity("run", FLAT, "--outt", "x", code=INPUT)
        self.assertEqual(got.stdout, "")
        self.assertEqual(
            got.stderr,
            "error: there is no option `--outt`\n  did you mean `--out`?\n  asperity run --help tells what can be given\n",
        )
        self.assertIn("did you mean `--flip`?", self.asperity("shape", "repair", "a", "b", "--flp", code=INPUT).stderr)
        self.assertIn("did you mean `--version`?", self.asperity("--verson", code=INPUT).stderr)
        self.assertIn("known here: info, repair, generate", self.asperity("shape", "repar", code=INPUT).stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_bad_arguments(self):
        for arguments in (
            ["run"],
            ["run", FLAT, "--threads", "0"],
            ["run", FLAT, "--threads", "many"],
            ["run", FLAT, "--seed", "1.5"],
            ["run", FLAT, "--seed", "-1"],
            ["run", FLAT, "--seed", "99999999999999999999"],
            ["run", FLAT, "--set", "contact.shell/ground.friction"],
            ["run", FLAT, "--set", "=1"],
            ["run", FLAT, "--set", "contact.shell/ground.frction=1"],
            ["run", FLAT, "--set", "contact.shell/ground.friction=-1"],
            ["run", FLAT, "--set", "contact=1"],
            ["run", FLAT, "--set", "name=../x"],
            ["run", FLAT, "--set", "expect.stop_tme=1"],
            ["run", FLAT, "--method", "magic"],
            ["run", FLAT, "--restart-time", "5 s"],
            ["run", FLAT, "--restart", "none.h5"],
            ["run", FLAT, "more.toml"],
            ["run", "none.toml"],
            ["run", "."],
            ["run", ""],
            ["run", FLAT, "--out", ""],
            ["reproduce", "--out", ""],
            ["check", FLAT, "--out", "x"],
            ["list", "nonsense"],
            ["shape"],
            ["shape", "info", "none.obj"],
            ["shape", "info", FLAT],
            ["report", "none"],
        ):
            with self.subTest(arguments=arguments):
                got = self.asperity(*arguments, code=INPUT)
                self.assertEqual(got.stdout, "")
                self.assertRegex(got.stderr, r"^error: .")
                self.assertEqual(self.take_all(), [], "something was written")


class Errors(Program):
    def test_three_slips_are_told_with_their_places_and_nothing_is_written(self):
        text = SOUND.replace('"5 cm"', '"5 cm/s"').replace("friction = 0.6", "frction = 0.6\nfriction = 0.6").replace("0.5", "1.5")
        self.write("a.toml", text)
        got = self.asperity("run", "a.toml", "--out", "x/y", code=INPUT)
        self.assertEqual(got.stdout, "")
        self.assertEqual(
            re.sub("(known here: ).*, friction, .*", r"\1..., friction, ...", got.stderr),  # the reader's tests have all of it
            """\
error: `sphere` needs a length, got a speed
  a.toml:10:20   [body.lander].shape
  10 | shape = { sphere = "5 cm/s" }
     |                    ^^^^^^^^ write for example "5 m"

error: `restitution` must be between 0 and 1, got 1.5
  a.toml:19:15   [contact."shell/ground"]
  19 | restitution = 1.5
     |               ^^^
  restitution: Normal speed after an impact over the one before. Method "penalty" takes less than 0.0025 for 0.0025.

error: unknown key `frction`
  a.toml:20:1   [contact."shell/ground"]
  20 | frction = 0.6
     | ^^^^^^^ did you mean `friction`?
  known here: ..., friction, ...

3 errors. Nothing was run.
""",
        )
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a.toml"])

    def test_a_slip_of_set_is_told_with_what_was_typed(self):
        got = self.asperity("run", FLAT, "--set", "contact.shell/ground.frction=0.1", code=INPUT)
        self.assertIn("`frction`", got.stderr)
        self.assertIn("did you mean `--set contact.shell/ground.friction=...`?", got.stderr)

    def test_files_that_are_none(self):
        self.write("empty.toml", "")
        (self.folder / "binary.toml").write_bytes(bytes(range(256)) * 20)
        (self.folder / "loop.toml").symlink_to("loop.toml")
        self.write("self.toml", 'include = "self.toml"\n')
        self.write("deep.toml", "a = " + "[" * 100000)
        os.mkfifo(self.folder / "pipe.toml")
        for name in ("empty.toml", "binary.toml", "loop.toml", "self.toml", "deep.toml", "pipe.toml", "/dev/zero", "/dev/null"):
            with self.subTest(name=name):
                self.assertRegex(self.asperity("run", name, "--out", "x", code=INPUT).stderr, r"^error: .")
                self.assertFalse((self.folder / "x").exists())

    def test_a_failed_expectation_is_1(self):
        self.write("a.toml", SOUND + '\n[expect]\nstop_time = { value = "1 s", within = "1 ms" }\noutcome = "rest"\n')
        got = self.asperity("run", "a.toml", "--out", "x", code=FAILED)
        self.assertEqual(got.stderr, "error: the run did not meet its [expect]\n")
        self.assertRegex(got.stdout, r"(?m)^  FAILED  stop_time = \S+ s, wanted 1 s within 0.001 s$")
        self.assertRegex(got.stdout, r"(?m)^  ok      outcome = rest, wanted rest$")
        self.assertEqual([(e["metric"], e["ok"]) for e in self.summary("x")["expect"]], [("stop_time", False), ("outcome", True)])
        self.assertEqual(self.asperity("run", "a.toml", "--out", "x", "--quiet", code=FAILED).stdout, "")

    def test_a_law_of_rigid_contact_is_refused_by_penalty_with_the_reason(self):
        soft = ["--set", "contact.shell/ground.stiffness=1e4 N/m", "--set", "contact.shell/ground.slip_speed=1 mm/s"]
        for law in ("published", "thesis"):
            got = self.asperity("run", FLAT, "--out", "x", "--method", "penalty", "--set", f"contact.shell/ground.rolling_law={law}", *soft, code=INPUT)
            self.assertIn('error: penalty has the rolling law "coupled" alone: the laws of 1-landers are those of rigid contact', got.stderr)
            self.assertFalse((self.folder / "x").exists())
        self.asperity("check", FLAT, "--set", "phase.0.method=penalty", "--set", "contact.shell/ground.rolling_law=coupled", *soft)

    def test_a_stalled_run_is_3_and_keeps_what_it_has(self):
        got = self.asperity("run", FLAT, "--out", "x", "--set", "end.step_budget=3", code=NUMERICAL)
        self.assertRegex(
            got.stderr,
            r"^error: stalled at \S+ s: used up the budget of 3 steps; raise end.step_budget; the record up to there is in x\n$",
        )
        self.assertEqual(self.summary("x")["outcome"]["kind"], "stalled")
        self.assertEqual(self.summary("x")["steps"], 3)
        self.assertIn("stalled", (self.folder / "x" / "report.html").read_text(encoding="utf-8"))
        (self.folder / "x" / "report.html").unlink()
        self.assertEqual(self.asperity("report", "x").stdout, "wrote x/report.html\n")
        self.assertTrue((self.folder / "x" / "report.html").exists())
        got = self.asperity("report", "x", "--frames", "film", code=ENVIRONMENT, env={**os.environ, "PATH": "/nowhere"})
        self.assertIn("error: there is no chromium here, which draws the frames (Debian package chromium)", got.stderr)

    def test_a_folder_that_cannot_be_made_is_4(self):
        self.write("file", "")
        for out in ("file", "file/below"):
            got = self.asperity("run", FLAT, "--out", out, code=ENVIRONMENT)
            self.assertEqual((got.stdout, got.stderr), ("", f"error: cannot make the folder {out}: Not a directory\n"))

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_may_not_be_written_is_4(self):
        (self.folder / "x").mkdir(mode=0o500)
        self.asperity("run", FLAT, "--out", "x", code=ENVIRONMENT)

    def test_a_full_disk_is_4(self):
        for size in (0, 4096, 65536):
            with self.subTest(size=size):
                got = self.asperity("run", FLAT, "--out", "x", code=ENVIRONMENT, preexec_fn=outside(size))
                self.assertRegex(got.stderr, r"^error: [^\n]*x/(record\.h5|summary\.json|report\.html)[^\n]*File too large\n$")

    def test_a_full_standard_output_is_4(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in (["list", "laws"], ["explain"], ["--help"], ["check", FLAT]):
                got = self.asperity(*arguments, code=ENVIRONMENT, stdout=full)
                self.assertRegex(got.stderr, r"^error: .*No space left on device\n$")


class Run(Program):
    def test_results_go_to_stdout_and_quiet_says_nothing(self):
        got = self.asperity("run", FLAT, "--out", "x")
        self.assertEqual(got.stderr, "")
        self.assertTrue(got.stdout.startswith("flat: rest after 2249.45185 s (at rest, in equilibrium)\n"))
        got = self.asperity("run", FLAT, "--out", "y", "--quiet")
        self.assertEqual((got.stdout, got.stderr), ("", ""))
        for out in ("x", "y"):
            self.assertEqual(sorted(p.name for p in (self.folder / out).iterdir()), ["record.h5", "report.html", "summary.json"])

    def test_without_out_the_folder_is_named_after_the_scenario(self):
        self.asperity("run", FLAT, "--quiet")
        self.assertTrue((self.folder / "out" / "flat" / "summary.json").exists())

    def test_summary(self):
        self.asperity("run", FLAT, "--out", "x", "--threads", "1", "--seed", "7")
        summary = self.summary("x")
        self.assertEqual(
            set(summary),
            {"asperity", "scenario", "method", "seed", "threads", "steps", "wall_seconds", "state_hash", "event_hash", "sample_hash"}
            | {"outcome", "metrics", "expect", "warnings"},
        )
        self.assertEqual(set(summary["scenario"]), {"name", "file", "hash"})
        self.assertEqual(set(summary["outcome"]), {"kind", "time", "message"})
        self.assertEqual(summary["scenario"]["name"], "flat")
        self.assertEqual(summary["scenario"]["file"], str(FLAT))
        self.assertEqual((summary["method"], summary["seed"], summary["threads"]), ("event-driven", 7, 1))
        self.assertEqual(summary["warnings"], [])
        self.assertGreater(summary["wall_seconds"], 0)
        for name in ("state_hash", "event_hash", "sample_hash"):
            self.assertRegex(summary[name], r"^[0-9a-f]{32}$")
        self.assertGreater(len(summary["expect"]), 0)
        for expectation in summary["expect"]:
            self.assertEqual(set(expectation), {"metric", "wanted", "got", "ok"})
            self.assertIs(expectation["ok"], True)
        metrics = summary["metrics"]
        for metric in metrics.values():
            self.assertEqual(set(metric), {"value", "unit"})
        units = {"impact_time": "s", "impact_normal_speed_out": "m/s", "sync_time": "s", "stop_time": "s", "stop_position": "m"}
        units |= {"stop_velocity": "m/s", "energy_balance": "", "start_position": "m", "start_velocity": "m/s", "start_spin": "rad/s"}
        for name, unit in units.items():
            self.assertEqual(metrics[name]["unit"], unit, name)
        self.assertEqual(metrics["start_position"]["value"], [-80, 2, 20])
        # the first impact in closed form: z = 20 m - r, v_z = -2.3 cm/s, g = 1e-4 m/s^2; e = 1/2
        fall, down, g = 20 - 0.05, 0.023, 1e-4
        first = (-down + (down**2 + 2 * g * fall) ** 0.5) / g
        times, speeds = metrics["impact_time"]["value"], metrics["impact_normal_speed_out"]["value"]
        self.assertAlmostEqual(times[0], first, delta=1e-9)
        self.assertAlmostEqual(speeds[0], 0.5 * (down + g * first), delta=1e-12)
        self.assertEqual(len(times), len(speeds))
        self.assertEqual(len(times), metrics["impacts"]["value"])
        self.assertLess(metrics["sync_time"]["value"], metrics["stop_time"]["value"])
        self.assertEqual([len(metrics[m]["value"]) for m in ("stop_position", "stop_velocity")], [3, 3])

    def test_threads_change_nothing(self):
        for scenario in (FLAT, SPIKE):
            self.assertEqual(self.run_into("one", scenario, "--threads", 1, "--force"), self.run_into("two", scenario, "--threads", 2, "--force"))

    def test_a_seed_is_a_run(self):
        first, again, other = (self.run_into(f"x{i}", SPIKE, "--seed", seed) for i, seed in enumerate((5, 5, 6)))
        self.assertEqual(first, again)
        self.assertNotEqual(first[0], other[0])
        self.assertNotEqual(first[1]["metrics"]["stop_position"], other[1]["metrics"]["stop_position"])

    def test_nominal_flies_without_scatter(self):
        def stop(*arguments):
            return self.run_into("x", SPIKE, "--set", "body.ground.shape.seed=1", "--force", *arguments)[1]["metrics"]["stop_position"]

        self.assertEqual(stop("--nominal", "--seed", "1"), stop("--nominal", "--seed", "2"))
        self.assertNotEqual(stop("--seed", "1"), stop("--seed", "2"))

    def test_set_takes_one_component(self):
        self.asperity("run", FLAT, "--quiet", "--out", "x", "--set", "body.lander.start.velocity.y=1 cm/s", "--set", "body.lander.start.spin.z=0.1 rad/s", code=FAILED)
        self.assertGreater(self.summary("x")["metrics"]["stop_position"]["value"][1], 0.1)

    def test_set_and_include_make_the_same_variant(self):
        self.write("variant.toml", f'include = "{FLAT}"\nname = "flat"\n\n[contact."shell/ground"]\nrestitution = 0.4\n')
        by_set = self.run_into("x", FLAT, "--set", "contact.shell/ground.restitution=0.4", code=FAILED)[1]
        by_file = self.run_into("y", "variant.toml", code=FAILED)[1]
        self.assertEqual(by_set["metrics"], by_file["metrics"])
        self.assertEqual(by_set["scenario"]["hash"], by_file["scenario"]["hash"])

    def test_names_that_are_not_plain(self):
        name = "Ein Fall \u2193 'mit' \"Zeichen\" & <b>"
        self.write(name + ".toml", SOUND)
        self.asperity("run", name + ".toml", "--out", "\u03b1/" + name)
        self.assertEqual(self.summary("\u03b1/" + name)["scenario"]["file"], name + ".toml")
        self.assertNotIn("<b>.toml", (self.folder / "\u03b1" / name / "report.html").read_text(encoding="utf-8"))

    def test_paraview(self):
        self.asperity("run", FLAT, "--out", "x", "--paraview", "--quiet")
        self.assertGreater(len(list((self.folder / "x" / "paraview").iterdir())), 0)


class Restart(Program):
    """From which mode it goes on is looked at in tests/unit/study/restart_test.cpp; here the options are."""

    def test_goes_on_from_the_last_checkpoint_and_from_a_given_one(self):
        every = ("--set", "output.checkpoint_every=100 s")
        whole = self.run_into("whole", FLAT, *every)
        self.assertEqual(whole, self.run_into("last", FLAT, *every, "--restart", "whole/record.h5"))
        for time in ("500 s", "700 s", "2000 s", "35 min"):  # bouncing and rolling
            self.assertEqual(whole, self.run_into("given", FLAT, *every, "--restart", "whole/record.h5", "--restart-time", time))

    def test_goes_on_over_its_own_record(self):
        every = ("--set", "output.checkpoint_every=100 s")
        whole = self.run_into("whole", FLAT, *every)
        self.assertEqual(whole, self.run_into("whole", FLAT, *every, "--restart", "whole/record.h5", "--restart-time", "700 s"))

    def test_output_and_end_may_change_on_the_way(self):
        every = ("--set", "output.checkpoint_every=100 s")
        whole = self.run_into("whole", FLAT, *every)
        self.asperity("run", FLAT, *every, "--out", "x", "--set", "end.step_budget=9", code=NUMERICAL)
        self.assertEqual(whole, self.run_into("y", FLAT, *every, "--restart", "x/record.h5"))
        got = self.asperity("run", FLAT, "--out", "y", "--restart", "x/record.h5", "--set", "end.time=1 s", code=INPUT)
        self.assertRegex(got.stderr, r"^error: end.time is 1 s, but the run would go on from \S+ s\n")

    def test_refuses_another_scenario_and_a_record_without_checkpoints(self):
        self.asperity("run", FLAT, "--out", "x", "--quiet")
        got = self.asperity("run", FLAT, "--restart", "x/record.h5", "--out", "y", code=INPUT)
        self.assertIn("checkpoint", got.stderr)
        self.asperity("run", FLAT, "--out", "x", "--quiet", "--set", "output.checkpoint_every=100 s", "--force")
        for change, told in (
            (["--seed", "2"], "seed is 1 there and 2 here"),
            (["--set", "contact.shell/ground.friction=0.5"], "contact.shell/ground.friction is 0.6 there and 0.5 here"),
        ):
            got = self.asperity("run", FLAT, "--set", "output.checkpoint_every=100 s", *change, "--restart", "x/record.h5", "--out", "y", code=INPUT)
            self.assertIn(f"was made from another scenario: {told}\n", got.stderr)
        got = self.asperity("run", SPIKE, "--restart", "x/record.h5", "--out", "y", code=INPUT)
        self.assertFalse((self.folder / "y").exists())

    def test_refuses_what_is_no_record(self):
        self.write("text.h5", "nothing of HDF5")
        whole = self.folder / "x" / "record.h5"
        self.asperity("run", FLAT, "--out", "x", "--quiet", "--set", "output.checkpoint_every=100 s")
        (self.folder / "half.h5").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
        for name in ("text.h5", "half.h5", "."):
            got = self.asperity("run", FLAT, "--set", "output.checkpoint_every=100 s", "--restart", name, "--out", "y", code=INPUT)
            self.assertRegex(got.stderr, r"^error: .")
            self.assertFalse((self.folder / "y").exists())


class Interrupted(Program):
    """A run without end is stopped, killed, or met by a second one. Nothing here depends on how fast it is."""

    def setUp(self):
        super().setUp()
        text = SOUND.replace("restitution = 0.5", 'restitution = 1\ncompletion = "none"')
        text = text.replace('"1 h"', '"1e9 s"\nstep_budget = 1000000000000')
        self.write("endless.toml", text + '\n[output]\nsample_every = "10000 s"\ncheckpoint_every = "20000 s"\n')

    def start(self, *arguments, until):
        """Starts a run and waits until that file stands in its folder x."""
        command = [os.environ["ASPERITY"], "run", "endless.toml", "--out", "x", *map(str, arguments)]
        # a shell in the background starts its programs deaf to SIGINT
        run = subprocess.Popen(
            command,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        deadline = time.monotonic() + 120
        while not (self.folder / "x" / until).exists():
            self.assertIsNone(run.poll(), "the run ended")
            self.assertLess(time.monotonic(), deadline, f"no {until}")
            time.sleep(0.01)
        return run

    def names(self):
        return sorted(path.name for path in (self.folder / "x").iterdir())

    def test_a_stopped_run_tells_how_to_go_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                run = self.start("--set", 'description=it\'s a "test"', "--seed", 3, "--quiet", "--force", until="record.h5.part")
                run.send_signal(number)
                out, err = run.communicate(timeout=120)
                self.assertEqual((run.returncode, out), (ENVIRONMENT, ""))
                self.assertRegex(err, r"^stopped at \S+ s; go on with: asperity run endless.toml --set .* --seed 3 --quiet --out x --restart x/record.h5\n$")
                self.assertEqual(self.names(), ["record.h5"])
                command = err.partition("go on with: asperity ")[2].strip()
                # the command is one that a shell takes; one step more than it had is all that it may do here
                got = subprocess.run(
                    f'"$ASPERITY" {command} --set end.step_budget=1', shell=True, cwd=self.folder, text=True, capture_output=True, check=False
                )
                self.assertEqual(got.returncode, NUMERICAL, got.stderr)
                self.assertRegex(got.stderr, r"^error: stalled at \S+ s: used up the budget")

    def test_a_killed_run_leaves_a_record_that_can_be_read_and_gone_on_from(self):
        run = self.start(until="record.h5")
        run.kill()
        run.communicate()
        self.assertEqual(run.returncode, -signal.SIGKILL)
        self.asperity("report", "x")
        self.assertIn("did not reach its end", (self.folder / "x" / "report.html").read_text(encoding="utf-8"))
        (self.folder / "x" / "report.html").unlink()
        self.asperity("run", "endless.toml", "--out", "y", "--restart", "x/record.h5", "--set", "end.step_budget=1", code=NUMERICAL)
        # the next run takes over what the killed one left
        self.asperity("run", FLAT, "--out", "x", "--quiet", "--force")
        self.assertEqual(self.names(), ["record.h5", "report.html", "summary.json"])

    def test_a_killed_rerun_leaves_no_old_report_beside_a_new_record(self):
        def files():
            return {name: (self.folder / "x" / name).read_bytes() for name in self.names() if ".part" not in name}

        self.asperity("run", FLAT, "--out", "x", "--quiet")
        before = files()
        self.assertEqual(len(before), 3)
        run = self.start("--force", until="record.h5.part")
        run.kill()
        run.communicate()
        after = files()
        self.assertTrue(after == before or (set(after) == {"record.h5"} and after != before), sorted(after))

    def test_a_second_run_into_the_same_folder_is_refused(self):
        self.start(until="record.h5.part")
        for arguments in ([FLAT, "--out", "x"], ["endless.toml", "--out", "x"]):
            got = self.asperity("run", *arguments, code=INPUT)
            self.assertEqual(
                got.stderr, "error: another run is writing into x\n  wait until it is done, or give another folder with --out\n\n1 error. Nothing was run.\n"
            )
        self.assertIn("record.h5.part", self.names())
        self.asperity("run", FLAT, "--out", "y", "--quiet")


class Others(Program):
    def test_reproduce_fails_where_a_run_contradicts_a_standing(self):
        (self.folder / "papers/own").mkdir(parents=True)
        row = '[[group.row]]\nquantity = "impact_time[0]"\nlabel = "t"\nunit = "s"\npublished = "442.235"\nwithin = "0.001"\n'
        head = f'id = "own/1"\ntitle = "A fall"\nsource = "us"\nscenario = "{FLAT}"\n[[group]]\nname = "a"\n'
        self.write("papers/own/1.toml", head + row + 'standing = "agrees"\n')
        self.assertRegex(self.asperity("reproduce").stdout, r"\nprint +1 +0 +0 +0\nclosed forms +1 +0 +0 +0\nour own numbers +0 +0 +0 +0\n$")
        self.write("papers/own/1.toml", head + row + 'standing = "open"\ndifference = "1"\ncause = "not known"\n')
        got = self.asperity("reproduce", code=FAILED)
        self.assertIn("t: CONTRADICTED (print): declared open, but it agrees with print\n", got.stdout)
        self.assertRegex(got.stdout, r"\nprint +0 +0 +0 +1\n")
        self.assertIn("--runs", self.asperity("reproduce", "--slow", "--keep", "--runs", "4", code=INPUT).stderr)

    def test_check_prints_and_writes_nothing(self):
        got = self.asperity("check", FLAT)
        self.assertEqual(got.stderr, "")
        for line in (
            r"  surface         \d+ facets, \d+ edges, \d+ vertices, open",
            r"  start           \(-80, 2, 20\) m, clearance 19.95 m",
            r"  time of a size  22.3607 s            sqrt\(r / g\)",
            r"  rests up to     7.\d+ deg .*",  # atan(0.04 (1 + 1 / 0.4))
            r"  expectations    \d+",
            r"nothing was run",
        ):
            self.assertRegex(got.stdout, f"(?m)^{line}$")
        self.assertEqual(list(self.folder.iterdir()), [])
        self.asperity("check", FLAT, "--set", "contact.shell/ground.friction=-1", code=INPUT)

    def test_check_says_which_tolerance_contact_takes(self):
        self.assertRegex(self.asperity("check", FLAT, "--set", "phase.0.tolerance=1e-6").stdout, r"(?m)^  phase +phase 1: event-driven, dopri5, tolerance 1e-06 in flight, 1e-09 in contact$")
        self.assertRegex(self.asperity("check", FLAT, "--set", "phase.0.tolerance=1e-10").stdout, r"(?m)^  phase +phase 1: event-driven, dopri5, tolerance 1e-10$")

    def test_check_of_a_study_points_at_what_was_set(self):
        study = f'scenario = "{FLAT}"\nruns = 100\n[[vary]]\nkey = "contact.shell/ground.friction"\ndistribution = "uniform"\nlow = 0.1\nhigh = 0.9\n'
        self.write("a.toml", study)
        got = self.asperity("check", "a.toml", "--set", "vary.0.low=-2", code=INPUT)
        self.assertIn("would be refused, and their runs fail\n  --set vary.0.low=-2   [[vary]] 0\n", got.stderr)
        got = self.asperity("check", "a.toml", "--set", "vary.0.high=0", code=INPUT)
        self.assertIn("`low` = 0.1 is not below `high` = 0; exchange them, or move them apart\n  --set vary.0.high=0   [[vary]] 0\n", got.stderr)
        self.assertNotIn("a.toml:", got.stderr)

    def test_check_of_a_study_builds_runs_and_holds_ranges_against_bounds(self):
        study = f'scenario = "{FLAT}"\nruns = 100\n[[vary]]\nkey = "contact.shell/ground.friction"\ndistribution = "uniform"\nlow = 0.1\nhigh = 0.9\n'
        self.write("a.toml", study)
        self.assertIn("  built           the first 16 of them: all can start\n", self.asperity("check", "a.toml").stdout)
        self.write("a.toml", study.replace("low = 0.1", "low = -0.1"))
        got = self.asperity("check", "a.toml", code=INPUT)
        self.assertIn("10 % of the draws would be refused", got.stderr)
        self.assertIn("a.toml:4:7", got.stderr)
        self.write("a.toml", study + '[[vary]]\nkey = "body.lander.start.position.z"\ndistribution = "uniform"\nlow = "-9 m"\nhigh = "-8 m"\n')
        self.assertIn("run 0 cannot start: the body starts inside the surface", self.asperity("check", "a.toml", code=INPUT).stderr)

    def test_check_says_which_way_gravity_points_and_how_many_rocks_there_are(self):
        self.assertIn("  at the start    (0, 0, -0.0001) m/s^2, towards the nearest ground\n", self.asperity("check", FLAT).stdout)
        body = self.asperity("check", LANDERS / "kw4-beta.toml", "--set", "body.beta.attracts.field=point").stdout
        self.assertRegex(body, r"(?m)^  ground          holds everywhere, least at latitude")
        fast = self.asperity("check", LANDERS / "itokawa.toml", "--set", "body.itokawa.attracts.field=point", "--set", "body.itokawa.spin_period=1 h").stdout
        self.assertRegex(fast, r"(?m)^  warning         the ground does not hold on [\d.]+ % of the surface")
        self.assertRegex(fast, r"(?m)^  rocks           cover 0\.\d+ of the ground, mean free path of the body [\d.]+ m$")
        many = self.asperity("check", LANDERS / "itokawa.toml", "--set", "body.itokawa.attracts.field=point", "--set", "rocks.smallest=0.3 m").stdout
        self.assertRegex(many, r"(?m)^  warning         rocks would cover 1\.\d+ of the ground")

    def test_the_other_verb_is_named(self):
        got = self.asperity("run", LANDERS / "spike-scatter.toml", code=INPUT)
        self.assertIn("is a study: many runs", got.stderr)
        self.assertIn("asperity campaign", got.stderr)
        got = self.asperity("campaign", FLAT, code=INPUT)
        self.assertIn("is a scenario: one run", got.stderr)
        self.assertIn("asperity run", got.stderr)

    def test_check_doubts_a_ball_with_nothing_below_it(self):
        self.assertNotIn("warning", self.asperity("check", FLAT).stdout)
        got = self.asperity("check", FLAT, "--set", 'gravity.uniform=["0 m/s^2", "0 m/s^2", "1e-4 m/s^2"]')
        self.assertRegex(got.stdout, r"(?m)^  warning         nothing lies below the body along gravity")

    def test_explain(self):
        self.assertEqual(
            self.asperity("explain", "contact.shell/ground.restitution").stdout,
            "contact.A/B.restitution   number, between 0 and 1; required\n  Normal speed after an impact over the one before. Method \"penalty\" takes less than 0.0025 for 0.0025.\n",
        )
        self.assertIn("contact.A/B.friction", self.asperity("explain", "contact").stdout)
        everything = self.asperity("explain").stdout
        for key in ("body.NAME.shape.surface", "body.NAME.shape.sphere", "body.NAME.start.position", "contact.A/B.friction", "end.time", "output.checkpoint_every"):
            self.assertIn(key, everything)
        got = self.asperity("explain", "restitutoin", code=INPUT)
        self.assertEqual(got.stdout, "")
        self.assertIn("error: there is no key or section `restitutoin`\n  did you mean `restitution`?\n", got.stderr)

    def test_list(self):
        wanted = {"laws": "coupled", "methods": "event-driven", "integrators": "dopri5", "worlds": "plain", "shapes": "itokawa", "metrics": "stop_time"}
        for what, name in wanted.items():
            got = self.asperity("list", what)
            self.assertRegex(got.stdout, rf"(?m)^{name} +\S", what)
            self.assertEqual(got.stderr, "")
        self.assertIn("scenarios/landers/flat.toml\n    A ball falls", self.asperity("list", "scenarios", cwd=ROOT).stdout)
        self.assertIn("there is no scenario below ./scenarios", self.asperity("list", "scenarios", code=INPUT).stderr)
        self.assertNotRegex(self.asperity("list", "shapes").stdout, r"(?m)^flat ")
        self.assertIn("laws, methods, integrators, worlds, shapes, metrics, scenarios, matrix\n", self.asperity("list").stdout)

    def test_cache(self):
        environment = {**os.environ, "ASPERITY_CACHE": str(self.folder / "cache"), "ASPERITY_CACHE_SIZE": "100 MB"}
        empty = f"folder  {self.folder}/cache  (ASPERITY_CACHE names another)\nholds   0 MB in 0 fields, at most 100 MB (ASPERITY_CACHE_SIZE)\n"
        self.assertEqual(self.asperity("cache", env=environment).stdout, empty)
        self.write("points.txt", "0 0 9\n")
        self.asperity("shape", "generate", "itokawa", "small.obj", "--facets", "100")
        self.asperity("gravity", "small.obj", "--density", "2000", "--points", "points.txt", "--field", "--bound", "0.1", env=environment)
        got = self.asperity("cache", env=environment).stdout
        self.assertRegex(got, r"(?m)^holds   \S+ MB in 1 fields, at most 100 MB")
        self.assertRegex(got, r"(?m)^field-[0-9a-f]{32}\.bin +\d+ +0\.\d+ +\S+ MB +\d{4}-\d\d-\d\d \d\d:\d\d UTC$")
        self.assertEqual(self.asperity("cache", "--clear", env=environment).stdout, f"removed 1 files from {self.folder}/cache\n")
        self.assertEqual(self.asperity("cache", env=environment).stdout, empty)
        got = self.asperity("cache", env={**environment, "ASPERITY_CACHE_SIZE": "lots"}, code=INPUT)
        self.assertIn("error: the environment variable ASPERITY_CACHE_SIZE is no size: `lots`\n  write for example 4 GiB, 500 MB, or 0", got.stderr)

    def test_compare(self):
        bodies = ROOT / "scenarios" / "ternary" / "bodies.toml"
        got = self.asperity("compare", bodies, "--method", "constraint,penalty/verlet", "--out", "c")
        self.assertRegex(got.stdout, r"(?m)^metric +constraint +penalty/verlet$")
        self.assertRegex(got.stdout, r"(?m)^configuration +Lagrange Resting +Lagrange Resting$")
        self.assertTrue((self.folder / "c" / "penalty-verlet" / "report.html").exists())
        page = (self.folder / "c" / "report.html").read_text(encoding="utf-8")
        for part in ("methods side by side", "<h3>penalty/verlet</h3>", '"name":"constraint: x"', '{"runs":[{"bodies":['):
            self.assertIn(part, page)
        runs = json.loads((self.folder / "c" / "compare.json").read_text())["runs"]
        self.assertEqual([run["method"] for run in runs], ["constraint", "penalty/verlet"])
        for run in runs:  # numbers, not texts
            self.assertIsInstance(run["metrics"]["energy"]["value"], float)
            self.assertEqual(run["metrics"]["energy"]["unit"], "J")
            self.assertIsInstance(run["steps"], int)
        self.assertIn("did you mean `penalty`?", self.asperity("compare", bodies, "--method", "penalt,lcp", code=INPUT).stderr)
        got = self.asperity("compare", bodies, "--method", "constraint,event-driven", "--out", "d", code=INPUT)
        self.assertIn("Nothing was run.", got.stderr)
        self.assertFalse((self.folder / "d").exists(), "the first method was run")

    def test_what_is_listed_is_what_a_scenario_may_name(self):
        for line in self.asperity("list", "methods").stdout.splitlines():
            method = line.split()[0]
            file = FLAT if method == "event-driven" else ROOT / "scenarios" / "ternary" / "bodies.toml"
            self.asperity("check", file, "--method", method, "--set", "phase.0.step_max=10 s")  # some have fixed steps

    def test_report_of_a_folder_without_a_record(self):
        got = self.asperity("report", ".", code=INPUT)
        self.assertIn("error: no record at ./record.h5\n", got.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_report_of_a_record(self):
        self.asperity("run", FLAT, "--out", "x", "--quiet")
        self.assertEqual(self.asperity("report", "x/record.h5").stdout, "wrote x/report.html\n")
        got = self.asperity("report", "x/summary.json", code=INPUT)
        self.assertIn("error: x/summary.json is a file\n  give the folder of a run, which holds record.h5\n", got.stderr)

    def test_report_is_the_one_that_the_run_wrote(self):
        self.asperity("run", FLAT, "--out", "x", "--quiet")
        page = self.folder / "x" / "report.html"
        before = page.read_bytes()
        page.unlink()
        self.asperity("report", "x")
        self.assertEqual(page.read_bytes(), before)


class Shape(Program):
    # a cube of 2 m whose facet 3 is wound the wrong way
    CUBE = """\
v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1
f 1 3 2\nf 1 4 3\nf 5 7 6\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 3 4 8\nf 3 8 7\nf 2 3 7\nf 2 7 6\nf 4 1 5\nf 4 5 8
"""

    def test_a_wrong_winding_is_named_and_mended(self):
        self.write("bad.obj", self.CUBE)
        got = self.asperity("shape", "info", "bad.obj", code=INPUT)
        self.assertIn("line 11 and line 12 at vertices 5-7", got.stderr)
        self.assertIn("asperity shape repair", got.stderr)
        self.asperity("shape", "repair", "bad.obj", "good.obj")
        text = self.asperity("shape", "info", "good.obj").stdout
        for line in ("vertices  8", "edges     18", "facets    12", "size      2 x 2 x 2 m", "area      24 m^2", "surface   closed", "volume    8 m^3"):
            self.assertIn(f"  {line}\n", text)

    def test_kilometres(self):
        self.write("bad.obj", self.CUBE)
        self.asperity("shape", "repair", "bad.obj", "good.obj", "--unit", "km")
        self.assertIn("size      2000 x 2000 x 2000 m", self.asperity("shape", "info", "good.obj").stdout)
        self.assertIn("size      2 x 2 x 2 m", self.asperity("shape", "info", "good.obj", "--unit", "mm").stdout)

    def test_a_surface_that_faces_the_wrong_way_is_flipped(self):
        self.write("up.obj", "v -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 4 3 2 1\n")
        self.write("a.toml", SOUND.replace('surface = "plain"', 'mesh = "up.obj", unit = "m"'))
        self.assertIn("asperity shape repair IN OUT --flip", self.asperity("check", "a.toml", code=INPUT).stderr)
        self.assertIn("  faces     (0, 0, -1) on average", self.asperity("shape", "info", "up.obj").stdout)
        got = self.asperity("shape", "repair", "up.obj", "up.obj", "--flip", code=INPUT)
        self.assertIn("`up.obj` would be written over itself\n  name another file to write, or add --force", got.stderr)
        self.asperity("shape", "repair", "up.obj", "up.obj", "--flip", "--force")
        self.assertIn("  faces     (0, 0, 1) on average", self.asperity("shape", "info", "up.obj").stdout)
        self.asperity("check", "a.toml")
        self.write("cube.obj", self.CUBE)
        self.assertIn("nothing to flip: closed shells face outwards", self.asperity("shape", "repair", "cube.obj", "c.obj", "--flip").stdout)

    def test_a_world_of_another_seed_and_size_is_written(self):
        for name, arguments in (("a", []), ("b", ["--seed", "7"]), ("c", ["--seed", "7", "--set", "body.ground.shape.cells=3"])):
            self.asperity("shape", "generate", SPIKE, name, *arguments)
        self.assertNotEqual((self.folder / "a").read_text(), (self.folder / "b").read_text())
        self.assertEqual((self.folder / "c").read_text().count("f "), 18)

    def test_a_world_that_is_written_is_the_same_world(self):
        for name in ("pit", "spike", "table"):
            self.asperity("shape", "generate", LANDERS / f"{name}.toml", f"{name}.obj")
            info = self.asperity("shape", "info", f"{name}.obj").stdout
            facets = re.search(r"facets    (\d+)", info).group(1)
            self.assertRegex(self.asperity("check", LANDERS / f"{name}.toml").stdout, rf"surface         {facets} facets")

    def test_a_ball_falls_on_a_mesh_from_a_file_as_on_the_world_it_came_from(self):
        self.asperity("shape", "generate", LANDERS / "pit.toml", "pit.obj")
        mesh = f'include = "{LANDERS}/pit.toml"\n[body.ground]\nshape = {{ mesh = "pit.obj", unit = "m" }}\n'
        self.write("mesh.toml", mesh)
        by_file = self.run_into("x", "mesh.toml")[1]["metrics"]
        by_kind = self.run_into("y", LANDERS / "pit.toml")[1]["metrics"]
        self.assertEqual(by_file["impacts"], by_kind["impacts"])
        for got, wanted in zip(by_file["stop_position"]["value"], by_kind["stop_position"]["value"]):
            self.assertAlmostEqual(got, wanted, delta=1e-6)

    def test_nothing_is_left_where_it_cannot_be_written(self):
        self.write("bad.obj", self.CUBE)
        got = self.asperity("shape", "repair", "bad.obj", "none/good.obj", code=ENVIRONMENT)
        self.assertEqual(got.stderr, "error: cannot write `none/good.obj`: there is no folder `none`\n")
        got = self.asperity("shape", "repair", "bad.obj", "/dev/full", code=ENVIRONMENT)
        self.assertEqual(got.stderr, "error: cannot write `/dev/full`: No space left on device\n")
        self.asperity("shape", "generate", FLAT, ".", code=ENVIRONMENT)


if __name__ == "__main__":
    unittest.main()
