#!/usr/bin/env python3
"""Runs scenarios, published tables, studies and benchmarks of two builds and says where they do not compute the same, to the last bit.

    tools/compare_builds.py OLD NEW [--only PATTERN] [--quick]

OLD and NEW are folders of a build, such as build/release, configured with -DASPERITY_BENCH=ON. Each build runs the files of its own tree:
the nearest folder, at or above the build, that holds scenarios/. What has the same name in both trees is held against each other:

    scenario NAME      the hashes of the last state, of all events and of all samples; outcome and metrics
    table ID           the numbers of `asperity reproduce`
    study NAME, WAY    table.csv of the new build on 1 and 2 threads, on 3 ranks, killed and resumed, against the old one on 1 thread
    bench SCENE: ROW   the hash, and the processor time: new over old, each the best of several runs in turns

Names that have changed are told by --renames FILE, a line each: `old = new`, or `old =` for what is gone. They may be names of scenarios,
studies, tables, metrics, columns, outcomes, or rows of benchmarks. What is in the new tree alone is not looked at.

Results stay in OUT/runs until the next comparison. Gravity fields are built by each program itself and kept in OUT/fields, so that a field
of one cannot hide a change of the other; with --quick they come from the user's cache.

Exit 0: all the same; 1: something differs, or failed; 2: wrong use.
"""

import argparse
import concurrent.futures
import csv
import hashlib
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

BENCHES = ["asperity_bench", "asperity_bench_gravity", "asperity_bench_ternary"]
HASHES = ["state_hash", "event_hash", "sample_hash"]
NUMBERS = ["ours", "a - b", "low", "high"]  # columns of reproduce.json that come from our runs
WAYS = ["1 thread", "2 threads", "3 ranks", "killed and resumed"]
MPIRUN = ["mpirun", "--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]
JOURNAL_HEAD = 64  # bytes before the first run
LONGEST = 7200  # s, of one command: what takes longer hangs
QUICK = 10  # s, of one command with --quick


class Verdict(Exception):
    """Where there is nothing to compare: begins with `failed` or `left out`."""


class Build:
    """A program, its tree, and the folder for what it writes."""

    running = set()  # processes of all builds
    is_interrupted = False

    def __init__(self, folder, label, options):
        self.folder, self.label = pathlib.Path(os.path.abspath(folder)), label  # a link stays what it is: the tree is beside it
        self.program = self.folder / "asperity"
        self.tree = next((f for f in [self.folder, *self.folder.parents] if (f / "scenarios").is_dir()), None)
        if not self.program.is_file():
            options.refuse(f"there is no program `asperity` in {folder}")
        if self.tree is None:
            options.refuse(f"no folder at or above {folder} holds scenarios/")
        self.out = options.out / "runs" / label
        self.out.mkdir(parents=True)
        self.environment = dict(os.environ)
        if not options.quick:
            digest = hashlib.sha256(self.program.read_bytes()).hexdigest()[:16]
            self.environment["ASPERITY_CACHE"] = str(options.out / "fields" / digest)

    def execute(self, command, log, limit=LONGEST, is_enough=lambda: False):
        """The exit status; the command is killed where it is_enough(). What it says goes to `log`."""
        if Build.is_interrupted:
            raise Verdict("left out: interrupted")
        begin = time.monotonic()
        with open(log, "w", encoding="utf-8") as said:
            process = subprocess.Popen(
                list(map(str, command)), cwd=self.tree, env=self.environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
        Build.running.add(process)
        try:
            while not is_enough():
                try:
                    return process.wait(timeout=0.002 if time.monotonic() - begin < 5 else 0.05)
                except subprocess.TimeoutExpired:
                    if time.monotonic() - begin > limit:
                        raise Verdict(f"{'left out' if limit == QUICK else 'failed'}: {self.label}: no end after {limit} s")
        finally:
            kill(process)
            Build.running.discard(process)

    def results(self, what, command, file, limit):
        """(exit status, text of a file) of a command that leaves it in the folder of its --out."""
        folder = self.folder_of(what)
        log = folder.parent / (folder.name + ".log")
        status = self.execute([*command, "--out", folder], log, limit)
        if not (folder / file).is_file():
            raise Verdict(f"failed: {self.label}: exit {status} without {file}: {first_line(log)}")
        return status, (folder / file).read_text(encoding="utf-8")

    def folder_of(self, what):
        return self.out / re.sub(r"[^\w.-]+", "_", what)


def kill(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)  # with its ranks
        process.wait()


def first_line(log):
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return lines[0] if lines else "it said nothing"


class Renames:
    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines() if path else []
        parts = [line.partition("#")[0].partition("=") for line in lines]
        self.new_of = {old.strip(): new.strip() for old, equals, new in parts if equals}

    def __call__(self, name):
        """The name in the new build; empty where it is gone. Of a column `name [unit]` the name alone may be renamed."""
        plain, bracket, unit = name.partition(" [")
        if name in self.new_of or plain not in self.new_of:
            return self.new_of.get(name, name)
        return self.new_of[plain] and self.new_of[plain] + bracket + unit


def apart(old, new):
    """How far two values are apart: 0 where they are the same, else over the larger one; infinity where that makes no sense."""
    if old == new:
        return 0.0
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return max(map(apart, old, new))
    if any(isinstance(x, bool) or not isinstance(x, (int, float)) for x in (old, new)):
        return math.inf
    return abs(old - new) / max(abs(old), abs(new))


def difference(old, new, what, renames=lambda name: name):
    """Texts that say how the values of a dictionary differ; none where the new one has all of the old one. What it has beside is no difference."""
    said, far = [], {}
    for name, value in old.items():
        if not renames(name):
            continue
        if renames(name) not in new:
            said.append(f"no {what} `{renames(name)}`")
        elif distance := apart(renames(value) if isinstance(value, str) else value, new[renames(name)]):
            far[name] = distance
    if far:
        most = max(far, key=far.get)
        by = f" by {far[most]:.1e}" if math.isfinite(far[most]) else ""
        said.append(f"{what} `{most}`{by}" + (f" and {len(far) - 1} other of {len(old)}" if len(far) > 1 else ""))
    return said


def summary_difference(old, new, renames):
    said = [name.replace("_", " ") for name in HASHES if old[name] != new[name]]
    outcomes = [{key: summary["outcome"][key] for key in ("kind", "time")} for summary in (old, new)]
    metrics = [{name: metric["value"] for name, metric in summary["metrics"].items()} for summary in (old, new)]
    return said + difference(*outcomes, "outcome", renames) + difference(*metrics, "metric", renames)


def status_difference(old, new):
    return [] if old[0] == new[0] else [f"exit {old[0]} -> {new[0]}"]


def table_difference(old, new, renames):
    """Of two texts of CSV that must have the same bytes, but for the names of columns."""
    (old_head, old_rows), (new_head, new_rows) = (text.split("\n", 1) for text in (old, new))
    heads = [renames(name) for name in next(csv.reader([old_head]))], next(csv.reader([new_head]))
    if heads[0] != heads[1]:
        pairs = [f"`{a}` -> `{b}`" for a, b in zip(*heads) if a != b]
        return [f"{len(heads[0])} -> {len(heads[1])} columns {', '.join(pairs)}"]
    if old_rows == new_rows:
        return []
    columns = [list(zip(*csv.reader(rows.splitlines()))) for rows in (old_rows, new_rows)]
    by_name = [{name: list(map(number_or_text, column)) for name, column in zip(heads[0], table)} for table in columns]
    return difference(*by_name, "column") or ["the bytes, not the values"]


def number_or_text(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


class Comparison:
    def __init__(self, old, new, options):
        self.old, self.new, self.options = old, new, options
        self.renames = Renames(options.renames)
        self.limit = QUICK if options.quick else LONGEST
        self.old_studies = {}  # results of the old build, for all ways in which the new one runs them

    def both(self, what, command_of, file):
        """The JSON that a command leaves in both builds, and whether its exit status differs."""
        old, new = (build.results(what, command_of(build), file, self.limit) for build in (self.old, self.new))
        return json.loads(old[1]), json.loads(new[1]), status_difference(old, new)

    def name_in(self, build, name):
        return name if build is self.old else self.renames(name)

    def scenario(self, what, name):
        def run(build):
            return [build.program, "run", f"scenarios/{self.name_in(build, name)}.toml", "--quiet", "--threads", 1]

        old, new, said = self.both(what, run, "summary.json")
        return said + summary_difference(old, new, self.renames)

    def table(self, what, name, more):
        def reproduce(build):
            return [build.program, "reproduce", self.name_in(build, name), "--quiet", "--threads", 1, *more]

        def numbers(tables, name):
            return {table.replace(name, "", 1) + column: tables[table][column] for table in tables for column in NUMBERS if column in tables[table]}

        old, new, said = self.both(what, reproduce, "reproduce.json")
        return said + difference(numbers(old, name), numbers(new, self.renames(name)), "column")

    def study(self, what, name, way, more):
        def campaign(build, threads):
            return [build.program, "campaign", f"scenarios/{self.name_in(build, name)}.toml", "--quiet", "--threads", threads, *more]

        if name not in self.old_studies:
            try:
                self.old_studies[name] = self.old.results(f"study {name}", campaign(self.old, 1), "table.csv", self.limit)
            except Verdict as verdict:
                self.old_studies[name] = verdict
        if isinstance(self.old_studies[name], Verdict):
            raise self.old_studies[name]
        command = campaign(self.new, 2 if way == "2 threads" else 1)
        if way == "3 ranks":
            if not shutil.which(MPIRUN[0]):
                raise Verdict(f"left out: there is no {MPIRUN[0]} here")
            command = [*MPIRUN, "-n", 3, *command]
        if way == "killed and resumed":
            folder = self.new.folder_of(what)
            journal = folder / "journal"
            has_a_run = lambda: journal.is_file() and journal.stat().st_size > JOURNAL_HEAD  # noqa: E731
            self.new.execute([*command, "--out", folder], self.new.out / "killed.log", self.limit, has_a_run)
            (folder / "table.csv").unlink(missing_ok=True)  # where it was faster than we are
            command.append("--resume")
        new = self.new.results(what, command, "table.csv", self.limit)
        return status_difference(self.old_studies[name], new) + table_difference(self.old_studies[name][1], new[1], self.renames)

    def items(self):
        """(what, function, its arguments): each gives the differences as texts."""
        root = self.old.tree / "scenarios"
        files = {path.relative_to(root).with_suffix("").as_posix(): path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.toml"))}
        files = {name: text for name, text in files.items() if self.renames(name)}
        studies = [name for name, text in files.items() if re.search(r"^scenario = ", text, re.M)]
        yield from ((f"scenario {name}", self.scenario, [name]) for name in files if name not in studies)
        for name, is_slow in self.tables():
            yield f"table {name}", self.table, [name, ["--runs", 4] if is_slow else []]
        for name in studies:
            counts_itself = re.search(r'^design = "grid"', files[name], re.M)
            for way in WAYS[: 2 if self.options.quick else None]:
                yield f"study {name}, {way}", self.study, [name, way, [] if counts_itself else ["--runs", self.options.runs]]

    def tables(self):
        log = self.old.out / "tables.log"
        if not (self.old.tree / "papers").is_dir():
            return
        if self.old.execute([self.old.program, "reproduce", "--list"], log) != 0:
            self.options.refuse(f"`asperity reproduce --list` of the old build failed: {first_line(log)}")
        for line in log.read_text(encoding="utf-8").splitlines():
            name, is_slow = line.split()[0], line.endswith(" (slow)")
            if self.renames(name) and (self.options.slow or not is_slow):
                yield name, is_slow

    def bench(self, name):
        """(what, verdict, time of the new build over that of the old one) of each row."""
        best = {self.old: {}, self.new: {}}
        for turn in range(1 if self.options.quick else self.options.repeats):
            for build, rows in best.items():
                program = next((p for p in (build.folder / "bench" / name, build.folder / name) if p.is_file()), None)
                if program is None:
                    raise Verdict(f"failed: {build.label}: there is no {name}: configure with -DASPERITY_BENCH=ON")
                file, log = build.out / f"{name}-{turn}.rows", build.out / f"{name}-{turn}.log"
                status = build.execute([program, "--rows", file], log)
                if status != 0:
                    raise Verdict(f"failed: {build.label}: exit {status}: {first_line(log)}")
                for line in file.read_text(encoding="utf-8").splitlines():
                    scene, row, seconds, _, digest = line.split("\t")
                    least, first = rows.get(f"{scene}: {row}", (math.inf, digest))
                    rows[f"{scene}: {row}"] = min(least, float(seconds)), first if first == digest else "another one in each run"
        for row, (seconds, digest) in best[self.old].items():
            if self.renames(row):
                new_seconds, new_digest = best[self.new].get(self.renames(row), (math.nan, "no such row"))
                yield f"bench {row}", "same" if digest == new_digest else f"differs: hash {digest} -> {new_digest}", new_seconds / seconds


def verdict_of(function, *arguments):
    try:
        said = function(*arguments)
        return "differs: " + "; ".join(said) if said else "same"
    except Verdict as verdict:
        return str(verdict)
    except Exception as error:  # whatever it is, it is a row, and the others go on
        return f"failed: {type(error).__name__}: {error}"


def compare(comparison, only):
    """All rows: (what, verdict, ratio of times or None)."""
    items = [item for item in comparison.items() if re.search(only, item[0])]
    benches = [name for name in BENCHES if re.search(only, f"bench {name}")]
    verdicts = {}

    def note(what, verdict, begin):
        verdicts[what] = verdict
        print(f"[{len(verdicts)}/{len(items) + len(benches)}] {what}: {verdict} ({time.monotonic() - begin:.1f} s)", file=sys.stderr, flush=True)

    def run(lane):
        for what, function, arguments in lane:
            begin = time.monotonic()
            note(what, verdict_of(function, what, *arguments), begin)

    lanes = {}  # the ways of a study one after the other: they share the old table. Studies first, so that no core waits for one at the end
    for item in items:
        lanes.setdefault(item[0].partition(", ")[0], []).append(item)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        try:
            list(pool.map(run, sorted(lanes.values(), key=len, reverse=True)))
        except KeyboardInterrupt:
            Build.is_interrupted = True
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(Build.running):
                kill(process)
            raise
    rows = [(what, verdicts[what], None) for what, _, _ in items]
    for name in benches:
        begin, made = time.monotonic(), []
        verdict = verdict_of(lambda name=name, made=made: made.extend(comparison.bench(name)))
        rows += made if verdict == "same" else [(f"bench {name}", verdict, None)]
        note(f"bench {name}", f"{len(made)} rows" if verdict == "same" else verdict, begin)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD", help="folder of the build that counts as right")
    parser.add_argument("new", metavar="NEW", help="folder of the build that is held against it")
    parser.add_argument("--only", metavar="PATTERN", default="", help="what this regular expression finds: '^scenario landers/', 'bench asperity_bench$'")
    parser.add_argument("--quick", action="store_true", help=f"leaves out what takes longer than {QUICK} s, and ranks and resumed studies; benchmarks once")
    parser.add_argument("--slow", action="store_true", help="also the tables that are statistics over many runs, with 4 runs a group")
    parser.add_argument("--runs", type=int, default=8, help="of each study that does not count them itself (8)")
    parser.add_argument("--repeats", type=int, default=3, help="of each benchmark (3)")
    parser.add_argument("--renames", type=pathlib.Path, metavar="FILE", help="names that have changed")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/compare_builds"), help="folder for results (out/compare_builds)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both end what was started
    options.out, options.refuse = options.out.resolve(), parser.error
    shutil.rmtree(options.out / "runs", ignore_errors=True)
    begin = time.monotonic()
    try:
        rows = compare(Comparison(Build(options.old, "old", options), Build(options.new, "new", options), options), options.only)
    except KeyboardInterrupt:
        sys.exit("interrupted")
    width = max([len(what) for what, _, _ in rows], default=0)
    for what, verdict, ratio in rows:
        print(f"{what:<{width}}  {'' if ratio is None else f'{ratio:.3f}':>6}  {verdict}")
    counts = [f"{sum(verdict.startswith(word) for _, verdict, _ in rows)} {word}" for word in ("same", "differ", "failed", "left out")]
    slower = sum(ratio is not None and ratio > 1.05 for _, _, ratio in rows)
    print(f"{', '.join(counts)}; {slower} slower by more than 5 %; {(time.monotonic() - begin) / 60:.1f} min")
    verdicts = {verdict.partition(":")[0] for _, verdict, _ in rows}
    sys.exit(0 if "same" in verdicts and verdicts <= {"same", "left out"} else 1)


if __name__ == "__main__":
    main()
