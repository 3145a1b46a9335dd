#!/usr/bin/env python3
"""Checks, or with --fix applies, the layout of .clang-format over src, tests and bench. Needs clang-format 14.

    check_format.py [--fix] [ROOT]
"""

import pathlib
import re
import shutil
import subprocess
import sys

from check_common import code_of, finish


def clang_format():
    """The program, of version 14: other versions break lines elsewhere, so that two people would undo each other's work."""
    for name in ("clang-format-14", "clang-format"):
        if path := shutil.which(name):
            said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
            if re.search(r"version 14\.", said):
                return path
    sys.exit("error: clang-format 14 is not here; on Debian 12: apt-get install clang-format-14")


def main():
    arguments = sys.argv[1:]
    fix = "--fix" in arguments
    rest = [a for a in arguments if a != "--fix"]
    root = pathlib.Path(rest[0] if rest else ".").resolve()
    files = code_of(root, "src", "tests", "bench")
    findings = []
    if files:
        program = clang_format()
        action = ["-i"] if fix else ["--dry-run", "--Werror"]
        names = [str(path.relative_to(root)) for path in files]
        said = subprocess.run([program, "--style=file", *action, *names], cwd=root, capture_output=True, text=True)
        places = {}
        for match in re.finditer(r"^([^:\s]+):(\d+):\d+: error:", said.stderr, re.MULTILINE):
            places.setdefault(match.group(1), []).append(int(match.group(2)))
        if said.returncode != 0 and not places:
            sys.exit(said.stderr)
        findings = [
            f"{name}:{min(lines)}: {len(lines)} places are not laid out as .clang-format says; `make format` mends them"
            for name, lines in sorted(places.items())
        ]
    finish("format", findings, len(files))


if __name__ == "__main__":
    main()
