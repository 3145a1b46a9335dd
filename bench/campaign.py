#!/usr/bin/env python3
"""What a campaign costs beside its runs: efficiency on two cores with runs of uneven length, time and memory for each of 10^6 trivial runs.

    bench/campaign.py build/release/asperity

Only an idle machine gives numbers; the load is printed beside them.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCATTER = ROOT / "scenarios" / "landers" / "spike-scatter.toml"
TRIVIAL = 'name = "trivial"\n[[vary]]\nname = "a"\ndistribution = "uniform"\nlow = 0\nhigh = 1\n[[metric]]\nname = "y"\nexpression = "a + 1"\n'


def timed(command, folder):
    """Seconds of wall clock, and the largest memory of the process in MB."""
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def status_of(folder, out):
    return json.loads((pathlib.Path(folder) / out / "status.json").read_text(encoding="utf-8"))


def efficiency(binary, folder):
    """Against two campaigns of one thread side by side, each of half of the work: what the two cores can do."""
    mpirun = ["mpirun", "--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else []), "-n", "2"]
    ways = {"1 thread": ([], 1), "2 threads": ([], 2)}
    if shutil.which("mpirun"):
        ways["2 ranks"] = (mpirun, 1)
    print("512 balls over the spike world, runs of uneven length")
    command = [binary, "campaign", SCATTER, "--quiet", "--threads", "1"]
    pair = [subprocess.Popen([*command, "--out", f"pair-{i}"], cwd=folder) for i in range(2)]
    if any(process.wait() != 0 for process in pair):
        sys.exit("failed")
    best = sum(status_of(folder, f"pair-{i}")["seconds"] for i in range(2)) / 4
    print(f"  two campaigns of 1 thread at once: {2 * best:.2f} s each; the best that 2 cores can do for one: {best:.2f} s")
    one = None
    for name, (launcher, threads) in ways.items():
        timed([*launcher, binary, "campaign", SCATTER, "--quiet", "--threads", str(threads), "--out", name], folder)
        status = status_of(folder, name)
        seconds = status["seconds"]
        one = one or seconds
        cores = len(status["ranks"]) * threads
        of_best = f", {100 * best / seconds:.1f} % of the best" if cores == 2 else ""
        print(f"  {name:10} {seconds:7.2f} s   busy {100 * status['busy']:5.1f} %   speed-up {one / seconds:.2f}{of_best}   load {os.getloadavg()[0]:.1f}")


def overhead(binary, folder):
    study = pathlib.Path(folder) / "trivial.toml"
    study.write_text(TRIVIAL, encoding="utf-8")
    print("trivial runs")
    for threads in [1, 2]:
        for runs in [10**4, 10**5, 10**6]:
            out = f"trivial-{runs}-{threads}"
            seconds, memory = timed([binary, "campaign", study, "--quiet", "--runs", str(runs), "--threads", str(threads), "--out", out], folder)
            inside = status_of(folder, out)["seconds"]
            print(
                f"  {runs:8} runs, {threads} threads: {1e6 * seconds / runs:7.2f} us a run with tables and statistics,"
                f" {1e6 * inside / runs:6.2f} us without; at most {memory:6.1f} MB; load {os.getloadavg()[0]:.1f}"
            )


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        overhead(binary, folder)
        efficiency(binary, folder)


if __name__ == "__main__":
    main()
