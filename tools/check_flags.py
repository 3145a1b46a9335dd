#!/usr/bin/env python3
"""Checks that every source is compiled with the flags that "the same bits" rests on.

    check_flags.py BUILD/compile_commands.json
"""

import json
import pathlib
import shlex
import sys

from check_common import finish

LOOSE = {
    "-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-fassociative-math", "-freciprocal-math", "-ffinite-math-only",
    "-fno-signed-zeros", "-fno-trapping-math", "-march=native", "-ffp-contract=fast", "-ffp-contract=on", "-mfpmath=387",
}
# The second: g++ 12 fuses multiplications and additions in spite of the first where it packs scalars into vectors.
NEEDED = ("-ffp-contract=off", "-fno-tree-slp-vectorize")
BASELINE = "-march=x86-64-v3"
# Runs on CPUs that lack the baseline, to say so.
BELOW_BASELINE = {"asperity/core/cpu.cpp", "asperity/cli/main.cpp"}


def main():
    commands = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    findings = []
    for command in commands:
        source, flags = command["file"], command["arguments"] if "arguments" in command else shlex.split(command["command"])
        findings += [f"{source}: compiled without {flag}" for flag in NEEDED if flag not in flags]
        for flag in sorted(LOOSE.intersection(flags)):
            findings.append(f"{source}: compiled with {flag}")
        march = [flag for flag in flags if flag.startswith("-march=")]
        below = any(source.endswith(name) for name in BELOW_BASELINE) and march[-1:] == ["-march=x86-64"]
        if march[-1:] != [BASELINE] and not below:
            findings.append(f"{source}: compiled with {march[-1:] or 'no -march'}, not {BASELINE}")
    finish("flags", findings, len(commands))


if __name__ == "__main__":
    main()
