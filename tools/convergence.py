#!/usr/bin/env python3
"""How fast soft contact, or rigid contact by fixed steps, comes to rigid contact whose impacts are located: a scenario under `penalty` at
growing stiffness and falling slip speed, or under `impulse` or `dvi` at falling steps, against a rigid method.

    convergence.py SCENARIO --stiffness 1e4 1e6 1e8 --slip-speed 1e-3 1e-4 1e-5 [--contact shell/ground] [--reference event-driven]
    convergence.py SCENARIO --step 1e-1 1e-2 1e-3 [--stepped dvi] [--contact shell/ground] [--reference event-driven]

Two tables in the form of docs/theory/soft-contact.md: the stiffness is varied at the least slip speed, then the slip speed at the largest
stiffness. An entry is the distance between the values of `penalty` and of the reference; the last line of a table is the order p, of error
~ stiffness^-p and error ~ slip speed^p, by least squares of log(error) against the logarithm of what is varied. energy_balance is that of
`penalty` itself. `NAME:n` is the n-th number of a list of the reference, from 1, against the nearest one of `penalty`. --require "NAME=low:high" checks the order in the stiffness,
"slip-speed/NAME=low:high" that in the slip speed, "step/NAME=low:high" that in the step (exit 1). With --step an entry is the mean over
the step and five shorter ones, down to 0.6 of it: an impact is off by any part of a step.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

NO_STIFFNESS = 1e-12  # N/m, of runs that have rigid contact alone: the ledger counts no energy of springs
METRICS = ["impact_time:1", "impact_time:2", "impact_time:3", "stop_time", "stop_position", "energy_balance"]


class Runs:
    def __init__(self, wanted):
        self.wanted = wanted

    def metrics(self, method, stiffness, slip_speed, step=None):
        contact = f"contact.{self.wanted.contact}"
        sets = [f"{contact}.stiffness={stiffness!r} N/m", *self.wanted.set]
        if step is not None:
            sets += ["phase.0.integrator=leapfrog", f"phase.0.step_max={step!r} s", "phase.0.tolerance=1e-9"]
        if slip_speed is not None:
            sets.append(f"{contact}.slip_speed={slip_speed!r} m/s")
        with tempfile.TemporaryDirectory() as out:
            command = [self.wanted.asperity, "run", self.wanted.scenario, "--method", method, "--threads", "1", "--quiet", "--out", out]
            done = subprocess.run(command + [word for value in sets for word in ("--set", value)], capture_output=True, text=True)
            if done.returncode not in (0, 1):  # 1: an [expect] of the scenario, which has other values in mind
                sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
            summary = json.loads((pathlib.Path(out) / "summary.json").read_text())
        values = {name: metric["value"] for name, metric in summary["metrics"].items()}
        values["outcome"] = summary["outcome"]["kind"]
        return values


def value_of(metrics, name):
    """The numbers of a metric, or the one that is asked for; None where the run does not have it."""
    name, _, number = name.partition(":")
    value = metrics.get(name)
    if value is None:
        return None
    values = value if isinstance(value, list) else [value]
    if number:
        return values[int(number) - 1 : int(number)] or None
    return values


def error_of(name, soft, rigid):
    a, b = value_of(soft, name), value_of(rigid, name)
    if name == "energy_balance":
        return a[0]
    if ":" in name and b is not None:  # a series of bounces does not end after as many under both: the nearest
        return min((abs(x - b[0]) for x in value_of(soft, name.partition(":")[0]) or []), default=None)
    return None if a is None or b is None or len(a) != len(b) else math.dist(a, b)


def order_of(xs, errors):
    """Slope of log(error) over log(x); None of fewer than two errors that are above zero."""
    points = [(math.log(x), math.log(e)) for x, e in zip(xs, errors) if e]
    if len(points) < 2:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def cell(value, form):
    return "-" if value is None else form.format(value)


def table(title, runs, rigid, names, varied, sign):
    """Prints the table; returns the order of each metric. varied: (stiffness, slip speed, the one that varies)."""
    print(f"| {title} | " + " | ".join(name.replace("_", " ") for name in names) + " | outcome |")
    print("|" + "---|" * (len(names) + 2))
    errors = {name: [] for name in names}
    for stiffness, slip_speed, x in varied:
        soft = runs.metrics("penalty", stiffness, slip_speed)
        for name in names:
            errors[name].append(error_of(name, soft, rigid))
        print(f"| {x:.0e} | " + " | ".join(cell(errors[name][-1], "{:.1e}") for name in names) + f" | {soft['outcome']} |", flush=True)
    orders = {name: order_of([x for *_, x in varied], errors[name]) for name in names}
    orders = {name: None if name == "energy_balance" or order is None else sign * order for name, order in orders.items()}
    print("| order | " + " | ".join(cell(orders[name], "{:.2f}") for name in names) + f" | {rigid['outcome']} |\n", flush=True)
    return orders


def step_table(runs, rigid, names, steps):
    """Prints the table of a method of fixed steps; returns the order of each metric."""
    print("| h, s | " + " | ".join(name.replace("_", " ") for name in names) + " | outcome |")
    print("|" + "---|" * (len(names) + 2))
    errors = {name: [] for name in names}
    for step in steps:
        several = [runs.metrics(runs.wanted.stepped, NO_STIFFNESS, None, step * part) for part in (1, 0.93, 0.86, 0.77, 0.69, 0.6)]
        for name in names:
            found = [error_of(name, one, rigid) for one in several]
            errors[name].append(None if None in found else sum(found) / len(found))
        print(f"| {step:.0e} | " + " | ".join(cell(errors[name][-1], "{:.1e}") for name in names) + f" | {several[0]['outcome']} |", flush=True)
    orders = {name: None if name == "energy_balance" else order_of(steps, errors[name]) for name in names}
    print("| order | " + " | ".join(cell(orders[name], "{:.2f}") for name in names) + f" | {rigid['outcome']} |\n", flush=True)
    return orders


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario")
    parser.add_argument("--stiffness", type=float, nargs="+", default=[], help="N/m")
    parser.add_argument("--step", type=float, nargs="+", default=[], help="s, of the method --stepped")
    parser.add_argument("--stepped", default="impulse", help="a method of fixed steps: impulse, dvi")
    parser.add_argument("--slip-speed", type=float, nargs="+", default=[None], help="m/s; none where there is no friction")
    parser.add_argument("--contact", default="shell/ground", help='the pair of materials, as [contact."A/B"] has it')
    parser.add_argument("--reference", default="event-driven", help="a rigid method")
    parser.add_argument("--metrics", nargs="+", default=METRICS)
    parser.add_argument("--set", action="append", default=[], help="key=value, of all runs")
    parser.add_argument("--require", nargs="+", default=[], metavar="[slip-speed/]NAME=low:high", help="exit 1 where the order is not within")
    parser.add_argument("--asperity", default="build/release/asperity")
    return parser.parse_args()


def main():
    wanted = arguments()
    runs = Runs(wanted)
    slip_speeds = sorted(wanted.slip_speed, reverse=True) if wanted.slip_speed[0] is not None else [None]
    stiffnesses = sorted(wanted.stiffness)
    rigid = runs.metrics(wanted.reference, stiffnesses[-1] if stiffnesses else NO_STIFFNESS, slip_speeds[-1])
    by = {}
    if wanted.step:
        by["step"] = step_table(runs, rigid, wanted.metrics, sorted(wanted.step, reverse=True))
    if stiffnesses:
        by["stiffness"] = table("k, N/m", runs, rigid, wanted.metrics, [(k, slip_speeds[-1], k) for k in stiffnesses], -1)
    if stiffnesses and len(slip_speeds) > 1:
        by["slip-speed"] = table("V, m/s", runs, rigid, wanted.metrics, [(stiffnesses[-1], v, v) for v in slip_speeds], 1)
    failed = 0
    for requirement in wanted.require:
        name, _, bounds = requirement.partition("=")
        of, _, name = name.rpartition("/")
        low, high = map(float, bounds.split(":"))
        order = by[of or "stiffness"][name]
        if order is None or not low <= order <= high:
            print(f"{requirement}: the order is {cell(order, '{:.3f}')}", file=sys.stderr)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
