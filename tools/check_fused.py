#!/usr/bin/env python3
"""Checks that the compiler fused no multiplication with an addition: where it would depends on what it inlines, and a fused one rounds once.

    check_fused.py PROGRAM

Fused on purpose are the sums of asperity::gravity (packed, by intrinsics), the exact products of asperity::geometry (scalar, by std::fma)
and Eigen's products of matrices. Nothing else may hold such an instruction.
"""

import re
import subprocess
import sys

from check_common import finish

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
FUSED = re.compile(r"\tvfn?m(add|sub)\w*")
# The name of a function, and the instructions that it has on purpose.
ON_PURPOSE = [
    (re.compile(r"\bEigen::"), FUSED),
    (re.compile(r"\basperity::gravity::"), re.compile(r"\tvfn?m(add|sub)(132|213|231)pd")),
    (re.compile(r"^asperity::geometry::(facet_normal|\(anonymous namespace\)::product)\("), FUSED),
]


def main():
    command = ["objdump", "-dC", "--no-show-raw-insn", sys.argv[1]]
    findings, functions, name = [], 0, ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as listing:
        for line in listing.stdout:
            if match := FUNCTION.match(line):
                name, functions = match.group(1), functions + 1
            elif (match := FUSED.search(line)) and not any(is_meant.search(name) and form.search(line) for is_meant, form in ON_PURPOSE):
                findings.append(f"{name}: {match.group(0).strip()}")
    finish("fused", sorted(set(findings)), functions)


if __name__ == "__main__":
    main()
